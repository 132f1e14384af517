"""Triangle meshes: reading STL, OBJ and GLB files, checks of closed surfaces, simple solids, winding number.

Triangles run counter-clockwise seen from outside. Coordinates are those of the file times `scale`; the caller decides
what the axes mean.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.errors import CommandError, FileError, MissingExtraError
from pelagos.files.source import why_not

Array = NDArray[np.float64]

WELD = 1e-6  # vertices closer than this share of the bounding box are one
LARGEST_FILE = 1_000_000_000  # bytes
FARTHEST_M = 1e6  # of a vertex from the origin of the file: beyond, the scale is most likely wrong
AROUND = 32  # corners of a circle
SUFFIXES = (".stl", ".obj", ".glb")


@dataclass(frozen=True)
class Mesh:
    """Triangle mesh: vertices (n, 3) in m, faces (m, 3) of vertex numbers; `file` is for messages."""

    vertices: NDArray[np.float64]
    faces: NDArray[np.int64]
    file: str = "mesh"

    def corners(self) -> NDArray[np.float64]:
        """Coordinates of the corners, (m, 3 corners, 3)."""
        return self.vertices[self.faces]


def read_mesh(path: str | Path, scale: float = 1.0) -> Mesh:
    """Read an STL (text or binary), OBJ or GLB file, weld equal vertices; scale turns its unit into metres."""
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise FileError(
            file=path.name, expected="a mesh file ending in .stl, .obj or .glb", names=SUFFIXES, misspelt=suffix
        )
    why = why_not(path, LARGEST_FILE)
    if why:
        raise FileError(**why, file=path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FileError(f"cannot be read ({error.strerror})", file=str(path)) from None
    if suffix == ".glb":
        vertices, faces = _parse_glb(path)
    else:
        vertices, faces = _parse_obj(data, path.name) if suffix == ".obj" else _parse_stl(data, path.name)
    if len(faces) == 0:
        raise FileError(file=path.name, expected="triangles, found none")
    if not np.all(np.isfinite(vertices)):
        raise FileError(file=path.name, expected="finite coordinates, found one that is not a number")
    for index in (faces.min(), faces.max()):
        if not 0 <= index < len(vertices):
            expected = f"0 to {len(vertices) - 1}, the vertices in the file"
            raise FileError(file=path.name, key="vertex of a face", value=int(index), expected=expected)
    farthest = float(np.max(np.abs(vertices))) * scale
    if not farthest <= FARTHEST_M:
        raise FileError(
            file=path.name, key="coordinate", value=farthest, expected=f"at most {FARTHEST_M:g} m; is its scale right?"
        )
    return weld(Mesh(vertices * scale, faces, path.name))


def weld(mesh: Mesh) -> Mesh:
    """Merge vertices at one place and drop triangles that lose a side."""
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


def enclosed_volume(mesh: Mesh) -> float:
    """Volume inside a closed surface, m3; negative if it is inside out."""
    corners = mesh.corners() - mesh.vertices.mean(axis=0)
    return float(np.sum(np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])))) / 6.0


def outward(mesh: Mesh) -> Mesh:
    """Check that a mesh is closed and faces outward, and return it; one that is open, flat or inside out is refused."""
    gaps = open_edges(mesh)
    if gaps:
        raise FileError(
            file=mesh.file,
            key="open edges",
            value=gaps,
            expected="a closed surface, two triangles facing the same way at every edge",
        )
    volume = enclosed_volume(mesh)
    extent = float(np.max(np.ptp(mesh.vertices, axis=0)))
    if abs(volume) <= 1e-12 * extent**3:
        raise FileError(file=mesh.file, key="volume", value=volume, expected="a surface that encloses some volume, m3")
    if volume < 0.0:
        raise FileError(
            "is inside out",
            file=mesh.file,
            key="volume",
            value=volume,
            expected="triangles that run counter-clockwise seen from outside, turn its faces",
        )
    return mesh


def _parse_glb(path: Path) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """All meshes of a binary glTF scene, each where the scene puts it, through trimesh."""
    try:
        trimesh: Any = importlib.import_module("trimesh")
    except ImportError:
        raise MissingExtraError("trimesh", "reading a .glb file", "world") from None
    try:
        scene = trimesh.load_mesh(str(path), process=False)
        return np.array(scene.vertices, dtype=float).reshape(-1, 3), np.array(scene.faces, dtype=np.int64).reshape(
            -1, 3
        )
    except Exception as error:  # trimesh documents no exception class: a damaged file raises any
        raise FileError(file=path.name, expected=f"a binary glTF file ({error})") from None


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
            raise FileError(file=file, expected=f"three vertices per facet, found {len(points)} in all")
    else:
        raise FileError(
            file=file, expected=f"an STL file, text from 'solid' on or binary of 84 + 50 n bytes, found {len(data)}"
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
                raise FileError(
                    file=file, key=f"line {number}", value=line.strip(), expected="a face of three corners or more"
                )
            faces += [(ring[0], ring[i], ring[i + 1]) for i in range(1, len(ring) - 1)]
    last = 1 + max((max(face) for face in faces), default=-1)  # OBJ counts from 1
    if last > len(points):
        expected = f"at most {len(points)}, the number of vertices in the file"
        raise FileError(file=file, key="vertex of a face", value=last, expected=expected)
    return np.array(points, dtype=float).reshape(-1, 3), np.array(faces, dtype=np.int64).reshape(-1, 3)


def _numbers(words: list[str], file: str, line: int) -> list[float]:
    try:
        values = [float(word) for word in words]
    except ValueError:
        values = []
    if len(values) != 3:
        raise FileError(file=file, key=f"line {line}", value=" ".join(words), expected="three numbers, x y z")
    return values


def _index(word: str, known: int, file: str, line: int) -> int:
    try:
        value = int(word.split("/")[0])
    except ValueError:
        value = 0
    if value == 0 or value < -known:
        raise FileError(
            file=file, key=f"line {line}", value=word, expected="a vertex number from 1 on, or negative to count back"
        )
    return value - 1 if value > 0 else known + value


def solid_triangles(kind: str, half_m: tuple[float, float, float], extent_m: float) -> Array:
    """Triangles (m, 3 corners, 3) of a simple solid in its axes, counter-clockwise seen from outside."""
    if kind == "box":
        return _box(np.array(half_m))
    if kind == "plane":
        e = 0.5 * extent_m
        square = np.array([(-e, -e, 0.0), (-e, e, 0.0), (e, e, 0.0), (e, -e, 0.0)])
        return np.stack([square[[0, 1, 2]], square[[0, 2, 3]]])
    if kind == "cylinder":
        return _rings([(-half_m[0], 0.0), (-half_m[0], half_m[1]), (half_m[0], half_m[1]), (half_m[0], 0.0)])
    if kind == "sphere":
        angle = np.linspace(0.0, np.pi, AROUND // 2 + 1)
        return _rings([(-half_m[0] * c, half_m[0] * s) for c, s in zip(np.cos(angle), np.sin(angle), strict=True)])
    raise CommandError(key="kind of a solid", value=kind, names=("box", "cylinder", "sphere", "plane"))


def _box(half: Array) -> Array:
    triangles = []
    for axis in range(3):
        for sign in (1.0, -1.0):
            u, v = np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3]
            w = sign * np.eye(3)[axis]
            v = v * sign  # u x v = w
            ring = [w + u + v, w - u + v, w - u - v, w + u - v]
            triangles += [[ring[0], ring[1], ring[2]], [ring[0], ring[2], ring[3]]]
    return np.array(triangles) * half


def _rings(profile: list[tuple[float, float]]) -> Array:
    """The surface swept by a line of (x, radius) around x; x must rise from the first to the last."""
    angle = np.arange(AROUND + 1) * (2.0 * np.pi / AROUND)
    rings = [np.column_stack([np.full(AROUND + 1, x), r * np.cos(angle), r * np.sin(angle)]) for x, r in profile]
    triangles = []
    for low, high in pairwise(rings):
        triangles.append(np.stack([low[:-1], low[1:], high[:-1]], axis=1))
        triangles.append(np.stack([low[1:], high[1:], high[:-1]], axis=1))
    corners = np.concatenate(triangles)
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    size = np.linalg.norm(normal, axis=1)
    return corners[size > 1e-12 * np.max(size)]  # at a radius of 0 one of two triangles has no area


def winding(corners: Array, points: Array) -> Array:
    """Winding number of a surface around each point: 1 inside, 0 outside a closed one that faces outward.

    The sum of the solid angles of its triangles over 4 pi (Van Oosterom and Strackee 1983).
    """
    turns = np.zeros(len(points))
    for i, point in enumerate(points):
        a, b, c = np.moveaxis(corners - point, 1, 0)
        la, lb, lc = (np.linalg.norm(side, axis=1) for side in (a, b, c))
        over = np.einsum("ij,ij->i", a, np.cross(b, c))
        ab, bc, ca = (np.einsum("ij,ij->i", *pair) for pair in ((a, b), (b, c), (c, a)))
        turns[i] = np.sum(np.arctan2(over, la * lb * lc + ab * lc + bc * la + ca * lb)) / (2.0 * np.pi)
    return turns
