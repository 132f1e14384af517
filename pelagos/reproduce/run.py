"""Run the parts of documents, each document in a process of its own where there are several, and gather what they find.

A part that raises becomes one failed row and the others go on. Ctrl-C ends the run with what is done.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing import connection
from pathlib import Path
from typing import Any, Protocol

from pelagos.errors import PelagosError
from pelagos.reproduce.claim import Claim
from pelagos.reproduce.document import Document, Findings, Part
from pelagos.reproduce.documents import LONGEST_FIRST
from pelagos.reproduce.outcome import DocumentOutcome, Outcome, PartOutcome

TELL_EVERY_S = 0.1  # a part may tell more often; the pipe is spared
Words = tuple[str, int, Any]  # what a process says: "begun", "share" or "done", number of the part, and a value


class Watcher(Protocol):
    """Who is told how far the run has come."""

    def begun(self, document: str, part: str) -> None:
        """A part starts."""
        ...

    def share(self, document: str, done: float) -> None:
        """So much of the part that the document is at is done, 0 to 1."""
        ...

    def done(self, document: str, part: PartOutcome) -> None:
        """A part has ended."""
        ...


@dataclass
class _Gathered:
    """What is known of a document while it is computed."""

    document: Document
    parts: list[PartOutcome] = field(default_factory=list)

    def outcome(self) -> DocumentOutcome:
        left = self.document.parts[len(self.parts) :]
        return DocumentOutcome(self.document, (*self.parts, *(PartOutcome(part) for part in left)))


def run(documents: Sequence[Document], jobs: int | None = None, watcher: Watcher | None = None) -> Outcome:
    """Compute every part of these documents.

    Args:
        documents: what to recompute.
        jobs: processes to share the work; as many as there are processors and documents if not given. With one, all
            is computed in this process.
        watcher: is told how far it has come.

    Returns:
        What was found; incomplete if the user pressed Ctrl-C.
    """
    begin = time.perf_counter()
    jobs = max(1, min(jobs or os.cpu_count() or 1, len(documents)))
    gathered = {document.key: _Gathered(document) for document in documents}
    hear = _hearing(gathered, watcher)
    with contextlib.suppress(KeyboardInterrupt):
        if jobs == 1:
            for document in documents:
                _compute(document, lambda words, key=document.key: hear(key, words))
        else:
            _share(sorted(documents, key=_rank), jobs, gathered, hear)
    return Outcome(tuple(one.outcome() for one in gathered.values()), time.perf_counter() - begin, jobs)


def _rank(document: Document) -> int:
    return LONGEST_FIRST.index(document.key) if document.key in LONGEST_FIRST else 0


def _hearing(gathered: dict[str, _Gathered], watcher: Watcher | None) -> Callable[[str, Words], None]:
    """Keeps what a document says, and passes it on to who watches."""

    def hear(key: str, words: Words) -> None:
        kind, number, value = words
        one = gathered[key]
        if kind == "done":
            findings, seconds = value
            one.parts.append(PartOutcome(one.document.parts[number], findings, seconds))
        if watcher is None:
            return
        if kind == "begun":
            watcher.begun(key, one.document.parts[number].title)
        elif kind == "share":
            watcher.share(key, value)
        else:
            watcher.done(key, one.parts[-1])

    return hear


# ---- one document ----------------------------------------------------------------------------------------------------


def _compute(document: Document, say: Callable[[Words], None]) -> None:
    for number, part in enumerate(document.parts):
        say(("begun", number, None))
        begin = time.perf_counter()
        findings = _findings(part, lambda done, number=number: say(("share", number, done)))
        say(("done", number, (findings, time.perf_counter() - begin)))


def _findings(part: Part, tell: Callable[[float], None]) -> Findings:
    last = -1.0

    def sparing(done: float) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= TELL_EVERY_S:
            last = now
            tell(min(max(float(done), 0.0), 1.0))

    try:
        return part.run(sparing)
    except PelagosError as error:
        return Findings((_broken(part, str(error), "it could not be computed"),))
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        sentence = str(error).partition("\n")[0]
        where = f"raised in {Path(frame.filename).name}, line {frame.lineno}"
        return Findings((_broken(part, f"{type(error).__name__}: {sentence}", where),))


def _broken(part: Part, ours: str, why: str) -> Claim:
    """The row of a part that gave none."""
    return Claim(f"{part.key}-runs", "the whole part", f"{part.title}: computed", "", ours, "", "", why, False)


# ---- several, in processes -------------------------------------------------------------------------------------------


def _share(
    waiting: list[Document], jobs: int, gathered: dict[str, _Gathered], hear: Callable[[str, Words], None]
) -> None:
    """As many processes at a time as there are jobs, until no document waits."""
    spawn = multiprocessing.get_context("spawn")
    active: dict[connection.Connection, tuple[Document, Any]] = {}
    try:
        while waiting or active:
            while waiting and len(active) < jobs:
                document = waiting.pop(0)
                ear, mouth = spawn.Pipe(duplex=False)
                process = spawn.Process(target=_in_a_process, args=(document, mouth), name=document.key, daemon=True)
                with _deaf_to_ctrl_c():  # inherited: Ctrl-C in a terminal reaches every process, and we end them
                    process.start()
                mouth.close()
                active[ear] = document, process
            for ear in connection.wait(list(active)):
                assert isinstance(ear, connection.Connection)
                document, process = active[ear]
                try:
                    hear(document.key, ear.recv())
                except EOFError:
                    del active[ear]
                    ear.close()
                    process.join()
                    _lost(gathered[document.key], process.exitcode, hear)
                    process.close()
    finally:
        for ear, (_, process) in active.items():
            process.terminate()
            process.join()
            process.close()
            ear.close()


def _in_a_process(document: Document, mouth: connection.Connection) -> None:
    try:
        _compute(document, mouth.send)
    except (BrokenPipeError, ConnectionResetError):  # nobody listens any more
        pass
    finally:
        mouth.close()


def _lost(one: _Gathered, code: int | None, hear: Callable[[str, Words], None]) -> None:
    """A process that ended before its document did: its part in hand and those after it fail."""
    for number in range(len(one.parts), len(one.document.parts)):
        row = _broken(
            one.document.parts[number], f"the process ended with exit code {code}", "it could not be computed"
        )
        hear(one.document.key, ("done", number, (Findings((row,)), 0.0)))


@contextlib.contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
