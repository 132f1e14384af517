"""When the next tick is due on the wall clock, how late the ticks are, and how much of the time they take.

Deadlines are absolute, base + n interval / scale, so that lateness of one tick never adds to that of the next. Whoever
falls behind by more than BEHIND_S gives up the missed intervals and says so: they are counted as overruns, and ticks
made and intervals given up together fill the time.
"""

from __future__ import annotations

import math

BEHIND_S = 0.25
WINDOW_S = 1.0  # over which the load is averaged


class Pacer:
    """Deadlines of ticks of `interval_s` simulated seconds each; all other times are of the wall clock."""

    def __init__(self, interval_s: float, now_s: float) -> None:
        self.interval_s = interval_s
        self.scale = 1.0
        self.overruns = 0
        self.load_percent = 0.0
        self._worst_s = 0.0
        self._window_s, self._busy_s = now_s, 0.0
        self.begin(now_s)

    @property
    def period_s(self) -> float:
        """Wall time from tick to tick."""
        return self.interval_s / self.scale

    @property
    def due_s(self) -> float:
        """When the next tick is due."""
        return self._base_s + self._n * self.period_s

    def begin(self, now_s: float) -> None:
        """The next tick is due one period from now."""
        self._base_s, self._n = now_s, 1

    def rescale(self, scale: float, now_s: float) -> None:
        """Another speed from now on."""
        self.scale = scale
        self.begin(now_s)

    def ticked(self, begin_s: float, end_s: float) -> int:
        """A tick was made; gives the number of intervals given up because of it, mostly none."""
        self._worst_s = max(self._worst_s, begin_s - self.due_s)
        self._busy_s += end_s - begin_s
        self._n += 1
        behind = end_s - self.due_s
        if behind <= BEHIND_S:
            return 0
        lost = max(1, math.floor(behind / self.period_s))
        self.overruns += lost
        self._n += lost
        return lost

    def take_lateness_s(self) -> float:
        """How late the latest tick began since the last call; zero if none was."""
        worst, self._worst_s = self._worst_s, 0.0
        return worst

    def watch(self, now_s: float) -> None:
        """Renew the load once a second."""
        if now_s - self._window_s >= WINDOW_S:
            self.load_percent = 100.0 * self._busy_s / (now_s - self._window_s)
            self._window_s, self._busy_s = now_s, 0.0
