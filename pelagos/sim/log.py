"""What a run leaves behind: columns over time, the force of every term, and how it was made.

A column name ends in its unit (`depth_m`, `heading_deg`); frames and signs are in docs/conventions.md.
The CSV form is plain: `#` lines hold the meta data as JSON, then one line of names, then one line a sample with
every digit of the float (so equal runs are equal bytes), then `# complete: true`. A file cut short by a crash or
Ctrl-C reads as far as it goes.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO, cast

import numpy as np
from numpy.typing import NDArray

from pelagos.errors import PelagosError, nearest

Array = NDArray[np.float64]

WRENCH = ("X_N", "Y_N", "Z_N", "K_N_m", "M_N_m", "N_N_m")  # column endings of one force term
TITLE = "# pelagos log 1"
END = "# complete: true"


class LogError(PelagosError):
    """A log file that cannot be read, or columns that do not fit together."""


class ColumnError(PelagosError, KeyError):
    """A column or force term that the log does not have."""

    def __str__(self) -> str:
        return str(self.args[0])


class ForceTable(Mapping[str, Array]):
    """One wrench (X Y Z K M N, body axes, N and N m) for each force term. Printing it gives a table."""

    def __init__(self, rows: Mapping[str, Array]) -> None:
        self._rows = dict(rows)

    def __getitem__(self, term: str) -> Array:
        return self._rows[_known(term, self._rows, "force term")]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def total(self) -> Array:
        """Sum over the terms, (6,)."""
        return np.sum(list(self._rows.values()), axis=0) if self._rows else np.zeros(6)

    def __str__(self) -> str:
        rows = [*self._rows.items(), ("total", self.total)]
        width = max(len("term"), *(len(name) for name, _ in rows))
        head = f"{'term':<{width}}" + "".join(f"{unit:>11}" for unit in WRENCH)
        # adding 0.0 turns a rounded -0.000 into 0.000
        body = [f"{name:<{width}}" + "".join(f"{round(x, 3) + 0.0:11.3f}" for x in row) for name, row in rows]
        return "\n".join([head, *body])

    __repr__ = __str__


class ForceLog(Mapping[str, Array]):
    """The wrench of every force term over time: `forces["thrusters"]` is (n, 6), X Y Z K M N in body axes."""

    def __init__(self, time_s: Array, wrenches: Mapping[str, Array]) -> None:
        self._time_s = time_s
        self._wrenches = dict(wrenches)

    def __getitem__(self, term: str) -> Array:
        return self._wrenches[_known(term, self._wrenches, "force term")]

    def __iter__(self) -> Iterator[str]:
        return iter(self._wrenches)

    def __len__(self) -> int:
        return len(self._wrenches)

    def __repr__(self) -> str:
        return f"ForceLog of {len(self._time_s)} samples: {', '.join(self.terms) or 'no terms'}"

    @property
    def terms(self) -> tuple[str, ...]:
        """Names of the force terms, in the order of the equation of motion."""
        return tuple(self._wrenches)

    def total(self) -> Array:
        """Sum over the terms, (n, 6)."""
        return np.sum(list(self._wrenches.values()), axis=0) if self._wrenches else np.zeros((len(self._time_s), 6))

    def mean(self, start_s: float = -np.inf, end_s: float = np.inf) -> ForceTable:
        """Mean wrench of each term between two times, both included."""
        inside = (self._time_s >= start_s) & (self._time_s <= end_s)
        if not inside.any():
            raise LogError(f"forces.mean({start_s:g}, {end_s:g}): the log has no sample in this interval")
        return ForceTable({term: wrench[inside].mean(axis=0) for term, wrench in self._wrenches.items()})


class Log:
    """Columns over time. `log["depth_m"]` is an array; `log["thrusters_X_N"]` one force; `log.meta` the settings."""

    def __init__(
        self,
        columns: Mapping[str, Array],
        meta: Mapping[str, Any] | None = None,
        forces: Mapping[str, Array] | None = None,
        *,
        complete: bool = True,
    ) -> None:
        self.columns: dict[str, Array] = {name: np.asarray(value, np.float64) for name, value in columns.items()}
        self.meta: dict[str, Any] = dict(meta or {})
        self.complete = complete  # False: of a run, or from a file, that was cut short
        if "time_s" not in self.columns:
            raise LogError("a log needs the column time_s")
        wrenches = {term: np.asarray(value, np.float64) for term, value in (forces or {}).items()}
        n = len(self.columns["time_s"])
        for name, column in self.columns.items():
            if column.shape != (n,):
                raise LogError(f"column {name} has shape {column.shape}, expected ({n},) like time_s")
        for term, wrench in wrenches.items():
            if wrench.shape != (n, 6):
                raise LogError(f"forces of {term} have shape {wrench.shape}, expected ({n}, 6)")
        self.forces = ForceLog(self.columns["time_s"], wrenches)

    @property
    def time_s(self) -> Array:
        """Time of each sample since the start, s."""
        return self.columns["time_s"]

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that `log[name]` accepts, forces included; the header of the CSV file."""
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
        return self.columns[_known(name, self.names, "column")]

    def __repr__(self) -> str:
        span = f"{self.time_s[0]:g} to {self.time_s[-1]:g} s" if len(self) else "empty"
        vehicle = self.meta.get("vehicle", "unnamed vehicle")
        return f"Log of {vehicle}: {len(self)} samples, {span}, {len(self.names)} columns"

    def between(self, start_s: float = -np.inf, end_s: float = np.inf) -> Log:
        """The samples between two times, both included."""
        inside = (self.time_s >= start_s) & (self.time_s <= end_s)
        columns = {name: column[inside] for name, column in self.columns.items()}
        return Log(columns, self.meta, {t: w[inside] for t, w in self.forces.items()}, complete=self.complete)

    def table(self) -> Array:
        """All columns side by side, (n, len(names)), in the order of `names`."""
        parts = [np.column_stack(list(self.columns.values())), *self.forces.values()]
        return np.hstack(parts)

    def plot(self, *columns: str, path: str | os.PathLike[str] | None = None) -> Any:
        """Draw columns against time, one panel a column; without names, the whole mission on one page.

        With a path the figure is written there. Without, it opens a window, or says that it cannot. Returns the figure.
        """
        from pelagos.analysis import plots

        return plots.plot_columns(self, columns, path) if columns else plots.plot_mission(self, path)

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write the log as text, every digit kept."""
        with open_csv(path) as file:
            write_header(file, self.columns, self.forces.terms, self.meta)
            write_rows(file, self.table())
            if self.complete:
                write_end(file)

    @classmethod
    def from_csv(cls, path: str | os.PathLike[str]) -> Log:
        """Read a log back. A last line that was cut short is left out and `complete` is then False."""
        try:
            text = Path(path).read_text(encoding="utf-8")
        except FileNotFoundError:
            raise LogError(f"{path}: there is no such file") from None
        except (OSError, UnicodeDecodeError) as problem:
            raise LogError(f"{path}: cannot be read as a log ({problem})") from None
        return _parse(text, str(path))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the log as a NumPy .npz file: smaller and quicker than CSV, same content."""
        content = {
            "names": np.array(list(self.columns)),
            "terms": np.array(self.forces.terms, dtype=np.str_),
            "table": self.table(),
            "meta": np.array(_dumps(self.meta)),
            "complete": np.array(self.complete),
        }
        try:
            with open(_path(path), "wb") as file:
                np.savez_compressed(file, allow_pickle=False, **content)
        except OSError as problem:
            raise LogError(f"{path}: the log cannot be written ({problem.strerror})") from None

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Log:
        """Read a log written by `save`."""
        try:
            with open(_path(path), "rb") as raw, np.load(raw, allow_pickle=False) as file:
                names, terms = [str(n) for n in file["names"]], [str(t) for t in file["terms"]]
                meta = json.loads(str(file["meta"]))
                return from_table(names, terms, file["table"], meta, complete=bool(file["complete"]))
        except FileNotFoundError:
            raise LogError(f"{path}: there is no such file") from None
        except (OSError, EOFError, KeyError, ValueError, TypeError, AttributeError, zipfile.BadZipFile) as problem:
            raise LogError(f"{path}: is not a log written by Log.save ({problem})") from None


