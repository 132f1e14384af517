"""Processes on this machine, one a core: each a Python of its own that loads the compiled engine from the disk's cache.

They are started as programs (`python -m pelagos.campaign.executors.processes`) and spoken to over their pipes, so a
script that runs a campaign needs no `if __name__ == "__main__"`. Ctrl-C in a terminal reaches the campaign only, which
ends them; if the campaign is killed their pipe closes and they end after the run in hand.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import Any, BinaryIO, Self

from pelagos.campaign.executors.base import Piece
from pelagos.campaign.run import CampaignEndedError, Job, Row, run_chunk
from pelagos.errors import CommandError

ONE_THREAD = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
STARTS = 3  # tries to start a worker
READY = "ready"
Came = tuple[Piece, Sequence[Row] | None, str]


class ProcessExecutor:
    """So many worker processes. A thread minds each: it hands over pieces and waits for the rows."""

    def __init__(self, job: Job, count: int) -> None:
        self.count = count
        self._job = job
        self._given: queue.SimpleQueue[Piece | None] = queue.SimpleQueue()
        self._came: queue.SimpleQueue[Came | BaseException] = queue.SimpleQueue()
        self._in_hand = 0
        self._running: set[subprocess.Popen[bytes]] = set()
        self._ending = threading.Event()
        self._minders = [threading.Thread(target=self._mind, daemon=True) for _ in range(count)]

    def __enter__(self) -> Self:
        for minder in self._minders:
            minder.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.set()
        for _unused in self._minders:
            self._given.put(None)
        for process in list(self._running):
            process.terminate()
        for minder in self._minders:
            minder.join()

    @property
    def room(self) -> int:
        """A piece a worker: what is not begun can still be divided otherwise."""
        return self.count - self._in_hand

    def give(self, piece: Piece) -> None:
        """To the next worker that is free."""
        self._in_hand += 1
        self._given.put(piece)

    def take(self) -> Came:
        """The next piece that is over."""
        came = self._came.get()
        if isinstance(came, BaseException):
            raise came
        self._in_hand -= 1
        return came

    def _mind(self) -> None:
        """Keep one worker, and start another in its place if it dies."""
        process: subprocess.Popen[bytes] | None = None
        try:
            while (piece := self._given.get()) is not None and not self._ending.is_set():
                process = process or self._start()
                try:
                    _send(process.stdin, piece)
                    rows = _receive(process.stdout)
                    self._came.put(rows if isinstance(rows, CampaignEndedError) else (piece, rows, ""))
                except (OSError, EOFError, pickle.UnpicklingError):
                    code, process = self._ended(process), None
                    self._came.put((piece, None, f"the worker's process ended with exit code {code}"))
        except BaseException as problem:
            self._came.put(problem)
        finally:
            if process is not None:
                self._ended(process)

    def _start(self) -> subprocess.Popen[bytes]:
        """A worker that has loaded the simulator; an error if there is no getting one."""
        environment = {**os.environ, **dict.fromkeys(ONE_THREAD, "1")}
        environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
        code = 0
        for _ in range(STARTS):
            process = subprocess.Popen(
                [sys.executable, "-m", "pelagos.campaign.executors.processes"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=environment,
                start_new_session=True,  # Ctrl-C in a terminal is not for it
            )
            self._running.add(process)
            if self._ending.is_set():
                process.terminate()
            with contextlib.suppress(OSError, EOFError, pickle.UnpicklingError):
                _send(process.stdin, self._job)
                if _receive(process.stdout) == READY:
                    return process
            code = self._ended(process)
            if self._ending.is_set():
                break
        raise CommandError(f"a worker cannot be started: its process ends with exit code {code}")

    def _ended(self, process: subprocess.Popen[bytes]) -> int:
        """See to it that it is gone; its exit code."""
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(5.0)
        if process.poll() is None:
            process.kill()
        self._running.discard(process)
        return process.wait()


def _send(pipe: Any, what: object) -> None:
    pickle.dump(what, pipe)
    pipe.flush()


def _receive(pipe: Any) -> Any:
    return pickle.load(pipe)


def _serve(given: BinaryIO, answers: BinaryIO) -> None:
    """A worker's whole life: the job, then pieces, until the pipe closes."""
    job: Job = _receive(given)
    _send(answers, READY)
    while True:
        piece = _receive(given)
        try:
            rows: Any = run_chunk(job, piece)
        except CampaignEndedError as problem:
            rows = problem
        _send(answers, rows)


def main() -> None:
    """The program of a worker. What a run prints goes to the error stream: the output is the pipe to the campaign."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with contextlib.suppress(EOFError, BrokenPipeError):
        _serve(sys.stdin.buffer, answers)
    with contextlib.suppress(BrokenPipeError):
        answers.close()


if __name__ == "__main__":
    main()
