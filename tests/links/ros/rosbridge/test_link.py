"""rosbridge with the real roslibpy: stick input, orders and published topics."""

import json
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest
from websockets.sync.client import connect

from pelagos.links.ros.rosbridge.link import Rosbridge
from pelagos.session.flight import Flight
from pelagos.session.record.rerun import rerun
from pelagos.session.source import CENTRED
from pelagos.sim.log.load import load_log
from tests.links.ros.afloat import Afloat, rov, wait_for
from tests.links.ros.bridged import LIMIT_S, ROOT, Flown, hear, say, talk


@pytest.fixture
def flown():
    flown = Flown()
    yield flown
    flown.close()


@pytest.mark.slow
def test_roslibpy_flies(flown):
    program = Path(__file__).parents[1] / "flown_by_roslibpy.py"
    done = subprocess.run(
        [sys.executable, str(program), str(flown.bridge.port)], capture_output=True, text=True, timeout=180
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert f"{ROOT}/odom" in report["topics"] and "/cmd_vel" in report["topics"]
    assert report["type"] == "nav_msgs/msg/Odometry"
    assert report["armed"] == {"success": True, "message": "armed"}
    assert report["mode"]["success"]
    assert not report["refused"]["success"] and "no mode" in report["refused"]["message"]
    assert report["moved"] and report["n"] > 5
    first, last = (odom["pose"]["pose"]["position"] for odom in report["odom"])
    assert last["y"] - first["y"] > 1.0 and abs(last["x"] - first["x"]) < 0.5  # ahead is north: y of ENU
    children = [transform["child_frame_id"] for transform in report["static"][0]["transforms"]]
    assert children[0] == "odom"
    assert report["time"]["time"]["sec"] >= 0
    held = flown.flight.helm.setpoint
    assert (held.north_m, held.east_m, held.depth_m) == (-20.0, 0.0, 45.0)
    assert held.heading_deg == pytest.approx(90.0)


@pytest.mark.slow
def test_what_it_did_can_be_flown_again(tmp_path):
    """Everything went through input and order: the journal has it, and the same states come out, bit for bit."""
    flown = Flown(record=tmp_path / "run.csv")
    try:
        with talk(flown) as socket:
            say(socket, op="call_service", service="/pelagos/set_mode", args={"mode": "position_hold"})
            hear(socket, "service_response")
            begun = flown.ticks
            while flown.ticks < begun + 60:  # the dead man lets go if nothing comes
                say(socket, op="publish", topic="/cmd_vel", msg={"linear": {"x": 0.8}, "angular": {"z": -0.4}})
                time.sleep(0.02)
            say(socket, op="publish", topic="/setpoint", msg={"north_m": -25.0, "east_m": 1.0, "depth_m": 48.0})
            wait_for(lambda: flown.flight.helm.setpoint.depth_m == 48.0)
            before = flown.ticks
            wait_for(lambda: flown.ticks > before + 10)
        assert flown.inputs[-1] == CENTRED
        held = flown.flight.helm.setpoint
        assert (held.north_m, held.east_m) == (-25.0, 1.0)  # not moved by the sticks that were out before
    finally:
        flown.close()
    first, again = load_log(tmp_path / "run.csv"), rerun(tmp_path / "run.csv")
    for name in ("north_m", "east_m", "depth_m", "q3", "surge_m_s"):
        assert again[name].tolist() == first[name].tolist()
    assert first["surge_m_s"].max() > 0.05


def test_sticks_go_to_the_middle_when_nothing_comes_any_more():
    wall = [1000.0]
    flown = Flown(clock=lambda: wall[0])
    try:
        with talk(flown) as socket:
            say(socket, op="publish", topic=f"{ROOT}/cmd_vel", msg={"linear": {"x": 0.5, "y": 0.25}})
            wait_for(lambda: flown.inputs and flown.inputs[-1].surge == 0.5)
            assert flown.inputs[-1].sway == -0.25  # left is y
            wall[0] += 0.4
            ticks = flown.ticks
            wait_for(lambda: flown.ticks > ticks + 3)
            assert flown.inputs[-1].surge == 0.5  # not yet
            wall[0] += 0.2
            wait_for(lambda: flown.inputs[-1] == CENTRED)
        assert flown.bridge.counts()["dropped_late"] == 1
        assert any("sticks to the middle" in text for text in flown.messages)
    finally:
        flown.close()


def test_sticks_go_to_the_middle_when_the_client_leaves():
    flown = Flown(clock=lambda: 0.0)  # no time-out
    try:
        with talk(flown) as socket:
            say(socket, op="publish", topic="/cmd_vel", msg={"linear": {"x": 0.5}})
            wait_for(lambda: flown.inputs and flown.inputs[-1].surge == 0.5)
        wait_for(lambda: flown.inputs[-1] == CENTRED)
    finally:
        flown.close()


def test_two_clients_do_not_share_the_sticks():
    flown = Flown(clock=lambda: 0.0)
    try:
        with talk(flown) as first, talk(flown) as second:
            say(first, op="publish", topic="/cmd_vel", msg={"linear": {"x": 0.5}})
            wait_for(lambda: flown.inputs and flown.inputs[-1].surge == 0.5)
            say(second, op="publish", topic="/cmd_vel", msg={"linear": {"x": -1.0}})
            assert "another client" in hear(second, "status")["msg"]
            assert flown.inputs[-1].surge == 0.5
    finally:
        flown.close()


def test_a_subscription_and_its_end(flown):
    with talk(flown) as socket:
        say(socket, op="subscribe", topic="/clock", id="c", type="rosgraph_msgs/msg/Clock")
        times = [hear(socket, "publish")["msg"]["clock"] for _ in range(3)]
        steps = [b["sec"] * 10**9 + b["nanosec"] - a["sec"] * 10**9 - a["nanosec"] for a, b in pairwise(times)]
        assert steps == [20_000_000, 20_000_000]  # every tick of 50 Hz
        say(socket, op="unsubscribe", topic="/clock", id="c")
        wait_for(lambda: not flown.bridge._subscribed)


def test_orders_are_followed_while_time_stands_still():
    flight = Flight("bluerov2_heavy", "royer_field", start={"north_m": -30.0, "east_m": 0.0, "depth_m": 50.0})
    bridge = Rosbridge(port=0)
    try:
        bridge.begin(flight)
        with connect(bridge.address, open_timeout=LIMIT_S, close_timeout=0.2) as socket:
            say(socket, op="call_service", service="/pelagos/hold", args={"hold": "depth", "on": True})
            wait_for(lambda: not bridge._orders.empty())
            bridge.idle(flight)
            assert hear(socket, "service_response")["values"]["success"]
        assert flight.helm.modes["depth"] and flight.time_s == 0.0
    finally:
        bridge.close()
        flight.close()


def test_a_run_that_is_no_flight_is_only_watched():
    session = Afloat(rov())
    bridge = Rosbridge(port=0)
    try:
        bridge.begin(session)
        with connect(bridge.address, open_timeout=LIMIT_S, close_timeout=0.2) as socket:
            say(socket, op="publish", topic="/cmd_vel", msg={})
            assert "the program of this run steers the vehicle" in hear(socket, "status")["msg"]
            say(socket, op="call_service", service="/pelagos/arm", args={"data": True})
            assert "the program of this run steers the vehicle" in hear(socket, "service_response")["values"]
            say(socket, op="subscribe", topic=f"{ROOT}/imu")
            wait_for(lambda: bridge._subscribed)
            bridge.before(session)
            session.tick(bridge)
            session.tick(bridge)
            assert hear(socket, "publish")["msg"]["header"]["frame_id"] == "imu"
    finally:
        bridge.close()
