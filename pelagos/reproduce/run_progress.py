"""Tells the one who waits which document and part is computed: a line rewritten in a terminal, lines in a file."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Self, TextIO

from pelagos.reproduce.claim import Verdict
from pelagos.reproduce.document import Document
from pelagos.reproduce.outcome import PartOutcome
from pelagos.sim.progress import clock

EVERY_S = 0.2  # of the terminal's line
TICK_S = 1.0  # of its seconds


class RunProgress:
    """A watcher of `run`; use it as a context manager.

    Args:
        documents: what is going to be computed.
        stream: where to write; the error stream if not given.
        now: a clock that never goes back, s.
        warm: whether the engine is compiled already; looked up if not given.
    """

    def __init__(
        self,
        documents: Sequence[Document],
        stream: TextIO | None = None,
        *,
        now: Callable[[], float] = time.monotonic,
        warm: bool | None = None,
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
        self._warm = _is_warm() if warm is None else warm
        self._lock = threading.RLock()
        self._over = threading.Event()
        self._ticking = threading.Thread(target=self._tick, daemon=True)

    def __enter__(self) -> Self:
        if not self._warm:
            self._line("compiling the engine (first run on this machine), some minutes more…")
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
        """So much of the part is done."""
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
        failed = sum(claim.verdict is Verdict.FAILED for claim in claims)
        told = f"{len(claims)} {'row' if len(claims) == 1 else 'rows'}" + (f", {failed} FAILED" if failed else "")
        self._line(f"{self._count()}  {document}: {part.part.title}, {told}, {part.seconds:.1f} s")

    def _tick(self) -> None:
        """The seconds go on while a part is silent."""
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


def _is_warm() -> bool:
    """Asked late: the engine takes half a second to import."""
    from pelagos.engine.compiled import is_warm

    return is_warm()
