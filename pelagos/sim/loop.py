"""The run loop: advances one simulation or several in lockstep and records their logs."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pelagos.errors import CommandError
from pelagos.messages import Event
from pelagos.sim import inputs
from pelagos.sim.log.log import Log
from pelagos.sim.log.recorder import Recorder

if TYPE_CHECKING:
    from pelagos.sim.simulation import Simulation


@dataclass
class RunRecorder:
    """Records one simulation of a run."""

    sim: Simulation
    path: str | os.PathLike[str] | None = None
    log_rate_hz: float | None = None
    forces: bool | None = None  # None: in memory, not in the file
    meta: dict[str, Any] | None = None  # metadata in addition to those of the simulation, such as the scenario

    def begin(self) -> None:
        """Open the recorder and record the first sample."""
        sim = self.sim
        rate = sim.control_rate_hz
        log_rate = rate if self.log_rate_hz is None else inputs.positive("log_rate_hz", self.log_rate_hz)
        if log_rate > rate * (1.0 + 1e-9):
            raise CommandError(key="log_rate_hz", value=log_rate, expected=f"at most the control rate, {rate:g}")
        self._ticks_per_sample = max(1, round(rate / log_rate))
        terms = () if self.forces is False else sim.terms()
        meta = {**sim.meta(), **(self.meta or {})}
        columns = sim.columns()
        if len(set(columns)) < len(columns):
            twice = next(name for name in columns if columns.count(name) > 1)
            expected = "a different name from the controller"
            raise CommandError("two columns of the log have the name", value=twice, expected=expected)
        self.recorder = Recorder(columns, terms, meta, self.path, write_forces=self.forces is True)
        self._width = len(columns)
        # id of a list of events -> how many of them are recorded; a new controller brings a new list
        self._recorded: dict[int, int] = {}
        self._ticks = 0
        self.sample()

    def sample(self) -> None:
        """Record a sample of the present instant."""
        row = self.recorder.row()
        self.sim.sample_into(row[: self._width])
        if self.forces is not False:
            row[self._width :] = self.sim.evaluate().forces.reshape(-1)
        self.recorder.commit()

    def after(self) -> None:
        """Record a sample, if one is due, and the new events; call this after each control interval."""
        self._ticks += 1
        if self._ticks % self._ticks_per_sample == 0:
            self.sample()
        for events in (self.sim.events, getattr(self.sim.controller, "events", ())):
            self._record_new(events)

    def _record_new(self, events: Sequence[Event]) -> None:
        n = self._recorded.get(id(events), 0)
        if len(events) > n:
            for event in events[n:]:
                self.recorder.event(event)
            self._recorded[id(events)] = len(events)


def run_together(
    tasks: Sequence[RunRecorder],
    seconds: float,
    *,
    progress: Callable[[float], None] | None = None,
    until: Callable[[], bool] | None = None,
    each: Callable[[], None] | None = None,
    speed: float | None = None,
) -> list[Log]:
    """Advance all simulations in lockstep and return their logs.

    A run that ends in an error still writes its files; the error carries the first log as `log`.

    Args:
        tasks: simulations with the same control rate.
        seconds: simulated time, rounded to whole control intervals.
        progress: called with the simulated time done, once per simulated second.
        until: called after each interval; True ends the run.
        each: called after each interval, before the samples are taken.
        speed: largest real-time factor; None for as fast as possible.
    """
    sims = [task.sim for task in tasks]
    rate, n_ticks = _length(sims, seconds)
    real_time_factor = None if speed is None else inputs.positive("speed", speed)
    for sim in sims:
        sim.make_ready(sim.time_s + seconds)
    begun: list[RunRecorder] = []
    complete = False
    try:
        for task in tasks:
            task.sim.in_run(True)  # before `begin`, whose first sample uses the cached state
            task.begin()
            begun.append(task)
        began = time.monotonic()
        per_second = max(1, round(rate))
        for n in range(1, n_ticks + 1):
            for sim in sims:
                sim.tick()
            if each is not None:
                each()  # collisions change the state, which the samples must show
            for task in tasks:
                task.after()
            if progress is not None and n % per_second == 0:
                progress(n / rate)
            if until is not None and until():
                break
            if real_time_factor is not None:
                # Measured from the start of the run, so that a slow interval is caught up on.
                time.sleep(max(0.0, began + n / rate / real_time_factor - time.monotonic()))
        complete = True
        return [task.recorder.log() for task in tasks]
    except (Exception, KeyboardInterrupt) as error:
        if begun:
            # An exception of any class, also one of the controller, carries the log of the run that it ended.
            error.log = begun[0].recorder.log(complete=False)  # type: ignore[attr-defined]
        raise
    finally:
        for sim in sims:
            sim.in_run(False)
        with ExitStack() as closing:  # an error in one file must not leave the others open
            for task in begun:
                closing.callback(task.recorder.close, complete=complete)


def _length(sims: Sequence[Simulation], seconds: float) -> tuple[float, int]:
    """The common control rate and the number of intervals."""
    rate = sims[0].control_rate_hz
    for sim in sims:
        if sim.control_rate_hz != rate:
            raise CommandError(
                key=f"control_rate_hz of {sim.name}",
                value=sim.control_rate_hz,
                expected=f"{rate:g}, the rate of {sims[0].name}",
            )
    n = round(inputs.positive("seconds", seconds) * rate)
    if n == 0:
        raise CommandError(key="seconds", value=seconds, expected=f"at least one control interval, {1.0 / rate:g} s")
    return rate, n
