"""The link over real sockets."""

import contextlib
import json
import re
import socket
import threading
import time

import numpy as np
import pytest

from pelagos.errors import CommandError, DivergedError
from pelagos.links.robot.host import SimulationHost
from pelagos.links.robot.messages import LARGEST_LINE
from pelagos.links.robot.protocol import BAD_LINES
from pelagos.links.robot.recorded import RecordedHost
from pelagos.links.robot.server import LINES, LOCKSTEP_S, MOST_PEERS, RobotServer, ticks_per_exchange
from pelagos.scenario.build import prepare
from pelagos.scenario.read import scenario_from
from pelagos.session.lockstep import LockstepSession
from pelagos.session.session import Session
from pelagos.sim.commands import DirectControl
from pelagos.sim.log.load import load_log
from pelagos.sim.log.run_recorder import RunRecorder
from tests.links.robot.linked import TABLES, Client, served, tank_host

LAST_S = 30.0  # no wait of a test is that long unless something hangs


def until(condition):
    """Wait for something that another thread does."""
    end = time.monotonic() + LAST_S
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def orders(n):
    """A flight in which every way of steering comes."""
    if n % 50 < 20:
        return {"thrusters": {"port_screw_rpm": 500.0 - n, "bow_vertical_V": (n % 7) * 1.1}}
    if n % 50 < 30:
        return {"surfaces": {"bow_rudders_deg": n % 20 - 10.0}}
    if n % 50 < 40:
        return {"setpoint": {"depth_m": 4.0 + 0.01 * n, "heading_deg": 3.0 * n % 360.0, "speed_m_s": 0.3}}
    return {"sticks": {"surge": 0.5, "yaw": (n % 3) / 3.0}} if n % 50 < 45 else {}


def in_process(log):
    """The same orders given to a simulation of the same scenario by calls."""
    (sim,) = prepare(scenario_from(TABLES)).fleet.sims
    sim.make_ready(60.0)
    sim.in_run(True)
    task = RunRecorder(sim, path=log, forces=False)
    task.begin()
    session = Session([sim], recorders=[task])
    for n in range(1, 201):
        for way, command in orders(n).items():
            if way in ("thrusters", "surfaces") and not isinstance(sim.controller, DirectControl):
                sim.control(DirectControl(sim.vehicle))  # over the link such an order takes all actuators
            call = {"thrusters": sim.thrust, "surfaces": sim.deflect, "setpoint": sim.command, "sticks": sim.pilot}
            call[way](**command)
        session.tick()
    session.close()
    return load_log(log)


@pytest.mark.slow
def test_orders_in_lockstep_give_the_log_of_the_same_calls_bit_for_bit(tmp_path):
    with served(tank_host(log=tmp_path / "linked.csv")) as server, Client(server) as robot, Client(server) as watcher:
        robot.hello()
        watcher.hello(role="follower", forces=True)
        answers = [robot.ask("order", seq=n, **orders(n)) for n in range(1, 201)]
        assert all(answer["type"] == "state" for answer in answers)
        watched = [watcher.take() for _ in answers]
        robot.ask("bye", end=True)
        server.thread.join(LAST_S)
    linked, alone = load_log(tmp_path / "linked.csv"), in_process(tmp_path / "alone.csv")
    assert linked.complete and len(linked) == 201
    assert list(linked.columns) == list(alone.columns)
    for name in alone.columns:
        assert np.array_equal(linked[name], alone[name], equal_nan=True), name
    for answer, copy, depth in zip(answers, watched, linked["depth_m"][1:].tolist(), strict=True):
        assert answer["vehicles"]["phoenix"]["state"]["depth_m"] == depth  # every digit goes over the link
        copy["vehicles"]["phoenix"].pop("forces")
        assert answer == copy
    assert np.ptp(linked["heading_deg"]) > 5.0 and np.ptp(linked["north_m"]) > 1.0  # deg, m: it went somewhere


def test_a_robot_comes_back_to_the_same_world():
    with served(tank_host()) as server:
        with Client(server) as robot:
            robot.hello(session="dive")
            robot.ask("order", seq=1, sticks={"surge": 1.0})
            robot.send("order", seq=2)  # and away, before the answer
            robot.take()
        with Client(server) as robot:
            hello = robot.hello(session="dive")
            assert (hello["role"], hello["last_seq"], hello["tick"]) == ("controller", 2, 2)
            assert robot.ask("order", seq=2)["tick"] == 2
            assert robot.ask("order", seq=3)["tick"] == 3
        until(lambda: server.protocol.lease.holder is None)
        with Client(server) as other:
            hello = other.hello()
            assert (hello["role"], hello["last_seq"], hello["tick"]) == ("controller", 0, 3)


