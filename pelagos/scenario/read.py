"""From a scenario file to a `Scenario`: tables to descriptions, overrides from the command line laid over first."""

from __future__ import annotations

import copy
import os
import re
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from pathlib import Path
from typing import Any

from pelagos.checks import is_number
from pelagos.errors import ScenarioError, UnknownVehicleError
from pelagos.files.reader import Place, as_table, build, keys_of, read_kind, read_spec, read_values
from pelagos.files.source import parse_toml, read_toml, why_not
from pelagos.guidance.legs.kinds import KINDS as LEGS
from pelagos.scenario.mission_check import check_mission, check_orders, with_sonars
from pelagos.scenario.spec import Control, End, Output, Scenario, ScenarioEvent, ScenarioVehicle, Start
from pelagos.sim.faults.kinds import KINDS as FAULTS
from pelagos.tether.spec import Tether
from pelagos.vehicle.load.sensors import read_sensors
from pelagos.vehicle.load.vehicle import changed_vehicle, load_vehicle
from pelagos.vehicle.spec import Vehicle
from pelagos.world.load import world_from
from pelagos.world.spec import World

LIBRARY = Path(__file__).parent / "library"
OWN = ("start", "control", "mission", "sensor", "navigation", "fault", "event", "tether")  # of one vehicle
ORDERS = ("thrust", "deflect", "ballast", "sticks")
SET = "--set"  # stands for the file in errors about changes from the command line
TABLES = ("vehicle", "world", "end", "output", *OWN)
Memo = MutableMapping[str, Any]  # vehicles and worlds by the tables they were read from


def scenario_names() -> list[str]:
    """The ready scenarios, sorted."""
    return sorted(path.stem for path in LIBRARY.glob("*.toml"))


def find_scenario(name_or_path: str | Path) -> Path | None:
    """The file of a ready scenario or of a path; None if there is none of this name."""
    path, stem = Path(name_or_path), str(name_or_path).replace("_", "-")
    if path.suffix == ".toml" or len(path.parts) > 1:
        return path if os.path.isfile(path) else None
    return LIBRARY / f"{stem}.toml" if stem in scenario_names() else None


def load_scenario(name_or_path: str | Path, changes: Mapping[str, Any] | None = None) -> Scenario:
    """Read a scenario: the name of a ready one or a .toml file. `changes`: {"world.current_m_s": 0.5, ...}."""
    path = find_scenario(name_or_path)
    if path is None:
        name = str(name_or_path)
        message = why_not(name) if name.endswith(".toml") else "no scenario of this name"
        raise ScenarioError(message, file=f'"{name}"', names=scenario_names(), misspelt=name)
    return scenario_from(parse_scenario(path), path.name, path.parent, changes, path=str(path))


def parse_scenario(path: Path) -> dict[str, Any]:
    """The raw tables of a file."""
    return read_toml(path)


def scenario_from(
    raw: Mapping[str, Any],
    file: str = "scenario",
    folder: Path | str = ".",
    changes: Mapping[str, Any] | None = None,
    path: str = "",
    known: Memo | None = None,
) -> Scenario:
    """A scenario from tables; `file` stands for them in messages, files are looked for in `folder`.

    `known` keeps vehicles and worlds from call to call, for who reads the same ones many times.
    """
    tables = copy.deepcopy(dict(raw))
    for key, value in (changes or {}).items():
        set_key(tables, key, value)
    place = Place(file, Path(folder))
    if "vehicle" not in tables:
        place.fail("vehicle", "is missing", expected="the name of a vehicle, or [[vehicle]] tables")
    plain = {key: item for key, item in tables.items() if key not in TABLES}
    values, _ = read_values(Scenario, _known(plain, place), place, also=TABLES)
    world = _remembered(known, "world", tables.get("world", {}), lambda given: _world(given, place))
    rows = _vehicles(tables, place)
    names = _craft_names(rows, place)
    vehicles = tuple(
        _craft(row, name, place if len(rows) == 1 else place.within(f"vehicle[{k}]"), world, known)
        for k, (row, name) in enumerate(zip(rows, names, strict=True))
    )
    for key, spec in (("end", End), ("output", Output)):
        if key in tables:
            values[key] = read_spec(spec, tables[key], place.within(key))
    values["name"] = values.get("name") or Path(file).stem
    return build(Scenario, {**values, "world": world, "vehicles": vehicles, "path": path, "raw": tables}, place)


def _remembered(known: Memo | None, what: str, given: Any, read: Callable[[Any], Any]) -> Any:
    """What was read of the same tables before, or is read now."""
    if known is None:
        return read(given)
    key = f"{what}: {given!r}"
    found = known.get(key)
    if found is None:
        found = known[key] = read(given)
    return found


