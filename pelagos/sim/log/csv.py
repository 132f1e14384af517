"""Logs as CSV files with a JSON sidecar.

A CSV log has `#` lines with the metadata as JSON, one line of column names, one line per sample and a last line
`# complete: {...}`. Floats are written with `repr`, the shortest text that reads back to the same float, so that equal
runs give equal bytes. An event is a line `# event: {...}` after the samples that precede it. A file cut short by a
crash, a full disk or Ctrl-C lacks the last line and can be read as far as it goes.

A seal, `#seal {...}`, follows the head, every 256 samples and the last sample. It holds the number of samples so far
and a digest of the bytes since the last seal; the last line holds the number of samples written. Readers thereby find
damage and missing samples, and can still read undamaged blocks. The position of a seal depends on the number of samples
and not on the clock, so that equal runs still give equal bytes.

The sidecar of `dive.csv` is `dive.json`: metadata and events for programs that do not read `#` lines. The writer
creates it at the start of the run with `complete: false` and replaces it in one step at the end. The CSV file holds the
same metadata and events, so that a log can be read without its sidecar.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import math
import os
import platform
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

import pelagos
from pelagos.messages import Event
from pelagos.sim.log.file import (
    BlockFile,
    Content,
    cannot_read,
    checked_path,
    damaged,
    dumps,
    events_of,
    json_of,
    new_digest,
    plain_event,
    read_event,
    readable,
    replaced,
    unit_of,
)
from pelagos.sim.log.forces import LogError, column_names, split_names

FORMAT = "pelagos log 1"  # of the sidecar
TITLE = "# pelagos log 1"
OLD_END = "# complete: true"  # last line of logs without seals
CHUNK = 4096  # most samples converted to text at once, which bounds the memory
BLOCK = 256  # samples between two seals
SEALED = "#seal "  # without the space after "#" that metadata lines have
SEAL = re.compile(rb"^#seal (.*)\n", re.MULTILINE)
END = re.compile(rb"^# complete: (\{.*\})\n", re.MULTILINE)
EVENT = "event"  # the only key that can occur several times


def versions() -> dict[str, str]:
    """Versions of the programs that compute a run, for its metadata."""
    programs = {"pelagos": pelagos.__version__, "python": platform.python_version()}
    return programs | {name: str(importlib.import_module(name).__version__) for name in ("numpy", "numba")}


class CsvWriter:
    """Writes a CSV log and its sidecar while a run goes on.

    Args:
        path: the file to create.
        columns: names of the plain columns.
        terms: names of the force terms to write.
        meta: settings of the run.
        sidecar: False to write no sidecar.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        columns: Sequence[str],
        terms: Sequence[str],
        meta: Mapping[str, Any],
        *,
        sidecar: bool = True,
    ) -> None:
        path = checked_path(path)
        head = _head(columns, terms, meta)
        self._settings = (tuple(columns), tuple(terms), dict(meta))
        self._sidecar_path = sidecar_path(path) if sidecar and _has_sidecar(path) else None
        if self._sidecar_path:
            check_sidecar_free(self._sidecar_path)
        self._file = BlockFile(path)
        self._events: list[Event] = []
        self._time = list(columns).index("time_s")
        self._end_s: float | None = None
        try:
            self._file.put(head)
            self._seal()
            self._describe(complete=False, ended=False)
        except LogError:
            self._file.close()
            raise

    @property
    def rows(self) -> int:
        """Number of samples in the file."""
        return self._file.rows

    def write(self, table: NDArray[np.float64]) -> None:
        """Append samples, (k, columns)."""
        while len(table):
            # Sealed before the next samples and not after the last: an event may still belong to this block.
            if self._file.unsealed >= BLOCK:
                self._seal()
            room = min(CHUNK, BLOCK - self._file.unsealed)
            rows, table = table[:room], table[room:]
            self._file.put(rows_text(rows).encode(), len(rows))
            self._end_s = float(rows[-1, self._time])

    def event(self, event: Event) -> None:
        """Append an event."""
        self._file.put(f"# {EVENT}: {dumps(plain_event(event))}\n".encode())
        self._events.append(event)

    def close(self, *, complete: bool) -> None:
        """Finish the file; complete=False omits the last line."""
        try:
            if complete:
                self._seal()
                self._file.put(f"# complete: {dumps({'samples': self.rows})}\n".encode())
            self._describe(complete=complete, ended=True)
        finally:
            self._file.close()

    def _seal(self) -> None:
        counts = {"samples": self.rows, "digest": self._file.digest}
        self._file.put(f"{SEALED}{dumps(counts)}\n".encode(), seal=True)

    def _describe(self, *, complete: bool, ended: bool) -> None:
        if self._sidecar_path:
            state = {"samples": self.rows, "end_s": self._end_s} if ended else {}
            sidecar = sidecar_content(self._file.path, *self._settings, events=self._events, complete=complete, **state)
            write_sidecar(self._sidecar_path, sidecar)


