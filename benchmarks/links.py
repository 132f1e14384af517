"""Speed of the links: exchanges per second of the ArduSub link and the robot link, and PDUs per second of DIS.

The peer runs in a separate process, as an autopilot or a robot does, sends one message and waits for the answer. The
figures are round trips over loopback, each with one step or one control interval of the simulation.
"""

from __future__ import annotations

import json
import os
import socket
import struct
import subprocess
import sys
import threading
import time
from typing import Any

SECONDS = 4.0  # of a measurement
WARM = 200  # exchanges that are not counted
AUTOPILOT_HZ = 1200  # that ArduSub requests in its first packet
MAGIC = 18458  # of a servo packet with 16 channels
VEHICLE, ROBOT = "bluerov2_heavy", "phoenix"
PDU_ROUNDS, PDU_BATCH = 7, 400  # rounds for the median, and PDUs in each
PEER = "import sys; from benchmarks.links import {name}; {name}(*sys.argv[1:])"


def measure_links(seconds: float | None = None) -> dict[str, Any]:
    """Measure all links, each for so many seconds."""
    span = SECONDS if seconds is None else seconds
    return {"ardusub": measure_ardusub(span), "robot": measure_robot(span), "dis": measure_dis()}


def report_links(result: dict[str, Any]) -> list[str]:
    """The figures as lines of text."""
    titles = ("per s", "p50 us", "p99 us", "times real")
    lines = [f"{'links: an exchange over loopback':<46}" + "".join(f"{title:>12}" for title in titles)]
    for key, words in (
        ("ardusub", f"ArduSub, {VEHICLE}, steps of 1/{AUTOPILOT_HZ} s"),
        ("robot", f"robot link, {ROBOT}, intervals of 0.1 s"),
    ):
        row = result[key]
        figures = f"{row['exchanges_per_s']:12.0f}{row['p50_us']:12.1f}{row['p99_us']:12.1f}{row['times_real']:12.1f}"
        lines.append(f"{words:<46}{figures}")
    dis = result["dis"]
    for words, key in (("write", "encode"), ("read", "decode")):
        name = f"DIS, {words} an Entity State PDU with 5 parts"
        lines.append(f"{name:<46}{1e6 / dis[f'{key}_us']:12.0f}{dis[f'{key}_us']:12.1f}{'':>12}{'':>12}")
    return lines


def measure_ardusub(seconds: float = SECONDS) -> dict[str, float]:
    """Measure exchanges with an autopilot in lockstep."""
    from pelagos.links.ardusub.physics import Physics
    from pelagos.links.ardusub.serve import ArduSub, warm_up

    physics = Physics(VEHICLE, start={"depth_m": 10.0})
    warm_up(physics)
    stop = threading.Event()
    with ArduSub(physics, port=0) as server:
        thread = threading.Thread(target=server.run, args=(stop,))
        thread.start()
        try:
            return _rates(_run_peer("play_autopilot", server.port, seconds), 1.0 / AUTOPILOT_HZ)
        finally:
            stop.set()
            thread.join()


def measure_robot(seconds: float = SECONDS) -> dict[str, float]:
    """Measure exchanges with a robot in lockstep: a command, one control interval, state and all readings."""
    from pelagos.links.robot.host import SimulationHost
    from pelagos.links.robot.server import RobotServer
    from pelagos.scenario.read import scenario_from
    from pelagos.session.lockstep import LockstepSession

    tables = {
        "name": "bench", "vehicle": ROBOT, "seed": 1, "world": {"depth_m": 200.0}, "start": {"depth_m": 10.0},
        "sensor": True, "duration_s": 1e6,
    }  # fmt: skip
    stop = threading.Event()
    with LockstepSession(scenario_from(tables)) as session:
        server = RobotServer(SimulationHost(session, "bench"), port=0)
        thread = threading.Thread(target=server.run, args=(stop,))
        thread.start()
        try:
            return _rates(_run_peer("play_robot", server.port, seconds), session.sims[0].interval_s)
        finally:
            stop.set()
            thread.join()


