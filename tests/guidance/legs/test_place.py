"""Legs that hold a position."""

import math

import numpy as np
import pytest

from pelagos.control import Autopilot
from pelagos.errors import CommandError, ScenarioError
from pelagos.guidance import FollowPath, Goto, Hold, Mission
from pelagos.sim.simulation import Simulation
from pelagos.world.spec import World
from tests.guidance.kinematic import fly, vehicle_state


def test_hold_keeps_the_place_where_it_begins():
    guide = Hold(seconds_s=10.0).make(vehicle_state(3.0, -4.0, 2.0, heading_deg=30.0))
    setpoint = guide.update(vehicle_state(3.5, -4.5, 2.0, heading_deg=50.0), 0.1)
    assert (setpoint.north_m, setpoint.east_m) == (3.0, -4.0)
    assert setpoint.heading_deg == pytest.approx(30.0, abs=1e-9)
    assert setpoint.depth_m is None  # no opinion: as it was


def test_hold_is_over_after_its_time():
    flight = fly(Hold(seconds_s=10.0), 60.0)
    assert flight.over
    assert flight.time[-1] == pytest.approx(10.0, abs=0.11)  # a tick


def test_hold_without_a_time_is_over_when_it_is_settled():
    leg = Hold(north_m=5.0, east_m=0.0, tolerance_m=0.5, settle_s=3.0, speed_m_s=0.5)
    flight = fly(leg, 60.0)
    assert flight.over
    assert flight.time[-1] == pytest.approx((5.0 - 0.5) / 0.5 + 3.0, abs=0.3)  # the way at 0.5 m/s, and a tick or two
    assert flight.guide.news[0][0] == "arrived"


def test_goto_waits_for_depth_and_heading_too():
    leg = Goto(north_m=0.0, east_m=0.0, depth_m=10.0, heading_deg=90.0, settle_s=0.0)
    for state, arrived in (
        (vehicle_state(0.0, 0.0, 9.0, heading_deg=90.0), False),
        (vehicle_state(0.0, 0.0, 9.8, heading_deg=80.0), False),
        (vehicle_state(0.6, 0.0, 9.8, heading_deg=88.0), False),
        (vehicle_state(0.2, 0.0, 9.8, heading_deg=88.0), True),
    ):
        assert (leg.make(state).update(state, 0.1) is None) == arrived


def test_goto_over_the_bottom_needs_the_altitude():
    leg = Goto(north_m=0.0, east_m=0.0, altitude_m=2.0, settle_s=0.0)
    for altitude, arrived in ((math.nan, False), (5.0, False), (2.2, True)):
        state = vehicle_state(altitude_m=altitude)
        assert (leg.make(state).update(state, 0.1) is None) == arrived


def test_goto_faces_the_place_until_it_is_near():
    leg = Goto(north_m=0.0, east_m=20.0, face=True, heading_deg=0.0, speed_m_s=0.5, tolerance_m=0.5)
    flight = fly(leg, 100.0)
    far = flight.east < 18.5
    assert flight.heading[1:][far[1:]] == pytest.approx(90.0, abs=1e-6)
    assert flight.over and flight.heading[-1] == pytest.approx(0.0, abs=1e-9)


def test_the_goal_moves_along_the_path_at_its_speed():
    leg = FollowPath(points_m=((0.0, 0.0), (30.0, 0.0), (30.0, 40.0)), speed_m_s=0.5, depth_m=5.0)
    flight = fly(leg, 400.0)
    assert flight.over
    goal = np.array([[setpoint.north_m, setpoint.east_m] for setpoint in flight.setpoints])
    moved = np.hypot(*np.diff(goal, axis=0).T)
    under_way = flight.time[1:] < 139.0
    # 0.05 m a tick; at the corner the chord is shorter, 0.05 / sqrt 2 at least
    assert moved[under_way].max() == pytest.approx(0.05, rel=1e-6)
    assert moved[under_way].min() > 0.05 / math.sqrt(2.0) - 1e-9
    assert flight.time[-1] == pytest.approx(70.0 / 0.5 + leg.settle_s, abs=1.0)
    assert set(np.round([setpoint.heading_deg for setpoint in flight.setpoints], 6)) == {0.0, 90.0}


