"""SIMD lanes: one value of eight (float64) or sixteen (float32) vehicles, as a number for Numba.

A force term is written once with + - * / abs and the functions below. With floats it is compiled for one vehicle; with
`Lane` values each operation becomes one vector instruction for a block of vehicles. Arithmetic lowers straight to LLVM
vector code, so nothing depends on the loop vectoriser. With the JIT off the same functions work on floats and on NumPy
arrays.

Order of the file: the Numba type, helpers for lowering, arithmetic, functions of floats and lanes, access to one
vehicle of a block for code that must branch or look up tables, arrays of lanes on the Python side.
"""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import lower_builtin, models, register_model, type_callable

FLAGS = ("contract", "nsz")  # keep NaN and the order of operations; allow fused multiply-add
WIDTH = {types.float64: 8, types.float32: 16}  # one 512-bit register; two of 256 bits on smaller machines


class Lane(types.Type):
    """Numba type of one lane: the LLVM vector <n x elem> as a value."""

    def __init__(self, elem: Any) -> None:
        """Lane of the widest register that holds `elem`."""
        self.elem, self.n = elem, WIDTH[elem]
        super().__init__(name=f"Lane({elem})")

    @property
    def llvm(self) -> ir.VectorType:
        """The LLVM type."""
        return ir.VectorType(ir.DoubleType() if self.elem is types.float64 else ir.FloatType(), self.n)


@register_model(Lane)
class _LaneModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe_type: Lane) -> None:
        super().__init__(dmm, fe_type, fe_type.llvm)


def _splat(builder: Any, value: Any, lane: Lane) -> Any:
    # insert and shuffle: the pattern that LLVM lowers to one broadcast
    empty = ir.Constant(lane.llvm, ir.Undefined)
    first = builder.insert_element(empty, value, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(first, empty, ir.Constant(ir.VectorType(ir.IntType(32), lane.n), [0] * lane.n))


def coerce(context: Any, builder: Any, value: Any, source: Any, target: Any) -> Any:
    """Convert a number or lane of type `source` to type `target`; a number is spread over the lane."""
    if source == target:
        return value
    if isinstance(target, Lane):
        return _splat(builder, context.cast(builder, value, source, target.elem), target)
    return context.cast(builder, value, source, target)


def _common(*args: Any) -> Any:
    """The lane type among the arguments, else float64; None if an argument is no number."""
    lane: Any = None
    for arg in args:
        if isinstance(arg, Lane):
            lane = arg
        elif not isinstance(arg, types.Number):
            return None
    return lane or types.float64


def _register(function: Any, arity: int, emit: Any, scalars: bool) -> None:
    """Type and lower `function` for lanes mixed with numbers (and for plain numbers where `scalars`)."""

    def resolve(*args: Any) -> Any:
        common = _common(*args)
        return common if isinstance(common, Lane) or scalars else None

    # Numba reads the typer's signature, so it needs one with the right number of arguments
    typers = {
        1: lambda context: lambda a: resolve(a),
        2: lambda context: lambda a, b: resolve(a, b),
        4: lambda context: lambda a, b, c, d: resolve(a, b, c, d),
    }
    type_callable(function)(typers[arity])

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        target = sig.return_type
        same = [coerce(context, builder, a, t, target) for a, t in zip(args, sig.args, strict=True)]
        return emit(builder, *same)

    kinds: list[tuple[Any, ...]] = [()]
    for _ in range(arity):
        kinds = [(*k, t) for k in kinds for t in (Lane, types.Number)]
    for kind in kinds:
        if scalars or Lane in kind:
            lower_builtin(function, *kind)(lower)


def _llvm_call(builder: Any, name: str, *args: Any) -> Any:
    kind = args[0].type
    element = kind.element if isinstance(kind, ir.VectorType) else kind
    suffix = "f64" if isinstance(element, ir.DoubleType) else "f32"
    if isinstance(kind, ir.VectorType):
        suffix = f"v{kind.count}{suffix}"
    signature = ir.FunctionType(kind, [kind] * len(args))
    function = cgutils.get_or_insert_function(builder.module, signature, f"llvm.{name}.{suffix}")
    return builder.call(function, args, fastmath=FLAGS)


def _libm(name: str) -> Any:
    """Emit the C library's function for each vehicle: slow, but bit for bit that of the scalar kernel."""

    def emit(builder: Any, *args: Any) -> Any:
        double = ir.DoubleType()
        function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(double, [double] * len(args)), name)
        kind = args[0].type
        if not isinstance(kind, ir.VectorType):
            return builder.call(function, args)
        single = isinstance(kind.element, ir.FloatType)  # also float32 goes through the double function
        result = ir.Constant(kind, ir.Undefined)
        for i in range(kind.count):
            at = ir.Constant(ir.IntType(32), i)
            values = [builder.extract_element(a, at) for a in args]
            values = [builder.fpext(v, double) for v in values] if single else values
            value = builder.call(function, values)
            result = builder.insert_element(result, builder.fptrunc(value, kind.element) if single else value, at)
        return result

    return emit


