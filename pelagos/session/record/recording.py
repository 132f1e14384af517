"""Recording of a flight: a log with a sample of every tick, and a file of orders for an exact rerun.

The log has the columns of the simulation, then those of the snapshot that the simulation lacks: sticks, camera,
collisions, score. Samples reach the disk at least once a second of wall time, so that kill -9 leaves both files
readable.

The thread that owns the flight calls everything here. Only the final `close` of the log's writer runs in another
thread, because finishing a long Parquet file takes seconds. That thread gets the writer when it starts, and the flight
does not use it afterwards, so no lock guards it. The two threads share the text `Recording.problem` only.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import threading
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from pelagos.errors import CommandError, PelagosError
from pelagos.messages import Event
from pelagos.session.record.journal import orders_path
from pelagos.sim.log.csv import versions
from pelagos.sim.log.forces import LogError
from pelagos.sim.log.parquet import unfinished_path
from pelagos.sim.log.recorder import Recorder
from pelagos.sim.log.run_recorder import SampleColumns

if TYPE_CHECKING:
    from pelagos.session.flight import Flight

ENDINGS = (".csv", ".parquet")


def new_path(folder: str | os.PathLike[str], stem: str) -> Path:
    """A free file name of stem, date and time; Parquet if pyarrow is installed, otherwise CSV."""
    ending = ".parquet" if importlib.util.find_spec("pyarrow") else ".csv"
    return free_path(Path(folder) / f"{stem}-{datetime.now():%Y%m%d-%H%M%S}{ending}")


def free_path(path: Path) -> Path:
    """The path itself, or with a number after its stem if a file of a recording exists there."""
    candidate, number = path, 1
    while _existing(candidate) is not None:
        number += 1
        candidate = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return candidate


def usable_path(path: str | os.PathLike[str]) -> Path:
    """The path of a new recording; CommandError for a wrong ending, or if one of its files exists."""
    log_path = Path(path)
    if log_path.suffix.lower() not in ENDINGS:
        raise CommandError(file=log_path, expected=f"a name that ends in {' or '.join(ENDINGS)}")
    existing = _existing(log_path)
    if existing is not None:
        raise CommandError("exists already", file=existing, expected="a new name for the recording")
    return log_path


def _existing(path: Path) -> Path | None:
    """The first file of a recording to `path` that exists: the log, the unfinished log, the orders."""
    return next((file for file in (path, unfinished_path(path), orders_path(path)) if file.exists()), None)


class Recording:
    """The files of a flight that is being recorded; methods raise LogError if the disk refuses."""

    def __init__(self, flight: Flight, path: str | os.PathLike[str]) -> None:
        self.path = usable_path(path)
        self.base_path = self.path  # without the number that a recording gets after a reset
        meta = {"flight": flight.settings.described(), "pilot": flight.pilot, "versions": versions()}
        # A rerun repeats the orders from tick 0: it needs the settings of that tick, which orders may have changed.
        head = {"log": self.path.name, "from_tick": flight.ticks, "settings": flight.start_settings.described()}
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise CommandError(f"cannot be made ({problem.strerror})", file=self.path.parent) from None
        self.journal = flight.journal  # of this flight: a reset gives the flight a new journal
        self.journal.open(orders_path(self.path), head)
        columns = all_columns(flight)
        self._columns = FlightColumns(columns)
        try:
            self._recorder = Recorder(
                columns, (), {**flight.sim.meta(), **meta}, self.path, in_memory=False,
                # After a crash the log must not extend beyond the orders that repeat it.
                before_write=self.journal.flush,
            )  # fmt: skip
        except PelagosError:
            with contextlib.suppress(LogError):
                self.journal.close(flight.ticks, complete=False)
            orders_path(self.path).unlink(missing_ok=True)
            raise
        self._closing: threading.Thread | None = None
        self.problem = ""  # why the log could not be finished; written by the closing thread
        self.keep(flight)

    def keep(self, flight: Flight) -> None:
        """Add a sample of the present state."""
        self._columns.fill_from(flight, self._recorder.row())
        self._recorder.commit()

    def event(self, event: Mapping[str, Any]) -> None:
        """Write an event at once, after the samples before it."""
        self._recorder.event(Event(event["time_s"], event["kind"], event["text"]))

    def flush(self) -> None:
        """Write the waiting samples and orders."""
        self._recorder.flush()

    def close(self, tick: int, *, complete: bool = True) -> None:
        """Finish the orders at once and the log in another thread; `wait` for it."""
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
            self._recorder.close(complete=complete)
        except LogError as error:
            self.problem = self.problem or str(error)

    @property
    def finished(self) -> bool:
        """Whether the thread that finishes the log has ended."""
        return self._closing is not None and not self._closing.is_alive()

    def wait(self) -> None:
        """Wait until the log is finished."""
        if self._closing is not None:
            self._closing.join()


class Recordings:
    """The current recording of a flight, if any, and earlier ones whose files are being finished.

    A full disk ends a recording with a warning; the flight continues.
    """

    def __init__(self) -> None:
        self.current: Recording | None = None
        self._ending: list[Recording] = []

    def start(self, flight: Flight, path: Path) -> None:
        """Start a recording."""
        if self.current is not None:
            raise CommandError("the flight is already recorded to this file", file=self.current.path)
        self.current = Recording(flight, path)
        flight.publish_event("record", f"recording to {path}", path=str(path), on=True)

    def restart(self, flight: Flight, before: Recording) -> None:
        """Record on after a reset, to a new file beside the one before; a failure is published as a warning."""
        try:
            self.start(flight, free_path(before.base_path))
        except PelagosError as problem:
            flight.publish_event("warning", f"the flight is not recorded any more: {problem}")
        if self.current is not None:
            self.current.base_path = before.base_path  # dive, dive-2, dive-3 instead of dive-2-2

    def stop(self, flight: Flight, *, complete: bool = True) -> None:
        """End the current recording; another thread finishes its file."""
        # Cleared first: the event below would otherwise go to the file that is being closed.
        recording, self.current = self.current, None
        if recording is not None:
            recording.close(flight.ticks, complete=complete)
            self._ending.append(recording)
            flight.publish_event("record", f"recorded {recording.path}", path=str(recording.path), on=False)
            self._warn(flight, recording)

    def keep(self, flight: Flight) -> None:
        """Add a sample, and warn of earlier recordings that could not be finished."""
        if self.current is not None:
            self._try(flight, lambda recording: recording.keep(flight))
        if self._ending:
            for recording in [recording for recording in self._ending if recording.finished]:
                self._ending.remove(recording)
                self._warn(flight, recording)

    def event(self, flight: Flight, event: Mapping[str, Any]) -> None:
        """Write an event to the current recording."""
        if self.current is not None:
            self._try(flight, lambda recording: recording.event(event))

    def wait(self) -> None:
        """Wait until all files are finished."""
        for recording in self._ending:
            recording.wait()

    def _warn(self, flight: Flight, recording: Recording) -> None:
        """Publish once why a recording could not be written."""
        problem = recording.problem
        if problem:  # cleared only then: the closing thread may set it between the reading and the clearing
            recording.problem = ""
            flight.publish_event("warning", problem)

    def _try(self, flight: Flight, do: Callable[[Recording], None]) -> None:
        recording = self.current
        if recording is None:
            return
        try:
            do(recording)
        except LogError as problem:
            recording.problem = str(problem)
            self.stop(flight, complete=False)


def all_columns(flight: Flight) -> tuple[str, ...]:
    """Columns of a recording: of the simulation with helm and mission, then of the snapshot."""
    sim = flight.sim
    names = dict.fromkeys(sim.columns())
    for other in (flight.helm, flight.mission):
        names.update(dict.fromkeys(getattr(other, "columns", ())))
    return tuple(name for name in (names | dict.fromkeys(flight.columns)) if name != "recording")


class FlightColumns(SampleColumns):
    """The columns of a recording: those of the simulation, and the snapshot for those that the simulation lacks."""

    _names: tuple[str, ...] | None = None  # of the snapshot

    def fill_from(self, flight: Flight, row: NDArray[Any]) -> None:
        """Write the present state of a flight into an empty row."""
        if flight.columns is not self._names:
            self._names = flight.columns
            self._snapshot, self._snapshot_to = self.indices(self._names)
        row[self._snapshot_to] = flight.state()[self._snapshot]
        self.fill(row, flight.sim)  # over the snapshot
