"""The figures of an IMU as the filter takes them."""

import math

import numpy as np
import pytest

from pelagos.estimation.base import Navigation
from pelagos.estimation.strapdown import LEAST_ACCEL, LEAST_GYRO, States, inertial_of
from pelagos.sensors.imu import Imu

G = 9.80665


def test_random_walks_of_a_data_sheet_become_densities():
    # 0.06 m/s/sqrt(h) is 1e-3 m/s2/sqrt(Hz), 0.6 deg/sqrt(h) is 0.01 deg/s/sqrt(Hz)
    imu = Imu(accel_random_walk_m_s_sqrt_h=0.06, gyro_random_walk_deg_sqrt_h=0.6)
    found = inertial_of(Navigation(inertial_noise=2.0), imu, States(), G)
    assert found.settings[0] == G
    assert found.settings[1:3] == pytest.approx([4e-6, 4.0 * math.radians(0.01) ** 2])


def test_biases_slopes_and_axes_become_states():
    states = States()
    imu = Imu(accel_bias_ug=1000.0, accel_misalignment_mrad=2.0, accel_scale_ppm=3000.0, gyro_bias_deg_h=36.0)
    found = inertial_of(Navigation(), imu, states, G)
    sigma = states.arrays()[0]
    assert sigma[12:15] == pytest.approx([1e-3 * G] * 3)
    assert sigma[9:12] == pytest.approx([math.radians(0.01)] * 3)
    assert found.axes.tolist() == [-1, 15]  # gyros without such errors need no states
    assert sigma[15:] == pytest.approx([3e-3, 2e-3, 2e-3, 2e-3, 3e-3, 2e-3, 2e-3, 2e-3, 3e-3])


def test_an_imu_that_is_mounted_askew_has_its_slopes_along_its_own_axes():
    # 10 000 IMUs: E in their own axes, R E R^T in those of the body
    imu = Imu(gyro_scale_ppm=3000.0, gyro_misalignment_mrad=1.0, orientation_deg=(10.0, 40.0, 70.0))
    states = States()
    found = inertial_of(Navigation(), imu, states, G)
    P = np.diag(states.arrays()[0] ** 2)
    found.spread(P)
    E = np.random.default_rng(2).normal(0.0, np.where(np.eye(3), 3e-3, 1e-3), (10000, 3, 3))
    drawn = (imu.R_bs @ E @ imu.R_bs.T).reshape(-1, 9)
    # a covariance of 10 000 draws is known to 1.4 % of the largest variance, 9e-6; four of those
    assert P[15:, 15:] == pytest.approx(np.cov(drawn.T), abs=4 * 0.014 * 9e-6)


def test_no_imu_is_perfect_and_none_is_needed():
    for imu in (Imu(), None):
        found = inertial_of(Navigation(coast_m_s_sqrt_s=0.2), imu, States(), G)
        assert found.settings[1:4] == pytest.approx([LEAST_ACCEL**2, LEAST_GYRO**2, 0.04])
        assert found.axes.tolist() == [-1, -1]
