"""A log as text: `#` lines with the meta data as JSON, one line of names, one line a sample, `# complete: {...}`.

Every digit of a float is kept (`repr` gives the shortest text that reads back to the same float), so equal runs
are equal bytes. An event is a line `# event: {...}` after the samples that were there when it happened. A file cut
short by a crash, a full disk or Ctrl-C lacks the last line and reads as far as it goes.

Behind the head, behind every 256 samples and at the end stands a seal, `#seal {...}`: how many samples there are so
far, and a digest of the bytes since the seal before. The last line says how many samples were written. So damage and
missing samples are found, and a block that is whole can be read although others are not. The place of a seal follows
from the samples and not from the clock: equal runs stay equal bytes.

The JSON file beside a CSV log: how the run was made, for programs that do not read `#` lines.

`dive.csv` gets `dive.json`. It is there from the first moment of the run, with `complete: false`, and is replaced
at once (never half) when the run ends. The CSV holds the same meta data and events; a log whose sidecar is lost
still reads.
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
    cannot_write,
    checked_path,
    damaged,
    dumps,
    events_of,
    json_of,
    new_digest,
    plain_event,
    read_event,
    readable,
    unit_of,
)
from pelagos.sim.log.forces import LogError, column_names, split_names

FORMAT = "pelagos log 1"


def versions() -> dict[str, str]:
    """Of the programs that make the numbers; put them into the meta data of a run."""
    said = {"pelagos": pelagos.__version__, "python": platform.python_version()}
    return said | {name: str(importlib.import_module(name).__version__) for name in ("numpy", "numba")}


def sidecar_path(path: str | os.PathLike[str]) -> Path:
    """Where the sidecar of a log is: dive.csv -> dive.json."""
    return Path(checked_path(path)).with_suffix(".json")


def content(
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
    """What stands in a sidecar. `samples` and `end_s` (time of the last sample) are None until the run is over."""
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


def check_free(path: Path) -> None:
    """Refuse to write over a JSON file that is not the sidecar of a log."""
    if not path.exists():
        return
    try:
        mine = read(path).get("format") == FORMAT
    except LogError:
        mine = False
    if not mine:
        raise LogError("exists and is not the sidecar of a log; choose another name for the log", file=path)


def write(path: Path, said: Mapping[str, Any]) -> None:
    """Replace the sidecar in one move: who reads it meets the old one or the new one, both whole."""
    beside = path.with_name(path.name + ".new")
    try:
        beside.write_text(dumps(_finite(json.loads(dumps(said))), indent=1) + "\n", encoding="utf-8", newline="\n")
        os.replace(beside, path)
    except OSError as problem:
        raise cannot_write(path, problem) from None
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)


def read(path: Path) -> dict[str, Any]:
    """The content of a sidecar; LogError if it is no JSON object."""
    try:
        said = json_of(readable(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise cannot_read(path, problem) from None
    if not isinstance(said, dict):
        raise LogError("is not the sidecar of a log", file=path, expected="a JSON object")
    return cast("dict[str, Any]", said)


def _finite(value: Any) -> Any:
    """JSON has no NaN and no infinity; they are written as the words "nan" and "inf"."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [_finite(item) for item in cast("list[Any]", value)]
    return value


# ---- log csv ---------------------------------------------------------------------------------------------------------


TITLE = "# pelagos log 1"
OLD_END = "# complete: true"  # of logs without seals
CHUNK = 4096  # samples that become text at once
BLOCK = 256  # samples between two seals
SEALED = "#seal "  # no line of the meta data begins like it
SEAL = re.compile(rb"^#seal (.*)\n", re.MULTILINE)
END = re.compile(rb"^# complete: (\{.*\})\n", re.MULTILINE)
EVENT = "event"  # the one key that may come many times


