"""The batch benchmark without the compiler computes the same motion and counts its operations."""

import numpy as np
import pytest

from benchmarks.batch_case import STATIONS
from benchmarks.batch_plain import FREE, ONE_EACH, CountingArray, moved
from tests.jit_off import needs_jit, without_jit


@pytest.mark.slow
@needs_jit
def test_numpy_moves_the_case_as_the_kernel_does():
    """The motion that is timed without the compiler is the same."""
    states = without_jit("benchmarks.batch_plain", "moved(3)")
    # the compiler fuses products and sums and makes roots by Newton's method: some roundings
    np.testing.assert_allclose(moved(3), states, rtol=1e-10, atol=1e-13)


@pytest.mark.slow
@needs_jit
def test_operations_are_counted_by_their_names():
    """Four evaluations with a root at each strip; nothing but arithmetic, comparisons and signs."""
    count = without_jit("benchmarks.batch_plain", "(np.seterr(all='ignore'), operations())[1]")
    assert count["sqrt"] >= 4 * STATIONS and count["divide"] >= 4 * STATIONS
    assert {name for name, number in count.items() if number} <= {*ONE_EACH, *FREE}


def test_an_array_counts_what_is_done_with_it_and_with_what_comes_out():
    CountingArray.counts.clear()
    x = np.ones(4).view(CountingArray)
    y = np.where(x < 2.0, np.sqrt(x) * x + 1.0, x)
    assert (y - x).tolist() == [1.0] * 4
    assert dict(CountingArray.counts) == {"less": 1, "sqrt": 1, "multiply": 1, "add": 1, "subtract": 1}
