"""Parts common to all log formats: the content of a log, JSON conversion, error messages, and a crash-safe file.

`BlockFile` grows by whole blocks, so that it can be read at any moment and a failed write leaves no partial line. It
has no buffer: each block goes to the operating system in one call, and `kill -9` loses nothing that was written. A
block is written at a known offset and counted afterwards; a Ctrl-C in between makes the next call write to the same
offset again. When the disk is full, the file is truncated to its last whole line (or block). The file is locked while
it is open, so that two runs cannot write the same log.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import is_number
from pelagos.errors import foreign_text
from pelagos.files.lock import open_locked
from pelagos.files.source import why_not
from pelagos.messages import Event
from pelagos.sim.log.forces import LogError, column_names
from pelagos.units import split_key

LONGEST_S = 1e10  # largest time in a log, three centuries; catches damaged numbers


@dataclass(frozen=True, kw_only=True, eq=False)
class Content:
    """The content of a log: one table with the columns `column_names(columns, terms)`, metadata and events."""

    columns: Sequence[str]
    terms: Sequence[str]
    table: NDArray[np.float64]
    meta: dict[str, Any]
    events: list[Event] = field(default_factory=list[Event])
    complete: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the table's columns."""
        return column_names(self.columns, self.terms)


def checked(content: Content, path: str | os.PathLike[str]) -> Content:
    """The content itself if it is consistent, otherwise a LogError that names the file."""
    names, table = content.names, content.table
    if "time_s" not in content.columns:
        raise LogError("is not a log, it has no column time_s", file=path)
    if len(set(names)) != len(names):
        twice = next(n for n in names if names.count(n) > 1)
        raise LogError("has two columns of the name", value=twice, file=path)
    if not isinstance(table, np.ndarray):  # NumPy returns a member of an archive that is not an array as bytes
        raise LogError("holds no table of numbers", file=path)
    if table.dtype != np.float64:
        raise LogError(file=path, key="type of the numbers", value=str(table.dtype), expected="float64")
    if table.ndim != 2 or table.shape[1] != len(names):
        expected = f"{len(names)} columns of numbers"
        raise LogError(file=path, key="shape of the table", value=table.shape, expected=expected)
    time_s = table[:, content.columns.index("time_s")]
    if not (np.abs(time_s) <= LONGEST_S).all():
        row = int(np.argmin(np.abs(time_s) <= LONGEST_S))
        key, expected = f"sample {row + 1}: time_s", f"at most {LONGEST_S:g} s"
        raise LogError(file=path, key=key, value=float(time_s[row]), expected=expected)
    if not isinstance(content.meta, dict):
        raise LogError(file=path, key="metadata", value=content.meta, expected="names and values")
    return content


def json_of(text: str | bytes) -> Any:
    """The value of a JSON text; ValueError if it is invalid or nested too deeply for Python."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("has lists or tables in each other too deep to be read") from None


def checked_path(path: object) -> str:
    """The path of a file as text; LogError for anything else, since `open` takes a number for an open file."""
    if isinstance(path, str | os.PathLike):
        return os.fspath(cast("str | os.PathLike[str]", path))
    raise LogError(key="the file of the log", value=path, expected="its name")


def readable(path: str | os.PathLike[str]) -> Path:
    """The path of an existing regular file; LogError for a missing file, a folder, a pipe or a device."""
    here = Path(checked_path(path))
    why = why_not(here)
    if why:
        raise LogError(**why, file=path)
    return here


def cannot_write(path: str | os.PathLike[str], problem: OSError) -> LogError:
    """The error for a file that cannot be written."""
    return LogError(f"the log cannot be written ({foreign_text(problem)})", file=path)


def damaged(path: str | os.PathLike[str], damage: Sequence[str]) -> LogError:
    """The error for a damaged file."""
    more = f" and {len(damage) - 1} more" if len(damage) > 1 else ""
    return LogError(f"is damaged ({damage[0]}{more}); load_log(..., salvage=True) reads what is whole", file=path)


def cannot_read(path: str | os.PathLike[str], problem: Exception) -> LogError:
    """The error for a file that cannot be read."""
    if isinstance(problem, FileNotFoundError):
        return LogError("no such file", file=path)
    reason = foreign_text(problem)
    return LogError(f"cannot be read as a log ({reason})", file=path)


@contextlib.contextmanager
def replaced(path: Path) -> Iterator[Path]:
    """A temporary file to write, which then takes the name: the name never refers to a partial file."""
    beside = Path(f"{path}.new")
    try:
        yield beside
        os.replace(beside, path)
    except OSError as problem:
        raise cannot_write(path, problem) from None
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)


def dumps(value: Any, indent: int | None = None) -> str:
    """JSON text of a value; NumPy values and paths become plain values."""
    return json.dumps(value, ensure_ascii=False, default=_plain, indent=indent)


def _plain(value: object) -> object:
    if isinstance(value, np.ndarray | np.generic):
        return cast(object, value.tolist())
    if isinstance(value, Path):
        return str(value)
    raise LogError(key="a value of the metadata", value=value, expected="numbers, text, lists and tables")


def plain_event(event: Event) -> dict[str, Any]:
    """An event as a JSON object; without the vehicle if it has none."""
    return {key: value for key, value in asdict(event).items() if key != "vehicle" or value}


def read_event(value: object, path: str | os.PathLike[str] = "") -> Event:
    """The event of a JSON object; LogError if the object is not an event."""
    if isinstance(value, dict):
        known = cast("dict[str, object]", value)
        time_s, kind, text = known.get("time_s"), known.get("kind"), known.get("text")
        if (
            is_number(time_s)
            and abs(cast(float, time_s)) <= LONGEST_S
            and isinstance(kind, str)
            and isinstance(text, str)
        ):
            return Event(float(cast(float, time_s)), kind, text, str(known.get("vehicle", "")))
    expected = f"time_s, kind and text, a time of at most {LONGEST_S:g} s"
    raise LogError(file=path, key="event", value=value, expected=expected)


def events_of(values: object) -> list[Event]:
    """The events of a JSON list."""
    return [read_event(value) for value in cast("Iterable[object]", values)] if isinstance(values, list) else []


def unit_of(name: str) -> str:
    """The unit in a column's name: "m/s" for `surge_m_s`, "" for a dimensionless column."""
    unit = split_key(name)[1]
    return unit.text if unit else ""


