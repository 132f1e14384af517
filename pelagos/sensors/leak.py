"""Leak sensor: a bilge probe that reports water above a threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pelagos.sensors.base import Array, Instant, Instrument, Scene, Sensor, VehicleContext


@dataclass(frozen=True, kw_only=True)
class LeakDetector(Sensor):
    """Leak sensor that reads 1 above a mass of water, else 0; `false_alarm` is the share of wrong readings of 1."""

    kind: ClassVar[str] = "leak"

    threshold_kg: float = 0.02
    false_alarm: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check("threshold_kg", 0.0, 1e5)
        self.check("false_alarm", 0.0, 1.0)

    @property
    def columns(self) -> tuple[str, ...]:
        """Whether the probe is wet: 1 or 0."""
        return ("wet",)

    def make(self, rng: np.random.Generator, fit: VehicleContext) -> Instrument:
        """Build the probe."""
        del fit
        return _LeakInstrument(self, rng)


class _LeakInstrument(Instrument):
    def __init__(self, sensor: LeakDetector, rng: np.random.Generator) -> None:
        self._sensor, self._rng = sensor, rng

    def measure(self, now: Instant, scene: Scene) -> Array:
        """Return 1 for a leak, else 0."""
        del scene
        alarm = self._rng.random() < self._sensor.false_alarm
        wet = now.flooded_kg > 0.0 and now.flooded_kg >= self._sensor.threshold_kg
        return np.array([1.0 if wet or alarm else 0.0])
