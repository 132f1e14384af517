"""Closed surfaces that vehicles are drawn from: turned bodies, boxes, plates, ducts. Faces run outward.

Every function gives a `Mesh` in metres about its own origin; `placed` turns and moves it to where it belongs.

One piece of the picture of a vehicle, and the colours that pieces have (Okabe and Ito's, and greys).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import cos, pi, sin
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.geometry.mesh import Mesh, weld

YELLOW, BLUE, ORANGE = "#E8B80C", "#0072B2", "#D55E00"
BLACK, GREY, SILVER = "#23282E", "#4A525B", "#B8C2CC"
GLASS, LIGHT = "#0B1E2D", "#FFF4D6"


@dataclass(frozen=True)
class ScenePart:
    """A closed surface in body axes. kind: hull, frame, float, thruster, fin, camera or lamp."""

    kind: str
    mesh: Mesh
    colour: str
    more: dict[str, Any] = field(default_factory=dict)  # what moves it: names, hinges


# ---- scene solids ----------------------------------------------------------------------------------------------------


Array = NDArray[np.float64]
AROUND = 24  # corners of a circle
CREASE = cos(pi * 40.0 / 180.0)  # edges sharper than 40 degrees keep their edge when light is smoothed over a surface


def turned(profile: Sequence[tuple[float, float]], around: int = AROUND) -> Mesh:
    """The surface that a line of (x, radius) sweeps about x.

    The line runs from stern to bow and starts and ends on the axis; one that does not is closed into a ring, and then
    has to run forward on the outside and back on the inside.
    """
    line = list(profile)
    ring = line[0][1] > 0.0 or line[-1][1] > 0.0
    rows = len(line)
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
    """A tube along x of straight half length `half_m` with round ends."""
    angle = np.linspace(0.0, 0.5 * pi, 8)
    bow = [(half_m + radius_m * sin(a), radius_m * cos(a)) for a in angle[:-1]] + [(half_m + radius_m, 0.0)]
    return turned([(-x, r) for x, r in reversed(bow)] + bow)


def cylinder(half_m: float, radius_m: float) -> Mesh:
    """A tube along x with flat ends."""
    return turned([(-half_m, 0.0), (-half_m, radius_m), (half_m, radius_m), (half_m, 0.0)])


def ellipsoid(semi_axes_m: ArrayLike) -> Mesh:
    """An ellipsoid along the axes."""
    ball = capsule(0.0, 1.0)
    return Mesh(ball.vertices * np.asarray(semi_axes_m, dtype=float), ball.faces)


def torpedo(half_m: float, radius_m: float) -> Mesh:
    """A body of revolution inside a tube: elliptic nose, straight middle, tail that narrows to a quarter."""
    nose, tail = min(3.0 * radius_m, 0.6 * half_m), min(6.0 * radius_m, 0.8 * half_m)
    line = [(-half_m, 0.0)]
    for share in np.linspace(0.0, 1.0, 9):  # a cosine from the end of the shaft to the full radius
        line.append((-half_m + tail * share, radius_m * (0.25 + 0.75 * sin(0.5 * pi * share))))
    for angle in np.linspace(0.0, 0.5 * pi, 10):
        line.append((half_m - nose + nose * sin(angle), radius_m * cos(angle)))
    line[-1] = (half_m, 0.0)
    return turned(line)


def box(size_m: ArrayLike) -> Mesh:
    """A box about its middle."""
    x, y, z = 0.5 * np.asarray(size_m, dtype=float)
    return prism([(-x, -y), (x, -y), (x, y), (-x, y)], -z, z)


def prism(outline: Sequence[tuple[float, float]], low_m: float, high_m: float) -> Mesh:
    """A convex outline (x, y), counter-clockwise seen from +z, drawn out along z."""
    n = len(outline)
    flat = np.array(outline, dtype=float)
    vertices = np.vstack([np.column_stack([flat, np.full(n, low_m)]), np.column_stack([flat, np.full(n, high_m)])])
    faces = [(0, i + 1, i) for i in range(1, n - 1)] + [(n, n + i, n + i + 1) for i in range(1, n - 1)]
    for i in range(n):
        k = (i + 1) % n
        faces += [(i, k, n + i), (k, n + k, n + i)]
    return Mesh(vertices, np.array(faces, dtype=np.int64))


def block(size_m: ArrayLike, bevel_m: float) -> Mesh:
    """A box along the axes whose four long edges (along x) are cut off."""
    x, y, z = 0.5 * np.asarray(size_m, dtype=float)
    b = min(bevel_m, 0.9 * min(y, z))
    outline = [(y, -z + b), (y, z - b), (y - b, z), (-y + b, z), (-y, z - b), (-y, -z + b), (-y + b, -z), (y - b, -z)]
    return placed(prism(outline, -x, x), np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))


def plate(chord_m: float, span_m: float, sweep_m: float = 0.0) -> Mesh:
    """A thin fin in the x-y plane, its leading edge ahead and its tip at +y, `sweep_m` further aft than the root."""
    half = 0.03 * chord_m
    tip = 0.75 * chord_m
    outline = [
        (-0.5 * chord_m, -0.5 * span_m), (0.5 * chord_m, -0.5 * span_m),
        (-0.5 * chord_m + tip - sweep_m, 0.5 * span_m), (-0.5 * chord_m - sweep_m, 0.5 * span_m),
    ]  # fmt: skip
    return prism(outline, -half, half)


def duct(diameter_m: float, length_m: float) -> Mesh:
    """A ring along x about a propeller of that diameter, rounded at its mouth."""
    inner, outer, half = 0.52 * diameter_m, 0.60 * diameter_m, 0.5 * length_m
    rim = min(0.08 * diameter_m, 0.5 * half)
    return turned([
        (-half, 0.97 * outer), (half - rim, outer), (half, 0.5 * (inner + outer) + 0.02 * diameter_m),
        (half - 0.5 * rim, inner), (-half, inner),
    ])  # fmt: skip


def screw(diameter_m: float, blades: int = 3) -> Mesh:
    """A hub along x with blades."""
    hub = turned([
        (-0.2 * diameter_m, 0.0), (-0.18 * diameter_m, 0.13 * diameter_m), (0.1 * diameter_m, 0.15 * diameter_m),
        (0.2 * diameter_m, 0.08 * diameter_m), (0.23 * diameter_m, 0.0),
    ], 12)  # fmt: skip
    blade = placed(plate(0.26 * diameter_m, 0.4 * diameter_m), np.eye(3), (0.0, 0.3 * diameter_m, 0.0))
    pitched = _about_y(blade, 0.6)
    return joined([hub, *(_about_x(pitched, 2.0 * pi * k / blades) for k in range(blades))])


def placed(mesh: Mesh, axes: Array, center: ArrayLike = (0.0, 0.0, 0.0)) -> Mesh:
    """The mesh turned by `axes` (its own axes to the new ones, a proper rotation) and moved to `center`."""
    return Mesh(mesh.vertices @ axes.T + np.asarray(center, dtype=float), mesh.faces, mesh.file)


def along(direction: ArrayLike) -> Array:
    """A rotation whose x is the direction."""
    first = np.asarray(direction, dtype=float) / np.linalg.norm(direction)
    aside = np.zeros(3)
    aside[int(np.argmin(np.abs(first)))] = 1.0
    second = np.cross(aside, first)
    second /= np.linalg.norm(second)
    return np.column_stack([first, second, np.cross(first, second)])


def joined(meshes: Sequence[Mesh]) -> Mesh:
    """Several surfaces as one; each stays closed by itself."""
    starts = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes)])
    faces = [mesh.faces + start for mesh, start in zip(meshes, starts[:-1], strict=True)]
    return Mesh(np.concatenate([mesh.vertices for mesh in meshes]), np.concatenate(faces))


def creased(mesh: Mesh) -> Mesh:
    """The same triangles with vertices doubled at sharp edges, so that normals averaged at vertices look right."""
    corners = mesh.corners()
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    groups: dict[int, list[tuple[Array, int]]] = {}
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


def _about_x(mesh: Mesh, angle: float) -> Mesh:
    c, s = cos(angle), sin(angle)
    return placed(mesh, np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]]))


def _about_y(mesh: Mesh, angle: float) -> Mesh:
    c, s = cos(angle), sin(angle)
    return placed(mesh, np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]]))