def _known(plain: dict[str, Any], place: Place) -> dict[str, Any]:
    if "path" in plain:  # a field that the reader fills
        place.fail("path", "unknown key")
    return plain


def _world(raw: object, place: Place) -> World:
    table = {"use": raw} if isinstance(raw, str) else as_table(raw, place.within("world"))
    return world_from(table, place.within("world"))


def _vehicles(tables: dict[str, Any], place: Place) -> list[dict[str, Any]]:
    """One table a vehicle: the top-level tables are those of a single one."""
    given = tables["vehicle"]
    shared = {key: tables[key] for key in OWN if key in tables}
    if isinstance(given, str):
        return [{"use": given, **shared}]
    if isinstance(given, dict):
        return [{**given, **shared}]
    if not isinstance(given, list) or not given or not all(isinstance(row, dict) for row in given):
        place.fail("vehicle", value=given, expected="a name, or tables written [[vehicle]]")
    for key in shared:
        if len(given) > 1:
            table = f"[[vehicle.{key}]]" if isinstance(shared[key], list) else f"[vehicle.{key}]"
            place.fail(key, "belongs to one vehicle", expected=f"it as {table} under its [[vehicle]]")
    return [{**row, **shared} for row in given]


def _craft_names(rows: list[dict[str, Any]], place: Place) -> list[str]:
    """Names of the vehicles: their own, or that of what they are, numbered where several are alike."""
    own = [row.get("name") for row in rows]
    for k, name in enumerate(own):
        inner = place.within(f"vehicle[{k}]") if len(rows) > 1 else place.within("vehicle")
        if name is not None and not (isinstance(name, str) and re.fullmatch(r"[A-Za-z0-9][\w.-]*", name)):
            inner.fail("name", value=name, expected="letters, digits, _ and -: it becomes part of a file name")
        if name is not None and own.count(name) > 1:
            inner.fail("name", "another vehicle has this name", value=name, expected="one of its own for each")
    stems = [str(row.get("name") or Path(str(row.get("use", "vehicle"))).stem) for row in rows]
    return [stem if stems.count(stem) == 1 else f"{stem}_{stems[: k + 1].count(stem)}" for k, stem in enumerate(stems)]


def _craft(row: dict[str, Any], name: str, place: Place, world: World, known: Memo | None = None) -> ScenarioVehicle:
    for key in row:
        if key not in ("use", "name", "change", *OWN):
            place.fail(key, "unknown key", names=["use", "name", "change", *OWN], misspelt=key)
    tables = {key: row[key] for key in ("use", "change") if key in row}
    vehicle = _remembered(known, "vehicle", tables, lambda given: _vehicle(given, place))
    values: dict[str, Any] = {"name": name, "vehicle": vehicle}
    if "start" in row:
        values["start"] = read_spec(Start, row["start"], place.within("start"))
    if "control" in row:
        values["control"] = _with_orders(Control, row["control"], place.within("control"))
    values["mission"] = tuple(
        read_kind(LEGS, leg, place.within(f"mission[{k}]")) for k, leg in enumerate(_rows(row, "mission", place))
    )
    values["sensors"] = _sensors(row, vehicle, place)
    if "navigation" in row:
        from pelagos.estimation.base import Navigation

        values["navigation"] = read_spec(Navigation, row["navigation"], place.within("navigation"))
    values["faults"] = tuple(
        read_kind(FAULTS, item, place.within(f"fault[{k}]")) for k, item in enumerate(_rows(row, "fault", place))
    )
    values["events"] = tuple(
        _with_orders(ScenarioEvent, item, place.within(f"event[{k}]"))
        for k, item in enumerate(_rows(row, "event", place))
    )
    values["tether"] = _tether(row.get("tether", False), place.within("tether"))
    craft = with_sonars(ScenarioVehicle(**values), place)
    check_mission(craft, world, place)
    check_orders(craft, place)
    return craft


def _vehicle(row: dict[str, Any], place: Place) -> Vehicle:
    use = row.get("use")
    if not isinstance(use, str):
        place.fail("use", value=use, expected="the name of a library vehicle or of a .toml file")
    path = str(place.folder / use) if use.endswith(".toml") else use
    try:
        if "change" in row:
            return changed_vehicle(path, as_table(row["change"], place.within("change")), place.file, place.folder)
        return load_vehicle(path)
    except UnknownVehicleError as problem:
        place.fail("vehicle", problem.message, value=use, suggestion=problem.suggestion)


