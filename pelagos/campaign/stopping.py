"""Stop when enough is known, by a rule that does not depend on which run was finished first.

Runs 0 to k - 1 are looked at, k = check_every, 2 check_every, ..., each once all of them are finished. The first k at
which the interval of the metric is narrow enough ends the campaign: it has k runs then, whatever else was in hand. To
look again and again until it is narrow makes the interval a little too narrow; a large `check_every` makes that small.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pelagos.campaign.intervals import interval
from pelagos.campaign.spec import Stop


class Stopping:
    """Told of finished runs in any order; knows when to stop."""

    def __init__(self, stop: Stop | None, planned: int) -> None:
        self._stop = stop
        self._values: NDArray[np.float64] = np.full(planned if stop else 0, np.nan)
        self._finished = np.zeros(planned if stop else 0, bool)
        self._looked = 0  # runs of the last look
        self.at: int | None = None  # so many runs are enough
        self.why = ""

    def tell(self, runs: NDArray[np.int64], values: NDArray[np.float64]) -> None:
        """These runs are finished; NaN for one that failed."""
        if self._stop is None or self.at is not None:
            return
        self._finished[runs] = True
        self._values[runs] = values
        every = self._stop.check_every
        while self.at is None and self._looked + every <= len(self._values):
            upto = self._looked + every
            if not self._finished[self._looked : upto].all():
                return
            self._looked = upto
            found = interval(self._values[:upto], self._stop.confidence)
            if found.half_width <= self._stop.half_width:
                self.at = upto
                self.why = (
                    f"{self._stop.metric} is known to {found.half_width:.3g}, "
                    f"asked for {self._stop.half_width:g} at {self._stop.confidence:.0%}"
                )
