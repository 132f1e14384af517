"""A scenario at work: simulations are made ready, flown together, and their logs are kept."""

from __future__ import annotations

import contextlib
import math
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pelagos.control.autopilot.autopilot import Autopilot
from pelagos.control.autopilot.setpoints import plan
from pelagos.control.pilot.numerical_hold import NumericalHold
from pelagos.errors import CommandError, PelagosError, ScenarioError
from pelagos.guidance.ballast import BallastHelm, BallastOrders
from pelagos.guidance.mission import Mission
from pelagos.messages import Setpoint
from pelagos.scenario.python_controller import own_controller
from pelagos.scenario.rules import ScenarioEvents, StallMonitor, give_orders
from pelagos.scenario.spec import Control, Scenario, ScenarioVehicle
from pelagos.sim.faults.conditions import Condition
from pelagos.sim.faults.effects import Faults
from pelagos.sim.fleet import Fleet
from pelagos.sim.log.log import Log
from pelagos.sim.loop import RunRecorder, run_together
from pelagos.sim.simulation import Simulation

VERTICAL = ("depth_m", "altitude_m")


@dataclass(frozen=True)
class ScenarioOutcome:
    """What a scenario leaves behind."""

    scenario: Scenario
    logs: dict[str, Log]
    files: dict[str, str]  # log files by vehicle
    notes: tuple[str, ...]  # what a reader should know, such as a setpoint that nobody can hold
    wall_s: float
    times_real: float = 0.0  # simulated over wall time after the first interval, which may compile; 0: not known


@dataclass
class Prepared:
    """Simulations of a scenario before their first tick."""

    scenario: Scenario
    fleet: Fleet
    notes: list[str] = field(default_factory=list[str])
    happenings: list[ScenarioEvents] = field(default_factory=list[ScenarioEvents])
    _since_s: float | None = None
    _first: tuple[float, float] = (0.0, 0.0)  # simulated and wall time after the first interval

    def each(self) -> None:
        """After each control interval: collisions, then events."""
        if not self._first[1]:
            self._first = (self.fleet.sims[0].time_s, time.perf_counter())
        self.fleet.collide()
        for sim, happenings in zip(self.fleet.sims, self.happenings, strict=True):
            happenings.update(sim)
        for sim, watch in zip(self.fleet.sims, self._watches, strict=False):
            if isinstance(sim.controller, Mission):
                stalled = watch.update(sim.controller, sim.time_s, sim.plant.position_n, sim.name)
                sim.events.extend([stalled] if stalled else [])

    def times_real(self) -> float:
        """How much faster than the clock it went after the first interval; 0 where there was no other."""
        simulated_s, wall_s = self.fleet.sims[0].time_s - self._first[0], time.perf_counter() - self._first[1]
        return simulated_s / wall_s if self._first[1] and simulated_s > 0.0 else 0.0

    def over(self) -> bool:
        """Whether something has ended the run."""
        if any(happenings.stop for happenings in self.happenings) or any(watch.told for watch in self._watches):
            return True
        end, sims = self.scenario.end, self.fleet.sims
        if end.when and any(self._condition.holds(sim) for sim in sims):
            return True
        flown = [sim.controller for sim in sims if isinstance(sim.controller, Mission)]
        if not (end.mission_done and flown and all(mission.done for mission in flown)):
            return False
        now = sims[0].time_s
        self._since_s = now if self._since_s is None else self._since_s
        return now - self._since_s >= end.after_s - 1e-9

    def __post_init__(self) -> None:
        """Read the condition once. A run that ends with its mission is watched; one with a length ends by itself."""
        self._condition = Condition(self.scenario.end.when or "time_s < 0")
        self._watches = [StallMonitor() for _ in self.fleet.sims] if self.scenario.duration_s is None else []

    def told(self) -> tuple[str, ...]:
        """What a reader should know of the run."""
        return (*self.notes, *(watch.told for watch in self._watches if watch.told))


