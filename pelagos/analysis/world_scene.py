"""What a drawing of a world has to show: how far the plan reaches, where the section runs, which outline is whose."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pelagos.analysis.world_shape import Solid, bottom_extent, solids, wave_summary
from pelagos.world.spec import World

Array = NDArray[np.float64]
NORTH, EAST, DOWN = np.eye(3)
MARGIN = 0.14  # of the spread, on every side
OPEN_SEA_M = 300.0  # half a plan where nothing else gives a size
MOST_NAMED = 6  # structures of one family that each get their own label


@dataclass(frozen=True)
class Shape:
    """A structure with its name; `triangles` (n, 3, 3), NED, if it is a mesh."""

    name: str
    solid: Solid
    triangles: Array | None = None

    def outlines(self, across: Array, up: Array) -> list[Array]:
        """Polygons (n, 2) that together are its silhouette, along two unit vectors of NED."""
        if self.triangles is not None:
            return list(self.triangles @ np.column_stack([across, up]))
        return [self.solid.outline(across, up)]

    def points(self, across: Array, up: Array) -> Array:
        """All corners of the silhouette."""
        return np.vstack(self.outlines(across, up))


@dataclass(frozen=True)
class Scene:
    """A world ready to be drawn: `low` and `high` (north, east) bound the plan; the section runs through `middle`."""

    world: World
    sea: Array
    shapes: tuple[Shape, ...]
    low: Array
    high: Array
    middle: Array
    along: Array  # unit vector, NED, horizontal

    @property
    def finite(self) -> list[Shape]:
        """Structures that end somewhere."""
        return [shape for shape in self.shapes if not shape.solid.is_endless]

    @property
    def walls(self) -> list[Shape]:
        """Half spaces."""
        return [shape for shape in self.shapes if shape.solid.is_endless]

    @property
    def reach(self) -> tuple[float, float]:
        """Where the section starts and ends, m along it from `middle`: where the line leaves what is to be shown."""
        ends = [-math.inf, math.inf]
        for axis in range(2):
            if abs(self.along[axis]) > 1e-9:
                hits = sorted((np.array([self.low[axis], self.high[axis]]) - self.middle[axis]) / self.along[axis])
                ends = [max(ends[0], hits[0]), min(ends[1], hits[1])]
        return float(ends[0]), float(ends[1])

    @property
    def to_deg(self) -> float:
        """Direction of the section, from north."""
        return math.degrees(math.atan2(self.along[1], self.along[0])) % 360.0

    def is_cut(self, shape: Shape) -> bool:
        """Whether the section goes through it."""
        side = shape.points(NORTH, EAST) - self.middle[:2]
        across = side @ np.array([-self.along[1], self.along[0]])
        return bool(across.min() <= 0.0 <= across.max())


def scene(world: World, section_to_deg: float | None = None) -> Scene:
    """Gather what is to be drawn. The section runs along the longest spread of the structures if not told otherwise."""
    sea = world.packed()
    shapes = tuple(
        Shape(item.name or f"structure {k}", solid, np.asarray(item.triangles()) if item.kind == "mesh" else None)
        for k, (item, solid) in enumerate(zip(world.structures, solids(sea), strict=True))
    )
    low, high = _extent(world, sea, shapes)
    middle, along = _line(world, shapes, low, high)
    if section_to_deg is not None:
        to = math.radians(section_to_deg)
        along = np.array([math.cos(to), math.sin(to), 0.0])
    return Scene(world, sea, shapes, low, high, middle, along)


def family(shape: Shape) -> str:
    """The name without its number: pile 1 and pile 2 are piles."""
    return shape.name.rstrip("0123456789 _-")


def labels(shapes: list[Shape]) -> dict[str, str]:
    """What to write at each structure: its name; of a large family one label for all, at the first."""
    families: dict[str, list[str]] = {}
    for shape in shapes:
        families.setdefault(family(shape), []).append(shape.name)
    said: dict[str, str] = {}
    for stem, names in families.items():
        if len(names) > MOST_NAMED and stem:
            said[names[0]] = f"{stem} ×{len(names)}".replace("_", " ")
        else:
            said |= {name: name.replace("_", " ") for name in names}
    return said


def _extent(world: World, sea: Array, shapes: tuple[Shape, ...]) -> tuple[Array, Array]:
    """Corners of the plan: all that has an end, walls where they cross the axes, the origin, and a margin."""
    corners = [np.zeros((1, 2))]
    corners += [shape.points(NORTH, EAST) for shape in shapes if not shape.solid.is_endless]
    corners += [shape.solid.crossings() for shape in shapes if shape.solid.is_endless]
    ends = bottom_extent(sea)
    if ends is not None and not any(len(part) for part in corners[1:]):
        corners.append(np.array(ends))
    spots = np.vstack([part for part in corners if len(part)])
    low, high = spots.min(axis=0), spots.max(axis=0)
    half = 0.5 * (high - low)
    if not half.any():
        half = np.full(2, _open_sea(world, sea))
    half = half * (1.0 + 2.0 * MARGIN)
    half = np.maximum(half, 0.5 * half.max())
    middle = 0.5 * (low + high)
    return middle - half, middle + half


def _open_sea(world: World, sea: Array) -> float:
    waves = wave_summary(sea)
    if waves is not None:
        return 2.5 * waves[2]
    depth = world.still_depth_m
    return 3.0 * depth if math.isfinite(depth) and depth < OPEN_SEA_M else OPEN_SEA_M


def _line(world: World, shapes: tuple[Shape, ...], low: Array, high: Array) -> tuple[Array, Array]:
    """A point and a direction of the section: the line that cuts most structures, else down the slope or the plan."""
    middle = np.append(0.5 * (low + high), 0.0)
    finite = [shape for shape in shapes if not shape.solid.is_endless]
    steepest = _downhill(world, middle, low, high)
    ways = [*steepest, *((EAST, NORTH) if high[1] - low[1] >= high[0] - low[0] else (NORTH, EAST))]
    if not finite:
        return middle, ways[0]
    corners = [shape.points(NORTH, EAST) for shape in finite]
    everywhere = np.vstack(corners)
    spread = everywhere - everywhere.mean(axis=0)
    values, vectors = np.linalg.eigh(spread.T @ spread)
    if len(finite) < 3 and values[1] > 4.0 * values[0]:
        ways.append(_eastward(np.append(vectors[:, 1], 0.0)))
    best, chosen = -1.0, (middle, ways[0])
    for k, along in enumerate(ways):
        across = np.array([-along[1], along[0]])
        sides = [part @ across for part in corners]
        for side in sides:
            at = 0.5 * (side.min() + side.max())
            cut = [i for i, s in enumerate(sides) if s.min() <= at <= s.max()]
            length = sum(float(np.ptp(corners[i] @ along[:2])) for i in cut)
            score = len({family(finite[i]) for i in cut}) + 0.1 * len(cut) / len(finite)
            score += 1e-3 * length / float(np.ptp(everywhere, axis=0).max())
            score += 0.9 if k < len(steepest) else 0.0  # a slope shows only along itself
            if score > best + 1e-9:
                centre = 0.5 * (everywhere.min(axis=0) + everywhere.max(axis=0))
                best, chosen = score, (np.append(centre + (at - centre @ across) * across, 0.0), along)
    return chosen


def _downhill(world: World, middle: Array, low: Array, high: Array) -> list[Array]:
    """The direction of the steepest bottom, if it has one."""
    north, east = middle[:2]
    step = 0.25 * float(min(high - low))
    z = world.bottom_m([north + step, north - step, north, north], [east, east, east + step, east - step])
    slope = np.array([z[0] - z[1], z[2] - z[3], 0.0]) if np.isfinite(z).all() else np.zeros(3)
    size = float(np.linalg.norm(slope))
    return [_eastward(slope / size)] if size > 1e-6 * step else []


def _eastward(direction: Array) -> Array:
    """The direction or its opposite, whichever runs from west to east, so that plan and section read alike."""
    rounded = direction.round(9)
    return -direction if rounded[1] < 0.0 or (rounded[1] == 0.0 and rounded[0] < 0.0) else direction
