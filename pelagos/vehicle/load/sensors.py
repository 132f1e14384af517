"""Instruments: the [[sensor]] tables of vehicle and scenario files, and `load_sensor` for a single instrument.

A row names a part of the library, a kind, or both; the other keys add or replace single numbers:

    [[sensor]]
    part = "bar30"
    position_m = [-0.2, 0, 0]
    noise_cm = 1

`load_sensor("bar30")` reads a part of the library, `load_sensor("mine.toml")` a file with the same keys.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pelagos.errors import one_of
from pelagos.files import library
from pelagos.files.named import named
from pelagos.files.reader import Note, Place, Table, as_table, build, kind_of, merge, moved, read_table, require
from pelagos.sensors.base import Sensor
from pelagos.vehicle.load.keys import SENSOR, SOURCES
from pelagos.vehicle.load.ledger import Ledger
from pelagos.vehicle.load.parts import find_part, parse, part_names, part_place

PART_ONLY_KEYS = ("sources", "flag", "check", "name")  # a part's file has these besides the keys of its kind


def load_sensor(name_or_path: str | Path) -> Sensor:
    """Load one instrument by the name of a part in the library or by the path of a .toml file."""
    path = find_part(name_or_path, "sensor", "instrument")
    table = _part_table(parse(named(path)), part_place(path, path.name))
    require(table)
    return build(table)


def read_sensors(rows: Sequence[Mapping[str, Any]], place: Place) -> tuple[Sensor, ...]:
    """The instruments of [[sensor]] rows. `place` is the enclosing table; its `notes` collect their sources."""
    return _build(_tables(rows, place))


def sensors(root: Table, folder: Path, ledger: Ledger) -> tuple[Sensor, ...]:
    """The instruments of a vehicle file. Adds their numbers to the ledger and their sources to the vehicle's."""
    if "sensor" not in root.later:
        return ()
    # lists of tables are replaced as a whole when files merge, so all rows stand in one file
    written, raw = root.later["sensor"]
    place = replace(written, folder=folder)
    rows = place.tables({"sensor": raw}, "sensor")
    tables = _tables(rows, place)
    instruments = _build(tables)
    for row, table in zip(rows, tables, strict=True):
        part = parse(library.PARTS.folder / f"{row['part']}.toml") if "part" in row else {}
        if "sources" in part:
            file = part_place(library.PARTS.folder, f"parts/{row['part']}.toml").within("sources")
            root.tables["sources"] = merge(read_table(part["sources"], SOURCES, file), root.table("sources"))
        ledger.add(table)
    return instruments


def _tables(rows: Sequence[Mapping[str, Any]], place: Place) -> list[Table]:
    inner = [place.within(f"sensor[{index}]") for index in range(len(rows))]
    return [_table(dict(as_table(row, at)), at) for row, at in zip(rows, inner, strict=True)]


def _build(tables: Sequence[Table]) -> tuple[Sensor, ...]:
    """The instruments of checked tables, whose names must differ."""
    sensors: list[Sensor] = []
    for table in tables:
        require(table)
        sensor: Sensor = build(table)
        name = sensor.name or sensor.kind
        if name in [other.name or other.kind for other in sensors]:
            table.place.fail("name", "another instrument has this name; names must differ", value=name)
        sensors.append(sensor)
    return tuple(sensors)


def _table(row: dict[str, Any], place: Place) -> Table:
    """The checked table of one row, laid over its part."""
    part = row.pop("part", None)
    if part is None:
        if "kind" not in row:
            place.fail("kind", "is missing", expected=f"a part, or a kind out of {', '.join(SENSOR.kinds)}")
        return read_table(row, SENSOR, place)
    raw = _part(part, place)
    if row.setdefault("kind", raw["kind"]) != raw["kind"]:
        message = f'the part {part} is a kind of "{raw["kind"]}"; leave one of the two out'
        place.fail("kind", message, value=row["kind"])
    base = _part_table(raw, part_place(library.PARTS.folder / part, f"parts/{part}.toml"))
    if "source" in raw:
        place.notes.append(Note(place.path, "source", raw["source"]))
    return merge(moved(base, place.path), read_table(row, SENSOR, place))


def _part(name: object, place: Place) -> dict[str, Any]:
    """The raw tables of an instrument of the library."""
    names = part_names("sensor")
    if not isinstance(name, str) or name not in names:
        place.fail("part", "no such instrument", value=name, expected=one_of(names), names=names)
    return parse(named(library.PARTS.folder / f"{name}.toml"))


def _part_table(raw: dict[str, Any], place: Place) -> Table:
    kind_of(SENSOR.kinds, raw, place)
    return read_table({key: item for key, item in raw.items() if key not in PART_ONLY_KEYS}, SENSOR, place)
