"""Subscriptions with a manual clock; pages from elsewhere, floods, invalid messages and stalled clients."""

import asyncio
import contextlib
import socket

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from pelagos.errors import CommandError, MessageError
from pelagos.links.counts import Counts
from pelagos.links.ros.rosbridge import server
from pelagos.links.ros.rosbridge.link import Rosbridge
from pelagos.links.ros.rosbridge.server import (
    MOST_ARRIVING,
    MOST_CLIENTS,
    MOST_DROPPED,
    MOST_SUBSCRIPTIONS,
    MOST_WAITING,
    PER_S,
    RosbridgeClient,
    Subscription,
)
from tests.links.ros.afloat import is_cut, wait_for
from tests.links.ros.bridged import LIMIT_S, ROOT, Flown, hear, say, talk


class Clock:
    """The part of an event loop that a subscription uses."""

    def __init__(self):
        self.now, self.timers = 100.0, []

    def time(self):
        return self.now

    def call_at(self, when, function, *values):
        timer = [when, function, values]
        self.timers.append(timer)
        timer_handle = type("Handle", (), {"cancel": lambda handle: self.timers.remove(timer)})
        return timer_handle()

    def go(self, seconds):
        end = self.now + seconds
        while due := sorted((t for t in self.timers if t[0] <= end), key=lambda t: t[0]):
            self.timers.remove(due[0])
            self.now = max(self.now, due[0][0])
            due[0][1](*due[0][2])
        self.now = end


def test_without_a_rate_all_go_out():
    clock, got = Clock(), []
    subscription = Subscription(0.0, 0, got.append)
    for k in range(5):
        subscription.offer(str(k), clock)
    assert got == ["0", "1", "2", "3", "4"]


def test_a_rate_without_a_queue_leaves_out_what_comes_between():
    clock, got = Clock(), []
    subscription = Subscription(0.1, 0, got.append)
    for k in range(10):  # every 40 ms: 0, 120, 240, 360 ms go out
        subscription.offer(str(k), clock)
        clock.go(0.04)
    assert got == ["0", "3", "6", "9"]


def test_a_queue_keeps_the_newest_for_their_turn():
    clock, got = Clock(), []
    subscription = Subscription(0.1, 2, got.append)
    for k in range(6):
        subscription.offer(str(k), clock)
    assert got == ["0"]
    clock.go(0.11)
    assert got == ["0", "4"]
    clock.go(0.11)
    assert got == ["0", "4", "5"]
    subscription.cancel()
    assert not clock.timers


def client():
    clock = Clock()
    return RosbridgeClient(None, Counts("rosbridge"), clock), clock


def test_a_client_that_takes_nothing_loses_the_oldest_and_is_counted():
    member, _ = client()
    for k in range(MOST_WAITING + 10):
        member.put(str(k))
    assert member._counts["dropped_stalled"] == 10
    assert asyncio.run(member.take()) == "10"


def test_two_subscriptions_of_one_topic_are_served_by_the_more_eager():
    member, _clock = client()
    member.subscribe("/a", "slow", 10.0, 0)
    member.subscribe("/a", "fast", 0.0, 0)
    for k in range(3):
        member.offer("/a", str(k))
    assert list(member._waiting) == ["0", "1", "2"]
    member.unsubscribe("/a", "fast")
    member.offer("/a", "3")
    member.offer("/a", "4")
    assert list(member._waiting) == ["0", "1", "2", "3"]
    member.unsubscribe("/a", None)
    assert member.topics == set()


def test_subscriptions_have_an_end():
    member, _ = client()
    for k in range(MOST_SUBSCRIPTIONS):
        member.subscribe("/a", str(k), 0.0, 0)
    with pytest.raises(MessageError, match="too many subscriptions; expected at most"):
        member.subscribe("/b", "more", 0.0, 0)


def test_a_flood_is_noticed():
    member, clock = client()
    read = sum(member.allowed() for _ in range(int(2 * PER_S) + MOST_DROPPED))
    assert read == 2 * PER_S and member.floods  # twice as many at once as in a second
    clock.go(1.0)
    assert member.allowed()


@pytest.fixture
def flown():
    flown = Flown()
    yield flown
    flown.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    "origin", ["http://evil.example", "https://app.example:9090", "null", "http://127.0.0.1.evil.com"]
)
def test_a_page_from_elsewhere_is_not_let_in(flown, origin):
    with pytest.raises(InvalidStatus) as refused, talk(flown, origin=origin):
        pass
    assert refused.value.response.status_code == 403
    assert flown.bridge.counts()["dropped_stranger"] == 1


def test_a_page_of_this_machine_is_let_in(flown):
    with talk(flown, origin="http://localhost:8080") as socket:
        say(socket, op="call_service", service="/rosapi/nodes")
        assert hear(socket, "service_response")["values"] == {"nodes": ["/pelagos"]}


