"""Attempts compared: groups, medians, the trend."""

import json

import numpy as np
import pytest

from pelagos.training.conditions import THESIS
from pelagos.training.results import alike, compare, history, trend
from tests.training.test_results_result import a_result, measures


def test_the_trend_is_the_slope_of_a_line_and_a_bad_day_does_not_move_it():
    scores = [20.0 + 3.0 * k for k in range(9)]
    assert trend(scores) == pytest.approx(3.0)
    scores[7] = 0.0
    assert trend(scores) == pytest.approx(3.0)
    assert trend([50.0]) is None and trend([]) is None


def test_the_trend_agrees_with_theil_and_sen():
    from scipy.stats import theilslopes

    rng = np.random.default_rng(1)
    for _ in range(5):
        scores = rng.uniform(0.0, 100.0, 12)
        assert trend(scores.tolist()) == pytest.approx(theilslopes(scores)[0])


def attempts():
    hard = THESIS["cable"]
    return [
        a_result(score=30.0, measures=measures(time_s=100.0)),
        a_result(score=10.0, conditions=hard),
        a_result(score=50.0, measures=measures(time_s=80.0)),
        a_result(score=90.0, ended="time limit", measures=measures(time_s=10.0)),
        a_result(score=99.0, vehicle="bluerov2_heavy"),
    ]


def test_only_what_is_alike_is_compared():
    easy, hard, other = compare(attempts())
    assert (easy.attempts, easy.completed, easy.median, easy.best, easy.latest) == (3, 2, 50.0, 90.0, 90.0)
    assert easy.least_time_s == 80.0  # of those completed
    assert easy.trend == pytest.approx(30.0)  # slopes 20, 30, 40
    assert hard.conditions == THESIS["cable"] and hard.trend is None
    assert other.vehicle == "bluerov2_heavy"


def test_the_history_of_an_attempt_can_be_sent():
    every = attempts()
    said = json.loads(json.dumps(history(every, every[2]), allow_nan=False))
    assert [one["score"] for one in said["attempts"]] == [30.0, 50.0, 90.0]
    assert said["progress"]["best"] == 90.0
    assert alike(every, every[1]) == [every[1]]
    assert history([], every[0])["progress"] is None
