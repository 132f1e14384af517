"""Faults of many runs: each run has its `Faults`, which are updated only at times at which they change something."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pelagos.batch.batch import Batch
from pelagos.campaign.vectorised.observed import ObservedRuns
from pelagos.campaign.vectorised.runs import BatchedRun, Overrides
from pelagos.messages import Actuations
from pelagos.sim.faults.effects import ActiveFault, Faults
from pelagos.sim.faults.triggers import WaitingTriggers
from pelagos.vehicle.pack.records import Packed
from pelagos.vehicle.plant import Plant
from pelagos.world.spec import World


class FaultyRun:
    """A run with faults, with what `Faults` read and change of a simulation.

    plant       a copy of the vehicle, as it was when the last fault began
    undamaged   records before any damage
    """

    sensing = None
    tether = None

    def __init__(self, run: BatchedRun, faults: Faults, undamaged: Packed, plant: Plant, world: World) -> None:
        self.name, self.events, self.faults, self.undamaged = run.name, run.events, faults, undamaged
        self.plant, self.world, self.time_s = plant, world, 0.0

    def current_n(self, time_s: float) -> NDArray[np.float64]:
        """Return the uniform current of the run, NED, gusts included."""
        gust = self.faults.gust_n(time_s)
        return self.world.current_n(time_s) if gust is None else self.world.current_n(time_s) + gust


class FaultyRuns:
    """The faults of n runs of one batch.

    columns   of the log, equal for all runs
    values    of these columns, (n, columns)
    """

    def __init__(self, batch: Batch, runs: Mapping[int, FaultyRun]) -> None:
        self._batch, self._runs = batch, runs
        self.columns = next(iter(runs.values())).faults.columns if runs else ()
        self.values = np.zeros((batch.n, len(self.columns)))
        self._stuck = Overrides(batch.vehicle, batch.n)
        self._waiting: WaitingTriggers[ActiveFault] = WaitingTriggers(
            (i, case.fault, case) for i, run in runs.items() for case in run.faults.pending
        )
        self._changing: list[int] = []  # runs whose active faults need an update in every interval

    def update(self, now: ObservedRuns, over: NDArray[np.bool_]) -> None:
        """Begin and end faults before an interval, with their effects on parameters, actuators and current."""
        due: dict[int, list[ActiveFault]] = {}
        for i, case in self._waiting.due(now):
            due.setdefault(i, []).append(case)
        changed = [i for i in sorted({*self._changing, *due}) if not over[i]]
        models: list[tuple[int, NDArray[np.float64]]] = []
        groups = self._batch.groups
        for i in changed:
            run, begins = self._runs[i], due.get(i, [])
            if begins:
                run.plant = groups.plant_of(i)
            before, run.time_s = run.plant.packed, now.time_s
            run.faults.advance(run, lambda case, begins=begins: case in begins)
            if run.plant.packed is not before:
                models.append((i, run.plant.packed.model))
            self._stuck.clear(i)
            for name, index, value in run.faults.stuck:
                self._stuck.set(i, name, index, value)
            self.values[i] = run.faults.values()
        if models:
            groups[0].put_models(np.array([model for _, model in models]), np.array([i for i, _ in models]))
            groups.mark_changed()
        self.set_currents(now.time_s, changed)
        self._changing = [i for i in changed if self._runs[i].faults.changing]

    def set_currents(self, time_s: float, of: Sequence[int] | None = None) -> None:
        """Write the currents of runs with gusts, with their rates over the next interval; `of` changing runs."""
        gusty = [i for i in (self._changing if of is None else of) if self._runs[i].faults.gusts]
        if not gusty:
            return
        rate_hz = self._batch.control_rate_hz
        later_s = (round(time_s * rate_hz) + 1) / rate_hz  # the very number of the next interval
        now, later = (np.array([self._runs[i].current_n(t) for i in gusty]) for t in (time_s, later_s))
        self._batch.environment.set_changing_current(now, (later - now) / self._batch.interval_s, gusty)

    def applied(self, actuations: Actuations) -> Actuations:
        """Return the commands that reach the actuators: stuck ones keep theirs."""
        return self._stuck.applied(actuations)
