"""Read scenario files into a `Scenario`, with changes of single keys from the command line.

`parse_change` and `set_key` apply changes such as world.current_m_s=0.5 to the raw tables, before they are read.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pelagos.errors import ScenarioError, UnknownVehicleError, VehicleFileError, one_of
from pelagos.files import library
from pelagos.files.reader import Place, as_table, build, read_table, require
from pelagos.files.source import parse_toml, read_toml
from pelagos.scenario.mission_check import check_commands, check_mission, with_sonars
from pelagos.scenario.schema import OF_VEHICLE, SCENARIO
from pelagos.scenario.spec import Scenario, ScenarioVehicle
from pelagos.tether.spec import Tether
from pelagos.vehicle.load.sensors import read_sensors
from pelagos.vehicle.load.vehicle import changed_vehicle, load_vehicle
from pelagos.vehicle.spec import Vehicle
from pelagos.world.load import world_from
from pelagos.world.spec import World

SET = "--set"  # in place of the file in errors about changes from the command line
TABLES = tuple(SCENARIO.tables)
Memo = MutableMapping[str, Any]  # vehicles and worlds by the tables they were read from


def load_scenario(name_or_path: str | Path, changes: Mapping[str, Any] | None = None) -> Scenario:
    """Read a library scenario or a .toml file; `changes` sets keys: {"world.current_m_s": 0.5, ...}."""
    path = library.SCENARIOS.path(name_or_path)
    return scenario_from(read_toml(path), path.name, path.parent, changes, path=str(path))


def scenario_from(
    raw: Mapping[str, Any],
    file: str = "scenario",
    folder: Path | str = ".",
    changes: Mapping[str, Any] | None = None,
    path: str = "",
    known: Memo | None = None,
) -> Scenario:
    """Make a scenario from tables; errors name `file`, and relative paths start at `folder`.

    `known` caches vehicles and worlds between calls; a campaign reads the same ones many times.
    """
    tables = copy.deepcopy(dict(raw))
    for key, value in (changes or {}).items():
        set_key(tables, key, value)
    place = Place(file, Path(folder))
    if "vehicle" not in tables:
        place.fail("vehicle", "is missing", expected="the name of a vehicle, or [[vehicle]] tables")
    top = {key: item for key, item in tables.items() if key not in ("vehicle", "world", *OF_VEHICLE.tables)}
    table = read_table(top, SCENARIO, place)
    world = _cached(known, "world", tables.get("world", {}), lambda table: _world(table, place))
    rows = _vehicle_rows(tables, place)
    names = _vehicle_names(rows, place)
    vehicles = tuple(
        _scenario_vehicle(row, name, place if len(rows) == 1 else place.within(f"vehicle[{k}]"), world, known)
        for k, (row, name) in enumerate(zip(rows, names, strict=True))
    )
    name = table.get("name") or Path(file).stem
    return build(table, name=name, world=world, vehicles=vehicles, path=path, raw=tables)


def _cached(known: Memo | None, kind: str, table: Any, read: Callable[[Any], Any]) -> Any:
    """Return the vehicle or world of a table, from the cache if there is one."""
    if known is None:
        return read(table)
    key = f"{kind}: {table!r}"
    description = known.get(key)
    if description is None:
        description = known[key] = read(table)
    return description


def _world(raw: object, place: Place) -> World:
    table = {"use": raw} if isinstance(raw, str) else as_table(raw, place.within("world"))
    return world_from(table, place.within("world"))


def _vehicle_rows(tables: dict[str, Any], place: Place) -> list[dict[str, Any]]:
    """Return one table per vehicle; tables at the top of the file belong to the only vehicle."""
    raw = tables["vehicle"]
    top = {key: tables[key] for key in OF_VEHICLE.tables if key in tables}
    if isinstance(raw, str):
        return [{"use": raw, **top}]
    if isinstance(raw, dict):
        return [{**raw, **top}]
    if not isinstance(raw, list) or not raw or not all(isinstance(row, dict) for row in raw):
        place.fail("vehicle", value=raw, expected="a name, or tables written [[vehicle]]")
    for key in top:
        if len(raw) > 1:
            table = f"[[vehicle.{key}]]" if isinstance(top[key], list) else f"[vehicle.{key}]"
            place.fail(key, "belongs to one vehicle", expected=f"it as {table} under its [[vehicle]]")
    return [{**row, **top} for row in raw]


def _vehicle_names(rows: list[dict[str, Any]], place: Place) -> list[str]:
    """Return the names of the vehicles: `name`, or the name of the vehicle file, numbered if several are equal."""
    chosen = [row.get("name") for row in rows]
    for k, name in enumerate(chosen):
        inner = place.within(f"vehicle[{k}]") if len(rows) > 1 else place.within("vehicle")
        if name is not None and not (isinstance(name, str) and re.fullmatch(r"[A-Za-z0-9][\w.-]*", name)):
            inner.fail("name", value=name, expected="letters, digits, _ and -: it becomes part of a file name")
        if name is not None and chosen.count(name) > 1:
            inner.fail("name", "another vehicle has this name", value=name, expected="one of its own for each")
    stems = [str(row.get("name") or Path(str(row.get("use", "vehicle"))).stem) for row in rows]
    return [stem if stems.count(stem) == 1 else f"{stem}_{stems[: k + 1].count(stem)}" for k, stem in enumerate(stems)]


def _scenario_vehicle(
    row: dict[str, Any], name: str, place: Place, world: World, known: Memo | None = None
) -> ScenarioVehicle:
    valid = ("use", "name", "change", *OF_VEHICLE.tables)
    own_table = place if place.path else place.within("vehicle")  # its other tables are at the top of the file
    for key in row:
        if key not in valid:
            own_table.fail(key, "unknown key", expected=one_of(valid), names=valid, misspelt=key)
    tables = {key: row[key] for key in ("use", "change") if key in row}
    vehicle = _cached(known, "vehicle", tables, lambda table: _vehicle(table, own_table))
    table = read_table({key: row[key] for key in row if key in OF_VEHICLE.tables}, OF_VEHICLE, place)
    require(table)
    values = build(table) | {"sensors": _sensors(row, vehicle, place)}
    values["tether"] = _tether(values.get("tether", False), place)
    values.pop("sensor", None)
    entry = with_sonars(ScenarioVehicle(name=name, vehicle=vehicle, **values), place)
    check_mission(entry, world, place)
    check_commands(entry, place)
    return entry


def _vehicle(row: dict[str, Any], place: Place) -> Vehicle:
    use = row.get("use")
    expected = "the name of a library vehicle or of a .toml file"
    if use is None:
        place.fail("use", "is missing", expected=expected)
    if not isinstance(use, str):
        place.fail("use", value=use, expected=expected)
    path = str(place.folder / use) if use.endswith(".toml") else use
    try:
        library.VEHICLES.path(path)
        if "change" not in row:
            return load_vehicle(path)
        change = as_table(row["change"], place.within("change"))
        if "extends" in change:
            place.within("change").fail("extends", "the vehicle to change is the one of use", value=change["extends"])
        return changed_vehicle(path, change, place.file, place.folder)
    except UnknownVehicleError as problem:
        raise problem.at(ScenarioError, file=place.file, key=place.path, value=use) from None
    except VehicleFileError as problem:
        if problem.file != place.file:
            raise
        raise problem.at(ScenarioError, key=f"{place.path}.change.{problem.key}") from None


def _sensors(row: dict[str, Any], vehicle: Vehicle, place: Place) -> tuple[Any, ...]:
    """Return the sensors of the vehicle file for `sensor = true`, or those of [[sensor]] tables."""
    raw = row.get("sensor", False)
    if raw is True:
        if not vehicle.sensors:
            place.fail(
                "sensor", f"{vehicle.key} has no [[sensor]] in its file", value=True, expected="[[sensor]] tables here"
            )
        return vehicle.sensors
    if raw is False:
        return ()
    return read_sensors(place.tables(row, "sensor"), place)


def _tether(tether: Tether | bool, place: Place) -> Tether | None:
    """Return the tether of a [tether] table, or that of the vehicle file for `tether = true`."""
    if isinstance(tether, bool):
        return Tether() if tether else None
    is_file = isinstance(tether.cable, str) and tether.cable.endswith(".toml")
    return replace(tether, cable=str(place.folder / str(tether.cable))) if is_file else tether


def parse_change(text: str) -> tuple[str, Any]:
    """Split a text such as world.current_m_s=0.5 into key and value; a value that is not valid TOML is text."""
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise ScenarioError(file=SET, value=text, expected="KEY=VALUE such as world.current_m_s=0.5")
    try:
        return key.strip(), parse_toml(f"value = {value}", SET)["value"]
    except ScenarioError:
        return key.strip(), value.strip()


def set_key(tables: dict[str, Any], key: str, value: Any) -> None:
    """Set the value of a dotted key such as mission[0].speed_m_s or mission.0.speed_m_s; missing tables are created."""
    steps: list[str | int] = []
    for part in key.split("."):
        match = re.fullmatch(r"([^\[\]]+)((?:\[\d+\])*)", part)
        if not match:
            raise ScenarioError(file=SET, key=key, expected="names and points, such as mission[0].speed_m_s")
        name, indices = match.groups()
        steps += [name, *(int(n) for n in re.findall(r"\d+", indices))]
    if len(steps) > 1 and steps[0] not in TABLES:
        raise ScenarioError(f'there is no table "{steps[0]}"', file=SET, key=key, names=TABLES, misspelt=steps[0])
    for name in ("world", "vehicle"):  # a bare name becomes a table, which can hold the key
        if steps[0] == name and isinstance(tables.get(name), str) and len(steps) > 1:
            tables[name] = {"use": tables[name]}
    here: Any = tables
    for n, raw_step in enumerate(steps):
        step = _as_index(here, raw_step)
        _check_step(here, step, key)
        if n == len(steps) - 1:
            here[step] = value
        else:
            here = here[step] if isinstance(step, int) else here.setdefault(step, {})


def _as_index(here: object, step: str | int) -> str | int:
    """Convert a number between points to an index of a list: mission.0."""
    return int(step) if isinstance(here, list) and isinstance(step, str) and step.isdecimal() else step


def _check_step(here: Any, step: str | int, key: str) -> None:
    if isinstance(step, int):
        size = len(here) if isinstance(here, list) else 0
        if step >= size:
            raise ScenarioError(f"there is no entry {step}; the list has {size}", file=SET, key=key)
    elif not isinstance(here, dict):
        raise ScenarioError(f'"{step}" cannot be set: the part before it is not a table', file=SET, key=key)
