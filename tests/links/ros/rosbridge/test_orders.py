"""Stick input and setpoints from ROS messages; services on a flight."""

import math

import pytest

from pelagos.errors import CommandError, MessageError
from pelagos.links.ros.rosbridge import orders
from pelagos.session.flight import Flight


@pytest.fixture(scope="module")
def flight():
    flight = Flight("bluerov2_heavy", "royer_field", start={"north_m": -30.0, "east_m": 0.0, "depth_m": 50.0})
    yield flight
    flight.close()


def test_left_up_and_left_turn_become_starboard_down_and_starboard_turn():
    got = orders.sticks({"linear": {"x": 0.1, "y": 0.2, "z": 0.3}, "angular": {"x": 0.4, "y": 0.5, "z": 0.6}})
    assert got.sticks.axes == (0.1, -0.2, -0.3, 0.4, -0.5, -0.6)


def test_what_is_not_said_is_in_the_middle():
    assert orders.sticks({}).centred
    assert orders.sticks({"linear": {"x": 1}}).surge == 1.0


@pytest.mark.parametrize(
    "message",
    [
        {"linear": {"x": 1.5}}, {"angular": {"z": -1.01}}, {"linear": {"x": math.nan}}, {"linear": {"x": "1"}},
        {"linear": [1, 2, 3]}, {"angular": {"x": True}}, {"linear": {"y": math.inf}}, {"linear": {"x": None}},
    ],
)  # fmt: skip
def test_what_is_no_stick_is_refused(message):
    with pytest.raises(MessageError, match="expected"):
        orders.sticks(message)


def test_a_goal_is_a_place_a_depth_and_a_heading():
    half = math.radians(30.0) / 2.0  # yaw 30 deg from east to the left: heading 60
    message = {
        "header": {"frame_id": "map"},
        "pose": {
            "position": {"x": 5.0, "y": -7.0, "z": -12.0},
            "orientation": {"z": 2.0 * math.sin(half), "w": 2.0 * math.cos(half)},
        },
    }
    assert orders.goal(message) == pytest.approx({"north_m": -7.0, "east_m": 5.0, "depth_m": 12.0, "heading_deg": 60.0})
    assert "heading_deg" not in orders.goal({"pose": {"position": {"z": -3.0}}})


def test_a_goal_in_a_frame_that_moves_is_refused():
    with pytest.raises(MessageError, match="expected map"):
        orders.goal({"header": {"frame_id": "base_link"}})


def test_setpoints_are_numbers_or_null():
    assert orders.setpoint({"depth_m": 3, "heading_deg": None}) == {"depth_m": 3, "heading_deg": None}
    with pytest.raises(MessageError, match="number or null"):
        orders.setpoint({"depth_m": "deep"})


def test_topics_that_steer_by_both_names():
    assert orders.command_topic("/cmd_vel", "/pelagos/a") == "/cmd_vel"
    assert orders.command_topic("/pelagos/a/goal_pose", "/pelagos/a") == "/goal_pose"
    assert orders.command_topic("/pelagos/b/cmd_vel", "/pelagos/a") == ""


def test_modes_hold_what_they_say_and_nothing_else(flight):
    def held():
        return {name for name, on in flight.helm.modes.items() if on}

    for mode, expected in (
        ("manual", set()),
        ("stabilise", {"level"}),
        ("position_hold", {"position", "depth", "level", "heading"}),
        ("depth_hold", {"depth", "level", "heading"}),
        ("manual", set()),
    ):
        assert orders.service(flight, "/pelagos/set_mode", {"mode": mode})["success"]
        assert held() == expected


@pytest.mark.parametrize(
    ("name", "values", "why"),
    [
        ("/pelagos/set_mode", {"mode": "depth_hol"}, 'did you mean "depth_hold'),
        ("/pelagos/set_mode", {"mode": 3}, "there is no mode"),
        ("/pelagos/set_mode", {"mode": "auto"}, "no mission"),
        ("/pelagos/arm", {"data": 1}, "true or false"),
        ("/pelagos/hold", {"hold": "wings", "on": True}, "hold hold is 'wings'"),
        (
            "/pelagos/hold",
            {"hold": "depth", "on": True, "depth_m": 4.0},
            "hold has no key 'depth_m'; expected one of hold",
        ),
    ],
)
def test_a_service_that_cannot_says_why(flight, name, values, why):
    done = orders.service(flight, name, values)
    assert not done["success"] and why in done["message"]


def test_arming_and_holding(flight):
    assert orders.service(flight, "/pelagos/arm", {"data": False}) == {"success": True, "message": "disarmed"}
    assert not flight.armed
    assert orders.service(flight, "/pelagos/arm", {"data": True})["success"] and flight.armed
    assert orders.service(flight, "/pelagos/hold", {"hold": "depth", "on": True, "value": 45.0})["success"]
    assert flight.helm.setpoint.depth_m == 45.0
    flight.tick()
    assert orders.service(flight, "/pelagos/reset", {})["success"] and flight.time_s == 0.0


def test_types_are_those_of_the_topics():
    orders.check_type("/a", "", "nav_msgs/Odometry")
    orders.check_type("/a", "nav_msgs/msg/Odometry", "nav_msgs/Odometry")
    with pytest.raises(MessageError, match="; expected nav_msgs/Odometry"):
        orders.check_type("/a", "sensor_msgs/Imu", "nav_msgs/Odometry")


def test_a_vehicle_that_needs_way_says_so():
    """A torpedo at rest cannot hold its position."""
    flight = Flight("remus100", "royer_field", start={"north_m": -30.0, "east_m": 0.0, "depth_m": 20.0})
    try:
        with pytest.raises(CommandError):
            orders.set_mode(flight, "position_hold")
    finally:
        flight.close()
