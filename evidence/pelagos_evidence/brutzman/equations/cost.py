"""Count the arithmetic operations of a printed equation in its transcription, common subexpressions once."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

FUNCTIONS = ("sin", "cos", "tan", "asin", "acos")


@dataclass(frozen=True)
class Cost:
    """Operations of one evaluation."""

    arithmetic: int  # additions, subtractions, multiplications, divisions
    functions: int  # sine, cosine, tangent and their inverses

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.arithmetic + other.arithmetic, self.functions + other.functions)

    def text(self) -> str:
        """The counts in words."""
        return f"{self.arithmetic} arithmetic operations and {self.functions} sines or the like"


def counted(*transcriptions: Callable[..., Any]) -> Cost:
    """Different operations in the source of the transcriptions; squares count as one multiplication."""
    arithmetic: set[str] = set()
    functions: set[str] = set()
    for each in transcriptions:
        for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(each)))):
            if isinstance(node, ast.BinOp):
                arithmetic.add(ast.unparse(node))
            elif isinstance(node, ast.Call) and ast.unparse(node.func) in FUNCTIONS:
                functions.add(ast.unparse(node))
    return Cost(len(arithmetic), len(functions))


def break_even(plain: Cost, other: Cost) -> float:
    """Cost of a function, in arithmetic operations, from which on `plain` (fewer functions) is the cheaper one."""
    return (plain.arithmetic - other.arithmetic) / (other.functions - plain.functions)
