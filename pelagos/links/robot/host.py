"""The world behind the robot link: its interface `Host`, and `SimulationHost` for simulations in lockstep.

`pelagos.links.robot.recorded` has the host of a log.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from pelagos.links.robot.messages import VehicleCommand
from pelagos.links.robot.orders import apply_commands, stop
from pelagos.links.robot.vehicle import RobotVehicle, description
from pelagos.messages import Event
from pelagos.session.lockstep import LockstepSession
from pelagos.sim.simulation import Simulation


class Host(ABC):
    """A world behind the link. The thread of the server calls it between ticks; no method blocks.

    Commands and other links have no effect on a world that does not override the methods for them, such as a log.
    """

    kind: str  # "simulation", or "log", where commands have no effect
    title: str  # name of the scenario, or of the log file
    _events: list[dict[str, Any]]  # since `mark_published`

    @property
    @abstractmethod
    def rate_hz(self) -> float:
        """Ticks per simulated second."""

    @property
    @abstractmethod
    def ticks(self) -> int:
        """Ticks since the start."""

    @property
    @abstractmethod
    def time_s(self) -> float:
        """Simulated time."""

    @property
    @abstractmethod
    def done(self) -> bool:
        """Whether the run has ended."""

    @property
    def frozen(self) -> bool:
        """Whether another link has frozen time; then the server calls `idle` in place of `tick`."""
        return False

    @abstractmethod
    def descriptions(self) -> list[dict[str, Any]]:
        """The vehicles as a hello describes them; an order without a name is for the first."""

    @abstractmethod
    def apply(self, commands: Mapping[str, VehicleCommand]) -> None:
        """Apply commands by the name of the vehicle; CommandError, and no change, if one is invalid."""

    def stop(self) -> str:
        """Stop the actuators that a silent robot drove directly; returns what was done, "" for nothing."""
        return ""

    @abstractmethod
    def tick(self) -> None:
        """Advance by one interval."""

    def idle(self) -> None:  # noqa: B027  # a log has no other links
        """Keep other links alive while time stands still."""

    @abstractmethod
    def vehicles(self, forces: bool) -> dict[str, Any]:
        """The state of each vehicle by name, as a message has it."""

    def events(self) -> list[dict[str, Any]]:
        """The events since `mark_published`."""
        return list(self._events)

    def mark_published(self) -> None:
        """Discard readings and events: a message has carried them."""
        self._events.clear()

    @abstractmethod
    def reset(self) -> None:
        """Return to the start."""

    def close(self, complete: bool) -> None:  # noqa: B027  # a log keeps nothing open
        """End the world; `complete` is False after an error."""


class SimulationHost(Host):
    """Simulations behind the link.

    Args:
        session: the simulations; `close` closes it.
        title: name of the scenario.
    """

    kind = "simulation"

    def __init__(self, session: LockstepSession, title: str = "") -> None:
        self.session, self.title = session, title
        self._begin()

    def _begin(self) -> None:
        self._vehicles = [RobotVehicle(sim) for sim in self.session.sims]
        self._steered: list[Simulation] = []  # by the robot, since it was last stopped
        self._events = []

    @property
    def rate_hz(self) -> float:
        """The control rate."""
        return self.session.sims[0].control_rate_hz

    @property
    def ticks(self) -> int:
        """Control intervals since the start."""
        return round(self.time_s * self.rate_hz)

    @property
    def time_s(self) -> float:
        """Simulated time."""
        return self.session.sims[0].time_s

    @property
    def done(self) -> bool:
        """Whether the scenario has ended."""
        return self.session.over

    @property
    def frozen(self) -> bool:
        """Whether another link has frozen time."""
        return self.session.frozen

    def descriptions(self) -> list[dict[str, Any]]:
        """The vehicles as a hello describes them."""
        return [description(vehicle.sim) for vehicle in self._vehicles]

    def apply(self, commands: Mapping[str, VehicleCommand]) -> None:
        """Apply commands to the simulations."""
        for sim in apply_commands(self.session, commands):
            if sim not in self._steered:
                self._steered.append(sim)

    def stop(self) -> str:
        """Stop the actuators that the robot drove directly; setpoints stay, and so does control by the scenario."""
        stopped = [sim.name for sim in self._steered if stop(self.session, sim)]
        self._steered.clear()
        if not stopped:
            return ""
        text = f"thrusters and surfaces of {', '.join(stopped)} are put to rest"
        sim = self.session.sims[0]
        sim.events.append(Event(sim.time_s, "link", f"the robot is silent: {text}", sim.name))
        return text

    def tick(self) -> None:
        """Advance by one control interval."""
        self.session.tick()
        self._events += [{k: v for k, v in event.items() if k != "type"} for event in self.session.take_events()]
        for vehicle in self._vehicles:
            vehicle.collect_readings()

    def idle(self) -> None:
        """Let other links answer while time stands still."""
        self.session.idle()

    def vehicles(self, forces: bool) -> dict[str, Any]:
        """The state of each vehicle by name."""
        return {vehicle.sim.name: vehicle.message(forces) for vehicle in self._vehicles}

    def mark_published(self) -> None:
        """Discard readings and events: a message has carried them."""
        super().mark_published()
        for vehicle in self._vehicles:
            vehicle.clear_readings()

    def reset(self) -> None:
        """Return to the start of the scenario."""
        try:
            self.session.reset()
        finally:  # the session may have new simulations, or after an error the old ones
            self._begin()

    def close(self, complete: bool) -> None:
        """Finish the logs."""
        self.session.close(complete=complete)
