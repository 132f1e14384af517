"""Single runs of a batch as events and faults act on them, each the counterpart of a `Simulation`."""

from __future__ import annotations

import math

import numpy as np

from pelagos.batch.batch import Batch
from pelagos.control.vectorised.autopilot import VectorAutopilot
from pelagos.errors import CommandError
from pelagos.guidance.vectorised import VectorMission
from pelagos.messages import Actuations, Event, VehicleStates
from pelagos.sim.columns import held_values
from pelagos.sim.commands import actuator_commands
from pelagos.vehicle.spec import Vehicle


class Overrides:
    """Commands to single actuators of n runs; they replace those of the controller."""

    def __init__(self, vehicle: Vehicle, n: int) -> None:
        # NaN: the controller's command
        self.values = Actuations(*(np.full((n, len(getattr(vehicle, name))), math.nan) for name in Actuations._fields))
        self._any = False

    def set(self, run: int, group: str, index: int, value: float) -> None:
        """Override one actuator of a run."""
        getattr(self.values, group)[run, index] = value
        self._any = True

    def clear(self, run: int) -> None:
        """Give all actuators of a run back."""
        for rows in self.values:
            rows[run] = math.nan

    def applied(self, actuations: Actuations) -> Actuations:
        """Return the commands with these in place of the controller's."""
        if not self._any:
            return actuations
        pairs = zip(self.values, actuations, strict=True)
        return Actuations(*(np.where(np.isnan(mine), others, mine) for mine, others in pairs))


class BatchedRun:
    """One run of a batch.

    events       of the run, for its log
    skipped_s    times at which an event ended a leg
    """

    def __init__(
        self, i: int, name: str, batch: Batch, overrides: Overrides, pilot: VectorAutopilot | None,
        mission: VectorMission | None,
    ) -> None:  # fmt: skip
        self._i, self.name, self._batch, self._overrides = i, name, batch, overrides
        self._pilot, self._mission = pilot, mission
        self.time_s = 0.0
        self.states: VehicleStates | None = None  # of all runs, now
        self.events: list[Event] = []
        self.skipped_s: set[float] = set()

    def thrust(self, **named: float) -> None:
        """Command thrusters by name and unit."""
        self._override("thrusters", named)

    def deflect(self, **named: float) -> None:
        """Command surfaces by name and unit."""
        self._override("surfaces", named)

    def ballast(self, **named: float) -> None:
        """Command ballast by name and unit."""
        self._override("ballast", named)

    def _override(self, group: str, named: dict[str, float]) -> None:
        for index, value in actuator_commands(self._batch.vehicle, group, None, named).items():
            assert value is not None  # files have no None
            self._overrides.set(self._i, group, index, value)

    def pilot(self, **sticks: float) -> None:
        """Refuse sticks."""
        raise CommandError("a run of a batch has no sticks", key=next(iter(sticks)))

    def haul(self, rate_m_s: float | None, ratio: float | None) -> None:
        """Refuse commands to a drum."""
        raise CommandError(f"an event hauls the tether of {self.name}, which has none", expected="a [tether]")

    def hold(self, setpoints: dict[str, float]) -> None:
        """Command setpoints to the autopilot, also inside a mission."""
        pilot = self._pilot
        if pilot is None:
            raise CommandError("a run of a batch under direct control has no autopilot", key=next(iter(setpoints)))
        pilot.pattern.command(pilot.setpoint(self._i))
        new = pilot.pattern.command(None, **setpoints)
        if self._mission is not None:
            self._mission.command(self._i, new)
        else:
            pilot.hold(np.array([self._i]), np.array([held_values(new)]))

    def skip_leg(self) -> bool:
        """Switch to the next leg of the mission."""
        if self._mission is None:
            return False
        assert self.states is not None
        self._mission.skip(self._i, self.states)
        self.skipped_s.add(self.time_s)
        return True
