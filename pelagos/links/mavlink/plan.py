"""The mission aboard: items that a station has uploaded, and the route that is flown of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pelagos.errors import CommandError
from pelagos.guidance.mission import Mission
from pelagos.links.mavlink.items import CHANGE_SPEED, Item, Ways, legs_of

if TYPE_CHECKING:
    from pelagos.console.flight import Flight

MOST_ITEMS = 500
SHARE, BURST_S = 0.1, 0.5  # of the time of the simulation that taking up routes may cost, and how much at once
NOT_STARTED, ACTIVE, PAUSED, COMPLETE, NONE = 2, 3, 4, 5, 1  # MISSION_STATE


class TooSoonError(CommandError):
    """Routes are taken up faster than the simulation has time for."""


class Plan:
    """Items, and which of them is flown.

    Args:
        ways: how the vehicle flies now.
        restart: whether AUTO begins anew (MIS_RESTART).
        clock: seconds that pass while a route is taken up.
    """

    def __init__(
        self,
        ways: Callable[[Flight], Ways],
        restart: Callable[[], bool],
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._ways, self._restart, self._clock = ways, restart, clock
        self.items: tuple[Item, ...] = ()
        self._route_of_ours: Any = None  # the last one, even when its items are gone
        self._left_s, self._at_s = BURST_S, clock()
        self.forget()

    def forget(self) -> None:
        """The flight is a new one: nothing of it is flown yet."""
        self._mission: Any = None
        self._seqs: list[int] = []
        self._first = 1
        self._at = 0

    def put(self, items: tuple[Item, ...]) -> None:
        """Another mission; what is being flown goes on until AUTO is entered anew."""
        self.items = items
        self.forget()

    def set_current(self, flight: Flight, seq: int) -> None:
        """Go on with this item: at once if the mission is flown, else when AUTO is entered."""
        if not 0 <= seq < len(self.items):
            raise CommandError(f"there is no item {seq}; the mission has {len(self.items)}")
        before = self._first, self._mission
        self._first, self._mission = max(seq, 1), None
        if flight.flies_mission:
            try:
                self.fly(flight)
            except CommandError:
                self._first, self._mission = before
                raise

    def fly(self, flight: Flight) -> None:
        """Take up the route: where it was left, or from the start. CommandError if it cannot be flown."""
        mine = self._mission is not None and flight.mission is self._mission
        scenario = flight.mission is not None and flight.mission is not self._route_of_ours
        if not mine and not self.items and scenario:
            flight.order("hold", {"what": "mission", "on": True})
            return
        done = self._mission is not None and self._mission.done
        if not mine or done or (self._restart() and not flight.flies_mission):
            self._route(flight)
        if not flight.flies_mission:
            flight.order("hold", {"what": "mission", "on": True})
        flight.waits = False

    def _route(self, flight: Flight) -> None:
        begun = self._clock()
        self._left_s, self._at_s = min(BURST_S, self._left_s + SHARE * (begun - self._at_s)), begun
        if self._left_s <= 0.0:
            raise TooSoonError("missions are taken up too fast, one after the other; try again in a moment")
        try:
            self._take_up(flight)
        finally:
            self._left_s -= self._clock() - begun

    def _take_up(self, flight: Flight) -> None:
        first = self._first if self._mission is None else 1
        legs, seqs = self.legs(self._ways(flight), first)
        if not legs:
            raise CommandError("there is no mission aboard with anything to fly; upload one first")
        flight.order("route", {"legs": legs})
        self._mission, self._seqs, self._at, self._first = flight.mission, seqs, 0, 1
        self._route_of_ours = flight.mission

    def legs(self, ways: Ways, first: int = 1) -> tuple[list[dict[str, Any]], list[int]]:
        """The legs from an item on, and of which item each is."""
        legs: list[dict[str, Any]] = []
        seqs: list[int] = []
        held = {"depth_m": max(ways.depth_m, 0.0)}
        for item in self.items[1:]:
            if item.command == CHANGE_SPEED and item.params[1] > 0.0:
                ways = ways._replace(speed_m_s=item.params[1])
            made = legs_of(item, ways, held)
            held = next(
                ({key: leg[key]} for leg in made for key in ("depth_m", "altitude_m") if key in leg), held
            )  # fmt: skip
            if item.seq >= first:
                legs += made
                seqs += [item.seq] * len(made)
        return legs, seqs

    # ---- how far it is ---------------------------------------------------------------------------------------------

    def current(self) -> int:
        """The item that is flown, or will be."""
        mission = self._mission
        if mission is None or not self._seqs:
            return min(self._first, max(len(self.items) - 1, 0))
        return self._seqs[min(mission.index, len(self._seqs) - 1)]

    def state(self, flight: Flight) -> int:
        """MISSION_STATE."""
        mission = self._mission
        if not self.items:
            return NONE
        if mission is None:
            return NOT_STARTED
        if mission.done:
            return COMPLETE
        return ACTIVE if flight.flies_mission and flight.armed else PAUSED

    def reached(self) -> list[int]:
        """Items that were done since the last call."""
        mission = self._mission
        if not isinstance(mission, Mission):
            return []
        at = len(self._seqs) if mission.done else mission.index
        done = self._seqs[self._at : at]
        ahead = self._seqs[at] if at < len(self._seqs) else -1
        self._at = max(self._at, at)
        return sorted({seq for seq in done if seq != ahead})


def home(lat_deg: float, lon_deg: float) -> Item:
    """Item 0 of a mission that we send."""
    return Item(0, 0, 16, (0.0, 0.0, 0.0, 0.0), round(lat_deg * 1e7), round(lon_deg * 1e7), 0.0)
