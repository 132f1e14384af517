"""Where two hulls touch first while they move, and how each answers a push there.

Over a control interval a hull goes straight from pose to pose and turns at a constant rate. The first touch is found by
conservative advancement (Mirtich, 1996): no point of two hulls comes nearer to one of the other in a share s of the
interval than s (|d| + r1 a1 + r2 a2), with d the relative travel, r the reach of each hull about O and a the angle it
turns, so that a step of gap / (|d| + r1 a1 + r2 a2) cannot pass a touch. Hulls nearer than `SKIN_M` touch.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pelagos.engine.contact.convex import separation
from pelagos.engine.contact.shapes import N_SHAPE, least_half
from pelagos.engine.water.sea import FORM, HULL
from pelagos.frames import euler_from_quaternion, quaternion_product, rotation_from_quaternion
from pelagos.vehicle.plant import Plant

Array = NDArray[np.float64]
SKIN_M = 1e-3
FAR = 1e9


class Pose(NamedTuple):
    """Place (NED, m) and attitude (unit quaternion) of a vehicle."""

    position_n: Array
    quaternion: Array

    @classmethod
    def of(cls, plant: Plant) -> Pose:
        """Where a vehicle is now."""
        return cls(plant.position_n.copy(), plant.quaternion)

    def towards(self, other: Pose, share: float) -> Pose:
        """A part of the way to another pose: straight on, turning about one axis at a constant rate."""
        place = self.position_n + share * (other.position_n - self.position_n)
        angle = self.angle_to(other)
        if angle < 1e-9:
            return Pose(place, other.quaternion)
        end = other.quaternion if float(self.quaternion @ other.quaternion) >= 0.0 else -other.quaternion
        a, b = math.sin(0.5 * (1.0 - share) * angle), math.sin(0.5 * share * angle)
        turned = a * self.quaternion + b * end
        return Pose(place, turned / np.linalg.norm(turned))

    def angle_to(self, other: Pose) -> float:
        """Angle between two attitudes, rad."""
        gap = min(float(np.linalg.norm(self.quaternion - s * other.quaternion)) for s in (1.0, -1.0))
        return 4.0 * math.asin(min(1.0, 0.5 * gap))

    def carried(self, other: Pose, point: Array) -> Array:
        """How far a point fixed in the body goes from this pose to another, NED."""
        turn = rotation_from_quaternion(other.quaternion) @ rotation_from_quaternion(self.quaternion).T
        return other.position_n + turn @ (point - self.position_n) - point


class HullBody(NamedTuple):
    """The solid part of a vehicle."""

    forms: Array  # convex, body axes
    reach: float  # m, radius about O that holds them all
    thin: float  # m, least half thickness

    @classmethod
    def of(cls, plant: Plant) -> HullBody:
        """From the table of the hull."""
        head = plant.hull[: HULL.size].view(HULL.dtype)[0]
        first, n = int(head["forms_at"]), int(head["n_forms"])
        forms = plant.hull[first : first + n * FORM.size].reshape(n, FORM.size)
        return cls(forms, float(head["reach"]), min((float(least_half(form)) for form in forms), default=math.inf))

    def placed(self, pose: Pose) -> Array:
        """Its forms in NED: rows as the engine's `shapes` read them."""
        R = rotation_from_quaternion(pose.quaternion)
        rows = self.forms[:, :N_SHAPE].copy()
        rows[:, 1:4] = self.forms[:, 1:4] @ R.T + pose.position_n
        rows[:, 4:13] = (R @ self.forms[:, 4:13].reshape(-1, 3, 3)).reshape(-1, 9)
        return rows


class Touch(NamedTuple):
    """Two hulls at their nearest."""

    gap: float  # m, below 0 where they overlap
    normal: Array  # unit, NED, from the second to the first
    point: Array  # NED


def nearest(one: HullBody, at_one: Pose, two: HullBody, at_two: Pose) -> Touch | None:
    """The pair of forms that is nearest or overlaps most; None if a vehicle has no form."""
    work, best = np.empty((13, 4)), np.empty(6)
    found: Touch | None = None
    others = two.placed(at_two)
    for form in one.placed(at_one):
        for other in others:
            gap = float(separation(form, other, FAR, work, best))
            if found is None or gap < found.gap:
                found = Touch(gap, best[:3].copy(), best[3:].copy())
    return found


