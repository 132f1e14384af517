"""A sensible place to begin in any world: in the open, a little above the bottom, something to see ahead.

What is looked at is the most compact solid of the world: a wellhead rather than a pipeline, a pile rather than a quay.
The vehicle begins downstream of it if it can, so that the current does not carry it into what it looks at.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from pelagos.errors import CommandError, ScenarioError
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World
from pelagos.world.structure import Structure

Array = NDArray[np.float64]
ALTITUDE_M = 3.0
USUAL_DEPTH_M = 10.0  # where the bottom is deeper than the vehicle may go, or so deep that nothing is there
DEEP_M = 200.0
SEEN_M = 8.0  # from what is looked at, in clear water
RUNNING_M = 30.0  # the same for a vehicle that steers only when it moves
ROOM_M = 0.7  # free about the longest part of the vehicle
BEARINGS = 16
ASIDE = math.radians(30.0)  # off the square: two sides of a box show its shape, one does not
RAYS = 200


def start_in(vehicle: Vehicle, world: World) -> dict[str, float]:
    """north_m, east_m, depth_m and heading_deg, as `Simulation.place` takes them; a sentence if no place is free."""
    for target in _by_size(world):
        for place in _before(vehicle, world, target):
            return place
    for north, east in _spiral():
        depth = _depth(vehicle, world, north, east)
        if depth is not None and _is_open(vehicle, world, np.array([north, east, depth])):
            return _named(np.array([north, east, depth]), _longest_view(world, np.array([north, east, depth])))
    raise ScenarioError(
        f"has no free place for {vehicle.key}", file=world.path or world.name or "world", expected="a start"
    )


def start_at(vehicle: Vehicle, world: World, place: Mapping[str, float]) -> dict[str, float]:
    """A place that is partly said, completed: at the origin and the usual depth; a sentence if it is not in water."""
    north, east = place.get("north_m", 0.0), place.get("east_m", 0.0)
    there = f"at north {north:g} m, east {east:g} m"
    depth = place.get("depth_m")
    bottom = float(world.bottom_m(north, east))
    if depth is None:
        depth = _depth(vehicle, world, north, east)
        if depth is None:
            raise CommandError(f"{there} there is no water deep enough for {vehicle.key}", expected="another start")
    if depth >= bottom:
        raise CommandError(f"the start {there}, depth {depth:g} m, is below the seabed, {bottom:g} m", expected="water")
    inside = next((k for k, one in enumerate(world.structures) if bool(one.contains([north, east, depth]))), None)
    if inside is not None:
        raise CommandError(f"the start {there}, depth {depth:g} m, is inside {world.named(inside)}", expected="water")
    return {**place, "north_m": north, "east_m": east, "depth_m": depth}


def can_hover(vehicle: Vehicle) -> bool:
    """Whether it has thrusters that push it sideways or up and down."""
    return any(math.hypot(*t.direction_b[1:]) > 0.5 for t in vehicle.thrusters)


def _by_size(world: World) -> list[tuple[int, Structure]]:
    """Solids of some size with their numbers, the most compact first, among equals the one nearest to the origin."""
    solids = [(k, one) for k, one in enumerate(world.structures) if one.kind != "plane"]
    return sorted(solids, key=lambda item: (round(item[1].bound_m(), 1), float(np.hypot(*item[1].center_n()[:2]))))


def _before(vehicle: Vehicle, world: World, target: tuple[int, Structure]) -> Iterator[dict[str, float]]:
    """Free places from which a target is seen, the best first."""
    number, solid = target
    center = solid.center_n()
    away = _distance(vehicle, world)
    flow = world.water_velocity([center])[0]
    downstream = math.atan2(flow[1], flow[0]) if math.hypot(flow[0], flow[1]) > 0.01 else math.pi
    turns = sorted(range(BEARINGS), key=lambda k: min(k, BEARINGS - k))
    for turn in turns:
        bearing = downstream + ASIDE + 2.0 * math.pi * turn / BEARINGS  # from the target to the vehicle
        out = np.array([math.cos(bearing), math.sin(bearing), 0.0])
        point = center + (solid.bound_m() + away) * out
        depth = _depth(vehicle, world, point[0], point[1], solid)
        if depth is None:
            continue
        point[2] = depth
        for _ in range(2):  # closer to the side that is seen; the bottom may be another one there
            hit = world.cast(point, -out)
            if int(hit.what[0]) != number:
                break
            point -= max(0.0, float(hit.range_m[0]) - away) * out
            point[2] = _depth(vehicle, world, point[0], point[1], solid) or point[2]
        else:
            hit = world.cast(point, -out)
            if int(hit.what[0]) == number and _is_open(vehicle, world, point):
                yield _named(point, bearing + math.pi)


def _distance(vehicle: Vehicle, world: World) -> float:
    """From the vehicle's origin to what it looks at, m: no further than half of what can be seen."""
    half = 0.5 * vehicle.length_m
    if not can_hover(vehicle):
        return RUNNING_M + half
    return half + min(SEEN_M, max(2.0, 0.5 * world.visibility_m))


