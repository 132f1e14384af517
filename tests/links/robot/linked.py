"""A world behind the robot link in a thread of its own, and a client, for tests."""

import json
import socket
import threading
from contextlib import contextmanager

from pelagos.links.robot.host import SimulationHost
from pelagos.links.robot.server import RobotServer
from pelagos.scenario.read import scenario_from
from pelagos.session.lockstep import LockstepSession

TABLES = {
    "name": "tank",
    "vehicle": "phoenix",
    "seed": 3,
    "sensor": True,
    "duration_s": 600.0,
    "world": {"depth_m": 15.0, "current_m_s": 0.2, "current_to_deg": 60.0},
    "start": {"depth_m": 3.0, "heading_deg": 30.0},
}
PAIR = {
    "name": "pair",
    "world": {"depth_m": 30.0},
    "duration_s": 60.0,
    "vehicle": [
        {"name": "first", "use": "phoenix", "start": {"depth_m": 3.0}},
        {"name": "second", "use": "bluerov2_heavy", "start": {"depth_m": 3.0, "east_m": 20.0}},
    ],
}


def tank_host(tables=TABLES, log=None, **changes):
    """A session behind the link."""
    scenario = scenario_from(tables, changes=changes)
    return SimulationHost(LockstepSession(scenario, log=log), scenario.name)


@contextmanager
def served(world, **options):
    """A server that runs; it is stopped at the end, and what it raised is raised."""
    server = RobotServer(world, **{"port": 0, **options})
    stop, raised = threading.Event(), []

    def run():
        try:
            server.run(stop)
        except Exception as problem:
            raised.append(problem)

    thread = threading.Thread(target=run)
    thread.start()
    server.raised, server.thread = raised, thread
    try:
        yield server
    finally:
        stop.set()
        thread.join(30.0)
        assert not thread.is_alive()


class Client:
    """One end of the link over TCP."""

    def __init__(self, server, receive_buffer=None):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if receive_buffer is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(60.0)
        self.socket.connect(("127.0.0.1", server.port))
        self.lines = self.socket.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.lines.close()
        self.socket.close()

    def send(self, kind, **values):
        self.raw(json.dumps({"type": kind, **values}).encode() + b"\n")

    def raw(self, data):
        self.socket.sendall(data)

    def line(self):
        """The next line, b"" at the end."""
        return self.lines.readline()

    def take(self):
        """The next message; None at the end."""
        line = self.line()
        return json.loads(line) if line else None

    def ask(self, kind, **values):
        """Send and take the next message."""
        self.send(kind, **values)
        return self.take()

    def hello(self, **values):
        return self.ask("hello", schema=1, **values)
