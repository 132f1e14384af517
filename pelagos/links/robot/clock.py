"""When the next interval is due: at once when it is ordered, or by the clock on the wall, once or many times as fast.

Deadlines are absolute, so that nothing drifts. Who is more than a quarter of a second behind does not try to catch up:
the deadlines are moved, and the time given up is told.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from pelagos.checks import number
from pelagos.errors import CommandError

CLOCKS = ("lockstep", "realtime", "scaled")
BEHIND_S = 0.25  # of wall time: then the deadlines are moved
LONGEST_WAIT_S = 0.2  # so that a wish to stop is seen


class Clock:
    """The clock of a link.

    Args:
        kind: "lockstep", "realtime" or "scaled".
        interval_s: simulated seconds from one exchange to the next.
        speed: simulated seconds in a second of the wall; for "scaled" only.
        now: seconds of the wall, for tests.
    """

    def __init__(
        self, kind: str, interval_s: float, speed: float = 1.0, now: Callable[[], float] = time.perf_counter
    ) -> None:
        if kind not in CLOCKS:
            raise CommandError(key="the clock", value=kind, names=CLOCKS)
        self.kind = kind
        self.speed = number("speed", speed, 1e-3, 1e4)
        if kind != "scaled" and self.speed != 1.0:
            raise CommandError(f"speed is {self.speed:g} with the clock {kind}", expected="it with the clock scaled")
        self.wall_s = interval_s / self.speed
        self.overruns = 0  # exchanges that came when the next one was due already
        self.slipped_s = 0.0  # of the wall, given up
        self._now = now
        self._next = math.inf

    @property
    def free(self) -> bool:
        """Whether it goes by itself: all but lockstep."""
        return self.kind != "lockstep"

    @property
    def running(self) -> bool:
        """Whether a next exchange is due at some time."""
        return math.isfinite(self._next)

    def start(self) -> None:
        """From now on the exchanges come; the first after one interval. Nothing happens if they do already."""
        if self.free and not self.running:
            self._next = self._now() + self.wall_s

    def stop(self) -> None:
        """Stand still until the next start."""
        self._next = math.inf

    def wait_s(self) -> float:
        """How long nothing is due, at most LONGEST_WAIT_S."""
        return min(max(self._next - self._now(), 0.0), LONGEST_WAIT_S)

    def due(self) -> bool:
        """Whether an exchange is due; it then counts as begun."""
        now = self._now()
        late = now - self._next
        if late < 0.0:
            return False
        self.overruns += late > self.wall_s
        self._next += self.wall_s
        if late > max(BEHIND_S, self.wall_s):
            self.slipped_s += late
            self._next = now + self.wall_s
        return True
