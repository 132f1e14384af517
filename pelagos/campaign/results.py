"""What a campaign found: read back from its folder, while it runs, after it was killed, or complete."""

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
from pelagos.campaign.statistics import NOT_DRAWN, Interval, drawn, interval
from pelagos.campaign.store import PLAN, SUMMARY, read_runs, read_tables
from pelagos.errors import CommandError
from pelagos.scenario.spec import Scenario
from pelagos.sim.log.log import Log

Table = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Results:
    """The table of a campaign and how it was made.

    Attributes:
        folder: where it stands.
        campaign: as it was run.
        plan: the planned runs by column: run, seed, varied keys.
        table: the finished runs by column, sorted by run: run, seed, status, message, engine, wall_s, simulated_s, the
            varied keys, the metrics (NaN where a run failed). If the campaign stopped early, the runs up to there.
        summary: what summary.json says; empty while the campaign has not ended.
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
        """The varied keys."""
        return self.campaign.keys

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics."""
        return self.campaign.metrics

    @property
    def done(self) -> NDArray[np.bool_]:
        """Which of the finished runs did not fail."""
        return self.table["status"] == "done"

    @property
    def failed(self) -> int:
        """How many failed."""
        return int((~self.done).sum())

    def interval(self, metric: str, confidence: float | None = None) -> Interval:
        """The mean of a metric over the runs that count and did not fail, and how well it is known.

        `confidence` is the campaign's if not given. Of a Saltelli design the rows A and B count; a grid and Morris'
        trajectories have no interval, and its `why` says so.
        """
        counts = self.done & drawn(self.campaign, self.plan)[self.table["run"].astype(np.int64)]
        level = self.campaign.confidence if confidence is None else confidence
        return interval(self.table[metric][counts], level, NOT_DRAWN.get(self.campaign.method, ""))

    def run(self, number: int) -> PlannedRun:
        """One planned run."""
        if not 0 <= number < len(self.plan["run"]):
            raise CommandError(f"run {number}: expected 0 to {len(self.plan['run']) - 1}")
        values = {key: self.plan[key][number].item() for key in self.keys}
        return PlannedRun(number, int(self.plan["seed"][number]), values)

    def scenario(self, number: int) -> Scenario:
        """The scenario of one run, whole, without the factors on its vehicle (`vehicle.scale.*`)."""
        from pelagos.campaign.check import job_of
        from pelagos.campaign.run import scenario_of

        return scenario_of(job_of(self.campaign), self.run(number))[0]

    def rerun(self, number: int) -> dict[str, Log]:
        """Fly one run again, by itself; its logs by vehicle."""
        from pelagos.campaign.check import job_of
        from pelagos.campaign.run import fly_alone, scenario_of

        return fly_alone(*scenario_of(job_of(self.campaign), self.run(number)))


def load_results(folder: str | os.PathLike[str]) -> Results:
    """Read the results of a campaign, as far as it has come."""
    path = Path(folder)
    if not os.path.isfile(path / FILE) or not os.path.isfile(path / PLAN):
        raise CommandError("is no folder of a campaign", file=path, expected=f"one with {FILE} and {PLAN}")
    campaign = load_campaign(path)
    plan, _ = read_tables([path / PLAN])
    try:
        summary = json.loads((path / SUMMARY).read_text(encoding="utf-8"))
    except FileNotFoundError:
        summary = {}
    except (OSError, ValueError, RecursionError) as problem:
        raise CommandError(f"cannot be read ({problem})", file=path / SUMMARY) from None
    table = read_runs(path, campaign)
    stopped = summary.get("stopped_at")
    upto = len(plan["run"]) if stopped is None else int(stopped)  # runs in hand then are on disk, but do not count
    table = {name: column[: int(np.searchsorted(table["run"], upto))] for name, column in table.items()}
    return Results(path, campaign, plan, table, summary)
