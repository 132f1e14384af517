"""What the robot link serves: a world that goes on tick by tick, simulated or recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from pelagos.links.robot.messages import VehicleCommand
from pelagos.links.robot.orders import give, stop
from pelagos.links.robot.vehicle import RobotVehicle, described
from pelagos.messages import Event
from pelagos.sim.simulation import Simulation


class Host(Protocol):
    """A world behind the link. Called by one thread, between ticks; nothing of it waits."""

    kind: str  # "simulation", or "log" for one in which orders change nothing
    title: str  # the scenario, or the file of the log

    @property
    def rate_hz(self) -> float:
        """Ticks in a simulated second."""
        ...

    @property
    def ticks(self) -> int:
        """Ticks since the start."""
        ...

    @property
    def time_s(self) -> float:
        """Simulated time."""
        ...

    @property
    def done(self) -> bool:
        """Nothing more will happen."""
        ...

    @property
    def frozen(self) -> bool:
        """Somebody else has time stand still; then `idle` takes the place of `tick`."""
        ...

    def described(self) -> list[dict[str, Any]]:
        """The vehicles, for a hello; the first is the one that is meant where an order names none."""
        ...

    def give(self, wishes: Mapping[str, VehicleCommand]) -> None:
        """Orders by the name of the vehicle; CommandError, and nothing done, if one cannot be followed."""
        ...

    def stop(self) -> str:
        """The robot is silent: what it steered comes to rest. What was done, in words; "" if nothing was to do."""
        ...

    def tick(self) -> None:
        """One interval on."""
        ...

    def idle(self) -> None:
        """Time stands still."""
        ...

    def vehicles(self, forces: bool) -> dict[str, Any]:
        """The state of each by its name, as a message has it."""
        ...

    def events(self) -> list[dict[str, Any]]:
        """What has happened since `told`."""
        ...

    def told(self) -> None:
        """Readings and events have been told."""
        ...

    def reset(self) -> None:
        """Back to the start."""
        ...

    def close(self, complete: bool) -> None:
        """The end; `complete` is False if something went wrong."""
        ...


class LockstepSession(Protocol):
    """What is asked of `session.lockstep.LockstepDriver`: simulations in step, their logs, and links that ride
    along."""

    @property
    def sims(self) -> Sequence[Simulation]:
        """The vehicles."""
        ...

    @property
    def over(self) -> bool:
        """The scenario has come to its end."""
        ...

    @property
    def frozen(self) -> bool:
        """Another link has time stand still."""
        ...

    def tick(self) -> list[dict[str, Any]]:
        """One control interval of all; what happened in it."""
        ...

    def idle(self) -> None:
        """Time stands still: links that ride along answer all the same."""
        ...

    def reset(self) -> None:
        """Begin again."""
        ...

    def close(self, *, complete: bool = True) -> None:
        """Finish the logs."""
        ...


class SimulationHost:
    """A driver behind the link.

    Args:
        driver: the simulations; closed by `close`.
        title: of the scenario.
    """

    kind = "simulation"

    def __init__(self, driver: LockstepSession, title: str = "") -> None:
        self.driver, self.title = driver, title
        self._begin()

    def _begin(self) -> None:
        self._vehicles = [RobotVehicle(sim) for sim in self.driver.sims]
        self._steered: list[Simulation] = []
        self._events: list[dict[str, Any]] = []

    @property
    def rate_hz(self) -> float:
        """The control rate."""
        return self.driver.sims[0].control_rate_hz

    @property
    def ticks(self) -> int:
        """Control intervals since the start."""
        return round(self.time_s * self.rate_hz)

    @property
    def time_s(self) -> float:
        """Simulated time."""
        return self.driver.sims[0].time_s

    @property
    def done(self) -> bool:
        """Whether the scenario is over."""
        return self.driver.over

    @property
    def frozen(self) -> bool:
        """Whether another link has time stand still."""
        return self.driver.frozen

    def described(self) -> list[dict[str, Any]]:
        """The vehicles."""
        return [described(craft.sim) for craft in self._vehicles]

    def give(self, wishes: Mapping[str, VehicleCommand]) -> None:
        """Let the simulations have their orders."""
        for sim in give(self.driver.sims, wishes):
            if sim not in self._steered:
                self._steered.append(sim)

    def stop(self) -> str:
        """Bring to rest what the robot drove by hand; a setpoint goes on being held, and so does the scenario's own."""
        stopped = [sim.name for sim in self._steered if stop(sim)]
        self._steered.clear()
        if not stopped:
            return ""
        text = f"thrusters and surfaces of {', '.join(stopped)} are put to rest"
        sim = self.driver.sims[0]
        sim.events.append(Event(sim.time_s, "link", f"the robot is silent: {text}", sim.name))
        return text

    def tick(self) -> None:
        """One control interval."""
        self._events += [{k: v for k, v in event.items() if k != "type"} for event in self.driver.tick()]
        for craft in self._vehicles:
            craft.listen()

    def idle(self) -> None:
        """Time stands still."""
        self.driver.idle()

    def vehicles(self, forces: bool) -> dict[str, Any]:
        """The state of each."""
        return {craft.sim.name: craft.message(forces) for craft in self._vehicles}

    def events(self) -> list[dict[str, Any]]:
        """What has happened."""
        return list(self._events)

    def told(self) -> None:
        """Begin to gather anew."""
        self._events.clear()
        for craft in self._vehicles:
            craft.heard()

    def reset(self) -> None:
        """The scenario from its start."""
        try:
            self.driver.reset()
        finally:  # one that was refused has changed nothing
            self._begin()

    def close(self, complete: bool) -> None:
        """Finish the logs."""
        self.driver.close(complete=complete)
