"""The live server seen by an independent client of foxglove.sdk.v1; misbehaving viewers and shut down connections."""

import contextlib
import json
import logging
import os
import socket
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from rosbags.typesys import Stores, get_typestore
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.sync.client import connect

from pelagos.errors import CommandError, MissingExtraError
from pelagos.links.counts import Counts
from pelagos.links.ros import foxglove
from pelagos.links.ros.foxglove import (
    LOGGER,
    MOST_CONNECTIONS,
    MOST_LINES_LOGGED,
    MUTED_S,
    FoxgloveServer,
    ViewerLog,
    shut_down_connections,
    stop_within,
)
from tests.links.ros.afloat import Afloat, is_cut, rov, wait_for

HUMBLE = get_typestore(Stores.ROS2_HUMBLE)
ROOT = "/pelagos/bluerov2_heavy"
LIMIT_S = 60.0
REPOSITORY = Path(__file__).parents[3]
SERVED = """
import resource, sys
from pelagos.links.ros.foxglove import FoxgloveServer
server = FoxgloveServer(port=0)
resource.setrlimit(resource.RLIMIT_NOFILE, (64, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
print(server.port, flush=True)
sys.stdin.readline()
server.close()
"""


class Viewer:
    """A client: channels by topic, and messages as they come."""

    def __init__(self, line):
        self.socket = line
        self.channels, self.names = {}, {}
        self.info = json.loads(self.socket.recv(LIMIT_S))
        self.times = []

    def advertised(self, topic):
        while topic not in self.channels:
            self.take()
        return self.channels[topic]

    def all_topics(self):
        self.advertised(f"{ROOT}/odom")
        return list(self.channels)

    def take(self):
        """One message: topic, time and bytes, or None for anything else."""
        data = self.socket.recv(LIMIT_S)
        if isinstance(data, str):
            reply = json.loads(data)
            for channel in reply.get("channels", []):
                self.channels[channel["topic"]] = channel
            return None
        if data[0] == 2:
            self.times.append(struct.unpack_from("<Q", data, 1)[0])
            return None
        ident, time_ns = struct.unpack_from("<IQ", data, 1)
        return self.names[ident], time_ns, data[13:]

    def subscribe(self, *topics):
        wanted = [{"id": k, "channelId": self.advertised(topic)["id"]} for k, topic in enumerate(topics, start=1)]
        self.names = dict(enumerate(topics, start=1))
        self.socket.send(json.dumps({"op": "subscribe", "subscriptions": wanted}))

    def get(self, topic, known=lambda time_ns: True):
        while True:
            message = self.take()
            if message and message[0] == topic and known(message[1]):
                return message[1], message[2]


@contextlib.contextmanager
def viewing(server, **options):
    words = {"subprotocols": ["foxglove.sdk.v1"], "open_timeout": LIMIT_S, "close_timeout": 0.2, **options}
    with connect(server.address, **words) as line:
        yield Viewer(line)


def ended(server):
    """Whether its thread ends when it is told to."""
    server.close()
    return not server._thread.is_alive()


@pytest.fixture
def flying():
    """A server, a flight that goes on in a thread, and where it truly was, by time."""
    sim = rov()
    session, server, states, stop = Afloat(sim), FoxgloveServer(port=0), {}, threading.Event()
    server.begin(session)

    def fly():
        while not stop.wait(0.01):
            session.tick(server, events=session.events)
            states[round(sim.time_s * 1e9)] = sim.evaluate()

    thread = threading.Thread(target=fly)
    thread.start()
    yield server, states, session
    stop.set()
    thread.join()
    server.close()


@pytest.mark.slow
def test_a_viewer_gets_the_truth(flying):
    server, states, _ = flying
    with viewing(server) as viewer:
        assert viewer.info["op"] == "serverInfo" and "time" in viewer.info["capabilities"]
        channel = viewer.advertised(f"{ROOT}/odom")
        assert (channel["encoding"], channel["schemaEncoding"]) == ("cdr", "ros2msg")
        assert channel["schemaName"] == "nav_msgs/msg/Odometry" and "geometry_msgs/Pose" in channel["schema"]
        viewer.subscribe(f"{ROOT}/odom", "/tf_static")
        time_ns, data = viewer.get(f"{ROOT}/odom", lambda time_ns: time_ns > 0)  # the start is told too, and is no tick
        wait_for(lambda: time_ns in states)
        place = HUMBLE.deserialize_cdr(data, "nav_msgs/msg/Odometry").pose.pose.position
        assert [place.y, place.x, -place.z] == states[time_ns].position_n.tolist()
        while not viewer.times:  # the clock may come after the first odometry
            viewer.take()
        assert set(viewer.times) <= {k * 20_000_000 for k in range(10**6)}


