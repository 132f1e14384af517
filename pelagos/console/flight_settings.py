"""What a flight is made of: vehicle, world, seed, tether, start, task; and the same as JSON, to make it again."""

from __future__ import annotations

import dataclasses
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import numpy as np

from pelagos.errors import CommandError, ScenarioError
from pelagos.messages import shown
from pelagos.sim import given, towing
from pelagos.sim.scenario import Scenario
from pelagos.sim.scenario_read import scenario_from
from pelagos.tables import Place
from pelagos.tether.cable import Cable
from pelagos.tether.spec import Tether
from pelagos.training.catalogue import task_names
from pelagos.vehicle.load import load_vehicle
from pelagos.vehicle.spec import Vehicle
from pelagos.world.load import LISTS, load_world, world_from
from pelagos.world.spec import World

TABLES = ("water", "waves", "seabed")  # of a world, one each
UNSAID = ("path", "sources", *TABLES, *LISTS.values())  # fields of a World that are no plain keys of its file
RATE_HZ = 50.0


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All that a flight begins with. Equal settings, seeds and orders: equal states."""

    vehicle: Vehicle
    world: World
    seed: int = 0
    rate_hz: float = RATE_HZ
    tether: Tether | None = None
    start: Mapping[str, float] | None = None  # as `Simulation.place` takes it; None: somewhere in the open
    sensors: bool = False
    task: str = ""
    conditions: Mapping[str, Any] = field(default_factory=dict[str, Any])
    scenario: Scenario | None = None

    def with_conditions(self, **changes: Any) -> Settings:
        """The same under other conditions."""
        return dataclasses.replace(self, conditions={**self.conditions, **changes})

    def described(self) -> dict[str, Any]:
        """As JSON can hold it. CommandError if this flight cannot be said in words, and so not be flown again."""
        task = self.task if self.task in ("", *task_names()) else str(Path(self.task).resolve())
        said: dict[str, Any] = {"seed": self.seed, "rate_hz": self.rate_hz, "task": task}
        said["conditions"] = dict(self.conditions)
        if self.scenario is not None:
            path = Path(self.scenario.path) if self.scenario.path else None
            tables = {"tables": self.scenario.raw, "file": path.name if path else self.scenario.name}
            return said | {"scenario": tables | {"folder": str(path.parent.resolve()) if path else "."}}
        said |= {"vehicle": vehicle_word(self.vehicle), "world": world_tables(self.world), "sensors": self.sensors}
        said["start"] = None if self.start is None else dict(self.start)
        said["tether"] = None if self.tether is None else tether_table(self.tether)
        return said


def settings_of(
    vehicle: Vehicle | str | os.PathLike[str],
    world: World | str | os.PathLike[str] | Mapping[str, Any] | None,
    *,
    tether: Tether | str | bool | Mapping[str, Any] | None = None,
    start: Mapping[str, float] | None = None,
    **rest: Any,
) -> Settings:
    """Settings from what a caller may give; one sentence for what cannot be."""
    if isinstance(world, Mapping):
        sea = world_from(dict(cast("Mapping[str, Any]", world)), Place("world", Path()))
    else:
        sea = given.a_world(world)
    rigged = _a_tether(cast("Mapping[str, Any]", tether)) if isinstance(tether, Mapping) else towing.a_tether(tether)
    rest["seed"] = given.a_seed(rest.get("seed", 0))
    rest["rate_hz"] = given.positive("rate_hz", rest.get("rate_hz", RATE_HZ))
    told = None if start is None else given.a_place(dict(start))
    if rigged is not None:
        rest["conditions"] = {"cable": True, **rest.get("conditions", {})}
    return Settings(vehicle=given.a_vehicle(vehicle), world=sea, tether=rigged, start=told, **rest)


def settings_from(said: Mapping[str, Any]) -> Settings:
    """Settings from what `described` gave; CommandError or ScenarioError if something of it is gone."""
    rest = {key: said[key] for key in ("seed", "rate_hz", "task", "conditions")}
    if "scenario" in said:
        told = said["scenario"]
        scenario = scenario_from(
            told["tables"], told["file"], told["folder"], path=str(Path(told["folder"], told["file"]))
        )
        return settings_of_scenario(scenario, **rest)
    return settings_of(
        said["vehicle"], said["world"], tether=said["tether"], start=said["start"], sensors=said["sensors"], **rest
    )


def settings_of_scenario(scenario: Scenario, **rest: Any) -> Settings:
    """The flight of a scenario's vehicle; a sentence if there is more than one."""
    if len(scenario.crafts) != 1:
        names = ", ".join(craft.name for craft in scenario.crafts)
        raise CommandError(
            f"{scenario.name} has {len(scenario.crafts)} vehicles, {names}; expected a scenario with one to fly"
        )
    craft = scenario.crafts[0]
    rate = given.positive("rate_hz", rest.pop("rate_hz", None) or max(RATE_HZ, scenario.control_rate_hz))
    rest.pop("seed", None)
    return Settings(
        vehicle=craft.vehicle, world=scenario.world, seed=scenario.seed, rate_hz=rate, tether=craft.tether,
        sensors=bool(craft.sensors), scenario=dataclasses.replace(scenario, control_rate_hz=rate), **rest,
    )  # fmt: skip


