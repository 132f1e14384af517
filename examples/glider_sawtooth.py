"""A glider flies without a propeller: it sinks and rises on its wings.

The Slocum glider pumps its bladder and shifts its battery at 40 m and at 10 m, for two yos. It is neutral at 100 cm3,
so -50 and 250 cm3 are 1.5 N heavy and 1.5 N light. Writes glider.png.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import pelagos


def main(folder: str | Path = ".") -> float:
    """Two yos; print speeds and glide slope."""
    sim = pelagos.Simulation("slocum", control_rate_hz=1.0)
    sim.place(depth_m=10.0)
    logs = []
    for _ in range(2):
        for bladder_cm3, battery_mm, arrived in ((-50, 10, lambda z: z > 40.0), (250, -10, lambda z: z < 10.0)):
            sim.trim(buoyancy_engine_cm3=bladder_cm3, battery_mm=battery_mm)
            while not arrived(sim.plant.position_n[2]) and sim.time_s < 3600.0:
                logs.append(sim.run(seconds=10))
    time, depth, north, pitch, surge = (
        np.concatenate([log[name][1:] for log in logs])
        for name in ("time_s", "depth_m", "north_m", "pitch_deg", "surge_m_s")
    )
    climb = -np.gradient(depth, time)
    going_down, going_up = climb < -0.05, climb > 0.05
    for name, part in (("down", going_down), ("up", going_up)):
        print(
            f"{name:<5}{np.median(surge[part]):.3f} m/s, vertical {np.median(climb[part]):+.3f} m/s, "
            f"pitch {np.median(pitch[part]):+.1f} deg"
        )
    print(f"{north[-1]:.0f} m gained in {time[-1] / 60:.0f} min without a propeller")
    draw(north, depth, Path(folder) / "glider.png")
    return float(north[-1])


def draw(north: np.ndarray, depth: np.ndarray, path: Path) -> None:
    """The path through the water; depth is stretched."""
    import matplotlib
    from matplotlib.figure import Figure

    from pelagos.analysis.plots import PALETTE, STYLE

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(7.5, 3.2), layout="constrained")
        ax = figure.subplots()
        ax.plot(north, depth, color=PALETTE[0])
        ax.set(title="Slocum glider, two yos", xlabel="north [m]", ylabel="depth [m]")
        ax.invert_yaxis()
        figure.savefig(path, dpi=120)


if __name__ == "__main__":
    main(*sys.argv[1:])
