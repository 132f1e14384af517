"""Where lines of clients become deeds and deeds become answers: roles, numbers of orders, exchanges. No sockets.

An order is done once: its number is kept with the answer, and the same number again gets the same answer. A lower one
is refused and the client told which was the last. A number may be left out.

Whoever does not begin with a hello is sent away at its first line. Any page that a browser shows can post to a port of
this machine: what it sends begins with a line of HTTP, and its body must not be read as orders.

Who has the controls, and how far its orders have got.

One client at a time. It keeps them until it says bye, its connection ends, or it has been silent for a while and
another one asks. A client that comes back with the same session goes on with the numbers it had: what it sends again
is answered again and not done twice.
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
    line_of,
    parse,
    seq_of,
)
from pelagos.links.robot.peers import Peer

Client = TypeVar("Client")
SILENT_S = 10.0  # then another one that asks may have the controls


class ControlLease(Generic[Client]):
    """The controls of one world. Times are seconds of the wall."""

    def __init__(self) -> None:
        self.holder: Client | None = None
        self.session = ""
        self.last_seq = 0
        self.followed_seq = 0  # of the last order that was followed: one that was refused leaves it
        self.answer = b""  # to the order of that number
        self.heard_s = 0.0  # when the holder, or the one before, last said something

    def ask(self, client: Client, session: str, now_s: float) -> bool:
        """Whether the client has the controls from now on. Numbers begin anew unless it is the same one again."""
        same = bool(session) and session == self.session
        if self.holder is not None and self.holder is not client and not same and now_s - self.heard_s < SILENT_S:
            return False
        if not same and not (self.holder is client and session == self.session):
            self.last_seq, self.followed_seq, self.answer = 0, 0, b""
        self.holder, self.session, self.heard_s = client, session, now_s
        return True

    def leave(self, client: Client) -> None:
        """The client is gone; its session stays known until another one has the controls."""
        if self.holder is client:
            self.holder = None


# ---- desk ------------------------------------------------------------------------------------------------------------


BAD_LINES = 20  # in a row, then the client is dropped
DEADMAN_S = 2.0  # of the wall without an order, then what the robot drives by hand is put to rest


class _MisuseError(Exception):
    """A sound message from one that may not send it."""


class RobotProtocol:
    """One world and its clients.

    Args:
        host: the world.
        clock: says when an exchange is due.
        every: ticks of the host in an exchange.
        counts: of the link.
        deadman_s: see DEADMAN_S; not in lockstep, where time stands still without orders.
        now: seconds of the wall.
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
        self.peers: list[Peer] = []  # that have said hello
        self.dropped: list[tuple[Peer, str]] = []  # to be closed, and what they are told
        self.over = ""  # why the world ends
        self.pending = False  # an order waits for its interval, because time stands still
        self._awake = False  # the robot has given orders and is not silent

    # ---- what comes ----------------------------------------------------------------------------------------------

    def take(self, peer: Peer, line: bytes | None) -> None:
        """A line of a client; None for one that was too long."""
        self.counts.add("received")
        try:
            if line is None:
                raise MessageError(f"the line has more than {LARGEST_LINE} bytes and was left out")
            if peer.role and not line.strip():
                return
            message = parse(line)
            if not peer.role and not isinstance(message, Hello):
                raise _MisuseError("this is another message")
            peer.heard_s = self._now()
            if peer is self.lease.holder:
                self.lease.heard_s = peer.heard_s
            if isinstance(message, Hello):
                self._hello(peer, message)
            elif isinstance(message, Bye):
                self._bye(peer, message)
            else:
                self._numbered(peer, message)
            peer.bad = 0
        except MessageError as problem:
            self._bad(peer, "malformed", str(problem), seq_of(line))
        except _MisuseError as problem:
            self._bad(peer, "misuse", str(problem), seq_of(line))

    def left(self, peer: Peer) -> None:
        """A client is gone."""
        self.lease.leave(peer)
        if peer in self.peers:
            self.peers.remove(peer)

    def _bad(self, peer: Peer, reason: str, text: str, seq: int | None) -> None:
        peer.bad += 1
        self.counts.drop(reason, f"{peer}: {text}")
        if not peer.role:
            self.dropped.append((peer, f"a client begins with a hello: {text}"))
            return
        self._refuse(peer, seq, text)
        if peer.bad >= BAD_LINES:
            self.dropped.append((peer, f"{BAD_LINES} lines in a row could not be used; the last: {text}"))

    def _refuse(self, peer: Peer, seq: int | None, text: str) -> bytes:
        line = line_of({"type": "refused", "seq": seq, "last_seq": self.lease.last_seq, "text": text})
        peer.send(line)
        return line

    # ---- who is there --------------------------------------------------------------------------------------------

    def _hello(self, peer: Peer, hello: Hello) -> None:
        if hello.schema != SCHEMA:
            raise MessageError(f"hello has the schema {hello.schema}; this link speaks {SCHEMA}")
        peer.name, peer.forces = hello.name, hello.forces
        holder, text = self.lease.holder, ""
        peer.role = FOLLOWER
        if hello.role == FOLLOWER:
            self.lease.leave(peer)
        elif self.lease.ask(peer, hello.session, self._now()):
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
        return line_of({
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
            "fleet": host.described(),
            **self._present(peer.forces),
        })  # fmt: skip

    def _bye(self, peer: Peer, bye: Bye) -> None:
        if bye.end:
            if peer is not self.lease.holder:
                raise _MisuseError("only the controller ends the world")
            self.over = f"{peer} has ended it"
        else:
            self.dropped.append((peer, "as you wish"))

    # ---- orders --------------------------------------------------------------------------------------------------

    def _numbered(self, peer: Peer, message: RobotOrder | Reset) -> None:
        lease, seq = self.lease, message.seq
        if peer is not lease.holder:
            holder = f"{lease.holder} has the controls" if lease.holder else "nobody has the controls"
            raise _MisuseError(f"{holder} and a follower only watches; say hello as controller to ask for them")
        if seq == lease.last_seq:
            self.counts.add("repeated")
            if lease.answer:
                peer.send(lease.answer)
            return
        if seq < lease.last_seq:
            self.counts.add("refused")
            self._refuse(peer, seq, f"the number {seq} is lower than that of the last order, {lease.last_seq}")
            return
        lease.last_seq, lease.answer = seq, b""
        try:
            if isinstance(message, Reset):
                self._reset(seq)
                return
            if self.host.done:
                raise CommandError(f"{self.host.title or 'the run'} is over", expected="a reset or a bye")
            self.host.give(message.wishes)
        except PelagosError as refusal:
            self.counts.add("refused")
            lease.answer = self._refuse(peer, seq, str(refusal))
            return
        lease.followed_seq = seq
        self._awake = True
        if not self.clock.free:
            self.exchange()

    def _reset(self, seq: int) -> None:
        self.host.reset()
        self.lease.followed_seq = seq
        self._awake = False
        self.clock.stop()
        self.clock.start()
        self._tell()

    # ---- what goes -----------------------------------------------------------------------------------------------

    def exchange(self) -> None:
        """One interval on, and everybody is told; later if time stands still. What the world raises is passed on."""
        self.pending = self.host.frozen and not self.clock.free
        if self.host.frozen:
            self.host.idle()
            return
        if self.clock.free and self._awake and self._now() - self.lease.heard_s > self._deadman_s:
            self._awake = False
            self.counts.add("deadman")
            self.host.stop()
        for _ in range(self._every):
            self.host.tick()
            if self.host.done:
                self.clock.stop()
                break
        self.counts.add("exchanges")
        self._tell()

    def _tell(self) -> None:
        """The state to the controller and to all followers; the answer to the last order, if it was followed."""
        lines: dict[bool, bytes] = {}
        lease = self.lease
        head: dict[str, Any] = {"type": "state", "seq": lease.followed_seq}
        if self.clock.free:
            head |= {"overruns": self.clock.overruns, "slipped_s": self.clock.slipped_s}

        def line(forces: bool) -> bytes:
            if forces not in lines:
                lines[forces] = line_of(head | self._present(forces) | {"events": self.host.events()})
            return lines[forces]

        for peer in self.peers:
            peer.send(line(peer.forces))
        if lease.last_seq == lease.followed_seq and (lease.holder is not None or not lease.answer):
            lease.answer = line(lease.holder is not None and lease.holder.forces)  # also for one that will come back
        self.host.told()

    def _present(self, forces: bool) -> dict[str, Any]:
        host = self.host
        return {
            "tick": host.ticks, "time_s": host.time_s, "done": host.done, "vehicles": host.vehicles(forces),
        }  # fmt: skip
