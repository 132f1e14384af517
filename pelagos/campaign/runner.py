"""Run a campaign: hand out the unfinished runs in order, collect their rows and write them to the folder.

The plan fixes values and seed of each run. Number of workers, size of chunks and their order affect only the time.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from pelagos.campaign.check import CampaignCheck, check
from pelagos.campaign.executors.base import Chunk, Chunking, Executor, SerialExecutor
from pelagos.campaign.executors.cluster import DaskExecutor, check_scheduler
from pelagos.campaign.executors.processes import ProcessExecutor
from pelagos.campaign.read import load_campaign
from pelagos.campaign.results import Results, load_results
from pelagos.campaign.run import Row, failed
from pelagos.campaign.sampling import CampaignPlan, make_plan
from pelagos.campaign.spec import Campaign
from pelagos.campaign.statistics import StopRule
from pelagos.campaign.store import LOGS, CampaignFolder
from pelagos.campaign.summary import summary_of
from pelagos.checks import whole
from pelagos.errors import CommandError

Watcher = Callable[[int, int, int], None]  # called with runs finished, planned and failed

MOST_WORKERS = 1024


def run_campaign(
    campaign: Campaign | str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    fresh: bool = False,
    retry_failed: bool = False,
    accept_other_version: bool = False,
    progress: Watcher | None = None,
) -> Results:
    """Run a campaign, or continue it.

    Args:
        campaign: a `Campaign`, the name of a library campaign, or a file.
        out: folder of the results; default: NAME-campaign. Finished runs of the same campaign in it are kept.
        workers: processes on this machine; default: one per core. With 1 everything runs in this process.
        scheduler: address of a Dask scheduler whose workers run the campaign instead.
        fresh: delete earlier results of the folder first.
        retry_failed: repeat failed runs; the new result replaces the old.
        accept_other_version: continue although Pelagos, its sources or a file of the scenario changed since the
            campaign began; each row names its version (`made_with`).
        progress: called with the numbers of runs finished, planned and failed.

    Returns:
        The results. Ctrl-C raises KeyboardInterrupt after all finished runs are on disk.
    """
    if not isinstance(campaign, Campaign):
        campaign = load_campaign(str(campaign))
    if workers is not None:
        whole("workers", workers, 1, MOST_WORKERS)
    if scheduler:
        check_scheduler(scheduler)
    path = Path(out) if out is not None else Path(f"{campaign.name}-campaign")
    plan = make_plan(campaign)
    checked = check(campaign, plan, str((path / LOGS).resolve()) if campaign.output.logs else "")
    checked = replace(checked, job=replace(checked.job, accept_other=accept_other_version))
    folder = CampaignFolder(path, campaign, plan, checked.job.identity, accept_other=accept_other_version)
    with folder.locked():
        run = _CampaignRun(campaign, plan, checked, folder, progress)
        run.begin(fresh, retry_failed)
        run.execute(scheduler, workers)
    return load_results(path)


@dataclass
class _CampaignRun:
    """The state of a campaign that runs."""

    campaign: Campaign
    plan: CampaignPlan
    checked: CampaignCheck
    folder: CampaignFolder
    progress: Watcher | None
    waiting: deque[int] = field(default_factory=deque[int])
    retries: deque[Chunk] = field(default_factory=deque[Chunk])  # chunks whose worker was lost
    lost_runs: set[int] = field(default_factory=set[int])  # single runs whose worker was lost once
    finished: int = 0
    failures: int = 0
    began: float = field(default_factory=time.perf_counter)

    def begin(self, fresh: bool, retry_failed: bool) -> None:
        """Load the finished runs and queue the others."""
        table = self.folder.begin(fresh)
        rate_hz = self.checked.scenario.log_rate_hz or self.checked.scenario.control_rate_hz
        self.chunking = Chunking(self.checked.batched, rate_hz)
        self.stop_rule = StopRule(self.campaign.stop, len(self.plan))
        inside = table["run"] < len(self.plan)
        # a failed run counts as finished unless it is retried
        inside &= (table["status"] != "failed") | (not retry_failed)
        runs = table["run"][inside]
        self.finished, self.failures = len(runs), int((table["status"][inside] == "failed").sum())
        if self.campaign.stop:
            self.stop_rule.update(runs, table[self.campaign.stop.metric][inside].astype(np.float64))
        left = np.ones(len(self.plan), bool)
        left[runs] = False
        self.waiting = deque(np.flatnonzero(left).tolist())

    def execute(self, scheduler: str | None, workers: int | None) -> None:
        """Run what is queued; in any case write the finished runs and the summary."""
        ended = "interrupted"
        try:
            self._report_progress()
            if self.waiting and self.stop_rule.at is None:
                with self._executor(scheduler, workers) as executor:
                    self._run_all(executor)
            ended = "stopped early" if self.stop_rule.at is not None else "complete"
        finally:
            # also after Ctrl-C or an error: finished runs must not be lost
            self.folder.flush()
            wall_s = time.perf_counter() - self.began
            self.folder.summarise(summary_of(self.folder, ended, self.stop_rule, wall_s))

    def _executor(self, scheduler: str | None, workers: int | None) -> Executor:
        if scheduler:
            return DaskExecutor(self.checked.job, scheduler)
        count = min(workers or os.cpu_count() or 1, len(self.waiting))
        if count > 1:
            return ProcessExecutor(self.checked.job, count)
        self.chunking.single_s = 0.0  # one run per chunk: larger ones gain nothing and delay the progress line
        return SerialExecutor(self.checked.job)

    def _run_all(self, executor: Executor) -> None:
        pending = 0
        while True:
            while (self.waiting or self.retries) and self.stop_rule.at is None and executor.free_slots > 0:
                executor.submit(self._next_chunk(executor.count))
                pending += 1
            # after an early stop the executor cancels pending chunks at its exit
            if not pending or self.stop_rule.at is not None:
                return
            chunk, rows, why = executor.next_result()
            pending -= 1
            if rows is None:
                self._worker_lost(chunk, why)
            else:
                self._add_rows(rows)

    def _next_chunk(self, workers: int) -> Chunk:
        if self.retries:
            return self.retries.popleft()
        size = self.chunking.next_size(len(self.waiting), workers)
        return tuple(self.plan.run(self.waiting.popleft()) for _ in range(size))

    def _add_rows(self, rows: Sequence[Row]) -> None:
        self.folder.add(rows)
        self.chunking.record(rows)
        self.finished += len(rows)
        self.failures += sum(row["status"] == "failed" for row in rows)
        if self.campaign.stop:
            values = [row.get(self.campaign.stop.metric, np.nan) for row in rows]
            self.stop_rule.update(np.array([row["run"] for row in rows]), np.array(values, np.float64))
        self._report_progress()

    def _worker_lost(self, chunk: Chunk, why: str) -> None:
        """Retry each run of a lost chunk by itself, to find a run that kills its worker."""
        if len(chunk) > 1:
            self.retries.extend((run,) for run in chunk)
            return
        run = next(iter(chunk))
        # lost twice, alone: the run itself kills its worker
        if run.run in self.lost_runs:
            identity = self.checked.job.identity
            row = failed(run, CommandError(f"{why}, twice"), "single")
            self._add_rows([row | {"made_with": identity.label if identity else ""}])
        else:
            self.lost_runs.add(run.run)
            self.retries.append(chunk)

    def _report_progress(self) -> None:
        if self.progress is not None:
            self.progress(self.finished, len(self.plan), self.failures)
