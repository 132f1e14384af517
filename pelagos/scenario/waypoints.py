"""Waypoints of a mission as points (north, east, down) in m, for a chart."""

from __future__ import annotations

from collections.abc import Sequence

from pelagos.guidance.base import Leg
from pelagos.scenario.spec import Scenario
from pelagos.world.spec import World


def scenario_waypoints(scenario: Scenario, number: int) -> list[tuple[float, float, float]]:
    """Return the waypoints of the mission of vehicle `number`."""
    entry = scenario.vehicles[number]
    return route_waypoints(entry.mission, scenario.world, entry.start.depth_m)


def route_waypoints(legs: Sequence[Leg], world: World, depth_m: float) -> list[tuple[float, float, float]]:
    """Return the waypoints of legs; a leg without depths keeps that of the waypoint before, the first leg `depth_m`."""
    places: list[tuple[float, float, float]] = []
    for leg in legs:
        stops = leg.stops()
        if not stops:
            last = places[-1][2] if places else depth_m
            stops = tuple((n, e, _depth(world, leg.altitude_m, n, e, last)) for n, e in leg.places())
        places += stops
    return places


def _depth(world: World, altitude_m: float | None, north_m: float, east_m: float, last_m: float) -> float:
    return last_m if altitude_m is None else float(world.bottom_m(north_m, east_m)) - altitude_m
