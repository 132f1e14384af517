"""Missions that cannot be flown are refused before they start, each with its key and the reason."""

import pytest

from pelagos.errors import PelagosError
from pelagos.scenario.read import scenario_from
from pelagos.vehicle.load.vehicle import load_vehicle

ROV = {"vehicle": "bluerov2_heavy", "world": {"depth_m": 30.0}}
DEEP = {"vehicle": "iver3", "world": {"depth_m": 500.0}}  # rated for 100 m, Hunt and Whitcomb


def refused(base, **tables):
    with pytest.raises(PelagosError) as caught:
        scenario_from({**base, **tables})
    return str(caught.value)


@pytest.mark.parametrize(
    ("tables", "sentence"),
    [
        ({"control": {"depth_m": -1.0}}, "control.depth_m = -1.0: is above the surface"),
        ({"control": {"depth_m": 31.0}}, "control.depth_m = 31.0: is below the bottom: the water is 30 m deep"),
        ({"start": {"depth_m": 31.0}}, "start.depth_m = 31.0: is below the bottom"),
        (
            {"mission": [{"kind": "goto", "north_m": 5, "east_m": 5, "depth_m": 35}]},
            "depth_m = 35.0: is below",
        ),
        ({"mission": [{"kind": "waypoints", "points_m": [[9, 0, -2]]}]}, "up is not a depth"),
        ({"event": [{"at_s": 1, "depth_m": 40}]}, "event[0].depth_m = 40.0: is below the bottom"),
        ({"event": [{"at_s": 1, "depth_m": -4}]}, "depth_m"),
        ({"navigation": {}}, "navigation: needs instruments"),
        ({"control": {"kind": "direct"}, "mission": [{"kind": "hold"}]}, 'control.kind = "direct" holds no setpoints'),
        ({"event": [{"at_s": 1, "next_leg": True}]}, "event[0].next_leg = true: there is no mission"),
        ({"event": [{"at_s": 1, "tether_rate_m_s": 1.0}]}, "event[0].tether_rate_m_s = 1.0: there is no tether"),
        (
            {"event": [{"at_s": 1, "thrust": {"propeller": 1.0}}]},
            "event[0].thrust.propeller = 1.0: there is no thruster",
        ),
        ({"event": [{"at_s": 1, "ballast": {"tank": 1.0}}]}, "event[0].ballast.tank = 1.0: there is no ballast"),
        ({"event": [{"at_s": 1, "deflect": {"rudder": 1.0}}]}, "event[0].deflect.rudder = 1.0: there is no surface"),
        ({"event": [{"at_s": 1, "thrust": {"front_port": 9.0}}]}, "event[0].thrust.front_port = 9.0: "),
        (
            {"event": [{"at_s": 1, "sticks": {"surge": 2.0}}]},
            "event[0].sticks.surge = 2.0: expected a number from -1 to 1",
        ),
        (
            {"event": [{"at_s": 1, "sticks": {"up": 1.0}}]},
            "event[0].sticks.up = 1.0: there is no stick; expected one of surge, sway",
        ),
        (
            {"fault": [{"kind": "thruster_lost", "at_s": 1, "thruster": "x"}]},
            'fault[0].thruster = "x": expected',
        ),
        ({"fault": [{"kind": "sensor_loss", "at_s": 1, "sensor": "imu"}]}, 'fault[0].sensor = "imu"'),
        ({"fault": [{"kind": "tether_cut", "at_s": 1}]}, "expected a tether to cut"),
    ],
)
def test_what_cannot_be_flown(tables, sentence):
    assert sentence in refused(ROV, **tables)


def test_an_actuator_is_commanded_once():
    twice = {"propeller_rpm": 1.0, "propeller_rad_s": 2.0}
    sentence = refused({"vehicle": "remus100", "world": {"depth_m": 30.0}}, event=[{"at_s": 1, "thrust": twice}])
    assert "event[0].thrust: thruster propeller has two commands" in sentence


def test_a_depth_beyond_the_rating():
    sentence = refused(DEEP, control={"depth_m": 120.0})
    assert "control.depth_m = 120.0: expected at most 100 m, the depth rating of Iver3 (JHU)" in sentence
    sentence = refused(DEEP, mission=[{"kind": "waypoints", "points_m": [[9, 0, 99], [9, 9, 101]]}])
    assert "101.0: expected at most 100 m, the depth rating of" in sentence
    assert scenario_from({**DEEP, "control": {"depth_m": 100.0}}).vehicles[0].control.depth_m == 100.0


def test_a_vehicle_without_a_rating_goes_anywhere():
    deep = {"vehicle": "seawing", "world": {"depth_m": 5000.0}, "start": {"depth_m": 3000.0}}
    assert scenario_from({**deep, "control": {"kind": "direct"}}).vehicles[0].vehicle.depth_rating_m == float("inf")


def test_a_place_on_land():
    world = {"seabed": {"kind": "slope", "depth_m": 10.0, "slope_deg": 45.0, "down_to_deg": 180.0}}
    # 45 degrees up to the north from 10 m: land begins 10 m north
    beyond = [{"kind": "waypoints", "points_m": [[15, 0]]}]
    sentence = refused({"vehicle": "bluerov2_heavy", "world": world}, mission=beyond)
    assert "{north_m = 15.0, east_m = 0.0}: is on land, 5 m above the sea" in sentence


def test_an_altitude_needs_a_bottom():
    sentence = refused({"vehicle": "bluerov2_heavy"}, start={"altitude_m": 3.0})
    assert "start.altitude_m = 3.0: expected a world with a bottom" in sentence


GAVIA = {"vehicle": "gavia", "world": {"depth_m": 60.0}}
NOSE = {"kind": "navigation_sonar", "name": "nose", "n_beams": 5, "fan_deg": 40.0, "max_range_m": 80.0}
LEG = {"kind": "bottom_follow", "points_m": [[90, 0]], "altitude_m": 5.0, "sonar": "nose"}


def test_a_leg_knows_the_sonar_it_names():
    (leg,) = (
        scenario_from({**GAVIA, "sensor": [{**NOSE, "position_m": [1, 0, 0]}], "mission": [LEG]}).vehicles[0].mission
    )
    assert leg.beams_deg == pytest.approx((-20.0, -10.0, 0.0, 10.0, 20.0))
    assert (leg.sonar_range_m, leg.sonar_ahead_m) == (80.0, 1.0)


@pytest.mark.parametrize(
    ("sonar", "leg", "sentence"),
    [
        ({}, {"sonar": "nos"}, 'mission[0].sonar = "nos": no instrument of this name; expected one of nose'),
        ({}, {"beams_deg": [0, 5]}, "mission[0].beams_deg = [0.0, 5.0]: the sonar nose differs"),
        ({}, {"sonar_range_ft": 100}, "sonar_range_m"),
        ({"reading": "horizontal"}, {}, 'mission[0].sonar = "nose": gives readings "horizontal"'),
    ],
)
def test_a_leg_that_does_not_fit_its_sonar(sonar, leg, sentence):
    assert sentence in refused(GAVIA, sensor=[{**NOSE, **sonar}], mission=[{**LEG, **leg}])


def test_a_leg_whose_sonar_is_not_there():
    assert "there are no [[sensor]] tables" in refused(GAVIA, mission=[LEG])


# manufacturers and operators: see the sources in the files
@pytest.mark.parametrize(("vehicle", "deepest"), [("gavia", 1000.0), ("lrauv_tethys", 300.0), ("dsrv", 1524.0)])
def test_ratings_of_more_vehicles(vehicle, deepest):
    assert load_vehicle(vehicle).depth_rating_m == pytest.approx(deepest)
