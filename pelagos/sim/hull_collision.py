"""First touch of two moving hulls, and the response of a vehicle to an impulse there.

Over a control interval a hull moves straight from pose to pose and turns at a constant rate. The first touch is found
by conservative advancement (Mirtich, 1996): in a share s of the interval the gap between two hulls shrinks by at most
s (|d| + r1 a1 + r2 a2), with d the relative displacement, r the reach of each hull about O and a its angle of rotation.
A step of gap / (|d| + r1 a1 + r2 a2) therefore cannot pass a touch. Hulls closer than `SKIN_M` touch.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pelagos.engine.contact.convex import separation
from pelagos.engine.contact.shapes import N_SHAPE, least_half
from pelagos.engine.water.sea import FORM, HULL, SHAPE
from pelagos.frames import euler_from_quaternion, quaternion_product, rotation_from_quaternion
from pelagos.vehicle.plant import Plant

Array = NDArray[np.float64]
SKIN_M = 1e-3  # gap at which hulls touch (a choice): far below the size of any hull, far above rounding
FAR = 1e9  # m, beyond any gap: `separation` then always computes the exact distance


class Pose(NamedTuple):
    """Position (NED, m) and attitude (unit quaternion) of a vehicle."""

    position_n: Array
    quaternion: Array

    @classmethod
    def of(cls, plant: Plant) -> Pose:
        """The present pose of a plant."""
        return cls(plant.position_n.copy(), plant.quaternion)

    def towards(self, other: Pose, share: float) -> Pose:
        """The pose at a share of the way to another: linear in position, slerp in attitude."""
        place = self.position_n + share * (other.position_n - self.position_n)
        angle = self.angle_to(other)
        if angle < 1e-9:  # slerp would divide zero by zero
            return Pose(place, other.quaternion)
        end = other.quaternion if float(self.quaternion @ other.quaternion) >= 0.0 else -other.quaternion
        a, b = math.sin(0.5 * (1.0 - share) * angle), math.sin(0.5 * share * angle)
        attitude = a * self.quaternion + b * end
        return Pose(place, attitude / np.linalg.norm(attitude))

    def angle_to(self, other: Pose) -> float:
        """Angle between two attitudes, rad."""
        gap = min(float(np.linalg.norm(self.quaternion - s * other.quaternion)) for s in (1.0, -1.0))
        return 4.0 * math.asin(min(1.0, 0.5 * gap))

    def carried(self, other: Pose, point: Array) -> Array:
        """Displacement, NED, of a body-fixed point from this pose to another."""
        turn = rotation_from_quaternion(other.quaternion) @ rotation_from_quaternion(self.quaternion).T
        return other.position_n + turn @ (point - self.position_n) - point


class HullBody(NamedTuple):
    """Convex forms of a vehicle's hull, for contact."""

    forms: Array  # FORM records, one a row, body axes
    reach: float  # m, radius of the sphere about O that contains them
    thin: float  # m, smallest half thickness

    @classmethod
    def of(cls, plant: Plant) -> HullBody:
        """The hull body of a plant."""
        head = plant.hull[: HULL.size].view(HULL.dtype)[0]
        first, n = int(head["forms_at"]), int(head["n_forms"])
        forms = plant.hull[first : first + n * FORM.size].reshape(n, FORM.size)
        return cls(forms, float(head["reach"]), min((float(least_half(form)) for form in forms), default=math.inf))

    def placed(self, pose: Pose) -> Array:
        """The forms in NED at a pose, as SHAPE records of the engine."""
        R = rotation_from_quaternion(pose.quaternion)
        rows = self.forms[:, :N_SHAPE].copy()
        shapes, forms = rows.view(SHAPE.dtype)[:, 0], self.records
        shapes["center"] = forms["center"] @ R.T + pose.position_n
        shapes["axes"] = (R @ forms["axes"].reshape(-1, 3, 3)).reshape(-1, 9)
        return rows

    @property
    def records(self) -> Any:
        """The forms as records with the fields of FORM."""
        return self.forms.view(FORM.dtype)[:, 0]


class Touch(NamedTuple):
    """The closest points of two hulls."""

    gap: float  # m, below 0 where they overlap
    normal: Array  # unit, NED, from the second to the first
    point: Array  # NED


