"""Compass: heading with magnetic deviation, and optionally roll and pitch.

    reading = psi - declination + A + B sin psi + C cos psi + D sin 2 psi + E cos 2 psi + noise

A is the mounting error (`bias_deg`), B and C come from the vehicle's own magnetism (hard iron), D and E from the field
it bends (soft iron); each is drawn once. The classical deviation of the compass: Bowditch, American Practical
Navigator, chapter on compass adjustment. `declination_deg` is the uncorrected part, east positive.

Units: deg; heading 0 to 360. Limits: deviation does not depend on roll and pitch or on currents in cables.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pelagos.sensors.base import Sensor


@dataclass(frozen=True, kw_only=True)
class Compass(Sensor):
    """A magnetic compass, or with no deviation a gyro compass."""

    kind: ClassVar[str] = "compass"

    rate_hz: float = 10.0
    noise_deg: float = 0.0
    bias_deg: float = 0.0
    walk_deg_sqrt_h: float = 0.0
    memory_s: float | None = None  # if set, the walk is a Gauss-Markov process
    resolution_deg: float = 0.0
    declination_deg: float = 0.0
    hard_iron_deg: float = 0.0  # standard deviation of B and C
    soft_iron_deg: float = 0.0  # of D and E
    tilt: bool = False  # roll and pitch as well
    tilt_noise_deg: float = 0.0
    tilt_bias_deg: float = 0.0
    tilt_walk_deg_sqrt_h: float = 0.0
    tilt_scale: float = 0.0  # relative, drawn once; a heading is cyclic and has soft iron instead
    tilt_resolution_deg: float | None = None  # None: that of the heading

    def __post_init__(self) -> None:
        super().__post_init__()
        angles = ("noise", "bias", "resolution", "hard_iron", "soft_iron", "tilt_noise", "tilt_bias")
        self.check_all(0.0, 180.0, *(f"{word}_deg" for word in angles), "walk_deg_sqrt_h", "tilt_walk_deg_sqrt_h")
        self.check("tilt_scale", 0.0, 1.0)
        self.check("declination_deg", -180.0, 180.0)
        if self.tilt_resolution_deg is not None:
            self.check("tilt_resolution_deg", 0.0, 180.0)
        if self.memory_s is not None:
            self.check("memory_s", 1e-3, 1e9)

    @property
    def columns(self) -> tuple[str, ...]:
        """Heading; roll and pitch with a tilt sensor."""
        return ("heading_deg", "roll_deg", "pitch_deg") if self.tilt else ("heading_deg",)
