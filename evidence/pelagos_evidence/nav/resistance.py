"""Drag by the notes' formula, the Reynolds number, and the lost graph of C_D, beside REMUS 100 and LAUV."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from pelagos.analysis.page import COMMAND, PALETTE, UNWRITTEN, new_figure, styled
from pelagos.vehicle.derive.drag import crossflow_from_hull, cylinder_cd
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle
from pelagos_evidence.document import Drawing, Findings, Progress, drawn
from pelagos_evidence.nav import printed
from pelagos_evidence.nav.hulls import HULLS, REMUS, Hull, estimate
from pelagos_evidence.rows import Array, Rows, Values

COLD = 1.56e-6  # m²/s, printed
ACROSS, TURNING = 0.3, 0.2  # m/s and rad/s at which the vehicles are compared
STRIPS = 21  # of the engine's sum over a hull


ROWS = Rows(__file__, kinds=(estimate,), ACROSS=ACROSS, TURNING=TURNING, STRIPS=STRIPS)


def run(progress: Progress) -> Findings:
    """The formula, the number, the graph, the vehicles."""
    values = {**formula_values(), **reynolds_values()}
    for hull in HULLS:
        values |= hull_values(hull)
    progress(0.5)
    return Findings(ROWS.claims(values), (figure(),))


def formula_values() -> Values:
    """F(u): a square law in the engine."""
    torpedo = load_vehicle("torpedo")
    area, density = np.pi * 0.1**2, torpedo.water.density_kg_m3
    drag, doubled = (force(torpedo, "coefficients", 0, speed) for speed in (1.5, 3.0))
    return {
        "drag": {"published": printed.drag(1.5, 0.3, float(area), density), "ours": drag},
        "drag-printed": {"off": abs(doubled / drag - 2.0), "doubled": doubled / drag},
    }


def force(vehicle: Vehicle, name: str, axis: int, speed: float) -> float:
    """One force or moment of the engine with one velocity alone."""
    plant = Plant(vehicle)
    plant.place(nu=[speed if i == axis else 0.0 for i in range(6)], position_n=(0.0, 0.0, 20.0))
    return float(plant.forces()[name][axis])


def bare(length_m: float, diameter_m: float, viscosity: float) -> Vehicle:
    """A cylinder that has drag across the flow and nothing else, as strips."""
    strips, _ = crossflow_from_hull(
        length_m=length_m, diameter_m=diameter_m, viscosity_m2_s=viscosity, n_stations=STRIPS
    )
    return replace(load_vehicle("torpedo"), crossflow=strips)


def reynolds_values() -> Values:
    """R_n, viscosity and C_D(R_n)."""
    on_diameter = printed.reynolds(REMUS.speed_m_s, 2.0 * REMUS.radius_m, COLD)
    on_length = printed.reynolds(REMUS.speed_m_s, REMUS.length_m, COLD)
    fresh, salt = viscosity(5.0, 0.0, 1000.0), viscosity(5.0, 35.0, 1027.7)
    return {
        "reynolds": {
            "off": abs(on_length - on_diameter) / on_diameter,
            "on_diameter": on_diameter,
            "on_length": on_length,
        },
        "viscosity": {"published": COLD, "ours": salt, "fresh": fresh},
        "graph": {"subcritical": cylinder_cd(1e5), "critical": cylinder_cd(6.4e5)},
        **graph_values(),
    }


def viscosity(celsius: float, salinity_g_kg: float, density: float) -> float:
    """Kinematic viscosity of sea water, m²/s: Sharqawy, Lienhard, Zubair 2010, equations 22 and 23."""
    water = 4.2844e-5 + 1.0 / (0.157 * (celsius + 64.993) ** 2 - 91.296)
    a = 1.541 + 1.998e-2 * celsius - 9.52e-5 * celsius**2
    b = 7.974 - 7.561e-2 * celsius + 4.724e-4 * celsius**2
    s = salinity_g_kg / 1000.0
    return water * (1.0 + a * s + b * s**2) / density


def graph_values() -> Values:
    """The engine across the flow at Reynolds numbers over the whole graph."""
    vehicle, density = bare(2.0, 0.2, COLD), load_vehicle("torpedo").water.density_kg_m3
    worst = 0.0
    numbers = np.geomspace(1.1e4, 4.7e6, 60)
    for r_n in numbers:
        speed = float(r_n) * COLD / 0.2
        expected = printed.drag(speed, printed.drag_coefficient(float(r_n), 10.0), 2.0 * 0.2, density)
        worst = max(worst, abs(force(vehicle, "crossflow", 1, speed) / expected - 1.0))
    return {"graph-used": {"difference": worst, "count": len(numbers)}}


def across(hull: Hull) -> tuple[float, float]:
    """F(v) at ACROSS, and the moment at TURNING: the formula summed over the length, 1/2 rho C_D D L⁴/32 r|r|."""
    diameter = 2.0 * hull.radius_m
    slender = hull.length_m / diameter
    side = printed.drag_coefficient(printed.reynolds(ACROSS, diameter, COLD), slender)
    ends = printed.drag_coefficient(printed.reynolds(TURNING * hull.length_m / 2.0, diameter, COLD), slender)
    return (
        printed.drag(ACROSS, side, diameter * hull.length_m, hull.density),
        printed.drag(TURNING, ends, diameter * hull.length_m**4 / 32.0, hull.density),
    )


def hull_values(hull: Hull) -> Values:
    """Drag ahead at cruising speed, across, and against turning."""
    vehicle = bare(hull.length_m, 2.0 * hull.radius_m, COLD)
    vehicle = replace(vehicle, water=replace(vehicle.water, density_kg_m3=hull.density))
    side, turning = across(hull)
    return {
        **ahead_values(hull),
        f"drag-across-{hull.key}": {
            "hull": hull,
            "published": side,
            "ours": force(vehicle, "crossflow", 1, ACROSS),
            "vehicle": hull.damping(1, ACROSS),
            "diameter": 2.0 * hull.radius_m,
        },
        f"drag-turning-{hull.key}": {
            "hull": hull,
            "published": turning,
            "ours": force(vehicle, "crossflow", 4, TURNING),
            "vehicle": hull.damping(4, TURNING),
            "diameter": 2.0 * hull.radius_m,
        },
    }


def ahead_values(hull: Hull) -> Values:
    """Ahead: the formula without its number."""
    u = hull.speed_m_s
    ours, theirs = force(hull.derived(), "coefficients", 0, u), hull.damping(0, u)
    cd, cd_theirs = (2.0 * abs(x) / (hull.density * hull.frontal_m2 * u**2) for x in (ours, theirs))
    return {
        f"drag-ahead-{hull.key}": {
            "u": u,
            "hull": hull,
            "drag": ours,
            "cd": cd,
            "theirs": theirs,
            "cd_theirs": cd_theirs,
            "ratio": ours / theirs,
        }
    }


def implied(hull: Hull) -> float:
    """C_D equivalent to the published damping of a vehicle at ACROSS."""
    return -2.0 * hull.damping(1, ACROSS) / (hull.density * 2.0 * hull.radius_m * hull.length_m * ACROSS**2)


def figure() -> Drawing:
    """The graph the notes refer to, with the two vehicles on it."""
    re: Array = np.geomspace(1e4, 4.9e6, 400)
    with styled():
        sheet = new_figure(UNWRITTEN, (8.6, 4.0), None)
        ax: Any = sheet.subplots()
        ax.semilogx(re, [cylinder_cd(float(r)) for r in re], color=PALETTE[8], label="endless smooth cylinder")
        ax.plot(*printed.GRAPH.T, "o", color=PALETTE[8], markersize=3.5)
        for hull, colour, dash in zip(HULLS, (PALETTE[0], PALETTE[1]), ("-", (0, (4, 4))), strict=True):
            diameter = 2.0 * hull.radius_m
            aspect = hull.length_m / diameter
            ax.semilogx(re, [printed.drag_coefficient(float(r), aspect) for r in re], color=colour,
                        linestyle=dash, label=f"with free ends, L/D {aspect:.1f} ({hull.name})")  # fmt: skip
            ax.plot([printed.reynolds(ACROSS, diameter, COLD)], [implied(hull)], "D", color=colour, markersize=7,
                    label=f"published damping of {hull.name}")  # fmt: skip
        ax.axvline(2e5, color=COMMAND, linewidth=0.8, linestyle=(0, (4, 2)))
        ax.annotate("drag crisis", (2.1e5, 1.92), fontsize=8, color=COMMAND)
        ax.set(
            xlabel="Reynolds number on the diameter, U D/nu [1]", ylabel="drag coefficient C_D [1]", ylim=(0.0, 2.05)
        )
        ax.legend(loc="upper right", bbox_to_anchor=(1.0, 0.98))
    return drawn(
        sheet, "nav-graph",
        "The graph C_D(R_n) that the notes refer to is lost; this is the smooth cylinder of DNV-RP-C205 that Pelagos "
        "uses for strips of a hull. Diamonds: the coefficient that the published sideways damping stands for, linear "
        f"and quadratic together, at {ACROSS:g} m/s.",
    )  # fmt: skip
