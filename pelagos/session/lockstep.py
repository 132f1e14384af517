"""Lockstep simulation of a scenario for an external program: the caller ticks it and steers the first vehicle.

The first vehicle rests until it receives an `order`; the others follow their tables in the scenario. Each vehicle has a
log as of `pelagos run`. At least once a second of wall time the samples go to the disk, so that memory stays small and
a crash leaves a readable file.

A driver has no thread, no clock and no lock: all calls must come from one thread at a time, which owns its simulations
during the call.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from pelagos.messages import Event
from pelagos.scenario.build import Prepared, prepare
from pelagos.scenario.spec import Scenario
from pelagos.session.links import Link, LinkSet
from pelagos.session.order_fields import checked_values
from pelagos.session.orders import command_actuators, direct_control_of, put_contact, remove_contact, to_lists
from pelagos.session.record.recording import free_path
from pelagos.session.source import NewEvents, unknown
from pelagos.sim.commands import DirectControl
from pelagos.sim.faults.conditions import Condition
from pelagos.sim.log.forces import LogError
from pelagos.sim.log.recorder import writer_for
from pelagos.sim.simulation import Simulation

ROWS = 256  # samples in memory
FLUSH_S = 1.0
ORDERS = ("actuators", "setpoint", "sticks", "rest", "contact", "contact_gone")


class LockstepLog:
    """The log file of one vehicle, written in blocks; its columns are those at the start, whichever controller follows.

    Args:
        sim: the simulation of the vehicle.
        path: the file, .parquet, otherwise CSV.
        scenario: the scenario, whose tables go into the head of the file.
    """

    def __init__(self, sim: Simulation, path: Path, scenario: Scenario) -> None:
        self.sim, self.path = sim, path
        meta = {**sim.meta(), "scenario": scenario.name, "scenario_tables": scenario.raw, "name": sim.name}
        self._columns = sim.columns()
        self._writer = writer_for(path)(path, self._columns, (), meta)
        rate = scenario.log_rate_hz or scenario.control_rate_hz
        self._every, self._ticks = max(1, round(scenario.control_rate_hz / rate)), 0
        self._rows, self._n = np.empty((ROWS, len(self._columns))), 0
        self._places: dict[tuple[str, ...], Any] = {}  # for other columns: from where to where values go
        self._problem: LogError | None = None  # of `event`, which must not raise in the middle of a tick
        self._written_s = time.monotonic()
        self._put()  # the state at time zero

    def keep(self) -> None:
        """Take a sample after a tick, if one is due; LogError if the file cannot be written."""
        self._ticks += 1
        if self._ticks % self._every == 0:
            self._put()
        problem, self._problem = self._problem, None
        if problem is not None:
            raise problem

    def wait(self) -> None:
        """Write waiting samples while simulated time stands still; LogError if the file cannot be written."""
        if self._n and time.monotonic() - self._written_s >= FLUSH_S:
            self._flush()

    def event(self, event: Event) -> None:
        """Write an event at once, after the samples before it; the next `keep` raises if that fails."""
        try:
            self._flush()
            self._writer.event(event)
        except LogError as problem:
            self._problem = problem

    def close(self, *, complete: bool) -> None:
        """Write the waiting samples and finish the file; complete=False if the drive was cut short."""
        try:
            self._flush()
        except LogError:
            if complete:  # an incomplete log is closed because of an error already, which must not be hidden
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
        """Fill a row while another controller has other columns; those that the file lacks are left out."""
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


class LockstepDriver:
    """Simulations of a scenario that a caller advances tick by tick, with links and logs.

    Args:
        scenario: vehicles, world, faults and events; the driver ignores the mission of the first vehicle.
        log: file to write, .csv or .parquet; with several vehicles their names are appended to its stem.
        links: links to other programs; the driver closes them.

    sims     the simulations, one for each vehicle; orders go to the first
    files    paths of the logs by vehicle
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

    @property
    def sims(self) -> tuple[Simulation, ...]:
        """The simulations, one for each vehicle."""
        return self._prepared.fleet.sims

    @property
    def time_s(self) -> float:
        """Simulated time."""
        return self.sims[0].time_s

    @property
    def rate_hz(self) -> float:
        """Ticks per simulated second."""
        return self.scenario.control_rate_hz

    @property
    def frozen(self) -> bool:
        """Whether a link stops simulated time; call `idle` instead of `tick` meanwhile."""
        return self.links.frozen

    @property
    def over(self) -> bool:
        """Whether the scenario has ended: by its duration, its end condition, or an event that stops it."""
        longest = self.scenario.duration_s
        if longest is not None and self.time_s >= longest - 1e-9:  # the time is a sum of rounded intervals
            return True
        if any(events.stop for events in self._prepared.events):
            return True
        return self._ends is not None and any(self._ends.holds(sim) for sim in self.sims)

    def reset(self) -> None:
        """Start anew at time zero, with a new log under a free name."""
        # All that may raise comes first and into local variables: a failed reset leaves the driver as it was.
        ready = prepare(self.scenario)
        sims = ready.fleet.sims
        sims[0].control(DirectControl(sims[0].vehicle))
        for sim in sims:
            sim.make_ready(sim.interval_s)
            sim.in_run(True)
        for sim, events in zip(sims, ready.events, strict=True):
            events.update(sim)
        logs = self._new_logs(sims)
        try:
            self._end_logs(complete=True)
        except LogError as problem:  # the old log is no reason to refuse the reset
            self.links.post(f"the log before the reset is not whole: {problem}")
        self._prepared: Prepared = ready
        self._events = NewEvents()
        self._logs, self.files = logs, {log.sim.name: str(log.path) for log in logs}
        self.begun += 1
        self.links.begin(self)

    def tick(self) -> list[dict[str, Any]]:
        """Advance all vehicles by one interval and return its events."""
        self.links.before(self)
        try:
            for sim in self.sims:
                sim.tick()
            self._prepared.fleet.collide()
            for sim, events in zip(self.sims, self._prepared.events, strict=True):
                events.update(sim)
            events = self._new_events()
            self._each_log(LockstepLog.keep)
        except Exception:  # any error at all must leave logs that are marked as incomplete
            self._end_logs(complete=False)
            raise
        self.links.after(self, events)
        return events

    def compile(self) -> None:
        """Compile all kernels that the first tick needs, with simulations that are then discarded."""
        prepare(self.scenario).fleet.tick()

    def idle(self) -> None:
        """While simulated time stands still: let links answer requests, and write waiting samples to the disk."""
        self._each_log(LockstepLog.wait)
        self.links.idle(self)

    def order(self, name: str, values: Mapping[str, Any]) -> None:
        """Carry out an order now; CommandError if that is impossible, and nothing changes.

        - `actuators`: thrusters, surfaces, ballast as `Simulation.thrust`, `deflect` and `ballast` take them; actuators
          without a command keep theirs
        - `setpoint`: as `Simulation.command` takes it
        - `sticks`: as `Simulation.pilot` takes them
        - `rest`: thrusters and surfaces to zero
        - `contact`, `contact_gone`: bodies that other programs report
        """
        sim, values = self.sims[0], to_lists(values)
        if name in ("actuators", "contact", "contact_gone"):
            values = checked_values(name, values)
        if name == "actuators":
            self._actuators(sim, values)
        elif name == "setpoint":
            sim.command(**values)
        elif name == "sticks":
            sim.pilot(**values)
        elif name == "rest":
            sim.control(direct_control_of(sim))
        elif name == "contact":
            put_contact(sim, values)
        elif name == "contact_gone":
            remove_contact(sim, values)
        else:
            raise unknown("there is no order", name, ORDERS)

    def close(self, *, complete: bool = True) -> None:
        """Finish logs and close links; complete=False if the drive was cut short. A second call does nothing."""
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
        # Ctrl-C is the usual way to end a drive without a duration: what was logged until then is complete.
        self.close(complete=kind is None or issubclass(kind, KeyboardInterrupt))

    def _actuators(self, sim: Simulation, values: Mapping[str, Any]) -> None:
        direct = sim.controller if isinstance(sim.controller, DirectControl) else direct_control_of(sim)
        command_actuators(direct, values)
        sim.control(direct)

    def _new_events(self) -> list[dict[str, Any]]:
        """Events of simulations and controllers since the last call; each goes to the log of its vehicle too."""
        messages: list[dict[str, Any]] = []
        for sim in self.sims:
            logs = [log for log in self._logs if log.sim is sim]
            for events in (sim.events, getattr(sim.controller, "events", ())):
                for event in self._events.of(events):
                    messages.append(
                        {"type": "event", "time_s": event.time_s, "kind": event.kind, "text": event.text}
                        | {"vehicle": event.vehicle or sim.name}
                    )
                    for log in logs:
                        log.event(event)
        return messages

    def _each_log(self, do: Callable[[LockstepLog], None]) -> None:
        """Do something with every log; a log that cannot be written is closed, and the driver continues."""
        for log in list(self._logs):
            try:
                do(log)
            except LogError as problem:
                self._logs.remove(log)
                log.close(complete=False)
                self.links.post(f"nothing more is logged to {log.path}: {problem}")

    def _path(self, sim: Simulation, path: Path) -> Path:
        named = path if len(self.scenario.vehicles) == 1 else path.with_name(f"{path.stem}-{sim.name}{path.suffix}")
        return free_path(named) if self.begun > 0 else named

    def _new_logs(self, sims: Sequence[Simulation]) -> list[LockstepLog]:
        """Open a log for each vehicle, or none if one of them cannot be written."""
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
        with ExitStack() as closing:  # closes every file even if closing another raises
            for log in logs:
                closing.callback(log.close, complete=complete)