def nearest(first: HullBody, first_pose: Pose, second: HullBody, second_pose: Pose) -> Touch | None:
    """The closest, or deepest overlapping, pair of forms; None if a vehicle has no forms."""
    work, best = np.empty((13, 4)), np.empty(6)
    closest: Touch | None = None
    others = second.placed(second_pose)
    for form in first.placed(first_pose):
        for other in others:
            gap = float(separation(form, other, FAR, work, best))
            if closest is None or gap < closest.gap:
                closest = Touch(gap, best[:3].copy(), best[3:].copy())
    return closest


def spheres_touch(first: HullBody, second: HullBody, before: tuple[Pose, Pose], after: tuple[Pose, Pose]) -> bool:
    """Whether the bounding spheres of two vehicles touch anywhere on the way."""
    x, y, z = (before[0].position_n - before[1].position_n).tolist()
    u, v, w = (after[0].position_n - after[1].position_n).tolist()
    u, v, w = u - x, v - y, w - z
    travel = u * u + v * v + w * w
    share = min(1.0, max(0.0, -(x * u + y * v + z * w) / travel)) if travel > 0.0 else 0.0
    x, y, z = x + share * u, y + share * v, z + share * w
    return x * x + y * y + z * z < (first.reach + second.reach + SKIN_M) ** 2


def first_touch(
    first: HullBody, second: HullBody, before: tuple[Pose, Pose], after: tuple[Pose, Pose]
) -> tuple[float, Touch, tuple[Pose, Pose]] | None:
    """Share of the way, touch and poses at the first touch at which the hulls approach each other; None if never."""
    way = after[0].position_n - before[0].position_n - after[1].position_n + before[1].position_n
    turns = first.reach * before[0].angle_to(after[0]) + second.reach * before[1].angle_to(after[1])
    bound = float(np.linalg.norm(way)) + turns
    if bound < 1e-12:
        return None
    # Hulls that slide along each other keep a gap near zero; without a smallest step the search would not advance.
    least = 0.25 * min(first.thin, second.thin)

    def touch_at(share: float) -> tuple[Touch | None, tuple[Pose, Pose]]:
        poses = before[0].towards(after[0], share), before[1].towards(after[1], share)
        return nearest(first, poses[0], second, poses[1]), poses

    def approaching(touch: Touch, poses: tuple[Pose, Pose]) -> bool:
        nearer = poses[0].carried(after[0], touch.point) - poses[1].carried(after[1], touch.point)
        return float(touch.normal @ nearer) < -1e-9

    last, share = 0.0, 0.0
    while share < 1.0:
        touch, poses = touch_at(share)
        if touch is None:
            return None
        if touch.gap <= SKIN_M and approaching(touch, poses):
            best, low, high = (share, touch, poses), last, share
            # The smallest step may have passed the touch: bisect back to it.
            while best[1].gap < 0.0 and (high - low) * bound > 0.1 * SKIN_M:
                middle = 0.5 * (low + high)
                there, at = touch_at(middle)
                if there is None or there.gap > SKIN_M or not approaching(there, at):
                    low = middle
                else:
                    high, best = middle, (middle, there, at)
            return best
        last, share = share, share + max(touch.gap, least) / bound
    return None


def contact_jacobian(pose: Pose, normal: Array, point: Array) -> Array:
    """The row J that maps nu to the velocity of a point along a normal, both NED; its transpose is the unit wrench."""
    R = rotation_from_quaternion(pose.quaternion)
    n, r = R.T @ normal, R.T @ (point - pose.position_n)
    return np.concatenate([n, np.cross(r, n)])


def velocity_n(plant: Plant, pose: Pose, point: Array) -> Array:
    """Velocity of a point of the body at a pose, NED."""
    R = rotation_from_quaternion(pose.quaternion)
    return R @ (plant.nu[:3] + np.cross(plant.nu[3:], R.T @ (point - pose.position_n)))


def impulse_response(plant: Plant, jacobian: Array) -> Array:
    """M^-1 J^T on the free axes: the change of nu by a unit impulse."""
    free = np.array(plant.vehicle.free)
    change = np.zeros(6)
    inner: Any = plant.packed.mass_matrix[np.ix_(free, free)]
    change[free] = np.linalg.solve(inner, jacobian[free])
    return change


def displace(plant: Plant, change: Array) -> None:
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
