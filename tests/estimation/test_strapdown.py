"""Strapdown filter: mechanisation against closed forms, transition against finite differences, error states, IMU."""

import math

import numpy as np
import pytest

from pelagos.estimation.base import Navigation
from pelagos.estimation.strapdown import LEAST_ACCEL, LEAST_GYRO, States, make_inertial
from pelagos.frames import euler_from_quaternion, rotation_from_quaternion
from pelagos.sensors.imu import Imu
from tests.estimation.filter_row import (
    ACCEL_AXES,
    COMPASS,
    GYRO_AXES,
    SCALE,
    G,
    N,
    difference,
    moved,
    rows_of,
    run,
    some_state,
    start,
)


@pytest.mark.slow
def test_a_vehicle_at_rest_stays_where_it_is_whatever_its_attitude():
    euler = (0.4, -0.3, 2.0)
    x = start(euler)
    R = rotation_from_quaternion(x[6:10])
    assert not run(x, rows_of(R.T @ (0.0, 0.0, -G), (0.0, 0.0, 0.0), 10.0, 500), 10.0)
    assert np.abs(x[:6]).max() < 1e-12  # m, m/s: rounding of 500 sums of 0.2 m/s
    assert euler_from_quaternion(x[6:10]) == pytest.approx(euler, abs=1e-14)


def test_a_steady_turn_is_a_circle():
    # speed U, turn rate r: radius U / r; the specific force is the centripetal one, to starboard
    U, r, seconds = 1.5, 0.1, 2.0 * math.pi / 0.1
    x = start(velocity=(U, 0.0, 0.0))
    run(x, rows_of((0.0, U * r, -G), (0.0, 0.0, r), seconds / 4.0, 2000), seconds / 4.0)
    # m: the force is turned by the middle of each step, wrong by (r dt)^2 / 24 = 2.6e-8 of itself
    assert x[:2] == pytest.approx([U / r, U / r], abs=1e-5)
    assert x[3:5] == pytest.approx([0.0, U], abs=1e-6)


def test_a_pure_rotation_about_any_axis_is_exact_in_one_step():
    turn = np.array([0.7, -0.4, 1.1])
    x = start()
    run(x, rows_of((0.0, 0.0, -G), turn, 1.0, 1), 1.0)
    half = np.linalg.norm(turn) / 2.0
    exact = np.array([math.cos(half), *(math.sin(half) * turn / np.linalg.norm(turn))])
    assert x[6:10] == pytest.approx(exact, abs=1e-14)


def test_a_row_is_used_up_to_the_moment_asked_for_and_no_further():
    rows = rows_of((1.0, 0.0, -G), (0.0, 0.0, 0.0), 0.1, 5)
    whole, parts = start(), start()
    run(whole, rows, 0.1)
    for a, b in ((0.0, 0.013), (0.013, 0.05), (0.05, 0.1)):
        run(parts, rows, b, begin=a)
    assert parts == pytest.approx(whole, abs=1e-14)
    assert whole[0] == pytest.approx(0.5 * 0.1**2, abs=1e-15)  # m: a t^2 / 2


def test_without_rows_the_vehicle_coasts_and_grows_unsure():
    x = start((0.1, 0.2, 0.3), (1.0, 0.5, 0.0))
    P = np.zeros((N, N))
    noise = 0.04
    settings = np.array([G, 0.0, 0.0, noise, 0.01])
    assert run(x, np.zeros((0, 7)), 2.0, P, settings)
    assert x[:3] == pytest.approx([2.0, 1.0, 0.0], abs=1e-12)
    assert P[3, 3] == pytest.approx(noise * 2.0)  # a walk of the velocity
    assert P[0, 0] == pytest.approx(noise * 2.0**3 / 3.0)  # and its integral


@pytest.mark.parametrize("column", [*range(15), *range(GYRO_AXES, N)])
def test_the_transition_is_that_of_the_mechanisation(column):
    x = some_state()
    rows = np.column_stack(
        [
            np.linspace(0.02, 0.1, 5),
            np.random.default_rng(1).normal((0.3, 0.2, -9.7), 0.3, (5, 3)),
            np.random.default_rng(2).normal((0.1, -0.1, 0.2), 0.1, (5, 3)),
        ]
    )
    step = 1e-6
    d = np.zeros(N)
    d[column] = step
    # P of rank one, d d^T, comes out as (Phi d)(Phi d)^T
    P = np.outer(d, d) / step**2
    base, other = x.copy(), moved(x, d)
    run(base, rows, 0.1, P)
    run(other, rows, 0.1)
    want = difference(other, base) / step
    sign = np.sign(want[np.argmax(np.abs(want))])
    largest = np.argmax(np.abs(want))
    got = P[:, largest] / math.sqrt(P[largest, largest]) * sign
    # second order in the interval: 0.1 s of 0.3 rad/s and 9.8 m/s2 leave up to (0.03 rad) 9.8 m/s2 (0.1 s)^2 / 12
    # an axis of the gyros sees the mean rate only: 0.1 rad/s more or less in each fifth shift the mean tilt of the
    # interval by 0.1 rad/s 0.1 s / sqrt(60), which g turns to so much velocity in 0.1 s
    allowed = 0.01 / math.sqrt(60.0) * G * 0.1 if GYRO_AXES <= column < ACCEL_AXES else 4e-4
    assert got[:15] == pytest.approx(want[:15], abs=allowed)


