"""Batches whose vehicles move, each from another state."""

from __future__ import annotations

import numpy as np

from pelagos.batch.batch import Batch
from pelagos.world.spec import World


def random_commands(vehicle, n, seed=3):
    """Different orders to each of n vehicles: up to half of what each actuator can."""
    rng = np.random.default_rng(seed)
    thrusters = np.array([t.maximum for t in vehicle.thrusters]) * rng.uniform(-0.5, 0.5, (n, len(vehicle.thrusters)))
    surfaces = np.array([s.limit_rad for s in vehicle.surfaces]) * rng.uniform(-0.5, 0.5, (n, len(vehicle.surfaces)))
    ballast = np.array([[rng.uniform(b.minimum, b.maximum) for b in vehicle.ballast] for _ in range(n)])
    return {"thrusters": thrusters, "surfaces": surfaces, "ballast": ballast.reshape(n, len(vehicle.ballast))}


def moving(vehicle, n, seed=5):
    """Different motions of n vehicles. Ahead: astern the angle of attack jumps at 180 deg, and rounding decides."""
    rng = np.random.default_rng(seed)
    nu = 0.2 * rng.standard_normal((n, 6))
    nu[:, 0] = 1.0 + np.abs(nu[:, 0])
    if vehicle is not None:
        nu[:, 3:] *= vehicle.free[3:]  # rates that its file holds are refused
    quaternion = np.array([1.0, 0.0, 0.0, 0.0]) + 0.2 * rng.standard_normal((n, 4))
    quaternion /= np.linalg.norm(quaternion, axis=1, keepdims=True)
    return {"position_n": rng.uniform(20.0, 30.0, (n, 3)), "quaternion": quaternion, "nu": nu}


def started(key, n, **options):
    """A batch under way, each vehicle its own way."""
    batch = Batch(key, n, integrator="rk4", step_s=0.02, **options)
    batch.set_motion(**moving(batch.vehicle, n))
    batch.environment.set_current(np.random.default_rng(8).uniform(-0.2, 0.2, (n, 3)))
    batch.actuators.set(**random_commands(batch.vehicle, n))
    return batch


def turning_batch(n=10, **options):
    """REMUS 100 in a turn, heading all ways."""
    batch = Batch("remus100", n, World(depth_m=50.0, current_m_s=0.2), **options)
    batch.place(depth_m=10.0, surge_m_s=1.5, heading_deg=np.linspace(0.0, 350.0, n))
    batch.actuators.set(thrusters=[120.0], surfaces=[0.05, 0.02])
    return batch
