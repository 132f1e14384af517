"""All links on real flights and sockets, and peers that flood, send rubbish, stall or hang up: every tick comes.

Ticks are counted, not seconds, and what the flight does is the same to the last bit as with nobody there.
"""

import contextlib
import json
import logging
import random
import socket
import threading

import pytest

from pelagos.links.counts import Counts
from pelagos.links.datagrams import Datagrams, udp_socket
from pelagos.links.dis.exercise import Exercise
from pelagos.session.flight import Flight
from pelagos.session.links import LinkSet
from pelagos.session.realtime import Runner
from pelagos.world.spec import World
from tests.console.riding_along import Watcher
from tests.console.served import until

MANY = 3000  # datagrams of a flood
RUBBISH = random.Random(7)


def made():
    return Flight("bluerov2_heavy", World(depth_m=50.0, current_m_s=0.3), start={"depth_m": 10.0}, seed=2)


def alone(ticks):
    """Motion of the same flight after so many ticks with nobody there."""
    flight = made()
    for _ in range(ticks):
        flight.tick()
    motion = flight.sim.plant.position_n.tolist(), flight.sim.plant.nu.tolist()
    flight.close()
    return motion


@contextlib.contextmanager
def flown(*links):
    """A flight that nobody pilots, with these links, in the thread of a runner; then compared with one alone."""
    flights, events = [], []

    def build():
        flights.append(made())
        return flights[-1]

    runner = Runner(build, lambda data: None, events.append, links=LinkSet(links), piloted=False)
    runner.events, runner.flights = events, flights
    runner.start()
    try:
        until(lambda: runner.phase == "ready" and flights[0].ticks > 5)
        yield runner
    finally:
        runner.stop()
    (flight,) = flights
    assert runner.phase == "ready", events[-3:]
    assert (flight.sim.plant.position_n.tolist(), flight.sim.plant.nu.tolist()) == alone(flight.ticks)


def ticks_come(runner, n=50):
    """So many more, whatever goes on."""
    (flight,) = runner.flights
    before = flight.ticks
    until(lambda: flight.ticks >= before + n)


