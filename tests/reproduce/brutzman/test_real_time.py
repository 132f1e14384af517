"""The loop of figure 6.5 over a socket: equal states by either clock; late orders and other states are caught."""

import copy
from dataclasses import replace

import pytest

from pelagos.links.voyage import Voyage
from pelagos.reproduce.brutzman import real_time
from pelagos.sim.scenario_read import scenario_from
from tests.reproduce.checked import check_page, check_rows


@pytest.fixture(scope="module")
def findings():
    return real_time.run(lambda done: None)


@pytest.fixture(scope="module")
def quick():
    return real_time.exchanged("lockstep", lambda _, state: real_time.law(state), 100)


def test_sound_and_told(findings):
    check_rows("brutzman", findings)
    if findings.claims[0].holds is not None:  # else other programs of the machine disturbed it
        check_page("brutzman", "real-time", findings)
    (row,) = (claim for claim in findings.claims if claim.key == "time-scale")
    assert row.numbers["equal"] == real_time.EXCHANGES


def test_what_the_robot_sees_is_what_the_simulation_does(quick):
    """The same orders on a voyage without a link."""
    with Voyage(scenario_from(real_time.TANK)) as voyage:
        for order in quick.orders:
            voyage.order("actuators", {"thrusters": order})
            voyage.tick()
        sim = voyage.sims[0]
        assert sim.time_s == pytest.approx(10.0)
        end = quick.states[-1]
        assert [end["north_m"], end["east_m"], end["depth_m"]] == sim.look().position_n.tolist()


def by_the_clock(quick, seconds_an_interval=0.1):
    """The session as if it had been by the wall, without the waiting."""
    messages = [message | {"overruns": 0, "slipped_s": 0.0} for message in quick.messages]
    came = [seconds_an_interval * k for k in range(1, len(messages) + 1)]
    return replace(quick, messages=messages, sent_s=[t - seconds_an_interval for t in came], came_s=came)


def test_a_good_session_holds_and_a_late_order_does_not(quick):
    live = by_the_clock(quick)
    assert all(claim.holds for claim in real_time._clock_rows(live, 1))
    late = [copy.copy(message) for message in live.messages]
    late[40]["seq"] = 40
    assert replace(live, messages=late).late == 1
    assert [claim.holds for claim in real_time._clock_rows(replace(live, messages=late), 1)] == [True, True, False]
    assert replace(live, messages=late).in_force[40] == live.orders[39]


def test_a_clock_that_runs_wrong_is_caught(quick):
    assert [claim.holds for claim in real_time._clock_rows(by_the_clock(quick, 0.12), 1)] == [False, False, True]


def test_other_states_are_caught(quick):
    other = copy.deepcopy(quick)
    other.messages[50]["vehicles"]["phoenix"]["state"]["north_m"] += 1e-12
    failed = [claim.key for claim in real_time._result_rows(other, quick) if claim.holds is False]
    assert failed == ["time-scale"]


def test_a_busy_machine_is_no_verdict_on_the_model(quick):
    live = by_the_clock(quick, 0.12)
    rows = [real_time._disturbed(row, live, 3, quick) for row in real_time._clock_rows(live, 3)]
    assert all(row.holds is None and "busy" in row.why for row in rows)