@pytest.mark.slow
def test_a_viewer_who_comes_late_gets_the_frames(flying):
    server, states, _ = flying
    wait_for(lambda: len(states) > 10)
    with viewing(server) as viewer:
        viewer.subscribe("/tf_static")
        _, data = viewer.get("/tf_static")
    children = [
        transform.child_frame_id for transform in HUMBLE.deserialize_cdr(data, "tf2_msgs/msg/TFMessage").transforms
    ]
    assert children[0] == "odom" and "dvl" in children


@pytest.mark.slow
def test_nothing_is_made_for_nobody_and_a_viewer_that_goes_is_forgotten(flying):
    server, states, _ = flying
    wait_for(lambda: len(states) > 10)
    assert server.counts().get("sent", 0) == 0
    with viewing(server) as viewer:
        viewer.subscribe(f"{ROOT}/odom")
        viewer.get(f"{ROOT}/odom")
    wait_for(lambda: not server.has_subscribers())
    assert server.counts()["sent"] >= 1


@pytest.mark.slow
def test_a_viewer_that_takes_nothing_holds_nobody_up_and_is_counted(flying, request):
    """It reads nothing: its line fills, then what may wait for it; the flight goes on, and so does the end of it."""
    server, states, session = flying
    outboxes, handler = [], logging.Handler()
    handler.emit = lambda record: outboxes.append(record) if "outbox" in record.getMessage() else None
    logging.getLogger(LOGGER).addHandler(handler)
    request.addfinalizer(lambda: logging.getLogger(LOGGER).removeHandler(handler))
    with viewing(server, max_queue=1) as viewer:
        viewer.subscribe(*viewer.all_topics())
        wait_for(server.has_subscribers)
        # many megabytes, more than any buffer of the system takes
        session.events = [{"time_s": 0.0, "kind": "note", "text": "x" * 100_000}] * 16
        wait_for(lambda: outboxes)
        session.events = ()
        assert server.counts()["dropped_stalled"] > 0
        before = len(states)
        wait_for(lambda: len(states) > before + 20)
        assert ended(server)


@pytest.mark.slow
def test_a_line_that_never_finished_to_open_does_not_hold_up_the_end(flying):
    server = flying[0]
    with socket.create_connection(("127.0.0.1", server.port)):
        assert ended(server)


@pytest.mark.slow
def test_nonsense_is_counted_and_not_printed_and_a_flood_of_it_is_sent_away(flying, capfd):
    server, states, _ = flying
    begun = time.monotonic()
    with viewing(server, max_queue=None) as viewer, pytest.raises(ConnectionClosed):
        for _ in range(10_000_000):
            viewer.socket.send("nonsense")
    counted = server.counts()["dropped_malformed"]
    # then it was not listened to any more, for some seconds: a slow machine floods for longer
    assert 0 < counted <= 10 * MOST_LINES_LOGGED * (1.0 + (time.monotonic() - begun) / MUTED_S)
    before = len(states)
    wait_for(lambda: len(states) > before + 20)
    assert "Invalid message" not in capfd.readouterr().err


def test_a_viewer_cannot_steer(flying):
    with viewing(flying[0]) as viewer:
        wish = {"id": 1, "topic": "/cmd_vel", "encoding": "json", "schemaName": "geometry_msgs/msg/Twist"}
        viewer.socket.send(json.dumps({"op": "advertise", "channels": [wish]}))
        while "clientPublish" not in (reply := viewer.socket.recv(LIMIT_S)):
            pass
        assert json.loads(reply)["op"] == "status"


@pytest.mark.slow
def test_who_comes_while_time_stands_still_sees_where_everything_is():
    sim = rov()
    server = FoxgloveServer(port=0)
    try:
        server.begin(Afloat(sim))
        with viewing(server) as viewer:
            viewer.subscribe(f"{ROOT}/odom", "/tf_static", "/tf")
            _, data = viewer.get(f"{ROOT}/odom")
            viewer.get("/tf_static")
            assert viewer.get("/tf")[0] == 0
        place = HUMBLE.deserialize_cdr(data, "nav_msgs/msg/Odometry").pose.pose.position
        assert [place.y, place.x, -place.z] == sim.evaluate().position_n.tolist()
    finally:
        server.close()


def test_the_old_protocol_is_refused(flying):
    with (
        pytest.raises(InvalidStatus),
        connect(flying[0].address, subprotocols=["foxglove.websocket.v1"], open_timeout=LIMIT_S),
    ):
        pass


def test_without_the_package_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "foxglove", None)
    with pytest.raises(MissingExtraError, match=r"\.\[foxglove\]"):
        FoxgloveServer(port=0)


def test_addresses_that_cannot_be_are_refused():
    with pytest.raises(CommandError, match="other machines"):
        FoxgloveServer(host="0.0.0.0")
    server = FoxgloveServer(port=0)
    try:
        with pytest.raises(CommandError, match="cannot listen there"):
            FoxgloveServer(port=server.port)
    finally:
        server.close()