for _plain, _in_place, _name in (
    (operator.add, operator.iadd, "fadd"),
    (operator.sub, operator.isub, "fsub"),
    (operator.mul, operator.imul, "fmul"),
    (operator.truediv, operator.itruediv, "fdiv"),
):
    for _op in (_plain, _in_place):
        _register(_op, 2, lambda b, x, y, name=_name: getattr(b, name)(x, y, flags=FLAGS), scalars=False)

_register(operator.neg, 1, lambda b, x: b.fneg(x, flags=FLAGS), scalars=False)
_register(abs, 1, lambda b, x: _llvm_call(b, "fabs", x), scalars=False)


def sqrt(x: Any) -> Any:
    """Square root."""
    return np.sqrt(x)


def exp(x: Any) -> Any:
    """Exponential."""
    return np.exp(x)


def sin(x: Any) -> Any:
    """Sine of an angle in rad."""
    return np.sin(x)


def cos(x: Any) -> Any:
    """Cosine of an angle in rad."""
    return np.cos(x)


def atan2(y: Any, x: Any) -> Any:
    """Angle of the point (x, y), rad."""
    return np.arctan2(y, x)


def where_less(a: Any, b: Any, then: Any, otherwise: Any) -> Any:
    """`then` where a < b, else `otherwise` (also where a or b is NaN). Both are computed; nothing branches."""
    return np.where(a < b, then, otherwise) if np.ndim(a) or np.ndim(b) else (then if a < b else otherwise)


def constant(value: Any, like: Any) -> Any:
    """The number `value` in the type of `like`: the start of a sum to which lanes are added."""
    return like * 0.0 + value if np.ndim(like) else float(value)


def inverse_sqrt(x: Any) -> Any:
    """1/sqrt(x) for x between 1e-36 and 1e36: seed in single precision and two Newton steps on lanes (1 ulp)."""
    return 1.0 / np.sqrt(x)


def _emit_where(builder: Any, a: Any, b: Any, then: Any, otherwise: Any) -> Any:
    return builder.select(builder.fcmp_ordered("<", a, b), then, otherwise)


def _emit_inverse_sqrt(builder: Any, x: Any) -> Any:
    kind = x.type
    if not isinstance(kind, ir.VectorType):
        return builder.fdiv(ir.Constant(kind, 1.0), _llvm_call(builder, "sqrt", x), flags=FLAGS)
    single = ir.VectorType(ir.FloatType(), kind.count)
    ones = ir.Constant(single, [1.0] * kind.count)
    is_single = isinstance(kind.element, ir.FloatType)
    seed = x if is_single else builder.fptrunc(x, single)
    y = builder.fdiv(ones, _llvm_call(builder, "sqrt", seed), flags=FLAGS)
    if is_single:
        return y
    y = builder.fpext(y, kind)
    half = builder.fmul(ir.Constant(kind, [0.5] * kind.count), x, flags=FLAGS)
    for _ in range(2):  # Newton: y <- y (1.5 - x y^2 / 2), each doubles the 24 bits of the seed
        square = builder.fmul(builder.fmul(half, y, flags=FLAGS), y, flags=FLAGS)
        y = builder.fmul(y, builder.fsub(ir.Constant(kind, [1.5] * kind.count), square, flags=FLAGS), flags=FLAGS)
    return y


