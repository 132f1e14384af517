"""The orders a page can send: who may give each, and what each may carry.

Here stands what can be known without the vehicle: names, kinds and ranges that catch nonsense. Whether an order makes
sense now, the source says.
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
from pelagos.errors import MessageError

SLOWEST, FASTEST = 0.1, 20.0  # of the time scale
_far = number_in(-1e6, 1e6)  # m
_stick = number_in(-1.0, 1.0)
_axes: dict[str, Check] = {name: _stick for name in ("surge", "sway", "heave", "roll", "pitch", "yaw")}
_holds = ("depth", "altitude", "heading", "position", "level", "speed", "mission")

PILOT: dict[str, dict[str, Check]] = {
    "hold": {"what": choice_of(*_holds), "on": flag, "value": optional(plain_value)},
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
    "ship": {"north_m": _far, "east_m": _far, "follow": flag, "stop": flag},
    "arm": {"on": flag},
    "pause": {"on": flag},
    "reset": {},
    "time_scale": {"factor": number_in(SLOWEST, FASTEST)},
    "record": {"on": flag},
    "task_start": {},
    "task_abort": {},
    "pilot_name": {"name": text},
    "seek": {"time_s": number_in(0.0, 1e9)},
}
INSTRUCTOR: dict[str, dict[str, Check]] = {
    "clear_faults": {"id": optional(text)},
    "message": {"text": text},
    "task": {"name": optional(text), "conditions": optional(plain_table)},
}
LOOSE = ("fault", "conditions")  # of the instructor: their keys are those of the kind or of the task
NAMES = (*PILOT, *INSTRUCTOR, *LOOSE)


def is_of_instructor(name: str) -> bool:
    """Whether an order is the instructor's to give; the pilot's while nobody is instructor."""
    return name in INSTRUCTOR or name in LOOSE


def checked_values(name: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of an order, known and in range, or a MessageError."""
    fields = PILOT.get(name, INSTRUCTOR.get(name))
    if fields is not None:
        return table(name, values, fields, context=LINK)
    if name in LOOSE:
        return plain_table(name, values, context=LINK)
    raise MessageError("there is no order", value=name, expected=f"one of {', '.join(NAMES)}", names=NAMES)
