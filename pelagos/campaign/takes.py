"""What can be taken of a column: one number of many samples.

Samples that are unknown (NaN) are left out; if none is left the number is unknown as well. A share of the time is a
share of the known samples, which are evenly spaced.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Take = Callable[[Array, Array, float], float]  # times, values, threshold


def _integral(time_s: Array, value: Array, than: float) -> float:
    """Area under the column, by trapezia."""
    del than
    return float(np.sum(0.5 * (value[1:] + value[:-1]) * np.diff(time_s)))


def _time(true: NDArray[np.bool_], time_s: Array) -> float:
    """Seconds during which it holds: each sample stands for the time until the next."""
    return float(np.sum(np.diff(time_s)[true[:-1]])) if len(time_s) > 1 else 0.0


def _first(true: NDArray[np.bool_], time_s: Array) -> float:
    """When it holds for the first time; unknown (NaN) if never."""
    return float(time_s[int(np.argmax(true))]) if true.any() else float("nan")


# name -> how; the page docs/campaigns.md lists them
TAKES: dict[str, Take] = {
    "mean": lambda t, v, than: float(v.mean()),
    "median": lambda t, v, than: float(np.median(v)),
    "std": lambda t, v, than: float(v.std()),
    "min": lambda t, v, than: float(v.min()),
    "max": lambda t, v, than: float(v.max()),
    "range": lambda t, v, than: float(v.max() - v.min()),
    "abs_max": lambda t, v, than: float(np.abs(v).max()),
    "rms": lambda t, v, than: float(np.sqrt(np.mean(v * v))),
    "first": lambda t, v, than: float(v[0]),
    "final": lambda t, v, than: float(v[-1]),
    "integral": _integral,
    "any": lambda t, v, than: float(bool((v != 0.0).any())),
    "all": lambda t, v, than: float(bool((v != 0.0).all())),
    "share": lambda t, v, than: float((v != 0.0).mean()),
    "time_above": lambda t, v, than: _time(v > than, t),
    "time_below": lambda t, v, than: _time(v < than, t),
    "first_above": lambda t, v, than: _first(v > than, t),
    "first_below": lambda t, v, than: _first(v < than, t),
}
WITH_THAN = ("time_above", "time_below", "first_above", "first_below")


def taken(take: str, time_s: Array, value: Array, than: float = 0.0) -> float:
    """One number of a column; NaN if nothing of it is known."""
    known = ~np.isnan(value)
    time_s, value = time_s[known], value[known]
    if not len(value):
        return float("nan")
    if take in TAKES:
        return TAKES[take](time_s, value, than)
    return float(np.percentile(value, int(take[1:])))
