"""JSON Schema (draft 2020-12), generated from the declarations that the reader uses, for editors and other programs.

A schema covers keys, units, kinds, lengths and signs; the readers and the dataclasses check relations between values
and names that refer to each other.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, get_args, get_origin

from pelagos.checks import is_union
from pelagos.files.schema import PROVENANCE, REMOVE, Key, Section
from pelagos.units import UNITS, split_key

DRAFT = "https://json-schema.org/draft/2020-12/schema"
TYPES = {float: "number", int: "integer", bool: "boolean", str: "string", dict: "object"}
SIGNS: Mapping[str, Mapping[str, float]] = {"positive": {"exclusiveMinimum": 0}, "nonnegative": {"minimum": 0}}
SHORTEST = 40  # characters of JSON: a reference in place of a shorter schema saves nothing
Schema = dict[str, Any]


def file_schema(title: str, schema: Schema) -> Schema:
    """Return the schema of a file; what it repeats, such as a length in metres, becomes a common definition."""
    return _without_repetition(document(title, schema))


def document(title: str, schema: Schema) -> Schema:
    """Return a schema as a document of its own."""
    return {"$schema": DRAFT, "title": title, **schema}


def object_schema(properties: Mapping[str, Schema], required: Iterable[str] = ()) -> Schema:
    """Return the schema of a table of known keys."""
    table: Schema = {"type": "object", "properties": dict(properties), "additionalProperties": False}
    return table | ({"required": list(required)} if required else {})


def reference(name: str) -> Schema:
    """Return a reference to a definition of the document."""
    return {"$ref": f"#/$defs/{name}"}


def section_schema(section: Section) -> Schema:
    """Return the schema of one table: its keys in every spelling and the tables inside it; other keys are errors."""
    if section.kinds:
        return _kinds_schema(section)
    properties = {spelling: _key_schema(key, spelling) for key in section.keys for spelling in key.spellings}
    properties |= {name: _key_schema(key, name) for name, key in section.provenance.items()}
    properties |= {name: _inner_schema(inner) for name, inner in section.tables.items()}
    schema: Schema = ({"description": section.help} if section.help else {}) | object_schema(properties)
    if isinstance(section.each, Section):
        schema["additionalProperties"] = section_schema(section.each)
    elif section.each is not None:
        schema["additionalProperties"] = _key_schema(section.each, "")
    rules: list[Schema] = [{"anyOf": [{"required": [name]} for name in key.spellings]} for key in section.required_keys]
    rules += [{"required": [name]} for name, inner in section.tables.items() if inner.needed]
    if rules and section.starts_from:
        schema["anyOf"] = [{"required": [section.starts_from]}, {"allOf": rules}]
    elif rules:
        schema["allOf"] = rules
    return schema


def _inner_schema(section: Section) -> Schema:
    """The schema of a table inside another: one table or a list, or the value that may stand in its place."""
    schema = section_schema(section)
    if section.many:
        schema = {"type": "array", "items": schema, **({"minItems": 1} if section.needed else {})}
    return schema if section.short is None else {"anyOf": [_type_schema(section.short), schema]}


def _kinds_schema(section: Section) -> Schema:
    """The schema of a table with `kind`; if it may start from a part, which has a kind, with `part` or both."""
    variants: list[Schema] = []
    for kind, inner in section.kinds.items():
        variant = section_schema(inner)
        variant["properties"]["kind"] = {"const": kind}
        if section.starts_from:
            variant.pop("allOf", None)  # no key is required, because the part may contain it
            variant["properties"][section.starts_from] = {"type": "string", "minLength": 1}
        variants.append(variant)
    needed: list[Schema] = [{"required": [name]} for name in ("kind", section.starts_from) if name]
    return {"description": section.help, "anyOf": variants, "allOf": [{"anyOf": needed}]}


def _key_schema(key: Key, spelling: str) -> Schema:
    unit = split_key(spelling)[1] if spelling != key.name or key.unit else None
    parts = [key.help, f"({UNITS[unit.suffix].text})" if unit and key.help else unit.text if unit else ""]
    description = " ".join(part for part in parts if part)
    about = {"description": description} if description else {}
    value = _type_schema(key.hint, key)
    if not key.numeric:
        return value | about
    sourced = object_schema(
        {"value": value} | {item.name: _key_schema(item, item.name) for item in PROVENANCE}, ["value"]
    )
    removed: list[Schema] = [{"const": REMOVE}] if key.removable else []
    return {"anyOf": [*(value["anyOf"] if set(value) == {"anyOf"} else [value]), sourced, *removed], **about}


def _type_schema(hint: Any, key: Key | None = None) -> Schema:
    """The schema of an annotation, within the limits of a key."""
    if hint is Any:
        return {}
    if is_union(hint):
        parts = [_type_schema(part, key) for part in get_args(hint) if part is not type(None)]
        return parts[0] if len(parts) == 1 else {"anyOf": parts}
    if get_origin(hint) is Literal:
        return {"enum": list(get_args(hint))}
    if get_origin(hint) is tuple:
        parts = get_args(hint)
        length = {} if parts[-1] is Ellipsis else {"minItems": len(parts), "maxItems": len(parts)}
        return {"type": "array", "items": _type_schema(parts[0], key), **length}
    limits: Schema = {}
    if key is not None and hint in (float, int):
        limits = dict(SIGNS.get(key.sign, {})) | ({"maximum": key.most} if key.most < float("inf") else {})
    elif hint is str and (key is None or key.checked):
        limits = {"minLength": 1}
    return {"type": TYPES[hint], **limits}


def _without_repetition(schema: Schema) -> Schema:
    """Replace equal schemas of keys and tables by references to a common definition."""
    count = Counter(_text(item) for item in _properties(schema))
    often = [text for text, n in count.items() if n > 1 and len(text) > SHORTEST]
    names = {text: f"key_{k}" for k, text in enumerate(often)}
    shorter = _with_references(schema, names)
    return shorter | {"$defs": {name: _with_references(json.loads(text), names) for text, name in names.items()}}


def _properties(node: Any) -> Iterator[Any]:
    """Yield the schemas of all keys of all tables."""
    for name, item in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
        if name == "properties":
            yield from item.values()
        yield from _properties(item)


def _with_references(node: Any, names: Mapping[str, str]) -> Any:
    if isinstance(node, list):
        return [_with_references(item, names) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        name: {key: _referred(value, names) for key, value in item.items()}
        if name == "properties"
        else _with_references(item, names)
        for name, item in node.items()
    }


def _referred(value: Any, names: Mapping[str, str]) -> Any:
    name = names.get(_text(value))
    return reference(name) if name else _with_references(value, names)


def _text(schema: Any) -> str:
    return json.dumps(schema, separators=(",", ":"))
