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
from pathlib import Path
from typing import Any

from pelagos.errors import VehicleFileError, one_of
from pelagos.files import reader
from pelagos.files.named import named
from pelagos.sensors.base import Sensor
from pelagos.sensors.kinds import KINDS
from pelagos.units import split_key
from pelagos.vehicle import library
from pelagos.vehicle.load.keys import SOURCES
from pelagos.vehicle.load.parts import find_part, parse, part_names
from pelagos.vehicle.load.tables import Ledger, Table, merge, read_table
from pelagos.vehicle.spec import CONFIDENCES, Fact

PART_ONLY_KEYS = ("sources", "flag", "check", "name")  # a part's file has these besides the keys of its kind
DATA_SHEET_UNITS = {  # suffixes of keys of instruments that `pelagos.units` does not have
    "m_s_sqrt_h": "m/s/sqrt(h)", "deg_sqrt_h": "deg/sqrt(h)", "deg_h_sqrt_h": "deg/h/sqrt(h)",
    "ug_sqrt_h": "ug/sqrt(h)", "m_sqrt_h": "m/sqrt(h)", "deg_h": "deg/h", "ug": "ug", "ppm": "ppm", "mrad": "mrad",
    "rpm_sqrt_h": "rpm/sqrt(h)", "V_sqrt_h": "V/sqrt(h)", "A_sqrt_h": "A/sqrt(h)", "Ah": "Ah", "ohm": "ohm", "A": "A",
    "hz": "Hz", "kHz": "kHz",
}  # fmt: skip


def load_sensor(name_or_path: str | Path) -> Sensor:
    """Load one instrument by the name of a part in the library or by the path of a .toml file."""
    path = find_part(name_or_path, "sensor", "instrument")
    raw = parse(named(path))
    place = reader.Place(path.name, path.parent, error=VehicleFileError)
    kind = raw.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        if kind is None:
            place.fail("kind", "is missing", expected=one_of(KINDS))
        place.fail("kind", value=kind, names=KINDS)
    values, spelt = reader.read_values(KINDS[kind], _keys(raw), place)
    return reader.build(KINDS[kind], values, place, spelt)


def read_sensors(rows: Sequence[Mapping[str, Any]], place: reader.Place) -> tuple[Sensor, ...]:
    """The instruments of [[sensor]] rows. `place` is the enclosing table; its `notes` collect their sources."""
    sensors: list[Sensor] = []
    names: set[str] = set()
    for index, row in enumerate(rows):
        inner = place.within(f"sensor[{index}]")
        sensor = _sensor(dict(reader.as_table(row, inner)), inner)
        name = sensor.name or sensor.kind
        if name in names:
            inner.fail("name", "another instrument has this name; names must differ", value=name)
        names.add(name)
        sensors.append(sensor)
    return tuple(sensors)


def sensors(root: Table, folder: Path, ledger: Ledger) -> tuple[Sensor, ...]:
    """The instruments of a vehicle file. Adds their numbers to the ledger and their sources to the vehicle's."""
    rows = root.lists.get("sensor", [])
    raw = [{name: value.raw for name, value in row.values.items()} for row in rows]
    # lists of tables are replaced as a whole when files merge, so all rows stand in one file
    place = reader.Place(rows[0].file if rows else root.file, folder, error=VehicleFileError)
    instruments = read_sensors(raw, place)
    for index, row in enumerate(raw):
        part = parse(library.PARTS / f"{row['part']}.toml") if "part" in row else {}
        if "sources" in part:
            sources = read_table(part["sources"], SOURCES, f"parts/{row['part']}.toml", "sources")
            root.tables["sources"] = merge(sources, root.table("sources"))
        ledger.facts += _facts(f"sensor[{index}]", part, row, KINDS[part.get("kind") or row["kind"]])
    return instruments


def _sensor(row: dict[str, Any], place: reader.Place) -> Sensor:
    """The instrument of one row, laid over its part."""
    kind, part = row.pop("kind", None), row.pop("part", None)
    values: dict[str, Any] = {}
    if part is not None:
        raw = _part(part, place)
        if kind is not None and kind != raw["kind"]:
            message = f'the part {part} is a kind of "{raw["kind"]}"; leave one of the two out'
            place.fail("kind", message, value=kind)
        kind = raw["kind"]
        values, _ = reader.read_values(KINDS[kind], _keys(raw), _place_of(part))
        if "source" in raw:
            place.notes.append(f"{place.path}: {raw['source']}")
    elif kind is None:
        place.fail("kind", "is missing", expected=f"a part, or a kind out of {', '.join(KINDS)}")
    elif not isinstance(kind, str) or kind not in KINDS:
        place.fail("kind", value=kind, names=KINDS)
    overrides, spelt = reader.read_values(KINDS[kind], row, place, also=("part", "kind"))
    return reader.build(KINDS[kind], {**values, **overrides}, place, spelt)


def _part(name: object, place: reader.Place) -> dict[str, Any]:
    """The raw tables of an instrument of the library."""
    names = part_names("sensor")
    if not isinstance(name, str) or name not in names:
        place.fail("part", "no such instrument", value=name, expected=one_of(names), names=names)
    return parse(named(library.PARTS / f"{name}.toml"))


def _keys(raw: Mapping[str, Any]) -> dict[str, Any]:
    return {key: item for key, item in raw.items() if key not in PART_ONLY_KEYS and key != "kind"}


def _place_of(part: str) -> reader.Place:
    return reader.Place(f"parts/{part}.toml", library.PARTS, error=VehicleFileError)


def _facts(path: str, part: Mapping[str, Any], row: Mapping[str, Any], spec: type) -> list[Fact]:
    """Every number of an instrument with its provenance; a number of the row replaces that of the part."""
    facts: dict[str, Fact] = {}
    for raw in (part, row):
        origin = {word: raw.get(word, "") for word in reader.PROVENANCE}
        for key, item in raw.items():
            value, known = item, origin
            if isinstance(item, dict):  # { value = .., source = .. }
                value, known = item.get("value"), origin | {k: v for k, v in item.items() if k != "value"}
            if isinstance(value, bool) or not isinstance(value, int | float | list | tuple):
                continue
            field = next((name for name in reader.keys_of(spec) if key in reader.spellings(name)), None)
            if field is not None:
                confidence = known["confidence"] if known["confidence"] in CONFIDENCES else ""
                facts[field] = Fact(f"{path}.{key}", value, _unit(key), known["source"], confidence, known["note"])
    return list(facts.values())


def _unit(key: str) -> str:
    """The unit of a key as a reader writes it: "deg/h"."""
    for ending in sorted(DATA_SHEET_UNITS, key=len, reverse=True):  # "_deg_h_sqrt_h" also ends in "_sqrt_h"
        if key.endswith("_" + ending):
            return DATA_SHEET_UNITS[ending]
    unit = split_key(key)[1]
    return unit.text if unit else ""
