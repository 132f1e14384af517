"""Tells the one who waits how far a run has come: simulated time, how fast it goes, how long it will take."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Self, TextIO

PATIENCE_S = 2.0  # anything longer says what it is doing
TERMINAL_EVERY_S = 0.2
FILE_EVERY_S = 10.0
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


def clock(seconds: float) -> str:
    """A time as people read it: "9.5 s" is "9 s", then "2:05", then "1:02:05" with hours."""
    whole = max(0, int(seconds))
    if whole < 60:
        return f"{whole} s"
    minutes, hours = whole // 60 % 60, whole // 3600
    return f"{hours}:{minutes:02d}:{whole % 60:02d}" if hours else f"{minutes}:{whole % 60:02d}"


def _three_digits(factor: float) -> str:
    """Never with an exponent: 0.042, 1.25, 38, 1250."""
    if factor < 10.0:
        return f"{factor:.2g}" if factor >= 0.001 else f"{factor:.4f}"
    return f"{factor:.0f}"


class Progress:
    """Says what takes so long: compiling until the first call, then how far the run has come.

    One line that is rewritten in a terminal, a line every ten seconds in a file; silent for a run that is over in
    two seconds. Use it as a context manager and call it with the simulated time done.

    Args:
        total_s: simulated time of the run, s; None if a condition ends it.
        stream: where to write; the error stream if not given.
        now: a clock that never goes back, s.
        warm: whether the engine is compiled already; looked up if not given.
    """

    def __init__(
        self,
        total_s: float | None,
        stream: TextIO | None = None,
        *,
        now: Callable[[], float] = time.monotonic,
        warm: bool | None = None,
    ) -> None:
        self._total_s = total_s
        self._stream = sys.stderr if stream is None else stream
        self._now = now
        self._terminal = self._stream.isatty()
        self._next = now() + (PATIENCE_S if self._terminal else FILE_EVERY_S)
        self._first: tuple[float, float] | None = None  # wall and simulated time of the first call
        self._done_s = 0.0
        self._shown = 0  # characters on the terminal's line
        self._warm = engine_is_warm() if warm is None else warm
        self._compiling = threading.Timer(PATIENCE_S if self._warm else 0.0, self._say_compiling)
        self._compiling.daemon = True

    def __enter__(self) -> Self:
        self._compiling.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._compiling.cancel()
        if self._shown:  # what comes next starts on a line of its own
            self._show(self._done_s)
            self._stream.write("\n")
            self._stream.flush()

    def __call__(self, done_s: float) -> None:
        """Report that `done_s` of simulated time is done."""
        now = self._now()
        self._done_s = done_s
        if self._first is None:
            self._compiling.cancel()
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

    def _say_compiling(self) -> None:
        doing = "preparing the run" if self._warm else "compiling the engine (first run on this machine)"
        self._stream.write(f"{doing}…\n")
        self._stream.flush()


def put_line(stream: TextIO, text: str, terminal: bool, shown: int) -> int:
    """Write a line of progress, in a terminal over the one before, `shown` characters long; how long it is itself."""
    if terminal:
        text = text[: _width(stream) - 1]  # a line that wraps cannot be rewritten
        stream.write("\r" + text.ljust(shown))
        shown = len(text)
    else:
        stream.write(text + "\n")
    stream.flush()
    return shown


def _width(stream: TextIO) -> int:
    try:
        return max(os.get_terminal_size(stream.fileno()).columns, 20)
    except (OSError, ValueError, AttributeError):
        return 120


def engine_is_warm() -> bool:
    """Asked late: the engine takes half a second to import, and a command that only lists has no use for it."""
    from pelagos.engine.compiled import is_warm

    return is_warm()