@pytest.fixture
def now():
    return [100.0]


@pytest.fixture
def heard(now):
    counts = Counts("foxglove")
    overheard = ViewerLog(counts, lambda: now[0])
    yield counts, overheard
    overheard.close()


def test_a_flood_of_lines_is_counted_up_to_a_limit_and_again_after_a_while(heard, now):
    counts, overheard = heard
    logger = logging.getLogger(f"{LOGGER}.websocket.connected_client")
    for _ in range(10 * MOST_LINES_LOGGED):
        logger.warning("Invalid message")
    assert counts["dropped_malformed"] == MOST_LINES_LOGGED
    overheard.unmute()
    logger.warning("Invalid message")
    assert counts["dropped_malformed"] == MOST_LINES_LOGGED  # still deaf
    now[0] += MUTED_S
    overheard.unmute()
    logger.warning("Invalid message")
    assert counts["dropped_malformed"] == MOST_LINES_LOGGED + 1


def test_a_viewer_whose_line_is_full_is_stalled_and_other_news_is_none(heard):
    counts, _ = heard
    logger = logging.getLogger(f"{LOGGER}.websocket")
    logger.info("outbox for client 127.0.0.1:1 full")
    logger.info("Registered client 127.0.0.1:1")
    assert counts.all() == {"dropped_stalled": 1}


def test_the_logger_is_as_before_in_the_end():
    logger = logging.getLogger(LOGGER)
    before = logger.level, logger.propagate, list(logger.handlers)
    overheard = ViewerLog(Counts("foxglove"))
    assert not logger.propagate
    overheard.close()
    assert (logger.level, logger.propagate, list(logger.handlers)) == before


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="a system that does not list open files")
def test_lines_of_a_port_are_cut_and_others_are_not():
    with socket.create_server(("127.0.0.1", 0)) as watched, socket.create_server(("127.0.0.1", 0)) as other:
        port = watched.getsockname()[1]
        with (
            socket.create_connection(("127.0.0.1", port), 30.0) as caller,
            socket.create_connection(other.getsockname(), 30.0) as friend,
        ):
            line, kept = watched.accept()[0], other.accept()[0]
            with line, kept:
                assert shut_down_connections(port) == 1
                assert caller.recv(10) == b""
                kept.send(b"still here")
                assert friend.recv(10) == b"still here"
            with socket.create_connection(("127.0.0.1", port), 30.0), watched.accept()[0]:
                pass  # the port itself is left alone


def test_what_ends_by_itself_is_not_cut_and_what_never_ends_is_told():
    assert stop_within(lambda: None, 1)
    never = threading.Event()
    try:
        assert not stop_within(never.wait, 1, 0.01)
    finally:
        never.set()


def viewer(port):
    """One that shakes hands."""
    return connect(f"ws://127.0.0.1:{port}", subprotocols=["foxglove.sdk.v1"], open_timeout=LIMIT_S, close_timeout=0.2)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="a system that does not list the lines of a process")
def test_lines_that_do_not_shake_hands_are_few_and_do_not_stay(monkeypatch):
    server = FoxgloveServer(port=0)
    try:
        with contextlib.ExitStack() as stack:
            stays = stack.enter_context(viewer(server.port))
            assert "serverInfo" in stays.recv(LIMIT_S)
            lines = [socket.create_connection(("127.0.0.1", server.port), LIMIT_S) for _ in range(2 * MOST_CONNECTIONS)]
            for line in lines:
                stack.enter_context(line)
            wait_for(lambda: sum(not is_cut(line) for line in lines) < MOST_CONNECTIONS)
            assert not is_cut(lines[-1])
            monkeypatch.setattr(foxglove, "HANDSHAKE_S", 0.1)
            wait_for(lambda: all(map(is_cut, lines)))
            assert server.counts()["dropped_too_many_clients"] == len(lines)
            stays.ping().wait(LIMIT_S)
    finally:
        server.close()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="a system that does not list the lines of a process")
def test_it_comes_back_when_there_are_file_descriptors_again():
    place = {**os.environ, "PYTHONPATH": os.pathsep.join([str(REPOSITORY), *sys.path])}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", SERVED], env=place, **pipes) as child, contextlib.ExitStack() as stack:
        port = int(child.stdout.readline())
        with contextlib.suppress(OSError):  # the server of the package has ended
            for _ in range(200):
                stack.enter_context(socket.create_connection(("127.0.0.1", port), 5.0))

        def sees():
            with contextlib.suppress(OSError, EOFError, WebSocketException), viewer(port) as connection:
                return "serverInfo" in connection.recv(5.0)
            return False

        wait_for(sees)
        child.stdin.close()
