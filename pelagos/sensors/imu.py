"""Inertial measurement unit: mean specific force and angular rate of each sample, with data-sheet errors.

    f_b = dv_b/dt + omega x v_b - R_bn g_n      v_b = v + omega x r, velocity over ground of the IMU
    y   = (I + S + E) R_sb x + b_0 + b(t) + N / sqrt(dt) n

At rest and level f_b = (0, 0, -g): the table pushes up. The mean over a sample takes dv_b exactly, as the difference
of the velocities at its ends, and the other two terms by the trapezoidal rule; a steady turn is exact. The earth does
not turn (conventions). S scale, E misalignment, b_0 turn-on bias, N noise density. b(t) is a first-order Gauss-Markov
process, whose Allan deviation is

    sigma_A^2(tau) = 2 s^2 T/tau [1 - T/(2 tau) (3 - 4 exp(-tau/T) + exp(-2 tau/T))],   largest 0.618 s at 1.89 T,

plus an optional random walk K: sigma_A = K sqrt(tau/3). A data sheet's bias instability B is the
lowest point of its Allan curve: s = B / 0.618 puts the top of the process there.

Reference: IEEE Std 952-1997, annexes B and C; El-Sheimy, Hou and Niu (2008), Analysis and modeling of inertial sensors
using Allan variance, IEEE Trans. Instrum. Meas. 57(1). Frames: the instrument's own axes. Units: m/s2, deg/s.
Limits: no sensitivity of the gyros to acceleration, no temperature, no filter of the maker's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from pelagos.sensors.base import Array, Instant, Instrument, Scene, Sensor, VehicleContext, walk_step

GRAVITY = 9.80665  # unit g of data sheets, not local gravity
HOUR = 3600.0  # s
PEAK = 0.6176  # largest Allan deviation of a Gauss-Markov process of standard deviation 1
BLOCK = 256  # samples whose normal numbers are drawn at once


@dataclass(frozen=True, kw_only=True)
class Imu(Sensor):
    """Inertial measurement unit of three accelerometers and three gyros; errors are standard deviations per axis."""

    kind: ClassVar[str] = "imu"

    rate_hz: float = 50.0
    accel_random_walk_m_s_sqrt_h: float = 0.0  # white noise, as velocity random walk
    gyro_random_walk_deg_sqrt_h: float = 0.0  # white noise, as angle random walk
    accel_bias_instability_ug: float = 0.0  # lowest point of the Allan deviation
    gyro_bias_instability_deg_h: float = 0.0
    accel_bias_memory_s: float = 300.0  # time constant of the bias instability
    gyro_bias_memory_s: float = 300.0
    accel_walk_ug_sqrt_h: float = 0.0  # random walk of the bias (acceleration random walk)
    gyro_walk_deg_h_sqrt_h: float = 0.0  # (rate random walk)
    accel_bias_ug: float = 0.0  # turn-on bias
    gyro_bias_deg_h: float = 0.0
    accel_scale_ppm: float = 0.0
    gyro_scale_ppm: float = 0.0
    accel_misalignment_mrad: float = 0.0  # of each axis against each other
    gyro_misalignment_mrad: float = 0.0
    accel_resolution_m_s2: float = 0.0
    gyro_resolution_deg_s: float = 0.0
    accel_range_m_s2: float = 1e6  # beyond it the reading stays at the limit
    gyro_range_deg_s: float = 1e6

    def __post_init__(self) -> None:
        super().__post_init__()
        for key in ("random_walk_m_s_sqrt_h", "bias_instability_ug", "walk_ug_sqrt_h", "bias_ug"):
            self.check(f"accel_{key}", 0.0, 1e9)
        for key in ("random_walk_deg_sqrt_h", "bias_instability_deg_h", "walk_deg_h_sqrt_h", "bias_deg_h"):
            self.check(f"gyro_{key}", 0.0, 1e9)
        for word in ("accel", "gyro"):
            self.check(f"{word}_scale_ppm", 0.0, 1e6)
            self.check(f"{word}_misalignment_mrad", 0.0, 500.0)
            self.check(f"{word}_bias_memory_s", 1e-3, 1e9)
        self.check_all(0.0, 1e6, "accel_resolution_m_s2", "gyro_resolution_deg_s")
        self.check_all(1e-9, 1e9, "accel_range_m_s2", "gyro_range_deg_s")

    @property
    def columns(self) -> tuple[str, ...]:
        """Specific force and angular rate along the axes of the IMU."""
        return (*(f"accel_{axis}_m_s2" for axis in "xyz"), *(f"gyro_{axis}_deg_s" for axis in "xyz"))

    @property
    def accel_noise(self) -> float:
        """Noise density of the accelerometers, m/s2/sqrt(Hz): m/s/sqrt(h) over sqrt(3600)."""
        return self.accel_random_walk_m_s_sqrt_h / math.sqrt(HOUR)

    @property
    def gyro_noise(self) -> float:
        """Noise density of the gyros, rad/s/sqrt(Hz)."""
        return math.radians(self.gyro_random_walk_deg_sqrt_h) / math.sqrt(HOUR)

    @property
    def accel_wander(self) -> float:
        """Standard deviation of the varying accelerometer bias, m/s2."""
        return self.accel_bias_instability_ug * 1e-6 * GRAVITY / PEAK

    @property
    def gyro_wander(self) -> float:
        """Standard deviation of the varying gyro bias, rad/s."""
        return math.radians(self.gyro_bias_instability_deg_h) / HOUR / PEAK

    @property
    def accel_turn_on(self) -> float:
        """Standard deviation of the turn-on bias of the accelerometers, m/s2."""
        return self.accel_bias_ug * 1e-6 * GRAVITY

    @property
    def gyro_turn_on(self) -> float:
        """Standard deviation of the turn-on bias of the gyros, rad/s."""
        return math.radians(self.gyro_bias_deg_h) / HOUR

    def make(self, rng: np.random.Generator, fit: VehicleContext) -> Instrument:
        """Build the IMU."""
        return _ImuInstrument(self, rng, fit.gravity_m_s2)


class _ImuInstrument(Instrument):
    """IMU with four drift processes of three axes each: bias instability, then random walk, of both triads."""

    fast = True

    def __init__(self, sensor: Imu, rng: np.random.Generator, gravity: float) -> None:
        self._gravity = gravity
        self._rng = rng
        degrees = 180.0 / math.pi
        self._matrix = np.zeros((6, 6))  # body axes, SI -> IMU axes, units of the columns
        triads = (
            (sensor.accel_scale_ppm, sensor.accel_misalignment_mrad),
            (sensor.gyro_scale_ppm, sensor.gyro_misalignment_mrad),
        )
        for i, (scale_ppm, misalignment_mrad) in enumerate(triads):
            turn = 1e-3 * misalignment_mrad * rng.standard_normal((3, 3))
            np.fill_diagonal(turn, 1.0 + 1e-6 * scale_ppm * rng.standard_normal(3))
            self._matrix[3 * i : 3 * i + 3, 3 * i : 3 * i + 3] = (degrees if i else 1.0) * turn @ sensor.R_bs.T
        self._offset = rng.standard_normal((2, 3))
        self._offset *= np.array([[sensor.accel_turn_on], [sensor.gyro_turn_on * degrees]])
        wanders = (sensor.accel_wander, sensor.gyro_wander * degrees)
        memories = (sensor.accel_bias_memory_s, sensor.gyro_bias_memory_s)
        walks = (
            sensor.accel_walk_ug_sqrt_h * 1e-6 * GRAVITY / math.sqrt(HOUR),
            sensor.gyro_walk_deg_h_sqrt_h / HOUR / math.sqrt(HOUR),
        )
        # (walk per sqrt(s), memory): a Gauss-Markov process of standard deviation s has walk s sqrt(2 / T)
        self._processes = (
            *((s * math.sqrt(2.0 / T), T) for s, T in zip(wanders, memories, strict=True)),
            *((walk, math.inf) for walk in walks),
        )
        self._drift = rng.standard_normal((4, 3)) * np.array([[wanders[0]], [wanders[1]], [0.0], [0.0]])
        self._density = np.array([[sensor.accel_noise], [sensor.gyro_noise * degrees]])  # (2, 1)
        self._limit = np.repeat((sensor.accel_range_m_s2, sensor.gyro_range_deg_s), 3)
        steps = np.repeat((sensor.accel_resolution_m_s2, sensor.gyro_resolution_deg_s), 3)
        self._step = steps if steps.any() else None
        self._stepped = np.where(steps > 0.0, steps, 1.0)
        self._normals, self._next = np.empty((0, 6, 3)), 0
        self._plans: dict[tuple[int, ...], tuple[Array, Array, Array]] = {}
        self._place = np.array(sensor.position_m)

    def measure_block(self, instants: Sequence[Instant], scene: Scene) -> Array:
        """Return one row for each sample: mean specific force, m/s2, and mean angular rate, deg/s, in IMU axes."""
        from pelagos.sensors.imu_block import imu_block  # not at the top: describing an IMU must not load Numba

        del scene
        n = len(instants) - 1
        ends, times = np.empty((n + 1, 10)), [now.time_s for now in instants]
        for row, now in zip(ends, instants, strict=True):
            row[:4], row[4:] = now.quaternion, now.nu
        dts = [later - sooner for sooner, later in pairwise(times)]
        keep, bring, noise = self._plan(tuple([round(dt * 1e9) for dt in dts]))
        value = np.empty((n, 6))
        imu_block(
            ends, np.array(dts), self._place, self._gravity, self._matrix, self._offset, self._drift, keep, bring,
            noise, self._draw(n), value,
        )  # fmt: skip
        value = np.minimum(np.maximum(value, -self._limit), self._limit)
        if self._step is None:
            return value
        return np.where(self._step > 0.0, np.round(value / self._stepped) * self._stepped, value)

    def biased(self, values: Array, size: float) -> Array:
        """A bias fault shifts the gyros, deg/s."""
        return values + np.repeat((0.0, size), 3)

    def _plan(self, ticks: tuple[int, ...]) -> tuple[Array, Array, Array]:
        """Decay and increments of each drift, and the noise, for a block of samples of these lengths, ns."""
        plan = self._plans.get(ticks)
        if plan is None:
            n = len(ticks)
            keep, bring = np.empty((4, n)), np.zeros((4, n, n))
            for i, (walk, memory_s) in enumerate(self._processes):
                left = 1.0
                for j, tick in enumerate(ticks):
                    stays, comes = walk_step(walk, memory_s, 1e-9 * tick)
                    left *= stays
                    keep[i, j] = left
                    bring[i, j] = stays * bring[i, j - 1] if j else 0.0
                    bring[i, j, j] = comes
            plan = keep, bring, self._density / np.sqrt(1e-9 * np.array(ticks))
            if len(self._plans) > 64:  # irregular steps would fill the memory; regular ones need a handful
                self._plans.clear()
            self._plans[ticks] = plan
        return plan

    def _draw(self, n: int) -> Array:
        if self._next + n > len(self._normals):
            rest = self._normals[self._next :]
            fresh = self._rng.standard_normal((max(BLOCK, n), 6, 3))
            self._normals, self._next = np.concatenate([rest, fresh]), 0
        self._next += n
        return self._normals[self._next - n : self._next]
