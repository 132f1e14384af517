"""What a simulation manager asks for: start and stop, when, whom it means, and the answer."""

from __future__ import annotations

import math
from collections.abc import Collection

from pelagos.links.dis.header import PLAIN, Header
from pelagos.links.dis.management import (
    Acknowledge,
    Answered,
    Frozen,
    RemoveEntity,
    Response,
    StartResume,
    StopFreeze,
)
from pelagos.links.dis.records import EntityId
from pelagos.links.dis.timestamp import HOUR_S, is_absolute

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

    def look(self, utc_s: float) -> None:
        """Follow what has become due."""
        while self._later and self._later[0][0] <= utc_s:
            self._do(self._later.pop(0)[1])

    def _do(self, request: StartResume | StopFreeze) -> None:
        self.frozen = isinstance(request, StopFreeze)
        bits = request.frozen if isinstance(request, StopFreeze) else Frozen.TRANSMIT | Frozen.RECEIVE
        self.transmit, self.receive = bool(bits & Frozen.TRANSMIT), bool(bits & Frozen.RECEIVE)