def flood(port, datagrams):
    """All of them to a port of this machine, as fast as it takes them."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        for data in datagrams:
            with contextlib.suppress(OSError):
                sock.sendto(data, ("127.0.0.1", port))


@contextlib.contextmanager
def at_once(*jobs):
    """They run beside the flight."""
    threads = [threading.Thread(target=job, daemon=True) for job in jobs]
    for thread in threads:
        thread.start()
    yield
    for thread in threads:
        thread.join()


def noise(n, longest=1400):
    return [RUBBISH.randbytes(RUBBISH.randrange(longest)) for _ in range(n)]


@pytest.fixture
def exercise():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind(("127.0.0.1", 0))  # somebody who never reads what is sent
        yield Exercise(where=f"127.0.0.1:{other.getsockname()[1]}")


@pytest.mark.slow
def test_a_flood_of_rubbish_at_an_exercise(exercise):
    with flown(exercise) as runner:
        port = exercise.network.port
        head = bytes([7, 1, 1, 1]) + bytes(8)  # at first like an Entity State
        like = [head + data for data in noise(MANY, 200)]
        with at_once(lambda: flood(port, noise(MANY)), lambda: flood(port, like)):
            ticks_come(runner)
        ticks_come(runner)
        assert runner.links.dropped == {}
        counts = exercise.counts()
        assert any(n > 0 for name, n in counts.items() if name.startswith("dropped_")), counts
        assert counts["sent"] > 0  # others were told of us all the while


@pytest.mark.slow
def test_a_flood_of_rubbish_at_a_mavlink_vehicle():
    pytest.importorskip("pymavlink")
    from pelagos.links.mavlink.vehicle import MavlinkVehicle

    vehicle = MavlinkVehicle(where="udpin:127.0.0.1:0")
    with flown(vehicle) as runner:
        frames = [b"\xfd" + data for data in noise(MANY, 280)]
        with at_once(lambda: flood(vehicle.port, noise(MANY)), lambda: flood(vehicle.port, frames)):
            ticks_come(runner)
        ticks_come(runner)
        assert runner.links.dropped == {}
        counts = vehicle.counts()
        assert any(n > 0 for name, n in counts.items() if name.startswith("dropped_")), counts


@pytest.mark.slow
def test_clients_of_rosbridge_that_stall_hang_up_or_talk_nonsense():
    pytest.importorskip("websockets")
    from websockets.sync.client import connect

    from pelagos.links.ros.rosbridge.link import Rosbridge

    bridge = Rosbridge(port=0)
    with flown(bridge) as runner, contextlib.ExitStack() as opened:
        where = f"ws://127.0.0.1:{bridge.port}"
        for _ in range(5):  # never shakes hands
            opened.enter_context(socket.create_connection(("127.0.0.1", bridge.port)))
        rude = opened.enter_context(socket.create_connection(("127.0.0.1", bridge.port)))
        with contextlib.suppress(OSError):
            rude.sendall(RUBBISH.randbytes(20000))
        with connect(where, max_size=None) as short:
            short.send(json.dumps({"op": "subscribe", "topic": "/tf"}))
        deaf = opened.enter_context(connect(where, max_size=None, max_queue=1, close_timeout=1.0))
        for topic in ("/tf", "/clock", "/pelagos/bluerov2_heavy/odom"):
            deaf.send(json.dumps({"op": "subscribe", "topic": topic}))  # and never reads
        mad = opened.enter_context(connect(where, max_size=None, close_timeout=1.0))
        for text in ("", "{", "[]", "7", '{"op": 3}', '{"op": "publish"}', '{"op": "' + "x" * 1000 + '"}', "\x00" * 10):
            with contextlib.suppress(Exception):  # it may have been sent away
                mad.send(text)
        ticks_come(runner, 100)
        assert runner.links.dropped == {}


@pytest.mark.slow
def test_a_foxglove_socket_with_clients_that_never_shake_hands():
    pytest.importorskip("foxglove")
    from pelagos.links.ros.foxglove import FoxgloveServer

    server = FoxgloveServer(port=0)
    with flown(server) as runner, contextlib.ExitStack() as opened:
        for _ in range(5):
            opened.enter_context(socket.create_connection(("127.0.0.1", server.port)))
        ticks_come(runner, 100)
        assert runner.links.dropped == {}


@pytest.mark.slow
@pytest.mark.parametrize("method", ["begin", "before", "after"])
def test_a_rider_that_raises_beside_one_that_does_not(exercise, method, caplog):
    caplog.set_level(logging.CRITICAL, "pelagos.console")
    bad = Watcher("bad", fails=method)
    with flown(bad, exercise) as runner:
        ticks_come(runner)
        assert set(runner.links.dropped) == {"bad"} and runner.links.names == ("dis",)
    assert bad.closed == 1


@pytest.mark.slow
def test_a_link_whose_own_parser_breaks_at_every_datagram():
    class Broken(Watcher):
        def __init__(self):
            super().__init__("broken")
            self._counts = Counts("broken")
            self.link = Datagrams(udp_socket("127.0.0.1", 0), lambda data, sender: 1 / 0, self._counts)

        def counts(self):
            return self._counts.all()

        def close(self):
            super().close()
            self.link.close()

    link = Broken()
    with flown(link) as runner:
        with at_once(lambda: flood(link.link.port, [b"x"] * MANY)):
            ticks_come(runner)
        until(lambda: link.counts().get("dropped_failed", 0) > 10)
        ticks_come(runner)
        assert runner.links.dropped == {}
    links = [event["links"]["broken"] for event in runner.events if event["type"] == "links"]
    assert links and links[-1]["received"] > 0
