"""Exact rerun of a recorded flight from its orders, without a clock."""

from __future__ import annotations

import os
from pathlib import Path

from pelagos.errors import PelagosError, ScenarioError
from pelagos.session.flight import Flight
from pelagos.session.make import settings_from
from pelagos.session.record.journal import JournalEntry, RecordedJournal, read_journal
from pelagos.session.record.recording import FlightColumns, all_columns
from pelagos.sim.log.load import load_log
from pelagos.sim.log.log import Log
from pelagos.sim.log.recorder import Recorder

SKIPPED = ("record", "pilot_name", "message")  # orders without effect on the motion


def rerun(path: str | os.PathLike[str]) -> Log:
    """Repeat a recorded flight from its orders: a log with the same columns over the same ticks.

    Args:
        path: the orders (NAME.orders.jsonl) or the log beside them.
    """
    journal = read_journal(path)
    try:
        flight = Flight.of(settings_from(journal.head["settings"]))
        first, last = int(journal.head["from_tick"]), _last(journal, Path(path))
        before = int(journal.head["entries"])  # entries when the recording began
    except (KeyError, TypeError, ValueError):
        raise ScenarioError("the first line does not describe the flight", file=str(journal.path)) from None
    entries, done = journal.entries, 0
    recorder: Recorder | None = None
    columns = FlightColumns(())
    while True:
        # Tick numbers alone do not separate the entries of tick `first`: some came before the first sample, which was
        # taken when the recording began, and some after it.
        while done < len(entries) and entries[done].tick <= flight.ticks and (recorder or done < before):
            _do(flight, entries[done])
            done += 1
        if recorder is None and flight.ticks == first and done >= before:
            recorder = Recorder(all_columns(flight), (), flight.sim.meta())
            columns = FlightColumns(recorder.columns)
            _keep(recorder, flight, columns)
            continue  # with entries after the first sample and before the next tick
        if flight.ticks >= last:
            break
        flight.tick()
        if recorder is not None:
            _keep(recorder, flight, columns)
    if recorder is None:
        key, expected = "first recorded tick", f"at most {last}, the last tick of the flight"
        raise ScenarioError(file=str(journal.path), key=key, value=first, expected=expected)
    return recorder.log()


def _do(flight: Flight, entry: JournalEntry) -> None:
    if entry.sticks is not None:
        flight.input(entry.sticks)
    elif entry.order not in SKIPPED:
        flight.order(entry.order, entry.values or {})


def _keep(recorder: Recorder, flight: Flight, columns: FlightColumns) -> None:
    columns.fill_from(flight, recorder.row())
    recorder.commit()


def _last(journal: RecordedJournal, path: Path) -> int:
    """The last tick: that of the journal, or of the log if the flight was cut short."""
    if journal.end is not None:
        return journal.end
    last = max((entry.tick for entry in journal.entries), default=0)
    try:
        log = load_log(journal.path.with_name(journal.head["log"]) if path == journal.path else path)
    except PelagosError:
        return last
    return round(float(log.time_s[-1]) * float(journal.head["settings"]["rate_hz"])) if len(log) else last
