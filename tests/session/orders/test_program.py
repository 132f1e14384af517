"""Orders of links on the real kernel: arming, routes, setpoints, actuators, contacts, and their rerun."""

import math

import numpy as np
import pytest

from pelagos.console.hello import hello_of
from pelagos.errors import CommandError
from pelagos.scenario.read import load_scenario
from pelagos.session.flight import Flight
from pelagos.session.orders.table import ORDERS
from pelagos.session.record.rerun import rerun
from pelagos.session.source import Input
from pelagos.sim.log.load import load_log
from pelagos.world.spec import World
from tests.log_difference import largest_difference

THERE = {"key": "1:2:3", "position_m": [30.0, 5.0, 8.0], "velocity_m_s": [-1.0, 0.0, 0.0], "algorithm": 2,
         "time_s": 0.0, "expires_s": 4.0, "length_m": 20.0, "beam_m": 4.0, "height_m": 4.0}  # fmt: skip


def fly(flight, seconds, **sticks):
    flight.input(Input(**sticks))
    for _ in range(round(seconds * flight.rate_hz)):
        flight.tick()
    return dict(zip(flight.columns, flight.state().tolist(), strict=True))


def kinds(flight):
    return [event["kind"] for event in flight.take_events() if "kind" in event]


def refused(flight, order, values):
    before = flight.journal
    n = len(before)
    with pytest.raises(CommandError) as refusal:
        flight.order(order, values)
    assert len(before) == n, "what was refused is not to be flown again"
    assert "\n" not in str(refusal.value)
    return str(refusal.value)


@pytest.fixture
def rov():
    flight = Flight("bluerov2_heavy", World(depth_m=50.0), start={"depth_m": 10.0})
    yield flight
    flight.close()


@pytest.fixture
def torpedo():
    flight = Flight("remus100", World(depth_m=50.0), start={"depth_m": 5.0, "surge_m_s": 1.0})
    yield flight
    flight.close()


def test_disarmed_nothing_turns_whatever_sticks_and_holds_want(rov):
    rov.order("setpoint", {"depth_m": 20.0})
    rov.order("arm", {"on": False})
    state = fly(rov, 2.0, surge=1.0)
    assert not np.any(rov.sim.plant.state["actuators"]["thruster"])
    assert not np.any(rov.sim.plant.command["actuators"]["thruster"])
    assert state["hold_depth_m"] == 20.0 and state["stick_surge"] == 1.0  # remembered
    assert state["surge_m_s"] == pytest.approx(0.0, abs=1e-3)
    rov.order("arm", {"on": True})
    state = fly(rov, 3.0, surge=1.0)
    assert state["surge_m_s"] > 0.1 and state["depth_rate_m_s"] > 0.05
    assert kinds(rov).count("order") == 2


def test_arming_twice_is_arming_once_and_a_switch_is_needed(rov):
    rov.order("arm", {"on": True})
    assert rov.armed and kinds(rov) == []
    assert "expected true or false" in refused(rov, "arm", {"on": 1})


def test_arming_ends_the_wait_and_a_reset_arms(rov):
    assert rov.waits
    rov.order("arm", {"on": False})
    assert rov.waits
    rov.order("arm", {"on": True})
    assert not rov.waits
    rov.order("arm", {"on": False})
    rov.order("reset", {})
    assert rov.armed


def test_the_mission_of_a_scenario_waits_while_disarmed():
    flight = Flight(scenario=load_scenario("first-dive"))
    fly(flight, 1.0)
    mission = flight.mission
    flight.order("arm", {"on": False})
    fly(flight, 1.0)
    assert not np.any(flight.sim.plant.command["actuators"]["thruster"])
    assert flight.flies_mission
    flight.order("hold", {"hold": "mission", "on": False})
    flight.order("hold", {"hold": "mission", "on": True})
    flight.order("arm", {"on": True})
    fly(flight, 0.1)
    assert flight.sim.controller is mission
    flight.close()


def test_a_route_is_flown_leg_by_leg_and_its_events_come_through(rov):
    rov.order("route", {"legs": [{"kind": "goto", "north_m": 3.0, "east_m": 0.0, "depth_m": 10.5, "timeout_s": 50.0}]})
    assert rov.mission is not None and not rov.flies_mission
    hello = hello_of(rov)
    assert "mission" in hello["vehicle"]["can"] and hello["waypoints"] == [[3.0, 0.0, 10.5]]  # a page draws it
    rov.order("hold", {"hold": "mission", "on": True})
    for _ in range(60):
        state = fly(rov, 1.0)
        if rov.mission.done:
            break
    heard = kinds(rov)
    assert "leg" in heard and "mission_done" in heard
    assert state["north_m"] == pytest.approx(3.0, abs=0.5)  # m: it has settled there
    assert state["depth_m"] == pytest.approx(10.5, abs=0.3)


