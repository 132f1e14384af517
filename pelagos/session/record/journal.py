"""Journal of a flight: stick changes and orders with their tick numbers, in memory and as a file for a rerun.

The file has one JSON object per line: first the settings of the flight, then every change of the sticks
`{"tick": 7, "input": [...]}` and every order that was carried out `{"tick": 9, "order": "hold", "values": {...}}`, with
the number of ticks since the last reset; last `{"tick": 900, "end": true}`, unless the flight was cut short.

A journal belongs to the thread that owns the flight, and has no lock.
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
MOST_LINES = 256  # in memory before they are written
# Orders that come by the thousand stay in memory as text: a fourth of the size, and nothing for the garbage collector
# to visit, whose pauses would delay ticks.
FREQUENT = ("contact",)


class JournalEntry(NamedTuple):
    """New positions of the sticks, or an order, at a tick."""

    tick: int
    sticks: Input | None = None
    order: str = ""
    values: Mapping[str, Any] | None = None

    def line(self) -> str:
        """The entry as a line of the file."""
        if self.sticks is not None:
            return dumps({"tick": self.tick, "input": list(self.sticks)}) + "\n"
        return dumps({"tick": self.tick, "order": self.order, "values": dict(self.values or {})}) + "\n"


class Journal:
    """All stick changes and orders since the last reset; once opened, they go to a file as well.

    A disk that refuses ends the file, not the flight: `input` and `order` never raise; the next `flush` does, once.
    """

    def __init__(self) -> None:
        self._inputs = array("d")  # WIDTH numbers each, flat: an hour of moving sticks takes some ten megabytes
        # Number of inputs before the order, which restores the sequence of both; and the order or its line.
        self._orders: list[tuple[int, JournalEntry | str]] = []
        self._file: BlockFile | None = None
        self._waiting: list[str] = []  # lines for the file
        self._problem: LogError | None = None  # for the next `flush`

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
        """Add new positions of the sticks."""
        self._inputs.append(tick)
        self._inputs.extend(sticks)
        self._write(JournalEntry(tick, sticks))

    def order(self, tick: int, name: str, values: Mapping[str, Any]) -> None:
        """Add an order that was carried out."""
        entry = JournalEntry(tick, None, name, dict(values))
        self._orders.append((len(self._inputs) // WIDTH, entry.line() if name in FREQUENT else entry))
        self._write(entry)
        self._put()  # at once: orders are rarer than stick changes, and a rerun without one differs

    def open(self, path: Path, head: Mapping[str, Any]) -> None:
        """Write all entries so far to a new file, and later ones as they come; LogError if that is impossible."""
        try:
            open(path, "x").close()  # "x" refuses an existing file
        except OSError as problem:
            raise cannot_write(path, problem) from None
        self._file, self._problem = BlockFile(path), None
        self._waiting = [dumps({"format": FORMAT, **head, "entries": len(self)}) + "\n"]
        self._waiting += [entry.line() for entry in self]
        try:
            self.flush()
        except LogError:
            path.unlink(missing_ok=True)  # half a journal is useless for a rerun
            raise

    def _write(self, entry: JournalEntry) -> None:
        if self._file is not None:
            self._waiting.append(entry.line())
            if len(self._waiting) >= MOST_LINES:
                self._put()

    def _put(self) -> None:
        """Write the waiting lines; an error of the disk closes the file and waits for `flush`."""
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
        """Write the waiting lines; LogError, once, if these or earlier ones could not be written."""
        self._put()
        problem, self._problem = self._problem, None
        if problem is not None:
            raise problem

    def close(self, tick: int, *, complete: bool = True) -> None:
        """Finish the file; LogError if that is impossible."""
        if self._file is not None and complete:
            self._waiting.append(dumps({"tick": tick, "end": True}) + "\n")
        self._put()
        if self._file is not None:
            self._file.close()
            self._file = None
        self.flush()


class RecordedJournal(NamedTuple):
    """A journal read from a file: settings in `head`, entries, and last tick (None: the flight was cut short)."""

    path: Path
    head: dict[str, Any]
    entries: list[JournalEntry]
    end: int | None


def orders_path(log_path: str | os.PathLike[str]) -> Path:
    """The file of orders beside a log: dive.parquet, dive.parquet.unfinished -> dive.orders.jsonl."""
    path = Path(log_path)
    if path.name.endswith(ENDING):
        return path
    return path.with_name(path.name.removesuffix(UNFINISHED)).with_suffix(ENDING)


def read_journal(path: str | os.PathLike[str]) -> RecordedJournal:
    """Read the orders of a recording from their file or the log's path; a truncated last line is ignored."""
    file = orders_path(path)
    lines = read_text(file).splitlines()
    items: list[dict[str, Any]] = []
    for number, line in enumerate(lines, start=1):
        try:
            items.append(cast("dict[str, Any]", json.loads(line)))
        except (ValueError, RecursionError):
            if number < len(lines):
                raise ScenarioError("not JSON", file=f"{file}, line {number}") from None
    if not items or not isinstance(items[0], dict) or items[0].get("format") != FORMAT:
        raise ScenarioError("not the orders of a flight", file=str(file), expected=f'"{FORMAT}" in the first line')
    entries, end = list[JournalEntry](), None
    for number, item in enumerate(items[1:], start=2):
        try:
            if item.get("end"):
                end = int(item["tick"])
            else:
                entries.append(_entry(item))
        except (KeyError, TypeError, ValueError, AttributeError):
            raise ScenarioError("neither sticks nor an order", file=f"{file}, line {number}") from None
    return RecordedJournal(file, items[0], entries, end)


def _entry(item: Mapping[str, Any]) -> JournalEntry:
    """The entry of a parsed line."""
    if "input" in item:
        return JournalEntry(int(item["tick"]), Input(*(float(value) for value in item["input"])))
    return JournalEntry(int(item["tick"]), None, str(item["order"]), dict(item["values"]))
