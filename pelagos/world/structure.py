"""Structures in the water: boxes, cylinders, spheres, planes and meshes."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.checks import STRUCTURE, choice, number, numbers
from pelagos.errors import FileError
from pelagos.files.reader import by_name
from pelagos.frames import rotation_from_euler
from pelagos.geometry.mesh import Mesh, outward, read_mesh

if TYPE_CHECKING:
    from pelagos.geometry.distance_grid import DistanceGrid
    from pelagos.world.writer import SeaWriter

Array = NDArray[np.float64]
ENDLESS_M = 1e9  # stands for infinity, with which the kernel cannot compute
KEYS = {
    "box": ("center_m", "size_m", "heading_deg", "pitch_deg", "roll_deg"),
    "cylinder": ("from_m", "to_m", "radius_m", "diameter_m"),
    "sphere": ("center_m", "radius_m", "diameter_m"),
    "plane": ("point_m", "normal"),
    "mesh": ("file", "center_m", "heading_deg", "pitch_deg", "roll_deg", "scale", "grid_step_m"),
}
NEEDED = {
    "box": ("center_m", "size_m"),
    "cylinder": ("from_m", "to_m"),
    "sphere": ("center_m",),
    "plane": ("point_m", "normal"),
    "mesh": ("file",),
}
ONLY_SOME = sorted({key for keys in KEYS.values() for key in keys})


@by_name("structure", "Structure(kind='sphere', center_m=(0, 0, 9), radius_m=1.0)")
@dataclass(frozen=True, kw_only=True)
class Structure:
    """Solid object in the water; points are north, east, down in m.

    box       center_m, size_m (along its x, y, z axes), heading_deg, pitch_deg, roll_deg
    cylinder  from_m, to_m: the centres of its flat ends; radius_m or diameter_m
    sphere    center_m, radius_m or diameter_m
    plane     point_m on it, normal into the water; everything on the other side is solid
    mesh      file (STL, OBJ, GLB; closed, facing outward), center_m: position of its origin, heading_deg, pitch_deg,
              roll_deg, scale to metres, grid_step_m of its distance grid. Its axes are north, east, down before
              rotation: a file drawn with z up needs roll_deg = 180.
    """

    kind: str
    name: str = ""
    center_m: tuple[float, ...] | None = None
    size_m: tuple[float, ...] | None = None
    heading_deg: float | None = None
    pitch_deg: float | None = None
    roll_deg: float | None = None
    from_m: tuple[float, ...] | None = None
    to_m: tuple[float, ...] | None = None
    radius_m: float | None = None
    diameter_m: float | None = None
    point_m: tuple[float, ...] | None = None
    normal: tuple[float, ...] | None = None
    file: str | None = None
    scale: float | None = None
    grid_step_m: float | None = None
    friction: float = 0.4
    stiffness_n_m: float = 1e6
    damping_n_s_m: float = 2e4
    colour: str | None = None

    def __post_init__(self) -> None:
        """Validate the keys of the kind."""
        choice("kind", self.kind, KEYS, context=STRUCTURE)
        for key in ONLY_SOME:
            value = getattr(self, key)
            if value is not None and key not in KEYS[self.kind]:
                STRUCTURE.fail(key, f"a {self.kind} has no such key", value=value, expected=", ".join(KEYS[self.kind]))
            if value is None and key in NEEDED[self.kind]:
                STRUCTURE.fail(key, f"is missing; a {self.kind} needs {', '.join(NEEDED[self.kind])}")
        for key in ("center_m", "from_m", "to_m", "point_m", "normal", "size_m"):
            if getattr(self, key) is not None:
                self._check_vector(key)
        for key in ("heading_deg", "pitch_deg", "roll_deg"):
            self._check_number(key, -math.inf, "a finite number")
        for key in ("radius_m", "diameter_m", "scale", "grid_step_m", "stiffness_n_m"):
            self._check_number(key, 0.0, "a finite number above 0", above=True)
        for key in ("friction", "damping_n_s_m"):
            self._check_number(key, 0.0, "a finite number, 0 or more")
        if self.kind in ("cylinder", "sphere") and (self.radius_m is None) == (self.diameter_m is None):
            STRUCTURE.fail("radius_m", expected="either radius_m or diameter_m")
        if self.kind == "cylinder" and math.dist(self.from_m or (), self.to_m or ()) == 0.0:
            STRUCTURE.fail("to_m", value=self.to_m, expected="another point than from_m")
        if self.kind == "plane" and not any(self.normal or ()):
            STRUCTURE.fail("normal", value=self.normal, expected="a direction, not zero")
        if self.kind == "mesh":
            self._check_grid()

    def _check_vector(self, key: str) -> None:
        value = numbers(
            key, getattr(self, key), 3, expected="three finite numbers: north, east, down", context=STRUCTURE
        )
        if key == "size_m" and value.min() <= 0.0:
            STRUCTURE.fail(key, value=self.size_m, expected="three lengths above 0")
        # the value as checked: the record is frozen once __post_init__ ends
        object.__setattr__(self, key, tuple(value.tolist()))

    def _check_number(self, key: str, least: float, expected: str, above: bool = False) -> None:
        value = getattr(self, key)
        if value is not None:
            number(key, value, least, above=above, expected=expected, context=STRUCTURE)

    def _check_grid(self) -> None:
        """Read the file now, so that an open or inside-out mesh raises an error before the run."""
        from pelagos.geometry.distance_grid import MOST_NODES, node_count

        step = self._grid_step()
        nodes = math.prod(node_count(self.mesh(), step))
        if nodes > MOST_NODES:
            coarser = step * (nodes / MOST_NODES) ** (1.0 / 3.0)
            STRUCTURE.fail("grid_step_m", f"makes {nodes} nodes", value=step, expected=f"about {coarser:.2g} m or more")

    @property
    def radius(self) -> float:
        """Radius of a cylinder or sphere, m."""
        return self.radius_m if self.radius_m is not None else 0.5 * (self.diameter_m or 0.0)

    def center_n(self) -> Array:
        """Return the origin of the axes of the structure, NED, m."""
        if self.kind == "cylinder":
            return 0.5 * (np.array(self.from_m) + np.array(self.to_m))
        return np.array(self.point_m if self.kind == "plane" else self.center_m or (0.0, 0.0, 0.0), dtype=float)

    def axes_n(self) -> Array:
        """Return the rotation from structure axes to NED; x is the axis of a cylinder, -z the water side of a plane."""
        if self.kind == "cylinder":
            return _axes_along(np.array(self.to_m) - np.array(self.from_m), 0)
        if self.kind == "plane":
            return _axes_along(-np.array(self.normal), 2)
        angles = (math.radians(angle or 0.0) for angle in (self.roll_deg, self.pitch_deg, self.heading_deg))
        return rotation_from_euler(*angles)

    def half_m(self) -> tuple[float, float, float]:
        """Return the half lengths as in the SOLID record of the engine."""
        if self.kind == "box":
            a, b, c = self.size_m or (0.0, 0.0, 0.0)
            return 0.5 * a, 0.5 * b, 0.5 * c
        if self.kind == "cylinder":
            return 0.5 * math.dist(self.from_m or (), self.to_m or ()), self.radius, self.radius
        return (self.radius, self.radius, self.radius) if self.kind == "sphere" else (0.0, 0.0, 0.0)

    def bound_m(self) -> float:
        """Return the radius of the bounding sphere about the centre; huge for a plane."""
        a, b, c = self.half_m()
        if self.kind == "mesh":
            return float(np.max(np.linalg.norm(self.mesh().vertices, axis=1)))
        if self.kind == "plane":
            return ENDLESS_M
        return {"box": math.hypot(a, b, c), "cylinder": math.hypot(a, b)}.get(self.kind, a)

    def mesh(self) -> Mesh:
        """Return the closed mesh of the file in metres, in structure axes; only for kind "mesh"."""
        path = Path(self.file or "")
        try:
            changed = os.stat(path).st_mtime_ns if os.path.isfile(path) else 0
            return _mesh(str(path), self.scale or 1.0, changed)
        except FileError as problem:
            STRUCTURE.fail("file", str(problem.at(file=path.name)), value=str(self.file))

    def distance_grid(self) -> DistanceGrid:
        """Return the signed distances around the mesh, in structure axes."""
        path = Path(self.file or "")
        return _grid(str(path), self.scale or 1.0, self._grid_step(), path.stat().st_mtime_ns)

    def _grid_step(self) -> float:
        from pelagos.geometry.distance_grid import default_step

        return self.grid_step_m if self.grid_step_m is not None else default_step(self.mesh())

    def triangles(self, extent_m: float = 100.0) -> Array:
        """Return the surface as triangles (m, 3, 3), NED; a circle has 32 corners, a plane is `extent_m` wide."""
        from pelagos.geometry.mesh import solid_triangles

        corners = self.mesh().corners() if self.kind == "mesh" else solid_triangles(self.kind, self.half_m(), extent_m)
        return corners @ self.axes_n().T + self.center_n()

    def contains(self, points: ArrayLike) -> NDArray[np.bool_]:
        """Return which points (..., 3), NED, are inside."""
        points_n = np.asarray(points, dtype=float)
        local = (points_n.reshape(-1, 3) - self.center_n()) @ self.axes_n()
        half = np.array(self.half_m())
        if self.kind == "box":
            inside = np.all(np.abs(local) < half, axis=1)
        elif self.kind == "cylinder":
            inside = (np.abs(local[:, 0]) < half[0]) & (np.hypot(local[:, 1], local[:, 2]) < half[1])
        elif self.kind == "sphere":
            inside = np.linalg.norm(local, axis=1) < half[0]
        elif self.kind == "plane":
            inside = local[:, 2] > 0.0
        else:
            from pelagos.geometry.mesh import winding

            inside = winding(self.mesh().corners(), local) > 0.5
        return inside.reshape(points_n.shape[:-1])


def pack_structures(structures: Sequence[Structure], writer: SeaWriter) -> None:
    """Write the SOLID records of all structures and the distance grids of meshes into the packed array."""
    from pelagos.engine.water.sea import BOX, CYLINDER, DISTANCE_GRID, HALF_SPACE, SOLID, SPHERE

    kinds = {"box": BOX, "cylinder": CYLINDER, "sphere": SPHERE, "plane": HALF_SPACE, "mesh": DISTANCE_GRID}
    records: list[dict[str, Any]] = []
    for item in structures:
        record: dict[str, Any] = {
            "kind": kinds[item.kind],
            "center": item.center_n(),
            "axes": item.axes_n().ravel(),
            "half": item.half_m(),
            "bound": item.bound_m(),
            "friction": item.friction,
            "stiffness": item.stiffness_n_m,
            "damping": item.damping_n_s_m,
        }
        if item.kind == "mesh":
            grid = item.distance_grid()
            record |= {"grid_origin": grid.origin_m, "grid_step": grid.step_m, "grid_count": grid.distance_m.shape}
            record["grid_at"] = writer.append(grid.distance_m)
        records.append(record)
    writer.table("solids", SOLID, records)


def _axes_along(direction: Array, axis: int) -> Array:
    """Rotation matrix whose column `axis` is the direction; the other axes are arbitrary."""
    first = direction / np.linalg.norm(direction)
    aside = np.zeros(3)  # the NED axis farthest from the direction, for a well-conditioned cross product
    aside[int(np.argmin(np.abs(first)))] = 1.0
    second = np.cross(first, aside)
    second /= np.linalg.norm(second)
    return np.roll(np.column_stack([first, second, np.cross(first, second)]), axis, axis=1)


# `changed`, the time stamp of the file, is part of the cache key: an edited file is read again
@lru_cache(maxsize=16)
def _mesh(file: str, scale: float, changed: int) -> Mesh:
    return outward(read_mesh(file, scale))


@lru_cache(maxsize=16)
def _grid(file: str, scale: float, step: float, changed: int) -> DistanceGrid:
    from pelagos.geometry.distance_grid import distance_grid

    return distance_grid(_mesh(file, scale, changed), step)
