"""Everybody who is connected: what each is told, and what comes of what each says. Lives in the server's loop.

Nothing that a client sends gets further than here before it is known to be good: `protocol.parse` has checked it and
the lease allows it. Whoever breaks the rules is dropped with a code and a reason, which its browser can read.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from pelagos.console.lease import SeatChange, Seats
from pelagos.console.protocol import (
    LARGEST_MESSAGE,
    LeaseMessage,
    Message,
    NameMessage,
    OrderMessage,
    PingMessage,
    display_name,
    pack_snapshot,
    parse,
    text_of,
)
from pelagos.errors import CommandError, MessageError
from pelagos.session.order_fields import is_of_instructor
from pelagos.session.security import MESSAGES_PER_S, ORDERS_PER_S, SEATS_PER_S, Outbox, RateLimit
from pelagos.session.source import StampedInput, StampedSnapshot, unknown
from pelagos.training.catalogue import task_names

MOST_CLIENTS = 16
NEWEST = ("contacts", "links")  # told again and again: of those that wait only the last counts
MOST_MISTAKES = 20  # messages that could not be read, then the client is dropped
TOO_BIG, AGAINST_THE_RULES, TRY_LATER = 1009, 1008, 1013  # codes of RFC 6455, 7.4.1
WHY = {
    "first": "{who} is the first here and has the {seat}",
    "alone": "{who} is the only one left and has the {seat}",
    "taken": "{who} has taken the {seat}",
    "granted": "{who} has been given the {seat}",
    "no answer": "{who} has the {seat}: nobody answered the request",
    "link lost": "{who} has the {seat}: the link of the pilot is lost",
    "next": "{who} was next and has the {seat}",
    "released": "{who} has given up the {seat}",
    "left": "{who} has left; nobody has the {seat} now",
    "moved": "{who} has left the {seat}",
    "requested": "{who} asks for the {seat}",
    "refused": "{who} does not get the {seat}",
    "withdrawn": "{who} does not ask for the {seat} any more",
}
SEATS = {"pilot": "controls", "instructor": "instructor's place"}


class Driven(Protocol):
    """What the clients steer: the runner."""

    clients: int

    @property
    def link_lost(self) -> bool:
        """Whether the pilot's input stays away."""
        ...

    def input(self, sticks: StampedInput) -> None:
        """Sticks of the pilot."""
        ...

    def let_go(self) -> None:
        """Another pilot, or none."""
        ...

    def order(self, name: str, values: Mapping[str, Any], refused: Callable[[str], None]) -> None:
        """Something to do once."""
        ...


class BrowserClient:
    """One browser."""

    def __init__(self, key: str, name: str, clock: Callable[[], float]) -> None:
        self.key, self.name = key, name
        self.outbox = Outbox()
        self.messages, self.orders = RateLimit(MESSAGES_PER_S, clock), RateLimit(ORDERS_PER_S, clock)
        self.seats = RateLimit(SEATS_PER_S, clock)
        self.mistakes = 0
        self.dropped = asyncio.Event()
        self.code, self.reason, self.reads = 1000, "", True

    def drop(self, code: int, reason: str, reads: bool = True) -> None:
        """End the connection; `reads` is False for one that takes nothing any more, not even a farewell."""
        if not self.dropped.is_set():
            self.code, self.reason, self.reads = code, reason, reads
            self.dropped.set()

    def tell(self, text: str) -> None:
        """Send a text, in order."""
        if not self.outbox.put_text(text):
            self.drop(TRY_LATER, "too slow: too many messages were waiting", reads=False)


