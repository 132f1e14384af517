"""Hulls given as a triangle mesh: reading STL and OBJ, and volume, centre, inertia and areas of what they enclose.

The mesh is in body axes (x forward, y starboard, z down), metres after `scale`. Triangles run counter-clockwise seen
from outside; a mesh that is inside out as a whole is turned.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pelagos.errors import VehicleFileError, nearest
from pelagos.vehicle.hull import checked_stations
from pelagos.vehicle.spec import Matrix, Vec3

WELD = 1e-6  # vertices closer than this share of the bounding box are one
SUFFIXES = (".stl", ".obj")


@dataclass(frozen=True)
class Mesh:
    """Triangles: vertices (n, 3) in m, faces (m, 3) of vertex numbers. `file` is for messages."""

    vertices: NDArray[np.float64]
    faces: NDArray[np.int64]
    file: str = "mesh"

    def corners(self) -> NDArray[np.float64]:
        """Coordinates (m, 3 corners, 3)."""
        return self.vertices[self.faces]


@dataclass(frozen=True)
class MeshForm:
    """What a closed mesh encloses. Inertia is that of the volume filled with 1 kg/m^3, about O: multiply by density."""

    volume_m3: float
    center_b: Vec3
    inertia_per_density: Matrix  # 3x3 about O, m^5, products with the sign of a tensor
    wetted_area_m2: float
    frontal_area_m2: float  # projections along x, y, z; exact for convex hulls, hollows count twice elsewhere
    side_area_m2: float
    plan_area_m2: float
    size_m: Vec3  # lengths of the bounding box


def read_mesh(path: str | Path, scale: float = 1.0) -> Mesh:
    """Read an STL (text or binary) or OBJ file, weld equal vertices; scale turns its unit into metres."""
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise VehicleFileError(
            path.name, "", None, "expected a mesh file ending in .stl or .obj", nearest(suffix, SUFFIXES)
        )
    try:
        data = path.read_bytes()
    except OSError as error:
        raise VehicleFileError(str(path), "", None, f"cannot be read ({error.strerror})") from None
    vertices, faces = _parse_obj(data, path.name) if suffix == ".obj" else _parse_stl(data, path.name)
    if len(faces) == 0:
        raise VehicleFileError(path.name, "", None, "expected triangles, found none")
    if not np.all(np.isfinite(vertices)):
        raise VehicleFileError(path.name, "", None, "expected finite coordinates, found one that is not a number")
    return weld(Mesh(vertices * scale, faces, path.name))


def weld(mesh: Mesh) -> Mesh:
    """Make vertices at one place one vertex and drop triangles that lose a side."""
    low = mesh.vertices.min(axis=0)
    extent = float(np.max(mesh.vertices.max(axis=0) - low))
    grid = np.round((mesh.vertices - low) / (WELD * extent if extent > 0.0 else 1.0)).astype(np.int64)
    _, first, number = np.unique(grid, axis=0, return_index=True, return_inverse=True)
    faces = number.reshape(-1)[mesh.faces]
    a, b, c = faces.T
    whole = (a != b) & (b != c) & (c != a)
    return Mesh(mesh.vertices[first], faces[whole], mesh.file)


def open_edges(mesh: Mesh) -> int:
    """Number of edges that do not join exactly two triangles running opposite ways. Zero: closed and oriented."""
    a, b, c = mesh.faces.T
    start, end = np.concatenate([a, b, c]), np.concatenate([b, c, a])
    n = len(mesh.vertices)
    ahead, count_ahead = np.unique(start * n + end, return_counts=True)
    back, count_back = np.unique(end * n + start, return_counts=True)
    keys = np.union1d(ahead, back)
    forth = np.zeros(len(keys), dtype=int)
    forth[np.searchsorted(keys, ahead)] = count_ahead
    counter = np.zeros(len(keys), dtype=int)
    counter[np.searchsorted(keys, back)] = count_back
    bad = keys[(forth != 1) | (counter != 1)]
    low, high = np.minimum(bad // n, bad % n), np.maximum(bad // n, bad % n)
    return len(np.unique(low * n + high))


def mesh_form(mesh: Mesh) -> MeshForm:
    """Volume, centre, inertia and areas by the divergence theorem; refuses a mesh that is not closed.

    Each triangle (a, b, c) spans a tetrahedron with a point inside; its signed volume is d/6, d = a.(b x c), its
    first moment d/24 (a + b + c), its second moment d/120 (aa^T + bb^T + cc^T + ss^T), s = a + b + c. Exact.
    """
    mesh = outward(mesh)
    middle = mesh.vertices.mean(axis=0)  # integrals about a near point lose fewer digits
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
    projected = 0.5 * np.sum(np.abs(normal), axis=0)
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


def outward(mesh: Mesh) -> Mesh:
    """The mesh with its triangles facing outward; refuses one with open edges or without volume."""
    gaps = open_edges(mesh)
    if gaps:
        raise VehicleFileError(
            mesh.file, "open edges", gaps, "expected a closed surface, two triangles facing the same way at every edge"
        )
    corners = mesh.corners() - mesh.vertices.mean(axis=0)
    volume = float(np.sum(np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])))) / 6.0
    extent = float(np.max(np.ptp(mesh.vertices, axis=0)))
    if abs(volume) <= 1e-12 * extent**3:
        raise VehicleFileError(mesh.file, "volume", volume, "expected a surface that encloses some volume, m3")
    return mesh if volume > 0.0 else Mesh(mesh.vertices, mesh.faces[:, ::-1].copy(), mesh.file)


def revolve(stations: Sequence[Sequence[float]], around: int = 24, name: str = "stations") -> Mesh:
    """Closed mesh of a table of stations (x, height, breadth) with elliptic sections of `around` corners.

    A station without size becomes a point, a blunt end is closed by a fan.
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
    return weld(Mesh(vertices, np.array(faces, dtype=np.int64), name))


