"""Laws of control and guidance that run twice: as plain Python for one vehicle, compiled for many.

`@also_compiled` marks a function of numbers (or of one object with numbers as attributes, which may be a record of an
array). Python calls it as it is, at no cost; a compiled function may call it too. `@law` marks what Python calls for
many vehicles at once. There is one text of each law, so one vehicle and many cannot drift apart; compiled without fast
math, and so not regrouped or fused, the two give the same numbers to the last bits.

The machine code is kept on disk in a folder named by a hash of every source that a law may be made of (see
engine.compiled, which does the same for the kernel).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numba.extending import register_jitable

from pelagos.engine.compiled import JIT, ROOT, kept, source_hash

OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True, "_nrt": False}
F = TypeVar("F", bound=Callable[..., Any])

HERE = Path(__file__).parents[1]
ROOMS = ("control", "guidance", "vehicle")  # one curve of a thruster is in vehicle
SOURCES = [Path(__file__), *HERE.glob("*.py"), *(file for room in ROOMS for file in (HERE / room).rglob("*.py"))]
CACHE = None if ROOT is None else ROOT / f"laws-{source_hash(SOURCES)}"


def also_compiled(function: F) -> F:
    """A law for one vehicle, left as it is; compiled functions may call it."""
    return register_jitable(**OPTIONS)(function)


def part_of_law(function: F) -> F:
    """A piece of a law for many, which takes all their arrays: made part of its caller, for handing them on is dear."""
    return register_jitable(forceinline=True, **OPTIONS)(function)


def law(function: Callable[..., Any]) -> Any:
    """A law for many vehicles: compiled on first use and kept on disk."""
    return kept(function, numba.njit(**OPTIONS)(function), CACHE)


def records(shape: int | tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Zeroed records whose fields are attributes, compiled or not."""
    made = np.zeros(shape, dtype)
    return made if JIT else made.view(np.recarray)


@also_compiled
def clip(value: float, low: float, high: float) -> float:
    """`value` held between two numbers (np.clip is twenty times slower on a float)."""
    return low if value < low else high if value > high else value
