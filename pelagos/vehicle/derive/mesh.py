"""Hulls as triangle meshes: volume, centre, inertia and areas of a mesh, and a mesh made from stations.

The mesh is in body axes (x forward, y starboard, z down), metres after `scale`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pelagos.geometry.mesh import Mesh, open_edges, outward, read_mesh, weld
from pelagos.vehicle.derive.hull import checked_stations
from pelagos.vehicle.spec import Matrix, Vec3

__all__ = ["Mesh", "MeshForm", "mesh_form", "open_edges", "outward", "placed_mesh", "read_mesh", "revolve", "weld"]


@dataclass(frozen=True)
class MeshForm:
    """Volume, centre, inertia and areas of a closed mesh. The inertia is for 1 kg/m^3: multiply it by the density."""

    volume_m3: float
    center_b: Vec3
    inertia_per_density: Matrix  # 3x3 about O, m^5, products with the sign of a tensor
    wetted_area_m2: float
    frontal_area_m2: float  # projections along x, y, z; exact for convex hulls, hollows count twice elsewhere
    side_area_m2: float
    plan_area_m2: float
    size_m: Vec3  # lengths of the bounding box


def mesh_form(mesh: Mesh) -> MeshForm:
    """Compute volume, centre, inertia and areas of a closed mesh by the divergence theorem.

    Each triangle (a, b, c) spans a tetrahedron with a point inside; its signed volume is d/6, d = a.(b x c), its
    first moment d/24 (a + b + c), its second moment d/120 (aa^T + bb^T + cc^T + ss^T), s = a + b + c. Exact.
    """
    mesh = outward(mesh)
    middle = mesh.vertices.mean(axis=0)  # integrals about a nearby point cancel fewer digits
    corners = mesh.corners() - middle
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    d = np.einsum("ij,ij->i", a, np.cross(b, c))
    s = a + b + c
    volume = float(np.sum(d)) / 6.0
    offset = (d @ s) / 24.0 / volume
    second = np.einsum("i,ikp,ikq->pq", d, corners, corners) + np.einsum("i,ip,iq->pq", d, s, s)
    second = second / 120.0 - volume * np.outer(offset, offset)  # about the centre of volume
    center = middle + offset
    second += volume * np.outer(center, center)  # about O
    inertia = float(np.trace(second)) * np.eye(3) - second
    normal = 0.5 * np.cross(b - a, c - a)
    projected = 0.5 * np.sum(np.abs(normal), axis=0)  # front and back of a closed mesh: half of the sum
    size = mesh.vertices.max(axis=0) - mesh.vertices.min(axis=0)
    return MeshForm(
        volume_m3=volume,
        center_b=(float(center[0]), float(center[1]), float(center[2])),
        inertia_per_density=inertia,
        wetted_area_m2=float(np.sum(np.linalg.norm(normal, axis=1))),
        frontal_area_m2=float(projected[0]),
        side_area_m2=float(projected[1]),
        plan_area_m2=float(projected[2]),
        size_m=(float(size[0]), float(size[1]), float(size[2])),
    )


def placed_mesh(file: str, scale: float, center_b: Vec3) -> Mesh:
    """The mesh of a file, whose vertices are about the centre of its shape, in body axes."""
    mesh = read_mesh(file, scale)
    return replace(mesh, vertices=mesh.vertices + np.array(center_b))


def revolve(stations: Sequence[Sequence[float]], around: int = 24, name: str = "stations") -> Mesh:
    """Make a closed mesh from stations (x, height, breadth) with elliptic sections of `around` corners.

    A station of size zero becomes a point; a fan of triangles closes a blunt end.
    """
    table = checked_stations(stations)
    angle = np.arange(around) * (2.0 * math.pi / around)
    rings = [np.array([[x, 0.5 * b * math.cos(t), 0.5 * h * math.sin(t)] for t in angle]) for x, h, b in table]
    vertices = np.vstack([*rings, [[table[0, 0], 0.0, 0.0]], [[table[-1, 0], 0.0, 0.0]]])
    stern, bow = len(rings) * around, len(rings) * around + 1
    faces: list[tuple[int, int, int]] = []
    for j in range(around):
        k = (j + 1) % around
        faces.append((stern, k, j))
        for i in range(len(rings) - 1):
            p, q = i * around, (i + 1) * around
            faces += [(p + j, p + k, q + j), (p + k, q + k, q + j)]
        last = (len(rings) - 1) * around
        faces.append((bow, last + j, last + k))
    # Welding merges the corners of a station of size zero, and drops the empty triangles there.
    return weld(Mesh(vertices, np.array(faces, dtype=np.int64), name))
