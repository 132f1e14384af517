"""Progress display of a run: simulated time, real-time factor and remaining time."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from typing import Self, TextIO

from pelagos.engine.waiting import FILE_EVERY_S, PATIENCE_S, TERMINAL_EVERY_S, WATCH, clock, put_line

CELLS = 24


def share_bar(share: float) -> str:
    """A share as a bar and in percent."""
    share = min(max(share, 0.0), 1.0)
    full = int(share * CELLS)
    return f"[{'#' * full}{'-' * (CELLS - full)}] {int(100.0 * share):3d} %"


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
    left = f", {clock((total - done) / factor)} left" if factor > 0.0 and done < total else ""
    return f"{share_bar(done / total)}  {clock(done)} of {clock(total)} simulated{speed}{left}"


def _three_digits(factor: float) -> str:
    """A factor without an exponent: 0.042, 1.25, 38, 1250."""
    if factor < 10.0:
        return f"{factor:.2g}" if factor >= 0.001 else f"{factor:.4f}"
    return f"{factor:.0f}"


class ProgressLine:
    """One line of progress: rewritten in a terminal, added every ten seconds to a file; none in the first seconds.

    A context manager, which ends the rewritten line.

    Args:
        stream: output stream; default: standard error.
        now: monotonic clock, s.
    """

    def __init__(self, stream: TextIO | None = None, *, now: Callable[[], float] = time.monotonic) -> None:
        self.stream = sys.stderr if stream is None else stream
        self.now = now
        self._terminal = self.stream.isatty()
        self._next = now() + (PATIENCE_S if self._terminal else FILE_EVERY_S)
        self.shown = 0  # characters on the terminal's line

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.shown:
            self.stream.write("\n")
            self.stream.flush()

    def is_due(self, now: float) -> bool:
        """Whether it is time for a new line."""
        return now >= self._next

    def show(self, text: str) -> None:
        """Write a line."""
        self.shown = put_line(self.stream, "  " + text, self._terminal, self.shown)

    def wait(self, now: float) -> None:
        """Wait with the next line."""
        self._next = now + (TERMINAL_EVERY_S if self._terminal else FILE_EVERY_S)


class Progress(ProgressLine):
    """Writes the progress of a run to a stream; `engine.waiting` reports the compiling before it.

    Use it as a context manager and call it with the simulated time.

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
        super().__init__(stream, now=now)
        self._total_s = total_s
        self._first: tuple[float, float] | None = None  # wall time and simulated time of the first call
        self._done_s = 0.0
        self._preparing = threading.Timer(PATIENCE_S, self._report_preparing)
        self._preparing.daemon = True

    def __enter__(self) -> Self:
        self._preparing.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._preparing.cancel()
        if self.shown:
            self._show(self._done_s)
        super().__exit__()

    def __call__(self, done_s: float) -> None:
        """Report that `done_s` of simulated time is done."""
        now = self.now()
        self._done_s = done_s
        if self._first is None:
            self._preparing.cancel()
            self._first = (now, done_s)
        if self.is_due(now):
            self._show(done_s)
            self.wait(now)

    def _show(self, done_s: float) -> None:
        self.show(bar(done_s, self._total_s, self._wall_s(done_s)))

    def _wall_s(self, done_s: float) -> float:
        """Wall time of the run so far without compiling, extrapolated from the time since the first call."""
        if self._first is None or done_s <= self._first[1]:
            return 0.0
        began, before_s = self._first
        return (self.now() - began) * done_s / (done_s - before_s)

    def _report_preparing(self) -> None:
        if not WATCH.busy:
            self.stream.write("preparing the run…\n")
            self.stream.flush()
