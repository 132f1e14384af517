"""The contents of a drawing of a world: structures, profiles, surface, extent of the plan, line of the section.

All values come from the packed `sea` array, profiles and surface through the compiled kernels. A figure therefore
shows the world as the simulation uses it, not as its file describes it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pelagos.analysis.page import BUILT, BUILT_EDGE
from pelagos.engine.core.views import Layout
from pelagos.engine.water.sea import BOX, CYLINDER, GRID_BOTTOM, HALF_SPACE, SEA, SOLID, SPHERE, WAVE
from pelagos.world.current.kinds import velocity_at
from pelagos.world.spec import World

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]
CIRCLE = np.linspace(0.0, 2.0 * np.pi, 48, endpoint=False)  # corners of a drawn circle, rad
NORTH, EAST, DOWN = np.eye(3)
MARGIN = 0.14  # of the extent, on every side
OPEN_SEA_M = 300.0  # half the width of a plan without structures or waves
MOST_NAMED = 6  # structures with the same stem that are labelled one by one


@dataclass(frozen=True)
class Solid:
    """A structure in the packed world; `axes` is the rotation from its body axes to NED."""

    kind: int
    center: Array
    axes: Array
    half: Array

    @property
    def is_endless(self) -> bool:
        """Whether the solid is a half space, which has no outline."""
        return self.kind == HALF_SPACE

    def corners(self) -> Array:
        """Return points (n, 3), NED, whose convex hull is the solid; for a sphere only the centre."""
        a, b, c = self.half
        if self.kind == BOX:
            local = np.array([[x * a, y * b, z * c] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        elif self.kind == CYLINDER:
            ring = np.column_stack([b * np.cos(CIRCLE), b * np.sin(CIRCLE)])
            local = np.vstack([np.column_stack([np.full(len(ring), x), ring]) for x in (-a, a)])
        else:
            local = np.zeros((1, 3))
        return local @ self.axes.T + self.center

    def clearance(self, points: Array) -> Array:
        """Return the distance of points (..., 3), NED, from a half space; negative inside."""
        return -((points - self.center) @ self.axes[:, 2])

    def crossings(self) -> Array:
        """Return the point nearest the origin on the face of a steep half space, (1, 2) north and east; else none."""
        across = self.axes[:2, 2]
        size = float(across @ across)
        # a face within 30 deg of level does not bound the plan
        if size < 0.25:
            return np.zeros((0, 2))
        return (float(self.center @ self.axes[:, 2]) / size * across)[None, :]

    def outline(self, across: Array, up: Array) -> Array:
        """Return the silhouette (n, 2) along two unit vectors of NED, seen along the third axis."""
        projected = self.corners() @ np.column_stack([across, up])
        if self.kind == SPHERE:
            return projected + self.half[0] * np.column_stack([np.cos(CIRCLE), np.sin(CIRCLE)])
        return convex_hull(projected)


def header(sea: Array) -> Any:
    """Return the header of the packed world as a record."""
    return sea[: SEA.size].view(SEA.dtype)[0]


def records(sea: Array, layout: Layout, at: float, count: float) -> Any:
    """Return the rows of a table of the packed world as records."""
    n = int(count)
    start = int(at)
    # a view by record needs contiguous memory
    return np.ascontiguousarray(sea[start : start + n * layout.size]).view(layout.dtype).reshape(n)


def solids(sea: Array) -> list[Solid]:
    """Return all structures, in the order of the world."""
    h = header(sea)
    rows = records(sea, SOLID, h["solids_at"], h["n_solids"])
    return [
        Solid(int(row["kind"]), np.array(row["center"]), np.array(row["axes"]).reshape(3, 3), np.array(row["half"]))
        for row in rows
    ]


def bottom_extent(sea: Array) -> tuple[Array, Array] | None:
    """Return the south-west and north-east corners of a height map, (north, east) in m; None for other bottoms."""
    h = header(sea)
    if h["bottom"] != GRID_BOTTOM:
        return None
    low = np.array(h["grid_origin"])
    return low, low + np.array(h["grid_step"]) * (np.array(h["grid_count"]) - 1.0)


def wave_summary(sea: Array) -> tuple[float, float, float] | None:
    """Return significant wave height, m, mean direction (rad, towards) and length of the strongest wave, m."""
    h = header(sea)
    waves = records(sea, WAVE, h["waves_at"], h["n_waves"])
    energy = waves["amplitude"] ** 2
    if not energy.sum() > 0.0:
        return None
    to = np.arctan2(np.sum(energy * waves["east"] / waves["number"]), np.sum(energy * waves["north"] / waves["number"]))
    strongest = waves[np.argmax(energy)]
    return float(4.0 * np.sqrt(0.5 * energy.sum())), float(to), float(2.0 * np.pi / strongest["number"])


def current_profile(world: World, depths: Array, north: float = 0.0, east: float = 0.0, time_s: float = 0.0) -> Array:
    """Return the velocity of the water without waves at depths below one point, (n, 3), m/s NED."""
    points = np.column_stack([np.full(len(depths), north), np.full(len(depths), east), depths])
    return velocity_at(world.currents, points, time_s) + world.current_n(time_s)


def density_profile(sea: Array, depths: Array) -> Array:
    """Return the density at depths relative to the reference density of the world, kg/m3."""
    out = np.zeros((len(depths), 2))
    if header(sea)["n_density"]:
        from pelagos.engine.water.flow import sample_density

        sample_density(sea, np.asarray(depths, dtype=float), out)
    return out[:, 0]


def convex_hull(points: Array) -> Array:
    """Return the convex hull of points (n, 2), counter-clockwise (Andrew's monotone chain)."""
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


@dataclass(frozen=True)
class StructureShape:
    """A structure with its name, and its triangles (n, 3, 3), NED, if it is a mesh."""

    name: str
    solid: Solid
    triangles: Array | None = None

    def outlines(self, across: Array, up: Array) -> list[Array]:
        """Return polygons (n, 2) that together are the silhouette, along two unit vectors of NED."""
        if self.triangles is not None:
            return list(self.triangles @ np.column_stack([across, up]))
        return [self.solid.outline(across, up)]

    def points(self, across: Array, up: Array) -> Array:
        """Return all corners of the silhouette."""
        return np.vstack(self.outlines(across, up))


def fill_structure(ax: Axes, shape: StructureShape, polygons: list[Array], **style: Any) -> None:
    """Fill the silhouette of a structure; the triangles of a mesh get thin edges."""
    from matplotlib.collections import PolyCollection

    width = 0.15 if shape.triangles is not None else 0.8
    drawn = PolyCollection(polygons, facecolors=BUILT, edgecolors=BUILT_EDGE, linewidths=width, **style)
    ax.add_collection(drawn, autolim=False)


@dataclass(frozen=True)
class WorldScene:
    """A world prepared for drawing: `low` and `high` (north, east) bound the plan; the section passes `middle`."""

    world: World
    sea: Array
    shapes: tuple[StructureShape, ...]
    low: Array
    high: Array
    middle: Array
    along: Array  # unit vector, NED, horizontal

    @property
    def finite(self) -> list[StructureShape]:
        """Structures with an outline."""
        return [shape for shape in self.shapes if not shape.solid.is_endless]

    @property
    def walls(self) -> list[StructureShape]:
        """Half spaces."""
        return [shape for shape in self.shapes if shape.solid.is_endless]

    @property
    def reach(self) -> tuple[float, float]:
        """Start and end of the section, m from `middle`, where its line leaves the plan."""
        ends = [-math.inf, math.inf]
        for axis in range(2):
            if abs(self.along[axis]) > 1e-9:
                hits = sorted((np.array([self.low[axis], self.high[axis]]) - self.middle[axis]) / self.along[axis])
                ends = [max(ends[0], hits[0]), min(ends[1], hits[1])]
        return float(ends[0]), float(ends[1])

    @property
    def to_deg(self) -> float:
        """Direction of the section, clockwise from north."""
        return math.degrees(math.atan2(self.along[1], self.along[0])) % 360.0

    def is_cut(self, shape: StructureShape) -> bool:
        """Return whether the section cuts a structure."""
        side = shape.points(NORTH, EAST) - self.middle[:2]
        across = side @ np.array([-self.along[1], self.along[0]])
        return bool(across.min() <= 0.0 <= across.max())


def scene(world: World, section_to_deg: float | None = None) -> WorldScene:
    """Prepare a world for drawing; the section runs along `section_to_deg`, by default through most structures."""
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


def name_stem(shape: StructureShape) -> str:
    """Return the name without its number: pile for pile 1 and pile 2."""
    return shape.name.rstrip("0123456789 _-")


def labels(shapes: list[StructureShape]) -> dict[str, str]:
    """Return the label of each structure: its name, or one label for many structures with the same stem."""
    families: dict[str, list[str]] = {}
    for shape in shapes:
        families.setdefault(name_stem(shape), []).append(shape.name)
    labels_by_name: dict[str, str] = {}
    for stem, names in families.items():
        if len(names) > MOST_NAMED and stem:
            labels_by_name[names[0]] = f"{stem} ×{len(names)}".replace("_", " ")
        else:
            labels_by_name |= {name: name.replace("_", " ") for name in names}
    return labels_by_name


def _extent(world: World, sea: Array, shapes: tuple[StructureShape, ...]) -> tuple[Array, Array]:
    """Return the corners of the plan: finite structures, steep walls, the origin, and a margin."""
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
    """Return point and direction of the section: through most structures, else downhill or along the plan."""
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
            # kinds of structures count most, then their number; the length only breaks ties
            score = len({name_stem(finite[i]) for i in cut}) + 0.1 * len(cut) / len(finite)
            score += 1e-3 * length / float(np.ptp(everywhere, axis=0).max())
            score += 0.9 if k < len(steepest) else 0.0  # a slope is visible only along itself
            if score > best + 1e-9:
                centre = 0.5 * (everywhere.min(axis=0) + everywhere.max(axis=0))
                best, chosen = score, (np.append(centre + (at - centre @ across) * across, 0.0), along)
    return chosen


def _downhill(world: World, middle: Array, low: Array, high: Array) -> list[Array]:
    """Return the direction of the steepest descent of the bottom, or none if it is level."""
    north, east = middle[:2]
    step = 0.25 * float(min(high - low))
    z = world.bottom_m([north + step, north - step, north, north], [east, east, east + step, east - step])
    slope = np.array([z[0] - z[1], z[2] - z[3], 0.0]) if np.isfinite(z).all() else np.zeros(3)
    size = float(np.linalg.norm(slope))
    return [_eastward(slope / size)] if size > 1e-6 * step else []


def _eastward(direction: Array) -> Array:
    """Return the direction or its opposite, whichever runs from west to east as the plan does."""
    rounded = direction.round(9)
    return -direction if rounded[1] < 0.0 or (rounded[1] == 0.0 and rounded[0] < 0.0) else direction
