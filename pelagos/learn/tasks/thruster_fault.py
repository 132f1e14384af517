"""Task: hold a position and a heading after the failure of a thruster.

`StationKeeping`, but 5 to 15 s after the start one of the eight thrusters, chosen at random, loses 70 to 100 % of its
thrust. The observation does not contain the fault; only the motion shows it. The reward is that of station keeping. In
`info`, `failed_thruster` is the number of the thruster, -1 before the fault.
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
    """Hold a position and a heading after the failure of a thruster."""

    key = "ThrusterFault"
    scales = True

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self._at_step = np.zeros(n, np.int64)
        self._which, self.share = np.zeros(n, np.int64), np.ones(n)
        self.broken = np.full(n, -1, np.int64)

    def begin(self, batch: Batch, where: Indices, draws: Draws) -> None:
        """Place the vehicles without faults, and draw the fault of each."""
        super().begin(batch, where, draws)
        self._at_step[where] = (draws.uniform("fault at", 5.0, 15.0) * self.rate_hz).astype(np.int64)
        self._which[where] = draws.below("fault of", len(batch.vehicle.thrusters))
        self.share[where] = draws.uniform("fault leaves", 0.0, 0.3)
        self.broken[where] = -1

    def during(self, batch: Batch, steps: Indices) -> None:
        """Inject the faults that start at this step."""
        now = np.flatnonzero(steps == self._at_step)
        for k in np.unique(self._which[now]):
            where = now[self._which[now] == k]
            batch.scale(f"thruster:{batch.vehicle.thrusters[k].name}", self.share[where], where)
        self.broken[now] = self._which[now]

    def measures(self) -> dict[str, NDArray[Any]]:
        """Return those of station keeping, and the number of the failed thruster."""
        return super().measures() | {"failed_thruster": self.broken}
