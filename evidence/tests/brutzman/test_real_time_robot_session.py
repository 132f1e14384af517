"""The loop over a socket: what the robot is told is what the simulation does, by either clock; never how fast."""

import time
from dataclasses import replace

import pytest

from pelagos.scenario.read import scenario_from
from pelagos.session.lockstep import LockstepDriver
from pelagos_evidence.brutzman import real_time


@pytest.fixture(scope="module")
def quick():
    return real_time.exchanged("lockstep", lambda _, state: real_time.law(state), 50)


def test_what_the_robot_sees_is_what_the_simulation_does(quick):
    """The same orders on a driver without a link."""
    with LockstepDriver(scenario_from(real_time.TANK)) as driver:
        for order in quick.orders:
            driver.order("actuators", {"thrusters": order})
            driver.tick()
        sim = driver.sims[0]
        assert sim.time_s == pytest.approx(5.0)
        end = quick.states[-1]
        assert [end["north_m"], end["east_m"], end["depth_m"]] == sim.evaluate().position_n.tolist()


def test_by_the_clock_on_the_wall_the_states_are_those_of_lockstep():
    """However late this machine is: the orders that were in force are given again."""
    live = real_time.exchanged("realtime", lambda _, state: real_time.law(state), 15)
    assert [message["time_s"] for message in live.messages] == pytest.approx([0.1 * k for k in range(1, 16)])
    given = live.in_force
    again = real_time.exchanged("lockstep", lambda k, _: given[k], 15)
    assert live.states == again.states
    assert live.processor_s > 0.0 and live.timer_late_s >= 0.0


def test_a_late_order_is_counted_and_the_one_before_it_is_in_force(quick):
    assert quick.late == 0 and quick.missed == 0
    late = [dict(message) for message in quick.messages]
    late[40]["seq"] = 40
    late[-1] |= {"overruns": 2, "slipped_s": 0.3}
    session = replace(quick, messages=late)
    assert (session.late, session.missed) == (1, 3)
    assert session.in_force[40] == quick.orders[39] and session.in_force[41] == quick.orders[41]


def test_the_law_pushes_towards_depth_and_heading():
    here = {"depth_m": 3.0, "heave_m_s": 0.0, "heading_deg": 350.0, "yaw_rate_deg_s": 0.0}
    order = real_time.law(here)
    assert order["bow_vertical_V"] == order["stern_vertical_V"] == 24.0  # down, as much as there is
    assert order["bow_lateral_V"] == 24.0 == -order["stern_lateral_V"]  # 55 deg to starboard, over north
    there = here | {"depth_m": real_time.DEPTH_M, "heading_deg": real_time.HEADING_DEG}
    assert set(real_time.law(there).values()) == {0.0}


def test_the_bare_timer_wakes_after_its_times():
    with real_time.bare_timer(0.002) as late:
        end = time.monotonic() + real_time.PATIENCE_S
        while len(late) < 5 and time.monotonic() < end:
            time.sleep(0.01)
    woken = len(late)
    assert woken >= 5 and max(late) > 0.0
    time.sleep(0.01)
    assert len(late) == woken  # it has ended
