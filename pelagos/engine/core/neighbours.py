"""Sums along a table for one vehicle, eight neighbouring numbers at a time in one SIMD lane.

`lanes.py` puts vehicles side by side; this puts numbers of a table side by side. Lane k of `eight(table, at)` is
table[at + k]. With the JIT off it is a NumPy array of eight.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import lower_builtin, type_callable

from pelagos.engine.compiled import compiled
from pelagos.engine.core.lanes import WIDTH, Lane, pick
from pelagos.engine.core.views import View

EIGHT = WIDTH[types.float64]


def eight(table: Any, at: Any) -> Any:
    """Load eight float64 numbers of a table (1-D array or view) from index `at` on."""
    return np.array(table[at : at + EIGHT])


@type_callable(eight)
def _type_eight(context: Any) -> Any:
    def resolve(table: Any, at: Any) -> Any:
        if isinstance(table, View):
            kind = table.elem if table.array and not table.layout and not table.lanes else None
        else:
            kind = table.dtype if isinstance(table, types.Array) and table.layout == "C" and table.ndim == 1 else None
        return Lane(types.float64) if kind is types.float64 and isinstance(at, types.Integer) else None

    return resolve


def _load(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    table, lane = sig.args[0], sig.return_type.llvm
    start = args[0] if isinstance(table, View) else context.make_array(table)(context, builder, args[0]).data
    at = context.cast(builder, args[1], sig.args[1], types.int64)
    first = builder.gep(start, [at], source_etype=ir.DoubleType())
    value = builder.load(builder.bitcast(first, lane.as_pointer()), typ=lane)
    value.align = 8  # of one number: `at` need not be a multiple of eight
    return value


lower_builtin(eight, View, types.Integer)(_load)
lower_builtin(eight, types.Array, types.Integer)(_load)


@compiled
def sum_of_eight(lane):
    """Sum of the eight numbers of a lane, in pairs."""
    low = (pick(lane, 0) + pick(lane, 1)) + (pick(lane, 2) + pick(lane, 3))
    return low + ((pick(lane, 4) + pick(lane, 5)) + (pick(lane, 6) + pick(lane, 7)))
