"""What is said of a motion that left the range of finite numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pelagos.errors import DivergedError
from pelagos.vehicle.plant import Plant

if TYPE_CHECKING:
    from pelagos.sim.simulation import Simulation

KEPT = ("depth_m", "roll_deg", "pitch_deg", "surge_m_s", "sway_m_s", "heave_m_s", "yaw_rate_deg_s")


def largest_force(plant: Plant, step_s: float) -> str:
    """The largest wrench now: its term, its largest axis, and what to try."""
    forces = plant.forces()
    size = {name: float(np.hypot(np.linalg.norm(f[:3]), np.linalg.norm(f[3:]))) for name, f in forces.items()}
    name = max(size, key=lambda key: size[key])
    axis = int(np.argmax(np.abs(forces[name])))
    unit = "N" if axis < 3 else "N m"
    return f"{name}, {'XYZKMN'[axis]} = {forces[name][axis]:.4g} {unit} (step {step_s:g} s: try a smaller one)"


def diverged(sim: Simulation, done: int) -> DivergedError:
    """The time, the largest force and the last good state, after `done` sound steps of a control interval."""
    largest = largest_force(sim.plant, sim.step_s)
    values, _ = sim.sample()
    state = dict(zip(sim.columns(), values.tolist(), strict=True))
    time_s = sim.time_s + (done * sim.step_s if sim.integrator != "adaptive" else 0.0)
    return DivergedError(time_s, largest, {key: state[key] for key in KEPT})
