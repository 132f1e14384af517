"""Run the parts of documents in several processes, show the progress, and gather the rows.

A part that raises becomes one failed row and the others go on. Ctrl-C ends the run with what is done.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing import connection
from pathlib import Path
from typing import Any, Protocol, Self, TextIO

from pelagos.engine.waiting import clock
from pelagos.errors import PelagosError, foreign_text
from pelagos_evidence.claim import Claim, ClaimVerdict, Row, statement
from pelagos_evidence.document import Document, Findings, Part
from pelagos_evidence.documents import LONGEST_FIRST
from pelagos_evidence.outcome import DocumentOutcome, Outcome, PartOutcome

EVERY_S = 0.2  # of the terminal's line
TICK_S = 1.0  # of its seconds
PROGRESS_EVERY_S = 0.1  # a part may report more often; this limits the traffic of the pipe
Message = tuple[str, int, Any]  # message of a process: "begun", "share" or "done", number of the part, and a value


class RunProgress:
    """Shows the progress of `run`; use it as a context manager.

    Args:
        documents: what is going to be computed.
        stream: where to write; the error stream if not given.
        now: a clock that never goes back, s.
    """

    def __init__(
        self,
        documents: Sequence[Document],
        stream: TextIO | None = None,
        *,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._terminal = self._stream.isatty()
        self._now = now
        self._begin = now()
        self._total = sum(len(document.parts) for document in documents)
        self._ended = 0
        self._at: dict[tuple[str, str], float] = {}  # of each part in hand, by its document: the share done
        self._next = self._begin
        self._shown = 0  # characters on the terminal's line
        self._lock = threading.RLock()
        self._over = threading.Event()
        self._ticking = threading.Thread(target=self._tick, daemon=True)

    def __enter__(self) -> Self:
        if self._terminal:
            self._ticking.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if self._terminal:
            self._ticking.join()
        if self._shown:  # what comes next starts on a clean line
            self._stream.write("\r" + " " * self._shown + "\r")
            self._stream.flush()

    def begun(self, document: str, part: str) -> None:
        """A part starts."""
        with self._lock:
            self._at[document, part] = 0.0
            self._show(force=True)

    def share(self, document: str, part: str, done: float) -> None:
        """The share of a part that is done."""
        with self._lock:
            self._at[document, part] = done
            self._show()

    def done(self, document: str, part: PartOutcome) -> None:
        """A part has ended."""
        with self._lock:
            self._ended += 1
            self._at.pop((document, part.part.title), None)
            self._show(force=True)
        if self._terminal:
            return
        claims = part.findings.claims if part.findings else ()
        failed = sum(claim.verdict is ClaimVerdict.FAILED for claim in claims)
        summary = f"{len(claims)} {'row' if len(claims) == 1 else 'rows'}" + (f", {failed} FAILED" if failed else "")
        self._line(f"{self._count()}  {document}: {part.part.title}, {summary}, {part.seconds:.1f} s")

    def _tick(self) -> None:
        """Update the seconds while a part reports no progress."""
        while not self._over.wait(TICK_S):
            with self._lock:
                self._show(force=True)

    def _count(self) -> str:
        return f"{self._ended:{len(str(self._total))}d} of {self._total} parts, {clock(self._now() - self._begin)}"

    def _line(self, text: str) -> None:
        self._stream.write(f"{text}\n")
        self._stream.flush()

    def _show(self, force: bool = False) -> None:
        now = self._now()
        if not self._terminal or (now < self._next and not force):
            return
        self._next = now + EVERY_S
        doing = [
            f"{key}: {part}" + (f" {100 * share:.0f} %" if share else "") for (key, part), share in self._at.items()
        ]
        text = " · ".join([self._count(), *doing])[: self._width() - 1]  # a line that wraps cannot be rewritten
        self._stream.write("\r" + text.ljust(self._shown))
        self._stream.flush()
        self._shown = len(text)

    def _width(self) -> int:
        try:
            columns = os.get_terminal_size(self._stream.fileno()).columns
            return max(columns, 20) if columns else 120  # 0: a terminal that does not know
        except (OSError, ValueError, AttributeError):
            return 120


class Watcher(Protocol):
    """Receives the progress of a run."""

    def begun(self, document: str, part: str) -> None:
        """A part starts."""
        ...

    def share(self, document: str, part: str, done: float) -> None:
        """The share of a part that is done, 0 to 1."""
        ...

    def done(self, document: str, part: PartOutcome) -> None:
        """A part has ended."""
        ...


@dataclass
class _Gathered:
    """Outcomes of a document's parts while it is computed."""

    document: Document
    parts: dict[int, PartOutcome] = field(default_factory=dict)

    def outcome(self) -> DocumentOutcome:
        numbered = enumerate(self.document.parts)
        return DocumentOutcome(
            self.document, tuple(self.parts.get(number, PartOutcome(part)) for number, part in numbered)
        )


@dataclass(frozen=True)
class _Task:
    """One part to compute, with its document and its number there."""

    document: str
    number: int
    part: Part


