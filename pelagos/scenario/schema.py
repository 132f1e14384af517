"""JSON Schema (draft 2020-12) of scenario files, for editors that complete and check TOML.

It is generated from the dataclasses that the reader fills. A schema covers keys and types; `load_scenario` checks
ranges, names of vehicles and parts, and relations between values.
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
from pelagos.scenario.read import COMMANDS
from pelagos.scenario.spec import Control, End, Output, Scenario, ScenarioEvent, Start
from pelagos.sensors.kinds import KINDS as SENSORS
from pelagos.sim.faults.kinds import KINDS as FAULTS
from pelagos.tether.spec import Tether
from pelagos.vehicle.load.schema import schema as vehicle_schema
from pelagos.world.load import world_schema

TEXT: dict[str, Any] = {"type": "string", "minLength": 1}
SHORTEST = 40  # characters of JSON: a reference in place of a shorter schema saves nothing
NUMBERS: dict[str, Any] = {"type": "object", "additionalProperties": {"type": "number"}}


def scenario_schema() -> dict[str, Any]:
    """Return the schema of a scenario file."""
    tables = _vehicle_tables()
    references = {key: {"$ref": f"#/$defs/{key}"} for key in tables}
    vehicle = {"$ref": "#/$defs/vehicle"}
    top = {name: hint for name, hint in keys_of(Scenario).items() if name != "path"}
    world = _bare(world_schema())
    world["properties"]["use"] = TEXT
    properties = properties_schema(top) | {
        "vehicle": {"anyOf": [TEXT, vehicle, {"type": "array", "minItems": 1, "items": vehicle}]},
        "world": {"anyOf": [TEXT, world]},
        "end": spec_schema(End),
        "output": spec_schema(Output),
        **references,
    }
    return _without_repetition({
        "$schema": DRAFT,
        "title": "Pelagos scenario file",
        "type": "object",
        "properties": properties,
        "required": ["vehicle"],
        "additionalProperties": False,
        "$defs": {**tables, "vehicle": _vehicle(references)},
    })  # fmt: skip


def _vehicle_tables() -> dict[str, Any]:
    """Return the tables of one vehicle, at the top of a file or under its [[vehicle]]."""
    tether = spec_schema(Tether)
    tether["properties"]["cable"] = TEXT
    return {
        "start": spec_schema(Start),
        "control": _with_commands(Control),
        "mission": _rows(kinds_schema(LEGS)),
        "sensor": {"anyOf": [{"type": "boolean"}, _rows(parts_schema(SENSORS))]},
        "navigation": spec_schema(Navigation),
        "fault": _rows(kinds_schema(FAULTS)),
        "event": _rows(_with_commands(ScenarioEvent)),
        "tether": {"anyOf": [{"type": "boolean"}, tether]},
    }


def _vehicle(tables: dict[str, Any]) -> dict[str, Any]:
    whole = vehicle_schema()
    # no required keys: `change` contains only the keys that differ from the vehicle file
    change = {key: whole[key] for key in ("type", "properties", "additionalProperties")}
    properties = {"use": TEXT, "name": TEXT, "change": change, **tables}
    return {"type": "object", "properties": properties, "required": ["use"], "additionalProperties": False}


def _with_commands(spec: type) -> dict[str, Any]:
    table = spec_schema(spec)
    table["properties"] |= dict.fromkeys(COMMANDS, NUMBERS)
    return table


def _rows(table: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": table}


def _bare(whole: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of another kind of file as that of a table."""
    return {key: item for key, item in whole.items() if key not in ("$schema", "$id", "title")}


def _without_repetition(schema: dict[str, Any]) -> dict[str, Any]:
    """Replace equal schemas of keys, such as a length in metres, by references to a common definition."""
    count = Counter(_text(item) for item in _keys(schema))
    often = [text for text, n in count.items() if n > 1 and len(text) > SHORTEST]
    names = {text: f"key_{k}" for k, text in enumerate(often)}
    shorter = _with_references(schema, names)
    shorter["$defs"] |= {name: _with_references(json.loads(text), names) for text, name in names.items()}
    return shorter


def _keys(node: Any) -> Iterator[Any]:
    """Yield the schemas of all keys of all tables."""
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
            references = {key: names.get(_text(value), "") for key, value in item.items()}
            made[name] = {
                key: {"$ref": f"#/$defs/{references[key]}"} if references[key] else _with_references(value, names)
                for key, value in item.items()
            }
        else:
            made[name] = _with_references(item, names)
    return made


def _text(schema: Any) -> str:
    return json.dumps(schema, separators=(",", ":"))
