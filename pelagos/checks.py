"""Validation of single values in files, Python arguments, the command line and messages over a link.

A check takes a key and a value. It returns the value as the program uses it, or raises an error with the fields `key`,
`value` and `expected`. `context` is the class of that error and the file or description that holds the key.

`number`, `whole`, `numbers`, `choice`, `flag` and `text` check a value at once. `number_in`, `whole_in`, `choice_of`,
`table_of` and `optional` return a check; the tables of allowed fields of a message consist of these. `shaped` and
`annotated` check values of TOML files: by a shape, or by the annotation of a dataclass field.
"""

from __future__ import annotations

import math
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Literal, NoReturn, Union, cast, get_args, get_origin

import numpy as np
from numpy.typing import NDArray

from pelagos.errors import CommandError, MessageError, PelagosError, ScenarioError, one_of

Array = NDArray[np.float64]
Check = Callable[..., Any]  # (key, value, context=...) -> value
Range = tuple[float, float]
ANY = -1  # any number of items in this direction of a shape
# Numbers in files: physics squares and cubes them, and outside these limits the result leaves the range of floats.
LARGEST_OF_FILE = 1e20
SMALLEST_OF_FILE = 1e-20
FEW = 32  # numbers up to which a sum in Python is faster than one of NumPy
LARGEST_OF_LINK = 1e9  # numbers over a link without a narrower range
# Limits of messages: any sensible message is far below them, and a hostile one costs little memory and time.
LONGEST_TEXT = 200
LONGEST_NAME = 40
LONGEST_LIST = 64
MOST_KEYS = 32
DEEPEST = 4


@dataclass(frozen=True)
class Context:
    """The context of a check: the class of its errors, and the file or description that holds the key."""

    error: type[PelagosError] = CommandError
    file: str = ""

    def fail(self, key: str, message: str = "", **fields: Any) -> NoReturn:
        """Raise the error of this context; `fields` as of `PelagosError`."""
        raise self.error(message, file=self.file, key=key, **fields)


ARGUMENT = Context()
LINK = Context(MessageError)
# Descriptions made in Python or read from a file; the reader of files replaces these names by the file and its table.
WORLD, WATER, WAVES, CURRENT, SEABED, STRUCTURE = OF_WORLD = tuple(
    Context(ScenarioError, name) for name in ("world", "water", "waves", "current", "seabed", "structure")
)
SCENARIO, SENSOR, NAVIGATION, MISSION, TETHER, CABLE = OF_SCENARIO = tuple(
    Context(ScenarioError, name) for name in ("scenario", "sensor", "navigation", "mission", "tether", "cable")
)
DESCRIPTIONS = frozenset(context.file for context in (*OF_WORLD, *OF_SCENARIO))


def is_number(value: object) -> bool:
    """Whether `value` is a real number; numeric text and booleans are not."""
    return isinstance(value, Real) and not isinstance(value, bool | np.bool_)


def number(
    key: str,
    value: object,
    low: float = -math.inf,
    high: float = math.inf,
    *,
    above: bool = False,
    below: bool = False,
    infinite: bool = False,
    expected: str = "",
    context: Context = ARGUMENT,
) -> float:
    """Return `value` as a finite float in [low, high]; `above` and `below` exclude the ends, `infinite` accepts inf."""
    if is_number(value):
        try:
            as_float = float(cast(float, value))
        except OverflowError:  # a whole number of hundreds of digits
            as_float = math.nan
        beyond = as_float <= low if above else as_float < low
        beyond |= as_float >= high if below else as_float > high
        if math.isfinite(as_float) and not beyond:
            return as_float
        if infinite and as_float == math.inf:
            return as_float
    context.fail(key, value=value, expected=expected or number_text(low, high, above, below))


def number_text(low: float = -math.inf, high: float = math.inf, above: bool = False, below: bool = False) -> str:
    """Describe a range of numbers in words."""
    if math.isinf(low) and math.isinf(high):
        return "a finite number"
    if math.isinf(high):
        return f"a number above {low:g}" if above else f"a number of at least {low:g}"
    if math.isinf(low):
        return f"a number of at most {high:g}"
    if below:
        return f"a number above {low:g} and below {high:g}" if above else f"a number from {low:g} to below {high:g}"
    return f"a number above {low:g}, at most {high:g}" if above else f"a number from {low:g} to {high:g}"


def number_in(low: float, high: float) -> Check:
    """Return a check for a finite number in a range, ends included."""
    return lambda key, value, context=ARGUMENT: number(key, value, low, high, context=context)


