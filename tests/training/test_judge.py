"""What judges share: statistics over time, effort, collisions since the start, and Royer's test of being inside."""

import math

import numpy as np
import pytest

from pelagos.training.judge import Judge, RunningStatistics, turned
from pelagos.training.task import load_task
from tests.training.observed import seen, told


class Northing(Judge):
    judged = ("distance_m",)

    def measured(self, state):
        return {"distance_m": float(state.position_n[0])}

    def advance(self, state):
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
    said = running.measures("path_error_m")
    assert said["path_error_rms_m"] == pytest.approx(3.0 / math.sqrt(2.0), rel=1e-4)  # closed form; rectangle rule
    assert said["path_error_mean_m"] == pytest.approx(0.0, abs=1e-3)
    assert said["path_error_max_m"] == pytest.approx(3.0, rel=1e-6)


def test_intervals_count_by_their_length():
    running = RunningStatistics()
    running.add(1.0, 3.0)
    running.add(-2.0, 1.0)
    said = running.measures("x_m")
    assert said["x_mean_m"] == pytest.approx((3.0 - 2.0) / 4.0)
    assert said["x_rms_m"] == pytest.approx(math.sqrt((3.0 + 4.0) / 4.0))
    assert said["x_max_m"] == 2.0


def test_what_was_never_known_is_not_zero():
    running = RunningStatistics()
    running.add(math.nan, 1.0)
    assert all(math.isnan(value) for value in running.measures("x_deg").values())


def test_effort_and_energy_are_integrals(judge):
    for k in range(100):
        told(judge, seen(thruster_shares=(0.5, -0.25), power_w=2.0 * k, dt=0.1))
    said = judge.measures()
    assert said["effort_s"] == pytest.approx(0.75 * 10.0)  # s: sum of sizes times 10 s
    assert said["energy_J"] == pytest.approx(2.0 * 0.1 * sum(range(100)))
    assert said["time_s"] == pytest.approx(10.0)


def test_collisions_before_the_start_do_not_count(judge):
    told(judge, seen(collisions=4))
    told(judge, seen(collisions=6))
    assert judge.measures()["collisions"] == 2.0
    judge.begin()
    told(judge, seen(collisions=6))
    assert judge.measures()["collisions"] == 0.0


def test_columns_and_values_go_together(judge):
    told(judge, seen(north=7.0, thruster_shares=(1.0,), dt=1.0))
    said = dict(zip(judge.columns, judge.values(), strict=True))
    assert said == {"score_distance_m": 7.0, "score_progress": 0.1, "score_collisions": 0.0, "score_effort": 1.0}


def test_a_vehicle_is_inside_where_its_box_overlaps_or_touches(judge):
    index = [item.name for item in judge.world.structures].index("wellhead")
    # the north face is at 30 + 2.5 = 32.5 m, the hull 3 m long and 1.6 m broad
    assert not judge.in_structure(seen(34.01, -15.0, 97.5, heading_deg=180.0), index)
    assert judge.in_structure(seen(33.99, -15.0, 97.5, heading_deg=180.0), index)
    assert not judge.in_structure(seen(33.31, -15.0, 97.5, heading_deg=90.0), index)
    assert judge.in_structure(seen(33.29, -15.0, 97.5, heading_deg=90.0), index)
    assert not judge.in_structure(seen(33.0, -15.0, 94.0, heading_deg=180.0), index)  # above: 95 m less half of 0.8 m
    touching = seen(34.01, -15.0, 97.5, heading_deg=180.0, contact_with=float(index))
    assert judge.in_structure(touching, index)


@pytest.mark.parametrize(("heading", "wanted", "off"), [(10, 350, 20), (350, 10, -20), (180, 0, -180), (90, 90, 0)])
def test_headings_differ_the_short_way(heading, wanted, off):
    assert turned(math.radians(heading), wanted) == pytest.approx(off, abs=1e-9)