def _depth(vehicle: Vehicle, world: World, north: float, east: float, target: Structure | None = None) -> float | None:
    """A little above the bottom, if the vehicle may go there and the target reaches so deep; None on land."""
    bottom = float(world.bottom_m(north, east))
    room = 0.5 * vehicle.length_m + ROOM_M
    above = max(ALTITUDE_M, room)
    top = float(np.max(world.surface_m(north, east))) if world.surface else -math.inf
    if bottom - top < 2.0 * ROOM_M:
        return None
    depth = bottom - above
    if depth > min(vehicle.depth_rating_m, DEEP_M if target is None else math.inf):
        depth = min(USUAL_DEPTH_M, 0.5 * vehicle.depth_rating_m)
    if target is not None:
        corners = target.triangles()[..., 2] if target.kind != "sphere" else target.center_n()[2] + np.array([-1, 1])
        depth = min(max(depth, float(np.min(corners))), float(np.max(corners)))
        depth = min(depth, bottom - min(above, room))
    if depth - top < room:
        depth = 0.5 * (top + bottom)  # shallow water: half way
    return depth if depth <= vehicle.depth_rating_m else None


def _is_open(vehicle: Vehicle, world: World, point: Array) -> bool:
    """Whether nothing is near: no solid within the length of the vehicle, and the bottom not within its height."""
    if any(bool(one.contains(point)) for one in world.structures) or point[2] >= world.bottom_m(point[0], point[1]):
        return False
    hits = world.cast(point, _all_round(), max_range_m=0.5 * vehicle.length_m + ROOM_M)
    return not np.any(hits.what >= 0)


def _all_round() -> Array:
    """Directions spread evenly over a sphere, along a spiral from pole to pole."""
    k = np.arange(RAYS) + 0.5
    z = 1.0 - 2.0 * k / RAYS
    turn = k * math.pi * (3.0 - math.sqrt(5.0))
    r = np.sqrt(1.0 - z * z)
    return np.column_stack([r * np.cos(turn), r * np.sin(turn), z])


def _longest_view(world: World, point: Array) -> float:
    """North, east, south or west, rad, wherever the way is free the longest; north among equals."""
    turns = 0.5 * math.pi * np.arange(4)
    hits = world.cast(point, np.column_stack([np.cos(turns), np.sin(turns), 0.0 * turns]), max_range_m=1e3)
    return float(turns[int(np.argmax(np.minimum(hits.range_m, 1e3)))])


def _spiral() -> Iterator[tuple[float, float]]:
    """Places round the origin, the origin first."""
    yield 0.0, 0.0
    for radius in (2.0, 5.0, 10.0, 20.0, 50.0, 100.0):
        for k in range(BEARINGS):
            turn = 2.0 * math.pi * k / BEARINGS
            yield radius * math.cos(turn), radius * math.sin(turn)


def _named(point: Array, heading: float) -> dict[str, float]:
    north, east, depth = (round(float(one), 2) + 0.0 for one in point)
    return {"north_m": north, "east_m": east, "depth_m": depth, "heading_deg": round(math.degrees(heading) % 360.0, 1)}
