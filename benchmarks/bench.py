"""All benchmarks in one run (`pelagos bench`): speed of Pelagos on this machine, as text or JSON.

Every figure is the median of interleaved rounds, so that other load on the machine hits all cases alike. In a clone
the textbook model (tests/reference, plain NumPy) runs in the same process, and figures are also ratios to it: ratios
are comparable between machines, nanoseconds are not.
"""

from __future__ import annotations

import json as json_
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from benchmarks.batch import measure_batch, report_batch
from benchmarks.console import measure_console, report_console
from benchmarks.learn import measure_learn, report_learn
from benchmarks.links import measure_links, report_links
from benchmarks.missions import measure_missions, report_missions
from benchmarks.tether import measure_tether, report_tether
from benchmarks.world import measure_world, report_world
from pelagos.engine.core.integrate import RK4, advance
from pelagos.vehicle.library import list_vehicles
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle

ROUNDS = 9  # for the median, as docs/benchmarks.md says
DT = 0.01  # s, the step of a `Simulation`
START = (
    "import time, pelagos\n"
    "sim = pelagos.Simulation('remus100')\n"
    "sim.thrust([100.0])\n"
    "sim.run(1.0)\n"
)  # fmt: skip


def main(json: bool = False) -> None:
    """Measure and print the figures; progress goes to stderr."""
    result = measure(lambda text: print(f"bench: {text}", file=sys.stderr, flush=True))
    print(json_.dumps(result, indent=2) if json else report(result))


def measure(report_progress: Callable[[str], None]) -> dict[str, Any]:
    """Measure all figures; `report_progress` receives the name of each part before it runs."""
    keys = [entry.key for entry in list_vehicles()]
    report_progress("loading vehicles, compiling if this machine is new")
    vehicles = {key: load_vehicle(key) for key in keys}
    report_progress("one vehicle")
    single = _single(vehicles)
    report_progress("many vehicles")
    batch = measure_batch()
    report_progress("the textbook reference")
    reference = _reference(vehicles)
    for key, figures in reference.items():
        single[key]["reference_ns_per_step"] = figures
        single[key]["times_reference"] = figures / single[key]["ns_per_step"]
        single[key]["times_reference_10_per_call"] = figures / single[key]["ns_per_step_10_per_call"]
    report_progress("surface, waves, currents, contact, rays")
    world = measure_world()
    report_progress("tethers")
    tether = measure_tether()
    report_progress("missions")
    missions = measure_missions()
    report_progress("environments for learners")
    learn = measure_learn()
    report_progress("the console, with one page and with eight")
    console = measure_console()
    report_progress("links: ArduSub, a robot, DIS")
    links = measure_links()
    report_progress("starting from a cold and a warm cache (a new process each)")
    return {
        "machine": {
            "cpu": _cpu(),
            "cores": os.cpu_count(),
            "python": platform.python_version(),
            "numba": numba.__version__,
            "numpy": np.__version__,
        },
        "one_vehicle": single,
        "batch": batch,
        "world": world,
        "tether": tether,
        "missions": missions,
        "learn": learn,
        "console": console,
        "links": links,
        "start": _start(),
        "note": "" if reference else "no reference: run from a clone of the project, where tests/reference is",
    }


def _median_round(cases: dict[str, Callable[[], float]], rounds: int = ROUNDS) -> dict[str, float]:
    """Run each case once per round and return medians; a first run of each compiles and is not timed."""
    times: dict[str, list[float]] = {name: [] for name in cases}
    for run in cases.values():
        run()
    for _ in range(rounds):
        for name, run in cases.items():
            times[name].append(run())
    return {name: statistics.median(values) for name, values in times.items()}


def _command(vehicle: Vehicle) -> dict[str, Any]:
    """A command for an operating point: a third of every thruster, a tenth of every surface."""
    return {
        "thrusters": [0.33 * t.maximum for t in vehicle.thrusters],
        "surfaces": [0.1 * s.limit_rad for s in vehicle.surfaces],
        "ballast": [b.initial for b in vehicle.ballast],
    }


