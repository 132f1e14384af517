"""Speed of a `Batch` in vehicle-steps per second, compared with other implementations, and the cost of each feature.

The case is `batch_case`: a REMUS with strips, fins, lags and current, RK4, all Python of a control tick included.
It is compared with the scalar kernel, with the same equations as NumPy arrays over vehicles (`batch_plain`, without
the compiler, in a separate process) and with the peak rate of fused multiply-adds of a core (`batch_peak`). All ratios
are per core in use. Figures are medians of interleaved rounds.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from benchmarks.batch_case import COMMAND, CURRENT_N, DT, SPEED_M_S, STATIONS, case_vehicle
from benchmarks.batch_features import DEEP_M, Cases, deep, measure_features, measure_ticks, medians, ticks
from benchmarks.batch_peak import measure_peak
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle

COUNT, SCALAR_STEPS = 16384, 2000  # enough that the cost of a call does not count
WIDTHS = (16384, 65536)  # vehicles per NumPy array; the fastest width is reported, since caches favour one or the other


def measure_batch() -> dict[str, Any]:
    """Measure ns per vehicle-step (1 and 2 threads, float64 and float32), ratios, and ns that each feature adds."""
    vehicle = case_vehicle()
    cases: Cases = {"scalar": _scalar(vehicle)}
    for dtype in ("float64", "float32"):
        cases[f"{dtype}_1_thread"] = ticks(deep(vehicle, COUNT, dtype, 1))
        cases[f"{dtype}_2_threads"] = ticks(deep(vehicle, COUNT, dtype, 2))
    times_ns, peak, plain = medians(cases), measure_peak(), _plain()
    against = {"scalar_ns": times_ns.pop("scalar"), "numpy_ns": min(plain["numpy_ns"].values())}
    against["flops_per_step"] = plain["flops_per_step"]
    return {
        "vehicles": COUNT,
        **against,
        "operations": plain["operations"],
        "peak_gflops": peak,
        "cases": {name: _figures(name, ns, against, peak) for name, ns in times_ns.items()},
        "features": measure_features(vehicle),
        "ticks": measure_ticks(),
    }


def report_batch(result: dict[str, Any]) -> list[str]:
    """The figures as lines of text."""
    title = f"{result['vehicles']} vehicles, {STATIONS} strips, fins, RK4"
    lines = [f"{title:<38}{'ns/step':>9}{'M steps/s':>11}{'x scalar':>10}{'x NumPy':>9}{'of peak':>9}"]
    for name, row in result["cases"].items():
        figures = f"{row['ns_per_vehicle_step']:9.0f}{row['million_vehicle_steps_per_s']:11.2f}"
        ratios = f"{row['times_scalar_per_core']:10.1f}{row['times_numpy_per_core']:9.1f}{row['share_of_peak']:9.0%}"
        lines.append(f"{name.replace('_', ' '):<38}{figures}{ratios}")
    peak = ", ".join(f"{value:.0f} Gflop/s {name}" for name, value in result["peak_gflops"].items())
    lines += [
        f"ratios per core; scalar kernel {result['scalar_ns']:.0f} ns, NumPy {result['numpy_ns']:.0f} ns a step; "
        f"{result['flops_per_step']} operations a step; peak {peak}",
        "",
        f"{'many, float64, 1 thread':<46}{'ns/step':>10}{'ns more':>10}",
    ]
    lines += [f"{name:<46}{row['ns']:10.0f}{row['ns_more']:10.0f}" for name, row in result["features"].items()]
    lines += ["", f"{'once a control tick, remus100, 1 thread':<46}{'ns/vehicle':>10}"]
    return lines + [f"{name:<46}{ns:10.0f}" for name, ns in result["ticks"].items()]


def _figures(name: str, ns: float, against: dict[str, float], peak: dict[str, float]) -> dict[str, float]:
    """Speeds of a case, and their ratios per core in use."""
    dtype, threads, _ = name.split("_")
    core_ns = ns * int(threads)
    return {
        "ns_per_vehicle_step": ns,
        "million_vehicle_steps_per_s": 1e3 / ns,
        "times_scalar_per_core": against["scalar_ns"] / core_ns,
        "times_numpy_per_core": against["numpy_ns"] / core_ns,
        "share_of_peak": against["flops_per_step"] / core_ns / peak[dtype],
    }


def _scalar(vehicle: Vehicle) -> Callable[[], float]:
    """A function that measures ns per step of one vehicle, in one call of the kernel."""
    plant = Plant(vehicle)
    plant.place(position_n=(0.0, 0.0, DEEP_M), nu=(SPEED_M_S, 0.0, 0.0, 0.0, 0.0, 0.0))
    plant.water["current"][:] = CURRENT_N
    plant.set_actuators(**COMMAND)
    start = plant.save()

    def run() -> float:
        plant.restore(start)
        begin = time.perf_counter()
        plant.advance(DT, SCALAR_STEPS)
        return (time.perf_counter() - begin) / SCALAR_STEPS * 1e9

    return run


def _plain() -> dict[str, Any]:
    """The figures of `batch_plain`, from a process without the compiler: Numba reads the switch at its import."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "benchmarks.batch_plain", *map(str, WIDTHS)]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)
