"""Bottom following: the rule against its closed form, then a Gavia over its drawn bottom with its sonar."""

import math
from dataclasses import replace

import numpy as np
import pytest

from pelagos.control import Autopilot
from pelagos.errors import ScenarioError
from pelagos.guidance import BottomFollow, Mission
from pelagos.messages import Reading
from pelagos.sensors.sound.altimeter import Altimeter
from pelagos.sensors.sound.navigation_sonar import NavigationSonar
from pelagos.sim.simulation import Simulation
from tests.guidance.kinematic import vehicle_state

FAR = ((1000.0, 0.0),)


def echo(*ranges):
    return {"nose": Reading("nose", 0.0, 0.0, np.array(ranges))}


def start(**keys):
    leg = BottomFollow(points_m=FAR, speed_m_s=2.0, sonar="nose", **{"altitude_m": 5.0, "lead_s": 0.0, **keys})
    return leg.make(vehicle_state(depth=20.0, heading_deg=0.0))


def target(guide, state):
    """The depth that the rule gives at once, before the rate of the order is limited."""
    guide.update(state, 0.1)
    return guide.target_m


def test_without_a_sonar_the_autopilot_holds_the_altitude():
    guide = BottomFollow(points_m=FAR, altitude_m=5.0).make(vehicle_state(depth=20.0))
    setpoint = guide.update(vehicle_state(depth=20.0), 0.1)
    assert (setpoint.altitude_m, setpoint.depth_m) == (5.0, None)


def test_without_an_echo_the_measured_altitude_is_held():
    guide = start()
    assert target(guide, vehicle_state(depth=20.0, altitude_m=3.0)) == pytest.approx(18.0, abs=1e-9)
    guide = start()
    assert guide.update(vehicle_state(depth=20.0), 0.1).depth_m == 20.0  # nothing is known: it stays
    assert guide.news[0][0] == "bottom"


@pytest.mark.parametrize("pitch_deg", [0.0, 8.0, -6.0])
def test_an_echo_ahead_lifts_the_path_by_what_the_climb_does_not_give(pitch_deg):
    guide = start(beams_deg=(2.0,), climb_deg=10.0, sonar_ahead_m=1.0)
    held = target(guide, vehicle_state(depth=20.0, altitude_m=12.0, pitch_deg=pitch_deg, readings=echo(15.0)))
    below, pitch = math.radians(2.0 - pitch_deg), math.radians(pitch_deg)
    ahead = math.cos(pitch) + 15.0 * math.cos(below)
    bottom = 20.0 - math.sin(pitch) + 15.0 * math.sin(below)
    exact = bottom - 5.0 + ahead * math.tan(math.radians(10.0))
    # the echo counts from the near side of its cell of a metre, so the path may be up to 1 m tan(10 deg) higher
    assert exact - math.tan(math.radians(10.0)) - 1e-9 <= held <= exact < 20.0


def test_an_echo_is_remembered_until_it_is_passed():
    guide = start(beams_deg=(0.0,), climb_deg=10.0)
    held = [target(guide, vehicle_state(depth=20.0, altitude_m=20.0, speed=2.0, readings=echo(30.0)))]
    held += [target(guide, vehicle_state(depth=20.0, altitude_m=20.0, speed=2.0)) for _ in range(174)]
    ahead = 30.0 - 0.2 * np.arange(175)
    exact = 20.0 - 5.0 + np.maximum(ahead, 0.0) * math.tan(math.radians(10.0))
    before = ahead > -2.0
    # within a cell, 1 m, of the slope; 3 to 4 m astern it is forgotten: the bottom below is 40 m deep
    assert np.abs(np.array(held) - exact)[before].max() < 1.3 * math.tan(math.radians(10.0))
    assert held[-1] == pytest.approx(40.0 - 5.0, abs=1e-9)


def test_a_range_at_its_limit_is_no_echo():
    for silent in (50.0, math.nan):
        guide = start(beams_deg=(0.0, -5.0))
        assert (
            guide.update(vehicle_state(depth=20.0, altitude_m=5.0, readings=echo(silent, silent)), 0.1).depth_m == 20.0
        )


def test_the_nearest_echo_of_the_sonar_serves_without_the_angles_of_its_beams():
    guide = start(climb_deg=10.0)
    state = vehicle_state(depth=20.0, readings=echo(50.0, 20.0, 20.0, 19.8, 2.0))  # beams, then range, ahead, below
    exact = 22.0 - 5.0 + 19.0 * math.tan(math.radians(10.0))  # the near side of the cell from 19 to 20 m
    assert guide.update(state, 0.1).depth_m == pytest.approx(min(exact, 20.0 + 0.04), abs=0.05)
    state = vehicle_state(depth=20.0, readings=echo(50.0, 20.0, 20.0, 19.8, -6.0))
    assert target(guide, state) == pytest.approx(9.0 + 19.0 * math.tan(math.radians(10.0)), abs=1e-9)


