"""Inertial measurement units of many vehicles; `pelagos.sensors.imu` states the equations.

A sample is the mean between two calls of `VectorSensorSuite.sample` at which the unit was due. With one call per
control interval of 0.1 s, an IMU of 50 Hz too returns means over 0.1 s; all its samples need five calls per interval.
"""

from __future__ import annotations

import math

import numpy as np

from pelagos.batch.instruments.base import Array, Draw, Mask, Rows, VectorInstant, VectorInstrument, stepped, walk_steps
from pelagos.sensors.base import Scene, VehicleContext
from pelagos.sensors.imu import GRAVITY, HOUR, Imu

NOISE, TURN_ON, SCALE, MISALIGNMENT, DRIFTS = range(5)  # purposes of random numbers; four drifts from DRIFTS on
DEGREES = 180.0 / math.pi
# columns of the motion at the end of a sample
VELOCITY, OMEGA, DOWN = slice(0, 3), slice(3, 6), slice(6, 9)


class VectorImu(VectorInstrument[Imu]):
    """Specific force, m/s2, and turn rate, deg/s, along the instrument's axes."""

    def __init__(self, sensor: Imu, fit: VehicleContext, n: int, draw: Draw) -> None:
        super().__init__(sensor, fit, n, draw)
        self._units = (1.0, DEGREES)
        self._spreads = (
            (1e-6 * sensor.accel_scale_ppm, 1e-3 * sensor.accel_misalignment_mrad),
            (1e-6 * sensor.gyro_scale_ppm, 1e-3 * sensor.gyro_misalignment_mrad),
        )
        nominal = np.stack([unit * sensor.R_bs.T for unit in self._units])
        self._matrix = np.tile(nominal, (n, 1, 1, 1))  # (n, 2, 3, 3) body axes and SI to axes and units of the IMU
        self._turn_on = np.repeat((sensor.accel_turn_on, sensor.gyro_turn_on * DEGREES), 3)
        self._offset = np.zeros((n, 6))
        wanders = (sensor.accel_wander, sensor.gyro_wander * DEGREES)
        memories = (sensor.accel_bias_memory_s, sensor.gyro_bias_memory_s)
        walks = (
            sensor.accel_walk_ug_sqrt_h * 1e-6 * GRAVITY / math.sqrt(HOUR),
            sensor.gyro_walk_deg_h_sqrt_h / HOUR / math.sqrt(HOUR),
        )
        # (walk per sqrt(s), memory, standard deviation at the start) of four drifts: two biases that wander, two walks
        self._processes = (
            *((s * math.sqrt(2.0 / T), T, s) for s, T in zip(wanders, memories, strict=True)),
            *((walk, math.inf, 0.0) for walk in walks),
        )
        self._drift = np.zeros((4, n, 3))
        self._density = np.repeat((sensor.accel_noise, sensor.gyro_noise * DEGREES), 3)
        self._limits = np.repeat((sensor.accel_range_m_s2, sensor.gyro_range_deg_s), 3)
        self._steps = np.repeat((sensor.accel_resolution_m_s2, sensor.gyro_resolution_deg_s), 3)
        self._last_s = np.empty(n)
        self._last = np.zeros((n, 9))  # velocity of the IMU, angular velocity, direction down: at the last sample

    def begin(self, rows: Rows) -> None:
        """Draw turn-on biases, scales, misalignments and initial drifts; the next call only starts a sample."""
        super().begin(rows)
        draw, sensor = self.draw, self.sensor
        self._last_s[rows] = math.nan
        if self._turn_on.any():
            self._offset[rows] = self._turn_on * draw.normal(TURN_ON, 6)
        if any(any(pair) for pair in self._spreads):
            scales, angles = draw.normal(SCALE, 6), draw.normal(MISALIGNMENT, 18)
            errors = angles.reshape(-1, 2, 3, 3) * np.array([pair[1] for pair in self._spreads])[:, None, None]
            diagonal = np.arange(3)
            slopes = np.array([pair[0] for pair in self._spreads])[:, None]
            errors[:, :, diagonal, diagonal] = 1.0 + slopes * scales.reshape(-1, 2, 3)
            self._matrix[rows] = np.array(self._units)[:, None, None] * errors @ sensor.R_bs.T
        for i, (_, _, start) in enumerate(self._processes):
            self._drift[i, rows] = start * draw.normal(DRIFTS + i, 3) if start > 0.0 else 0.0

    def has_advanced(self, time_s: Array) -> Mask:
        """Return which vehicles are later than at their last sample, or have none."""
        return ~(time_s <= self._last_s)

    def measure(self, now: VectorInstant, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """Return means since the last sample; no reading of vehicles without one."""
        del scene
        last, last_s = self._last[rows], self._last_s[rows]
        ends = np.concatenate([now.velocity_b(self.sensor.position_m), now.nu[:, 3:], now.R_nb[:, 2]], axis=1)
        begun = np.isfinite(last_s)
        dt = np.where(begun, now.time_s - last_s, 1.0)[:, None]
        omega = 0.5 * (last[:, OMEGA] + ends[:, OMEGA])
        load = 0.5 * (_load(last, self.fit.gravity_m_s2) + _load(ends, self.fit.gravity_m_s2))
        force = (ends[:, VELOCITY] - last[:, VELOCITY]) / dt + load
        matrix = self._matrix[rows]
        value = np.concatenate(
            [(matrix[:, 0] @ force[:, :, None])[:, :, 0], (matrix[:, 1] @ omega[:, :, None])[:, :, 0]], axis=1
        )
        value += self._offset[rows] + self._drifted(rows, dt[:, 0], begun)
        if self._density.any():
            value += self._density / np.sqrt(dt) * self.draw.normal(NOISE, 6)
        self._last[rows], self._last_s[rows] = ends, now.time_s
        value = np.clip(value, -self._limits, self._limits)
        return stepped(value, self._steps) if self._steps.any() else value, begun

    def _drifted(self, rows: Rows, dt: Array, begun: Mask) -> Array:
        """Advance the four drifts by dt; return the sum of those of each triad."""
        total = np.zeros((len(dt), 6))
        for i, (walk, memory_s, _) in enumerate(self._processes):
            if walk == 0.0:
                continue
            decay, spread = walk_steps(memory_s, dt)
            drawn = self.draw.normal(DRIFTS + i, 3)
            advanced = decay[:, None] * self._drift[i, rows] + walk * spread[:, None] * drawn
            self._drift[i, rows] = np.where(begun[:, None], advanced, self._drift[i, rows])
            triad = slice(3 * (i % 2), 3 * (i % 2) + 3)  # even drifts: accelerometers, odd ones: gyroscopes
            total[:, triad] += self._drift[i, rows]
        return total


def _load(end: Array, gravity: float) -> Array:
    """Specific force at constant velocity in body axes, at one end of a sample: omega x v - R_bn g."""
    u, v, w = end[:, VELOCITY].T
    p, q, r = end[:, OMEGA].T
    return np.stack([q * w - r * v, r * u - p * w, p * v - q * u], axis=1) - gravity * end[:, DOWN]
