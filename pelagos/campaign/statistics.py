"""Confidence intervals of means and probabilities, and the rule that stops a campaign early.

Student's interval: mean +- t(n - 1) s / sqrt(n). Wilson's (1927), if every value is 0 or 1: the probabilities p for
which the observed share lies within z sqrt(p (1 - p) / n) of p; it keeps its width at shares of 0 and 1. Both assume
independent draws, and are conservative for "lhs" and "sobol", whose points are spread more evenly. Points of a grid and
Morris trajectories are no draws and have no interval; in a Saltelli design only rows A and B count, because the others
repeat their values. The command line, summary.json, `Results.interval` and the report all use `independent_runs` and
`interval`.

The stopping rule does not depend on the order in which runs finish. It examines runs 0 to k - 1 for k = check_every,
2 check_every, ..., once all of them are finished. The first k with a narrow enough interval ends the campaign with k
runs, even if later runs are finished. Repeated testing makes the final interval a little too narrow; a large
`check_every` keeps this small.
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
    """A mean with its confidence interval."""

    n: int  # number of known values
    mean: float
    low: float
    high: float
    is_share: bool  # every value is 0 or 1: the mean is a probability
    why: str = ""  # reason if there is no interval

    @property
    def half_width(self) -> float:
        """Half the length of the interval; infinite if there is none."""
        return (self.high - self.low) / 2.0 if math.isfinite(self.low) else math.inf


def explaining_keys(campaign: Campaign) -> tuple[str, ...]:
    """Return the varied keys that can explain a metric: all but the seed, unless a design varies it."""
    return tuple(row.key for row in campaign.vary if row.key != SEED or campaign.method in DESIGNS)


def as_numbers(column: NDArray[Any]) -> Array:
    """Return a column of the plan as numbers; texts are numbered alphabetically."""
    if column.dtype.kind in "fiub":
        return column.astype(np.float64)
    return np.unique(column.astype(str), return_inverse=True)[1].astype(np.float64)


def independent_runs(campaign: Campaign, plan: Mapping[str, NDArray[Any]]) -> NDArray[np.bool_]:
    """Return the mask of the planned runs that are independent draws."""
    if campaign.method != "saltelli":
        return np.ones(len(plan["run"]), bool)
    return base_rows(campaign.method, np.column_stack([as_numbers(plan[key]) for key in explaining_keys(campaign)]))


def interval(values: Array, confidence: float = 0.95, why: str = "") -> Interval:
    """Return the interval of the mean of the known values; none if `why` gives a reason."""
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
    """Return both ends of Wilson's interval of a probability."""
    from scipy.special import ndtri  # quantile of the normal distribution

    z = float(ndtri(0.5 + confidence / 2.0))
    share, spread = hits / n, z * z / n
    middle = (share + spread / 2.0) / (1.0 + spread)
    half = z / (1.0 + spread) * math.sqrt(share * (1.0 - share) / n + spread / (4.0 * n))
    return max(0.0, middle - half), min(1.0, middle + half)


class StopRule:
    """Decide when a campaign stops; accepts finished runs in any order."""

    def __init__(self, stop: Stop | None, planned: int) -> None:
        self._stop = stop
        self._values: NDArray[np.float64] = np.full(planned if stop else 0, np.nan)
        self._finished = np.zeros(planned if stop else 0, bool)
        self._examined = 0  # runs of the last test
        self.at: int | None = None  # number of runs that suffices; None: not yet
        self.why = ""

    def update(self, runs: NDArray[np.int64], values: NDArray[np.float64]) -> None:
        """Add finished runs with their values, NaN for a failed run."""
        if self._stop is None or self.at is not None:
            return
        self._finished[runs] = True
        self._values[runs] = values
        step = self._stop.check_every
        while self.at is None and self._examined + step <= len(self._values):
            upto = self._examined + step
            if not self._finished[self._examined : upto].all():
                return
            self._examined = upto
            known = interval(self._values[:upto], self._stop.confidence)
            if known.half_width <= self._stop.half_width:
                self.at = upto
                self.why = (
                    f"{self._stop.metric} is known to {known.half_width:.3g}, "
                    f"asked for {self._stop.half_width:g} at {self._stop.confidence:.0%}"
                )