def _sensors(row: dict[str, Any], vehicle: Vehicle, place: Place) -> tuple[Any, ...]:
    """`sensor = true`: those of the vehicle's file; a list: these."""
    given = row.get("sensor", False)
    if given is True:
        if not vehicle.sensors:
            place.fail(
                "sensor", f"{vehicle.key} has no [[sensor]] in its file", value=True, expected="[[sensor]] tables here"
            )
        return vehicle.sensors
    if given is False:
        return ()
    return read_sensors(_rows(row, "sensor", place), place)


def _tether(raw: object, place: Place) -> Tether | None:
    """`tether = true`: that of the vehicle's file; a table says more. A cable is named, or given by a file."""
    if raw is False:
        return None
    table = {} if raw is True else as_table(raw, place)
    cable = table.get("cable")
    if not isinstance(cable, str | None):
        place.fail("cable", value=cable, expected="the name of a cable or of a .toml file")
    if isinstance(cable, str) and cable.endswith(".toml"):
        cable = str(place.folder / cable)
    values, spelt = read_values(Tether, {k: v for k, v in table.items() if k != "cable"}, place, also=("cable",))
    return build(Tether, {**values, "cable": cable}, place, spelt)


def _with_orders(spec: Any, raw: object, place: Place) -> Any:
    """A description with tables of orders by actuator name in it."""
    table = as_table(raw, place)
    plain = {key: item for key, item in table.items() if key not in ORDERS}
    values, spelt = read_values(spec, plain, place, also=ORDERS)
    for key in ORDERS:
        if key in table:
            inner = as_table(table[key], place.within(key))
            for name, value in inner.items():
                if not is_number(value):
                    place.within(key).fail(name, value=value, expected="a number")
            values[key] = dict(inner)
    return build(spec, values, place, spelt)


def _rows(row: Mapping[str, Any], key: str, place: Place) -> list[dict[str, Any]]:
    given = row.get(key, [])
    if not isinstance(given, list) or not all(isinstance(item, dict) for item in given):
        place.fail(key, value=given, expected=f"a list of tables, written [[{key}]]")
    return given


# ---- changes from the command line -----------------------------------------------------------------------------------


def parse_change(text: str) -> tuple[str, Any]:
    """Key and value of a text such as world.current_m_s=0.5; a value that is no TOML is taken as text."""
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise ScenarioError(file=SET, expected=f'KEY=VALUE such as world.current_m_s=0.5, not "{text}"')
    try:
        return key.strip(), parse_toml(f"value = {value}", SET)["value"]
    except ScenarioError:
        return key.strip(), value.strip()


def set_key(tables: dict[str, Any], key: str, value: Any) -> None:
    """Put a value at a dotted key, numbers for entries of lists: mission[0].speed_m_s, or mission.0.speed_m_s.

    Tables are made on the way.
    """
    steps: list[str | int] = []
    for part in key.split("."):
        found = re.fullmatch(r"([^\[\]]+)((?:\[\d+\])*)", part)
        if not found:
            raise ScenarioError(file=SET, key=key, expected="names and points, such as mission[0].speed_m_s")
        steps += [found[1], *(int(n) for n in re.findall(r"\d+", found[2]))]
    if len(steps) > 1 and steps[0] not in TABLES:
        raise ScenarioError(f'there is no table "{steps[0]}"', file=SET, key=key, names=TABLES, misspelt=steps[0])
    here: Any = tables
    if steps[0] == "world" and isinstance(tables.get("world"), str) and len(steps) > 1:
        tables["world"] = {"use": tables["world"]}
    if steps[0] == "vehicle" and isinstance(tables.get("vehicle"), str) and len(steps) > 1:
        tables["vehicle"] = {"use": tables["vehicle"]}
    for n, named in enumerate(steps):
        last = n == len(steps) - 1
        step = _as_index(here, named)
        _refuse_step(here, step, key)
        if last:
            here[step] = value
        else:
            here = here[step] if isinstance(step, int) else here.setdefault(step, {})


def _as_index(here: object, step: str | int) -> str | int:
    """A number between points counts the entries of a list: mission.0."""
    return int(step) if isinstance(here, list) and isinstance(step, str) and step.isdecimal() else step


def _refuse_step(here: Any, step: str | int, key: str) -> None:
    if isinstance(step, int):
        size = len(here) if isinstance(here, list) else 0
        if step >= size:
            raise ScenarioError(f"there is no entry {step}; the list has {size}", file=SET, key=key)
    elif not isinstance(here, dict):
        raise ScenarioError(f'"{step}" cannot be set: what is before it is no table', file=SET, key=key)


def scenario_keys() -> Sequence[str]:
    """Keys outside the tables, for the schema."""
    return [key for key in keys_of(Scenario) if key != "path"]
