"""Orders that a console page can send: the role that may send each one, its keys, and a check for each value.

The server validates a message with these tables in its own thread, without the vehicle: names, types and wide ranges.
The flight refuses an order that does not fit its vehicle or state (`pelagos.session.orders`). The module is apart from
those functions so that the console protocol loads without the simulation.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pelagos.checks import (
    LINK,
    Check,
    choice_of,
    flag,
    number_in,
    optional,
    plain_table,
    plain_value,
    table,
    text,
    whole_in,
)
from pelagos.errors import MessageError, one_of

SLOWEST, FASTEST = 0.1, 20.0  # limits of the real-time factor
_coordinate_m = number_in(-1e6, 1e6)
_stick = number_in(-1.0, 1.0)
_axes: dict[str, Check] = {name: _stick for name in ("surge", "sway", "heave", "roll", "pitch", "yaw")}
HOLDS = ("depth", "altitude", "heading", "position", "level", "speed", "mission")

# Ranges are wide: they stop nonsense at the server. The flight checks values against its vehicle, tether and world.
PILOT: dict[str, dict[str, Check]] = {
    "hold": {"what": choice_of(*HOLDS), "on": flag, "value": optional(plain_value)},
    "trim": _axes,
    "trim_reset": {},
    "stick_frame": {"frame": choice_of("body", "camera", "north")},
    "gain": {"factor": number_in(0.1, 1.0)},
    "camera": {
        "pan_deg": number_in(-360.0, 360.0),
        "tilt_deg": number_in(-180.0, 180.0),
        "zoom": number_in(1.0, 100.0),
        "centre": flag,
        "index": whole_in(0, 63),
    },
    "lights": {"level": number_in(0.0, 1.0)},
    "tether": {
        "ratio": number_in(0.0, 100.0),
        "length_m": number_in(0.0, 1e5),
        "rate_m_s": number_in(-100.0, 100.0),
        "tension_N": number_in(0.0, 1e7),
        "fixed": flag,
    },
    "ship": {"north_m": _coordinate_m, "east_m": _coordinate_m, "follow": flag, "stop": flag},
    "arm": {"on": flag},
    "pause": {"on": flag},  # the runner carries out this one and `time_scale`, the flight all others
    "reset": {},
    "time_scale": {"factor": number_in(SLOWEST, FASTEST)},
    "record": {"on": flag},
    "task_start": {},
    "task_abort": {},
    "pilot_name": {"name": text},
    "seek": {"time_s": number_in(0.0, 1e9)},  # of a playback
}
INSTRUCTOR: dict[str, dict[str, Check]] = {
    "clear_faults": {"id": optional(text)},
    "message": {"text": text},
    "task": {"name": optional(text), "conditions": optional(plain_table)},
}
FREE_FORM = ("fault", "conditions")  # instructor orders whose keys depend on the kind of fault or on the task
NAMES = (*PILOT, *INSTRUCTOR, *FREE_FORM)


def is_of_instructor(name: str) -> bool:
    """Whether the order belongs to the instructor; without an instructor the pilot may send it."""
    return name in INSTRUCTOR or name in FREE_FORM


def checked_values(name: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """The validated values of an order; MessageError for an unknown order, key or value."""
    fields = PILOT.get(name, INSTRUCTOR.get(name))
    if fields is not None:
        return table(name, values, fields, context=LINK)
    if name in FREE_FORM:
        return plain_table(name, values, context=LINK)
    raise MessageError("there is no order", value=name, expected=one_of(NAMES), names=NAMES)
