"""Gains: step responses in closed form, the poles of single, coupled and sampled loops, and flights at other rates."""

import math
from dataclasses import replace

import numpy as np
import pytest

from pelagos.control import Autopilot
from pelagos.control.tuning.gains import (
    DAMPED,
    DEPTH,
    LAG_SHARE,
    OUTER,
    OUTER_DAMPED,
    OUTER_OVERSHOOT,
    OUTER_RATE,
    SAMPLING_S,
    AxisModel,
    Dive,
    Loop,
    Plane,
    StepResponses,
    closed_loop,
    coupled_loop,
    diagonal_loop,
    dive_loop,
    exponential,
    grows,
    least_damping,
    least_dampings,
    sampled_motion,
    speed_loop,
    step_response,
)
from pelagos.control.tuning.schedule import Schedule
from pelagos.errors import CommandError
from pelagos.sim.simulation import Simulation
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.world.spec import World

W = 0.8


def spring(zeta, w=W):
    return np.array([[0.0, 1.0], [-(w**2), -2.0 * zeta * w]])


@pytest.mark.parametrize("zeta", [0.1, 0.45, 0.7, 0.99])
def test_the_damping_of_a_spring_is_its_own(zeta):
    assert least_damping(spring(zeta)) == pytest.approx(zeta, rel=1e-9)


def test_what_grows_has_a_negative_damping_and_several_are_as_one():
    several = np.array([spring(0.3), spring(-0.2), spring(0.6, 2.0)])
    assert least_dampings(several) == pytest.approx([0.3, -0.2, 0.6], rel=1e-9)


@pytest.mark.parametrize("zeta", [0.2, 0.45, 0.7])
def test_a_spring_let_go_overshoots_by_the_closed_form(zeta):
    over, _ = step_response(spring(zeta), 0, W)
    # 600 instants over 60 / w are 0.1 / w apart: half of that off the trough changes it by 0.13 %
    assert over == pytest.approx(math.exp(-math.pi * zeta / math.sqrt(1.0 - zeta**2)), rel=3e-3)


def test_it_is_settled_when_a_simple_decay_has_come_to_a_twentieth():
    _, settled = step_response(np.array([[-W]]), 0, W)
    assert settled == pytest.approx(math.log(20.0) / W, abs=0.11 / W)  # the instants are 0.1 / w apart
    assert step_response(spring(0.0005), 0, W)[1] == math.inf


def test_what_is_worse_than_asked_for_is_left_early_and_never_called_settled():
    steps = StepResponses(np.array([spring(0.2), spring(0.9)]), 0)
    assert steps.response(0, W, most=0.05)[1] == math.inf
    assert steps.response(1, W, most=0.05) == step_response(spring(0.9), 0, W)


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
        candidates = []
        for share in OUTER:
            for rate in OUTER_RATE:
                dive = Dive(share * loop.frequency, rate / (share * loop.frequency))
                m = closed_loop(p, loop, dive)
                over, settled = step_response(m, DEPTH, dive.frequency)
                if least_damping(m) >= enough and over <= OUTER_OVERSHOOT:
                    candidates.append((settled, dive))
        assert dive_loop(p, loop) == min(candidates, key=lambda candidate: candidate[0])[1]


def test_the_exponential_of_a_turn_and_of_a_nilpotent():
    t = 2.5
    turn = exponential(np.array([[0.0, -t], [t, 0.0]]))
    assert turn == pytest.approx(np.array([[math.cos(t), -math.sin(t)], [math.sin(t), math.cos(t)]]), abs=1e-9)
    assert exponential(np.array([[0.0, 3.0], [0.0, 0.0]])) == pytest.approx(np.array([[1.0, 3.0], [0.0, 1.0]]))


