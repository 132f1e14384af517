"""Batteries and their gauges; `pelagos.sensors.battery` states the equations."""

# ruff: noqa: ANN001, ANN201
from __future__ import annotations

import math

import numpy as np

from pelagos.engine.laws import also_compiled, law
from pelagos.sensors.base import Scene, VehicleContext
from pelagos.sensors.battery import Battery
from pelagos.sensors.instruments.base import Instrument
from pelagos.sensors.instruments.instant import POWER, TIME, Array, Instant, Mask, Rows
from pelagos.sensors.random import Noise

HOUR = 3600.0  # s


class BatteryInstrument(Instrument[Battery]):
    """True charge of the battery and the reading of its gauge."""

    watches = True
    CHANGING = ("_used_Ah", "_counted_Ah", "_last_s", "_last_A")

    def __init__(self, sensor: Battery, fit: VehicleContext, noise: Noise) -> None:
        super().__init__(sensor, fit, noise)
        rows = sensor.curve or ((0.0, sensor.voltage_empty_V), (1.0, sensor.voltage_full_V))
        self._curve = np.array(rows, float)
        self._held_Ah = sensor.charge * sensor.capacity_Ah  # at the start
        self._cells = np.array((sensor.capacity_Ah, sensor.resistance_ohm, sensor.hotel_W, self._held_Ah))
        self._gauge = self.errors(
            k=2, bias=(sensor.voltage_bias_V, sensor.current_bias_A),
            walk=np.array((sensor.voltage_walk_V_sqrt_h, sensor.current_walk_A_sqrt_h)) / 60.0,
            scale=np.array((sensor.voltage_scale, sensor.current_scale)), noise=(sensor.noise_V, sensor.noise_A),
            resolution=(sensor.resolution_V, sensor.resolution_A),
        )  # fmt: skip
        self._used_Ah, self._counted_Ah = np.zeros(self.n), np.zeros(self.n)  # true charge; by the gauge
        self._last_s, self._last_A = np.empty(self.n), np.zeros(self.n)

    def begin(self, rows: Rows, first: bool = False) -> None:
        """Draw the constant errors; the battery has its charge of the start."""
        super().begin(rows, first)
        self._used_Ah[rows], self._counted_Ah[rows], self._last_s[rows] = 0.0, 0.0, math.nan

    @property
    def used_Ah(self) -> float:
        """True charge used, of the first vehicle."""
        return float(self._used_Ah[0])

    @property
    def left_Ah(self) -> float:
        """True charge left, of the first vehicle."""
        return max(self._held_Ah - self.used_Ah, 0.0)

    def watch(self, now: Instant) -> None:
        """Integrate the current since the last call by the trapezoidal rule."""
        charges(
            self._curve, self._cells, self._gauge.channels, now.motion, self._used_Ah, self._counted_Ah, self._last_s,
            self._last_A,
        )  # fmt: skip

    def read(self, now: Instant, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """Return voltage, current, charge used and charge left."""
        del scene
        true, out = np.empty((len(rows), 2)), np.empty((len(rows), 4))
        loads(self._curve, self._cells, self._used_Ah, rows, now.motion, true)
        gauge_readings(self._cells, self._used_Ah, self._counted_Ah, rows, self._gauge.at(now, rows, true), out)
        return out, None

    def biased(self, values: Array, size: float) -> Array:
        """A fault shifts the voltage."""
        return values + np.array([size, 0.0, 0.0, 0.0])


@also_compiled
def load(curve, cells, used_Ah, thrusters_w):
    """Voltage and current under the present load; zero when empty."""
    left = cells[3] - used_Ah
    if left <= 0.0:
        return 0.0, 0.0
    share, k = left / cells[0], 1
    while k < len(curve) - 1 and share > curve[k, 0]:
        k += 1
    slope = (curve[k, 1] - curve[k - 1, 1]) / (curve[k, 0] - curve[k - 1, 0])
    open_v = curve[k - 1, 1] + slope * (share - curve[k - 1, 0])
    power, r = thrusters_w + cells[2], cells[1]
    if r == 0.0:
        return open_v, power / open_v
    root = math.sqrt(max(open_v * open_v - 4.0 * r * power, 0.0))
    # 2 P / (E + root) is the same root of the quadratic without cancellation
    current = 2.0 * power / (open_v + root) if root > 0.0 else 0.5 * open_v / r
    return open_v - r * current, current


@law
def charges(curve, cells, gauge, motion, used_Ah, counted_Ah, last_s, last_A):
    """Add the charge that was used since the last call, true and as the gauge counts it, of all vehicles."""
    for i in range(len(motion)):
        time_s = motion[i, TIME]
        current = load(curve, cells, used_Ah[i], motion[i, POWER])[1]
        if time_s > last_s[i] and used_Ah[i] < cells[3]:  # not at the first call, when the last time is NaN
            hours, mean = (time_s - last_s[i]) / HOUR, 0.5 * (last_A[i] + current)
            used_Ah[i] = min(used_Ah[i] + mean * hours, cells[3])
            errors = gauge[i, 1]
            # noise averages out in the counter; scale, bias and walk do not
            measured = errors.slope * mean + errors.offset + errors.wander
            counted_Ah[i] = min(counted_Ah[i] + measured * hours, cells[3])
        last_s[i], last_A[i] = time_s, current


@law
def loads(curve, cells, used_Ah, rows, motion, out):
    """Write voltage and current of some vehicles."""
    for i in range(len(rows)):
        out[i, 0], out[i, 1] = load(curve, cells, used_Ah[rows[i]], motion[i, POWER])


@law
def gauge_readings(cells, used_Ah, counted_Ah, rows, measured, out):
    """Write voltage, current, charge used and left as the gauge gives them; an empty battery powers no gauge."""
    for i in range(len(rows)):
        k = rows[i]
        empty = used_Ah[k] >= cells[3]
        out[i, 0], out[i, 1] = (0.0, 0.0) if empty else (measured[i, 0], measured[i, 1])
        out[i, 2], out[i, 3] = counted_Ah[k], cells[3] - counted_Ah[k]