def may_touch(one: HullBody, two: HullBody, before: tuple[Pose, Pose], after: tuple[Pose, Pose]) -> bool:
    """Whether the spheres about two vehicles touch anywhere on the way."""
    x, y, z = (before[0].position_n - before[1].position_n).tolist()
    u, v, w = (after[0].position_n - after[1].position_n).tolist()
    u, v, w = u - x, v - y, w - z
    travel = u * u + v * v + w * w
    share = min(1.0, max(0.0, -(x * u + y * v + z * w) / travel)) if travel > 0.0 else 0.0
    x, y, z = x + share * u, y + share * v, z + share * w
    return x * x + y * y + z * z < (one.reach + two.reach + SKIN_M) ** 2


def first_touch(
    one: HullBody, two: HullBody, before: tuple[Pose, Pose], after: tuple[Pose, Pose]
) -> tuple[float, Touch, tuple[Pose, Pose]] | None:
    """Share of the way, place and poses where two hulls first touch while they approach there; None if never."""
    way = after[0].position_n - before[0].position_n - after[1].position_n + before[1].position_n
    turns = one.reach * before[0].angle_to(after[0]) + two.reach * before[1].angle_to(after[1])
    bound = float(np.linalg.norm(way)) + turns
    if bound < 1e-12:
        return None
    least = 0.25 * min(one.thin, two.thin)  # so far they may go at once where they slide past each other

    def look(share: float) -> tuple[Touch | None, tuple[Pose, Pose]]:
        poses = before[0].towards(after[0], share), before[1].towards(after[1], share)
        return nearest(one, poses[0], two, poses[1]), poses

    def approaching(touch: Touch, poses: tuple[Pose, Pose]) -> bool:
        nearer = poses[0].carried(after[0], touch.point) - poses[1].carried(after[1], touch.point)
        return float(touch.normal @ nearer) < -1e-9

    last, share = 0.0, 0.0
    while share < 1.0:
        touch, poses = look(share)
        if touch is None:
            return None
        if touch.gap <= SKIN_M and approaching(touch, poses):
            best, low, high = (share, touch, poses), last, share
            while best[1].gap < 0.0 and (high - low) * bound > 0.1 * SKIN_M:  # it went too far: back to the touch
                middle = 0.5 * (low + high)
                there, at = look(middle)
                if there is None or there.gap > SKIN_M or not approaching(there, at):
                    low = middle
                else:
                    high, best = middle, (middle, there, at)
            return best
        last, share = share, share + max(touch.gap, least) / bound
    return None


def row(pose: Pose, normal: Array, point: Array) -> Array:
    """J: takes nu to the velocity of a point along a direction, both NED; also the wrench of a unit push there."""
    R = rotation_from_quaternion(pose.quaternion)
    n, r = R.T @ normal, R.T @ (point - pose.position_n)
    return np.concatenate([n, np.cross(r, n)])


def velocity_n(plant: Plant, pose: Pose, point: Array) -> Array:
    """Velocity of a point of the body at a pose, NED."""
    R = rotation_from_quaternion(pose.quaternion)
    return R @ (plant.nu[:3] + np.cross(plant.nu[3:], R.T @ (point - pose.position_n)))


def answer(plant: Plant, push: Array) -> Array:
    """M^-1 J^T on the free axes: the change of nu for a unit impulse."""
    free = np.array(plant.vehicle.free)
    change = np.zeros(6)
    inner: Any = plant.packed.mass_matrix[np.ix_(free, free)]
    change[free] = np.linalg.solve(inner, push[free])
    return change


def move(plant: Plant, change: Array) -> None:
    """Displace a vehicle by a small motion in body axes: m along, rad about them."""
    q = plant.quaternion
    plant.position_n[:] += rotation_from_quaternion(q) @ change[:3]
    angle = float(np.linalg.norm(change[3:]))
    if angle > 0.0:
        axis = math.sin(0.5 * angle) / angle * change[3:]
        q = quaternion_product(q, np.array([math.cos(0.5 * angle), *axis]))
        if plant.euler_angles:
            plant.state["attitude"][:3] = euler_from_quaternion(q)
        else:
            plant.state["attitude"][:] = q / np.linalg.norm(q)
