"""Exact tests of chance against closed forms."""

from __future__ import annotations

import pytest

from pelagos_evidence.royer.pilots.orderings import Comparison, rank_sum_chance, sign_chance


def test_groups_that_do_not_overlap_have_the_least_chance() -> None:
    assert rank_sum_chance([4.0, 5.0, 6.0], [1.0, 2.0, 3.0]) == pytest.approx(1.0 / 20.0)  # 6 over 3 ways, one of them
    assert rank_sum_chance([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]) == 1.0


def test_equal_groups_tell_nothing() -> None:
    assert rank_sum_chance([1.0, 1.0], [1.0, 1.0]) == 1.0
    assert sign_chance([1.0, 2.0], [1.0, 2.0]) == 1.0


def test_pairs() -> None:
    assert sign_chance([2.0, 3.0, 4.0], [1.0, 1.0, 1.0]) == pytest.approx(1.0 / 8.0)
    assert sign_chance([2.0, 1.0], [1.0, 2.0]) == pytest.approx(3.0 / 4.0)  # sums 0, 0, 2, -2


def test_an_ordering_the_wrong_way_round_does_not_hold() -> None:
    high, low = (5.0, 6.0, 7.0, 8.0, 9.0), (1.0, 2.0, 3.0, 4.0, 4.5)
    assert Comparison(high, low).holds
    assert not Comparison(low, high).holds
    assert Comparison(high, low).ratio == pytest.approx(7.0 / 3.0)
    assert "ratio 2.33" in Comparison(high, low).words()


def test_few_attempts_never_hold() -> None:
    assert not Comparison((5.0, 6.0), (1.0, 2.0)).holds  # one chance in six
