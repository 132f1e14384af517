"""A Dask cluster: pieces become its tasks, rows come back to the campaign, which alone writes.

The scheduler gives the piece of a worker that is gone to another; a piece that has lost several workers comes back, is
divided, and if it is a single run in the end it is one failed run. Workers may come and go while a campaign runs.
"""

from __future__ import annotations

import logging
import queue
from collections.abc import Sequence
from concurrent.futures import CancelledError
from typing import Any, Self

from pelagos.campaign.executors.base import Piece
from pelagos.campaign.run import CampaignEndedError, Job, Row, run_chunk
from pelagos.errors import CommandError, MissingExtraError, foreign_text

PATIENCE_S = 10.0  # for the scheduler to answer
AHEAD = 2  # pieces a thread of the cluster: one in work, one at hand
LOOK_EVERY_S = 2.0
LOGGERS = ("distributed.client", "distributed.core", "distributed.utils", "distributed.batched", "distributed.comm")


def check_scheduler(address: str) -> int:
    """How many threads its workers have; refused if there is nobody at the address, or Dask is not installed."""
    client = _client(address)
    try:
        return sum(client.nthreads().values())
    finally:
        client.close()


class DaskExecutor:
    """The workers of a Dask scheduler."""

    def __init__(self, job: Job, address: str) -> None:
        self._job, self._address = job, address
        self._client = _client(address)
        self._came: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._pieces: dict[str, tuple[Piece, Any]] = {}  # by the key of its task; the future keeps the task alive

    @property
    def count(self) -> int:
        """Threads of all workers that are there now."""
        try:
            return max(1, sum(self._client.nthreads().values()))
        except OSError:
            raise self._gone() from None

    @property
    def room(self) -> int:
        """What the workers can take, and one piece each in reserve."""
        return AHEAD * self.count - len(self._pieces)

    def give(self, piece: Piece) -> None:
        """Hand a piece to the scheduler."""
        future = self._client.submit(run_chunk, self._job, piece, pure=False, priority=-piece[0].run)
        self._pieces[future.key] = piece, future
        future.add_done_callback(self._came.put)

    def take(self) -> tuple[Piece, Sequence[Row] | None, str]:
        """The next piece that is over."""
        from distributed import KilledWorker

        while True:
            try:
                future = self._came.get(timeout=LOOK_EVERY_S)
            except queue.Empty:
                if self._client.status != "running":
                    raise self._gone() from None
                continue
            if future.key in self._pieces:
                break
        piece, _ = self._pieces.pop(future.key)
        try:
            return piece, future.result(), ""  # waits once more if its worker was lost before it was fetched
        except KilledWorker:
            return piece, None, "the workers that flew it were lost"
        except CancelledError:
            raise self._gone() from None
        except CampaignEndedError:
            raise
        except Exception as problem:
            raise CommandError(
                f"a worker of {self._address} cannot fly ({type(problem).__name__}: {problem})",
                expected="the same version of Pelagos on every worker",
            ) from None

    def _gone(self) -> CommandError:
        return CommandError(
            f"the scheduler at {self._address} is gone; finished runs are kept, the same command goes on with the rest"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for _, future in self._pieces.values():
            future.cancel()
        self._client.close()


def _client(address: str) -> Any:
    try:
        from distributed import Client
        from distributed.comm import parse_address
        from distributed.comm.registry import get_backend
    except ImportError:
        raise MissingExtraError("distributed", "a campaign on a cluster", "cluster") from None
    for name in LOGGERS:  # what they would say of a lost scheduler is said in a sentence
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        get_backend(parse_address(address)[0])  # of a kind that Dask does not know no client can be made, nor closed
        return Client(address, timeout=PATIENCE_S, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as problem:
        why = foreign_text(problem)
        raise CommandError(f"--scheduler {address}: no Dask scheduler answers there ({why})") from None
