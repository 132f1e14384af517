"""The protocol of the robot link without sockets: roles of clients, control lease, sequence numbers and exchanges.

One client at a time is the controller. It keeps the control lease until it sends a bye, its connection ends, or it has
been silent for SILENT_S and another client requests control. A client that reconnects with the same session continues
with its sequence numbers.

An order takes effect once: the protocol keeps its number with the answer, and repeats the answer if the number comes
again. It refuses a lower number and states the last one. Numbers may be skipped.

A client whose first line is not a hello is dropped at once. Any page in a browser can post to a port of this machine:
such a request begins with a line of HTTP, and its body must not be read as orders.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import pelagos
from pelagos.errors import CommandError, MessageError, PelagosError
from pelagos.links.counts import Counts
from pelagos.links.robot.clock import Clock
from pelagos.links.robot.host import Host
from pelagos.links.robot.messages import (
    CONTROLLER,
    FOLLOWER,
    LARGEST_LINE,
    SCHEMA,
    Bye,
    Hello,
    Reset,
    RobotOrder,
    encode_line,
    parse,
    seq_of,
)
from pelagos.links.robot.peers import Peer

Client = TypeVar("Client")
SILENT_S = 10.0  # wall time after which another client may take control
BAD_LINES = 20  # consecutive invalid lines after which a client is dropped
DEADMAN_S = 2.0  # wall time without an order after which directly driven actuators are stopped


class ControlLease(Generic[Client]):
    """The right to control one world, with the sequence numbers of its orders. Times are wall times."""

    def __init__(self) -> None:
        self.holder: Client | None = None
        self.session = ""
        self.last_seq = 0
        self.followed_seq = 0  # of the last order that took effect; a refused one does not count
        self.answer = b""  # to the order last_seq
        self.received_s = 0.0  # time of the last message of this holder or the one before

    def request(self, client: Client, session: str, now_s: float) -> bool:
        """Give the lease to a client unless another holds it; sequence numbers restart unless its session continues."""
        same = bool(session) and session == self.session
        if self.holder is not None and self.holder is not client and not same and now_s - self.received_s < SILENT_S:
            return False
        if not same and not (self.holder is client and session == self.session):
            self.last_seq, self.followed_seq, self.answer = 0, 0, b""
        self.holder, self.session, self.received_s = client, session, now_s
        return True

    def release(self, client: Client) -> None:
        """Take the lease from a client that has left; its session can continue until another client has it."""
        if self.holder is client:
            self.holder = None


class _MisuseError(Exception):
    """A valid message from a client that may not send it."""


class RobotProtocol:
    """The protocol between one world and its clients.

    Args:
        host: the world.
        clock: the deadlines of exchanges.
        every: ticks of the host in an exchange.
        counts: of the link.
        deadman_s: see DEADMAN_S; not used in lockstep, where time stands still without orders.
        now: wall time in seconds.
    """

    def __init__(
        self,
        host: Host,
        clock: Clock,
        every: int,
        counts: Counts,
        *,
        deadman_s: float = DEADMAN_S,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.host, self.clock, self.counts = host, clock, counts
        self._every, self._deadman_s, self._now = every, deadman_s, now
        self.lease: ControlLease[Peer] = ControlLease()
        self.peers: list[Peer] = []  # that have sent a hello
        self.dropped: list[tuple[Peer, str]] = []  # clients for the server to close, each with the text of its bye
        self.over = ""  # why the world ends
        self.pending = False  # an order waits for its interval, because another link has frozen time
        self._robot_active = False  # the robot has sent orders since the last reset or deadman stop

    def receive(self, peer: Peer, line: bytes | None) -> None:
        """Process a line of a client; None stands for one that was too long."""
        self.counts.add("received")
        try:
            if line is None:
                raise MessageError("the line is too long and was ignored", expected=f"at most {LARGEST_LINE} bytes")
            if peer.role and not line.strip():  # an empty line is harmless, but not as the first line
                return
            message = parse(line)
            if not peer.role and not isinstance(message, Hello):
                raise _MisuseError("the first message is not a hello")
            peer.received_s = self._now()
            if peer is self.lease.holder:
                self.lease.received_s = peer.received_s
            if isinstance(message, Hello):
                self._hello(peer, message)
            elif isinstance(message, Bye):
                self._bye(peer, message)
            else:
                self._numbered(peer, message)
            peer.bad = 0
        except MessageError as problem:
            self._reject(peer, "malformed", str(problem), seq_of(line))
        except _MisuseError as problem:
            self._reject(peer, "misuse", str(problem), seq_of(line))

    def remove(self, peer: Peer) -> None:
        """Remove a client that has left."""
        self.lease.release(peer)
        if peer in self.peers:
            self.peers.remove(peer)

    def _reject(self, peer: Peer, reason: str, text: str, seq: int | None) -> None:
        """Count an invalid line and answer it; drop the client without a hello, or after BAD_LINES of them."""
        peer.bad += 1
        self.counts.drop(reason, f"{peer}: {text}")
        if not peer.role:
            self.dropped.append((peer, f"a client must begin with a hello: {text}"))
            return
        self._refuse(peer, seq, text)
        if peer.bad >= BAD_LINES:
            self.dropped.append((peer, f"{BAD_LINES} lines in a row could not be used; the last: {text}"))

    def _refuse(self, peer: Peer, seq: int | None, text: str) -> bytes:
        line = encode_line({"type": "refused", "seq": seq, "last_seq": self.lease.last_seq, "text": text})
        peer.send(line)
        return line

    def _hello(self, peer: Peer, hello: Hello) -> None:
        if hello.schema != SCHEMA:
            raise MessageError("hello has the schema", value=hello.schema, expected=str(SCHEMA))
        peer.name, peer.forces = hello.name, hello.forces
        holder, text = self.lease.holder, ""
        peer.role = FOLLOWER
        if hello.role == FOLLOWER:
            self.lease.release(peer)
        elif self.lease.request(peer, hello.session, self._now()):
            peer.role = CONTROLLER
            if holder is not None and holder is not peer:
                holder.role = FOLLOWER
                holder.send(self._hello_line(holder, f"{peer} has the controls now; you follow"))
        else:
            text = f"{holder} has the controls; you follow"
        if peer not in self.peers:
            self.peers.append(peer)
        peer.send(self._hello_line(peer, text))
        if peer.role == CONTROLLER and not self.host.done:
            self.clock.start()

    def _hello_line(self, peer: Peer, text: str) -> bytes:
        host, clock = self.host, self.clock
        return encode_line({
            "type": "hello",
            "schema": SCHEMA,
            "pelagos": pelagos.__version__,
            "kind": host.kind,
            "title": host.title,
            "role": peer.role,
            "text": text,
            "clock": clock.kind,
            "speed": clock.speed,
            "rate_hz": host.rate_hz / self._every,
            "interval_s": self._every / host.rate_hz,
            "control_rate_hz": host.rate_hz,
            "deadman_s": self._deadman_s if clock.free else None,
            "last_seq": self.lease.last_seq,
            "fleet": host.descriptions(),
            **self._snapshot(peer.forces),
        })  # fmt: skip

    def _bye(self, peer: Peer, bye: Bye) -> None:
        if bye.end:
            if peer is not self.lease.holder:
                raise _MisuseError("only the controller can end the run")
            self.over = f"{peer} has ended the run"
        else:
            self.dropped.append((peer, "as requested"))

    def _numbered(self, peer: Peer, message: RobotOrder | Reset) -> None:
        """Process a message with a sequence number, once."""
        lease, seq = self.lease, message.seq
        if peer is not lease.holder:
            holder = f"{lease.holder} has the controls" if lease.holder else "the controls are free"
            raise _MisuseError(f"{holder}; a follower only watches: send a hello as controller to ask for them")
        if seq == lease.last_seq:
            self.counts.add("repeated")
            if lease.answer:  # empty until the exchange, with a free-running clock or while time is frozen
                peer.send(lease.answer)
            return
        if seq < lease.last_seq:
            self.counts.add("refused")
            self._refuse(peer, seq, f"the number {seq} is lower than that of the last order, {lease.last_seq}")
            return
        lease.last_seq, lease.answer = seq, b""  # before the order takes effect: it must not do so twice
        try:
            if isinstance(message, Reset):
                self._reset(seq)
                return
            if self.host.done:
                raise CommandError(f"{self.host.title or 'the run'} is over", expected="a reset or a bye")
            self.host.apply(message.commands)
        except PelagosError as refusal:
            self.counts.add("refused")
            lease.answer = self._refuse(peer, seq, str(refusal))
            return
        lease.followed_seq = seq
        self._robot_active = True
        if not self.clock.free:
            self.exchange()

    def _reset(self, seq: int) -> None:
        self.host.reset()
        self.lease.followed_seq = seq
        self._robot_active = False
        self.clock.stop()  # the first interval after a reset has its full length
        self.clock.start()
        self._publish()

    def exchange(self) -> None:
        """Advance the world by one interval and publish its state; pending if another link has frozen time.

        Errors of the world are not caught.
        """
        self.pending = self.host.frozen and not self.clock.free
        if self.host.frozen:
            self.host.idle()
            return
        if self.clock.free and self._robot_active and self._now() - self.lease.received_s > self._deadman_s:
            self._robot_active = False
            self.counts.add("deadman")
            self.host.stop()
        for _ in range(self._every):
            self.host.tick()
            if self.host.done:
                self.clock.stop()
                break
        self.counts.add("exchanges")
        self._publish()

    def _publish(self) -> None:
        """Send the state to all clients, and keep it as the answer to the last order if that took effect."""
        lines: dict[bool, bytes] = {}  # each line is encoded once for all clients that receive it
        lease = self.lease
        head: dict[str, Any] = {"type": "state", "seq": lease.followed_seq}
        if self.clock.free:
            head |= {"overruns": self.clock.overruns, "slipped_s": self.clock.slipped_s}

        def line(forces: bool) -> bytes:
            if forces not in lines:
                lines[forces] = encode_line(head | self._snapshot(forces) | {"events": self.host.events()})
            return lines[forces]

        for peer in self.peers:
            peer.send(line(peer.forces))
        if lease.last_seq == lease.followed_seq and (lease.holder is not None or not lease.answer):
            lease.answer = line(lease.holder is not None and lease.holder.forces)  # also for one that reconnects
        self.host.mark_published()

    def _snapshot(self, forces: bool) -> dict[str, Any]:
        host = self.host
        return {
            "tick": host.ticks, "time_s": host.time_s, "done": host.done, "vehicles": host.vehicles(forces),
        }  # fmt: skip
