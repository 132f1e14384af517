"""The protocol without sockets for tests: peers that keep their lines, a clock of the test, a real driver."""

import json

from pelagos.links.counts import Counts
from pelagos.links.robot.clock import Clock
from pelagos.links.robot.peers import Peer
from pelagos.links.robot.protocol import RobotProtocol
from tests.links.robot.linked import tank_host


class Kept(Peer):
    """A client that keeps every line."""

    def __init__(self, where):
        super().__init__(where, 0.0)
        self.got = []

    def send(self, line):
        self.got.append(line)

    def close(self, line=b""):
        self.got.append(line)

    @property
    def last(self):
        return json.loads(self.got[-1])


class Table:
    """A protocol with a wall clock that the test moves."""

    def __init__(self, clock="lockstep", every=1, **changes):
        self.now = 100.0
        self.world = tank_host(**changes)
        self.clock = Clock(clock, every / 10.0, now=lambda: self.now)
        self.counts = Counts("robot link")
        self.protocol = RobotProtocol(self.world, self.clock, every, self.counts, now=lambda: self.now)

    def say(self, peer, kind, **values):
        before = len(peer.got)
        self.protocol.receive(peer, json.dumps({"type": kind, **values}).encode())
        return [json.loads(line) for line in peer.got[before:]]

    def join(self, where, **values):
        peer = Kept(where)
        (hello,) = self.say(peer, "hello", schema=1, **values)
        return peer, hello
