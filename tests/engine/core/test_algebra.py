"""Vectors, tables and the small solver, as plain Python (the kernel tests run the compiled ones)."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pelagos.engine.core import algebra
from pelagos.engine.core.algebra import Vec3, Wrench

COMPILES = settings(deadline=None)  # the first call compiles: its time means nothing
NUMBERS = st.floats(-1e3, 1e3)
VECTORS = st.builds(Vec3, NUMBERS, NUMBERS, NUMBERS)


def plain(function):
    """The Python function under the compiled one (itself when the JIT is off)."""
    return getattr(function, "py_func", function)


cross, wrench_at, add = plain(algebra.cross), plain(algebra.wrench_at), plain(algebra.add)
matrix_row, least, largest = plain(algebra.matrix_row), plain(algebra.least), plain(algebra.largest)
clip, interpolate, solve_spd = plain(algebra.clip), plain(algebra.interpolate), plain(algebra.solve_spd)


@COMPILES
@given(VECTORS, VECTORS)
def test_cross_product(a, b):
    np.testing.assert_allclose(cross(a, b), np.cross(a, b), rtol=1e-15, atol=1e-9)  # rounding of products of 1e6


@COMPILES
@given(VECTORS, VECTORS)
def test_a_force_at_a_point_turns_about_the_origin(point, force):
    computed = wrench_at(point, force)
    assert computed[:3] == tuple(force)
    np.testing.assert_allclose(computed[3:], np.cross(point, force), rtol=1e-15, atol=1e-9)


def test_wrenches_add_component_by_component():
    assert add(Wrench(1, 2, 3, 4, 5, 6), Wrench(10, 20, 30, 40, 50, 60)) == Wrench(11, 22, 33, 44, 55, 66)


def test_row_of_a_matrix_times_a_vector():
    matrix, vector = np.arange(36.0), np.array([1.0, -2.0, 3.0, -4.0, 5.0, -6.0])
    for i in range(6):
        assert matrix_row(matrix, i, *vector) == matrix.reshape(6, 6)[i] @ vector


@COMPILES
@given(NUMBERS, NUMBERS)
def test_least_and_largest(a, b):
    assert least(a, b) == min(a, b)
    assert largest(a, b) == max(a, b)


@COMPILES
@given(NUMBERS, st.floats(0, 1e3))
def test_clip(x, limit):
    assert clip(x, limit) == max(-limit, min(limit, x))


def test_clip_lets_a_diverged_number_be_seen():
    assert np.isnan(clip(float("nan"), 1.0))


def table(points):
    """Points with slopes as pack writes them."""
    rows = []
    for i, (x, y) in enumerate(points):
        rise = i + 1 < len(points) and points[i + 1][0] > x
        rows.append(SimpleNamespace(x=x, y=y, slope=(points[i + 1][1] - y) / (points[i + 1][0] - x) if rise else 0.0))
    return rows


@COMPILES
@given(st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=1, max_size=8), st.floats(-80, 80))
def test_interpolation_is_numpys(points, x):
    points = sorted({a: (float(a), float(b)) for a, b in points}.values())
    expected = np.interp(x, [p[0] for p in points], [p[1] for p in points])
    assert interpolate(table(points), len(points), x) == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_a_table_may_jump():
    rows = table([(1.0, 2.0), (2.0, 4.0), (2.0, 1.0), (3.0, 0.0)])
    assert [interpolate(rows, 4, x) for x in (1.5, 2.0, 2.5, 9.0)] == [3.0, 1.0, 0.5, 0.0]
    assert interpolate(rows, 4, np.nextafter(2.0, 0.0)) == pytest.approx(4.0, abs=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_small_solver(seed):
    """Condition below 1e4 by construction, so 1e-11 leaves a margin over 1e4 * 2e-16."""
    rng = np.random.default_rng(seed)
    a = rng.normal(size=(6, 6))
    matrix, b = a @ a.T + 0.1 * np.eye(6), rng.normal(size=6)
    x = b.copy()
    solve_spd(matrix.ravel().copy(), x)
    np.testing.assert_allclose(matrix @ x, b, atol=1e-11 * np.abs(x).max())
