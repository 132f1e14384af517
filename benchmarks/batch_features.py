"""Cost that each feature adds to a batch: worlds, contact, tethers, scaled parameters, autopilot, instruments."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.batch_case import COMMAND, CURRENT_N, DT, SPEED_M_S
from pelagos.batch.batch import Batch
from pelagos.batch.sensors import VectorSensorSuite
from pelagos.control.vectorised.autopilot import VectorAutopilot
from pelagos.tether.spec import Tether
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World
from pelagos.world.waves import Waves

COUNT, TETHERED, ROUNDS = 4096, 512, 9  # a step with a tether takes tens of times as long: fewer vehicles
DEEP_M, BOTTOM_M, RADIUS_M = 20.0, 30.0, 0.0955  # radius of the hull of remus100
PRESSED = (0.0, 0.0, 20.0, 0.0, 0.0, 0.0)  # N, down: more than the excess of buoyancy
ROV, TETHER = "bluerov2_heavy", "bluerov2_heavy, a tether of 20 elements each"
Cases = dict[str, Callable[[], float]]


def measure_features(vehicle: Vehicle) -> dict[str, dict[str, float]]:
    """Measure ns per vehicle-step, and ns more than in deep water without a surface, or than without a tether.

    One thread, float64. With a tether the step is that of the tether.
    """
    cases = {name: ticks(make(vehicle)) for name, make in WORLDS.items()}
    cases |= {ROV: ticks(_towed(None)), TETHER: ticks(_towed(Tether(length_m=60.0, elements=20)))}
    times_ns = medians(cases)
    first, rov = next(iter(times_ns.values())), times_ns[ROV]
    return {name: {"ns": ns, "ns_more": ns - (first if name in WORLDS else rov)} for name, ns in times_ns.items()}


def measure_ticks() -> dict[str, float]:
    """Measure ns per vehicle of the work at a control tick: state, autopilot, a reading of each instrument."""
    batch = Batch("remus100", COUNT, World(depth_m=60.0), threads=1)
    batch.place(depth_m=DEEP_M, surge_m_s=SPEED_M_S)
    pilot = VectorAutopilot(batch.vehicle, batch.n)
    pilot.command(depth_m=DEEP_M, heading_deg=30.0, speed_m_s=SPEED_M_S)
    states = batch.view.states()
    cases: Cases = {
        "state": _each(batch, batch.view.states),
        "autopilot": _each(batch, lambda: pilot.update(states, batch.interval_s)),
    }
    names = [sensor.name or sensor.kind for sensor in batch.vehicle.sensors]
    for name in names:
        sensor = VectorSensorSuite.of(batch, only=[name])
        cases[f"a reading of {name}"] = _each(batch, lambda sensor=sensor: sensor.sample(batch.view))
    names.remove("battery")  # it needs the power of the thrusters, of one vehicle after another
    suite = VectorSensorSuite.of(batch, only=names)
    cases[f"readings of all {len(names)} but the battery"] = _each(batch, lambda: suite.sample(batch.view))
    return medians(cases)


def medians(cases: Cases) -> dict[str, float]:
    """Run each case once a round and return medians; the first round, which compiles and fills caches, is dropped."""
    times: dict[str, list[float]] = {name: [] for name in cases}
    for turn in range(ROUNDS + 1):
        for name, run in cases.items():
            spent = run()
            if turn:
                times[name].append(spent)
    return {name: statistics.median(values) for name, values in times.items()}


def deep(vehicle: Vehicle, n: int, dtype: str = "float64", threads: int = 1, world: World | None = None) -> Batch:
    """A batch under way on all headings, far from surface, bottom and structures."""
    sea = World(surface=False) if world is None else world
    batch = Batch(vehicle, n, sea, dtype=dtype, threads=threads, integrator="rk4", step_s=DT)
    batch.place(depth_m=DEEP_M, surge_m_s=SPEED_M_S, heading_deg=np.linspace(0.0, 350.0, n))
    batch.environment.set_current(CURRENT_N)
    batch.actuators.set(**COMMAND)
    return batch


def ticks(batch: Batch) -> Callable[[], float]:
    """A function that measures ns per vehicle-step of a control tick from the present state, its Python included."""
    start = batch.save()  # every round repeats the same tick

    def run() -> float:
        batch.restore(start)
        begin = time.perf_counter()
        batch.advance()
        return (time.perf_counter() - begin) / (batch.n * batch.n_steps) * 1e9

    return run


def _scaled(vehicle: Vehicle) -> Batch:
    """Vehicles with different parameters: the blocks no longer share a record."""
    batch = deep(vehicle, COUNT)
    batch.scale("Y_uv", np.linspace(0.9, 1.1, COUNT))
    return batch


def _afloat(vehicle: Vehicle) -> Batch:
    """Hulls whose axis lies in the surface."""
    batch = deep(vehicle, COUNT, world=World())
    batch.place(depth_m=0.0, surge_m_s=0.2)
    return batch


def _on_the_bottom(vehicle: Vehicle) -> Batch:
    """Vehicles at rest that a force presses on the seabed."""
    batch = deep(vehicle, COUNT, world=World(depth_m=BOTTOM_M))
    batch.place(depth_m=BOTTOM_M - RADIUS_M, surge_m_s=0.0)
    batch.environment.set_current((0.0, 0.0, 0.0))
    batch.actuators.set(thrusters=[0.0], surfaces=[0.0, 0.0], at_once=True)
    batch.set_external(PRESSED)
    batch.advance(0.5)  # until it rests, so that every timed step has contact
    return batch


def _waves(vehicle: Vehicle) -> Batch:
    """Deep vehicles under waves of 64 components."""
    return deep(vehicle, COUNT, world=World(waves=Waves(height_m=1.0, period_s=8.0)))


def _towed(tether: Tether | None) -> Batch:
    """ROVs that move slowly below their ships, tethered or not."""
    batch = Batch(ROV, TETHERED, World(surface=False), threads=1, integrator="rk4", step_s=DT, tether=tether)
    batch.place(depth_m=DEEP_M, north_m=30.0, surge_m_s=0.3)
    batch.environment.set_current(CURRENT_N)
    batch.advance()
    return batch


WORLDS: dict[str, Callable[[Vehicle], Batch]] = {
    "deep water without a surface": lambda vehicle: deep(vehicle, COUNT),
    "different parameters for each": _scaled,
    "surface, hull deep": lambda vehicle: deep(vehicle, COUNT, world=World()),
    "bottom out of reach": lambda vehicle: deep(vehicle, COUNT, world=World(depth_m=500.0)),
    "jonswap, 64 components, hull deep": _waves,
    "surface, hull breaks it": _afloat,
    "pressed on the bottom, in contact": _on_the_bottom,
}


def _each(batch: Batch, work: Callable[[], Any]) -> Callable[[], float]:
    """A function that measures ns per vehicle of `work` after a simulated second, when every instrument is due."""

    def run() -> float:
        batch.advance(1.0)
        begin = time.perf_counter()
        work()
        return (time.perf_counter() - begin) / batch.n * 1e9

    return run
