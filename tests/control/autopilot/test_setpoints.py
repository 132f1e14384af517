"""The loops of a setpoint, and how changes of single quantities affect it."""

import pytest

from pelagos.control.autopilot.setpoints import changed, plan
from pelagos.control.tuning.schedule import Schedule
from pelagos.errors import CommandError
from pelagos.messages import Setpoint
from pelagos.vehicle.load.vehicle import load_vehicle


def test_an_rov_lifts_and_a_torpedo_dives(rov, torpedo):
    assert plan(Schedule(rov), Setpoint(depth_m=3.0)).loops == {"heave"}
    below = plan(Schedule(torpedo), Setpoint(altitude_m=3.0, heading_deg=0.0))
    assert below.loops == {"dive", "surge", "yaw"} and below.by_planes
    assert below.speed == Schedule(torpedo).cruise  # fins need way


def test_planes_take_over_above_their_speed():
    schedule = Schedule(load_vehicle("phoenix"))
    for share, loop in ((0.35, "heave"), (0.45, "dive")):
        assert loop in plan(schedule, Setpoint(depth_m=2.0, speed_m_s=share * schedule.top_speed)).loops


def test_a_place_has_no_speed_of_its_own(rov):
    hold_plan = plan(Schedule(rov), Setpoint(north_m=1.0, east_m=2.0, speed_m_s=0.3, heading_deg=0.0))
    assert hold_plan.loops == {"place", "yaw"} and hold_plan.speed is None


def test_single_orders():
    held = Setpoint(depth_m=2.0, speed_m_s=1.0)
    assert changed(held, {"altitude_m": 4.0}) == Setpoint(altitude_m=4.0, speed_m_s=1.0)
    assert changed(held, {"speed_m_s": None}) == Setpoint(depth_m=2.0)
    assert changed(Setpoint(north_m=1.0, east_m=2.0), {"north_m": None}) == Setpoint()
    with pytest.raises(CommandError, match='did you mean "heading_deg"'):
        changed(held, {"heading": 3.0})


def test_a_vehicle_that_needs_way_cannot_hold_a_position():
    with pytest.raises(CommandError, match="cannot hold a place: its thrusters push one way only"):
        plan(Schedule(load_vehicle("delphin2")), Setpoint(north_m=0.0, east_m=0.0))
