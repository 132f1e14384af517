"""The log of a run: columns over time, forces, events and metadata.

A column name ends in its unit (`depth_m`, `heading_deg`); docs/conventions.md defines frames and signs, docs/logs.md
the file formats.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterable, Mapping
from typing import Any, Self

import numpy as np

from pelagos import providers
from pelagos.errors import MissingExtraError
from pelagos.messages import Event
from pelagos.sim.log.csv import read_csv, write_csv
from pelagos.sim.log.file import Content, checked
from pelagos.sim.log.forces import WRENCH, Array, ColumnError, ForceLog, ForceTable, LogError, column_names, known
from pelagos.sim.log.npz import read_npz, write_npz
from pelagos.sim.log.parquet import read_parquet, write_parquet

__all__ = ["WRENCH", "Array", "ColumnError", "ForceLog", "ForceTable", "Log", "LogError", "column_names"]


class Log:
    """Columns over time. `log["depth_m"]` is an array; `log["thrusters_X_N"]` one force; `log.meta` the settings.

    Args:
        columns: arrays of equal length by name, among them `time_s`.
        meta: settings of the run, plain values.
        forces: (n, 6) of each force term; none if they were not recorded.
        events: events in the sequence of time.
        complete: False for a run, or a file, that was cut short.
    """

    def __init__(
        self,
        columns: Mapping[str, Array],
        meta: Mapping[str, Any] | None = None,
        forces: Mapping[str, Array] | None = None,
        *,
        events: Iterable[Event] = (),
        complete: bool = True,
    ) -> None:
        self.columns: dict[str, Array] = {name: np.asarray(value, np.float64) for name, value in columns.items()}
        self.meta: dict[str, Any] = dict(meta or {})
        self.events: list[Event] = list(events)
        self.complete = complete
        if "time_s" not in self.columns:
            raise LogError("a log needs the column time_s")
        wrenches = {term: np.asarray(value, np.float64) for term, value in (forces or {}).items()}
        n = len(self.columns["time_s"])
        for name, column in self.columns.items():
            if column.shape != (n,):
                raise LogError(key=f"shape of column {name}", value=column.shape, expected=f"({n},), as of time_s")
        for term, wrench in wrenches.items():
            if wrench.shape != (n, 6):
                raise LogError(key=f"shape of the forces of {term}", value=wrench.shape, expected=f"({n}, 6)")
        self.forces = ForceLog(self.columns["time_s"], wrenches)

    @classmethod
    def of(cls, content: Content) -> Self:
        """The log of the content of a file or a recorder."""
        table, first = content.table, len(content.columns)
        columns = {name: table[:, k].copy() for k, name in enumerate(content.columns)}
        forces = {t: table[:, first + 6 * k : first + 6 * k + 6].copy() for k, t in enumerate(content.terms)}
        return cls(columns, content.meta, forces, events=content.events, complete=content.complete)

    @property
    def content(self) -> Content:
        """The log as one table, as files hold it."""
        return Content(
            columns=tuple(self.columns),
            terms=self.forces.terms,
            table=self.table(),
            meta=self.meta,
            events=self.events,
            complete=self.complete,
        )

    @property
    def time_s(self) -> Array:
        """Time of each sample since the start, s."""
        return self.columns["time_s"]

    @property
    def names(self) -> tuple[str, ...]:
        """All names that `log[name]` accepts, forces included; the header of the CSV file."""
        return column_names(self.columns, self.forces.terms)

    def __len__(self) -> int:
        return len(self.columns["time_s"])

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __getitem__(self, name: str) -> Array:
        if name in self.columns:
            return self.columns[name]
        for k, unit in enumerate(WRENCH):
            term = name.removesuffix("_" + unit)
            if term != name and term in self.forces:
                return self.forces[term][:, k]
        return self.columns[known(name, self.names, "column")]

    def __repr__(self) -> str:
        span = f"{self.time_s[0]:g} to {self.time_s[-1]:g} s" if len(self) else "empty"
        vehicle = self.meta.get("vehicle", "unnamed vehicle")
        cut = "" if self.complete else ", cut short"
        return f"Log of {vehicle}: {len(self)} samples, {span}, {len(self.names)} columns{cut}"

    def between(self, start_s: float = -np.inf, end_s: float = np.inf) -> Log:
        """The part of the log between two times, both included."""
        inside = (self.time_s >= start_s) & (self.time_s <= end_s)
        columns = {name: column[inside] for name, column in self.columns.items()}
        forces = {term: wrench[inside] for term, wrench in self.forces.items()}
        events = [event for event in self.events if start_s <= event.time_s <= end_s]
        return Log(columns, self.meta, forces, events=events, complete=self.complete)

    def table(self) -> Array:
        """All columns side by side, (n, len(names)), in the order of `names`."""
        parts = [np.column_stack(list(self.columns.values())), *self.forces.values()]
        return np.hstack(parts)

    def plot(self, *columns: str, path: str | os.PathLike[str] | None = None) -> Any:
        """Plot columns against time, one panel each; without names, the whole mission on one page.

        The figure is written to the path, or shown in a window if there is none. Returns the figure.
        """
        return providers.plot_log(self, columns, path)

    def to_csv(self, path: str | os.PathLike[str], *, sidecar: bool = True) -> None:
        """Write the log as CSV with every digit, and the sidecar NAME.json (unless sidecar=False)."""
        write_csv(path, self.content, sidecar=sidecar)

    @classmethod
    def from_csv(cls, path: str | os.PathLike[str], *, salvage: bool = False) -> Self:
        """Read a CSV log; a partial last line is skipped and `complete` is then False."""
        return cls.of(checked(read_csv(path, salvage=salvage), path))

    def to_parquet(self, path: str | os.PathLike[str], *, single: bool = False) -> None:
        """Write the log as Parquet, exact; `single` stores all columns but the time as float32, much smaller."""
        write_parquet(path, self.content, single=single)

    @classmethod
    def from_parquet(cls, path: str | os.PathLike[str], *, salvage: bool = False) -> Self:
        """Read a Parquet log, or the stream of an unfinished run."""
        return cls.of(checked(read_parquet(path, salvage=salvage), path))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the log as a NumPy .npz file: smaller and faster than CSV, same content."""
        write_npz(path, self.content)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, salvage: bool = False) -> Self:
        """Read a log written by `save`."""
        return cls.of(checked(read_npz(path, salvage=salvage), path))

    def to_pandas(self) -> Any:
        """Convert the log to a pandas DataFrame, forces included; `df.attrs` holds the metadata."""
        try:
            pandas: Any = importlib.import_module("pandas")
        except ImportError:
            raise MissingExtraError("pandas", "Log.to_pandas") from None
        frame = pandas.DataFrame(dict(zip(self.names, self.table().T.copy(), strict=True)))
        frame.attrs.update(self.meta)
        return frame
