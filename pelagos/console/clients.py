"""Connected browsers: messages to all of them, and processing of their messages.

`Clients` validates every message (`protocol.parse`) and checks the seat of its sender (`lease`) before the message
reaches the runner. A client that breaks the rules is disconnected with a code and a reason that its browser can read.

Threads: `set_loop`, `publish` and `publish_message` may be called in any thread; everything else runs in the event loop
of the server.
"""

from __future__ import annotations

import asyncio
import contextlib
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
from pelagos.files.library import TASKS
from pelagos.session.orders.table import ORDERS
from pelagos.session.security import MESSAGES_PER_S, ORDERS_PER_S, SEATS_PER_S, Outbox, RateLimit
from pelagos.session.source import StampedInput, StampedSnapshot, unknown

MOST_CLIENTS = 16  # each gets every snapshot
NEWEST = ("contacts", "links")  # repeated messages: a newer one replaces one that still waits
MOST_MISTAKES = 20  # invalid messages until the client is disconnected
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


class ClientRunner(Protocol):
    """The methods of the runner that clients use."""

    clients: int

    @property
    def link_lost(self) -> bool:
        """Whether the input of the pilot has stopped."""
        ...

    def input(self, sticks: StampedInput) -> None:
        """Pass the sticks of the pilot."""
        ...

    def let_go(self) -> None:
        """Release the sticks: the pilot has changed or left."""
        ...

    def order(self, name: str, values: Mapping[str, Any], refused: Callable[[str], None]) -> None:
        """Queue an order; `refused` is called with the reason if it cannot be executed."""
        ...


class BrowserClient:
    """A connected browser: its outbox, its rate limits, and the reason if it is disconnected."""

    def __init__(self, key: str, name: str, clock: Callable[[], float]) -> None:
        self.key, self.name = key, name
        self.outbox = Outbox()
        self.messages, self.orders = RateLimit(MESSAGES_PER_S, clock), RateLimit(ORDERS_PER_S, clock)
        self.seats = RateLimit(SEATS_PER_S, clock)
        self.mistakes = 0
        self.dropped = asyncio.Event()
        self.code, self.reason, self.reads = 1000, "", True

    def drop(self, code: int, reason: str, reads: bool = True) -> None:
        """Disconnect the client; `reads` is False if it accepts no data any more, not even a closing frame."""
        if not self.dropped.is_set():
            self.code, self.reason, self.reads = code, reason, reads
            self.dropped.set()

    def send(self, text: str) -> None:
        """Queue a text; texts keep their order."""
        if not self.outbox.put_text(text):
            self.drop(TRY_LATER, "too slow: too many messages were waiting", reads=False)