def whole(
    key: str, value: object, low: int | None = None, high: int | None = None, *, context: Context = ARGUMENT
) -> int:
    """Return `value` as an int in a range, ends included."""
    if isinstance(value, Integral) and not isinstance(value, bool):
        as_int = int(value)
        if (low is None or low <= as_int) and (high is None or as_int <= high):
            return as_int
    integral = isinstance(value, float) and value.is_integer()  # messages show 3.0 as 3
    context.fail(key, value=value, expected=whole_text(low, high) + (", without a decimal point" if integral else ""))


def whole_text(low: int | None = None, high: int | None = None) -> str:
    """Describe a range of whole numbers in words."""
    if low is None:
        return "a whole number"
    return f"a whole number, {low} or above" if high is None else f"a whole number from {low} to {high}"


def whole_in(low: int, high: int) -> Check:
    """Return a check for a whole number in a range, ends included."""
    return lambda key, value, context=ARGUMENT: whole(key, value, low, high, context=context)


def numbers(key: str, value: object, n: int | None = None, *, expected: str = "", context: Context = ARGUMENT) -> Array:
    """Return `value` as a finite one-dimensional array (of n numbers)."""
    if type(value) is np.ndarray and value.dtype == np.float64 and value.ndim == 1 and n in (None, value.size):
        if _sum_is_finite(value):  # what programs pass at every tick needs no further check
            return value
    expected = expected or ("a flat list of numbers" if n is None else _count_text(n))
    result = array(key, value, expected, context=context)
    if result.ndim != 1 or (n is not None and result.size != n):
        if isinstance(value, np.ndarray):
            context.fail(f"shape of {key}", value=result.shape, expected=expected)
        context.fail(key, value=value, expected=expected)
    if isinstance(value, list | tuple) and any(isinstance(item, bool | np.bool_) for item in value):
        context.fail(key, value=value, expected=expected)  # among numbers numpy turns them into 0 and 1
    if not _sum_is_finite(result):
        bad = int(np.argmin(np.isfinite(result)))
        context.fail(f"{key}[{bad}]", value=float(result[bad]), expected="a finite number")
    return result


def _sum_is_finite(values: Array) -> bool:
    """Whether all numbers are finite: then their sum is, short of overflow, and it is cheaper than a test of each."""
    return math.isfinite(sum(values.tolist()) if values.size <= FEW else float(values.sum()))


def array(key: str, value: object, expected: str, *, context: Context = ARGUMENT) -> Array:
    """Return `value` as an array of floats of any shape; numeric text and booleans are refused."""
    try:
        result = np.asarray(value)
    except (TypeError, ValueError):  # rows of different lengths
        result = np.asarray(None)
    if result.size and result.dtype.kind not in "fiu":
        context.fail(key, value=value, expected=expected)
    return result.astype(np.float64, copy=False)


def shaped(
    key: str, value: object, shapes: Sequence[tuple[int, ...]], sign: str = "", *, context: Context = ARGUMENT
) -> Any:
    """Return a number or nested lists of numbers from a file if they have one of the given shapes.

    A shape is () for a single number, (3,) for a list of three, (ANY, 2) for rows of two. `sign` is "", "positive",
    "nonnegative" or "nonzero" (of lists: not all zero).
    """
    flat = _flat(value)
    if not all(isinstance(item, int | float) and not isinstance(item, bool) for item in flat):
        context.fail(key, value=value, expected=shape_text(shapes))
    many = isinstance(value, list)
    if not all(math.isfinite(item) for item in flat):
        context.fail(key, value=value, expected="finite numbers" if many else "a finite number")
    if any(abs(item) > LARGEST_OF_FILE or (sign == "positive" and 0 < item < SMALLEST_OF_FILE) for item in flat):
        context.fail(key, value=value, expected=f"sizes from {SMALLEST_OF_FILE:g} to {LARGEST_OF_FILE:g}")
    shape = _shape(value)
    if shape is None or not any(_fits(shape, allowed) for allowed in shapes):
        context.fail(key, value=value, expected=shape_text(shapes))
    kind = "numbers" if many else "a number"
    if sign == "positive" and not all(item > 0 for item in flat):
        context.fail(key, value=value, expected=f"{kind} above 0")
    if sign == "nonnegative" and not all(item >= 0 for item in flat):
        context.fail(key, value=value, expected=f"{kind} of at least 0")
    if sign == "nonzero" and not any(item != 0 for item in flat):
        context.fail(key, value=value, expected="numbers that are not all 0" if many else "a number other than 0")
    return value


