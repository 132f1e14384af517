"""Depth sensor: depth from pressure, with the attenuated pressure of waves.

    depth = rho / rho_assumed (z + level exp(-d/L))

z is the depth of the instrument under the still surface, level how much higher the water stands above it and d its
depth under that moving surface: the pressure of a wave fades with depth as exp(-k d) (linear wave theory, e.g. Dean
and Dalrymple 1991, 4.22); one length L = 1/k stands for all waves. Out of the water the depth is 0.

Units: m. Limits: density as at the vehicle, no dynamic pressure of the vehicle's own flow, no drift with temperature.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pelagos.sensors.base import Sensor


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
