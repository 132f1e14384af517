"""What a worker does: some runs of a campaign, each to one row of numbers.

A run that fails is a row like the others: its status is "failed", its message says why. Nothing that a run does ends
the campaign; what is not the run's doing does (`CampaignEndedError`): a disk that takes no more, a worker that is not
what the plan says. Runs that the batch engine can fly are flown together, the others one by one; the numbers are the
same.

A simulation whose vehicle is not quite that of its file: factors on coefficients and families, as `Batch.scale` has.

The records of the model are scaled by the same function as those of a batch, `batch.parameters.scale_model`. The
description (`sim.vehicle`), by which the autopilot is tuned, stays as it is.

Keys that scale the vehicle in the water: vehicle.scale.Y_uv, vehicle.scale.mass, vehicle[1].scale.damping.

A factor changes the vehicle that swims, not what its autopilot knows of it: gains, allocation and trim stay those of
the file. That is what it means not to know a coefficient exactly. `vehicle.scale.NAME` is for all vehicles of a
scenario, `vehicle[1].scale.NAME` for one. NAME is a coefficient (Y_uv) or a family: see `batch.parameters`.

Two ways to fly a run: alone through `Simulation`, or with others through the batch engine. Same numbers.
"""

from __future__ import annotations

import dataclasses
import errno
import re
import time
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.batch.parameters import scale_model
from pelagos.campaign.identity import Identity, differences, identity_here
from pelagos.campaign.metrics import measure, reads_forces
from pelagos.campaign.sampling import PlannedRun
from pelagos.campaign.spec import Metric
from pelagos.campaign.vectorised.engine import batchable, run_batched
from pelagos.checks import is_number
from pelagos.engine.core.layout import MODEL
from pelagos.errors import CommandError, DivergedError, PelagosError, ScenarioError, foreign_text
from pelagos.scenario.build import execute
from pelagos.scenario.read import SET, scenario_from
from pelagos.scenario.spec import Scenario
from pelagos.sim.log.log import Log, LogError
from pelagos.sim.simulation import Simulation
from pelagos.vehicle.pack.records import matrices_of


def scale(sim: Simulation, factors: Mapping[str, float]) -> None:
    """Scale the vehicle of a simulation that has not begun."""
    packed = sim.undamaged
    rows = np.array(packed.model, np.float64)[None, :]
    for name, factor in factors.items():
        scale_model(rows, sim.vehicle, name, factor)
    matrix = packed.mass_matrix + (_mass_matrix(rows) - _mass_matrix(packed.model[None, :]))
    sim.undamaged = sim.plant.packed = dataclasses.replace(packed, model=rows[0], mass_matrix=matrix)
    if sim.tether is not None:
        sim.plant.weigh_fairlead()


def _mass_matrix(models: NDArray[np.float64]) -> NDArray[np.float64]:
    return matrices_of(models.view(MODEL.dtype)[:, 0])[0]


# ---- factors ---------------------------------------------------------------------------------------------------------


FACTOR = re.compile(r"vehicle(?:\[(\d+)\]|\.(\d+))?\.scale\.(.+)")
Factors = Mapping[str, float]  # by what is scaled


