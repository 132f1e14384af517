"""Reader of world files (TOML) and their JSON Schema.

`load_world("harbour")` reads a library world, `load_world("my_sea.toml")` a file, `loads_world(text)` a text. Each
table of the file becomes the description class that it names; the keys are the field names of these classes, which
docs/world-files.md lists.

`world_schema` derives a JSON Schema (draft 2020-12) from the same classes, for editors that complete and check TOML. It
covers keys and types; `load_world` also checks ranges and combinations.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pelagos.errors import ScenarioError
from pelagos.files import library
from pelagos.files.json_schema import Schema, file_schema, section_schema
from pelagos.files.named import named
from pelagos.files.reader import Place, Table, build, build_rows, in_file, merge, read_table, require
from pelagos.files.schema import kinds_of, section_of, without
from pelagos.files.source import parse_toml, read_toml
from pelagos.world.current.kinds import KINDS as CURRENTS
from pelagos.world.current.kinds import CurrentField, with_origin
from pelagos.world.seabed.seabed import Seabed
from pelagos.world.seabed.seabed import with_origin as seabed_with_origin
from pelagos.world.spec import World
from pelagos.world.structure import Structure
from pelagos.world.water import Water
from pelagos.world.waves import Waves

WORLD = replace(
    without(section_of(World), "path"),
    tables={
        "water": section_of(Water),
        "waves": section_of(Waves),
        "current": kinds_of(CURRENTS, "a current; several add up", many=True, attribute="currents"),
        "seabed": section_of(Seabed),
        "structure": replace(section_of(Structure), many=True, attribute="structures"),
    },
)


def load_world(name_or_path: str | Path) -> World:
    """Read a world: the name of a library world, or the path of a .toml file."""
    path = library.WORLDS.path(name_or_path)
    return _world(_read(path, Place(path.name, path.parent)), path)


def loads_world(text: str, name: str = "world", folder: str | Path = ".") -> World:
    """Read a world from TOML text; `name` stands for the file in messages, files are looked for in `folder`."""
    return _world(read_table(parse_toml(text, name), WORLD, Place(name, Path(folder))), None)


def world_from(raw: Mapping[str, Any], place: Place) -> World:
    """Read a world from a table of a larger file: keys of a world file, and `use`, the world that they override."""
    overrides = {key: item for key, item in raw.items() if key != "use"}
    if "use" not in raw:
        return _world(read_table(overrides, WORLD, place), None)
    name = raw["use"]
    if not isinstance(name, str):
        place.fail("use", value=name, expected="the name of a library world or of a .toml file")
    try:
        path = library.WORLDS.path(place.folder / name if name.endswith(".toml") else name)
    except ScenarioError as problem:
        raise problem.at(file=place.file, key=place.within("use").path, value=name) from None
    base = _read(path, Place(path.name, path.parent))
    changes = read_table(overrides, WORLD, replace(place, notes=[]))
    inherited = [note._replace(path=place.within(note.path).path) for note in base.place.notes]
    replaced = {(note.path, note.kind) for note in changes.place.notes}
    place.notes.extend(note for note in inherited if (note.path, note.kind) not in replaced)
    place.notes.extend(changes.place.notes)
    # a world has one bottom: a seabed table without a kind changes that of the base, anything else replaces it
    seabed = changes.tables.get("seabed")
    if "depth_m" in changes or (seabed and ("kind" in seabed or "seabed" not in base.tables)):
        base.values.pop("depth_m", None)
        base.tables.pop("seabed", None)
    return _world(replace(merge(base, changes), place=place), None)


def _read(path: Path, place: Place) -> Table:
    return read_table(read_toml(named(path)), WORLD, place)


def _world(table: Table, path: Path | None) -> World:
    require(table)
    place = table.place
    origin = (table.get("origin_lat_deg"), table.get("origin_lon_deg"))
    currents = with_origin(build_rows(table, "current"), *origin)
    for k, current in enumerate(currents):
        if isinstance(current, CurrentField):  # read its file now: an error must not wait until the run
            with in_file(place.within(f"current[{k}]")):
                _ = current.cover
    seabed = build(table.tables["seabed"]) if "seabed" in table.tables else None
    with in_file(place.within("seabed")):
        seabed = seabed_with_origin(seabed, *origin)
    name = table.get("name", path.stem if path else place.file)
    sources = (*table.get("sources", ()), *place.sources)
    return build(table, name=name, path=str(path) if path else "", sources=sources, currents=currents, seabed=seabed)


def world_schema() -> Schema:
    """Return the JSON Schema of a world file."""
    return file_schema("Pelagos world file", section_schema(WORLD))
