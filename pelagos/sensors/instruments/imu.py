"""Inertial measurement units; `pelagos.sensors.imu` states the equations.

A sample is the mean since the last one. Of a single vehicle, all samples of a control interval come in one call, one
row each, because a call costs more than a sample. A batch is sampled once per control interval: with one of 0.1 s, an
IMU of 50 Hz too returns means over 0.1 s; all its samples need five calls per interval.
"""

# ruff: noqa: ANN001, ANN201
from __future__ import annotations

import math

import numpy as np

from pelagos.engine.laws import clip, law
from pelagos.sensors.base import Scene, VehicleContext
from pelagos.sensors.imu import GRAVITY, HOUR, Imu
from pelagos.sensors.instruments.base import Instrument, rotation, rounded, velocity_b, walk_step
from pelagos.sensors.instruments.instant import NU, TIME, Array, Instant, Mask, Rows
from pelagos.sensors.random import Noise

NOISE, TURN_ON, SCALE, MISALIGNMENT, START = range(5)  # purposes of random numbers; four drifts from START on
DEGREES = 180.0 / math.pi
AXES = 6  # of accelerometers and gyros
DRIFTS = 4  # bias instability, then random walk, of both triads
ENDS = 9  # motion at the end of a sample: velocity of the IMU, turn rate, direction down