def test_stopping_says_bye_to_all_and_completes_the_log(tmp_path):
    with served(tank_host(log=tmp_path / "run.csv")) as server:
        robot, watcher = Client(server), Client(server)
        robot.hello()
        watcher.hello(role="follower")
        robot.ask("order", seq=1)
    with robot, watcher:
        assert robot.take() == {"type": "bye", "text": "the server was stopped"}
        assert robot.take() is None
        assert [watcher.take()["type"] for _ in range(2)] == ["state", "bye"]
    log = load_log(tmp_path / "run.csv")
    assert log.complete and len(log) == 2
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", server.port), timeout=60.0)


def test_a_world_that_fails_tells_everybody_and_leaves_its_log_cut_short(tmp_path):
    sea = tank_host(log=tmp_path / "run.csv")
    with served(sea) as server, Client(server) as robot:
        robot.hello()
        robot.ask("order", seq=1)
        sea.session.sims[0].plant.state["nu"][0] = 1e30
        bye = robot.ask("order", seq=2)
        assert bye["type"] == "bye" and "diverged" in bye["text"]
        server.thread.join(LAST_S)
        assert isinstance(server.raised[0], DivergedError)
    log = load_log(tmp_path / "run.csv")
    assert not log.complete and len(log) == 2


@pytest.mark.slow
def test_a_follower_that_does_not_read_is_dropped_and_slows_nobody():
    texts = []
    server_options = {"report": texts.append}
    with served(tank_host(duration_s=3000.0), **server_options) as server, Client(server) as robot:
        with Client(server, receive_buffer=4096) as slow, Client(server) as quick:
            robot.hello()
            slow.hello(role="follower", forces=True)
            quick.hello(role="follower")
            for n in range(1, 20001):
                assert robot.ask("order", seq=n)["seq"] == n
                assert quick.take()["seq"] == n
                if server.counts["dropped_stalled"]:
                    break
            assert server.counts["dropped_stalled"] == 1
            assert robot.ask("order", seq=n + 1)["tick"] == n + 1
            assert quick.take()["tick"] == n + 1
    assert any("reads too slowly" in text for text in texts)


def test_nonsense_is_answered_counted_and_its_sender_dropped():
    with served(tank_host()) as server, Client(server) as robot, Client(server) as vandal:
        robot.hello()
        vandal.hello(role="follower")
        vandal.raw(b"GET / HTTP/1.1\r\n" + b"\x00\xff" * 40_000 + b"\n" + b"x" * (2 * LARGEST_LINE) + b"\n")
        vandal.raw(b'{"type":"order","seq":1}\n' * (BAD_LINES - 3))  # of a follower
        answers = []
        while (answer := vandal.take()) is not None:
            answers.append(answer)
        assert [line["type"] for line in answers] == ["refused"] * BAD_LINES + ["bye"]
        assert "20 lines in a row" in answers[-1]["text"]
        assert sum("at most 65536 bytes" in line["text"] for line in answers) == 2
        assert robot.ask("order", seq=1)["tick"] == 1
        assert server.counts["dropped_malformed"] == 3


def test_a_connection_that_does_not_begin_with_a_hello_is_closed_at_its_first_line():
    follows = b'{"type":"hello","schema":1,"session":"dive"}\n{"type":"order","seq":9}\n{"type":"bye","end":true}\n'
    with served(tank_host()) as server, Client(server) as robot:
        robot.hello(session="dive")
        for n, first in enumerate((b"POST / HTTP/1.1\r\n\r\n", b"\n", b'{"type":"reset","seq":1}\n', b"\xff\n"), 1):
            with Client(server) as stranger:
                stranger.raw(first + follows)
                assert stranger.take()["type"] == "bye"
                assert stranger.take() is None
            assert server.counts["received"] == 2 * n  # the hello and orders of the robot, one line of each stranger
            assert robot.ask("order", seq=n)["tick"] == n
    assert server.raised == []


