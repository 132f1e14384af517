"""A DIS exercise as a link: our vehicles are entities of it, and those of others are contacts of our world.

DIS is real time, and so is everything here: heartbeats, dead reckoning of what others know of us, silence after which
an entity is gone, all by the clock on the wall. While time stands still (a pause, a frozen exercise) our entities are
told of as frozen and at rest, so that nobody reckons them on.

| PDU | sent | received |
|---|---|---|
| Entity State | every vehicle, by `publisher` | becomes a contact; one that is deactivated goes |
| Collision | when a vehicle of ours hits something | counted |
| Start/Resume | | time goes on, at once or at its real-world time |
| Stop/Freeze | | time stands still |
| Acknowledge | to each request that means us | counted |
| Remove Entity | at the end, of each vehicle | our vehicle is not told of any more; another's contact goes |

Anybody who reaches the port may do all of that: DIS has no authentication. `allowed` names the addresses that may.

What a simulation manager asks for: start and stop, when, whom it means, and the answer.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np

from pelagos.errors import CommandError, MessageError, PelagosError, shown
from pelagos.geodesy import Origin
from pelagos.links.counts import Counts
from pelagos.links.datagrams import Address
from pelagos.links.dis.network import Network
from pelagos.links.dis.own import OwnEntity, markings, origin_of, parts_of
from pelagos.links.dis.publisher import HEARTBEAT_S, THRESHOLD_DEG, THRESHOLD_M, Rule
from pelagos.links.dis.sightings import HeardEntity, RemoteEntities, key_of, table_of
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
from pelagos.session.links import LinkedSession
from pelagos.sim.contacts import Contact

ALL = 0xFFFF
NONE = 0  # in place of an entity: the application itself
Request = StartResume | StopFreeze | RemoveEntity
ANSWERED = {StartResume: Answered.START_RESUME, StopFreeze: Answered.STOP_FREEZE, RemoveEntity: Answered.REMOVE_ENTITY}
SOON_S = HOUR_S  # a time that lies farther ahead is taken for a clock that is not ours: at once
MOST = 32  # requests that wait for their time


def is_for(receiver: EntityId, site: int, application: int, entities: Collection[int]) -> bool:
    """Whether an address means this application or one of its entities."""
    return (
        receiver.site in (site, ALL)
        and receiver.application in (application, ALL)
        and (receiver.entity in (NONE, ALL) or receiver.entity in entities)
    )


def answer(request: Request, sender: EntityId, able: bool, header: Header = PLAIN) -> Acknowledge:
    """What is sent back."""
    response = Response.ABLE if able else Response.UNABLE
    return Acknowledge(sender, request.sender, ANSWERED[type(request)], response, request.request, header)


class Freeze:
    """Whether the exercise stands still, and what goes on meanwhile; orders may be for later.

    frozen     time stands still
    transmit   Entity States go out all the same
    receive    those of others are taken in all the same
    """

    def __init__(self) -> None:
        self.frozen, self.transmit, self.receive = False, True, True
        self._later: list[tuple[float, StartResume | StopFreeze]] = []

    def ask(self, request: StartResume | StopFreeze, utc_s: float) -> bool:
        """Follow a request now or at its time (UTC, s since 1970); False if too many wait already."""
        due = request.real_time.time_s if is_absolute(request.real_time.past) else -math.inf
        if not utc_s < due <= utc_s + SOON_S:
            self._do(request)
            return True
        if len(self._later) >= MOST:
            return False
        self._later.append((due, request))
        self._later.sort(key=lambda item: item[0])
        return True

    def check(self, utc_s: float) -> None:
        """Follow what has become due."""
        while self._later and self._later[0][0] <= utc_s:
            self._do(self._later.pop(0)[1])

    def _do(self, request: StartResume | StopFreeze) -> None:
        self.frozen = isinstance(request, StopFreeze)
        bits = request.frozen if isinstance(request, StopFreeze) else Frozen.TRANSMIT | Frozen.RECEIVE
        self.transmit, self.receive = bool(bits & Frozen.TRANSMIT), bool(bits & Frozen.RECEIVE)


# ---- exercise --------------------------------------------------------------------------------------------------------


MOST_REQUESTS = 100  # that wait for the next tick
BUDGET_S = 0.001  # of a tick, for taking in what others say; the rest waits


class Exercise:
    """Takes part in an exercise.

    Args:
        where: ADDRESS:PORT or ADDRESS:PORT/LISTEN; unicast, broadcast or multicast by the address (see `network`).
        version: of the PDUs that are sent, 6 or 7; both are read.
        algorithm: of dead reckoning, 1 to 9.
        fixed_hz: send at this rate in place of thresholds and heartbeat.
        threshold_m, threshold_deg: how far dead reckoning may be off before a PDU is sent.
        heartbeat_s: longest silence.
        ident: site, application and entity of the first vehicle; the next have the following entities.
        exercise: its number, 1 to 255; PDUs of others are left alone.
        ttl: of multicast; 0 does not leave this machine.
        allowed: addresses that may send; None: all that reach us.
        allow_remote: whether other machines may be reached.
        origin: where north = east = 0 lies; None: what the world says, else Monterey Bay.
        parts: articulated parts that shall have other numbers, by name; see `parts`.
        say: gets a sentence now and then.
        clock: s, of the wall.
        utc: s since 1970.
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
        say: Callable[[str], None] | None = None,
        *,
        heartbeat_s: float = HEARTBEAT_S,
        parts: Mapping[str, Sequence[int]] | None = None,
        clock: Callable[[], float] = time.monotonic,
        utc: Callable[[], float] = time.time,
    ) -> None:
        if version not in VERSIONS:
            raise CommandError(key="DIS version", value=version, expected="6 or 7")
        self._rule = Rule(algorithm, threshold_m, threshold_deg, heartbeat_s, fixed_hz)
        self._site, self._application, self._first = (_whole("DIS id", n, 1, 65533) for n in _three(ident))
        self._exercise = _whole("DIS exercise", exercise, 1, 255)
        self._version, self._origin, self._parts = version, origin, parts
        self._say, self._clock, self._utc = say, clock, utc
        self._counts = Counts("dis", say)
        self._sightings = RemoteEntities(self._counts, heartbeat_s)
        self._requests: deque[tuple[Request, Address]] = deque()
        self._freeze = Freeze()
        self._own: list[OwnEntity] = []
        self._events = 0
        self._afloat: LinkedSession | None = None
        self._shown: set[str] = set()  # keys of contacts in the world
        self._ids: frozenset[int] = frozenset()
        self.network = Network(
            where, self._hear, self._counts, ttl=ttl, allowed=allowed, allow_remote=allow_remote
        )  # fmt: skip
        self._tell(self.network.said())

    @property
    def frozen(self) -> bool:
        """Whether the exercise has time stand still."""
        return self._freeze.frozen

    @property
    def entities(self) -> tuple[EntityId, ...]:
        """Our vehicles."""
        return tuple(own.entity for own in self._own)

    # ---- the link -----------------------------------------------------------------------------------------------

    def begin(self, session: LinkedSession) -> None:
        """New vehicles: told of anew; contacts are put into the new world."""
        sims = session.sims
        if self._first + len(sims) - 1 > 65533:
            raise CommandError(f"DIS id ends in {self._first}", expected=f"room for {len(sims)} entities below 65534")
        self._afloat, self._shown = session, set()
        origin = self._origin or origin_of(session.sims[0], self._tell)
        own = [EntityId(self._site, self._application, self._first + k) for k in range(len(sims))]
        self._ids = frozenset(entity.entity for entity in own)
        said, parts = markings([sim.name for sim in sims]), parts_of(sims, self._parts)
        self._place = origin
        self._own = [
            OwnEntity(sim, entity, text, self._rule, origin, changes)
            for sim, entity, text, changes in zip(sims, own, said, parts, strict=True)
        ]
        self._sightings.again()
        self._take_in(session)

    def before(self, session: LinkedSession) -> None:
        """Before a tick: follow requests, take in what others said."""
        self._follow()
        self._take_in(session)

    def after(self, session: LinkedSession, events: Sequence[Mapping[str, Any]]) -> None:
        """After a tick: tell of our vehicles and of their collisions."""
        for own in self._own:
            own.moved()
        self._publish(still=False)
        for event in events:
            if event.get("kind") == "collision":
                self._crash(event)

    def idle(self, session: LinkedSession) -> None:
        """Time stands still: follow requests, tell of vehicles at rest, see what others do."""
        self._follow()
        self._take_in(session)
        self._publish(still=True)

    def counts(self) -> Mapping[str, int]:
        """What came and went, and how many contacts there are."""
        return {**self._counts.all(), "contacts": len(self._sightings)}

    def close(self) -> None:
        """Take our vehicles out of the exercise, and its contacts out of the world."""
        try:
            for own in self._own:
                self._leave(own)
            if self._afloat is not None:
                for key in sorted(self._shown):
                    with contextlib.suppress(PelagosError):
                        self._order(self._afloat, "contact_gone", {"key": key})
        finally:
            self.network.close()

    # ---- out -----------------------------------------------------------------------------------------------------

    def _header(self) -> Header:
        return Header(self._version, self._exercise, stamp(self._utc()))

    def _publish(self, still: bool) -> None:
        now, frozen = self._clock(), self._freeze.frozen
        for own in self._own:
            silent = own.removed or (frozen and not self._freeze.transmit and own.told_frozen)
            state = None if silent else own.state(self._header(), now, still)
            if state is None:
                continue
            if self.network.send(encode(state)):
                self._counts.add("entity_states")
            else:
                own.publisher.unsent()

    def _crash(self, event: Mapping[str, Any]) -> None:
        """A Collision PDU of each vehicle of ours that has to do with a collision."""
        text, named = str(event.get("text", "")), str(event.get("vehicle", ""))
        place = [event.get(key) for key in ("north_m", "east_m", "depth_m")]
        point = np.array(place, float) if all(isinstance(value, int | float) for value in place) else None
        met = [own for own in self._own if own.sim.name in text.split()] if len(self._own) > 1 else []
        one = next((own for own in self._own if own.sim.name == named), met[0] if met else self._own[0])
        other = next((own for own in met if own is not one), None)
        if one.removed:
            return
        self._events = self._events % 65535 + 1
        crash = one.collision(self._header(), EventId(self._site, self._application, self._events), other, point)
        if self.network.send(encode(crash)):
            self._counts.add("collisions_told")

    def _leave(self, own: OwnEntity) -> None:
        """Say that a vehicle has left: a last Entity State, then Remove Entity."""
        last = None if own.removed else own.farewell(self._header(), self._clock())
        if last is not None:
            self.network.send(encode(last))
            self.network.send(encode(RemoveEntity(own.entity, own.entity, header=self._header())))
        own.removed = True

    # ---- in: the network's thread --------------------------------------------------------------------------------

    def _hear(self, data: bytes, sender: Address) -> None:
        try:
            for part in unbundle(data):
                self._read(part, sender)
        except MessageError as problem:  # nobody knows where the next PDU would begin
            self._counts.drop("malformed", f"{sender[0]} sent {problem}")

    def _read(self, part: bytes, sender: Address) -> None:
        try:
            if outline(part).header.exercise != self._exercise:
                self._counts.add("other_exercise")
            else:
                self._sort(decode(part), sender)
        except OtherPduError:
            self._counts.add("other_pdus")
        except MessageError as problem:
            self._counts.drop("malformed", f"{sender[0]} sent {problem}")

    def _sort(self, pdu: Pdu, sender: Address) -> None:
        who = pdu.entity if isinstance(pdu, EntityState | CollisionPdu) else pdu.sender
        if (who.site, who.application) == (self._site, self._application):
            self._counts.drop(
                "same_id",
                f"{sender[0]}:{sender[1]} is {who.site}:{who.application}, as we are; expected another, --dis-id",
            )
            return
        if isinstance(pdu, EntityState):
            if not self._freeze.frozen or self._freeze.receive:
                self._sightings.hear(pdu, self._clock())
        elif isinstance(pdu, CollisionPdu):
            self._counts.add("collisions_heard")
        elif isinstance(pdu, Acknowledge):
            self._counts.add("acknowledged")
        elif isinstance(pdu, RemoveEntity) and self._sightings.forget(pdu.receiver):
            self._counts.add("removed")
        elif is_for(pdu.receiver, self._site, self._application, self._ids):
            if len(self._requests) >= MOST_REQUESTS:
                self._counts.drop("flood", f"more than {MOST_REQUESTS} requests at once; those of {sender[0]} wait")
            else:
                self._requests.append((pdu, sender))

    # ---- in: the simulation's thread -----------------------------------------------------------------------------

    def _follow(self) -> None:
        """Do what managers asked for, and answer."""
        self._freeze.check(self._utc())
        for _ in range(len(self._requests)):
            request, sender = self._requests.popleft()
            if isinstance(request, StartResume | StopFreeze):
                able = self._freeze.ask(request, self._utc())
            else:
                able = self._remove(request.receiver)
            number = request.receiver.entity if request.receiver.entity in self._ids else 0
            said = answer(request, EntityId(self._site, self._application, number), able, self._header())
            to = sender if self.network.where.kind == "unicast" else None
            self.network.send(encode(said), to)
            self._counts.add("requests")

    def _remove(self, which: EntityId) -> bool:
        """Stop telling of a vehicle, or of all; the flight goes on without the exercise."""
        meant = [own for own in self._own if which.entity in (own.entity.entity, ALL) and not own.removed]
        for own in meant:
            self._leave(own)
            self._tell(f"DIS: {own.marking} was removed from the exercise and is told of no more")
        return bool(meant)

    def _take_in(self, session: LinkedSession) -> None:
        """Contacts of what others said, within a budget of time."""
        began, now = time.perf_counter(), self._clock()
        for entity in self._sightings.gone(now, self._freeze.frozen):
            key = key_of(entity)
            if key in self._shown:
                self._shown.discard(key)
                self._order(session, "contact_gone", {"key": key})
        for heard in self._sightings.news(now):
            self._show(session, heard, now)
            if time.perf_counter() - began > BUDGET_S:
                break

    def _show(self, session: LinkedSession, heard: HeardEntity, now: float) -> None:
        try:
            table = table_of(heard.state, self._place, session.time_s - max(0.0, now - heard.at_s))
            self._order(session, "contact", table)
        except MessageError as problem:
            self._counts.drop("far", f"{problem}; it is not shown")
        except CommandError as problem:
            self._counts.drop("refused", f"{heard.state.entity} cannot be shown: {problem}")
        else:
            self._shown.add(table["key"])

    def _order(self, session: LinkedSession, name: str, values: Mapping[str, Any]) -> None:
        """Through the orders of whoever is afloat, which keeps them; else into the world itself."""
        order = getattr(session, "order", None)
        if order is not None:
            order(name, values)
        elif name == "contact":
            session.sims[0].contacts.put(Contact.of(values))
        else:
            session.sims[0].contacts.remove(values["key"])

    def _tell(self, text: str) -> None:
        if self._say is not None:
            self._say(text)


def _three(ident: Sequence[int]) -> tuple[Any, Any, Any]:
    if isinstance(ident, str) or len(ident) != 3:
        raise CommandError(key="DIS id", value=ident, expected="site, application and entity")
    return ident[0], ident[1], ident[2]


def _whole(what: str, value: object, low: int, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise CommandError(f"{what} has {shown(value)}", expected=f"a whole number from {low} to {high}")
    return value
