"""One attempt: its phases, how it ends, its columns, its curve."""

import dataclasses
import math
from itertools import pairwise

import pytest

from pelagos.errors import CommandError
from pelagos.training.results import score
from pelagos.training.task import load_task
from pelagos.training.trial import CURVE_MOST, Trial
from tests.training.observations import observe

TASK = load_task("pipeline")
VEHICLE = TASK.vehicle()
WORLD = TASK.world_for()


def trial(**header):
    task = dataclasses.replace(TASK, header=dataclasses.replace(TASK.header, **header))
    return Trial(task, None, VEHICLE, WORLD, 5)


def at(along, **more):
    """So far along the pipe to the north-east, half a metre to port of it."""
    north, east = TASK.target.from_m[:2]
    c = math.sqrt(0.5)
    return observe(north + c * (along + 0.5), east + c * (along - 0.5), 97.5, heading_deg=45.0, **more)


def test_ready_running_over():
    attempt = trial()
    assert (attempt.phase, attempt.phase_code) == ("ready", 1)
    attempt.update(at(20.0))
    assert attempt.time_s == 0.0  # nothing counts yet, but it is shown
    assert dict(zip(attempt.columns, attempt.values(), strict=True))["score_path_error_m"] == pytest.approx(-0.5)
    attempt.start()
    assert attempt.phase_code == 2
    attempt.update(at(9.5))
    assert attempt.progress == pytest.approx(9.5 / (47.2 * math.sqrt(2.0)))
    attempt.update(at(68.0))
    assert (attempt.phase, attempt.phase_code, attempt.ended) == ("over", 3, "completed")
    before = attempt.time_s
    attempt.update(at(0.0))
    assert attempt.time_s == before  # over is over
    attempt.start()
    assert attempt.time_s == 0.0 and attempt.progress == 0.0


def test_the_time_limit_ends_it():
    attempt = trial(time_limit_s=2.0)
    attempt.start()
    for _ in range(19):
        attempt.update(at(0.0))
    assert attempt.phase == "running" and attempt.left_s == pytest.approx(0.1)
    attempt.update(at(0.0))
    assert attempt.ended == "time limit" and not attempt.result().completed


def test_orders_at_the_wrong_moment():
    attempt = trial()
    with pytest.raises(CommandError, match="not running"):
        attempt.abort()
    with pytest.raises(CommandError, match="no result yet"):
        attempt.result()
    attempt.start()
    with pytest.raises(CommandError, match="already running"):
        attempt.start()
    attempt.abort()
    assert attempt.result("Ann", "today").ended == "aborted"  # even without a single tick


def test_the_score_goes_along_and_the_result_has_it():
    attempt = trial()
    attempt.start()
    for k in range(400):
        attempt.update(at(0.17 * k, collisions=int(k > 100)))
    live = dict(zip(attempt.columns, attempt.values(), strict=True))["score_points"]
    result = attempt.result("Ann", "2026-08-01")
    assert result.score == live == score(result.measures, TASK.criteria, TASK.header.collision_points)
    # half a metre to port all the way, a collision: the rms is 0.5, of its marks 1 / (1 + 0.5^2) = 0.8
    assert result.shares["path_error_rms_m"] == pytest.approx(0.8)
    assert (result.pilot, result.date, result.seed, result.collisions) == ("Ann", "2026-08-01", 5, 1)
    assert result.vehicle == "seagrant1" and result.conditions == TASK.conditions


@pytest.mark.slow
def test_the_curve_keeps_some_points_of_a_long_attempt():
    attempt = trial(time_limit_s=3000.0)
    attempt.start()
    for k in range(30_000):
        attempt.update(at(0.001 * k))
    curve = attempt.result().curve
    times = curve["time_s"]
    assert CURVE_MOST / 2 - 1 <= len(times) <= CURVE_MOST
    assert times[-1] == pytest.approx(3000.0)  # the end is there
    along = [(n + e - 27.4) / math.sqrt(2.0) for n, e in zip(curve["north_m"], curve["east_m"], strict=True)]
    assert along == pytest.approx([0.001 * (t / 0.1 - 1.0) for t in times], abs=1e-6)
    steps = [b - a for a, b in pairwise(times[:-1])]
    assert max(steps) == pytest.approx(min(steps), rel=0.05)


def test_marks_of_the_task_and_of_its_course():
    task = load_task("search")
    attempt = Trial(task, None, task.vehicle(), task.world_for(seed=2), 2)
    assert [mark["kind"] for mark in attempt.marks()] == ["line"] and attempt.marks_version == 0
    attempt.judge.confirmed[1] = True
    attempt.start()
    attempt.judge.confirmed[1] = True
    attempt.update(observe(0.0, 0.0, 50.0))
    assert [mark["kind"] for mark in attempt.marks()] == ["line", "point"] and attempt.marks_version == 1
