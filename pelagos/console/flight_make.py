"""From settings to a simulation ready to be flown: world and tether under the conditions, placed, rigged, compiled."""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pelagos.console.flight_settings import Settings
from pelagos.control.base import Controller
from pelagos.errors import CommandError
from pelagos.sensors.base import Sensor
from pelagos.sim.execute import Prepared, prepare
from pelagos.sim.faults import Faults
from pelagos.sim.simulation import Simulation
from pelagos.training.conditions import Conditions
from pelagos.training.task import Task, load_task
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World

DISTANCES_M = (5.0, 8.0, 12.0, 20.0, 40.0, 80.0)  # from the first structure, tried in turn
USUAL_DEPTH_M = 10.0
ROOM_M = 1.0  # free about the vehicle at the start
STILL_M_S = 0.05  # a current that nobody notices


@dataclass
class Made:
    """A simulation at time zero, the conditions it was made for, the task, and what flies it in a scenario."""

    sim: Simulation
    conditions: Conditions
    task: Task | None = None
    mission: Controller | None = None
    prepared: Prepared | None = None


def make(settings: Settings) -> Made:
    """The simulation of a flight, placed and rigged; the same settings give the same, to the last bit."""
    made = _of_scenario(settings) if settings.scenario is not None else _of_parts(settings)
    sim = made.sim
    names = sim.sensing.suite.names if sim.sensing else ()
    known = sim.faults.faults if sim.faults else ()
    sim.faults = Faults(known, sim.vehicle, names, sim.tether is not None, live=True)  # more can come at any time
    sim.make_ready(sim.interval_s)
    sim.in_run(True)
    if made.prepared is not None:
        made.prepared.happenings[0].update(sim)
    return made


def compile_for(settings: Settings) -> None:
    """Have every kernel compiled that the flight may come to need, so that none stops it in the water."""
    sim = make(settings).sim
    sim.tick()
    plant = copy.deepcopy(sim.plant)
    for near in (None, True):
        plant.advance(sim.step_s, 1, sim.integrator, near)
    plant.contacts(0.1)


def _of_scenario(settings: Settings) -> Made:
    assert settings.scenario is not None
    if settings.task:
        raise CommandError(f"a scenario, {settings.scenario.name}, has no task {settings.task}; fly one or the other")
    prepared = prepare(settings.scenario)
    sim = prepared.fleet.sims[0]
    if sim.tether is not None:
        settings = settings.with_conditions(cable=True)
    return Made(sim, Conditions.of(settings.conditions), None, sim.controller, prepared)


def surroundings(settings: Settings) -> tuple[World, Conditions, Task | None]:
    """The world that is flown in, the conditions in force, and the task."""
    task = load_task(settings.task) if settings.task else None
    conditions = Conditions.of(settings.conditions, task.conditions if task else None)
    if settings.scenario is not None:
        return settings.world, conditions, None
    return (task.world_for(conditions, settings.seed) if task else conditions.apply(settings.world)), conditions, task


def _of_parts(settings: Settings) -> Made:
    world, conditions, task = surroundings(settings)
    start = settings.start or (vars(task.start) if task else None)
    sim = Simulation(
        settings.vehicle, world, seed=settings.seed, control_rate_hz=settings.rate_hz,
        tether=(settings.tether or conditions.tether()) if conditions.cable else None,
        sensors=_aboard(settings.vehicle, settings.sensors) or None,
    )  # fmt: skip
    if start is None:
        _put_in_the_open(sim)
    else:
        sim.place(**_start(start, sim))
    return Made(sim, conditions, task)


def _aboard(vehicle: Vehicle, sensors: bool) -> tuple[Sensor, ...]:
    """All instruments, or the battery alone: a fast one would shorten the steps of everything."""
    return tuple(sensor for sensor in vehicle.sensors if sensors or sensor.kind == "battery")


def _start(start: Mapping[str, float], sim: Simulation) -> dict[str, Any]:
    """Where to begin; without a depth, the usual one."""
    place = dict(start)
    if "depth_m" not in place:
        place["depth_m"] = _depth(sim, place.get("north_m", 0.0), place.get("east_m", 0.0))
    return place


def _depth(sim: Simulation, north: float, east: float) -> float:
    """The usual depth, or half way to a bottom that is near."""
    return min(USUAL_DEPTH_M, 0.5 * float(sim.world.bottom_m(north, east)), sim.vehicle.depth_rating_m)


def _put_in_the_open(sim: Simulation) -> None:
    """Before the first structure, looking at it, downstream of it: the current carries the vehicle away from it.

    Without structures at the origin; where no place is free, a sentence.
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
        f"no free place was found before {world.named(0)}; expected a start, such as north_m, east_m, depth_m"
    )
