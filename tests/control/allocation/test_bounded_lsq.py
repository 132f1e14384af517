"""The active-set method against the conditions of optimality and against scipy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import lsq_linear, nnls

from pelagos.control.allocation.bounded_lsq import bounded_least_squares


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
