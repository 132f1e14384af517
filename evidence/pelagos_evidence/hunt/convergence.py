"""Errors of wet share, its centre and the depth at rest over the number of points."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import FreeSurfaceModel, Vehicle
from pelagos.world.spec import World
from pelagos_evidence.document import Progress
from pelagos_evidence.hunt.exact import centroid, down_of, uniform_cloud, wet_share
from pelagos_evidence.rows import Array

COUNTS = (100, 300, 1000, 3000, 10_000, 30_000, 100_000)
SECTIONS = (32, 64, 128, 256, 512, 1024)
SEEDS, CASES = 12, 40  # clouds for each count; depths and attitudes, on which the clouds' errors are correlated


@dataclass(frozen=True)
class Convergence:
    """Errors of the wet share and of the depth at rest, over the number of points.

    Args:
        rms: root mean square error of the wet share for each of COUNTS, all cases and seeds.
        expected: sqrt(mean f (1 - f)/N) for each of COUNTS.
        sections: the same root mean square for each of SECTIONS of our quadrature.
        rest_m: depth at rest, (COUNTS, SEEDS), at the pitch of the exact rest.
        rest_exact_m: of the bounding volume itself.
        center_off_m: distance of the mean of the wet points from the exact centre, rms for each of COUNTS.
    """

    rms: Array
    expected: Array
    sections: Array
    rest_m: Array
    rest_exact_m: float
    center_off_m: Array


def converge(of: Vehicle, progress: Progress = lambda done: None) -> Convergence:
    """Random depths and attitudes in which the hull breaks the surface, against the exact answer."""
    rng = np.random.default_rng(7)
    downs, depths, shares, centers = [], [], [], []
    while len(downs) < CASES:
        down = down_of(float(rng.uniform(-0.6, 0.6)), float(rng.uniform(-0.35, 0.35)))
        depth = float(rng.uniform(-0.2, 0.3))
        share, center = wet_share(of, depth, down)
        if 0.02 < share < 0.98:
            downs.append(down)
            depths.append(depth)
            shares.append(share)
            centers.append(center)
    downs, depths, f = np.array(downs), np.array(depths), np.array(shares)
    target_share, level = rest_share(of), down_of(0.0, math.radians(1.2))
    rms, off, rest = [], [], []
    for k, count in enumerate(COUNTS):
        errors, away, lies = [], [], []
        for seed in range(SEEDS):
            points = uniform_cloud(of, count, np.random.default_rng([seed, count]))
            wet = points @ downs.T > -depths
            errors.append(wet.mean(axis=0) - f)
            sums = wet.T.astype(float) @ points / np.maximum(wet.sum(axis=0), 1)[:, None]
            away.append(np.linalg.norm(sums - centers, axis=1))
            # a point is wet once O is deeper than -down . p: the share at rest is a quantile of these depths
            moved = points + np.array(of.body.cb_b) - points.mean(axis=0)
            lies.append(float(np.quantile(-moved @ level, target_share)))
        rms.append(math.sqrt(np.mean(np.square(errors))))
        off.append(math.sqrt(np.mean(np.square(away))))
        rest.append(lies)
        progress(0.8 * (k + 1) / len(COUNTS))
    expected = np.sqrt(np.mean(f * (1.0 - f)) / np.array(COUNTS))
    sections = np.array([_sections_error(of, n, downs, depths, f) for n in SECTIONS])
    return Convergence(
        np.array(rms), expected, sections, np.array(rest), _rest_exact(of, target_share, level), np.array(off)
    )


def rest_share(of: Vehicle) -> float:
    """Wet share that carries the weight."""
    return of.body.mass_kg / (of.water.density_kg_m3 * of.body.volume_m3)


def _rest_exact(of: Vehicle, target_share: float, level: Array) -> float:
    shift = float((np.array(of.body.cb_b) - centroid(of)) @ level)
    low, high = 0.0, 0.4
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if wet_share(of, middle + shift, level)[0] < target_share else (low, middle)
    return 0.5 * (low + high)


def _sections_error(of: Vehicle, sections: int, downs: Array, depths: Array, f: Array) -> float:
    """Rms error of the engine's quadrature; its points are not moved, so that they fill the same volume."""
    body = replace(of.body, cb_b=tuple(centroid(of)))
    plant = Plant(replace(of, body=body, free_surface=FreeSurfaceModel("quadrature", sections)), sea=World().packed())
    errors = []
    for down, depth, share in zip(downs, depths, f, strict=True):
        plant.place(position_n=(0.0, 0.0, depth), euler=(math.atan2(down[1], down[2]), -math.asin(down[0]), 0.0))
        errors.append(plant.local_water().wet_share - share)
    return math.sqrt(np.mean(np.square(errors)))
