"""Failsafes for a lost heartbeat of the controlling ground station and for lost stick input.

The heartbeat failsafe acts only if the station has controlled the vehicle: a station that only listened may leave
without any effect, and a pilot at the sticks of the web console keeps control.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pelagos.errors import CommandError
from pelagos.links.mavlink.modes import ALT_HOLD, POSHOLD, SURFACE, Modes
from pelagos.links.mavlink.parameters import Parameters
from pelagos.links.mavlink.sticks import StationSticks
from pelagos.session.authority import Signal

if TYPE_CHECKING:
    from pelagos.session.flight import Flight

NOTHING, WARN, DISARM, HOLD, COME_UP = range(5)  # FS_GCS_ENABLE


class Failsafe:
    """Checks the time since the last heartbeat and stick message and takes the configured action.

    Args:
        parameters: parameters FS_GCS_* and FS_PILOT_*.
        modes: flight modes, for changing to a safe one.
        sticks: stick input of the station.
        report: sends a message and its severity to the stations.
        clock: wall clock, s.
    """

    def __init__(
        self,
        parameters: Parameters,
        modes: Modes,
        sticks: StationSticks,
        report: Callable[[str, str], None],
        clock: Callable[[], float],
    ) -> None:
        self._parameters, self._modes, self._sticks = parameters, modes, sticks
        self._report, self._clock = report, clock
        self._received_s: float | None = None
        self._returned = False  # the flight has not been told yet that the station is back
        self.station_lost = self.sticks_lost = False

    @property
    def active(self) -> bool:
        """Whether the heartbeat or the stick input is lost."""
        return self.station_lost or self.sticks_lost

    def heartbeat(self) -> None:
        """Record a heartbeat of the controlling station."""
        self._received_s = self._clock()
        if self.station_lost:
            self.station_lost, self._returned = False, True
            self._report("the heartbeat of the ground station is back", "info")

    def sticks_received(self) -> None:
        """Record stick input of the station."""
        self.sticks_lost = False

    def reset(self) -> None:
        """Start a new flight."""
        self.sticks_lost = False

    def update(self, flight: Flight, acted: bool) -> None:
        """Check both timeouts between two ticks; `acted`: the station has controlled the vehicle."""
        p = self._parameters
        if self._returned:
            self._returned = False
            flight.signal(Signal.LINK_BACK)
        if self._sticks.expire(flight, p["FS_PILOT_TIMEOUT"]):
            action = p["FS_PILOT_INPUT"]
            if action >= WARN:
                self.sticks_lost = True
                self._report(f"no sticks for {p['FS_PILOT_TIMEOUT']:g} s: to the middle", "warning")
            if action == DISARM:
                flight.order("arm", {"on": False})
        late = self._received_s is not None and self._clock() - self._received_s > p["FS_GCS_TIMEOUT"]
        # Once per loss, until the next heartbeat.
        if late and not self.station_lost and p["FS_GCS_ENABLE"] != NOTHING:
            self.station_lost = True
            self._report(f"no heartbeat of the ground station for {p['FS_GCS_TIMEOUT']:g} s", "critical")
            if acted and flight.armed and (flight.sticks.centred or self._sticks.in_control(flight)):
                self._act(flight, int(p["FS_GCS_ENABLE"]))
                flight.signal(Signal.LINK_LOST)

    def _act(self, flight: Flight, action: int) -> None:
        if action == WARN:
            return
        if action == DISARM:
            flight.order("arm", {"on": False})
            return
        # Without position hold the vehicle at least keeps its depth.
        modes = (SURFACE,) if action == COME_UP else (POSHOLD, ALT_HOLD)
        for mode in modes:
            try:
                self._modes.enter(flight, mode)
                return
            except CommandError:
                continue
        self._report("the vehicle can hold neither place nor depth: disarmed", "critical")
        flight.order("arm", {"on": False})
