"""Where the camera looks: pan, tilt and zoom as the pilot moves them, which camera it is, and how bright the lamps are.

Pan is positive to starboard about the body z axis, tilt positive up about the panned y axis (Royer 1985, 4.2.e).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from pelagos.checks import number
from pelagos.errors import CommandError
from pelagos.vehicle.spec import Camera, Vehicle

HAIR_DEG = 1e-6
ZOOM_PER_S = 2.0  # by so much the picture grows in a second at full stick


def eyes_of(vehicle: Vehicle) -> tuple[Camera, ...]:
    """The cameras of a vehicle; one at the bow of a vehicle made without any."""
    return vehicle.cameras or (Camera("camera", (0.5 * vehicle.length_m, 0.0, 0.0)),)


class CameraMount:
    """The camera in use and how it is turned."""

    def __init__(self, eyes: Sequence[Camera]) -> None:
        self.eyes = tuple(eyes)
        self.lights = 1.0
        self.use(0)

    def use(self, index: int) -> None:
        """Look through another camera, straight ahead of its mount."""
        self.index, self.eye = index, self.eyes[index]
        self.centre()

    def centre(self) -> None:
        """As the camera is mounted, without zoom."""
        self.pan_rad, self.tilt_rad, self.zoom = self.eye.pan_rad, self.eye.tilt_rad, 1.0

    @property
    def pan_deg(self) -> float:
        """Pan in degrees."""
        return math.degrees(self.pan_rad)

    @property
    def tilt_deg(self) -> float:
        """Tilt in degrees."""
        return math.degrees(self.tilt_rad)

    @property
    def fov_deg(self) -> float:
        """Horizontal field of view at zoom 1."""
        return math.degrees(self.eye.fov_rad)

    def move(self, pan: float, tilt: float, zoom: float, dt: float) -> None:
        """Turn at shares of the camera's rate for dt seconds, up to its stops."""
        eye = self.eye
        if pan:
            self.pan_rad = _within(self.pan_rad + pan * eye.rate_rad_s * dt, eye.pan_limit_rad)
        if tilt:
            self.tilt_rad = _within(self.tilt_rad + tilt * eye.rate_rad_s * dt, eye.tilt_limit_rad)
        if zoom:
            self.zoom = _within(self.zoom * ZOOM_PER_S ** (zoom * dt), (1.0, eye.zoom_most))

    def order(self, values: Mapping[str, Any]) -> None:
        """Absolute orders: index, centre, pan_deg, tilt_deg, zoom. CommandError beyond the camera's stops."""
        eye, index = self.eye, values.get("index")
        if index is not None:
            if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < len(self.eyes):
                raise CommandError(
                    key="camera index", value=index, expected=f"a whole number from 0 to {len(self.eyes) - 1}"
                )
            eye = self.eyes[index]
        limits = {"pan": eye.pan_limit_rad, "tilt": eye.tilt_limit_rad}
        new: dict[str, float] = {}
        for name, (low, high) in limits.items():
            angle = values.get(f"{name}_deg")
            if angle is not None:
                new[f"{name}_rad"] = _angle(f"{eye.name} {name}_deg", angle, low, high)
        if values.get("zoom") is not None:
            new["zoom"] = number("camera zoom", values["zoom"], 1.0, eye.zoom_most)
        if index is not None:
            self.use(index)
        if values.get("centre"):
            self.centre()
        vars(self).update(new)


def _angle(what: str, given: object, low: float, high: float) -> float:
    """An angle between stops, rad; a stop that went through degrees and back is still that stop."""
    angle, least, most = number(what, given), math.degrees(low), math.degrees(high)
    if not least - HAIR_DEG <= angle <= most + HAIR_DEG:
        fixed = least == most
        expected = f"{least:.4g}" if fixed else f"{least:.4g} to {most:.4g}"
        raise CommandError("it does not turn" if fixed else "", key=what, value=angle, expected=expected)
    return _within(math.radians(angle), (low, high))


def _within(value: float, limits: tuple[float, float]) -> float:
    return min(max(value, limits[0]), limits[1])
