"""Bounded least squares: both implementations against scipy, the KKT conditions and cases solved by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import lsq_linear, nnls

from pelagos.control.allocation.bounded_lsq import bounded_minimum, descend, solve_deflections, solve_thrusts

NO_ROWS, NO_ROOM = np.zeros((0, 0)), np.zeros(0)


def bounded_least_squares(a, y, low, high, start, rows=NO_ROWS, room=NO_ROOM):
    """Minimise |a x - y|^2 within the limits."""
    return bounded_minimum(a.T @ a, a.T @ y, low, high, start, rows, room)


@given(st.integers(0, 10_000))
def test_bounded_least_squares_is_optimal(seed):
    """The answer meets the Karush-Kuhn-Tucker conditions: no free variable and no limit can lower the cost."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 9))
    a = np.vstack([rng.normal(size=(6, n)), 1e-3 * np.eye(n)])
    y = np.concatenate([10 * rng.normal(size=6), np.zeros(n)])
    low, high = -rng.uniform(0.0, 2.0, n), rng.uniform(0.1, 2.0, n)
    x = bounded_least_squares(a, y, low, high, np.linalg.pinv(a) @ y)
    slope = a.T @ (a @ x - y)
    tolerance = 1e-8 * np.abs(a.T @ y).max()  # rounding of a 9 x 9 solve
    assert np.all((x >= low) & (x <= high))
    assert np.all(np.abs(slope[(x > low) & (x < high)]) < tolerance)
    assert np.all(slope[x <= low] > -tolerance)
    assert np.all(slope[x >= high] < tolerance)


@pytest.mark.parametrize("seed", range(40))
def test_agrees_with_scipy(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 12))
    a = np.vstack([rng.normal(size=(6, n)), 1e-2 * np.eye(n)])
    y = np.concatenate([5 * rng.normal(size=6), np.zeros(n)])
    low, high = -rng.uniform(0.01, 2.0, n), rng.uniform(0.01, 2.0, n)
    x = bounded_least_squares(a, y, low, high, np.zeros(n))
    best = lsq_linear(a, y, (low, high), method="bvls", tol=1e-14)
    # The damping of 1e-2 makes the minimum unique with a condition of 1e5: ten digits of the cost are left.
    assert x == pytest.approx(best.x, abs=1e-7)


@pytest.mark.parametrize("seed", range(40))
def test_rows_are_kept_and_their_multipliers_have_the_right_sign(seed):
    """Karush-Kuhn-Tucker with rows: the slope is a non-negative mix of tight rows and of limits."""
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(2, 9)), int(rng.integers(1, 3))
    a = np.vstack([rng.normal(size=(6, n)), 1e-2 * np.eye(n)])
    y = np.concatenate([10 * rng.normal(size=6), np.zeros(n)])
    low, high = -rng.uniform(0.5, 2.0, n), rng.uniform(0.5, 2.0, n)
    rows, room = rng.uniform(0.0, 1.0, (m, n)), rng.uniform(0.1, 0.5, m)
    x = bounded_least_squares(a, y, low, high, np.zeros(n), rows, room)
    assert np.all(rows @ x <= room + 1e-9) and np.all((x >= low) & (x <= high))
    slope = a.T @ (a @ x - y)
    tight = rows @ x > room - 1e-9
    # -slope = rows' l + u - v with l, u, v >= 0 on what is tight: non-negative least squares finds them, or not.
    eye = np.eye(n)
    pushes = np.hstack([rows[tight].T, eye[:, x >= high - 1e-12], -eye[:, x <= low + 1e-12]])
    if pushes.shape[1] == 0:
        left = np.abs(slope).max()
    else:
        left = nnls(pushes, -slope)[1]
    assert left < 1e-7 * np.abs(a.T @ y).max()  # rounding of solves of condition 1e5


def test_a_row_of_held_variables_does_no_harm():
    x = bounded_least_squares(
        np.eye(2), np.array([5.0, 5.0]), np.zeros(2), np.ones(2), np.zeros(2), np.array([[1.0, 1.0]]), np.array([2.0])
    )
    assert x == pytest.approx([1.0, 1.0], abs=1e-12)


