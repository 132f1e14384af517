"""Many vehicles at once: 1024 REMUS 100, no two alike, eight to a vector instruction.

Each has its own coefficients (10 % around the published ones) and the same rudder. The spread of turning rates says
what ten percent of doubt in the coefficients is worth. Writes many_vehicles.png.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

import pelagos

COUNT, SECONDS = 1024, 30.0


def turn(count: int = COUNT) -> tuple[np.ndarray, float]:
    """Velocities (count, 6) after 30 s of rudder, and the seconds it took."""
    batch = pelagos.Batch("remus100", n=count)
    rng = np.random.default_rng(1)
    for name in dict.fromkeys(term.name for term in batch.vehicle.coefficients):
        batch.scale(name, rng.normal(1.0, 0.1, count).clip(0.5, 1.5))
    batch.place(depth_m=10.0, surge_m_s=1.5)
    batch.actuators.set(thrusters=[0.75 * batch.vehicle.thrusters[0].maximum], surfaces=[-np.radians(5.0), 0.0])
    batch.tick()  # compiles on a new machine
    begin = time.perf_counter()
    batch.advance(SECONDS - batch.interval_s)
    return batch.view.nu, time.perf_counter() - begin


def main(folder: str | Path = ".") -> np.ndarray:
    """Yaw rates in deg/s, one a vehicle."""
    nu, took = turn()
    rate = np.degrees(nu[:, 5])
    print(f"{COUNT} vehicles, {SECONDS:g} s each, in {took:.2f} s: {COUNT * SECONDS / took:.0f} x real time")
    print(
        f"yaw rate {rate.mean():.2f} deg/s, standard deviation {rate.std():.2f}, {rate.min():.2f} to {rate.max():.2f}"
    )
    draw(rate, Path(folder) / "many_vehicles.png")
    return rate


def draw(rate: np.ndarray, path: Path) -> None:
    """How the turning rates are spread."""
    import matplotlib
    from matplotlib.figure import Figure

    from pelagos.analysis.plots import PALETTE, STYLE

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(6.0, 3.4), layout="constrained")
        ax = figure.subplots()
        ax.hist(rate, bins=40, color=PALETTE[0])
        ax.set(
            title=f"{len(rate)} REMUS 100 with 10 % of doubt, rudder 5 deg",
            xlabel="yaw rate [deg/s]",
            ylabel="vehicles",
        )
        figure.savefig(path, dpi=120)


if __name__ == "__main__":
    main(*sys.argv[1:])
