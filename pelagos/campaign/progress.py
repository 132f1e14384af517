"""How far a campaign has come: runs done, how many failed, how fast, how long it will take."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Self, TextIO

from pelagos.sim.progress import CELLS, FILE_EVERY_S, PATIENCE_S, TERMINAL_EVERY_S, clock, engine_is_warm, put_line


def line(done: int, planned: int, failed: int, new: int, wall_s: float) -> str:
    """One line: `new` of the runs that are done took `wall_s`; the others were there before."""
    share = done / planned if planned else 1.0
    full = int(share * CELLS)
    rate = new / wall_s if wall_s > 0.0 else 0.0
    speed = f", {rate:.3g} runs/s" if rate > 0.0 else ""
    left = f", {clock((planned - done) / rate)} left" if rate > 0.0 and done < planned else ""
    bad = f", {failed} failed" if failed else ""
    return f"[{'#' * full}{'-' * (CELLS - full)}] {int(100.0 * share):3d} %  {done} of {planned} runs{bad}{speed}{left}"


class CampaignProgress:
    """A line that is rewritten in a terminal, a line every ten seconds in a file; silent for the first two seconds."""

    def __init__(
        self,
        stream: TextIO | None = None,
        *,
        now: Callable[[], float] = time.monotonic,
        warm: bool | None = None,
    ) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._now = now
        self._terminal = self._stream.isatty()
        self._next = now() + (PATIENCE_S if self._terminal else FILE_EVERY_S)
        self._begin: tuple[float, int] | None = None  # when the first were told, and how many were done then
        self._shown = 0

        self._warm = warm

    def __enter__(self) -> Self:
        if not (engine_is_warm() if self._warm is None else self._warm):
            self._stream.write("compiling the engine (first run on this machine)…\n")
            self._stream.flush()
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:  # what comes next starts on a line of its own
            self._stream.write("\n")
            self._stream.flush()

    def __call__(self, done: int, planned: int, failed: int) -> None:
        """So many of the planned runs are over."""
        now = self._now()
        if self._begin is None:
            self._begin = now, done
        if now < self._next and not (self._shown and done == planned):
            return
        self._next = now + (TERMINAL_EVERY_S if self._terminal else FILE_EVERY_S)
        text = "  " + line(done, planned, failed, done - self._begin[1], now - self._begin[0])
        self._shown = put_line(self._stream, text, self._terminal, self._shown)
