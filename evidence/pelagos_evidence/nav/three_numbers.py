"""Derive a vehicle from length, radius and mass alone, fly it, and compare it with the published one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pelagos.analysis.page import PALETTE, UNWRITTEN, new_figure, styled
from pelagos.sim.log.log import Log
from pelagos.sim.simulation import Simulation
from pelagos.vehicle.pack.records import mass_matrix
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle
from pelagos_evidence.document import Drawing, Findings, Progress, drawn
from pelagos_evidence.nav.hulls import HULLS, Hull
from pelagos_evidence.rows import Array, Rows, Values

DEPTH, HEADING, SECONDS = 5.0, 90.0, 180.0  # setpoints (m, deg) and time to reach them
# Motion on one axis at a time: axis, start, wrench, seconds, what is drawn, unit
PUSHES = (
    (0, 1.5, 0.0, 60.0, "coasting from 1.5 m/s", "surge [m/s]"),
    (1, 0.0, 10.0, 12.0, "pushed sideways with 10 N", "sway [m/s]"),
    (5, 0.0, 2.0, 12.0, "turned with 2 N m", "yaw rate [deg/s]"),
)


ROWS = Rows(__file__, DEPTH=DEPTH, HEADING=HEADING, SECONDS=SECONDS)


@dataclass(frozen=True, eq=False)
class DerivedRun:
    """The derived vehicle, its run, and the decay of single velocities of both vehicles."""

    hull: Hull
    made: Vehicle
    log: Log
    curves: tuple[tuple[Array, Array], ...]  # for each push: derived, published


def run(progress: Progress) -> Findings:
    """Derive and fly both hulls, then compare the decay of single velocities."""
    flown: list[DerivedRun] = []
    for k, hull in enumerate(HULLS):
        flown.append(fly(hull))
        progress(0.4 * (k + 1))
    values = {key: value for each in flown for key, value in values_of(each).items()}
    return Findings(ROWS.claims(values), (flight_figure(flown), push_figure(flown)))


def fly(hull: Hull) -> DerivedRun:
    """Derive the vehicle of one hull and fly it."""
    made = hull.derived()
    sim = Simulation(made)
    sim.command(speed_m_s=hull.speed_m_s, depth_m=DEPTH, heading_deg=HEADING)
    log = sim.run(seconds=SECONDS)
    curves = tuple((pushed(made, *push[:4]), pushed(hull.vehicle, *push[:4])) for push in PUSHES)
    return DerivedRun(hull, made, log, curves)


def pushed(vehicle: Vehicle, axis: int, start: float, wrench: float, seconds: float) -> Array:
    """Velocity on one axis, the others held, every 0.1 s."""
    plant = Plant(replace(vehicle, free=tuple(i == axis for i in range(6))))
    plant.place(nu=[start if i == axis else 0.0 for i in range(6)], position_n=(0.0, 0.0, 20.0))
    plant.command["external"][axis] = wrench
    values = [float(plant.nu[axis])]
    for _ in range(round(seconds / 0.1)):
        plant.advance(0.02, 5)
        values.append(float(plant.nu[axis]))
    return np.array(values)


def values_of(run: DerivedRun) -> Values:
    """Values of completeness and of acceleration, velocity and position."""
    hull, made, log = run.hull, run.made, run.log
    derived = sum(fact.confidence in ("derived", "guess", "low") for fact in made.facts)
    least = float(np.linalg.eigvalsh(mass_matrix(made))[0])
    last = log.time_s > SECONDS - 30.0
    speed, depth, heading = (float(log[name][last].mean()) for name in ("surge_m_s", "depth_m", "heading_deg"))
    return {
        f"three-numbers-{hull.key}": {
            "holds": all(made.free) and len(made.fins) == 4 and len(made.thrusters) == 1 and least > 0.0,
            "hull": hull,
            "derived": derived,
            "fins_made": len(made.fins),
            "thrusters_made": len(made.thrusters),
            "least": least,
        },
        f"flies-{hull.key}": {
            "holds": abs(speed / hull.speed_m_s - 1.0) < 0.02
            and abs(depth - DEPTH) < 0.1
            and abs(heading - HEADING) < 1.0,
            "hull": hull,
            "speed": speed,
            "depth": depth,
            "heading": heading,
        },
    }


def flight_figure(flown: list[DerivedRun]) -> Drawing:
    """Speed, depth and heading of both."""
    with styled():
        sheet = new_figure(UNWRITTEN, (9.0, 3.2), None)
        axes: Any = sheet.subplots(1, 3)
        panels = (("surge_m_s", "surge [m/s]"), ("depth_m", "depth [m]"), ("heading_deg", "heading [deg]"))
        for ax, (column, label) in zip(axes, panels, strict=True):
            for run, colour in zip(flown, (PALETTE[0], PALETTE[1]), strict=True):
                name = f"{run.hull.length_m:g} m, {run.hull.radius_m:g} m, {run.hull.mass_kg:.3g} kg ({run.hull.name})"
                values = np.asarray(run.log[column])
                if column == "heading_deg":  # a little to the left of north is below 0 here, not 360
                    values = (values + 180.0) % 360.0 - 180.0
                ax.plot(run.log.time_s, values, color=colour, label=name)
            ax.set(xlabel="time [s]", ylabel=label, xlim=(0.0, 120.0))
        axes[1].invert_yaxis()
        sheet.legend(*axes[0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
    return drawn(
        sheet, "nav-flight",
        "Two vehicles made from length, radius and mass alone, commanded to reach their cruising speed, 5 m of depth "
        "and a heading of 90°. Everything else, fins and propeller included, is worked out.",
    )  # fmt: skip


def push_figure(flown: list[DerivedRun]) -> Drawing:
    """Derived beside published on one axis at a time."""
    with styled():
        sheet = new_figure(UNWRITTEN, (9.0, 4.6), None)
        axes: Any = sheet.subplots(len(flown), len(PUSHES), sharex="col")
        for row, run in zip(axes, flown, strict=True):
            for ax, (made, published), (axis, _, _, seconds, title, label) in zip(row, run.curves, PUSHES, strict=True):
                time = np.linspace(0.0, seconds, len(made))
                scale = 180.0 / np.pi if axis > 2 else 1.0
                ax.plot(time, scale * published, color=PALETTE[8], linewidth=2.2, label="published coefficients")
                ax.plot(time, scale * made, color=PALETTE[0], label="from three numbers")
                ax.set(ylabel=f"{run.hull.name}: {label}", title=title if run is flown[0] else "")
                ax.set_ylim(bottom=0.0)
        for ax in axes[-1]:
            ax.set_xlabel("time [s]")
        sheet.legend(*axes[0][0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
    return drawn(
        sheet, "nav-pushes",
        "What the estimates mean in motion: the same coasting and the same pushes, one motion at a time, on the "
        f"vehicle made of three numbers and on the published one. At the end the former goes {ends(flown, 1)} times as "
        f"fast sideways and turns {ends(flown, 2)} times as fast: damping in yaw is what such an estimate knows least "
        "(for REMUS 100 it was raised tenfold to match trials).",
    )  # fmt: skip


def ends(flown: list[DerivedRun], push: int) -> str:
    """Relative end speed of each derived vehicle and the published one, in words."""
    ratios = (f"{run.curves[push][0][-1] / run.curves[push][1][-1]:.1f} ({run.hull.name})" for run in flown)
    return " and ".join(ratios)
