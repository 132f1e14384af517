"""A scenario with somebody else at the controls: ticked from outside, with links and a log, no page and no clock.

The first vehicle rests until it is told something (`order`); the others fly as their tables say. What is written of a
driver is what a run writes: a log a vehicle, on the disk at least once a second, readable whatever happens.

The log of one vehicle of a driver: what waits for the disk is little, whatever the length of the driver.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from pelagos.errors import CommandError
from pelagos.messages import Event
from pelagos.scenario.build import Prepared, prepare
from pelagos.scenario.spec import Scenario
from pelagos.session.links import Link, LinkSet
from pelagos.session.orders import direct_from, listed, put_contact, remove_contact, tell_direct
from pelagos.session.record.recording import free_path
from pelagos.session.source import unknown
from pelagos.sim.commands import DirectControl
from pelagos.sim.faults.conditions import Condition
from pelagos.sim.log.forces import LogError
from pelagos.sim.log.recorder import writer_for
from pelagos.sim.simulation import Simulation

ROWS = 256  # that wait at most
FLUSH_S = 1.0


class LockstepLog:
    """Samples and events on their way to a file. Its columns stay as they were at the start, whoever steers later.

    Args:
        sim: the vehicle.
        path: .parquet, or else CSV.
        scenario: it is of; its tables go into the head of the file.
    """

    def __init__(self, sim: Simulation, path: Path, scenario: Scenario) -> None:
        self.sim, self.path = sim, path
        meta = {**sim.meta(), "scenario": scenario.name, "scenario_tables": scenario.raw, "name": sim.name}
        self._columns = sim.columns()
        self._writer = writer_for(path)(path, self._columns, (), meta)
        rate = scenario.log_rate_hz or scenario.control_rate_hz
        self._every, self._ticks = max(1, round(scenario.control_rate_hz / rate)), 0
        self._rows, self._n = np.empty((ROWS, len(self._columns))), 0
        self._places: dict[tuple[str, ...], Any] = {}
        self._problem: LogError | None = None
        self._written_s = time.monotonic()
        self._put()

    def keep(self) -> None:
        """After a tick: a sample, if one is due. LogError if the disk takes no more."""
        self._ticks += 1
        if self._ticks % self._every == 0:
            self._put()
        problem, self._problem = self._problem, None
        if problem is not None:
            raise problem

    def wait(self) -> None:
        """Time stands still: what is ready goes to the disk all the same. LogError if that takes no more."""
        if self._n and time.monotonic() - self._written_s >= FLUSH_S:
            self._flush()

    def event(self, event: Event) -> None:
        """Something happened: written at once, behind the samples before it."""
        try:
            self._flush()
            self._writer.event(event)
        except LogError as problem:
            self._problem = problem  # the next `keep` tells it

    def close(self, *, complete: bool) -> None:
        """End the file with all that waits; complete=False if the driver was cut short."""
        try:
            self._flush()
        except LogError:
            if complete:
                self._writer.close(complete=False)
                raise
        self._writer.close(complete=complete)

    def _put(self) -> None:
        row, names = self._rows[self._n], self.sim.columns()
        if names == self._columns:
            self.sim.sample_into(row)
        else:
            self._put_by_name(row, names)
        self._n += 1
        if self._n == ROWS or time.monotonic() - self._written_s >= FLUSH_S:
            self._flush()

    def _put_by_name(self, row: Any, names: tuple[str, ...]) -> None:
        """Another controller has other columns: those that the file does not have are left out."""
        if names not in self._places:
            at = {name: k for k, name in enumerate(self._columns)}
            known = [k for k, name in enumerate(names) if name in at]
            self._places[names] = np.array(known), np.array([at[names[k]] for k in known]), np.empty(len(names))
        known, there, sample = self._places[names]
        self.sim.sample_into(sample)
        row.fill(np.nan)
        row[there] = sample[known]

    def _flush(self) -> None:
        waiting, self._n = self._n, 0
        self._written_s = time.monotonic()
        if waiting:
            self._writer.write(self._rows[:waiting])


# ---- driver ----------------------------------------------------------------------------------------------------------


ORDERS = ("actuators", "setpoint", "sticks", "rest", "contact", "contact_gone")
ACTUATORS = ("thrusters", "surfaces", "ballast")


class LockstepDriver:
    """Simulations of a scenario, afloat for links. One thread at a time calls it.

    Args:
        scenario: vehicles, sea, faults and events; the mission of the first vehicle is not flown.
        log: file to write, .csv or .parquet; with several vehicles their names are put behind its stem.
        links: links that go along.

    sims     the vehicles; the first is the one that is ordered about
    files    logs that are being written, by vehicle
    """

    def __init__(
        self, scenario: Scenario, *, log: str | Path | None = None, links: LinkSet | Iterable[Link] = ()
    ) -> None:
        self.scenario = scenario
        self.links = links if isinstance(links, LinkSet) else LinkSet(links)
        self._log = None if log is None else Path(log)
        self._ends = Condition(scenario.end.when) if scenario.end.when else None
        self._logs: list[LockstepLog] = []
        self.begun = 0
        self._closed = False
        self.reset()

    # ---- afloat --------------------------------------------------------------------------------------------------

    @property
    def sims(self) -> tuple[Simulation, ...]:
        """The vehicles."""
        return self._prepared.fleet.sims

    @property
    def time_s(self) -> float:
        """Simulated time."""
        return self.sims[0].time_s

    @property
    def rate_hz(self) -> float:
        """Ticks in a simulated second."""
        return self.scenario.control_rate_hz

    @property
    def frozen(self) -> bool:
        """Whether a link has time stand still; then `idle` takes the place of `tick`."""
        return self.links.frozen

    @property
    def over(self) -> bool:
        """Whether the scenario has ended it: its duration, its condition, or an event that stops."""
        longest = self.scenario.duration_s
        if longest is not None and self.time_s >= longest - 1e-9:
            return True
        if any(happenings.stop for happenings in self._prepared.happenings):
            return True
        return self._ends is not None and any(self._ends.holds(sim) for sim in self.sims)

    def reset(self) -> None:
        """As new, at time zero; a log begins anew too, under a name that is free."""
        ready = prepare(self.scenario)  # what cannot be is refused here, and the driver goes on as it was
        sims = ready.fleet.sims
        sims[0].control(DirectControl(sims[0].vehicle))
        for sim in sims:
            sim.make_ready(sim.interval_s)
            sim.in_run(True)
        for sim, happenings in zip(sims, ready.happenings, strict=True):
            happenings.update(sim)
        logs = self._new_logs(sims)
        try:
            self._end_logs(complete=True)
        except LogError as problem:  # of the time before: no reason not to begin anew
            self.links.say(f"the log before the reset is not whole: {problem}")
        self._prepared: Prepared = ready
        self._told: list[tuple[Sequence[Event], int]] = []
        self._logs, self.files = logs, {log.sim.name: str(log.path) for log in logs}
        self.begun += 1
        self.links.begin(self)

    def tick(self) -> list[dict[str, Any]]:
        """One interval of all vehicles; what happened in it."""
        self.links.before(self)
        try:
            for sim in self.sims:
                sim.tick()
            self._prepared.fleet.collide()
            for sim, happenings in zip(self.sims, self._prepared.happenings, strict=True):
                happenings.update(sim)
            news = self._news()
            self._each_log(LockstepLog.keep)
        except Exception:  # whatever it was, the logs end as ones that were cut short
            self._end_logs(complete=False)
            raise
        self.links.after(self, news)
        return news

    def compile(self) -> None:
        """Have every kernel compiled that the first tick needs, on simulations that nobody sees."""
        prepare(self.scenario).fleet.tick()

    def idle(self) -> None:
        """Time stands still: links answer what has to be answered, and the log is brought to the disk."""
        self._each_log(LockstepLog.wait)
        self.links.idle(self)

    def order(self, name: str, values: Mapping[str, Any]) -> None:
        """Do something now; CommandError with a sentence if it cannot be done, and then nothing is.

        `actuators` with thrusters, surfaces, ballast, as `Simulation.thrust`, `deflect` and `ballast` take them: what
        is not named stays; `setpoint` as `Simulation.command` takes it; `sticks` as `Simulation.pilot` takes them;
        `rest`: thrusters and surfaces to zero; `contact`, `contact_gone`: bodies of other programs.
        """
        sim, values = self.sims[0], listed(values)
        if name == "actuators":
            self._actuators(sim, values)
        elif name == "setpoint":
            sim.command(**values)
        elif name == "sticks":
            sim.pilot(**values)
        elif name == "rest":
            sim.control(direct_from(sim))
        elif name == "contact":
            put_contact(sim, values)
        elif name == "contact_gone":
            remove_contact(sim, values)
        else:
            raise unknown("there is no order", name, ORDERS)

    def close(self, *, complete: bool = True) -> None:
        """End logs and links; complete=False if it was cut short. A second call does nothing."""
        if self._closed:
            return
        self._closed = True
        try:
            self._end_logs(complete=complete)
        finally:
            for sim in self.sims:
                sim.in_run(False)
            self.links.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        self.close(complete=kind is None or issubclass(kind, KeyboardInterrupt))

    # ---- details -------------------------------------------------------------------------------------------------

    def _actuators(self, sim: Simulation, values: Mapping[str, Any]) -> None:
        for kind, told in values.items():
            if kind not in ACTUATORS:
                raise unknown("actuators has no", kind, ACTUATORS)
            if not isinstance(told, Mapping):
                raise CommandError(key=f"actuators {kind}", value=told, expected="names with numbers")
        direct = sim.controller if isinstance(sim.controller, DirectControl) else direct_from(sim)
        tell_direct(direct, {kind: dict(told) for kind, told in values.items()})
        sim.control(direct)

    def _news(self) -> list[dict[str, Any]]:
        """Events of the simulations and of who steers them since the last call; each goes to its log, too."""
        news: list[dict[str, Any]] = []
        for sim in self.sims:
            logs = [log for log in self._logs if log.sim is sim]
            for source in (sim.events, getattr(sim.controller, "events", ())):
                for event in self._unheard(source):
                    news.append(
                        {"type": "event", "time_s": event.time_s, "kind": event.kind, "text": event.text}
                        | {"vehicle": event.vehicle or sim.name}
                    )
                    for log in logs:
                        log.event(event)
        return news

    def _each_log(self, do: Callable[[LockstepLog], None]) -> None:
        """Of every vehicle. A disk that takes no more ends the log, not the driver."""
        for log in list(self._logs):
            try:
                do(log)
            except LogError as problem:
                self._logs.remove(log)
                log.close(complete=False)
                self.links.say(f"nothing more is logged to {log.path}: {problem}")

    def _unheard(self, events: Sequence[Event]) -> Sequence[Event]:
        if not events:
            return ()
        known = next((k for k, (one, _) in enumerate(self._told) if one is events), None)
        if known is None:
            known = len(self._told)
            self._told.append((events, 0))
        told = self._told[known][1]
        self._told[known] = (events, len(events))
        return events[told:]

    def _path(self, sim: Simulation, path: Path) -> Path:
        named = path if len(self.scenario.vehicles) == 1 else path.with_name(f"{path.stem}-{sim.name}{path.suffix}")
        return free_path(named) if self.begun > 0 else named

    def _new_logs(self, sims: Sequence[Simulation]) -> list[LockstepLog]:
        """One for each vehicle, or none at all if one of them cannot be written."""
        logs: list[LockstepLog] = []
        if self._log is None:
            return logs
        try:
            for sim in sims:
                logs.append(LockstepLog(sim, self._path(sim, self._log), self.scenario))
        except Exception:
            for log in logs:
                log.close(complete=False)
            raise
        return logs

    def _end_logs(self, *, complete: bool) -> None:
        logs, self._logs = self._logs, []
        with ExitStack() as closing:  # every file is closed, whatever happens to another
            for log in logs:
                closing.callback(log.close, complete=complete)
