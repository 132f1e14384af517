"""Rules that change or end a running scenario: its events, and the end of a mission that makes no progress.

An event is applied once, when its trigger fires. A mission stalls when the vehicle comes no nearer to its next point,
for example against a current that is faster than the vehicle.
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

PATIENCE_S = 600.0  # without progress towards the next point; chosen, long against any turn
NEARER_M = 1.0  # least approach that counts as progress
EVERY_S = 1.0  # between checks
Array = NDArray[np.float64]
TO_POINTS = ("waypoints", "trackline", "lawnmower", "bottom_follow")  # kinds of legs with a next point


class ScenarioEvents:
    """Applies the events of one vehicle when they are due; `stop` is true after an event that ends the run."""

    def __init__(self, events: Sequence[ScenarioEvent]) -> None:
        self._waiting = [(TriggerWatch(event), event) for event in events]
        self.stop = False

    def update(self, sim: Simulation) -> None:
        """Apply the events that are due, each once."""
        if not self._waiting:
            return
        due = [pair for pair in self._waiting if pair[0].due(sim)]
        for pair in due:
            self._waiting.remove(pair)
            self._apply(sim, pair[1])

    def _apply(self, sim: Simulation, event: ScenarioEvent) -> None:
        texts: list[str] = [event.say] if event.say else []
        setpoints = event.setpoints()
        if setpoints:
            command(sim, setpoints)
            texts.append(", ".join(f"{name} {value:g}" for name, value in setpoints.items()))
        commands = command_actuators(sim, event)
        if commands:
            texts.append(commands)
        if event.tether_rate_m_s is not None or event.tether_ratio is not None:
            if sim.tether is None:
                raise CommandError(f"an event hauls the tether of {sim.name}, which has none", expected="a [tether]")
            sim.tether.haul(rate_m_s=event.tether_rate_m_s, ratio=event.tether_ratio)
            texts.append("new command to the drum")
        if event.next_leg and isinstance(sim.controller, Mission):
            sim.controller.skip(sim.state())
            texts.append("on to the next leg")
        if event.stop:
            self.stop = True
            texts.append("the run is stopped")
        sim.events.append(Event(sim.time_s, "event", "; ".join(texts) or "nothing is done", sim.name))


def command_actuators(sim: Simulation, table: Control | ScenarioEvent) -> str:
    """Command the actuators and sticks of a table; return the commands in words."""
    groups: Any = (
        (table.thrust, sim.thrust), (table.deflect, sim.deflect), (table.ballast, sim.ballast),
        (table.sticks, sim.pilot),
    )  # fmt: skip
    for values, send in groups:
        if values:
            send(**values)
    commands = {**table.thrust, **table.deflect, **table.ballast, **table.sticks}
    return ", ".join(f"{name} {value:g}" for name, value in commands.items())


def command(sim: Simulation, setpoints: dict[str, float]) -> None:
    """Command setpoints to the controller, also inside a mission; without one that holds setpoints, to an autopilot."""
    controller: Any = sim.controller.controller if isinstance(sim.controller, Mission) else sim.controller
    if isinstance(getattr(controller, "setpoint", None), Setpoint):
        controller.command(None, **setpoints)
    else:
        sim.command(**setpoints)


class StallMonitor:
    """Monitors the progress of one mission; `message` explains a stall, and is empty before."""

    def __init__(self) -> None:
        self.message = ""
        self._next_check_s = 0.0
        self._ahead: tuple[float, ...] = ()  # number of the leg and of its point
        self._nearest_m, self._since_s = math.inf, 0.0

    def update(self, mission: Mission, time_s: float, position_n: Array, name: str) -> Event | None:
        """Compare the distance to the next point with the least so far; return an event once the vehicle is stalled."""
        now = time_s
        if now < self._next_check_s or self.message:
            return None
        self._next_check_s = now + EVERY_S
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
            self.message = (
                f"{name} has not come nearer to the next point of {where} for {PATIENCE_S:g} s, "
                f"{away:.0f} m away; the run is ended"
            )
            return Event(now, "stalled", self.message, name)
        return None
