"""Start positions for any vehicle in any world: free water a little above the bottom, facing a structure.

The vehicle faces the most compact structure of the world: a wellhead rather than a pipeline, a pile rather than a quay.
It starts downstream if possible, so that the current does not carry it into the structure.
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
# These values have no source: they are chosen for a good first view of the library's worlds.
ALTITUDE_M = 3.0  # where the bottom is in reach
USUAL_DEPTH_M = 10.0  # where the bottom is below the depth rating, or below DEEP_M
DEEP_M = 200.0  # without a structure there is nothing to see at such a bottom
VIEW_M = 8.0  # distance from the structure in clear water
RUNNING_M = 30.0  # the same for a vehicle that steers only when it moves
ROOM_M = 0.7  # free water beyond half the vehicle's length
BEARINGS = 16  # around the structure, tried in turn
ASIDE = math.radians(30.0)  # off the perpendicular: two sides of a box show its shape, one does not
RAYS = 200  # to search for solids around the vehicle


def start_in(vehicle: Vehicle, world: World) -> dict[str, float]:
    """A start with north_m, east_m, depth_m, heading_deg for `Simulation.place`; ScenarioError if none is free."""
    for target in _by_size(world):
        for place in _views(vehicle, world, target):
            return place
    for north, east in _rings():
        depth = _depth(vehicle, world, north, east)
        if depth is not None and _is_open(vehicle, world, np.array([north, east, depth])):
            return _place(np.array([north, east, depth]), _longest_view(world, np.array([north, east, depth])))
    raise ScenarioError(
        f"has no free place for {vehicle.key}", file=world.path or world.name or "world", expected="a start"
    )


def start_at(vehicle: Vehicle, world: World, place: Mapping[str, float]) -> dict[str, float]:
    """A start with the origin and a safe depth for missing values; CommandError if it is not in water."""
    north, east = place.get("north_m", 0.0), place.get("east_m", 0.0)
    there = f"at north {north:g} m, east {east:g} m"
    depth = place.get("depth_m")
    bottom = float(world.bottom_m(north, east))
    if depth is None:
        depth = _depth(vehicle, world, north, east)
        if depth is None:
            raise CommandError(f"the water {there} is too shallow for {vehicle.key}", expected="another start")
    if depth >= bottom:
        message = f"the seabed {there} is {bottom:g} m deep"
        raise CommandError(message, key="start depth_m", value=depth, expected="a smaller depth")
    point = [north, east, depth]
    inside = next((k for k, structure in enumerate(world.structures) if bool(structure.contains(point))), None)
    if inside is not None:
        where = f"the start {there}, depth {depth:g} m"
        raise CommandError(f"{where}, is inside {world.named(inside)}", expected="open water")
    return {**place, "north_m": north, "east_m": east, "depth_m": depth}


def can_hover(vehicle: Vehicle) -> bool:
    """Whether a vehicle has thrusters that push it sideways or vertically."""
    return any(math.hypot(*t.direction_b[1:]) > 0.5 for t in vehicle.thrusters)


def _by_size(world: World) -> list[tuple[int, Structure]]:
    """Finite structures with their numbers, the most compact first, then the nearest to the origin."""
    solids = [(k, structure) for k, structure in enumerate(world.structures) if structure.kind != "plane"]
    # Rounded, so that equal structures of a pattern are sorted by distance and not by the last bits of their size.
    return sorted(solids, key=lambda item: (round(item[1].bound_m(), 1), float(np.hypot(*item[1].center_n()[:2]))))


def _views(vehicle: Vehicle, world: World, target: tuple[int, Structure]) -> Iterator[dict[str, float]]:
    """Free starts with a view of a structure, the best first."""
    number, solid = target
    center = solid.center_n()
    away = _distance(vehicle, world)
    flow = world.water_velocity([center])[0]
    downstream = math.atan2(flow[1], flow[0]) if math.hypot(flow[0], flow[1]) > 0.01 else math.pi
    turns = sorted(range(BEARINGS), key=lambda k: min(k, BEARINGS - k))  # from downstream to upstream on both sides
    for turn in turns:
        bearing = downstream + ASIDE + 2.0 * math.pi * turn / BEARINGS  # from the target to the vehicle
        out = np.array([math.cos(bearing), math.sin(bearing), 0.0])
        point = center + (solid.bound_m() + away) * out
        depth = _depth(vehicle, world, point[0], point[1], solid)
        if depth is None:
            continue
        point[2] = depth
        # The bounding sphere may be far larger than the side in view: move up to that side. The bottom, and with it
        # the depth and the side in view, may differ there: once more.
        for _ in range(2):
            hit = world.cast(point, -out)
            if int(hit.obstacle[0]) != number:
                break
            point -= max(0.0, float(hit.range_m[0]) - away) * out
            point[2] = _depth(vehicle, world, point[0], point[1], solid) or point[2]
        else:
            hit = world.cast(point, -out)
            if int(hit.obstacle[0]) == number and _is_open(vehicle, world, point):
                yield _place(point, bearing + math.pi)


def _distance(vehicle: Vehicle, world: World) -> float:
    """Distance of the vehicle's origin from the structure, m: the bow within half the visibility."""
    half = 0.5 * vehicle.length_m
    if not can_hover(vehicle):
        return RUNNING_M + half
    return half + min(VIEW_M, max(2.0, 0.5 * world.visibility_m))


