"""Tells the one who waits how far a run has come: simulated time, how fast it goes, how long it will take."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from typing import Self, TextIO

from pelagos.engine.waiting import FILE_EVERY_S, PATIENCE_S, TERMINAL_EVERY_S, WATCH, clock, put_line

CELLS = 24


def bar(done: float, total: float | None, wall: float) -> str:
    """One line of progress.

    Args:
        done: simulated time done, s.
        total: simulated time of the whole run, s; None if a condition ends it.
        wall: wall time that `done` took, s.
    """
    factor = done / wall if wall > 0.0 else 0.0
    speed = f", {_three_digits(factor)} x real time" if factor > 0.0 else ""
    if total is None or total <= 0.0:
        return f"{clock(done)} simulated{speed}"
    share = min(max(done / total, 0.0), 1.0)
    full = int(share * CELLS)
    left = f", {clock((total - done) / factor)} left" if factor > 0.0 and done < total else ""
    cells = "#" * full + "-" * (CELLS - full)
    return f"[{cells}] {int(100.0 * share):3d} %  {clock(done)} of {clock(total)} simulated{speed}{left}"


def _three_digits(factor: float) -> str:
    """Never with an exponent: 0.042, 1.25, 38, 1250."""
    if factor < 10.0:
        return f"{factor:.2g}" if factor >= 0.001 else f"{factor:.4f}"
    return f"{factor:.0f}"


class Progress:
    """Says how far a run has come, from its first call on; what is compiled before it, engine.waiting tells.

    One line that is rewritten in a terminal, a line every ten seconds in a file; silent for a run that is over in
    two seconds. Use it as a context manager and call it with the simulated time done.

    Args:
        total_s: simulated time of the run, s; None if a condition ends it.
        stream: where to write; the error stream if not given.
        now: a clock that never goes back, s.
    """

    def __init__(
        self,
        total_s: float | None,
        stream: TextIO | None = None,
        *,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._total_s = total_s
        self._stream = sys.stderr if stream is None else stream
        self._now = now
        self._terminal = self._stream.isatty()
        self._next = now() + (PATIENCE_S if self._terminal else FILE_EVERY_S)
        self._first: tuple[float, float] | None = None  # wall and simulated time of the first call
        self._done_s = 0.0
        self._shown = 0  # characters on the terminal's line
        self._preparing = threading.Timer(PATIENCE_S, self._say_preparing)
        self._preparing.daemon = True

    def __enter__(self) -> Self:
        self._preparing.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._preparing.cancel()
        if self._shown:  # what comes next starts on a line of its own
            self._show(self._done_s)
            self._stream.write("\n")
            self._stream.flush()

    def __call__(self, done_s: float) -> None:
        """Report that `done_s` of simulated time is done."""
        now = self._now()
        self._done_s = done_s
        if self._first is None:
            self._preparing.cancel()
            self._first = (now, done_s)
        if now >= self._next:
            self._show(done_s)
            self._next = now + (TERMINAL_EVERY_S if self._terminal else FILE_EVERY_S)

    def _show(self, done_s: float) -> None:
        text = "  " + bar(done_s, self._total_s, self._wall_s(done_s))
        self._shown = put_line(self._stream, text, self._terminal, self._shown)

    def _wall_s(self, done_s: float) -> float:
        """Wall time that the run would have taken so far without compiling: the first call sets the clock."""
        if self._first is None or done_s <= self._first[1]:
            return 0.0
        began, before_s = self._first
        return (self._now() - began) * done_s / (done_s - before_s)

    def _say_preparing(self) -> None:
        if not WATCH.busy:
            self._stream.write("preparing the run…\n")
            self._stream.flush()
