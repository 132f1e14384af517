"""Gains: where the poles end up, on the diagonal and in the coupled motion."""

import math

import numpy as np
import pytest

from pelagos.control.tuning.gains import (
    DAMPED,
    LAG_SHARE,
    OUTER,
    OUTER_DAMPED,
    OUTER_OVERSHOOT,
    OUTER_RATE,
    SAMPLING_S,
    AxisModel,
    Dive,
    Plane,
    closed_loop,
    coupled_loop,
    diagonal_loop,
    dive_loop,
    least_damping,
    speed_loop,
    step_answer,
)
from pelagos.control.tuning.schedule import Schedule
from pelagos.vehicle.load.vehicle import load_vehicle


def test_diagonal_poles_are_where_they_were_put():
    axis = AxisModel(mass=50.0, damping=8.0, stiffness=6.0, force=40.0, lag_s=0.1, error_ref=0.5, rate_limit=0.3)
    loop = diagonal_loop(axis)
    w = math.sqrt((40.0 / 0.5 + 6.0) / 50.0)
    roots = np.roots([axis.mass, axis.damping + loop.kd, axis.stiffness + loop.kp])
    # A double root: numerically it splits by the square root of rounding, 1e-8.
    assert roots == pytest.approx([-w, -w], rel=1e-6)
    assert loop.kp * axis.error_ref == pytest.approx(axis.force, rel=1e-9)


def test_lag_limits_the_frequency():
    loop = diagonal_loop(AxisModel(1.0, 0.0, 0.0, 1e6, 0.4, 0.5, 1.0))
    assert loop.frequency == pytest.approx(LAG_SHARE / (0.4 + SAMPLING_S), rel=1e-12)


def test_nothing_to_push_with_gives_no_loop():
    assert not diagonal_loop(AxisModel(50.0, 8.0, 0.0, 0.0, 0.1, 0.5, 0.3)).works
    assert not speed_loop(30.0, 2.0, 0.0, 1.0, 0.1).works


def test_the_coupled_search_steadies_an_unstable_hull():
    """Munk moment: the cross flow drives the turn. Alone the hull grows; the loop must damp it."""
    a = np.array([[-0.3, -0.5, 0.0], [-1.2, -0.4, 0.0], [0.0, 1.0, 0.0]])
    p = Plane(a, np.array([-0.03, 0.1, 0.0]), 1.5, 0.1)  # a tail rudder pushes outward
    assert np.linalg.eigvals(a[:2, :2]).real.max() > 0.3
    axis = AxisModel(10.0, 4.0, 0.0, 10.0, 0.1, 0.5, 0.2)
    loop = coupled_loop(axis, p)
    assert least_damping(closed_loop(p, loop)) >= DAMPED
    assert loop.approach_s * loop.kp < loop.kd  # in a steady turn the hull itself pushes on: D < 0


@pytest.mark.parametrize("name", ["torpedo", "finned"])
@pytest.mark.parametrize("share", [0.3, 0.7, 1.0])
def test_stages_of_test_vehicles_are_damped_in_the_coupled_motion(name, share, request):
    schedule = Schedule(request.getfixturevalue(name))
    stage = schedule.stage(share * schedule.top_speed)
    assert stage.yaw.works and stage.pitch.works
    assert 0.0 < stage.dive.frequency < stage.pitch.frequency
    assert stage.pitch_limit <= math.radians(25.0)


def test_depth_by_pitch_is_as_damped_as_pitch_allows():
    """A hull that heaves slowly (0.09 1/s) after it pitches: depth needs the rate of depth to settle."""
    a = np.array([[-0.09, 4.0, 0.0], [0.01, -0.9, -0.2], [0.0, 1.0, 0.0]])
    p = Plane(a, np.array([0.0, 1.0, 0.0]), 4.0, 1.0)
    loop = diagonal_loop(AxisModel(1.0, 0.9, 0.2, 0.1, 1.0, 0.35, math.inf))
    dive = dive_loop(p, loop)
    assert dive.rate_s > 0.0
    assert least_damping(closed_loop(p, loop, dive)) > 2 * least_damping(
        closed_loop(p, loop, Dive(dive.frequency, 0.0))
    )


def test_stage_is_made_once(torpedo):
    schedule = Schedule(torpedo)
    assert schedule.stage(1.5) is schedule.stage(1.5 + 1e-6)
    assert schedule.stage(-1.0) is schedule.stage(0.0)


def test_the_quick_search_of_a_depth_loop_finds_what_trying_every_pair_finds():
    for key in ("iver3", "remus100", "phoenix"):
        schedule = Schedule(load_vehicle(key), None, 0.02)
        stage = schedule.stage(0.6 * schedule.top_speed)
        p, loop = stage.vertical, stage.pitch
        enough = min(OUTER_DAMPED, 0.9 * least_damping(closed_loop(p, loop)))
        found = []
        for share in OUTER:
            for rate in OUTER_RATE:
                dive = Dive(share * loop.frequency, rate / (share * loop.frequency))
                m = closed_loop(p, loop, dive)
                over, settled = step_answer(m, 5, dive.frequency)
                if least_damping(m) >= enough and over <= OUTER_OVERSHOOT:
                    found.append((settled, dive))
        assert dive_loop(p, loop) == min(found, key=lambda one: one[0])[1]
