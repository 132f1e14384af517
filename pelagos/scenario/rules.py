"""Rules that change or end a running scenario: its events, the end condition, the end of its missions, and stalls.

The rules are the same for one run and for many at once. A run is simulated by `Simulation`s (`scenario.build.Prepared`)
or as a vehicle of a `Batch` (`campaign.vectorised.flight`). When a trigger fires is decided in `sim.faults.triggers`;
what an event does goes through an `EventTarget`. An event is applied once. A mission stalls when the vehicle comes no
nearer to its next point, for example against a current that is faster than the vehicle.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pelagos.errors import CommandError
from pelagos.guidance.mission import Mission
from pelagos.messages import Event, Setpoint
from pelagos.scenario.spec import Control, End, ScenarioEvent
from pelagos.sim.faults.conditions import Condition, ObservedSimulation
from pelagos.sim.faults.triggers import WaitingTriggers
from pelagos.sim.simulation import Simulation

PATIENCE_S = 600.0  # without progress towards the next point; chosen, long against any turn
NEARER_M = 1.0  # least approach that counts as progress
EVERY_S = 1.0  # between checks
ROUNDING_S = 1e-9  # a sum of ticks may exceed a time by rounding, which must not add an interval
Array = NDArray[np.float64]
TO_POINTS = ("waypoints", "trackline", "lawnmower", "bottom_follow")  # kinds of legs with a next point


class EventTarget(Protocol):
    """A vehicle that events act on."""

    name: str
    time_s: float
    events: list[Event]  # for the log

    def thrust(self, *args: Any, **named: Any) -> None:
        """Command thrusters by name."""
        ...

    def deflect(self, *args: Any, **named: Any) -> None:
        """Command surfaces by name."""
        ...

    def ballast(self, *args: Any, **named: Any) -> None:
        """Command ballast by name."""
        ...

    def pilot(self, *args: Any, **sticks: Any) -> None:
        """Set the sticks."""
        ...

    def hold(self, setpoints: dict[str, float]) -> None:
        """Command setpoints to the controller, also inside a mission."""
        ...

    def haul(self, rate_m_s: float | None, ratio: float | None) -> None:
        """Command the drum of the tether."""
        ...

    def skip_leg(self) -> bool:
        """Switch to the next leg of the mission; False without a mission."""
        ...


class SimulationTarget:
    """A simulation that events act on."""

    def __init__(self, sim: Simulation) -> None:
        self._sim = sim
        self.name, self.time_s, self.events = sim.name, sim.time_s, sim.events
        self.thrust, self.deflect, self.ballast, self.pilot = sim.thrust, sim.deflect, sim.ballast, sim.pilot

    def hold(self, setpoints: dict[str, float]) -> None:
        """Command setpoints to the controller; without one that holds setpoints, to an autopilot."""
        sim = self._sim
        controller: Any = sim.controller.controller if isinstance(sim.controller, Mission) else sim.controller
        if isinstance(getattr(controller, "setpoint", None), Setpoint):
            controller.command(None, **setpoints)
        else:
            sim.command(**setpoints)

    def haul(self, rate_m_s: float | None, ratio: float | None) -> None:
        """Command the drum of the tether."""
        if self._sim.tether is None:
            raise CommandError(f"an event hauls the tether of {self.name}, which has none", expected="a [tether]")
        self._sim.tether.haul(rate_m_s=rate_m_s, ratio=ratio)

    def skip_leg(self) -> bool:
        """Switch to the next leg of the mission."""
        controller = self._sim.controller
        if not isinstance(controller, Mission):
            return False
        controller.skip(self._sim.state())
        return True


class ScenarioEvents:
    """Applies the events of one vehicle when they are due; `stop` is true after an event that ends the run."""

    def __init__(self, events: Sequence[ScenarioEvent]) -> None:
        self._waiting = WaitingTriggers((0, event, event) for event in events)
        self.stop = False

    def update(self, sim: Simulation) -> None:
        """Apply the events that are due, each once."""
        for _, event in self._waiting.due(ObservedSimulation(sim)):
            apply_event(SimulationTarget(sim), event)
            self.stop = self.stop or event.stop


def apply_event(target: EventTarget, event: ScenarioEvent) -> None:
    """Do what an event says, except for the end of the run, and add it to the log."""
    texts: list[str] = [event.say] if event.say else []
    setpoints = event.setpoints()
    if setpoints:
        target.hold(setpoints)
        texts.append(", ".join(f"{name} {value:g}" for name, value in setpoints.items()))
    commands = command_actuators(target, event)
    if commands:
        texts.append(commands)
    if event.tether_rate_m_s is not None or event.tether_ratio is not None:
        target.haul(event.tether_rate_m_s, event.tether_ratio)
        texts.append("new command to the drum")
    if event.next_leg and target.skip_leg():
        texts.append("on to the next leg")
    if event.stop:
        texts.append("the run is stopped")
    target.events.append(Event(target.time_s, "event", "; ".join(texts) or "nothing is done", target.name))


def command_actuators(target: EventTarget | Simulation, table: Control | ScenarioEvent) -> str:
    """Command the actuators and sticks of a table; return the commands in words."""
    groups: Any = (
        (table.thrust, target.thrust), (table.deflect, target.deflect), (table.ballast, target.ballast),
        (table.sticks, target.pilot),
    )  # fmt: skip
    for values, send in groups:
        if values:
            send(**values)
    commands = {**table.thrust, **table.deflect, **table.ballast, **table.sticks}
    return ", ".join(f"{name} {value:g}" for name, value in commands.items())


class RunEnd:
    """Ends one run before its duration is over: on the end condition, or some time after its missions are done."""

    def __init__(self, end: End) -> None:
        self._end = end
        self._condition = Condition(end.when) if end.when else None
        self._since_s: float | None = None  # time at which the missions were done

    def condition_holds(self, sims: Sequence[Simulation]) -> bool:
        """Whether the end condition is true for any vehicle."""
        return self._condition is not None and any(self._condition.holds(sim) for sim in sims)

    def missions_over(self, done: bool, time_s: float) -> bool:
        """Whether the missions of the run, which are `done` now or not, end it at this time."""
        if not (done and self._end.mission_done):
            return False
        self._since_s = time_s if self._since_s is None else self._since_s
        return time_s - self._since_s >= self._end.after_s - ROUNDING_S


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
