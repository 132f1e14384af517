"""Orders of a session: the role that may send each one, its keys, and a check for each value.

The console's server validates a message with this table in its own thread, without the vehicle: names, types and wide
ranges. The flight validates every order with it once more, whether a page, a link or a program sent it, and refuses
what does not fit its vehicle or state (`pelagos.session.orders`). The module is apart from those functions so that the
console protocol loads without the simulation.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, cast

from pelagos.checks import (
    ARGUMENT,
    Check,
    Context,
    choice_of,
    flag,
    needed,
    number_in,
    optional,
    plain_table,
    plain_value,
    table,
    text,
    whole_in,
)
from pelagos.errors import one_of

LONGEST_PILOT_NAME = 80  # letters, in the table of results
LONGEST_MESSAGE = 500  # letters; the console's limit of a message, 4096 bytes, leaves room for it
MOST_LEGS = 1000  # keeps the check of a route, which runs between two ticks, short
HOLDS = ("depth", "altitude", "heading", "position", "level", "speed", "mission")
SETPOINTS = ("depth_m", "altitude_m", "heading_deg", "north_m", "east_m", "roll_deg", "pitch_deg", "speed_m_s")
ACTUATORS = ("thrusters", "surfaces", "ballast")


class OrderFields(NamedTuple):
    """The role that may send an order, its keys and those of them that it needs.

    Without `fields` the flight checks the keys, which depend on the kind of fault, on the task or on the contact.
    """

    role: Literal["pilot", "instructor", "link"]
    fields: Mapping[str, Check] | None
    required: tuple[str, ...] = ()


def _line_of(longest: int) -> Check:
    """A check for a printable text of limited length."""

    def check(key: str, value: object, context: Context = ARGUMENT) -> str:
        if not isinstance(value, str) or len(value) > longest or not value.isprintable():
            context.fail(key, value=value, expected=f"at most {longest} printable characters")
        return value

    return check


def _tables(key: str, value: object, context: Context = ARGUMENT) -> list[Any]:
    if not isinstance(value, list) or len(cast("list[Any]", value)) > MOST_LEGS:
        context.fail(key, value=value, expected=f"a list of at most {MOST_LEGS} tables")
    return cast("list[Any]", value)


def _commands(key: str, value: object, context: Context = ARGUMENT) -> dict[str, Any]:
    if value is not None and not isinstance(value, Mapping):
        context.fail(key, value=value, expected="names with numbers")
    return dict(cast("Mapping[str, Any]", value or {}))


def _unchecked(key: str, value: object, context: Context = ARGUMENT) -> object:
    """Return a value that only the flight can check: its range depends on vehicle and water."""
    return value


_coordinate_m = number_in(-1e6, 1e6)
_stick = number_in(-1.0, 1.0)
_axes: dict[str, Check] = {name: _stick for name in ("surge", "sway", "heave", "roll", "pitch", "yaw")}
_camera: dict[str, Check] = {
    "pan_deg": number_in(-360.0, 360.0),
    "tilt_deg": number_in(-180.0, 180.0),
    "zoom": number_in(1.0, 100.0),
    "centre": flag,
    "index": whole_in(0, 63),
}
_tether: dict[str, Check] = {
    "ratio": number_in(0.0, 100.0),
    "length_m": number_in(0.0, 1e5),
    "rate_m_s": number_in(-100.0, 100.0),
    "tension_N": number_in(0.0, 1e7),
    "fixed": flag,
}
_ship: dict[str, Check] = {"north_m": _coordinate_m, "east_m": _coordinate_m, "follow": flag, "stop": flag}
_hold: dict[str, Check] = {"hold": choice_of(*HOLDS), "on": flag, "value": optional(plain_value)}

# Ranges are wide: they stop nonsense at the server. The flight checks values against its vehicle, tether and world.
ORDERS: dict[str, OrderFields] = {
    "hold": OrderFields("pilot", _hold, ("hold", "on")),
    "trim": OrderFields("pilot", _axes),
    "trim_reset": OrderFields("pilot", {}),
    "stick_frame": OrderFields("pilot", {"frame": choice_of("body", "camera", "north")}, ("frame",)),
    "gain": OrderFields("pilot", {"factor": number_in(0.1, 1.0)}, ("factor",)),
    "camera": OrderFields("pilot", _camera),
    "lights": OrderFields("pilot", {"level": number_in(0.0, 1.0)}, ("level",)),
    "tether": OrderFields("pilot", _tether),
    "ship": OrderFields("pilot", _ship),
    "arm": OrderFields("pilot", {"on": flag}, ("on",)),
    "pause": OrderFields("pilot", {"on": flag}, ("on",)),  # the runner carries out this one and `time_scale`
    "reset": OrderFields("pilot", {}),
    "time_scale": OrderFields("pilot", {"factor": number_in(0.1, 20.0)}, ("factor",)),
    "record": OrderFields("pilot", {"on": flag}, ("on",)),
    "task_start": OrderFields("pilot", {}),
    "task_abort": OrderFields("pilot", {}),
    "pilot_name": OrderFields("pilot", {"name": _line_of(LONGEST_PILOT_NAME)}, ("name",)),
    "seek": OrderFields("pilot", {"time_s": number_in(0.0, 1e9)}, ("time_s",)),  # of a playback
    "clear_faults": OrderFields("instructor", {"id": optional(text)}),
    "message": OrderFields("instructor", {"text": _line_of(LONGEST_MESSAGE)}, ("text",)),
    "task": OrderFields("instructor", {"name": optional(text), "conditions": optional(plain_table)}),
    "fault": OrderFields("instructor", None),
    "conditions": OrderFields("instructor", None),
    "route": OrderFields("link", {"legs": _tables, "speed_m_s": _unchecked}, ("legs",)),
    "setpoint": OrderFields("link", dict.fromkeys(SETPOINTS, _unchecked)),
    "actuators": OrderFields("link", dict.fromkeys(ACTUATORS, _commands)),
    "contact": OrderFields("link", None),
    "contact_gone": OrderFields("link", {"key": text}, ("key",)),
}
OF_PAGES = tuple(name for name, order in ORDERS.items() if order.role != "link")


def is_of_instructor(name: str) -> bool:
    """Whether the order belongs to the instructor; without an instructor the pilot may send it."""
    return name in ORDERS and ORDERS[name].role == "instructor"


def checked_values(
    name: str, values: Mapping[str, Any], names: tuple[str, ...] = tuple(ORDERS), *, context: Context = ARGUMENT
) -> dict[str, Any]:
    """The validated values of an order, which must be one of `names`; raises the error of the context."""
    if name not in names:
        context.fail("", "there is no order", value=name, expected=one_of(names), names=names)
    order = ORDERS[name]
    if order.fields is None:
        return dict(values) if order.role == "link" else plain_table(name, values, context=context)
    checked = table(name, values, order.fields, context=context)
    needed(name, checked, *order.required, context=context)
    return checked
