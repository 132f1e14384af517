"""JSON Schema (draft 2020-12) of the tables that `reader` reads, generated from the same dataclass fields.

A schema covers keys and types; the dataclasses check ranges and relations between values.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, Literal, Union, get_args, get_origin

from pelagos.files.reader import PROVENANCE, keys_of, spellings
from pelagos.units import split_key

DRAFT = "https://json-schema.org/draft/2020-12/schema"
TYPES = {float: "number", int: "integer", bool: "boolean", str: "string"}
NOTES: dict[str, Any] = {name: {"type": "string"} for name in PROVENANCE}


def kinds_schema(kinds: Mapping[str, type]) -> dict[str, Any]:
    """Return the schema of a table whose key `kind` selects the dataclass."""
    return {"oneOf": [spec_schema(spec, kind) for kind, spec in kinds.items()]}


def parts_schema(kinds: Mapping[str, type]) -> dict[str, Any]:
    """Return the schema of a table with `kind`, with `part` (a library part, which has a kind), or with both."""
    tables: list[dict[str, Any]] = []
    for kind, spec in kinds.items():
        table = spec_schema(spec)
        table.pop("allOf", None)  # no key is required, because the part may contain it
        table["properties"] |= {"kind": {"const": kind}, "part": {"type": "string", "minLength": 1}}
        tables.append(table)
    return {"anyOf": tables, "allOf": [{"anyOf": [{"required": ["kind"]}, {"required": ["part"]}]}]}


def spec_schema(spec: type, kind: str = "") -> dict[str, Any]:
    """Return the schema of the table of one dataclass; with `kind` the key `kind` is required and has this value."""
    properties = properties_schema(keys_of(spec))
    description = (spec.__doc__ or "").strip().split("\n")[0]
    needed: list[dict[str, Any]] = [
        {"anyOf": [{"required": [key]} for key in spellings(item.name)]}
        for item in fields(spec)
        if item.name in properties and item.default is MISSING and item.default_factory is MISSING
    ]
    if kind:
        properties["kind"] = {"const": kind}
        needed.append({"required": ["kind"]})
    table = {"type": "object", "description": description, "properties": properties, "additionalProperties": False}
    return {**table, "allOf": needed} if needed else table


def properties_schema(known: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schemas of all keys of a table, in every unit that the reader accepts."""
    return {key: _key(key, hint) for name, hint in known.items() for key in spellings(name)} | NOTES


def _key(key: str, hint: Any) -> dict[str, Any]:
    unit = split_key(key)[1]
    bare = _type(hint)
    sourced = {
        "type": "object",
        "properties": {"value": bare, **NOTES},
        "required": ["value"],
        "additionalProperties": False,
    }
    return {"anyOf": [bare, sourced], **({"description": unit.text} if unit else {})}


def _type(hint: Any) -> dict[str, Any]:
    if get_origin(hint) in (Union, types.UnionType):
        parts = [_type(part) for part in get_args(hint) if part is not type(None)]
        return parts[0] if len(parts) == 1 else {"anyOf": parts}
    if get_origin(hint) is Literal:
        return {"enum": list(get_args(hint))}
    if get_origin(hint) is tuple:
        parts = get_args(hint)
        length = {} if parts[-1] is Ellipsis else {"minItems": len(parts), "maxItems": len(parts)}
        return {"type": "array", "items": _type(parts[0]), **length}
    return {"type": TYPES[hint]}
