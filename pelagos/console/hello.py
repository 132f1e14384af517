"""What a page must know of a flight besides snapshots: the vehicle, the scene, and what its menus offer."""

from __future__ import annotations

import dataclasses
import math
import types
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Union, cast, get_args, get_origin, get_type_hints

from pelagos.console.scene.scene import vehicle_scene, world_scene
from pelagos.guidance.base import Leg
from pelagos.scenario.spec import Scenario
from pelagos.session.orders import Route
from pelagos.session.source import plain
from pelagos.sim.faults.kinds import KINDS, Trigger
from pelagos.training.conditions import THESIS
from pelagos.training.task import task_list
from pelagos.world.spec import World

if TYPE_CHECKING:
    from pelagos.session.flight import Flight

NOTHING = {"bias": 0.0}  # where a form begins, of keys that a file must give
TRIGGERS = tuple(item.name for item in dataclasses.fields(Trigger))


def hello_of(flight: Flight) -> dict[str, Any]:
    """As JSON can hold it."""
    settings, sim = flight.settings, flight.sim
    attempt = flight.attempt
    flow = sim.evaluate().around.velocity_n.tolist()
    said: dict[str, Any] = {
        "mode": "live",
        "vehicle": vehicle_of(flight),
        "scene": scene_of(flight),
        "marks": attempt.trial.marks() if attempt else [],
        "vehicle_marks": attempt.trial.vehicle_marks() if attempt else [],
        "waypoints": waypoints_of(flight),
        "task": attempt.described() if attempt else None,
        "tasks": [] if settings.scenario else task_list(),
        "conditions": flight.conditions.described() | {"cable": sim.tether is not None},
        "faults": fault_menu(flight),
        "faults_acting": flight.faults_acting(),
        "settings": {
            "seed": settings.seed, "rate_hz": settings.rate_hz, "tether": sim.tether is not None,
            "scenario": settings.scenario.name if settings.scenario else None, "task": settings.task or None,
            "condition_sets": {name: one.described() for name, one in THESIS.items()},
            "current_m_s": math.hypot(*flow[:2]), "current_to_deg": math.degrees(math.atan2(flow[1], flow[0])) % 360.0,
        },
        "pilot_name": flight.pilot,
        "recording": str(flight.recordings.now.path) if flight.recordings.now else None,
    }  # fmt: skip
    return plain(said)


def vehicle_of(flight: Flight) -> dict[str, Any]:
    """The vehicle as a page shows it."""
    vehicle, sim, helm = flight.sim.vehicle, flight.sim, flight.helm
    can = [what for what in helm.modes if helm.can(what)] + (["mission"] if flight.mission is not None else [])
    if "vehicle" not in flight.drawn:
        flight.drawn["vehicle"] = vehicle_scene(vehicle)
    return flight.drawn["vehicle"] | {"axes": list(helm.axes), "can": can, "has_tether": sim.tether is not None}


def scene_of(flight: Flight) -> dict[str, Any]:
    """The world as a page draws it, as far as one sees; drawn once a flight, because it takes long."""
    sim, seen = flight.sim, flight.conditions.visibility_m
    world = sim.world if seen is None else dataclasses.replace(sim.world, visibility_m=seen)
    key = f"scene {world.visibility_m}"
    if key not in flight.drawn:
        flight.drawn[key] = world_scene(world, gravity_m_s2=sim.water.gravity_m_s2, near_m=flight.start_m)
    return flight.drawn[key]


def waypoints_of(flight: Flight) -> list[tuple[float, float, float]]:
    """Where the mission goes: that of a link, which came under way, or that of the scenario."""
    scenario = flight.settings.scenario
    if isinstance(flight.mission, Route):
        return _stops(flight.mission.legs, flight.sim.world, float(flight.sim.plant.position_n[2]))
    return scenario_waypoints(scenario, 0) if scenario and flight.mission is not None else []


def scenario_waypoints(scenario: Scenario, number: int) -> list[tuple[float, float, float]]:
    """Where the mission of one of its vehicles goes: north, east, down; where a leg has no depth, the one before."""
    craft = scenario.vehicles[number]
    return _stops(craft.mission, scenario.world, craft.start.depth_m)


def _stops(legs: Sequence[Leg], world: World, depth_m: float) -> list[tuple[float, float, float]]:
    places: list[tuple[float, float, float]] = []
    for leg in legs:
        stops = leg.stops()
        if not stops:
            last = places[-1][2] if places else depth_m
            stops = tuple((n, e, _over(world, leg.altitude_m, n, e, last)) for n, e in leg.places())
        places += stops
    return places


def _over(world: World, altitude_m: float | None, north_m: float, east_m: float, last_m: float) -> float:
    return last_m if altitude_m is None else float(world.bottom_m(north_m, east_m)) - altitude_m


def fault_menu(flight: Flight) -> list[dict[str, Any]]:
    """Every kind of fault that can happen to this vehicle, with its keys."""
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
    kinds = [one for one in get_args(hint) if one is not type(None)] if optional else [hint]
    kind = "text" if kinds[0] is str else "list" if get_origin(kinds[0]) is tuple else "number"
    said: dict[str, Any] = {"name": item.name, "type": kind}
    if item.name in choices:
        said |= {"type": "choice", "choices": choices[item.name]}
    if item.default is not dataclasses.MISSING:
        said["default"] = cast(Any, item.default)
    elif item.name in NOTHING:
        said["default"] = NOTHING[item.name]
    return said
