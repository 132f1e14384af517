"""Legs along straight lines: waypoints, tracklines and lawnmower surveys."""

import math

import numpy as np
import pytest

from pelagos.control import Autopilot
from pelagos.errors import ScenarioError
from pelagos.guidance import Lawnmower, Mission, Trackline, Waypoints
from pelagos.sim.simulation import Simulation
from tests.guidance.kinematic import fly, vehicle_state


def test_a_point_is_reached_within_its_radius():
    leg = Waypoints(points_m=((50.0, 0.0), (50.0, 30.0)), speed_m_s=1.0, acceptance_m=3.0)
    flight = fly(leg, 200.0)
    assert flight.over
    kinds = [kind for kind, _ in flight.guide.news]
    assert kinds == ["waypoint", "waypoint"]
    first_turn = flight.north[np.argmax(flight.heading > 1.0)]
    assert first_turn == pytest.approx(47.0, abs=0.25)  # 3 m before the point, two ticks of 0.1 m
    assert math.hypot(flight.north[-1] - 50.0, flight.east[-1] - 30.0) == pytest.approx(3.0, abs=0.25)


def test_a_point_that_is_missed_counts_when_it_is_abeam():
    """A current that the vehicle cannot stem carries it past: the leg must not turn back for ever."""
    leg = Waypoints(points_m=((300.0, 0.0),), speed_m_s=1.0, acceptance_m=0.5, law="los", lookahead_m=5.0)
    flight = fly(leg, 800.0, current=(0.3, 0.9))
    assert flight.over
    assert flight.north[-1] == pytest.approx(300.0, abs=0.2)  # a tick at 1.3 m/s
    # Delta tan(asin 0.9) is where it drifts to; near there the rate is V cos(beta)^3 / Delta = 1 / 60 s, 400 s flown
    assert flight.east[-1] == pytest.approx(5.0 * math.tan(math.asin(0.9)), rel=0.01)


def test_the_first_line_starts_here():
    guide = Waypoints(points_m=((100.0, 100.0),), speed_m_s=1.0).make(vehicle_state(100.0, 20.0, heading_deg=270.0))
    setpoint = guide.update(vehicle_state(100.0, 20.0, heading_deg=270.0), 0.1)
    assert setpoint.heading_deg == pytest.approx(90.0, abs=1e-9)
    message = guide.values()
    assert (message["cross_track_m"], message["along_track_m"]) == pytest.approx((0.0, 0.0), abs=1e-9)
    assert (message["goal_north_m"], message["goal_east_m"]) == (100.0, 100.0)


def test_depths_of_points_go_at_once_or_along_a_ramp():
    rows = ((20.0, 0.0, 5.0), (60.0, 0.0, 15.0))
    step = fly(Waypoints(points_m=rows, acceptance_m=1.0), 200.0)
    assert set(np.round(step.depth[1:], 6)) == {5.0, 15.0}
    ramp = fly(Waypoints(points_m=rows, acceptance_m=0.0, ramp=True), 200.0)
    second = (ramp.north > 21.0) & (ramp.north < 59.0)
    straight = 5.0 + (ramp.north - 20.0) * 10.0 / 40.0
    # one tick behind: 0.1 m along a slope of 1 in 4
    assert np.abs(ramp.depth - straight)[second].max() == pytest.approx(0.025, abs=1e-6)


def test_what_a_leg_will_ask_for_is_known_beforehand():
    leg = Waypoints(points_m=((20.0, 0.0, 5.0), (60.0, 10.0, 15.0)))
    assert leg.places() == ((20.0, 0.0), (60.0, 10.0))
    assert leg.depths() == (5.0, 15.0)
    assert leg.stops() == ((20.0, 0.0, 5.0), (60.0, 10.0, 15.0))  # not every depth at every place
    assert Trackline(from_m=(0.0, 1.0), to_m=(2.0, 3.0), depth_m=4.0).stops() == ((0.0, 1.0, 4.0), (2.0, 3.0, 4.0))
    assert Waypoints(points_m=((1.0, 2.0),), depth_m=7.0).depths() == (7.0,)
    assert Trackline(from_m=(0.0, 1.0), to_m=(2.0, 3.0)).places() == ((0.0, 1.0), (2.0, 3.0))


def test_a_trackline_is_joined_from_anywhere():
    flight = fly(Trackline(from_m=(0.0, 0.0), to_m=(0.0, 200.0), speed_m_s=1.0), 400.0, at=(-40.0, -60.0, 0.0))
    assert flight.over
    assert flight.cross[0] == pytest.approx(40.0, abs=1e-9)  # south of a line to the east is to starboard
    assert abs(flight.cross[-1]) < 0.05  # double root U / (2 Delta) = 1/16 1/s, 200 s and more
    assert flight.east[-1] == pytest.approx(195.0, abs=0.2)


@pytest.mark.parametrize("along", [0.4, -0.4])
def test_speed_over_ground_is_held_along_the_line(along):
    leg = Trackline(from_m=(0.0, 0.0), to_m=(400.0, 0.0), ground_speed_m_s=1.2, lookahead_m=10.0)
    flight = fly(leg, 200.0, speed=1.2, current=(along, 0.0))
    late = flight.time > 80.0  # ten time constants of 8 s
    over_ground = np.gradient(flight.north, flight.time)[late]
    assert over_ground == pytest.approx(1.2, rel=1e-3)  # exp(-10) of 0.4 m/s is left
    held = np.array([setpoint.speed_m_s for setpoint in flight.setpoints])[late]
    assert held == pytest.approx(1.2 - along, abs=1e-3)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Waypoints(points_m=((0.0, 0.0, -1.0),)), "up is not a depth"),
        (lambda: Waypoints(points_m=((0.0, 0.0, 1.0),), depth_m=3.0), "depths in points_m"),
        (lambda: Waypoints(points_m=((0.0, 0.0),), ramp=True), "expected a depth in every row"),
        (lambda: Trackline(from_m=(1.0, 1.0), to_m=(1.0, 1.0)), "another place than from_m"),
        (lambda: Trackline(from_m=(1.0, 1.0), to_m=(9.0, 1.0), speed_m_s=1.0, ground_speed_m_s=1.0), "keep one"),
        (lambda: Waypoints(points_m=((0.0, 0.0),), depth_m=3.0, altitude_m=4.0), "not together with depth_m"),
    ],
)
def test_what_cannot_be_flown_is_refused(make, message):
    with pytest.raises(ScenarioError, match=message):
        make()


