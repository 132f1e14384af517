"""How many runs a worker gets at a time: some seconds of single runs, some hundreds of batched ones.

How long a run takes is learnt from those that are finished. Towards the end the pieces become smaller, so that all
workers end together. The size changes nothing but the time it takes.

Who flies the runs: this process, processes beside it, or a cluster. All are given pieces and give back rows.

Nothing that a run does comes out here as an error: `work` makes a row of it. What does come out is that a worker is
gone: its piece comes back without rows, and is given to another in smaller pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, Self

from pelagos.campaign.run import Job, Row, run_chunk
from pelagos.campaign.sampling import PlannedRun

Piece = tuple[PlannedRun, ...]


class Executor(Protocol):
    """Workers of a campaign; a context manager that leaves none behind."""

    @property
    def count(self) -> int:
        """How many work at a time."""
        ...

    @property
    def room(self) -> int:
        """How many pieces could be given now."""
        ...

    def give(self, piece: Piece) -> None:
        """Let a piece be flown."""
        ...

    def take(self) -> tuple[Piece, Sequence[Row] | None, str]:
        """Wait for a piece: its rows; or None and why its worker is gone."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


class SerialExecutor:
    """No workers: everything is flown here, when it is asked for."""

    count = 1

    def __init__(self, job: Job) -> None:
        self._job = job
        self._given: list[Piece] = []

    @property
    def room(self) -> int:
        """One piece at a time."""
        return 1 - len(self._given)

    def give(self, piece: Piece) -> None:
        """Keep it until it is asked for."""
        self._given.append(piece)

    def take(self) -> tuple[Piece, Sequence[Row] | None, str]:
        """Fly it now."""
        piece = self._given.pop()
        return piece, run_chunk(self._job, piece), ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


# ---- sizes -----------------------------------------------------------------------------------------------------------


SINGLE_S = 3.0  # of work in a piece
BATCH_S = 20.0
MOST_SINGLE = 256
FIRST_BATCH, LEAST_BATCH, MOST_BATCH = 64, 32, 248  # 248: 31 blocks of 8 lanes, which a batch keeps on one thread
BATCH_BYTES = 256e6  # of logs that a batch holds in memory
BYTES_A_SAMPLE = 8 * 48  # columns of float64


class Chunking:
    """The size of the next piece."""

    def __init__(self, batched: bool, log_rate_hz: float) -> None:
        self._batched, self._log_rate_hz = batched, log_rate_hz
        self.single_s = SINGLE_S
        self._wall_s = self._simulated_s = 0.0
        self._runs = 0

    @property
    def run_s(self) -> float:
        """Wall time of a run on one worker, so far; 0 while nothing is known."""
        return self._wall_s / self._runs if self._runs else 0.0

    def learn(self, rows: Sequence[Row]) -> None:
        """From finished runs."""
        for row in rows:
            if row["wall_s"] > 0.0:
                self._runs += 1
                self._wall_s += row["wall_s"]
                self._simulated_s += row["simulated_s"]

    def next(self, left: int, hands: int) -> int:
        """How many of the runs that are left go to the next of `hands` workers."""
        share = max(1, -(-left // max(hands, 1)))
        if not self._runs:
            return min(left, FIRST_BATCH, max(share, 1)) if self._batched else 1
        if self._batched:
            held = BYTES_A_SAMPLE * max(1.0, self._simulated_s / self._runs * self._log_rate_hz)
            fitting = min(BATCH_S / self.run_s, BATCH_BYTES / held)
            size = int(min(max(fitting, LEAST_BATCH), MOST_BATCH))
            return min(left, size, max(share, LEAST_BATCH))
        return min(left, int(min(max(self.single_s / self.run_s, 1.0), MOST_SINGLE)), max(1, share // 2))
