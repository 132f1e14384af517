"""What a drawing of a world has to show: how far the plan reaches, where the section runs, which outline is whose.

What the kernel was given, for drawing: outlines of solids, profiles, the surface.

Everything is read back from the packed `sea` array, profiles and surface by the kernel itself, so that a figure shows
what a vehicle will meet and not what a file meant to say.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.engine.core.views import Layout
from pelagos.engine.water.sea import (
    BOX,  # fmt: skip
    CYLINDER,  # fmt: skip
    GRID_BOTTOM,  # fmt: skip
    HALF_SPACE,  # fmt: skip
    SEA,  # fmt: skip
    SOLID,  # fmt: skip
    SPHERE,  # fmt: skip
    WAVE,  # fmt: skip
)
from pelagos.world.spec import World

Array = NDArray[np.float64]
CIRCLE = np.linspace(0.0, 2.0 * np.pi, 48, endpoint=False)


@dataclass(frozen=True)
class Solid:
    """One structure as the kernel sees it; `axes` takes its own axes to NED."""

    kind: int
    center: Array
    axes: Array
    half: Array

    @property
    def is_endless(self) -> bool:
        """A half space has no outline."""
        return self.kind == HALF_SPACE

    def corners(self) -> Array:
        """Points (n, 3), NED, whose convex hull is the solid; of a sphere only the centre."""
        a, b, c = self.half
        if self.kind == BOX:
            own = np.array([[x * a, y * b, z * c] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        elif self.kind == CYLINDER:
            ring = np.column_stack([b * np.cos(CIRCLE), b * np.sin(CIRCLE)])
            own = np.vstack([np.column_stack([np.full(len(ring), x), ring]) for x in (-a, a)])
        else:
            own = np.zeros((1, 3))
        return own @ self.axes.T + self.center

    def clearance(self, points: Array) -> Array:
        """Distance of points (..., 3), NED, from a half space; negative inside, where its own z is positive."""
        return -((points - self.center) @ self.axes[:, 2])

    def crossings(self) -> Array:
        """Of a half space with a steep face: the point of the face nearest the origin, (1, 2) north and east."""
        across = self.axes[:2, 2]
        size = float(across @ across)
        if size < 0.25:
            return np.zeros((0, 2))
        return (float(self.center @ self.axes[:, 2]) / size * across)[None, :]

    def outline(self, across: Array, up: Array) -> Array:
        """Silhouette (n, 2) seen along the third axis: coordinates along two unit vectors of NED."""
        seen = self.corners() @ np.column_stack([across, up])
        if self.kind == SPHERE:
            return seen + self.half[0] * np.column_stack([np.cos(CIRCLE), np.sin(CIRCLE)])
        return convex_hull(seen)


def header(sea: Array) -> Any:
    """The header by field name."""
    return sea[: SEA.size].view(SEA.dtype)[0]


def records(sea: Array, layout: Layout, at: float, count: float) -> Any:
    """Rows of a table by field name."""
    n = int(count)
    start = int(at)
    return np.ascontiguousarray(sea[start : start + n * layout.size]).view(layout.dtype).reshape(n)


def solids(sea: Array) -> list[Solid]:
    """All structures, in the order of the world."""
    h = header(sea)
    rows = records(sea, SOLID, h["solids_at"], h["n_solids"])
    return [
        Solid(int(row["kind"]), np.array(row["center"]), np.array(row["axes"]).reshape(3, 3), np.array(row["half"]))
        for row in rows
    ]


def bottom_extent(sea: Array) -> tuple[Array, Array] | None:
    """South-west and north-east corner of a height map, (north, east) in m; None for other bottoms."""
    h = header(sea)
    if h["bottom"] != GRID_BOTTOM:
        return None
    low = np.array(h["grid_origin"])
    return low, low + np.array(h["grid_step"]) * (np.array(h["grid_count"]) - 1.0)


def elevation(sea: Array, north: Array, east: Array, time_s: float = 0.0) -> Array:
    """How far the surface stands above still water, m."""
    if not header(sea)["n_waves"]:
        return np.zeros(np.broadcast(north, east).shape)
    from pelagos.engine.water.waves import sample_waves

    north, east = np.broadcast_arrays(north, east)
    points = np.column_stack([north.ravel(), east.ravel(), np.zeros(north.size)])
    out = np.zeros((north.size, 9))
    sample_waves(sea, points, np.full(north.size, time_s), out)
    return -out[:, 0].reshape(north.shape)


def wave_summary(sea: Array) -> tuple[float, float, float] | None:
    """Significant height (four times the deviation), energy-weighted direction (rad, towards) and length, m."""
    h = header(sea)
    waves = records(sea, WAVE, h["waves_at"], h["n_waves"])
    energy = waves["amplitude"] ** 2
    if not energy.sum() > 0.0:
        return None
    to = np.arctan2(np.sum(energy * waves["east"] / waves["number"]), np.sum(energy * waves["north"] / waves["number"]))
    strongest = waves[np.argmax(energy)]
    return float(4.0 * np.sqrt(0.5 * energy.sum())), float(to), float(2.0 * np.pi / strongest["number"])


def current_profile(sea: Array, depths: Array, time_s: float = 0.0, north: float = 0.0, east: float = 0.0) -> Array:
    """Velocity of the water without waves at depths under one point, (n, 3), m/s NED."""
    h = header(sea)
    out = np.zeros((len(depths), 6))
    if h["n_harmonics"] + h["n_knots"] + h["n_series"] + h["n_fields"]:
        from pelagos.engine.water.flow import sample_flow

        points = np.column_stack([np.full(len(depths), north), np.full(len(depths), east), depths])
        sample_flow(sea, points, np.full(len(depths), time_s), out)
    return out[:, :3]


def density_profile(sea: Array, depths: Array) -> Array:
    """Density above that of the water record at depths, kg/m3."""
    out = np.zeros((len(depths), 2))
    if header(sea)["n_density"]:
        from pelagos.engine.water.flow import sample_density

        sample_density(sea, np.asarray(depths, dtype=float), out)
    return out[:, 0]


def convex_hull(points: Array) -> Array:
    """Corners of the convex hull of points (n, 2), counter-clockwise (Andrew's monotone chain)."""
    ordered = np.unique(points.round(9), axis=0)
    if len(ordered) < 3:
        return ordered

    def half(rows: Array) -> list[Array]:
        chain: list[Array] = []
        for point in rows:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= 0.0:
                chain.pop()
            chain.append(point)
        return chain[:-1]

    return np.array(half(ordered) + half(ordered[::-1]))


def _turn(a: Array, b: Array, c: Array) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


# ---- world scene -----------------------------------------------------------------------------------------------------


NORTH, EAST, DOWN = np.eye(3)
MARGIN = 0.14  # of the spread, on every side
OPEN_SEA_M = 300.0  # half a plan where nothing else gives a size
MOST_NAMED = 6  # structures of one family that each get their own label


@dataclass(frozen=True)
class StructureShape:
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
class WorldScene:
    """A world ready to be drawn: `low` and `high` (north, east) bound the plan; the section runs through `middle`."""

    world: World
    sea: Array
    shapes: tuple[StructureShape, ...]
    low: Array
    high: Array
    middle: Array
    along: Array  # unit vector, NED, horizontal

    @property
    def finite(self) -> list[StructureShape]:
        """Structures that end somewhere."""
        return [shape for shape in self.shapes if not shape.solid.is_endless]

    @property
    def walls(self) -> list[StructureShape]:
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

    def is_cut(self, shape: StructureShape) -> bool:
        """Whether the section goes through it."""
        side = shape.points(NORTH, EAST) - self.middle[:2]
        across = side @ np.array([-self.along[1], self.along[0]])
        return bool(across.min() <= 0.0 <= across.max())


def scene(world: World, section_to_deg: float | None = None) -> WorldScene:
    """Gather what is to be drawn. The section runs along the longest spread of the structures if not told otherwise."""
    sea = world.packed()
    shapes = tuple(
        StructureShape(
            item.name or f"structure {k}", solid, np.asarray(item.triangles()) if item.kind == "mesh" else None
        )
        for k, (item, solid) in enumerate(zip(world.structures, solids(sea), strict=True))
    )
    low, high = _extent(world, sea, shapes)
    middle, along = _line(world, shapes, low, high)
    if section_to_deg is not None:
        to = math.radians(section_to_deg)
        along = np.array([math.cos(to), math.sin(to), 0.0])
    return WorldScene(world, sea, shapes, low, high, middle, along)


def family(shape: StructureShape) -> str:
    """The name without its number: pile 1 and pile 2 are piles."""
    return shape.name.rstrip("0123456789 _-")


def labels(shapes: list[StructureShape]) -> dict[str, str]:
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


def _extent(world: World, sea: Array, shapes: tuple[StructureShape, ...]) -> tuple[Array, Array]:
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


def _line(world: World, shapes: tuple[StructureShape, ...], low: Array, high: Array) -> tuple[Array, Array]:
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
