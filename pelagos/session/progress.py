"""Progress display of a run: simulated time, real-time factor and remaining time."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from typing import Self, TextIO

from pelagos.engine.waiting import FILE_EVERY_S, PATIENCE_S, TERMINAL_EVERY_S, WATCH, clock, put_line

CELLS = 24


def bar(done: float, total: float | None, wall: float) -> str:
    """One line of progress as text.

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
    """A factor without an exponent: 0.042, 1.25, 38, 1250."""
    if factor < 10.0:
        return f"{factor:.2g}" if factor >= 0.001 else f"{factor:.4f}"
    return f"{factor:.0f}"


class Progress:
    """Writes the progress of a run to a stream; `engine.waiting` reports the compiling before it.

    It rewrites one line in a terminal, adds a line every ten seconds to a file, and is silent for a run shorter than
    two seconds. Use it as a context manager and call it with the simulated time.

    The thread of the run writes all lines but one: "preparing the run" comes from the thread of a timer, which the
    first call cancels.

    Args:
        total_s: simulated time of the run, s; None if a condition ends it.
        stream: output stream; default: standard error.
        now: monotonic clock, s.
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
        self._first: tuple[float, float] | None = None  # wall time and simulated time of the first call
        self._done_s = 0.0
        self._shown = 0  # characters on the terminal's line
        self._preparing = threading.Timer(PATIENCE_S, self._report_preparing)
        self._preparing.daemon = True

    def __enter__(self) -> Self:
        self._preparing.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._preparing.cancel()
        if self._shown:  # end the rewritten line
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
        """Wall time of the run so far without compiling, extrapolated from the time since the first call."""
        if self._first is None or done_s <= self._first[1]:
            return 0.0
        began, before_s = self._first
        return (self._now() - began) * done_s / (done_s - before_s)

    def _report_preparing(self) -> None:
        if not WATCH.busy:
            self._stream.write("preparing the run…\n")
            self._stream.flush()
