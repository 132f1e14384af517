"""Evaluate the conditions of a scenario for many runs at once: `sim.faults.conditions` on arrays.

The meaning is that of a single run: a comparison with an unknown value (NaN) is false; `and`, `or` and `not` follow
Python; a division by zero makes the whole condition false for that run.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from pelagos.sim.faults.conditions import Condition

Array = NDArray[np.float64]
ARITHMETIC: dict[type, Callable[[Any, Any], Any]] = {ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply}
COMPARISON: dict[type, Callable[[Any, Any], Any]] = {
    ast.Lt: np.less, ast.LtE: np.less_equal, ast.Gt: np.greater, ast.GtE: np.greater_equal, ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
}  # fmt: skip


class VectorCondition:
    """A condition for n runs; `names` lists the values it needs."""

    def __init__(self, text: str) -> None:
        self.names = Condition(text).names  # raises an error for invalid text
        self._tree = ast.parse(text, mode="eval").body

    def hold(self, values: Mapping[str, Array], n: int) -> NDArray[np.bool_]:
        """Return whether the condition is true for each run, (n,)."""
        sound = np.ones(n, np.bool_)
        with np.errstate(all="ignore"):
            value = _value(self._tree, values, sound)
        return np.broadcast_to(value, (n,)).astype(np.bool_) & sound


def _value(node: ast.AST, values: Mapping[str, Array], sound: NDArray[np.bool_]) -> Any:
    """Return the value of a node, scalar or (n,); `sound` becomes false where it is undefined."""

    def of(part: ast.AST) -> Any:
        return _value(part, values, sound)

    if isinstance(node, ast.Name):
        return values[node.id]
    if isinstance(node, ast.Constant):
        return np.float64(cast(float, node.value))
    if isinstance(node, ast.UnaryOp):
        return np.float64(of(node.operand) == 0.0) if isinstance(node.op, ast.Not) else -of(node.operand)
    if isinstance(node, ast.BoolOp):
        both = isinstance(node.op, ast.And)
        first = of(node.values[0])
        for part in node.values[1:]:
            fine = np.ones_like(sound)
            other = _value(part, values, fine)
            evaluated = (first != 0.0) == both  # Python stops once the result is known
            sound &= fine | ~evaluated
            first = np.where(evaluated, other, first)  # the operand itself, not a boolean, as in Python
        return first
    if isinstance(node, ast.BinOp):
        left, right = of(node.left), of(node.right)
        if not isinstance(node.op, ast.Div):
            return ARITHMETIC[type(node.op)](left, right)
        sound &= right != 0.0
        return np.divide(left, right)
    if isinstance(node, ast.Compare):
        sides = [of(node.left), *(of(side) for side in node.comparators)]
        held = np.float64(1.0)
        for left, op, right in zip(sides, node.ops, sides[1:], strict=False):
            held = held * COMPARISON[type(op)](left, right)
        return held
    assert isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    first, *rest = (of(part) for part in node.args)
    if node.func.id == "abs":
        return np.abs(first)
    for other in rest:  # as in Python: the first of equal values wins, and NaN compares false
        first = np.where(other < first if node.func.id == "min" else other > first, other, first)
    return first
