"""What the filter believes of its IMU: noise, biases as error states, and how it coasts without one."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pelagos.estimation.spec import Navigation
from pelagos.estimation.states import States
from pelagos.sensors.imu import Imu
from pelagos.units import GRAVITY

LEAST_ACCEL, LEAST_GYRO = 1e-4, 1e-6  # m/s2/sqrt(Hz), rad/s/sqrt(Hz): what the mechanisation itself is good for
TURN_S, TILT_S = 10.0, 10.0  # errors of slope and axes count as noise that is new after so long: a manoeuvre
HOUR, ROOT_HOUR = 3600.0, 60.0


def inertial_settings(
    chosen: Navigation, imu: Imu | None, states: States, gravity_m_s2: float
) -> NDArray[np.float64]:  # fmt: skip
    """The `settings` of `error_state.advance`; the biases of gyros (9:12) and accelerometers (12:15) go to `states`.

    Gravity seen through crossed axes and a wrong slope is a bias as long as the vehicle stays about upright. What
    changes of it when the vehicle tilts, and what a turn adds to the gyros, counts as noise of density
    (slope error)^2 x (change of gravity)^2 x TILT_S and (slope error)^2 x (turn rate)^2 x TURN_S.
    """
    accel, gyro, turned, tilted = LEAST_ACCEL, LEAST_GYRO, 0.0, 0.0
    if imu is not None:
        more = chosen.inertial_noise
        accel = more * max(imu.accel_noise, LEAST_ACCEL)
        gyro = more * max(imu.gyro_noise, LEAST_GYRO)
        slope, axes = 1e-6 * imu.accel_scale_ppm, 1e-3 * imu.accel_misalignment_mrad
        tilted = more * math.hypot(slope, axes)
        turned = more * math.hypot(1e-6 * imu.gyro_scale_ppm, 1e-3 * imu.gyro_misalignment_mrad)
        level = math.hypot(imu.accel_turn_on, axes * gravity_m_s2)
        upright = math.hypot(imu.accel_turn_on, slope * gravity_m_s2)
        states.put(
            9, (imu.gyro_turn_on,) * 3, wander=imu.gyro_wander, memory_s=imu.gyro_bias_memory_s,
            walk=math.radians(imu.gyro_walk_deg_h_sqrt_h) / HOUR / ROOT_HOUR,
        )  # fmt: skip
        states.put(
            12, (level, level, upright), wander=imu.accel_wander, memory_s=imu.accel_bias_memory_s,
            walk=imu.accel_walk_ug_sqrt_h * 1e-6 * GRAVITY / ROOT_HOUR,
        )  # fmt: skip
    coast = chosen.coast_m_s_sqrt_s**2, math.radians(chosen.coast_deg_sqrt_s) ** 2
    return np.array([gravity_m_s2, accel**2, gyro**2, *coast, TURN_S * turned**2, TILT_S * tilted**2])