def test_a_new_route_takes_the_place_of_the_old_under_way_and_none_gives_the_helm_back(rov):
    rov.order("route", {"legs": [{"kind": "steady", "heading_deg": 90.0, "depth_m": 11.0, "seconds_s": 60.0}]})
    rov.order("hold", {"hold": "mission", "on": True})
    fly(rov, 1.0)
    first = rov.mission
    rov.order("route", {"legs": [{"kind": "steady", "heading_deg": 180.0, "seconds_s": 60.0}]})
    fly(rov, 1.0)
    assert rov.mission is not first and rov.sim.controller is rov.mission
    assert rov.sim.held.heading_deg == 180.0
    rov.order("route", {"legs": []})
    assert rov.mission is None and rov.sim.controller is rov.helm and not rov.flies_mission
    assert "expected a flight of a scenario, or a route" in refused(rov, "hold", {"hold": "mission", "on": True})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({}, "route needs the key 'legs'"),
        ({"legs": "home"}, "expected a list"),
        ({"legs": [{"kind": "stedy"}]}, 'did you mean "steady"'),
        ({"legs": [{"kind": "steady", "depth_m": 80.0, "seconds_s": 5.0}]}, "is below the bottom"),
        ({"legs": [{"kind": "steady", "speed_m_s": 20.0, "seconds_s": 5.0}]}, "speed_m_s is 20; expected a number"),
        ({"legs": [{"kind": "steady", "seconds_s": 5.0}], "speed_m_s": 9.0}, "route speed_m_s is 9"),
        ({"legs": [{"kind": "steady", "seconds_s": 5.0}], "speed": 1.0}, "did you mean \"speed_m_s\"?"),
        ({"legs": [{"kind": "steady", "seconds_s": 5.0}] * 1001}, "at most 1000"),
    ],
)  # fmt: skip
def test_a_route_that_cannot_be_flown_is_refused_and_nothing_changes(rov, values, sentence):
    assert sentence in refused(rov, "route", values)
    assert rov.mission is None


def test_a_route_that_this_vehicle_cannot_fly_is_refused(torpedo):
    sentence = refused(torpedo, "route", {"legs": [{"kind": "hold", "seconds_s": 5.0}]})
    assert "legs[0], hold" in sentence


def test_a_leg_that_turns_out_impossible_ends_the_route_and_not_the_flight(rov):
    rov.order("route", {"legs": [{"kind": "steady", "heading_deg": 45.0, "seconds_s": 60.0}]})
    rov.order("hold", {"hold": "mission", "on": True})
    fly(rov, 0.5)

    class Refuses:
        def update(self, state, dt):
            raise CommandError("nobody can do that")

        def values(self):
            return {}

    rov.mission._guide = Refuses()
    state = fly(rov, 0.5)
    assert rov.mission.done and "refused" in kinds(rov)
    assert state["hold_heading_deg"] == 45.0  # held on


def test_setpoints_become_holds_and_null_lets_go(rov):
    rov.order("setpoint", {"depth_m": 12.0, "heading_deg": 30.0, "north_m": 1.0, "east_m": 2.0})
    state = fly(rov, 20.0)
    assert state["depth_m"] == pytest.approx(12.0, abs=0.1)  # what the loops leave after 20 s
    assert state["heading_deg"] == pytest.approx(30.0, abs=2.0)
    assert math.hypot(state["north_m"] - 1.0, state["east_m"] - 2.0) < 0.3
    rov.order("setpoint", {"depth_m": None, "north_m": None, "east_m": None, "speed_m_s": 0.2})
    held = rov.helm.setpoint
    assert (held.depth_m, held.north_m, held.heading_deg, held.speed_m_s) == (None, None, 30.0, 0.2)
    rov.order("setpoint", {"roll_deg": None})
    assert not rov.helm.modes["level"]
    rov.order("setpoint", {"pitch_deg": 0.0})
    assert rov.helm.modes["level"]
    assert kinds(rov) == []  # ten of these a second would fill the page


@pytest.mark.slow
@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"depth_m": 12.0, "speed_m_s": 99.0}, "speed to hold is 99"),
        ({"depth_m": 12.0, "heading_deg": float("nan")}, "heading to hold is nan"),
        ({"depth_m": 99.0}, "the water is 50 m deep here"),
        ({"depth_m": "deep"}, "expected a finite number"),
        ({"north_m": 1.0}, "expected both"),
        ({"pitch_deg": 10.0}, "expected 0 or null"),
        ({"dept_m": 1.0}, "did you mean \"depth_m\"?"),
    ],
)  # fmt: skip
def test_a_setpoint_is_taken_whole_or_not_at_all(rov, values, sentence):
    rov.order("setpoint", {"depth_m": 11.0, "heading_deg": 20.0})
    before = rov.helm.setpoint
    assert sentence in refused(rov, "setpoint", values)
    assert rov.helm.setpoint == before


