"""Flight modes with the numbers of ArduSub, made of the holds of the autopilot.

| mode | number | held |
|---|---|---|
| MANUAL | 19 | nothing |
| STABILIZE | 0 | level and heading, if the vehicle can |
| ALT_HOLD | 2 | depth; level and heading |
| SURFTRAK | 21 | altitude above the bottom; level and heading |
| POSHOLD | 16 | position and depth; level and heading |
| GUIDED | 4 | position and depth, as set by the station; heading |
| AUTO | 3 | the mission |
| SURFACE | 9 | the depth SURFACE_DEPTH; level and heading |

A pilot at the web console changes holds too, so the mode in a heartbeat follows from the present holds. Only GUIDED and
SURFACE, which have the same holds as POSHOLD and ALT_HOLD, are stored until the holds change.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from pelagos.errors import CommandError, one_of
from pelagos.session.authority import Signal

if TYPE_CHECKING:
    from pelagos.session.flight import Flight

STABILIZE, ALT_HOLD, AUTO, GUIDED, SURFACE, POSHOLD, MANUAL, SURFTRAK = 0, 2, 3, 4, 9, 16, 19, 21
LEVELS = ("level", "heading")


class FlightMode(NamedTuple):
    """Flight mode, rejected if the vehicle lacks a required hold; it uses the optional holds that the vehicle has."""

    number: int
    name: str
    required_holds: tuple[str, ...] = ()
    optional_holds: tuple[str, ...] = ()
    guided: bool = False  # sets the guided flag of MAV_MODE_FLAG


MODES: dict[int, FlightMode] = {
    mode.number: mode
    for mode in (
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
NOT_HERE = {1: "ACRO", 7: "CIRCLE", 20: "MOTOR_DETECT"}  # modes of ArduSub that are not supported


class Modes:
    """Enters flight modes and determines the present one.

    Args:
        fly: starts or resumes the mission.
        surface_m: returns the depth that SURFACE holds.
    """

    def __init__(self, fly: Callable[[Flight], None], surface_m: Callable[[], float]) -> None:
        self._fly, self._surface_m = fly, surface_m
        self.reset()

    def reset(self) -> None:
        """Start a new flight."""
        self._stored_mode, self._stored_holds = MANUAL, None

    def now(self, flight: Flight) -> int:
        """Return the mode that fits the present holds."""
        if flight.flies_mission:
            return AUTO
        if self._stored_mode in (GUIDED, SURFACE) and self._stored_holds == _held(flight, self._stored_mode):
            return self._stored_mode
        modes = flight.helm.modes
        if modes["position"]:
            return POSHOLD
        if modes["altitude"]:
            return SURFTRAK
        if modes["depth"] or flight.perfect_depth_m is not None:
            return ALT_HOLD
        return STABILIZE if modes["level"] or modes["heading"] else MANUAL

    def enter(self, flight: Flight, number: int) -> None:
        """Enter a mode; if the vehicle cannot, raise CommandError and keep the mode."""
        mode = MODES.get(number)
        if mode is None:
            known = one_of(f"{known_mode.name} {known_mode.number}" for known_mode in MODES.values())
            named = NOT_HERE.get(number, number)
            raise CommandError("Pelagos has no mode", value=named, expected=known)
        helm = flight.helm
        unable = [hold for hold in mode.required_holds if not helm.can(hold)]
        # Checked before anything changes: a rejected mode must leave all holds as they are.
        if unable or (number == STABILIZE and not any(map(helm.can, LEVELS))):
            message = f"{flight.sim.vehicle.name} cannot hold {' and '.join(unable or LEVELS)}"
            raise CommandError(message, key="mode", value=mode.name, expected="a mode without it")
        if number == AUTO:
            self._fly(flight)
            return
        depth_m = self._surface_m() if number == SURFACE else None
        flight.hold_only(mode.required_holds, mode.optional_holds, depth_m=depth_m)
        self.mark(flight, number)
        flight.signal(Signal.START)

    def mark(self, flight: Flight, number: int) -> None:
        """Store a mode that remains valid as long as the holds do not change."""
        self._stored_mode, self._stored_holds = number, _held(flight, number)


def _held(flight: Flight, number: int) -> tuple[object, ...]:
    """Return what a stored mode depends on: the active holds, and for SURFACE the depth setpoint."""
    names = frozenset(name for name, on in flight.helm.modes.items() if on)
    return names, flight.helm.setpoint.depth_m if number == SURFACE else None
