"""How good is an integrator? Error of position against step, for a 20 s turning dive of the Phoenix AUV.

Euler, Heun and RK4 show their orders 1, 2 and 4. The steppers that Brutzman's dissertation prints, sums up and codes
are of order 1 although they look like Heun: they do not use the same velocity for posture and force.
Writes integrators.png.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np

from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant

METHODS = ("euler", "brutzman_author", "brutzman_printed", "brutzman_summary", "heun", "rk4")
STEPS_S = (0.2, 0.1, 0.05, 0.025, 0.0125)


def end_of_turn(plant: Plant, method: str, step_s: float) -> np.ndarray:
    """Position after 20 s: rudders 10, planes 5 deg, both screws at 700 rpm, 2 ft/s at the start."""
    plant.reset()
    plant.place(nu=[0.6096, 0.0, 0.0, 0.0, 0.0, 0.0])
    plant.set_actuators(thrusters=[700.0 * math.pi / 30.0] * 2, surfaces=np.radians([10.0, -10.0, -5.0, 5.0]))
    plant.advance(step_s, round(20.0 / step_s), method)
    return plant.position_n.copy()


def main(folder: str | Path = ".") -> dict[str, list[float]]:
    """Errors in metres, one list a method, in the order of STEPS_S."""
    plant = Plant(load_vehicle("phoenix_published"), euler_angles=True)  # as the published programs
    exact = end_of_turn(plant, "rk4", 0.001)
    errors = {m: [float(np.linalg.norm(end_of_turn(plant, m, h) - exact)) for h in STEPS_S] for m in METHODS}

    print(f"{'error of position, m':<22}" + "".join(f"{h:>11g} s" for h in STEPS_S) + "   order")
    for method, values in errors.items():
        order = math.log2(values[1] / values[2])
        print(f"{method:<22}" + "".join(f"{value:13.2e}" for value in values) + f"{order:8.2f}")
    draw(errors, Path(folder) / "integrators.png")
    return errors


def draw(errors: dict[str, list[float]], path: Path) -> None:
    """Both axes logarithmic: the slope is the order."""
    import matplotlib
    from matplotlib.figure import Figure

    from pelagos.analysis.plots import PALETTE, STYLE

    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(6.5, 4.5), layout="constrained")
        ax = figure.subplots()
        for (method, values), colour in zip(errors.items(), PALETTE, strict=False):
            ax.loglog(STEPS_S, values, "o-", color=colour, markersize=4, label=method)
        ax.set(title="phoenix, turning dive of 20 s", xlabel="step [s]", ylabel="error of position [m]")
        ax.set_xticks(STEPS_S, [f"{step:g}" for step in STEPS_S])
        ax.minorticks_off()
        ax.legend()
        figure.savefig(path, dpi=120)


if __name__ == "__main__":
    main(*sys.argv[1:])
