"""Run a campaign: what is not finished yet is handed out in the order of the runs, rows come back, parts are written.

Which run gets which values and which seed is settled before, so workers, pieces and their order change nothing but the
time it takes.
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
from pelagos.campaign.executors.base import Chunking, Executor, Piece, SerialExecutor
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
from pelagos.errors import CommandError

Watcher = Callable[[int, int, int], None]  # runs over, planned, failed

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
    """Run a campaign, or what is left of it.

    Args:
        campaign: a `Campaign`, the name of a ready one, or a file.
        out: folder of the results; NAME-campaign if not given. If it holds finished runs of the same campaign they are
            kept and the rest is run.
        workers: processes on this machine; one a core if not given. With 1 everything runs in this process.
        scheduler: address of a Dask scheduler; its workers are used instead.
        fresh: take earlier results of the folder away first.
        retry_failed: fly runs that failed again; what comes then counts.
        accept_other_version: go on although Pelagos, its sources or a file that is named are not those that the
            campaign was begun with; each row says what it was flown with (`made_with`).
        progress: told (runs over, runs planned, runs failed) as they come.

    Returns:
        The results. Ctrl-C raises KeyboardInterrupt once everything finished is on disk.
    """
    if not isinstance(campaign, Campaign):
        campaign = load_campaign(str(campaign))
    if workers is not None and not 1 <= workers <= MOST_WORKERS:
        raise CommandError(key="workers", value=workers, expected=f"1 or more, at most {MOST_WORKERS}")
    if scheduler:
        check_scheduler(scheduler)
    path = Path(out) if out is not None else Path(f"{campaign.name}-campaign")
    plan = make_plan(campaign)
    checked = check(campaign, plan, str((path / LOGS).resolve()) if campaign.output.logs else "")
    checked = replace(checked, job=replace(checked.job, accept_other=accept_other_version))
    folder = CampaignFolder(path, campaign, plan, checked.job.identity, accept_other=accept_other_version)
    with folder.locked():
        going = _Going(campaign, plan, checked, folder, progress)
        going.begin(fresh, retry_failed)
        going.go(scheduler, workers)
    return load_results(path)


@dataclass
class _Going:
    """A campaign under way."""

    campaign: Campaign
    plan: CampaignPlan
    checked: CampaignCheck
    folder: CampaignFolder
    progress: Watcher | None
    waiting: deque[int] = field(default_factory=deque[int])
    again: deque[Piece] = field(default_factory=deque[Piece])  # pieces whose worker was lost
    lost: set[int] = field(default_factory=set[int])  # runs that were alone when their worker was lost
    over: int = 0
    bad: int = 0
    began: float = field(default_factory=time.perf_counter)

    def begin(self, fresh: bool, retry_failed: bool) -> None:
        """What is finished already, and what is left."""
        table = self.folder.begin(fresh)
        rate_hz = self.checked.scenario.log_rate_hz or self.checked.scenario.control_rate_hz
        self.sizes = Chunking(self.checked.batched, rate_hz)
        self.stopping = StopRule(self.campaign.stop, len(self.plan))
        inside = table["run"] < len(self.plan)
        inside &= (table["status"] != "failed") | (not retry_failed)
        runs = table["run"][inside]
        self.over, self.bad = len(runs), int((table["status"][inside] == "failed").sum())
        if self.campaign.stop:
            self.stopping.tell(runs, table[self.campaign.stop.metric][inside].astype(np.float64))
        left = np.ones(len(self.plan), bool)
        left[runs] = False
        self.waiting = deque(np.flatnonzero(left).tolist())

    def go(self, scheduler: str | None, workers: int | None) -> None:
        """Run what is left; however it ends, what is finished is on disk and summed up."""
        ended = "interrupted"
        try:
            self._tell()
            if self.waiting and self.stopping.at is None:
                with self._hands(scheduler, workers) as hands:
                    self._run(hands)
            ended = "stopped early" if self.stopping.at is not None else "complete"
        finally:
            self.folder.flush()
            wall_s = time.perf_counter() - self.began
            self.folder.summarise(summary_of(self.folder, ended, self.stopping, wall_s))

    def _hands(self, scheduler: str | None, workers: int | None) -> Executor:
        if scheduler:
            return DaskExecutor(self.checked.job, scheduler)
        count = min(workers or os.cpu_count() or 1, len(self.waiting))
        if count > 1:
            return ProcessExecutor(self.checked.job, count)
        self.sizes.single_s = 0.0  # nothing is gained by larger pieces, and each run is told when it is over
        return SerialExecutor(self.checked.job)

    def _run(self, hands: Executor) -> None:
        in_hand = 0
        while True:
            while (self.waiting or self.again) and self.stopping.at is None and hands.room > 0:
                hands.give(self._next(hands.count))
                in_hand += 1
            if not in_hand or self.stopping.at is not None:
                return
            piece, rows, why = hands.take()
            in_hand -= 1
            if rows is None:
                self._lost(piece, why)
            else:
                self._finished(rows)

    def _next(self, hands: int) -> Piece:
        if self.again:
            return self.again.popleft()
        size = self.sizes.next(len(self.waiting), hands)
        return tuple(self.plan.run(self.waiting.popleft()) for _ in range(size))

    def _finished(self, rows: Sequence[Row]) -> None:
        self.folder.add(rows)
        self.sizes.learn(rows)
        self.over += len(rows)
        self.bad += sum(row["status"] == "failed" for row in rows)
        if self.campaign.stop:
            values = [row.get(self.campaign.stop.metric, np.nan) for row in rows]
            self.stopping.tell(np.array([row["run"] for row in rows]), np.array(values, np.float64))
        self._tell()

    def _lost(self, piece: Piece, why: str) -> None:
        """A worker is gone: each run of its piece is flown by itself, so that one that kills its worker is found."""
        if len(piece) > 1:
            self.again.extend((run,) for run in piece)
            return
        run = next(iter(piece))
        if run.run in self.lost:
            identity = self.checked.job.identity
            row = failed(run, CommandError(f"{why}, twice"), "single")
            self._finished([row | {"made_with": identity.label if identity else ""}])
        else:
            self.lost.add(run.run)
            self.again.append(piece)

    def _tell(self) -> None:
        if self.progress is not None:
            self.progress(self.over, len(self.plan), self.bad)
