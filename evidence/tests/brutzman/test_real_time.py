"""Figure 6.5: rows from sessions with made-up times, and the loop over a socket by either clock."""

import copy
import time
from dataclasses import replace

import pytest

from evidence.tests.checked import check_part, joined
from pelagos.scenario.read import scenario_from
from pelagos.session.lockstep import LockstepSession
from pelagos_evidence.brutzman import real_time
from pelagos_evidence.brutzman.real_time import EXCHANGES, exchanged, law
from pelagos_evidence.claim import ClaimVerdict


def timed(session, interval_s, answer_s):
    """The session as if it had been on a machine without other load."""
    messages = [message | {"overruns": 0, "slipped_s": 0.0} for message in session.messages]
    came = [interval_s * k for k in range(1, len(messages) + 1)]
    sent = [t - answer_s for t in came]
    return replace(session, messages=messages, sent_s=sent, came_s=came, timer_late_s=0.001, processor_s=0.1)


def by_the_wall(session, interval_s=0.1):
    return timed(session, interval_s, interval_s)


@pytest.fixture(scope="module")
def quick():
    """A real session, a hundred times over the socket, in lockstep."""
    return timed(exchanged("lockstep", lambda _, state: law(state)), 0.002, 0.001)


@pytest.fixture(scope="module")
def findings(quick):
    """The part itself; its session by the wall, which a test below runs for real, is one in lockstep."""

    def session(clock, think):
        return by_the_wall(quick) if clock == "realtime" else timed(exchanged(clock, think), 0.002, 0.001)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(real_time, "exchanged", session)
        return real_time.run(lambda done: None)


@pytest.mark.slow
def test_sound_and_on_the_page(findings):
    check_part("brutzman", "real-time", findings)
    (row,) = (claim for claim in findings.claims if claim.key == "time-scale")
    assert row.numbers["equal"] == EXCHANGES
    assert [c.key for c in findings.claims if c.verdict is ClaimVerdict.NO_DATA] == ["same-path"]


def test_a_late_order_is_caught(quick):
    live = by_the_wall(quick)
    assert all(claim.holds for claim in joined(real_time, real_time.clock_values(live, quick)))
    late = [copy.copy(message) for message in live.messages]
    late[40]["seq"] = 40
    rows = joined(real_time, real_time.clock_values(replace(live, messages=late), quick))
    assert [claim.key for claim in rows if not claim.holds] == ["deadlines"]


def test_a_clock_that_runs_wrong_and_slow_answers_are_caught(quick):
    rows = joined(real_time, real_time.clock_values(by_the_wall(quick, 0.12), timed(quick, 0.2, 0.15)))
    assert [claim.key for claim in rows if not claim.holds] == ["exchange-rate", "model-time", "response"]


def test_a_row_that_fails_is_no_verdict_only_where_the_bare_timer_was_late(quick):
    live = by_the_wall(quick, 0.12)

    def verdicts(live, quick):
        return {
            real_time.judged(row, live, quick, 3).verdict
            for row in joined(real_time, real_time.clock_values(live, quick))[:2]
        }

    assert verdicts(live, quick) == {ClaimVerdict.FAILED}  # a quiet machine: the link is wrong
    busy = replace(live, timer_late_s=0.05)
    assert verdicts(busy, quick) == {ClaimVerdict.NO_DATA}
    slow = replace(quick, processor_s=8.0)  # 80 ms of the processor an exchange: the model is too slow
    assert verdicts(busy, slow) == {ClaimVerdict.FAILED}
    good = replace(by_the_wall(quick), timer_late_s=0.05)
    assert verdicts(good, quick) == {ClaimVerdict.REPRODUCED}  # what holds, holds


def test_a_disturbed_session_is_repeated(quick, monkeypatch):
    late = [dict(message) for message in by_the_wall(quick).messages]
    late[40]["seq"] = 40
    sessions = iter([replace(by_the_wall(quick), messages=late), by_the_wall(quick), quick])
    monkeypatch.setattr(real_time, "exchanged", lambda clock, think: next(sessions))
    claims = real_time.run(lambda done: None).claims
    assert all(claim.holds for claim in claims if claim.key != "same-path") and next(sessions, None) is None


def test_other_states_and_wrong_rates_are_caught(quick):
    changed = copy.deepcopy(quick)
    changed.messages[50]["vehicles"]["phoenix"]["state"]["north_m"] += 1e-12
    failed = [claim.key for claim in joined(real_time, real_time.result_values(changed, quick)) if claim.holds is False]
    assert failed == ["time-scale"]
    for message in changed.messages:
        message["vehicles"]["phoenix"]["state"]["yaw_rate_deg_s"] *= 1.05
    failed = [claim.key for claim in joined(real_time, real_time.result_values(quick, changed)) if claim.holds is False]
    assert failed == ["time-scale", "state-vector"]


@pytest.fixture(scope="module")
def lockstep():
    return real_time.exchanged("lockstep", lambda _, state: real_time.law(state), 50)


def test_what_the_robot_sees_is_what_the_simulation_does(lockstep):
    """The same orders on a session without a link."""
    with LockstepSession(scenario_from(real_time.TANK)) as session:
        for order in lockstep.orders:
            session.order("actuators", {"thrusters": order})
            session.tick()
        sim = session.sims[0]
        assert sim.time_s == pytest.approx(5.0)
        end = lockstep.states[-1]
        assert [end["north_m"], end["east_m"], end["depth_m"]] == sim.evaluate().position_n.tolist()


@pytest.mark.slow
def test_by_the_clock_on_the_wall_the_states_are_those_of_lockstep():
    """However late this machine is: the orders that were in force are given again."""
    live = real_time.exchanged("realtime", lambda _, state: real_time.law(state), 15)
    assert [message["time_s"] for message in live.messages] == pytest.approx([0.1 * k for k in range(1, 16)])
    forces = live.in_force
    again = real_time.exchanged("lockstep", lambda k, _: forces[k], 15)
    assert live.states == again.states
    assert live.processor_s > 0.0 and live.timer_late_s >= 0.0


def test_a_late_order_is_counted_and_the_one_before_it_is_in_force(lockstep):
    assert lockstep.late == 0 and lockstep.missed == 0
    late = [dict(message) for message in lockstep.messages]
    late[40]["seq"] = 40
    late[-1] |= {"overruns": 2, "slipped_s": 0.3}
    session = replace(lockstep, messages=late)
    assert (session.late, session.missed) == (1, 3)
    assert session.in_force[40] == lockstep.orders[39] and session.in_force[41] == lockstep.orders[41]


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
