"""The experiments of chapter 7: tasks, conditions, and what is recorded."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pelagos.reproduce.royer.experiments import BACK, CASES, OUT, PIPE_M, cable_pull, pipe_task
from pelagos.reproduce.royer.pilot_rows import Attempts
from pelagos.training.pipeline import Pipeline


def test_every_figure_of_the_chapter_is_flown() -> None:
    assert [case.figure for case in (*CASES, OUT, BACK)] == [f"7.{k}" for k in range(4, 15)]


def test_conditions_are_those_of_the_captions() -> None:
    by_key = {case.key: case.conditions() for case in CASES}
    assert by_key["4"].depth_control == "off"
    assert by_key["6"].depth_control == "perfect"
    assert (by_key["8"].current_m_s, by_key["10"].current_m_s) == (1.0, 0.75)
    assert by_key["10"].cable
    assert not by_key["8"].cable
    assert [key for key, one in by_key.items() if not one.top_view] == ["5", "7", "9", "11"]


def test_the_way_back_is_the_way_out_turned_round() -> None:
    out, back = (pipe_task(way).target for way in (False, True))
    assert isinstance(out, Pipeline)
    assert isinstance(back, Pipeline)
    assert (out.course_deg, back.course_deg) == pytest.approx((45.0, 225.0))
    assert math.dist(out.from_m, out.to_m) == pytest.approx(PIPE_M)


def test_the_judge_agrees_with_its_curve(flown: Attempts) -> None:
    """The rms once more, from the recorded points."""
    flight = flown.hovering["6"][0]
    begin = flight.measures["time_s"] - flight.measures["hovered_s"]
    kept = flight.curve["distance_m"][flight.curve["time_s"] > begin]
    assert np.sqrt(np.mean(kept**2)) == pytest.approx(flight.size_m, rel=0.05)  # every other tick


def test_pilots_keep_heading_and_reach_the_end(flown: Attempts) -> None:
    for flights in (*flown.hovering.values(), *flown.following.values()):
        for flight in flights:
            assert flight.ended == "completed", flight.case.sentence()
            assert flight.measures["heading_error_rms_deg"] < 5.0


def test_the_cable_pulls_with_the_current(flown: Attempts) -> None:
    north, east, down, _ = flown.pull.mean(axis=0)
    assert 300.0 < north < 500.0  # half of the drag on 150 m of cable: some 400 N
    assert abs(east) < 1.0
    assert down < 0.0
    assert cable_pull.__doc__
