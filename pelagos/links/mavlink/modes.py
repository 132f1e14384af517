"""Flight modes with ArduSub's numbers, flown by the holds of the helm.

| mode | number | held |
|---|---|---|
| MANUAL | 19 | nothing |
| STABILIZE | 0 | level and heading, as far as the vehicle can |
| ALT_HOLD | 2 | depth; level and heading |
| SURFTRAK | 21 | altitude over the bottom; level and heading |
| POSHOLD | 16 | place and depth; level and heading |
| GUIDED | 4 | place and depth, as the station sets them; heading |
| AUTO | 3 | the mission |
| SURFACE | 9 | the depth SURFACE_DEPTH; level and heading |

A pilot at the page changes holds too, so the mode in a heartbeat is looked up in what is held, never remembered: only
GUIDED and SURFACE, which hold what POSHOLD and ALT_HOLD hold, are remembered until something else is held.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from pelagos.errors import CommandError

if TYPE_CHECKING:
    from pelagos.session.flight import Flight

STABILIZE, ALT_HOLD, AUTO, GUIDED, SURFACE, POSHOLD, MANUAL, SURFTRAK = 0, 2, 3, 4, 9, 16, 19, 21
LEVELS = ("level", "heading")


class FlightMode(NamedTuple):
    """What a mode holds: without `needs` it is refused, of `wants` what the vehicle can."""

    number: int
    name: str
    needs: tuple[str, ...] = ()
    wants: tuple[str, ...] = ()
    guided: bool = False  # finds its way by itself

    @property
    def holds(self) -> frozenset[str]:
        """All of it."""
        return frozenset(self.needs + self.wants)


MODES: dict[int, FlightMode] = {
    one.number: one
    for one in (
        FlightMode(MANUAL, "MANUAL"),
        FlightMode(STABILIZE, "STABILIZE", (), LEVELS),
        FlightMode(ALT_HOLD, "ALT_HOLD", ("depth",), LEVELS),
        FlightMode(SURFTRAK, "SURFTRAK", ("altitude",), LEVELS),
        FlightMode(POSHOLD, "POSHOLD", ("position", "depth"), LEVELS, True),
        FlightMode(GUIDED, "GUIDED", ("position", "depth"), LEVELS, True),
        FlightMode(AUTO, "AUTO", (), (), True),
        FlightMode(SURFACE, "SURFACE", ("depth",), LEVELS),
    )
}
NOT_HERE = {1: "ACRO", 7: "CIRCLE", 20: "MOTOR_DETECT"}  # ArduSub has them too


class Modes:
    """Goes into modes and says which one it is.

    Args:
        fly: takes up the mission aboard.
        surface_m: the depth that SURFACE holds.
    """

    def __init__(self, fly: Callable[[Flight], None], surface_m: Callable[[], float]) -> None:
        self._fly, self._surface_m = fly, surface_m
        self.forget()

    def forget(self) -> None:
        """The flight is a new one."""
        self._asked, self._as_it_was = MANUAL, None

    def now(self, flight: Flight) -> int:
        """The mode that fits what is held."""
        if flight.flies_mission:
            return AUTO
        if self._asked in (GUIDED, SURFACE) and self._as_it_was == _held(flight, self._asked):
            return self._asked
        modes = flight.helm.modes
        if modes["position"]:
            return POSHOLD
        if modes["altitude"]:
            return SURFTRAK
        if modes["depth"] or flight.perfect_depth_m is not None:
            return ALT_HOLD
        return STABILIZE if modes["level"] or modes["heading"] else MANUAL

    def enter(self, flight: Flight, number: int) -> None:
        """Hold what a mode holds; CommandError, and the mode stays, if the vehicle cannot."""
        mode = MODES.get(number)
        if mode is None:
            known = ", ".join(f"{one.name} {one.number}" for one in MODES.values())
            raise CommandError(f"there is no mode {NOT_HERE.get(number, number)} here", expected=f"one of {known}")
        helm = flight.helm
        unable = [what for what in mode.needs if not helm.can(what)]
        if unable or (number == STABILIZE and not any(map(helm.can, LEVELS))):
            raise CommandError(
                f"{flight.sim.vehicle.name} cannot hold {' and '.join(unable or LEVELS)}: no {mode.name}"
            )
        if number == AUTO:
            self._fly(flight)
            return
        if flight.flies_mission:
            flight.order("hold", {"what": "mission", "on": False})
        for what in mode.needs:
            if what == "depth" and flight.perfect_depth_m is not None:
                continue  # the conditions of the task hold it
            if number == SURFACE:
                flight.order("hold", {"what": what, "on": True, "value": self._surface_m()})
            elif not helm.modes[what]:
                flight.order("hold", {"what": what, "on": True})
        for what, on in helm.modes.items():
            if on and what not in mode.holds:
                with contextlib.suppress(CommandError):  # a way that something else needs
                    flight.order("hold", {"what": what, "on": False})
        for what in mode.wants:
            if not helm.modes[what]:
                with contextlib.suppress(CommandError):  # it is flown without
                    flight.order("hold", {"what": what, "on": True})
        self.mark(flight, number)
        flight.waits = False

    def mark(self, flight: Flight, number: int) -> None:
        """This is the mode as long as the same is held as now."""
        self._asked, self._as_it_was = number, _held(flight, number)


def _held(flight: Flight, number: int) -> tuple[object, ...]:
    """What tells a remembered mode from another one: the names of the holds, in SURFACE the depth too."""
    names = frozenset(name for name, on in flight.helm.modes.items() if on)
    return names, flight.helm.setpoint.depth_m if number == SURFACE else None