@pytest.mark.slow
def test_iver3_flies_the_box_of_the_hybrid_model_paper():
    """Hunt and Whitcomb IV.A: four sides of 300 m, 5 m deep, with a trackline controller at 1.3 m/s."""
    sim = Simulation("iver3")
    sim.place(depth_m=5.0, surge_m_s=1.3)
    box = ((300.0, 0.0), (300.0, 300.0), (0.0, 300.0), (0.0, 0.0))
    leg = Waypoints(points_m=box, speed_m_s=1.3, depth_m=5.0, law="cross_track", acceptance_m=40.0, lookahead_m=30.0)
    mission = Mission(Autopilot(sim.vehicle, sim.water), [leg])
    sim.control(mission)
    off, last = [], 0
    for _ in range(12000):
        sim.tick()
        if mission.done:
            break
        _, _, cross, along, *_ = mission.values()
        off.append(cross if along > 200.0 else 0.0)
        last = max(last, int(mission.values()[1]))
    assert mission.done and last == 3
    assert np.abs(off).max() < 2.0  # m, the length of the vehicle, on the last third of each side
    assert 4.5 < sim.plant.position_n[2] < 5.5


@pytest.mark.parametrize("overrun", [0.0, 15.0])
@pytest.mark.parametrize("direction", [0.0, 37.0, -120.0])
def test_length_is_that_of_the_formula(overrun, direction):
    leg = Lawnmower(
        corner_m=(3.0, -4.0), length_m=100.0, width_m=45.0, spacing_m=10.0, direction_deg=direction, overrun_m=overrun
    )
    assert leg.lines == 5  # at 0, 10, 20, 30, 40
    assert leg.length_of_track_m == pytest.approx(5 * (100.0 + 2 * overrun) + 4 * 10.0, rel=1e-12)


@pytest.mark.parametrize(("side", "sign"), [("starboard", 1.0), ("port", -1.0)])
def test_the_area_lies_on_its_side(side, sign):
    leg = Lawnmower(corner_m=(0.0, 0.0), length_m=50.0, width_m=20.0, spacing_m=20.0, direction_deg=90.0, side=side)
    first, second, third, fourth = leg.points()
    assert first == pytest.approx((0.0, 0.0), abs=1e-9)
    assert second == pytest.approx((0.0, 50.0), abs=1e-9)
    assert third == pytest.approx((-sign * 20.0, 50.0), abs=1e-9)  # to starboard of east is south
    assert fourth == pytest.approx((-sign * 20.0, 0.0), abs=1e-9)


def test_every_part_of_the_area_is_passed_within_half_a_spacing():
    leg = Lawnmower(corner_m=(0.0, 0.0), length_m=60.0, width_m=30.0, spacing_m=10.0, overrun_m=8.0, acceptance_m=2.0,
                    speed_m_s=1.0, lookahead_m=4.0)  # fmt: skip
    flight = fly(leg, 1000.0, at=(-20.0, 0.0, 0.0))
    assert flight.over
    grid = np.stack(np.meshgrid(np.arange(0.0, 61.0, 2.0), np.arange(0.0, 31.0, 1.0)), -1).reshape(-1, 2)
    track = np.column_stack([flight.north, flight.east])
    nearest = np.min(np.hypot(*(grid[:, None] - track[None]).transpose(2, 0, 1)), axis=1)
    assert nearest.max() < 5.0 + 0.3  # half a spacing and what the turns onto the lines leave
    # corners cut by the radius of acceptance and rounded by the look-ahead make it a little shorter or longer
    flown = np.hypot(np.diff(flight.north), np.diff(flight.east)).sum()
    assert flown == pytest.approx(leg.length_of_track_m + 12.0, rel=0.06)


def test_short_lines_across_are_left_out_where_the_radius_covers_them():
    leg = Lawnmower(corner_m=(0.0, 0.0), length_m=60.0, width_m=4.0, spacing_m=4.0, acceptance_m=5.0, speed_m_s=1.0)
    flight = fly(leg, 400.0)
    index = [kind for kind, _ in flight.guide.news]
    assert flight.over and len(index) == 3  # on the spot of the first corner: line, across, line
    turning = (flight.heading > 60.0) & (flight.heading < 120.0)
    # 6.4 m from the next corner when it is within 5 m of the first: it closes to 5 m at no less than 1 m/s, 1.4 s
    assert turning.sum() <= 20


def test_too_many_lines_are_refused():
    with pytest.raises(ScenarioError, match="makes 20001 lines; expected at most 10000"):
        Lawnmower(corner_m=(0.0, 0.0), length_m=60.0, width_m=2000.0, spacing_m=0.1)
    with pytest.raises(ScenarioError, match="spacing_m"):
        Lawnmower(corner_m=(0.0, 0.0), length_m=60.0, width_m=20.0, spacing_m=math.nan)
