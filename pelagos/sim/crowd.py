"""The world with the things in it that move: what sonar, altimeter and other instruments meet.

Contacts and the other vehicles of a fleet are ellipsoids of their length, beam and height. With the ray o + t d taken
to the axes of the unit sphere, o' = S^-1 R^T (o - c) and d' = S^-1 R^T d, where S holds the half lengths,

    t = (-b - sqrt(a - |o' x d'|^2)) / a,    a = d'.d',    b = o'.d'

is where it enters; a ray that begins inside meets nothing of it. The normal is along R S^-1 (o' + t d').

Everything is where it is at the control tick; the other vehicles of a fleet, which may not have been advanced yet, are
carried on by their velocity. Numbers of what was met go on after those of the structures. Of more than `MOST_HEARD`
things in reach the nearest are met.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.engine.sea import CAPSULE
from pelagos.frames import rotation_from_quaternion
from pelagos.sensors.base import Scene
from pelagos.sim.contacts import Contacts, Sighting
from pelagos.sim.dead_reckoning import FPB, reckon
from pelagos.sim.meeting import Body
from pelagos.world.rays import Hits
from pelagos.world.spec import World

if TYPE_CHECKING:
    from pelagos.sim.simulation import Simulation
    from pelagos.vehicle.plant import Plant

Array = NDArray[np.float64]
MOST_HEARD = 64  # things that one instrument tells apart at once; a crowd must not cost more time than that


class Ellipsoid(NamedTuple):
    """A thing that rays meet: its middle, axes and half lengths, NED, m."""

    center_n: Array
    R_nb: Array
    half_m: Array


def surroundings(world: World, contacts: Contacts, others: Sequence[Simulation], time_s: float) -> Scene:
    """What instruments look at: the world itself where there is nothing else."""
    return Crowd(world, contacts, others, time_s) if len(contacts) or others else world


class Crowd:
    """A world, its contacts and other vehicles at one instant; nothing is reckoned before a ray is cast."""

    def __init__(self, world: World, contacts: Contacts, others: Sequence[Simulation], time_s: float) -> None:
        self._world, self._contacts, self._others, self._time_s = world, contacts, others, time_s

    @cached_property
    def _all(self) -> list[Sighting | Simulation]:
        """All that moves: contacts, then vehicles."""
        return [*self._contacts.at(self._time_s), *self._others]

    @cached_property
    def _spheres(self) -> Array:
        """Middle and radius of the sphere about each thing; a vehicle's is as large as its hull reaches from O."""
        rows: list[tuple[float, ...]] = []
        for one in self._all:
            if isinstance(one, Sighting):
                contact = one.contact
                rows.append((*one.position_n.tolist(), 0.5 * max(contact.length_m, contact.beam_m, contact.height_m)))
            else:
                thing = vehicle_at(one, self._time_s)
                rows.append((*thing.center_n.tolist(), float(thing.half_m.max())))
        return np.array(rows).reshape(-1, 4)

    def thing(self, number: int) -> Ellipsoid:
        """One of them as rays meet it."""
        one = self._all[number]
        if not isinstance(one, Sighting):
            return vehicle_at(one, self._time_s)
        contact = one.contact
        half = 0.5 * np.array((contact.length_m, contact.beam_m, contact.height_m))
        return Ellipsoid(one.position_n, rotation_from_quaternion(one.quaternion), half)

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(
            (one.contact.name or one.contact.key) if isinstance(one, Sighting) else one.name for one in self._all
        )

    def water_velocity(self, positions_n: ArrayLike, time_s: float = 0.0) -> Array:
        """That of the world."""
        return self._world.water_velocity(positions_n, time_s)

    def cast(self, origins: ArrayLike, directions: ArrayLike, *, max_range_m: float = math.inf) -> Hits:
        """As `World.cast`; what hides what is settled by the range."""
        hits = self._world.cast(origins, directions, max_range_m=max_range_m)
        starts = np.atleast_2d(np.asarray(origins, dtype=np.float64))
        along = np.atleast_2d(np.asarray(directions, dtype=np.float64))
        along = along / np.linalg.norm(along, axis=1, keepdims=True)
        first = len(self._world.structures)
        for number in self._near(starts, max_range_m).tolist():
            ranges, normals = enter(self.thing(number), starts, along)
            nearer = (ranges < hits.range_m) & (ranges < max_range_m)
            if nearer.any():
                hits.range_m[nearer], hits.normal[nearer] = ranges[nearer], normals[nearer]
                hits.what[nearer] = first + number
        return Hits(hits.range_m, hits.normal, hits.what, (*hits.names, *self._names))

    def _near(self, starts: Array, max_range_m: float) -> NDArray[np.intp]:
        """Which things any of these rays could reach; the nearest, if they are very many."""
        middle = starts.mean(axis=0)
        spread = float(np.linalg.norm(starts - middle, axis=1).max()) if len(starts) > 1 else 0.0
        gaps = np.linalg.norm(self._spheres[:, :3] - middle, axis=1) - self._spheres[:, 3] - spread
        found = np.flatnonzero(gaps <= max_range_m)
        return found if len(found) <= MOST_HEARD else found[np.argsort(gaps[found], kind="stable")[:MOST_HEARD]]