def shape_text(shapes: Sequence[tuple[int, ...]]) -> str:
    """Describe shapes in words."""
    words: dict[int, Callable[[tuple[int, ...]], str]] = {
        0: lambda s: "a number",
        1: lambda s: "a list of numbers" if s[0] == ANY else f"a list of {_count_text(s[0])}",
        2: lambda s: f"rows of {_count_text(s[1])}" if s[0] == ANY else f"{s[0]} rows of {_count_text(s[1])}",
    }
    return " or ".join(words[len(shape)](shape) for shape in shapes)


def _count_text(n: int) -> str:
    return "one number" if n == 1 else f"{n} numbers"


def _flat(value: Any) -> list[Any]:
    return [item for part in value for item in _flat(part)] if isinstance(value, list) else [value]


def _shape(value: Any) -> tuple[int, ...] | None:
    """() for a number, (n,) for a list, (n, m) for rows of equal length; None for anything ragged or empty."""
    if not isinstance(value, list):
        return ()
    inner = {_shape(row) for row in value}
    first = next(iter(inner), None)
    return None if len(inner) != 1 or first is None else (len(value), *first)


def _fits(shape: tuple[int, ...], allowed: tuple[int, ...]) -> bool:
    return len(shape) == len(allowed) and all(b in (ANY, a) for a, b in zip(shape, allowed, strict=True))


def choice(key: str, value: object, names: Iterable[str], expected: str = "", *, context: Context = ARGUMENT) -> str:
    """Return `value` if it is one of the valid names."""
    listed = tuple(names)
    if not isinstance(value, str) or value not in listed:
        context.fail(key, value=value, expected=expected, names=listed)
    return value


def choice_of(*names: str) -> Check:
    """Return a check for one of the valid names."""
    return lambda key, value, context=ARGUMENT: choice(key, value, names, context=context)


def flag(key: str, value: object, *, context: Context = ARGUMENT) -> bool:
    """Return `value` if it is a bool."""
    if not isinstance(value, bool):
        context.fail(key, value=value, expected="true or false")
    return value


def text(key: str, value: object, *, context: Context = ARGUMENT) -> str:
    """Return `value` if it is a short text on one line; control characters and lone surrogates are not printable."""
    if not isinstance(value, str) or len(value) > LONGEST_TEXT or not value.isprintable():
        context.fail(key, value=value, expected=f"at most {LONGEST_TEXT} printable characters")
    return value


def optional(check: Check) -> Check:
    """Return a check that also accepts None, which is null over a link."""
    return lambda key, value, context=ARGUMENT: None if value is None else check(key, value, context=context)


def table(subject: str, value: object, fields: Mapping[str, Check], *, context: Context = ARGUMENT) -> dict[str, Any]:
    """Return a table of known keys with each value checked; keys may be missing."""
    checked: dict[str, Any] = {}
    for name, item in _table(subject, value, context).items():
        known_key(subject, name, fields, context=context)
        checked[name] = fields[name](f"{subject} {name}", item, context=context)
    return checked


def table_of(fields: Mapping[str, Check]) -> Check:
    """Return a check for a table of known keys."""
    return lambda key, value, context=ARGUMENT: table(key, value, fields, context=context)


def known_key(subject: str, name: object, names: Iterable[str], *, context: Context = ARGUMENT) -> str:
    """Return `name` if it is one of the keys of the table `subject`."""
    listed = tuple(names)
    if name not in listed:
        context.fail("", f"{subject} has no key", value=name, expected=one_of(listed), names=listed)
    return cast(str, name)


def needed(subject: str, values: Mapping[str, Any], *names: str, context: Context = ARGUMENT) -> None:
    """Raise an error if the table `subject` lacks one of the names."""
    for name in names:
        if name not in values:
            context.fail("", f"{subject} needs the key", value=name)


def tables(key: str, value: object, name: str = "", *, context: Context = ARGUMENT) -> list[dict[str, Any]]:
    """Return `value` if it is a list of tables of a TOML file; `name` is the last part of a dotted key."""
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in cast("list[object]", value)):
        context.fail(key, value=value, expected=f"a list of tables, written [[{name or key}]]")
    return cast("list[dict[str, Any]]", value)


def plain_table(subject: str, value: object, depth: int = 0, *, context: Context = ARGUMENT) -> dict[str, Any]:
    """Return a table of plain values whose keys are identifiers such as depth_m."""
    items = _table(subject, value, context)
    if len(items) > MOST_KEYS:
        context.fail(f"number of keys in {subject}", value=len(items), expected=f"at most {MOST_KEYS}")
    for name in items:
        if len(name) > LONGEST_NAME or not (name.isascii() and name.isidentifier()):
            context.fail("", f"{subject} has the key", value=name, expected="letters, digits and _")
    return {name: plain_value(f"{subject} {name}", item, depth, context=context) for name, item in items.items()}


