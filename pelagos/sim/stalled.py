"""A mission that gets nowhere is ended: against a current faster than the vehicle a waypoint is never reached."""

from __future__ import annotations

import math

from pelagos.guidance.mission import Mission
from pelagos.messages import Event
from pelagos.sim.simulation import Simulation

PATIENCE_S = 600.0  # without coming nearer to the point ahead
NEARER_M = 1.0  # what counts as nearer
EVERY_S = 1.0
TO_POINTS = ("waypoints", "trackline", "lawnmower", "bottom_follow")  # legs that lead from point to point


class Stalled:
    """Watches one simulation; `told` says what is wrong once its mission has stood still for too long."""

    def __init__(self) -> None:
        self.told = ""
        self._look_s = 0.0
        self._ahead: tuple[float, ...] = ()
        self._nearest_m, self._since_s = math.inf, 0.0

    def update(self, sim: Simulation) -> None:
        """Note how far the point ahead is."""
        mission, now = sim.controller, sim.time_s
        if now < self._look_s or self.told or not isinstance(mission, Mission):
            return
        self._look_s = now + EVERY_S
        leg = mission.leg
        if leg is None or leg.kind not in TO_POINTS:
            self._ahead = ()
            return
        number, target, _, _, north, east = mission.values()
        away = math.hypot(north - float(sim.plant.position_n[0]), east - float(sim.plant.position_n[1]))
        if (number, target) != self._ahead:
            self._ahead, self._nearest_m, self._since_s = (number, target), away, now
        elif away < self._nearest_m - NEARER_M:
            self._nearest_m, self._since_s = away, now
        elif now - self._since_s >= PATIENCE_S:
            name = leg.name or f"leg {mission.index} ({leg.kind})"
            self.told = (
                f"{sim.name} has not come nearer to the next point of {name} for {PATIENCE_S:g} s, "
                f"{away:.0f} m away; the run is ended"
            )
            sim.events.append(Event(now, "stalled", self.told, sim.name))
