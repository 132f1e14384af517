"""Conditions as text, "depth_m > 20 and speed_m_s < 0.1", evaluated on the true state of one vehicle or of n at once.

A condition is an expression of numbers, names, + - * /, comparisons, and, or, not, abs(), min(), max(). Names are the
motion columns of the log and a few more (NAMES). The text is parsed and checked once, when the condition is made.

The rules are those of Python, for one vehicle and for arrays alike: a comparison with an unknown value (NaN) is false,
an unknown value by itself counts as true, `and`, `or` and chains of comparisons stop as soon as the result is known,
and a division by zero makes the whole condition false.
"""

from __future__ import annotations

import ast
import copy
import functools
import math
import operator
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from pelagos.errors import ScenarioError, one_of
from pelagos.sim.columns import FORCE, MOTION, WHOLE, ColumnSource, compass, magnitude
from pelagos.tether.spec import Status

if TYPE_CHECKING:
    from pelagos.sim.simulation import Simulation

Array = NDArray[np.float64]
Function = tuple[Callable[..., Any], int | None]  # and its number of arguments; None: two or more
# Syntax of an expression. No attributes, subscripts or strings, so that evaluating it cannot reach any object.
SYNTAX = (
    ast.Expression, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub, ast.BinOp, ast.Add, ast.Sub, ast.Mult,
    ast.Div, ast.Compare, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq, ast.Name, ast.Load, ast.Call,
    ast.Constant,
)  # fmt: skip
ARITHMETIC: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply, ast.Pow: np.power,
}  # fmt: skip
COMPARISON: dict[type, Callable[[Any, Any], Any]] = {
    ast.Lt: np.less, ast.LtE: np.less_equal, ast.Gt: np.greater, ast.GtE: np.greater_equal, ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
}  # fmt: skip


class Observed(Protocol):
    """What conditions and triggers read of one vehicle, or of n vehicles at one time.

    An implementation has the quantities of `LoggedMotion`, component first, and those that NAMES reads besides: each a
    number, or an array of n.
    """

    @property
    def time_s(self) -> float:
        """Simulated time, common to all vehicles."""
        ...

    @property
    def position_n(self) -> Any:
        """North, east, down, m."""
        ...

    def holds(self, condition: Condition) -> Any:
        """Return whether a condition is true now: a bool, or (n,)."""
        ...


class ObservedSimulation:
    """The quantities of one simulation, each read when a condition needs it."""

    __slots__ = ("_sim",)

    def __init__(self, sim: Simulation) -> None:
        self._sim = sim

    def holds(self, condition: Condition) -> bool:
        """Return whether a condition is true now."""
        return condition.true_for(self)

    time_s: Any = property(lambda self: self._sim.time_s)
    position_n: Any = property(lambda self: self._sim.plant.position_n)
    quaternion: Any = property(lambda self: self._sim.plant.quaternion)
    euler: Any = property(lambda self: self._sim.evaluate().euler)
    nu: Any = property(lambda self: self._sim.plant.nu)
    current_n: Any = property(lambda self: self._sim.evaluate().local_water.velocity_n)
    altitude_m: Any = property(lambda self: self._sim.evaluate().altitude_m)
    wet_share: Any = property(lambda self: self._sim.evaluate().local_water.wet_share)
    contact_n: Any = property(lambda self: self._sim.plant.state["touch"]["wrench"])
    flooded_kg: Any = property(lambda self: self._sim.faults.flooded_kg if self._sim.faults else 0.0)
    leg: Any = property(lambda self: getattr(self._sim.controller, "index", math.nan))
    mission_done: Any = property(lambda self: bool(getattr(self._sim.controller, "done", False)))

    @property
    def below_m(self) -> float:
        """Depth below the moving surface; NaN without one."""
        return self._sim.evaluate().local_water.below_m if self._sim.world.surface else math.nan

    @property
    def contact_with(self) -> float:
        """Number of the structure touched; NaN for no contact."""
        touch = self._sim.plant.state["touch"]
        return float(touch["obstacle"]) if touch["count"] > 0 else math.nan

    @property
    def tether(self) -> tuple[float, float, float]:
        """Tension at the vehicle, N, length, m, and whether the tether has parted; NaN without a tether."""
        line = self._sim.tether
        if not line:
            return math.nan, math.nan, math.nan
        return float(line.head["tension_b"]), line.length_m, float(bool(line.status & Status.PARTED))


