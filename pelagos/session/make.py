"""Settings of a flight, and the simulation made from them.

`Settings` holds vehicle, world, seed, tether, start and task; `Settings.described` turns them into JSON and
`settings_from` back, so that a recorded flight can be repeated. `make` builds the simulation: world and tether under
the conditions, vehicle at its start. `compile_for` compiles its kernels and `make_stages` computes the gain stages of
its autopilot before the first tick, because both would interrupt a flight in real time.
"""

from __future__ import annotations

import copy
import dataclasses
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

import numpy as np

from pelagos.control.base import Controller
from pelagos.control.tuning.schedule import Schedule
from pelagos.errors import CommandError
from pelagos.files.library import TASKS, VEHICLES, WORLDS
from pelagos.files.reader import Place, read_spec
from pelagos.files.schema import section_of, text
from pelagos.files.writer import to_table
from pelagos.scenario.build import Prepared, prepare
from pelagos.scenario.read import scenario_from
from pelagos.scenario.spec import Scenario
from pelagos.sensors.base import Sensor
from pelagos.sim import inputs
from pelagos.sim import tether as towing
from pelagos.sim.faults.effects import Faults
from pelagos.sim.simulation import Simulation
from pelagos.tether.spec import Cable, Tether
from pelagos.training.conditions import Conditions
from pelagos.training.task import TrainingTask, load_task
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.spec import Vehicle
from pelagos.world.load import WORLD, load_world, world_from
from pelagos.world.spec import World

