"""Bumpless switching: the wrench before and after a change of mode, quantity, gains or controller."""

import numpy as np
import pytest

from pelagos.control import Autopilot, Pilot
from pelagos.control.autopilot.loops import ActiveStage
from pelagos.control.autopilot.switching import add_fading, begin_fading, wrench_of
from pelagos.control.tuning.schedule import Schedule
from pelagos.messages import Actuation, VehicleState
from pelagos.sim.simulation import Simulation
from pelagos.vehicle.load.vehicle import load_vehicle


def make_state(depth=4.0, nu=(0.0,) * 6, altitude=np.nan, pitch=0.0, yaw=0.0):
    return VehicleState(0.0, np.array([0.0, 0.0, depth]), 0.0, pitch, yaw, np.array(nu), np.array(nu), altitude)


def wrench(pilot, state, dt=0.05):
    """The wrench commanded to the actuators, N and N m."""
    command = pilot.update(state, dt)
    stage = pilot.schedule.stage(float(state.nu_r[0]))
    return np.array(wrench_of(pilot.schedule, stage, command, state))


def test_the_wrench_of_thrusters_is_their_curve_times_their_place(rov):
    schedule = Schedule(rov)
    drives = np.array([0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0])
    got = wrench_of(schedule, schedule.stage(0.0), Actuation(drives, np.zeros(0), np.zeros(0)), make_state())
    assert got == pytest.approx([0.0, 0.0, -4 * 44.4, 0.0, 0.0, 0.0], abs=1e-9)  # ahead is up: 44.4 N each


def test_a_fade_is_an_exponential_with_the_time_of_the_loop(rov):
    schedule = Schedule(rov)
    stage, fade, nothing = ActiveStage(schedule, schedule.stage(0.0)), [[0.0] * 6 for _ in range(3)], [0.0] * 6
    assert begin_fading(fade, [0.0, 0.0, 8.0, 0.0, 0.0, 0.0], nothing, nothing, stage)
    for _ in range(11):
        tau = [0.0] * 6
        assert add_fading(fade, tau, 0.05)
    assert tau[2] == pytest.approx(8.0 * np.exp(-10 * 0.05 * 2.0 * schedule.heave.frequency), rel=1e-9)
    for _ in range(400):
        left = add_fading(fade, [0.0] * 6, 0.05)
    assert not left


CHANGES = [
    ({"depth_m": 4.5, "heading_deg": 30.0}, {"altitude_m": 9.0}),
    ({"depth_m": 4.5, "heading_deg": 30.0}, {"heading_deg": None}),
    ({"depth_m": 4.5, "heading_deg": 30.0}, {"north_m": 2.0, "east_m": -1.0}),
    ({"depth_m": 4.5, "north_m": 2.0, "east_m": 1.0}, {"north_m": None, "speed_m_s": 0.5}),
    ({"depth_m": 4.5, "speed_m_s": 0.6}, {"speed_m_s": None}),
    ({"heading_deg": 10.0}, {"depth_m": 7.0}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("first", "change"), CHANGES, ids=str)
def test_changing_what_is_held_does_not_jump(rov, first, change):
    pilot = Autopilot(rov)
    pilot.command(**first)
    state = make_state(4.2, (0.2, 0.05, 0.02, 0.0, 0.0, 0.01), altitude=8.0, yaw=0.3)
    for _ in range(40):
        before = wrench(pilot, state)
    pilot.command(**change)
    after = wrench(pilot, state)
    fresh = Autopilot(rov)  # the same setpoint without a past: what the jump would have been
    fresh.command(pilot.setpoint)
    jump = wrench(fresh, state) - before
    # One step of the integrals at 0.05 s, and the dead zone of the thrusters, 0.5 N each, are allowed.
    assert np.abs(after - before).max() < 0.05 * np.abs(jump).max() + 1.0
    assert np.abs(jump).max() > 3.0  # there was something to jump
    for _ in range(600):
        last = wrench(pilot, state)
    assert np.abs(last - before).max() > 1.0  # and it does go over


def test_the_planes_take_over_from_the_thrusters_without_a_jump():
    vehicle = load_vehicle("phoenix")
    pilot = Autopilot(vehicle)
    top = pilot.schedule.top_speed
    pilot.command(depth_m=4.0, heading_deg=0.0, speed_m_s=0.3 * top)
    state = make_state(3.0, (0.3 * top, 0.0, 0.01, 0.0, 0.0, 0.0), pitch=-0.02)
    for _ in range(40):
        before = wrench(pilot, state)
    pilot.command(speed_m_s=0.5 * top)
    after = wrench(pilot, state)
    reach = pilot.schedule.allocation.limit(2)
    assert np.abs(after - before).max() < 0.05 * reach
    assert abs(before[2]) > 0.05 * reach  # there was lift to lose


def test_other_gains_at_another_speed_do_not_jump(torpedo):
    pilot = Autopilot(torpedo)
    pilot.command(heading_deg=6.0, speed_m_s=1.5)
    step = pilot.schedule.step
    edge = (round(1.4 / step) + 0.5) * step  # between two stages
    moments = []
    for speed in (edge - 1e-6, edge + 1e-6):
        for _ in range(20):
            state = make_state(3.0, (speed, 0.0, 0.0, 0.0, 0.0, 0.02))
            pilot.update(state, 0.01)
            moments.append(pilot._tau[5])
    jumps = np.abs(np.diff(moments))
    # across the edge no more than twice what the integral and the fading do between any two updates
    assert jumps[19] <= 2.0 * max(jumps[18], jumps[20]) + 1e-9


def test_taking_over_from_a_pilot_starts_from_his_sticks(rov):
    sticks, pilot = Pilot(rov), Autopilot(rov)
    sticks.command(surge=0.5, heave=-0.3, yaw=0.2)
    state = make_state(5.0, (0.4, 0.0, -0.05, 0.0, 0.0, 0.1))
    done = sticks.update(state, 0.05)
    pilot.take_over(done, state)
    pilot.command(depth_m=8.0, heading_deg=200.0, speed_m_s=0.1)
    command = pilot.update(state, 0.05)
    # the drives themselves, of +-1; one step of the integrals
    assert command.thrusters == pytest.approx(done.thrusters, abs=0.03)


def test_a_steady_pull_is_taken_over():
    """A pilot hovers against 15 N up; the autopilot holds that depth at once, not after its integral has found out."""
    vehicle = load_vehicle("bluerov2_heavy")
    worst = []
    for kind in (True, False):
        sim = Simulation(vehicle)
        sim.place(depth_m=5.0)
        sim.external((0.0, 0.0, -15.0, 0.0, 0.0, 0.0))
        pilot = Autopilot(vehicle, sim.water)
        held = pilot.schedule.allocation.solve(
            np.array([0.0, 0.0, 15.0 - pilot.schedule.response.net_weight_n, 0, 0, 0])
        )
        sim.thrust(held.drives)
        sim.run(2.0)
        sim.place(depth_m=5.0, heave_m_s=0.0)
        if kind:
            pilot.take_over(Actuation(held.drives, np.zeros(0), np.zeros(0)), sim.state())
        pilot.command(depth_m=5.0)
        sim.control(pilot)
        worst.append(np.abs(np.asarray(sim.run(15.0)["depth_m"]) - 5.0).max())
    assert worst[0] < 0.3 * worst[1]