def execute(
    scenario: Scenario,
    stem: str | None = None,
    *,
    progress: Callable[[float], None] | None = None,
    alter: Callable[[Simulation, int], None] | None = None,
) -> ScenarioOutcome:
    """Run a scenario. With a stem the logs go to STEM.csv (or STEM-VEHICLE.csv) while it runs.

    `alter` is given each simulation and its number once it stands where it starts, before anybody steers it.
    """
    start = time.perf_counter()
    ready = prepare(scenario, alter)
    sims, output = ready.fleet.sims, scenario.output
    files = {} if stem is None else log_files(scenario, stem)
    meta = {"scenario": scenario.name, "scenario_tables": scenario.raw, "duration_s": scenario.longest_s}
    tasks = [
        RunRecorder(
            sim,
            path=files.get(sim.name),
            log_rate_hz=scenario.log_rate_hz,
            forces=output.forces or None,
            meta=meta if len(sims) == 1 else {"name": sim.name, **meta},
        )
        for sim in sims
    ]
    for sim, happenings in zip(sims, ready.happenings, strict=True):
        happenings.update(sim)
    try:
        logs = run_together(
            tasks, scenario.longest_s, progress=progress, until=ready.over, each=ready.each, speed=scenario.speed
        )
    except PelagosError:
        raise
    except Exception as problem:
        own = [craft.control.class_name for craft in scenario.vehicles if craft.control.class_name]
        if not own:
            raise
        said = CommandError(f"{', '.join(own)} failed{_line_of(problem)}: {type(problem).__name__}: {problem}")
        said.log = getattr(problem, "log", None)
        raise said from problem
    times_real = ready.times_real()
    named = dict(zip((sim.name for sim in sims), logs, strict=True))
    return ScenarioOutcome(scenario, named, files, ready.told(), time.perf_counter() - start, times_real)


def log_files(scenario: Scenario, stem: str) -> dict[str, str]:
    """The log file of each vehicle, by its name."""
    ending, many = scenario.output.format, len(scenario.vehicles) > 1
    return {craft.name: f"{stem}-{craft.name}.{ending}" if many else f"{stem}.{ending}" for craft in scenario.vehicles}


def _line_of(problem: BaseException) -> str:
    """Where in which file it went wrong."""
    frames = traceback.extract_tb(problem.__traceback__)
    return f" in line {frames[-1].lineno} of {Path(frames[-1].filename).name}" if frames else ""


def prepare(scenario: Scenario, alter: Callable[[Simulation, int], None] | None = None) -> Prepared:
    """Simulations placed, rigged and told, as the scenario says; `alter` as in `execute`."""
    notes: list[str] = []
    sims = [one_simulation(scenario, craft, k) for k, craft in enumerate(scenario.vehicles)]
    for k, sim in enumerate(sims):
        if alter is not None:
            alter(sim, k)
    ready = Prepared(scenario, Fleet(sims), notes)
    for sim, craft in zip(sims, scenario.vehicles, strict=True):
        _steer(sim, craft, scenario, notes)
        ready.happenings.append(ScenarioEvents(craft.events))
    ready.fleet.begin()
    return ready


def one_simulation(scenario: Scenario, craft: ScenarioVehicle, number: int) -> Simulation:
    """One vehicle of a scenario where it starts, before anybody steers it."""
    navigator: Any = None
    if craft.navigation is not None and craft.sensors:
        navigator = craft.navigation.make(craft.sensors, craft.vehicle, scenario.world, scenario.seed + number)
    sim = Simulation(
        craft.vehicle, scenario.world, seed=scenario.seed + number, name=craft.name,
        integrator=scenario.integrator, step_s=scenario.step_s, kinematics=scenario.kinematics,
        control_rate_hz=scenario.control_rate_hz, tether=craft.tether,
        sensors=craft.sensors or None, navigator=navigator,
    )  # fmt: skip
    place = {name: getattr(craft.start, name) for name in craft.start.__dataclass_fields__ if name != "altitude_m"}
    if craft.start.altitude_m is not None:
        bottom = float(scenario.world.bottom_m(craft.start.north_m, craft.start.east_m))
        place["depth_m"] = bottom - craft.start.altitude_m
    sim.place(**place)
    if craft.control.hold:
        sim.hold = NumericalHold.here(sim.plant, craft.control.hold)
    if craft.faults:
        names = sim.sensing.suite.names if sim.sensing else ()
        sim.faults = Faults(craft.faults, craft.vehicle, names, craft.tether is not None)
    return sim


def _steer(sim: Simulation, craft: ScenarioVehicle, scenario: Scenario, notes: list[str]) -> None:
    """Give the simulation its controller and its first orders."""
    control = craft.control
    file = Path(scenario.path).name or "scenario"
    if control.kind in ("direct", "pilot"):
        give_orders(sim, control)
    elif control.kind == "python":
        sim.control(own_controller(control.class_name, craft.vehicle, scenario.path))
    else:
        helm = _helm(control, craft, sim)
        first_orders(helm, craft, scenario, notes)
        sim.control(Mission(helm, craft.mission) if craft.mission else helm)
    _try_events(sim, craft, scenario, file)