def _reader(name: str, source: ColumnSource) -> Callable[[Any], Any]:
    """Return the function that reads a motion column from what is observed."""
    quantity, i, factor = source
    if i == WHOLE:
        return lambda v: getattr(v, quantity)
    if i == FORCE:
        return lambda v: magnitude(*getattr(v, quantity)[:3])
    if name == "heading_deg":
        return lambda v: compass(getattr(v, quantity)[i] * factor)
    return lambda v: getattr(v, quantity)[i] * factor


# Names in a condition, with the function that reads each from an `Observed`.
NAMES: Mapping[str, Callable[[Any], Any]] = {
    **{name: _reader(name, source) for name, source in MOTION.items()},
    "speed_m_s": lambda v: magnitude(*v.nu[:3]),
    "distance_m": lambda v: magnitude(v.position_n[0], v.position_n[1], 0.0),
    "touching": lambda v: (v.contact_with == v.contact_with) * 1.0,  # NaN without contact
    "tether_tension_N": lambda v: v.tether[0],
    "tether_length_m": lambda v: v.tether[1],
    "tether_parted": lambda v: v.tether[2],
    "flooded_kg": lambda v: v.flooded_kg,
    "leg": lambda v: v.leg,
    "mission_done": lambda v: v.mission_done * 1.0,
}


class Condition:
    """A condition, parsed and compiled; `key` is the key of the scenario file, for error messages."""

    def __init__(self, text: str, key: str = "when") -> None:
        self.text = text
        example = "a condition such as depth_m > 20"
        self._tree, self.names = parse_expression(text, key, example, FUNCTIONS, known=NAMES)
        self._function = self._compiled({name: NAMES[name] for name in self.names})

    def __repr__(self) -> str:
        return f"Condition({self.text!r})"

    def __getstate__(self) -> dict[str, Any]:  # code objects cannot be copied or pickled
        return {"text": self.text}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["text"])

    def holds(self, sim: Simulation) -> bool:
        """Whether the condition is true now for the vehicle of a simulation."""
        return self.true_for(ObservedSimulation(sim))

    def true_for(self, observed: Any) -> bool:
        """Whether the condition is true now for one vehicle."""
        try:
            return bool(self._function(observed))
        except ZeroDivisionError:
            return False

    def holds_each(self, observed: Any, n: int) -> NDArray[np.bool_]:
        """Whether the condition is true now for each of n vehicles, (n,)."""
        with np.errstate(all="ignore"):
            values = {name: NAMES[name](observed) for name in self.names}
            value, defined = evaluate_expression(self._tree, values, FUNCTIONS)
        return np.array(np.broadcast_to((value != 0.0) & defined, (n,)))

    def _compiled(self, readers: dict[str, Callable[[Any], Any]]) -> Callable[[Any], float | bool]:
        """Return the function of one vehicle; it reads a name only where the expression reaches it."""
        body = _CallReaders(set(readers)).visit(copy.deepcopy(self._tree))
        arguments = ast.arguments([], [ast.arg("observed")], None, [], [], None, [])
        code = ast.fix_missing_locations(ast.Expression(ast.Lambda(arguments, body)))
        return eval(compile(code, "condition", "eval"), {"__builtins__": {}, "float": float, **PYTHON, **readers})


