"""JSON Schema (draft 2020-12) of vehicle files, for editors that complete and check TOML.

The schema is generated from `keys.py`, which the reader uses too, so both agree. It covers keys, kinds, lengths and
signs; `load_vehicle` checks relations (ascending tables, symmetric matrices, names that refer to each other).
"""

from __future__ import annotations

from typing import Any

from pelagos.checks import ANY
from pelagos.files.json_schema import DRAFT, parts_schema
from pelagos.sensors.kinds import KINDS
from pelagos.units import UNITS, split_key
from pelagos.vehicle.load.keys import PROVENANCE, SENSOR, VEHICLE, Key, Section
from pelagos.vehicle.load.tables import REMOVE

SIGNS: dict[str, dict[str, float]] = {"positive": {"exclusiveMinimum": 0}, "nonnegative": {"minimum": 0}}


def schema() -> dict[str, Any]:
    """The schema of a whole vehicle file."""
    return {"$schema": DRAFT, "title": "Pelagos vehicle file", **_section(VEHICLE, top=True)}


def _section(section: Section, top: bool = False) -> dict[str, Any]:
    """The schema of one table: its keys in every spelling and the tables inside it; other keys are errors."""
    properties: dict[str, Any] = {}
    rules: list[dict[str, Any]] = []
    for key in section.keys:
        spellings = list(key.spellings())
        for spelling in spellings:
            properties[spelling] = _key(key, spelling)
        # a file that extends another, or a thruster made from a part, may omit inherited keys
        if key.required and not top and not section.many:
            rules.append({"anyOf": [{"required": [spelling]} for spelling in spellings]})
    if section.sourced:
        properties |= {key.name: _key(key, key.name) for key in PROVENANCE}
    for name, inner in section.tables.items():
        table = parts_schema(KINDS) if inner is SENSOR else _section(inner)
        properties[name] = {"type": "array", "items": table, "description": inner.help} if inner.many else table
    result: dict[str, Any] = {"type": "object", "description": section.help, "properties": properties}
    if isinstance(section.each, Section):
        result["additionalProperties"] = _section(section.each)
    elif isinstance(section.each, Key):
        number = _key(section.each, "")
        result["additionalProperties"] = {"anyOf": [*number["anyOf"], {"const": REMOVE}]}
    else:
        result["additionalProperties"] = False
    if rules:
        result["allOf"] = rules
    if top:  # a file that extends another inherits its name and class
        result["anyOf"] = [{"required": ["extends"]}, {"required": [key.name for key in section.keys if key.required]}]
    return result


def _key(key: Key, spelling: str) -> dict[str, Any]:
    unit = split_key(spelling)[1] if spelling != key.name else None
    description = key.help if unit is None else f"{key.help} ({UNITS[unit.suffix].text})".strip()
    about = {"description": description} if description else {}
    if key.kind == "flag":
        return {"type": "boolean", **about}
    if key.kind == "text":
        return {"type": "string", "minLength": 1, **about}
    if key.kind == "choice":
        return {"enum": list(key.choices), **about}
    if key.kind == "texts":
        return {"type": "array", "items": {"enum": list(key.choices)}, **about}
    if key.kind == "free":
        return about
    kind = "integer" if key.kind == "integer" else "number"
    bare = [_shape(shape, kind, key.sign) for shape in key.shapes]
    value = bare[0] if len(bare) == 1 else {"anyOf": bare}
    sourced = {
        "type": "object",
        "properties": {"value": value, **{item.name: _key(item, item.name) for item in PROVENANCE}},
        "required": ["value"],
        "additionalProperties": False,
    }
    return {"anyOf": [*bare, sourced], **about}


def _shape(shape: tuple[int, ...], kind: str, sign: str) -> dict[str, Any]:
    """The schema of a number, a list of numbers or rows of them."""
    if not shape:
        return {"type": kind, **SIGNS.get(sign, {})}
    length = {} if shape[0] == ANY else {"minItems": shape[0], "maxItems": shape[0]}
    return {"type": "array", "items": _shape(shape[1:], kind, sign), **length}