def test_a_gauss_markov_state_forgets_and_a_walk_does_not():
    x, P = some_state(), np.zeros((N, N))
    walk, rate = np.zeros(N), np.zeros(N)
    walk[COMPASS], rate[COMPASS], walk[SCALE] = 2.0e-4, 0.1, 3.0e-4
    run(x, rows_of((0, 0, -G), (0, 0, 0), 200.0, 2), 200.0, P, walk=walk, rate=rate)
    assert P[COMPASS, COMPASS] == pytest.approx(2.0e-4 / (2.0 * 0.1))  # steady state: walk^2 T / 2
    assert P[SCALE, SCALE] == pytest.approx(3.0e-4 * 200.0)
    assert x[COMPASS + 4] == pytest.approx(0.05 * math.exp(-20.0), abs=1e-15)


def test_known_slopes_and_axes_are_taken_out_of_the_readings():
    # y = (I + E) x + b: with N = (I + E)^-1 - I the vehicle at rest stays where it is, however crooked the IMU
    rng = np.random.default_rng(6)
    crooked = [np.eye(3) + rng.normal(0.0, 0.02, (3, 3)) for _ in range(2)]
    x, rate = start((0.3, -0.2, 1.0)), np.array([0.0, 0.0, 0.1])
    force = rotation_from_quaternion(x[6:10]).T @ (0.0, 0.0, -G)
    for first, matrix in zip((GYRO_AXES, ACCEL_AXES), crooked, strict=True):
        x[first + 4 : first + 13] = (np.linalg.inv(matrix) - np.eye(3)).ravel()
    x[10:16] = rng.normal(0.0, 0.01, 6)
    straight = start((0.3, -0.2, 1.0))
    run(straight, rows_of(force, rate, 2.0, 100), 2.0)
    run(x, rows_of(crooked[1] @ force + x[13:16], crooked[0] @ rate + x[10:13], 2.0, 100), 2.0)
    assert x[:10] == pytest.approx(straight[:10], abs=1e-12)
    assert x[16:19] - x[10:13] == pytest.approx(rate, abs=1e-15)


def test_an_error_of_axes_is_a_bias_that_turns_with_the_vehicle():
    # roll held at phi: the y accelerometer leans by e about x and sees e g cos(phi) more, a push to starboard
    phi, e, seconds = 0.1, 1e-3, 0.5
    x, P = start((phi, 0.0, 0.0)), np.zeros((N, N))
    P[ACCEL_AXES + 5, ACCEL_AXES + 5] = e * e  # N_yz
    force = rotation_from_quaternion(x[6:10]).T @ (0.0, 0.0, -G)
    run(x, rows_of(force, (0.0, 0.0, 0.0), seconds, 25), seconds, P)
    push = e * G * math.cos(phi) * seconds
    assert math.sqrt(P[4, 4]) == pytest.approx(push * math.cos(phi), rel=1e-9)
    assert math.sqrt(P[5, 5]) == pytest.approx(push * math.sin(phi), rel=1e-9)
    assert P[4, ACCEL_AXES + 5] == pytest.approx(-push * math.cos(phi) * e, rel=1e-9)


def test_the_transition_keeps_the_covariance_that_full_matrices_give():
    # P -> Phi P Phi^T + Q: Phi column by column from covariances of rank one, then against the product of matrices
    rng = np.random.default_rng(8)
    x = some_state()
    rows = rows_of((0.3, -0.4, -9.6), (0.1, -0.2, 0.3), 0.1, 5)
    rate = np.zeros(N)
    rate[[9, COMPASS, SCALE]] = 0.5, 1.0, 2.0
    phi = np.diag(np.exp(-0.1 * rate))
    for i in range(N):
        P = np.zeros((N, N))
        P[i, i] = 1.0
        run(x.copy(), rows, 0.1, P, rate=rate)
        phi[:, i] = P[:, i] / phi[i, i]  # column i of Phi e e^T Phi^T, divided by the Phi_ii that is known
    root = rng.normal(0.0, 1.0, (N, N))
    P = root @ root.T
    want = phi @ P @ phi.T
    run(x.copy(), rows, 0.1, P, rate=rate)
    assert pytest.approx(want, abs=1e-9 * np.abs(want).max()) == P
    assert np.array_equal(P, P.T)