def split(values: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Keys of the scenario, and factors by their whole key."""
    factors = {key: value for key, value in values.items() if FACTOR.fullmatch(key)}
    return {key: value for key, value in values.items() if key not in factors}, factors


def factors_of(number: int, given: Mapping[str, Any], count: int) -> dict[str, float]:
    """What is scaled of one vehicle, out of `count`."""
    found: dict[str, float] = {}
    for key, value in given.items():
        match = FACTOR.fullmatch(key)
        assert match is not None
        which = match[1] or match[2]
        if which is not None and int(which) >= count:
            raise CommandError(f"{key}: there is no vehicle {which}; the scenario has {count}")
        if not is_number(value):
            raise CommandError(f"{key} = {value}: expected a number")
        if which is None or int(which) == number:
            found[match[3]] = float(value)
    return found


# ---- engines ---------------------------------------------------------------------------------------------------------


def fly_alone(scenario: Scenario, factors: Sequence[Mapping[str, float]] = ()) -> dict[str, Log]:
    """The logs of one run by vehicle; `factors` scale each of them in turn."""

    def alter(sim: Simulation, number: int) -> None:
        if number < len(factors) and factors[number]:
            scale(sim, factors[number])

    return execute(scenario, alter=alter).logs


def why_alone(scenario: Scenario, metrics: Sequence[Metric]) -> str:
    """Why a scenario cannot be batched, in words; "" if it can."""
    force = reads_forces(metrics)
    if force:
        return f"a metric reads the force {force}, which is logged of single runs only"
    return batchable(scenario)


def fly_together(scenarios: Sequence[Scenario], factors: Sequence[Mapping[str, float]]) -> list[Log | PelagosError]:
    """The log of each run, or why it failed."""
    return run_batched(scenarios, factors)


# ---- work ------------------------------------------------------------------------------------------------------------


Row = dict[str, Any]  # a line of the results, by column
MOST_KNOWN = 64  # vehicles and worlds that are kept from run to run
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)  # it would be the same for every later run
_known: dict[str, Any] = {}


class CampaignEndedError(CommandError):
    """Why a campaign cannot go on; its run is no failed one, but is flown when the campaign goes on."""


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
    identity: Identity | None = None  # what the plan says that runs are flown with; None: anything
    accept_other: bool = False  # fly although it is something else here; the rows say what


@dataclass
class _Flight:
    """A run in hand."""

    run: PlannedRun
    scenario: Scenario
    factors: list[dict[str, float]]  # of each vehicle


def run_chunk(job: Job, runs: Sequence[PlannedRun]) -> list[Row]:
    """Fly some runs; one row each, in their order."""
    made_with = _made_with(job)
    rows: dict[int, Row] = {}
    together: list[_Flight] = []
    alone: list[_Flight] = []
    for run in runs:
        try:
            scenario, factors = scenario_of(job, run)
            reason = "" if job.engine == "single" else why_alone(scenario, job.metrics)
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
    """What runs are flown with here; refused if the plan says otherwise."""
    if job.identity is None:
        return ""
    here = identity_here(job.identity)
    if here == job.identity:
        return here.label
    if not job.accept_other:
        what = "; ".join(differences(job.identity, here))
        expected = "what the plan says on every worker, or --accept-other-version"
        raise CampaignEndedError(f"a worker differs from the plan of the campaign: {what}", expected=expected)
    forget()  # a vehicle that was read of the files as they were
    return here.label


def forget() -> None:
    """Read vehicles and worlds anew."""
    _known.clear()


def scenario_of(job: Job, run: PlannedRun) -> tuple[Scenario, list[dict[str, float]]]:
    """The scenario of one run, and what is scaled of each of its vehicles."""
    changes, factors = split(run.values)
    if len(_known) > MOST_KNOWN:
        _known.clear()
    try:
        made = scenario_from(
            job.tables, job.file, job.folder, {"seed": run.seed, **changes}, path=job.path, known=_known
        )
    except ScenarioError as problem:
        if problem.file == SET:  # a key that leads nowhere
            raise problem.at(file=job.file) from None
        raise
    whole = {**job.factors, **factors}
    return made, [factors_of(k, whole, len(made.vehicles)) for k in range(len(made.vehicles))]


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
            rows[run.run] = _done(job, run, {flight.scenario.vehicles[0].name: came}, "batch", wall_s)
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
    """The row of a run that did not work; an error that is not the run's is raised."""
    if isinstance(problem, CampaignEndedError):
        raise problem
    full = no_room(problem)
    if full is not None:
        raise CampaignEndedError(
            f"run {run.run} could not be finished: {full.filename or 'a file'} cannot be written ({full.strerror}); "
            "finished runs are kept, the same command goes on once there is room"
        ) from problem
    log = getattr(problem, "log", None)
    kept = next(iter(log.values()), None) if isinstance(log, dict) else log
    simulated_s = float(kept.time_s[-1]) if isinstance(kept, Log) and len(kept) else 0.0
    if isinstance(problem, DivergedError):  # both engines say when, and only one of them keeps a log
        simulated_s = problem.time_s
    return _row(run, "failed", failed_message(problem), engine, wall_s, simulated_s)


def no_room(problem: BaseException | None) -> OSError | None:
    """The error of a disk that takes no more, if that is what lies behind an error."""
    while problem is not None:
        if isinstance(problem, OSError) and problem.errno in NO_ROOM:
            return problem
        problem = problem.__cause__ or problem.__context__
    return None


def failed_message(problem: BaseException) -> str:
    """Why a run failed, in one line; an error that no user can cause is told with its place."""
    if isinstance(problem, PelagosError):
        return str(problem)
    frames = traceback.extract_tb(problem.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{type(problem).__name__}: {foreign_text(problem)}{where}"


def _row(run: PlannedRun, status: str, message: str, engine: str, wall_s: float, simulated_s: float) -> Row:
    said = {"status": status, "message": message, "engine": engine, "wall_s": wall_s, "simulated_s": simulated_s}
    return {"run": run.run, "seed": run.seed, **said, **run.values}


def _keep(folder: str, run: PlannedRun, logs: Mapping[str, Log]) -> None:
    for name, log in logs.items():
        own = f"-{name}" if len(logs) > 1 else ""
        try:
            log.to_parquet(Path(folder) / f"run-{run.run:06d}{own}.parquet")
        except LogError as problem:
            if isinstance(problem.__context__, OSError):  # whatever is wrong with the folder, the next run meets it too
                goes_on = "finished runs are kept, the same command goes on"
                raise CampaignEndedError(f"run {run.run} could not be finished: {problem}; {goes_on}") from problem
            raise
