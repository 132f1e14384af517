"""Intervals against published numbers and SciPy; early stopping does not depend on the order of runs."""

import math

import numpy as np
import pytest
from scipy import stats

from pelagos.campaign.spec import Stop
from pelagos.campaign.statistics import StopRule, interval, wilson

STOP = Stop(metric="m", half_width=0.25, check_every=8)
VALUES = np.random.default_rng(1).normal(0.0, 1.0, 400)


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
    known = interval(np.append(values, np.nan), 0.9)
    assert (known.low, known.high) == pytest.approx(other, rel=1e-12)  # rounding
    assert known.n == 25 and not known.is_share
    assert known.half_width == pytest.approx((other[1] - other[0]) / 2)


def test_zeros_and_ones_are_a_probability():
    known = interval(np.array([0.0, 1.0, 1.0, 1.0]))
    assert known.is_share and known.mean == 0.75
    assert (known.low, known.high) == wilson(3, 4)


def test_too_few_have_no_interval():
    assert interval(np.array([2.5])).half_width == math.inf
    assert interval(np.array([np.nan])).n == 0


def stopped_at(order, values=VALUES, stop=STOP, chunk=1):
    stopping = StopRule(stop, len(values))
    for runs in np.array_split(np.asarray(order), max(len(order) // chunk, 1)):
        stopping.update(runs, values[runs])
    return stopping.at


def test_it_is_the_first_prefix_that_is_known_well_enough():
    narrow = [k for k in range(8, 401, 8) if interval(VALUES[:k]).half_width <= 0.25]
    assert stopped_at(range(400)) == narrow[0] and 30 < narrow[0] < 200


@pytest.mark.parametrize("seed", range(5))
def test_the_order_in_which_runs_end_changes_nothing(seed):
    order = np.random.default_rng(seed).permutation(400)
    assert stopped_at(order, chunk=7) == stopped_at(range(400))


def test_a_prefix_with_a_gap_is_not_judged():
    assert stopped_at(range(1, 400)) is None


def test_failed_runs_count_as_runs_but_not_as_values():
    holes = np.where(np.arange(400) % 3 == 0, np.nan, VALUES)
    at = stopped_at(range(400), holes)
    assert interval(holes[:at]).half_width <= 0.25 < interval(holes[: at - 8]).half_width


def test_a_probability_is_judged_by_wilson():
    """No event in n runs: the interval is 0 to z^2 / (n + z^2), so n = z^2 (1 / (2 h) - 1) runs are enough."""
    needed = 1.959964**2 * (1.0 / (2.0 * 0.02) - 1.0)  # 92.2
    at = stopped_at(range(400), np.zeros(400), Stop(metric="m", half_width=0.02, check_every=4))
    assert at == 96 and needed < 96 < needed + 4


def test_without_a_rule_it_never_stops():
    stopping = StopRule(None, 10)
    stopping.update(np.arange(10), np.zeros(10))
    assert stopping.at is None