class CsvWriter:
    """A CSV log that grows with the run, and its sidecar.

    Args:
        path: the file to make.
        columns: names of the plain columns.
        terms: names of the force terms that are written.
        meta: settings of the run.
        sidecar: False to leave the JSON file beside it alone.
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
        self._said = (tuple(columns), tuple(terms), dict(meta))
        self._beside = sidecar_path(path) if sidecar and _has_sidecar(path) else None
        if self._beside:
            check_free(self._beside)
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
        """How many samples are in the file."""
        return self._file.rows

    def write(self, table: NDArray[np.float64]) -> None:
        """Add samples, (k, columns)."""
        while len(table):
            if self._file.unsealed >= BLOCK:  # here and not behind the samples: an event may still belong to them
                self._seal()
            room = min(CHUNK, BLOCK - self._file.unsealed)
            rows, table = table[:room], table[room:]
            self._file.put(rows_text(rows).encode(), len(rows))
            self._end_s = float(rows[-1, self._time])

    def event(self, event: Event) -> None:
        """Add an event at once."""
        self._file.put(f"# {EVENT}: {dumps(plain_event(event))}\n".encode())
        self._events.append(event)

    def close(self, *, complete: bool) -> None:
        """Finish the file; complete=False leaves out the last line."""
        try:
            if complete:
                self._seal()
                self._file.put(f"# complete: {dumps({'samples': self.rows})}\n".encode())
            self._describe(complete=complete, ended=True)
        finally:
            self._file.close()

    def _seal(self) -> None:
        said = {"samples": self.rows, "digest": self._file.digest}
        self._file.put(f"{SEALED}{dumps(said)}\n".encode(), seal=True)

    def _describe(self, *, complete: bool, ended: bool) -> None:
        if self._beside:
            state = {"samples": self.rows, "end_s": self._end_s} if ended else {}
            said = content(self._file.path, *self._said, events=self._events, complete=complete, **state)
            write(self._beside, said)


def write_csv(path: str | os.PathLike[str], content: Content, *, sidecar: bool = True) -> None:
    """A whole log at once. The events stand behind the last sample before or at their time."""
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
        with contextlib.suppress(LogError):  # the first failure is the one to tell
            writer.close(complete=False)
        raise
    writer.close(complete=content.complete)


def rows_text(table: NDArray[np.float64]) -> str:
    """One line a sample."""
    return "".join([",".join(map(repr, row)) + "\n" for row in table.tolist()])


def read_csv(path: str | os.PathLike[str], *, salvage: bool = False) -> Content:
    """The log of a CSV file, whole or cut short; a sidecar adds what the file does not say.

    A file that is not as it was written is refused; with `salvage` what is whole of it is read, and
    `meta["damage"]` says what is not.
    """
    try:
        raw = readable(path).read_bytes()
    except OSError as problem:
        raise cannot_read(path, problem) from None
    said = _sidecar_of(Path(path))
    whole = whole_blocks(raw)
    if whole.damage and not salvage:
        raise damaged(path, whole.damage)
    if whole.headless:
        head = _head_again(said)
        if head is None:
            raise LogError("its head is damaged, and no sidecar tells the names of its columns", file=path)
        whole.pieces.insert(0, head)
    try:
        pieces = b"".join(whole.pieces) if whole.damage else raw
        text = pieces.decode("utf-8", "replace" if salvage else "strict")
    except UnicodeDecodeError as problem:
        raise cannot_read(path, problem) from None
    content = _parse(text, str(path), whole.damage if salvage else None)
    all_there = len(content.table) == whole.samples if whole.samples is not None else content.complete
    if said.get("complete") is True and said.get("samples") != len(content.table):
        all_there = False  # a log without seals, of which the sidecar knows more
    extra = said.get("meta")
    known = content.meta | ({"damage": whole.damage} if whole.damage else {})
    more = {key: value for key, value in extra.items() if key not in known} if isinstance(extra, dict) else {}
    events = content.events or events_of(said.get("events"))
    return replace(content, meta=known | more, events=events, complete=all_there and not whole.damage)


def _sidecar_of(path: Path) -> dict[str, Any]:
    """What the sidecar of a log says; nothing if it has none, or one that is damaged: the log reads without it."""
    beside = sidecar_path(path)
    if beside == path or not beside.is_file():
        return {}
    try:
        said = read(beside)
    except LogError:
        return {}
    return said if said.get("format") == FORMAT and said.get("log") == path.name else {}


def _head_again(said: Mapping[str, Any]) -> bytes | None:
    """The line of names by the sidecar."""
    names = [*said.get("columns", ()), *said.get("force_columns", ())]
    return (",".join(names) + "\n").encode() if "time_s" in names else None


@dataclass
class WholeBlocks:
    """What of the bytes of a log is as it was written."""

    pieces: list[bytes] = field(default_factory=list[bytes])
    damage: list[str] = field(default_factory=list[str])  # the rest, in words
    headless: bool = False  # the head is not among the pieces
    samples: int | None = None  # that were written, by the last line; None: it does not say


def whole_blocks(raw: bytes) -> WholeBlocks:
    """Hold every block against its seal. A log without seals is one piece; so is what follows the last seal."""
    found, start, line, before = WholeBlocks(), 0, 1, 0
    for seal in SEAL.finditer(raw):
        block = raw[start : seal.start()]
        last = line + block.count(b"\n")
        samples, digest = _sealed(seal[1])
        rows = sum(not one.startswith(b"#") for one in block.split(b"\n")[:-1]) - (start == 0)  # without the names
        if digest != new_digest(block).hexdigest():
            found.damage.append(f"lines {line} to {last} are not as they were written")
            found.headless |= start == 0
            before = max(samples, before)
        else:
            if samples != before + rows:
                found.damage.append(f"samples are missing before line {line}")
            found.pieces.append(block)
            before = samples
        start, line = seal.end(), last + 1
    tail = raw[start:]
    end = END.search(tail)
    if end is None:
        found.pieces.append(tail)
        return found
    found.samples, _ = _sealed(end[1])
    if start == 0 or end.start() > 0 or end.end() < len(tail):
        found.damage.append(f"what stands from line {line} on has no seal")
    elif found.samples != before:
        found.damage.append(f"{found.samples} samples were written and {before} are there")
    return found


def _sealed(said: bytes) -> tuple[int, str]:
    """Samples and digest of a seal; -1 and none if it is damaged itself."""
    try:
        known = json.loads(said)
        return int(known["samples"]), str(known.get("digest", ""))
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        return -1, ""


def _has_sidecar(path: str | os.PathLike[str]) -> bool:
    """A device or a pipe has no place beside it."""
    here = Path(path)
    return not here.exists() or here.is_file()


def _head(columns: Sequence[str], terms: Sequence[str], meta: Mapping[str, Any]) -> bytes:
    """Meta data and the line of names."""
    names = column_names(columns, terms)
    for name in names:
        if "," in name or "\n" in name or name.startswith("#"):
            raise LogError(f"column {name!r}: a name in a log may not hold a comma, a line end or a leading #")
    lines = [TITLE, *(f"# {key}: {dumps(value)}" for key, value in meta.items()), ",".join(names)]
    return ("\n".join(lines) + "\n").encode()


def _parse(text: str, path: str, damage: list[str] | None = None) -> Content:
    """The content of a text; with a list for `damage` lines that make no sense are told there and left out."""
    whole, _, rest = text.rpartition("\n")  # rest: a line the writer did not finish
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
                    raise LogError(f"line {number}: the value of {key!r} is not JSON", file=path) from None
                if key == EVENT and names:
                    events.append(read_event(read))
                else:
                    meta[key] = read
        elif not names:
            names = line.split(",")
        elif line.count(",") + 1 == len(names):
            rows.append(line)
        elif line and damage is not None:
            damage.append(f"a line of {line.count(',') + 1} values in place of {len(names)}")
        elif line:
            raise LogError(f"line {number} has {line.count(',') + 1} values", file=path, expected=f"{len(names)}")
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
