"""What a campaign would do and how long it would take, from flying a little of it."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from pelagos.campaign.check import check
from pelagos.campaign.plan import Plan, make_plan
from pelagos.campaign.sizes import LEAST_BATCH
from pelagos.campaign.spec import Campaign
from pelagos.campaign.work import run_chunk
from pelagos.errors import CommandError
from pelagos.sim.progress import clock


@dataclass(frozen=True)
class Estimate:
    """A campaign before it is run."""

    campaign: Campaign
    plan: Plan
    engine: str  # "batch" or "single"
    why: str  # why not in batches
    tried: int  # runs that were flown
    run_s: float  # wall time of one on one worker
    simulated_s: float  # of one
    workers: int

    @property
    def wall_s(self) -> float:
        """Of the whole campaign."""
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


def estimate(campaign: Campaign, workers: int | None = None) -> Estimate:
    """Try one run, or a small batch, and reckon. Loading and compiling are not counted."""
    plan = make_plan(campaign)
    checked = check(campaign, plan)
    count = min(LEAST_BATCH, len(plan)) if checked.batched else 1
    numbers = [(checked.run + k) % len(plan) for k in range(count)]
    begin = time.perf_counter()
    rows = run_chunk(checked.job, [plan.run(number) for number in numbers])
    wall_s = (time.perf_counter() - begin) / count
    done = [row for row in rows if row["status"] == "done"]
    if not done:
        raise CommandError(f"{campaign.name}: run {rows[0]['run']} was tried and failed: {rows[0]['message']}")
    simulated_s = sum(row["simulated_s"] for row in done) / len(done)
    hands = max(1, min(workers or os.cpu_count() or 1, len(plan)))
    engine = "batch" if checked.batched else "single"
    return Estimate(campaign, plan, engine, checked.why_alone, count, wall_s, simulated_s, hands)


def _span(column: NDArray[Any]) -> str:
    """From the least to the most, or what there is to choose from."""
    values = sorted(set(column.tolist()))
    if len(values) <= 6:
        return ", ".join(f"{value:g}" if isinstance(value, float) else str(value) for value in values)
    return f"{values[0]:.4g} to {values[-1]:.4g}, {len(values)} values"
