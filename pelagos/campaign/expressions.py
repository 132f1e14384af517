"""Expressions over the columns of a log, such as "abs(depth_m - 10)", and their reduction to one number.

The grammar is that of conditions (`sim.faults.conditions`), with ** and more functions. An expression is parsed once
and rejected then if it is invalid; the columns are checked after a first run. Only the listed operations are evaluated.

A reduction ("take") ignores unknown samples (NaN); without any known sample its result is NaN. A share of time is a
share of the known samples, which are evenly spaced.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from pelagos.errors import ScenarioError
from pelagos.sim.faults.conditions import Function, evaluate_expression, parse_expression

Array = NDArray[np.float64]
Take = Callable[[Array, Array, float], float]  # times, values, threshold


def _integral(time_s: Array, value: Array, than: float) -> float:
    """Integrate by the trapezoidal rule."""
    del than
    return float(np.sum(0.5 * (value[1:] + value[:-1]) * np.diff(time_s)))


def _time_true(true: NDArray[np.bool_], time_s: Array) -> float:
    """Return the seconds during which a condition is true; each sample covers the time until the next."""
    return float(np.sum(np.diff(time_s)[true[:-1]])) if len(time_s) > 1 else 0.0


def _first_true(true: NDArray[np.bool_], time_s: Array) -> float:
    """Return the time at which a condition is true for the first time; NaN if never."""
    return float(time_s[int(np.argmax(true))]) if true.any() else float("nan")


# name -> reduction; docs/campaigns.md lists them
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
    "time_above": lambda t, v, than: _time_true(v > than, t),
    "time_below": lambda t, v, than: _time_true(v < than, t),
    "first_above": lambda t, v, than: _first_true(v > than, t),
    "first_below": lambda t, v, than: _first_true(v < than, t),
}
WITH_THAN = ("time_above", "time_below", "first_above", "first_below")  # compare with a threshold


def wrap_deg(angle: Array) -> Array:
    """Wrap an angle to -180..180 degrees, for heading errors."""
    return (angle + 180.0) % 360.0 - 180.0


FUNCTIONS: dict[str, Function] = {
    "abs": (np.abs, 1),
    "sqrt": (np.sqrt, 1),
    "wrap_deg": (wrap_deg, 1),
    "hypot": (np.hypot, 2),
    "min": (lambda *values: np.minimum.reduce(np.broadcast_arrays(*values)), None),
    "max": (lambda *values: np.maximum.reduce(np.broadcast_arrays(*values)), None),
}


class Expression:
    """A parsed expression; `key` names its place in error messages."""

    def __init__(self, text: str, key: str = "column") -> None:
        self.text = text
        example = "a column or an expression such as abs(depth_m - 10)"
        self._tree, self.names = parse_expression(text, key, example, FUNCTIONS, more_syntax=(ast.Pow,))
        if not self.names:
            raise ScenarioError(file="scenario", key=key, value=text, expected="at least one column of the log in it")

    def __repr__(self) -> str:
        return f"Expression({self.text!r})"

    def evaluate(self, columns: Mapping[str, Array]) -> Array:
        """Return the value at every sample; NaN where a column is NaN."""
        with np.errstate(all="ignore"):
            value, _ = evaluate_expression(self._tree, columns, FUNCTIONS, as_boolean=True)
        unknown = np.logical_or.reduce([np.isnan(columns[name]) for name in self.names])
        return np.where(unknown, np.nan, value)  # NumPy compares NaN as False; here the result is unknown


def reduce_column(take: str, time_s: Array, value: Array, than: float = 0.0) -> float:
    """Reduce a column to one number; NaN if it has no known sample."""
    known = ~np.isnan(value)
    time_s, value = time_s[known], value[known]
    if not len(value):
        return float("nan")
    if take in TAKES:
        return TAKES[take](time_s, value, than)
    return float(np.percentile(value, int(take[1:])))  # p95
