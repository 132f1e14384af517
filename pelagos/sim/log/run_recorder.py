"""Recorder of one simulation: samples at the log rate and events, in memory, in a file, or both."""

from __future__ import annotations

import os
from collections.abc import Iterable
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

Indices = NDArray[np.intp]


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
        rate = sim.control_rate_hz
        log_rate = rate if self.log_rate_hz is None else inputs.positive("log_rate_hz", self.log_rate_hz)
        if log_rate > rate * (1.0 + 1e-9):
            raise CommandError(key="log_rate_hz", value=log_rate, expected=f"at most the control rate, {rate:g}")
        self._ticks_per_sample = max(1, round(rate / log_rate))
        terms = () if self.forces is False else sim.terms()
        meta = {**sim.meta(), **(self.meta or {})}
        self._columns = columns = sim.columns()
        if len(set(columns)) < len(columns):
            twice = next(name for name in columns if columns.count(name) > 1)
            expected = "a different name from the controller"
            raise CommandError("two columns of the log have the name", value=twice, expected=expected)
        self.recorder = Recorder(
            columns, terms, meta, self.path, write_forces=self.forces is True, in_memory=self.in_memory
        )
        self._width = len(columns)
        self._controller = sim.controller
        self._places: tuple[int, Indices, Indices] | None = None  # while another controller has other columns
        self._ticks = 0
        self.sample()

    def sample(self) -> None:
        """Record a sample of the present instant."""
        row = self.recorder.row()
        if self.sim.controller is not self._controller:  # only then can the columns differ
            self._controller, self._places = self.sim.controller, self._compare_columns()
        if self._places is None:
            self.sim.sample_into(row[: self._width])
        else:
            width, known, goes_to = self._places
            sample = np.empty(width)
            self.sim.sample_into(sample)
            row[goes_to] = sample[known]
        if self.forces is not False:
            row[self._width :] = self.sim.evaluate().forces.reshape(-1)
        self.recorder.commit()

    def after(self, events: Iterable[Event] = ()) -> None:
        """Record a sample, if one is due, and the new events; call this after each control interval."""
        self._ticks += 1
        if self._ticks % self._ticks_per_sample == 0:
            self.sample()
        for event in events:
            self.recorder.event(event)

    def _compare_columns(self) -> tuple[int, Indices, Indices] | None:
        """How many columns there are now, and from where to where values go; those that the log lacks are left out."""
        names = self.sim.columns()
        if names == self._columns:
            return None
        at = {name: k for k, name in enumerate(self._columns)}
        known = [k for k, name in enumerate(names) if name in at]
        return len(names), np.array(known, np.intp), np.array([at[names[k]] for k in known], np.intp)