def _single(vehicles: dict[str, Vehicle]) -> dict[str, dict[str, float]]:
    """Measure ns per RK4 step in one call of many steps, and in calls of 10 steps."""
    plants = {key: Plant(vehicle) for key, vehicle in vehicles.items()}
    saved = {}
    for key, plant in plants.items():
        plant.set_actuators(**_command(vehicles[key]))
        saved[key] = plant.save()

    def one_call(plant: Plant, start: Any, steps: int = 1000) -> float:
        plant.restore(start)
        begin = time.perf_counter()
        plant.advance(DT, steps)
        return (time.perf_counter() - begin) / steps * 1e9

    def ten_at_a_time(plant: Plant, start: Any, calls: int = 100) -> float:
        plant.restore(start)
        rows = plant.rows
        begin = time.perf_counter()
        for _ in range(calls):
            advance(*rows, DT, 10, RK4, None)
        return (time.perf_counter() - begin) / (10 * calls) * 1e9

    whole = _median_round({k: lambda k=k: one_call(plants[k], saved[k]) for k in plants})
    tens = _median_round({k: lambda k=k: ten_at_a_time(plants[k], saved[k]) for k in plants})
    return {key: {"ns_per_step": whole[key], "ns_per_step_10_per_call": tens[key]} for key in plants}


def _reference(vehicles: dict[str, Vehicle]) -> dict[str, float]:
    """Measure ns per RK4 step of the textbook model, if the working folder is a clone."""
    if not os.path.isfile(os.path.join("tests", "reference", "textbook.py")):
        return {}
    sys.path.insert(0, os.getcwd())  # `pelagos bench` may have been started as an installed command
    try:
        from tests.reference.textbook import Commands, Textbook  # pyright: ignore[reportMissingImports]
    finally:
        sys.path.pop(0)
    times = {}
    for key, vehicle in vehicles.items():
        book, command = Textbook(vehicle), _command(vehicle)
        state = book.start()
        values: dict[str, Any] = {name: np.array(numbers) for name, numbers in command.items()}
        command = Commands(**values)
        book.rk4(state, command, DT, 1)  # first calls of NumPy are slower
        begin = time.perf_counter()
        book.rk4(state, command, DT, 10)
        times[key] = (time.perf_counter() - begin) / 10 * 1e9
    return times


def _start() -> dict[str, float]:
    """Measure seconds of a new process that simulates one second, cold and warm cache, and of `pelagos list`."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "PELAGOS_CACHE_DIR": cache}  # an empty cache: the first run compiles

        def timed(arguments: list[str]) -> float:
            begin = time.perf_counter()
            subprocess.run([sys.executable, *arguments], env=environment, check=True, stdout=subprocess.DEVNULL)
            return time.perf_counter() - begin

        cold = timed(["-c", START])
        warm = statistics.median(timed(["-c", START]) for _ in range(3))
        listing = statistics.median(timed(["-m", "pelagos", "list"]) for _ in range(3))
    return {"cold_s": cold, "warm_s": warm, "list_s": listing}


def _cpu() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def report(result: dict[str, Any]) -> str:
    """The figures as text."""
    machine = result["machine"]
    lines = [
        f"{machine['cpu']}, {machine['cores']} cores, Python {machine['python']}, Numba {machine['numba']}",
        "",
        f"{'one vehicle, RK4':<20}{'ns/step':>10}{'10 per call':>13}{'x reference':>13}",
    ]
    for key, row in result["one_vehicle"].items():
        ratio = f"{row['times_reference']:13.0f}" if "times_reference" in row else f"{'-':>13}"
        lines.append(f"{key:<20}{row['ns_per_step']:10.0f}{row['ns_per_step_10_per_call']:13.0f}{ratio}")
    lines += ["", *report_batch(result["batch"])]
    start = result["start"]
    lines += [
        "",
        *report_world(result["world"]),
        "",
        *report_tether(result["tether"]),
        "",
        *report_missions(result["missions"]),
        "",
        *report_learn(result["learn"]),
        "",
        *report_console(result["console"]),
        "",
        *report_links(result["links"]),
        "",
        f"first simulation: {start['cold_s']:.1f} s on a new machine (compiling), {start['warm_s']:.2f} s afterwards; "
        f"pelagos list: {start['list_s']:.2f} s",
    ]
    if result["note"]:
        lines.append(result["note"])
    return "\n".join(lines)
