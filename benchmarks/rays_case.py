"""The benchmark of rays: a rough bottom of 500 x 500 nodes with 100 structures, and three kinds of ray bundles."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.engine.water.sea import BOX, CYLINDER, GRID_BOTTOM, SOLID, SPHERE
from pelagos.world.rays import Rays
from pelagos.world.writer import SeaWriter

Array = NDArray[np.float64]
NODES = 500  # along north and east, 1 m apart
SOLIDS = 100


def scene() -> tuple[Array, Array, list[dict[str, Any]]]:
    """The packed world, the bottom's z [north, east] and its solids: 4 m rms of relief about 60 m of depth."""
    rng = np.random.default_rng(3)
    number = np.fft.fftfreq(NODES)
    length = np.hypot(number[:, None], number[None, :])
    length[0, 0] = 1.0
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
    """Origins and directions of about so many rays: all ways down from anywhere, swath sonar, forward-looking."""
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


def rays_case(rays: int = 1_000_000, repeats: int = 3) -> dict[str, float]:
    """Seconds per million rays of each bundle, one core, best of `repeats`; and seconds to prepare the scene."""
    sea = scene()[0]
    tracer = Rays(sea)
    tracer.cast(np.zeros(3), np.ones(3))  # compile before the clock runs
    start = time.perf_counter()
    tracer = Rays(sea)
    result = {"prepare_s": time.perf_counter() - start}
    for name, (origins, directions) in bundles(rays).items():
        times = []
        for _ in range(repeats):
            start = time.perf_counter()
            tracer.cast(origins, directions)
            times.append(time.perf_counter() - start)
        result[f"{name}_s"] = min(times) * 1e6 / len(origins)
    return result
