"""Compass: heading with magnetic deviation, and optionally roll and pitch.

    reading = psi - declination + A + B sin psi + C cos psi + D sin 2 psi + E cos 2 psi + noise

A is the mounting error (`bias_deg`), B and C come from the vehicle's own magnetism (hard iron), D and E from the field
it bends (soft iron); each is drawn once. The classical deviation of the compass: Bowditch, American Practical
Navigator, chapter on compass adjustment. `declination_deg` is the uncorrected part, east positive.

Units: deg; heading 0 to 360. Limits: deviation does not depend on roll and pitch or on currents in cables.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pelagos.frames import euler_from_rotation
from pelagos.sensors.base import Array, Errors, Instant, Instrument, Scene, Sensor, VehicleContext


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

    def make(self, rng: np.random.Generator, fit: VehicleContext) -> Instrument:
        """Build the compass."""
        del fit
        return _CompassInstrument(self, rng)


class _CompassInstrument(Instrument):
    def __init__(self, sensor: Compass, rng: np.random.Generator) -> None:
        self._sensor = sensor
        self._mount = sensor.R_bs if any(sensor.orientation_deg) else None
        self._iron = rng.standard_normal(4) * np.repeat((sensor.hard_iron_deg, sensor.soft_iron_deg), 2)
        self._bent = bool(self._iron.any())
        self._heading = Errors(
            rng, noise=sensor.noise_deg, bias=sensor.bias_deg, walk=sensor.walk_deg_sqrt_h / 60.0,
            memory_s=sensor.memory_s or math.inf, resolution=sensor.resolution_deg,
        )  # fmt: skip
        step = sensor.tilt_resolution_deg
        self._tilt = Errors(
            rng, 2, noise=sensor.tilt_noise_deg, bias=sensor.tilt_bias_deg, walk=sensor.tilt_walk_deg_sqrt_h / 60.0,
            scale=sensor.tilt_scale, resolution=sensor.resolution_deg if step is None else step,
        )  # fmt: skip

    def measure(self, now: Instant, scene: Scene) -> Array:
        """Return the heading, and roll and pitch with a tilt sensor, deg."""
        del scene
        R = now.R_nb if self._mount is None else now.R_nb @ self._mount
        roll, pitch, yaw = euler_from_rotation(R).tolist()
        heading = math.degrees(yaw) - self._sensor.declination_deg
        if self._bent:
            b, c, d, e = self._iron.tolist()
            heading += b * math.sin(yaw) + c * math.cos(yaw) + d * math.sin(2.0 * yaw) + e * math.cos(2.0 * yaw)
        value = self._heading.scalar_at(heading, now.time_s) % 360.0
        if not self._sensor.tilt:
            return np.array((value,))
        level = self._tilt.at(np.array((math.degrees(roll), math.degrees(pitch))), now.time_s)
        return np.array((value, level[0], level[1]))

    def biased(self, values: Array, size: float) -> Array:
        """A bias fault shifts the heading."""
        values = values.copy()
        values[0] = (values[0] + size) % 360.0
        return values
