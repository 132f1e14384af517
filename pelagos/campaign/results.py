"""The results of a campaign, loaded from its folder; complete, interrupted or still running."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.campaign.read import FILE, load_campaign
from pelagos.campaign.sampling import PlannedRun
from pelagos.campaign.spec import Campaign
from pelagos.campaign.statistics import NOT_DRAWN, Interval, independent_runs, interval
from pelagos.campaign.store import PLAN, SUMMARY, read_runs, read_tables
from pelagos.checks import whole
from pelagos.errors import CommandError, foreign_text
from pelagos.scenario.spec import Scenario
from pelagos.sim.log.log import Log

Table = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Results:
    """The results of a campaign: its plan and the table of finished runs.

    Attributes:
        folder: the folder of the results.
        campaign: the campaign as it was run.
        plan: the planned runs by column: run, seed, varied keys.
        table: the finished runs by column, sorted by run: run, seed, status, message, engine, wall_s, simulated_s, the
            varied keys, the metrics (NaN where a run failed). If the campaign stopped early, the runs up to there.
        summary: the content of summary.json; empty until the campaign ends.
    """

    folder: Path
    campaign: Campaign
    plan: Table
    table: Table
    summary: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def __len__(self) -> int:
        return len(self.table["run"])

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self.table[name]

    def __repr__(self) -> str:
        return f"Results of {self.campaign.name}: {len(self)} of {len(self.plan['run'])} runs, {self.failed} failed"

    @property
    def keys(self) -> tuple[str, ...]:
        """Names of the varied keys."""
        return self.campaign.keys

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics."""
        return self.campaign.metrics

    @property
    def done(self) -> NDArray[np.bool_]:
        """Mask of the finished runs that did not fail."""
        return self.table["status"] == "done"

    @property
    def failed(self) -> int:
        """Number of failed runs."""
        return int((~self.done).sum())

    def interval(self, metric: str, confidence: float | None = None) -> Interval:
        """Return the mean of a metric with its confidence interval, over independent runs that did not fail.

        `confidence` defaults to that of the campaign. Only rows A and B of a Saltelli design count; grids and Morris
        designs have no interval, and `why` gives the reason.
        """
        counts = self.done & independent_runs(self.campaign, self.plan)[self.table["run"].astype(np.int64)]
        level = self.campaign.confidence if confidence is None else confidence
        return interval(self.table[metric][counts], level, NOT_DRAWN.get(self.campaign.method, ""))

    def run(self, number: int) -> PlannedRun:
        """Return one planned run."""
        whole("run", number, 0, len(self.plan["run"]) - 1)
        values = {key: self.plan[key][number].item() for key in self.keys}
        return PlannedRun(number, int(self.plan["seed"][number]), values)

    def scenario(self, number: int) -> Scenario:
        """Return the scenario of one run, without the factors on its vehicle (`vehicle.scale.*`)."""
        from pelagos.campaign.check import job_of
        from pelagos.campaign.run import scenario_of

        return scenario_of(job_of(self.campaign), self.run(number))[0]

    def rerun(self, number: int) -> dict[str, Log]:
        """Repeat one run by itself; return its logs by vehicle."""
        from pelagos.campaign.check import job_of
        from pelagos.campaign.run import fly_alone, scenario_of

        return fly_alone(*scenario_of(job_of(self.campaign), self.run(number)))


def load_results(folder: str | os.PathLike[str]) -> Results:
    """Load the results of a campaign, as far as it has run."""
    path = Path(folder)
    if not os.path.isfile(path / FILE) or not os.path.isfile(path / PLAN):
        raise CommandError("is not the folder of a campaign", file=path, expected=f"one with {FILE} and {PLAN}")
    campaign = load_campaign(path)
    plan, _ = read_tables([path / PLAN])
    try:
        summary = json.loads((path / SUMMARY).read_text(encoding="utf-8"))
    except FileNotFoundError:
        summary = {}
    except (OSError, ValueError, RecursionError) as problem:
        raise CommandError(f"cannot be read ({foreign_text(problem)})", file=path / SUMMARY) from None
    table = read_runs(path, campaign)
    stopped = summary.get("stopped_at")
    upto = len(plan["run"]) if stopped is None else int(stopped)  # later runs are on disk but do not count
    table = {name: column[: int(np.searchsorted(table["run"], upto))] for name, column in table.items()}
    return Results(path, campaign, plan, table, summary)