def first_orders(helm: Any, craft: ScenarioVehicle, scenario: Scenario, notes: list[str]) -> None:
    """Tell a helm what it holds from the start; refuse what it cannot do, also the speeds of the legs."""
    file = Path(scenario.path).name or "scenario"
    for name, value in _grouped(craft.control.setpoints()):
        try:
            _check_speed(helm, value.get("speed_m_s"))
            helm.command(None, **value)
        except CommandError as refusal:
            if name not in craft.control.if_possible:
                raise ScenarioError(str(refusal), file=file, key=f"control.{name}") from None
            notes.append(f"{name.split('_')[0]} is not held: {refusal}")
    _check_legs(helm, craft, scenario, file)


def _check_legs(helm: Any, craft: ScenarioVehicle, scenario: Scenario, file: str) -> None:
    """Refuse legs at a speed that cannot be reached, or at which the planes cannot hold what the leg holds."""
    held: Setpoint = helm.setpoint
    speed, vertical = held.speed_m_s, next((name for name in VERTICAL if getattr(held, name) is not None), "")
    pilot = getattr(helm, "autopilot", helm)
    for k, leg in enumerate(craft.mission):
        for key in ("speed_m_s", "ground_speed_m_s"):
            with _about(file, craft, scenario, f"mission[{k}].{key}"):
                _check_speed(helm, getattr(leg, key, None))
            speed = speed if getattr(leg, key, None) is None else getattr(leg, key)
        vertical = "depth_m" if leg.depths() else "altitude_m" if leg.altitude_m is not None else vertical
        if vertical and isinstance(pilot, Autopilot) and pilot.schedule.needs_planes:
            with _about(file, craft, scenario, f"mission[{k}]"):
                plan(pilot.schedule, Setpoint(**{vertical: 1.0, "speed_m_s": speed}), pilot.skip_rate_check)


def _try_events(sim: Simulation, craft: ScenarioVehicle, scenario: Scenario, file: str) -> None:
    """Give the setpoints of the events in turn to a helm that goes nowhere: refused now, not under way."""
    told = [(k, event) for k, event in enumerate(craft.events) if event.setpoints()]
    control = craft.control
    if not told or control.kind == "python":  # a controller of one's own is not asked twice
        return
    helm = _helm(Control() if control.kind in ("direct", "pilot") else control, craft, sim)
    for _, value in _grouped(control.setpoints()):
        with contextlib.suppress(CommandError):  # what is left out
            helm.command(None, **value)
    for k, event in sorted(told, key=lambda item: math.inf if item[1].at_s is None else item[1].at_s):
        with _about(file, craft, scenario, f"event[{k}]"):
            _check_speed(helm, event.speed_m_s)
            helm.command(None, **event.setpoints())


@contextlib.contextmanager
def _about(file: str, craft: ScenarioVehicle, scenario: Scenario, key: str) -> Iterator[None]:
    """Say a refusal as one of a key of the file."""
    try:
        yield
    except CommandError as refusal:
        own = key if len(scenario.vehicles) == 1 else f"vehicle[{scenario.vehicles.index(craft)}].{key}"
        raise ScenarioError(str(refusal), file=file, key=own) from None


def _check_speed(helm: Any, speed_m_s: float | None) -> None:
    """Refuse a speed that the thrusters cannot reach."""
    if isinstance(helm, Autopilot) and speed_m_s is not None:
        top, name = helm.schedule.top_speed, helm.vehicle.name
        if abs(speed_m_s) > top * (1.0 + 1e-6):
            raise CommandError(f"{name} cannot hold {speed_m_s:g} m/s: its top speed is {top:.3g} m/s")


def _helm(control: Control, craft: ScenarioVehicle, sim: Simulation) -> Any:
    """Who holds setpoints on board."""
    if control.kind == "sliding_mode":
        from pelagos.control.sliding.controller import SlidingMode

        return SlidingMode(craft.vehicle, sim.water, sim.interval_s)
    if control.kind == "ballast":
        names = ("dive_volume_m3", "climb_volume_m3", "dive_shift_m", "climb_shift_m")
        orders = BallastOrders(**{name: getattr(control, name) for name in names})
        return BallastHelm(craft.vehicle, orders, sim.water.density_kg_m3)
    return Autopilot(craft.vehicle, sim.water, sim.interval_s)


def _grouped(setpoints: dict[str, float]) -> list[tuple[str, dict[str, float]]]:
    """Setpoints one by one, what belongs together together: a place is north and east, a speed goes with all."""
    place = {name: setpoints[name] for name in ("north_m", "east_m") if name in setpoints}
    single = [(name, {name: value}) for name, value in setpoints.items() if name not in place]
    first = [item for item in single if item[0] == "speed_m_s"]
    return first + [item for item in single if item[0] != "speed_m_s"] + ([("north_m", place)] if place else [])