LISTS = {name: section.attribute for name, section in WORLD.tables.items() if section.many}  # to fields of a World
TABLES = ("water", "waves", "seabed")  # single tables of a world file
SPECIAL_FIELDS = ("path", "sources", *TABLES, *LISTS.values())  # fields of a World that are not plain keys of its file
RATE_HZ = 50.0  # default tick rate of a flight
DISTANCES_M = (5.0, 8.0, 12.0, 20.0, 40.0, 80.0)  # of the start from the first structure, tried in turn
USUAL_DEPTH_M = 10.0
ROOM_M = 1.0  # free water around the vehicle at the start
STILL_M_S = 0.05  # below this speed the direction of a current does not matter
FASTEST_STAGE = 1.6  # in top speeds: a current can carry the vehicle beyond its own


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Settings of a flight. Equal settings and equal orders give equal states, bit for bit."""

    vehicle: Vehicle
    world: World
    seed: int = 0
    rate_hz: float = RATE_HZ
    tether: Tether | None = None
    start: Mapping[str, float] | None = None  # as `Simulation.place` takes it; None: in open water
    sensors: bool = False
    task: str = ""
    conditions: Mapping[str, Any] = field(default_factory=dict[str, Any])
    scenario: Scenario | None = None

    def with_conditions(self, **changes: Any) -> Settings:
        """The same settings under other conditions."""
        return replace(self, conditions={**self.conditions, **changes})

    def described(self) -> dict[str, Any]:
        """The settings as JSON can hold them; CommandError for parts that no file can hold."""
        # Absolute paths: a rerun may start in another folder.
        task = self.task if self.task in ("", *TASKS.names()) else str(Path(self.task).resolve())
        table: dict[str, Any] = {"seed": self.seed, "rate_hz": self.rate_hz, "task": task}
        table["conditions"] = dict(self.conditions)
        if self.scenario is not None:
            path = Path(self.scenario.path) if self.scenario.path else None
            # The tables themselves: keys may have been changed on the command line, or in the file since.
            tables = {"tables": self.scenario.raw, "file": path.name if path else self.scenario.name}
            return table | {"scenario": tables | {"folder": str(path.parent.resolve()) if path else "."}}
        table |= {"vehicle": vehicle_reference(self.vehicle), "world": world_tables(self.world)}
        table["sensors"] = self.sensors
        table["start"] = None if self.start is None else dict(self.start)
        table["tether"] = None if self.tether is None else to_table(self.tether)
        return table


def resolve_settings(
    vehicle: Vehicle | str | os.PathLike[str],
    world: World | str | os.PathLike[str] | Mapping[str, Any] | None,
    *,
    tether: Tether | str | bool | Mapping[str, Any] | None = None,
    start: Mapping[str, float] | None = None,
    **rest: Any,
) -> Settings:
    """Settings from names, files, tables or objects; an error for an invalid one."""
    if isinstance(world, Mapping):
        resolved_world = world_from(dict(cast("Mapping[str, Any]", world)), Place("world", Path()))
    else:
        resolved_world = inputs.resolve_world(world)
    resolved_tether = (
        _read_tether(cast("Mapping[str, Any]", tether))
        if isinstance(tether, Mapping)
        else towing.resolve_tether(tether)
    )
    rest["seed"] = inputs.check_seed(rest.get("seed", 0))
    rest["rate_hz"] = inputs.positive("rate_hz", rest.get("rate_hz", RATE_HZ))
    place = None if start is None else inputs.check_place(dict(start))
    if resolved_tether is not None:  # a tether implies the condition, unless the conditions exclude it
        rest["conditions"] = {"cable": True, **rest.get("conditions", {})}
    return Settings(
        vehicle=inputs.resolve_vehicle(vehicle), world=resolved_world, tether=resolved_tether, start=place, **rest
    )


def settings_from(table: Mapping[str, Any]) -> Settings:
    """Settings from the table of `Settings.described`; CommandError or ScenarioError if a file of it is missing."""
    rest = {key: table[key] for key in ("seed", "rate_hz", "task", "conditions")}
    if "scenario" in table:
        flown = table["scenario"]
        path = str(Path(flown["folder"], flown["file"]))
        scenario = scenario_from(flown["tables"], flown["file"], flown["folder"], path=path)
        return settings_from_scenario(scenario, **rest)
    keys = ("tether", "start", "sensors")
    return resolve_settings(table["vehicle"], table["world"], **{key: table[key] for key in keys}, **rest)


def settings_from_scenario(scenario: Scenario, **rest: Any) -> Settings:
    """Settings for the vehicle of a scenario; CommandError unless it has exactly one."""
    if len(scenario.vehicles) != 1:
        names = ", ".join(vehicle.name for vehicle in scenario.vehicles)
        raise CommandError(
            f"the vehicles are {names}",
            key=f"number of vehicles of {scenario.name}",
            value=len(scenario.vehicles),
            expected="a scenario with one vehicle",
        )
    vehicle = scenario.vehicles[0]
    rate = inputs.positive("rate_hz", rest.pop("rate_hz", None) or max(RATE_HZ, scenario.control_rate_hz))
    rest.pop("seed", None)  # the scenario has its own
    return Settings(
        vehicle=vehicle.vehicle, world=scenario.world, seed=scenario.seed, rate_hz=rate, tether=vehicle.tether,
        sensors=bool(vehicle.sensors), scenario=replace(scenario, control_rate_hz=rate), **rest,
    )  # fmt: skip


def vehicle_reference(vehicle: Vehicle) -> str:
    """The library name or absolute path from which a vehicle can be loaded again."""
    # A vehicle changed in Python has the path of its file, but the file does not describe it.
    if repr(load_vehicle(vehicle.path or vehicle.key)) != repr(vehicle):
        raise CommandError(
            f"{vehicle.key} differs from its file", expected="a vehicle that can be loaded again from a file"
        )
    return VEHICLES.reference(vehicle.path) if vehicle.path else vehicle.key


def world_tables(world: World) -> dict[str, Any]:
    """The tables of a world file that gives this world: a reference to its file, and what differs from that."""
    if world.current is not None:
        raise CommandError("the current of the world is a function of time, which cannot be written to a file")
    base, tables = World(), dict[str, Any]()
    if world.path:
        tables["use"] = WORLDS.reference(world.path)
        base = load_world(world.path)
    for item in dataclasses.fields(World):
        value, before = getattr(world, item.name), getattr(base, item.name)
        if item.name not in SPECIAL_FIELDS and value != before:
            tables[item.name] = value
    for name in TABLES:
        value = getattr(world, name)
        if value is not None and value != getattr(base, name):
            tables[name] = to_table(value)
    for key, name in LISTS.items():
        if getattr(world, name) != getattr(base, name):
            tables[key] = [to_table(item) for item in getattr(world, name)]
    return tables


def _read_tether(table: Mapping[str, Any]) -> Tether:
    section = section_of(Tether)
    if isinstance(table.get("cable"), Mapping):
        section = replace(section, tables={"cable": section_of(Cable)})
    else:
        section = replace(section, keys=(*section.keys, text("cable", "name or file of a cable")))
    return read_spec(section, table, Place("tether", Path()))


@dataclass
class BuiltFlight:
    """A simulation at time zero with its conditions, task, and the mission and events of its scenario."""

    sim: Simulation
    conditions: Conditions
    task: TrainingTask | None = None
    mission: Controller | None = None
    prepared: Prepared | None = None


def make(settings: Settings) -> BuiltFlight:
    """Build the simulation of a flight; equal settings give equal simulations, bit for bit."""
    made = _of_scenario(settings) if settings.scenario is not None else _of_parts(settings)
    sim = made.sim
    names = sim.sensing.suite.names if sim.sensing else ()
    known = sim.faults.faults if sim.faults else ()
    # `live`: faults may be injected at any time, so their columns are a number of faults instead of one for each.
    sim.faults = Faults(known, sim.vehicle, names, sim.tether is not None, live=True)
    sim.make_ready(sim.interval_s)
    sim.in_run(True)
    if made.prepared is not None:
        made.prepared.begin()
    return made


def compile_for(settings: Settings) -> None:
    """Compile all kernels that the flight may need, so that it does not stop later to compile one."""
    sim = make(settings).sim
    sim.tick()
    plant = copy.deepcopy(sim.plant)
    for near in (None, True):  # without and with contact, which are two kernels
        plant.advance(sim.step_s, 1, sim.integrator, near)
    plant.contacts(0.1)


def _of_scenario(settings: Settings) -> BuiltFlight:
    assert settings.scenario is not None
    if settings.task:
        message = f"the scenario {settings.scenario.name} takes no task"
        raise CommandError(message, key="task", value=settings.task, expected="one or the other")
    prepared = prepare(settings.scenario)
    sim = prepared.fleet.sims[0]
    if sim.tether is not None:
        settings = settings.with_conditions(cable=True)
    return BuiltFlight(sim, Conditions.of(settings.conditions), None, sim.controller, prepared)


def surroundings(settings: Settings) -> tuple[World, Conditions, TrainingTask | None]:
    """The world under the conditions, the conditions, and the task of a flight."""
    task = load_task(settings.task) if settings.task else None
    conditions = Conditions.of(settings.conditions, task.conditions if task else None)
    if settings.scenario is not None:
        return settings.world, conditions, None
    return (task.world_for(conditions, settings.seed) if task else conditions.apply(settings.world)), conditions, task


def _of_parts(settings: Settings) -> BuiltFlight:
    world, conditions, task = surroundings(settings)
    start = settings.start or (vars(task.start) if task else None)
    sim = Simulation(
        settings.vehicle, world, seed=settings.seed, control_rate_hz=settings.rate_hz,
        tether=(settings.tether or conditions.tether()) if conditions.cable else None,
        sensors=_sensors(settings.vehicle, settings.sensors) or None,
    )  # fmt: skip
    if start is None:
        _put_in_the_open(sim)
    else:
        sim.place(**_start(start, sim))
    return BuiltFlight(sim, conditions, task)


def _sensors(vehicle: Vehicle, all_sensors: bool) -> tuple[Sensor, ...]:
    """All sensors of a vehicle, or its battery only: a fast sensor shortens the time step of the whole simulation."""
    return tuple(sensor for sensor in vehicle.sensors if all_sensors or sensor.kind == "battery")


def _start(start: Mapping[str, float], sim: Simulation) -> dict[str, Any]:
    """The start position, with the usual depth if it has none."""
    place = dict(start)
    if "depth_m" not in place:
        place["depth_m"] = _depth(sim, place.get("north_m", 0.0), place.get("east_m", 0.0))
    return place


def _depth(sim: Simulation, north: float, east: float) -> float:
    """The least of USUAL_DEPTH_M, half the water depth and the depth rating."""
    return min(USUAL_DEPTH_M, 0.5 * float(sim.world.bottom_m(north, east)), sim.vehicle.depth_rating_m)


def _put_in_the_open(sim: Simulation) -> None:
    """Place the vehicle downstream of the first structure, facing it, so that the current carries it away from there.

    Without structures it starts at the origin; CommandError if no position is free.
    """
    world = sim.world
    if not world.structures:
        sim.place(depth_m=_depth(sim, 0.0, 0.0))
        return
    center = world.structures[0].center_n()
    depth = _depth(sim, float(center[0]), float(center[1]))
    if abs(depth - float(center[2])) > world.structures[0].bound_m():
        depth = float(center[2])
    flow = world.water_velocity([[center[0], center[1], depth]])[0]
    heading = math.atan2(-flow[1], -flow[0]) if math.hypot(flow[0], flow[1]) > STILL_M_S else 0.0
    for distance in DISTANCES_M:
        north, east = np.asarray(center[:2]) - distance * np.array([math.cos(heading), math.sin(heading)])
        sim.place(
            north_m=float(north), east_m=float(east), depth_m=depth, heading_deg=math.degrees(heading) % 360.0
        )  # fmt: skip
        if depth < float(world.bottom_m(north, east)) and not len(sim.plant.contacts(ROOM_M)):
            return
    raise CommandError(
        f"there is no free place in front of {world.named(0)}", expected="a start, such as north_m, east_m, depth_m"
    )


def make_stages(schedule: Schedule, earlier: Schedule | None = None) -> None:
    """Compute all gain stages of a schedule; those of an earlier schedule for the same vehicle are copied.

    A stage takes some milliseconds, a good part of a control interval: several in a row would be a visible jolt in real
    time. A stage depends on vehicle, water, interval and speed only, so it does not matter when it is computed.
    """
    if earlier is not None and schedules_match(schedule, earlier):
        schedule.learn(earlier)
    speed = 0.0
    while speed <= FASTEST_STAGE * schedule.top_speed:
        schedule.stage(speed)
        if schedule.step <= 0.0:
            break
        speed = max(speed, schedule.lowest) + schedule.step


def schedules_match(schedule: Schedule, other: Schedule) -> bool:
    """Whether the gain stages of one schedule are valid for the other."""
    return _parameters(schedule) == _parameters(other)


def _parameters(schedule: Schedule) -> tuple[Any, ...]:
    # The vehicle by identity: to compare two descriptions would take longer than to compute a stage.
    water = schedule.water
    return id(schedule.vehicle), water.density_kg_m3, water.gravity_m_s2, schedule.interval_s
