"""Log of a simulation: its columns, samples and metadata.

The metadata spells out every setting, defaults included, so that an old log stays reproducible when a default changes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

import pelagos
from pelagos.messages import Setpoint
from pelagos.sim import inputs
from pelagos.sim import tether as towing
from pelagos.sim.columns import Sampler, columns
from pelagos.sim.commands import LOG_UNIT, Commanded
from pelagos.sim.faults.effects import Faults
from pelagos.sim.sensing import Sensing
from pelagos.sim.true_state import TrueState
from pelagos.tether.line import Line
from pelagos.vehicle.plant import TERMS

if TYPE_CHECKING:
    from pelagos.sim.simulation import Simulation
    from pelagos.vehicle.spec import Vehicle
    from pelagos.world.spec import World

NO_SETPOINT = Setpoint()


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


class Logged(Commanded):
    """The methods of `Simulation` that supply its log."""

    tether: Line | None
    sensing: Sensing | None
    faults: Faults | None
    _sampler: Sampler

    def evaluate(self) -> TrueState:
        """Motion, forces and surrounding water at the present instant."""
        raise NotImplementedError

    @property
    def held(self) -> Setpoint:
        """Setpoint of the controller; an empty one if the controller has none."""
        held = getattr(self.controller, "setpoint", NO_SETPOINT)
        return held if isinstance(held, Setpoint) else NO_SETPOINT

    def sample_into(self, row: NDArray[np.float64]) -> None:
        """Write the present values of `columns` into a row."""
        first = self._sampler.width
        self._sampler.fill(row, self.evaluate(), self.held)
        for part in self._extras():
            values = part()
            row[first : first + len(values)] = values
            first += len(values)

    def sample(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Present values of the columns, and the wrench of each force term."""
        row = np.empty(len(self.columns()))
        self.sample_into(row)
        return row, self.evaluate().forces

    def columns(self) -> tuple[str, ...]:
        """Names of the log's columns."""
        more: list[str] = []
        if self.tether:
            more += towing.TETHER_COLUMNS
        if self.sensing:
            more += self.sensing.columns
        if self.faults:
            more += self.faults.columns
        return (*columns(self.vehicle), *more, *getattr(self.controller, "columns", ()))

    def _extras(self) -> list[Callable[[], Any]]:
        """Functions that return the values after those of the vehicle, in the sequence of `columns`."""
        parts: list[Callable[[], Any]] = []
        if self.tether:
            parts.append(lambda: towing.tether_values(self.tether))  # type: ignore[arg-type]  # never unset
        if self.sensing:
            parts.append(self.sensing.values)
        if self.faults:
            parts.append(self.faults.values)
        if getattr(self.controller, "columns", ()):
            parts.append(lambda: inputs.logged_values(self.controller))
        return parts

    def terms(self) -> tuple[str, ...]:
        """Names of the force terms."""
        return TERMS

    def meta(self) -> dict[str, Any]:
        """Settings of the run, defaults included; see `meta_of`."""
        return meta_of(self)  # type: ignore[arg-type]  # only Simulation derives from this class