def run(documents: Sequence[Document], jobs: int | None = None, watcher: Watcher | None = None) -> Outcome:
    """Compute every part of these documents.

    Args:
        documents: what to recompute.
        jobs: processes to share the parts; as many as there are processors if not given. With one, all is computed in
            this process.
        watcher: receives the progress.

    Returns:
        The findings; incomplete if the user pressed Ctrl-C.
    """
    begin = time.perf_counter()
    tasks = [_Task(item.key, number, part) for item in documents for number, part in enumerate(item.parts)]
    jobs = max(1, min(jobs or os.cpu_count() or 1, len(tasks)))
    gathered = {document.key: _Gathered(document) for document in documents}
    record = _recorder(gathered, watcher)
    with contextlib.suppress(KeyboardInterrupt):
        if jobs == 1:
            for task in tasks:
                _compute(task, lambda message, key=task.document: record(key, message))
        else:
            _share(sorted(tasks, key=_rank), jobs, record)
    return Outcome(tuple(item.outcome() for item in gathered.values()), time.perf_counter() - begin, jobs)


def _rank(task: _Task) -> int:
    name = f"{task.document}/{task.part.key}"
    return LONGEST_FIRST.index(name) if name in LONGEST_FIRST else len(LONGEST_FIRST)


def _recorder(gathered: dict[str, _Gathered], watcher: Watcher | None) -> Callable[[str, Message], None]:
    """Stores the messages of a document and passes them on to the watcher."""

    def record(key: str, message: Message) -> None:
        kind, number, value = message
        item = gathered[key]
        if kind == "done":
            findings, seconds = value
            item.parts[number] = PartOutcome(item.document.parts[number], findings, seconds)
        if watcher is None:
            return
        if kind == "begun":
            watcher.begun(key, item.document.parts[number].title)
        elif kind == "share":
            watcher.share(key, item.document.parts[number].title, value)
        else:
            watcher.done(key, item.parts[number])

    return record


def _compute(task: _Task, send: Callable[[Message], None]) -> None:
    send(("begun", task.number, None))
    begin = time.perf_counter()
    findings = _findings(task.part, lambda done: send(("share", task.number, done)))
    send(("done", task.number, (findings, time.perf_counter() - begin)))


def _findings(part: Part, progress: Callable[[float], None]) -> Findings:
    last = -1.0

    def throttled(done: float) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= PROGRESS_EVERY_S:
            last = now
            progress(min(max(float(done), 0.0), 1.0))

    try:
        return part.run(throttled)
    except PelagosError as error:
        return Findings((_broken(part, str(error), "it could not be computed"),))
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        sentence = foreign_text(error)
        where = f"raised in {Path(frame.filename).name}, line {frame.lineno}"
        return Findings((_broken(part, f"{type(error).__name__}: {sentence}", where),))


def _broken(part: Part, ours: str, why: str) -> Claim:
    """The row of a part that could not be computed."""
    row = Row(f"{part.key}-runs", "the whole part", f"{part.title}: computed")
    return statement(row, "", ours, False, tolerance="", why=why)


def _share(waiting: list[_Task], jobs: int, record: Callable[[str, Message], None]) -> None:
    """Run the parts in `jobs` processes; each takes the next part when it has finished one."""
    spawn = multiprocessing.get_context("spawn")
    active: dict[connection.Connection, tuple[_Task, Any]] = {}
    try:
        while waiting or active:
            while waiting and len(active) < jobs:
                ours, theirs = spawn.Pipe()
                process = spawn.Process(target=_in_a_process, args=(theirs,), daemon=True)
                with _ignoring_ctrl_c():  # inherited: Ctrl-C in a terminal reaches every process, and we end them
                    process.start()
                theirs.close()
                active[ours] = _give(ours, waiting.pop(0)), process
            for pipe in connection.wait(list(active)):
                assert isinstance(pipe, connection.Connection)
                task, process = active[pipe]
                try:
                    message: Message = pipe.recv()
                except (EOFError, ConnectionResetError):
                    _dismiss(active, pipe)
                    record(task.document, ("done", task.number, (_lost(task.part, process.exitcode), 0.0)))
                    continue
                record(task.document, message)
                if message[0] != "done":
                    continue
                if waiting:
                    active[pipe] = _give(pipe, waiting.pop(0)), process
                else:
                    _dismiss(active, pipe)
    finally:
        for _, process in active.values():
            process.terminate()
        for pipe in list(active):
            _dismiss(active, pipe)


def _give(pipe: connection.Connection, task: _Task) -> _Task:
    with contextlib.suppress(BrokenPipeError):  # it ended between two parts: the pipe then reports its end
        pipe.send(task)
    return task


def _dismiss(active: dict[connection.Connection, tuple[_Task, Any]], pipe: connection.Connection) -> None:
    """Close the pipe of a process and wait for its end."""
    _, process = active.pop(pipe)
    pipe.close()
    process.join()


def _in_a_process(pipe: connection.Connection) -> None:
    try:
        while True:
            _compute(pipe.recv(), pipe.send)
    except (EOFError, BrokenPipeError, ConnectionResetError):  # the main process has ended
        pass
    finally:
        pipe.close()


def _lost(part: Part, code: int | None) -> Findings:
    """Findings of a part whose process ended early."""
    return Findings((_broken(part, f"the process ended with exit code {code}", "it could not be computed"),))


@contextlib.contextmanager
def _ignoring_ctrl_c() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
