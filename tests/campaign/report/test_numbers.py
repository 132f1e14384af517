"""A folder of results as columns over the plan, and its keys and metrics in words."""

import numpy as np
import pytest

from pelagos.campaign.report.numbers import material_of, metric_words, vary_words
from pelagos.campaign.results import load_results
from pelagos.campaign.spec import Metric, Vary
from tests.campaign.made_results import KEYS, campaign, write

pytest.importorskip("pyarrow")


def test_missing_and_failed_runs_leave_gaps(tmp_path):
    plan = write(tmp_path / "made", campaign(runs=16), failed=(2,), upto=10)
    found = material_of(load_results(tmp_path / "made"))
    assert found.finished.sum() == 10 and list(np.flatnonzero(found.failed)) == [2]
    assert list(np.flatnonzero(np.isfinite(found.values["off_m"]))) == [0, 1, 3, 4, 5, 6, 7, 8, 9]
    assert np.array_equal(found.plan[KEYS[0]], plan.columns[KEYS[0]])
    assert found.messages == {2: "run 2 <went> wrong"}
    assert "10 runs, 1 failed" in found.facts and found.text.startswith("name")


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
