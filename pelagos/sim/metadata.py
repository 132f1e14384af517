"""Metadata of a log: every setting of the simulation as plain values.

It spells out every setting, defaults included, so that an old log stays reproducible when a default changes.
"""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import pelagos
from pelagos.sim.commands import LOG_UNIT

if TYPE_CHECKING:
    from pelagos.sim.simulation import Simulation
    from pelagos.vehicle.spec import Vehicle
    from pelagos.world.spec import World


def meta_of(sim: Simulation) -> dict[str, Any]:
    """Metadata of a simulation: vehicle, method, seed, controller, sensors, faults and world as plain values."""
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
        **world_meta(sim.world),
        "controller": type(sim.controller).__name__,
        "user_force": sim.user_force or "none",
        "tether": repr(sim.tether.tether) if sim.tether else "none",
        **({"tether_cable": repr(sim.tether.cable)} if sim.tether else {}),
        "sensors": _sensors(sim) or "none",
        "navigation": _navigation(sim),
        "hold": repr(sim.hold) if sim.hold else "none",
        "faults": [repr(fault) for fault in sim.faults.faults] if sim.faults else "none",
        "actuator_limits": _limits(sim.vehicle),
    }


def _navigation(sim: Simulation) -> str:
    if sim.sensing is None or sim.sensing.navigator is None:
        return "none"
    return repr(getattr(sim.sensing.navigator, "navigation", "own"))


def _sensors(sim: Simulation) -> dict[str, Any]:
    """Every parameter of every sensor, by the name of the sensor."""
    fitted = sim.sensing.suite.sensors if sim.sensing else {}
    return {name: {"kind": sensor.kind, **asdict(sensor)} for name, sensor in fitted.items()}


def _limits(vehicle: Vehicle) -> dict[str, list[float]]:
    """Lowest and highest command of thrusters and surfaces, by column of the log and in its unit."""
    limits: dict[str, list[float]] = {}
    for t in vehicle.thrusters:
        unit, per = LOG_UNIT[t.drive]
        limits[f"cmd_thruster_{t.name}_{unit}"] = [t.minimum * per, t.maximum * per]
    for s in vehicle.surfaces:
        limits[f"cmd_surface_{s.name}_deg"] = [-math.degrees(s.limit_rad), math.degrees(s.limit_rad)]
    return limits


def _surface(sim: Simulation) -> str:
    """Free-surface method of the vehicle, "submerged" if its file gives no shape, "none" in a world without surface."""
    if not sim.world.surface:
        return "none"
    return sim.vehicle.free_surface.method if sim.vehicle.shapes else "submerged"


def world_meta(world: World) -> dict[str, Any]:
    """Metadata of a world as plain values."""
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
