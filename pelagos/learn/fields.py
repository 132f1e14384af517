"""What an observation is made of: named numbers with units, each divided by a scale and held to a limit.

A task writes SI numbers; what a policy sees is number / scale, about -1 to 1 in ordinary flight. Beyond the limit, in
units of the scale, the observation stays at the limit, so that the space is bounded.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LIMIT = 5.0  # scales


@dataclass(frozen=True)
class Field:
    """One number of an observation.

    name, unit   of the number before it is divided
    scale        what is shown as 1
    about        what it is, for the page
    noise        standard deviation, in `unit`, of the noise that `randomise={"noise": ...}` multiplies
    limit        where the observation stays, in scales
    """

    name: str
    unit: str
    scale: float
    about: str
    noise: float = 0.0
    limit: float = LIMIT


class Fields:
    """The fields of a task as arrays."""

    def __init__(self, fields: tuple[Field, ...]) -> None:
        self.all = fields
        self.names = tuple(f.name for f in fields)
        self._per = np.array([1.0 / f.scale for f in fields], dtype=np.float32)
        self.high = np.array([f.limit for f in fields], dtype=np.float32)
        self.low = -self.high
        self.noise = np.array([f.noise for f in fields])

    def __len__(self) -> int:
        return len(self.all)

    def scale(self, rows: NDArray[np.float32]) -> None:
        """SI numbers to observations, in place."""
        rows *= self._per
        np.clip(rows, self.low, self.high, out=rows)


# What most tasks show of the motion, in the order of `motion_into`.
RATES = (
    Field("surge_m_s", "m/s", 1.0, "velocity over ground, body axes, ahead", noise=0.02),
    Field("sway_m_s", "m/s", 1.0, "to starboard", noise=0.02),
    Field("heave_m_s", "m/s", 1.0, "down", noise=0.02),
    Field("roll_rate_rad_s", "rad/s", 1.0, "right-hand turn about the first axis", noise=0.01),
    Field("pitch_rate_rad_s", "rad/s", 1.0, "bow up", noise=0.01),
    Field("yaw_rate_rad_s", "rad/s", 1.0, "to starboard", noise=0.01),
)
TILT = (
    Field("roll_rad", "rad", 0.5, "starboard side down", noise=0.01),
    Field("pitch_rad", "rad", 0.5, "bow up", noise=0.01),
)
HEADING = (
    Field("sin_heading_error", "1", 1.0, "of the heading asked for less the heading", limit=1.0),
    Field("cos_heading_error", "1", 1.0, "of the same angle", limit=1.0),
)
PLACE = (
    Field("ahead_m", "m", 2.0, "from the vehicle to the target, body axes, ahead", noise=0.05),
    Field("starboard_m", "m", 2.0, "to starboard", noise=0.05),
    Field("below_m", "m", 2.0, "down", noise=0.05),
)
