"""Steady flight of a glider against its own sensors: speed through the water from pitch, buoyancy and density.

At every sample the engine's forces along x and z are balanced at the measured pitch, with the buoyancy engine where
the log says, in water of the measured density and at the measured pressure; the speed is sqrt(u^2 + w^2). This is the
steady-state flight model of Merckelbach et al. (2010, 2019), with lift, drag and compressibility from the vehicle file.

Columns: t_s, pressure_bar, pitch_rad, buoyancy_change_cc, density_kg_m3, speed_adcp_m_s (empty where absent).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import hypot
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import VELOCITIES, Vehicle
from pelagos.vehicle.trim import glide

DATA = Path(__file__).parents[2] / "tests" / "data"  # the data come with the source tree, not with the package
DENSITY_STEP = 0.05  # kg/m^3: samples closer than this share one set of engine records
BAR = 1e5


@dataclass(frozen=True)
class Flight:
    """Model and measurement, sample by sample."""

    speed_m_s: NDArray[np.float64]
    measured_m_s: NDArray[np.float64]
    sink_m_s: NDArray[np.float64]  # of the model, positive down
    depth_rate_m_s: NDArray[np.float64]  # from the pressure, mean of 5 samples

    @property
    def bias(self) -> float:
        """Mean of model minus measurement, m/s."""
        return float((self.speed_m_s - self.measured_m_s).mean())

    @property
    def rms(self) -> float:
        """Root mean square of model minus measurement, m/s."""
        return float(np.sqrt(((self.speed_m_s - self.measured_m_s) ** 2).mean()))

    @property
    def depth_rate_rms(self) -> float:
        """The same for the vertical speed."""
        return float(np.sqrt(((self.sink_m_s - self.depth_rate_m_s) ** 2).mean()))


def fly(
    vehicle: Vehicle, data: str | Path, *, mass_kg: float | None = None, pitch_above_deg: float = 11.0,
    depth_m: tuple[float, float] = (10.0, 35.0),
) -> Flight:  # fmt: skip
    """Steady flight at the samples with a measured speed, a steep enough pitch and a depth within the range."""
    path = Path(data) if Path(data).exists() else DATA / data
    log = np.genfromtxt(path, delimiter=",", names=True)
    depth = log["pressure_bar"] * BAR / (log["density_kg_m3"] * vehicle.water.gravity_m_s2)
    rate = np.gradient(np.convolve(np.pad(depth, 2, mode="edge"), np.full(5, 0.2), "valid"), log["t_s"])
    chosen = np.isfinite(log["speed_adcp_m_s"]) & (np.abs(np.degrees(log["pitch_rad"])) > pitch_above_deg)
    chosen &= (depth > depth_m[0]) & (depth < depth_m[1])
    if mass_kg is not None:
        moving = sum(item.mass_kg + item.mass_per_unit * item.initial for item in vehicle.ballast)
        vehicle = replace(vehicle, body=replace(vehicle.body, mass_kg=mass_kg - moving))
    vehicle = replace(vehicle, free=tuple(letter in "uw" for letter in VELOCITIES))  # the pitch is what was measured
    engine = next(i for i, item in enumerate(vehicle.ballast) if item.kind == "engine")
    plants: dict[int, Plant] = {}
    speed, sink = np.empty(chosen.sum()), np.empty(chosen.sum())
    for k, sample in enumerate(np.flatnonzero(chosen)):
        row = log[sample]
        step = round(float(row["density_kg_m3"]) / DENSITY_STEP)
        if step not in plants:
            plants[step] = Plant(vehicle, density_kg_m3=step * DENSITY_STEP)
        plant = plants[step]
        plant.water["density"] = row["density_kg_m3"]
        plant.state["actuators"]["ballast"][engine] = row["buoyancy_change_cc"] * 1e-6
        plant.place(position_n=[0.0, 0.0, depth[sample]])
        pitch = float(row["pitch_rad"])
        u, w, _, found = glide(plant, pitch)
        speed[k] = hypot(u, w) if found else np.nan
        sink[k] = w * np.cos(pitch) - u * np.sin(pitch)
    return Flight(speed, log["speed_adcp_m_s"][chosen], sink, rate[chosen])


def glider_flight(vehicle: Vehicle, setup: dict[str, Any]) -> list[float]:
    """Bias and rms of speed (m/s) against the data, or with quantity = "depth_rate" the rms of the vertical speed."""
    low, high = setup.get("depth_m", (10.0, 35.0))
    flight = fly(
        vehicle, setup["data"], mass_kg=setup.get("mass_kg"), pitch_above_deg=setup.get("pitch_above_deg", 11.0),
        depth_m=(float(low), float(high)),
    )  # fmt: skip
    return [flight.depth_rate_rms] if setup.get("quantity") == "depth_rate" else [flight.bias, flight.rms]
