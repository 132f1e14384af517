"""The figures of an IMU as the filter takes them."""

import math

import pytest

from pelagos.estimation.inertial import LEAST_ACCEL, LEAST_GYRO, TILT_S, TURN_S, inertial_settings
from pelagos.estimation.spec import Navigation
from pelagos.estimation.states import States
from pelagos.sensors.imu import Imu

G = 9.80665


def test_random_walks_of_a_data_sheet_become_densities():
    # 0.06 m/s/sqrt(h) is 1e-3 m/s2/sqrt(Hz), 0.6 deg/sqrt(h) is 0.01 deg/s/sqrt(Hz)
    imu = Imu(accel_random_walk_m_s_sqrt_h=0.06, gyro_random_walk_deg_sqrt_h=0.6, gyro_scale_ppm=1000.0)
    settings = inertial_settings(Navigation(), imu, States(), G)
    assert settings[0] == G
    assert settings[1:3] == pytest.approx([1e-6, math.radians(0.01) ** 2])
    assert settings[5] == pytest.approx(TURN_S * 1e-6)


def test_gravity_through_crossed_axes_is_a_bias_of_the_level_accelerometers():
    states = States()
    imu = Imu(accel_bias_ug=1000.0, accel_misalignment_mrad=2.0, accel_scale_ppm=3000.0, gyro_bias_deg_h=36.0)
    settings = inertial_settings(Navigation(), imu, states, G)
    sigma = states.arrays()[0]
    assert sigma[12:15] / G == pytest.approx([math.hypot(1e-3, 2e-3)] * 2 + [math.hypot(1e-3, 3e-3)])
    assert sigma[9] == pytest.approx(math.radians(0.01))
    assert settings[6] == pytest.approx(TILT_S * (2e-3**2 + 3e-3**2))


def test_no_imu_is_perfect_and_none_is_needed():
    for imu in (Imu(), None):
        settings = inertial_settings(Navigation(coast_m_s_sqrt_s=0.2), imu, States(), G)
        assert settings[1:4] == pytest.approx([LEAST_ACCEL**2, LEAST_GYRO**2, 0.04])
