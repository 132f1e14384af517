"""Waypoints of a scenario are those of its mission."""

from pelagos.scenario.read import load_scenario
from pelagos.scenario.waypoints import scenario_waypoints


def test_waypoints_are_those_of_the_mission():
    scenario = load_scenario("rov-hover-wellhead")
    # two legs to one place, 2.5 m over a bottom at 100 m
    assert scenario_waypoints(scenario, 0) == [(35.0, -15.0, 97.5), (35.0, -15.0, 97.5)]
    lawn = load_scenario("remus-lawnmower")
    depths = {point[2] for point in scenario_waypoints(lawn, 0)}
    assert len(scenario_waypoints(lawn, 0)) >= 4 and depths == {lawn.vehicles[0].mission[0].depth_m}