def enter(thing: Ellipsoid, starts: Array, along: Array) -> tuple[Array, Array]:
    """Range at which each ray enters, infinite if it does not, and the outward normal there."""
    to_unit = thing.R_nb / thing.half_m  # columns: axes over half lengths, so that v @ it is S^-1 R^T v
    o, d = (starts - thing.center_n) @ to_unit, along @ to_unit
    o, d = np.broadcast_arrays(o, d)
    a, b = np.einsum("ij,ij->i", d, d), np.einsum("ij,ij->i", o, d)
    across = np.cross(o, d)
    under = a - np.einsum("ij,ij->i", across, across)  # not b^2 - a c, which loses its digits far away
    outside = np.einsum("ij,ij->i", o, o) > 1.0
    met = outside & (under > 0.0) & (b < 0.0)
    root = np.sqrt(np.where(met, under, 0.0))
    ranges = np.where(met, (-b - root) / a, math.inf)
    points = o + np.where(met, ranges, 0.0)[:, None] * d
    normals = points @ to_unit.T
    return ranges, normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)


def vehicle_at(sim: Simulation, time_s: float) -> Ellipsoid:
    """The ellipsoid in the box about a vehicle's hull, at a time not more than an interval after its own."""
    plant = sim.plant
    center_b, half = hull_box(plant)
    late = min(max(time_s - sim.time_s, 0.0), sim.interval_s)
    place, attitude = reckon(FPB, late, plant.position_n, plant.quaternion, plant.nu[:3], (0, 0, 0), (0, 0, 0))
    R_nb = rotation_from_quaternion(attitude)
    return Ellipsoid(place + R_nb @ center_b, R_nb, half)


def hull_box(plant: Plant) -> tuple[Array, Array]:
    """Middle and half lengths of the box about the hull's forms, body axes, m; without forms a slender body."""
    forms = Body.of(plant).forms
    if not len(forms):
        length = plant.vehicle.length_m
        return np.zeros(3), 0.5 * np.array((length, 0.2 * length, 0.2 * length))
    centers, axes, half = forms[:, 1:4], np.abs(forms[:, 4:13].reshape(-1, 3, 3)), forms[:, 13:16]
    extent = np.einsum("nij,nj->ni", axes, half)
    capsules = forms[:, 0] == CAPSULE
    extent[capsules] = axes[capsules][:, :, 0] * half[capsules, :1] + half[capsules, 1:2]
    low, high = (centers - extent).min(axis=0), (centers + extent).max(axis=0)
    return 0.5 * (low + high), 0.5 * (high - low)
