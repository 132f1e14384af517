"""Who flies the runs: this process, processes beside it, or a cluster. All are given pieces and give back rows.

Nothing that a run does comes out here as an error: `work` makes a row of it. What does come out is that a worker is
gone: its piece comes back without rows, and is given to another in smaller pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, Self

from pelagos.campaign.plan import Run
from pelagos.campaign.work import Job, Row, run_chunk

Piece = tuple[Run, ...]


class Hands(Protocol):
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


class ThisProcess:
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
