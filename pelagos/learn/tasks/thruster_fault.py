"""Hold a place and a heading while a thruster fails.

`StationKeeping`, but 5 to 15 s after the start one of the eight thrusters, any of them, gives only 0 to 30 % of its
thrust. The observation does not say which, nor that it happened: the motion does. The reward is that of station
keeping. In `info`, `failed_thruster` is its number, -1 while all are sound.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.batch.batch import Batch
from pelagos.learn.randomise import Draws
from pelagos.learn.task import Indices
from pelagos.learn.tasks.station_keeping import StationKeeping


class ThrusterFault(StationKeeping):
    """Stay where you are told with seven thrusters and a rest."""

    key = "ThrusterFault"
    scales = True

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self._at_step = np.zeros(n, np.int64)
        self._which, self.share = np.zeros(n, np.int64), np.ones(n)
        self.broken = np.full(n, -1, np.int64)

    def begin(self, batch: Batch, where: Indices, draws: Draws) -> None:
        """Sound at first."""
        super().begin(batch, where, draws)
        self._at_step[where] = (draws.uniform("fault at", 5.0, 15.0) * self.rate_hz).astype(np.int64)
        self._which[where] = draws.below("fault of", len(batch.vehicle.thrusters))
        self.share[where] = draws.uniform("fault leaves", 0.0, 0.3)
        self.broken[where] = -1

    def during(self, batch: Batch, steps: Indices) -> None:
        """Faults that begin now."""
        now = np.flatnonzero(steps == self._at_step)
        for k in np.unique(self._which[now]):
            whose = now[self._which[now] == k]
            batch.scale(f"thruster:{batch.vehicle.thrusters[k].name}", self.share[whose], whose)
        self.broken[now] = self._which[now]

    def measures(self) -> dict[str, NDArray[Any]]:
        """With the number of the thruster that failed."""
        return super().measures() | {"failed_thruster": self.broken}
