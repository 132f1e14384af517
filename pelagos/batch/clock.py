"""Time of each vehicle of a batch: single vehicles are reset, and a vehicle that diverges stops."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pelagos.batch.inputs import Indices

Array = NDArray[np.float64]


class BatchClock:
    """Control intervals of n vehicles since the reset of each, and when a vehicle diverged.

    Args:
        n: number of vehicles.
        rate_hz: control intervals per second.
    """

    def __init__(self, n: int, rate_hz: float) -> None:
        self.rate_hz, self.interval_s = rate_hz, 1.0 / rate_hz
        self.ticks = np.zeros(n, np.int64)  # of a vehicle that diverged: the intervals before that
        self.failed_s = np.full(n, math.nan)  # NaN: alive
        self.changing = self.ticks, self.failed_s  # what a saved batch keeps

    @property
    def time_s(self) -> Array:
        """Simulated time, whole control intervals; of a vehicle that diverged, when it did: (n,)."""
        return np.where(self.alive, self.ticks / self.rate_hz, self.failed_s)

    @property
    def latest_s(self) -> float:
        """Time of the vehicle that is furthest in time; others may have been reset since."""
        return float(self.ticks.max()) / self.rate_hz

    @property
    def alive(self) -> NDArray[np.bool_]:
        """False for each vehicle that has diverged: (n,)."""
        return np.isnan(self.failed_s)

    def reset(self, chosen: Indices) -> None:
        """Set the time of some vehicles to zero; they are alive."""
        self.ticks[chosen], self.failed_s[chosen] = 0, math.nan

    def tick(self) -> None:
        """Count a control interval for all vehicles."""
        self.ticks += 1

    def stop(self, chosen: Indices, after_s: Array) -> None:
        """Do not count the last interval for vehicles that diverged in it, `after_s` from its start, or earlier."""
        self.ticks[chosen] -= 1
        failed_s = self.ticks[chosen] / self.rate_hz + after_s
        self.failed_s[chosen] = np.where(self.alive[chosen], failed_s, self.failed_s[chosen])