def test_what_is_no_message_is_answered_with_a_sentence_and_counted(flown):
    with talk(flown) as socket:
        for data in ("{", b"\x00\x01", '{"op":"fly"}', '{"op":"subscribe","topic":"/odom"}'):
            socket.send(data)
            assert hear(socket, "status")["level"] == "error"
        say(socket, op="subscribe", topic=f"{ROOT}/odo")
        assert f'did you mean "{ROOT}/odom"' in hear(socket, "status")["msg"]
        say(socket, op="subscribe", topic=f"{ROOT}/odom", type="sensor_msgs/Imu")
        assert "; expected nav_msgs/Odometry" in hear(socket, "status")["msg"]
        say(socket, op="publish", topic="/cmd_vel", msg={"linear": {"x": 9.0}})
        assert "from -1 to 1" in hear(socket, "status")["msg"]
        say(socket, op="advertise", topic="/anything", type="std_msgs/String")
        assert "clients cannot publish to '/anything'" in hear(socket, "status")["msg"]
        say(socket, op="publish", topic="/setpoint", msg={"depht_m": 3.0})
        assert "depth_m" in hear(socket, "status")["msg"]
        say(socket, op="call_service", service="/nothing", id="9")
        assert hear(socket, "service_response")["result"] is False
    assert flown.bridge.counts()["dropped_malformed"] == 8


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        '{"op":"publish","topic":"/setpoint","msg":{"depth_m":%s}}',
        '{"op":"publish","topic":"/cmd_vel","msg":{"linear":{"x":%s}}}',
        '{"op":"publish","topic":"/goal_pose","msg":{"pose":{"position":{"x":%s}}}}',
        '{"op":"call_service","service":"/pelagos/hold","args":{"hold":"depth","on":true,"value":%s}}',
    ],
)
def test_a_number_of_hundreds_of_digits_gets_a_sentence_and_the_flight_goes_on(flown, text):
    with talk(flown) as socket:
        socket.send(text % ("1" + "0" * 400))
        hear(socket, "service_response" if "call_service" in text else "status")
        before = flown.ticks
        wait_for(lambda: flown.ticks > before + 3)
        say(socket, op="call_service", service="/rosapi/nodes")
        assert hear(socket, "service_response")["values"] == {"nodes": ["/pelagos"]}


def test_an_order_that_fails_by_a_fault_of_ours_ends_neither_flight_nor_bridge(flown, monkeypatch):
    def broken(name, values):
        raise ZeroDivisionError(name)

    monkeypatch.setattr(flown.flight, "order", broken)
    with talk(flown) as socket:
        say(socket, op="publish", topic="/setpoint", msg={"depth_m": 40.0})
        assert "/setpoint failed" in hear(socket, "status")["msg"]
        say(socket, op="call_service", service="/pelagos/arm", args={"data": True})
        assert "/pelagos/arm failed" in hear(socket, "status")["msg"]
    assert flown.bridge.counts()["dropped_failed"] == 2


def test_a_message_that_is_too_long_ends_the_line(flown):
    with talk(flown) as socket:
        socket.send("x" * 70_000)
        with pytest.raises(ConnectionClosed) as ended:
            socket.recv(LIMIT_S)
    assert ended.value.rcvd is not None and ended.value.rcvd.code == 1009


@pytest.mark.slow
def test_a_flood_is_dropped_and_the_client_sent_away(flown):
    before = flown.ticks
    with talk(flown) as socket, pytest.raises(ConnectionClosed) as ended:
        for _ in range(100_000):
            socket.send('{"op":"set_level"}')
    assert ended.value.rcvd is not None and ended.value.rcvd.code == 1008
    wait_for(lambda: flown.ticks > before)
    assert flown.bridge.counts()["dropped_flood"] >= 2000


@pytest.mark.slow
def test_a_subscriber_that_takes_nothing_loses_the_oldest_and_holds_nobody_up(flown):
    """Its line fills, then what waits for it; the flight goes on all the while."""
    with talk(flown, max_queue=1) as socket:
        for k in range(150):
            say(socket, op="subscribe", topic=f"{ROOT}/odom", id=f"s{k}")
        wait_for(lambda: flown.bridge._subscribed)
        text = "x" * 60_000
        (client,) = flown.bridge._server.clients
        for _ in range(MOST_WAITING + 200):
            flown.bridge._server.call(client.put, text)
        wait_for(lambda: flown.bridge.counts().get("dropped_stalled", 0) > 0)
        before = flown.ticks
        wait_for(lambda: flown.ticks > before + 20)


def test_addresses_that_cannot_be_are_refused():
    with pytest.raises(CommandError, match="other machines"):
        Rosbridge(host="0.0.0.0")
    bridge = Rosbridge(port=0)
    try:
        with pytest.raises(CommandError, match="cannot listen there"):
            Rosbridge(port=bridge.port)
    finally:
        bridge.close()


def test_one_client_too_many_is_not_let_in(flown):
    with contextlib.ExitStack() as stack:
        for _ in range(MOST_CLIENTS):
            stack.enter_context(talk(flown))
        wait_for(lambda: len(flown.bridge._server.clients) == MOST_CLIENTS)
        with pytest.raises(InvalidStatus) as refused, talk(flown):
            pass
    assert refused.value.response.status_code == 503
    wait_for(lambda: not flown.bridge._server.clients)  # those that left made room


@pytest.mark.slow
def test_connections_that_do_not_shake_hands_are_few_and_do_not_stay(flown, monkeypatch):
    with contextlib.ExitStack() as stack:
        lines = []
        for _ in range(3 * MOST_ARRIVING):
            lines.append(stack.enter_context(socket.create_connection(("127.0.0.1", flown.bridge.port), LIMIT_S)))
        with talk(flown) as client:  # one that says what it wants gets in among them
            say(client, op="call_service", service="/rosapi/nodes")
            assert hear(client, "service_response")["values"] == {"nodes": ["/pelagos"]}
            open_ = [k for k, line in enumerate(lines) if not is_cut(line)]
            assert len(open_) <= MOST_ARRIVING and not set(open_) & set(range(len(lines) - MOST_ARRIVING))
        monkeypatch.setattr(server, "HANDSHAKE_S", 0.2)
        late = stack.enter_context(socket.create_connection(("127.0.0.1", flown.bridge.port), LIMIT_S))
        late.sendall(b"GET / HT")
        with contextlib.suppress(ConnectionError):
            assert late.recv(1) == b""
