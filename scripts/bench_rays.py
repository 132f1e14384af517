"""Rays per second of Pelagos and of Embree on one scene.

    python scripts/bench_rays.py [rays]

The scene is that of `pelagos bench`: a rough bottom of 500 x 500 nodes, 1 m apart, with 100 boxes, cylinders and
spheres on it. Embree (package embreex, single precision) gets the same scene as triangles, two per cell of the bottom.
The last rows give the same triangles to Pelagos' own tree, in double precision.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.rays_case import bundles, scene
from pelagos.engine.water.sea import BOX, CYLINDER
from pelagos.world.rays import Rays
from pelagos.world.writer import SeaWriter

Array = NDArray[np.float64]


def quads(grid: Array) -> Array:
    """Triangles (m, 3, 3) of a net of points (rows, columns, 3)."""
    a, b, c, d = grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]
    return np.concatenate([np.stack([a, b, c], -2).reshape(-1, 3, 3), np.stack([a, c, d], -2).reshape(-1, 3, 3)])


def skin(solid: dict[str, Any], around: int = 48) -> Array:
    """A solid as triangles (m, 3, 3), NED; round ones with `around` sides."""
    half, angle = solid["half"], np.linspace(0.0, 2.0 * np.pi, around + 1)
    if solid["kind"] == BOX:
        x, radius = half[0] * np.array([-1.0, -1.0, 1.0, 1.0]), np.array([0.0, 1.0, 1.0, 0.0])
        y, z = half[1] * np.array([-1.0, 1.0, 1.0, -1.0, -1.0]), half[2] * np.array([-1.0, -1.0, 1.0, 1.0, -1.0])
    else:
        y, z = np.cos(angle), np.sin(angle)
        slope = np.linspace(0.0, np.pi, around // 2 + 1)
        x, radius = -half[0] * np.cos(slope), half[0] * np.sin(slope)
        if solid["kind"] == CYLINDER:
            x, radius = half[0] * np.array([-1.0, -1.0, 1.0, 1.0]), half[1] * np.array([0.0, 1.0, 1.0, 0.0])
    net = np.stack([x[:, None] + 0.0 * y, radius[:, None] * y, radius[:, None] * z], -1)
    return quads(net) @ solid["axes"].reshape(3, 3).T + solid["center"]


def best_s(*work: Callable[[], object], repeats: int = 5) -> list[float]:
    """Seconds of the fastest call of each; they take turns, so that a busy machine hinders all alike."""
    times: list[list[float]] = [[] for _ in work]
    for _ in range(repeats):
        for call, seconds in zip(work, times, strict=True):
            start = time.perf_counter()
            call()
            seconds.append(time.perf_counter() - start)
    return [min(seconds) for seconds in times]


def main() -> None:
    """Print the table."""
    from embreex.mesh_construction import TriangleMesh
    from embreex.rtcore_scene import EmbreeScene

    rays = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    sea, z, solids = scene()
    north, east = np.meshgrid(np.arange(z.shape[0], dtype=float), np.arange(z.shape[1], dtype=float), indexing="ij")
    triangles = np.concatenate([quads(np.stack([north, east, z], -1)), *(skin(solid) for solid in solids)])
    start = time.perf_counter()
    embree = EmbreeScene()
    TriangleMesh(embree, triangles.astype(np.float32))
    embree.run(np.zeros((1, 3), np.float32), np.ones((1, 3), np.float32))
    embree_s = time.perf_counter() - start
    exact = Rays(sea)
    meshes = Rays(SeaWriter().finish(), triangles=[(0, triangles)])
    exact_s = best_s(lambda: Rays(sea))[0]
    meshes_s = best_s(lambda: Rays(SeaWriter().finish(), triangles=[(0, triangles)]), repeats=1)[0]
    print(f"{len(triangles)} triangles for Embree; prepared in {embree_s:.3f} s, Pelagos {exact_s:.3f} s")
    print(f"Pelagos' own tree over the triangles: prepared in {meshes_s:.3f} s")
    print("s per million rays    Pelagos   Embree   Embree with normal   own tree   median |difference| of range, m")
    for name, (origins, directions) in bundles(rays).items():
        unit = directions / np.linalg.norm(directions, axis=1, keepdims=True)
        o32, d32 = origins.astype(np.float32), unit.astype(np.float32)
        own, plain, full, tree = (
            seconds * 1e6 / len(origins)
            for seconds in best_s(
                lambda o=origins, d=directions: exact.cast(o, d),
                lambda o=o32, d=d32: embree.run(o, d),
                lambda o=o32, d=d32: embree.run(o, d, output=1),
                lambda o=origins, d=directions: meshes.cast(o, d),
            )
        )
        far = embree.run(o32, d32, query="DISTANCE").astype(float)
        ranges = exact.cast(origins, directions).range_m
        both = (far < 1e6) & np.isfinite(ranges)
        error = np.median(np.abs(far - ranges)[both])
        print(f"{name:20} {own:8.3f} {plain:8.3f} {full:20.3f} {tree:10.3f} {error:12.1e}")


if __name__ == "__main__":
    main()
