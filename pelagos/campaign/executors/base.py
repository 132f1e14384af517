"""The interface of executors, which run chunks of a campaign, and the size of the chunks.

An executor accepts chunks of runs and returns rows. Errors of a run never reach it: `run_chunk` turns them into rows.
If a worker is lost, its chunk returns without rows and is submitted again in smaller chunks.

A chunk takes some seconds for single runs, and holds up to some hundreds of batched ones. The duration of a run is
learnt from finished runs. Towards the end the chunks shrink, so that all workers finish together. The size affects only
the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, Self

from pelagos.campaign.run import Job, Row, run_chunk
from pelagos.campaign.sampling import PlannedRun

Chunk = tuple[PlannedRun, ...]

SINGLE_S = 3.0  # of work in a chunk of single runs
BATCH_S = 20.0  # of work in a batch
MOST_SINGLE = 256
# 248: 31 blocks of 8 lanes, the most that a batch runs on one thread
FIRST_BATCH, LEAST_BATCH, MOST_BATCH = 64, 32, 248
BATCH_BYTES = 256e6  # of the logs that a batch keeps in memory
BYTES_A_SAMPLE = 8 * 48  # 48 columns of float64


class Executor(Protocol):
    """The workers of a campaign; a context manager that stops them at exit."""

    @property
    def count(self) -> int:
        """Number of workers."""
        ...

    @property
    def free_slots(self) -> int:
        """Number of chunks that can be submitted now."""
        ...

    def submit(self, chunk: Chunk) -> None:
        """Submit a chunk."""
        ...

    def next_result(self) -> tuple[Chunk, Sequence[Row] | None, str]:
        """Wait for a chunk; return it with its rows, or with None and the reason if its worker is lost."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


class SerialExecutor:
    """Runs chunks in this process, when their result is requested."""

    count = 1

    def __init__(self, job: Job) -> None:
        self._job = job
        self._submitted: list[Chunk] = []

    @property
    def free_slots(self) -> int:
        """One chunk at a time."""
        return 1 - len(self._submitted)

    def submit(self, chunk: Chunk) -> None:
        """Keep the chunk until its result is requested."""
        self._submitted.append(chunk)

    def next_result(self) -> tuple[Chunk, Sequence[Row] | None, str]:
        """Run the chunk now."""
        chunk = self._submitted.pop()
        return chunk, run_chunk(self._job, chunk), ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


class Chunking:
    """Chooses the size of the next chunk."""

    def __init__(self, batched: bool, log_rate_hz: float) -> None:
        self._batched, self._log_rate_hz = batched, log_rate_hz
        self.single_s = SINGLE_S
        self._wall_s = self._simulated_s = 0.0
        self._runs = 0

    @property
    def run_s(self) -> float:
        """Mean wall time of a run on one worker; 0 before the first run."""
        return self._wall_s / self._runs if self._runs else 0.0

    def record(self, rows: Sequence[Row]) -> None:
        """Update the mean duration with finished runs."""
        for row in rows:
            if row["wall_s"] > 0.0:
                self._runs += 1
                self._wall_s += row["wall_s"]
                self._simulated_s += row["simulated_s"]

    def next_size(self, left: int, workers: int) -> int:
        """Return the number of runs of the next chunk, with `left` runs for `workers` workers."""
        share = max(1, -(-left // max(workers, 1)))
        if not self._runs:
            return min(left, FIRST_BATCH, max(share, 1)) if self._batched else 1
        if self._batched:
            held = BYTES_A_SAMPLE * max(1.0, self._simulated_s / self._runs * self._log_rate_hz)
            fitting = min(BATCH_S / self.run_s, BATCH_BYTES / held)
            size = int(min(max(fitting, LEAST_BATCH), MOST_BATCH))
            return min(left, size, max(share, LEAST_BATCH))
        return min(left, int(min(max(self.single_s / self.run_s, 1.0), MOST_SINGLE)), max(1, share // 2))