@pytest.mark.slow
def test_a_robot_finds_a_place_among_connections_that_say_nothing():
    with served(tank_host()) as server, contextlib.ExitStack() as stack:
        watcher = stack.enter_context(Client(server))
        watcher.hello(role="follower")
        mute = [stack.enter_context(Client(server)) for _ in range(2 * MOST_PEERS)]
        robot = stack.enter_context(Client(server))
        assert robot.hello()["role"] == "controller"
        assert robot.ask("order", seq=1)["tick"] == watcher.take()["tick"] == 1
        assert "no hello" in mute[0].take()["text"] and mute[0].take() is None  # the first to come is the first to go
        assert len(server._tcp) == MOST_PEERS


def test_many_lines_at_once_are_all_orders():
    with served(tank_host()) as server, Client(server) as robot:
        robot.hello()
        robot.raw(b"".join(b'{"type":"order","seq":%d}\n' % n for n in range(1, 101)))
        assert [robot.take()["tick"] for _ in range(100)] == list(range(1, 101))


@pytest.mark.slow
def test_in_lockstep_a_follower_is_heard_so_often_and_no_more():
    with served(tank_host()) as server, Client(server) as robot, Client(server) as eager:
        robot.hello()
        begun = time.monotonic()
        eager.raw(b'{"type":"hello","schema":1,"role":"follower"}\n' * 2000)
        seq = 0
        while server.counts["received"] - seq < 4 * LINES:  # the robot's order by order, and the follower's
            seq += 1
            assert robot.ask("order", seq=seq)["tick"] == seq
        heard = server.counts["received"] - seq - 1  # before the clock: the server goes on reading
        intervals = (time.monotonic() - begun) / LOCKSTEP_S
        assert heard <= LINES * (intervals + 2.0)


@pytest.mark.slow
def test_a_flood_of_datagrams_is_dropped_and_takes_no_place():
    with served(tank_host(), udp=True) as server, Client(server) as robot:
        robot.hello()
        for _ in range(40):  # senders, more than are served
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as vandal:
                for _ in range(20):
                    vandal.sendto(b"nonsense", ("127.0.0.1", server.port))
        until(lambda: server.counts["dropped_flood"] > 0)
        assert [robot.ask("order", seq=n)["tick"] for n in (1, 2, 3)] == [1, 2, 3]
        with Datagrams(server) as watcher:
            watcher.socket.settimeout(1.0)
            for _ in range(30):  # while the flood is dropped, so is this: say it again
                with contextlib.suppress(TimeoutError):
                    assert watcher.ask("hello", schema=1, role="follower")["role"] == "follower"
                    break
            assert len(server.protocol.peers) == 2


@pytest.mark.slow
def test_realtime_goes_on_by_itself_and_a_flood_does_not_stop_it():
    with served(tank_host(), clock="realtime") as server, Client(server) as robot, Client(server) as flood:
        assert robot.hello()["clock"] == "realtime"
        flood.hello(role="follower")
        flood.socket.setblocking(False)
        flooded, ticks, seq = 0, [], 0
        while len(ticks) < 10 or not flooded:
            try:
                flooded += flood.socket.send(b"\n" * 60_000)
            except BlockingIOError:
                pass
            if len(ticks) % 3 == 0:
                seq += 1
                robot.send("order", seq=seq)
            ticks.append(robot.take()["tick"])
        assert ticks == list(range(1, len(ticks) + 1))
        assert server.counts["exchanges"] >= len(ticks)
        until(lambda: server.counts.all().get("dropped_flood") is not None)


@pytest.mark.slow
def test_scaled_time_is_as_many_times_as_fast():
    with served(tank_host(), clock="scaled", speed=20.0, rate_hz=5.0) as server, Client(server) as robot:
        begun = time.monotonic()
        hello = robot.hello()  # starts the clock
        assert (hello["speed"], hello["rate_hz"], hello["interval_s"]) == (20.0, 5.0, 0.2)
        times = [robot.take()["time_s"] for _ in range(50)]
        # never faster than the clock on the wall allows: 10 s of it are half a second; slower if the machine is busy
        assert time.monotonic() - begun > 0.49  # two clocks of the system may differ a little
        assert times == pytest.approx(np.arange(1, 51) * 0.2)


class Datagrams:
    """A client over UDP that may lose what it sends or gets."""

    def __init__(self, server):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.connect(("127.0.0.1", server.port))
        self.socket.settimeout(LAST_S)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, kind, **values):
        self.socket.send(json.dumps({"type": kind, **values}).encode())

    def ask(self, kind, **values):
        self.send(kind, **values)
        return json.loads(self.socket.recv(65536))


