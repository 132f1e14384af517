"""Many vehicles at once: 1024 REMUS 100, no two alike, eight to a vector instruction.

Each has its own coefficients (10 % around the published ones) and the same rudder. The spread of turning rates says
what ten percent of doubt in the coefficients is worth. Records and fields are named in pelagos/engine/layout.py.
Writes many_vehicles.png.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

from pelagos.engine import layout
from pelagos.engine.integrate import RK4, advance_blocks
from pelagos.engine.lanes import aligned, from_lanes, to_lanes
from pelagos.vehicle.load import load_vehicle
from pelagos.vehicle.plant import Plant

COUNT, STEP_S, STEPS = 1024, 0.02, 1500


def turn(count: int = COUNT) -> tuple[np.ndarray, float]:
    """Velocities (count, 6) after 30 s of rudder, and the seconds it took."""
    plant = Plant(load_vehicle("remus100"))
    plant.place(nu=[1.5, 0.0, 0.0, 0.0, 0.0, 0.0])
    plant.set_actuators(thrusters=[0.75 * plant.vehicle.thrusters[0].maximum], surfaces=[-np.radians(5.0), 0.0])
    state, model, structure, water, command, _, sea, hull = plant.rows

    states, models, waters, commands = (np.tile(row, (count, 1)) for row in (state, model, water, command))
    first, n = layout.MODEL.offset("coefficients")[0], len(plant.vehicle.coefficients)
    models[:, first : first + n] *= np.random.default_rng(1).normal(1.0, 0.1, (count, n))

    blocks = [to_lanes(rows) for rows in (states, models, waters, commands)]  # (block, field, lane)
    structures = np.tile(structure, (len(blocks[0]), 1))
    work = aligned((layout.WORK.size, blocks[0].shape[2]))

    def advance(steps: int) -> None:
        # all vehicles share one sea and one hull; None: nothing there to touch
        advance_blocks(*blocks[:2], structures, *blocks[2:], work, sea, hull, STEP_S, steps, RK4, None)

    advance(1)  # compiles on a new machine
    begin = time.perf_counter()
    advance(STEPS - 1)
    took = time.perf_counter() - begin
    nu = layout.STATE.offset("nu")[0]
    return from_lanes(blocks[0], count)[:, nu : nu + 6], took


def main(folder: str | Path = ".") -> np.ndarray:
    """Yaw rates in deg/s, one a vehicle."""
    nu, took = turn()
    rate = np.degrees(nu[:, 5])
    print(
        f"{COUNT} vehicles, {STEPS * STEP_S:g} s each, in {took:.2f} s: {COUNT * STEPS * STEP_S / took:.0f} x real time"
    )
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