def write_csv(path: str | os.PathLike[str], content: Content, *, sidecar: bool = True) -> None:
    """Write a whole log; each event follows the last sample before or at its time."""
    writer = CsvWriter(path, content.columns, content.terms, content.meta, sidecar=sidecar)
    time_s = content.table[:, list(content.names).index("time_s")]
    try:
        done = 0
        for event in sorted(content.events, key=lambda event: event.time_s):
            until = int(np.searchsorted(time_s, event.time_s, side="right"))
            writer.write(content.table[done:until])
            writer.event(event)
            done = max(done, until)
        writer.write(content.table[done:])
    except BaseException:
        with contextlib.suppress(LogError):  # the first error is the one to report
            writer.close(complete=False)
        raise
    writer.close(complete=content.complete)


def rows_text(table: NDArray[np.float64]) -> str:
    """Samples as text, one line each."""
    return "".join([",".join(map(repr, row)) + "\n" for row in table.tolist()])


def read_csv(path: str | os.PathLike[str], *, salvage: bool = False) -> Content:
    """Read a CSV log, complete or cut short; a sidecar adds metadata that the file lacks.

    A damaged file is an error; with `salvage` the undamaged blocks are read and `meta["damage"]` lists the rest.
    """
    try:
        raw = readable(path).read_bytes()
    except OSError as problem:
        raise cannot_read(path, problem) from None
    sidecar = _sidecar_of(Path(path))
    whole = whole_blocks(raw)
    if whole.damage and not salvage:
        raise damaged(path, whole.damage)
    if whole.headless:
        head = _head_from_sidecar(sidecar)
        if head is None:
            raise LogError("its header is damaged, and there is no sidecar with the names of its columns", file=path)
        whole.pieces.insert(0, head)
    try:
        pieces = b"".join(whole.pieces) if whole.damage else raw
        text = pieces.decode("utf-8", "replace" if salvage else "strict")
    except UnicodeDecodeError as problem:
        raise cannot_read(path, problem) from None
    content = _parse(text, str(path), whole.damage if salvage else None)
    all_there = len(content.table) == whole.samples if whole.samples is not None else content.complete
    if sidecar.get("complete") is True and sidecar.get("samples") != len(content.table):
        all_there = False  # a log without seals: only its sidecar holds the number of samples
    extra = sidecar.get("meta")
    known = content.meta | ({"damage": whole.damage} if whole.damage else {})
    more = {key: value for key, value in extra.items() if key not in known} if isinstance(extra, dict) else {}
    events = content.events or events_of(sidecar.get("events"))
    return replace(content, meta=known | more, events=events, complete=all_there and not whole.damage)


def _sidecar_of(path: Path) -> dict[str, Any]:
    """Content of the sidecar of a log; empty if it is missing, damaged or belongs to another log."""
    beside = sidecar_path(path)
    if beside == path or not beside.is_file():
        return {}
    try:
        sidecar = read_sidecar(beside)
    except LogError:
        return {}
    return sidecar if sidecar.get("format") == FORMAT and sidecar.get("log") == path.name else {}


