"""The message `hello` to a page: vehicle, scene, settings and menus, everything that a page needs besides snapshots."""

from __future__ import annotations

import dataclasses
import math
import types
from typing import Any, Protocol, Union, cast, get_args, get_origin, get_type_hints

from pelagos.console.protocol import VERSION
from pelagos.console.scene.scene import vehicle_scene, world_scene
from pelagos.files.library import TASKS
from pelagos.scenario.waypoints import route_waypoints, scenario_waypoints
from pelagos.session.flight import Flight
from pelagos.session.orders.program import Route
from pelagos.session.record.playback import Playback
from pelagos.session.source import TickSource, plain
from pelagos.sim.faults.kinds import KINDS, Trigger
from pelagos.training.conditions import THESIS
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World

FORM_DEFAULTS = {"bias": 0.0}  # first values in the form of a fault for keys without a default
TRIGGERS = tuple(item.name for item in dataclasses.fields(Trigger))


class HelloSource(TickSource, Protocol):
    """A source that is neither a flight nor a log and provides its hello itself."""

    def hello(self) -> dict[str, Any]:
        """Everything a page needs besides snapshots."""
        ...


PageSource = Flight | Playback | HelloSource


class SceneCache:
    """Cache of the drawn vehicle and world: each change of a flight repeats the hello, and meshes take long to make."""

    def __init__(self) -> None:
        self._vehicle: Vehicle | None = None
        self._vehicle_scene: dict[str, Any] = {}
        self._world: World | None = None
        self._world_scenes: dict[tuple[Any, ...], dict[str, Any]] = {}

    def vehicle(self, vehicle: Vehicle) -> dict[str, Any]:
        """The vehicle as a page draws it."""
        if vehicle is not self._vehicle:
            self._vehicle, self._vehicle_scene = vehicle, vehicle_scene(vehicle)
        return self._vehicle_scene

    def world(
        self,
        world: World,
        *,
        gravity_m_s2: float | None = None,
        near_m: tuple[float, float],
        visibility_m: float | None = None,
    ) -> dict[str, Any]:
        """The world as a page draws it, optionally with another visibility."""
        if world is not self._world:
            self._world, self._world_scenes = world, {}
        key = gravity_m_s2, near_m, visibility_m
        if key not in self._world_scenes:
            changed = world if visibility_m is None else dataclasses.replace(world, visibility_m=visibility_m)
            self._world_scenes[key] = world_scene(changed, gravity_m_s2=gravity_m_s2, near_m=near_m)
        return self._world_scenes[key]


def hello_message(source: PageSource, columns: list[str], snapshot_hz: float, scenes: SceneCache) -> dict[str, Any]:
    """Make the message `hello`, without the key of the client that receives it."""
    content = hello_of(source, scenes)
    return {
        "type": "hello", "version": VERSION, "mode": content.get("mode", "live"), "columns": columns,
        "rate_hz": source.rate_hz, "snapshot_hz": snapshot_hz, "source": content,
    }  # fmt: skip


def hello_of(source: PageSource, scenes: SceneCache | None = None) -> dict[str, Any]:
    """The content of a hello for a source, as a table for JSON."""
    scenes = scenes or SceneCache()
    if isinstance(source, Flight):
        return plain(_flight(source, scenes))
    if isinstance(source, Playback):
        return plain(_playback(source, scenes))
    return plain(source.hello())


def _tasks() -> list[dict[str, str]]:
    return [{"name": entry.key, "title": entry.name, "summary": entry.summary} for entry in TASKS.entries()]


def _flight(flight: Flight, scenes: SceneCache) -> dict[str, Any]:
    settings, sim, attempt = flight.settings, flight.sim, flight.attempt
    flow = sim.evaluate().local_water.velocity_n.tolist()
    return {
        "mode": "live",
        "vehicle": _vehicle(flight, scenes),
        "scene": scenes.world(sim.world, gravity_m_s2=sim.water.gravity_m_s2, near_m=flight.start_m,
                              visibility_m=flight.conditions.visibility_m),
        "marks": attempt.trial.marks() if attempt else [],
        "vehicle_marks": attempt.trial.vehicle_marks() if attempt else [],
        "waypoints": waypoints_of(flight),
        "task": attempt.described() if attempt else None,
        "tasks": [] if settings.scenario else _tasks(),
        "conditions": flight.conditions.described() | {"cable": sim.tether is not None},
        "faults": fault_menu(flight),
        "faults_acting": flight.faults_acting(),
        "settings": {
            "seed": settings.seed, "rate_hz": settings.rate_hz, "tether": sim.tether is not None,
            "scenario": settings.scenario.name if settings.scenario else None, "task": settings.task or None,
            "condition_sets": {name: conditions.described() for name, conditions in THESIS.items()},
            "current_m_s": math.hypot(*flow[:2]), "current_to_deg": math.degrees(math.atan2(flow[1], flow[0])) % 360.0,
        },
        "pilot_name": flight.pilot,
        "recording": str(flight.recordings.current.path) if flight.recordings.current else None,
    }  # fmt: skip


