"""Early stopping does not depend on which run was finished first."""

import numpy as np
import pytest

from pelagos.campaign.spec import Stop
from pelagos.campaign.statistics import StopRule, interval

STOP = Stop(metric="m", half_width=0.25, check_every=8)
VALUES = np.random.default_rng(1).normal(0.0, 1.0, 400)


def stopped_at(order, values=VALUES, stop=STOP, piece=1):
    stopping = StopRule(stop, len(values))
    for runs in np.array_split(np.asarray(order), max(len(order) // piece, 1)):
        stopping.tell(runs, values[runs])
    return stopping.at


def test_it_is_the_first_prefix_that_is_known_well_enough():
    narrow = [k for k in range(8, 401, 8) if interval(VALUES[:k]).half_width <= 0.25]
    assert stopped_at(range(400)) == narrow[0] and 30 < narrow[0] < 200


@pytest.mark.parametrize("seed", range(5))
def test_the_order_in_which_runs_end_changes_nothing(seed):
    order = np.random.default_rng(seed).permutation(400)
    assert stopped_at(order, piece=7) == stopped_at(range(400))


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
    stopping.tell(np.arange(10), np.zeros(10))
    assert stopping.at is None
