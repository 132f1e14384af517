"""What is looked at before anything runs: every key leads somewhere, every metric has its columns, which engine flies.

A key is fine if some planned value of it can be read; a value that cannot is the failure of its run. One run is tried
for a single control interval. That compiles the engine, or loads it, before workers start that would all do the same.
"""

from __future__ import annotations

import contextlib
import copy
import dataclasses
from dataclasses import dataclass

from pelagos.campaign.identity import identity_of
from pelagos.campaign.metrics import check_metrics
from pelagos.campaign.run import Job, failed_message, fly_alone, fly_together, forget, scenario_of, split, why_alone
from pelagos.campaign.sampling import CampaignPlan, PlannedRun
from pelagos.campaign.spec import SEED, Campaign
from pelagos.errors import ABSENT, CommandError, PelagosError, ScenarioError
from pelagos.files.named import naming
from pelagos.scenario.read import set_key
from pelagos.scenario.spec import Scenario
from pelagos.sim.log.log import Log

TRIES = 32  # planned runs, evenly over the plan


@dataclass(frozen=True)
class CampaignCheck:
    """What is known of a campaign before it runs."""

    job: Job
    run: int  # that was tried
    scenario: Scenario  # of it
    why_alone: str  # why runs are not batched; "": they are

    @property
    def batched(self) -> bool:
        """Whether runs are flown together."""
        return not self.why_alone


def job_of(campaign: Campaign, logs: str = "") -> Job:
    """What workers must know; a key of [set] that leads nowhere is refused."""
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
    """Refuse what cannot work in any run; the job knows then what its runs are flown with."""
    forget()  # so that every file is named
    with naming() as files:
        checked = _checked(campaign, plan, job_of(campaign, logs))
        for item in campaign.vary:  # the files of every choice, not only of the run that was tried
            for value in (value for value in item.values if isinstance(value, str)):
                with contextlib.suppress(Exception):  # it is the failure of its run
                    scenario_of(checked.job, PlannedRun(0, 0, {**plan.run(checked.run).values, item.key: value}))
    return dataclasses.replace(checked, job=dataclasses.replace(checked.job, identity=identity_of(files)))


def _checked(campaign: Campaign, plan: CampaignPlan, job: Job) -> CampaignCheck:
    for n, item in enumerate(campaign.vary):
        for value in item.values:
            if isinstance(value, str):  # each name by itself: a misspelt one is no bad luck of a run
                _check_key(campaign, job, n, value)
    problem: PelagosError | None = None
    for number in dict.fromkeys(k * (len(plan) - 1) // max(TRIES - 1, 1) for k in range(TRIES)):
        try:
            return _tried(campaign, job, plan.run(number))
        except Exception as refusal:  # a run that breaks something is a failed run, and another one is tried
            problem = problem or _told(refusal, number)
    assert problem is not None
    for n, item in enumerate(campaign.vary):
        if item.key != SEED:
            _check_key(campaign, job, n, plan.columns[item.key][0].item())
    raise problem


def _told(problem: Exception, number: int) -> PelagosError:
    if isinstance(problem, PelagosError):
        return problem
    return CommandError(f"run {number} of the plan, tried first, broke off: {failed_message(problem)}")


def _tried(campaign: Campaign, job: Job, run: PlannedRun) -> CampaignCheck:
    scenario, factors = scenario_of(job, run)
    reason = 'engine = "single"' if campaign.engine == "single" else why_alone(scenario, campaign.metric)
    if reason and campaign.engine == "batch":
        raise ScenarioError(f"cannot be batched: {reason}", file=campaign.file, key="engine", value="batch")
    check_metrics(campaign.metric, _flown_briefly(scenario, factors), campaign.file)
    if not reason:  # the kernel of the batch as well, before workers start
        fly_together([briefly(scenario)], factors[:1])
    return CampaignCheck(job, run.run, scenario, reason)


def _flown_briefly(scenario: Scenario, factors: list[dict[str, float]]) -> dict[str, Log]:
    return fly_alone(briefly(scenario), factors)


def briefly(scenario: Scenario) -> Scenario:
    """The same for one control interval."""
    return dataclasses.replace(scenario, duration_s=1.0 / scenario.control_rate_hz, speed=None)


def _check_key(campaign: Campaign, job: Job, n: int, value: object) -> None:
    """Refuse one varied key by itself, if the scenario is fine without it and not with it."""
    key = campaign.vary[n].key
    try:
        _flown_briefly(*scenario_of(job, PlannedRun(0, 0, {})))
    except Exception:  # not the fault of this key: the sentence of the whole says more
        return
    try:
        _flown_briefly(*scenario_of(job, PlannedRun(0, 0, {key: value})))
    except Exception as problem:
        where = {"file": campaign.file, "key": f"vary[{n}].key", "value": key}
        if not isinstance(problem, PelagosError) or not (problem.key or problem.expected):
            raise ScenarioError(failed_message(problem), **where) from None
        is_bad_value = problem.value is not ABSENT  # the key exists, and its value is refused
        message = f"set to {value}: {problem.message}".rstrip(": ") if is_bad_value else problem.message
        raise problem.at(ScenarioError, message=message, **where) from None
