"""The clock of the robot link: lockstep with the orders of the robot, real time, or scaled real time.

Deadlines are absolute, so that errors do not accumulate. If an exchange is more than a quarter of a second late, the
clock does not catch up: it moves the deadlines and adds the lost time to `slipped_s`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from pelagos.checks import choice, number
from pelagos.errors import CommandError

CLOCKS = ("lockstep", "realtime", "scaled")
BEHIND_S = 0.25  # wall time by which an exchange may be late before the deadlines are moved
LONGEST_WAIT_S = 0.2  # so that the server checks its stop event often enough


class Clock:
    """The clock of a link.

    Args:
        kind: "lockstep", "realtime" or "scaled".
        interval_s: simulated time between exchanges.
        speed: simulated time per wall time; for "scaled" only.
        now: wall time in seconds, for tests.
    """

    def __init__(
        self, kind: str, interval_s: float, speed: float = 1.0, now: Callable[[], float] = time.perf_counter
    ) -> None:
        self.kind = choice("the clock", kind, CLOCKS)
        self.speed = number("speed", speed, 1e-3, 1e4)
        if kind != "scaled" and self.speed != 1.0:
            raise CommandError(key="speed", value=self.speed, expected=f"1 with the clock {kind}, or the clock scaled")
        self.wall_s = interval_s / self.speed
        self.overruns = 0  # exchanges that began after the deadline of the next one
        self.slipped_s = 0.0  # wall time lost by moving deadlines
        self._now = now
        self._next = math.inf

    @property
    def free(self) -> bool:
        """Whether time advances without orders: all clocks but lockstep."""
        return self.kind != "lockstep"

    @property
    def running(self) -> bool:
        """Whether the next exchange has a deadline."""
        return math.isfinite(self._next)

    def start(self) -> None:
        """Start the exchanges, the first after one interval; no effect on a running clock or in lockstep."""
        if self.free and not self.running:
            self._next = self._now() + self.wall_s

    def stop(self) -> None:
        """Stop the exchanges until the next start."""
        self._next = math.inf

    def wait_s(self) -> float:
        """Wall time until the next exchange, at most LONGEST_WAIT_S."""
        return min(max(self._next - self._now(), 0.0), LONGEST_WAIT_S)

    def due(self) -> bool:
        """Whether an exchange is due; if so, it counts as begun."""
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
