"""Initial values of holds and their motion by sticks: closed forms, and the limits of vehicle and water."""

import math

import numpy as np
import pytest

from pelagos.control.pilot.holds import TAP, Holds, Pace, bottom, depth_rate_of, heading_rate_of, place_rate, tilted
from pelagos.control.tuning.schedule import Schedule
from pelagos.errors import CommandError
from pelagos.frames import rotation_from_euler
from pelagos.messages import VehicleState


def make_state(pos=(0.0, 0.0, 10.0), nu=(0.0,) * 6, altitude=20.0, roll=0.0, pitch=0.0, yaw=0.0):
    return VehicleState(0.0, np.array(pos), roll, pitch, yaw, np.array(nu), np.array(nu), altitude)


@pytest.fixture(scope="module")
def holds(rov):
    return Holds(Schedule(rov), 0.8)


def test_rates_are_those_of_the_position_and_the_heading():
    """R nu for the velocities; the heading rate from a finite turn of the same body rates."""
    roll, pitch, yaw = 0.3, -0.4, 1.1
    nu = np.array([0.7, -0.2, 0.4, 0.05, -0.08, 0.1])
    state = make_state(nu=nu, roll=roll, pitch=pitch, yaw=yaw)
    v_n = rotation_from_euler(roll, pitch, yaw) @ nu[:3]
    assert place_rate(state) == pytest.approx(tuple(v_n[:2]), abs=1e-12)
    assert depth_rate_of(state) == pytest.approx(float(v_n[2]), abs=1e-12)
    dt = 1e-6
    p, q, r = nu[3:]
    spin = np.array([[0.0, -r, q], [r, 0.0, -p], [-q, p, 0.0]])
    later = rotation_from_euler(roll, pitch, yaw) @ (np.eye(3) + dt * spin)
    turned = math.degrees(math.atan2(later[1, 0], later[0, 0]) - yaw) / dt
    assert heading_rate_of(state) == pytest.approx(turned, abs=1e-3)  # a difference over dt


def test_a_pace_carries_on_pushes_and_lets_go():
    pace = Pace(approach_s=2.0, lead=3.0)
    assert (pace.rest(0.5), pace.rest(-0.5)) == (1.0, -1.0)
    assert pace.step(1.0, 0.5, 0.1) == 0.05 and pace.step(-0.5, 4.0, 0.1) == pytest.approx(-0.075)  # 1.5 m/s at most
    assert pace.pushed(1.0, 0.5) == 1.5 and pace.pushed(2.9, 0.5) == 3.0
    assert pace.pushed(8.0, 0.5) == 8.0 and pace.pushed(8.0, -0.5) == 7.5  # beyond the lead: not cut back to it
    assert pace.left(2.5, 0.5, 0.2) == 1.0  # where the motion ends
    assert pace.left(0.15, 0.0, 0.2) == 0.15 and pace.left(-2.5, 0.5, 0.2) == -0.2  # a tap stays


def test_a_hold_begins_where_a_motion_ends(holds, rov):
    state = make_state(nu=(0.2, 0.0, 0.1, 0.0, 0.0, 0.05), yaw=1.0)
    heave = Schedule(rov).heave
    assert holds.begin("depth", state, False) == pytest.approx((10.0 + 0.1 * heave.approach_s,))
    assert holds.begin("altitude", state, False) == pytest.approx((20.0 - 0.1 * heave.approach_s,))
    assert holds.begin("level", state, False) == (0.0, 0.0)
    assert holds.begin("speed", state, False) == (0.2,)
    north, east = holds.begin("position", state, False)
    assert math.atan2(east, north) == pytest.approx(1.0)
    yaw = Schedule(rov).stage(0.2).yaw
    assert holds.begin("heading", state, False) == pytest.approx((math.degrees(1.0 + 0.05 * yaw.approach_s),))
    (stopped,) = holds.begin("heading", make_state(nu=(0.0, 0.0, 0.0, 0.0, 0.0, 50.0)), False)
    assert 90.0 < stopped < 180.0  # however fast it spins, on the side it turns to
    assert holds.begin("heading", make_state(yaw=-0.1), False) == pytest.approx((360.0 - math.degrees(0.1),))


