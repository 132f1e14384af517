"""Change of authority between pilot, mission and links: actuators do not jump, and disarmed they are at rest."""

from pathlib import Path

import numpy as np
import pytest

from pelagos.errors import CommandError
from pelagos.messages import Setpoint
from pelagos.scenario.read import load_scenario
from pelagos.session.authority import STEERING, TRANSITIONS, Authority, ControlAuthority, IdleController, Signal
from pelagos.session.flight import Flight
from pelagos.session.source import Input
from pelagos.sim.commands import DirectControl
from pelagos.vehicle.thruster_curve import ThrustCurve
from pelagos.world.spec import World
from scripts.authority_diagram import diagram


@pytest.fixture
def flight():
    flight = Flight("bluerov2_heavy", World(depth_m=50.0), start={"depth_m": 10.0})
    yield flight
    flight.close()


def ahead(flight):
    """The force ahead that the thrusters are commanded to give, N."""
    thrusters = flight.sim.vehicle.thrusters
    command = flight.sim.plant.command["actuators"]["thruster"][: len(thrusters)]
    return sum(t.direction_b[0] * ThrustCurve(t).thrust(drive) for t, drive in zip(thrusters, command, strict=True))


def test_at_rest_says_who_would_fly_and_what_would_be_held(flight):
    flight.order("setpoint", {"depth_m": 12.0})
    flight.order("arm", {"on": False})
    resting = flight.sim.controller
    assert isinstance(resting, IdleController)
    assert flight.active_controller() is flight.helm
    assert resting.setpoint.depth_m == 12.0
    actuation = resting.update(flight.sim.feedback(), 0.02)
    assert not actuation.thrusters.any() and actuation.thrusters.size == 8
    assert actuation.ballast.size == 0  # none said: it stays where it is
    assert IdleController(flight.sim.vehicle, DirectControl(flight.sim.vehicle)).setpoint == Setpoint()


def test_the_helm_begins_with_what_the_actuators_do(flight):
    flight.order("setpoint", {"depth_m": 10.0, "heading_deg": 0.0, "north_m": 0.0, "east_m": 0.0})
    commands = {
        t.name: 0.3 * np.sign(t.direction_b[0]) for t in flight.sim.vehicle.thrusters if abs(t.direction_b[0]) > 0.1
    }
    flight.order("actuators", {"thrusters": commands})
    for _ in range(50):
        flight.tick()
    before = ahead(flight)
    flight.order("actuators", {})
    flight.tick()
    assert before > 10.0  # N
    assert ahead(flight) == pytest.approx(before, rel=1e-3)  # from rest it would be none of it; allocation rounds
    for _ in range(150):
        flight.tick()
    assert ahead(flight) < 0.5 * before  # and then they bring it back


def test_the_mission_is_handed_on_and_back():
    flight = Flight(scenario=load_scenario("first-dive"))
    mission = flight.mission
    flight.fly_mission(False)
    assert flight.sim.controller is flight.helm and flight.mission is mission
    flight.fly_mission(False)  # again is nothing
    flight.fly_mission(True)
    assert flight.sim.controller is mission
    flight.signal(Signal.TAKE_HELM)
    assert flight.sim.controller is flight.helm and not flight.flies_mission
    flight.close()


def test_without_a_mission_there_is_none_to_fly(flight):
    with pytest.raises(CommandError, match="there is no mission to fly"):
        flight.fly_mission(True)
    flight.signal(Signal.TAKE_HELM)
    assert flight.sim.controller is flight.helm


def test_a_mission_takes_the_vehicle_from_single_actuators(flight):
    flight.order("route", {"legs": [{"kind": "steady", "heading_deg": 0.0, "seconds_s": 9.0}]})
    flight.order("actuators", {"thrusters": {"rear_port": 0.2}})
    flight.order("hold", {"hold": "mission", "on": True})
    assert flight.direct is None and flight.sim.controller is flight.mission
    flight.input(Input(surge=1.0))
    for _ in range(50):
        flight.tick()
    assert flight.sim.controller is flight.helm  # a pilot who pulls has it


EVERY = [(state, signal) for state in Authority for signal in Signal]
AT_REST = {Authority.DISARMED, Authority.WAITING_DISARMED}


def followed(state, signal):
    """The state after a signal, as the table in docs/architecture.md has it, written down independently of the code."""
    start, helm, mission, command, arm, disarm, lost, back = Signal
    a = Authority
    expected = {
        a.WAITING: {start: a.PILOT, mission: a.MISSION, command: a.PROGRAM, arm: a.PILOT, disarm: a.WAITING_DISARMED},
        a.PILOT: {mission: a.MISSION, command: a.PROGRAM, disarm: a.DISARMED, lost: a.FAILSAFE},
        a.MISSION: {helm: a.PILOT, disarm: a.DISARMED},
        a.PROGRAM: {helm: a.PILOT, mission: a.MISSION, disarm: a.DISARMED},
        a.FAILSAFE: {
            start: a.PILOT, helm: a.PILOT, mission: a.MISSION, command: a.PROGRAM, disarm: a.DISARMED, back: a.PILOT,
        },
        a.WAITING_DISARMED: {start: a.DISARMED, mission: a.DISARMED, command: a.DISARMED, arm: a.PILOT},
        a.DISARMED: {arm: a.PILOT},
    }  # fmt: skip
    return expected[state].get(signal, state)


@pytest.mark.parametrize(("state", "signal"), EVERY)
def test_every_signal_in_every_state(state, signal):
    authority = ControlAuthority(state)
    steered_before, armed_before = authority.steers, authority.armed
    changed = authority.apply(signal)
    assert authority.state is followed(state, signal)
    assert authority.armed == (authority.state not in AT_REST)
    assert authority.waits == (authority.state in {Authority.WAITING, Authority.WAITING_DISARMED})
    if authority.state in STEERING:
        assert authority.steers is authority.state
    assert changed == ((authority.steers, authority.armed) != (steered_before, armed_before))


@pytest.mark.parametrize("before", STEERING)
@pytest.mark.parametrize("signal", [*(signal for signal in Signal if signal is not Signal.ARM), None])
def test_disarmed_it_remembers_who_steers_and_arming_returns_there(before, signal):
    """At rest a hand-over changes who steers once armed, as it would under way; all other signals change nothing."""
    authority = ControlAuthority(before)
    assert authority.apply(Signal.DISARM) and authority.state is Authority.DISARMED and authority.steers is before
    expected = before
    if signal is not None:
        authority.apply(signal)
        if signal in (Signal.TAKE_HELM, Signal.FLY_MISSION, Signal.COMMAND):
            expected = followed(before, signal)
    assert authority.state is Authority.DISARMED
    assert authority.apply(Signal.ARM) and authority.state is expected


def test_every_state_can_be_reached_and_left():
    reached = {after for row in TRANSITIONS.values() for after in row.values()} | {Authority.WAITING}
    assert reached == set(Authority)
    assert all(any(followed(state, signal) is not state for signal in Signal) for state in Authority)


def test_the_page_has_the_diagram_of_the_program():
    page = (Path(__file__).parents[2] / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert f"```mermaid\n{diagram()}\n```" in page
