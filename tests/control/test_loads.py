"""Unannounced loads: a thruster lost and back, and the oblique flow of a strong current."""

import numpy as np
import pytest

from pelagos.control import Autopilot
from pelagos.control.pid import PID
from pelagos.control.tuning.schedule import Schedule
from pelagos.sim.faults.effects import Faults
from pelagos.sim.faults.kinds import ThrusterLost
from pelagos.sim.simulation import Simulation
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.world.spec import World

MASS, DAMPING, W = 2.0, 0.6, 1.5


def turned(load, step=0.0, mass=MASS, seconds=30.0, dt=0.05):
    """An axis of known mass and damping under a loop with poles at W and an error limit of 0.3; its errors."""
    kp, kd = MASS * W * W, 2.0 * W * MASS - DAMPING
    pid = PID(kp, kp * W / 10.0, kd, error_limit=0.3, approach_s=(kd + DAMPING) / kp, mass=mass)
    y = v = 0.0
    errors = []
    for _ in range(round(seconds / dt)):
        force = pid.update(step, y, dt, rate=v)
        for _ in range(5):
            v += dt / 5 * (force + load - DAMPING * v) / MASS
            y += dt / 5 * v
        errors.append(step - y)
    return np.array(errors), pid


def test_a_load_beyond_the_clipped_error_is_met_soon():
    """kp x limit is 1.35; a load of 4 would carry the axis off at (4 - 1.35) / (kd + D) = 0.44 a second for ever."""
    errors, pid = turned(load=4.0)
    assert np.abs(errors[round(10.0 / 0.05) :]).max() < 0.3
    assert pid.integral == pytest.approx(-4.0, abs=0.1)
    without, _ = turned(load=4.0, mass=0.0)
    assert np.abs(errors).max() < 0.6 * np.abs(without).max()


def test_a_large_step_without_a_load_charges_nothing():
    errors, pid = turned(load=0.0, step=3.0)
    assert errors.min() > -0.02 * 3.0  # overshoot
    assert abs(pid.integral) < 0.02 * pid.kp * 0.3


def heading_off(log):
    return (np.asarray(log["heading_deg"]) + 180.0) % 360.0 - 180.0


def test_heading_is_held_when_a_thruster_is_lost_and_when_it_comes_back():
    sim = Simulation("bluerov2_heavy", World(depth_m=30.0, current_m_s=0.3, current_to_deg=45.0))
    sim.faults = Faults([ThrusterLost(thruster="front_port", at_s=20.0, seconds_s=30.0)], sim.vehicle, [])
    sim.place(depth_m=5.0)
    sim.command(depth_m=5.0, heading_deg=0.0, north_m=0.0, east_m=0.0)
    sim.run(30.0)  # ten seconds after the loss
    assert np.abs(heading_off(sim.run(20.0))).max() < 10.0
    sim.run(12.0)  # and twelve after it came back
    assert np.abs(heading_off(sim.run(10.0))).max() < 10.0


@pytest.mark.parametrize("towards_deg", [0.0, 90.0, 135.0])
def test_attitude_is_steady_in_a_current_near_the_limit(towards_deg):
    """At 0.8 m/s the Munk moment per angle, 12 u^2, is six times the righting moment."""
    sim = Simulation("bluerov2_heavy", World(depth_m=30.0, current_m_s=0.8, current_to_deg=towards_deg))
    sim.place(depth_m=5.0, pitch_deg=3.0, roll_deg=3.0)
    sim.command(depth_m=5.0, heading_deg=0.0, north_m=0.0, east_m=0.0)
    sim.run(20.0)
    log = sim.run(10.0)
    assert np.abs(np.asarray(log["pitch_deg"])).max() < 2.0
    assert np.abs(np.asarray(log["roll_deg"])).max() < 2.0


def test_the_munk_moment_is_that_of_the_flow_turned_on_by_the_lag():
    """w of a level hull that pitches in a flow u is u sin(theta): a lag T later it is u sin(theta + q T)."""
    schedule = Schedule(load_vehicle("bluerov2_heavy"), interval_s=0.1)
    late = schedule.thruster_lag_s + 0.05
    u, pitch, q = 0.8, 0.05, 0.2
    flow = [u * np.cos(pitch), 0.0, u * np.sin(pitch), 0.0, q, 0.0]
    then = schedule.munk[1] * u * u * np.sin(pitch + q * late) * np.cos(pitch + q * late)
    # second order in q T = 0.026: 0.07 % of u w, 1 % at most of this small w
    assert schedule.munk_moments(flow, (False, True, False))[1] == pytest.approx(then, rel=0.01)


def test_the_autopilot_knows_the_mass_only_where_thrusters_alone_turn(torpedo, rov):
    for vehicle, known in ((rov, True), (torpedo, False)):
        pilot = Autopilot(vehicle)
        pilot._retune(pilot.schedule.stage(1.0))
        assert (pilot._yaw.mass > 0.0) == known
