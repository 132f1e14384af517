"""Shared by tests of an exercise: a session, a manual clock, and another program on the network."""

import socket
import time

from pelagos.errors import MessageError
from pelagos.links.dis.wire.header import unbundle
from pelagos.links.dis.wire.pdu import decode, encode

LONG_S = 60.0  # to wait for what must come; machines stall


class Afloat:
    """Simulations in one world; contacts go straight into it."""

    def __init__(self, *sims):
        self.sims = sims

    @property
    def time_s(self):
        return self.sims[0].time_s

    def tick(self, link=None, events=()):
        if link is not None:
            link.before(self)
        for sim in self.sims:
            sim.tick()
        if link is not None:
            link.after(self, events)


class Clock:
    """Seconds, moved by hand."""

    def __init__(self, now_s=1000.0):
        self.now_s = now_s

    def __call__(self):
        return self.now_s


class Peer:
    """Another program: a plain socket on a free port of this machine."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.socket.settimeout(LONG_S)
        self.port = self.socket.getsockname()[1]
        self.bytes = []

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.socket.close()

    def send(self, pdu, port):
        self.socket.sendto(pdu if isinstance(pdu, bytes) else encode(pdu), ("127.0.0.1", port))

    def receive(self, kind=None):
        """The next PDU, or the next of a kind; what comes before it is skipped."""
        while True:
            data = self.socket.recv(65535)
            self.bytes.append(data)
            pdu = decode(next(unbundle(data)))
            if kind is None or isinstance(pdu, kind):
                return pdu

    def waiting(self):
        """All that has come by now, without waiting for more."""
        self.socket.setblocking(False)
        pdus = []
        try:
            while True:
                data = self.socket.recv(65535)
                self.bytes.append(data)
                pdus.append(decode(data))
        except (BlockingIOError, MessageError):
            return pdus
        finally:
            self.socket.settimeout(LONG_S)


def until(what, doing=lambda: None):
    """Wait for something that must come true."""
    end = time.monotonic() + LONG_S
    while not what():
        assert time.monotonic() < end, "it did not come true"
        doing()
        time.sleep(0.005)