def minimum(normal, slope, low, high, start):
    n = len(start)
    x = start.copy()
    descend(normal, slope, low, high, x, np.empty(n), np.empty((n, n)), np.empty(n))  # as plain Python
    return x


@pytest.mark.parametrize("seed", range(6))
def test_the_minimum_is_one_and_is_that_of_the_active_set_method(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 9))
    a, y = rng.normal(size=(n + 3, n)), 3.0 * rng.normal(size=n + 3)
    low, high = -rng.uniform(0.1, 1.0, n), rng.uniform(0.1, 1.0, n)
    x = minimum(a.T @ a, a.T @ y, low, high, np.zeros(n))
    # well conditioned: what is left is rounding
    assert x == pytest.approx(bounded_least_squares(a, y, low, high, np.zeros(n)), abs=1e-11)
    fall = a.T @ (y - a @ x)  # Karush, Kuhn, Tucker: no way down but through a limit
    inside = (x > low) & (x < high)
    assert np.abs(fall[inside]) == pytest.approx(0.0, abs=1e-10)
    assert (fall[x == high] >= 0.0).all() and (fall[x == low] <= 0.0).all()


def test_a_start_outside_and_a_start_at_a_limit_lead_to_the_same_place():
    normal, slope = np.array([[2.0, 0.5], [0.5, 1.0]]), np.array([1.0, -0.2])
    low, high = np.array([-1.0, -0.3]), np.array([0.4, 1.0])
    solutions = [minimum(normal, slope, low, high, np.array(start)) for start in ((0.0, 0.0), (9.0, 9.0), (-1.0, -0.3))]
    # by hand: x0 is held at 0.4, x1 = -0.2 - 0.5 * 0.4 = -0.4 lies below its limit -0.3
    for x in solutions:
        assert x == pytest.approx([0.4, -0.3], abs=1e-14)


def test_thrusts_share_a_wrench_and_stop_at_their_limits():
    # two screws side by side: ahead is the sum, yaw the difference
    b = np.zeros((6, 2))
    b[0], b[5] = 1.0, (1.0, -1.0)
    weights = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 30.0])
    a = weights[:, None] * b
    normal = a.T @ a + 1e-8 * np.eye(2)
    inverse = np.linalg.pinv(a) * weights
    reach, limits = np.full(6, 20.0), np.array([[-10.0, -10.0], [10.0, 10.0]])
    x, work = np.empty(2), np.empty((5, 2))
    solve_thrusts(np.array([4.0, 0.0, 0.0, 0.0, 0.0, 2.0]), inverse, a, weights, reach, normal, limits, x, work)
    assert x == pytest.approx([3.0, 1.0], rel=1e-6)  # inside; the effort bends it by 1e-8
    solve_thrusts(np.array([16.0, 0.0, 0.0, 0.0, 0.0, 8.0]), inverse, a, weights, reach, normal, limits, x, work)
    assert x[0] == 10.0 and x[1] == pytest.approx(2.0, abs=0.01)  # the turn is kept, the way ahead is not


def test_a_share_beyond_what_an_axis_has_alone_bends_no_other():
    weighted = np.array([[0.0, 0.0], [1.0, 1.0], [1.0, -1.0]])
    weights, alone = np.array([0.0, 1.0, 1.0]), np.array([0.0, 2.0, 2.0])
    normal = weighted.T @ weighted + 1e-8 * np.eye(2)
    x, work = np.empty(2), np.empty((7, 2))
    solve_deflections(np.array([0.0, 50.0, 0.0]), weighted, weights, alone, normal, x, work)
    assert x == pytest.approx([1.0, 1.0], rel=1e-7)
    solve_deflections(np.array([0.0, 2.0, 1.0]), weighted, weights, alone, normal, x, work)
    assert x[0] == 1.0 and x[1] == pytest.approx(0.5, rel=1e-6)  # x1 minimises (x1 - 1)^2 + x1^2
