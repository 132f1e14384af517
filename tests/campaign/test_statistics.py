"""Intervals against published numbers and another implementation."""

import math

import numpy as np
import pytest
from scipy import stats

from pelagos.campaign.statistics import interval, wilson


@pytest.mark.parametrize(("hits", "n"), [(0, 10), (5, 10), (10, 10), (1, 400)])
def test_wilson_is_that_of_scipy(hits, n):
    other = stats.binomtest(hits, n).proportion_ci(0.95, "wilson")
    assert wilson(hits, n) == pytest.approx((other.low, other.high), abs=1e-12)  # rounding


def test_wilson_of_no_hit():
    """Closed form at zero hits: 0 to z^2 / (n + z^2)."""
    z2 = 1.959963984540054**2
    assert wilson(0, 10) == pytest.approx((0.0, z2 / (10 + z2)), abs=1e-15)


def test_student_is_that_of_scipy():
    values = np.random.default_rng(1).normal(3.0, 2.0, 25)
    other = stats.t.interval(0.9, 24, values.mean(), stats.sem(values))
    found = interval(np.append(values, np.nan), 0.9)
    assert (found.low, found.high) == pytest.approx(other, rel=1e-12)  # rounding
    assert found.n == 25 and not found.is_share
    assert found.half_width == pytest.approx((other[1] - other[0]) / 2)


def test_zeros_and_ones_are_a_probability():
    found = interval(np.array([0.0, 1.0, 1.0, 1.0]))
    assert found.is_share and found.mean == 0.75
    assert (found.low, found.high) == wilson(3, 4)


def test_too_few_have_no_interval():
    assert interval(np.array([2.5])).half_width == math.inf
    assert interval(np.array([np.nan])).n == 0
