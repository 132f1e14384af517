"""Which loops the setpoints of many vehicles need: `orders.plan`, asked once for each kind of setpoint.

A plan depends on which quantities are given and, of their values, on the speed alone; and on that only by a few
thresholds. Vehicles that agree in these share one plan.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pelagos.control.many_layout import ALTITUDE, LEVELLED, LOOPS, NORTH, SPEED
from pelagos.control.orders import QUANTITIES, plan
from pelagos.control.schedule import Schedule
from pelagos.control.tuning import SAMPLING_S
from pelagos.errors import CommandError
from pelagos.messages import Setpoint

Array = NDArray[np.float64]
Whole = NDArray[np.int64]
BITS = 2 ** np.arange(len(QUANTITIES))
KEPT = 10000  # drags that are remembered


class Plans:
    """Plans of one vehicle's setpoints, remembered by kind."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule = schedule
        self._known: dict[int, tuple[int, bool, float]] = {}  # loops, whether the speed is as asked for, else which
        self._drags: dict[float, float] = {}

    def kinds(self, held: Array) -> Whole:
        """A number for each row of setpoints; rows of one number have one plan."""
        s, speed = self.schedule, held[:, SPEED]
        size = np.abs(speed)
        above = [speed > 0.0, speed >= s.lowest, size >= s.planes_from, size > s.steady_speed]  # NaN is above nothing
        kind = np.isfinite(held) @ BITS
        for threshold in above:
            kind = 2 * kind + threshold
        if s.interval_s > SAMPLING_S and s.step > 0.0:  # then the loops are judged at the very stage
            stage = np.rint(np.maximum(np.nan_to_num(speed), s.lowest) / s.step).astype(np.int64)
            kind = kind * 100000 + stage
        return kind

    def make(self, held: Array) -> tuple[Whole, Array, Array]:
        """Loops, speed to hold and its drag for each row of setpoints; CommandError if one cannot be held."""
        kinds = self.kinds(held)
        loops, speeds, drags = np.zeros(len(held), np.int64), np.zeros(len(held)), np.zeros(len(held))
        for kind in np.unique(kinds).tolist():
            rows = np.flatnonzero(kinds == kind)
            found = self._known.get(kind)
            if found is None:
                found = self._known[kind] = self._plan(held[rows[0]])
            loops[rows], as_asked, speed = found
            speeds[rows] = held[rows, SPEED] if as_asked else speed
        surging = np.flatnonzero(loops & 1 << LOOPS.index("surge"))
        drags[surging] = self._drag(speeds[surging])
        return loops, speeds, drags

    def _plan(self, row: Array) -> tuple[int, bool, float]:
        if np.isfinite(row[ALTITUDE]):
            raise CommandError("many vehicles hold a depth, not an altitude; expected depth_m.")
        wish = Setpoint(**{name: float(x) for name, x in zip(QUANTITIES, row, strict=True) if x == x})
        if not wish.given:
            return 0, False, 0.0
        found = plan(self.schedule, wish)
        loops = sum(1 << LOOPS.index(name) for name in found.loops) | LEVELLED
        as_asked = wish.speed_m_s is not None and not np.isfinite(row[NORTH])
        return loops, as_asked, found.speed or 0.0

    def _drag(self, speeds: Array) -> list[float]:
        """Drag of each speed, N; those asked for before are remembered."""
        if len(self._drags) > KEPT:
            self._drags.clear()
        known, response = self._drags, self.schedule.response
        values: list[float] = speeds.tolist()
        for speed in values:
            if speed not in known:
                known[speed] = response.drag(speed)
        return [known[speed] for speed in values]
