"""A JSON Schema (draft 2020-12) of world files, for editors that complete and check TOML.

It is made from the descriptions that the reader itself fills, so it cannot fall behind. A schema sees keys and types;
ranges and what takes arithmetic are left to `load_world`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pelagos.tables_schema import DRAFT, kinds_schema, properties_schema, spec_schema
from pelagos.world.load import LISTS, sections, top_keys


def world_schema() -> dict[str, Any]:
    """The schema of a whole world file."""
    properties = properties_schema(top_keys())
    for name, spec in sections().items():
        table = kinds_schema(spec) if isinstance(spec, Mapping) else spec_schema(spec)
        properties[name] = {"type": "array", "items": table} if name in LISTS else table
    return {
        "$schema": DRAFT,
        "title": "Pelagos world file",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }
