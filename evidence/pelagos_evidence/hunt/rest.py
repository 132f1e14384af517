"""Afloat at rest: depth and pitch, approach to rest, and work of the water around a closed loop."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from pelagos.vehicle.check.procedures import compute
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import FreeSurfaceModel, Vehicle
from pelagos.world.spec import World
from pelagos_evidence.document import Findings, Progress
from pelagos_evidence.hunt import exact, printed
from pelagos_evidence.hunt.surface_runs import LENGTHS_M, awash_depth
from pelagos_evidence.rows import Rows, Values

LOOP = 2000  # places round the loop


ROWS = Rows(__file__, LENGTHS_M=LENGTHS_M, LOOP=LOOP)


def run(progress: Progress) -> Findings:
    """Release the vehicle under water for 1000 s; then follow a loop through the surface."""
    of = load_vehicle("iver3")
    values = rest_values(of)
    progress(0.7)
    values |= _energy(of)
    return Findings(ROWS.claims(values))


def rest_values(of: Vehicle) -> Values:
    """Rows of section IV on the vehicle at rest on the surface."""
    depth, pitch = (
        compute(of, "floating_state", {"seconds": 1000, "quantity": name})[0] for name in ("depth", "pitch")
    )
    balance = exact.afloat(of)
    awash = [awash_depth(of, length) for length in LENGTHS_M]
    cloud = replace(of, free_surface=FreeSurfaceModel("monte_carlo", 20_000))
    by_cloud = compute(cloud, "floating_state", {"seconds": 300, "quantity": "depth"})[0]
    hull, mast = of.shapes
    top = hull.center_b[2] - hull.size_m[1]
    nose = _depth_of((0.5 * hull.size_m[0], 0.0, top), depth, pitch)
    at_mast = _depth_of((mast.center_b[0], 0.0, top), depth, pitch)
    tip = _depth_of((mast.center_b[0], 0.0, mast.center_b[2] - 0.5 * mast.size_m[0]), depth, pitch)
    return {
        "rest-depth": depth,
        "rest-balance": {
            "published": balance[0],
            "ours": depth,
            "balance": math.degrees(balance[1]),
            "pitch": math.degrees(pitch),
        },
        "hull-awash": {
            "value": max(awash),
            "awash": awash,
            "least_mm": 1e3 * (0.13 - max(awash)),
            "most_mm": 1e3 * (0.13 - min(awash)),
        },
        "rest-depth-cloud": by_cloud,
        "mast-alone": {"holds": at_mast > 0.0 > tip, "at_mast": 1e3 * at_mast, "nose": 1e3 * nose, "tip": -1e3 * tip},
        "nose-touches": {"value": abs(nose), "nose_mm": -1e3 * nose, "pitch": math.degrees(pitch), "nose": nose},
    }


def _depth_of(point_b: tuple[float, float, float], depth: float, pitch: float) -> float:
    x, _, z = point_b
    return depth - x * math.sin(pitch) + z * math.cos(pitch)


def work_round_a_loop(of: Vehicle) -> tuple[float, float]:
    """Work of the restoring force on a vehicle led round a loop of depth, roll and pitch; the largest partial sum."""
    plant = Plant(of, sea=World().packed())
    done = []
    for s in 2.0 * math.pi * np.arange(LOOP) / LOOP:
        depth, depth_rate = 0.13 + 0.12 * math.cos(s), -0.12 * math.sin(s)
        euler = np.array([0.3 * math.sin(2.0 * s), 0.15 * math.sin(s), 0.0])
        rates = np.array([0.6 * math.cos(2.0 * s), 0.15 * math.cos(s), 0.0])
        plant.place(position_n=(0.0, 0.0, depth), euler=tuple(euler))
        wrench = plant.forces()["restoring"]
        v = printed.rotation(euler).T @ np.array([0.0, 0.0, depth_rate])
        omega = np.linalg.solve(printed.euler_rates(euler), rates)
        done.append(float(wrench[:3] @ v + wrench[3:] @ omega))
    work = np.cumsum(done) * 2.0 * math.pi / LOOP
    return float(work[-1]), float(np.abs(work).max())


def _energy(of: Vehicle) -> Values:
    smooth, scale = work_round_a_loop(of)
    cloud, _ = work_round_a_loop(replace(of, free_surface=FreeSurfaceModel("monte_carlo", 20_000)))
    return {
        "no-free-energy": {
            "holds": abs(smooth) < 1e-5 * scale and abs(cloud) < 1e-2 * scale,
            "smooth": smooth,
            "cloud": cloud,
            "scale": scale,
            "allowed": 1e-5 * scale,
        },
    }
