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
from dataclasses import dataclass
from typing import ClassVar

from pelagos.sensors.base import Sensor

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