class _CallReaders(ast.NodeTransformer):
    """Replaces each name of a quantity by float(name(observed))."""

    def __init__(self, names: set[str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Replace a name."""
        if node.id not in self._names:
            return node
        read = ast.Call(ast.Name(node.id, ast.Load()), [ast.Name("observed", ast.Load())], [])
        return ast.Call(ast.Name("float", ast.Load()), [read], [])


def _least(value: Any, *others: Any) -> Any:
    """The smallest value, by the rules of Python's min: the first of equal values wins, and NaN compares false."""
    for other in others:
        value = np.where(other < value, other, value)
    return value


def _greatest(value: Any, *others: Any) -> Any:
    for other in others:
        value = np.where(other > value, other, value)
    return value


PYTHON = {"abs": abs, "min": min, "max": max}  # for one vehicle
FUNCTIONS: dict[str, Function] = {"abs": (np.abs, 1), "min": (_least, None), "max": (_greatest, None)}  # for n


def parse_expression(
    text: str,
    key: str,
    example: str,
    functions: Mapping[str, Function],
    *,
    known: Mapping[str, Any] | None = None,
    more_syntax: tuple[type[ast.AST], ...] = (),
) -> tuple[ast.expr, tuple[str, ...]]:
    """The tree of an expression, its numbers as floats, and its names; ScenarioError for anything else than arithmetic.

    Args:
        text: the expression.
        key: its place in the scenario file.
        example: what the error message for a text that is not an expression expects.
        functions: those that it may call.
        known: names that it may use; None for any.
        more_syntax: nodes allowed in addition to `SYNTAX`.
    """

    def refuse(message: str = "", **more: Any) -> ScenarioError:
        return ScenarioError(message, file="scenario", key=key, value=text, **more)

    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        raise refuse(expected=f"{example} ({getattr(problem, 'msg', problem)})") from None
    nodes = list(ast.walk(tree))
    for node in nodes:
        number = isinstance(node, ast.Constant) and isinstance(node.value, int | float)
        if not isinstance(node, (*SYNTAX, *more_syntax)) or (isinstance(node, ast.Constant) and not number):
            raise refuse(expected=f"numbers, names, operators and functions, found {type(node).__name__}")
        if isinstance(node, ast.Constant):
            try:
                node.value = float(cast(float, node.value))
            except OverflowError:
                raise refuse(expected="numbers up to 1.8e308") from None
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    names: list[str] = []
    for node in nodes:
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else ""
            if name not in functions:
                raise refuse(expected=f"{one_of(functions)}, not {name}()", names=functions, misspelt=name)
            count = functions[name][1]
            if len(node.args) != count if count else len(node.args) < 2:
                raise refuse(expected=f"{count or '2 or more'} values in {name}()")
        elif isinstance(node, ast.Name) and id(node) not in called:
            if known is not None and node.id not in known:
                message = f'there is no quantity "{node.id}"'
                raise refuse(message, expected=one_of(known), names=known, misspelt=node.id)
            names.append(node.id)
    return tree.body, tuple(dict.fromkeys(names))


def evaluate_expression(
    node: ast.AST, values: Mapping[str, Any], functions: Mapping[str, Function], *, as_boolean: bool = False
) -> tuple[Any, Any]:
    """The value of an expression for arrays, and where it is defined; each may be one for all.

    With `as_boolean`, `and` and `or` give 1 or 0 in place of the operand that decides.
    """

    def evaluate(node: ast.AST) -> tuple[Any, Any]:
        if isinstance(node, ast.Name):
            return values[node.id], np.True_
        if isinstance(node, ast.Constant):
            return np.float64(cast(float, node.value)), np.True_
        if isinstance(node, ast.UnaryOp):
            value, defined = evaluate(node.operand)
            return (value == 0.0) * 1.0 if isinstance(node.op, ast.Not) else -1.0 * value, defined
        if isinstance(node, ast.BoolOp):
            value, defined = evaluate(node.values[0])
            for part in node.values[1:]:
                reached = (value != 0.0) == isinstance(node.op, ast.And)
                other, other_defined = evaluate(part)
                defined = defined & (other_defined | np.logical_not(reached))
                value = np.where(reached, other, value)  # the operand itself, not a boolean
            return (value != 0.0) * 1.0 if as_boolean else value, defined
        if isinstance(node, ast.BinOp):
            (left, left_defined), (right, right_defined) = evaluate(node.left), evaluate(node.right)
            if isinstance(node.op, ast.Div):
                return np.divide(left, right), left_defined & right_defined & (right != 0.0)
            return ARITHMETIC[type(node.op)](left, right), left_defined & right_defined
        if isinstance(node, ast.Compare):
            left, defined = evaluate(node.left)
            true: Any = np.True_
            for op, part in zip(node.ops, node.comparators, strict=True):
                right, right_defined = evaluate(part)
                defined = defined & (right_defined | np.logical_not(true))
                true, left = true & COMPARISON[type(op)](left, right), right
            return true * 1.0, defined
        assert isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        parts = [evaluate(part) for part in node.args]
        value = functions[node.func.id][0](*(value for value, _ in parts))
        return value, functools.reduce(operator.and_, (defined for _, defined in parts))

    return evaluate(node)
