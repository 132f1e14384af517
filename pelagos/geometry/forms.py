"""Convex forms of a hull for contact: box, cylinder, ellipsoid, capsule, in body axes, and points on their surface.

The points, called feelers, detect contact with surfaces that are not convex (seabed, meshes). Their spacing is a
quarter of the form's longest side: a box has a lattice of its surface with one to four steps along each side (8 to 98
points, all corners and edges among them); a cylinder rings of twelve, one to four steps apart, the middle of its ends
and a ring half way in; a capsule rings along its straight part and around its round ends; an ellipsoid the lattice of a
box projected onto its surface (98 points). Feelers inside another form are left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import choice
from pelagos.engine.water.sea import BOX, CAPSULE, CYLINDER, SPHERE
from pelagos.errors import CommandError

KINDS = {"box": BOX, "cylinder": CYLINDER, "ellipsoid": SPHERE, "capsule": CAPSULE}
Vec3 = tuple[float, float, float]
Axes = tuple[Vec3, Vec3, Vec3]
STRAIGHT: Axes = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
AROUND = 12  # feelers of a ring
STEPS = 4  # of feelers along the longest side
INSIDE_M = 1e-6  # depth in another form from which a feeler is left out: one on a common face stays


@dataclass(frozen=True)
class Form:
    """Convex form of a hull.

    `half_m`: half lengths of a box; semi-axes of an ellipsoid; half length and radius of a cylinder along its x;
    half length of the straight part and radius of a capsule along its x (the third number is then not used).
    `axes_b` rotates from the form's axes to body axes, row by row.
    """

    kind: str
    center_b: Vec3
    half_m: Vec3
    axes_b: Axes = STRAIGHT

    def __post_init__(self) -> None:
        """Check kind, lengths and rotation."""
        choice("form kind", self.kind, KINDS)
        used = self.half_m if self.kind in ("box", "ellipsoid") else self.half_m[:2]
        straight = self.half_m[0] >= 0.0 if self.kind == "capsule" else self.half_m[0] > 0.0
        if not (np.all(np.isfinite(used)) and straight and min(used[1:]) > 0.0):
            raise CommandError(key="form half_m", value=self.half_m, expected="lengths above 0")
        axes = np.array(self.axes_b)
        if axes.shape != (3, 3) or not np.allclose(axes @ axes.T, np.eye(3), atol=1e-9):
            raise CommandError(key="form axes_b", value=self.axes_b, expected="a rotation, three rows of three numbers")

    @property
    def box_m(self) -> Vec3:
        """Half lengths of the bounding box, in the form's axes."""
        a, b, c = self.half_m
        if self.kind == "cylinder":
            return (a, b, b)
        return (a + b, b, b) if self.kind == "capsule" else (a, b, c)

    def to_body(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Transform points (n, 3) from the form's axes to body axes."""
        return points @ np.array(self.axes_b).T + np.array(self.center_b)

    def inside(self, points: NDArray[np.float64], deeper_m: float = 0.0) -> NDArray[np.bool_]:
        """Whether each of the points (n, 3), body axes, is inside by more than `deeper_m`."""
        local = (points - np.array(self.center_b)) @ np.array(self.axes_b)
        a, b = self.half_m[0], self.half_m[1]
        if self.kind == "box":
            return np.all(np.abs(local) < np.array(self.half_m) - deeper_m, axis=1)
        if self.kind == "ellipsoid":
            return np.sum((local / (np.array(self.half_m) - deeper_m)) ** 2, axis=1) < 1.0
        across = np.hypot(local[:, 1], local[:, 2])
        if self.kind == "cylinder":
            return (np.abs(local[:, 0]) < a - deeper_m) & (across < b - deeper_m)
        return np.hypot(np.maximum(np.abs(local[:, 0]) - a, 0.0), across) < b - deeper_m


def form_record(form: Form) -> dict[str, Any]:
    """Fields of the engine's FORM record of a form."""
    return {
        "kind": KINDS[form.kind],
        "center": form.center_b,
        "axes": np.array(form.axes_b, dtype=float).ravel(),
        "half": form.half_m,
    }


def farthest_m(forms: tuple[Form, ...]) -> float:
    """Radius about O that holds all forms, m."""
    reach = 0.0
    for form in forms:
        extent = np.array(form.box_m)
        if form.kind == "box":
            signs = np.array(np.meshgrid(*[(-1.0, 1.0)] * 3)).reshape(3, -1).T
            reach = max(reach, float(np.max(np.linalg.norm(form.to_body(signs * extent), axis=1))))
        elif form.kind == "cylinder":
            reach = max(reach, float(np.linalg.norm(form.center_b) + np.hypot(extent[0], extent[1])))
        else:
            reach = max(reach, float(np.linalg.norm(form.center_b) + np.max(extent)))
    return reach


def feelers(forms: Sequence[Form]) -> NDArray[np.float64]:
    """Points (n, 3) on the surface of the forms, body axes, m."""
    kept: list[NDArray[np.float64]] = []
    for form in forms:
        points = form.to_body(_surface_points(form))
        hidden = [other.inside(points, INSIDE_M) for other in forms if other is not form]
        kept.append(points[~np.any(hidden, axis=0)] if hidden else points)
    return np.unique(np.round(np.vstack(kept), 9), axis=0) if kept else np.zeros((0, 3))


def _surface_points(form: Form) -> NDArray[np.float64]:
    """Points on the surface in the form's axes."""
    a, b, c = form.half_m
    if form.kind == "box":
        return _lattice((a, b, c)) * np.array([a, b, c])
    if form.kind == "ellipsoid":
        points = _lattice((1.0, 1.0, 1.0))
        return points / np.linalg.norm(points, axis=1, keepdims=True) * np.array([a, b, c])
    ring = np.array([(math.cos(t), math.sin(t)) for t in np.arange(AROUND) * (2.0 * math.pi / AROUND)])
    steps = max(1, round(STEPS * min(1.0, a / b))) if a > 0.0 else 0
    rings = [(x, b) for x in np.linspace(-a, a, steps + 1)]
    if form.kind == "cylinder":
        rings += [(x, r) for x in (-a, a) for r in (0.5 * b, 0.0)]
    else:
        for angle in (30.0, 60.0, 90.0):
            x, r = a + b * math.sin(math.radians(angle)), b * math.cos(math.radians(angle))
            rings += [(x, r), (-x, r)]
    return np.vstack([np.column_stack([np.full(AROUND, x), r * ring]) for x, r in rings])


def _lattice(half: tuple[float, float, float]) -> NDArray[np.float64]:
    """Lattice on the surface of the cube -1..1, finer along the longer sides."""
    longest = max(half)
    counts = [max(1, round(STEPS * length / longest)) for length in half]
    grids = np.meshgrid(*[np.linspace(-1.0, 1.0, count + 1) for count in counts], indexing="ij")
    points = np.stack(grids, axis=-1).reshape(-1, 3)
    return points[np.max(np.abs(points), axis=1) == 1.0]
