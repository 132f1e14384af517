"""Actuator feedback: shaft speed of thrusters and angle of control surfaces, one column for each.

A tachometer has the columns of the thrusters as in the log: rpm if the shaft speed is modelled, otherwise the unit of
the thruster in the log (V, N or throttle). Keys in rpm apply to columns in rpm only; `scale` applies to all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pelagos.sensors.base import Sensor, VehicleContext


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