def test_the_goal_waits_for_a_vehicle_that_is_held_up():
    guide = FollowPath(points_m=((0.0, 0.0), (30.0, 0.0)), speed_m_s=0.5, leash_m=2.0).make(vehicle_state())
    for k in range(600):
        setpoint = guide.update(vehicle_state(time_s=0.1 * k), 0.1)  # it does not move at all
    # d/dt gap = v 2 (1 - gap / leash) beyond half a leash: 2 m less exp(-v t 2 / leash), here exp(-29)
    assert setpoint.north_m == pytest.approx(2.0, abs=1e-6)
    guide = FollowPath(points_m=((100.0, 0.0), (130.0, 0.0)), speed_m_s=0.5).make(vehicle_state())
    assert guide.update(vehicle_state(), 0.1).north_m == 100.0  # it waits at the first point


def test_depths_of_a_path_are_straight_between_its_points():
    leg = FollowPath(points_m=((0.0, 0.0, 10.0), (0.0, 0.0, 11.0), (40.0, 0.0, 20.0)), speed_m_s=0.5)
    flight = fly(leg, 200.0, at=(0.0, 0.0, 10.0))
    north = np.array([setpoint.north_m for setpoint in flight.setpoints])
    depth = np.array([setpoint.depth_m for setpoint in flight.setpoints])
    assert depth == pytest.approx(10.0 + north / 4.0, abs=1e-9)
    assert leg.depths() == (10.0, 11.0, 20.0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Hold(north_m=1.0), "east_m: is missing"),
        (lambda: FollowPath(points_m=((0.0, 0.0), (1.0, 0.0))), "speed_m_s: is missing"),
        (lambda: FollowPath(points_m=((0.0, 0.0), (0.0, 0.0)), speed_m_s=1.0), "two different places"),
        (lambda: FollowPath(points_m=((0.0, 0.0, 1.0), (1.0, 0.0, 1.0)), speed_m_s=1.0, depth_m=1.0), "keep one"),
        (lambda: Goto(north_m=0.0, east_m=0.0, depth_m=-3.0), "depth_m = -3.0"),
    ],
)
def test_what_cannot_be_kept_is_refused(make, message):
    with pytest.raises(ScenarioError, match=message):
        make()


@pytest.mark.slow
@pytest.mark.parametrize("current", [0.0, 0.15])
def test_bluerov_follows_a_pipeline(current):
    sim = Simulation("bluerov2_heavy", World(depth_m=20.0, current_m_s=current, current_to_deg=90.0))
    sim.place(depth_m=15.0)
    pipe = ((5.0, 0.0), (25.0, 0.0), (35.0, 15.0))
    legs = [
        Goto(north_m=5.0, east_m=0.0, depth_m=18.0, heading_deg=0.0, timeout_s=60.0),
        FollowPath(points_m=pipe, altitude_m=2.0, speed_m_s=0.4, timeout_s=200.0),
        Hold(north_m=35.0, east_m=15.0, seconds_s=20.0),
    ]
    mission = Mission(Autopilot(sim.vehicle, sim.water), legs)
    sim.control(mission)
    rows = []
    while not mission.done and sim.time_s < 300.0:
        sim.tick()
        leg, target, cross, along, north, east = mission.values()
        place = sim.plant.position_n
        gap = math.hypot(north - place[0], east - place[1])
        rows.append([leg, target, cross, along, gap, place[2], sim.plant.euler[2], *place[:2]])
    assert "timeout" not in [event.kind for event in mission.events]
    leg, target, cross, along, gap, depth, yaw, north, east = np.array(rows).T
    path = leg == 1.0
    assert np.abs(cross[path]).max() < 0.5  # m, its own length, at the corner too
    straight = path & (((target == 0.0) & (along > 5.0)) | ((target == 1.0) & (along > 5.0)))
    assert np.abs(cross[straight]).max() < 0.1
    assert gap[straight].max() < 1.0  # half a leash: the goal never had to wait
    assert np.abs(depth[straight] - 18.0).max() < 0.2
    on_second = straight & (target == 1.0)
    assert np.degrees(yaw[on_second]) == pytest.approx(math.degrees(math.atan2(15.0, 10.0)), abs=3.0)
    assert math.hypot(north[-1] - 35.0, east[-1] - 15.0) < 0.1


def test_a_torpedo_keeps_no_place():
    sim = Simulation("remus100")
    sim.place(depth_m=5.0)
    sim.control(Mission(Autopilot(sim.vehicle, sim.water), [Hold(seconds_s=10.0)]))
    with pytest.raises(CommandError, match="cannot hold"):
        sim.tick()
