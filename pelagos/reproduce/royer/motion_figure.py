"""The figure of the dynamics: run-up to the limit speed, roll by the two printed forms, the lag in yaw."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from pelagos.analysis.page import INK, PALETTE, UNWRITTEN, new_figure, styled
from pelagos.reproduce.document import Drawing, drawn
from pelagos.reproduce.royer import printed as text
from pelagos.reproduce.royer.given import ADDED, BG_M, INERTIA, KNOT, LIMIT_KN, MASS_KG, Array, sea_grant
from pelagos.vehicle.load import load_vehicle
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle

STEP_S = 0.02


def run(vehicle: Vehicle, thrusters: list[float], seconds: float, by_sets: bool = False) -> Array:
    """Time, speed ahead (kn), roll (deg), turn rate (deg/s), row by row.

    by_sets: with the accelerations of the printed sets (1) and (2), by his Newton method at the same step.
    """
    plant = Plant(vehicle)
    plant.set_actuators(thrusters=thrusters)
    G, rows = np.array([0.0, 0.0, BG_M]), []
    for n in range(round(seconds / STEP_S) + 1):
        u, roll, rate = float(plant.nu[0]), float(plant.euler[0]), float(plant.nu[5])
        rows.append((n * STEP_S, u / KNOT, math.degrees(roll), math.degrees(rate)))
        before, now = plant.nu.copy(), plant.forces()
        plant.advance(STEP_S, 1)
        if by_sets:
            load = np.sum([wrench for name, wrench in now.items() if name != "rigid_body"], axis=0)
            plant.nu[:] = before + STEP_S * text.sets_1_and_2(MASS_KG, INERTIA, ADDED, G, before, load)
    return np.array(rows)


def dynamics_figure() -> Drawing:
    """Three panels."""
    vehicle = sea_grant()
    quick = replace(vehicle, thrusters=tuple(replace(t, time_constant_s=0.0) for t in vehicle.thrusters))
    with styled():
        figure = new_figure(UNWRITTEN, (9.4, 3.3), None)
        speed, roll, yaw = figure.subplots(1, 3)
        for of, color, said in (
            (vehicle, PALETTE[1], "2 x 500 N, as printed"),
            (load_vehicle("seagrant1_pump"), PALETTE[0], "pump limited to 653 N"),
        ):
            t, knots, _, _ = run(of, [500.0, 500.0], 12.0).T
            speed.plot(t, knots, color=color, label=said)
        speed.axhline(LIMIT_KN, color=INK, lw=0.8, ls="--", label="3.2 kn of the text")
        speed.set(xlabel="time, s", ylabel="speed, kn", title="Run-up", ylim=(0.0, 5.6))
        speed.legend(loc="upper left")
        for by_sets, color, said in ((False, PALETTE[0], "6 x 6 mass matrix"), (True, PALETTE[1], "sets (1) and (2)")):
            t, _, degrees, _ = run(vehicle, [0.0, 0.0, 500.0], 6.0, by_sets).T
            roll.plot(t, degrees, color=color, label=said)
        roll.set(xlabel="time, s", ylabel="roll, deg", title="500 N to starboard", ylim=(-0.2, 5.2))
        roll.legend(loc="upper right")
        for of, color, said in ((vehicle, PALETTE[0], "lag 0.5 s"), (quick, PALETTE[1], "without lag")):
            t, _, _, rate = run(of, [250.0, -250.0], 3.0).T
            yaw.plot(t, rate, color=color, label=said)
        yaw.set(xlabel="time, s", ylabel="turn rate, deg/s", title="A turn: ±250 N")
        yaw.legend(loc="lower right")
        return drawn(
            figure,
            "royer-dynamics",
            "Sea Grant 1 by the printed numbers. Left: full ahead; the stated limit speed needs a limit of the thrust. "
            "Middle: roll after a lateral order by the mass matrix of section 2.5 and by its sets (1) and (2), which "
            "lack the moment of the added-mass force. Right: the lag of the thrusters in yaw.",
        )
