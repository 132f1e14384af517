"""Common parts of judges: statistics over time, effort, collisions since the start, and Royer's inside test."""

import math

import numpy as np
import pytest

from pelagos.training.judge import Judge, RunningStatistics, heading_error_deg
from pelagos.training.task import load_task
from tests.training.observations import count_tick, observe


class Northing(Judge):
    judged = ("distance_m",)

    def evaluate(self, observation):
        return {"distance_m": float(observation.position_n[0])}

    def advance(self, observation):
        self.progress = min(self.time_s / 10.0, 1.0)


@pytest.fixture
def judge():
    task = load_task("hover")
    return Northing(task.world_for(), task.vehicle())


def test_statistics_of_a_sine_over_whole_periods():
    running = RunningStatistics()
    times = np.arange(0.0, 20.0 * math.pi, 1e-3)
    for t in times:
        running.add(3.0 * math.sin(t), 1e-3)
    measures = running.measures("path_error_m")
    assert measures["path_error_rms_m"] == pytest.approx(3.0 / math.sqrt(2.0), rel=1e-4)  # closed form; rectangle rule
    assert measures["path_error_mean_m"] == pytest.approx(0.0, abs=1e-3)
    assert measures["path_error_max_m"] == pytest.approx(3.0, rel=1e-6)


def test_intervals_count_by_their_length():
    running = RunningStatistics()
    running.add(1.0, 3.0)
    running.add(-2.0, 1.0)
    measures = running.measures("x_m")
    assert measures["x_mean_m"] == pytest.approx((3.0 - 2.0) / 4.0)
    assert measures["x_rms_m"] == pytest.approx(math.sqrt((3.0 + 4.0) / 4.0))
    assert measures["x_max_m"] == 2.0


def test_what_was_never_known_is_not_zero():
    running = RunningStatistics()
    running.add(math.nan, 1.0)
    assert all(math.isnan(value) for value in running.measures("x_deg").values())


def test_effort_and_energy_are_integrals(judge):
    for k in range(100):
        count_tick(judge, observe(thruster_shares=(0.5, -0.25), power_w=2.0 * k, dt=0.1))
    measures = judge.measures()
    assert measures["effort_s"] == pytest.approx(0.75 * 10.0)  # s: sum of sizes times 10 s
    assert measures["energy_J"] == pytest.approx(2.0 * 0.1 * sum(range(100)))
    assert measures["time_s"] == pytest.approx(10.0)


def test_collisions_before_the_start_do_not_count(judge):
    count_tick(judge, observe(collisions=4))
    count_tick(judge, observe(collisions=6))
    assert judge.measures()["collisions"] == 2.0
    judge.begin()
    count_tick(judge, observe(collisions=6))
    assert judge.measures()["collisions"] == 0.0


def test_columns_and_values_go_together(judge):
    count_tick(judge, observe(north=7.0, thruster_shares=(1.0,), dt=1.0))
    measures = dict(zip(judge.columns, judge.values(), strict=True))
    assert measures == {"score_distance_m": 7.0, "score_progress": 0.1, "score_collisions": 0.0, "score_effort": 1.0}


def test_a_vehicle_is_inside_where_its_box_overlaps_or_touches(judge):
    index = [item.name for item in judge.world.structures].index("wellhead")
    # the north face is at 30 + 2.5 = 32.5 m, the hull 3 m long and 1.6 m broad
    assert not judge.in_structure(observe(34.01, -15.0, 97.5, heading_deg=180.0), index)
    assert judge.in_structure(observe(33.99, -15.0, 97.5, heading_deg=180.0), index)
    assert not judge.in_structure(observe(33.31, -15.0, 97.5, heading_deg=90.0), index)
    assert judge.in_structure(observe(33.29, -15.0, 97.5, heading_deg=90.0), index)
    assert not judge.in_structure(
        observe(33.0, -15.0, 94.0, heading_deg=180.0), index
    )  # above: 95 m less half of 0.8 m
    touching = observe(34.01, -15.0, 97.5, heading_deg=180.0, contact_with=float(index))
    assert judge.in_structure(touching, index)


@pytest.mark.parametrize(
    ("heading", "reference", "error"), [(10, 350, 20), (350, 10, -20), (180, 0, -180), (90, 90, 0)]
)
def test_headings_differ_the_short_way(heading, reference, error):
    assert heading_error_deg(math.radians(heading), reference) == pytest.approx(error, abs=1e-9)
