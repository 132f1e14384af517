"""What the kernel was given, for drawing: outlines of solids, profiles, the surface.

Everything is read back from the packed `sea` array, profiles and surface by the kernel itself, so that a figure shows
what a vehicle will meet and not what a file meant to say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.engine.sea import (
    BOX,
    CYLINDER,
    GRID_BOTTOM,
    HALF_SPACE,
    SEA,
    SOLID,
    SPHERE,
    WAVE,
)  # fmt: skip
from pelagos.engine.views import Layout

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
    from pelagos.engine.waves import sample_waves

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
        from pelagos.engine.flow import sample_flow

        points = np.column_stack([np.full(len(depths), north), np.full(len(depths), east), depths])
        sample_flow(sea, points, np.full(len(depths), time_s), out)
    return out[:, :3]


def density_profile(sea: Array, depths: Array) -> Array:
    """Density above that of the water record at depths, kg/m3."""
    out = np.zeros((len(depths), 2))
    if header(sea)["n_density"]:
        from pelagos.engine.flow import sample_density

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