_register(sqrt, 1, lambda b, x: _llvm_call(b, "sqrt", x), scalars=True)
_register(exp, 1, _libm("exp"), scalars=True)
_register(sin, 1, _libm("sin"), scalars=True)
_register(cos, 1, _libm("cos"), scalars=True)
_register(atan2, 2, _libm("atan2"), scalars=True)
_register(where_less, 4, _emit_where, scalars=True)
_register(inverse_sqrt, 1, _emit_inverse_sqrt, scalars=True)


@type_callable(constant)
def _type_constant(context: Any) -> Any:
    def resolve(value: Any, like: Any) -> Any:
        if isinstance(like, Lane):
            return like
        return types.float64 if isinstance(like, types.Number) else None

    return resolve


def _lower_constant(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return coerce(context, builder, args[0], sig.args[0], sig.return_type)


lower_builtin(constant, types.Number, Lane)(_lower_constant)
lower_builtin(constant, types.Number, types.Number)(_lower_constant)


def width(x: Any) -> int:
    """How many vehicles a value holds: 1, 8 or 16."""
    return int(np.size(x))


def pick(x: Any, i: Any) -> Any:
    """Value of vehicle i, a float64."""
    return float(np.reshape(x, -1)[i])


def put(x: Any, i: Any, value: Any) -> Any:
    """`x` with the value of vehicle i replaced."""
    if not np.ndim(x):
        return float(value)
    changed = np.array(x)
    changed[i] = value
    return changed


@type_callable(width)
def _type_width(context: Any) -> Any:
    return lambda x: types.int64 if isinstance(x, Lane | types.Number) else None


@type_callable(pick)
def _type_pick(context: Any) -> Any:
    return lambda x, i: types.float64 if isinstance(x, Lane | types.Number) and isinstance(i, types.Integer) else None


@type_callable(put)
def _type_put(context: Any) -> Any:
    def resolve(x: Any, i: Any, value: Any) -> Any:
        ok = isinstance(i, types.Integer) and isinstance(value, types.Number)
        return (x if isinstance(x, Lane) else types.float64) if ok and isinstance(x, Lane | types.Number) else None

    return resolve


def _lower_width(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return ir.Constant(ir.IntType(64), sig.args[0].n if isinstance(sig.args[0], Lane) else 1)


def _lower_pick(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind = sig.args[0]
    if not isinstance(kind, Lane):
        return context.cast(builder, args[0], kind, types.float64)
    return context.cast(builder, builder.extract_element(args[0], args[1]), kind.elem, types.float64)


def _lower_put(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind = sig.args[0]
    if not isinstance(kind, Lane):
        return context.cast(builder, args[2], sig.args[2], types.float64)
    return builder.insert_element(args[0], context.cast(builder, args[2], sig.args[2], kind.elem), args[1])


for _kind in (Lane, types.Number):
    lower_builtin(width, _kind)(_lower_width)
    lower_builtin(pick, _kind, types.Integer)(_lower_pick)
    lower_builtin(put, _kind, types.Integer, types.Number)(_lower_put)


def aligned(shape: tuple[int, ...], dtype: Any = np.float64) -> np.ndarray[Any, Any]:
    """Array of zeros on a 64-byte boundary: an unaligned 512-bit access touches two cache lines."""
    kind = np.dtype(dtype)
    size = math.prod(shape) * kind.itemsize
    buffer = np.zeros(size + 64, np.uint8)
    offset = -buffer.ctypes.data % 64
    return buffer[offset : offset + size].view(kind).reshape(shape)


def to_lanes(rows: np.ndarray[Any, Any], dtype: Any = np.float64) -> np.ndarray[Any, Any]:
    """Rearrange (vehicles, fields) to (blocks, fields, lanes); copies of the last vehicle pad the last block."""
    width = 8 if np.dtype(dtype) == np.float64 else 16
    count, fields = rows.shape
    blocks = -(-count // width)
    padded = np.concatenate([rows, np.repeat(rows[-1:], blocks * width - count, axis=0)])
    lanes = aligned((blocks, fields, width), dtype)
    lanes[...] = padded.reshape(blocks, width, fields).transpose(0, 2, 1)
    return lanes


def from_lanes(lanes: np.ndarray[Any, Any], count: int) -> np.ndarray[Any, Any]:
    """Rearrange (blocks, fields, lanes) back to (vehicles, fields)."""
    blocks, fields, width = lanes.shape
    return np.ascontiguousarray(lanes.transpose(0, 2, 1).reshape(blocks * width, fields)[:count])