def test_depth_stays_in_the_water(holds):
    rising = make_state(pos=(0.0, 0.0, 0.05), nu=(0.0, 0.0, -0.4, 0.0, 0.0, 0.0))
    assert holds.begin("depth", rising, False) == (0.0,)
    value = 0.02
    for _ in range(50):
        value = holds.deeper("depth", value, -1.0, rising, False, 0.1)
    assert value == 0.0
    deep = make_state(pos=(0.0, 0.0, 29.95), altitude=0.05)
    assert bottom(deep) == pytest.approx(30.0) and bottom(make_state(altitude=math.nan)) == math.inf
    value = 29.9
    for _ in range(50):
        value = holds.deeper("depth", value, 1.0, deep, False, 0.1)
    assert value == pytest.approx(30.0)
    assert holds.deeper("altitude", 0.01, 1.0, deep, False, 1.0) == 0.0
    assert holds.deeper("altitude", 4.0, 1.0, make_state(altitude=math.nan), False, 1.0) == 4.0  # no bottom to go by


def test_full_stick_moves_at_its_rate_and_no_further_than_the_lead(holds, rov):
    heave, still = Schedule(rov).heave, make_state()
    pace = min(0.5, heave.error_limit / heave.approach_s)
    assert holds.deeper("depth", 10.0, 1.0, still, False, 0.02) == pytest.approx(10.0 + 0.02 * pace)
    assert holds.deeper("altitude", 20.0, 1.0, still, False, 0.02) == pytest.approx(20.0 - 0.02 * pace)
    value = 10.0
    for _ in range(500):
        value = holds.deeper("depth", value, 1.0, still, False, 0.02)
    assert value == pytest.approx(10.0 + heave.error_limit)  # the vehicle does not move
    assert holds.let_go("depth", (value,), still, False) == pytest.approx((10.0 + TAP["depth"],))
    yaw = Schedule(rov).stage(0.0).yaw
    turning = min(30.0, math.degrees(yaw.error_limit) / yaw.approach_s)
    assert holds.turned(359.9, 1.0, still, 0.02) == pytest.approx(0.02 * turning - 0.1, abs=1e-9)
    north, east = holds.shifted((0.0, 0.0), (0.6, 0.8), still, 0.1)
    assert east / north == pytest.approx(0.8 / 0.6)
    assert holds.faster(0.5, 1.0, 0.0, 0.5) == pytest.approx(0.6)
    assert holds.faster(holds.top_speed, 1.0, 0.0, 0.5) == holds.top_speed
    assert tilted((0.0, 5.0), (1.0, 0.0), 0.1) == (2.0, 3.0) and tilted((20.0, 0.0), (1.0, 0.0), 0.1) == (20.0, 0.0)


def test_values_that_cannot_be_get_a_sentence(holds):
    here = make_state()
    for name, value, sentence in (
        ("depth", 31.0, "depth to hold is 31; the water is 30 m deep here"),
        ("depth", -1.0, "depth to hold is -1; expected a number of at least 0"),
        ("altitude", 40.0, "the water is 30 m deep here"),
        ("heading", math.nan, "heading to hold is nan; expected a finite number"),
        ("speed", 9.0, r"speed to hold is 9; expected .* m/s, the speed range of test ROV"),
        ("position", (1.0,), "position to hold is"),
        ("position", 3.0, "position to hold is 3"),
        ("level", 3.0, "level to hold is 3; expected no value"),
    ):
        with pytest.raises(CommandError, match=sentence):
            holds.checked(name, value, here)
    assert holds.checked("position", [1.0, 2.0], here) == (1.0, 2.0)
    assert holds.checked("depth", 5, here) == (5.0,)
