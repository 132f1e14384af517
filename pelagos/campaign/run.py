"""Simulate runs of a campaign in a worker; each run gives one row of numbers.

A failed run gives a row with the status "failed" and the reason as message, and the campaign continues. Only errors
that are not caused by the run end the campaign (`CampaignEndedError`): a full disk, or a worker whose code or files
differ from the plan. `Simulation` runs a scenario alone, the batch engine runs many together; the numbers are equal.

The keys vehicle.scale.NAME (all vehicles) and vehicle[1].scale.NAME (one of them) scale a coefficient (Y_uv) or a
family (mass, damping; see `batch.parameters`) of the simulated vehicle. The autopilot keeps the gains, allocation and
trim of the vehicle file: this represents an uncertain coefficient.
"""

from __future__ import annotations

import errno
import re
import time
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pelagos import checks
from pelagos.batch.parameters import scaled_records
from pelagos.campaign.identity import Identity, differences, identity_here
from pelagos.campaign.metrics import measure, reads_forces
from pelagos.campaign.sampling import PlannedRun
from pelagos.campaign.spec import Metric
from pelagos.campaign.vectorised.engine import batchable, run_batched
from pelagos.errors import CommandError, DivergedError, PelagosError, ScenarioError, foreign_text
from pelagos.scenario.read import SET, scenario_from
from pelagos.scenario.spec import Scenario
from pelagos.session.scenario_run import run_scenario
from pelagos.sim.log.log import Log, LogError
from pelagos.sim.simulation import Simulation

FACTOR = re.compile(r"vehicle(?:\[(\d+)\]|\.(\d+))?\.scale\.(.+)")
Row = dict[str, Any]  # a line of the results, by column
MOST_CACHED = 64  # vehicles and worlds kept from run to run
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)  # errors that every later run would meet too
_cache: dict[str, Any] = {}


def scale(sim: Simulation, factors: Mapping[str, float]) -> None:
    """Scale the vehicle of a simulation before its first step."""
    sim.undamaged = sim.plant.packed = scaled_records(sim.undamaged, sim.vehicle, factors)
    if sim.tether is not None:
        sim.plant.update_fairlead_mass()