def column_names(columns: Mapping[str, Any] | Sequence[str], terms: Sequence[str]) -> tuple[str, ...]:
    """Names of the columns followed by the six of each force term."""
    return (*columns, *(f"{term}_{unit}" for term in terms for unit in WRENCH))


def from_table(
    names: Sequence[str], terms: Sequence[str], table: Array, meta: Mapping[str, Any], *, complete: bool = True
) -> Log:
    """A log from one wide table whose columns are `column_names(names, terms)`."""
    columns = {name: np.ascontiguousarray(table[:, k]) for k, name in enumerate(names)}
    first = len(names)
    forces = {t: np.ascontiguousarray(table[:, first + 6 * k : first + 6 * k + 6]) for k, t in enumerate(terms)}
    return Log(columns, meta, forces, complete=complete)


def open_csv(path: str | os.PathLike[str]) -> TextIO:
    """Open a log for writing; line ends are the same on every system, so that equal runs are equal bytes."""
    try:
        return open(_path(path), "w", encoding="utf-8", newline="\n")
    except OSError as problem:
        raise LogError(f"{path}: the log cannot be written ({problem.strerror})") from None


def _path(given: object) -> str:
    if isinstance(given, str | os.PathLike):
        return os.fspath(cast("str | os.PathLike[str]", given))
    raise LogError(f"the file of the log is {given!r}; expected its name")  # open(3) would write to an open file


