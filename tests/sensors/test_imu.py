"""IMU: specific force and turn rate in closed form, noise and drift by Allan deviation, each error by statistics."""

import math

import numpy as np
import pytest

from pelagos.errors import ScenarioError
from pelagos.sensors.base import VehicleContext
from pelagos.sensors.imu import Imu
from pelagos.sensors.instruments.instant import Instant
from pelagos.sensors.random import Noise
from tests.sensors.still import NOTHING, circling, instant, instants, readings

G = 9.80665
FIT = VehicleContext(gravity_m_s2=G)


def rows(sensor, track, seed=1, fit=FIT, per_call=5):
    return readings(sensor, fit, seed, track, per_call)[1]


def overlapping_allan(rate, tau0, m):
    """Allan deviation at tau = m tau0 of rate samples, all overlapping clusters (IEEE Std 952, annex C)."""
    angle = np.concatenate([[0.0], np.cumsum(rate)]) * tau0
    second = angle[2 * m :] - 2.0 * angle[m:-m] + angle[: -2 * m]
    return math.sqrt(float((second**2).mean()) / (2.0 * (m * tau0) ** 2))


def at_rest(sensor, count, seed):
    """Samples of an instrument that lies still."""
    times = np.arange(count + 1) / sensor.rate_hz
    still = Instant(times, np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(6))
    values, begun = sensor.make(FIT, Noise(seed)).measure(still, NOTHING, np.zeros(count + 1, np.intp))
    return values[begun]


@pytest.fixture(scope="module")
def long_rest():
    """55 hours at rest, 5 Hz, through the instrument itself: (sensor, samples)."""
    sensor = Imu(
        rate_hz=5.0,
        accel_random_walk_m_s_sqrt_h=0.06, accel_bias_instability_ug=100.0, accel_bias_memory_s=100.0,
        gyro_random_walk_deg_sqrt_h=0.3, gyro_bias_instability_deg_h=5.0, gyro_bias_memory_s=100.0,
    )  # fmt: skip
    return sensor, at_rest(sensor, 1_000_000, seed=7)


@pytest.mark.slow
def test_white_noise_has_the_allan_deviation_of_the_data_sheet(long_rest):
    _, samples = long_rest
    # at 1 s the drift is far below the noise: 0.06 m/s/sqrt(h) over 60, 0.3 deg/sqrt(h) over 60, known to 0.1 %
    for axis in range(3):
        assert overlapping_allan(samples[:, axis], 0.2, 5) == pytest.approx(0.06 / 60.0, rel=0.02)
        assert overlapping_allan(samples[:, 3 + axis], 0.2, 5) == pytest.approx(0.3 / 60.0, rel=0.02)


@pytest.mark.slow
def test_the_allan_curve_has_the_bias_instability_at_its_top(long_rest):
    _, samples = long_rest
    tau = 189.0
    m = round(tau / 0.2)
    for first, floor, white in ((0, 100e-6 * G, 0.06 / 60.0), (3, 5.0 / 3600.0, 0.3 / 60.0)):
        square = np.mean([overlapping_allan(samples[:, first + axis], 0.2, m) ** 2 for axis in range(3)])
        # independent sources add in squares. 3 axes of 2e5 s hold 3000 clusters of 189 s: the deviation is known to 2 %
        assert math.sqrt(square - white**2 / tau) == pytest.approx(floor, rel=0.1)


@pytest.mark.slow
def test_the_allan_curve_follows_gauss_and_markov_over_three_decades(long_rest):
    _, samples = long_rest
    sigma, T, white = 5.0 / 3600.0 / 0.6176, 100.0, 0.3 / 60.0
    for tau in (10.0, 30.0, 100.0, 400.0, 1000.0):
        x = tau / T
        drift = 2.0 * sigma**2 / x * (1.0 - (3.0 - 4.0 * math.exp(-x) + math.exp(-2.0 * x)) / (2.0 * x))
        square = np.mean([overlapping_allan(samples[:, 3 + axis], 0.2, round(tau / 0.2)) ** 2 for axis in range(3)])
        # 600 clusters of 1000 s: 3 %; three of these
        assert math.sqrt(square) == pytest.approx(math.sqrt(drift + white**2 / tau), rel=0.1)


def test_rate_random_walk_grows_as_the_root_of_a_third():
    sensor = Imu(rate_hz=1.0, gyro_walk_deg_h_sqrt_h=20.0, accel_walk_ug_sqrt_h=500.0)
    samples = at_rest(sensor, 100_000, seed=3)
    tau = 300.0
    for first, size in ((0, 500e-6 * G / 60.0), (3, 20.0 / 3600.0 / 60.0)):
        square = np.mean([overlapping_allan(samples[:, first + axis], 1.0, 300) ** 2 for axis in range(3)])
        # K sqrt(tau / 3); 3 axes of 1e5 s hold 1000 clusters of 300 s: 2.5 %
        assert math.sqrt(square) == pytest.approx(size * math.sqrt(tau / 3.0), rel=0.1)


def test_at_rest_it_feels_the_table_push_up():
    level = rows(Imu(), instants(5, 0.02))
    assert level == pytest.approx(np.tile([0.0, 0.0, -G, 0.0, 0.0, 0.0], (4, 1)), abs=1e-12)
    tilted = rows(Imu(), instants(5, 0.02, euler_deg=(30.0, 20.0, 70.0)))[0, :3]
    # -g in body axes: g (sin theta, -cos theta sin phi, -cos theta cos phi)
    th, ph = math.radians(20.0), math.radians(30.0)
    expected = [G * math.sin(th), -G * math.cos(th) * math.sin(ph), -G * math.cos(th) * math.cos(ph)]
    assert tilted == pytest.approx(expected, rel=1e-12)