def split(values: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split varied values into keys of the scenario and factors on vehicles."""
    factors = {key: value for key, value in values.items() if FACTOR.fullmatch(key)}
    return {key: value for key, value in values.items() if key not in factors}, factors


def factors_of(number: int, values: Mapping[str, Any], count: int) -> dict[str, float]:
    """Return the factors on one vehicle, by coefficient or family."""
    factors: dict[str, float] = {}
    for key, value in values.items():
        match = FACTOR.fullmatch(key)
        assert match is not None
        which = match[1] or match[2]
        if which is not None and int(which) >= count:
            raise CommandError(f"there is no vehicle {which}; the scenario has {count}", key=key)
        factor = checks.number(key, value)
        if which is None or int(which) == number:
            factors[match[3]] = factor
    return factors


def fly_alone(scenario: Scenario, factors: Sequence[Mapping[str, float]] = ()) -> dict[str, Log]:
    """Run a scenario with `Simulation`; return its logs by vehicle. `factors` scale the vehicles in their order."""

    def alter(sim: Simulation, number: int) -> None:
        if number < len(factors) and factors[number]:
            scale(sim, factors[number])

    return run_scenario(scenario, alter=alter).logs


def why_not_batched(scenario: Scenario, metrics: Sequence[Metric]) -> str:
    """Return why the batch engine cannot run a scenario; "" if it can."""
    force = reads_forces(metrics)
    if force:
        return f"a metric reads the force {force}, which is logged of single runs only"
    return batchable(scenario)


class CampaignEndedError(CommandError):
    """An error that ends a campaign; the run it occurred in counts as not started."""


@dataclass(frozen=True)
class Job:
    """The data that a worker needs to simulate runs of a campaign."""

    tables: Mapping[str, Any]  # of the scenario, with the keys set for all runs
    file: str  # for messages
    folder: str  # of the files that the scenario names
    path: str  # of the scenario
    factors: Mapping[str, Any] = field(default_factory=dict[str, Any])  # set for all runs
    metrics: tuple[Metric, ...] = ()
    engine: str = "auto"
    logs: str = ""  # folder for the logs of all runs; "": logs are not kept
    identity: Identity | None = None  # of the plan; None: not checked
    accept_other: bool = False  # run in spite of another identity; the rows name it


@dataclass
class _Flight:
    """A run with its scenario and the factors of each vehicle."""

    run: PlannedRun
    scenario: Scenario
    factors: list[dict[str, float]]


def run_chunk(job: Job, runs: Sequence[PlannedRun]) -> list[Row]:
    """Simulate some runs; return one row each, in their order."""
    made_with = _made_with(job)
    rows: dict[int, Row] = {}
    together: list[_Flight] = []
    alone: list[_Flight] = []
    for run in runs:
        try:
            scenario, factors = scenario_of(job, run)
            reason = "" if job.engine == "single" else why_not_batched(scenario, job.metrics)
            if job.engine == "batch" and reason:
                raise ScenarioError(f"this run cannot be batched: {reason}", file=job.file, key="engine", value="batch")
        except Exception as problem:
            rows[run.run] = failed(run, problem, "batch" if job.engine == "batch" else "single")
            continue
        single = job.engine == "single" or bool(reason)
        (alone if single else together).append(_Flight(run, scenario, factors))
    for flight in alone:
        rows[flight.run.run] = _alone(job, flight)
    if together:
        rows |= _together(job, together)
    return [rows[run.run] | {"made_with": made_with} for run in runs]


def _made_with(job: Job) -> str:
    """Return the label of the identity here; raise an error if the plan has another one."""
    if job.identity is None:
        return ""
    here = identity_here(job.identity)
    if here == job.identity:
        return here.label
    if not job.accept_other:
        changes = "; ".join(differences(job.identity, here))
        expected = "the versions of the plan on every worker, or --accept-other-version"
        raise CampaignEndedError(f"a worker differs from the plan of the campaign: {changes}", expected=expected)
    clear_cache()  # it may hold vehicles read from the files before they changed
    return here.label


def clear_cache() -> None:
    """Drop cached vehicles and worlds, so that they are read again."""
    _cache.clear()


def scenario_of(job: Job, run: PlannedRun) -> tuple[Scenario, list[dict[str, float]]]:
    """Return the scenario of one run and the factors on each of its vehicles."""
    changes, factors = split(run.values)
    # a varied vehicle or world would fill the memory otherwise
    if len(_cache) > MOST_CACHED:
        _cache.clear()
    try:
        scenario = scenario_from(
            job.tables, job.file, job.folder, {"seed": run.seed, **changes}, path=job.path, known=_cache
        )
    except ScenarioError as problem:
        if problem.file == SET:  # a key that does not exist
            raise problem.at(file=job.file) from None
        raise
    all_factors = {**job.factors, **factors}
    return scenario, [factors_of(k, all_factors, len(scenario.vehicles)) for k in range(len(scenario.vehicles))]


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
        outcomes = run_batched([flight.scenario for flight in flights], [flight.factors[0] for flight in flights])
    except Exception as problem:  # fails all runs of the batch
        outcomes = [problem] * len(flights)
    wall_s = (time.perf_counter() - begin) / len(flights)
    rows: dict[int, Row] = {}
    for flight, outcome in zip(flights, outcomes, strict=True):
        run = flight.run
        if isinstance(outcome, Exception):
            rows[run.run] = failed(run, outcome, "batch", wall_s)
            continue
        try:
            rows[run.run] = _done(job, run, {flight.scenario.vehicles[0].name: outcome}, "batch", wall_s)
        except Exception as problem:
            rows[run.run] = failed(run, problem, "batch", wall_s)
    return rows


def _done(job: Job, run: PlannedRun, logs: Mapping[str, Log], engine: str, wall_s: float) -> Row:
    metrics = measure(job.metrics, logs)
    if job.logs:
        _keep(job.logs, run, logs)
    simulated_s = max(float(log.time_s[-1]) for log in logs.values())
    return _row(run, "done", "", engine, wall_s, simulated_s) | metrics


def failed(run: PlannedRun, problem: BaseException, engine: str, wall_s: float = 0.0) -> Row:
    """Return the row of a failed run; raise an error that is not caused by the run."""
    if isinstance(problem, CampaignEndedError):
        raise problem
    full = no_room(problem)
    if full is not None:
        raise CampaignEndedError(
            f"cannot be written ({foreign_text(full)}), so run {run.run} did not finish; "
            "finished runs are kept, and the same command continues once there is room",
            file=full.filename or "a file",
        ) from problem
    log = getattr(problem, "log", None)
    kept = next(iter(log.values()), None) if isinstance(log, dict) else log
    simulated_s = float(kept.time_s[-1]) if isinstance(kept, Log) and len(kept) else 0.0
    if isinstance(problem, DivergedError):  # the batch engine keeps no log of a diverged run
        simulated_s = problem.time_s
    return _row(run, "failed", failed_message(problem), engine, wall_s, simulated_s)


def no_room(problem: BaseException | None) -> OSError | None:
    """Return the error of a full or read-only disk in the chain of causes, if there is one."""
    while problem is not None:
        if isinstance(problem, OSError) and problem.errno in NO_ROOM:
            return problem
        problem = problem.__cause__ or problem.__context__
    return None


def failed_message(problem: BaseException) -> str:
    """Return the reason of a failure in one line; errors that are no user's mistake carry file and line."""
    if isinstance(problem, PelagosError):
        return str(problem)
    frames = traceback.extract_tb(problem.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{type(problem).__name__}: {foreign_text(problem)}{where}"


def _row(run: PlannedRun, status: str, message: str, engine: str, wall_s: float, simulated_s: float) -> Row:
    state = {"status": status, "message": message, "engine": engine, "wall_s": wall_s, "simulated_s": simulated_s}
    return {"run": run.run, "seed": run.seed, **state, **run.values}


def _keep(folder: str, run: PlannedRun, logs: Mapping[str, Log]) -> None:
    for name, log in logs.items():
        suffix = f"-{name}" if len(logs) > 1 else ""
        try:
            log.to_parquet(Path(folder) / f"run-{run.run:06d}{suffix}.parquet")
        except LogError as problem:
            if isinstance(problem.__context__, OSError):  # a fault of the folder would stop every run
                message = f"did not finish: {problem}; finished runs are kept, and the same command continues"
                raise CampaignEndedError(message, key=f"run {run.run}") from problem
            raise
