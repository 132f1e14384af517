"""Run chunks of a campaign in processes on this machine, one per core.

Each worker is a program (`python -m pelagos.campaign.executors.processes`) that loads the compiled engine from the
cache on disk and talks to the campaign through pipes. Therefore a script that runs a campaign needs no
`if __name__ == "__main__"`. Ctrl-C in a terminal reaches only the campaign, which stops the workers. If the campaign is
killed, the pipes close and each worker ends after its present chunk.
"""

from __future__ import annotations

import contextlib
import pickle
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import Any, BinaryIO, Self

from pelagos.campaign.executors.base import Chunk
from pelagos.campaign.run import CampaignEndedError, Job, Row, run_chunk
from pelagos.errors import CommandError
from pelagos.files.child import answer_pipe, close_pipes, start_child

ONE_THREAD = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
STARTS = 3  # attempts to start a worker
READY = "ready"
ChunkResult = tuple[Chunk, Sequence[Row] | None, str]


class ProcessExecutor:
    """Runs chunks in worker processes; one thread per worker sends chunks and waits for rows."""

    def __init__(self, job: Job, count: int) -> None:
        self.count = count
        self._job = job
        self._submitted: queue.SimpleQueue[Chunk | None] = queue.SimpleQueue()
        self._results: queue.SimpleQueue[ChunkResult | BaseException] = queue.SimpleQueue()
        self._pending = 0
        self._running: set[subprocess.Popen[bytes]] = set()
        self._closing = threading.Event()
        self._threads = [threading.Thread(target=self._serve_worker, daemon=True) for _ in range(count)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        # one None per thread ends its loop; a worker in the middle of a chunk is terminated
        for _unused in self._threads:
            self._submitted.put(None)
        for process in list(self._running):
            process.terminate()
        for thread in self._threads:
            thread.join()

    @property
    def free_slots(self) -> int:
        """One chunk per worker: runs that have not been submitted can still be divided differently."""
        return self.count - self._pending

    def submit(self, chunk: Chunk) -> None:
        """Submit a chunk to the next free worker."""
        self._pending += 1
        self._submitted.put(chunk)

    def next_result(self) -> ChunkResult:
        """Wait for the next finished chunk."""
        result = self._results.get()
        if isinstance(result, BaseException):
            raise result
        self._pending -= 1
        return result

    def _serve_worker(self) -> None:
        """Run one worker, and start a new one if it dies; the body of a thread."""
        process: subprocess.Popen[bytes] | None = None
        try:
            while (chunk := self._submitted.get()) is not None and not self._closing.is_set():
                process = process or self._start()
                try:
                    _send(process.stdin, chunk)
                    rows = _receive(process.stdout)
                    self._results.put(rows if isinstance(rows, CampaignEndedError) else (chunk, rows, ""))
                except (OSError, EOFError, pickle.UnpicklingError):
                    code, process = self._ended(process), None
                    self._results.put((chunk, None, f"the worker's process ended with exit code {code}"))
        except BaseException as problem:  # in a thread: `next_result` raises it in the main thread
            self._results.put(problem)
        finally:
            if process is not None:
                self._ended(process)

    def _start(self) -> subprocess.Popen[bytes]:
        """Start a worker that has loaded the simulator; raise an error after STARTS attempts."""
        code = 0
        for _ in range(STARTS):
            # One thread: there is one process per core already. Ctrl-C in a terminal must not reach it.
            environment = dict.fromkeys(ONE_THREAD, "1")
            process = start_child("pelagos.campaign.executors.processes", environment, start_new_session=True)
            self._running.add(process)
            if self._closing.is_set():
                process.terminate()
            with contextlib.suppress(OSError, EOFError, pickle.UnpicklingError):
                _send(process.stdin, self._job)
                if _receive(process.stdout) == READY:
                    return process
            code = self._ended(process)
            if self._closing.is_set():
                break
        raise CommandError("a worker cannot be started", key="exit code of the worker's process", value=code)

    def _ended(self, process: subprocess.Popen[bytes]) -> int:
        """End a worker and return its exit code."""
        close_pipes(process)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(5.0)
        if process.poll() is None:
            process.kill()
        self._running.discard(process)
        return process.wait()


def _send(pipe: Any, message: object) -> None:
    pickle.dump(message, pipe)
    pipe.flush()


def _receive(pipe: Any) -> Any:
    return pickle.load(pipe)


def _serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Run a worker: read the job, then chunks, until the pipe closes."""
    job: Job = _receive(requests)
    _send(answers, READY)
    while True:
        chunk = _receive(requests)
        try:
            rows: Any = run_chunk(job, chunk)
        except CampaignEndedError as problem:
            rows = problem
        _send(answers, rows)


def main() -> None:
    """Run the worker program; prints of a run go to stderr, because stdout is the pipe to the campaign."""
    # the campaign handles Ctrl-C and ends its workers itself
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = answer_pipe()
    with contextlib.suppress(EOFError, BrokenPipeError):
        _serve(sys.stdin.buffer, answers)
    with contextlib.suppress(BrokenPipeError):
        answers.close()


if __name__ == "__main__":
    main()
