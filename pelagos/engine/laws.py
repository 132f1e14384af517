"""Laws with one source: plain Python for one vehicle, compiled for many; those of instruments are compiled for both.

`@also_compiled` marks a function of numbers (or of one object with numbers as attributes, which may be a record of an
array). Python calls it as it is, at no cost; a compiled function may call it too. `@law` marks what Python calls for
many vehicles at once. Each law exists once, so the two cannot differ by an edit; compiled without fast math, and so
without regrouping or fused operations, both give the same numbers to the last bit.

The machine code is cached on disk in a folder named by a hash of every source that a law may use (see engine.compiled,
which does the same for the kernel).
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numba.extending import overload, register_jitable

from pelagos.engine.compiled import JIT, ROOT, cached_on_disk, source_hash

# without _nrt Numba counts no references: a law allocates no array, it fills those of its caller
OPTIONS: dict[str, Any] = {"error_model": "numpy", "nogil": True, "_nrt": False}
F = TypeVar("F", bound=Callable[..., Any])

PACKAGE = Path(__file__).parents[1]
LAW_FOLDERS = ("control", "guidance", "sensors")
SOURCES = [
    Path(__file__),
    PACKAGE / "engine" / "forces" / "thrusters.py",
    *PACKAGE.glob("*.py"),
    *(file for folder in LAW_FOLDERS for file in (PACKAGE / folder).rglob("*.py")),
]
CACHE = None if ROOT is None else ROOT / f"laws-{source_hash(SOURCES)}"


def also_compiled(function: F) -> F:
    """Mark a law for one vehicle: it stays plain Python, and compiled functions may call it."""
    return register_jitable(**OPTIONS)(function)


def part_of_law(function: F) -> F:
    """Mark a part of a law for many vehicles: inlined into its caller, because passing its many arrays is slow."""
    return register_jitable(forceinline=True, **OPTIONS)(function)


def law(function: Callable[..., Any]) -> Any:
    """Compile a law for many vehicles: on first use, with its machine code cached on disk."""
    return cached_on_disk(function, numba.njit(**OPTIONS)(function), CACHE)


def records(shape: int | tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Array of zeroed records whose fields are attributes, compiled or not."""
    zeros = np.zeros(shape, dtype)
    return zeros if JIT else zeros.view(np.recarray)


@also_compiled
def clip(value: float, low: float, high: float) -> float:
    """`value` held between two numbers (np.clip is twenty times slower on a float)."""
    return low if value < low else high if value > high else value


@also_compiled
def wrap(angle_rad: float) -> float:
    """The same angle in [-pi, pi)."""
    return (angle_rad + math.pi) % (2.0 * math.pi) - math.pi


@overload(bisect_right, strict=False)
def _bisect_right(rising: Any, x: Any) -> Any:
    return lambda rising, x: np.searchsorted(rising, x, side="right")
