"""A recorded flight flown again from its orders, without a clock, and compared with what was recorded."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from pelagos.errors import PelagosError, ScenarioError
from pelagos.session.flight import Flight
from pelagos.session.make import settings_from
from pelagos.session.record.journal import JournalEntry, RecordedJournal, read_journal
from pelagos.session.record.recording import all_columns, fill
from pelagos.sim.log.load import load_log
from pelagos.sim.log.log import Log
from pelagos.sim.log.recorder import Recorder

NOT_FLOWN = ("record", "pilot_name", "message")  # orders that move nothing


def rerun(path: str | os.PathLike[str]) -> Log:
    """Fly the orders of a recording again: the same columns from the same tick to the same tick.

    Args:
        path: the orders (NAME.orders.jsonl) or the log beside them.
    """
    kept = read_journal(path)
    try:
        flight = Flight.of(settings_from(kept.head["settings"]))
        first, before, last = int(kept.head["from_tick"]), int(kept.head["entries"]), _last(kept, Path(path))
    except (KeyError, TypeError, ValueError):
        raise ScenarioError("the first line does not say how the flight was made", file=str(kept.path)) from None
    entries, done = kept.entries, 0
    recorder: Recorder | None = None
    places: dict[tuple[str, ...], Any] = {}
    while True:
        while done < len(entries) and entries[done].tick <= flight.ticks and (recorder or done < before):
            _do(flight, entries[done])
            done += 1
        if recorder is None and flight.ticks == first and done >= before:
            recorder = Recorder(all_columns(flight), (), flight.sim.meta())
            _keep(recorder, flight, places)
            continue  # what came after the first sample, before the next tick
        if flight.ticks >= last:
            break
        flight.tick()
        if recorder is not None:
            _keep(recorder, flight, places)
    if recorder is None:
        raise ScenarioError(f"recorded from tick {first}, but flown only to tick {last}", file=str(kept.path))
    return recorder.log()


def _do(flight: Flight, entry: JournalEntry) -> None:
    if entry.sticks is not None:
        flight.input(entry.sticks)
    elif entry.order not in NOT_FLOWN:
        flight.order(entry.order, entry.values or {})


def _keep(recorder: Recorder, flight: Flight, places: dict[tuple[str, ...], Any]) -> None:
    fill(recorder.row(), flight, recorder.columns, places)
    recorder.commit()


def _last(kept: RecordedJournal, given: Path) -> int:
    """The tick to fly to: the end, or as far as the log of a flight that was cut short goes."""
    if kept.end is not None:
        return kept.end
    far = max((entry.tick for entry in kept.entries), default=0)
    try:
        log = load_log(kept.path.with_name(kept.head["log"]) if given == kept.path else given)
    except PelagosError:
        return far
    return round(float(log.time_s[-1]) * float(kept.head["settings"]["rate_hz"])) if len(log) else far


def largest_difference(one: Log, other: Log) -> tuple[float, str]:
    """The largest difference between two logs in the columns that both have, and in which; 0 if they are the same.

    A value that only one of them knows counts as infinite, and so does a different number of samples.
    """
    if len(one) != len(other):
        return np.inf, "time_s"
    worst, where = 0.0, ""
    for name in one.columns:
        if name in other.columns:
            a, b = one[name], other[name]
            same = (a == b) | (np.isnan(a) & np.isnan(b))
            if not same.all():
                gap = float(np.max(np.where(np.isnan(a - b), np.inf, np.abs(a - b))[~same]))
                worst, where = (gap, name) if gap > worst else (worst, where)
    return worst, where
