"""The lines that go over the robot link: what may come from a client, checked, and how an answer becomes a line.

A line is looked at from outside to inside, and nothing is built before all of it is known to be good: size, JSON, type,
known keys, finite numbers, ranges. Whatever is wrong ends in one MessageError. `schema` says the same for programs.

A JSON Schema (draft 2020-12) of every message of the robot link, both ways, for programs that check or make them.

It is made from the names that the reader and the writer themselves use. A schema sees keys, types and ranges; names of
actuators and vehicles are those of the hello, and limits are left to the vehicle.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from pelagos.checks import (
    LINK,
    Check,
    Context,
    choice_of,
    flag,
    number_in,
    optional,
    table,
    table_of,
    text,
    whole,
)
from pelagos.errors import MessageError, shown
from pelagos.files.json_schema import DRAFT
from pelagos.links.robot.clock import CLOCKS
from pelagos.links.robot.vehicle import GROUPS, STATE
from pelagos.sim.columns import HELD

SCHEMA = 1  # version of the messages; another one is refused
LARGEST_LINE = 65536  # bytes, the line feed not counted
LARGEST_SEQ = 2**53  # what every JSON reader keeps exactly
LARGEST_NUMBER = 1e9
MOST_ACTUATORS = 64  # of one kind in one order
MOST_VEHICLES = 64
CONTROLLER, FOLLOWER = "controller", "follower"
STICKS = ("surge", "sway", "heave", "roll", "pitch", "yaw")
SETPOINTS = ("depth_m", "altitude_m", "heading_deg", "speed_m_s", "pitch_deg", "roll_deg", "north_m", "east_m")


@dataclass(frozen=True)
class Hello:
    """A client introduces itself."""

    schema: int
    role: str = CONTROLLER
    name: str = ""
    session: str = ""  # the same word again: the same client, come back
    forces: bool = False  # wants the force terms in every state


@dataclass(frozen=True)
class VehicleCommand:
    """What one vehicle shall do; an empty one lets it go on as it does.

    `thrusters`, `surfaces` and `ballast` are orders to single actuators by name and unit, or `setpoint` is for an
    autopilot, or `sticks` for thrusters by axis; only one of the three ways at a time.
    """

    thrusters: Mapping[str, float] = field(default_factory=dict[str, float])
    surfaces: Mapping[str, float] = field(default_factory=dict[str, float])
    ballast: Mapping[str, float] = field(default_factory=dict[str, float])
    setpoint: Mapping[str, float | None] | None = None
    sticks: Mapping[str, float] | None = None

    @property
    def direct(self) -> bool:
        """Whether single actuators are told something."""
        return bool(self.thrusters or self.surfaces or self.ballast)

    @property
    def empty(self) -> bool:
        """Whether nothing is to change."""
        return not self.direct and self.setpoint is None and self.sticks is None


@dataclass(frozen=True)
class RobotOrder:
    """Wishes by the name of the vehicle ("" is the first), and go on by one interval."""

    seq: int
    wishes: Mapping[str, VehicleCommand] = field(default_factory=dict[str, VehicleCommand])


@dataclass(frozen=True)
class Reset:
    """Back to the start of the scenario, or of the log."""

    seq: int


@dataclass(frozen=True)
class Bye:
    """The client leaves; with `end` the controller ends the world too."""

    end: bool = False


Message = Hello | RobotOrder | Reset | Bye


def parse(line: bytes) -> Message:
    """The message in a line, without its line feed; MessageError and no other exception, whatever came."""
    if len(line) > LARGEST_LINE:
        raise MessageError(f"the line has {len(line)} bytes", expected=f"at most {LARGEST_LINE}")
    try:
        said = _DECODER.decode(line.decode("utf-8"))
    except ValueError:  # a UnicodeDecodeError and a JSONDecodeError are ValueErrors
        raise MessageError("the line is not JSON") from None
    except RecursionError:
        raise MessageError("the line has too many levels") from None
    if not isinstance(said, dict):
        raise MessageError(key="the line", value=said, expected="a table of names and values")
    kind = said.pop("type", None)
    if not isinstance(kind, str) or kind not in _READERS:
        raise MessageError(f"the line has the type {shown(kind)}", expected=f"one of {', '.join(_READERS)}")
    return _READERS[kind](said)


def seq_of(line: bytes | None) -> int | None:
    """The number in a line that is of no use otherwise, for the answer to it; None if it has none."""
    try:
        said = json.loads(line or b"")
        return _seq("seq", said.get("seq"), LINK) if isinstance(said, dict) else None
    except (ValueError, RecursionError, MessageError):
        return None


def line_of(message: Mapping[str, Any]) -> bytes:
    """JSON of an answer and a line feed. Numbers must be finite: null stands for what is not known."""
    return _ENCODER.encode(message).encode("utf-8") + b"\n"


def _no_number(word: str) -> NoReturn:
    raise MessageError(f"the line has the number {word}", expected="finite numbers")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    said = dict(pairs)
    if len(said) != len(pairs):
        raise MessageError("the line has a key twice")
    return said


_DECODER = json.JSONDecoder(parse_constant=_no_number, object_pairs_hook=_once)
_ENCODER = json.JSONEncoder(separators=(",", ":"), allow_nan=False, check_circular=False)
_number = number_in(-LARGEST_NUMBER, LARGEST_NUMBER)
_stick = number_in(-1.0, 1.0)


def _numbers(what: str, value: Any, context: Context) -> dict[str, float]:
    """A table of numbers by names that only the vehicle knows."""
    if not isinstance(value, dict):
        context.fail(what, value=value, expected="a table of names and numbers")
    if len(value) > MOST_ACTUATORS:
        context.fail("", f"{what} has {len(value)} entries", expected=f"at most {MOST_ACTUATORS}")
    return {name: _number(f"{what} {shown(name)}", one, context) for name, one in value.items()}


def _whole(low: int, high: int) -> Check:
    """A check for a whole number; 3.0 is one too, as it is to a JSON Schema."""

    def check(what: str, value: Any, context: Context) -> int:
        as_int = int(value) if isinstance(value, float) and value.is_integer() else value
        return whole(what, as_int, low, high, context=context)

    return check


_seq = _whole(1, LARGEST_SEQ)
_HELLO: dict[str, Check] = {
    "schema": _whole(0, 1_000_000),
    "role": choice_of(CONTROLLER, FOLLOWER),
    "name": text,
    "session": text,
    "forces": flag,
}
_SETPOINT: dict[str, Check] = {name: optional(_number) for name in SETPOINTS}
_STICKS: dict[str, Check] = {name: _stick for name in STICKS}
_WISH: dict[str, Check] = {
    "thrusters": _numbers,
    "surfaces": _numbers,
    "ballast": _numbers,
    "setpoint": table_of(_SETPOINT),
    "sticks": table_of(_STICKS),
}
_ORDER: dict[str, Check] = {
    "seq": _seq,
    "vehicle": text,
    "vehicles": lambda what, value, context: _wishes(what, value),
    **_WISH,
}


def _hello(said: dict[str, Any]) -> Hello:
    values = table("hello", said, _HELLO, context=LINK)
    if "schema" not in values:
        raise MessageError("hello has no schema", expected=f"the version of these messages, {SCHEMA}")
    return Hello(**values)


def _wish(what: str, values: dict[str, Any]) -> VehicleCommand:
    wish = VehicleCommand(**values)
    if wish.direct + (wish.setpoint is not None) + (wish.sticks is not None) > 1:
        raise MessageError(f"{what} mixes single actuators, setpoint and sticks", expected="one of these at a time")
    return wish


def _wishes(what: str, value: Any) -> dict[str, VehicleCommand]:
    if not isinstance(value, dict) or not 0 < len(value) <= MOST_VEHICLES:
        raise MessageError(key=what, value=value, expected="a table with an order for each of some vehicles")
    wishes: dict[str, VehicleCommand] = {}
    for name, one in value.items():
        about = f"{what} {shown(name)}"
        wishes[name] = _wish(about, table(about, one, _WISH, context=LINK))
    return wishes


def _order(said: dict[str, Any]) -> RobotOrder:
    values = table("order", said, _ORDER, context=LINK)
    seq = _needed_seq("order", values)
    several = values.pop("vehicles", None)
    if several is not None:
        if values:
            raise MessageError(f"order has vehicles and {next(iter(values))}", expected="all of it inside vehicles")
        return RobotOrder(seq, several)
    vehicle = values.pop("vehicle", "")
    wish = _wish("order", values)
    return RobotOrder(seq, {vehicle: wish} if vehicle or not wish.empty else {})


def _reset(said: dict[str, Any]) -> Reset:
    return Reset(_needed_seq("reset", table("reset", said, {"seq": _seq}, context=LINK)))


def _bye(said: dict[str, Any]) -> Bye:
    return Bye(**table("bye", said, {"end": flag}, context=LINK))


def _needed_seq(what: str, values: dict[str, Any]) -> int:
    if "seq" not in values:
        raise MessageError(f"{what} has no seq", expected="its number, one more than that of the last")
    return values.pop("seq")


_READERS: dict[str, Callable[[dict[str, Any]], Message]] = {
    "hello": _hello,
    "order": _order,
    "reset": _reset,
    "bye": _bye,
}


# ---- schema ----------------------------------------------------------------------------------------------------------


Table = dict[str, Any]
NUMBER: Table = {"type": "number"}
KNOWN: Table = {"type": ["number", "null"]}  # null: not known
TEXT: Table = {"type": "string"}
SHORT: Table = {"type": "string", "maxLength": 200}
YES: Table = {"type": "boolean"}
ORDERED: Table = {"type": "number", "minimum": -LARGEST_NUMBER, "maximum": LARGEST_NUMBER}
SEQ: Table = {"type": "integer", "minimum": 1, "maximum": LARGEST_SEQ}
LAST_SEQ: Table = {"type": "integer", "minimum": 0, "maximum": LARGEST_SEQ}
EVENT: Table = {"time_s": NUMBER, "kind": TEXT, "text": TEXT, "vehicle": TEXT}


def link_schema() -> Table:
    """The schema: `$defs` has `from_client`, `from_server` and each message; the whole is any of them."""
    client = {f"client_{kind}": table for kind, table in _client().items()}
    server = {f"server_{kind}": table for kind, table in _server().items()}
    return {
        "$schema": DRAFT,
        "title": f"Pelagos robot link, schema {SCHEMA}: one line of JSON a message",
        "anyOf": [_ref("from_client"), _ref("from_server")],
        "$defs": {
            "from_client": {"oneOf": [_ref(name) for name in client]},
            "from_server": {"oneOf": [_ref(name) for name in server]},
            **client,
            **server,
            "wish": _wish_schema(),
            "vehicle": _vehicle(),
            "described": _described(),
            "event": _table(EVENT, tuple(EVENT)),
        },
    }


def _client() -> dict[str, Table]:
    numbered = {"seq": SEQ}
    few = {"minProperties": 1, "maxProperties": MOST_VEHICLES}
    wishes = {"type": "object", "additionalProperties": _ref("wish"), **few}
    one = _message("order", {**numbered, **_wish_schema()["properties"], "vehicle": SHORT}, ("seq",))
    several = _message("order", {**numbered, "vehicles": wishes}, ("seq", "vehicles"))
    hello = {
        "schema": {"const": SCHEMA}, "role": {"enum": [CONTROLLER, FOLLOWER]}, "name": SHORT, "session": SHORT,
        "forces": YES,
    }  # fmt: skip
    return {
        "hello": _message("hello", hello, ("schema",)),
        "order": {"oneOf": [one | {"not": _ways()}, several]},
        "reset": _message("reset", numbered, ("seq",)),
        "bye": _message("bye", {"end": YES}),
    }


def _server() -> dict[str, Table]:
    present = {
        "tick": {"type": "integer", "minimum": 0},
        "time_s": NUMBER,
        "done": YES,
        "vehicles": {"type": "object", "additionalProperties": _ref("vehicle"), "minProperties": 1},
    }
    hello = {
        "schema": {"const": SCHEMA}, "pelagos": TEXT, "kind": {"enum": ["simulation", "log"]}, "title": TEXT,
        "role": {"enum": [CONTROLLER, FOLLOWER]}, "text": TEXT, "clock": {"enum": list(CLOCKS)}, "speed": NUMBER,
        "rate_hz": NUMBER, "interval_s": NUMBER, "control_rate_hz": NUMBER, "deadman_s": KNOWN, "last_seq": LAST_SEQ,
        "fleet": {"type": "array", "items": _ref("described"), "minItems": 1}, **present,
    }  # fmt: skip
    state = {"seq": LAST_SEQ, **present, "events": {"type": "array", "items": _ref("event")}}
    clock = {"overruns": {"type": "integer", "minimum": 0}, "slipped_s": NUMBER}
    refused = {"seq": {"type": ["integer", "null"]}, "last_seq": LAST_SEQ, "text": TEXT}
    return {
        "hello": _message("hello", hello, tuple(hello)),
        "state": _message("state", state | clock, tuple(state)),
        "refused": _message("refused", refused, tuple(refused)),
        "bye": _message("bye", {"text": TEXT}, ("text",)),
    }


def _wish_schema() -> Table:
    numbers = {"type": "object", "additionalProperties": ORDERED, "maxProperties": MOST_ACTUATORS}
    setpoint = {name: {**ORDERED, "type": ["number", "null"]} for name in SETPOINTS}
    sticks = {name: {"type": "number", "minimum": -1, "maximum": 1} for name in STICKS}
    properties = {group: numbers for group in GROUPS}
    return _table({**properties, "setpoint": _table(setpoint), "sticks": _table(sticks)}) | {"not": _ways()}


def _ways() -> Table:
    """Two ways of steering at once; a table of no actuators is no order to them."""
    told = [{"required": [g], "properties": {g: {"minProperties": 1}}} for g in GROUPS]
    direct: Table = {"anyOf": told}
    setpoint: Table = {"required": ["setpoint"]}
    sticks: Table = {"required": ["sticks"]}
    return {"anyOf": [{"allOf": pair} for pair in ([direct, setpoint], [direct, sticks], [setpoint, sticks])]}


def _vehicle() -> Table:
    """One vehicle in a state."""
    groups = _table({group: {"type": "object", "additionalProperties": KNOWN} for group in GROUPS}, GROUPS)
    reading = {"time_s": NUMBER, "arrived_s": NUMBER, "values": {"type": "array", "items": KNOWN}}
    wrench = {"type": "array", "items": KNOWN, "minItems": 6, "maxItems": 6}
    parts: Table = {
        "state": _table({name: KNOWN for name in STATE}, STATE),
        "actuators": groups,
        "ordered": groups,
        "setpoint": _table({name: NUMBER for name in HELD}),
        "sensors": {"type": "object", "additionalProperties": _table(reading, tuple(reading))},
    }
    forces = {"type": "object", "additionalProperties": wrench}
    return _table(parts | {"forces": forces}, tuple(parts))


def _described() -> Table:
    """One vehicle in a hello."""
    actuator = {"order": TEXT, "state": TEXT, "unit": TEXT, "minimum": KNOWN, "maximum": KNOWN}
    rows = {"type": "array", "items": _table(actuator, tuple(actuator))}
    columns = {"type": "array", "items": TEXT}
    sensor = {"kind": {"type": ["string", "null"]}, "rate_hz": KNOWN, "latency_s": KNOWN, "columns": columns}
    parts: Table = {
        "name": TEXT, "vehicle": TEXT, "title": TEXT, "actuators": _table({group: rows for group in GROUPS}, GROUPS),
        "sensors": {"type": "object", "additionalProperties": _table(sensor, tuple(sensor))},
    }  # fmt: skip
    return _table(parts, tuple(parts))


def _message(kind: str, properties: Table, required: tuple[str, ...] = ()) -> Table:
    return _table({"type": {"const": kind}, **properties}, ("type", *required))


def _table(properties: Table, required: tuple[str, ...] = ()) -> Table:
    table: Table = {"type": "object", "properties": properties, "additionalProperties": False}
    return table | {"required": list(required)} if required else table


def _ref(name: str) -> Table:
    return {"$ref": f"#/$defs/{name}"}
