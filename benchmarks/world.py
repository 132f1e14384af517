"""Cost of the world: time that surface, waves, currents and contact add to an RK4 step, and speed of ray casting."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.rays import measure_rays
from pelagos.engine.core.integrate import RK4
from pelagos.engine.water.sea import FLOW_FIELD
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant
from pelagos.world.current.kinds import GaussMarkov, Profile, Tidal, Turbulence, Uniform, pack_currents
from pelagos.world.spec import World
from pelagos.world.structure import Structure
from pelagos.world.waves import Waves, pack_waves
from pelagos.world.writer import SeaWriter

VEHICLE = "iver3"  # a torpedo hull and a mast: 512 sections
DT, STEPS, ROUNDS = 1e-4, 400, 9  # steps so short that the vehicle does not leave its place
DEEP_M, AFLOAT_M = 30.0, 0.037  # the axis of the hull lies 0.0369 m above O: half of it is dry


def measure_world() -> dict[str, dict[str, float]]:
    """Measure ns per RK4 step in each world, ns more than in empty water, and seconds per million rays."""
    times: dict[str, list[float]] = {name: [] for name in CASES}
    plants = {name: make() for name, make in CASES.items()}
    starts = {name: plant.save() for name, (plant, _) in plants.items()}
    for turn in range(ROUNDS + 1):  # the first round compiles and is dropped
        for name, (plant, touching) in plants.items():
            plant.restore(starts[name])
            rows = plant.rows
            begin = time.perf_counter()
            plant.kernel.advance(*rows, DT, STEPS, RK4, touching)
            if turn:
                times[name].append((time.perf_counter() - begin) / STEPS * 1e9)
    medians = {name: statistics.median(values) for name, values in times.items()}
    empty = medians["empty water"]
    result = {name: {"ns_per_step": ns, "ns_more": ns - empty} for name, ns in medians.items()}
    return result | {"rays": measure_rays()}


def report_world(result: dict[str, dict[str, float]]) -> list[str]:
    """The figures as lines of text."""
    lines = [f"{f'{VEHICLE} in a world, RK4':<46}{'ns/step':>10}{'ns more':>10}"]
    for name, row in result.items():
        if name != "rays":
            lines.append(f"{name:<46}{row['ns_per_step']:10.0f}{row['ns_more']:10.0f}")
    rays = result["rays"]
    seconds = ", ".join(f"{name.removesuffix('_s')} {value:.2f} s" for name, value in rays.items())
    return [*lines, "", f"a million rays, 500 x 500 bottom and 100 structures: {seconds}"]


def _plant(
    sea: NDArray[np.float64] | None, depth_m: float, touching: bool = False, pressed_n: float = 0.0
) -> tuple[Plant, bool | None]:
    plant = Plant(load_vehicle(VEHICLE), sea=sea)
    plant.place(position_n=(0.0, 0.0, depth_m), nu=(0.5 if not pressed_n else 0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    plant.command["external"][2] = pressed_n
    return plant, True if touching else None


def _currents(*currents: Any) -> NDArray[np.float64]:
    writer = SeaWriter()
    pack_waves(None, writer, depth_m=math.inf, gravity_m_s2=9.81)
    pack_currents(currents, writer, until_s=100.0)
    return writer.finish()


def _field() -> NDArray[np.float64]:
    """A packed current field of 10 times, 20 depths and 50 x 50 places, as ocean models have."""
    writer = SeaWriter()
    pack_waves(None, writer, depth_m=math.inf, gravity_m_s2=9.81)
    axes = [np.linspace(0.0, 36000.0, 10), np.linspace(0.0, 200.0, 20), *(np.linspace(-5e3, 5e3, 50) for _ in "ne")]
    values = np.random.default_rng(1).normal(0.0, 0.2, (10, 20, 50, 50, 3))
    at = writer.append(np.concatenate([*axes, values.ravel()]))
    record = {"times": 10, "depths": 20, "norths": 50, "easts": 50, "at": at}
    writer.header["n_fields"], writer.header["fields_at"] = 1, writer.append_records(FLOW_FIELD, [record])
    return writer.finish()


def _structures() -> tuple[Structure, ...]:
    """A hundred columns, 200 m from the vehicle."""
    rng = np.random.default_rng(2)
    places = [(200.0 * math.cos(a), 200.0 * math.sin(a)) for a in rng.uniform(0.0, 2.0 * math.pi, 100)]
    return tuple(
        Structure(kind="cylinder", name=f"c{i}", from_m=(n, e, 0.0), to_m=(n, e, 60.0), radius_m=1.0)
        for i, (n, e) in enumerate(places)
    )


# depth (m), speed (m/s), direction (deg)
PROFILE = Profile(rows=tuple((10.0 * k, 0.5 - 0.02 * k, 3.0 * k) for k in range(12)))
CASES: dict[str, Callable[[], tuple[Plant, bool | None]]] = {
    "empty water": lambda: _plant(None, DEEP_M),
    "surface, hull deep": lambda: _plant(World().packed(), DEEP_M),
    "surface, hull breaks it, 512 sections": lambda: _plant(World().packed(), AFLOAT_M),
    "regular wave, hull deep": lambda: _plant(
        World(waves=Waves(kind="regular", height_m=1.0, period_s=8.0)).packed(), DEEP_M
    ),
    "jonswap, 64 components, hull deep": lambda: _plant(
        World(waves=Waves(height_m=1.0, period_s=8.0)).packed(), DEEP_M
    ),
    "uniform and sheared current, 12 rows": lambda: _plant(
        _currents(Uniform(speed_m_s=0.3, to_deg=0.0), PROFILE), DEEP_M
    ),
    "tide and Gauss-Markov": lambda: _plant(
        _currents(Tidal(speed_m_s=0.5, to_deg=0.0), GaussMarkov(sigma_m_s=0.1, time_constant_s=60.0, to_deg=0.0)),
        DEEP_M,
    ),
    "turbulence, 48 components": lambda: _plant(
        _currents(Turbulence(sigma_m_s=0.1, length_scale_m=5.0, mean_speed_m_s=0.5, to_deg=0.0)), DEEP_M
    ),
    "gridded current, 4-D": lambda: _plant(_field(), DEEP_M),
    "bottom and 100 structures, nothing near": lambda: _plant(
        World(depth_m=60.0, surface=False, structures=_structures()).packed(), DEEP_M, touching=True
    ),
    "pressed on the bottom, in contact": lambda: _plant(
        World(depth_m=30.037, surface=False).packed(), DEEP_M, touching=True, pressed_n=20.0
    ),
}