def test_a_double_integrator_has_the_textbook_limit():
    """x'' = u held for T, u = -kd x' alone: v+ = (1 - kd T) v, which grows for kd T > 2 (Jury)."""
    a = np.zeros((3, 3))
    a[0, 0], a[2, 1] = -1.0, 1.0
    for share, too_much in ((1.9, False), (2.1, True)):
        p = Plane(a, np.array([0.0, 1.0, 0.0]), 1.0, 0.0, interval_s=0.5)
        assert grows(p, Loop(1e-6, 0.0, share / 0.5, math.inf, 0.0, 1.0)) == too_much
    # without lag to speak of (1/50 of the interval) the rate after one interval is that of the closed form to 2 %
    m = sampled_motion(p, Loop(1e-6, 0.0, 1.0, math.inf, 0.0, 1.0))
    assert m[1, 1] == pytest.approx(1.0 - 1.0 * 0.5, abs=0.02)


def test_the_interval_slows_the_loops_and_ten_a_second_is_the_default():
    vehicle = load_vehicle("bluerov2_heavy")
    slow, usual = Schedule(vehicle, interval_s=1.0), Schedule(vehicle)
    lag = usual.thruster_lag_s
    assert slow.stage(0.0).yaw.frequency == pytest.approx(LAG_SHARE / (lag + 1.0), rel=1e-9)
    assert usual.stage(0.0).yaw == Schedule(vehicle, interval_s=0.1).stage(0.0).yaw


def test_a_rate_too_low_is_refused_with_the_lowest_that_will_do():
    remus = load_vehicle("remus100")
    with pytest.raises(CommandError, match=r"control_rate_hz is 1; .*pitch loop .*unstable.*; expected .* 1\.5 Hz"):
        Autopilot(remus, interval_s=1.0).command(depth_m=8.0, heading_deg=60.0, speed_m_s=1.5)
    Autopilot(remus, interval_s=1.0 / 1.5).command(depth_m=8.0, heading_deg=60.0, speed_m_s=1.5)


@pytest.mark.slow
@pytest.mark.parametrize("rate", [1.0, 2.0, 5.0, 20.0, 50.0])
def test_an_rov_is_kept_in_place_at_any_rate(rate):
    sim = Simulation("bluerov2_heavy", World(current_m_s=0.3, current_to_deg=45.0), control_rate_hz=rate)
    sim.place(depth_m=5.0)
    sim.command(depth_m=6.0, heading_deg=90.0, north_m=0.0, east_m=0.0)
    sim.run(20.0 + 120.0 / rate)  # a loop of frequency 0.35 / T forgets with about 30 T
    log = sim.run(5.0)
    assert np.abs(np.asarray(log["heading_deg"]) - 90.0).max() < 3.0
    assert np.abs(np.asarray(log["depth_m"]) - 6.0).max() < 0.15
    assert np.hypot(log["north_m"][-1], log["east_m"][-1]) < 0.5
    assert np.abs(np.asarray(log["pitch_deg"])).max() < 2.0


@pytest.mark.slow
@pytest.mark.parametrize("rate", [2.0, 5.0, 20.0])
def test_a_torpedo_settles_at_any_rate_that_is_not_refused(rate):
    sim = Simulation("remus100", control_rate_hz=rate)
    sim.place(depth_m=5.0, surge_m_s=1.5)
    sim.command(depth_m=8.0, heading_deg=60.0, speed_m_s=1.5)
    sim.run(150.0)  # the integral of the depth takes 10 / w_z, 50 s at most
    log = sim.run(10.0)
    assert np.abs(np.asarray(log["depth_m"]) - 8.0).max() < 0.1
    assert np.ptp(np.asarray(log["pitch_deg"])) < 0.5
    assert log["heading_deg"][-1] == pytest.approx(60.0, abs=1.0)


def test_planes_of_a_stage_carry_the_interval():
    schedule = Schedule(load_vehicle("lauv"), interval_s=0.25)
    stage = schedule.stage(1.2)
    assert stage.vertical.interval_s == stage.lateral.interval_s == 0.25
    assert not grows(stage.vertical, stage.pitch, stage.dive)
    assert grows(replace(stage.vertical, interval_s=60.0), replace(stage.pitch, kp=50.0 * stage.pitch.kp), stage.dive)
