"""Ray casting against the seabed and all structures, for sonar, altimeter and camera."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.checks import number
from pelagos.engine.rays.bottom import pyramid
from pelagos.engine.rays.cast import NOTHING, cast
from pelagos.engine.rays.tree import WIDE, build_tree
from pelagos.engine.water.sea import (
    BOX,
    CYLINDER,
    DISTANCE_GRID,
    GRID_BOTTOM,
    HALF_SPACE,
    SEA,
    SEABED,
    SOLID,
    SPHERE,
)
from pelagos.errors import CommandError

Array = NDArray[np.float64]
Triangles = Sequence[tuple[int, Array]]  # structure number, corners (m, 3, 3) in NED
MARGIN = 1e-9  # relative growth of the bounding boxes of the tree, against rounding


@dataclass(frozen=True, eq=False)
class Hits:
    """Results of casting n rays.

    range_m  distance along the ray, infinite without a hit
    normal   (n, 3) unit vectors, NED, on the side of the origin; zeros without a hit
    obstacle number of the structure; -1 the seabed; -2 nothing
    names    of the structures, by number
    """

    range_m: Array
    normal: Array
    obstacle: NDArray[np.int64]
    names: tuple[str, ...] = ()

    def __len__(self) -> int:
        """Number of rays."""
        return len(self.range_m)

    def name(self, ray: int) -> str:
        """Return the name of the obstacle that a ray hit: a structure, "seabed" or "nothing"."""
        number = int(self.obstacle[ray])
        if number == SEABED:
            return "seabed"
        if number == NOTHING:
            return "nothing"
        return self.names[number] if number < len(self.names) else f"structure {number}"


class Rays:
    """Acceleration structure for casting rays into a world; immutable, and threads may share it.

    `sea` is the packed world, `triangles` the surfaces of mesh structures, `names` the names of all structures.
    """

    def __init__(self, sea: Array, triangles: Triangles = (), names: Sequence[str] = ()) -> None:
        self._sea = np.ascontiguousarray(sea, dtype=np.float64)
        self._names = tuple(names)
        header: Any = self._sea[: SEA.size].view(SEA.dtype)[0]
        self._bounds, self._shape = np.zeros(1, np.float32), np.zeros(7)
        if header["bottom"] == GRID_BOTTOM:
            rows, columns = (int(n) for n in header["grid_count"])
            at = int(header["grid_at"])
            self._bounds, self._shape = pyramid(self._sea[at : at + rows * columns].reshape(rows, columns))
        at, count = int(header["solids_at"]), int(header["n_solids"])
        solids = self._sea[at : at + count * SOLID.size].view(SOLID.dtype)
        faces, owners = _gathered(triangles)
        # half-spaces have no bounding box, so they stay outside the tree
        self._endless = np.flatnonzero(solids["kind"] == HALF_SPACE)
        compact = np.flatnonzero(np.isin(solids["kind"], (BOX, CYLINDER, SPHERE)))
        unseen = set(np.flatnonzero(solids["kind"] == DISTANCE_GRID).tolist()) - set(owners.tolist())
        if unseen:
            raise CommandError("rays need the triangles of a mesh", key="structure", value=min(unseen))
        boxes = np.concatenate([_solid_boxes(solids[compact]), _triangle_boxes(faces)])
        bounds, children, leaves, order = build_tree(boxes, len(compact))
        first, held = leaves.T
        single = held == 1
        single[single] = order[first[single]] < len(compact)
        # number of a leaf: a single solid by its index, a block of triangles by its index after the solids
        numbers = count + np.cumsum(~single) - 1
        numbers[single] = compact[order[first[single]]]
        children = np.where(children < 0, -1 - numbers[-1 - children], children)
        self._tree = (_widened(bounds).reshape(-1), (children if len(boxes) else children[:0]).reshape(-1))
        self._blocks, self._owners = _in_blocks(faces, owners, order - len(compact), first[~single], held[~single])

    def cast(self, origins: ArrayLike, directions: ArrayLike, *, max_range_m: float = math.inf) -> Hits:
        """Find the nearest hit of each ray, at or beyond its origin and nearer than `max_range_m`.

        Origins and directions are (n, 3) or (3,), NED, m; one origin can serve many directions and vice versa.
        Directions are normalised, so `range_m` is in metres.
        """
        from_n, along = _vectors("origins", origins), _vectors("directions", directions)
        if len(from_n) != len(along):
            if 1 not in (len(from_n), len(along)):
                expected = f"1 or {len(from_n)}, the number of origins"
                raise CommandError(key="number of directions", value=len(along), expected=expected)
            from_n, along = np.broadcast_arrays(from_n, along)
        number("max_range_m", max_range_m, 0.0, above=True, infinite=True)
        n = len(from_n)
        ranges, normals, obstacle = np.empty(n), np.empty((n, 3)), np.empty(n, np.int64)
        scene = (self._sea, self._bounds, self._shape, *self._tree, self._blocks, self._owners, self._endless)
        rays = (np.ascontiguousarray(from_n).reshape(-1), np.ascontiguousarray(along).reshape(-1), float(max_range_m))
        bad = int(cast(*scene, *rays, ranges, normals.reshape(-1), obstacle))
        if bad >= 0:
            raise CommandError(
                key=f"origin and direction of ray {bad}",
                value=(from_n[bad].tolist(), along[bad].tolist()),
                expected="finite numbers and a direction that is not zero",
            )
        return Hits(ranges, normals, obstacle, self._names)


def _widened(bounds: Array) -> NDArray[np.float32]:
    """Boxes (n, 6, 8) in single precision, enlarged so that rounding cannot exclude what they contain."""
    low, high = bounds[:, :3], bounds[:, 3:]
    margin = np.where(low <= high, MARGIN * (1.0 + np.abs(low) + np.abs(high)), 0.0)  # an empty box stays empty
    low, high = (low - margin).astype(np.float32), (high + margin).astype(np.float32)
    return np.concatenate([np.nextafter(low, np.float32(-np.inf)), np.nextafter(high, np.float32(np.inf))], axis=1)


def _in_blocks(
    faces: Array, owners: NDArray[np.int64], order: NDArray[np.int64], first: NDArray[np.int64], held: NDArray[np.int64]
) -> tuple[Array, NDArray[np.int64]]:
    """Triangles of each leaf as structure of arrays, eight at a time, and their owners; unused places are zero."""
    leaf = np.repeat(np.arange(len(first)), held)
    lane = np.arange(len(leaf)) - np.repeat(np.cumsum(held) - held, held)
    face = order[first[leaf] + lane]
    blocks, whose = np.zeros((len(first), 9, WIDE)), np.zeros((len(first), WIDE), np.int64)
    blocks[leaf, :, lane] = faces[face]
    whose[leaf, lane] = owners[face]
    return blocks.reshape(-1), whose.reshape(-1)


def _vectors(name: str, value: ArrayLike) -> Array:
    """(n, 3) numbers."""
    try:
        array = np.atleast_2d(np.asarray(value, dtype=np.float64))
    except (TypeError, ValueError):
        raise CommandError(key=name, value=value, expected="rows of north, east, down") from None
    if array.ndim != 2 or array.shape[1] != 3:
        raise CommandError(key=f"shape of {name}", value=array.shape, expected="rows of north, east, down")
    return array


def _gathered(triangles: Triangles) -> tuple[Array, NDArray[np.int64]]:
    """Corner and two edges of every triangle that has an area, and the structure it belongs to."""
    faces, owners = [np.empty((0, 9))], [np.empty(0, np.int64)]
    for structure, corners in triangles:
        corner = np.asarray(corners, dtype=np.float64).reshape(-1, 3, 3)
        edges = corner[:, 1:] - corner[:, :1]
        flat = np.concatenate([corner[:, 0], edges[:, 0], edges[:, 1]], axis=1)
        # a triangle without area has no normal
        flat = flat[np.linalg.norm(np.cross(edges[:, 0], edges[:, 1]), axis=1) > 0.0]
        faces.append(flat)
        owners.append(np.full(len(flat), structure, np.int64))
    return np.ascontiguousarray(np.concatenate(faces)), np.concatenate(owners)


def _solid_boxes(solids: NDArray[Any]) -> Array:
    """Low and high corner of each solid, NED."""
    axes = np.abs(solids["axes"].reshape(-1, 3, 3))
    half = solids["half"]
    extent = np.einsum("nij,nj->ni", axes, half)
    rod = axes[:, :, 0] * half[:, :1] + half[:, 1:2] * np.sqrt(np.maximum(1.0 - axes[:, :, 0] ** 2, 0.0))
    extent = np.where(solids["kind"][:, None] == CYLINDER, rod, extent)
    extent = np.where(solids["kind"][:, None] == SPHERE, half[:, :1], extent)
    return np.concatenate([solids["center"] - extent, solids["center"] + extent], axis=1)


def _triangle_boxes(faces: Array) -> Array:
    """Low and high corner of each triangle, NED."""
    corners = np.stack([faces[:, :3], faces[:, :3] + faces[:, 3:6], faces[:, :3] + faces[:, 6:]], axis=1)
    return np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1)
