"""What a worker does: some runs of a campaign, each to one row of numbers.

A run that fails is a row like the others: its status is "failed", its message says why. Nothing that a run does ends
the campaign. Runs that the batch engine can fly are flown together, the others one by one; the numbers are the same.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pelagos.campaign.engines import fly_alone, fly_together, why_alone
from pelagos.campaign.factors import factors_of, split
from pelagos.campaign.metrics import measure
from pelagos.campaign.plan import Run
from pelagos.campaign.spec import Metric
from pelagos.errors import DivergedError, PelagosError, ScenarioError
from pelagos.sim.log import Log
from pelagos.sim.scenario import Scenario
from pelagos.sim.scenario_read import scenario_from

Row = dict[str, Any]  # a line of the results, by column
MOST_KNOWN = 64  # vehicles and worlds that are kept from run to run
_known: dict[str, Any] = {}


@dataclass(frozen=True)
class Job:
    """All that a worker must know of a campaign."""

    tables: Mapping[str, Any]  # of the scenario, with what is set for all runs
    file: str  # for messages
    folder: str  # where the scenario's files are
    path: str  # of the scenario
    factors: Mapping[str, Any] = field(default_factory=dict[str, Any])  # set for all runs
    metrics: tuple[Metric, ...] = ()
    engine: str = "auto"
    logs: str = ""  # folder for the logs of all runs; "": they are not kept


@dataclass
class _Flight:
    """A run in hand."""

    run: Run
    scenario: Scenario
    factors: list[dict[str, float]]  # of each vehicle


def run_chunk(job: Job, runs: Sequence[Run]) -> list[Row]:
    """Fly some runs; one row each, in their order."""
    rows: dict[int, Row] = {}
    together: list[_Flight] = []
    alone: list[_Flight] = []
    for run in runs:
        try:
            scenario, factors = scenario_of(job, run)
            reason = "" if job.engine == "single" else why_alone(scenario, job.metrics)
            if job.engine == "batch" and reason:
                raise ScenarioError(job.file, "engine", "batch", f"this run cannot be batched: {reason}")
        except Exception as problem:
            rows[run.run] = failed(run, problem, "batch" if job.engine == "batch" else "single")
            continue
        single = job.engine == "single" or bool(reason)
        (alone if single else together).append(_Flight(run, scenario, factors))
    for flight in alone:
        rows[flight.run.run] = _alone(job, flight)
    if together:
        rows |= _together(job, together)
    return [rows[run.run] for run in runs]


def scenario_of(job: Job, run: Run) -> tuple[Scenario, list[dict[str, float]]]:
    """The scenario of one run, and what is scaled of each of its vehicles."""
    changes, factors = split(run.values)
    if len(_known) > MOST_KNOWN:
        _known.clear()
    try:
        made = scenario_from(
            job.tables, job.file, job.folder, {"seed": run.seed, **changes}, path=job.path, known=_known
        )
    except ScenarioError as problem:
        if str(problem).startswith("--set"):  # a key that leads nowhere
            raise ScenarioError(job.file, problem.key, None, problem.expected, problem.suggestion) from None
        raise
    whole = {**job.factors, **factors}
    return made, [factors_of(k, whole, len(made.crafts)) for k in range(len(made.crafts))]


def _alone(job: Job, flight: _Flight) -> Row:
    begin = time.perf_counter()
    try:
        logs = fly_alone(flight.scenario, flight.factors)
        return _done(job, flight.run, logs, "single", time.perf_counter() - begin)
    except Exception as problem:
        return failed(flight.run, problem, "single", time.perf_counter() - begin)


def _together(job: Job, flights: list[_Flight]) -> dict[int, Row]:
    begin = time.perf_counter()
    try:
        found = fly_together([one.scenario for one in flights], [one.factors[0] for one in flights])
    except Exception as problem:  # of all of them
        found = [problem] * len(flights)
    wall_s = (time.perf_counter() - begin) / len(flights)
    rows: dict[int, Row] = {}
    for flight, came in zip(flights, found, strict=True):
        run = flight.run
        if isinstance(came, Exception):
            rows[run.run] = failed(run, came, "batch", wall_s)
            continue
        try:
            rows[run.run] = _done(job, run, {flight.scenario.crafts[0].name: came}, "batch", wall_s)
        except Exception as problem:
            rows[run.run] = failed(run, problem, "batch", wall_s)
    return rows


def _done(job: Job, run: Run, logs: Mapping[str, Log], engine: str, wall_s: float) -> Row:
    metrics = measure(job.metrics, logs)
    if job.logs:
        _keep(job.logs, run, logs)
    simulated_s = max(float(log.time_s[-1]) for log in logs.values())
    return _row(run, "done", "", engine, wall_s, simulated_s) | metrics


def failed(run: Run, problem: BaseException, engine: str, wall_s: float = 0.0) -> Row:
    """The row of a run that did not work."""
    log = getattr(problem, "log", None)
    kept = next(iter(log.values()), None) if isinstance(log, dict) else log
    simulated_s = float(kept.time_s[-1]) if isinstance(kept, Log) and len(kept) else 0.0
    if isinstance(problem, DivergedError):  # both engines say when, and only one of them keeps a log
        simulated_s = problem.time_s
    return _row(run, "failed", failed_message(problem), engine, wall_s, simulated_s)


def failed_message(problem: BaseException) -> str:
    """Why a run failed, in one line; an error that no user can cause is told with its place."""
    message = str(problem)
    if not isinstance(problem, PelagosError):
        frames = traceback.extract_tb(problem.__traceback__)
        where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
        message = f"{type(problem).__name__}: {problem}{where}"
    return " ".join(message.split())


def _row(run: Run, status: str, message: str, engine: str, wall_s: float, simulated_s: float) -> Row:
    said = {"status": status, "message": message, "engine": engine, "wall_s": wall_s, "simulated_s": simulated_s}
    return {"run": run.run, "seed": run.seed, **said, **run.values}


def _keep(folder: str, run: Run, logs: Mapping[str, Log]) -> None:
    for name, log in logs.items():
        own = f"-{name}" if len(logs) > 1 else ""
        log.to_parquet(Path(folder) / f"run-{run.run:06d}{own}.parquet")
