"""Checks of single values that came over the link: each gives the value back, or says in a sentence what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pelagos.errors import MessageError, nearest
from pelagos.messages import shown

Check = Callable[[str, Any], Any]
LONGEST_TEXT = 200
LONGEST_LIST = 64
MOST_KEYS = 32
DEEPEST = 4
LARGEST = 1e9  # of any number that has no range of its own


def number_in(low: float, high: float) -> Check:
    """A check for a finite number of a range, ends included."""

    def check(what: str, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise MessageError(f"{what} is {shown(value)}; expected a number from {low:g} to {high:g}")
        return float(value)

    return check


def one_of(*words: str) -> Check:
    """A check for one of some words."""

    def check(what: str, value: Any) -> str:
        if not isinstance(value, str) or value not in words:
            close = nearest(value, words) if isinstance(value, str) else ""
            hint = f"did you mean {close}?" if close else f"expected one of {', '.join(words)}"
            raise MessageError(f"{what} is {shown(value)}; {hint}")
        return value

    return check


def yes_or_no(what: str, value: Any) -> bool:
    """True or False."""
    if not isinstance(value, bool):
        raise MessageError(f"{what} is {shown(value)}; expected true or false")
    return value


def whole(low: int, high: int) -> Check:
    """A check for a whole number of a range, ends included."""

    def check(what: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise MessageError(f"{what} is {shown(value)}; expected a whole number from {low} to {high}")
        return value

    return check


def text(what: str, value: Any) -> str:
    """Printable characters on one line, of readable length; a lone half of a surrogate pair is none."""
    if not isinstance(value, str) or len(value) > LONGEST_TEXT or not value.isprintable():
        raise MessageError(f"{what} is {shown(value)}; expected at most {LONGEST_TEXT} printable characters")
    return value


def key(what: str, value: Any) -> str:
    """A plain name such as depth_m."""
    if not isinstance(value, str) or len(value) > 40 or not (value.isascii() and value.isidentifier()):
        raise MessageError(f"{what} has the key {shown(value)}; expected letters, digits and _")
    return value


def or_nothing(check: Check) -> Check:
    """A check that also lets null through."""
    return lambda what, value: None if value is None else check(what, value)


def plain_value(what: str, value: Any, depth: int = 0) -> Any:
    """Anything of JSON with finite numbers, short texts and few levels: for keys that only the receiver knows."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return text(what, value)
    if isinstance(value, int | float):
        if not -LARGEST <= value <= LARGEST:
            raise MessageError(f"{what} is {shown(value)}; expected a number of at most {LARGEST:g}")
        return value
    if depth >= DEEPEST:
        raise MessageError(f"{what} has more than {DEEPEST} levels")
    if isinstance(value, list):
        if len(value) > LONGEST_LIST:
            raise MessageError(f"{what} has {len(value)} entries; expected at most {LONGEST_LIST}")
        return [plain_value(f"{what}[{k}]", one, depth + 1) for k, one in enumerate(value)]
    return plain_table(what, value, depth + 1)


def plain_table(what: str, value: Any, depth: int = 0) -> dict[str, Any]:
    """A table of plain values."""
    if not isinstance(value, dict):
        raise MessageError(f"{what} is {shown(value)}; expected a table of names and values")
    if len(value) > MOST_KEYS:
        raise MessageError(f"{what} has {len(value)} keys; expected at most {MOST_KEYS}")
    return {key(what, name): plain_value(f"{what} {name}", one, depth) for name, one in value.items()}


def table(what: str, value: Any, fields: Mapping[str, Check]) -> dict[str, Any]:
    """A table of which every key is known; what is not named is not in it."""
    if not isinstance(value, dict):
        raise MessageError(f"{what} is {shown(value)}; expected a table of names and values")
    checked: dict[str, Any] = {}
    for name, one in value.items():
        if name not in fields:
            close = nearest(name, tuple(fields))
            hint = f"did you mean {close}?" if close else f"expected one of {', '.join(fields) or 'none'}"
            raise MessageError(f"{what} has no key {shown(name)}; {hint}")
        checked[name] = fields[name](f"{what} {name}", one)
    return checked


def needed(what: str, values: Mapping[str, Any], *names: str) -> None:
    """Refuse a table that lacks one of the names."""
    for name in names:
        if name not in values:
            raise MessageError(f"{what} has no {name}")
