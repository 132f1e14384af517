"""What a pilot sees by: the cameras and lamps of a vehicle. For looks only: nothing in the water feels them.

A camera sits at `position_b`. Pan turns it about body z, positive to starboard; tilt then about its own y, positive up
(Royer 1985, 4.2.e). At pan = tilt = 0 it looks along body x.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import radians

Vec3 = tuple[float, float, float]
AHEAD: Vec3 = (1.0, 0.0, 0.0)
FIELD_OF_VIEW_RAD = radians(80.0)  # horizontal, in water: what low-light ROV cameras have
TURN_RATE_RAD_S = radians(30.0)
BEAM_RAD = radians(120.0)


@dataclass(frozen=True)
class Camera:
    """One camera. Limits are (lowest, highest); equal ones mean that it cannot turn that way."""

    name: str
    position_b: Vec3
    pan_rad: float = 0.0  # at rest
    tilt_rad: float = 0.0
    pan_limit_rad: tuple[float, float] = (0.0, 0.0)
    tilt_limit_rad: tuple[float, float] = (0.0, 0.0)
    rate_rad_s: float = TURN_RATE_RAD_S  # of pan and tilt
    fov_rad: float = FIELD_OF_VIEW_RAD  # horizontal, at zoom 1
    zoom_most: float = 1.0  # largest magnification; 1: it cannot zoom


@dataclass(frozen=True)
class Lamp:
    """One lamp, fixed to the frame: it does not turn with the camera."""

    name: str
    position_b: Vec3
    direction_b: Vec3 = AHEAD  # unit: the middle of its beam
    beam_rad: float = BEAM_RAD  # whole angle of the cone
    lumens: float = 1500.0
