"""A flight being recorded: a log of every tick, and beside it the orders from which it can be flown again.

The log has the columns of the simulation and, behind them, those of the snapshot that the simulation does not have:
sticks, camera, collisions, score. What is written reaches the disk at least once a second: kill -9 leaves both files
readable.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import threading
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pelagos.errors import CommandError, PelagosError
from pelagos.messages import Event
from pelagos.session.record.journal import orders_path
from pelagos.sim.log.csv import versions
from pelagos.sim.log.forces import LogError
from pelagos.sim.log.parquet import unfinished_path
from pelagos.sim.log.recorder import writer_for

if TYPE_CHECKING:
    from pelagos.session.flight import Flight

ENDINGS = (".csv", ".parquet")
FLUSH_S = 1.0
ROWS = 256  # that wait at most


def new_path(folder: str | os.PathLike[str], stem: str) -> Path:
    """A file name that is free: stem, date and time; Parquet where that can be written."""
    ending = ".parquet" if importlib.util.find_spec("pyarrow") else ".csv"
    return free_path(Path(folder) / f"{stem}-{datetime.now():%Y%m%d-%H%M%S}{ending}")


def free_path(path: Path) -> Path:
    """The path itself, or with a number behind its stem if something is there."""
    found, number = path, 1
    while _taken(found) is not None:
        number += 1
        found = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return found


def usable_path(path: str | os.PathLike[str]) -> Path:
    """The path, if a recording can have it; CommandError if not, or if one of its files is there already."""
    here = Path(path)
    if here.suffix.lower() not in ENDINGS:
        raise CommandError(f"a recording is {' or '.join(ENDINGS)}", file=here, expected="a name that ends so")
    taken = _taken(here)
    if taken is not None:
        raise CommandError(f"{taken} exists", expected="a new name for the recording")
    return here


def _taken(path: Path) -> Path | None:
    """A file that is where one of a recording would be."""
    return next((one for one in (path, unfinished_path(path), orders_path(path)) if one.exists()), None)


class Recording:
    """Samples, events and orders of a flight on their way to the disk. LogError if they cannot be written."""

    def __init__(self, flight: Flight, path: str | os.PathLike[str]) -> None:
        self.path = usable_path(path)
        self.asked = self.path  # the name it would have if it were the first
        self._columns = all_columns(flight)
        said = {"flight": flight.settings.described(), "pilot": flight.pilot, "versions": versions()}
        # the orders are flown again from tick 0: with the settings of then, whatever was changed since by an order
        head = {"log": self.path.name, "from_tick": flight.ticks, "settings": flight.begun_with.described()}
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise CommandError(f"cannot be made ({problem.strerror})", file=self.path.parent) from None
        self.journal = flight.journal
        self.journal.open(orders_path(self.path), head)
        try:
            self._writer = writer_for(self.path)(self.path, self._columns, (), {**flight.sim.meta(), **said})
        except PelagosError:
            with contextlib.suppress(LogError):
                self.journal.close(flight.ticks, complete=False)
            orders_path(self.path).unlink(missing_ok=True)
            raise
        self._rows = np.empty((ROWS, len(self._columns)))
        self._waiting = 0
        self._written_s = time.monotonic()
        self._places = dict[tuple[str, ...], Any]()
        self._closing: threading.Thread | None = None
        self.problem = ""  # why the log could not be finished
        self.keep(flight)

    def keep(self, flight: Flight) -> None:
        """The state now."""
        row = self._rows[self._waiting]
        fill(row, flight, self._columns, self._places)
        self._waiting += 1
        if self._waiting == ROWS or time.monotonic() - self._written_s >= FLUSH_S:
            self.flush()

    def event(self, event: Mapping[str, Any]) -> None:
        """Something happened: it is written at once, behind the samples before it."""
        self.flush()
        self._writer.event(Event(event["time_s"], event["kind"], event["text"]))

    def flush(self) -> None:
        """Write what waits. The orders first: a log never goes farther than what it can be flown again from."""
        waiting, self._waiting = self._waiting, 0
        self._written_s = time.monotonic()
        self.journal.flush()
        self._writer.write(self._rows[:waiting])

    def close(self, tick: int, *, complete: bool = True) -> None:
        """End both files. A long log takes a while to be finished: that is done beside the flight; `wait` for it."""
        try:
            self.flush()
            self.journal.close(tick, complete=complete)
        except LogError as error:
            self.problem, complete = self.problem or str(error), False
            with contextlib.suppress(LogError):
                self.journal.close(tick, complete=False)
        self._closing = threading.Thread(target=self._finish, args=(complete,), name="pelagos-recording")
        self._closing.start()

    def _finish(self, complete: bool) -> None:
        try:
            self._writer.close(complete=complete)
        except LogError as error:
            self.problem = self.problem or str(error)

    @property
    def finished(self) -> bool:
        """Whether all is on the disk that ever will be."""
        return self._closing is not None and not self._closing.is_alive()

    def wait(self) -> None:
        """Until the log is finished."""
        if self._closing is not None:
            self._closing.join()


class Recordings:
    """The recording of a flight that goes on, if any, and those that are being finished. A full disk ends none."""

    def __init__(self) -> None:
        self.now: Recording | None = None
        self._ending: list[Recording] = []

    def start(self, flight: Flight, path: Path) -> None:
        """Begin one."""
        if self.now is not None:
            raise CommandError(f"the flight is being recorded already, to {self.now.path}")
        self.now = Recording(flight, path)
        flight.tell("record", f"recording to {path}", path=str(path), on=True)

    def again(self, flight: Flight, before: Recording) -> None:
        """Begin one beside that of the same flight before its reset; where that cannot be, the flight goes on."""
        try:
            self.start(flight, free_path(before.asked))
        except PelagosError as problem:
            flight.tell("warning", f"the flight is not recorded any more: {problem}")
        if self.now is not None:
            self.now.asked = before.asked

    def stop(self, flight: Flight, *, complete: bool = True) -> None:
        """End the one that goes on; its file is finished beside the flight."""
        recording, self.now = self.now, None
        if recording is not None:
            recording.close(flight.ticks, complete=complete)
            self._ending.append(recording)
            flight.tell("record", f"recorded {recording.path}", path=str(recording.path), on=False)
            self._warn(flight, recording)

    def keep(self, flight: Flight) -> None:
        """The state now; and a word about recordings that could not be finished."""
        if self.now is not None:
            self._try(flight, lambda now: now.keep(flight))
        if self._ending:
            for recording in [one for one in self._ending if one.finished]:
                self._ending.remove(recording)
                self._warn(flight, recording)

    def event(self, flight: Flight, event: Mapping[str, Any]) -> None:
        """Something happened."""
        if self.now is not None:
            self._try(flight, lambda now: now.event(event))

    def wait(self) -> None:
        """Until all are on the disk."""
        for recording in self._ending:
            recording.wait()

    def _warn(self, flight: Flight, recording: Recording) -> None:
        """Say once what could not be written."""
        problem, recording.problem = recording.problem, ""
        if problem:
            flight.tell("warning", problem)

    def _try(self, flight: Flight, do: Callable[[Recording], None]) -> None:
        recording = self.now
        if recording is None:
            return
        try:
            do(recording)
        except LogError as problem:
            recording.problem = str(problem)
            self.stop(flight, complete=False)


def all_columns(flight: Flight) -> tuple[str, ...]:
    """Of the simulation, whoever flies it, and of the snapshot."""
    sim = flight.sim
    names = dict.fromkeys(sim.columns())
    for other in (flight.helm, flight.mission):
        names.update(dict.fromkeys(getattr(other, "columns", ())))
    return tuple(name for name in (names | dict.fromkeys(flight.columns)) if name != "recording")


def fill(row: Any, flight: Flight, columns: tuple[str, ...], places: dict[tuple[str, ...], Any]) -> None:
    """One sample into a row of `columns`; `places` remembers where what goes. A fault that came later has no column."""
    sim = flight.sim
    names = sim.columns()
    if names not in places:
        at = {name: k for k, name in enumerate(columns)}
        known = [k for k, name in enumerate(names) if name in at]
        own = [k for k, name in enumerate(flight.columns) if name in at and name not in names]
        places[names] = (
            np.array(known), np.array([at[names[k]] for k in known]),
            np.array(own), np.array([at[flight.columns[k]] for k in own]), np.empty(len(names)),
        )  # fmt: skip
    known, there, own, behind, sample = places[names]
    row.fill(np.nan)
    row[behind] = flight.state()[own]
    sim.sample_into(sample)
    row[there] = sample[known]
