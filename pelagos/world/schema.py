"""A JSON Schema (draft 2020-12) of world files, for editors that complete and check TOML.

It is made from the descriptions that the reader itself fills, so it cannot fall behind. A schema sees keys and types;
ranges and what takes arithmetic are left to `load_world`.
"""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, Literal, Union, get_args, get_origin

from pelagos.units import split_key
from pelagos.world.load import LISTS, sections, top_keys
from pelagos.world.read import PROVENANCE, keys_of, spellings

DRAFT = "https://json-schema.org/draft/2020-12/schema"
TYPES = {float: "number", int: "integer", bool: "boolean", str: "string"}
NOTES: dict[str, Any] = {name: {"type": "string"} for name in PROVENANCE}


def world_schema() -> dict[str, Any]:
    """The schema of a whole world file."""
    properties = _properties(top_keys())
    for name, spec in sections().items():
        table = _kinds(spec) if isinstance(spec, Mapping) else _spec(spec)
        properties[name] = {"type": "array", "items": table} if name in LISTS else table
    return {
        "$schema": DRAFT,
        "title": "Pelagos world file",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }


def _kinds(kinds: Mapping[str, type]) -> dict[str, Any]:
    """A table whose key `kind` chooses the description."""
    return {"oneOf": [_spec(spec, kind) for kind, spec in kinds.items()]}


def _spec(spec: type, kind: str = "") -> dict[str, Any]:
    properties = _properties(keys_of(spec))
    said = (spec.__doc__ or "").strip().split("\n")[0]
    needed: list[dict[str, Any]] = [
        {"anyOf": [{"required": [key]} for key in spellings(item.name)]}
        for item in fields(spec)
        if item.name in properties and item.default is MISSING and item.default_factory is MISSING
    ]
    if kind:
        properties["kind"] = {"const": kind}
        needed.append({"required": ["kind"]})
    table = {"type": "object", "description": said, "properties": properties, "additionalProperties": False}
    return {**table, "allOf": needed} if needed else table


def _properties(known: Mapping[str, Any]) -> dict[str, Any]:
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