def _vehicle(flight: Flight, scenes: SceneCache) -> dict[str, Any]:
    sim, helm = flight.sim, flight.helm
    can = [mode for mode in helm.modes if helm.can(mode)] + (["mission"] if flight.mission is not None else [])
    return scenes.vehicle(sim.vehicle) | {"axes": list(helm.axes), "can": can, "has_tether": sim.tether is not None}


def _playback(playback: Playback, scenes: SceneCache) -> dict[str, Any]:
    setup, log = playback.setup, playback.log
    near = float(log["north_m"][0]), float(log["east_m"][0])
    gravity = log.meta.get("gravity_m_s2")
    gravity_m_s2 = gravity if isinstance(gravity, float) else None
    tethered = "tether_length_m" in log.columns
    return {
        "mode": "replay",
        "vehicle": scenes.vehicle(setup.vehicle) | {"axes": [], "can": [], "has_tether": tethered},
        "scene": scenes.world(setup.world, gravity_m_s2=gravity_m_s2, near_m=near),
        "marks": setup.task.marks(setup.world) if setup.task else [],
        "vehicle_marks": setup.task.target.vehicle_marks(setup.vehicle) if setup.task else [],
        "waypoints": setup.waypoints,
        "task": setup.task.described() if setup.task else None,
        "tasks": [],
        "conditions": setup.conditions.described() | {"cable": tethered},
        "faults": [],
        "settings": {"seed": log.meta.get("seed"), "tether": tethered, "file": playback.path.name},
        "pilot_name": str(log.meta.get("pilot", "")),
        "recording": None,
        "duration_s": playback.duration_s,
        "start_s": playback.start_s,
        "complete": log.complete,
        "events": playback.timeline,
    }


def waypoints_of(flight: Flight) -> list[tuple[float, float, float]]:
    """Waypoints of the mission: of one that a link has uploaded, or of the scenario."""
    scenario = flight.settings.scenario
    if isinstance(flight.mission, Route):
        return route_waypoints(flight.mission.legs, flight.sim.world, float(flight.sim.plant.position_n[2]))
    return scenario_waypoints(scenario, 0) if scenario and flight.mission is not None else []


def fault_menu(flight: Flight) -> list[dict[str, Any]]:
    """The kinds of fault that this vehicle can have, with their keys."""
    sim = flight.sim
    choices = {
        "thruster": [t.name for t in sim.vehicle.thrusters],
        "surface": [s.name for s in sim.vehicle.surfaces],
        "sensor": list(sim.sensing.suite.names) if sim.sensing else [],
    }
    menu: list[dict[str, Any]] = []
    for kind, spec in KINDS.items():
        keys = [_key(item, get_type_hints(spec)[item.name], choices) for item in dataclasses.fields(spec)
                if item.name not in TRIGGERS and item.name != "name"]  # fmt: skip
        impossible = any(key.get("choices") == [] for key in keys) or (kind == "tether_cut" and sim.tether is None)
        if not impossible:
            menu.append({"kind": kind, "about": (spec.__doc__ or "").strip().partition("\n")[0], "keys": keys})
    return menu


def _key(item: Any, hint: Any, choices: dict[str, list[str]]) -> dict[str, Any]:
    optional = get_origin(hint) in (Union, types.UnionType)
    kinds = [part for part in get_args(hint) if part is not type(None)] if optional else [hint]
    kind = "text" if kinds[0] is str else "list" if get_origin(kinds[0]) is tuple else "number"
    entry: dict[str, Any] = {"name": item.name, "type": kind}
    if item.name in choices:
        entry |= {"type": "choice", "choices": choices[item.name]}
    if item.default is not dataclasses.MISSING:
        entry["default"] = cast(Any, item.default)
    elif item.name in FORM_DEFAULTS:
        entry["default"] = FORM_DEFAULTS[item.name]
    return entry
