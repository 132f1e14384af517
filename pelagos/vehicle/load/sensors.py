"""Instruments: the [[sensor]] tables of vehicle and scenario files, and `load_sensor` for one by itself.

A row names a part of the library, a kind, or both; the keys beside it fill in or replace single numbers:

    [[sensor]]
    part = "bar30"
    position_m = [-0.2, 0, 0]
    noise_cm = 1

`load_sensor("bar30")` takes the part alone, `load_sensor("mine.toml")` a file with the same keys.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pelagos.errors import VehicleFileError, one_of
from pelagos.files import reader
from pelagos.files.named import named
from pelagos.sensors.base import Sensor
from pelagos.sensors.suite import KINDS
from pelagos.units import split_key
from pelagos.vehicle import library
from pelagos.vehicle.load.keys import SOURCES
from pelagos.vehicle.load.parts import find_part, parse, part_names
from pelagos.vehicle.load.tables import Ledger, Table, merge, read_table
from pelagos.vehicle.spec import CONFIDENCES, Fact

OF_A_PART = ("sources", "flag", "check", "name")  # what a part's file has besides the keys of its kind
WRITTEN = {  # units of data sheets that a key may end in and no other key can be given in
    "m_s_sqrt_h": "m/s/sqrt(h)", "deg_sqrt_h": "deg/sqrt(h)", "deg_h_sqrt_h": "deg/h/sqrt(h)",
    "ug_sqrt_h": "ug/sqrt(h)", "m_sqrt_h": "m/sqrt(h)", "deg_h": "deg/h", "ug": "ug", "ppm": "ppm", "mrad": "mrad",
    "rpm_sqrt_h": "rpm/sqrt(h)", "V_sqrt_h": "V/sqrt(h)", "A_sqrt_h": "A/sqrt(h)", "Ah": "Ah", "ohm": "ohm", "A": "A",
    "hz": "Hz", "kHz": "kHz",
}  # fmt: skip


def load_sensor(name_or_path: str | Path) -> Sensor:
    """Read one instrument: the name of a part in the library, or the path of a .toml file."""
    path = find_part(name_or_path, "sensor", "instrument")
    raw = parse(named(path))
    place = reader.Place(path.name, path.parent, error=VehicleFileError)
    kind = raw.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        what = {"message": "is missing", "expected": one_of(KINDS)} if kind is None else {"value": kind}
        place.fail("kind", names=KINDS, **what)
    values, spelt = reader.read_values(KINDS[kind], _keys(raw), place)
    return reader.build(KINDS[kind], values, place, spelt)


def read_sensors(rows: Sequence[Mapping[str, Any]], place: reader.Place) -> tuple[Sensor, ...]:
    """The instruments of [[sensor]] rows. `place` is the table they stand in; its `notes` gather their sources."""
    found: list[Sensor] = []
    names: set[str] = set()
    for index, row in enumerate(rows):
        inner = place.within(f"sensor[{index}]")
        sensor = _sensor(dict(reader.as_table(row, inner)), inner)
        name = sensor.name or sensor.kind
        if name in names:
            inner.fail("name", "another instrument has this name; give each its own", value=name)
        names.add(name)
        found.append(sensor)
    return tuple(found)


def sensors(root: Table, folder: Path, ledger: Ledger) -> tuple[Sensor, ...]:
    """The instruments of a vehicle file: their numbers go into the ledger, their sources among the vehicle's."""
    rows = root.lists.get("sensor", [])
    raw = [{name: value.raw for name, value in row.values.items()} for row in rows]
    place = reader.Place(rows[0].file if rows else root.file, folder, error=VehicleFileError)
    found = read_sensors(raw, place)
    for index, row in enumerate(raw):
        part = parse(library.PARTS / f"{row['part']}.toml") if "part" in row else {}
        if "sources" in part:
            sources = read_table(part["sources"], SOURCES, f"parts/{row['part']}.toml", "sources")
            root.tables["sources"] = merge(sources, root.table("sources"))
        ledger.facts += _facts(f"sensor[{index}]", part, row, KINDS[part.get("kind") or row["kind"]])
    return found


def _sensor(row: dict[str, Any], place: reader.Place) -> Sensor:
    """One row, laid over its part."""
    kind, part = row.pop("kind", None), row.pop("part", None)
    values: dict[str, Any] = {}
    if part is not None:
        raw = _part(part, place)
        if kind is not None and kind != raw["kind"]:
            message = f'the part {part} is a kind of "{raw["kind"]}"; leave one of the two out'
            place.fail("kind", message, value=kind)
        kind = raw["kind"]
        values, _ = reader.read_values(KINDS[kind], _keys(raw), _place_of(part))
        place.notes.extend(f"{place.path}: {raw[word]}" for word in ("source",) if word in raw)
    elif kind is None:
        place.fail("kind", f"is missing; give a part, or a kind out of {', '.join(KINDS)}")
    elif not isinstance(kind, str) or kind not in KINDS:
        place.fail("kind", value=kind, names=KINDS)
    own, spelt = reader.read_values(KINDS[kind], row, place, also=("part", "kind"))
    return reader.build(KINDS[kind], {**values, **own}, place, spelt)


def _part(name: object, place: reader.Place) -> dict[str, Any]:
    """The tables of a part; a sentence if there is no such instrument."""
    names = part_names("sensor")
    if not isinstance(name, str) or name not in names:
        place.fail("part", f"no such instrument; there are {', '.join(names)}", value=name, names=names)
    return parse(named(library.PARTS / f"{name}.toml"))


def _keys(raw: Mapping[str, Any]) -> dict[str, Any]:
    return {key: item for key, item in raw.items() if key not in OF_A_PART and key != "kind"}


def _place_of(part: str) -> reader.Place:
    return reader.Place(f"parts/{part}.toml", library.PARTS, error=VehicleFileError)


def _facts(path: str, part: Mapping[str, Any], row: Mapping[str, Any], spec: type) -> list[Fact]:
    """Every number of an instrument with its origin: the part's own ones, and those the row puts in their place."""
    found: dict[str, Fact] = {}
    for raw in (part, row):
        origin = {word: raw.get(word, "") for word in reader.PROVENANCE}
        for key, item in raw.items():
            own = origin | {k: v for k, v in item.items() if k != "value"} if isinstance(item, dict) else origin
            value = item.get("value") if isinstance(item, dict) else item
            if isinstance(value, bool) or not isinstance(value, int | float | list | tuple):
                continue
            field = next((name for name in reader.keys_of(spec) if key in reader.spellings(name)), None)
            if field is not None:
                confidence = own["confidence"] if own["confidence"] in CONFIDENCES else ""
                found[field] = Fact(f"{path}.{key}", value, _unit(key), own["source"], confidence, own["note"])
    return list(found.values())


def _unit(key: str) -> str:
    """The unit of a key in words."""
    for ending in sorted(WRITTEN, key=len, reverse=True):
        if key.endswith("_" + ending):
            return WRITTEN[ending]
    unit = split_key(key)[1]
    return unit.text if unit else ""
