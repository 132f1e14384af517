"""The whole link over real sockets with the fake autopilot."""

import contextlib
import math
import random
import socket
import threading
import time

import numpy as np
import pytest

from pelagos.errors import CommandError, DivergedError
from pelagos.links.ardusub import serve as link
from pelagos.links.ardusub.physics import Physics
from pelagos.links.ardusub.serve import ArduSub, serve
from pelagos.links.counts import Counts
from pelagos.sim.log.load import load_log
from pelagos.world.spec import World
from tests.links.ardusub.fake_autopilot import FakeAutopilot, mixed, read_line

PATIENCE_S = 60.0  # of this machine, which stalls for seconds
NEUTRAL = [1500] * 16


class Clock:
    """It stands unless it is put forward: a machine that stalls makes no silence."""

    def __init__(self):
        self.ahead_s = 0.0

    def __call__(self):
        return self.ahead_s


@contextlib.contextmanager
def serving(vehicle="bluerov2_heavy"):
    messages, stop, clock = [], threading.Event(), Clock()
    physics = Physics(
        vehicle, start={"depth_m": 1.0}, counts=Counts("ardusub", messages.append), report=messages.append
    )
    with ArduSub(physics, port=0, clock=clock) as server:
        server.messages, server.wall = messages, clock
        thread = threading.Thread(target=server.run, args=(stop,))
        thread.start()
        try:
            yield server
        finally:
            stop.set()
            thread.join(PATIENCE_S)
            physics.close()
    assert not thread.is_alive()


def wait_for(what):
    until = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < until
        time.sleep(0.01)


@pytest.mark.slow
@pytest.mark.parametrize(("vehicle", "frame", "channels"), [
    ("bluerov2_heavy", "vectored_6dof", 16), ("bluerov2", "vectored", 32),
])  # fmt: skip
def test_the_autopilot_dives_and_holds_depth_and_heading(vehicle, frame, channels):
    """Closed loop in lockstep: only the lines tell the controllers where the vehicle is."""
    with serving(vehicle) as server, FakeAutopilot(server.port, channels=channels, wanted_hz=400.0) as pilot:
        track = pilot.fly(frame, 30.0, depth_m=4.4, heading_rad=math.radians(60.0))
        assert pilot.resets == 0
    depth, heading = track[:, 1], np.degrees(track[:, 2])
    late = track[:, 0] > 25.0
    assert depth[0] == pytest.approx(1.0, abs=0.01)
    assert depth[late] == pytest.approx(4.4, abs=0.05)  # m: what real ArduSub held to 0.01 takes a better controller
    assert heading[late] == pytest.approx(
        60.0, abs=2.0
    )  # deg: 0.05 of throttle, where a T200 begins, over its gain of 2
    # the world that was flown in is at the depth that the last line said
    assert server.physics.sim.plant.position_n[2] == pytest.approx(pilot.state["/position"][2], abs=1e-6)
    assert server.counts["sent"] == pilot.frame


@pytest.mark.slow
def test_the_rate_climbs_as_the_autopilot_wants():
    """From 300 to 1200 Hz by one at each frame: every rate is asked for, and each step is as long as was asked."""
    with serving() as server, FakeAutopilot(server.port, rate_hz=300.0, wanted_hz=1200.0) as pilot:
        stamps = [pilot.exchange(NEUTRAL)["/timestamp"] for _ in range(950)]
    assert pilot.rates == [*range(300, 1200), *([1200] * 50)]
    assert np.diff(stamps) == pytest.approx(1.0 / np.array(pilot.rates[1:]), abs=1e-13)


def test_a_lost_answer_is_asked_for_again_and_no_time_passes():
    with serving() as server, FakeAutopilot(server.port) as pilot:
        pilot.exchange(NEUTRAL)
        packet = pilot.packet(NEUTRAL)
        pilot.socket.settimeout(PATIENCE_S)
        lines = []
        for _ in range(3):
            pilot.socket.sendto(packet, pilot.to)
            lines.append(pilot.socket.recv(65000))
        assert lines[0] == lines[1] == lines[2]
        assert server.counts["resent"] == 2
        pilot.frame += 1
        pilot.socket.sendto(pilot.packet(NEUTRAL), pilot.to)
        later = read_line(pilot.socket.recv(65000))["/timestamp"]
        assert later - read_line(lines[0])["/timestamp"] == pytest.approx(1.0 / int(pilot.rate_hz), abs=1e-12)


