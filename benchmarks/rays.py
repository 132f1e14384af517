"""Speed of ray casting: three bundles of rays over a rough bottom of 500 x 500 nodes with 100 structures.

`measure_rays` is part of `pelagos bench`. Run as a program, the module compares Pelagos with Embree on the same scene:

    python -m benchmarks.rays [rays]

Embree (package embreex, single precision) gets the scene as triangles, two per cell of the bottom. The column
"own tree" has the same triangles in the tree of Pelagos, in double precision.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.engine.water.sea import BOX, CYLINDER, GRID_BOTTOM, SOLID, SPHERE
from pelagos.errors import MissingExtraError
from pelagos.world.rays import Rays
from pelagos.world.writer import SeaWriter

Array = NDArray[np.float64]
NODES = 500  # along north and east, 1 m apart
SOLIDS = 100  # structures on the bottom


def scene() -> tuple[Array, Array, list[dict[str, Any]]]:
    """The packed world, z of the bottom [north, east] and the solids on it; relief of 4 m rms about a depth of 60 m."""
    rng = np.random.default_rng(3)
    number = np.fft.fftfreq(NODES)
    length = np.hypot(number[:, None], number[None, :])
    length[0, 0] = 1.0
    # Noise with a spectrum that falls as k^-1.5 looks like a natural bottom: large forms high, small ones low.
    rough = np.fft.ifft2(np.fft.fft2(rng.normal(size=(NODES, NODES))) * length**-1.5).real
    z = 60.0 + 4.0 * rough / rough.std()
    solids = []
    for i in range(SOLIDS):
        north, east = rng.uniform(20.0, NODES - 20.0, 2)
        turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        turn[:, 0] *= np.linalg.det(turn)  # a rotation, not a reflection
        half = {
            BOX: rng.uniform(1.0, 5.0, 3),
            CYLINDER: np.array([rng.uniform(3.0, 15.0), rng.uniform(0.2, 1.5), 0.0]),
            SPHERE: np.full(3, rng.uniform(1.0, 4.0)),
        }
        kind = (BOX, CYLINDER, SPHERE)[i % 3]
        center = np.array([north, east, z[int(north), int(east)] - rng.uniform(0.0, 6.0)])
        bound = float(np.linalg.norm(half[kind]))
        solids.append({"kind": kind, "center": center, "axes": turn.ravel(), "half": half[kind], "bound": bound})
    writer = SeaWriter()
    header = writer.header
    header["bottom"], header["grid_step"], header["grid_count"] = GRID_BOTTOM, 1.0, NODES
    header["grid_at"], header["highest"] = writer.append(z), z.min()
    header["n_solids"], header["solids_at"] = SOLIDS, writer.append_records(SOLID, solids)
    return writer.finish(), z, solids


def bundles(rays: int) -> dict[str, tuple[Array, Array]]:
    """Origins and directions of about `rays` rays: scattered (from anywhere, all ways down), swath, forward-looking."""
    rng = np.random.default_rng(4)
    inside = (50.0, NODES - 50.0)
    anywhere = np.column_stack([rng.uniform(*inside, rays), rng.uniform(*inside, rays), rng.uniform(5.0, 40.0, rays)])
    down = rng.normal(size=(rays, 3))
    down[:, 2] = np.abs(down[:, 2])
    beams = np.radians(np.linspace(-70.0, 70.0, 500))
    pings = max(rays // len(beams), 1)
    track = np.column_stack([np.linspace(*inside, pings), np.full(pings, NODES / 2.0), np.full(pings, 30.0)])
    fan = np.column_stack([0.0 * beams, np.sin(beams), np.cos(beams)])
    azimuth, dip = rng.uniform(-np.pi, np.pi, rays), np.radians(rng.uniform(-2.0, 15.0, rays))
    ahead = np.column_stack([np.cos(azimuth) * np.cos(dip), np.sin(azimuth) * np.cos(dip), np.sin(dip)])
    return {
        "scattered": (anywhere, down),
        "swath": (np.repeat(track, len(beams), axis=0), np.tile(fan, (pings, 1))),
        "forward": (anywhere, ahead),
    }


def measure_rays(rays: int = 1_000_000, repeats: int = 3) -> dict[str, float]:
    """Measure seconds per million rays of each bundle (one core, best of `repeats`) and to prepare the scene."""
    sea = scene()[0]
    tracer = Rays(sea)
    tracer.cast(np.zeros(3), np.ones(3))  # compiles, so that no timed call does
    start = time.perf_counter()
    tracer = Rays(sea)
    result = {"prepare_s": time.perf_counter() - start}
    for name, (origins, directions) in bundles(rays).items():
        times: list[float] = []
        for _ in range(repeats):
            start = time.perf_counter()
            tracer.cast(origins, directions)
            times.append(time.perf_counter() - start)
        result[f"{name}_s"] = min(times) * 1e6 / len(origins)
    return result


def quads(grid: Array) -> Array:
    """Triangles (m, 3, 3) of a grid of points (rows, columns, 3), two per cell."""
    a, b, c, d = grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]
    return np.concatenate([np.stack([a, b, c], -2).reshape(-1, 3, 3), np.stack([a, c, d], -2).reshape(-1, 3, 3)])


def triangulate(solid: dict[str, Any], around: int = 48) -> Array:
    """Triangles (m, 3, 3), NED, of the surface of a solid; a round one gets `around` sides."""
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
    grid = np.stack([x[:, None] + 0.0 * y, radius[:, None] * y, radius[:, None] * z], -1)
    return quads(grid) @ solid["axes"].reshape(3, 3).T + solid["center"]


def best_s(*work: Callable[[], object], repeats: int = 5) -> list[float]:
    """Seconds of the fastest call of each function; the functions take turns, so that other load hits all alike."""
    times: list[list[float]] = [[] for _ in work]
    for _ in range(repeats):
        for call, seconds in zip(work, times, strict=True):
            start = time.perf_counter()
            call()
            seconds.append(time.perf_counter() - start)
    return [min(seconds) for seconds in times]  # the fastest call is the one that other load disturbed least


def main() -> None:
    """Print the comparison with Embree."""
    try:
        from embreex.mesh_construction import TriangleMesh  # pyright: ignore[reportMissingImports]
        from embreex.rtcore_scene import EmbreeScene  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise SystemExit(str(MissingExtraError("embreex", "the comparison with Embree"))) from None

    rays = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    sea, z, solids = scene()
    north, east = np.meshgrid(np.arange(z.shape[0], dtype=float), np.arange(z.shape[1], dtype=float), indexing="ij")
    triangles = np.concatenate([quads(np.stack([north, east, z], -1)), *(triangulate(solid) for solid in solids)])
    start = time.perf_counter()
    embree = EmbreeScene()
    TriangleMesh(embree, triangles.astype(np.float32))
    embree.run(np.zeros((1, 3), np.float32), np.ones((1, 3), np.float32))  # Embree builds its tree at the first ray
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
        exact_rate, plain, full, tree = (
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
        print(f"{name:20} {exact_rate:8.3f} {plain:8.3f} {full:20.3f} {tree:10.3f} {error:12.1e}")


if __name__ == "__main__":
    main()
