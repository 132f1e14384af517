"""Who holds the controls: one pilot, one instructor, everybody else watches.

A seat that is free can be taken. One that is held is asked for: its holder grants or refuses, and after ten seconds
without an answer, or when the holder's link is lost, the first who asked gets it. Nobody sits on both seats: while
nobody is instructor, the pilot may give the instructor's orders as well.

Knows no sockets and no clock but the one it is given.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pelagos.errors import CommandError

ROLES = ("pilot", "instructor")
ANSWER_S = 10.0  # a request that nobody answers is granted


class SeatRequest(NamedTuple):
    """Somebody wants a seat, since when."""

    client: str
    role: str
    since_s: float


class SeatChange(NamedTuple):
    """What happened to a seat: whose it is now and why, in one word.

    why: first, alone, taken, granted, no answer, link lost, released, left, next, moved, requested, refused, withdrawn.
    """

    role: str
    holder: str | None
    why: str
    client: str  # whom it is about: who asked, got or gave up the seat


class Seats:
    """The two seats and the queue before them."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.clients: list[str] = []
        self.holder: dict[str, str | None] = dict.fromkeys(ROLES)
        self.requests: list[SeatRequest] = []

    def role_of(self, client: str) -> str:
        """pilot, instructor or observer."""
        return next((role for role in ROLES if self.holder[role] == client), "observer")

    def may_order(self, client: str, of_instructor: bool) -> str:
        """Nothing if the client may give an order, else the sentence why not."""
        role = self.role_of(client)
        if of_instructor:
            if role == "instructor" or (role == "pilot" and self.holder["instructor"] is None):
                return ""
            return "this is for the instructor; ask for the instructor's place first"
        return "" if role == "pilot" else "this is for the pilot; ask for the controls first"

    def left_s(self, request: SeatRequest) -> float:
        """Until a request is granted because nobody answers."""
        return max(0.0, ANSWER_S - (self._clock() - request.since_s))

    def join(self, client: str) -> list[SeatChange]:
        """Somebody new; the first of all becomes pilot."""
        first = not self.clients
        self.clients.append(client)
        return [self._seat("pilot", client, "first")] if first and self.holder["pilot"] is None else []

    def leave(self, client: str) -> list[SeatChange]:
        """Somebody is gone; a seat goes to the first who asked for it, the controls to one who is left alone."""
        self.clients.remove(client)
        self.requests = [one for one in self.requests if one.client != client]
        role = self.role_of(client)
        changes = [] if role == "observer" else self._vacate(role, "left")
        if len(self.clients) == 1 and self.holder["pilot"] is None and self.role_of(self.clients[0]) == "observer":
            changes.append(self._seat("pilot", self.clients[0], "alone"))  # such as a page that was loaded again
        return changes

    def act(self, client: str, do: str, role: str, to: str | None = None) -> list[SeatChange]:
        """What a client wants of a seat; CommandError with a sentence if that cannot be."""
        ways = {"request": self._request, "take": self._take, "release": self._release}
        ways |= {"grant": self._grant, "refuse": self._refuse}
        return ways[do](client, role, to)

    def expire(self, pilot_lost: bool = False) -> list[SeatChange]:
        """Grant what was not answered in time, or whose holder's link is lost."""
        changes: list[SeatChange] = []
        for role in ROLES:
            asked = next((one for one in self.requests if one.role == role), None)
            if asked is None:
                continue
            if role == "pilot" and pilot_lost:
                changes += self._hand_over(role, asked.client, "link lost")
            elif self.left_s(asked) <= 0.0:
                changes += self._hand_over(role, asked.client, "no answer")
        return changes

    def _request(self, client: str, role: str, to: str | None) -> list[SeatChange]:
        del to
        if self.holder[role] == client:
            raise CommandError(f"you are the {role} already")
        if self.holder[role] is None:
            return self._hand_over(role, client, "taken")
        if any(one.client == client and one.role == role for one in self.requests):
            raise CommandError("you have asked already; wait for the answer")
        self.requests.append(SeatRequest(client, role, self._clock()))
        return [SeatChange(role, self.holder[role], "requested", client)]

    def _take(self, client: str, role: str, to: str | None) -> list[SeatChange]:
        del to
        if self.holder[role] == client:
            raise CommandError(f"you are the {role} already")
        if self.holder[role] is not None:
            raise CommandError(f"somebody is {role}; ask for it")
        return self._hand_over(role, client, "taken")

    def _release(self, client: str, role: str, to: str | None) -> list[SeatChange]:
        del to
        if self.holder[role] == client:
            return self._vacate(role, "released")
        mine = [one for one in self.requests if one.client == client and one.role == role]
        if not mine:
            raise CommandError(f"you are not the {role}")
        self.requests.remove(mine[0])
        return [SeatChange(role, self.holder[role], "withdrawn", client)]

    def _grant(self, client: str, role: str, to: str | None) -> list[SeatChange]:
        return self._hand_over(role, self._asker(client, role, to), "granted")

    def _refuse(self, client: str, role: str, to: str | None) -> list[SeatChange]:
        asker = self._asker(client, role, to)
        self.requests = [one for one in self.requests if (one.client, one.role) != (asker, role)]
        return [SeatChange(role, client, "refused", asker)]

    def _asker(self, client: str, role: str, to: str | None) -> str:
        if self.holder[role] != client:
            raise CommandError(f"you are not the {role}")
        asked = [one.client for one in self.requests if one.role == role and to in (None, one.client)]
        if not asked:
            raise CommandError(f"nobody has asked to be {role}" if to is None else f"{to} has not asked to be {role}")
        return asked[0]

    def _hand_over(self, role: str, client: str, why: str) -> list[SeatChange]:
        """Seat a client; a seat it had until now becomes free."""
        other = self.role_of(client)
        changes = [self._seat(role, client, why)]
        if other != "observer":
            changes += self._vacate(other, "moved")
        return changes

    def _vacate(self, role: str, why: str) -> list[SeatChange]:
        """Nobody sits here, or the first who asked."""
        before, self.holder[role] = self.holder[role] or "", None
        waiting = next((one.client for one in self.requests if one.role == role), None)
        changes = [SeatChange(role, None, why, before)]
        return changes if waiting is None else [*changes, *self._hand_over(role, waiting, "next")]

    def _seat(self, role: str, client: str, why: str) -> SeatChange:
        self.holder[role] = client
        self.requests = [one for one in self.requests if one.client != client]
        return SeatChange(role, client, why, client)