def new_digest(data: bytes = b"") -> Any:
    """A digest that detects damage; more data can be added by `update`."""
    return hashlib.blake2b(data, digest_size=8)


@dataclass(frozen=True)
class BlockState:
    """The whole part of a file: bytes, samples, samples since the last seal, and a digest of the bytes since then."""

    size: int = 0
    rows: int = 0
    unsealed: int = 0
    digest: Any = field(default_factory=new_digest)

    def after(self, block: bytes, rows: int) -> BlockState:
        """The state after another block."""
        digest = self.digest.copy()
        digest.update(block)
        return BlockState(self.size + len(block), self.rows + rows, self.unsealed + rows, digest)


class BlockFile:
    """A file that grows by whole blocks.

    Args:
        path: the file to create.
        line_end: end of a line; if a write fails, the whole lines of its block stay. b"": none of the block stays.
    """

    def __init__(self, path: str | os.PathLike[str], line_end: bytes = b"\n") -> None:
        self.path = checked_path(path)
        self._line_end = line_end
        try:
            self._file = _opened(self.path)
        except OSError as problem:
            raise cannot_write(path, problem) from None
        self._seekable = self._file.seekable()  # a pipe is not
        self._done = BlockState()  # one object, so that its parts change together: a Ctrl-C cannot separate them

    @property
    def rows(self) -> int:
        """Number of samples in the file."""
        return self._done.rows

    @property
    def unsealed(self) -> int:
        """Number of samples after the last seal."""
        return self._done.unsealed

    @property
    def digest(self) -> str:
        """Digest of the bytes after the last seal."""
        return self._done.digest.hexdigest()

    def put(self, block: bytes, rows: int = 0, *, seal: bool = False) -> None:
        """Append a block of `rows` samples; a `seal` holds the digest of the blocks before it and starts a new one."""
        done, sent = self._done, 0
        try:
            if self._seekable:
                self._file.seek(done.size)
            while sent < len(block):
                sent += self._file.write(memoryview(block)[sent:])
        except OSError as problem:
            kept = block[:sent].rfind(self._line_end) + 1 if self._line_end else 0
            whole = block[:kept].count(self._line_end) if rows and kept else 0  # a sample is a line
            self._cut(done.after(block[:kept], whole))
            reason = foreign_text(problem)
            raise LogError(
                f"the log cannot be written any further ({reason}); what was written can be read", file=self.path
            ) from None
        after = done.after(block, rows)
        self._done = BlockState(after.size, after.rows) if seal else after

    def _cut(self, done: BlockState) -> None:
        with contextlib.suppress(OSError):  # a device has no length
            self._file.truncate(done.size)
        self._done = done

    def settle(self) -> None:
        """Truncate the bytes of an interrupted block."""
        if self._seekable:
            self._cut(self._done)

    def close(self) -> None:
        """Close the file; release its lock."""
        if not self._file.closed:
            self.settle()
            self._file.close()


def _opened(path: str) -> io.FileIO:
    """An empty, locked file; a device or a pipe is opened without a lock."""
    if os.path.exists(path) and not os.path.isfile(path):
        return io.FileIO(path, "w")
    descriptor = open_locked(path)
    if descriptor is None:
        raise LogError("another run is writing this log", file=path, expected="another name")
    file = io.FileIO(descriptor, "w")
    file.truncate(0)
    return file
