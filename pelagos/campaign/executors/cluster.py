"""Run chunks of a campaign on a Dask cluster.

Each chunk becomes a task; rows return to this process, the only one that writes results. The scheduler moves the task
of a lost worker to another one. A task that loses several workers returns without rows and is divided; a single run
that does so is a failed run. Workers may join and leave while a campaign runs.
"""

from __future__ import annotations

import logging
import queue
from collections.abc import Sequence
from concurrent.futures import CancelledError
from typing import Any, Self

from pelagos.campaign.executors.base import Chunk
from pelagos.campaign.run import CampaignEndedError, Job, Row, run_chunk
from pelagos.errors import CommandError, MissingExtraError, foreign_text

PATIENCE_S = 10.0  # timeout of the connection to the scheduler
AHEAD = 2  # chunks per thread of the cluster: one running, one queued
LOOK_EVERY_S = 2.0
LOGGERS = ("distributed.client", "distributed.core", "distributed.utils", "distributed.batched", "distributed.comm")


def check_scheduler(address: str) -> int:
    """Return the number of threads of the workers; raise an error if no scheduler answers or Dask is missing."""
    client = _client(address)
    try:
        return sum(client.nthreads().values())
    finally:
        client.close()


class DaskExecutor:
    """Runs chunks on the workers of a Dask scheduler."""

    def __init__(self, job: Job, address: str) -> None:
        self._job, self._address = job, address
        self._client = _client(address)
        self._done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._chunks: dict[str, tuple[Chunk, Any]] = {}  # by task key; Dask drops a task without a future

    @property
    def count(self) -> int:
        """Number of threads of all present workers."""
        try:
            return max(1, sum(self._client.nthreads().values()))
        except OSError:
            raise self._gone() from None

    @property
    def free_slots(self) -> int:
        """Number of chunks for the workers, with one queued per thread."""
        return AHEAD * self.count - len(self._chunks)

    def submit(self, chunk: Chunk) -> None:
        """Submit a chunk to the scheduler."""
        future = self._client.submit(run_chunk, self._job, chunk, pure=False, priority=-chunk[0].run)
        self._chunks[future.key] = chunk, future
        future.add_done_callback(self._done.put)  # called in a thread of Dask; the queue hands it over

    def next_result(self) -> tuple[Chunk, Sequence[Row] | None, str]:
        """Wait for the next finished chunk."""
        from distributed import KilledWorker

        while True:
            try:
                future = self._done.get(timeout=LOOK_EVERY_S)
            except queue.Empty:
                if self._client.status != "running":
                    raise self._gone() from None
                continue
            if future.key in self._chunks:
                break
        chunk, _ = self._chunks.pop(future.key)
        try:
            return chunk, future.result(), ""  # waits again if the worker is lost before the rows are fetched
        except KilledWorker:
            return chunk, None, "the workers that flew it were lost"
        except CancelledError:
            raise self._gone() from None
        except CampaignEndedError:
            raise
        except Exception as problem:
            raise CommandError(
                f"a worker cannot run it ({type(problem).__name__}: {foreign_text(problem)})",
                key="--scheduler",
                value=self._address,
                expected="the same version of Pelagos on every worker",
            ) from None

    def _gone(self) -> CommandError:
        return CommandError(
            "lost the connection to the scheduler; finished runs are kept, and the same command does the rest",
            key="--scheduler",
            value=self._address,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for _, future in self._chunks.values():
            future.cancel()
        self._client.close()


def _client(address: str) -> Any:
    try:
        from distributed import Client
        from distributed.comm import parse_address
        from distributed.comm.registry import get_backend
    except ImportError:
        raise MissingExtraError("distributed", "a campaign on a cluster", "cluster") from None
    for name in LOGGERS:  # silent: a lost scheduler is reported in one sentence
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        # first: with an unknown protocol a Client fails in a state that cannot be closed
        get_backend(parse_address(address)[0])
        return Client(address, timeout=PATIENCE_S, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as problem:
        why = foreign_text(problem)
        raise CommandError(f"no Dask scheduler answers there ({why})", key="--scheduler", value=address) from None
