"""An order: who may send it, its keys with their ranges, and the function that carries it out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from pelagos.checks import ARGUMENT, Check, Context, needed, number_in, plain_table, table
from pelagos.errors import CommandError
from pelagos.session.source import to_lists

Role = Literal["pilot", "instructor", "program"]
Values = Mapping[str, Any]


class CheckedValues(dict[str, Any]):
    """Values that have passed the checks of their order."""


class Order(NamedTuple):
    """An order of a session.

    role      who may send it; without an instructor the pilot may send those of the instructor
    do        carries it out, or raises CommandError and changes nothing
    fields    a check of each key; None: `do` checks the keys, which depend on the kind of fault, task or contact
    required  keys that must be there
    """

    role: Role
    do: Callable[[Any, Values], None]
    fields: Mapping[str, Check] | None
    required: tuple[str, ...] = ()

    def checked(self, name: str, values: Values, *, context: Context = ARGUMENT) -> CheckedValues:
        """The values, checked once: checked ones return as they are. Raises the error of the context."""
        if isinstance(values, CheckedValues):
            return values
        values = to_lists(values)
        if self.fields is None:
            return CheckedValues(values if self.role == "program" else plain_table(name, values, context=context))
        checked = table(name, values, self.fields, context=context)
        needed(name, checked, *self.required, context=context)
        return CheckedValues(checked)


def line_of(longest: int) -> Check:
    """A check for a printable text of limited length."""

    def check(key: str, value: object, context: Context = ARGUMENT) -> str:
        if not isinstance(value, str) or len(value) > longest or not value.isprintable():
            context.fail(key, value=value, expected=f"at most {longest} printable characters")
        return value

    return check


STICK = number_in(-1.0, 1.0)
AXES: dict[str, Check] = {name: STICK for name in ("surge", "sway", "heave", "roll", "pitch", "yaw")}
COORDINATE_M = number_in(-1e6, 1e6)


def mission_flies(key: str) -> CommandError:
    """The error for an order that only the helm can carry out, while the mission flies."""
    return CommandError("the mission has the helm", key=key, expected="an order to switch hold mission off first")


def depth_is_perfect(key: str) -> CommandError:
    """The error for a vertical hold under conditions that prescribe the depth."""
    message = "these conditions hold depth perfectly"
    return CommandError(message, key=key, expected="another hold than depth or altitude")
