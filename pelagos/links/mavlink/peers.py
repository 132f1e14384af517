"""UDP connection to ground stations: one socket, the known stations, and limits for what is received and sent.

The thread of the socket decodes frames into a bounded queue; the thread of the simulation takes some of them at each
tick and sends without waiting, at a limited rate. A station is removed after 30 s without a message.
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
from pelagos.session.security import RateLimit, is_loopback

DEFAULT_ADDRESS = "udpout:127.0.0.1:14550"  # where QGroundControl listens
MOST_PEERS = 8  # stations that get telemetry: each costs the full rate of messages
GONE_S = 30.0  # a station silent for this long gets no more telemetry
PER_S = 1000.0  # datagrams read per second
SENT_PER_S, BURST = 1000.0, 300.0  # token bucket of messages sent
MOST_WAITING = 512  # messages between the thread of the socket and the ticks; more are dropped
MOST_PER_TICK = 40  # messages handled between two ticks
OF_ONE_PER_S = 300  # messages of one sender per second, so that one cannot crowd out the others
OF_ALL_PER_S = 1500  # messages of all senders per second; the rest is dropped before it is decoded
MOST_SENDERS = 256  # senders counted at a time: bounds the memory that forged addresses can take
SILENT_S = 4.0  # a station silent for this long may be replaced: heartbeats come every second


class ReceivedMessage(NamedTuple):
    """Received message and the address of its sender."""

    message: Any
    sender: Address

    @property
    def kind(self) -> str:
        """Name of the message."""
        return str(self.message.get_type())

    @property
    def system(self) -> int:
        """MAVLink system number of the sender."""
        return int(self.message.get_srcSystem())

    @property
    def component(self) -> int:
        """MAVLink component number of the sender."""
        return int(self.message.get_srcComponent())


class PeerAddress(NamedTuple):
    """UDP address; `sends_first`: the vehicle sends first (udpout) instead of waiting for stations (udpin)."""

    sends_first: bool
    host: str
    port: int

    @classmethod
    def of(cls, text: str) -> PeerAddress:
        """Parse `udpout:HOST:PORT`, `udpin:HOST:PORT` or `HOST:PORT`, which means udpout."""
        words = text.split(":")
        way = words.pop(0) if len(words) == 3 else "udpout"
        if way not in ("udpin", "udpout") or len(words) != 2 or not words[0] or not words[1].isdecimal():
            expected = f"an address such as {DEFAULT_ADDRESS} or udpin:127.0.0.1:14550"
            raise CommandError(file="mavlink", key="address", value=text, expected=expected)
        port = int(words[1])
        if port > 65535 or (way == "udpout" and port == 0):
            raise CommandError(file="mavlink", key="address", value=text, expected="a port from 1 to 65535")
        return cls(way == "udpout", words[0], port)


class Peers:
    """Connection to the ground stations.

    Args:
        messages: pymavlink dialect module.
        where: `udpout:HOST:PORT` sends to a station that listens, `udpin:HOST:PORT` listens for stations.
        system: MAVLink system number of the vehicle.
        allow_remote: whether addresses that other machines can reach are allowed.
        counts: counters of the link.
        clock: wall clock, s.
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
        address = PeerAddress.of(where)
        check_bind("mavlink", address.host, allow_remote)
        host = _resolved(address.host)
        self.system, self._counts, self._clock = system, counts, clock
        # One codec for each thread: pymavlink codecs have state.
        self._encoder, self._decoder = Wire(messages, system, COMPONENT), Wire(messages, system, COMPONENT)
        self._fixed: Address | None = (host, address.port) if address.sends_first else None
        self._known: dict[Address, float] = {}  # time of the last message
        self._waiting: queue.Queue[ReceivedMessage] = queue.Queue(MOST_WAITING)
        self._second, self._received, self._received_all = 0, Counter[Address](), 0
        self._sending = RateLimit(SENT_PER_S, clock, BURST)
        bound = host if not address.sends_first else "127.0.0.1" if is_loopback(address.host) else ""
        sock = udp_socket(bound, 0 if address.sends_first else address.port)
        self._datagrams = Datagrams(sock, self._take, counts, per_s=PER_S, largest=LONGEST)

    @property
    def port(self) -> int:
        """Local UDP port, where stations can send messages."""
        return self._datagrams.port

    @property
    def addresses(self) -> list[Address]:
        """Addresses of all stations."""
        others = (address for address in self._known if address != self._fixed)
        return [*([self._fixed] if self._fixed else []), *others]

    def take(self) -> Iterator[ReceivedMessage]:
        """Yield received messages in order, at most `MOST_PER_TICK`; their senders become known stations."""
        now = self._clock()
        for address, last_s in list(self._known.items()):
            if now - last_s > GONE_S:
                del self._known[address]
        for _ in range(MOST_PER_TICK):
            try:
                received = self._waiting.get_nowait()
            except queue.Empty:
                return
            if received.sender in self._known or self._has_room(now):
                self._known[received.sender] = now
                yield received
            else:
                self._counts.drop(
                    "stranger", f"{received.sender[0]}:{received.sender[1]} exceeds the number of stations; dropped"
                )

    def _has_room(self, now: float) -> bool:
        """Return whether one more station fits, after removing the longest silent one if needed."""
        if len(self._known) < MOST_PEERS:
            return True
        oldest = min(self._known, key=self._known.__getitem__)
        if now - self._known[oldest] <= SILENT_S:
            return False
        del self._known[oldest]
        return True

    def send(self, message: Any, to: Address | None = None) -> bool:
        """Send to one station or to all; False, with nothing sent, if the rate limit is exceeded."""
        receivers = [to] if to else self.addresses
        if not receivers:
            return True
        if not self._sending.take(len(receivers)):
            self._counts.drop("budget", f"more than {SENT_PER_S:g} messages a second are requested; some are dropped")
            return False
        packed = self._encoder.pack(message)
        for address in receivers:
            self._datagrams.send(packed, address)
        return True

    def close(self) -> None:
        """Stop the thread and close the socket."""
        self._datagrams.close()

    def _take(self, data: bytes, sender: Address) -> None:
        """Decode a datagram, in the thread of the socket."""
        try:
            received = frames(data)
            for n, frame in enumerate(received):
                why = self._floods(sender)
                if why:
                    self._counts.drop("flood", why, len(received) - n)
                    return
                self._enqueue(self._decoder.decode(frame), sender)
        except MessageError as problem:
            self._counts.drop("malformed", f"from {sender[0]}:{sender[1]}: {problem}")

    def _enqueue(self, message: Any, sender: Address) -> None:
        if message is None:
            self._counts.add("unknown")
            return
        if message.get_srcSystem() == self.system and message.get_srcComponent() == COMPONENT:
            self._counts.drop(
                "loop", f"{sender[0]}:{sender[1]} sends with the system number of this vehicle, {self.system}"
            )
            return
        # MANUAL_CONTROL names its field `target`; messages without a target are for all, which 0 means too.
        target = getattr(message, "target_system", getattr(message, "target", 0))
        part = getattr(message, "target_component", 0)
        if target not in (0, self.system) or part not in (0, COMPONENT):
            self._counts.add("for_others")
            return
        try:
            self._waiting.put_nowait(ReceivedMessage(message, sender))
        except queue.Full:
            self._counts.drop("flood", "messages come faster than ticks take them; the rest is dropped")

    def _floods(self, sender: Address) -> str:
        """Count a message before it is decoded; return the reason if it exceeds a limit of this second."""
        second = int(self._clock())
        if second != self._second:
            self._second, self._received_all = second, 0
            self._received.clear()
        if self._received[sender] >= OF_ONE_PER_S:
            return f"{sender[0]}:{sender[1]} sends more than {OF_ONE_PER_S} messages a second"
        if self._received_all >= OF_ALL_PER_S:
            return f"more than {OF_ALL_PER_S} messages a second come"
        # Clearing loses the counts of this second, which only lets a few messages more through.
        if len(self._received) > MOST_SENDERS:
            self._received.clear()
        self._received[sender] += 1
        self._received_all += 1
        return ""


def _resolved(host: str) -> str:
    """Return the IP address of a host name, which is the sender address of its answers."""
    try:
        return socket.gethostbyname(host)
    except OSError:
        raise CommandError(
            "the name cannot be resolved",
            file="mavlink",
            key="host",
            value=host,
            expected="an address such as 127.0.0.1",
        ) from None