def test_a_falling_body_feels_nothing():
    track = [instant(0.02 * i, nu=(0.0, 0.0, G * 0.02 * i, 0.0, 0.0, 0.0)) for i in range(6)]
    assert rows(Imu(), track)[:, :3] == pytest.approx(np.zeros((5, 3)), abs=1e-12)


def test_a_steady_turn_at_a_lever_arm():
    speed, rate, arm = 2.0, 0.4, (1.5, 0.5, -0.3)
    track = [circling(0.05 * i, speed, rate) for i in range(8)]
    samples = rows(Imu(rate_hz=20.0, position_m=arm), track)
    # the origin turns at (0, speed rate); a point at (x, y) adds -rate^2 (x, y)
    expected = [-(rate**2) * arm[0], speed * rate - rate**2 * arm[1], -G, 0.0, 0.0, math.degrees(rate)]
    assert samples == pytest.approx(np.tile(expected, (7, 1)), abs=1e-12)


def test_a_sample_is_the_mean_and_adds_up_to_the_change_of_velocity():
    dt = 0.02
    speeds = [0.0, 0.1, 0.5, 0.4, 1.7]
    track = [instant(dt * i, nu=(u, 0.0, 0.0, 0.0, 0.0, 0.0)) for i, u in enumerate(speeds)]
    samples = rows(Imu(), track)
    assert samples[:, 0].sum() * dt == pytest.approx(1.7, rel=1e-12)  # whatever happened in between
    assert samples[:, 0] == pytest.approx(np.diff(speeds) / dt, rel=1e-12)


def test_its_own_axes():
    turned = rows(Imu(orientation_deg=(180.0, 0.0, 0.0)), instants(3, 0.02, nu=(0.0, 0.0, 0.0, 0.1, 0.2, 0.3)))[0]
    assert turned[3:] == pytest.approx(np.degrees([0.1, -0.2, -0.3]))
    assert turned[2] == pytest.approx(G)


def test_noise_does_not_depend_on_how_many_samples_come_in_a_call():
    noisy = Imu(accel_random_walk_m_s_sqrt_h=0.1, gyro_bias_instability_deg_h=3.0, gyro_bias_deg_h=10.0)
    track = instants(61, 0.02, first=0)
    singly, five = rows(noisy, track, per_call=1), rows(noisy, track, per_call=5)
    assert np.array_equal(singly, five)


def test_slower_samples_are_quieter_by_the_root_of_their_length():
    noisy = Imu(rate_hz=50.0, accel_random_walk_m_s_sqrt_h=0.6)
    for dt in (0.02, 0.08):
        samples = rows(noisy, instants(4001, dt), per_call=50)[:, 0]
        # 4000 samples: the deviation is known to 1.1 %
        assert samples.std() == pytest.approx(0.01 / math.sqrt(dt), rel=0.045)


def test_constant_errors_by_many_instruments():
    n = 800
    sensor = Imu(accel_bias_ug=1000.0, gyro_bias_deg_h=36.0, accel_scale_ppm=2000.0, gyro_misalignment_mrad=5.0)
    track = instants(2, 0.02, nu=(0.0, 0.0, 0.0, 0.0, 0.0, 1.0))
    samples = np.array([rows(sensor, track, seed)[0] for seed in range(n)])
    within = 4.0 / math.sqrt(2.0 * n)  # four standard errors of a deviation of n draws
    assert samples[:, 0].std() == pytest.approx(1e-3 * G, rel=within)  # x feels no gravity: bias alone
    assert samples[:, 2].std() == pytest.approx(math.hypot(1e-3 * G, 2e-3 * G), rel=within)
    assert samples[:, 5].std() == pytest.approx(0.01, rel=within)
    assert samples[:, 3].std() == pytest.approx(math.hypot(0.01, 0.005 * math.degrees(1.0)), rel=within)
    assert np.abs(samples.mean(axis=0) - [0, 0, -G, 0, 0, math.degrees(1.0)]).max() < 4.0 * 0.29 / math.sqrt(n)


def test_range_and_resolution():
    sensor = Imu(accel_range_m_s2=5.0, gyro_range_deg_s=20.0, gyro_resolution_deg_s=0.5)
    samples = rows(sensor, instants(3, 0.02, nu=(0.0, 0.0, 0.0, 0.1, -1.0, 0.0)))[0]
    assert samples[2] == -5.0
    assert samples[4] == -20.0
    assert samples[3] == 5.5  # 5.73 deg/s to the next half
    assert samples[0] == pytest.approx(0.0, abs=1e-12)


def test_figures_in_si_for_filters():
    sensor = Imu(accel_random_walk_m_s_sqrt_h=0.6, gyro_random_walk_deg_sqrt_h=0.6, gyro_bias_deg_h=3600.0)
    assert sensor.accel_noise == pytest.approx(0.01)
    assert sensor.gyro_noise == pytest.approx(math.radians(0.01))
    assert sensor.gyro_turn_on == pytest.approx(math.radians(1.0))


def test_columns_and_bad_keys():
    assert Imu().columns[0] == "accel_x_m_s2" and Imu().columns[5] == "gyro_z_deg_s"
    with pytest.raises(ScenarioError, match=r"gyro_bias_deg_h = -1: expected a number from 0"):
        Imu(gyro_bias_deg_h=-1)
    with pytest.raises(ScenarioError, match=r"accel_range_m_s2 = 0"):
        Imu(accel_range_m_s2=0)
