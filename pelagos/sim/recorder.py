"""Collects samples while a run goes on, and streams them to a file if asked.

Samples go into one table that doubles when full: appending is cheap however long the run. With a path each sample
is also written as CSV at once and flushed to the disk every second of wall time, so that a crash, a power cut or
Ctrl-C leaves a log that reads as far as it got.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self, TextIO

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.sim.log import Log, LogError, column_names, from_table, open_csv, write_end, write_header, write_rows


class Recorder:
    """Growing table of samples.

    Args:
        columns: names of the plain columns, `time_s` first.
        terms: names of the force terms; each adds six columns X Y Z K M N.
        meta: settings of the run, written to the head of the file.
        path: CSV file to stream to, or None to keep the samples in memory only.
        flush_every_s: wall time between flushes to the disk.
    """

    def __init__(
        self,
        columns: Sequence[str],
        terms: Sequence[str] = (),
        meta: Mapping[str, Any] | None = None,
        path: str | os.PathLike[str] | None = None,
        *,
        flush_every_s: float = 1.0,
    ) -> None:
        self.columns = tuple(columns)
        self.terms = tuple(terms)
        self.meta = dict(meta or {})
        self._width = len(column_names(self.columns, self.terms))
        self._table: NDArray[np.float64] = np.empty((256, self._width))
        self._n = 0
        self._flush_every_s = flush_every_s
        self._flushed = time.monotonic()
        self._file: TextIO | None = None
        if path is not None:
            self._file = open_csv(path)
            write_header(self._file, self.columns, self.terms, self.meta)
            self._file.flush()

    def __len__(self) -> int:
        return self._n

    def append(self, values: ArrayLike, forces: ArrayLike = ()) -> None:
        """Add one sample: the plain columns (len(columns),) and the wrenches (len(terms), 6)."""
        row = np.concatenate([np.ravel(np.asarray(values, np.float64)), np.ravel(np.asarray(forces, np.float64))])
        self.extend(row[np.newaxis, :])

    def extend(self, rows: NDArray[np.float64]) -> None:
        """Add many samples at once, (k, len(columns) + 6 len(terms)), forces after the plain columns."""
        k, width = rows.shape
        if width != self._width:
            raise LogError(f"a sample has {width} values, expected {self._width}")
        while self._n + k > len(self._table):
            self._table = np.concatenate([self._table, np.empty_like(self._table)])
        self._table[self._n : self._n + k] = rows
        self._n += k
        if self._file is not None:
            write_rows(self._file, rows)
            now = time.monotonic()
            if now - self._flushed >= self._flush_every_s:
                self._file.flush()
                self._flushed = now

    def log(self, *, complete: bool = True) -> Log:
        """What has been recorded so far; later samples do not change it. complete=False: the run was cut short."""
        return from_table(self.columns, self.terms, self._table[: self._n].copy(), self.meta, complete=complete)

    def close(self, *, complete: bool = True) -> None:
        """Finish the file. Pass complete=False when the run was cut short: the file then says nothing false."""
        if self._file is not None:
            if complete:
                write_end(self._file)
            self._file.close()
            self._file = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        self.close(complete=kind is None)