def _depth(vehicle: Vehicle, world: World, north: float, east: float, target: Structure | None = None) -> float | None:
    """A depth a little above the bottom, within the depth rating and the height of the structure; None on land."""
    bottom = float(world.bottom_m(north, east))
    room = 0.5 * vehicle.length_m + ROOM_M
    above = max(ALTITUDE_M, room)
    top = float(np.max(world.surface_m(north, east))) if world.surface else -math.inf
    if bottom - top < 2.0 * ROOM_M:
        return None
    depth = bottom - above
    # A structure is worth a deep start, a bare bottom is not.
    if depth > min(vehicle.depth_rating_m, DEEP_M if target is None else math.inf):
        depth = min(USUAL_DEPTH_M, 0.5 * vehicle.depth_rating_m)
    if target is not None:
        # A sphere has no triangles: within a metre of the depth of its centre.
        corners = target.triangles()[..., 2] if target.kind != "sphere" else target.center_n()[2] + np.array([-1, 1])
        depth = min(max(depth, float(np.min(corners))), float(np.max(corners)))
        depth = min(depth, bottom - min(above, room))
    if depth - top < room:
        depth = 0.5 * (top + bottom)  # shallow water: half way
    return depth if depth <= vehicle.depth_rating_m else None


def _is_open(vehicle: Vehicle, world: World, point: Array) -> bool:
    """Whether a point is in water, with no structure within half the vehicle's length and ROOM_M."""
    inside = any(bool(structure.contains(point)) for structure in world.structures)
    if inside or point[2] >= world.bottom_m(point[0], point[1]):
        return False
    hits = world.cast(point, _sphere(), max_range_m=0.5 * vehicle.length_m + ROOM_M)
    return not np.any(hits.obstacle >= 0)


def _sphere() -> Array:
    """Directions spread evenly over a sphere: a Fibonacci lattice, turned by the golden angle from one to the next."""
    k = np.arange(RAYS) + 0.5
    z = 1.0 - 2.0 * k / RAYS
    turn = k * math.pi * (3.0 - math.sqrt(5.0))
    r = np.sqrt(1.0 - z * z)
    return np.column_stack([r * np.cos(turn), r * np.sin(turn), z])


def _longest_view(world: World, point: Array) -> float:
    """The heading north, east, south or west, rad, with the longest free way; north among equals."""
    turns = 0.5 * math.pi * np.arange(4)
    hits = world.cast(point, np.column_stack([np.cos(turns), np.sin(turns), 0.0 * turns]), max_range_m=1e3)
    return float(turns[int(np.argmax(np.minimum(hits.range_m, 1e3)))])


def _rings() -> Iterator[tuple[float, float]]:
    """Positions on growing circles around the origin, the origin first."""
    yield 0.0, 0.0
    for radius in (2.0, 5.0, 10.0, 20.0, 50.0, 100.0):
        for k in range(BEARINGS):
            turn = 2.0 * math.pi * k / BEARINGS
            yield radius * math.cos(turn), radius * math.sin(turn)


def _place(point: Array, heading: float) -> dict[str, float]:
    north, east, depth = (round(float(x), 2) + 0.0 for x in point)  # + 0.0 turns -0.0 into 0.0
    return {"north_m": north, "east_m": east, "depth_m": depth, "heading_deg": round(math.degrees(heading) % 360.0, 1)}
