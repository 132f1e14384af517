"""Cost of a tether: a dynamic step, a static solution, Royer's search, a thousand tethers in one call, a whole run."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.engine.cable.layout import scratch_size
from pelagos.engine.cable.step import follow_lines, step_lines
from pelagos.sim.simulation import Simulation
from pelagos.tether.line import NO_SEA, Line
from pelagos.tether.spec import Tether
from pelagos.vehicle.load.tether import load_cable
from pelagos.world.spec import World
from pelagos.world.structure import Structure

Array = NDArray[np.float64]
CABLE = "neutral_35mm"
LENGTH_M, CURRENT_N = 150.0, (0.75, 0.0, 0.0)  # m, m/s
END_N = (-70.0, 10.0, 70.0)  # vehicle, from a ship at the origin: a case of Royer's, moved 10 m east out of its plane
DT = 0.02  # s
WAY_M = 0.02  # that the vehicle moves in a step: 1 m/s
ROUNDS, STEPS = 9, 100  # rounds for the median, and steps in each
BATCH, BATCH_STEPS = 1000, 5  # tethers in one call, and calls in a round
RUN_S = 20.0  # simulated
# goals of docs/benchmarks.md
GOALS_US = {"dynamic": 40.0, "static": 30.0}  # 50 elements
GOAL_BATCH_MS = 20.0  # DT: real time


def measure_tether() -> dict[str, Any]:
    """Measure us per step or solution of one tether, ms per step of many, and the real-time factor of a run."""
    lines = {name: make() for name, make in CASES.items()}
    times: dict[str, list[float]] = {name: [] for name in CASES}
    starts = {name: line.save() for name, line in lines.items()}
    for turn in range(ROUNDS + 1):  # the first round compiles and is dropped
        for name, line in lines.items():
            line.restore(starts[name])
            spent = _steps(line)
            if turn:
                times[name].append(spent)
    return {
        "one": {name: {"us": statistics.median(values)} for name, values in times.items()},
        "batch": _batch(),
        "times_real_time": _real_time(),
    }


def report_tether(result: dict[str, Any]) -> list[str]:
    """The figures as lines of text."""
    lines = [f"{'one tether, with the call from Python':<46}{'us':>10}{'goal':>10}"]
    for name, row in result["one"].items():
        goal = GOALS_US.get(name.split(",")[0]) if "N 50" in name and "obstacles" not in name else None
        lines.append(f"{name:<46}{row['us']:10.1f}{f'{goal:.0f}' if goal else '-':>10}")
    batch = result["batch"]
    lines.append(
        f"{batch['tethers']:.0f} tethers of N 20 in one call, one thread: {batch['ms']:.1f} ms a step "
        f"(goal {GOAL_BATCH_MS:.0f}), {batch['us_each']:.1f} us each"
    )
    run = result["times_real_time"]
    lines.append(
        f"a whole simulation of bluerov2_heavy: {run['with']:.0f} times real time with a tether of N 50, "
        f"{run['without']:.0f} without"
    )
    return lines


def _line(mode: str, elements: int = 50, sea: Array | None = None) -> Line:
    """A tether in its static shape, before the vehicle moves."""
    tether = Tether(mode=mode, elements=elements, length_m=LENGTH_M)
    line = Line(load_cable(CABLE), tether, sea=sea, current_n=CURRENT_N)
    line.settle(END_N, (0.0, 0.0, 0.0))
    return line


def _columns() -> Array:
    """The packed sea with eight columns near the cable, none touched."""
    points = _line("static").points(10)[1:-1]
    columns = tuple(
        Structure(kind="cylinder", name=f"c{i}", radius_m=0.5, from_m=(n, e + 1.5, d - 2.0), to_m=(n, e + 1.5, d + 2.0))
        for i, (n, e, d) in enumerate(points.tolist())
    )
    return World(surface=False, structures=columns).packed()


def _way(count: int) -> tuple[Array, Array]:
    """Positions and velocities of the vehicle on a circle from END_N on, WAY_M per step."""
    radius = 2.0
    turn = WAY_M / radius * np.arange(1, count + 1)
    east, down = radius * np.sin(turn), radius * (np.cos(turn) - 1.0)
    places = np.array(END_N) + np.column_stack([np.zeros(count), east, down])
    speed = WAY_M / DT
    velocities = np.column_stack([np.zeros(count), speed * np.cos(turn), -speed * np.sin(turn)])
    return places, velocities


def _steps(line: Line) -> float:
    """Measure us per step."""
    places, velocities = _way(STEPS)
    begin = time.perf_counter()
    for place, velocity in zip(places, velocities, strict=True):
        line.step(DT, place, velocity)
        line.follow(DT, place)
    return (time.perf_counter() - begin) / STEPS * 1e6


def _batch() -> dict[str, float]:
    """Measure many dynamic tethers of 20 elements in one call, their vehicles on circles of different size."""
    saved, work = _line("dynamic", 20).save(), np.zeros(scratch_size(40))
    lines, chains = (np.repeat(saved[name][np.newaxis], BATCH, axis=0) for name in ("line", "chain"))
    places, velocities = _way(BATCH_STEPS * (ROUNDS + 1))
    share, every = np.linspace(0.2, 1.0, BATCH)[:, np.newaxis], np.arange(BATCH)
    currents = np.repeat(saved["current"][np.newaxis], BATCH, axis=0)
    spent: list[float] = []
    for turn in range(ROUNDS + 1):
        begin = time.perf_counter()
        for k in range(turn * BATCH_STEPS, (turn + 1) * BATCH_STEPS):
            ends, rates = END_N + share * (places[k] - END_N), share * velocities[k]
            step_lines(every, lines, chains, work, NO_SEA, currents, DT, ends, rates)
            follow_lines(every, lines, chains, ends, DT)
        if turn:
            spent.append((time.perf_counter() - begin) / BATCH_STEPS * 1e3)
    ms = statistics.median(spent)
    return {"tethers": float(BATCH), "ms": ms, "us_each": 1e3 * ms / BATCH}


def _real_time() -> dict[str, float]:
    """Measure simulated seconds per second of a BlueROV2 under autopilot, log included, with and without a tether."""
    sims = {"without": _rov(None), "with": _rov(Tether(length_m=60.0))}
    spent: dict[str, list[float]] = {name: [] for name in sims}
    for turn in range(ROUNDS + 1):
        for name, sim in sims.items():
            begin = time.perf_counter()
            sim.run(RUN_S)
            if turn:
                spent[name].append(time.perf_counter() - begin)
    return {name: RUN_S / statistics.median(times) for name, times in spent.items()}


def _rov(tether: Tether | None) -> Simulation:
    sim = Simulation("bluerov2_heavy", World(depth_m=30.0, current_m_s=0.3), tether=tether)
    sim.place(depth_m=10.0, north_m=30.0)
    sim.command(depth_m=10.0, heading_deg=90.0)
    return sim


CASES: dict[str, Callable[[], Line]] = {
    "dynamic, N 50, step of 20 ms": lambda: _line("dynamic"),
    "dynamic, N 50, 8 obstacles near": lambda: _line("dynamic", sea=_columns()),
    "dynamic, N 20": lambda: _line("dynamic", 20),
    "static, N 50, from 2 cm away": lambda: _line("static"),
    "static, N 20, from 2 cm away": lambda: _line("static", 20),
    "royer, 50 steps, from 2 cm away": lambda: _line("royer"),
}
