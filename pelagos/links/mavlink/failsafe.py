"""Failsafes: the heartbeat of the station that controls stays away, or its sticks do.

They act only where the station has acted: one that has merely listened may go without changing anything, and a pilot
who holds the sticks of the page keeps them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pelagos.errors import CommandError
from pelagos.links.mavlink.modes import ALT_HOLD, POSHOLD, SURFACE, Modes
from pelagos.links.mavlink.parameters import Parameters
from pelagos.links.mavlink.sticks import StationSticks

if TYPE_CHECKING:
    from pelagos.session.flight import Flight

NOTHING, SAY, DISARM, HOLD, COME_UP = range(5)  # FS_GCS_ENABLE


class Failsafe:
    """Looks at the clock.

    Args:
        parameters: FS_GCS_*, FS_PILOT_*.
        modes: to go to one that is safe.
        sticks: of the station.
        tell: takes a sentence for the stations.
        clock: seconds of the wall.
    """

    def __init__(
        self,
        parameters: Parameters,
        modes: Modes,
        sticks: StationSticks,
        tell: Callable[[str, str], None],
        clock: Callable[[], float],
    ) -> None:
        self._parameters, self._modes, self._sticks = parameters, modes, sticks
        self._tell, self._clock = tell, clock
        self._heard_s: float | None = None
        self.station_lost = self.sticks_lost = False

    @property
    def failsafe(self) -> bool:
        """Whether something is missing."""
        return self.station_lost or self.sticks_lost

    def heartbeat(self) -> None:
        """The station that controls is there."""
        self._heard_s = self._clock()
        if self.station_lost:
            self.station_lost = False
            self._tell("the heartbeat of the ground station is back", "info")

    def moved(self) -> None:
        """Its sticks have come."""
        self.sticks_lost = False

    def forget(self) -> None:
        """The flight is a new one."""
        self.sticks_lost = False

    def turn(self, flight: Flight, acted: bool) -> None:
        """Between ticks; `acted`: the station has done something to the vehicle."""
        p = self._parameters
        if self._sticks.expire(flight, p["FS_PILOT_TIMEOUT"]):
            action = p["FS_PILOT_INPUT"]
            if action >= SAY:
                self.sticks_lost = True
                self._tell(f"no sticks for {p['FS_PILOT_TIMEOUT']:g} s: to the middle", "warning")
            if action == DISARM:
                flight.order("arm", {"on": False})
        late = self._heard_s is not None and self._clock() - self._heard_s > p["FS_GCS_TIMEOUT"]
        if late and not self.station_lost and p["FS_GCS_ENABLE"] != NOTHING:
            self.station_lost = True
            self._tell(f"no heartbeat of the ground station for {p['FS_GCS_TIMEOUT']:g} s", "critical")
            if acted and flight.armed and (flight.sticks.centred or self._sticks.ours(flight)):
                self._act(flight, int(p["FS_GCS_ENABLE"]))

    def _act(self, flight: Flight, action: int) -> None:
        if action == SAY:
            return
        if action == DISARM:
            flight.order("arm", {"on": False})
            return
        ways = (SURFACE,) if action == COME_UP else (POSHOLD, ALT_HOLD)
        for mode in ways:
            try:
                self._modes.enter(flight, mode)
                return
            except CommandError:
                continue
        self._tell("the vehicle can hold neither place nor depth: disarmed", "critical")
        flight.order("arm", {"on": False})
