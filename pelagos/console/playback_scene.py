"""The vehicle and the world of a log, as far as what is written in it allows to have them again.

A recording of a flight says how it was made; the log of a scenario has its tables; others name vehicle and world. What
cannot be had is replaced by something plain, and `notes` says so.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from pelagos.console.flight_hello import scenario_waypoints
from pelagos.console.flight_make import surroundings
from pelagos.console.flight_settings import settings_from
from pelagos.errors import PelagosError
from pelagos.sim.log import Log
from pelagos.sim.log_parquet import UNFINISHED
from pelagos.sim.scenario import Craft, Scenario
from pelagos.sim.scenario_read import find_scenario, scenario_from
from pelagos.training.conditions import Conditions
from pelagos.training.task import Task
from pelagos.vehicle.load import load_vehicle
from pelagos.vehicle.spec import Vehicle
from pelagos.world.library import list_worlds
from pelagos.world.load import load_world
from pelagos.world.spec import World

PLAIN = "bluerov2_heavy"  # drawn in place of a vehicle that is not known
BROKEN = (PelagosError, KeyError, TypeError, ValueError, AttributeError, OSError)  # of what any file may hold


@dataclass
class Known:
    """What was found out."""

    vehicle: Vehicle
    world: World
    conditions: Conditions = field(default_factory=Conditions)
    task: Task | None = None
    waypoints: list[tuple[float, float, float]] = field(default_factory=list[tuple[float, float, float]])
    notes: list[str] = field(default_factory=list[str])


def known_of(log: Log, path: Path) -> Known:
    """Vehicle and world of a log; relative files of a scenario are looked for beside `path`, the file of the log."""
    notes: list[str] = []
    said: Any = log.meta
    if isinstance(said.get("flight"), dict):
        try:
            settings = settings_from(said["flight"])
            world, conditions, task = surroundings(settings)
            points = scenario_waypoints(settings.scenario, 0) if settings.scenario else []
            return Known(settings.vehicle, world, conditions, task, points, notes)
        except BROKEN as problem:
            notes.append(f"how the flight was made cannot be read ({problem})")
    scenario = _scenario(said, path.parent, notes)
    if scenario is not None:
        craft = _craft(scenario, said, path, notes)
        points = scenario_waypoints(scenario, scenario.crafts.index(craft))
        return Known(craft.vehicle, scenario.world, waypoints=points, notes=notes)
    return Known(_vehicle(said, notes), _world(said, log, notes), notes=notes)


def _scenario(said: Any, folder: Path, notes: list[str]) -> Scenario | None:
    """The scenario of a run, from its tables; a ready one's own files are beside it."""
    tables = said.get("scenario_tables")
    if not isinstance(tables, dict):
        return None
    ready = find_scenario(str(said.get("scenario", "")))
    problem: BaseException | None = None
    for place in (folder, *([ready.parent] if ready else [])):
        try:
            return scenario_from(tables, str(said.get("scenario", "scenario")), place)
        except BROKEN as error:
            problem = error
    notes.append(f"the scenario cannot be made again ({problem})")
    return None


def _craft(scenario: Scenario, said: Any, path: Path, notes: list[str]) -> Craft:
    """The one of several vehicles that the log is of: by the name in it, by that of its file, by its kind."""
    crafts = scenario.crafts
    if len(crafts) == 1:
        return crafts[0]
    alike = [craft for craft in crafts if craft.vehicle.key == said.get("vehicle")] or list(crafts)
    found = next((craft for craft in crafts if craft.name == said.get("name")), None)
    if found is None:
        stem = "-" + Path(path.name.removesuffix(UNFINISHED)).stem
        ends = [craft for craft in alike if stem.endswith(f"-{craft.name}")]
        found = max(ends, key=lambda craft: len(craft.name)) if ends else None
    names = ", ".join(craft.name for craft in crafts)
    if found is not None or len(alike) == 1:
        found = found or alike[0]
        notes.append(
            f"of the {len(crafts)} vehicles of this run, {names}, the log is that of {found.name}: it is shown"
        )
        return found
    notes.append(f"the log does not say which of {', '.join(craft.name for craft in alike)} it is of; "
                 f"the path of {alike[0].name} is drawn")  # fmt: skip
    return alike[0]


def _vehicle(said: Any, notes: list[str]) -> Vehicle:
    key = said.get("vehicle")
    try:
        return load_vehicle(str(key))
    except BROKEN:
        notes.append(f"the vehicle {key} is not known; {PLAIN} is drawn in its place")
        return load_vehicle(PLAIN)


def _world(said: Any, log: Log, notes: list[str]) -> World:
    """A world of the library by its name; else open water, with the bottom where the log's altitudes have it."""
    name = said.get("world")
    for entry in list_worlds():
        if name and name in (entry.key, load_world(entry.key).name):
            return load_world(entry.key)
    bottom = log["depth_m"] + log["altitude_m"] if "altitude_m" in log else np.full(1, np.nan)
    seen = bottom[np.isfinite(bottom)]
    surface = said.get("surface") != "none"
    if name not in (None, "unnamed") or len(seen):
        notes.append("the world of the log is not known; open water is drawn in its place")
    return World(depth_m=float(np.median(seen)), surface=surface) if len(seen) else World(surface=surface)
