"""Messages of the robot link: a validating parser for lines of clients, an encoder for answers, and their JSON Schema.

`parse` checks size, JSON, type, keys, finite numbers and ranges, in this order, before it builds a message; any error
is one MessageError. `link_schema` describes all messages in both directions (draft 2020-12), made from the same names
as the parser. A schema covers keys, types and ranges; the names of actuators and vehicles are in the hello, and the
vehicle checks their limits.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pelagos.checks import (
    LINK,
    Check,
    Context,
    choice,
    choice_of,
    flag,
    json_table,
    number_in,
    optional,
    table,
    table_of,
    text,
    whole,
)
from pelagos.errors import MessageError, shown
from pelagos.files.json_schema import Schema, document, object_schema, reference
from pelagos.links.robot.clock import CLOCKS
from pelagos.links.robot.vehicle import GROUPS, STATE
from pelagos.sim.columns import SETPOINT_NAMES

SCHEMA = 1  # version of the messages; others are refused
LARGEST_LINE = 65536  # bytes, without the line feed
LARGEST_SEQ = 2**53  # the largest integer that every JSON parser keeps exactly
LARGEST_NUMBER = 1e9  # catches nonsense; the vehicle checks each range
MOST_ACTUATORS = 64  # of one kind in one order
MOST_VEHICLES = 64  # in one order
CONTROLLER, FOLLOWER = "controller", "follower"
STICKS = ("surge", "sway", "heave", "roll", "pitch", "yaw")
SETPOINTS = ("depth_m", "altitude_m", "heading_deg", "speed_m_s", "pitch_deg", "roll_deg", "north_m", "east_m")


@dataclass(frozen=True)
class Hello:
    """The first message of a client."""

    schema: int
    role: str = CONTROLLER
    name: str = ""
    session: str = ""  # identifies a client that reconnects
    forces: bool = False  # whether states include the force terms


@dataclass(frozen=True)
class VehicleCommand:
    """Command to one vehicle; an empty one changes nothing.

    A command is of one of three kinds: `thrusters`, `surfaces` and `ballast` address single actuators by name and
    unit; `setpoint` is for an autopilot; `sticks` command thrusters by axis.
    """

    thrusters: Mapping[str, float] = field(default_factory=dict[str, float])
    surfaces: Mapping[str, float] = field(default_factory=dict[str, float])
    ballast: Mapping[str, float] = field(default_factory=dict[str, float])
    setpoint: Mapping[str, float | None] | None = None
    sticks: Mapping[str, float] | None = None

    @property
    def direct(self) -> bool:
        """Whether the command addresses single actuators."""
        return bool(self.thrusters or self.surfaces or self.ballast)

    @property
    def empty(self) -> bool:
        """Whether the command changes nothing."""
        return not self.direct and self.setpoint is None and self.sticks is None


@dataclass(frozen=True)
class RobotOrder:
    """Commands by the name of the vehicle ("" is the first), and the request to advance by one interval."""

    seq: int
    commands: Mapping[str, VehicleCommand] = field(default_factory=dict[str, VehicleCommand])


@dataclass(frozen=True)
class Reset:
    """Request to return to the start of the scenario, or of the log."""

    seq: int


@dataclass(frozen=True)
class Bye:
    """Last message of a client; with `end` the controller ends the world too."""

    end: bool = False


Message = Hello | RobotOrder | Reset | Bye


def parse(line: bytes) -> Message:
    """Parse a line without its line feed; any invalid line raises MessageError and no other exception."""
    content = json_table("the line", line, LARGEST_LINE)
    kind = choice("type of the line", content.pop("type", None), _READERS, context=LINK)
    return _READERS[kind](content)


def seq_of(line: bytes | None) -> int | None:
    """The sequence number of an invalid line, for the answer to it; None if it has no valid one."""
    try:
        content = json.loads(line or b"")
        return _seq("seq", content.get("seq"), LINK) if isinstance(content, dict) else None
    except (ValueError, RecursionError, MessageError):
        return None


def encode_line(message: Mapping[str, Any]) -> bytes:
    """Encode an answer as JSON with a line feed; numbers must be finite, null stands for unknown ones."""
    return _ENCODER.encode(message).encode("utf-8") + b"\n"


# Answers are trees made by the server: the check for cycles would only cost time.
_ENCODER = json.JSONEncoder(separators=(",", ":"), allow_nan=False, check_circular=False)
_number = number_in(-LARGEST_NUMBER, LARGEST_NUMBER)
_stick = number_in(-1.0, 1.0)


def _numbers(key: str, value: Any, context: Context) -> dict[str, float]:
    """Check a table of numbers by name; the vehicle checks the names."""
    if not isinstance(value, dict):
        context.fail(key, value=value, expected="a table of names and numbers")
    if len(value) > MOST_ACTUATORS:
        context.fail(f"number of entries in {key}", value=len(value), expected=f"at most {MOST_ACTUATORS}")
    return {name: _number(f"{key} {shown(name)}", item, context) for name, item in value.items()}


def _whole(low: int, high: int) -> Check:
    """Make a check for a whole number; 3.0 counts as one, as in JSON Schema."""

    def check(key: str, value: Any, context: Context) -> int:
        as_int = int(value) if isinstance(value, float) and value.is_integer() else value
        return whole(key, as_int, low, high, context=context)

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
_COMMAND: dict[str, Check] = {
    "thrusters": _numbers,
    "surfaces": _numbers,
    "ballast": _numbers,
    "setpoint": table_of(_SETPOINT),
    "sticks": table_of(_STICKS),
}
_ORDER: dict[str, Check] = {
    "seq": _seq,
    "vehicle": text,
    "vehicles": lambda key, value, context: _commands(key, value),
    **_COMMAND,
}


def _hello(content: dict[str, Any]) -> Hello:
    values = table("hello", content, _HELLO, context=LINK)
    if "schema" not in values:
        raise MessageError("is missing", key="hello schema", expected=f"the version of these messages, {SCHEMA}")
    return Hello(**values)


def _command(key: str, values: dict[str, Any]) -> VehicleCommand:
    command = VehicleCommand(**values)
    if command.direct + (command.setpoint is not None) + (command.sticks is not None) > 1:
        raise MessageError("mixes single actuators, setpoint and sticks", key=key, expected="one of these at a time")
    return command


def _commands(key: str, value: Any) -> dict[str, VehicleCommand]:
    if not isinstance(value, dict) or not 0 < len(value) <= MOST_VEHICLES:
        raise MessageError(key=key, value=value, expected="a table with an order for each of some vehicles")
    commands: dict[str, VehicleCommand] = {}
    for name, item in value.items():
        subkey = f"{key} {shown(name)}"
        commands[name] = _command(subkey, table(subkey, item, _COMMAND, context=LINK))
    return commands


def _order(content: dict[str, Any]) -> RobotOrder:
    values = table("order", content, _ORDER, context=LINK)
    seq = _needed_seq("order", values)
    several = values.pop("vehicles", None)
    if several is not None:
        if values:
            message = "is beside the key vehicles"
            raise MessageError(message, key=f"order {next(iter(values))}", expected="all of it inside vehicles")
        return RobotOrder(seq, several)
    vehicle = values.pop("vehicle", "")
    command = _command("order", values)
    # A vehicle that is named is checked to exist, even without a command to it.
    return RobotOrder(seq, {vehicle: command} if vehicle or not command.empty else {})


def _reset(content: dict[str, Any]) -> Reset:
    return Reset(_needed_seq("reset", table("reset", content, {"seq": _seq}, context=LINK)))


def _bye(content: dict[str, Any]) -> Bye:
    return Bye(**table("bye", content, {"end": flag}, context=LINK))


def _needed_seq(kind: str, values: dict[str, Any]) -> int:
    if "seq" not in values:
        raise MessageError("is missing", key=f"{kind} seq", expected="a number, one more than that of the last")
    return values.pop("seq")


_READERS: dict[str, Callable[[dict[str, Any]], Message]] = {
    "hello": _hello,
    "order": _order,
    "reset": _reset,
    "bye": _bye,
}


# Parts of the JSON Schema of the link.
NUMBER: Schema = {"type": "number"}
KNOWN: Schema = {"type": ["number", "null"]}  # null: unknown
TEXT: Schema = {"type": "string"}
SHORT: Schema = {"type": "string", "maxLength": 200}
YES: Schema = {"type": "boolean"}
ORDERED: Schema = {"type": "number", "minimum": -LARGEST_NUMBER, "maximum": LARGEST_NUMBER}
SEQ: Schema = {"type": "integer", "minimum": 1, "maximum": LARGEST_SEQ}
LAST_SEQ: Schema = {"type": "integer", "minimum": 0, "maximum": LARGEST_SEQ}
EVENT: Schema = {"time_s": NUMBER, "kind": TEXT, "text": TEXT, "vehicle": TEXT}


def link_schema() -> Schema:
    """JSON Schema of all messages; its `$defs` has `from_client`, `from_server` and each message."""
    client = {f"client_{kind}": table for kind, table in _client().items()}
    server = {f"server_{kind}": table for kind, table in _server().items()}
    definitions = {
        "from_client": {"oneOf": [reference(name) for name in client]},
        "from_server": {"oneOf": [reference(name) for name in server]},
        **client,
        **server,
        "command": _command_schema(),
        "vehicle": _vehicle(),
        "description": _description(),
        "event": object_schema(EVENT, tuple(EVENT)),
    }
    either = {"anyOf": [reference("from_client"), reference("from_server")], "$defs": definitions}
    return document(f"Pelagos robot link, schema {SCHEMA}: one line of JSON a message", either)


def _client() -> dict[str, Schema]:
    numbered = {"seq": SEQ}
    few = {"minProperties": 1, "maxProperties": MOST_VEHICLES}
    commands = {"type": "object", "additionalProperties": reference("command"), **few}
    single = _message("order", {**numbered, **_command_schema()["properties"], "vehicle": SHORT}, ("seq",))
    several = _message("order", {**numbered, "vehicles": commands}, ("seq", "vehicles"))
    hello = {
        "schema": {"const": SCHEMA}, "role": {"enum": [CONTROLLER, FOLLOWER]}, "name": SHORT, "session": SHORT,
        "forces": YES,
    }  # fmt: skip
    return {
        "hello": _message("hello", hello, ("schema",)),
        "order": {"oneOf": [single | {"not": _mixed_kinds()}, several]},
        "reset": _message("reset", numbered, ("seq",)),
        "bye": _message("bye", {"end": YES}),
    }


def _server() -> dict[str, Schema]:
    present = {
        "tick": {"type": "integer", "minimum": 0},
        "time_s": NUMBER,
        "done": YES,
        "vehicles": {"type": "object", "additionalProperties": reference("vehicle"), "minProperties": 1},
    }
    hello = {
        "schema": {"const": SCHEMA}, "pelagos": TEXT, "kind": {"enum": ["simulation", "log"]}, "title": TEXT,
        "role": {"enum": [CONTROLLER, FOLLOWER]}, "text": TEXT, "clock": {"enum": list(CLOCKS)}, "speed": NUMBER,
        "rate_hz": NUMBER, "interval_s": NUMBER, "control_rate_hz": NUMBER, "deadman_s": KNOWN, "last_seq": LAST_SEQ,
        "fleet": {"type": "array", "items": reference("description"), "minItems": 1}, **present,
    }  # fmt: skip
    state = {"seq": LAST_SEQ, **present, "events": {"type": "array", "items": reference("event")}}
    clock = {"overruns": {"type": "integer", "minimum": 0}, "slipped_s": NUMBER}
    refused = {"seq": {"type": ["integer", "null"]}, "last_seq": LAST_SEQ, "text": TEXT}
    return {
        "hello": _message("hello", hello, tuple(hello)),
        "state": _message("state", state | clock, tuple(state)),
        "refused": _message("refused", refused, tuple(refused)),
        "bye": _message("bye", {"text": TEXT}, ("text",)),
    }


def _command_schema() -> Schema:
    numbers = {"type": "object", "additionalProperties": ORDERED, "maxProperties": MOST_ACTUATORS}
    setpoint = {name: {**ORDERED, "type": ["number", "null"]} for name in SETPOINTS}
    sticks = {name: {"type": "number", "minimum": -1, "maximum": 1} for name in STICKS}
    properties = {group: numbers for group in GROUPS}
    properties |= {"setpoint": object_schema(setpoint), "sticks": object_schema(sticks)}
    return object_schema(properties) | {"not": _mixed_kinds()}


def _mixed_kinds() -> Schema:
    """Schema of commands of two kinds at once; an empty table of actuators does not count."""
    direct: Schema = {"anyOf": [{"required": [g], "properties": {g: {"minProperties": 1}}} for g in GROUPS]}
    setpoint: Schema = {"required": ["setpoint"]}
    sticks: Schema = {"required": ["sticks"]}
    return {"anyOf": [{"allOf": pair} for pair in ([direct, setpoint], [direct, sticks], [setpoint, sticks])]}


def _vehicle() -> Schema:
    """Schema of one vehicle in a state."""
    groups = object_schema({group: {"type": "object", "additionalProperties": KNOWN} for group in GROUPS}, GROUPS)
    reading = {"time_s": NUMBER, "arrived_s": NUMBER, "values": {"type": "array", "items": KNOWN}}
    wrench = {"type": "array", "items": KNOWN, "minItems": 6, "maxItems": 6}
    parts: Schema = {
        "state": object_schema({name: KNOWN for name in STATE}, STATE),
        "actuators": groups,
        "ordered": groups,
        "setpoint": object_schema({name: NUMBER for name in SETPOINT_NAMES}),
        "sensors": {"type": "object", "additionalProperties": object_schema(reading, tuple(reading))},
    }
    forces = {"type": "object", "additionalProperties": wrench}
    return object_schema(parts | {"forces": forces}, tuple(parts))


def _description() -> Schema:
    """Schema of one vehicle in a hello."""
    actuator = {"order": TEXT, "state": TEXT, "unit": TEXT, "minimum": KNOWN, "maximum": KNOWN}
    rows = {"type": "array", "items": object_schema(actuator, tuple(actuator))}
    columns = {"type": "array", "items": TEXT}
    sensor = {"kind": {"type": ["string", "null"]}, "rate_hz": KNOWN, "latency_s": KNOWN, "columns": columns}
    parts: Schema = {
        "name": TEXT, "vehicle": TEXT, "title": TEXT,
        "actuators": object_schema({group: rows for group in GROUPS}, GROUPS),
        "sensors": {"type": "object", "additionalProperties": object_schema(sensor, tuple(sensor))},
    }  # fmt: skip
    return object_schema(parts, tuple(parts))


def _message(kind: str, properties: Schema, required: tuple[str, ...] = ()) -> Schema:
    return object_schema({"type": {"const": kind}, **properties}, ("type", *required))