def measure_dis() -> dict[str, float]:
    """Measure microseconds to write and to read one PDU, medians of several rounds."""
    from pelagos.links.dis.wire.entity_state import EntityState
    from pelagos.links.dis.wire.pdu import decode, encode
    from pelagos.links.dis.wire.records import Articulation, DeadReckoning, EntityId, EntityType

    parts = tuple(Articulation(1024 + 32 * k + 11, 0.1 * k) for k in range(5))
    state = EntityState(
        EntityId(1, 1, 1), EntityType(1, 4, 225, 8, 0, 0, 0), (-2.7e6, -4.3e6, 3.8e6), (1.0, 2.0, 3.0), (0.1, 0.2, 0.3),
        DeadReckoning(4, (0.1, 0.0, 0.0), (0.0, 0.0, 0.1)), parts=parts, marking="PELAGOS",
    )  # fmt: skip
    data = encode(state)
    return {"encode_us": _median_us(lambda: encode(state)), "decode_us": _median_us(lambda: decode(data))}


def play_autopilot(port: str, seconds: str) -> None:
    """Play the autopilot: send packets of 16 channels, wait for each answer, print the times as JSON."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.settimeout(10.0)
        sock.connect(("127.0.0.1", int(port)))
        layout = struct.Struct("<HHI16H")  # servo packet of the ArduPilot JSON interface: magic, rate, frame, channels
        frame = 0

        def exchange() -> None:
            nonlocal frame
            # Pulse widths that change, so that the thrusters keep moving.
            widths = [1500 + 20 * (frame % 10)] * 8 + [0] * 8
            sock.send(layout.pack(MAGIC, AUTOPILOT_HZ, frame, *widths))
            sock.recv(4096)
            frame += 1

        print(json.dumps(_timed(exchange, float(seconds))))


def play_robot(port: str, seconds: str) -> None:
    """Play the robot: send commands, wait for each state, print the times as JSON."""
    with socket.create_connection(("127.0.0.1", int(port)), timeout=10.0) as sock, sock.makefile("rb") as lines:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else Nagle's algorithm delays short lines
        sock.sendall(b'{"type":"hello","schema":1,"role":"controller","name":"bench"}\n')
        hello = json.loads(lines.readline())
        rudder = hello["fleet"][0]["actuators"]["surfaces"][0]["order"]
        seq = int(hello["last_seq"])

        def exchange() -> None:
            nonlocal seq
            seq += 1
            order = {"type": "order", "seq": seq, "surfaces": {rudder: 0.1 * (seq % 50)}}
            sock.sendall(json.dumps(order).encode() + b"\n")
            if json.loads(lines.readline())["type"] != "state":
                raise RuntimeError("an order of the benchmark was refused")

        took = _timed(exchange, float(seconds))
        sock.sendall(b'{"type":"bye"}\n')
        lines.readline()
    print(json.dumps(took))


def _timed(exchange: Any, seconds: float) -> dict[str, float]:
    """Repeat an exchange for some seconds: number, duration, and median and 99th percentile of one."""
    for _ in range(WARM):
        exchange()
    took: list[float] = []
    begun = last = time.perf_counter()
    while last - begun < seconds:
        exchange()
        now = time.perf_counter()
        took.append(now - last)
        last = now
    took.sort()
    n = len(took)
    return {
        "n": n,
        "seconds": last - begun,
        "p50_us": 1e6 * took[n // 2],
        "p99_us": 1e6 * took[min(n - 1, n * 99 // 100)],
    }


def _run_peer(name: str, port: int, seconds: float) -> dict[str, float]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    arguments = [sys.executable, "-c", PEER.format(name=name), str(port), str(seconds)]
    done = subprocess.run(arguments, env=environment, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def _rates(figures: dict[str, float], interval_s: float) -> dict[str, float]:
    rate = figures["n"] / figures["seconds"]
    return {
        "exchanges_per_s": rate,
        "times_real": rate * interval_s,
        "p50_us": figures["p50_us"],
        "p99_us": figures["p99_us"],
    }


def _median_us(call: Any) -> float:
    rounds: list[float] = []
    for _ in range(PDU_ROUNDS):
        begun = time.perf_counter()
        for _ in range(PDU_BATCH):
            call()
        rounds.append(1e6 * (time.perf_counter() - begun) / PDU_BATCH)
    return sorted(rounds)[PDU_ROUNDS // 2]
