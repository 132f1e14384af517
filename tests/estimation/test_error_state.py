"""The filter in numbers: mechanisation against closed forms, every Jacobian against finite differences."""

import math

import numpy as np
import pytest

from pelagos.estimation import error_state as es
from pelagos.frames import euler_from_quaternion, quaternion_from_euler, quaternion_product, rotation_from_quaternion

G = 9.80665
N = 15 + 2 + 1 + 1 + 3 + 3 + 3  # current, compass, DVL scale, DVL bias, position bias, DVL turn
CURRENT, COMPASS, SCALE, BIAS, PLACE, TURN = 15, 17, 18, 19, 22, 25
NOISE_FREE = np.array([G, *[0.0] * 6])


def start(euler=(0.0, 0.0, 0.0), velocity=(0.0, 0.0, 0.0)):
    x = np.zeros(N + 4)
    x[3:6], x[6:10] = velocity, quaternion_from_euler(*euler)
    return x


def moved(x, d):
    """The row with an error added: what the truth is if the error state is d."""
    y = x.copy()
    y[:6] += d[:6]
    angle = np.linalg.norm(d[6:9])
    axis = d[6:9] / angle if angle > 0.0 else np.zeros(3)
    y[6:10] = quaternion_product(np.array([math.cos(angle / 2), *(math.sin(angle / 2) * axis)]), x[6:10])
    y[10:16] += d[9:15]
    y[19:] += d[15:]
    return y


def difference(a, b):
    """The error state that takes b to a."""
    d = np.zeros(N)
    d[:6], d[9:15], d[15:] = a[:6] - b[:6], a[10:16] - b[10:16], a[19:] - b[19:]
    turn = quaternion_product(a[6:10], b[6:10] * np.array([1.0, -1.0, -1.0, -1.0]))
    d[6:9] = 2.0 * turn[1:] * np.sign(turn[0])  # small
    return d


def rows_of(force, rate, seconds, n):
    times = np.linspace(0.0, seconds, n + 1)[1:]
    return np.column_stack([times, np.tile(force, (n, 1)), np.tile(rate, (n, 1))])


def run(x, rows, seconds, P=None, settings=NOISE_FREE, walk=None, rate=None, begin=0.0, hold=0.05):
    P = np.zeros((N, N)) if P is None else P
    walk, rate = (np.zeros(N) if a is None else a for a in (walk, rate))
    return es.advance(x, P, rows, len(rows), begin, seconds, hold, settings, walk, rate)


def some_state():
    x = start((0.2, -0.3, 2.5), (1.2, -0.7, 0.3))
    x[:3] = 3.0, -8.0, 12.0
    x[10:16] = 0.01, -0.02, 0.015, 0.05, 0.03, -0.04
    x[16:19] = 0.1, -0.05, 0.2
    x[19:] = 0.3, -0.2, 0.05, 0.02, 0.01, -0.02, 0.015, 1.0, -0.5, 0.4, 0.03, -0.02, 0.05
    return x


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
    settings = np.array([G, 0.0, 0.0, noise, 0.01, 0.0, 0.0])
    assert run(x, np.zeros((0, 7)), 2.0, P, settings)
    assert x[:3] == pytest.approx([2.0, 1.0, 0.0], abs=1e-12)
    assert P[3, 3] == pytest.approx(noise * 2.0)  # a walk of the velocity
    assert P[0, 0] == pytest.approx(noise * 2.0**3 / 3.0)  # and its integral


@pytest.mark.parametrize("column", range(15))
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
    assert got[:15] == pytest.approx(want[:15], abs=4e-4)


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
    P = np.diag([1e6] * 2 + [1e-4] + [1.0] * 3 + [0.1] * 3 + [1e-4] * 3 + [1e-2] * 3 + [0.1] * (N - 15))
    rng = np.random.default_rng(5)
    shaken = rng.normal((0, 0, -G), 0.5, (1000, 3)), rng.normal(0, 0.1, (1000, 3))
    rows = np.column_stack([np.linspace(0.02, 20.0, 1000), *shaken])
    settings, walk = np.array([G, 1e-6, 1e-8, 0.01, 1e-3, 1e-3, 1e-6]), np.full(N, 1e-8)
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


def test_a_gauss_markov_state_forgets_and_a_walk_does_not():
    x, P = some_state(), np.zeros((N, N))
    walk, rate = np.zeros(N), np.zeros(N)
    walk[COMPASS], rate[COMPASS], walk[SCALE] = 2.0e-4, 0.1, 3.0e-4
    run(x, rows_of((0, 0, -G), (0, 0, 0), 200.0, 2), 200.0, P, walk=walk, rate=rate)
    assert P[COMPASS, COMPASS] == pytest.approx(2.0e-4 / (2.0 * 0.1))  # steady state: walk^2 T / 2
    assert P[SCALE, SCALE] == pytest.approx(3.0e-4 * 200.0)
    assert x[COMPASS + 4] == pytest.approx(0.05 * math.exp(-20.0), abs=1e-15)
