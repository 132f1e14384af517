"""How well a mean is known: Student's interval, or Wilson's where every value is 0 or 1.

Student: mean +- t(n - 1) s / sqrt(n). Wilson (1927): the probabilities p for which the observed share lies within
z sqrt(p (1 - p) / n) of p; it keeps its width where the share is 0 or 1. Both take the values for independent draws. Of
"lhs" and "sobol", whose points are spread more evenly than draws, they are on the safe side.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Interval:
    """A mean and how well it is known."""

    n: int  # values that are known
    mean: float
    low: float
    high: float
    is_share: bool  # every value is 0 or 1: the mean is a probability

    @property
    def half_width(self) -> float:
        """Half the length of the interval; infinite where there is none."""
        return (self.high - self.low) / 2.0 if math.isfinite(self.low) else math.inf


def interval(values: Array, confidence: float = 0.95) -> Interval:
    """The interval of the mean of the known values."""
    known = values[np.isfinite(values)]
    n = len(known)
    if n == 0:
        return Interval(0, math.nan, math.nan, math.nan, False)
    mean = float(known.mean())
    is_share = bool(np.all((known == 0.0) | (known == 1.0)))
    if is_share:
        return Interval(n, mean, *wilson(int(known.sum()), n, confidence), True)
    if n == 1:
        return Interval(1, mean, math.nan, math.nan, False)
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
