"""Distributions with intervals, limits as metrics, keys that are words."""

import numpy as np
from pytest import approx

from pelagos.campaign.report.numbers import ReportData, answers, beyond, distribution


def material(**more):
    given = {
        "name": "made", "design": "random", "keys": ("key",), "metrics": ("off_m",),
        "plan": {"key": np.array(["b", "a", "c", "a"])}, "values": {"off_m": np.array([1.0, 5.0, np.nan, 2.0])},
        "failed": np.array([False, False, True, False]), "finished": np.ones(4, bool),
    }  # fmt: skip
    return ReportData(**{**given, **more})


def test_a_number_has_a_mean_and_quantiles():
    told = distribution(np.array([1.0, 2.0, 3.0, 4.0, np.nan]))
    assert (told.runs, told.mean, told.least, told.most) == (4, 2.5, 1.0, 4.0)
    assert told.quantiles[0.5] == 2.5 and not told.is_share
    # t(3) at 97.5 % is 3.182; s / sqrt(n) is sqrt(5 / 3) / 2
    assert (told.high - told.low) / 2.0 == approx(3.182446 * np.sqrt(5.0 / 3.0) / 2.0, rel=1e-6)


def test_a_metric_of_zeros_and_ones_is_a_probability():
    told = distribution(np.array([0.0, 1.0, 1.0, 0.0]))
    # Wilson: 1/2 -+ z / 2 / sqrt(n + z^2)
    half = 1.959964 / 2.0 / np.sqrt(4.0 + 1.959964**2)
    assert told.is_share and (told.low, told.high) == approx((0.5 - half, 0.5 + half), abs=1e-6)
    assert told.quantiles == {}


def test_where_there_is_no_interval_it_says_why():
    assert distribution(np.array([2.0])).why == "one run has no spread"
    assert distribution(np.array([np.nan])).why == "no run has a value"
    chosen = distribution(np.array([1.0, 2.0]), why="chosen")
    assert chosen.why == "chosen" and np.isnan(chosen.low) and chosen.mean == 1.5


def test_a_limit_is_a_metric_and_what_is_unknown_stays_unknown():
    assert beyond("off_m > 1.5", material()) == approx(np.array([0.0, 1.0, np.nan, 1.0]), nan_ok=True)
    assert beyond("off_m<2", material()) == approx(np.array([1.0, 0.0, np.nan, 0.0]), nan_ok=True)


def test_words_become_numbers_in_the_order_of_the_alphabet():
    assert list(material().numbers("key")) == [1.0, 0.0, 2.0, 0.0]
    assert material().words("key") == ["a", "b", "c"]
    plain = material(plan={"key": np.arange(4)})
    assert plain.words("key") == [] and list(plain.numbers("key")) == [0.0, 1.0, 2.0, 3.0]


def test_failed_runs_are_an_answer_of_their_own():
    names = [answer.metric for answer in answers(material())]
    assert names == ["off_m", "failed"]
    (failed,) = [answer for answer in answers(material()) if answer.metric == "failed"]
    assert failed.distribution.runs == 4 and failed.distribution.mean == 0.25
    fine = material(failed=np.zeros(4, bool))
    assert [answer.metric for answer in answers(fine)] == ["off_m"]
