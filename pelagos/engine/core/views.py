"""Records with named fields over flat arrays, for one vehicle or for a block of SIMD lanes.

A `Layout` lists fields of float64 (or int64) numbers, arrays of them, and arrays of other layouts. In memory a record
is a flat row. For one vehicle the row is a 1-D array; for a block of vehicles a 2-D array (field, lane). In compiled
code `as_view(row)` gives an object whose attributes are the fields: `model.thrusters[i].k_forward` is a float for a
1-D row and a `Lane` for a 2-D one, so a force term is written once for both.

A view is a bare pointer: it does not keep its array alive. Numba frees an array after the last use of its variable, so
a function that allocates an array passes the array on, and its callees open the view.

Order of the file: layouts, the Numba type, `record.field`, `array[i]`, from array to view, the same with the JIT off.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    infer_getattr,
    lower_builtin,
    lower_getattr_generic,
    lower_setattr_generic,
    models,
    register_model,
    type_callable,
)

from pelagos.engine.core.lanes import Lane, coerce


@dataclass(frozen=True)
class LayoutField:
    """Field of a layout: a number, `count` numbers, or `count` records of layout `of`."""

    name: str
    meaning: str
    count: int = 0  # 0: a single number (or a single record)
    of: Layout | None = None

    @property
    def size(self) -> int:
        """How many numbers it holds."""
        return max(self.count, 1) * (self.of.size if self.of else 1)


@dataclass(frozen=True)
class Layout:
    """Named list of fields of a record; `kind` is "f8" for quantities or "i8" for integers that shape loops."""

    name: str
    fields: tuple[LayoutField, ...]
    kind: str = "f8"

    @property
    def size(self) -> int:
        """Numbers in one record."""
        return sum(field.size for field in self.fields)

    def offset(self, name: str) -> tuple[int, LayoutField]:
        """Where a field starts, in numbers, and the field."""
        start = 0
        for field in self.fields:
            if field.name == name:
                return start, field
            start += field.size
        raise AttributeError(f"{self.name} has no field {name!r}")

    @property
    def dtype(self) -> np.dtype[Any]:
        """The NumPy record of one row."""
        parts: list[Any] = []
        for field in self.fields:
            base: Any = field.of.dtype if field.of else np.dtype(self.kind)
            parts.append((field.name, base, (field.count,)) if field.count else (field.name, base))
        return np.dtype(parts)

    def record(self) -> np.ndarray[Any, Any]:
        """An empty record; fill it by field name, then take `flat`."""
        return np.zeros((), self.dtype)

    def flat(self, record: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The record as a row of numbers (a view)."""
        return np.atleast_1d(record).view(self.kind)


# A view of a nested record is a pointer into its parent: no field is ever copied.
LAYOUTS: dict[str, Layout] = {}  # by name: a Numba type must be rebuilt from its name when code comes from the cache


class View(types.Type):
    """Numba type of a pointer to one record, to an array of numbers, or to an array of records."""

    def __init__(self, layout: str, elem: Any, lanes: bool, array: bool) -> None:
        """`layout` "" stands for plain numbers."""
        self.layout, self.elem, self.lanes, self.array = layout, elem, lanes, array
        super().__init__(name=f"View({layout},{elem},{lanes},{array})")

    @property
    def value(self) -> Any:
        """Type of one number."""
        return Lane(self.elem) if self.lanes else self.elem

    @property
    def stride(self) -> int:
        """Memory numbers per field number."""
        return Lane(self.elem).n if self.lanes else 1

    def to(self, layout: str, array: bool) -> View:
        """Same memory kind, other content."""
        return View(layout, self.elem, self.lanes, array)


_ELEMENT = {types.float64: ir.DoubleType(), types.float32: ir.FloatType(), types.int64: ir.IntType(64)}


@register_model(View)
class _ViewModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe_type: View) -> None:
        super().__init__(dmm, fe_type, _ELEMENT[fe_type.elem].as_pointer())


def _field_type(view: View, field: LayoutField) -> Any:
    if field.of:
        return view.to(field.of.name, array=field.count > 0)
    return view.to("", array=True) if field.count else view.value


def _shift(builder: Any, pointer: Any, numbers: Any, view: View) -> Any:
    index = builder.mul(numbers, ir.Constant(numbers.type, view.stride)) if view.stride != 1 else numbers
    return builder.gep(pointer, [index], source_etype=_ELEMENT[view.elem])


def _load(builder: Any, pointer: Any, view: View) -> Any:
    kind = view.value.llvm if view.lanes else _ELEMENT[view.elem]
    value = builder.load(builder.bitcast(pointer, kind.as_pointer()), typ=kind)
    value.align = 4 if view.elem is types.float32 else 8  # of one number: rows of a caller need not be aligned
    return value


def _store(context: Any, builder: Any, pointer: Any, view: View, value: Any, source: Any) -> None:
    value = coerce(context, builder, value, source, view.value)
    store = builder.store(value, builder.bitcast(pointer, value.type.as_pointer()))
    store.align = 4 if view.elem is types.float32 else 8


