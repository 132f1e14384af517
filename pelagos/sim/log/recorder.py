"""Collects samples and events while a run goes on, and writes them to a file if asked.

Samples go into one table that doubles when full: appending is cheap however long the run. With a path they also go
to the file, many at a time and at least once in a second of wall time, as whole lines (CSV) or batches (Parquet): a
crash, `kill -9`, a full disk or Ctrl-C leaves a log that reads as far as it got.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.messages import Event
from pelagos.sim.log.csv import CHUNK, CsvWriter, versions
from pelagos.sim.log.file import Content, checked_path
from pelagos.sim.log.forces import LogError, column_names
from pelagos.sim.log.log import Log
from pelagos.sim.log.parquet import ParquetWriter

FIRST = 256  # samples that fit before the table grows


class Recorder:
    """Growing table of samples.

    Args:
        columns: names of the plain columns, `time_s` first.
        terms: names of the force terms; each adds six columns X Y Z K M N. None: forces are not recorded.
        meta: settings of the run, written to the head of the file; the versions of the programs are added.
        path: file to write as the run goes, .parquet or else CSV; None to keep the samples in memory only.
        write_forces: whether the file gets the force columns too; the memory has them anyway.
        flush_every_s: longest wall time that a sample waits in memory while samples keep coming.
    """

    def __init__(
        self,
        columns: Sequence[str],
        terms: Sequence[str] = (),
        meta: Mapping[str, Any] | None = None,
        path: str | os.PathLike[str] | None = None,
        *,
        write_forces: bool = True,
        flush_every_s: float = 1.0,
    ) -> None:
        self.columns = tuple(columns)
        self.terms = tuple(terms)
        self.meta = {**(meta or {})}
        self.meta.setdefault("versions", versions())
        self.events: list[Event] = []
        if not self.columns or self.columns[0] != "time_s":
            raise LogError("the first column of a recorder is time_s")
        self._plain = len(self.columns)
        self._width = len(column_names(self.columns, self.terms))
        self._written_width = self._width if write_forces else self._plain
        self._table: NDArray[np.float64] = np.empty((FIRST, self._width))
        self._room = FIRST
        self._n = 0
        self._flush_every_s = flush_every_s
        self._now = self._flushed = time.monotonic()
        self._writer = None
        if path is not None:
            written = self.terms if write_forces else ()
            self._writer = writer_for(path)(path, self.columns, written, self.meta)

    def __len__(self) -> int:
        return self._n

    def row(self) -> NDArray[np.float64]:
        """The place of the next sample, to be filled in and then counted by `commit`; NaN where nothing is put."""
        if self._n == self._room:
            self._grow(1)
        row = self._table[self._n]
        row.fill(np.nan)
        return row

    def commit(self) -> None:
        """Count the sample that was put into `row()`."""
        self._n += 1
        if self._writer is not None:
            self._write_soon()

    def append(self, values: ArrayLike, forces: ArrayLike = ()) -> None:
        """Add one sample: the plain columns (len(columns),) and the wrenches (len(terms), 6)."""
        values, forces = np.asarray(values, np.float64), np.asarray(forces, np.float64)
        if values.size != self._plain or values.size + forces.size != self._width:
            raise LogError(f"a sample has {values.size + forces.size} values", expected=f"{self._width}")
        if self._n == self._room:
            self._grow(1)
        row = self._table[self._n]
        row[: self._plain] = values
        if forces.size:
            row[self._plain :] = forces.reshape(-1)
        self.commit()

    def extend(self, rows: NDArray[np.float64]) -> None:
        """Add many samples at once, (k, len(columns) + 6 len(terms)), forces after the plain columns."""
        k, width = rows.shape
        if width != self._width:
            raise LogError(f"a sample has {width} values", expected=f"{self._width}")
        if self._n + k > self._room:
            self._grow(k)
        self._table[self._n : self._n + k] = rows
        self._n += k
        if self._writer is not None:
            self._write_soon()

    def event(self, event: Event) -> None:
        """Keep an event, and write it at once: it may be the last thing that happens."""
        self.events.append(event)
        if self._writer is not None:
            self.flush()
            self._writer.event(event)

    def flush(self) -> None:
        """Write every sample that still waits. LogError if the file cannot take it."""
        if self._writer is not None:
            first = self._writer.rows
            self._writer.write(self._table[first : self._n, : self._written_width])
            self._flushed = self._now = time.monotonic()

    def log(self, *, complete: bool = True) -> Log:
        """What has been recorded so far; later samples do not change it. complete=False: the run was cut short."""
        content = Content(
            columns=self.columns,
            terms=self.terms,
            table=self._table[: self._n],
            meta=self.meta,
            events=self.events,
            complete=complete,
        )
        return Log.of(content)

    def close(self, *, complete: bool = True) -> None:
        """Finish the file; complete=False when the run was cut short, so that the file says nothing false.

        Then a file that cannot be finished is left as it is and no error is raised: it would hide what ended the run.
        """
        writer, problem = self._writer, None
        if writer is None:
            return
        try:
            self.flush()
        except LogError as error:
            problem = error
        self._writer = None
        try:
            writer.close(complete=complete and problem is None)
        except LogError as error:
            problem = problem or error
        if problem is not None and complete:
            raise problem

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        self.close(complete=kind is None)

    def _write_soon(self) -> None:
        """Write if a second has passed, if much waits, or if samples come so seldom that the next may be long."""
        now = time.monotonic()
        seldom = now - self._now > 0.25 * self._flush_every_s
        self._now = now
        waiting = self._n - self._writer.rows if self._writer else 0
        if seldom or waiting >= CHUNK or now - self._flushed >= self._flush_every_s:
            self.flush()

    def _grow(self, k: int) -> None:
        while self._n + k > self._room:
            self._room *= 2
        bigger = np.empty((self._room, self._width))
        bigger[: self._n] = self._table[: self._n]
        self._table = bigger


def writer_for(path: str | os.PathLike[str]) -> type[CsvWriter] | type[ParquetWriter]:
    """The kind of file that a name asks for: Parquet by its ending, otherwise CSV."""
    ending = Path(checked_path(path)).suffix.lower()
    if ending in (".npz", ".json"):
        raise LogError("a run writes .csv or .parquet; an .npz is made of a log afterwards by Log.save", file=path)
    return ParquetWriter if ending == ".parquet" else CsvWriter
