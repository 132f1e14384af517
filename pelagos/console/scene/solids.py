"""Closed surfaces that vehicles are drawn from: bodies of revolution, boxes, plates, ducts.

Functions return a `Mesh` in metres about the origin, with faces outward; `placed` rotates and moves it. `ScenePart` is
a mesh with its colour and its role in the drawing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import cos, pi, sin
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.frames import rotation_from_euler
from pelagos.geometry.mesh import Mesh, weld

Array = NDArray[np.float64]
AROUND = 24  # corners of a circle
CREASE = cos(pi * 40.0 / 180.0)  # edges sharper than 40 degrees stay sharp when light is smoothed over a surface
# Colours of Okabe and Ito, which people with colour-vision deficiency tell apart, and greys.
YELLOW, BLUE, ORANGE = "#E8B80C", "#0072B2", "#D55E00"
BLACK, GREY, SILVER = "#23282E", "#4A525B", "#B8C2CC"
GLASS, LIGHT = "#0B1E2D", "#FFF4D6"


@dataclass(frozen=True)
class ScenePart:
    """A part of the drawing of a vehicle: a closed surface in body axes.

    kind: hull, frame, float, thruster, fin, camera or lamp.
    """

    kind: str
    mesh: Mesh
    colour: str
    more: dict[str, Any] = field(default_factory=dict)  # names and hinges by which the page moves it


def revolved(profile: Sequence[tuple[float, float]], around: int = AROUND) -> Mesh:
    """Surface of revolution of a profile of (x, radius) about x.

    The profile runs from stern to bow and starts and ends on the axis. A profile off the axis is closed into a ring; it
    runs forward on the outside and back on the inside.
    """
    line = list(profile)
    ring = line[0][1] > 0.0 or line[-1][1] > 0.0
    rows = len(line)  # of vertices; a point on the axis is a row of equal ones, which `weld` merges
    angle = np.arange(around) * (2.0 * pi / around)
    x, radius = np.array(line).T
    vertices = np.stack(
        [np.repeat(x, around), np.outer(radius, np.cos(angle)).ravel(), np.outer(radius, np.sin(angle)).ravel()], axis=1
    )
    faces: list[tuple[int, int, int]] = []
    for i in range(rows if ring else rows - 1):
        low, high = i * around, (i + 1) % rows * around
        for j in range(around):
            k = (j + 1) % around
            faces += [(low + j, low + k, high + j), (low + k, high + k, high + j)]
    return weld(Mesh(vertices, np.array(faces, dtype=np.int64)))


def capsule(half_m: float, radius_m: float) -> Mesh:
    """Tube along x of straight half length `half_m` with hemispherical ends."""
    angle = np.linspace(0.0, 0.5 * pi, 8)
    bow = [(half_m + radius_m * sin(a), radius_m * cos(a)) for a in angle[:-1]] + [(half_m + radius_m, 0.0)]
    return revolved([(-x, r) for x, r in reversed(bow)] + bow)


def cylinder(half_m: float, radius_m: float) -> Mesh:
    """Tube along x with flat ends."""
    return revolved([(-half_m, 0.0), (-half_m, radius_m), (half_m, radius_m), (half_m, 0.0)])


def ellipsoid(semi_axes_m: ArrayLike) -> Mesh:
    """Ellipsoid along the axes."""
    ball = capsule(0.0, 1.0)
    return Mesh(ball.vertices * np.asarray(semi_axes_m, dtype=float), ball.faces)


def torpedo(half_m: float, radius_m: float) -> Mesh:
    """Torpedo hull inside a tube: elliptic nose, straight middle, tail that narrows to a quarter of the radius."""
    nose, tail = min(3.0 * radius_m, 0.6 * half_m), min(6.0 * radius_m, 0.8 * half_m)
    line = [(-half_m, 0.0)]
    for share in np.linspace(0.0, 1.0, 9):  # a quarter sine from the end of the shaft to the full radius
        line.append((-half_m + tail * share, radius_m * (0.25 + 0.75 * sin(0.5 * pi * share))))
    for angle in np.linspace(0.0, 0.5 * pi, 10):
        line.append((half_m - nose + nose * sin(angle), radius_m * cos(angle)))
    line[-1] = (half_m, 0.0)
    return revolved(line)


def box(size_m: ArrayLike, center_m: ArrayLike = (0.0, 0.0, 0.0)) -> Mesh:
    """Box about its middle."""
    x, y, z = 0.5 * np.asarray(size_m, dtype=float)
    return moved(prism([(-x, -y), (x, -y), (x, y), (-x, y)], -z, z), center_m)


def prism(outline: Sequence[tuple[float, float]], low_m: float, high_m: float) -> Mesh:
    """Prism along z over a convex outline (x, y) that is counter-clockwise seen from +z."""
    n = len(outline)
    flat = np.array(outline, dtype=float)
    vertices = np.vstack([np.column_stack([flat, np.full(n, low_m)]), np.column_stack([flat, np.full(n, high_m)])])
    faces = [(0, i + 1, i) for i in range(1, n - 1)] + [(n, n + i, n + i + 1) for i in range(1, n - 1)]
    for i in range(n):
        k = (i + 1) % n
        faces += [(i, k, n + i), (k, n + k, n + i)]
    return Mesh(vertices, np.array(faces, dtype=np.int64))


def block(size_m: ArrayLike, bevel_m: float) -> Mesh:
    """Box along the axes with bevelled long edges (along x)."""
    x, y, z = 0.5 * np.asarray(size_m, dtype=float)
    b = min(bevel_m, 0.9 * min(y, z))
    outline = [(y, -z + b), (y, z - b), (y - b, z), (-y + b, z), (-y, z - b), (-y, -z + b), (-y + b, -z), (y - b, -z)]
    return placed(prism(outline, -x, x), np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))


def plate(chord_m: float, span_m: float, sweep_m: float = 0.0) -> Mesh:
    """Thin fin in the x-y plane, leading edge ahead, tip at +y and `sweep_m` further aft than the root."""
    half = 0.03 * chord_m  # of the thickness; like all proportions here chosen by eye
    tip = 0.75 * chord_m
    outline = [
        (-0.5 * chord_m, -0.5 * span_m), (0.5 * chord_m, -0.5 * span_m),
        (-0.5 * chord_m + tip - sweep_m, 0.5 * span_m), (-0.5 * chord_m - sweep_m, 0.5 * span_m),
    ]  # fmt: skip
    return prism(outline, -half, half)


def duct(diameter_m: float, length_m: float) -> Mesh:
    """Duct along x for a propeller of a diameter, rounded at its inlet."""
    inner, outer, half = 0.52 * diameter_m, 0.60 * diameter_m, 0.5 * length_m
    rim = min(0.08 * diameter_m, 0.5 * half)
    return revolved([
        (-half, 0.97 * outer), (half - rim, outer), (half, 0.5 * (inner + outer) + 0.02 * diameter_m),
        (half - 0.5 * rim, inner), (-half, inner),
    ])  # fmt: skip


def screw(diameter_m: float, blades: int = 3) -> Mesh:
    """Propeller: a hub along x with blades."""
    hub = revolved([
        (-0.2 * diameter_m, 0.0), (-0.18 * diameter_m, 0.13 * diameter_m), (0.1 * diameter_m, 0.15 * diameter_m),
        (0.2 * diameter_m, 0.08 * diameter_m), (0.23 * diameter_m, 0.0),
    ], 12)  # fmt: skip
    blade = moved(plate(0.26 * diameter_m, 0.4 * diameter_m), (0.0, 0.3 * diameter_m, 0.0))
    pitched = placed(blade, rotation_from_euler(0.0, 0.6, 0.0))
    turns = [rotation_from_euler(2.0 * pi * k / blades, 0.0, 0.0) for k in range(blades)]
    return joined([hub, *(placed(pitched, turn) for turn in turns)])


def placed(mesh: Mesh, axes: Array, center: ArrayLike = (0.0, 0.0, 0.0)) -> Mesh:
    """The mesh rotated by `axes` (a rotation matrix from its axes to the new ones) and moved to `center`."""
    return Mesh(mesh.vertices @ axes.T + np.asarray(center, dtype=float), mesh.faces, mesh.file)


def moved(mesh: Mesh, center: ArrayLike) -> Mesh:
    """The mesh moved to `center`."""
    return placed(mesh, np.eye(3), center)


def along(direction: ArrayLike) -> Array:
    """A rotation matrix that takes x to a direction."""
    first = np.asarray(direction, dtype=float) / np.linalg.norm(direction)
    aside = np.zeros(3)  # the axis farthest from the direction, so that the cross product is well conditioned
    aside[int(np.argmin(np.abs(first)))] = 1.0
    second = np.cross(aside, first)
    second /= np.linalg.norm(second)
    return np.column_stack([first, second, np.cross(first, second)])


def joined(meshes: Sequence[Mesh]) -> Mesh:
    """Several meshes as one; each surface stays closed."""
    starts = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes)])
    faces = [mesh.faces + start for mesh, start in zip(meshes, starts[:-1], strict=True)]
    return Mesh(np.concatenate([mesh.vertices for mesh in meshes]), np.concatenate(faces))


def creased(mesh: Mesh) -> Mesh:
    """The mesh with vertices duplicated at sharp edges, so that vertex normals do not smooth over them."""
    corners = mesh.corners()
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)  # triangles without area
    groups: dict[int, list[tuple[Array, int]]] = {}  # by old vertex: normals met there, and their new vertices
    points: list[Array] = []
    faces = np.zeros_like(mesh.faces)
    for number, (face, normal) in enumerate(zip(mesh.faces.tolist(), normals, strict=True)):
        for corner, vertex in enumerate(face):
            known = groups.setdefault(vertex, [])
            same = next((index for other, index in known if float(other @ normal) >= CREASE), -1)
            if same < 0:
                same = len(points)
                points.append(mesh.vertices[vertex])
                known.append((normal, same))
            faces[number, corner] = same
    return Mesh(np.array(points), faces, mesh.file)