def test_the_mission_is_not_disturbed_by_setpoints_or_actuators():
    flight = Flight(scenario=load_scenario("first-dive"))
    assert "the mission has the helm" in refused(flight, "setpoint", {"depth_m": 1.0})
    assert "the mission has the helm" in refused(flight, "actuators", {"thrusters": {"front_port": 0.1}})
    flight.close()


def test_single_actuators_by_name_and_unit_and_the_helm_back(torpedo):
    name = torpedo.sim.vehicle.surfaces[0].name
    screw = torpedo.sim.vehicle.thrusters[0].name
    torpedo.order("actuators", {"thrusters": {f"{screw}_rpm": 1000.0}})
    torpedo.order("actuators", {"surfaces": {f"{name}_deg": 5.0}})  # the screw goes on
    fly(torpedo, 0.1)
    command = torpedo.sim.plant.command["actuators"]
    assert command["thruster"][0] == pytest.approx(1000.0 * math.pi / 30.0)
    assert command["surface"][0] == pytest.approx(math.radians(5.0))
    torpedo.order("actuators", {})
    assert torpedo.direct is None and torpedo.sim.controller is torpedo.helm


@pytest.mark.slow
@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"thrusters": {"front_prt": 0.1}}, "front_port"),
        ({"thrusters": {"front_port": 1e9}}, "outside its limits"),
        ({"thrusters": 3}, "expected names with numbers"),
        ({"thruster": {"front_port": 0.1}}, "did you mean \"thrusters\"?"),
        ({"thrusters": {"front_port": 0.1}, "surfaces": {"rudder_deg": 1.0}}, "there is no surface"),
    ],
)  # fmt: skip
def test_orders_to_actuators_are_followed_whole_or_not_at_all(rov, values, sentence):
    rov.order("actuators", {"thrusters": {"rear_port": 0.2}})
    before = rov.direct.thrusters.tolist()
    assert sentence in refused(rov, "actuators", values)
    assert rov.direct.thrusters.tolist() == before


def test_a_pilot_who_pulls_the_sticks_has_the_helm_back_from_a_link(rov):
    rov.order("actuators", {"thrusters": {"rear_port": 0.2}})
    fly(rov, 0.2, surge=0.1)  # a nudge is nothing
    assert rov.direct is not None
    fly(rov, 0.5, surge=0.8)
    assert rov.direct is None and rov.sim.controller is rov.helm
    assert "mode" in kinds(rov)


def test_a_setpoint_takes_over_from_single_actuators(rov):
    rov.order("actuators", {"thrusters": {"rear_port": 0.2}})
    rov.order("setpoint", {"heading_deg": 10.0})
    assert rov.direct is None and rov.sim.held.heading_deg == 10.0


def test_contacts_come_move_and_go(rov):
    rov.order("contact", THERE)
    fly(rov, 2.0)
    (contact,) = rov.sim.contacts.at(rov.time_s)
    assert contact.position_n.tolist() == pytest.approx([28.0, 5.0, 8.0])  # 2 s at -1 m/s north
    fly(rov, 2.5)
    assert list(rov.sim.contacts.at(rov.time_s)) == []  # 4 s are over
    rov.order("contact", {**THERE, "expires_s": None})
    rov.order("contact_gone", {"key": "1:2:3"})
    assert list(rov.sim.contacts.at(rov.time_s)) == []


def test_contacts_that_cannot_be_are_refused(rov):
    assert "expected" in refused(rov, "contact", {**THERE, "position_m": [0.0, 1.0]})
    assert "contact_gone key is 7" in refused(rov, "contact_gone", {"key": 7})
    assert rov.waits  # a contact is no order to fly


@pytest.mark.slow
def test_a_flight_with_links_flies_again_to_the_last_bit(tmp_path):
    flight = Flight("bluerov2_heavy", World(depth_m=50.0), start={"depth_m": 10.0}, sensors=True, seed=4)
    flight.record(tmp_path / "a.csv")
    orders = {
        20: ("contact", {**THERE, "position_m": np.array([12.0, 0.0, 10.0])}),  # arrays too
        50: ("setpoint", {"depth_m": 12.0, "heading_deg": 40.0}),
        150: ("arm", {"on": False}),
        200: ("arm", {"on": True}),
        250: ("actuators", {"thrusters": {"front_port": 0.3}}),
        300: ("actuators", {"thrusters": {"rear_port": -0.2}}),
        350: ("actuators", {}),
        400: ("route", {"legs": [{"kind": "steady", "heading_deg": 90.0, "depth_m": 11.0, "seconds_s": 3.0}]}),
        410: ("hold", {"hold": "mission", "on": True}),
        450: ("contact_gone", {"key": "1:2:3"}),
    }
    assert {name for name, _ in orders.values()} >= {name for name, order in ORDERS.items() if order.role == "link"}
    for tick in range(600):
        if tick in orders:
            flight.order(*orders[tick])
        flight.tick()
    flight.close()
    assert largest_difference(load_log(tmp_path / "a.csv"), rerun(tmp_path / "a.csv")) == (0.0, "")
