"""What a log says of how it was made: every default spelled out, so that an old log survives new defaults."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pelagos

if TYPE_CHECKING:
    from pelagos.sim.simulation import Simulation
    from pelagos.world.spec import World


def meta_of(sim: Simulation) -> dict[str, Any]:
    """Vehicle, method, seed, controller and world of a simulation as plain words and numbers."""
    return {
        "vehicle": sim.vehicle.key,
        "vehicle_name": sim.vehicle.name,
        "pelagos": pelagos.__version__,
        "seed": sim.seed,
        "integrator": sim.integrator,
        "kinematics": sim.kinematics,
        "step_s": sim.step_s,
        "control_rate_hz": sim.control_rate_hz,
        "density_kg_m3": sim.water.density_kg_m3,
        "gravity_m_s2": sim.water.gravity_m_s2,
        "surface": _surface(sim),
        **_world(sim.world),
        "controller": type(sim.controller).__name__,
        "user_force": sim.user_force or "none",
        "tether": repr(sim.tether.tether) if sim.tether else "none",
        **({"tether_cable": repr(sim.tether.cable)} if sim.tether else {}),
    }


def _surface(sim: Simulation) -> str:
    """How the vehicle meets the surface: its method, "submerged" if its file gives no shape, "none" without one."""
    if not sim.world.surface:
        return "none"
    return sim.vehicle.surface.method if sim.vehicle.shapes else "submerged"


def _world(world: World) -> dict[str, Any]:
    return {
        "world": world.name or "unnamed",
        "density_gradient_kg_m4": world.density_gradient_kg_m4,
        "water": repr(world.water) if world.water else "uniform",
        "water_depth_m": world.still_depth_m if math.isfinite(world.still_depth_m) else "endless",
        "current": "function of time" if world.current else "steady",
        "current_m_s": world.current_m_s,
        "current_to_deg": world.current_to_deg,
        "current_down_m_s": world.current_down_m_s,
        "currents": repr(world.currents) if world.currents else "none",
        "waves": repr(world.waves) if world.waves else "none",
        "seabed": world.bottom.kind if world.bottom else "none",
        "structures": ", ".join(world.named(i) for i in range(len(world.structures))) or "none",
    }
