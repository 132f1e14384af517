"""Recorder of samples and events during a run, in memory and optionally in a file.

Samples go into a table that doubles its size when it is full, so that appending costs constant time. With a path they
also go to the file, several at a time and at least once per second of wall time, as whole lines (CSV) or batches
(Parquet): after a crash, `kill -9`, a full disk or Ctrl-C the log can be read up to that point.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from pelagos.messages import Event
from pelagos.sim.log.csv import CHUNK, CsvWriter, versions
from pelagos.sim.log.file import Content, checked_path
from pelagos.sim.log.forces import LogError, column_names
from pelagos.sim.log.log import Log
from pelagos.sim.log.parquet import ParquetWriter

FIRST_ROWS = 256  # samples of a new table, and the most that wait for their writing if only the file keeps them
FLUSH_S = 1.0


class Recorder:
    """Records the samples and events of a run.

    Args:
        columns: names of the plain columns, `time_s` first.
        terms: names of the force terms; each adds six columns X Y Z K M N. Empty: forces are not recorded.
        meta: settings of the run, written to the head of the file; program versions are added.
        path: file to write during the run, Parquet for .parquet and otherwise CSV; None for memory only.
        write_forces: whether the file also gets the force columns.
        flush_every_s: longest wall time between a sample and its writing, while samples keep coming.
        in_memory: False drops samples and events once they are in the file, so that a long run needs no more memory.
        before_write: called before samples go to the file.
    """

    def __init__(
        self,
        columns: Sequence[str],
        terms: Sequence[str] = (),
        meta: Mapping[str, Any] | None = None,
        path: str | os.PathLike[str] | None = None,
        *,
        write_forces: bool = True,
        flush_every_s: float = FLUSH_S,
        in_memory: bool = True,
        before_write: Callable[[], None] | None = None,
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
        self._table: NDArray[np.float64] = np.empty((FIRST_ROWS, self._width))
        self._room = FIRST_ROWS
        self._n = 0
        self._dropped = 0  # samples that are in the file only
        self._in_memory = in_memory or path is None
        self._before_write = before_write
        self._flush_every_s = flush_every_s
        self._last_sample_s = self._flushed_s = time.monotonic()
        self._writer = None
        if path is not None:
            written = self.terms if write_forces else ()
            self._writer = writer_for(path)(path, self.columns, written, self.meta)

    def __len__(self) -> int:
        return self._dropped + self._n

    def row(self) -> NDArray[np.float64]:
        """The row of the next sample, all NaN: fill it, then call `commit`."""
        if self._n == self._room:
            self._grow()
        row = self._table[self._n]
        row.fill(np.nan)
        return row

    def commit(self) -> None:
        """Record the sample in `row()`."""
        self._n += 1
        if self._writer is not None:
            self._write_soon()

    def event(self, event: Event) -> None:
        """Record an event, and write it at once: it may precede a crash."""
        if self._in_memory:
            self.events.append(event)
        if self._writer is not None:
            self.flush()
            self._writer.event(event)

    def flush(self) -> None:
        """Write all pending samples; LogError if that fails."""
        if self._writer is not None:
            if self._before_write is not None:
                self._before_write()
            # Counted by the file, so that an interrupted flush continues where it stopped.
            first = self._writer.rows - self._dropped
            self._writer.write(self._table[first : self._n, : self._written_width])
            if not self._in_memory:
                self._dropped, self._n = self._dropped + self._n, 0
            self._flushed_s = self._last_sample_s = time.monotonic()

    def flush_due(self) -> None:
        """Write pending samples if they have waited for `flush_every_s`: call this while no samples come."""
        if self._writer is not None and time.monotonic() - self._flushed_s >= self._flush_every_s:
            self.flush()

    def log(self, *, complete: bool = True) -> Log:
        """A copy of the log in memory so far; complete=False marks a run that was cut short."""
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
        """Finish the file; complete=False marks a run that was cut short.

        Errors of the file are then suppressed, because they would hide the error that ended the run.
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
        """Write pending samples if a second has passed, if there are many, or if samples come slowly."""
        now = time.monotonic()
        # After a slow sample the next may come late, too: waiting for it would exceed the second.
        slow = now - self._last_sample_s > 0.25 * self._flush_every_s
        self._last_sample_s = now
        pending = len(self) - self._writer.rows if self._writer else 0
        full = not self._in_memory and self._n == self._room
        if slow or full or pending >= CHUNK or now - self._flushed_s >= self._flush_every_s:
            self.flush()

    def _grow(self) -> None:
        self._room *= 2
        bigger = np.empty((self._room, self._width))
        bigger[: self._n] = self._table[: self._n]
        self._table = bigger


def writer_for(path: str | os.PathLike[str]) -> type[CsvWriter] | type[ParquetWriter]:
    """The writer class for a path: Parquet by its suffix, otherwise CSV."""
    ending = Path(checked_path(path)).suffix.lower()
    if ending in (".npz", ".json"):
        raise LogError("a run writes .csv or .parquet; an .npz is made of a log afterwards by Log.save", file=path)
    return ParquetWriter if ending == ".parquet" else CsvWriter
