"""A link to a DIS exercise: it publishes the vehicles of a session as entities and adds remote entities as contacts.

DIS is a real-time protocol, so heartbeats, dead reckoning and timeouts use the wall clock. While the session is paused
or the exercise is frozen, the link publishes its entities as frozen and at rest; receivers then stop extrapolating
them.

| PDU | sent | received |
|---|---|---|
| Entity State | for every vehicle, see `publisher` | adds or updates a contact; a deactivated entity is removed |
| Collision | when a local vehicle hits something | counted |
| Start/Resume | | resumes the exercise, at once or at the real-world time of the PDU |
| Stop/Freeze | | freezes the exercise |
| Acknowledge | for each request addressed to this application | counted |
| Remove Entity | for each vehicle at the end | stops publishing a local vehicle; removes the contact of a remote one |

DIS has no authentication: every host that reaches the port can send all of these. `allowed` limits the senders.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np

from pelagos.checks import whole
from pelagos.errors import CommandError, MessageError, PelagosError
from pelagos.geodesy import Origin
from pelagos.links.counts import Counts
from pelagos.links.datagrams import Address
from pelagos.links.dis.network import Network
from pelagos.links.dis.own_entity import OwnEntity, markings, origin_of, parts_of
from pelagos.links.dis.publisher import HEARTBEAT_S, THRESHOLD_DEG, THRESHOLD_M, Rule
from pelagos.links.dis.remote_entities import ReceivedEntity, RemoteEntities, contact_fields, contact_key
from pelagos.links.dis.wire.collision import CollisionPdu
from pelagos.links.dis.wire.entity_state import EntityState
from pelagos.links.dis.wire.header import (
    HOUR_S,
    PLAIN,
    VERSIONS,
    Header,
    OtherPduError,
    is_absolute,
    outline,
    stamp,
    unbundle,
)
from pelagos.links.dis.wire.management import (
    Acknowledge,
    Answered,
    Frozen,
    RemoveEntity,
    Response,
    StartResume,
    StopFreeze,
)
from pelagos.links.dis.wire.pdu import Pdu, decode, encode
from pelagos.links.dis.wire.records import EntityId, EventId
from pelagos.session.session import Session
from pelagos.sim.contacts import Contact

ALL = 0xFFFF
NONE = 0  # as the entity number: the application itself
Request = StartResume | StopFreeze | RemoveEntity
ANSWERED = {StartResume: Answered.START_RESUME, StopFreeze: Answered.STOP_FREEZE, RemoveEntity: Answered.REMOVE_ENTITY}
SOON_S = HOUR_S  # a later start time means a clock that disagrees with UTC here; the request then applies at once
MAX_SCHEDULED = 32  # requests that wait for their real-world time
MAX_REQUESTS = 100  # requests that wait for the next tick
BUDGET_S = 0.001  # wall time of a tick for adding contacts; the rest waits for the next tick


def is_for(receiver: EntityId, site: int, application: int, entities: Collection[int]) -> bool:
    """Return whether a receiver address includes this application or one of its entities."""
    return (
        receiver.site in (site, ALL)
        and receiver.application in (application, ALL)
        and (receiver.entity in (NONE, ALL) or receiver.entity in entities)
    )


def answer(request: Request, sender: EntityId, able: bool, header: Header = PLAIN) -> Acknowledge:
    """Return the Acknowledge PDU for a request of a simulation manager."""
    response = Response.ABLE if able else Response.UNABLE
    return Acknowledge(sender, request.sender, ANSWERED[type(request)], response, request.request, header)


class Freeze:
    """Freeze state of an exercise, with the Start/Resume and Stop/Freeze requests scheduled for later.

    frozen     simulated time does not advance
    transmit   Entity State PDUs are sent although the exercise is frozen
    receive    Entity State PDUs are accepted although the exercise is frozen
    """

    def __init__(self) -> None:
        self.frozen, self.transmit, self.receive = False, True, True
        self._scheduled: list[tuple[float, StartResume | StopFreeze]] = []

    def apply_or_schedule(self, request: StartResume | StopFreeze, utc_s: float) -> bool:
        """Apply a request now or schedule it for its time (UTC, s since 1970); False if the schedule is full."""
        # A relative time refers to the clock of the sender, which is unknown here: such a request applies at once.
        due = request.real_time.time_s if is_absolute(request.real_time.past) else -math.inf
        if not utc_s < due <= utc_s + SOON_S:
            self._apply(request)
            return True
        if len(self._scheduled) >= MAX_SCHEDULED:
            return False
        self._scheduled.append((due, request))
        self._scheduled.sort(key=lambda item: item[0])
        return True

    def apply_due(self, utc_s: float) -> None:
        """Apply the scheduled requests whose time has come."""
        while self._scheduled and self._scheduled[0][0] <= utc_s:
            self._apply(self._scheduled.pop(0)[1])

    def _apply(self, request: StartResume | StopFreeze) -> None:
        self.frozen = isinstance(request, StopFreeze)
        bits = request.frozen if isinstance(request, StopFreeze) else Frozen.TRANSMIT | Frozen.RECEIVE
        self.transmit, self.receive = bool(bits & Frozen.TRANSMIT), bool(bits & Frozen.RECEIVE)


class Exercise:
    """Session link that takes part in a DIS exercise.

    Args:
        where: ADDRESS:PORT or ADDRESS:PORT/LISTEN; unicast, broadcast or multicast by the address (see `network`).
        version: DIS version of the PDUs sent, 6 or 7; both are received.
        algorithm: dead reckoning algorithm, 1 to 9.
        fixed_hz: send at this rate instead of by thresholds and heartbeat.
        threshold_m, threshold_deg: dead reckoning error above which a PDU is sent.
        heartbeat_s: longest interval between two PDUs of an entity.
        ident: site, application and entity of the first vehicle; further vehicles have the following entity numbers.
        exercise: exercise number, 1 to 255; PDUs of other exercises are ignored.
        ttl: time to live of multicast; with 0, packets stay on this machine.
        allowed: addresses whose packets are accepted; None: all.
        allow_remote: whether the link may use addresses of other machines.
        origin: geographic position of north = east = 0; None: the origin of the world, else Monterey Bay.
        parts: parameter types of articulated parts by name, replacing the defaults; see `parts`.
        report: callback for messages to the user.
        clock: wall clock, s.
        utc: UTC clock, s since 1970.
    """

    name = "dis"

    def __init__(
        self,
        where: str = "127.0.0.1:3000",
        version: int = 7,
        algorithm: int = 4,
        fixed_hz: float | None = None,
        threshold_m: float = THRESHOLD_M,
        threshold_deg: float = THRESHOLD_DEG,
        ident: Sequence[int] = (1, 1, 1),
        exercise: int = 1,
        ttl: int = 0,
        allowed: Collection[str] | None = None,
        allow_remote: bool = False,
        origin: Origin | None = None,
        report: Callable[[str], None] | None = None,
        *,
        heartbeat_s: float = HEARTBEAT_S,
        parts: Mapping[str, Sequence[int]] | None = None,
        clock: Callable[[], float] = time.monotonic,
        utc: Callable[[], float] = time.time,
    ) -> None:
        if version not in VERSIONS:
            raise CommandError(key="DIS version", value=version, expected="6 or 7")
        self._rule = Rule(algorithm, threshold_m, threshold_deg, heartbeat_s, fixed_hz)
        self._site, self._application, self._first = (whole("DIS id", n, 1, 65533) for n in _three(ident))
        self._exercise = whole("DIS exercise", exercise, 1, 255)
        self._version, self._origin, self._parts = version, origin, parts
        self._report = report or (lambda text: None)
        self._clock, self._utc = clock, utc
        self._counts = Counts("dis", report)
        self._remote = RemoteEntities(self._counts, heartbeat_s)
        self._requests: deque[tuple[Request, Address]] = deque()
        self._freeze = Freeze()
        self._entities: list[OwnEntity] = []
        self._events = 0
        self._session: Session | None = None
        self._contact_keys: set[str] = set()
        self._ids: frozenset[int] = frozenset()
        self.network = Network(
            where, self._receive, self._counts, ttl=ttl, allowed=allowed, allow_remote=allow_remote
        )  # fmt: skip
        self._report(self.network.notice())

    @property
    def frozen(self) -> bool:
        """Whether the exercise is frozen, so that simulated time must not advance."""
        return self._freeze.frozen

    @property
    def entities(self) -> tuple[EntityId, ...]:
        """Identifiers of the local vehicles."""
        return tuple(entity.entity for entity in self._entities)

    def begin(self, session: Session) -> None:
        """Register the vehicles of a new run as entities and add the known remote entities to its world."""
        sims = session.sims
        if self._first + len(sims) - 1 > 65533:
            last = 65534 - len(sims)
            expected = f"at most {last}, which leaves room for {len(sims)} entities"
            raise CommandError(key="entity number of the DIS id", value=self._first, expected=expected)
        self._session, self._contact_keys = session, set()
        origin = self._origin or origin_of(session.sims[0], self._report)
        ids = [EntityId(self._site, self._application, self._first + k) for k in range(len(sims))]
        self._ids = frozenset(entity_id.entity for entity_id in ids)
        labels, parts = markings([sim.name for sim in sims]), parts_of(sims, self._parts)
        self._world_origin = origin
        self._entities = [
            OwnEntity(sim, entity_id, marking, self._rule, origin, changes)
            for sim, entity_id, marking, changes in zip(sims, ids, labels, parts, strict=True)
        ]
        self._remote.requeue_all()
        self._update_contacts(session)

    def before(self, session: Session) -> None:
        """Before a tick: handle requests and update contacts."""
        self._handle_requests()
        self._update_contacts(session)

    def after(self, session: Session, events: Sequence[Mapping[str, Any]]) -> None:
        """After a tick: publish the vehicles and their collisions."""
        for entity in self._entities:
            entity.update_motion()
        self._publish(still=False)
        for event in events:
            if event.get("kind") == "collision":
                self._send_collision(event)

    def idle(self, session: Session) -> None:
        """While time stands still: handle requests, update contacts, publish the vehicles at rest."""
        self._handle_requests()
        self._update_contacts(session)
        self._publish(still=True)

    def counts(self) -> Mapping[str, int]:
        """Return the packet counters and the number of remote entities."""
        return {**self._counts.all(), "contacts": len(self._remote)}

    def close(self) -> None:
        """Remove the vehicles from the exercise and its contacts from the world, then close the sockets."""
        try:
            for entity in self._entities:
                self._leave(entity)
            if self._session is not None:
                for key in sorted(self._contact_keys):
                    with contextlib.suppress(PelagosError):
                        self._order(self._session, "contact_gone", {"key": key})
        finally:
            self.network.close()

    def _header(self) -> Header:
        return Header(self._version, self._exercise, stamp(self._utc()))

    def _publish(self, still: bool) -> None:
        now, frozen = self._clock(), self._freeze.frozen
        for entity in self._entities:
            # A frozen exercise without transmission still gets one PDU with the frozen bit: receivers would otherwise
            # extrapolate the entity.
            silent = entity.removed or (frozen and not self._freeze.transmit and entity.published_frozen)
            state = None if silent else entity.state(self._header(), now, still)
            if state is None:
                continue
            if self.network.send(encode(state)):
                self._counts.add("entity_states")
            else:
                entity.publisher.mark_unsent()

    def _send_collision(self, event: Mapping[str, Any]) -> None:
        """Send the Collision PDU of a collision event, from the vehicle that reported it."""
        text, named = str(event.get("text", "")), str(event.get("vehicle", ""))
        position = [event.get(key) for key in ("north_m", "east_m", "depth_m")]
        point = np.array(position, float) if all(isinstance(value, int | float) for value in position) else None
        # Between two local vehicles the event has the name of one; the text contains the name of the other.
        involved = [entity for entity in self._entities if entity.sim.name in text.split()]
        if len(self._entities) == 1:
            involved = []
        by_default = involved[0] if involved else self._entities[0]
        reporter = next((entity for entity in self._entities if entity.sim.name == named), by_default)
        other = next((entity for entity in involved if entity is not reporter), None)
        if reporter.removed:
            return
        self._events = self._events % 65535 + 1
        event_id = EventId(self._site, self._application, self._events)
        if self.network.send(encode(reporter.collision(self._header(), event_id, other, point))):
            self._counts.add("collisions_told")

    def _leave(self, entity: OwnEntity) -> None:
        """Take a vehicle out of the exercise: send its deactivated Entity State, then Remove Entity."""
        last = None if entity.removed else entity.final_state(self._header(), self._clock())
        if last is not None:
            self.network.send(encode(last))
            self.network.send(encode(RemoveEntity(entity.entity, entity.entity, header=self._header())))
        entity.removed = True

    # The network's thread runs `_receive`, `_receive_pdu` and `_dispatch`. It shares only `_remote` (locked), `_counts`
    # (locked) and `_requests` (a deque, whose append and popleft are atomic) with the thread of the simulation.

    def _receive(self, data: bytes, sender: Address) -> None:
        try:
            for part in unbundle(data):
                self._receive_pdu(part, sender)
        except MessageError as problem:  # the start of the next PDU is unknown: the rest is lost
            self._counts.drop("malformed", f"from {sender[0]}: {problem}")

    def _receive_pdu(self, part: bytes, sender: Address) -> None:
        try:
            if outline(part).header.exercise != self._exercise:
                self._counts.add("other_exercise")
            else:
                self._dispatch(decode(part), sender)
        except OtherPduError:
            self._counts.add("other_pdus")
        except MessageError as problem:
            self._counts.drop("malformed", f"from {sender[0]}: {problem}")

    def _dispatch(self, pdu: Pdu, sender: Address) -> None:
        who = pdu.entity if isinstance(pdu, EntityState | CollisionPdu) else pdu.sender
        # Two applications with one id could not be told apart by receivers, so the user has to change one of them.
        if (who.site, who.application) == (self._site, self._application):
            self._counts.drop(
                "same_id",
                f"{sender[0]}:{sender[1]} is {who.site}:{who.application}, as this program; expected another, --dis-id",
            )
            return
        if isinstance(pdu, EntityState):
            if not self._freeze.frozen or self._freeze.receive:
                self._remote.receive(pdu, self._clock())
        elif isinstance(pdu, CollisionPdu):
            self._counts.add("collisions_received")
        elif isinstance(pdu, Acknowledge):
            self._counts.add("acknowledged")
        elif isinstance(pdu, RemoveEntity) and self._remote.remove(pdu.receiver):
            self._counts.add("removed")
        elif is_for(pdu.receiver, self._site, self._application, self._ids):
            if len(self._requests) >= MAX_REQUESTS:
                self._counts.drop("flood", f"more than {MAX_REQUESTS} requests at once; those of {sender[0]} wait")
            else:
                self._requests.append((pdu, sender))

    def _handle_requests(self) -> None:
        """Carry out the requests of simulation managers and acknowledge them."""
        self._freeze.apply_due(self._utc())
        for _ in range(len(self._requests)):
            request, sender = self._requests.popleft()
            if isinstance(request, StartResume | StopFreeze):
                able = self._freeze.apply_or_schedule(request, self._utc())
            else:
                able = self._remove(request.receiver)
            # A request to the whole application is answered by the application, entity number 0.
            number = request.receiver.entity if request.receiver.entity in self._ids else 0
            reply = answer(request, EntityId(self._site, self._application, number), able, self._header())
            # With broadcast and multicast the manager listens at the address of the exercise, not at its sending port.
            to = sender if self.network.where.kind == "unicast" else None
            self.network.send(encode(reply), to)
            self._counts.add("requests")

    def _remove(self, which: EntityId) -> bool:
        """Stop publishing one vehicle or all; the session continues without them in the exercise."""
        published = [entity for entity in self._entities if not entity.removed]
        removed = [entity for entity in published if which.entity in (entity.entity.entity, ALL)]
        for entity in removed:
            self._leave(entity)
            self._report(f"DIS: {entity.marking} was removed from the exercise and is no longer sent")
        return bool(removed)

    def _update_contacts(self, session: Session) -> None:
        """Remove contacts that left and add those received, within `BUDGET_S`."""
        began, now = time.perf_counter(), self._clock()
        for entity in self._remote.take_departed(now, self._freeze.frozen):
            key = contact_key(entity)
            if key in self._contact_keys:
                self._contact_keys.discard(key)
                self._order(session, "contact_gone", {"key": key})
        for received in self._remote.take_updates(now):
            self._add_contact(session, received, now)
            if time.perf_counter() - began > BUDGET_S:
                break

    def _add_contact(self, session: Session, received: ReceivedEntity, now: float) -> None:
        try:
            # The state is as old as it waited in the queue, so its simulated time lies that far back.
            contact = contact_fields(received.state, self._world_origin, session.time_s - max(0.0, now - received.at_s))
            self._order(session, "contact", contact)
        except MessageError as problem:
            self._counts.drop("far", f"{problem}; it is not shown")
        except CommandError as problem:
            self._counts.drop("refused", f"{received.state.entity} cannot be shown: {problem}")
        else:
            self._contact_keys.add(contact["key"])

    def _order(self, session: Session, name: str, values: Mapping[str, Any]) -> None:
        """Issue an order, which the session records; a session without orders gets the change in its world directly."""
        order = getattr(session, "order", None)
        if order is not None:
            order(name, values)
        elif name == "contact":
            session.sims[0].contacts.put(Contact.of(values))
        else:
            session.sims[0].contacts.remove(values["key"])


def _three(ident: Sequence[int]) -> tuple[Any, Any, Any]:
    if isinstance(ident, str) or len(ident) != 3:
        raise CommandError(key="DIS id", value=ident, expected="site, application and entity")
    return ident[0], ident[1], ident[2]
