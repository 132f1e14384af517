"""The world with the things in it that move: what sonar, altimeter and other instruments meet.

Contacts and the other vehicles of a fleet are ellipsoids of their length, beam and height. With the ray o + t d taken
to the axes of the unit sphere, o' = S^-1 R^T (o - c) and d' = S^-1 R^T d, where S holds the half lengths,

    t = (-b - sqrt(a - |o' x d'|^2)) / a,    a = d'.d',    b = o'.d'

is where it enters; a ray that begins inside meets nothing of it. The normal is along R S^-1 (o' + t d').

Everything is where it is at the control tick; the other vehicles of a fleet, which may not have been advanced yet, are
carried on by their velocity. Numbers of what was met go on after those of the structures.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.engine.rays import NOTHING
from pelagos.engine.sea import CAPSULE
from pelagos.frames import rotation_from_quaternion
from pelagos.sensors.base import Scene
from pelagos.sim.contacts import Contacts
from pelagos.sim.dead_reckoning import FPB, reckon
from pelagos.sim.meeting import Body
from pelagos.world.rays import Hits
from pelagos.world.spec import World

if TYPE_CHECKING:
    from pelagos.sim.simulation import Simulation
    from pelagos.vehicle.plant import Plant

Array = NDArray[np.float64]


class Ellipsoid(NamedTuple):
    """A thing that rays meet: its middle, axes and half lengths, NED, m."""

    name: str
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
    def things(self) -> tuple[Ellipsoid, ...]:
        """All that moves: contacts, then vehicles."""
        seen = [
            Ellipsoid(
                contact.name or contact.key, place, rotation_from_quaternion(attitude),
                0.5 * np.array((contact.length_m, contact.beam_m, contact.height_m)),
            )
            for contact, place, attitude in self._contacts.at(self._time_s)
        ]  # fmt: skip
        return (*seen, *(vehicle_at(sim, self._time_s) for sim in self._others))

    @cached_property
    def _spheres(self) -> Array:
        """Middle and radius of the sphere about each thing."""
        return np.array([(*thing.center_n, float(thing.half_m.max())) for thing in self.things]).reshape(-1, 4)

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
            thing = self.things[number]
            ranges, normals = enter(thing, starts, along)
            nearer = (ranges < hits.range_m) & (ranges < max_range_m)
            if nearer.any():
                hits.range_m[nearer], hits.normal[nearer] = ranges[nearer], normals[nearer]
                hits.what[nearer] = first + number
        assert not len(hits) or hits.what.min() >= NOTHING
        return Hits(hits.range_m, hits.normal, hits.what, (*hits.names, *(thing.name for thing in self.things)))

    def _near(self, starts: Array, max_range_m: float) -> NDArray[np.intp]:
        """Which things any of these rays could reach."""
        middle = starts.mean(axis=0)
        spread = float(np.linalg.norm(starts - middle, axis=1).max()) if len(starts) > 1 else 0.0
        away = np.linalg.norm(self._spheres[:, :3] - middle, axis=1)
        return np.flatnonzero(away - self._spheres[:, 3] - spread <= max_range_m)


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
    return Ellipsoid(sim.name, place + R_nb @ center_b, R_nb, half)


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
