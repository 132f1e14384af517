"""Reader of world files (TOML) and their JSON Schema.

`load_world("harbour")` reads a library world, `load_world("my_sea.toml")` a file, `loads_world(text)` a text. Each
table of the file becomes the description class that it names; the keys are the field names of these classes, which
docs/world-files.md lists.

`world_schema` derives a JSON Schema (draft 2020-12) from the same classes, for editors that complete and check TOML. It
covers keys and types; `load_world` also checks ranges and combinations.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pelagos.errors import ScenarioError
from pelagos.files import library
from pelagos.files.json_schema import DRAFT, kinds_schema, properties_schema, spec_schema
from pelagos.files.named import named
from pelagos.files.reader import Kinds, Place, as_table, build, in_file, keys_of, read_kind, read_spec, read_values
from pelagos.files.source import parse_toml, read_toml
from pelagos.world.current.kinds import KINDS as CURRENTS
from pelagos.world.current.kinds import CurrentField, with_origin
from pelagos.world.seabed.seabed import Seabed
from pelagos.world.seabed.seabed import with_origin as seabed_with_origin
from pelagos.world.spec import World
from pelagos.world.structure import Structure
from pelagos.world.water import Water
from pelagos.world.waves import Waves

NOT_KEYS = ("path",)  # fields of World that the reader fills
LISTS = {"current": "currents", "structure": "structures"}  # key of a list of tables -> field of World


def load_world(name_or_path: str | Path) -> World:
    """Read a world: the name of a library world, or the path of a .toml file."""
    path = library.WORLDS.path(name_or_path)
    return _assemble(read_toml(named(path)), Place(path.name, path.parent), path)


def loads_world(text: str, name: str = "world", folder: str | Path = ".") -> World:
    """Read a world from TOML text; `name` stands for the file in messages, files are looked for in `folder`."""
    return _assemble(parse_toml(text, name), Place(name, Path(folder)), None)


def world_from(raw: Mapping[str, Any], place: Place) -> World:
    """Read a world from a table of a larger file: keys of a world file, and `use`, the world that they override."""
    overrides = {key: item for key, item in raw.items() if key != "use"}
    if "use" not in raw:
        return _assemble(overrides, place, None)
    name = raw["use"]
    if not isinstance(name, str):
        place.fail("use", value=name, expected="the name of a library world or of a .toml file")
    path = place.folder / name if name.endswith(".toml") else name
    try:
        path = library.WORLDS.path(path)
    except ScenarioError as problem:
        raise problem.at(file=place.file, key=place.within("use").path, value=name) from None
    base = read_toml(named(path))
    # a world has one bottom: a seabed table without a kind changes that of the base, anything else replaces it
    if {"depth_m", "seabed"} & overrides.keys():
        seabed = as_table(overrides.get("seabed", {}), place.within("seabed"))
        if "depth_m" in overrides or "kind" in seabed or "seabed" not in base:
            base = {key: item for key, item in base.items() if key not in ("depth_m", "seabed")}
    merged = {**base, **{key: _overridden(base.get(key), _absolute(item, place)) for key, item in overrides.items()}}
    return _assemble(merged, Place(place.file, path.parent, place.path, place.notes), None)


def _overridden(base: Any, item: Any) -> Any:
    return {**base, **item} if isinstance(base, dict) and isinstance(item, dict) else item


def _absolute(item: Any, place: Place) -> Any:
    """Make file names in a table absolute, relative to the folder of the file that names them."""
    if isinstance(item, list):
        return [_absolute(row, place) for row in item]
    if not isinstance(item, dict):
        return item
    is_file = {key: key == "file" or key.endswith("_file") for key in item}
    return {
        key: str((place.folder / value).resolve()) if is_file[key] and isinstance(value, str) else value
        for key, value in item.items()
    }


def sections() -> dict[str, type | Kinds]:
    """Return the tables of a world file: a description class, or several of which the key `kind` selects one."""
    return {"water": Water, "waves": Waves, "current": CURRENTS, "seabed": Seabed, "structure": Structure}


def top_keys() -> dict[str, Any]:
    """Return the keys of a world file outside its tables, with their annotations."""
    return {name: hint for name, hint in keys_of(World).items() if name not in NOT_KEYS}


def _assemble(raw: dict[str, Any], place: Place, path: Path | None) -> World:
    tables = sections()
    plain = {key: item for key, item in raw.items() if key not in tables}
    for key in plain:
        if key in NOT_KEYS:
            place.fail(key, "unknown key")
    values, spelt = read_values(World, plain, place, also=tuple(tables))
    for name, spec in tables.items():
        if name in raw and name in LISTS:
            values[LISTS[name]] = tuple(_read(spec, item, place.within(f"{name}[{k}]"))
                                        for k, item in enumerate(place.tables(raw, name)))  # fmt: skip
        elif name in raw:
            values[name] = _read(spec, raw[name], place.within(name))
    origin = (values.get("origin_lat_deg"), values.get("origin_lon_deg"))
    values["currents"] = with_origin(values.get("currents", ()), *origin)
    for k, current in enumerate(values["currents"]):
        if isinstance(current, CurrentField):  # read its file now: an error must not wait until the run
            with in_file(place.within(f"current[{k}]")):
                _ = current.cover
    with in_file(place.within("seabed")):
        values["seabed"] = seabed_with_origin(values.get("seabed"), *origin)
    filled = {"name": path.stem if path else place.file, "path": str(path) if path else ""}
    values = filled | values | {"sources": (*values.get("sources", ()), *place.notes)}
    return build(World, values, place, spelt)


def _read(spec: type | Kinds, raw: object, place: Place) -> Any:
    return read_spec(spec, raw, place) if isinstance(spec, type) else read_kind(spec, raw, place)


def world_schema() -> dict[str, Any]:
    """Return the JSON Schema of a world file."""
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