def test_there_are_fifteen_and_then_those_that_are_added():
    states = States()
    assert states.n == 15 and states.names[6] == "attitude x" and states.names[11] == "gyro bias z"
    assert states.add("current", 2, 0.3) == 15
    assert states.add("compass bias", 1, 0.0) == -1  # an instrument without this error needs no state
    assert states.add("compass bias", 1, 0.02) == 17
    assert states.names[15:] == ["current 0", "current 1", "compass bias"]


def test_a_wandering_error_is_gauss_markov_in_its_steady_state():
    states = States()
    states.add("gps", 2, 0.0, wander=2.0, memory_s=300.0)
    sigma, walk, rate = states.arrays()
    assert sigma[15:] == pytest.approx([2.0, 2.0])
    assert rate[15] == pytest.approx(1.0 / 300.0)
    assert walk[15] / (2.0 * rate[15]) == pytest.approx(4.0)  # variance that comes in over what is forgotten


def test_a_wander_on_a_constant_is_a_walk_that_never_forgets_the_constant():
    states = States()
    states.put(9, (3.0, 3.0, 4.0), wander=4.0, memory_s=100.0, walk=0.1)
    sigma, walk, rate = states.arrays()
    assert sigma[9:12] == pytest.approx([5.0, 5.0, math.hypot(4.0, 4.0)])
    assert walk[9] == pytest.approx(2.0 * 16.0 / 100.0 + 0.01)
    assert np.all(rate == 0.0)


def test_random_walks_of_a_data_sheet_become_densities():
    # 0.06 m/s/sqrt(h) is 1e-3 m/s2/sqrt(Hz), 0.6 deg/sqrt(h) is 0.01 deg/s/sqrt(Hz)
    imu = Imu(accel_random_walk_m_s_sqrt_h=0.06, gyro_random_walk_deg_sqrt_h=0.6)
    computed = make_inertial(Navigation(inertial_noise=2.0), imu, States(), G)
    assert computed.settings[0] == G
    assert computed.settings[1:3] == pytest.approx([4e-6, 4.0 * math.radians(0.01) ** 2])


def test_biases_slopes_and_axes_become_states():
    states = States()
    imu = Imu(accel_bias_ug=1000.0, accel_misalignment_mrad=2.0, accel_scale_ppm=3000.0, gyro_bias_deg_h=36.0)
    computed = make_inertial(Navigation(), imu, states, G)
    sigma = states.arrays()[0]
    assert sigma[12:15] == pytest.approx([1e-3 * G] * 3)
    assert sigma[9:12] == pytest.approx([math.radians(0.01)] * 3)
    assert computed.axes.tolist() == [-1, 15]  # gyros without such errors need no states
    assert sigma[15:] == pytest.approx([3e-3, 2e-3, 2e-3, 2e-3, 3e-3, 2e-3, 2e-3, 2e-3, 3e-3])


def test_an_imu_that_is_mounted_askew_has_its_slopes_along_its_own_axes():
    # 10 000 IMUs: E in their own axes, R E R^T in those of the body
    imu = Imu(gyro_scale_ppm=3000.0, gyro_misalignment_mrad=1.0, orientation_deg=(10.0, 40.0, 70.0))
    states = States()
    computed = make_inertial(Navigation(), imu, states, G)
    P = np.diag(states.arrays()[0] ** 2)
    computed.spread(P)
    E = np.random.default_rng(2).normal(0.0, np.where(np.eye(3), 3e-3, 1e-3), (10000, 3, 3))
    drawn = (imu.R_bs @ E @ imu.R_bs.T).reshape(-1, 9)
    # a covariance of 10 000 draws is known to 1.4 % of the largest variance, 9e-6; four of those
    assert P[15:, 15:] == pytest.approx(np.cov(drawn.T), abs=4 * 0.014 * 9e-6)


def test_no_imu_is_perfect_and_none_is_needed():
    for imu in (Imu(), None):
        computed = make_inertial(Navigation(coast_m_s_sqrt_s=0.2), imu, States(), G)
        assert computed.settings[1:4] == pytest.approx([LEAST_ACCEL**2, LEAST_GYRO**2, 0.04])
        assert computed.axes.tolist() == [-1, -1]
