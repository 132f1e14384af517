"""What the filter believes of its IMU: noise, lasting errors as error states, and how it coasts without one."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pelagos.estimation.spec import Navigation
from pelagos.estimation.states import States
from pelagos.sensors.imu import Imu
from pelagos.units import GRAVITY

Array = NDArray[np.float64]
LEAST_ACCEL, LEAST_GYRO = 1e-4, 1e-6  # m/s2/sqrt(Hz), rad/s/sqrt(Hz): what the mechanisation itself is good for
HOUR, ROOT_HOUR = 3600.0, 60.0


@dataclass(frozen=True)
class Inertial:
    """`settings` and `axes` of `strapdown.advance`; `turn`, from the IMU's axes to those of the body."""

    settings: Array
    axes: NDArray[np.int64]
    turn: Array

    def spread(self, P: Array) -> None:
        """Turn the first covariance of slopes and axes, which are independent in the IMU's own axes, to the body's.

        N_b = R N R^T, so its nine numbers row by row are (R x R) times those of N, x the Kronecker product.
        """
        both = np.kron(self.turn, self.turn)
        for first in self.axes:
            if first >= 0:
                nine = slice(first, first + 9)
                P[nine, nine] = both @ P[nine, nine] @ both.T


def inertial_of(chosen: Navigation, imu: Imu | None, states: States, gravity_m_s2: float) -> Inertial:
    """Noise of the IMU; its lasting errors go to `states`.

    Biases of gyros are 9:12, of accelerometers 12:15. Where the description has errors of slope or axes, nine states a
    triad follow the last state. Readings are y = (I + E) x + b, the filter's matrix is N = (I + E)^-1 - I: its standard
    deviations are those of E but for E^2, some 1e-5 for the IMUs of small vehicles.
    """
    accel, gyro, axes = LEAST_ACCEL, LEAST_GYRO, [-1, -1]
    if imu is not None:
        accel, gyro = max(imu.accel_noise, LEAST_ACCEL), max(imu.gyro_noise, LEAST_GYRO)
        states.put(
            9, (imu.gyro_turn_on,) * 3, wander=imu.gyro_wander, memory_s=imu.gyro_bias_memory_s,
            walk=math.radians(imu.gyro_walk_deg_h_sqrt_h) / HOUR / ROOT_HOUR,
        )  # fmt: skip
        states.put(
            12, (imu.accel_turn_on,) * 3, wander=imu.accel_wander, memory_s=imu.accel_bias_memory_s,
            walk=imu.accel_walk_ug_sqrt_h * 1e-6 * GRAVITY / ROOT_HOUR,
        )  # fmt: skip
        triads = (
            ("gyro axes", imu.gyro_scale_ppm, imu.gyro_misalignment_mrad),
            ("accel axes", imu.accel_scale_ppm, imu.accel_misalignment_mrad),
        )
        for i, (name, slope_ppm, axes_mrad) in enumerate(triads):
            slope, cross = 1e-6 * slope_ppm, 1e-3 * axes_mrad
            axes[i] = states.add(name, 9, [slope if k % 4 == 0 else cross for k in range(9)])
    more = chosen.inertial_noise**2
    coast = chosen.coast_m_s_sqrt_s**2, math.radians(chosen.coast_deg_sqrt_s) ** 2
    settings = np.array([gravity_m_s2, more * accel**2, more * gyro**2, *coast])
    return Inertial(settings, np.array(axes), imu.R_bs if imu is not None else np.eye(3))
