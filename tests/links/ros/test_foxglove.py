"""The live server seen by a WebSocket client of our own, by the published protocol foxglove.sdk.v1."""

import contextlib
import json
import socket
import struct
import sys
import threading
import time

import pytest
from rosbags.typesys import Stores, get_typestore
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from pelagos.errors import CommandError, MissingExtraError
from pelagos.links.ros.foxglove import BACKLOG, DEAF_S, MOST_HEARD, FoxgloveServer
from pelagos.links.ros.topics import event_message
from tests.links.ros.afloat import Afloat, rov, wait_for

HUMBLE = get_typestore(Stores.ROS2_HUMBLE)
ROOT = "/pelagos/bluerov2_heavy"
LIMIT_S = 60.0


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
            said = json.loads(data)
            for channel in said.get("channels", []):
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
    session, server, truth, stop = Afloat(sim), FoxgloveServer(port=0), {}, threading.Event()
    server.begin(session)

    def fly():
        while not stop.wait(0.01):
            session.tick(server)
            truth[round(sim.time_s * 1e9)] = sim.evaluate()

    thread = threading.Thread(target=fly)
    thread.start()
    yield server, truth, session
    stop.set()
    thread.join()
    server.close()


def test_a_viewer_gets_the_truth(flying):
    server, truth, _ = flying
    with viewing(server) as viewer:
        assert viewer.info["op"] == "serverInfo" and "time" in viewer.info["capabilities"]
        channel = viewer.advertised(f"{ROOT}/odom")
        assert (channel["encoding"], channel["schemaEncoding"]) == ("cdr", "ros2msg")
        assert channel["schemaName"] == "nav_msgs/msg/Odometry" and "geometry_msgs/Pose" in channel["schema"]
        viewer.subscribe(f"{ROOT}/odom", "/tf_static")
        time_ns, data = viewer.get(f"{ROOT}/odom", lambda time_ns: time_ns > 0)  # the start is told too, and is no tick
        wait_for(lambda: time_ns in truth)
        place = HUMBLE.deserialize_cdr(data, "nav_msgs/msg/Odometry").pose.pose.position
        assert [place.y, place.x, -place.z] == truth[time_ns].position_n.tolist()
        while not viewer.times:  # the clock may come after the first odometry
            viewer.take()
        assert set(viewer.times) <= {k * 20_000_000 for k in range(10**6)}


def test_a_viewer_who_comes_late_gets_the_frames(flying):
    server, truth, _ = flying
    wait_for(lambda: len(truth) > 10)
    with viewing(server) as viewer:
        viewer.subscribe("/tf_static")
        _, data = viewer.get("/tf_static")
    children = [one.child_frame_id for one in HUMBLE.deserialize_cdr(data, "tf2_msgs/msg/TFMessage").transforms]
    assert children[0] == "odom" and "dvl" in children


def test_nothing_is_made_for_nobody_and_a_viewer_that_goes_is_forgotten(flying):
    server, truth, _ = flying
    wait_for(lambda: len(truth) > 10)
    assert server.counts().get("sent", 0) == 0
    with viewing(server) as viewer:
        viewer.subscribe(f"{ROOT}/odom")
        viewer.get(f"{ROOT}/odom")
    wait_for(lambda: not server.wanted())
    assert server.counts()["sent"] >= 1


def test_a_viewer_that_takes_nothing_holds_nobody_up_and_is_counted(flying):
    """It reads nothing: its line fills, then what may wait for it; the flight goes on, and so does the end of it."""
    server, truth, _ = flying
    with viewing(server, max_queue=1) as viewer:
        viewer.subscribe(*viewer.all_topics())
        text = "x" * 100_000
        message = event_message({"time_s": 0.0, "kind": "note", "text": text})
        wait_for(server.wanted)
        for _ in range(2 * BACKLOG):
            server._send(message)  # many megabytes: more than any buffer of the system takes
        wait_for(lambda: server.counts().get("dropped_stalled", 0) > 0)
        before = len(truth)
        wait_for(lambda: len(truth) > before + 20)
        assert ended(server)


def test_a_line_that_never_finished_to_open_does_not_hold_up_the_end(flying):
    server = flying[0]
    with socket.create_connection(("127.0.0.1", server.port)):
        assert ended(server)


def test_nonsense_is_counted_and_not_printed_and_a_flood_of_it_is_sent_away(flying, capfd):
    server, truth, _ = flying
    begun = time.monotonic()
    with viewing(server, max_queue=None) as viewer, pytest.raises(ConnectionClosed):
        for _ in range(10_000_000):
            viewer.socket.send("nonsense")
    counted = server.counts()["dropped_malformed"]
    # then it was not listened to any more, for some seconds: a slow machine floods for longer
    assert 0 < counted <= 10 * MOST_HEARD * (1.0 + (time.monotonic() - begun) / DEAF_S)
    before = len(truth)
    wait_for(lambda: len(truth) > before + 20)
    assert "Invalid message" not in capfd.readouterr().err


def test_a_viewer_cannot_steer(flying):
    with viewing(flying[0]) as viewer:
        wish = {"id": 1, "topic": "/cmd_vel", "encoding": "json", "schemaName": "geometry_msgs/msg/Twist"}
        viewer.socket.send(json.dumps({"op": "advertise", "channels": [wish]}))
        while "clientPublish" not in (said := viewer.socket.recv(LIMIT_S)):
            pass
        assert json.loads(said)["op"] == "status"


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
        with pytest.raises(CommandError, match="cannot be listened to"):
            FoxgloveServer(port=server.port)
    finally:
        server.close()