def _head_from_sidecar(sidecar: Mapping[str, Any]) -> bytes | None:
    """The line of column names, restored from the sidecar."""
    names = [*sidecar.get("columns", ()), *sidecar.get("force_columns", ())]
    return (",".join(names) + "\n").encode() if "time_s" in names else None


@dataclass
class WholeBlocks:
    """The undamaged blocks of a log."""

    pieces: list[bytes] = field(default_factory=list[bytes])
    damage: list[str] = field(default_factory=list[str])  # a sentence for each damaged or missing part
    headless: bool = False  # the head is damaged
    samples: int | None = None  # samples written, from the last line; None without one


def whole_blocks(raw: bytes) -> WholeBlocks:
    """Compare every block with its seal; a log without seals, and the rest after the last seal, count as one block."""
    result, start, line, before = WholeBlocks(), 0, 1, 0  # before: samples up to the last seal
    for seal in SEAL.finditer(raw):
        block = raw[start : seal.start()]
        last = line + block.count(b"\n")
        samples, digest = _sealed(seal[1])
        lines = block.split(b"\n")[:-1]
        rows = sum(not row.startswith(b"#") for row in lines) - (start == 0)  # the head also has the line of names
        if digest != new_digest(block).hexdigest():
            result.damage.append(f"lines {line} to {last} are not as they were written")
            result.headless |= start == 0
            before = max(samples, before)
        else:
            if samples != before + rows:
                result.damage.append(f"samples are missing before line {line}")
            result.pieces.append(block)
            before = samples
        start, line = seal.end(), last + 1
    tail = raw[start:]
    end = END.search(tail)
    if end is None:
        result.pieces.append(tail)
        return result
    result.samples, _ = _sealed(end[1])
    if start == 0 or end.start() > 0 or end.end() < len(tail):
        result.damage.append(f"what stands from line {line} on has no seal")
    elif result.samples != before:
        result.damage.append(f"{result.samples} samples were written and {before} are there")
    return result


def _sealed(text: bytes) -> tuple[int, str]:
    """Samples and digest of a seal; -1 and "" if the seal itself is damaged."""
    try:
        known = json.loads(text)
        return int(known["samples"]), str(known.get("digest", ""))
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        return -1, ""


def _has_sidecar(path: str | os.PathLike[str]) -> bool:
    """Whether a log gets a sidecar: a regular file does, a device or a pipe does not."""
    here = Path(path)
    return not here.exists() or here.is_file()


def _head(columns: Sequence[str], terms: Sequence[str], meta: Mapping[str, Any]) -> bytes:
    """Metadata and the line of column names."""
    names = column_names(columns, terms)
    for name in names:
        if "," in name or "\n" in name or name.startswith("#"):
            raise LogError(key="the name of a column", value=name, expected="no comma, line end or leading #")
    lines = [TITLE, *(f"# {key}: {dumps(value)}" for key, value in meta.items()), ",".join(names)]
    return ("\n".join(lines) + "\n").encode()


