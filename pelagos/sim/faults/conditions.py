"""Conditions as text, "depth_m > 20 and speed_m_s < 0.1", evaluated on the true state of a simulation.

A condition is an expression of numbers, names, + - * /, comparisons, and, or, not, abs(), min(), max(). Names are those
of the log's motion columns and a few more (NAMES). The text is parsed and checked once, when the condition is made.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pelagos.errors import ScenarioError, one_of
from pelagos.sim.columns import compass
from pelagos.tether.spec import Status

if TYPE_CHECKING:
    from pelagos.sim.simulation import Simulation

FUNCTIONS: dict[str, Any] = {"abs": abs, "min": min, "max": max}
# Syntax of a condition. No attributes, subscripts or strings, so that evaluating one cannot reach any object.
ALLOWED = (
    ast.Expression, ast.BoolOp, ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.USub, ast.BinOp, ast.Add, ast.Sub, ast.Mult,
    ast.Div, ast.Compare, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq, ast.Name, ast.Load, ast.Call,
    ast.Constant,
)  # fmt: skip


def _mission(sim: Simulation, name: str) -> float:
    return float(getattr(sim.controller, name, math.nan))


# Names in a condition, with the function that reads each from a simulation.
NAMES: Mapping[str, Callable[[Simulation], float]] = {
    "time_s": lambda sim: sim.time_s,
    "north_m": lambda sim: float(sim.plant.position_n[0]),
    "east_m": lambda sim: float(sim.plant.position_n[1]),
    "depth_m": lambda sim: float(sim.plant.position_n[2]),
    "altitude_m": lambda sim: sim.evaluate().altitude_m,
    "below_surface_m": lambda sim: sim.evaluate().local_water.below_m if sim.world.surface else math.nan,
    "wet_share": lambda sim: sim.evaluate().local_water.wet_share,
    "roll_deg": lambda sim: math.degrees(sim.evaluate().euler[0]),
    "pitch_deg": lambda sim: math.degrees(sim.evaluate().euler[1]),
    "heading_deg": lambda sim: compass(math.degrees(sim.evaluate().euler[2])),
    "surge_m_s": lambda sim: float(sim.plant.nu[0]),
    "sway_m_s": lambda sim: float(sim.plant.nu[1]),
    "heave_m_s": lambda sim: float(sim.plant.nu[2]),
    "speed_m_s": lambda sim: math.hypot(*sim.plant.nu[:3].tolist()),
    "yaw_rate_deg_s": lambda sim: math.degrees(float(sim.plant.nu[5])),
    "distance_m": lambda sim: math.hypot(*sim.plant.position_n[:2].tolist()),
    "contact_N": lambda sim: math.hypot(*sim.plant.state["touch"]["wrench"][:3].tolist()),
    "touching": lambda sim: float(sim.plant.state["touch"]["count"] > 0),
    "tether_tension_N": lambda sim: float(sim.tether.head["tension_b"]) if sim.tether else math.nan,
    "tether_length_m": lambda sim: sim.tether.length_m if sim.tether else math.nan,
    "tether_parted": lambda sim: float(bool(sim.tether.status & Status.PARTED)) if sim.tether else math.nan,
    "flooded_kg": lambda sim: sim.faults.flooded_kg if sim.faults else 0.0,
    "leg": lambda sim: _mission(sim, "index"),
    "mission_done": lambda sim: float(bool(getattr(sim.controller, "done", False))),
}


class Condition:
    """A condition, parsed and compiled; `key` is the key of the scenario file, for error messages."""

    def __init__(self, text: str, key: str = "when") -> None:
        self.text = text
        try:
            tree = ast.parse(text, mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
            raise ScenarioError(
                file="scenario",
                key=key,
                value=text,
                expected=f"a condition such as depth_m > 20 ({getattr(problem, 'msg', problem)})",
            ) from None
        self.names = tuple(dict.fromkeys(_checked(tree, text, key)))
        self._code: Any = compile(tree, "condition", "eval")
        try:
            self._holds(dict.fromkeys(self.names, 1.0))
        except TypeError as problem:  # a function with the wrong number of values
            raise ScenarioError(f"cannot be evaluated ({problem})", file="scenario", key=key, value=text) from None

    def __repr__(self) -> str:
        return f"Condition({self.text!r})"

    def __getstate__(self) -> dict[str, Any]:  # code objects cannot be copied or pickled
        return {"text": self.text}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["text"])

    def holds(self, sim: Simulation) -> bool:
        """Whether the condition is true now; a comparison with an unknown value (NaN) is false."""
        return self._holds({name: NAMES[name](sim) for name in self.names})

    def _holds(self, values: dict[str, float]) -> bool:
        try:
            return bool(eval(self._code, {"__builtins__": {}, **FUNCTIONS}, values))
        except (ZeroDivisionError, OverflowError):
            return False


def _checked(tree: ast.AST, text: str, key: str) -> list[str]:
    """Names in an expression; an error for anything but arithmetic and logic."""
    functions = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    names: list[str] = []
    for node in ast.walk(tree):
        if not isinstance(node, ALLOWED) or (
            isinstance(node, ast.Constant) and not isinstance(node.value, int | float)
        ):
            kind = type(node).__name__
            raise ScenarioError(
                file="scenario", key=key, value=text, expected=f"numbers, names and comparisons only, found {kind}"
            )
        if isinstance(node, ast.Name) and id(node) in functions:
            if node.id not in FUNCTIONS:
                raise ScenarioError(
                    file="scenario", key=key, value=text, expected=f"one of abs, min, max, not {node.id}()"
                )
        elif isinstance(node, ast.Name):
            if node.id not in NAMES:
                raise ScenarioError(
                    f'there is no quantity "{node.id}"',
                    file="scenario",
                    key=key,
                    value=text,
                    expected=one_of(NAMES),
                    names=NAMES,
                    misspelt=node.id,
                )
            names.append(node.id)
    return names
