"""A JSON Schema (draft 2020-12) of scenario files, for editors that complete and check TOML.

It is made from the descriptions that the reader itself fills, so it cannot fall behind. A schema sees keys and types;
ranges, names of vehicles and parts, and what takes arithmetic are left to `load_scenario`.
"""

from __future__ import annotations

from typing import Any

from pelagos.estimation.spec import Navigation
from pelagos.guidance.kinds import KINDS as LEGS
from pelagos.sensors.kinds import KINDS as SENSORS
from pelagos.sim.fault_kinds import KINDS as FAULTS
from pelagos.sim.scenario import Control, End, Happening, Output, Scenario, Start
from pelagos.sim.scenario_read import ORDERS
from pelagos.tables import keys_of
from pelagos.tables_schema import DRAFT, kinds_schema, parts_schema, properties_schema, spec_schema
from pelagos.tether.spec import Tether
from pelagos.vehicle.schema import schema as vehicle_schema
from pelagos.world.schema import world_schema

TEXT: dict[str, Any] = {"type": "string", "minLength": 1}
NUMBERS: dict[str, Any] = {"type": "object", "additionalProperties": {"type": "number"}}


def scenario_schema() -> dict[str, Any]:
    """The schema of a whole scenario file."""
    own = _own_tables()
    shared = {key: {"$ref": f"#/$defs/{key}"} for key in own}
    craft = {"$ref": "#/$defs/craft"}
    top = {name: hint for name, hint in keys_of(Scenario).items() if name != "path"}
    world = _bare(world_schema())
    world["properties"]["use"] = TEXT
    properties = properties_schema(top) | {
        "vehicle": {"anyOf": [TEXT, craft, {"type": "array", "minItems": 1, "items": craft}]},
        "world": {"anyOf": [TEXT, world]},
        "end": spec_schema(End),
        "output": spec_schema(Output),
        **shared,
    }
    return {
        "$schema": DRAFT,
        "title": "Pelagos scenario file",
        "type": "object",
        "properties": properties,
        "required": ["vehicle"],
        "additionalProperties": False,
        "$defs": {**own, "craft": _vehicle(shared)},
    }


def _own_tables() -> dict[str, Any]:
    """Tables of one vehicle: at the top of a file, or under its [[vehicle]]."""
    tether = spec_schema(Tether)
    tether["properties"]["cable"] = TEXT
    return {
        "start": spec_schema(Start),
        "control": _with_orders(Control),
        "mission": _rows(kinds_schema(LEGS)),
        "sensor": {"anyOf": [{"type": "boolean"}, _rows(parts_schema(SENSORS))]},
        "navigation": spec_schema(Navigation),
        "fault": _rows(kinds_schema(FAULTS)),
        "event": _rows(_with_orders(Happening)),
        "tether": {"anyOf": [{"type": "boolean"}, tether]},
    }


def _vehicle(own: dict[str, Any]) -> dict[str, Any]:
    whole = vehicle_schema()
    change = {key: whole[key] for key in ("type", "properties", "additionalProperties")}  # what is not changed stays
    properties = {"use": TEXT, "name": TEXT, "change": change, **own}
    return {"type": "object", "properties": properties, "required": ["use"], "additionalProperties": False}


def _with_orders(spec: type) -> dict[str, Any]:
    table = spec_schema(spec)
    table["properties"] |= dict.fromkeys(ORDERS, NUMBERS)
    return table


def _rows(table: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": table}


def _bare(whole: dict[str, Any]) -> dict[str, Any]:
    """The schema of another file as that of a table."""
    return {key: item for key, item in whole.items() if key not in ("$schema", "$id", "title")}