def vehicle_word(vehicle: Vehicle) -> str:
    """The name or file from which a vehicle can be loaded again, from whatever folder."""
    if repr(load_vehicle(vehicle.path or vehicle.key)) != repr(vehicle):
        raise CommandError(
            f"{vehicle.key} is not as its file has it; expected one that can be loaded again from a file"
        )
    path = Path(vehicle.path).resolve()
    library = (Path(__file__).parent.parent / "vehicle" / "library").resolve()
    if not vehicle.path:
        return vehicle.key
    return path.stem if path.parent == library else str(path)


def world_tables(world: World) -> dict[str, Any]:
    """The tables of a world file that make this world, over the file it came from."""
    if world.current is not None:
        raise CommandError("the current of the world is a function of time, which cannot be written to a file")
    base, tables = World(), dict[str, Any]()
    if world.path:
        library = Path(__file__).parent.parent / "world" / "library"
        path = Path(world.path).resolve()
        tables["use"] = path.stem if path.parent == library else str(path)
        base = load_world(path)
    for item in dataclasses.fields(World):
        value, before = getattr(world, item.name), getattr(base, item.name)
        if item.name not in UNSAID and value != before:
            tables[item.name] = value
    for name in TABLES:
        value = getattr(world, name)
        if value is not None and value != getattr(base, name):
            tables[name] = _table(value)
    for key, name in LISTS.items():
        if getattr(world, name) != getattr(base, name):
            tables[key] = [_table(item) for item in getattr(world, name)]
    return tables


def tether_table(tether: Tether) -> dict[str, Any]:
    """What is other than the usual."""
    table = _table(tether)
    if isinstance(tether.cable, Cable):
        table["cable"] = _table(tether.cable)
    return table


def _a_tether(table: Mapping[str, Any]) -> Tether:
    values = {key: _tuples(value) for key, value in table.items()}
    if isinstance(table.get("cable"), Mapping):
        values["cable"] = Cable(**table["cable"])
    try:
        return Tether(**values)
    except TypeError:
        known = [item.name for item in dataclasses.fields(Tether)]
        wrong = next((key for key in table if key not in known), "")
        raise ScenarioError("tether", wrong, None, f"unknown key; expected some of {', '.join(known)}") from None


def _table(spec: Any) -> dict[str, Any]:
    """A description as the table of a file: its fields that are other than their defaults, and its kind."""
    table: dict[str, Any] = {}
    kind = getattr(type(spec), "kind", None)
    if isinstance(kind, str) and kind:
        table["kind"] = kind
    for item in dataclasses.fields(spec):
        value = getattr(spec, item.name)
        if not item.init or (item.default is not dataclasses.MISSING and _same(value, item.default)):
            continue
        table[item.name] = _plain(value)
    return table


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, tuple | list):
        return [_plain(one) for one in cast("list[Any]", value)]
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if dataclasses.is_dataclass(value):
        return _table(value)
    raise CommandError(f"{shown(value)} cannot be written to a file; expected plain values")


def _same(value: Any, default: Any) -> bool:
    if isinstance(value, float) and isinstance(default, float) and math.isnan(value) and math.isnan(default):
        return True
    return type(value) is type(default) and not isinstance(value, np.ndarray) and value == default


def _tuples(value: Any) -> Any:
    return tuple(_tuples(one) for one in cast("list[Any]", value)) if isinstance(value, list) else value
