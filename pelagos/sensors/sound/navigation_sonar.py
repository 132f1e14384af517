"""Navigation sonar: a vertical fan of beams ahead of the nose that reports the nearest echo.

As in the Gavia test bench: each beam is a line from the nose that reaches `max_range_m`; the nearest intersection of
each with the bottom (and with structures) is its range; the vehicle steers by the smallest of all.

    elevation of beam i:  tilt + fan (i / (n - 1) - 1/2),  i = 0 .. n - 1, positive down; beam 0 is the highest

`reading = "slant"` (the default): the beams are fixed to the vehicle, pitch and roll with it, and the ranges are
measured along them. `reading = "horizontal"` reproduces the program behind the document: beams from O that follow the
heading only, and the horizontal distance to the hit. That program has four beams over 10 deg and returns
`max_range_m` without an echo; so does this sonar unless `no_echo` is "nan".

Frames: the x axis of the sensor is the centre of the fan before `tilt_deg`; the fan is its x-z plane.
Reference: Gavia dynamic model, navigation sonar and plotter notes, figures 4 to 6.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from pelagos.checks import SENSOR, choice
from pelagos.sensors.base import Array
from pelagos.sensors.sound.beams import Sounder, check_count


@dataclass(frozen=True, kw_only=True)
class NavigationSonar(Sounder):
    """Navigation sonar: a fan of beams ahead in the vertical plane; `position_m` is the nose."""

    kind: ClassVar[str] = "navigation_sonar"

    min_range_m: float = 0.0
    max_range_m: float = 50.0
    n_beams: int = 4
    fan_deg: float = 10.0  # from the highest beam to the lowest
    tilt_deg: float = 0.0  # of the centre of the fan, positive down
    reading: Literal["slant", "horizontal"] = "slant"
    no_echo: Literal["max_range", "nan"] = "max_range"

    def __post_init__(self) -> None:
        """Validate the fan and the choices."""
        super().__post_init__()
        check_count(self, "n_beams", 1, 1000)
        self.check("fan_deg", 0.0, 360.0)
        self.check("tilt_deg", -180.0, 180.0)
        for key, choices in (("reading", ("slant", "horizontal")), ("no_echo", ("max_range", "nan"))):
            choice(key, getattr(self, key), choices, context=SENSOR)

    @property
    def columns(self) -> tuple[str, ...]:
        """Range of each beam; the smallest, and the distances of its echo ahead of and below the sonar."""
        return (*(f"beam_{k:02d}_m" for k in range(self.n_beams)), "range_m", "ahead_m", "below_m")

    @property
    def elevations_deg(self) -> Array:
        """Elevation of each beam in sensor axes, positive down."""
        if self.n_beams == 1:
            return np.array([self.tilt_deg])
        return self.tilt_deg + np.linspace(-0.5 * self.fan_deg, 0.5 * self.fan_deg, self.n_beams)
