"""Arithmetic over the columns of a log: "abs(depth_m - 10)", "(altitude_m < 2) and (speed_m_s > 0.1)".

The grammar is that of conditions (`sim.conditions`) on whole columns, with ** and a few functions more. It is read once
and refused then if it cannot be understood; which columns there are is known once a run was tried. Nothing is
evaluated but the operations listed here.

What can be taken of a column: one number of many samples.

Samples that are unknown (NaN) are left out; if none is left the number is unknown as well. A share of the time is a
share of the known samples, which are evenly spaced.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from pelagos.errors import ScenarioError
from pelagos.sim.faults.conditions import ALLOWED

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


# ---- expression ------------------------------------------------------------------------------------------------------


def wrap_deg(angle: Array) -> Array:
    """An angle between -180 and 180 degrees: the error of a heading."""
    return (angle + 180.0) % 360.0 - 180.0


# name: function and how many values it takes; None: two or more
FUNCTIONS: dict[str, tuple[Callable[..., Any], int | None]] = {
    "abs": (np.abs, 1),
    "sqrt": (np.sqrt, 1),
    "wrap_deg": (wrap_deg, 1),
    "hypot": (np.hypot, 2),
    "min": (lambda *values: np.minimum.reduce(np.broadcast_arrays(*values)), None),
    "max": (lambda *values: np.maximum.reduce(np.broadcast_arrays(*values)), None),
}
BINARY: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: np.divide, ast.Pow: np.power,
}  # fmt: skip
COMPARE: dict[type, Callable[[Any, Any], Any]] = {
    ast.Lt: np.less, ast.LtE: np.less_equal, ast.Gt: np.greater, ast.GtE: np.greater_equal, ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
}  # fmt: skip


class Expression:
    """One expression, ready to be worked out. `key` says in a complaint where it stands."""

    def __init__(self, text: str, key: str = "column") -> None:
        self.text = text
        try:
            self._tree = ast.parse(text.strip(), mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
            raise ScenarioError(
                file="scenario",
                key=key,
                value=text,
                expected=f"a column or an expression such as abs(depth_m - 10) ({getattr(problem, 'msg', '')})",
            ) from None
        self.names = tuple(dict.fromkeys(self._checked(key)))
        if not self.names:
            raise ScenarioError(file="scenario", key=key, value=text, expected="at least one column of the log in it")

    def __repr__(self) -> str:
        return f"Expression({self.text!r})"

    def over(self, columns: Mapping[str, Array]) -> Array:
        """Its value at every sample. What is unknown (NaN) in a column is unknown in the result."""
        with np.errstate(all="ignore"):
            value = np.asarray(_worked_out(self._tree.body, columns), np.float64)
        unknown = np.logical_or.reduce([np.isnan(columns[name]) for name in self.names])
        return np.where(unknown, np.nan, value)  # a comparison with NaN is not False but unknown

    def _checked(self, key: str) -> list[str]:
        """Names of columns; anything that is no arithmetic or logic is refused."""
        calls = [node for node in ast.walk(self._tree) if isinstance(node, ast.Call)]
        functions = {id(call.func) for call in calls}
        names: list[str] = []
        for node in ast.walk(self._tree):
            number = isinstance(node, ast.Constant) and isinstance(node.value, int | float)
            if not isinstance(node, (*ALLOWED, ast.Pow)) or (isinstance(node, ast.Constant) and not number):
                what = type(node).__name__
                raise ScenarioError(
                    file="scenario", key=key, value=self.text, expected=f"numbers, columns and + - * /, found {what}"
                )
            if isinstance(node, ast.Name) and id(node) not in functions:
                names.append(node.id)
        for call in calls:
            self._check_call(call, key)
        return names

    def _check_call(self, call: ast.Call, key: str) -> None:
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        if name not in FUNCTIONS:
            known = list(FUNCTIONS)
            raise ScenarioError(
                file="scenario",
                key=key,
                value=self.text,
                expected=f"one of {', '.join(known)}, not {name}()",
                names=known,
                misspelt=name,
            )
        count = FUNCTIONS[name][1]
        if call.keywords or (len(call.args) != count if count else len(call.args) < 2):
            raise ScenarioError(
                file="scenario", key=key, value=self.text, expected=f"{count or '2 or more'} values in {name}()"
            )


def _worked_out(node: ast.AST, columns: Mapping[str, Array]) -> Any:
    if isinstance(node, ast.Name):
        return columns[node.id]
    if isinstance(node, ast.Constant):
        return np.float64(cast(float, node.value))
    if isinstance(node, ast.BinOp):
        return BINARY[type(node.op)](_worked_out(node.left, columns), _worked_out(node.right, columns))
    if isinstance(node, ast.UnaryOp):
        value = _worked_out(node.operand, columns)
        return np.logical_not(value) if isinstance(node.op, ast.Not) else np.negative(np.asarray(value, np.float64))
    if isinstance(node, ast.BoolOp):
        combine = np.logical_and if isinstance(node.op, ast.And) else np.logical_or
        values = [_worked_out(value, columns) for value in node.values]
        return combine.reduce(np.broadcast_arrays(*values))
    if isinstance(node, ast.Compare):
        sides = [_worked_out(side, columns) for side in (node.left, *node.comparators)]
        pairs = zip(sides, node.ops, sides[1:], strict=False)
        held = [COMPARE[type(op)](left, right) for left, op, right in pairs]
        return np.logical_and.reduce(np.broadcast_arrays(*held))
    assert isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    return FUNCTIONS[node.func.id][0](*(_worked_out(value, columns) for value in node.args))
