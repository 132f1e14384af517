"""Threads that share the work of a batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait


class Workers:
    """Threads that start when they are first needed.

    Args:
        threads: largest number of threads, that of the caller included.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._pool: ThreadPoolExecutor | None = None

    def count(self, items: int, least: int) -> int:
        """Return the number of threads for some items, of which each thread gets at least `least`."""
        return max(1, min(self.threads, items // least))

    def run(self, tasks: Sequence[Callable[[], None]]) -> None:
        """Run at most `threads` tasks at the same time, the first in the thread of the caller, until all have ended."""
        first, *others = tasks
        if others and self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads - 1, thread_name_prefix="pelagos-batch")
        futures = [self._pool.submit(task) for task in others] if self._pool is not None else []
        try:
            first()
        finally:
            wait(futures)  # also after an error: no thread may write to the lanes when this returns
        for future in futures:
            future.result()

    def close(self) -> None:
        """End the threads; a later call of `run` starts new ones."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None