def _parse_stl(data: bytes, file: str) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Binary when the length fits its triangle count (some binary files start with "solid" too), else text."""
    count = int.from_bytes(data[80:84], "little") if len(data) >= 84 else -1
    if count >= 0 and len(data) == 84 + 50 * count:
        record = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("spare", "<u2")])
        points = np.frombuffer(data, record, count, 84)["corners"].astype(float).reshape(-1, 3)
    elif data.lstrip()[:5].lower() == b"solid":
        lines = data.decode("ascii", errors="replace").splitlines()
        rows = [(i, line.split()) for i, line in enumerate(lines, 1) if line.split()[:1] == ["vertex"]]
        points = np.array([_numbers(words[1:4], file, i) for i, words in rows], dtype=float).reshape(-1, 3)
        if len(points) % 3:
            raise VehicleFileError(file, "", None, f"expected three vertices per facet, found {len(points)} in all")
    else:
        raise VehicleFileError(
            file,
            "",
            None,
            f"expected an STL file, text from 'solid' on or binary of 84 + 50 n bytes, found {len(data)}",
        )
    return points, np.arange(len(points), dtype=np.int64).reshape(-1, 3)


def _parse_obj(data: bytes, file: str) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Vertices and faces; polygons become fans, negative numbers count back from the last vertex so far."""
    points: list[list[float]] = []
    faces: list[tuple[int, int, int]] = []
    for number, line in enumerate(data.decode("utf-8", errors="replace").splitlines(), 1):
        words = line.split()
        if words[:1] == ["v"]:
            points.append(_numbers(words[1:4], file, number))
        elif words[:1] == ["f"]:
            ring = [_index(word, len(points), file, number) for word in words[1:]]
            if len(ring) < 3:
                raise VehicleFileError(file, f"line {number}", line.strip(), "expected a face of three corners or more")
            faces += [(ring[0], ring[i], ring[i + 1]) for i in range(1, len(ring) - 1)]
    if faces and max(max(face) for face in faces) >= len(points):
        raise VehicleFileError(file, "", None, f"a face names a vertex beyond the {len(points)} in the file")
    return np.array(points, dtype=float).reshape(-1, 3), np.array(faces, dtype=np.int64).reshape(-1, 3)


def _numbers(words: list[str], file: str, line: int) -> list[float]:
    try:
        values = [float(word) for word in words]
    except ValueError:
        values = []
    if len(values) != 3:
        raise VehicleFileError(file, f"line {line}", " ".join(words), "expected three numbers, x y z")
    return values


def _index(word: str, known: int, file: str, line: int) -> int:
    try:
        value = int(word.split("/")[0])
    except ValueError:
        value = 0
    if value == 0 or value < -known:
        raise VehicleFileError(
            file, f"line {line}", word, "expected a vertex number from 1 on, or negative to count back"
        )
    return value - 1 if value > 0 else known + value
