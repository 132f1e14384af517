"""Kalman update: Jacobians against finite differences, the update against the textbook, chi-square against tables."""

import math

import numpy as np
import pytest

from pelagos.errors import CommandError
from pelagos.estimation import error_state as es
from pelagos.estimation.error_state import chi_square_point, chi_square_share, nees_bounds
from pelagos.frames import euler_from_quaternion, rotation_from_quaternion
from tests.estimation.filter_row import (
    BIAS,
    COMPASS,
    CURRENT,
    PLACE,
    SCALE,
    TURN,
    G,
    N,
    difference,
    moved,
    run,
    some_state,
    start,
)


def numerical(expected, x):
    """Central differences of a measurement function over the error state."""
    step, columns = 1e-6, []
    for i in range(N):
        d = np.zeros(N)
        d[i] = step
        columns.append((np.atleast_1d(expected(moved(x, d))) - np.atleast_1d(expected(moved(x, -d)))) / (2.0 * step))
    return np.array(columns).T


def textbook_update(x, P, H, residual, variance):
    """Kalman gain and Joseph form in matrices."""
    S = H @ P @ H.T + np.diag(variance)
    K = P @ H.T @ np.linalg.inv(S)
    keep = np.eye(N) - K @ H
    return K @ residual, keep @ P @ keep.T + K @ np.diag(variance) @ K.T, float(residual @ np.linalg.solve(S, residual))


LEVER = np.array([0.8, -0.2, 0.3])
BEACON = np.array([100.0, 40.0, 60.0])


def velocity(x, current=True):
    R = rotation_from_quaternion(x[6:10])
    v = x[3:6] - (np.array([*x[19:21], 0.0]) if current else 0.0)
    along = R.T @ v + np.cross(x[16:19] - x[10:13], LEVER)
    return (1.0 + x[SCALE + 4]) * (along - np.cross(x[TURN + 4 : TURN + 7], along)) + x[BIAS + 4 : BIAS + 7]


def place(x):
    return x[:3] + rotation_from_quaternion(x[6:10]) @ LEVER


def heading(x):
    c = rotation_from_quaternion(x[6:10]) @ LEVER
    psi = math.atan2(c[1], c[0])
    (B, C), (D, E) = x[BIAS + 4 : BIAS + 6], x[TURN + 4 : TURN + 6]
    iron = B * math.sin(psi) + C * math.cos(psi) + D * math.sin(2.0 * psi) + E * math.cos(2.0 * psi)
    return psi + iron + x[COMPASS + 4]


def measure(kind, m, *, current=-1, scale=-1, turn=-1, bias=-1):
    index = np.array([current, scale, turn, bias])
    return lambda x, P, z, s, gate=math.inf: es.fuse(
        x, P, kind, np.resize(z, 3), s, np.append(LEVER, BEACON), index, m, gate
    )


