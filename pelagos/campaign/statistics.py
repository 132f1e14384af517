"""How well a mean is known: Student's interval, or Wilson's where every value is 0 or 1.

Student: mean +- t(n - 1) s / sqrt(n). Wilson (1927): the probabilities p for which the observed share lies within
z sqrt(p (1 - p) / n) of p; it keeps its width where the share is 0 or 1. Both take the values for independent draws. Of
"lhs" and "sobol", whose points are spread more evenly than draws, they are on the safe side. Points of a grid and
trajectories of Morris are no draws and have no interval; of a Saltelli design the rows A and B count, the others repeat
their keys. `drawn` says which runs count, `interval` what they give: the command line, summary.json, `Results.interval`
and the report all go through both.

Stop when enough is known, by a rule that does not depend on which run was finished first.

Runs 0 to k - 1 are looked at, k = check_every, 2 check_every, ..., each once all of them are finished. The first k at
which the interval of the metric is narrow enough ends the campaign: it has k runs then, whatever else was in hand. To
look again and again until it is narrow makes the interval a little too narrow; a large `check_every` makes that small.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.campaign.sensitivity import base_rows
from pelagos.campaign.spec import DESIGNS, SEED, Campaign, Stop

Array = NDArray[np.float64]
NOT_DRAWN = {"grid": "points of a grid are chosen, not drawn", "morris": "trajectories are chosen, not drawn"}


@dataclass(frozen=True)
class Interval:
    """A mean and how well it is known."""

    n: int  # values that are known
    mean: float
    low: float
    high: float
    is_share: bool  # every value is 0 or 1: the mean is a probability
    why: str = ""  # there is no interval, in words

    @property
    def half_width(self) -> float:
        """Half the length of the interval; infinite where there is none."""
        return (self.high - self.low) / 2.0 if math.isfinite(self.low) else math.inf


def explaining_keys(campaign: Campaign) -> tuple[str, ...]:
    """The varied keys that may explain something: all but a seed, over which blocks of a design are laid out too."""
    return tuple(row.key for row in campaign.vary if row.key != SEED or campaign.method in DESIGNS)


def as_numbers(column: NDArray[Any]) -> Array:
    """A column of the plan as numbers; choices that are words are counted off in the order of the alphabet."""
    if column.dtype.kind in "fiub":
        return column.astype(np.float64)
    return np.unique(column.astype(str), return_inverse=True)[1].astype(np.float64)


def drawn(campaign: Campaign, plan: Mapping[str, NDArray[Any]]) -> NDArray[np.bool_]:
    """Which of the planned runs a distribution is made of."""
    if campaign.method != "saltelli":
        return np.ones(len(plan["run"]), bool)
    return base_rows(campaign.method, np.column_stack([as_numbers(plan[key]) for key in explaining_keys(campaign)]))


def interval(values: Array, confidence: float = 0.95, why: str = "") -> Interval:
    """The interval of the mean of the known values; none if it is said `why` there is none."""
    known = values[np.isfinite(values)]
    n = len(known)
    if n == 0:
        return Interval(0, math.nan, math.nan, math.nan, False, "no run has a value")
    mean = float(known.mean())
    is_share = bool(np.all((known == 0.0) | (known == 1.0)))
    if why:
        return Interval(n, mean, math.nan, math.nan, is_share, why)
    if is_share:
        return Interval(n, mean, *wilson(int(known.sum()), n, confidence), True)
    if n == 1:
        return Interval(1, mean, math.nan, math.nan, False, "one run has no spread")
    from scipy.special import stdtrit  # quantile of Student's distribution

    half = float(stdtrit(n - 1, 0.5 + confidence / 2.0) * known.std(ddof=1) / math.sqrt(n))
    return Interval(n, mean, mean - half, mean + half, False)


def wilson(hits: int, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Both ends of Wilson's interval of a probability."""
    from scipy.special import ndtri  # quantile of the normal distribution

    z = float(ndtri(0.5 + confidence / 2.0))
    share, spread = hits / n, z * z / n
    middle = (share + spread / 2.0) / (1.0 + spread)
    half = z / (1.0 + spread) * math.sqrt(share * (1.0 - share) / n + spread / (4.0 * n))
    return max(0.0, middle - half), min(1.0, middle + half)


# ---- stopping --------------------------------------------------------------------------------------------------------


class StopRule:
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
