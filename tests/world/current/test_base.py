"""Common parts of all currents: directions, tables of rows, error messages."""

import numpy as np
import pytest

from pelagos.errors import ScenarioError
from pelagos.world.current.base import Current, table, towards
from pelagos.world.current.kinds import KINDS, Uniform


def test_directions_are_clockwise_from_north():
    for to, expected in ((0.0, [1, 0, 0]), (90.0, [0, 1, 0]), (180.0, [-1, 0, 0]), (-90.0, [0, -1, 0])):
        np.testing.assert_allclose(towards(to), expected, atol=1e-15)


def test_a_current_that_says_nothing_adds_nothing():
    nothing = Current()
    assert not nothing.harmonics()
    assert nothing.knots() is None
    assert nothing.samples(10.0) is None
    assert nothing.grid(10.0) is None


def test_a_table_is_an_array_whose_first_column_ascends():
    np.testing.assert_array_equal(table("rows", [[0, 1], [2, 3]], ("a", "b")), [[0.0, 1.0], [2.0, 3.0]])


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [[0.0, 1.0], [0.0, 2.0]],
        [[1.0, 1.0], [0.0, 2.0]],
        [[0.0, 1.0, 2.0]],
        [[0.0, 1.0], [1.0]],
        [[0.0, float("nan")]],
        [["a", "b"]],
        [0.0, 1.0],
        3.0,
        None,
    ],
)
def test_rows_that_are_no_table_are_refused(rows):
    with pytest.raises(ScenarioError, match=r"current: rows = .*: expected at least 1 rows of a, b, finite numbers"):
        table("rows", rows, ("a", "b"))


def test_the_kind_is_that_of_the_class():
    assert {name: kind.__dataclass_fields__["kind"].default for name, kind in KINDS.items()} == {k: k for k in KINDS}
    with pytest.raises(ScenarioError, match=r'current: kind = .*: expected "uniform" for Uniform'):
        Uniform(kind="tidal")


@pytest.mark.parametrize("value", ["fast", None, True, float("inf"), np.ones(3)])
def test_numbers_are_numbers(value):
    with pytest.raises(ScenarioError, match=r"current: speed_m_s = .*: expected a finite number"):
        Uniform(speed_m_s=value)
