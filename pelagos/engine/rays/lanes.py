"""SIMD helpers for rays, eight numbers at a time: load, store, gather, compare.

With the arithmetic of `engine.core.lanes` a march of eight rays, or the boxes of eight branches against one ray, costs
about what one costs alone. Arrays come as bare numbers (`as_numbers`); float32 ones are widened when they are read.
With the JIT off the same functions work on NumPy arrays.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import lower_builtin, type_callable

from pelagos.engine.compiled import compiled
from pelagos.engine.core.lanes import Lane, where_less
from pelagos.engine.core.views import View

EIGHT = Lane(types.float64)
N = 8  # numbers in a lane of float64
I64 = ir.IntType(64)


def load(numbers: Any, at: Any) -> Any:
    """Load numbers[at : at + 8] as float64."""
    return np.array(numbers[at : at + N], dtype=np.float64)


def store(numbers: Any, at: Any, lane: Any) -> None:
    """Store a lane as numbers[at : at + 8]."""
    numbers[at : at + N] = lane


def gather(numbers: Any, at: Any) -> Any:
    """Look up numbers[k] as float64 for each k of the whole numbers `at`, which are floats."""
    return np.asarray(numbers[np.asarray(at, dtype=np.int64)], dtype=np.float64)


def spread(x: Any) -> Any:
    """Lane of one number, eight times."""
    return np.full(N, x)


def floor(x: Any) -> Any:
    """Whole number at or below x."""
    return np.floor(x)


def less(a: Any, b: Any) -> int:
    """Bit mask of a < b, the first lane lowest."""
    return int(((np.asarray(a) < np.asarray(b)) << np.arange(N)).sum())


def first_bit(bits: Any) -> int:
    """Number of the lowest bit that is set."""
    return (int(bits) & -int(bits)).bit_length() - 1


def how_many(bits: Any) -> int:
    """How many bits are set."""
    return int(bits).bit_count()


@compiled
def lower(a: Any, b: Any) -> Any:
    """Lower of a and b, lane by lane; b where one is NaN."""
    return where_less(a, b, a, b)


@compiled
def higher(a: Any, b: Any) -> Any:
    """Higher of a and b, lane by lane; b where one is NaN."""
    return where_less(b, a, a, b)


def _numbers(view: Any) -> bool:
    return isinstance(view, View) and view.array and not view.layout and not view.lanes


@type_callable(load)
def _type_load(context: Any) -> Any:
    return lambda numbers, at: EIGHT if _numbers(numbers) and isinstance(at, types.Integer) else None


@type_callable(store)
def _type_store(context: Any) -> Any:
    def resolve(numbers: Any, at: Any, lane: Any) -> Any:
        return types.void if _numbers(numbers) and isinstance(at, types.Integer) and lane == EIGHT else None

    return resolve


@type_callable(gather)
def _type_gather(context: Any) -> Any:
    return lambda numbers, at: EIGHT if _numbers(numbers) and at == EIGHT else None


@type_callable(spread)
def _type_spread(context: Any) -> Any:
    return lambda x: EIGHT if isinstance(x, types.Number) else None


@type_callable(floor)
def _type_floor(context: Any) -> Any:
    return lambda x: EIGHT if x == EIGHT else None


@type_callable(less)
def _type_less(context: Any) -> Any:
    return lambda a, b: types.int64 if a == EIGHT and b == EIGHT else None


@type_callable(how_many)
@type_callable(first_bit)
def _type_bits(context: Any) -> Any:
    return lambda bits: types.int64 if isinstance(bits, types.Integer) else None


def _element(view: Any) -> Any:
    return ir.FloatType() if view.elem is types.float32 else ir.DoubleType()


def _as_doubles(builder: Any, value: Any) -> Any:
    return value if isinstance(value.type.element, ir.DoubleType) else builder.fpext(value, EIGHT.llvm)


@lower_builtin(load, View, types.Integer)
def _load(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    element = _element(sig.args[0])
    at = builder.gep(args[0], [context.cast(builder, args[1], sig.args[1], types.int64)], source_etype=element)
    kind = ir.VectorType(element, N)
    value = builder.load(builder.bitcast(at, kind.as_pointer()), typ=kind)
    value.align = 4 if sig.args[0].elem is types.float32 else 8
    return _as_doubles(builder, value)


@lower_builtin(store, View, types.Integer, Lane)
def _store(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    index = context.cast(builder, args[1], sig.args[1], types.int64)
    at = builder.gep(args[0], [index], source_etype=ir.DoubleType())
    builder.store(args[2], builder.bitcast(at, EIGHT.llvm.as_pointer())).align = 8
    return context.get_dummy_value()


@lower_builtin(gather, View, Lane)
def _gather(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    element = _element(sig.args[0])
    index = builder.fptosi(args[1], ir.VectorType(I64, N))
    result = ir.Constant(ir.VectorType(element, N), ir.Undefined)
    for lane in range(N):
        k = ir.Constant(ir.IntType(32), lane)
        at = builder.gep(args[0], [builder.extract_element(index, k)], source_etype=element)
        result = builder.insert_element(result, builder.load(at, typ=element), k)
    return _as_doubles(builder, result)


@lower_builtin(spread, types.Number)
def _spread(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    value = context.cast(builder, args[0], sig.args[0], types.float64)
    first = builder.insert_element(ir.Constant(EIGHT.llvm, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(first, first, ir.Constant(ir.VectorType(ir.IntType(32), N), [0] * N))


@lower_builtin(floor, Lane)
def _floor(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind = ir.FunctionType(EIGHT.llvm, [EIGHT.llvm])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, f"llvm.floor.v{N}f64"), args)


@lower_builtin(less, Lane, Lane)
def _less(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    mask = builder.fcmp_ordered("<", args[0], args[1])
    return builder.zext(builder.bitcast(mask, ir.IntType(N)), I64)


@lower_builtin(first_bit, types.Integer)
def _first_bit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    bits = context.cast(builder, args[0], sig.args[0], types.int64)
    return builder.cttz(bits, ir.Constant(ir.IntType(1), 1))


@lower_builtin(how_many, types.Integer)
def _how_many(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.ctpop(context.cast(builder, args[0], sig.args[0], types.int64))
