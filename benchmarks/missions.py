"""Cost of a mission: Python per control tick, sensor readings, and a whole survey relative to real time."""

from __future__ import annotations

import statistics
import time
from typing import Any

from pelagos.scenario.build import prepare
from pelagos.scenario.read import load_scenario
from pelagos.sensors.base import Sensor
from pelagos.sensors.suite import SensorSuite
from pelagos.sim.sensing import vehicle_context
from pelagos.sim.simulation import Simulation
from pelagos.sim.true_state import instant_of, true_state_of
from pelagos.world.spec import World

VEHICLES = ("remus100", "bluerov2_heavy")
SURVEY = "remus-lawnmower"
ROUNDS, TICKS = 9, 300  # rounds for the median, and ticks in each
WARM = 400  # ticks before, in which the autopilot reaches its speed and computes gains for it
SURVEY_S = 600.0  # of the hour that the report extrapolates to
READINGS = 200  # of each sensor
GOAL_TICK_US, GOAL_TIMES = 60.0, 200.0  # goals of docs/benchmarks.md: Python per tick, survey times real time


def measure_missions() -> dict[str, Any]:
    """Measure us of Python per control tick, us per reading of each sensor, and a survey relative to real time."""
    return {
        "tick": {key: _tick(key) for key in VEHICLES},
        "sensors": _sensors(),
        "survey": _survey(),
    }


def report_missions(result: dict[str, Any]) -> list[str]:
    """The figures as lines of text."""
    lines = [f"{'a control tick under autopilot, no sensors':<46}{'us':>10}{'kernel':>10}{'Python':>10}{'goal':>10}"]
    for key, row in result["tick"].items():
        figures = f"{row['us']:10.1f}{row['kernel_us']:10.1f}{row['python_us']:10.1f}"
        lines.append(f"{key:<46}{figures}{GOAL_TICK_US:10.0f}")
    lines += ["", f"{'instruments of remus100':<46}{'us/reading':>10}{'Hz':>10}"]
    for name, row in result["sensors"].items():
        lines.append(f"{name:<46}{row['us']:10.1f}{row['rate_hz']:10.4g}")
    survey = result["survey"]
    lines.append(
        f"{SURVEY} with instruments and estimator: {survey['times_real_time']:.0f} times real time on one core "
        f"(goal {GOAL_TIMES:.0f}), {survey['us_per_tick']:.0f} us a tick; an hour takes {survey['hour_s']:.1f} s"
    )
    return lines


def _flown(key: str) -> Simulation:
    sim = Simulation(key, World(depth_m=30.0, current_m_s=0.2))
    sim.place(depth_m=5.0)
    sim.command(depth_m=6.0, heading_deg=20.0)
    return sim


def _tick(key: str) -> dict[str, float]:
    """Measure a control tick, and the part of it in the compiled engine: the same steps called alone."""
    sim = _flown(key)
    sim.make_ready(1e6)
    sim.in_run(True)
    whole: list[float] = []
    kernel: list[float] = []
    for _ in range(WARM):
        sim.tick()
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        for _ in range(TICKS):
            sim.tick()
        whole.append((time.perf_counter() - begin) / TICKS * 1e6)
        kept = sim.plant.save()  # the steps alone leave out the controller: undo them
        begin = time.perf_counter()
        for _ in range(TICKS):
            sim.plant.advance(sim.step_s, sim.n_steps, sim.integrator)
        kernel.append((time.perf_counter() - begin) / TICKS * 1e6)
        sim.plant.restore(kept)
    sim.in_run(False)
    tick, inside = statistics.median(whole), statistics.median(kernel)
    return {"us": tick, "kernel_us": inside, "python_us": tick - inside}


def _sensors() -> dict[str, dict[str, float]]:
    """Measure us per reading of each sensor of a REMUS in a suite of its own, the cost of the suite included."""
    sim = _flown("remus100")
    sim.make_ready(60.0)
    return {sensor.name or sensor.kind: _reading(sim, sensor) for sensor in sim.vehicle.sensors}


def _reading(sim: Simulation, sensor: Sensor) -> dict[str, float]:
    suite = SensorSuite([sensor], vehicle_context(sim.plant, sim.world), seed=1)
    state = true_state_of(sim.plant, 0.0)
    instants = [
        instant_of(state._replace(time_s=k / sensor.rate_hz), sim.plant, True, 0.0, 0.0) for k in range(READINGS + 1)
    ]
    suite.sample(instants[:1], sim.world)
    begin = time.perf_counter()
    for instant in instants[1:]:
        suite.sample([instant], sim.world)
    return {"us": (time.perf_counter() - begin) / READINGS * 1e6, "rate_hz": sensor.rate_hz}


def _survey() -> dict[str, float]:
    """Measure simulated seconds per second of the survey of the scenario library, log in memory included."""
    sim = prepare(load_scenario(SURVEY)).fleet.sims[0]
    sim.run(2.0)  # compiles, and fills the caches of the autopilot
    begin = time.perf_counter()
    sim.run(SURVEY_S, log_rate_hz=2.0)
    spent = time.perf_counter() - begin
    times = SURVEY_S / spent
    return {
        "simulated_s": SURVEY_S,
        "times_real_time": times,
        "us_per_tick": spent / (SURVEY_S * sim.control_rate_hz) * 1e6,
        "hour_s": 3600.0 / times,
    }
