"""The experiments of chapter 7: tasks, conditions and recorded data."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pelagos.training.targets.hover import Hover
from pelagos.training.targets.pipeline import Pipeline
from pelagos_evidence.royer.pilots.experiments import BACK, CASES, OUT, PIPE_M, START_M, hover_task, pipe_task
from pelagos_evidence.royer.pilots.parts import HOVER_ATTEMPTS, PIPE_ATTEMPTS, attempts
from pelagos_evidence.royer.pilots.pilot import TRAINED
from pelagos_evidence.royer.pilots.rows import Attempts

pytestmark = pytest.mark.slow  # the first test also builds the fixture


@pytest.fixture(scope="module")
def attempted() -> Attempts:
    """Two attempts at each hovering, one at each pipe: enough for medians, too few for probabilities."""
    return attempts(dict.fromkeys(HOVER_ATTEMPTS, 2), dict.fromkeys(PIPE_ATTEMPTS, 1), 1, lambda done: None)


def test_strong_orderings_show_in_two_attempts(attempted: Attempts) -> None:
    def worst(key: str) -> float:
        return float(np.median([flight.size_m for flight in attempted.hovering[key]]))

    assert worst("4") > worst("6")
    assert worst("5") > worst("4")
    assert worst("12") > worst("10")


def test_every_figure_of_the_chapter_is_flown() -> None:
    assert [case.figure for case in (*CASES, OUT, BACK)] == [f"7.{k}" for k in range(4, 15)]


def test_conditions_are_those_of_the_captions() -> None:
    by_key = {case.key: case.conditions() for case in CASES}
    assert by_key["4"].depth_control == "off"
    assert by_key["6"].depth_control == "perfect"
    assert (by_key["8"].current_m_s, by_key["10"].current_m_s) == (1.0, 0.75)
    assert by_key["10"].cable
    assert not by_key["8"].cable
    assert [key for key, conditions in by_key.items() if not conditions.top_view] == ["5", "7", "9", "11"]


def test_the_way_back_is_the_way_out_turned_round() -> None:
    out, back = (pipe_task(way).target for way in (False, True))
    assert isinstance(out, Pipeline)
    assert isinstance(back, Pipeline)
    assert (out.course_deg, back.course_deg) == pytest.approx((45.0, 225.0))
    assert math.dist(out.from_m, out.to_m) == pytest.approx(PIPE_M)


def test_the_judge_agrees_with_its_curve(attempted: Attempts) -> None:
    """The rms once more, from the recorded points."""
    flight = attempted.hovering["6"][0]
    begin = flight.measures["time_s"] - flight.measures["hovered_s"]
    kept = flight.curve["distance_m"][flight.curve["time_s"] > begin]
    assert np.sqrt(np.mean(kept**2)) == pytest.approx(flight.size_m, rel=0.05)  # every other tick


def test_pilots_keep_heading_and_reach_the_end(attempted: Attempts) -> None:
    for flights in (*attempted.hovering.values(), *attempted.following.values()):
        for flight in flights:
            assert flight.ended == "completed", flight.case.sentence()
            assert flight.measures["heading_error_rms_deg"] < (5.0 if flight.case.operator is TRAINED else 15.0)


def test_the_cable_pulls_with_the_current(attempted: Attempts) -> None:
    north, east, down, _ = attempted.pull.mean(axis=0)
    assert 300.0 < north < 500.0  # half of the drag on 150 m of cable: some 400 N
    assert abs(east) < 1.0
    assert down < 0.0
    sideways = attempted.pull_aside[:, :2].mean(axis=0) @ np.array([-math.sin(math.pi / 4), math.cos(math.pi / 4)])
    assert attempted.pull_aside[:, 3].mean() == pytest.approx(-0.5 * sideways, rel=0.2)  # it heels by some 8 degrees


def test_hovering_begins_before_the_place() -> None:
    task = hover_task()
    assert isinstance(task.target, Hover)
    spot = task.target.spot_n(task.world_for())
    bow = task.start.north_m - 1.5
    assert bow - spot[0] == pytest.approx(START_M + task.target.triangle_m)
