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

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from pelagos.errors import ScenarioError
from pelagos.sensors.base import Array, Errors, Instant, Instrument, Scene, Sensor, VehicleContext


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

    def make(self, rng: np.random.Generator, fit: VehicleContext) -> BatteryInstrument:
        """Build the battery."""
        del fit
        return BatteryInstrument(self, rng)


class BatteryInstrument(Instrument):
    """True charge of the battery and the reading of its gauge."""

    watches = True

    def __init__(self, sensor: Battery, rng: np.random.Generator) -> None:
        self._sensor = sensor
        rows = sensor.curve or ((0.0, sensor.voltage_empty_V), (1.0, sensor.voltage_full_V))
        self._shares, self._volts = [row[0] for row in rows], [row[1] for row in rows]
        self._volt_errors = Errors(
            rng, bias=sensor.voltage_bias_V, walk=sensor.voltage_walk_V_sqrt_h / 60.0, scale=sensor.voltage_scale,
            noise=sensor.noise_V, resolution=sensor.resolution_V,
        )  # fmt: skip
        self._ampere_errors = Errors(
            rng, bias=sensor.current_bias_A, walk=sensor.current_walk_A_sqrt_h / 60.0, scale=sensor.current_scale,
            noise=sensor.noise_A, resolution=sensor.resolution_A,
        )  # fmt: skip
        self._held_Ah = sensor.charge * sensor.capacity_Ah  # at the start
        self.used_Ah = 0.0  # true charge
        self._counted_Ah = 0.0  # by the gauge
        self._time_s = math.nan
        self._current_A = 0.0

    @property
    def left_Ah(self) -> float:
        """True charge left."""
        return max(self._held_Ah - self.used_Ah, 0.0)

    def watch(self, now: Instant) -> None:
        """Integrate the current since the last call by the trapezoidal rule."""
        current, _ = self._draw(now.power_w)
        if self._time_s == self._time_s and self.left_Ah > 0.0:
            hours = (now.time_s - self._time_s) / 3600.0
            mean = 0.5 * (self._current_A + current)
            self.used_Ah = min(self.used_Ah + mean * hours, self._held_Ah)
            errors = self._ampere_errors
            # noise averages out in the counter; scale, bias and walk do not
            measured = float(errors.slope[0]) * mean + float(errors.offset[0]) + float(errors.wander[0])
            self._counted_Ah = min(self._counted_Ah + measured * hours, self._held_Ah)
        self._time_s, self._current_A = now.time_s, current

    def measure(self, now: Instant, scene: Scene) -> Array:
        """Return voltage, current, charge used and charge left."""
        del scene
        current, voltage = self._draw(now.power_w)
        volts = float(self._volt_errors.at(voltage, now.time_s)[0])
        amperes = float(self._ampere_errors.at(current, now.time_s)[0])
        if self.left_Ah == 0.0:
            volts = amperes = 0.0  # the battery powers its gauge
        return np.array([volts, amperes, self._counted_Ah, self._held_Ah - self._counted_Ah])

    def biased(self, values: Array, size: float) -> Array:
        """A fault shifts the voltage."""
        return values + np.array([size, 0.0, 0.0, 0.0])

    def _draw(self, thrusters_w: float) -> tuple[float, float]:
        """Current and voltage under the present load; zero when empty."""
        if self.left_Ah == 0.0:
            return 0.0, 0.0
        share = self.left_Ah / self._sensor.capacity_Ah
        shares, volts = self._shares, self._volts
        k = 1
        while k < len(shares) - 1 and share > shares[k]:
            k += 1
        open_v = volts[k - 1] + (volts[k] - volts[k - 1]) * (share - shares[k - 1]) / (shares[k] - shares[k - 1])
        power, r = thrusters_w + self._sensor.hotel_W, self._sensor.resistance_ohm
        if r == 0.0:
            return power / open_v, open_v
        root = math.sqrt(max(open_v * open_v - 4.0 * r * power, 0.0))
        # 2 P / (E + root) is the same root of the quadratic without cancellation
        current = 2.0 * power / (open_v + root) if root > 0.0 else 0.5 * open_v / r
        return current, open_v - r * current