def test_over_udp_what_is_lost_is_sent_again_and_done_once():
    with served(tank_host(), udp=True) as server, Datagrams(server) as robot, Datagrams(server) as watcher:
        assert robot.ask("hello", schema=1, session="u")["role"] == "controller"
        assert watcher.ask("hello", schema=1)["role"] == "follower"
        for n in range(1, 40):
            state = robot.ask("order", seq=n, sticks={"surge": 1.0})
            if n % 3 == 0:  # as if the answer had been lost: the order once more
                assert robot.ask("order", seq=n, sticks={"surge": 1.0}) == state
            assert (state["seq"], state["tick"]) == (n, n)
            assert json.loads(watcher.socket.recv(65536)) == state
        assert robot.ask("order", seq=1)["type"] == "refused"
        assert robot.ask("bye")["type"] == "bye"
        until(lambda: server.protocol.lease.holder is None)
        assert watcher.ask("hello", schema=1)["role"] == "controller"
        watcher.send("nonsense")
        assert json.loads(watcher.socket.recv(65536))["type"] == "refused"


def test_tcp_and_udp_clients_share_a_world():
    with served(tank_host(), udp=True) as server, Client(server) as robot, Datagrams(server) as watcher:
        robot.hello()
        assert watcher.ask("hello", schema=1, role="follower")["role"] == "follower"
        assert robot.ask("order", seq=1) == json.loads(watcher.socket.recv(65536))


def test_it_listens_on_this_machine_alone_unless_told():
    with pytest.raises(CommandError, match="no authentication"):
        RobotServer(tank_host(), host="0.0.0.0", port=0)
    sea = tank_host()
    with (
        served(sea) as server,
        pytest.raises(CommandError, match="an address of this machine and a free port"),
    ):
        RobotServer(sea, port=server.port)


def test_the_rate_of_exchanges_divides_the_control_rate():
    assert ticks_per_exchange(50.0, None) == 1
    assert ticks_per_exchange(50.0, 10.0) == 5
    assert ticks_per_exchange(10.0, 10.0) == 1
    for rate in (20.0, 7.0):
        with pytest.raises(CommandError, match="control rate"):
            ticks_per_exchange(10.0, rate)


def talk(port, *messages):
    """Send each message and take an answer to each."""
    with socket.create_connection(("127.0.0.1", port), timeout=60.0) as line, line.makefile("rb") as lines:
        answers = []
        for message in messages:
            line.sendall(json.dumps(message).encode() + b"\n")
            answers.append(json.loads(lines.readline()))
        return answers


HELLO, ORDER, END = {"type": "hello", "schema": 1}, {"type": "order", "seq": 1}, {"type": "bye", "end": True}


@pytest.mark.parametrize("kind", ["scenario", "log"])
def test_a_scenario_and_a_log_are_served_by_the_same_call(kind, tmp_path):
    session = LockstepSession(scenario_from(TABLES), log=tmp_path / "run.csv")
    heard, answers, ready = [], [], threading.Event()

    def say(text):
        heard.append(text)
        ready.set()

    def client():
        ready.wait(60.0)
        answers.extend(talk(int(re.search(r":(\d+) ", heard[0])[1]), HELLO, ORDER, END))

    if kind == "log":
        for _ in range(5):
            session.tick()
        session.close()
    world = SimulationHost(session, "tank") if kind == "scenario" else RecordedHost(tmp_path / "run.csv")
    thread = threading.Thread(target=client)
    thread.start()
    counts = RobotServer(world, port=0, report=say).run()
    thread.join(60.0)
    assert heard[0].startswith("robot link: listens at 127.0.0.1:") and "no authentication" in heard[0]
    hello, state, bye = answers
    assert (hello["kind"], hello["title"]) == (("simulation", "tank") if kind == "scenario" else ("log", "run.csv"))
    assert (state["tick"], state["time_s"]) == (1, 0.1)
    assert bye["type"] == "bye"
    assert (counts["received"], counts["exchanges"]) == (3, 1)
    assert load_log(tmp_path / "run.csv").complete


def test_it_ends_when_it_is_told_to_stop():
    stop = threading.Event()
    stop.set()
    assert RobotServer(tank_host(), port=0).run(stop) == {}


def test_words_that_cannot_be_are_refused():
    world = tank_host()
    with pytest.raises(CommandError, match="expected one of lockstep"):
        RobotServer(world, clock="sundial", port=0)
    with pytest.raises(CommandError, match="control rate"):
        RobotServer(world, rate_hz=3.0, port=0)
    with pytest.raises(CommandError, match="deadman_s"):
        RobotServer(world, deadman_s=0.0, port=0)
    world.close(complete=True)
