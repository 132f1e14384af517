"""Depth sensor: depth from pressure, with the attenuated pressure of waves.

    depth = rho / rho_assumed (z + level exp(-d/L))

z is the depth of the instrument under the still surface, level how much higher the water stands above it and d its
depth under that moving surface: the pressure of a wave fades with depth as exp(-k d) (linear wave theory, e.g. Dean
and Dalrymple 1991, 4.22); one length L = 1/k stands for all waves. Out of the water the depth is 0.

Units: m. Limits: density as at the vehicle, no dynamic pressure of the vehicle's own flow, no drift with temperature.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pelagos.sensors.base import Array, Errors, Instant, Instrument, Scene, Sensor, VehicleContext


@dataclass(frozen=True, kw_only=True)
class Depth(Sensor):
    """Pressure sensor that reports depth in metres."""

    kind: ClassVar[str] = "depth"

    rate_hz: float = 10.0
    noise_m: float = 0.0
    bias_m: float = 0.0  # drawn once
    walk_m_sqrt_h: float = 0.0
    scale: float = 0.0  # relative, drawn once
    resolution_m: float = 0.0
    range_m: float = 12000.0  # beyond it the reading stays there
    assumed_density_kg_m3: float | None = None  # to convert pressure to depth; None: the true density
    wave_decay_m: float = 8.0  # 1/k: that of waves 50 m long

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_all(0.0, 1e4, "noise_m", "bias_m", "walk_m_sqrt_h", "resolution_m")
        self.check("scale", 0.0, 1.0)
        self.check("range_m", 1e-3, 2e4)
        self.check("wave_decay_m", 1e-3, 1e6)
        if self.assumed_density_kg_m3 is not None:
            self.check("assumed_density_kg_m3", 500.0, 2000.0)

    @property
    def columns(self) -> tuple[str, ...]:
        """Depth of the instrument, not of the body origin."""
        return ("depth_m",)

    def make(self, rng: np.random.Generator, fit: VehicleContext) -> Instrument:
        """Build the depth sensor."""
        return _DepthInstrument(self, rng, fit)


class _DepthInstrument(Instrument):
    def __init__(self, sensor: Depth, rng: np.random.Generator, fit: VehicleContext) -> None:
        self._point, self._decay_m, self._range_m = sensor.position_m, sensor.wave_decay_m, sensor.range_m
        self._ratio = fit.density_kg_m3 / (sensor.assumed_density_kg_m3 or fit.density_kg_m3)
        self._errors = Errors(
            rng, noise=sensor.noise_m, bias=sensor.bias_m, walk=sensor.walk_m_sqrt_h / 60.0, scale=sensor.scale,
            resolution=sensor.resolution_m,
        )  # fmt: skip

    def measure(self, now: Instant, scene: Scene) -> Array:
        """Return the depth, m."""
        del scene
        x, y, z = self._point
        row = now.R_nb[2].tolist()
        arm = row[0] * x + row[1] * y + row[2] * z
        still = float(now.position_n[2]) + arm
        below = now.below_m + arm if math.isfinite(now.below_m) else still
        true = still + (below - still) * math.exp(-below / self._decay_m) if below > 0.0 else 0.0
        return np.array((min(self._errors.scalar_at(self._ratio * true, now.time_s), self._range_m),))
