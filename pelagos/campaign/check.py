"""Check a campaign before it runs: every key exists, every metric has its columns, and which engine runs it.

A key passes if the scenario accepts some planned value of it; any other value fails only its own run. One run is
simulated for a single control interval. This compiles the engine, or loads it, before the workers start.
"""

from __future__ import annotations

import contextlib
import copy
import dataclasses
from dataclasses import dataclass

from pelagos.campaign.identity import identity_of
from pelagos.campaign.metrics import check_metrics
from pelagos.campaign.run import (
    Job,
    clear_cache,
    failed_message,
    fly_alone,
    scenario_of,
    split,
    why_not_batched,
)
from pelagos.campaign.sampling import CampaignPlan, PlannedRun
from pelagos.campaign.spec import SEED, Campaign
from pelagos.campaign.vectorised.engine import run_batched
from pelagos.errors import ABSENT, CommandError, PelagosError, ScenarioError
from pelagos.files.named import naming
from pelagos.scenario.read import set_key
from pelagos.scenario.spec import Scenario
from pelagos.sim.log.log import Log

TRIES = 32  # planned runs to try until one works, evenly over the plan


@dataclass(frozen=True)
class CampaignCheck:
    """The result of checking a campaign."""

    job: Job
    run: int  # the run that was tried
    scenario: Scenario  # of that run
    why_not_batched: str  # why runs are not batched; "": they are

    @property
    def batched(self) -> bool:
        """Whether the batch engine runs the campaign."""
        return not self.why_not_batched


def job_of(campaign: Campaign, logs: str = "") -> Job:
    """Return the job for the workers; raise an error for a key of [set] that does not exist."""
    changes, factors = split(campaign.set)
    tables = copy.deepcopy(dict(campaign.tables))
    for key, value in changes.items():
        try:
            set_key(tables, key, value)
        except ScenarioError as problem:
            raise problem.at(file=campaign.file, key=f"set.{key}", value=value) from None
    file = campaign.scenario if campaign.scenario.endswith(".toml") else campaign.scenario or campaign.file
    return Job(tables, file, campaign.folder, campaign.scenario_path, factors, campaign.metric, campaign.engine, logs)


def check(campaign: Campaign, plan: CampaignPlan, logs: str = "") -> CampaignCheck:
    """Raise an error if no run can work; return a job with the identity of the code and files."""
    clear_cache()  # a cached vehicle or world would not name its files
    with naming() as files:
        checked = _check_plan(campaign, plan, job_of(campaign, logs))
        for item in campaign.vary:  # the files of every choice, not only of the run that was tried
            for value in (value for value in item.values if isinstance(value, str)):
                with contextlib.suppress(Exception):  # a bad value fails only its own run
                    scenario_of(checked.job, PlannedRun(0, 0, {**plan.run(checked.run).values, item.key: value}))
    return dataclasses.replace(checked, job=dataclasses.replace(checked.job, identity=identity_of(files)))


def _check_plan(campaign: Campaign, plan: CampaignPlan, job: Job) -> CampaignCheck:
    for n, item in enumerate(campaign.vary):
        for value in item.values:
            if isinstance(value, str):  # a misspelt name is an error of the file, not of a run
                _check_key(campaign, job, n, value)
    problem: PelagosError | None = None
    for number in dict.fromkeys(k * (len(plan) - 1) // max(TRIES - 1, 1) for k in range(TRIES)):
        try:
            return _try_run(campaign, job, plan.run(number))
        except Exception as refusal:  # any error: it would only fail that run, so another run is tried
            problem = problem or _as_pelagos_error(refusal, number)
    assert problem is not None
    for n, item in enumerate(campaign.vary):
        if item.key != SEED:
            _check_key(campaign, job, n, plan.columns[item.key][0].item())
    raise problem


def _as_pelagos_error(problem: Exception, number: int) -> PelagosError:
    if isinstance(problem, PelagosError):
        return problem
    return CommandError(f"failed in a trial: {failed_message(problem)}", key=f"run {number} of the plan")


def _try_run(campaign: Campaign, job: Job, run: PlannedRun) -> CampaignCheck:
    scenario, factors = scenario_of(job, run)
    reason = 'engine = "single"' if campaign.engine == "single" else why_not_batched(scenario, campaign.metric)
    if reason and campaign.engine == "batch":
        raise ScenarioError(f"cannot be batched: {reason}", file=campaign.file, key="engine", value="batch")
    check_metrics(campaign.metric, _fly_briefly(scenario, factors), campaign.file)
    if not reason:  # compile the batch kernel too, before the workers start
        run_batched([one_interval(scenario)], factors[:1])
    return CampaignCheck(job, run.run, scenario, reason)


def _fly_briefly(scenario: Scenario, factors: list[dict[str, float]]) -> dict[str, Log]:
    return fly_alone(one_interval(scenario), factors)


def one_interval(scenario: Scenario) -> Scenario:
    """Return the scenario shortened to one control interval."""
    return dataclasses.replace(scenario, duration_s=1.0 / scenario.control_rate_hz, speed=None)


def _check_key(campaign: Campaign, job: Job, n: int, value: object) -> None:
    """Raise an error for a varied key, if the scenario works without it and fails with it."""
    key = campaign.vary[n].key
    try:
        _fly_briefly(*scenario_of(job, PlannedRun(0, 0, {})))
    except Exception:  # not caused by this key: the error of the whole scenario is clearer
        return
    try:
        _fly_briefly(*scenario_of(job, PlannedRun(0, 0, {key: value})))
    except Exception as problem:
        where = {"file": campaign.file, "key": f"vary[{n}].key", "value": key}
        if not isinstance(problem, PelagosError) or not (problem.key or problem.expected):
            raise ScenarioError(failed_message(problem), **where) from None
        is_bad_value = problem.value is not ABSENT  # the key exists, its value is invalid
        message = f"set to {value}: {problem.message}".rstrip(": ") if is_bad_value else problem.message
        raise problem.at(ScenarioError, message=message, **where) from None