class Clients:
    """All connected browsers. `runner` must be set before the first one joins."""

    runner: ClientRunner
    tasks: tuple[str, ...] = ()  # task files that clients may load besides the built-in tasks

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._numbers = itertools.count(1)
        self.all: dict[str, BrowserClient] = {}
        self.lease = Seats(clock)
        self._hello = ""  # the last hello, without its receiver
        self._status = ""
        self._time_s = 0.0  # simulated time of the last event, which events of the lease take over
        self._loop: asyncio.AbstractEventLoop | None = None

    def set_loop(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """Set the event loop of the server; None when it has ended."""
        self._loop = loop

    def publish(self, snapshot: StampedSnapshot) -> None:
        """Send a snapshot to all clients; from any thread."""
        # Packed in the thread that calls, because the runner writes the next row into the same array.
        self._later(self.broadcast_snapshot, pack_snapshot(snapshot))

    def publish_message(self, message: dict[str, Any]) -> None:
        """Send a message to all clients; from any thread."""
        # Made into text in the thread that calls, because its tables may change afterwards.
        self._later(self.broadcast, message["type"], text_of(message), float(message.get("time_s") or 0.0))

    def _later(self, function: Callable[..., None], *values: Any) -> None:
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(function, *values)

    def broadcast_snapshot(self, data: bytes) -> None:
        """Send a packed snapshot to all clients; it replaces one that still waits."""
        for client in self.all.values():
            client.outbox.put_snapshot(data)

    def broadcast(self, kind: str, text: str, time_s: float) -> None:
        """Send a text to all clients; hello and status are stored for clients that join later."""
        self._time_s = time_s or self._time_s
        if kind == "hello":
            self._hello = text
        elif kind == "status":
            self._status = text
        for client in self.all.values():
            if kind in NEWEST:
                client.outbox.put_newest(kind, text)
            else:
                client.send(_addressed(text, client.key) if kind == "hello" else text)

    @property
    def full(self) -> bool:
        """Whether the number of clients has reached its limit."""
        return len(self.all) >= MOST_CLIENTS

    def join(self, name: str) -> BrowserClient:
        """Add a client; it receives the present status and hello."""
        key = f"c{next(self._numbers)}"
        client = self.all[key] = BrowserClient(key, display_name(name, key), self._clock)
        if self._status:
            client.send(self._status)
        if self._hello:
            client.send(_addressed(self._hello, key))
        self._update_count()
        self._announce(self.lease.join(key), always=True)
        return client

    def leave(self, client: BrowserClient) -> None:
        """Remove a client that has disconnected."""
        if self.all.pop(client.key, None) is not None:
            self._update_count()
            self._announce(self.lease.leave(client.key), always=True, gone=client)

    def receive(self, client: BrowserClient, raw: str | bytes) -> None:
        """Process a message of a client."""
        # Size and rate first: both tests are cheap, parsing is not.
        if len(raw) > LARGEST_MESSAGE:
            client.drop(TOO_BIG, f"a message may have {LARGEST_MESSAGE} bytes")
            return
        if not client.messages.take():
            client.drop(AGAINST_THE_RULES, f"more than {MESSAGES_PER_S:g} messages a second")
            return
        try:
            self._process(client, parse(raw))
        except MessageError as problem:
            client.mistakes += 1
            client.send(_refused("", str(problem)))
            if client.mistakes >= MOST_MISTAKES:
                client.drop(AGAINST_THE_RULES, f"{MOST_MISTAKES} messages that could not be read")

    def expire_requests(self) -> None:
        """Grant requests for seats that were not answered in time; to be called several times a second."""
        self._announce(self.lease.expire(self.runner.link_lost))

    def _process(self, client: BrowserClient, message: Message) -> None:
        if isinstance(message, StampedInput):
            if self.lease.holder["pilot"] == client.key:  # inputs of a former pilot may still arrive
                self.runner.input(message)
        elif isinstance(message, PingMessage):  # only the newest answer matters to a client that reads slowly
            client.outbox.put_newest("pong", text_of({"type": "pong", "t": message.t}))
        elif isinstance(message, OrderMessage):
            self._order(client, message)
        elif not client.seats.take():  # all clients receive these changes, so their rate has a lower limit
            order = "lease" if isinstance(message, LeaseMessage) else "name"
            client.send(_refused(order, f"more than {SEATS_PER_S:g} a second of seats and names; this was not done"))
        elif isinstance(message, LeaseMessage):
            try:
                self._announce(self.lease.act(client.key, message.do, message.role, message.to))
            except CommandError as refusal:
                client.send(_refused("lease", str(refusal)))
        else:
            self._rename(client, message)

    def _order(self, client: BrowserClient, order: OrderMessage) -> None:
        if client.orders.take():
            of_instructor = ORDERS[order.name].role == "instructor"
            why_not = self.lease.may_order(client.key, of_instructor) or self._foreign_task(order)
        else:
            why_not = f"more than {ORDERS_PER_S:g} orders a second; this one was not done"
        if why_not:
            client.send(_refused(order.name, why_not))
            return

        def refused(reason: str) -> None:  # called in the runner's thread
            self._later(client.send, _refused(order.name, reason))

        self.runner.order(order.name, order.values, refused)

    def _foreign_task(self, order: OrderMessage) -> str:
        """Why a client may not load a task, or "": a name could be the path of any file of this machine."""
        name = order.values.get("name")
        names = [*TASKS.names(), *self.tasks]
        if order.name != "task" or name is None or name in names:
            return ""
        return str(unknown("there is no task", name, tuple(names)))

    def _rename(self, client: BrowserClient, message: NameMessage) -> None:
        client.name = display_name(message.name, client.key)
        self._send_roster()

    def _update_count(self) -> None:
        self.runner.clients = len(self.all)

    def _announce(self, changes: list[SeatChange], always: bool = False, gone: BrowserClient | None = None) -> None:
        """Send changes of the seats to all clients; the roster after a change, or `always`."""
        for change in changes:
            # These three leave the seat with its holder, whose sticks stay as they are.
            if change.role == "pilot" and change.why not in ("requested", "refused", "withdrawn"):
                self.runner.let_go()
            # A client that has left is no longer in `all`, but its name is needed once more.
            person = gone if gone and gone.key == change.client else self.all.get(change.client)
            who = person.name if person else change.client
            text = WHY[change.why].format(who=who, seat=SEATS[change.role])
            event = {"type": "event", "time_s": self._time_s, "kind": "lease", "text": text}
            self.broadcast("event", text_of({**event, "role": change.role, "holder": change.holder}), 0.0)
        if changes or always:
            self._send_roster()

    def _send_roster(self) -> None:
        clients = [
            {"id": client.key, "name": client.name, "role": self.lease.role_of(client.key)}
            for client in self.all.values()
        ]
        requests = [
            {"id": request.client, "role": request.role, "left_s": round(self.lease.left_s(request), 1)}
            for request in self.lease.requests
        ]
        roster = text_of({"type": "roster", "clients": clients, **self.lease.holder, "requests": requests})
        for client in self.all.values():
            client.outbox.put_newest("roster", roster)


def _addressed(hello: str, key: str) -> str:
    """The text of a hello with its receiver; a hello is long, so its JSON is not written again."""
    return f'{{"you":"{key}",{hello[1:]}'


def _refused(order: str, text: str) -> str:
    return text_of({"type": "refused", "order": order, "text": text})
