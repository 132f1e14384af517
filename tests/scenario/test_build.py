"""Building a scenario: simulations match the file."""

import math

import numpy as np
import pytest

import pelagos
from pelagos.control.autopilot.autopilot import Autopilot
from pelagos.control.pilot.sticks import Pilot
from pelagos.errors import ScenarioError
from pelagos.guidance.mission import Mission
from pelagos.scenario.build import prepare
from pelagos.scenario.read import load_scenario, scenario_from
from pelagos.session.scenario_run import run_scenario
from pelagos.sim.commands import DirectControl

SEA = {"depth_m": 40.0}


def scenario(vehicle="bluerov2_heavy", **tables):
    return scenario_from({"vehicle": vehicle, "world": SEA, "duration_s": 1.0, **tables})


def made(**tables):
    return prepare(scenario(**tables)).fleet.sims[0]


def test_the_first_dive_holds_its_setpoints():
    ready = prepare(load_scenario("first-dive"))
    sim = ready.fleet.sims[0]
    assert isinstance(sim.controller, Autopilot) and ready.notes == []
    assert (sim.controller.setpoint.depth_m, sim.controller.setpoint.heading_deg) == (5.0, 90.0)
    assert sim.vehicle.key == "bluerov2_heavy"


def test_the_start_is_where_and_how_the_file_says():
    start = {"north_m": 3.0, "east_m": -2.0, "depth_m": 8.0, "heading_deg": 30.0, "surge_m_s": 0.4}
    sim = made(start=start)
    np.testing.assert_allclose(sim.plant.position_n, [3.0, -2.0, 8.0])
    assert math.degrees(sim.plant.euler[2]) == pytest.approx(30.0)
    assert sim.plant.nu[0] == 0.4
    assert made(start={"altitude_m": 4.0}).plant.position_n[2] == pytest.approx(36.0)


@pytest.mark.parametrize(
    ("control", "kind"),
    [
        ({}, Autopilot),
        ({"kind": "direct"}, DirectControl),
        ({"kind": "pilot", "sticks": {"surge": 0.5}}, Pilot),
    ],
)
def test_the_controller_of_each_kind_of_control(control, kind):
    assert isinstance(made(control=control).controller, kind)


def test_direct_orders_reach_the_thrusters():
    order = {"front_port": 0.25}
    sim = made(control={"kind": "direct", "thrust": order})
    sim.tick()
    names = [thruster.name for thruster in sim.vehicle.thrusters]
    commands = sim.plant.command["actuators"]["thruster"][: len(names)]
    assert commands[names.index("front_port")] == 0.25 and np.count_nonzero(commands) == 1


def test_a_mission_flies_through_the_helm_of_the_file():
    sim = made(mission=[{"kind": "hold", "seconds_s": 5.0}], control={"depth_m": 3.0})
    assert isinstance(sim.controller, Mission) and sim.controller.setpoint.depth_m == 3.0


def test_setpoints_that_cannot_be_held_are_refused_or_noted():
    tables = {"control": {"heading_deg": 90.0}}
    with pytest.raises(ScenarioError, match="Slocum glider cannot hold heading"):
        prepare(scenario("slocum", **tables))
    tables["control"]["if_possible"] = ["heading_deg"]
    (note,) = prepare(scenario("slocum", **tables)).notes
    assert note.startswith("heading is not held")


def test_held_coordinates_stay_to_the_last_bit():
    log = run_scenario(scenario(control={"kind": "direct", "hold": ["depth"]}, start={"depth_m": 8.0})).logs[
        "bluerov2_heavy"
    ]
    assert set(log["depth_m"]) == {8.0}  # without it the buoyant vehicle rises


@pytest.mark.slow
def test_seeds_of_several_vehicles_differ():
    rows = [{"use": "lauv"}, {"use": "lauv", "start": {"east_m": 20.0}}]
    sims = prepare(scenario_from({"vehicle": rows, "world": SEA, "seed": 5})).fleet.sims
    assert [sim.seed for sim in sims] == [5, 6]
    assert [sim.name for sim in sims] == ["lauv_1", "lauv_2"]


def test_a_navigator_needs_instruments_and_is_made_of_them():
    sim = prepare(scenario("remus100", sensor=True, navigation={})).fleet.sims[0]
    assert sim.sensing.navigator is not None
    with pytest.raises(ScenarioError, match="navigation: needs instruments"):
        scenario("remus100", navigation={})


TORPEDO = {"control": {"depth_m": 10.0, "heading_deg": 0.0, "speed_m_s": 1.5}}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tables", "sentence"),
    [
        ({"control": {"speed_m_s": 9.0}}, "control.speed_m_s = 9.0: REMUS"),
        (
            {"mission": [{"kind": "waypoints", "points_m": [[90, 0]], "speed_m_s": 9.0}]},
            "mission[0].speed_m_s = 9.0: REMUS",
        ),
        ({"event": [{"at_s": 5, "speed_m_s": 9.0}]}, "event[0].speed_m_s = 9.0: REMUS"),
        ({"event": [{"at_s": 5, "speed_m_s": -1.0}]}, "need way"),
        (
            {"event": [{"at_s": 5, "north_m": 3.0, "east_m": 3.0}]},
            "event[0].north_m = 3.0: REMUS 100 (Prestero 2001) cannot hold a place: ",
        ),
        (
            {"control": {"depth_m": 10.0, "speed_m_s": 0.8}},
            "control.depth_m = 10.0: REMUS 100 (Prestero 2001) cannot hold depth at 0.8 m/s: ",
        ),
        (
            {"mission": [{"kind": "waypoints", "points_m": [[90, 0]], "speed_m_s": 0.8}]},
            "mission[0]: REMUS 100 (Prestero 2001) cannot hold ",
        ),
        (
            {"event": [{"at_s": 5, "speed_m_s": 0.8}]},
            "event[0]: REMUS 100 (Prestero 2001) cannot hold depth at 0.8 m/s: ",
        ),
        ({"event": [{"at_s": 5, "speed_m_s": 0.8}]}, "expected a speed_m_s of at least 1.1"),
        ({"control": {"kind": "direct"}, "event": [{"at_s": 5, "north_m": 3.0, "east_m": 3.0}]}, "cannot hold a place"),
    ],
)
def test_orders_out_of_reach_are_refused_before_the_run(tables, sentence):
    with pytest.raises(ScenarioError) as caught:
        prepare(scenario("remus100", **{**TORPEDO, **tables}))
    assert sentence in str(caught.value)
    if "9.0" in str(tables):
        top = Autopilot(pelagos.load_vehicle("remus100")).schedule.top_speed
        assert f"expected at most {top:.3g} m/s" in str(caught.value)


def test_orders_within_reach_are_accepted():
    later = [{"at_s": 9, "depth_m": 12.0}, {"at_s": 5, "speed_m_s": 1.2}, {"at_s": 7, "heading_deg": 90.0}]
    (events,) = prepare(scenario("remus100", **TORPEDO, event=later)).events
    assert len(events._waiting) == 3


def test_an_optional_speed_out_of_reach_is_left_out():
    ready = prepare(scenario(control={"speed_m_s": 9.0, "if_possible": ["speed_m_s"]}))
    assert "speed is not held: speed_m_s is 9; BlueROV2" in ready.notes[0] and "expected at most" in ready.notes[0]
    assert ready.fleet.sims[0].controller.setpoint.speed_m_s is None