def test_a_packet_sent_twice_while_nobody_listened_gets_one_answer():
    """Else the autopilot would read an old line for each new packet from then on."""
    physics = Physics("bluerov2_heavy")
    with ArduSub(physics, port=0) as server, FakeAutopilot(server.port) as pilot:
        for _ in range(4):
            pilot.socket.sendto(pilot.packet(NEUTRAL), pilot.to)
        stop = threading.Event()
        thread = threading.Thread(target=server.run, args=(stop,))
        thread.start()
        pilot.socket.settimeout(PATIENCE_S)
        assert read_line(pilot.socket.recv(65000))["/timestamp"] > 0.0
        pilot.frame += 1
        stamps = [pilot.exchange(NEUTRAL)["/timestamp"] for _ in range(3)]
        stop.set()
        thread.join(PATIENCE_S)
    assert len(set(stamps)) == 3
    assert server.counts["resent"] == 3 and server.counts["sent"] == 4


def test_a_restarted_autopilot_finds_the_world_anew():
    with serving() as server, FakeAutopilot(server.port, wanted_hz=300.0) as pilot:
        dive = mixed("vectored_6dof", throttle=-0.5)
        first = [pilot.exchange(dive)["/position"] for _ in range(200)]
        pilot.frame, pilot.rate_hz = 0, np.float32(300.0)
        again = [pilot.exchange(dive)["/position"] for _ in range(200)]
        assert pilot.resets == 1  # time went back
        assert again == first and first[-1][2] > first[0][2]
        assert server.counts["restarts"] == 1
        assert any("began again with frame 0 after 199" in text for text in server.messages)


def test_a_second_autopilot_is_counted_and_takes_over_after_a_silence():
    with serving() as server, FakeAutopilot(server.port) as owner, FakeAutopilot(server.port) as other:
        for _ in range(20):
            owner.exchange(NEUTRAL)
        for _ in range(30):
            other.socket.sendto(other.packet([1900] * 16), other.to)
        wait_for(lambda: server.counts["dropped_stranger"] == 30)
        stamp = owner.exchange(NEUTRAL)["/timestamp"]
        assert stamp == pytest.approx(sum(1.0 / r for r in owner.rates), abs=1e-12)  # not one step of the other's
        assert sum("is a second autopilot" in text for text in server.messages) == 1  # said once, not thirty times
        server.wall.ahead_s += 1.6
        assert other.exchange(NEUTRAL)["/timestamp"] == pytest.approx(1.0 / 300.0, abs=1e-12)
        assert server.counts["silences"] == 1 and server.counts["restarts"] == 1
        assert any("no packet for 1.5 s: thrusters off" in text for text in server.messages)
        owner.socket.sendto(owner.packet(NEUTRAL), owner.to)
        wait_for(lambda: server.counts["dropped_stranger"] == 31)


@pytest.mark.slow
def test_a_silence_stops_the_thrusters():
    with serving() as server, FakeAutopilot(server.port, wanted_hz=300.0) as pilot:
        dive = mixed("vectored_6dof", throttle=-0.5)
        for _ in range(150):
            before = pilot.exchange(dive)
        thrust = server.physics.sim.plant.state["actuators"]["thruster"]
        assert np.abs(thrust[4:8]).min() > 5.0  # N
        server.wall.ahead_s += 1.6
        wait_for(lambda: server.counts["silences"] == 1)
        assert not thrust[:8].any()
        after = pilot.exchange(dive)  # it goes on where it stood, with no time lost
        assert after["/timestamp"] - before["/timestamp"] == pytest.approx(1.0 / 300.0, abs=1e-12)
        assert server.counts["restarts"] == 0
        assert sum("packets come from" in text for text in server.messages) == 2


@pytest.mark.slow
def test_a_lost_packet_changes_nothing_but_the_wait():
    """ArduPilot sends again after 1.1 s. Whichever was lost, its packet or our line, the flight is the same to the last
    bit as without the loss."""
    dive = mixed("vectored_6dof", throttle=-0.5, forward=0.3)

    def flown(losses):
        with serving() as server, FakeAutopilot(server.port, wanted_hz=300.0) as pilot:
            for k in range(200):
                if k in losses:
                    if losses[k] == "line":
                        pilot.socket.sendto(pilot.packet(dive), pilot.to)
                        pilot.socket.settimeout(PATIENCE_S)
                        pilot.socket.recv(65000)
                    server.wall.ahead_s += 1.1
                    time.sleep(0.5)  # it looks at its clock five times a second
                pilot.exchange(dive)
            assert server.counts["silences"] == 0
            return pilot.state

    assert flown({80: "line", 150: "packet"}) == flown({})