class ImuInstrument(Instrument[Imu]):
    """Specific force, m/s2, and turn rate, deg/s, along the axes of the instrument."""

    fast = True
    CHANGING = ("_matrix", "_offset", "_drift", "_last_s", "_last")

    def __init__(self, sensor: Imu, fit: VehicleContext, noise: Noise) -> None:
        super().__init__(sensor, fit, noise)
        n = self.n
        self._units = (1.0, DEGREES)
        self._spreads = (
            (1e-6 * sensor.accel_scale_ppm, 1e-3 * sensor.accel_misalignment_mrad),
            (1e-6 * sensor.gyro_scale_ppm, 1e-3 * sensor.gyro_misalignment_mrad),
        )
        nominal = np.stack([unit * sensor.R_bs.T for unit in self._units])
        self._matrix = np.tile(nominal, (n, 1, 1, 1))  # (n, 2, 3, 3) body axes and SI to axes and units of the IMU
        self._turn_on = np.repeat((sensor.accel_turn_on, sensor.gyro_turn_on * DEGREES), 3)
        self._offset = np.zeros((n, AXES))
        self._starts = (sensor.accel_wander, sensor.gyro_wander * DEGREES, 0.0, 0.0)  # standard deviations
        memories = (sensor.accel_bias_memory_s, sensor.gyro_bias_memory_s)
        walks = (
            sensor.accel_walk_ug_sqrt_h * 1e-6 * GRAVITY / math.sqrt(HOUR),
            sensor.gyro_walk_deg_h_sqrt_h / HOUR / math.sqrt(HOUR),
        )
        # (walk per sqrt(s), memory): a Gauss-Markov process of standard deviation s has walk s sqrt(2 / T)
        self._processes = np.array(
            [(s * math.sqrt(2.0 / T), T) for s, T in zip(self._starts, memories, strict=False)]
            + [(walk, math.inf) for walk in walks]
        )
        self._drift = np.zeros((n, DRIFTS, 3))
        density = np.repeat((sensor.accel_noise, sensor.gyro_noise * DEGREES), 3)
        limits = np.repeat((sensor.accel_range_m_s2, sensor.gyro_range_deg_s), 3)
        steps = np.repeat((sensor.accel_resolution_m_s2, sensor.gyro_resolution_deg_s), 3)
        self._figures = np.stack([density, limits, steps])
        self._numbers = AXES + 3 * DRIFTS if self._processes[:, 0].any() else AXES  # drawn for a sample
        self._place = np.array((*sensor.position_m, fit.gravity_m_s2))
        self._last_s = np.empty(n)
        self._last = np.zeros((n, ENDS))

    def begin(self, rows: Rows, first: bool = False) -> None:
        """Draw turn-on biases, scales, misalignments and initial drifts; the next call only starts a sample."""
        super().begin(rows, first)
        draw, sensor = self.draw, self.sensor
        self._last_s[rows] = math.nan
        if self._turn_on.any():
            self._offset[rows] = self._turn_on * draw.normal(TURN_ON, AXES)
        if any(any(pair) for pair in self._spreads):
            scales, angles = draw.normal(SCALE, AXES), draw.normal(MISALIGNMENT, 18)
            errors = angles.reshape(-1, 2, 3, 3) * np.array([pair[1] for pair in self._spreads])[:, None, None]
            diagonal = np.arange(3)
            slopes = np.array([pair[0] for pair in self._spreads])[:, None]
            errors[:, :, diagonal, diagonal] = 1.0 + slopes * scales.reshape(-1, 2, 3)
            self._matrix[rows] = np.array(self._units)[:, None, None] * errors @ sensor.R_bs.T
        for i, start in enumerate(self._starts):
            self._drift[rows, i] = start * draw.normal(START + i, 3) if start > 0.0 else 0.0

    def has_advanced(self, time_s: Array) -> Mask:
        """Return which vehicles are later than at their last sample, or have none: a mean needs a duration."""
        return ~(time_s <= self._last_s)

    def read(self, now: Instant, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """Return means since the last sample; no reading of vehicles without one."""
        del scene
        out, begun = np.empty((len(rows), AXES)), np.empty(len(rows), np.bool_)
        samples(
            self._place, self._matrix, self._offset, self._figures, self._processes, self._drift, self._last_s,
            self._last, rows, now.motion, self.draw.normal(NOISE, self._numbers), out, begun,
        )  # fmt: skip
        return out, begun

    def biased(self, values: Array, size: float) -> Array:
        """A bias fault shifts the gyros, deg/s."""
        return values + np.repeat((0.0, size), 3)


@law
def samples(place, matrix, offset, figures, processes, drift, last_s, last, rows, motion, numbers, out, begun):
    """Write the mean specific force and turn rate since the last sample of each vehicle, with errors.

    Args:
        place: position of the IMU, body axes, and gravity.
        matrix: (n, 2, 3, 3) body axes and SI to the axes of the IMU and the units of the columns.
        offset: (n, 6) turn-on biases.
        figures: (3, 6) noise density, limit and resolution of each axis.
        processes: (4, 2) walk per square root of a second and memory of each drift.
        drift: (n, 4, 3) the drifts, updated in place.
        last_s: (n,) time of the last sample, NaN before the first; updated in place, as is
        last: (n, 9) velocity of the IMU, turn rate and direction down at that time.
        rows: (m,) the vehicle of each row below; a vehicle may occur several times.
        motion: (m, COLUMNS) rows of an `Instant`.
        numbers: (m, 6 or 18) normal numbers: noise, then four drifts of three axes.
        out: (m, 6) output.
        begun: (m,) output: whether there was a sample before.
    """
    for i in range(len(rows)):
        k, time_s = rows[i], motion[i, TIME]
        begun[i] = time_s > last_s[k]
        dt = time_s - last_s[k] if begun[i] else 1.0
        end, before = motion[i], last[k]
        u, v, w = velocity_b(end, place)
        p, q, r = end[NU + 3], end[NU + 4], end[NU + 5]
        down, g = rotation(end)[2], place[3]
        u0, v0, w0, p0, q0, r0 = before[0], before[1], before[2], before[3], before[4], before[5]
        x = (u - u0) / dt + 0.5 * (q0 * w0 - r0 * v0 + q * w - r * v - g * (before[6] + down[0]))
        y = (v - v0) / dt + 0.5 * (r0 * u0 - p0 * w0 + r * u - p * w - g * (before[7] + down[1]))
        z = (w - w0) / dt + 0.5 * (p0 * v0 - q0 * u0 + p * v - q * u - g * (before[8] + down[2]))
        a, b, c = 0.5 * (p0 + p), 0.5 * (q0 + q), 0.5 * (r0 + r)
        before[0], before[1], before[2], before[3], before[4], before[5] = u, v, w, p, q, r
        before[6], before[7], before[8] = down[0], down[1], down[2]
        last_s[k] = time_s
        if begun[i] and numbers.shape[1] > AXES:
            for process in range(DRIFTS):
                if processes[process, 0] > 0.0:
                    keep, spread = walk_step(processes[process, 0], processes[process, 1], dt)
                    for axis in range(3):
                        drawn = numbers[i, AXES + 3 * process + axis]
                        drift[k, process, axis] = keep * drift[k, process, axis] + spread * drawn
        for axis in range(3):
            for triad in range(2):
                j, m = 3 * triad + axis, matrix[k, triad, axis]
                true = m[0] * x + m[1] * y + m[2] * z if triad == 0 else m[0] * a + m[1] * b + m[2] * c
                error = offset[k, j] + drift[k, triad, axis] + drift[k, 2 + triad, axis]
                value = true + error + figures[0, j] / math.sqrt(dt) * numbers[i, j]
                # in this order: a limit need not be a multiple of the resolution
                out[i, j] = rounded(clip(value, -figures[1, j], figures[1, j]), figures[2, j])
