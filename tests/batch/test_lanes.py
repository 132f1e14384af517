"""Memory in lanes, written and read as one row per vehicle."""

from __future__ import annotations

import numpy as np
import pytest

from pelagos.batch.lanes import Lanes
from pelagos.engine.core import layout as lay


@pytest.mark.parametrize("n", [1, 7, 8, 17])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_rows_written_are_read_back(n, dtype):
    lanes = Lanes(lay.STATE, n, dtype)
    rows = np.arange(n * lay.STATE.size, dtype=float).reshape(n, -1)
    lanes.put_rows(rows)
    np.testing.assert_array_equal(lanes.rows(), rows)
    nu = lanes.fields("nu")
    out = np.zeros((n, 6), dtype)
    np.testing.assert_array_equal(lanes.get(nu, out), rows[:, nu])
    some = np.array([n - 1, 0])
    np.testing.assert_array_equal(lanes.rows(some), rows[some])
    lanes.put(nu, -rows[some][:, nu], some)
    np.testing.assert_array_equal(lanes.get(nu)[some], -rows[some][:, nu])


def test_the_rest_of_the_last_block_is_the_last_vehicle():
    lanes = Lanes(lay.WATER, 3, "float64")
    time = lanes.fields("time")
    for values, where in ((np.array([[1.0], [2.0], [3.0]]), None), (np.array([[9.0]]), np.array([2]))):
        lanes.put(time, values, where)
        np.testing.assert_array_equal(lanes.view("time")[0, 2:], values[-1, 0])


def test_a_field_of_a_record_in_a_record():
    lanes = Lanes(lay.COMMAND, 2, "float64")
    start = lay.COMMAND.offset("actuators")[0] + lay.ACTUATORS.offset("surface")[0]
    assert lanes.fields("actuators.surface", 2) == slice(start, start + 2)