class Clients:
    """All of them. `driven` must be set before the first joins."""

    driven: Driven
    tasks: tuple[str, ...] = ()  # that may be asked for besides those that come with Pelagos

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._numbers = itertools.count(1)
        self.all: dict[str, BrowserClient] = {}
        self.lease = Seats(clock)
        self._hello = ""  # the text of the last one, without whom it is for
        self._status = ""
        self._time_s = 0.0  # of the last event: those of the lease happen about then
        self._loop: asyncio.AbstractEventLoop | None = None

    # ---- from the runner's thread ----------------------------------------------------------------------------------

    def serve_in(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """The loop in which everything else of this class runs; None when it is over."""
        self._loop = loop

    def publish(self, snapshot: StampedSnapshot) -> None:
        """A snapshot for all; it is packed here, in the thread that calls, which fills the same array anew."""
        self._later(self.offer, pack_snapshot(snapshot))

    def tell(self, message: dict[str, Any]) -> None:
        """A message for all; it is made into text here, in the thread that calls."""
        self._later(self.spread, message["type"], text_of(message), float(message.get("time_s") or 0.0))

    def _later(self, function: Callable[..., None], *values: Any) -> None:
        loop = self._loop
        if loop is not None and not loop.is_closed():
            try:
                loop.call_soon_threadsafe(function, *values)
            except RuntimeError:  # it was closed between the two lines
                return

    # ---- in the loop -----------------------------------------------------------------------------------------------

    def offer(self, data: bytes) -> None:
        """The newest state for all."""
        for client in self.all.values():
            client.outbox.put_snapshot(data)

    def spread(self, kind: str, text: str, time_s: float) -> None:
        """A text for all, kept for those who come later if it says how things are."""
        self._time_s = time_s or self._time_s
        if kind == "hello":
            self._hello = text
        elif kind == "status":
            self._status = text
        for client in self.all.values():
            if kind in NEWEST:
                client.outbox.put_newest(kind, text)
            else:
                client.tell(_addressed(text, client.key) if kind == "hello" else text)

    @property
    def full(self) -> bool:
        """Whether nobody else can be let in."""
        return len(self.all) >= MOST_CLIENTS

    def join(self, name: str) -> BrowserClient:
        """Somebody new, who is told how things are."""
        key = f"c{next(self._numbers)}"
        client = self.all[key] = BrowserClient(key, display_name(name, key), self._clock)
        if self._status:
            client.tell(self._status)
        if self._hello:
            client.tell(_addressed(self._hello, key))
        self._counted()
        self._settle(self.lease.join(key), always=True)
        return client

    def leave(self, client: BrowserClient) -> None:
        """Somebody is gone."""
        if self.all.pop(client.key, None) is not None:
            self._counted()
            self._settle(self.lease.leave(client.key), always=True, gone=client)

    def receive(self, client: BrowserClient, raw: str | bytes) -> None:
        """One message of a client."""
        if len(raw) > LARGEST_MESSAGE:
            client.drop(TOO_BIG, f"a message may have {LARGEST_MESSAGE} bytes")
            return
        if not client.messages.take():
            client.drop(AGAINST_THE_RULES, f"more than {MESSAGES_PER_S:g} messages a second")
            return
        try:
            self._obey(client, parse(raw))
        except MessageError as problem:
            client.mistakes += 1
            client.tell(_refused("", str(problem)))
            if client.mistakes >= MOST_MISTAKES:
                client.drop(AGAINST_THE_RULES, f"{MOST_MISTAKES} messages that could not be read")

    def watch(self) -> None:
        """Grant requests that nobody answered; to be called some times a second."""
        self._settle(self.lease.expire(self.driven.link_lost))

    def _obey(self, client: BrowserClient, message: Message) -> None:
        if isinstance(message, StampedInput):
            if self.lease.holder["pilot"] == client.key:  # the last ones of a pilot who was just relieved are let fall
                self.driven.input(message)
        elif isinstance(message, PingMessage):
            client.outbox.put_newest("pong", text_of({"type": "pong", "t": message.t}))
        elif isinstance(message, OrderMessage):
            self._order(client, message)
        elif not client.seats.take():  # everybody is told of these, so one client must not have many
            what = "lease" if isinstance(message, LeaseMessage) else "name"
            client.tell(_refused(what, f"more than {SEATS_PER_S:g} a second of seats and names; this was not done"))
        elif isinstance(message, LeaseMessage):
            try:
                self._settle(self.lease.act(client.key, message.do, message.role, message.to))
            except CommandError as refusal:
                client.tell(_refused("lease", str(refusal)))
        else:
            self._rename(client, message)

    def _order(self, client: BrowserClient, order: OrderMessage) -> None:
        if client.orders.take():
            why_not = self.lease.may_order(client.key, is_of_instructor(order.name)) or self._foreign_task(order)
        else:
            why_not = f"more than {ORDERS_PER_S:g} orders a second; this one was not done"
        if why_not:
            client.tell(_refused(order.name, why_not))
            return

        def refused(reason: str) -> None:  # called in the runner's thread
            self._later(client.tell, _refused(order.name, reason))

        self.driven.order(order.name, order.values, refused)

    def _foreign_task(self, order: OrderMessage) -> str:
        """Nothing, or why a task may not be asked for from here: a name could be that of any file of this machine."""
        name = order.values.get("name")
        names = [*task_names(), *self.tasks]
        if order.name != "task" or name is None or name in names:
            return ""
        return str(unknown("there is no task", name, tuple(names)))

    def _rename(self, client: BrowserClient, message: NameMessage) -> None:
        client.name = display_name(message.name, client.key)
        self._roster()

    def _counted(self) -> None:
        self.driven.clients = len(self.all)

    def _settle(self, changes: list[SeatChange], always: bool = False, gone: BrowserClient | None = None) -> None:
        """Tell everybody of changes of the seats."""
        for change in changes:
            if change.role == "pilot" and change.why not in ("requested", "refused", "withdrawn"):
                self.driven.let_go()
            person = gone if gone and gone.key == change.client else self.all.get(change.client)
            who = person.name if person else change.client
            text = WHY[change.why].format(who=who, seat=SEATS[change.role])
            event = {"type": "event", "time_s": self._time_s, "kind": "lease", "text": text}
            self.spread("event", text_of({**event, "role": change.role, "holder": change.holder}), 0.0)
        if changes or always:
            self._roster()

    def _roster(self) -> None:
        listed = [{"id": one.key, "name": one.name, "role": self.lease.role_of(one.key)} for one in self.all.values()]
        asked = [
            {"id": one.client, "role": one.role, "left_s": round(self.lease.left_s(one), 1)}
            for one in self.lease.requests
        ]
        roster = text_of({"type": "roster", "clients": listed, **self.lease.holder, "requests": asked})
        for client in self.all.values():
            client.outbox.put_newest("roster", roster)


def _addressed(hello: str, key: str) -> str:
    """A hello with its receiver in it, without writing all of it anew."""
    return f'{{"you":"{key}",{hello[1:]}'


def _refused(order: str, text: str) -> str:
    return text_of({"type": "refused", "order": order, "text": text})
