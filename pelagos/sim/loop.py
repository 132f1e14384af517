"""The run: one simulation or several in step, samples to their recorders, until the time is up or something ends it."""

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
    """One simulation of a run, and what is kept of it."""

    sim: Simulation
    path: str | os.PathLike[str] | None = None
    log_rate_hz: float | None = None
    forces: bool | None = None  # None: in memory, not in the file
    meta: dict[str, Any] | None = None  # more of it than the simulation knows, such as the scenario

    def begin(self) -> None:
        """Open the recorder and take the first sample."""
        sim = self.sim
        rate = sim.control_rate_hz
        wanted = rate if self.log_rate_hz is None else inputs.positive("log_rate_hz", self.log_rate_hz)
        if wanted > rate * (1.0 + 1e-9):
            raise CommandError(key="log_rate_hz", value=wanted, expected=f"at most the control rate, {rate:g}")
        self._every = max(1, round(rate / wanted))
        terms = () if self.forces is False else sim.terms()
        meta = {**sim.meta(), **(self.meta or {})}
        columns = sim.columns()
        if len(set(columns)) < len(columns):
            twice = next(name for name in columns if columns.count(name) > 1)
            raise CommandError(f"two columns of the log are called {twice}", expected="other names from the controller")
        self.recorder = Recorder(columns, terms, meta, self.path, write_forces=self.forces is True)
        self._width = len(columns)
        self._told: dict[int, int] = {}
        self._count = 0
        self.keep()

    def keep(self) -> None:
        """One sample now."""
        row = self.recorder.row()
        self.sim.sample_into(row[: self._width])
        if self.forces is not False:
            row[self._width :] = self.sim.evaluate().forces.reshape(-1)
        self.recorder.commit()

    def after(self) -> None:
        """What is done after each control interval."""
        self._count += 1
        if self._count % self._every == 0:
            self.keep()
        for source in (self.sim.events, getattr(self.sim.controller, "events", ())):
            self._tell(source)

    def _tell(self, events: Sequence[Event]) -> None:
        seen = self._told.get(id(events), 0)
        if len(events) > seen:
            for event in events[seen:]:
                self.recorder.event(event)
            self._told[id(events)] = len(events)


def run_together(
    tasks: Sequence[RunRecorder],
    seconds: float,
    *,
    progress: Callable[[float], None] | None = None,
    until: Callable[[], bool] | None = None,
    each: Callable[[], None] | None = None,
    speed: float | None = None,
) -> list[Log]:
    """Advance all simulations in step.

    Args:
        tasks: simulations of one control rate.
        seconds: simulated time, rounded to whole control intervals; infinite if `until` ends it.
        progress: told the simulated time done, once per simulated second.
        until: asked after each interval; True ends the run.
        each: called after each interval, before the samples are taken.
        speed: at most so many times faster than the clock.
    """
    sims = [task.sim for task in tasks]
    rate, n_ticks = _length(sims, seconds)
    pace = None if speed is None else inputs.positive("speed", speed)
    for sim in sims:
        sim.make_ready(sim.time_s + seconds)
    begun: list[RunRecorder] = []
    complete = False
    try:
        for task in tasks:
            task.sim.in_run(True)
            task.begin()
            begun.append(task)
        began = time.monotonic()
        per_second = max(1, round(rate))
        for n in range(1, n_ticks + 1):
            for sim in sims:
                sim.tick()
            if each is not None:
                each()
            for task in tasks:
                task.after()
            if progress is not None and n % per_second == 0:
                progress(n / rate)
            if until is not None and until():
                break
            if pace is not None:
                time.sleep(max(0.0, began + n / rate / pace - time.monotonic()))
        complete = True
        return [task.recorder.log() for task in tasks]
    except (Exception, KeyboardInterrupt) as error:
        if begun:
            # an exception of any class carries the log of the run that it ended
            error.log = begun[0].recorder.log(complete=False)  # type: ignore[attr-defined]
        raise
    finally:
        for sim in sims:
            sim.in_run(False)
        with ExitStack() as closing:  # every file is closed, whatever happens to another
            for task in begun:
                closing.callback(task.recorder.close, complete=complete)


def _length(sims: Sequence[Simulation], seconds: float) -> tuple[float, int]:
    """The control rate all share and the number of intervals."""
    rate = sims[0].control_rate_hz
    for sim in sims:
        if sim.control_rate_hz != rate:
            raise CommandError(
                f"control_rate_hz of {sim.name} is {sim.control_rate_hz:g} and of {sims[0].name} {rate:g}",
                expected="one rate for all",
            )
    n = round(inputs.positive("seconds", seconds) * rate)
    if n == 0:
        raise CommandError(key="seconds", value=seconds, expected=f"at least one control interval, {1.0 / rate:g} s")
    return rate, n
