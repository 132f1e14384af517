"""The loop of figure 6.5 from the robot's side: order, wait for the state, think, order; over a socket.

Beside a session by the clock on the wall a bare timer runs. Where it wakes late the machine was busy with other
programs, and times of the wall say nothing of the model.
"""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.errors import CommandError
from pelagos.links.robot.host import Sea
from pelagos.links.robot.server import RobotServer
from pelagos.links.voyage import Voyage
from pelagos.sim.scenario_read import scenario_from

EXCHANGES, RATE_HZ = 100, 10.0
PATIENCE_S = 60.0
TANK = {
    "name": "tank",
    "vehicle": "phoenix",
    "seed": 1,
    "sensor": True,
    "duration_s": 600.0,
    "control_rate_hz": RATE_HZ,
    "world": {"depth_m": 15.0},
    "start": {"depth_m": 3.0, "heading_deg": 0.0},
}
DEPTH_M, HEADING_DEG = 3.5, 45.0  # where the robot wants to be

Array = NDArray[np.float64]
Order = dict[str, float]


@dataclass(frozen=True)
class Session:
    """What the robot saw.

    Args:
        messages: those of the model after the hello, one an exchange.
        orders: those of the robot.
        sent_s: when they went, s of the wall.
        came_s: when their states came.
        timer_late_s: by how much a bare timer of the same interval woke late at most, meanwhile.
        processor_s: time of the processor that robot and model took together.
    """

    messages: list[dict[str, Any]]
    orders: list[Order]
    sent_s: list[float]
    came_s: list[float]
    timer_late_s: float = 0.0
    processor_s: float = 0.0

    @property
    def states(self) -> list[dict[str, Any]]:
        """Of the vehicle, one an exchange."""
        return [message["vehicles"]["phoenix"]["state"] for message in self.messages]

    @property
    def late(self) -> int:
        """Orders that were not in force in the interval they were meant for."""
        return sum(message["seq"] != k for k, message in enumerate(self.messages, 1))

    @property
    def missed(self) -> int:
        """Deadlines that the model did not keep."""
        last = self.messages[-1]
        return int(last.get("overruns", 0)) + (last.get("slipped_s", 0.0) > 0.0)

    @property
    def in_force(self) -> list[Order]:
        """The order that each interval was simulated with; none before the first."""
        return [self.orders[message["seq"] - 1] if message["seq"] else {} for message in self.messages]

    @property
    def answers_s(self) -> Array:
        """From order to state, each exchange."""
        return np.array(self.came_s) - self.sent_s


def law(state: dict[str, float]) -> Order:
    """The robot's own law: depth by the vertical tunnels, heading by the lateral ones, V."""
    push = 80.0 * (DEPTH_M - state["depth_m"]) - 250.0 * state["heave_m_s"]
    turn = (HEADING_DEG - state["heading_deg"] + 180.0) % 360.0 - 180.0
    spin = 1.5 * turn - 4.0 * state["yaw_rate_deg_s"]
    limited = [max(-24.0, min(24.0, volts)) for volts in (push, spin)]
    return {
        "bow_vertical_V": limited[0],
        "stern_vertical_V": limited[0],
        "bow_lateral_V": limited[1],
        "stern_lateral_V": -limited[1],
    }


@contextmanager
def bare_timer(interval_s: float = 1.0 / RATE_HZ) -> Iterator[list[float]]:
    """By how much a thread that does nothing else wakes after its times, s; a list that grows."""
    late: list[float] = []
    stop = threading.Event()

    def keep() -> None:
        due = time.perf_counter()
        while not stop.is_set():
            due += interval_s
            if not stop.wait(max(due - time.perf_counter(), 0.0)):
                late.append(time.perf_counter() - due)

    thread = threading.Thread(target=keep, daemon=True)
    thread.start()
    try:
        yield late
    finally:
        stop.set()
        thread.join(PATIENCE_S)


@contextmanager
def _served(clock: str) -> Iterator[int]:
    """The model behind a socket, in a thread of its own; the port."""
    voyage = Voyage(scenario_from(TANK))
    voyage.compile()
    server = RobotServer(Sea(voyage, "tank"), clock=clock, rate_hz=RATE_HZ, port=0)
    stop = threading.Event()
    thread = threading.Thread(target=server.run, args=(stop,), daemon=True)
    thread.start()
    try:
        yield server.port
    finally:
        stop.set()
        thread.join(PATIENCE_S)


def exchanged(clock: str, think: Callable[[int, dict[str, float]], Order], exchanges: int = EXCHANGES) -> Session:
    """The loop of figure 6.5 from the robot's side: order, wait for the state, think, order."""
    messages, orders, sent, came = [], [], [], []
    with _served(clock) as port, socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as link:
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with link.makefile("rb") as lines, bare_timer() as late:

            def say(**message: Any) -> None:
                link.sendall(json.dumps(message).encode() + b"\n")

            say(type="hello", schema=1, name="figure 6.5")
            hello = json.loads(lines.readline())
            state = hello["vehicles"]["phoenix"]["state"]
            begun = time.process_time()
            for k in range(exchanges):
                orders.append(think(k, state))
                sent.append(time.perf_counter())
                say(type="order", seq=k + 1, thrusters=orders[-1])
                message = json.loads(lines.readline() or b'{"type": "bye", "text": "the connection is lost"}')
                came.append(time.perf_counter())
                if message["type"] != "state":
                    raise CommandError(f"the robot link says {message['type']}: {message['text']}; expected a state")
                messages.append(message)
                state = message["vehicles"]["phoenix"]["state"]
            taken = time.process_time() - begun
            say(type="bye", end=True)
            lines.readline()
    return Session(messages, orders, sent, came, max(late, default=0.0), taken)
