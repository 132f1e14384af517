"""Task: hold a position and a heading on a tether in a current.

`StationKeeping` with a tether: 25 m of the vehicle's cable (ten elements, dynamic) from a ship 12 m away, in any
direction. The current, 0.2 to 0.6 m/s, bends the cable, which pulls at the stern and turns the vehicle. Reward and end
are those of station keeping, and `info` has the tension at the vehicle (`tether_N`).
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pelagos.batch.batch import Batch
from pelagos.learn.observation import MotionArrays
from pelagos.learn.randomise import Draws
from pelagos.learn.task import Array, Indices, StepOutcome
from pelagos.learn.tasks.station_keeping import StationKeeping
from pelagos.tether.spec import Tether

AWAY_M = 12.0


class TetheredHover(StationKeeping):
    """Hold a position and a heading on a tether in a current."""

    key = "TetheredHover"
    tether = Tether(length_m=25.0, elements=10)
    ranges: ClassVar = {**StationKeeping.ranges, "current_m_s": (0.2, 0.6)}

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.tension_n = np.zeros(n)

    def begin(self, batch: Batch, where: Indices, draws: Draws) -> None:
        """Place vehicles and ships; the cables start at rest in the current."""
        super().begin(batch, where, draws)
        to = draws.uniform("bearing of the ship", -np.pi, np.pi)
        batch.tethers.set(where, ship_north_m=AWAY_M * np.cos(to), ship_east_m=AWAY_M * np.sin(to))
        self.tension_n[where] = batch.tethers.tension_n[where]

    def judge(self, true: MotionArrays, batch: Batch, effort: Array, left: Indices, outcome: StepOutcome) -> None:
        """Write reward and ends of station keeping, and read the tension."""
        super().judge(true, batch, effort, left, outcome)
        self.tension_n = batch.tethers.tension_n

    def measures(self) -> dict[str, NDArray[Any]]:
        """Return those of station keeping, and the tension of the cable."""
        return super().measures() | {"tether_N": self.tension_n}
