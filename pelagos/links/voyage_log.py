"""The log of one vehicle of a voyage: what waits for the disk is little, whatever the length of the voyage."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np

from pelagos.messages import Event
from pelagos.sim.log_forces import LogError
from pelagos.sim.recorder import writer_for
from pelagos.sim.scenario import Scenario
from pelagos.sim.simulation import Simulation

ROWS = 256  # that wait at most
FLUSH_S = 1.0


class VoyageLog:
    """Samples and events on their way to a file. Its columns stay as they were at the start, whoever steers later.

    Args:
        sim: the vehicle.
        path: .parquet, or else CSV.
        scenario: it is of; its tables go into the head of the file.
    """

    def __init__(self, sim: Simulation, path: Path, scenario: Scenario) -> None:
        self.sim, self.path = sim, path
        meta = {**sim.meta(), "scenario": scenario.name, "scenario_tables": scenario.raw, "name": sim.name}
        self._columns = sim.columns()
        self._writer = writer_for(path)(path, self._columns, (), meta)
        rate = scenario.log_rate_hz or scenario.control_rate_hz
        self._every, self._ticks = max(1, round(scenario.control_rate_hz / rate)), 0
        self._rows, self._n = np.empty((ROWS, len(self._columns))), 0
        self._places: dict[tuple[str, ...], Any] = {}
        self._problem: LogError | None = None
        self._written_s = time.monotonic()
        self._put()

    def keep(self) -> None:
        """After a tick: a sample, if one is due. LogError if the disk takes no more."""
        self._ticks += 1
        if self._ticks % self._every == 0:
            self._put()
        problem, self._problem = self._problem, None
        if problem is not None:
            raise problem

    def wait(self) -> None:
        """Time stands still: what is ready goes to the disk all the same. LogError if that takes no more."""
        if self._n and time.monotonic() - self._written_s >= FLUSH_S:
            self._flush()

    def event(self, event: Event) -> None:
        """Something happened: written at once, behind the samples before it."""
        try:
            self._flush()
            self._writer.event(event)
        except LogError as problem:
            self._problem = problem  # the next `keep` tells it

    def close(self, *, complete: bool) -> None:
        """End the file with all that waits; complete=False if the voyage was cut short."""
        try:
            self._flush()
        except LogError:
            if complete:
                self._writer.close(complete=False)
                raise
        self._writer.close(complete=complete)

    def _put(self) -> None:
        row, names = self._rows[self._n], self.sim.columns()
        if names == self._columns:
            self.sim.sample_into(row)
        else:
            self._put_by_name(row, names)
        self._n += 1
        if self._n == ROWS or time.monotonic() - self._written_s >= FLUSH_S:
            self._flush()

    def _put_by_name(self, row: Any, names: tuple[str, ...]) -> None:
        """Another controller has other columns: those that the file does not have are left out."""
        if names not in self._places:
            at = {name: k for k, name in enumerate(self._columns)}
            known = [k for k, name in enumerate(names) if name in at]
            self._places[names] = np.array(known), np.array([at[names[k]] for k in known]), np.empty(len(names))
        known, there, sample = self._places[names]
        self.sim.sample_into(sample)
        row.fill(np.nan)
        row[there] = sample[known]

    def _flush(self) -> None:
        waiting, self._n = self._n, 0
        self._written_s = time.monotonic()
        if waiting:
            self._writer.write(self._rows[:waiting])
