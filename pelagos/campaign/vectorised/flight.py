"""Simulate runs of one vehicle in one world as a batch: the loop of a scenario on arrays, with one log per run.

Each run ends by its duration, its condition, its mission, or when its mission stalls. The batch still advances a
finished run until all are finished, but no longer logs it. A run that diverges, or whose autopilot rejects a leg, gets
the error in place of its log; the others are not affected.

A scalar simulation, the pattern, evaluates what is needed once per run: the start, whether it is clear of obstacles,
and the meaning of its commands. A run of a batch therefore starts from the same numbers as alone and fails with the
same message.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.batch.batch import Batch
from pelagos.batch.parameters import scaled_records
from pelagos.batch.sensors import VectorSensorSuite
from pelagos.campaign.vectorised.faults import FaultyRun, FaultyRuns
from pelagos.campaign.vectorised.observed import ObservedRuns, observe
from pelagos.campaign.vectorised.runs import BatchedRun, Overrides
from pelagos.control.hold_monitor import HoldMonitor
from pelagos.control.vectorised.autopilot import VectorAutopilot
from pelagos.errors import DivergedError, PelagosError
from pelagos.guidance.base import GUIDE_COLUMNS
from pelagos.guidance.vectorised import VectorMission
from pelagos.messages import Actuations, Event, Setpoint, VehicleStates
from pelagos.scenario.build import build_simulation, check_event_setpoints, command_first_setpoints, place_at_start
from pelagos.scenario.rules import EVERY_S, RunEnd, StallMonitor, apply_event, command_actuators
from pelagos.scenario.spec import Scenario
from pelagos.sim import inputs
from pelagos.sim.columns import SETPOINT_NAMES, Sampler, columns, held_values
from pelagos.sim.commands import DirectControl
from pelagos.sim.faults.effects import Faults
from pelagos.sim.faults.kinds import Trigger
from pelagos.sim.faults.triggers import WaitingTriggers
from pelagos.sim.log.csv import versions
from pelagos.sim.log.file import Content
from pelagos.sim.log.log import Log
from pelagos.sim.metadata import meta_of, world_meta
from pelagos.sim.stepping import KEPT
from pelagos.world.spec import World

Array = NDArray[np.float64]
Factors = Mapping[str, float]
AT_BEGINNING = ("fault", "fault_over")  # kinds of events with the time of the beginning of an interval
FIRST_ROWS = 1024  # initial capacity of the logs; it doubles when it is full


def without_current(world: World) -> World:
    """Return the world without its uniform current, which each run sets for itself."""
    return replace(world, current_m_s=0.0, current_to_deg=0.0, current_down_m_s=0.0)


class PreparedBatch:
    """A batch of runs before the first tick.

    scenarios   of the runs; vehicle, world, control rate, method and kind of control are those of the first
    problems    errors of runs that cannot be simulated, by index
    pilot       the autopilot; None for direct control
    mission     the missions; None without
    runs        single runs, for events
    faults      the faults of all runs
    sensors     the sensors of all runs, for the log; None without
    """

    def __init__(self, scenarios: Sequence[Scenario], factors: Sequence[Factors], threads: int | None = 1) -> None:
        first, vehicle = scenarios[0], scenarios[0].vehicles[0]
        self.scenarios, self.n, self.vehicle = tuple(scenarios), len(scenarios), vehicle.vehicle
        self.problems: dict[int, PelagosError] = {}
        self.pattern = build_simulation(first, replace(vehicle, faults=()), 0)
        self.batch = Batch(
            vehicle.vehicle, self.n, without_current(first.world), integrator=first.integrator, step_s=first.step_s,
            control_rate_hz=first.control_rate_hz, threads=threads,
        )  # fmt: skip
        self.pilot: VectorAutopilot | None = None
        self.mission: VectorMission | None = None
        self._commands: Actuations | None = None
        self.batch.environment.set_current(np.array([scenario.world.current_n(0.0) for scenario in scenarios]))
        self._place()
        self._scale(factors)
        if vehicle.control.kind == "autopilot":
            self._prepare_autopilot()
        else:
            self._prepare_direct()
        self._overrides = Overrides(self.vehicle, self.n)
        controllers = self._overrides, self.pilot, self.mission
        self.runs = [
            BatchedRun(i, scenario.vehicles[0].name, self.batch, *controllers) for i, scenario in enumerate(scenarios)
        ]
        self.faults = FaultyRuns(self.batch, self._faulty_runs(factors))
        self.sensors: VectorSensorSuite | None = None
        if vehicle.sensors:
            self.sensors = VectorSensorSuite(
                self.vehicle, self.n, [scenario.seed for scenario in scenarios], vehicle.sensors,
                world=self.batch.world, name=vehicle.name, indices=np.zeros(self.n, np.int64),
            )  # fmt: skip

    def actuations(self, states: VehicleStates) -> Actuations:
        """Return the commands of the actuators for the next control interval."""
        controller, actuations = self.mission or self.pilot, self._commands
        if controller is not None:
            actuations = controller.update(states, self.batch.interval_s)
        assert actuations is not None
        return self.faults.applied(self._overrides.applied(actuations))

    @property
    def held(self) -> Array:
        """Setpoints as the log holds them, (n, 8)."""
        return np.full((self.n, len(SETPOINT_NAMES)), math.nan) if self.pilot is None else self.pilot.held

    def _each(self, do: Callable[[int, Scenario], None]) -> None:
        """Call `do` for each run without an error so far, and keep the error it raises."""
        for i, scenario in enumerate(self.scenarios):
            if i not in self.problems:
                try:
                    do(i, scenario)
                except PelagosError as problem:
                    self.problems[i] = problem

    def _place(self) -> None:
        position, attitude, nu = (np.zeros((self.n, k)) for k in (3, 4, 6))
        plant = self.pattern.plant

        def put(i: int, scenario: Scenario) -> None:
            world = scenario.world
            plant.water["current"] = world.current_n(0.0)
            place_at_start(self.pattern, scenario.vehicles[0].start, world)
            position[i], attitude[i], nu[i] = plant.position_n, plant.quaternion, plant.nu
            inputs.check_current_cover(world, scenario.longest_s, plant)
            inputs.check_start(plant, world, 0.0)

        self._each(put)
        sound = np.array([i for i in range(self.n) if i not in self.problems], np.int64)
        if len(sound):  # a run with an error gets the start of a valid one, so that the batch stays finite
            as_sound = np.array([sound[0] if i in self.problems else i for i in range(self.n)])
            self.batch.set_motion(None, position_n=position[as_sound], quaternion=attitude[as_sound], nu=nu[as_sound])

    def _scale(self, factors: Sequence[Factors]) -> None:
        for name in dict.fromkeys(name for of_run in factors for name in of_run):

            def scale(i: int, _: Scenario, name: str = name) -> None:
                if name in factors[i]:
                    self.batch.scale(name, factors[i][name], [i])

            rows = [i for i, of_run in enumerate(factors) if name in of_run]
            try:
                self.batch.scale(name, [factors[i][name] for i in rows], rows)
            except PelagosError:  # at least one factor is invalid: scale run by run to find which
                self._each(scale)

    def _prepare_autopilot(self) -> None:
        """Create the autopilot with the setpoints and legs of each run."""
        sim = self.pattern
        self.pilot = pilot = VectorAutopilot(self.vehicle, self.n, sim.water, sim.interval_s)
        held = np.full((self.n, len(SETPOINT_NAMES)), math.nan)

        def set_first(i: int, scenario: Scenario) -> None:
            pilot.pattern.command(Setpoint())
            command_first_setpoints(pilot.pattern, scenario.vehicles[0], scenario, [])
            held[i] = held_values(pilot.pattern.setpoint)
            if any(event.setpoints() for event in scenario.vehicles[0].events):
                pilot.pattern.command(Setpoint())
                check_event_setpoints(pilot.pattern, scenario.vehicles[0], scenario)

        self._each(set_first)
        pilot.hold(np.arange(self.n), held)
        legs = [() if i in self.problems else scenario.vehicles[0].mission for i, scenario in enumerate(self.scenarios)]
        if any(legs):
            self.mission = VectorMission(pilot, legs, keep_going=True)

    def _prepare_direct(self) -> None:
        """Collect commands to single actuators, held from the start."""
        items = (self.vehicle.thrusters, self.vehicle.surfaces, self.vehicle.ballast)
        commands = Actuations(*(np.zeros((self.n, len(item))) for item in items))

        def set_commands(i: int, scenario: Scenario) -> None:
            self.pattern.control(DirectControl(self.vehicle))
            command_actuators(self.pattern, scenario.vehicles[0].control)
            direct: Any = self.pattern.controller
            for rows, name in zip(commands, Actuations._fields, strict=True):
                rows[i] = getattr(direct, name)

        self._each(set_commands)
        self._commands = commands

    def _faulty_runs(self, factors: Sequence[Factors]) -> dict[int, FaultyRun]:
        """Make the faults of each run that has any."""
        runs: dict[int, FaultyRun] = {}

        def make(i: int, scenario: Scenario) -> None:
            described = scenario.vehicles[0].faults
            if described:
                undamaged = scaled_records(self.pattern.undamaged, self.vehicle, factors[i])
                faults = Faults(described, self.vehicle)
                runs[i] = FaultyRun(self.runs[i], faults, undamaged, self.pattern.plant, scenario.world)

        self._each(make)
        return runs


class VectorisedFlight:
    """Simulates a prepared batch."""

    def __init__(self, ready: PreparedBatch) -> None:
        self.ready, self.batch, self.mission, self.n = ready, ready.batch, ready.mission, ready.n
        rate, first = ready.batch.control_rate_hz, ready.scenarios[0]
        self._every = inputs.ticks_per_sample(first.log_rate_hz, rate)
        self._sampler = Sampler(ready.pattern.plant, ready.pattern.world.surface)
        of_mission = GUIDE_COLUMNS if self.mission is not None else ()
        of_sensors = () if ready.sensors is None else ready.sensors.columns
        self.columns = (*columns(ready.vehicle), *of_sensors, *ready.faults.columns, *of_mission)
        self._of_sensors = slice(self._sampler.width, self._sampler.width + len(of_sensors))
        self._last_tick = np.array([round(scenario.longest_s * rate) for scenario in ready.scenarios])
        self._ends = [RunEnd(scenario.end) for scenario in ready.scenarios]
        self._when = WaitingTriggers(
            (i, Trigger(when=scenario.end.when), None)
            for i, scenario in enumerate(ready.scenarios)
            if scenario.end.when
        )
        self.over = np.array([i in ready.problems for i in range(self.n)])
        self._ended = np.zeros(self.n, np.int64)  # tick at which the run ended
        self._events: dict[int, list[Event]] = {}  # of runs that have ended
        self._due = WaitingTriggers(
            (i, event, event) for i, scenario in enumerate(ready.scenarios) for event in scenario.vehicles[0].events
        )
        watched = (
            i
            for i, scenario in enumerate(ready.scenarios)
            if scenario.duration_s is None and scenario.vehicles[0].mission
        )
        self._watches = {i: StallMonitor() for i in watched} if self.mission is not None else {}
        self._watch_s = 0.0
        self._monitor = HoldMonitor(ready.vehicle, self.n)
        self._second = max(1, round(rate))  # ticks
        self._meta = {**meta_of(ready.pattern), "versions": versions()}

    def fly(self, progress: Callable[[float], None] | None = None) -> list[Log | PelagosError]:
        """Simulate all runs; return the log of each, or the error that ended it."""
        batch, rate = self.batch, self.batch.control_rate_hz
        longest = int(self._last_tick[~self.over].max(initial=0))
        length = longest // self._every + 1
        self._table = np.empty((self.n, min(length, FIRST_ROWS), len(self.columns)))
        now = self._observe(0)
        self._apply_events(now)
        self._keep(0, now)
        per_second = max(1, round(rate))
        for tick in range(1, longest + 1):
            self.ready.faults.update(now, self.over)
            batch.actuators.command(self.ready.actuations(now.states))
            batch.tick()
            self.ready.faults.set_currents(tick / rate)
            now = self._observe(tick)
            self._after(tick, now)
            if progress is not None and tick % per_second == 0:
                progress(tick / rate)
            if self.over.all():
                break
        batch.close()
        return [self.ready.problems.get(i) or self._log(i) for i in range(self.n)]

    def _observe(self, tick: int) -> ObservedRuns:
        now = observe(self.batch, tick / self.batch.control_rate_hz)
        if self.mission is not None:
            now.leg, now.mission_done = self.mission.index, self.mission.done
        if self.ready.faults.columns:
            now.flooded_kg = self.ready.faults.values[:, -1]
        if self.ready.sensors is not None:
            self.ready.sensors.sample(self.batch.view, flooded_kg=now.flooded_kg)
        return now

    def _after(self, tick: int, now: ObservedRuns) -> None:
        if not self.batch.view.alive.all():
            self._diverged(now)
        if self.mission is not None:
            for i, refusal in self.mission.refused.items():
                self._fail(i, refusal)
        if tick % self._second == 0 and self.ready.pilot is not None:
            self._watch_holds(tick, now.states)
        over = self._apply_events(now)
        self._watch(tick, now)
        if tick % self._every == 0:
            self._keep(tick, now)
        over |= tick >= self._last_tick
        over[[i for i, _ in self._when.due(now)]] = True
        if self.mission is not None:
            for i in np.flatnonzero(self.mission.done & ~self.over).tolist():
                over[i] |= self._ends[i].missions_over(True, now.time_s)
        for i in np.flatnonzero(over & ~self.over).tolist():
            self._end(i, tick)

    def _apply_events(self, now: ObservedRuns) -> NDArray[np.bool_]:
        """Apply the events that are due; return which runs they end."""
        stopped = np.zeros(self.n, np.bool_)
        for i, event in self._due.due(now):
            run = self.ready.runs[i]
            run.time_s, run.states = now.time_s, now.states
            if not self.over[i]:
                try:
                    apply_event(run, event)
                    stopped[i] |= event.stop
                except PelagosError as problem:
                    self._fail(i, problem)
        return stopped

    def _end(self, i: int, tick: int) -> None:
        self.over[i], self._ended[i] = True, tick
        self._events[i] = self._recorded_events(i)

    def _recorded_events(self, i: int) -> list[Event]:
        """Return the events of a run in the sequence of the log of a single run.

        That log takes, after each interval, first the events of the simulation, then those of its mission.
        """
        run, rate = self.ready.runs[i], self.batch.control_rate_hz
        mission = [] if self.mission is None else self.mission.events(i)
        placed = [(event, 0, event.kind in AT_BEGINNING) for event in run.events]
        placed += [(event, 1, event.kind != "mission_done" or event.time_s not in run.skipped_s) for event in mission]
        # the number of the interval after which each was recorded: one later if it has the time of its beginning
        order = [(max(1, round(event.time_s * rate) + early), second) for event, second, early in placed]
        return [placed[k][0] for k in sorted(range(len(placed)), key=order.__getitem__)]

    def _fail(self, i: int, problem: PelagosError) -> None:
        if not self.over[i]:
            self.over[i] = True
            self.ready.problems[i] = problem

    def _diverged(self, now: ObservedRuns) -> None:
        lines: Array | None = None
        for failure in self.batch.failures:
            i = failure.index
            if not self.over[i]:
                lines = self._lines(now) if lines is None else lines
                state = dict(zip(self.columns, lines[i].tolist(), strict=True))
                last_good = {key: state[key] for key in KEPT}
                self._fail(i, DivergedError(failure.time_s, failure.largest_force, last_good))

    def _watch(self, tick: int, now: ObservedRuns) -> None:
        """End missions that stall, by the rule of single runs."""
        time_s = tick / self.batch.control_rate_hz
        if time_s < self._watch_s or self.mission is None:
            return
        self._watch_s = time_s + EVERY_S
        for i, watch in self._watches.items():
            if not self.over[i]:
                name = self.ready.scenarios[i].vehicles[0].name
                stalled = watch.update(self.mission.mission_of(i), time_s, now.position_n[:, i], name)
                if stalled is not None:
                    self.ready.runs[i].events.append(stalled)
                    self._last_tick[i] = tick

    def _watch_holds(self, tick: int, t: VehicleStates) -> None:
        """Report setpoints that are not held, by the rule of single runs."""
        time_s = tick / self.batch.control_rate_hz
        for i, text in self._monitor.update(time_s, self.ready.held, t.pos_n, t.yaw, t.nu_r[:, 0], t.altitude_m):
            if not self.over[i]:
                run = self.ready.runs[i]
                run.events.append(Event(time_s, "not_held", text, run.name))

    def _lines(self, now: ObservedRuns) -> Array:
        lines = np.empty((self.n, len(self.columns)))
        view = self.batch.view
        actuators = [view.thrusters, view.surfaces, view.ballast, *self.batch.actuators.commands]
        self._sampler.fill_rows(lines, now, self.ready.held, actuators)
        of_faults, width = self.ready.faults.values, self._of_sensors.stop
        lines[:, width : width + of_faults.shape[1]] = of_faults
        if self.mission is not None:
            lines[:, width + of_faults.shape[1] :] = self.mission.values()
        return lines

    def _keep(self, tick: int, now: ObservedRuns) -> None:
        at = tick // self._every
        if at == self._table.shape[1]:
            bigger = np.empty((self.n, 2 * at, len(self.columns)))
            bigger[:, :at] = self._table
            self._table = bigger
        self._table[:, at] = self._lines(now)
        if self.ready.sensors is not None:
            self._table[:, at, self._of_sensors] = self.ready.sensors.values()

    def _log(self, i: int) -> Log:
        rows = int(self._ended[i]) // self._every + 1
        scenario = self.ready.scenarios[i]
        held_by = "Mission" if scenario.vehicles[0].mission else "Autopilot"
        controller = DirectControl.__name__ if self.ready.pilot is None else held_by
        meta = {
            **self._meta, "seed": scenario.seed, **world_meta(scenario.world), "controller": controller,
            "faults": [repr(fault) for fault in scenario.vehicles[0].faults] or "none",
            "scenario": scenario.name, "scenario_tables": scenario.raw, "duration_s": scenario.longest_s,
        }  # fmt: skip
        table = self._table[i, :rows]
        return Log.of(Content(columns=self.columns, terms=(), table=table, meta=meta, events=self._events[i]))