def plain_value(key: str, value: object, depth: int = 0, *, context: Context = ARGUMENT) -> Any:
    """Return a JSON value of finite numbers, short texts and few levels, for keys that only the receiver can check."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return text(key, value, context=context)
    if isinstance(value, int | float):
        if not -LARGEST_OF_LINK <= value <= LARGEST_OF_LINK:
            context.fail(key, value=value, expected=f"a number of at most {LARGEST_OF_LINK:g}")
        return value
    if depth >= DEEPEST:
        context.fail(key, "has too many levels", expected=f"at most {DEEPEST}")
    if isinstance(value, list):
        items = cast("list[object]", value)
        if len(items) > LONGEST_LIST:
            context.fail(f"number of entries in {key}", value=len(items), expected=f"at most {LONGEST_LIST}")
        return [plain_value(f"{key}[{k}]", item, depth + 1, context=context) for k, item in enumerate(items)]
    return plain_table(key, value, depth + 1, context=context)


def _table(key: str, value: object, context: Context) -> dict[str, Any]:
    if not isinstance(value, dict):
        context.fail(key, value=value, expected="a table of names and values")
    return cast("dict[str, Any]", value)


def annotated(key: str, value: object, hint: Any, *, context: Context = ARGUMENT) -> Any:
    """Return a value of a TOML file as a field's annotation requires it: lists become tuples, whole numbers floats."""
    converted, expected = _convert(value, hint)
    if expected:
        names = [str(name) for name in get_args(hint)] if get_origin(hint) is Literal else []
        context.fail(key, value=value, expected=expected, names=names)
    return converted


def annotation_text(hint: Any) -> str:
    """Describe an annotation in words: "a list of 3 numbers"."""
    if get_origin(hint) in (Union, types.UnionType):
        return " or ".join(annotation_text(part) for part in get_args(hint) if part is not type(None))
    if get_origin(hint) is Literal:
        return one_of(str(name) for name in get_args(hint))
    if get_origin(hint) is tuple:
        parts = get_args(hint)
        count = "" if parts[-1] is Ellipsis else f"{len(parts)} "
        return f"a list of {count}{_plural(parts[0])}"
    return {float: "a number", int: "a whole number", bool: "true or false", str: "text in quotes"}[hint]


def _convert(value: Any, hint: Any) -> tuple[Any, str]:
    """Return the converted value and "", or the value and a description of what was expected."""
    if get_origin(hint) in (Union, types.UnionType):
        parts = [part for part in get_args(hint) if part is not type(None)]
        for part in parts:
            converted, expected = _convert(value, part)
            if not expected or len(parts) == 1:
                return converted, expected
        return None, annotation_text(hint)
    fits = False
    if get_origin(hint) is Literal:
        fits = value in get_args(hint)
    elif get_origin(hint) is tuple:
        return _convert_list(value, hint)
    elif hint is float:
        fits = isinstance(value, int | float) and not isinstance(value, bool) and not math.isnan(value)
        if fits and LARGEST_OF_FILE < abs(value) < math.inf:
            return value, f"a number of at most {LARGEST_OF_FILE:g}"
        value = float(value) if fits else value
    elif hint is int:
        fits = isinstance(value, int) and not isinstance(value, bool)
    elif hint in (bool, str):
        fits = isinstance(value, hint)
    return value, "" if fits else annotation_text(hint)


def _convert_list(value: Any, hint: Any) -> tuple[Any, str]:
    parts = get_args(hint)
    if not isinstance(value, list | tuple) or (parts[-1] is not Ellipsis and len(value) != len(parts)):
        return None, annotation_text(hint)
    kinds = [parts[0]] * len(value) if parts[-1] is Ellipsis else list(parts)
    done = [_convert(item, kind) for item, kind in zip(value, kinds, strict=True)]
    return tuple(item for item, _ in done), annotation_text(hint) if any(bad for _, bad in done) else ""


def _plural(hint: Any) -> str:
    if get_origin(hint) is tuple:
        return annotation_text(hint).replace("a list of", "rows of", 1)
    if get_origin(hint) in (Union, types.UnionType):
        return " or ".join(_plural(part) for part in get_args(hint) if part is not type(None))
    return {float: "numbers", int: "whole numbers", str: "texts", bool: "true or false"}[hint]
