"""Run a scenario to its end: `pelagos run`, `Scenario.run` and single runs of campaigns."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pelagos.errors import CommandError, PelagosError
from pelagos.scenario.build import prepare
from pelagos.scenario.spec import Scenario
from pelagos.session.run import run
from pelagos.sim.log.log import Log
from pelagos.sim.log.run_recorder import RunRecorder
from pelagos.sim.simulation import Simulation


@dataclass(frozen=True)
class ScenarioOutcome:
    """Result of a scenario: logs, files and notes."""

    scenario: Scenario
    logs: dict[str, Log]
    files: dict[str, str]  # log files by vehicle
    notes: tuple[str, ...]  # remarks for the user, such as a default setpoint that the vehicle cannot hold
    wall_s: float
    times_real: float = 0.0  # simulated over wall time after the first interval, which may compile; 0 if unknown


def run_scenario(
    scenario: Scenario,
    stem: str | None = None,
    *,
    progress: Callable[[float], None] | None = None,
    alter: Callable[[Simulation, int], None] | None = None,
) -> ScenarioOutcome:
    """Run a scenario; with a stem it writes the logs to STEM.csv (or STEM-VEHICLE.csv) while it runs.

    `alter` is called with each simulation and its number after the vehicle is placed and before it has a controller.
    """
    start = time.perf_counter()
    ready = prepare(scenario, alter)
    sims, output = ready.fleet.sims, scenario.output
    files = {} if stem is None else log_files(scenario, stem)
    meta = {"scenario": scenario.name, "scenario_tables": scenario.raw, "duration_s": scenario.longest_s}
    recorders = [
        RunRecorder(
            sim,
            path=files.get(sim.name),
            log_rate_hz=scenario.log_rate_hz,
            forces=output.forces or None,
            meta=meta if len(sims) == 1 else {"name": sim.name, **meta},
        )
        for sim in sims
    ]
    ready.begin()
    pace = RunPace(ready.fleet.sims[0])
    try:
        logs = run(
            recorders, scenario.longest_s, fleet=ready.fleet, rules=ready, progress=progress, until=pace.update,
            speed=scenario.speed,
        )  # fmt: skip
    except PelagosError:
        raise
    except Exception as problem:
        classes = [entry.control.class_name for entry in scenario.vehicles if entry.control.class_name]
        if not classes:  # no code of the user was involved: a fault of Pelagos, which keeps its traceback
            raise
        error = CommandError(f"{', '.join(classes)} failed{_line_of(problem)}: {type(problem).__name__}: {problem}")
        error.log = getattr(problem, "log", None)
        raise error from problem
    by_vehicle = dict(zip((sim.name for sim in sims), logs, strict=True))
    return ScenarioOutcome(
        scenario, by_vehicle, files, ready.all_notes(), time.perf_counter() - start, pace.times_real()
    )


class RunPace:
    """The ratio of simulated to wall time after the first interval, which compiles kernels."""

    def __init__(self, sim: Simulation) -> None:
        self._sim = sim
        self._first: tuple[float, float] | None = None  # simulated and wall time after the first interval

    def update(self) -> bool:
        """Start the clock after the first interval; False: the pace ends no run."""
        if self._first is None:
            self._first = self._sim.time_s, time.perf_counter()
        return False

    def times_real(self) -> float:
        """The ratio now; 0 if there was only one interval."""
        if self._first is None or self._sim.time_s <= self._first[0]:
            return 0.0
        return (self._sim.time_s - self._first[0]) / (time.perf_counter() - self._first[1])


def log_files(scenario: Scenario, stem: str) -> dict[str, str]:
    """Return the log file of each vehicle, by the name of the vehicle."""
    ending, many = scenario.output.format, len(scenario.vehicles) > 1
    names = [entry.name for entry in scenario.vehicles]
    return {name: f"{stem}-{name}.{ending}" if many else f"{stem}.{ending}" for name in names}


def _line_of(problem: BaseException) -> str:
    """Return the line and file of an exception in words."""
    frames = traceback.extract_tb(problem.__traceback__)
    return f" in line {frames[-1].lineno} of {Path(frames[-1].filename).name}" if frames else ""