CASES = {
    "velocity over ground": (
        lambda x: velocity(x, current=False), measure(es.VELOCITY, 3, scale=SCALE, turn=TURN, bias=BIAS)
    ),
    "velocity through water": (
        velocity, measure(es.VELOCITY, 3, current=CURRENT, scale=SCALE, turn=TURN, bias=BIAS)
    ),
    "position": (lambda x: place(x) + x[PLACE + 4 : PLACE + 7], measure(es.POSITION, 3, bias=PLACE)),
    "position without depth": (lambda x: place(x)[:2], measure(es.POSITION, 2)),
    "depth": (
        lambda x: (1.0 + x[SCALE + 4]) * place(x)[2] + x[COMPASS + 4],
        measure(es.DEPTH, 1, scale=SCALE, bias=COMPASS),
    ),
    "heading": (heading, measure(es.HEADING, 1, current=BIAS, scale=TURN, bias=COMPASS)),
    "distance": (lambda x: np.linalg.norm(place(x) - BEACON), measure(es.RANGE, 1)),
    "level": (lambda x: rotation_from_quaternion(x[6:10])[2, :2], measure(es.LEVEL, 2)),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_measurement_does_what_the_textbook_does_with_a_numerical_jacobian(name):
    expected, fuse = CASES[name]
    x = some_state()
    rng = np.random.default_rng(3)
    root = rng.normal(0.0, 0.1, (N, N))
    P = root @ root.T
    m = len(np.atleast_1d(expected(x)))
    sigma = np.array([0.05, 0.06, 0.07])
    z = np.atleast_1d(expected(x)) + rng.normal(0.0, 0.02, m)
    variance = sigma[:m] ** 2
    if name == "distance":  # second order: half of what a place off by its sigma adds to the range
        variance = variance + (0.5 * np.trace(P[:3, :3]) / z[0]) ** 2
    d, P_after, nis = textbook_update(x, P, numerical(expected, x), z - expected(x), variance)
    y, Q = x.copy(), P.copy()
    got = fuse(y, Q, z, sigma)
    assert got == pytest.approx(nis, rel=1e-6)  # central differences: 1e-10 on numbers that S divides by 1e-3
    assert pytest.approx(P_after, abs=1e-7) == Q
    assert difference(y, x)[[*range(6), *range(9, N)]] == pytest.approx(d[[*range(6), *range(9, N)]], abs=1e-7)
    assert moved(x, d)[6:10] == pytest.approx(y[6:10], abs=1e-7)
    assert np.array_equal(Q, Q.T)


def test_a_reading_outside_the_gate_changes_nothing():
    x, P = some_state(), np.eye(N)
    before = x.copy()
    deep = place(x)[2] + 100.0
    nis = measure(es.DEPTH, 1)(x, P, deep, np.full(3, 0.1), 6.6)
    level = np.linalg.norm((place(x) - x[:3])[:2])
    assert nis == pytest.approx(-(100.0**2) / (1.0 + level**2 + 0.1**2))  # S = H H^T + R; the sign says refused
    assert np.array_equal(x, before) and np.array_equal(P, np.eye(N))


def test_a_heading_is_compared_the_short_way_round():
    x, P = start((0.0, 0.0, math.radians(359.0))), np.eye(N) * 1e-4
    index, ahead = np.full(4, -1), np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    es.fuse(x, P, es.HEADING, np.radians([1.0, 0.0, 0.0]), np.full(3, 1e-6), ahead, index, 1, math.inf)
    # a sure compass against an unsure gyro: its reading to within (1e-6 / 1e-2)^2 of the 2 deg
    assert math.degrees(euler_from_quaternion(x[6:10])[2]) == pytest.approx(1.0, abs=1e-6)


def test_the_covariance_stays_positive_through_sure_and_unsure_readings():
    x = some_state()
    P = np.diag([1e6] * 2 + [1e-4] + [1.0] * 3 + [0.1] * 3 + [1e-4] * 3 + [1e-2] * 3 + [0.1] * 13 + [1e-5] * 18)
    rng = np.random.default_rng(5)
    shaken = rng.normal((0, 0, -G), 0.5, (1000, 3)), rng.normal(0, 0.1, (1000, 3))
    rows = np.column_stack([np.linspace(0.02, 20.0, 1000), *shaken])
    settings, walk = np.array([G, 1e-6, 1e-8, 0.01, 1e-3]), np.full(N, 1e-8)
    for k in range(200):
        run(x, rows, 0.1 * (k + 1), P, settings, walk, begin=0.1 * k)
        measure(es.VELOCITY, 3, scale=SCALE, turn=TURN, bias=BIAS)(x, P, np.zeros(3), np.full(3, 1e-3))
        measure(es.DEPTH, 1)(x, P, 12.0, np.full(3, 1e-3))
        measure(es.HEADING, 1, bias=COMPASS)(x, P, 2.5, np.full(3, 0.02))
        if k == 100:
            measure(es.POSITION, 2)(x, P, np.zeros(3), np.full(3, 1e-2))
    assert np.array_equal(P, P.T)
    scale = 1.0 / np.sqrt(np.diag(P))
    assert np.linalg.eigvalsh(P * np.outer(scale, scale)).min() > 0.0


@pytest.mark.parametrize(
    ("share", "dof", "value"),
    # Abramowitz and Stegun, table 26.8
    [(0.95, 1, 3.84146), (0.99, 1, 6.63490), (0.95, 3, 7.81473), (0.999, 3, 16.2662), (0.05, 9, 3.32511),
     (0.95, 9, 16.9190), (0.975, 30, 46.9792), (0.025, 100, 74.2219), (0.975, 100, 129.561)],
)  # fmt: skip
def test_points_are_those_of_the_table(share, dof, value):
    assert chi_square_point(share, dof) == pytest.approx(value, rel=5e-6)  # digits of the table


@pytest.mark.parametrize("value", [0.01, 1.0, 7.3, 40.0])
def test_two_degrees_are_an_exponential(value):
    assert chi_square_share(value, 2) == pytest.approx(1.0 - math.exp(-value / 2.0), rel=1e-12)


def test_one_degree_is_an_error_function():
    assert chi_square_share(2.5, 1) == pytest.approx(math.erf(math.sqrt(1.25)), rel=1e-12)


def test_nothing_lies_below_zero_and_all_below_much():
    assert chi_square_share(0.0, 4) == 0.0
    assert chi_square_share(1e6, 4) == 1.0


def test_the_band_of_a_mean_is_that_of_the_book():
    # Bar-Shalom et al. (2001), example 5.4.2: 50 runs of a filter with two states, 95 %: 1.5 to 2.6
    assert nees_bounds(50, 2) == pytest.approx((1.5, 2.6), abs=0.05)  # digits of the book


def test_impossible_probabilities_are_refused():
    with pytest.raises(CommandError, match="number of runs is 0; expected a number of at least 1"):
        nees_bounds(0, 9)
    with pytest.raises(CommandError, match="share is 1; expected a number above 0 and below 1"):
        chi_square_point(1.0, 3)
