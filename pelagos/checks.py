"""Validation of single values in files, Python arguments, the command line and messages over a link.

A check takes a key and a value. It returns the value as the program uses it, or raises an error with the fields `key`,
`value` and `expected`. `context` is the class of that error and the file or description that holds the key.

`number`, `whole`, `numbers`, `choice`, `flag` and `text` check a value at once. `number_in`, `whole_in`, `choice_of`,
`table_of` and `optional` return a check; the tables of allowed fields of a message consist of these. `annotated` checks
a value of a TOML file by an annotation, such as that of a dataclass field.
"""

from __future__ import annotations

import json
import math
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from numbers import Integral, Real
from typing import Any, Literal, NoReturn, Union, cast, get_args, get_origin

import numpy as np
from numpy.typing import NDArray

from pelagos.errors import CommandError, MessageError, PelagosError, ScenarioError, one_of

Array = NDArray[np.float64]
Check = Callable[..., Any]  # (key, value, context=...) -> value
Range = tuple[float, float]
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
MOST_DIGITS = 20


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


def _count_text(n: int) -> str:
    return "one number" if n == 1 else f"{n} numbers"


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


@cache
def _json_decoder(subject: str) -> json.JSONDecoder:
    """Return a decoder that refuses NaN and Infinity, which JSON does not have, and keys that occur twice."""

    def no_number(word: str) -> NoReturn:
        LINK.fail(f"a number of {subject}", value=float(word), expected="a finite number")

    def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        content = dict(pairs)
        if len(content) != len(pairs):
            LINK.fail("", f"{subject} has a key twice")
        return content

    def integer(digits: str) -> int | float:
        # Parsing time grows with the square of the digits; a huge number becomes a float, which the checks refuse.
        return int(digits) if len(digits) < MOST_DIGITS else float(digits)

    return json.JSONDecoder(parse_int=integer, parse_constant=no_number, object_pairs_hook=unique_keys)


def json_table(subject: str, data: str | bytes, most: int) -> dict[str, Any]:
    """Return a message over a link, a JSON table of at most `most` bytes; anything else raises MessageError."""
    # A text with too many characters has too many bytes and is not encoded.
    size = len(data.encode("utf-8", "surrogatepass")) if isinstance(data, str) and len(data) <= most else len(data)
    if size > most:
        LINK.fail(f"size of {subject}", value=size, expected=f"at most {most} bytes")
    try:
        content = _json_decoder(subject).decode(data if isinstance(data, str) else data.decode("utf-8"))
    except ValueError:  # a UnicodeDecodeError and a JSONDecodeError are ValueErrors
        LINK.fail("", f"{subject} is not JSON", expected="a table of names and values")
    except RecursionError:
        LINK.fail("", f"{subject} has too many levels")
    if not isinstance(content, dict):
        LINK.fail(subject, value=content, expected="a table of names and values")
    return cast("dict[str, Any]", content)


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
    """Return a value of a TOML file as an annotation requires it: lists become tuples, whole numbers floats."""
    converted, expected = _converter(hint)(value)
    if expected:
        names = [str(name) for name in get_args(hint)] if get_origin(hint) is Literal else []
        context.fail(key, value=value, expected=expected, names=names)
    return converted


@cache
def annotation_text(hint: Any) -> str:
    """Describe an annotation in words: "a list of 3 numbers", "rows of 2 numbers"."""
    parts = get_args(hint)
    if is_union(hint):
        return " or ".join(annotation_text(part) for part in parts if part is not type(None))
    if get_origin(hint) is Literal:
        return one_of(str(name) for name in parts)
    if get_origin(hint) is tuple:
        if get_origin(parts[0]) is Literal:
            return f"a list out of {', '.join(str(name) for name in get_args(parts[0]))}"
        count = "" if parts[-1] is Ellipsis else f"{len(parts)} "
        return (
            f"{count}{_plural(parts[0])}" if get_origin(parts[0]) is tuple else f"a list of {count}{_plural(parts[0])}"
        )
    return {float: "a number", int: "a whole number", bool: "true or false", str: "text in quotes",
            dict: "a table"}[hint]  # fmt: skip


def is_union(hint: Any) -> bool:
    """Whether an annotation is a union such as `float | None`."""
    return get_origin(hint) in (Union, types.UnionType)


@cache
def is_numeric(hint: Any) -> bool:
    """Whether a value of an annotation can be a number or consist of numbers."""
    if get_origin(hint) is Literal:
        return all(isinstance(name, int | float) for name in get_args(hint))
    return hint in (float, int) or any(is_numeric(part) for part in get_args(hint))


Converter = Callable[[Any], tuple[Any, str]]  # value -> converted value and "", or anything and what was expected


@cache
def _converter(hint: Any) -> Converter:
    """Return a function that converts values of a TOML file to an annotation."""
    if hint is Any:
        return lambda value: (value, "")
    if is_union(hint):
        return _union_converter(hint, [_converter(part) for part in get_args(hint) if part is not type(None)])
    if get_origin(hint) is tuple:
        return _tuple_converter(hint)
    expected = annotation_text(hint)
    if get_origin(hint) is Literal:
        valid = [(type(name), name) for name in get_args(hint)]
        return lambda value: (value, "" if (type(value), value) in valid else expected)
    if hint is float:
        return _as_float
    if hint is int:
        return lambda value: (value, "" if isinstance(value, int) and not isinstance(value, bool) else expected)
    return lambda value: (value, "" if isinstance(value, hint) else expected)


def _as_float(value: Any) -> tuple[Any, str]:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return value, "a number"
    if abs(value) <= LARGEST_OF_FILE or abs(value) == math.inf:
        return float(value), ""
    return value, f"a number of at most {LARGEST_OF_FILE:g}" if abs(value) > LARGEST_OF_FILE else "a finite number"


def _union_converter(hint: Any, parts: list[Converter]) -> Converter:
    if len(parts) == 1:
        return parts[0]

    def convert(value: Any) -> tuple[Any, str]:
        for part in parts:
            converted, expected = part(value)
            if not expected:
                return converted, ""
        return value, annotation_text(hint)

    return convert


def _tuple_converter(hint: Any) -> Converter:
    parts = get_args(hint)
    length = None if parts[-1] is Ellipsis else len(parts)
    convert, text = _converter(parts[0]), annotation_text(hint)  # all parts are alike

    def convert_list(value: Any) -> tuple[Any, str]:
        if not isinstance(value, list | tuple) or length not in (None, len(value)):
            return value, text
        done = [convert(item) for item in value]
        return tuple(item for item, _ in done), text if any(expected for _, expected in done) else ""

    return convert_list


def _plural(hint: Any) -> str:
    if get_origin(hint) is tuple:
        count = "" if get_args(hint)[-1] is Ellipsis else f"{len(get_args(hint))} "
        return f"rows of {count}{_plural(get_args(hint)[0])}"
    if is_union(hint):
        return " or ".join(_plural(part) for part in get_args(hint) if part is not type(None))
    return {float: "numbers", int: "whole numbers", str: "texts", bool: "true or false"}[hint]
