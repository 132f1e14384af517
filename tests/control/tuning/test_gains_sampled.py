"""Loops at the rate at which they are run: the sampled motion against closed forms, and flights at other rates."""

import math
from dataclasses import replace

import numpy as np
import pytest

from pelagos.control import Autopilot
from pelagos.control.tuning.gains import LAG_SHARE, Loop, Plane, exponential, grows, sampled_motion
from pelagos.control.tuning.schedule import Schedule
from pelagos.errors import CommandError
from pelagos.sim.simulation import Simulation
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.world.spec import World


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
    with pytest.raises(
        CommandError, match=r"at 1 control ticks a second its pitch swings up; it needs at least 1\.5 Hz"
    ):
        Autopilot(remus, interval_s=1.0).command(depth_m=8.0, heading_deg=60.0, speed_m_s=1.5)
    Autopilot(remus, interval_s=1.0 / 1.5).command(depth_m=8.0, heading_deg=60.0, speed_m_s=1.5)


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
