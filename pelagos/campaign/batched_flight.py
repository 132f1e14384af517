"""Runs of one vehicle in one sea, flown as one batch: `sim.loop` on arrays, one log for each.

Each run has its own end: its duration, its condition, its mission, or a mission that gets nowhere. A run that is over
is not logged any more, and moves on unseen until all are over. One that diverges, or whose autopilot refuses what a leg
asks for, leaves the error in place of its log; the others do not notice.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from pelagos.campaign.batched_condition import ManyConditions
from pelagos.campaign.batched_rows import Instant, Rows, look, values_of
from pelagos.campaign.batched_start import Ready
from pelagos.errors import DivergedError, PelagosError
from pelagos.guidance.base import GUIDE_COLUMNS
from pelagos.messages import Event
from pelagos.sim.diverged import KEPT
from pelagos.sim.log import Log
from pelagos.sim.log_content import Content
from pelagos.sim.log_sidecar import versions
from pelagos.sim.meta import meta_of, world_meta
from pelagos.sim.stalled import EVERY_S, Stalled

Array = NDArray[np.float64]
FIRST_ROWS = 1024  # of logs whose length is not known


class Flight:
    """Flies what is ready."""

    def __init__(self, ready: Ready) -> None:
        self.ready, self.batch, self.mission, self.n = ready, ready.batch, ready.mission, ready.n
        rate, first = ready.batch.control_rate_hz, ready.scenarios[0]
        self._every = max(1, round(rate / (first.log_rate_hz or rate)))
        self._rows = Rows(ready.pattern)
        own = ready.pattern.columns()[: self._rows.width]
        self.columns = (*own, *(GUIDE_COLUMNS if self.mission is not None else ()))
        self._last_tick = np.array([round(one.longest_s * rate) for one in ready.scenarios])
        self._with_mission = np.array([one.end.mission_done and bool(one.crafts[0].mission) for one in ready.scenarios])
        self._after_s = np.array([one.end.after_s for one in ready.scenarios])
        self._since_s = np.full(self.n, math.nan)  # when the mission was over
        self.over = np.array([i in ready.problems for i in range(self.n)])
        self._ended = np.zeros(self.n, np.int64)  # at that tick
        self._events: list[list[Event]] = [[] for _ in range(self.n)]
        texts = [one.end.when for one in ready.scenarios]
        self._when = [(ManyConditions(text), np.array([text == one for one in texts])) for text in set(texts) if text]
        watched = (i for i, one in enumerate(ready.scenarios) if one.duration_s is None and one.crafts[0].mission)
        self._watches = {i: Stalled() for i in watched} if self.mission is not None else {}
        self._watch_s = 0.0
        self._meta = {**meta_of(ready.pattern), "versions": versions()}

    def fly(self, progress: Callable[[float], None] | None = None) -> list[Log | PelagosError]:
        """The log of each run, or why there is none."""
        batch, rate = self.batch, self.batch.control_rate_hz
        longest = int(self._last_tick[~self.over].max(initial=0))
        length = longest // self._every + 1
        self._table = np.empty((self.n, min(length, FIRST_ROWS), len(self.columns)))
        now = look(batch)
        self._keep(0, now)
        per_second = max(1, round(rate))
        for tick in range(1, longest + 1):
            batch.command(self.ready.demand(now.truths))
            batch.tick()
            now = look(batch)
            self._after(tick, now)
            if progress is not None and tick % per_second == 0:
                progress(tick / rate)
            if self.over.all():
                break
        batch.close()
        return [self.ready.problems.get(i) or self._log(i) for i in range(self.n)]

    # After each control interval ----------------------------------------------------------------------------------

    def _after(self, tick: int, now: Instant) -> None:
        if not self.batch.alive.all():
            self._diverged(now)
        if self.mission is not None:
            for i, refusal in self.mission.refused.items():
                self._fail(i, refusal)
        self._watch(tick, now)
        if tick % self._every == 0:
            self._keep(tick, now)
        over = tick >= self._last_tick
        if self.mission is not None:
            done, time_s = self.mission.done & self._with_mission, now.truths.time_s
            self._since_s = np.where(done & np.isnan(self._since_s), time_s, self._since_s)
            over |= done & (time_s - self._since_s >= self._after_s - 1e-9)
        over |= self._conditions(now)
        for i in np.flatnonzero(over & ~self.over).tolist():
            self._end(i, tick)

    def _end(self, i: int, tick: int) -> None:
        self.over[i], self._ended[i] = True, tick
        if self.mission is not None:
            self._events[i] = [*self.mission.events(i), *self._events[i]]

    def _fail(self, i: int, problem: PelagosError) -> None:
        if not self.over[i]:
            self.over[i] = True
            self.ready.problems[i] = problem

    def _diverged(self, now: Instant) -> None:
        lines: Array | None = None
        for failure in self.batch.failures:
            i = failure.index
            if not self.over[i]:
                lines = self._lines(now) if lines is None else lines
                state = dict(zip(self.columns, lines[i].tolist(), strict=True))
                largest = failure.message.partition("the largest force was ")[2]
                self._fail(i, DivergedError(failure.time_s, largest, {key: state[key] for key in KEPT}))

    def _conditions(self, now: Instant) -> NDArray[np.bool_]:
        """Which runs have met the condition that ends them."""
        held = np.zeros(self.n, np.bool_)
        for when, mine in self._when:
            index, done = np.full(self.n, math.nan), np.zeros(self.n)
            if self.mission is not None:
                index, done = self.mission.index.astype(np.float64), self.mission.done.astype(np.float64)
            held |= mine & when.hold(values_of(when.names, now, index, done), self.n)
        return held

    def _watch(self, tick: int, now: Instant) -> None:
        """Missions that get nowhere are ended, by the watch of single runs."""
        time_s = tick / self.batch.control_rate_hz
        if time_s < self._watch_s or self.mission is None:
            return
        self._watch_s = time_s + EVERY_S
        for i, watch in self._watches.items():
            if not self.over[i]:
                name = self.ready.scenarios[i].crafts[0].name
                seen = _Seen(self.mission.one(i), time_s, _At(now.truths.pos_n[i]), name, self._events[i])
                watch.update(cast("Any", seen))
                if watch.told:
                    self._last_tick[i] = tick

    # What is kept -------------------------------------------------------------------------------------------------

    def _lines(self, now: Instant) -> Array:
        lines = np.empty((self.n, len(self.columns)))
        self._rows.fill(lines, now, self.ready.held, self.batch)
        if self.mission is not None:
            lines[:, self._rows.width :] = self.mission.values()
        return lines

    def _keep(self, tick: int, now: Instant) -> None:
        at = tick // self._every
        if at == self._table.shape[1]:
            bigger = np.empty((self.n, 2 * at, len(self.columns)))
            bigger[:, :at] = self._table
            self._table = bigger
        self._table[:, at] = self._lines(now)

    def _log(self, i: int) -> Log:
        rows = int(self._ended[i]) // self._every + 1
        scenario = self.ready.scenarios[i]
        flown = "Direct" if self.ready.pilot is None else "Mission" if scenario.crafts[0].mission else "Autopilot"
        meta = {
            **self._meta, "seed": scenario.seed, **world_meta(scenario.world), "controller": flown,
            "scenario": scenario.name, "scenario_tables": scenario.raw, "duration_s": scenario.longest_s,
        }  # fmt: skip
        columns = self.columns if scenario.crafts[0].mission else self.columns[: self._rows.width]
        table = self._table[i, :rows, : len(columns)]
        return Log.of(Content(columns=columns, terms=(), table=table, meta=meta, events=self._events[i]))


@dataclass
class _At:
    position_n: Array


@dataclass
class _Seen:
    """A run as the watch looks at a simulation."""

    controller: Any
    time_s: float
    plant: _At
    name: str
    events: list[Event]
