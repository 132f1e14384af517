"""Multibeam echo sounder: ranges of a swath of beams across the track.

Beams lie in the y-z plane of the sensor, whose z axis (down in the body unless turned) is the centre of the swath:

    d_i = (0, sin a_i, cos a_i),   a_0 = -swath / 2 (port) .. a_n-1 = +swath / 2 (starboard)

equally spaced in angle, or with `spacing = "equidistant"` in tan a, which spaces soundings on a level bottom equally.
`soundings_n` turns ranges into points of the bottom. No beam width and no refraction.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from pelagos.checks import SENSOR, choice
from pelagos.sensors.base import Array
from pelagos.sensors.sound.beams import Sounder, check_count


@dataclass(frozen=True, kw_only=True)
class Multibeam(Sounder):
    """Multibeam echo sounder; each beam is a column of the log."""

    kind: ClassVar[str] = "multibeam"

    n_beams: int = 128
    swath_deg: float = 120.0  # from the outermost beam to port to that to starboard
    spacing: Literal["equiangular", "equidistant"] = "equiangular"

    def __post_init__(self) -> None:
        """Validate the swath."""
        super().__post_init__()
        check_count(self, "n_beams", 2, 2048)
        widest = 175.0 if self.spacing == "equidistant" else 360.0
        self.check("swath_deg", 0.0, widest)
        choice("spacing", self.spacing, ("equiangular", "equidistant"), context=SENSOR)

    @property
    def columns(self) -> tuple[str, ...]:
        """Range of each beam from port to starboard; NaN without an echo."""
        return tuple(f"beam_{k:03d}_m" for k in range(self.n_beams))

    @property
    def angles_deg(self) -> Array:
        """Angle of each beam from the centre of the swath, positive to starboard."""
        half = 0.5 * self.swath_deg
        if self.spacing == "equiangular":
            return np.linspace(-half, half, self.n_beams)
        edge = np.tan(np.radians(half))
        return np.degrees(np.arctan(np.linspace(-edge, edge, self.n_beams)))

    def beams_b(self) -> Array:
        """Unit vectors of the beams (n, 3) in body axes."""
        angle = np.radians(self.angles_deg)
        return np.column_stack([np.zeros_like(angle), np.sin(angle), np.cos(angle)]) @ self.R_bs.T

    def soundings_n(self, ranges: ArrayLike, position_n: ArrayLike, R_nb: ArrayLike) -> Array:
        """Convert ranges to points (n, 3) NED, for a vehicle with O at `position_n` and attitude `R_nb`."""
        offsets_b = np.asarray(self.position_m) + np.asarray(ranges, float)[:, None] * self.beams_b()
        return np.asarray(position_n, float) + offsets_b @ np.asarray(R_nb, float).T
