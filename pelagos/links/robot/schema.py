"""A JSON Schema (draft 2020-12) of every message of the robot link, both ways, for programs that check or make them.

It is made from the names that the reader and the writer themselves use. A schema sees keys, types and ranges; names of
actuators and vehicles are those of the hello, and limits are left to the vehicle.
"""

from __future__ import annotations

from typing import Any

from pelagos.links.robot.clock import CLOCKS
from pelagos.links.robot.craft import GROUPS, STATE
from pelagos.links.robot.messages import (
    CONTROLLER,
    FOLLOWER,
    LARGEST_NUMBER,
    LARGEST_SEQ,
    MOST_ACTUATORS,
    MOST_VEHICLES,
    SCHEMA,
    SETPOINTS,
    STICKS,
)
from pelagos.sim.sample import HELD
from pelagos.tables_schema import DRAFT

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
            "wish": _wish(),
            "vehicle": _vehicle(),
            "described": _described(),
            "event": _table(EVENT, tuple(EVENT)),
        },
    }


def _client() -> dict[str, Table]:
    numbered = {"seq": SEQ}
    few = {"minProperties": 1, "maxProperties": MOST_VEHICLES}
    wishes = {"type": "object", "additionalProperties": _ref("wish"), **few}
    one = _message("order", {**numbered, **_wish()["properties"], "vehicle": SHORT}, ("seq",))
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


def _wish() -> Table:
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
