"""Actuator feedback: shaft speed of thrusters and angle of control surfaces, one column for each.

A tachometer has the columns of the thrusters as in the log: rpm if the shaft speed is modelled, otherwise the unit of
the thruster in the log (V, N or throttle). Keys in rpm apply to columns in rpm only; `scale` applies to all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pelagos.sensors.base import Array, Errors, Instant, Instrument, Scene, Sensor, VehicleContext


@dataclass(frozen=True, kw_only=True)
class Tachometer(Sensor):
    """Tachometers: shaft speed of every thruster."""

    kind: ClassVar[str] = "rpm"

    rate_hz: float = 10.0
    noise_rpm: float = 0.0
    bias_rpm: float = 0.0  # drawn once for each
    walk_rpm_sqrt_h: float = 0.0
    resolution_rpm: float = 0.0
    range_rpm: float = 1e5  # beyond it the reading stays there
    scale: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_all(0.0, 1e5, "noise_rpm", "bias_rpm", "walk_rpm_sqrt_h", "resolution_rpm")
        self.check("range_rpm", 1e-3, 1e6)
        self.check("scale", 0.0, 1.0)

    @property
    def columns(self) -> tuple[str, ...]:
        """Empty: the columns depend on the vehicle, see `columns_on`."""
        return ()

    def columns_on(self, fit: VehicleContext) -> tuple[str, ...]:
        """One column for each thruster, with its unit."""
        return tuple(f"{name}_{unit}" for name, (unit, _) in zip(fit.thrusters, fit.thruster_units, strict=True))

    def make(self, rng: np.random.Generator, fit: VehicleContext) -> Instrument:
        """Build the tachometers."""
        in_rpm = np.array([unit == "rpm" for unit, _ in fit.thruster_units], dtype=bool)
        factors = np.array([factor for _, factor in fit.thruster_units], dtype=float)
        steps = np.where(in_rpm, self.resolution_rpm, 0.0)
        limits = np.where(in_rpm, self.range_rpm, np.inf)
        bias, walk = np.where(in_rpm, self.bias_rpm, 0.0), np.where(in_rpm, self.walk_rpm_sqrt_h / 60.0, 0.0)
        errors = Errors(rng, len(factors), bias=bias, walk=walk, scale=self.scale)
        return _PositionsInstrument("thrusters", factors, errors, np.where(in_rpm, self.noise_rpm, 0.0), steps, limits)


@dataclass(frozen=True, kw_only=True)
class PlanePosition(Sensor):
    """Position sensors: angle of every control surface."""

    kind: ClassVar[str] = "planes"

    rate_hz: float = 10.0
    noise_deg: float = 0.0
    bias_deg: float = 0.0
    walk_deg_sqrt_h: float = 0.0
    scale: float = 0.0  # of the linkage: relative, drawn once for each
    resolution_deg: float = 0.0
    range_deg: float = 180.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_all(0.0, 180.0, "noise_deg", "bias_deg", "walk_deg_sqrt_h", "resolution_deg")
        self.check("scale", 0.0, 1.0)
        self.check("range_deg", 1e-3, 180.0)

    @property
    def columns(self) -> tuple[str, ...]:
        """Empty: the columns depend on the vehicle, see `columns_on`."""
        return ()

    def columns_on(self, fit: VehicleContext) -> tuple[str, ...]:
        """One column for each control surface."""
        return tuple(f"{name}_deg" for name in fit.surfaces)

    def make(self, rng: np.random.Generator, fit: VehicleContext) -> Instrument:
        """Build the position sensors."""
        n = len(fit.surfaces)
        errors = Errors(rng, n, bias=self.bias_deg, walk=self.walk_deg_sqrt_h / 60.0, scale=self.scale)
        full = np.ones(n)
        return _PositionsInstrument(
            "surfaces", 180.0 / np.pi * full, errors, self.noise_deg * full, self.resolution_deg * full,
            self.range_deg * full,
        )  # fmt: skip


class _PositionsInstrument(Instrument):
    """Reads one array of an `Instant`, in the units of the columns."""

    def __init__(
        self, quantity: str, factors: Array, errors: Errors, noise: Array, resolution: Array, limits: Array
    ) -> None:
        self._quantity, self._factors, self._errors, self._noise = quantity, factors, errors, noise
        self._resolution, self._limits = resolution, limits
        self._step = np.where(resolution > 0.0, resolution, 1.0)
        self._rounds = bool((resolution > 0.0).any())

    def measure(self, now: Instant, scene: Scene) -> Array:
        """Return the state of each actuator."""
        del scene
        true = self._factors * getattr(now, self._quantity)[: len(self._factors)]
        value = self._errors.at(true, now.time_s, self._noise)
        if self._rounds:
            value = np.where(self._resolution > 0.0, np.round(value / self._step) * self._step, value)
        return np.minimum(np.maximum(value, -self._limits), self._limits)
