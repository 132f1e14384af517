"""Steering: geometry of segments, and the laws from cross-track error to heading."""

import math

import numpy as np
import pytest

from pelagos.control import Autopilot
from pelagos.engine.laws import wrap
from pelagos.errors import ScenarioError
from pelagos.guidance import Mission, Trackline, Waypoints
from pelagos.guidance.steering import (
    Segment,
    Steering,
    check_rows,
    compass_deg,
    cross_track_rate,
    segments,
    track_length,
)
from pelagos.sim.simulation import Simulation
from pelagos.world.spec import World
from tests.guidance.kinematic import fly, vehicle_state

V, SIDE, AHEAD = 1.5, 0.3, 12.0
CRAB = math.asin(SIDE / V)  # V sin(heading - course) + V_c = 0


def line(law, **keys):
    return Trackline(from_m=(0.0, 0.0), to_m=(2000.0, 0.0), speed_m_s=V, law=law, lookahead_m=AHEAD, **keys)


def test_plain_line_of_sight_stays_off_by_the_closed_form():
    flight = fly(line("los"), 400.0, at=(0.0, 10.0, 0.0), speed=V, current=(0.0, SIDE))
    # Delta tan(beta); after 400 s the transient exp(-V t cos(beta) / Delta) is below 1e-20
    assert flight.cross[-1] == pytest.approx(AHEAD * math.tan(CRAB), rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("law", ["alos", "ilos", "cross_track"])
@pytest.mark.parametrize("side", [SIDE, -SIDE])
def test_the_learning_laws_come_to_the_line_and_know_the_crab(law, side):
    flight = fly(line(law), 600.0, at=(0.0, 10.0, 0.0), speed=V, current=(0.0, side))
    # both roots are U / (2 Delta) = 1/16 1/s: (1 + 37) exp(-37) of 10 m is left after 600 s
    assert abs(flight.cross[-1]) < 1e-6
    assert flight.guide.steering.crab == pytest.approx(math.copysign(CRAB, side), abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("law", ["alos", "ilos", "cross_track"])
def test_near_the_line_the_learning_laws_are_the_stated_oscillator(law):
    """y'' + (U / Delta) y' + (U / (2 damping Delta))^2 y = 0 with damping 0.5, from rest at a small offset."""
    flight = fly(line(law, damping=0.5), 60.0, at=(0.0, 0.05, 0.0), speed=V, dt=0.01)
    rate = V / AHEAD
    omega, decay = rate, 0.5 * rate  # natural frequency U / (2 0.5 Delta); damping 0.5
    ringing = omega * math.sqrt(0.75)
    # at the start y' = -U y0 / Delta, nothing is learnt yet
    b = (-rate + decay) / ringing
    exact = 0.05 * np.exp(-decay * flight.time) * (np.cos(ringing * flight.time) + b * np.sin(ringing * flight.time))
    # 1 % of y0: Euler's steps of 0.01 s (0.1 %), and atan(y / Delta) - y / Delta = 2e-8
    assert np.abs(flight.cross - exact).max() < 0.01 * 0.05


def test_the_crab_is_that_of_the_water_when_the_track_turns():
    steering = Steering(line("alos"))
    steering.crab = CRAB
    steering.turn(0.0, math.pi)  # back on the opposite course: the same water comes from the other side
    assert steering.crab == pytest.approx(-CRAB, abs=1e-12)
    steering.turn(math.pi, math.pi / 2)
    assert steering.crab == pytest.approx(0.0, abs=1e-12)  # along the current, as far as is known
    steering.turn(math.pi / 2, 0.0)
    assert steering.crab == pytest.approx(CRAB, abs=1e-12)  # not forgotten over the line across


@pytest.mark.parametrize("law", ["alos", "ilos"])
def test_a_long_way_back_to_the_line_is_not_taken_for_a_drift(law):
    flight = fly(line(law), 100.0, at=(0.0, 200.0, 0.0), speed=V)
    assert flight.cross[-1] > AHEAD  # it is still on its way, 50 m off
    assert flight.guide.steering.crab == 0.0


def test_the_way_back_starts_with_what_was_learnt_on_the_way_out():
    leg = Waypoints(points_m=((400.0, 0.0), (400.0, 1.0), (0.0, 1.0)), speed_m_s=V, lookahead_m=AHEAD, acceptance_m=2.0)
    guide = leg.make(vehicle_state(speed=V, current=(0.0, SIDE)))
    guide.steering.crab = CRAB
    guide.update(vehicle_state(399.0, 0.0, speed=V, current=(0.0, SIDE)), 0.0)
    assert guide.index == 2
    assert guide.steering.crab == pytest.approx(-CRAB, abs=1e-12)


def test_the_approach_of_the_cross_track_law_is_limited():
    flight = fly(line("cross_track", approach_deg=30.0), 20.0, at=(0.0, 200.0, 0.0), speed=V)
    assert flight.heading[1:] == pytest.approx(330.0, abs=1e-9)
    assert flight.guide.steering.crab == 0.0  # no windup at the limit


def test_a_rate_damps_the_cross_track_law():
    """y' = -U (y / Delta + T_d y' / Delta): the time constant grows from Delta / U by T_d."""
    flight = fly(line("cross_track", rate_s=8.0, damping=100.0), 8.0, at=(0.0, 0.1, 0.0), speed=V, dt=0.01)
    fitted = -1.0 / np.polyfit(flight.time, np.log(flight.cross), 1)[0]
    assert fitted == pytest.approx(AHEAD / V + 8.0, rel=0.02)  # the rate is that of the step before: 0.01 s


def test_speed_across_a_course():
    state = vehicle_state(heading_deg=80.0, speed=2.0, current=(0.2, -0.1))
    north = 2.0 * math.cos(math.radians(80.0)) + 0.2
    east = 2.0 * math.sin(math.radians(80.0)) - 0.1
    chi = math.radians(30.0)
    rate = cross_track_rate(*state.nu[:3].tolist(), state.pitch, state.yaw - chi)
    assert rate == pytest.approx(-north * math.sin(chi) + east * math.cos(chi), abs=1e-12)


def test_without_a_lookahead_it_is_eight_seconds_of_way():
    leg = Trackline(from_m=(0.0, 0.0), to_m=(2000.0, 0.0), speed_m_s=V, law="los")
    flight = fly(leg, 400.0, speed=V, current=(0.0, SIDE))
    assert flight.cross[-1] == pytest.approx(8.0 * V * math.tan(CRAB), rel=1e-9)
    slow = Trackline(from_m=(0.0, 0.0), to_m=(2000.0, 0.0), law="los")
    flight = fly(slow, 400.0, speed=0.2, current=(0.0, 0.1))
    assert flight.cross[-1] == pytest.approx(2.0 * math.tan(math.asin(0.5)), rel=1e-6)  # at least 2 m


@pytest.mark.parametrize(
    ("keys", "message"), [({"lookahead_m": 0.0}, "lookahead_m = 0.0"), ({"speed_m_s": -1.0}, "speed_m_s = -1.0")]
)
def test_what_cannot_be_steered_by_is_refused(keys, message):
    with pytest.raises(ScenarioError, match=message):
        Trackline(from_m=(0.0, 0.0), to_m=(1.0, 0.0), **keys)


@pytest.mark.slow
@pytest.mark.parametrize("law", ["los", "alos", "ilos", "cross_track"])
def test_remus_in_a_side_current(law):
    sim = Simulation("remus100", World(depth_m=50.0, current_m_s=SIDE, current_to_deg=90.0))
    sim.place(depth_m=5.0, east_m=10.0, surge_m_s=V)
    mission = Mission(Autopilot(sim.vehicle, sim.water), [line(law, depth_m=5.0)])
    sim.control(mission)
    log = sim.run(200)
    late = np.asarray(log["time_s"]) > 150.0
    off = np.asarray(log["east_m"])[late]
    if law == "los":
        # 3 %: the screw holds the speed to 1 % and the hull slips sideways a little
        assert off == pytest.approx(AHEAD * math.tan(CRAB), rel=0.03)
    else:
        # within 5 cm: 10 m (1 + t U / 2 Delta) exp(-t U / 2 Delta) is 1 cm at 150 s
        assert np.abs(off).max() < 0.05
        assert np.asarray(log["east_m"]).min() > -2.0  # a pass through the line of less than a fifth of the offset
    assert np.abs(np.asarray(log["depth_m"])[late] - 5.0).max() < 0.25


@pytest.mark.slow
def test_the_turns_of_a_lawnmower_are_not_taken_for_a_drift():
    """Fifteen corners one way after the other: the overshoot into each line stays what it was, and so does the crab.

    What a current of 0.2 m/s to 60 deg does across lines to the north is 0.2 sin 60 deg over the speed of 1.5 m/s.
    """
    import pelagos
    from pelagos.control import Autopilot
    from pelagos.guidance import Lawnmower

    sim = pelagos.Simulation("remus100", pelagos.World(depth_m=30.0, current_m_s=0.2, current_to_deg=60.0))
    sim.place(depth_m=10.0, surge_m_s=1.4)
    leg = Lawnmower(
        corner_m=(30.0, 0.0), length_m=150.0, width_m=175.0, spacing_m=25.0, depth_m=10.0, speed_m_s=1.5
    )  # fmt: skip
    sim.control(pelagos.Mission(Autopilot(sim.vehicle), [leg]))
    log = sim.run(2000.0, until=lambda sim: sim.controller.done)
    off = []
    for k in range(8):
        line = (log["target"] == 2 * k + 1) & (log["north_m"] > 55.0) & (log["north_m"] < 155.0)
        off.append(float(np.abs(log["east_m"][line] - 25.0 * k).max()))
    # turns to one side and to the other alternate; later ones are as wide as the first of their side, within 10 cm
    assert off[6] < off[2] + 0.1 and off[7] < off[3] + 0.1
    mission = sim.controller
    assert mission.done and len(off) == 8
    # the crab of the last lines: closed form within half a degree
    last = (log["target"] == 15.0) & (log["north_m"] < 100.0) & (log["north_m"] > 60.0)
    crab = np.radians(180.0 - log["heading_deg"][last]).mean()
    assert -crab == pytest.approx(math.asin(0.2 * math.sin(math.radians(60.0)) / 1.5), abs=math.radians(0.5))


ROUNDING = 1e-9  # m, of a few operations on numbers of a hundred


def test_starboard_is_positive():
    north_going = Segment((0.0, 0.0), (100.0, 0.0))
    assert north_going.errors(30.0, 4.0) == pytest.approx((30.0, 4.0), abs=ROUNDING)  # east of it is to starboard
    west_going = Segment((0.0, 0.0), (0.0, -100.0))
    assert west_going.errors(5.0, -20.0) == pytest.approx((20.0, 5.0), abs=ROUNDING)  # north of it is to starboard


def test_errors_are_those_of_complex_division():
    """(p - a) / e^(i chi), with north as the real axis and east as the imaginary one."""
    rng = np.random.default_rng(1)
    for a, b, p in rng.uniform(-50.0, 50.0, (20, 3, 2)):
        piece = Segment(tuple(a), tuple(b))
        line = complex(*b) - complex(*a)
        offset = (complex(*p) - complex(*a)) / (line / abs(line))
        assert piece.errors(*p) == pytest.approx((offset.real, offset.imag), abs=ROUNDING)
        assert piece.at(offset.real) == pytest.approx(
            tuple(p - offset.imag * np.array([-math.sin(piece.chi), math.cos(piece.chi)])), abs=ROUNDING
        )


def test_length_of_a_broken_line():
    assert track_length([(0.0, 0.0), (3.0, 4.0), (3.0, 10.0)]) == pytest.approx(11.0, rel=1e-12)
    assert len(segments([(0.0, 0.0), (0.0, 0.0), (1.0, 0.0)])) == 1  # a point twice makes no segment


@pytest.mark.parametrize("turns", [-2, -1, 0, 1, 3])
def test_angles_come_back_from_any_number_of_turns(turns):
    assert wrap(1.0 + turns * 2.0 * math.pi) == pytest.approx(1.0, abs=1e-12)
    assert compass_deg(-math.pi / 2 + turns * 2.0 * math.pi) == pytest.approx(270.0, abs=1e-9)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ((), "at least 1 rows"),
        (((0.0, 1.0, -2.0),), "depth of 0 to 12000 m"),  # above the surface
        (((0.0,),), "north, east"),
        (((0.0, math.nan),), "expected a finite number"),
        (((0.0, 1.0), (0.0, 1.0, 2.0)), "in every row or in none"),
    ],
)
def test_rows_that_are_no_places_are_refused(rows, message):
    with pytest.raises(ScenarioError, match=message):
        check_rows("points_m", rows, 1)