def write_header(
    file: TextIO, columns: Mapping[str, Any] | Sequence[str], terms: Sequence[str], meta: Mapping[str, Any]
) -> None:
    """Meta data and the line of names."""
    names = column_names(columns, terms)
    for name in names:
        if "," in name or "\n" in name or name.startswith("#"):
            raise LogError(f"column {name!r}: a name in a log may not hold a comma, a line end or a leading #")
    file.write(TITLE + "\n")
    for key, value in meta.items():
        file.write(f"# {key}: {_dumps(value)}\n")
    file.write(",".join(names) + "\n")


def write_rows(file: TextIO, table: Array) -> None:
    """One line a sample. `repr` gives the shortest text that reads back to the same float."""
    for row in table.tolist():
        file.write(",".join(map(repr, row)) + "\n")


def write_end(file: TextIO) -> None:
    """The line that says the run was not cut short."""
    file.write(END + "\n")


def _parse(text: str, path: str) -> Log:
    whole, _, rest = text.rpartition("\n")  # rest: a line the writer did not finish
    meta: dict[str, Any] = {}
    names: list[str] = []
    rows: list[str] = []
    complete = False
    for number, line in enumerate(whole.split("\n"), start=1):
        if line == END:
            complete = True
        elif line.startswith("#"):
            key, colon, value = line[1:].strip().partition(": ")
            if colon:
                try:
                    meta[key] = json.loads(value)
                except json.JSONDecodeError:
                    raise LogError(f"{path}: line {number}: the value of {key!r} is not JSON") from None
        elif not names:
            names = line.split(",")
        elif line.count(",") + 1 == len(names):
            rows.append(line)
        elif line:
            raise LogError(f"{path}: line {number} has {line.count(',') + 1} values, expected {len(names)}")
    if "time_s" not in names:
        raise LogError(f"{path}: is not a log, no line of column names with time_s was found")
    try:
        table = np.loadtxt(io.StringIO("\n".join(rows)), delimiter=",", ndmin=2) if rows else np.empty((0, len(names)))
    except ValueError as problem:
        raise LogError(f"{path}: a value is not a number ({problem})") from None
    plain, terms = _split(names)
    return from_table(plain, terms, table, meta, complete=complete and not rest)


def _split(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Take the trailing groups of six force columns off the header."""
    plain = list(names)
    terms: list[str] = []
    while len(plain) >= 6:
        term = plain[-6].removesuffix("_X_N")
        if tuple(plain[-6:]) != column_names((), (term,)):
            break
        terms.insert(0, term)
        del plain[-6:]
    return plain, terms


def _dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=_plain)


def _plain(value: object) -> object:
    """JSON for what NumPy and pathlib bring in."""
    if isinstance(value, np.ndarray | np.generic):
        return cast(object, value.tolist())
    if isinstance(value, Path):
        return str(value)
    raise LogError(f"meta data of a log must be plain values, got {type(value).__name__}")


def _known(name: str, names: Mapping[str, Any] | Sequence[str], what: str) -> str:
    if name in names:
        return name
    near = nearest(name, list(names))
    hint = f"; did you mean {near!r}?" if near else f"; the log has {', '.join(list(names)[:12])}"
    raise ColumnError(f"the log has no {what} {name!r}{hint}")
