"""Events of a scenario at work on one simulation: each happens once, when its trigger says so.

A mission that gets nowhere is ended: against a current faster than the vehicle a waypoint is never reached.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.errors import CommandError
from pelagos.guidance.mission import Mission
from pelagos.messages import Event, Setpoint
from pelagos.scenario.spec import Control, ScenarioEvent
from pelagos.sim.faults.effects import TriggerWatch
from pelagos.sim.simulation import Simulation


class ScenarioEvents:
    """The events of one vehicle. `stop` is true once one of them has ended the run."""

    def __init__(self, happenings: Sequence[ScenarioEvent]) -> None:
        self._waiting = [(TriggerWatch(item), item) for item in happenings]
        self.stop = False

    def update(self, sim: Simulation) -> None:
        """Do what is due."""
        if not self._waiting:
            return
        due = [pair for pair in self._waiting if pair[0].due(sim)]
        for pair in due:
            self._waiting.remove(pair)
            self._do(sim, pair[1])

    def _do(self, sim: Simulation, item: ScenarioEvent) -> None:
        said: list[str] = [item.say] if item.say else []
        setpoints = item.setpoints()
        if setpoints:
            command(sim, setpoints)
            said.append(", ".join(f"{name} {value:g}" for name, value in setpoints.items()))
        told = give_orders(sim, item)
        if told:
            said.append(told)
        if item.tether_rate_m_s is not None or item.tether_ratio is not None:
            if sim.tether is None:
                raise CommandError(f"an event hauls the tether of {sim.name}, which has none", expected="a [tether]")
            sim.tether.haul(rate_m_s=item.tether_rate_m_s, ratio=item.tether_ratio)
            said.append("the drum is told anew")
        if item.next_leg and isinstance(sim.controller, Mission):
            sim.controller.skip(sim.state())
            said.append("on to the next leg")
        if item.stop:
            self.stop = True
            said.append("the run is stopped")
        sim.events.append(Event(sim.time_s, "event", "; ".join(said) or "nothing is done", sim.name))


def give_orders(sim: Simulation, item: Control | ScenarioEvent) -> str:
    """Orders to single actuators and sticks, as a table has them; returns them in words."""
    ways: Any = (
        (item.thrust, sim.thrust), (item.deflect, sim.deflect), (item.ballast, sim.ballast), (item.sticks, sim.pilot),
    )  # fmt: skip
    for orders, order in ways:
        if orders:
            order(**orders)
    told = {**item.thrust, **item.deflect, **item.ballast, **item.sticks}
    return ", ".join(f"{name} {value:g}" for name, value in told.items())


def command(sim: Simulation, setpoints: dict[str, float]) -> None:
    """Tell whoever holds setpoints on board; where nobody does, an autopilot takes over."""
    helm: Any = sim.controller.helm if isinstance(sim.controller, Mission) else sim.controller
    if isinstance(getattr(helm, "setpoint", None), Setpoint):
        helm.command(None, **setpoints)
    else:
        sim.command(**setpoints)


# ---- stalled ---------------------------------------------------------------------------------------------------------


PATIENCE_S = 600.0  # without coming nearer to the point ahead
NEARER_M = 1.0  # what counts as nearer
EVERY_S = 1.0
Array = NDArray[np.float64]
TO_POINTS = ("waypoints", "trackline", "lawnmower", "bottom_follow")  # legs that lead from point to point


class StallMonitor:
    """Watches one mission; `told` says what is wrong once it has stood still for too long."""

    def __init__(self) -> None:
        self.told = ""
        self._look_s = 0.0
        self._ahead: tuple[float, ...] = ()
        self._nearest_m, self._since_s = math.inf, 0.0

    def update(self, mission: Mission, time_s: float, position_n: Array, name: str) -> Event | None:
        """Note how far the point ahead is; an event, once, if the vehicle `name` has not come nearer for too long."""
        now = time_s
        if now < self._look_s or self.told:
            return None
        self._look_s = now + EVERY_S
        leg = mission.leg
        if leg is None or leg.kind not in TO_POINTS:
            self._ahead = ()
            return None
        number, target, _, _, north, east = mission.values()
        away = math.hypot(north - float(position_n[0]), east - float(position_n[1]))
        if (number, target) != self._ahead:
            self._ahead, self._nearest_m, self._since_s = (number, target), away, now
        elif away < self._nearest_m - NEARER_M:
            self._nearest_m, self._since_s = away, now
        elif now - self._since_s >= PATIENCE_S:
            where = leg.name or f"leg {mission.index} ({leg.kind})"
            self.told = (
                f"{name} has not come nearer to the next point of {where} for {PATIENCE_S:g} s, "
                f"{away:.0f} m away; the run is ended"
            )
            return Event(now, "stalled", self.told, name)
        return None
