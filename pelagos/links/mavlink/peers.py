"""Who is at the other end: one socket, the ground stations heard from it, what is sent to them and how much.

Frames are decoded in the thread of the socket and wait in a bounded queue; the thread of the simulation takes some at
each tick, and sends without waiting and within a budget. A station that is silent for 30 s is forgotten.
"""

from __future__ import annotations

import queue
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from pelagos.errors import CommandError, MessageError
from pelagos.links.counts import Counts
from pelagos.links.datagrams import Address, Datagrams, check_bind, udp_socket
from pelagos.links.mavlink.wire import COMPONENT, LONGEST, Wire, frames
from pelagos.session.security import is_loopback

USUAL = "udpout:127.0.0.1:14550"  # where QGroundControl listens
MOST_PEERS = 8
GONE_S = 30.0
PER_S = 1000.0  # datagrams read in a second
SENT_PER_S, BURST = 1000.0, 300.0  # messages
MOST_WAITING = 512
MOST_A_TURN = 40  # messages acted upon between two ticks
OF_ONE_PER_S = 300  # messages of one sender in a second: one that floods does not crowd out the others
OF_ALL_PER_S = 1500  # messages of all of them together: what is beyond is not even decoded
MOST_SENDERS = 256  # that are counted at a time
SILENT_S = 4.0  # a station that has said nothing for so long makes room for another: heartbeats come every second


class HeardMessage(NamedTuple):
    """A message and where it came from."""

    message: Any
    sender: Address

    @property
    def kind(self) -> str:
        """Name of the message."""
        return str(self.message.get_type())

    @property
    def system(self) -> int:
        """Of the sender."""
        return int(self.message.get_srcSystem())

    @property
    def component(self) -> int:
        """Of the sender."""
        return int(self.message.get_srcComponent())


class PeerAddress(NamedTuple):
    """An address, and whether we speak first (udpout) or wait to be spoken to (udpin)."""

    speaks: bool
    host: str
    port: int

    @classmethod
    def of(cls, text: str) -> PeerAddress:
        """From `udpout:HOST:PORT`, `udpin:HOST:PORT` or `HOST:PORT`, which is udpout."""
        words = text.split(":")
        way = words.pop(0) if len(words) == 3 else "udpout"
        if way not in ("udpin", "udpout") or len(words) != 2 or not words[0] or not words[1].isdecimal():
            raise CommandError(
                f"{text!r} is no address", file="mavlink", expected=f"such as {USUAL} or udpin:127.0.0.1:14550"
            )
        port = int(words[1])
        if port > 65535 or (way == "udpout" and port == 0):
            raise CommandError(f"port {port} of {text!r}", file="mavlink", expected="a number from 1 to 65535")
        return cls(way == "udpout", words[0], port)


