"""The numbers of a report: columns over the plan, distributions with intervals, limits, keys as texts."""

import numpy as np
import pytest
from pytest import approx

from pelagos.campaign.report.numbers import (
    ReportData,
    beyond,
    distribution,
    metric_reports,
    metric_words,
    report_data,
    vary_words,
)
from pelagos.campaign.results import load_results
from pelagos.campaign.spec import Metric, Vary
from tests.campaign.made_results import KEYS, campaign, write

pytest.importorskip("pyarrow")


def test_missing_and_failed_runs_leave_gaps(tmp_path):
    plan = write(tmp_path / "made", campaign(runs=16), failed=(2,), upto=10)
    loaded = report_data(load_results(tmp_path / "made"))
    assert loaded.finished.sum() == 10 and list(np.flatnonzero(loaded.failed)) == [2]
    assert list(np.flatnonzero(np.isfinite(loaded.values["off_m"]))) == [0, 1, 3, 4, 5, 6, 7, 8, 9]
    assert np.array_equal(loaded.plan[KEYS[0]], plan.columns[KEYS[0]])
    assert loaded.messages == {2: "run 2 <went> wrong"}
    assert "10 runs, 1 failed" in loaded.facts and loaded.text.startswith("name")


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (Vary(key="a", low=0.0, high=0.5), "0 to 0.5"),
        (Vary(key="a", low=1.0, high=100.0, log=True, points=3), "1 to 100, even in the logarithm, 3 points"),
        (Vary(key="a", mean=1.0, sigma=0.1), "normal, mean 1, sigma 0.1"),
        (Vary(key="a", mean=1.0, sigma=0.1, low=0.7, high=1.3), "normal, mean 1, sigma 0.1, from 0.7 to 1.3"),
        (Vary(key="a", values=("los", "ilos")), "one of los, ilos"),
        (Vary(key="seed", low=1, high=9), "1 to 9, whole numbers"),
    ],
)
def test_how_a_key_is_drawn(row, words):
    assert vary_words(row) == words


@pytest.mark.parametrize(
    ("metric", "words"),
    [
        (Metric(name="a", column="depth_m", take="max"), "max of depth_m"),
        (Metric(name="a", column="depth_m", take="rms", from_s=60.0), "rms of depth_m, from 60 s on"),
        (Metric(name="a", column="depth_m", from_s=1.0, to_s=2.0), "final of depth_m, from 1 to 2 s"),
        (Metric(name="a", column="depth_m", take="time_above", than=5.0), "time_above of depth_m, than 5"),
    ],
)
def test_how_a_metric_is_taken(metric, words):
    assert metric_words(metric) == words


def data(**more):
    fields = {
        "name": "made", "design": "random", "keys": ("key",), "metrics": ("off_m",),
        "plan": {"key": np.array(["b", "a", "c", "a"])}, "values": {"off_m": np.array([1.0, 5.0, np.nan, 2.0])},
        "failed": np.array([False, False, True, False]), "finished": np.ones(4, bool),
    }  # fmt: skip
    return ReportData(**{**fields, **more})


def test_a_number_has_a_mean_and_quantiles():
    metric = distribution(np.array([1.0, 2.0, 3.0, 4.0, np.nan]))
    assert (metric.runs, metric.mean, metric.least, metric.most) == (4, 2.5, 1.0, 4.0)
    assert metric.quantiles[0.5] == 2.5 and not metric.is_share
    # t(3) at 97.5 % is 3.182; s / sqrt(n) is sqrt(5 / 3) / 2
    assert (metric.high - metric.low) / 2.0 == approx(3.182446 * np.sqrt(5.0 / 3.0) / 2.0, rel=1e-6)


def test_a_metric_of_zeros_and_ones_is_a_probability():
    metric = distribution(np.array([0.0, 1.0, 1.0, 0.0]))
    # Wilson: 1/2 -+ z / 2 / sqrt(n + z^2)
    half = 1.959964 / 2.0 / np.sqrt(4.0 + 1.959964**2)
    assert metric.is_share and (metric.low, metric.high) == approx((0.5 - half, 0.5 + half), abs=1e-6)
    assert metric.quantiles == {}


def test_where_there_is_no_interval_it_says_why():
    assert distribution(np.array([2.0])).why == "one run has no spread"
    assert distribution(np.array([np.nan])).why == "no run has a value"
    chosen = distribution(np.array([1.0, 2.0]), why="chosen")
    assert chosen.why == "chosen" and np.isnan(chosen.low) and chosen.mean == 1.5


def test_a_limit_is_a_metric_and_what_is_unknown_stays_unknown():
    assert beyond("off_m > 1.5", data()) == approx(np.array([0.0, 1.0, np.nan, 1.0]), nan_ok=True)
    assert beyond("off_m<2", data()) == approx(np.array([1.0, 0.0, np.nan, 0.0]), nan_ok=True)


def test_texts_become_numbers_in_alphabetical_order():
    assert list(data().numbers("key")) == [1.0, 0.0, 2.0, 0.0]
    assert data().words("key") == ["a", "b", "c"]
    plain = data(plan={"key": np.arange(4)})
    assert plain.words("key") == [] and list(plain.numbers("key")) == [0.0, 1.0, 2.0, 3.0]


def test_failed_runs_are_an_answer_of_their_own():
    names = [answer.metric for answer in metric_reports(data())]
    assert names == ["off_m", "failed"]
    (failed,) = [answer for answer in metric_reports(data()) if answer.metric == "failed"]
    assert failed.distribution.runs == 4 and failed.distribution.mean == 0.25
    fine = data(failed=np.zeros(4, bool))
    assert [answer.metric for answer in metric_reports(fine)] == ["off_m"]
