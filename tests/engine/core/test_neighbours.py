"""Eight neighbouring numbers of a table as one vector: loads from arrays and views, and sums."""

import numba
import numpy as np
import pytest

from pelagos.engine.compiled import OPTIONS
from pelagos.engine.core.neighbours import EIGHT, eight, sum_of_eight
from pelagos.engine.core.views import Layout, LayoutField, as_numbers, viewer

ROW = Layout("NeighbourRow", (LayoutField("first", "probe"), LayoutField("table", "probe", 3 * EIGHT)))
as_row = viewer(ROW)


@numba.njit(**OPTIONS)
def from_array(table, at):
    """Sum of eight numbers of an array."""
    return sum_of_eight(eight(table, at))


@numba.njit(**OPTIONS)
def from_numbers(table, at):
    """The same from bare numbers, sliced before."""
    return sum_of_eight(eight(as_numbers(table)[at:], 0))


@numba.njit(**OPTIONS)
def from_record(row, at):
    """The same from a field of a record."""
    return sum_of_eight(eight(as_row(row).table, at))


@numba.njit(**OPTIONS)
def scalar_product(a, b):
    """Along two tables, eight terms at a time."""
    total = eight(a, 0) * 0.0
    for i in range(0, len(a), EIGHT):
        total = total + eight(a, i) * eight(b, i)
    return sum_of_eight(total)


@pytest.mark.parametrize("at", range(17))
def test_eight_from_any_place(at):
    """Powers of two: every subset has its own sum, and sums of them are exact."""
    row = 2.0 ** np.arange(-1.0, 24.0)
    expected = 2.0**at * 255.0
    table = row[1:].copy()
    assert from_array(table, at) == from_numbers(table, at) == from_record(row, at) == expected


def test_a_sum_along_a_table():
    """Whole numbers: exact in any order."""
    a, b = np.arange(64.0), np.arange(64.0)[::-1].copy()
    assert scalar_product(a, b) == 62.0 * 63.0 * 64.0 / 6.0


def test_single_precision_and_columns_are_refused():
    """It loads eight doubles that follow each other and nothing else."""
    if isinstance(from_array, numba.core.dispatcher.Dispatcher):
        for table in (np.zeros(16, np.float32), np.zeros(32)[::2]):
            with pytest.raises(numba.core.errors.TypingError):
                from_array(table, 0)
    assert from_array(np.ones(8), 0) == 8.0