@infer_getattr
class _ViewAttributes(AttributeTemplate):
    key = View

    def generic_resolve(self, view: View, name: str) -> Any:
        if view.array or not any(field.name == name for field in LAYOUTS[view.layout].fields):
            return None
        return _field_type(view, LAYOUTS[view.layout].offset(name)[1])


@lower_getattr_generic(View)
def _get(context: Any, builder: Any, view: View, pointer: Any, name: str) -> Any:
    start, field = LAYOUTS[view.layout].offset(name)
    at = _shift(builder, pointer, ir.Constant(ir.IntType(64), start), view)
    return at if field.of or field.count else _load(builder, at, view)


@lower_setattr_generic(View)
def _set(context: Any, builder: Any, sig: Any, args: Any, name: str) -> None:
    view = sig.args[0]
    start, _ = LAYOUTS[view.layout].offset(name)
    at = _shift(builder, args[0], ir.Constant(ir.IntType(64), start), view)
    _store(context, builder, at, view, args[1], sig.args[1])


@type_callable(operator.getitem)
def _type_getitem(context: Any) -> Any:
    def resolve(view: Any, index: Any) -> Any:
        if isinstance(view, View) and view.array and isinstance(index, types.Integer):
            return view.to(view.layout, array=False) if view.layout else view.value
        if isinstance(view, View) and view.array and not view.layout and isinstance(index, types.SliceType):
            return view  # the numbers from there on; a view has no length
        return None

    return resolve


@lower_builtin(operator.getitem, View, types.Integer)
def _getitem(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    view = sig.args[0]
    index = context.cast(builder, args[1], sig.args[1], types.int64)
    if view.layout:
        index = builder.mul(index, ir.Constant(index.type, LAYOUTS[view.layout].size))
    at = _shift(builder, args[0], index, view)
    return at if view.layout else _load(builder, at, view)


@lower_builtin(operator.getitem, View, types.SliceType)
def _getslice(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    part = context.make_helper(builder, sig.args[1], args[1])
    return _shift(builder, args[0], part.start, sig.args[0])


@type_callable(operator.setitem)
def _type_setitem(context: Any) -> Any:
    def resolve(view: Any, index: Any, value: Any) -> Any:
        ok = isinstance(view, View) and view.array and not view.layout and isinstance(index, types.Integer)
        return types.void if ok and isinstance(value, Lane | types.Number) else None

    return resolve


def _setitem(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    view = sig.args[0]
    at = _shift(builder, args[0], context.cast(builder, args[1], sig.args[1], types.int64), view)
    _store(context, builder, at, view, args[2], sig.args[2])
    return context.get_dummy_value()


lower_builtin(operator.setitem, View, types.Integer, Lane)(_setitem)
lower_builtin(operator.setitem, View, types.Integer, types.Number)(_setitem)


def viewer(layout: Layout) -> Callable[[Any], Any]:
    """Make the function `as_x(row)` of a layout: typed for Numba, and returning a `Plain` object with the JIT off."""
    _register_layout(layout)

    def as_view(row: Any) -> Any:
        return Plain(row, layout)

    @type_callable(as_view)
    def typer(context: Any) -> Any:
        def resolve(row: Any) -> Any:
            if isinstance(row, View) and row.array and not row.layout:
                return row.to(layout.name, array=False)
            if not isinstance(row, types.Array) or row.layout != "C" or row.ndim not in (1, 2):
                return None
            return View(layout.name, row.dtype, row.ndim == 2, array=False)

        return resolve

    @lower_builtin(as_view, View)
    def same(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return args[0]

    @lower_builtin(as_view, types.Array)
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return context.make_array(sig.args[0])(context, builder, args[0]).data

    return as_view


def as_numbers(row: Any) -> Any:
    """View of a 1-D array as bare numbers, without the reference count that passing an array costs at every call."""
    return row


@type_callable(as_numbers)
def _type_numbers(context: Any) -> Any:
    def resolve(row: Any) -> Any:
        if isinstance(row, types.Array) and row.layout == "C" and row.ndim == 1:
            return View("", row.dtype, lanes=False, array=True)
        return None

    return resolve


@lower_builtin(as_numbers, types.Array)
def _numbers(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return context.make_array(sig.args[0])(context, builder, args[0]).data


def _register_layout(layout: Layout) -> None:
    LAYOUTS[layout.name] = layout
    for field in layout.fields:
        if field.of:
            _register_layout(field.of)


class Plain:
    """View of a record with the JIT off: numbers for a 1-D row, arrays of lanes for a 2-D one."""

    __slots__ = ("_layout", "_row")

    def __init__(self, row: Any, layout: Layout) -> None:
        # its own __setattr__ writes into the row
        object.__setattr__(self, "_row", row)
        object.__setattr__(self, "_layout", layout)

    def __getattr__(self, name: str) -> Any:
        start, field = self._layout.offset(name)
        part = self._row[start : start + field.size]
        if field.of:
            if not field.count:
                return Plain(part, field.of)
            step = field.of.size
            return [Plain(part[i * step : (i + 1) * step], field.of) for i in range(field.count)]
        return part if field.count else part[0]

    def __setattr__(self, name: str, value: Any) -> None:
        self._row[self._layout.offset(name)[0]] = value
