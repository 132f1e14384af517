"""Show the progress of a running campaign, and estimate the duration of a planned one."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from pelagos.campaign.check import check
from pelagos.campaign.executors.base import LEAST_BATCH
from pelagos.campaign.run import run_chunk
from pelagos.campaign.sampling import CampaignPlan, make_plan
from pelagos.campaign.spec import Campaign
from pelagos.engine.waiting import clock
from pelagos.errors import CommandError
from pelagos.session.progress import ProgressLine, share_bar


def line(done: int, planned: int, failed: int, new: int, wall_s: float) -> str:
    """Return the progress as one line; `new` runs took `wall_s`, other finished runs are from before."""
    rate = new / wall_s if wall_s > 0.0 else 0.0
    speed = f", {rate:.3g} runs/s" if rate > 0.0 else ""
    left = f", {clock((planned - done) / rate)} left" if rate > 0.0 and done < planned else ""
    bad = f", {failed} failed" if failed else ""
    return f"{share_bar(done / planned if planned else 1.0)}  {done} of {planned} runs{bad}{speed}{left}"


class CampaignProgress(ProgressLine):
    """Prints the progress of a campaign; call it with the numbers of runs."""

    _begin: tuple[float, int] | None = None  # time and finished runs at the first call

    def __call__(self, done: int, planned: int, failed: int) -> None:
        """Update the line with the numbers of runs."""
        now = self.now()
        if self._begin is None:
            self._begin = now, done
        if self.is_due(now) or (self.shown and done == planned):
            self.wait(now)
            self.show(line(done, planned, failed, done - self._begin[1], now - self._begin[0]))


@dataclass(frozen=True)
class CampaignEstimate:
    """The expected duration of a campaign."""

    campaign: Campaign
    plan: CampaignPlan
    engine: str  # "batch" or "single"
    why: str  # why the batch engine is not used
    tried: int  # runs that were simulated for the estimate
    run_s: float  # wall time of a run on one worker
    simulated_s: float  # of a run
    workers: int

    @property
    def wall_s(self) -> float:
        """Expected wall time of the whole campaign."""
        return self.run_s * len(self.plan) / self.workers

    def __str__(self) -> str:
        batch = self.engine == "batch"
        engine = "the batch engine, some hundreds of runs at a time" if batch else f"single runs: {self.why}"
        tried = f"{self.tried} runs" if batch else "1 run"
        varied = [f"    {key}  {_span(column)}" for key, column in self.plan.columns.items()]
        stop = self.campaign.stop
        until = f", or until {stop.metric} is known to {stop.half_width:g}" if stop else ""
        return "\n".join([
            f"{self.campaign.name}: {len(self.plan)} runs, {self.campaign.method}{until}",
            *varied,
            f"  engine  {engine}",
            f"  tried   {tried} of {self.simulated_s:g} s simulated, {self.run_s:.3g} s each",
            f"  time    about {clock(max(self.wall_s, 1.0))} on {self.workers} workers",
        ])  # fmt: skip


def estimate(campaign: Campaign, workers: int | None = None) -> CampaignEstimate:
    """Simulate one run, or a small batch, and extrapolate; loading and compiling do not count."""
    plan = make_plan(campaign)
    checked = check(campaign, plan)
    count = min(LEAST_BATCH, len(plan)) if checked.batched else 1
    numbers = [(checked.run + k) % len(plan) for k in range(count)]
    begin = time.perf_counter()
    rows = run_chunk(checked.job, [plan.run(number) for number in numbers])
    wall_s = (time.perf_counter() - begin) / count
    done = [row for row in rows if row["status"] == "done"]
    if not done:
        raise CommandError(f"failed in a trial: {rows[0]['message']}", file=campaign.name, key=f"run {rows[0]['run']}")
    simulated_s = sum(row["simulated_s"] for row in done) / len(done)
    processes = max(1, min(workers or os.cpu_count() or 1, len(plan)))
    engine = "batch" if checked.batched else "single"
    return CampaignEstimate(campaign, plan, engine, checked.why_not_batched, count, wall_s, simulated_s, processes)


def _span(column: NDArray[Any]) -> str:
    """Return the range of a column, or its values if there are few."""
    values = sorted(set(column.tolist()))
    if len(values) <= 6:
        return ", ".join(f"{value:g}" if isinstance(value, float) else str(value) for value in values)
    return f"{values[0]:.4g} to {values[-1]:.4g}, {len(values)} values"
