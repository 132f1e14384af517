"""Recorder of one simulation: samples at the log rate and events, in memory, in a file, or both."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pelagos.errors import CommandError
from pelagos.messages import Event
from pelagos.sim import inputs
from pelagos.sim.log.recorder import Recorder

if TYPE_CHECKING:
    from pelagos.sim.simulation import Simulation


class SampleColumns:
    """Fixed columns that take the samples of a simulation, whose own columns change with its controller.

    Values whose columns are missing here are left out.
    """

    def __init__(self, columns: Sequence[str]) -> None:
        self.places = {name: k for k, name in enumerate(columns)}
        self._controller: object = self  # that of the present indices; none yet

    def fill(self, row: NDArray[np.float64], sim: Simulation) -> None:
        """Write a sample of the present instant into a row."""
        if sim.controller is not self._controller:  # only then can the columns differ
            self._controller, names = sim.controller, sim.columns()
            self._sample = np.empty(len(names))
            self._from, self._to = self.indices(names)
        sim.sample_into(self._sample)
        row[self._to] = self._sample[self._from]

    def indices(self, names: Sequence[str]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """From where to where the values of these columns go."""
        known = [k for k, name in enumerate(names) if name in self.places]
        return np.array(known, np.intp), np.array([self.places[names[k]] for k in known], np.intp)


@dataclass
class RunRecorder:
    """Records one simulation; the columns of the log are those at the start, whichever controller follows."""

    sim: Simulation
    path: str | os.PathLike[str] | None = None
    log_rate_hz: float | None = None
    forces: bool | None = None  # None: in memory, not in the file
    meta: dict[str, Any] | None = None  # metadata in addition to those of the simulation, such as the scenario
    in_memory: bool = True  # False: samples are in the file only, so that a long run needs no more memory

    def begin(self) -> None:
        """Open the recorder and record the first sample."""
        sim = self.sim
        self._ticks_per_sample = inputs.ticks_per_sample(self.log_rate_hz, sim.control_rate_hz)
        terms = () if self.forces is False else sim.terms()
        meta = {**sim.meta(), **(self.meta or {})}
        columns = sim.columns()
        if len(set(columns)) < len(columns):
            twice = next(name for name in columns if columns.count(name) > 1)
            expected = "a different name from the controller"
            raise CommandError("two columns of the log have the name", value=twice, expected=expected)
        self.recorder = Recorder(
            columns, terms, meta, self.path, write_forces=self.forces is True, in_memory=self.in_memory
        )
        self._columns = SampleColumns(columns)
        self._ticks = 0
        self.sample()

    def sample(self) -> None:
        """Record a sample of the present instant."""
        row = self.recorder.row()
        self._columns.fill(row, self.sim)
        if self.forces is not False:
            row[len(self._columns.places) :] = self.sim.evaluate().forces.reshape(-1)
        self.recorder.commit()

    def after(self, events: Iterable[Event] = ()) -> None:
        """Record a sample, if one is due, and the new events; call this after each control interval."""
        self._ticks += 1
        if self._ticks % self._ticks_per_sample == 0:
            self.sample()
        for event in events:
            self.recorder.event(event)