def test_a_flood_of_strangers_does_not_reach_the_one_that_flies():
    """While nothing is read, more comes than a queue holds, and then the autopilot sends: it is answered."""
    physics, clock = Physics("bluerov2_heavy"), Clock()
    with (
        ArduSub(physics, port=0, clock=clock) as server,
        FakeAutopilot(server.port) as pilot,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as vandal,
    ):
        pilot.socket.settimeout(PATIENCE_S)

        @contextlib.contextmanager
        def running():
            stop = threading.Event()
            thread = threading.Thread(target=server.run, args=(stop,))
            thread.start()
            try:
                yield
            finally:
                stop.set()
                thread.join(PATIENCE_S)

        with running():
            pilot.exchange(NEUTRAL)
        for _ in range(2000):
            stranger.sendto(pilot.packet([1900] * 16), pilot.to)
            vandal.sendto(b"rubbish", pilot.to)
        pilot.socket.sendto(pilot.packet(NEUTRAL), pilot.to)
        with running():
            timestamp = read_line(pilot.socket.recv(65000))["/timestamp"]
        assert timestamp == pytest.approx(1 / 300 + 1 / 301, abs=1e-12)
        assert server.owner[1] == pilot.socket.getsockname()[1]
        assert server.counts["restarts"] == server.counts["resent"] == 0


@pytest.mark.slow
def test_rubbish_is_counted_and_dropped():
    draw = random.Random(7)
    with serving() as server, FakeAutopilot(server.port) as pilot:
        pilot.exchange(NEUTRAL)
        sound = pilot.packet(NEUTRAL)
        sent = 0
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as vandal:
            for _ in range(500):
                data = bytearray(sound)
                data[draw.randrange(2)] ^= 1 << draw.randrange(8)  # the magic is wrong
                if draw.random() < 0.5:
                    data = bytearray(draw.randbytes(draw.choice((0, 1, 39, 41, 71, 73, 2000))))
                (vandal if draw.random() < 0.5 else pilot.socket).sendto(bytes(data), pilot.to)
                sent += 1
                if sent % 50 == 0:
                    wait_for(lambda: server.counts["dropped_malformed"] == sent)  # noqa: B023
        assert pilot.exchange(NEUTRAL)["/timestamp"] == pytest.approx(1 / 300 + 1 / 301, abs=1e-12)
        assert server.counts["dropped_malformed"] == sent
        wait_for(lambda: server.counts["sent"] == 2)


@pytest.mark.slow
def test_serve_says_what_it_does_and_keeps_a_log(tmp_path):
    messages, counts, stop = [], {}, threading.Event()
    path = tmp_path / "run.csv"

    def run():
        counts.update(
            serve("bluerov2_heavy", port=0, start={"depth_m": 3.0}, log=path, report=messages.append, stop=stop)
        )

    thread = threading.Thread(target=run)
    thread.start()
    wait_for(lambda: any("waiting for ArduSub" in text for text in messages))
    port = int(next(text for text in messages if "waiting" in text).split(":")[1].split(";")[0])
    with FakeAutopilot(port, wanted_hz=300.0) as pilot:
        for _ in range(320):
            pilot.exchange(NEUTRAL)
    stop.set()
    thread.join(PATIENCE_S)
    assert "frame vectored_6dof: 8 motors on channels 1 to 8" in messages
    assert sum(text.startswith("  motor ") for text in messages) == 8
    assert any("no authentication" in text for text in messages)
    assert counts["received"] == 320 + pilot.resends and counts["sent"] >= 320  # a resend may be answered again
    log = load_log(path)
    assert log["time_s"][-1] == pytest.approx(1.0, abs=0.01) and log.complete  # s: 320 steps of 1/300 and less


def test_a_motion_that_diverges_ends_it_and_leaves_a_log(tmp_path):
    messages, failed = [], []
    path = tmp_path / "wild.csv"

    def run():
        try:
            serve(
                "bluerov2_heavy",
                World(),
                port=0,
                start={"depth_m": 5.0, "surge_m_s": 1000.0},
                log=path,
                report=messages.append,
            )
        except DivergedError as error:
            failed.append(str(error))

    thread = threading.Thread(target=run)
    thread.start()
    wait_for(lambda: any("waiting for ArduSub" in text for text in messages))
    port = int(next(text for text in messages if "waiting" in text).split(":")[1].split(";")[0])
    with FakeAutopilot(port) as pilot:
        pilot.socket.sendto(pilot.packet(NEUTRAL), pilot.to)
        thread.join(PATIENCE_S)
    assert not thread.is_alive() and len(failed) == 1
    log = load_log(path)
    assert len(log) == 1 and not log.complete and log["surge_m_s"][0] == 1000.0


def test_a_port_that_is_taken_and_a_host_that_others_reach(tmp_path):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(CommandError, match="expected an address of this machine and a free port"):
            serve("bluerov2_heavy", port=taken.getsockname()[1], log=tmp_path / "run.csv")
    assert list(tmp_path.iterdir()) == []  # nothing was begun
    with pytest.raises(CommandError, match="no authentication; expected a loopback address, or --allow-remote"):
        serve("bluerov2_heavy", host="0.0.0.0")
    with pytest.raises(CommandError, match="expected 6"):
        serve("seagrant1")
    assert link.PORT == 9002
