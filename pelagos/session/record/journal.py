"""What came to a flight, and at which tick: the list from which it can be flown again, in memory and as a file.

The file is JSON, one object a line: first how the flight was made, then every change of the sticks
`{"tick": 7, "input": [...]}` and every order that was followed `{"tick": 9, "order": "hold", "values": {...}}`, with
the number of ticks done before it since the last reset; last `{"tick": 900, "end": true}`, unless it was cut short.
"""

from __future__ import annotations

import json
import os
from array import array
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, cast

from pelagos.errors import ScenarioError
from pelagos.files.source import read_text
from pelagos.session.source import Input
from pelagos.sim.log.file import BlockFile, cannot_write, dumps
from pelagos.sim.log.forces import LogError
from pelagos.sim.log.parquet import UNFINISHED

FORMAT = "pelagos orders 1"
ENDING = ".orders.jsonl"
WIDTH = 1 + len(Input._fields)  # tick and sticks
MOST_LINES = 256  # that wait for the disk
MANY = (
    "contact",
)  # orders that come by the thousand: kept as text, a fourth of the size and no work for the collector


class JournalEntry(NamedTuple):
    """One thing that came: new positions of the sticks, or an order."""

    tick: int
    sticks: Input | None = None
    order: str = ""
    values: Mapping[str, Any] | None = None

    def line(self) -> str:
        """As it stands in the file."""
        if self.sticks is not None:
            return dumps({"tick": self.tick, "input": list(self.sticks)}) + "\n"
        return dumps({"tick": self.tick, "order": self.order, "values": dict(self.values or {})}) + "\n"


class Journal:
    """All that came since the last reset; once opened, what comes goes to the file as well.

    A disk that takes no more ends the file, not the flight: `input` and `order` go on, and `flush` says so once.
    """

    def __init__(self) -> None:
        self._inputs = array("d")  # flat: an hour of moving sticks is some ten megabytes
        self._orders: list[
            tuple[int, JournalEntry | str]
        ] = []  # how many inputs came before it, and the order or its line
        self._file: BlockFile | None = None
        self._waiting: list[str] = []  # lines
        self._problem: LogError | None = None

    def __len__(self) -> int:
        return len(self._inputs) // WIDTH + len(self._orders)

    def __iter__(self) -> Iterator[JournalEntry]:
        done = 0
        for before, kept in self._orders:
            yield from self._sticks(done, before)
            done = before
            yield _entry(json.loads(kept)) if isinstance(kept, str) else kept
        yield from self._sticks(done, len(self._inputs) // WIDTH)

    def _sticks(self, first: int, last: int) -> Iterator[JournalEntry]:
        for k in range(first, last):
            tick, *sticks = self._inputs[WIDTH * k : WIDTH * (k + 1)]
            yield JournalEntry(int(tick), Input(*sticks))

    def input(self, tick: int, sticks: Input) -> None:
        """Sticks have moved."""
        self._inputs.append(tick)
        self._inputs.extend(sticks)
        self._write(JournalEntry(tick, sticks))

    def order(self, tick: int, name: str, values: Mapping[str, Any]) -> None:
        """An order was followed."""
        entry = JournalEntry(tick, None, name, dict(values))
        self._orders.append((len(self._inputs) // WIDTH, entry.line() if name in MANY else entry))
        self._write(entry)
        self._put()

    def open(self, path: Path, head: Mapping[str, Any]) -> None:
        """Write all that came so far, and go on. LogError if the file cannot be made, or is there already."""
        try:
            open(path, "x").close()
        except OSError as problem:
            raise cannot_write(path, problem) from None
        self._file, self._problem = BlockFile(path), None
        self._waiting = [dumps({"format": FORMAT, **head, "entries": len(self)}) + "\n"]
        self._waiting += [entry.line() for entry in self]
        try:
            self.flush()
        except LogError:
            path.unlink(missing_ok=True)  # nothing can be flown again from half of it
            raise

    def _write(self, entry: JournalEntry) -> None:
        if self._file is not None:
            self._waiting.append(entry.line())
            if len(self._waiting) >= MOST_LINES:
                self._put()

    def _put(self) -> None:
        """Let a crash lose nothing of what came so far; a disk that refuses is remembered."""
        if self._file is None or not self._waiting:
            return
        block, self._waiting = "".join(self._waiting), []
        try:
            self._file.put(block.encode())
        except LogError as problem:
            self._problem = problem
            self._file.close()
            self._file = None

    def flush(self) -> None:
        """Write what waits; LogError, once, if that or something before it could not be written."""
        self._put()
        problem, self._problem = self._problem, None
        if problem is not None:
            raise problem

    def close(self, tick: int, *, complete: bool = True) -> None:
        """End the file; LogError if it cannot be."""
        if self._file is not None and complete:
            self._waiting.append(dumps({"tick": tick, "end": True}) + "\n")
        self._put()
        if self._file is not None:
            self._file.close()
            self._file = None
        self.flush()


class RecordedJournal(NamedTuple):
    """A journal read back: how the flight was made, what came, how far it went (None: it was cut short)."""

    path: Path
    head: dict[str, Any]
    entries: list[JournalEntry]
    end: int | None


def orders_path(log_path: str | os.PathLike[str]) -> Path:
    """Where the orders of a recording are: dive.parquet, dive.parquet.unfinished -> dive.orders.jsonl."""
    path = Path(log_path)
    if path.name.endswith(ENDING):
        return path
    return path.with_name(path.name.removesuffix(UNFINISHED)).with_suffix(ENDING)


def read_journal(path: str | os.PathLike[str]) -> RecordedJournal:
    """Read the orders of a recording, by their own file or that of the log; a last line that was cut is left out."""
    here = orders_path(path)
    lines = read_text(here).splitlines()
    said: list[dict[str, Any]] = []
    for number, line in enumerate(lines, start=1):
        try:
            said.append(cast("dict[str, Any]", json.loads(line)))
        except (ValueError, RecursionError):
            if number < len(lines):
                raise ScenarioError("not JSON", file=f"{here}, line {number}") from None
    if not said or not isinstance(said[0], dict) or said[0].get("format") != FORMAT:
        raise ScenarioError("not the orders of a flight", file=str(here), expected=f'"{FORMAT}" in the first line')
    entries, end = list[JournalEntry](), None
    for number, item in enumerate(said[1:], start=2):
        try:
            if item.get("end"):
                end = int(item["tick"])
            else:
                entries.append(_entry(item))
        except (KeyError, TypeError, ValueError, AttributeError):
            raise ScenarioError("neither sticks nor an order", file=f"{here}, line {number}") from None
    return RecordedJournal(here, said[0], entries, end)


def _entry(said: Mapping[str, Any]) -> JournalEntry:
    """What a line says."""
    if "input" in said:
        return JournalEntry(int(said["tick"]), Input(*(float(value) for value in said["input"])))
    return JournalEntry(int(said["tick"]), None, str(said["order"]), dict(said["values"]))