def _parse(text: str, path: str, damage: list[str] | None = None) -> Content:
    """Parse a log; with a list `damage`, invalid lines are described there and skipped instead of raising an error."""
    whole, _, rest = text.rpartition("\n")  # rest: a line that the writer did not finish
    meta: dict[str, Any] = {}
    events: list[Event] = []
    names: list[str] = []
    rows: list[str] = []
    complete = False
    for number, line in enumerate(whole.split("\n"), start=1):
        if line == OLD_END:
            complete = True
        elif line.startswith(SEALED) or (names and line.startswith("# complete: ")):
            pass
        elif line.startswith("#"):
            key, colon, value = line[1:].strip().partition(": ")
            if colon:
                try:
                    read = json_of(value)
                except ValueError:
                    if damage is not None:
                        damage.append(f"the value of {key!r} is not JSON")
                        continue
                    where = f"line {number}: {key}"
                    raise LogError(file=path, key=where, value=value, expected="JSON") from None
                if key == EVENT and names:
                    events.append(read_event(read, path))
                else:
                    meta[key] = read
        elif not names:
            names = line.split(",")
        elif line.count(",") + 1 == len(names):
            rows.append(line)
        elif line and damage is not None:
            damage.append(f"a line of {line.count(',') + 1} values in place of {len(names)}")
        elif line:
            where, count = f"line {number}: number of values", line.count(",") + 1
            raise LogError(file=path, key=where, value=count, expected=f"{len(names)}, one for each column")
    if "time_s" not in names:
        raise LogError("is not a log, no line of column names with time_s was found", file=path)
    if damage is not None:
        rows, bad = [row for row in rows if _is_numbers(row)], [row for row in rows if not _is_numbers(row)]
        damage += [f"a line that is not numbers: {row[:40]}" for row in bad]
    try:
        table = np.loadtxt(io.StringIO("\n".join(rows)), delimiter=",", ndmin=2) if rows else np.empty((0, len(names)))
    except (ValueError, OverflowError) as problem:
        raise LogError(f"a value is not a number ({problem})", file=path) from None
    columns, terms = split_names(names)
    return Content(columns=columns, terms=terms, table=table, meta=meta, events=events, complete=complete and not rest)


def _is_numbers(row: str) -> bool:
    try:
        return [float(word) for word in row.split(",")] != []
    except ValueError:
        return False


def sidecar_path(path: str | os.PathLike[str]) -> Path:
    """Path of the sidecar of a log: dive.csv -> dive.json."""
    return Path(checked_path(path)).with_suffix(".json")


def sidecar_content(
    log_path: str | os.PathLike[str],
    columns: Sequence[str],
    terms: Sequence[str],
    meta: Mapping[str, Any],
    *,
    events: Sequence[Event] = (),
    complete: bool = False,
    samples: int | None = None,
    end_s: float | None = None,
) -> dict[str, Any]:
    """Content of a sidecar; `samples` and `end_s`, the time of the last sample, are None until the run ends."""
    return {
        "format": FORMAT,
        "log": Path(log_path).name,
        "complete": complete,
        "samples": samples,
        "end_s": end_s,
        "versions": meta.get("versions", {}),
        "meta": dict(meta),
        "columns": {name: unit_of(name) for name in columns},
        "force_columns": {name: unit_of(name) for name in column_names((), terms)},
        "events": [plain_event(event) for event in events],
    }


def check_sidecar_free(path: Path) -> None:
    """Raise an error if the path holds a JSON file that is not the sidecar of a log."""
    if not path.exists():
        return
    try:
        is_sidecar = read_sidecar(path).get("format") == FORMAT
    except LogError:
        is_sidecar = False
    if not is_sidecar:
        raise LogError("exists and is not the sidecar of a log; choose another name for the log", file=path)


def write_sidecar(path: Path, sidecar: Mapping[str, Any]) -> None:
    """Replace the sidecar in one step, so that a reader finds either the old or the new one, never a part."""
    text = dumps(_finite(json.loads(dumps(sidecar))), indent=1) + "\n"
    with replaced(path) as beside:
        beside.write_text(text, encoding="utf-8", newline="\n")


def read_sidecar(path: Path) -> dict[str, Any]:
    """Read a sidecar; LogError if it is not a JSON object."""
    try:
        sidecar = json_of(readable(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise cannot_read(path, problem) from None
    if not isinstance(sidecar, dict):
        raise LogError("is not the sidecar of a log", file=path, expected="a JSON object")
    return cast("dict[str, Any]", sidecar)


def _finite(value: Any) -> Any:
    """The value with NaN and infinity, which JSON lacks, as the texts "nan" and "inf"."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [_finite(item) for item in cast("list[Any]", value)]
    return value