class Peers:
    """The ground stations.

    Args:
        messages: the dialect.
        where: `udpout:HOST:PORT` to speak to a station that listens, `udpin:HOST:PORT` to listen for them.
        system: our own number.
        allow_remote: whether addresses that other machines reach are allowed.
        counts: of the link.
        clock: seconds of the wall.
    """

    def __init__(
        self,
        messages: Any,
        where: str,
        system: int,
        allow_remote: bool,
        counts: Counts,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        told = PeerAddress.of(where)
        check_bind("mavlink", told.host, allow_remote)
        host = _resolved(told.host)
        self.system, self._counts, self._clock = system, counts, clock
        self._ours, self._theirs = Wire(messages, system, COMPONENT), Wire(messages, system, COMPONENT)
        self._always: Address | None = (host, told.port) if told.speaks else None
        self._known: dict[Address, float] = {}  # and when it was last heard
        self._waiting: queue.Queue[HeardMessage] = queue.Queue(MOST_WAITING)
        self._second, self._came, self._all = 0, Counter[Address](), 0
        self._budget, self._spent_s = BURST, clock()
        bound = host if not told.speaks else "127.0.0.1" if is_loopback(told.host) else ""
        sock = udp_socket(bound, 0 if told.speaks else told.port)
        self._datagrams = Datagrams(sock, self._take, counts, per_s=PER_S, largest=LONGEST)

    @property
    def port(self) -> int:
        """Where we listen; a station may speak to us there."""
        return self._datagrams.port

    @property
    def addresses(self) -> list[Address]:
        """To whom is sent."""
        return [*([self._always] if self._always else []), *(one for one in self._known if one != self._always)]

    def take(self) -> Iterator[HeardMessage]:
        """Some of what came, in order, for as long as the caller wants; whoever sent it is a station from now on."""
        now = self._clock()
        for address, last_s in list(self._known.items()):
            if now - last_s > GONE_S:
                del self._known[address]
        for _ in range(MOST_A_TURN):
            try:
                one = self._waiting.get_nowait()
            except queue.Empty:
                return
            if one.sender in self._known or self._room(now):
                self._known[one.sender] = now
                yield one
            else:
                self._counts.drop("stranger", f"{one.sender[0]}:{one.sender[1]} is one station too many; dropped")

    def _room(self, now: float) -> bool:
        """Whether there is room for one more station; the one that was silent longest makes it, if it is silent."""
        if len(self._known) < MOST_PEERS:
            return True
        oldest = min(self._known, key=self._known.__getitem__)
        if now - self._known[oldest] <= SILENT_S:
            return False
        del self._known[oldest]
        return True

    def send(self, message: Any, to: Address | None = None) -> bool:
        """To one station, or to all; False if that is more than the budget, and nothing went out."""
        there = [to] if to else self.addresses
        if not there:
            return True
        now = self._clock()
        self._budget = min(BURST, self._budget + SENT_PER_S * max(now - self._spent_s, 0.0))
        self._spent_s = now
        if self._budget < len(there):
            self._counts.drop("budget", f"more than {SENT_PER_S:g} messages a second are asked for; some are left out")
            return False
        self._budget -= len(there)
        packed = self._ours.pack(message)
        for address in there:
            self._datagrams.send(packed, address)
        return True

    def close(self) -> None:
        """End the thread and close the socket."""
        self._datagrams.close()

    def _take(self, data: bytes, sender: Address) -> None:
        """In the thread of the socket."""
        try:
            found = frames(data)
            for n, frame in enumerate(found):
                why = self._floods(sender)
                if why:
                    self._counts.drop("flood", why, len(found) - n)
                    return
                self._one(self._theirs.decode(frame), sender)
        except MessageError as problem:
            self._counts.drop("malformed", f"from {sender[0]}:{sender[1]}: {problem}")

    def _one(self, message: Any, sender: Address) -> None:
        if message is None:
            self._counts.add("unknown")
            return
        if message.get_srcSystem() == self.system and message.get_srcComponent() == COMPONENT:
            self._counts.drop("loop", f"{sender[0]}:{sender[1]} sends with our own system number {self.system}")
            return
        target = getattr(message, "target_system", getattr(message, "target", 0))
        part = getattr(message, "target_component", 0)
        if target not in (0, self.system) or part not in (0, COMPONENT):
            self._counts.add("for_others")
            return
        try:
            self._waiting.put_nowait(HeardMessage(message, sender))
        except queue.Full:
            self._counts.drop("flood", "messages come faster than ticks take them; the rest is dropped")

    def _floods(self, sender: Address) -> str:
        """Count a message before it is decoded; a sentence if it is one too many in this second."""
        second = int(self._clock())
        if second != self._second:
            self._second, self._all = second, 0
            self._came.clear()
        if self._came[sender] >= OF_ONE_PER_S:
            return f"{sender[0]}:{sender[1]} sends more than {OF_ONE_PER_S} messages a second"
        if self._all >= OF_ALL_PER_S:
            return f"more than {OF_ALL_PER_S} messages a second come"
        if len(self._came) > MOST_SENDERS:
            self._came.clear()
        self._came[sender] += 1
        self._all += 1
        return ""


def _resolved(host: str) -> str:
    """The number of a name, so that answers from there are known again."""
    try:
        return socket.gethostbyname(host)
    except OSError:
        raise CommandError(
            f"mavlink: nobody knows where {host!r} is", expected="an address such as 127.0.0.1"
        ) from None
