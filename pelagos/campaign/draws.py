"""From a number between 0 and 1 to a value of a varied key, by the quantiles of its distribution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.campaign.spec import Vary

Array = NDArray[np.float64]
LEAST = 2.0**-54  # below every number a generator gives but 0, whose normal quantile would be infinite


def drawn(vary: Vary, share: Array) -> NDArray[Any]:
    """The values at these shares of the distribution: float64, int64, texts or booleans."""
    if vary.values:
        at = np.minimum((share * len(vary.values)).astype(np.int64), len(vary.values) - 1)
        return listed(vary.values)[at]
    if vary.mean is not None and vary.sigma is not None:
        return _normal(vary, share)
    assert vary.low is not None and vary.high is not None
    if vary.is_whole:
        count = int(vary.high) - int(vary.low) + 1
        return int(vary.low) + np.minimum((share * count).astype(np.int64), count - 1)
    if vary.log:
        low, high = np.log(vary.low), np.log(vary.high)
        return np.clip(np.exp(low + share * (high - low)), vary.low, vary.high)  # the ends exactly
    return np.clip(vary.low + share * (vary.high - vary.low), vary.low, vary.high)


def on_grid(vary: Vary) -> NDArray[Any]:
    """The points of a grid: the values, or evenly from end to end; of a normal distribution evenly in probability."""
    if vary.values:
        return listed(vary.values)
    points = vary.points or 1
    if vary.mean is not None or points == 1:
        return drawn(vary, (np.arange(points) + 0.5) / points)
    if vary.is_whole:
        assert vary.low is not None and vary.high is not None
        return np.unique(np.round(np.linspace(vary.low, vary.high, points)).astype(np.int64))
    return drawn(vary, np.linspace(0.0, 1.0, points))


def listed(values: Sequence[int | float | bool | str]) -> NDArray[Any]:
    """A list of values as an array of its kind."""
    if isinstance(values[0], str):
        return np.array([str(value) for value in values])
    if isinstance(values[0], bool):
        return np.array(values, bool)
    whole = all(isinstance(value, int) for value in values)
    return np.array(values, np.int64 if whole else np.float64)


def _normal(vary: Vary, share: Array) -> Array:
    """Normal, cut off at `low` and `high` if they are given: what lies beyond is never drawn."""
    from scipy.special import ndtr, ndtri

    assert vary.mean is not None and vary.sigma is not None
    below = ndtr((vary.low - vary.mean) / vary.sigma) if vary.low is not None else 0.0
    above = ndtr((vary.high - vary.mean) / vary.sigma) if vary.high is not None else 1.0
    inside = np.clip(below + share * (above - below), LEAST, 1.0 - LEAST / 2.0)
    value = vary.mean + vary.sigma * np.asarray(ndtri(inside), np.float64)
    low = -np.inf if vary.low is None else vary.low
    high = np.inf if vary.high is None else vary.high
    return np.clip(value, low, high)  # rounding at the ends