@pytest.mark.parametrize(("altitude", "way"), [(50.0, 1.0), (1.0, -1.0)])
def test_the_order_moves_no_faster_than_the_climb(altitude, way):
    guide = start(climb_deg=10.0)
    per_tick = 0.2 * math.tan(math.radians(10.0))  # 2 m/s for 0.1 s
    for n in (1, 2, 3):
        held = guide.update(vehicle_state(depth=20.0, altitude_m=altitude, speed=2.0), 0.1).depth_m
        assert held == pytest.approx(20.0 + n * way * per_tick, abs=1e-9)


def test_limits_are_reported():
    guide = start(shallowest_m=3.0)
    assert target(guide, vehicle_state(depth=4.0, altitude_m=1.0)) == 3.0
    assert "too shallow" in guide.news[0][1]
    guide = start(deepest_m=20.0)
    assert guide.update(vehicle_state(depth=20.0, altitude_m=30.0), 0.1).depth_m == 20.0
    assert "too deep" in guide.news[0][1]


def test_what_cannot_be_followed_is_refused():
    with pytest.raises(ScenarioError, match="altitude_m: is missing"):
        BottomFollow(points_m=FAR)
    with pytest.raises(ScenarioError, match="sonar: is missing"):
        BottomFollow(points_m=FAR, altitude_m=3.0, beams_deg=(1.0,))


def test_beams_range_and_place_are_those_of_the_sonar():
    leg = BottomFollow(points_m=FAR, altitude_m=5.0)
    sonar = NavigationSonar(
        name="nose", n_beams=3, fan_deg=20.0, tilt_deg=5.0, max_range_m=80.0, position_m=(1.5, 0, 0)
    )
    made = leg.with_sonar(sonar)
    assert (made.sonar, made.sonar_ahead_m, made.sonar_range_m) == ("nose", 1.5, 80.0)
    assert made.beams_deg == pytest.approx((-5.0, 5.0, 15.0))  # tilt and half the fan to both sides
    up = leg.with_sonar(replace(sonar, orientation_deg=(0.0, 2.0, 0.0)))  # mounted 2 deg bow up
    assert up.beams_deg == pytest.approx((-7.0, 3.0, 13.0))
    assert replace(leg, sonar="nose", beams_deg=(-5.0, 5.0, 15.0)).with_sonar(sonar) == made


@pytest.mark.parametrize(
    ("keys", "sensor", "message"),
    [
        ({"beams_deg": (1.0,), "sonar": "nose"}, {}, "beams_deg"),
        ({"sonar_range_m": 50.0}, {}, "sonar_range_m"),
        ({"sonar_ahead_m": 1.0}, {}, "sonar_ahead_m"),
        ({}, {"reading": "horizontal"}, "expected a sonar with reading"),
        ({}, {"orientation_deg": (0.0, 0.0, 90.0)}, "looks ahead"),
    ],
)
def test_a_sonar_that_is_not_the_one_described_is_refused(keys, sensor, message):
    leg = BottomFollow(points_m=FAR, altitude_m=5.0, **keys)
    with pytest.raises(ScenarioError, match=message):
        leg.with_sonar(NavigationSonar(name="nose", max_range_m=80.0, **sensor))


def test_an_altimeter_is_no_sonar():
    with pytest.raises(ScenarioError, match="expected a navigation_sonar"):
        BottomFollow(points_m=FAR, altitude_m=5.0).with_sonar(Altimeter())


def test_gavia_clears_its_drawn_bottom():
    """The mound rises 32 m in 40 m; the vehicle climbs at 11 deg, so that the look ahead decides."""
    altitude, climb, reach = 12.0, 11.0, 100.0
    sonar = NavigationSonar(
        name="nose", n_beams=16, fan_deg=40.0, tilt_deg=5.0, max_range_m=reach, rate_hz=5.0, position_m=(0.97, 0.0, 0.0)
    )
    sim = Simulation("gavia", "gavia_bottom", sensors=[sonar])
    sim.place(depth_m=36.0, east_m=-45.0, heading_deg=90.0, surge_m_s=4.0)
    leg = BottomFollow(
        points_m=((0.0, 230.0),), altitude_m=altitude, speed_m_s=4.0, climb_deg=climb, lead_s=3.0,
    ).with_sonar(sonar)  # fmt: skip
    mission = Mission(Autopilot(sim.vehicle, sim.water), [leg])
    sim.control(mission)
    log = sim.run(68)
    east, height, depth = (np.asarray(log[name]) for name in ("east_m", "altitude_m", "depth_m"))
    assert not np.any(np.asarray(log["contact_N"]) > 0.0)
    assert height.min() > 0.6 * altitude
    # the deepest path that keeps the altitude at this angle, with the whole bottom known: an erosion by a cone
    x = np.arange(-49.0, 249.0, 1.0)
    bottom = sim.world.bottom_m(0.0 * x, x)
    best = np.min(bottom - altitude + np.abs(x - x[:, None]) * math.tan(math.radians(climb)), axis=1)
    off = depth - np.interp(east, x, best)
    # the mean is bounded by what lead_s (12 m) lifts the path, 12 m tan(11 deg) = 2.3 m, and as much lag
    assert np.abs(off).mean() < 4.6
    assert off.max() < 0.5 * altitude
