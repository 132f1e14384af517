"""The kernel of the peak rate updates every sum as often as its argument states."""

import numpy as np
import pytest

from benchmarks import batch_peak as peak
from pelagos.engine.core.lanes import aligned
from tests.jit_off import needs_jit


@pytest.mark.slow
@pytest.mark.parametrize("name", ["float64", "float32"])
def test_sums_are_those_of_the_geometric_series(name):
    row = aligned((peak.PEAK.size, peak.WIDTH[name]), np.dtype(name))
    row[peak.FACTOR], row[peak.SUMMAND] = 0.5, 1.0
    peak._multiply_add(row, 10)  # the measured kernel itself
    assert (row[: peak.SUMS] == 2.0 * (1.0 - 0.5**10)).all()  # exact: powers of two


@needs_jit
def test_both_types_are_measured():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(peak, "ROUNDS", 1)
        patch.setattr(peak, "TURNS", 1000)
        rates = peak.measure_peak()
    assert set(rates) == {"float64", "float32"} and min(rates.values()) > 0.0
