"""Seats of a console: one pilot, one instructor; all other clients observe.

A client takes a free seat at once. It requests a seat that is held: the holder grants or refuses, and after ten seconds
without an answer, or when the holder's link is lost, the first request is granted. A client has one seat at most; while
there is no instructor, the pilot may give the instructor's orders too.

This module has no sockets, and its clock is an argument, so that tests control the time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pelagos.errors import CommandError, one_of

ROLES = ("pilot", "instructor")
ANSWER_S = 10.0  # time to answer a request before it is granted


class SeatRequest(NamedTuple):
    """A request of a client for a seat."""

    client: str
    role: str
    since_s: float


class SeatChange(NamedTuple):
    """A change of a seat: its holder now, and the reason in one or two words.

    why: first, alone, taken, granted, no answer, link lost, released, left, next, moved, requested, refused, withdrawn.
    """

    role: str
    holder: str | None
    why: str
    client: str  # the client that requested, got or left the seat


class Seats:
    """The seats of pilot and instructor, and the requests for them."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.clients: list[str] = []
        self.holder: dict[str, str | None] = dict.fromkeys(ROLES)
        self.requests: list[SeatRequest] = []

    def role_of(self, client: str) -> str:
        """Role of a client: pilot, instructor or observer."""
        return next((role for role in ROLES if self.holder[role] == client), "observer")

    def may_order(self, client: str, of_instructor: bool) -> str:
        """Why a client may not give an order, or ""."""
        role = self.role_of(client)
        if of_instructor:
            if role == "instructor" or (role == "pilot" and self.holder["instructor"] is None):
                return ""
            return "this is for the instructor; ask for the instructor's place first"
        return "" if role == "pilot" else "this is for the pilot; ask for the controls first"

    def left_s(self, request: SeatRequest) -> float:
        """Time until a request is granted without an answer."""
        return max(0.0, ANSWER_S - (self._clock() - request.since_s))

    def join(self, client: str) -> list[SeatChange]:
        """Add a client; the first one becomes pilot."""
        first = not self.clients
        self.clients.append(client)
        return [self._seat("pilot", client, "first")] if first and self.holder["pilot"] is None else []

    def leave(self, client: str) -> list[SeatChange]:
        """Remove a client; its seat goes to the first request, the controls to a client that is left alone."""
        self.clients.remove(client)
        self._drop_requests(client)
        role = self.role_of(client)
        changes = [] if role == "observer" else self._vacate(role, "left")
        if len(self.clients) == 1 and self.holder["pilot"] is None and self.role_of(self.clients[0]) == "observer":
            changes.append(self._seat("pilot", self.clients[0], "alone"))  # its page may have been reloaded
        return changes

    def act(self, client: str, do: str, role: str, to: str | None = None) -> list[SeatChange]:
        """Execute an action of a client on a seat; raises CommandError if it is not allowed."""
        actions = {"request": self._request, "take": self._take, "release": self._release}
        actions |= {"grant": self._grant, "refuse": self._refuse}
        return actions[do](client, role, to)

    def expire(self, pilot_lost: bool = False) -> list[SeatChange]:
        """Grant requests that were not answered in time, or whose holder has lost its link."""
        changes: list[SeatChange] = []
        for role in ROLES:
            request = next((request for request in self.requests if request.role == role), None)
            if request is None:
                continue
            if role == "pilot" and pilot_lost:
                changes += self._hand_over(role, request.client, "link lost")
            elif self.left_s(request) <= 0.0:
                changes += self._hand_over(role, request.client, "no answer")
        return changes

    def _request(self, client: str, role: str, to: str | None) -> list[SeatChange]:
        del to
        if self.holder[role] == client:
            raise CommandError("you have it already", key="seat", value=role)
        if self.holder[role] is None:
            return self._hand_over(role, client, "taken")
        if any((request.client, request.role) == (client, role) for request in self.requests):
            raise CommandError("you have asked already; wait for the answer")
        self.requests.append(SeatRequest(client, role, self._clock()))
        return [SeatChange(role, self.holder[role], "requested", client)]

    def _take(self, client: str, role: str, to: str | None) -> list[SeatChange]:
        del to
        if self.holder[role] == client:
            raise CommandError("you have it already", key="seat", value=role)
        if self.holder[role] is not None:
            raise CommandError("another client has it", key="seat", value=role, expected="a request for it")
        return self._hand_over(role, client, "taken")

    def _release(self, client: str, role: str, to: str | None) -> list[SeatChange]:
        del to
        if self.holder[role] == client:
            return self._vacate(role, "released")
        requests = [request for request in self.requests if (request.client, request.role) == (client, role)]
        if not requests:
            raise CommandError("you do not have it", key="seat", value=role)
        self.requests.remove(requests[0])
        return [SeatChange(role, self.holder[role], "withdrawn", client)]

    def _grant(self, client: str, role: str, to: str | None) -> list[SeatChange]:
        return self._hand_over(role, self._requester(client, role, to), "granted")

    def _refuse(self, client: str, role: str, to: str | None) -> list[SeatChange]:
        requester = self._requester(client, role, to)
        self.requests = [request for request in self.requests if (request.client, request.role) != (requester, role)]
        return [SeatChange(role, client, "refused", requester)]

    def _requester(self, client: str, role: str, to: str | None) -> str:
        """The client whose request the holder answers: `to`, or the first."""
        if self.holder[role] != client:
            raise CommandError("you do not have it", key="seat", value=role)
        clients = [request.client for request in self.requests if request.role == role]
        if not clients:
            raise CommandError("no client requests it", key="seat", value=role)
        if to is not None and to not in clients:
            raise CommandError(key=f"client that requests the seat {role}", value=to, expected=one_of(clients))
        return clients[0] if to is None else to

    def _hand_over(self, role: str, client: str, why: str) -> list[SeatChange]:
        """Give a seat to a client; another seat that it had becomes free."""
        other = self.role_of(client)  # before the change: a client has one role
        changes = [self._seat(role, client, why)]
        if other != "observer":
            # May seat a waiting client, which may leave a seat in turn; each round uses up a request, so it ends.
            changes += self._vacate(other, "moved")
        return changes

    def _vacate(self, role: str, why: str) -> list[SeatChange]:
        """Free a seat; the first request for it is granted."""
        before, self.holder[role] = self.holder[role] or "", None
        waiting = next((request.client for request in self.requests if request.role == role), None)
        changes = [SeatChange(role, None, why, before)]
        return changes if waiting is None else [*changes, *self._hand_over(role, waiting, "next")]

    def _seat(self, role: str, client: str, why: str) -> SeatChange:
        self.holder[role] = client
        self._drop_requests(client)
        return SeatChange(role, client, why, client)

    def _drop_requests(self, client: str) -> None:
        self.requests = [request for request in self.requests if request.client != client]
