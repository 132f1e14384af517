"""The scene of ray sensors with moving obstacles: contacts and the other vehicles of a fleet.

Each obstacle is an ellipsoid of its length, beam and height. With the ray o + t d transformed to the axes of the unit
sphere, o' = S^-1 R^T (o - c) and d' = S^-1 R^T d, where S holds the half lengths, the ray enters at

    t = -b / a - sqrt((1 - |o' - d' b / a|^2) / a),    a = d'.d',    b = o'.d'

with the normal along R S^-1 (o' + t d'). A ray that starts inside an ellipsoid does not hit it.

Obstacles have their positions of the control tick. Other vehicles of the fleet that are not advanced yet are
extrapolated by their velocity. Obstacles are numbered after the structures of the world. If more than `MOST_HEARD`
obstacles are within range, rays hit only the nearest of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.dead_reckoning import FPB, reckon
from pelagos.engine.water.sea import CAPSULE
from pelagos.frames import rotation_from_quaternion
from pelagos.sensors.base import Scene
from pelagos.sim.contacts import Contact, Contacts
from pelagos.sim.hull_collision import HullBody
from pelagos.world.rays import Hits
from pelagos.world.spec import World

if TYPE_CHECKING:
    from pelagos.sim.simulation import Simulation
    from pelagos.vehicle.plant import Plant

Array = NDArray[np.float64]
MOST_HEARD = 64  # obstacles within range of one sensor; bounds the time of a tick in a crowd


class Ellipsoid(NamedTuple):
    """An obstacle for rays: centre, axes (columns) and half lengths, NED, m."""

    center_n: Array
    R_nb: Array
    half_m: Array


def scene_at(world: World, contacts: Contacts, others: Sequence[Simulation], time_s: float) -> Scene:
    """The scene at a simulated time: the world itself if there are no moving obstacles."""
    return MovingObstacles(world, contacts, others, time_s) if len(contacts) or others else world


class MovingObstacles:
    """A world with its contacts and other vehicles at one instant; positions are computed at the first ray."""

    def __init__(self, world: World, contacts: Contacts, others: Sequence[Simulation], time_s: float) -> None:
        self._world, self._contacts, self._others, self._time_s = world, contacts, others, time_s

    @cached_property
    def _reports(self) -> list[Contact]:
        return list(self._contacts)

    @cached_property
    def _vehicles(self) -> list[Ellipsoid]:
        return [vehicle_at(sim, self._time_s) for sim in self._others]

    @cached_property
    def _spheres(self) -> Array:
        """Centre and radius of the bounding sphere of each obstacle: contacts, then vehicles."""
        spheres = self._contacts.spheres(self._time_s)
        if not self._vehicles:
            return spheres
        rows = [(*vehicle.center_n.tolist(), float(vehicle.half_m.max())) for vehicle in self._vehicles]
        return np.concatenate([spheres, np.array(rows)])

    def obstacle(self, number: int) -> Ellipsoid:
        """The ellipsoid of an obstacle: contacts, then vehicles."""
        if number >= len(self._reports):
            return self._vehicles[number - len(self._reports)]
        contact = self._reports[number]
        _, place, attitude = contact.at(self._time_s)
        half = 0.5 * np.array((contact.length_m, contact.beam_m, contact.height_m))
        return Ellipsoid(place, rotation_from_quaternion(attitude), half)

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return (*self._contacts.names, *(sim.name for sim in self._others))

    def water_velocity(self, positions_n: ArrayLike, time_s: float = 0.0) -> Array:
        """Velocity of the water; obstacles do not disturb it."""
        return self._world.water_velocity(positions_n, time_s)

    def cast(self, origins: ArrayLike, directions: ArrayLike, *, max_range_m: float = math.inf) -> Hits:
        """First hits of rays, as `World.cast`; the nearer of world and obstacles counts."""
        hits = self._world.cast(origins, directions, max_range_m=max_range_m)
        starts = np.atleast_2d(np.asarray(origins, dtype=np.float64))
        along = np.atleast_2d(np.asarray(directions, dtype=np.float64))
        along = along / np.linalg.norm(along, axis=1, keepdims=True)
        numbers = self._pierced(starts, along, max_range_m)
        if len(numbers):
            obstacles = [self.obstacle(number) for number in numbers.tolist()]
            ranges, normals, which = entry_points(obstacles, starts, along)
            nearer = (ranges < hits.range_m) & (ranges < max_range_m)
            hits = replace(
                hits,
                range_m=np.where(nearer, ranges, hits.range_m),
                normal=np.where(nearer[:, None], normals, hits.normal),
                obstacle=np.where(nearer, len(self._world.structures) + numbers[which], hits.obstacle),
            )
        return replace(hits, names=(*hits.names, *self._names))

    def _pierced(self, starts: Array, along: Array, max_range_m: float) -> NDArray[np.intp]:
        """Numbers of the obstacles whose bounding sphere intersects a ray ahead of its start and within range."""
        near = self._near(starts, max_range_m)
        spheres = self._spheres[near]
        radius = spheres[:, 3:] * (1.0 + 1e-9) + 1e-6  # slack, so that rounding never drops a grazing ray
        to = spheres[:, None, :3] - starts
        ahead = np.einsum("nij,nij->ni", *np.broadcast_arrays(to, along[None]))
        across = to - ahead[..., None] * along
        through = np.einsum("nij,nij->ni", across, across) <= radius**2
        return near[(through & (ahead >= -radius) & (ahead - radius <= max_range_m)).any(axis=1)]

    def _near(self, starts: Array, max_range_m: float) -> NDArray[np.intp]:
        """Numbers of the obstacles within range of the rays, at most the nearest `MOST_HEARD`."""
        middle = starts.mean(axis=0)
        spread = float(np.linalg.norm(starts - middle, axis=1).max()) if len(starts) > 1 else 0.0
        gaps = np.linalg.norm(self._spheres[:, :3] - middle, axis=1) - self._spheres[:, 3] - spread
        reachable = np.flatnonzero(gaps <= max_range_m)
        return (
            reachable
            if len(reachable) <= MOST_HEARD
            else reachable[np.argsort(gaps[reachable], kind="stable")[:MOST_HEARD]]
        )


def entry_points(obstacles: Sequence[Ellipsoid], starts: Array, along: Array) -> tuple[Array, Array, NDArray[np.intp]]:
    """Range at which each ray enters its first obstacle, inf if none; the outward normal there; the obstacle's index.

    Starts are (n, 3), or (1, 3) for all rays; unit directions (n, 3).
    """
    centers, axes, half = (np.array(part) for part in zip(*obstacles, strict=True))
    to_unit = axes / half[:, None, :]  # columns: axes over half lengths, so that v @ to_unit is S^-1 R^T v
    o, d = (starts - centers[:, None]) @ to_unit, along @ to_unit
    a, b = np.einsum("nij,nij->ni", d, d), np.einsum("nij,nij->ni", *np.broadcast_arrays(o, d))
    middle = -b / a  # range of the point closest to the centre of the unit sphere
    # The distance across is computed as a vector: the textbook b^2 - a (o'.o' - 1) loses its digits far away.
    across = o + middle[..., None] * d
    under = 1.0 - np.einsum("nij,nij->ni", across, across)
    met = (np.einsum("nij,nij->ni", o, o) > 1.0) & (under > 0.0) & (b < 0.0)
    ranges = np.where(met, middle - np.sqrt(np.where(met, under, 0.0) / a), math.inf)
    which, rays = ranges.argmin(axis=0), np.arange(ranges.shape[1])
    first = ranges[which, rays]
    o = np.broadcast_to(o, d.shape)[which, rays]
    points = o + np.where(np.isfinite(first), first, 0.0)[:, None] * d[which, rays]
    normals = np.einsum("ij,ikj->ik", points, to_unit[which])
    return first, normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300), which


def vehicle_at(sim: Simulation, time_s: float) -> Ellipsoid:
    """The ellipsoid of a vehicle's hull, extrapolated by at most one control interval to a time."""
    plant = sim.plant
    center_b, half = hull_box(plant)
    late = min(max(time_s - sim.time_s, 0.0), sim.interval_s)
    place, attitude = reckon(FPB, late, plant.position_n, plant.quaternion, plant.nu[:3], (0, 0, 0), (0, 0, 0))
    R_nb = rotation_from_quaternion(attitude)
    return Ellipsoid(place + R_nb @ center_b, R_nb, half)


def hull_box(plant: Plant) -> tuple[Array, Array]:
    """Centre and half lengths of the bounding box of the hull, body axes, m."""
    forms = HullBody.of(plant).records
    if not len(forms):  # no shape in the vehicle's file: a slender body, five times as long as wide
        length = plant.vehicle.length_m
        return np.zeros(3), 0.5 * np.array((length, 0.2 * length, 0.2 * length))
    centers, axes, half = forms["center"], np.abs(forms["axes"].reshape(-1, 3, 3)), forms["half"]
    extent = np.einsum("nij,nj->ni", axes, half)
    capsules = forms["kind"] == CAPSULE  # half: half the straight part, radius
    extent[capsules] = axes[capsules][:, :, 0] * half[capsules, :1] + half[capsules, 1:2]
    low, high = (centers - extent).min(axis=0), (centers + extent).max(axis=0)
    return 0.5 * (low + high), 0.5 * (high - low)
