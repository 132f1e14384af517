"""A JSON Schema (draft 2020-12) of scenario files, for editors that complete and check TOML.

It is made from the descriptions that the reader itself fills, so it cannot fall behind. A schema sees keys and types;
ranges, names of vehicles and parts, and what takes arithmetic are left to `load_scenario`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from pelagos.estimation.base import Navigation
from pelagos.files.json_schema import DRAFT, kinds_schema, parts_schema, properties_schema, spec_schema
from pelagos.files.reader import keys_of
from pelagos.guidance.legs.kinds import KINDS as LEGS
from pelagos.scenario.read import ORDERS
from pelagos.scenario.spec import Control, End, Output, Scenario, ScenarioEvent, Start
from pelagos.sensors.suite import KINDS as SENSORS
from pelagos.sim.faults.kinds import KINDS as FAULTS
from pelagos.tether.spec import Tether
from pelagos.vehicle.load.schema import schema as vehicle_schema
from pelagos.world.load import world_schema

TEXT: dict[str, Any] = {"type": "string", "minLength": 1}
WORTH = 40  # characters: what is shorter is not worth a reference
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
    return _shared({
        "$schema": DRAFT,
        "title": "Pelagos scenario file",
        "type": "object",
        "properties": properties,
        "required": ["vehicle"],
        "additionalProperties": False,
        "$defs": {**own, "craft": _vehicle(shared)},
    })  # fmt: skip


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
        "event": _rows(_with_orders(ScenarioEvent)),
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


def _shared(schema: dict[str, Any]) -> dict[str, Any]:
    """The same schema with keys that are alike written once: a length in metres is one in every table."""
    count = Counter(_text(item) for item in _keys(schema))
    often = [text for text, n in count.items() if n > 1 and len(text) > WORTH]
    names = {text: f"key_{k}" for k, text in enumerate(often)}
    made = _with_references(schema, names)
    made["$defs"] |= {name: _with_references(json.loads(text), names) for text, name in names.items()}
    return made


def _keys(node: Any) -> Iterator[Any]:
    """The schemas of all keys of all tables."""
    for name, item in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
        if name == "properties":
            yield from item.values()
        yield from _keys(item)


def _with_references(node: Any, names: dict[str, str]) -> Any:
    if isinstance(node, list):
        return [_with_references(item, names) for item in node]
    if not isinstance(node, dict):
        return node
    made: dict[str, Any] = {}
    for name, item in node.items():
        if name == "properties":
            named = {key: names.get(_text(one), "") for key, one in item.items()}
            made[name] = {
                key: {"$ref": f"#/$defs/{named[key]}"} if named[key] else _with_references(one, names)
                for key, one in item.items()
            }
        else:
            made[name] = _with_references(item, names)
    return made


def _text(schema: Any) -> str:
    return json.dumps(schema, separators=(",", ":"))
