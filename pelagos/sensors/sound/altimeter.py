"""Altimeter: echo sounder with one conical beam that measures the nearest range in the cone.

The cone consists of 17 rays, one along the axis and two rings of eight at half and all of the opening angle. The
reading is the shortest of them: over a level bottom the height h (with so few rays up to 0.5 % more at 30 deg) while
the vehicle tilts by less than half the opening, and h / cos(tilt - half opening) beyond. It is not corrected for tilt.

Frames: the axis is z of the instrument, which is down in the body unless `orientation_deg` turns it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pelagos.sensors.base import Array
from pelagos.sensors.sound.beams import Sounder

RING = 8  # rays in each of the two rings


@dataclass(frozen=True, kw_only=True)
class Altimeter(Sounder):
    """Altimeter with one conical beam, by default straight down."""

    kind: ClassVar[str] = "altimeter"

    beam_width_deg: float = 6.0  # whole opening of the cone; 0: a single ray

    def __post_init__(self) -> None:
        """Validate the opening angle."""
        super().__post_init__()
        self.check("beam_width_deg", 0.0, 120.0)

    @property
    def columns(self) -> tuple[str, ...]:
        """Nearest range in the cone; NaN without an echo."""
        return ("altitude_m",)

    def rays_s(self) -> Array:
        """Unit vectors of the rays of the cone in sensor axes."""
        half = np.radians(0.5 * self.beam_width_deg)
        if half == 0.0:
            return np.array([[0.0, 0.0, 1.0]])
        around = np.arange(RING) * (2.0 * np.pi / RING)
        rings = [
            np.column_stack([np.sin(a) * np.cos(around), np.sin(a) * np.sin(around), np.full(RING, np.cos(a))])
            for a in (0.5 * half, half)
        ]
        return np.concatenate([[[0.0, 0.0, 1.0]], *rings])
