"""Battery and its gauge: voltage, current, charge used and charge left.

    P = P_thrusters + P_hotel = U I,   U = E(left) - R I   =>   I = (E - sqrt(E^2 - 4 R P)) / (2 R)
    d(used)/dt = I

The open-circuit voltage E falls linearly from full to empty, or along `curve`. The battery cannot deliver more than
E^2 / (4 R): the current stays at E / (2 R). An empty battery reads 0 V and 0 A, and neither the used charge nor the
charge that the gauge counts exceeds the initial charge. In both cases the simulated thrusters keep running: the
controller or an event of the scenario decides how the vehicle reacts. The current is integrated at every control
interval, whatever the rate of the readings.

Units: V, A, Ah. Limits: no temperature, no ageing, capacity independent of the current (true for lithium cells at the
rates of vehicles within some per cent), no recovery after a load.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from pelagos.errors import ScenarioError
from pelagos.sensors.base import Sensor


@dataclass(frozen=True, kw_only=True)
class Battery(Sensor):
    """Battery pack, constant hotel load and the errors of the gauge."""

    kind: ClassVar[str] = "battery"

    capacity_Ah: float = 10.0
    voltage_full_V: float = 16.8
    voltage_empty_V: float = 12.0
    # rows of charge left (0 to 1, ascending) and open-circuit voltage, instead of the line from full to empty
    curve: tuple[tuple[float, float], ...] = ()
    resistance_ohm: float = 0.0
    hotel_W: float = 0.0  # computers, instruments, lamps: drawn all the time
    charge: float = 1.0  # share of the capacity at the start
    noise_V: float = 0.0
    noise_A: float = 0.0
    voltage_bias_V: float = 0.0  # drawn once
    voltage_walk_V_sqrt_h: float = 0.0
    voltage_scale: float = 0.0  # relative, drawn once
    current_bias_A: float = 0.0  # of the counter as well, drawn once
    current_walk_A_sqrt_h: float = 0.0
    current_scale: float = 0.0
    resolution_V: float = 0.0
    resolution_A: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check("capacity_Ah", 1e-6, 1e6)
        self.check_all(1e-3, 1e5, "voltage_full_V", "voltage_empty_V")
        self.check("resistance_ohm", 0.0, 1e3)
        self.check("hotel_W", 0.0, 1e6)
        self.check("charge", 0.0, 1.0)
        self.check_all(0.0, 1e3, "noise_V", "noise_A", "current_bias_A", "resolution_V", "resolution_A")
        self.check_all(0.0, 1e3, "voltage_bias_V", "voltage_walk_V_sqrt_h", "current_walk_A_sqrt_h")
        self.check_all(0.0, 1.0, "voltage_scale", "current_scale")
        if self.voltage_empty_V > self.voltage_full_V:
            expected = f"at most voltage_full_V, which is {self.voltage_full_V:g}"
            raise ScenarioError(file="sensor", key="voltage_empty_V", value=self.voltage_empty_V, expected=expected)
        if self.curve:
            shares = [row[0] for row in self.curve]
            rising = all(b > a for a, b in pairwise(shares))
            if len(shares) < 2 or not rising or shares[0] != 0.0 or shares[-1] != 1.0:
                expected = "rows of share and volts, shares ascending from 0 to 1"
                raise ScenarioError(file="sensor", key="curve", value=self.curve, expected=expected)
            if min(row[1] for row in self.curve) <= 0.0:
                raise ScenarioError(file="sensor", key="curve", value=self.curve, expected="voltages above 0")

    @property
    def columns(self) -> tuple[str, ...]:
        """Voltage under load, current, charge used and charge left as the gauge counts them."""
        return ("voltage_V", "current_A", "used_Ah", "left_Ah")
