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
from pelagos_evidence.claim import Claim, Proof, agreed, contested, no_data, number, quantity
from pelagos_evidence.document import Drawing, Findings, Tell, drawn
from pelagos_evidence.nav import printed
from pelagos_evidence.nav.hulls import HULLS, REMUS, SOURCE, Hull, worth
from pelagos_evidence.nav.printed import Array

COLD = 1.56e-6  # m²/s, printed
ACROSS, TURNING = 0.3, 0.2  # m/s and rad/s at which the vehicles are compared
STRIPS = 21  # of the engine's sum over a hull
TESTS = ("tests/vehicle/derive/test_drag.py", "tests/vehicle/test_derive.py")
GRAPH = "The graph is lost; points of a smooth cylinder (DNV-RP-C205) with the loss at its ends."


def run(tell: Tell) -> Findings:
    """The formula, the number, the graph, the vehicles."""
    claims = [*formula_claims(), *reynolds_claims()]
    for hull in HULLS:
        claims += hull_claims(hull)
    tell(0.5)
    return Findings(tuple(claims), (figure(),))


def formula_claims() -> list[Claim]:
    """F(u): a square law in the engine."""
    torpedo = load_vehicle("torpedo")
    area, density = np.pi * 0.1**2, torpedo.water.density_kg_m3
    found, doubled = (force(torpedo, "coefficients", 0, speed) for speed in (1.5, 3.0))
    code = ("pelagos.vehicle.derive.drag.axial_drag", "pelagos.engine.forces.coefficients")
    return [
        number("drag", "F(u) = -1/2 rho C_D A |u| u", "drag of our torpedo (2 m by 0.2 m) at 1.5 m/s by the engine, "
               "against the formula with C_D 0.3 on its frontal area",
               printed.drag(1.5, 0.3, float(area), density), found, "N", relative=1e-5,
               why="its file has X_u|u| with five digits",
               assumption="C_D 0.3, the upper end of what a blunt cylinder ahead has; the notes' graph is lost. |u| u "
               "in place of the printed |u| u/|u|.",
               proof=Proof(errata=("N11", "N14"), code=code, tests=TESTS)),
        contested("drag-printed", "F(u) as printed, |u| u/|u|", "drag at twice the speed over drag at the speed",
                       "2", "|u| u/|u| is u: a linear force with the unit kg/s. |u| u is meant, as the heading "
                       "\"quadratic drag\" and the terms X_u|u| |u| say.", ours=f"{quantity(doubled / found)}",
                       numbers={"published": 2.0, "ours": doubled / found},
                       proof=Proof(errata=("N11",), code=code, tests=TESTS), off=abs(doubled / found - 2.0), limit=1e-6,
        ),
    ]  # fmt: skip


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


def reynolds_claims() -> list[Claim]:
    """R_n, viscosity and C_D(R_n)."""
    on_diameter = printed.reynolds(REMUS.speed_m_s, 2.0 * REMUS.radius_m, COLD)
    on_length = printed.reynolds(REMUS.speed_m_s, REMUS.length_m, COLD)
    fresh, salt = viscosity(5.0, 0.0, 1000.0), viscosity(5.0, 35.0, 1027.7)
    return [
        contested("reynolds", "R_n = U D/nu", "one D, with two arrows: \"length of body\" and \"diameter\". R_n "
                       "of REMUS 100 at 1.54 m/s", "length of body; diameter",
                       "It cannot be both, and the two lie on either side of the drag crisis of the graph. Pelagos "
                       "takes the diameter for flow across the hull and the length for flow along it.",
                       ours=f"{on_diameter:.3g} on the diameter, {on_length:.3g} on the length",
                       numbers={"diameter": on_diameter, "length": on_length}, unit="1",
                       proof=Proof(errata=("N12",), code=("pelagos.vehicle.derive.drag",), tests=TESTS),
                       off=abs(on_length - on_diameter) / on_diameter, limit=1e-9,
        ),
        number("viscosity", "nu = 1.56·10⁻⁶ for soft water", "kinematic viscosity, against the formula of Sharqawy and "
               f"others (2010) for sea water of 35 g/kg at 5 °C (fresh water at 5 °C: {fresh:.3g} m²/s)", COLD, salt,
               "m²/s", relative=0.015, why="the formula is given to 1.5 %",
               assumption="\"Soft\" is read as salt, and the temperature, which is not given, is 5 °C, as in Fossen "
               "1994. Pelagos has 1.19e-06 m²/s (sea water at 15 °C) unless a vehicle file says otherwise; our torpedo "
               "has the notes' value.",
               proof=Proof(errata=("N13",), code=("pelagos.vehicle.spec.ReferenceWater",), tests=TESTS)),
        no_data("graph", "graph C_D(R_n)", "the curve of C_D against R_n", "a graph, not in the scan",
                       "The graph is lost. Pelagos uses the smooth cylinder of DNV-RP-C205, drawn below.",
                       ours=f"{cylinder_cd(1e5):.2f} at R_n 1e5, {cylinder_cd(6.4e5):.2f} at 6.4e5",
                       numbers={"ours": cylinder_cd(1e5)},
                       proof=Proof(errata=("N14",), code=("pelagos.vehicle.derive.drag.cylinder_cd",), tests=TESTS,
                                   figures=("nav-graph",))),
        graph_claim(),
    ]  # fmt: skip


def viscosity(celsius: float, salinity_g_kg: float, density: float) -> float:
    """Kinematic viscosity of sea water, m²/s: Sharqawy, Lienhard, Zubair 2010, equations 22 and 23."""
    water = 4.2844e-5 + 1.0 / (0.157 * (celsius + 64.993) ** 2 - 91.296)
    a = 1.541 + 1.998e-2 * celsius - 9.52e-5 * celsius**2
    b = 7.974 - 7.561e-2 * celsius + 4.724e-4 * celsius**2
    s = salinity_g_kg / 1000.0
    return water * (1.0 + a * s + b * s**2) / density


def graph_claim() -> Claim:
    """The engine across the flow at Reynolds numbers over the whole graph."""
    vehicle, density = bare(2.0, 0.2, COLD), load_vehicle("torpedo").water.density_kg_m3
    worst = 0.0
    numbers = np.geomspace(1.1e4, 4.7e6, 60)
    for r_n in numbers:
        speed = float(r_n) * COLD / 0.2
        expected = printed.drag(speed, printed.drag_coefficient(float(r_n), 10.0), 2.0 * 0.2, density)
        worst = max(worst, abs(force(vehicle, "crossflow", 1, speed) / expected - 1.0))
    return agreed("graph-used", "D(nu), \"terms defined based on F(u)\" with C_D(R_n)", "force of the engine on a "
                  f"cylinder of 2 m by 0.2 m that moves sideways, at {len(numbers)} Reynolds numbers on the diameter "
                  "from 1.1e4 to 4.7e6, against the formula: relative", "-1/2 rho C_D(R_n) A |v| v", worst, 1e-9, "",
                  assumption=GRAPH,
                  proof=Proof(errata=("N11", "N12", "N14"), code=("pelagos.vehicle.derive.drag.crossflow_from_hull",
                                                                  "pelagos.engine.forces.crossflow"), tests=TESTS,
                              figures=("nav-graph",)))  # fmt: skip


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


def hull_claims(hull: Hull) -> list[Claim]:
    """Drag ahead at cruising speed, across, and against turning."""
    vehicle = bare(hull.length_m, 2.0 * hull.radius_m, COLD)
    vehicle = replace(vehicle, water=replace(vehicle.water, density_kg_m3=hull.density))
    side, turning = across(hull)
    proof = Proof(errata=("N11", "N12", "N14"), code=("pelagos.vehicle.derive.drag.crossflow_from_hull",), tests=TESTS,
                  figures=("nav-graph",))  # fmt: skip
    sized = f"a cylinder of the size of {hull.name} ({hull.length_m:g} m by {2.0 * hull.radius_m:g} m), by the engine"
    trials = (
        "the thesis, too, found 1/20 of its final number by theory and raised it to match trials" if hull is REMUS else
        "fins at the tail, which resist turning most, are not in the notes"
    )  # fmt: skip
    sideways = number(
        f"drag-across-{hull.key}", "F(v), across", f"sideways drag at {ACROSS:g} m/s of {sized}, against the formula",
        side, force(vehicle, "crossflow", 1, ACROSS), "N", relative=1e-9, why="rounding", assumption=GRAPH, proof=proof,
    )  # fmt: skip
    pitching = number(
        f"drag-turning-{hull.key}", "F, turning", f"moment against a pitch rate of {TURNING:g} rad/s of {sized}, "
        "against the formula summed over the length", turning, force(vehicle, "crossflow", 4, TURNING), "N m",
        relative=0.011, why=f"a sum over {STRIPS} strips by the trapezoid rule has (2/20)² = 1 % too much of the "
        "integral of |x|³", assumption=GRAPH, proof=proof,
    )  # fmt: skip
    linear = (
        "its Y_v|v|, -1310 in the thesis, taken as -131, as Z_w|w| and its geometry say" if hull is REMUS else
        "its linear damping is included; the notes have no formula for it"
    )  # fmt: skip
    return [
        ahead_claim(hull),
        worth(sideways, hull, hull.damping(1, ACROSS), linear),
        worth(pitching, hull, hull.damping(4, TURNING), trials),
    ]


def ahead_claim(hull: Hull) -> Claim:
    """Ahead: the formula without its number."""
    u = hull.speed_m_s
    ours, theirs = force(hull.derived(), "coefficients", 0, u), hull.damping(0, u)
    cd, cd_theirs = (2.0 * abs(x) / (hull.density * hull.frontal_m2 * u**2) for x in (ours, theirs))
    return no_data(
        f"drag-ahead-{hull.key}", "F(u), ahead", f"drag at {u:g} m/s of the size of {hull.name}",
        "-1/2 rho C_D(R_n) A |u| u, C_D from the graph",
        "The graph is lost, and a cylinder across the flow says nothing of a hull ahead. Pelagos puts a friction line "
        "(ITTC 1957) and a form factor (Hoerner) in its place, for a bare hull; fins and fittings come on top.",
        ours=f"{ours:.3g} N (C_D {cd:.2f} on the frontal area). {hull.name} ({SOURCE[hull.key]}): {theirs:.3g} N (C_D "
        f"{cd_theirs:.2f}), so the estimate is {ours / theirs:.2f} times that",
        numbers={"ours": ours, "vehicle": theirs, "ratio": ours / theirs}, unit="N",
        proof=Proof(errata=("N11", "N14"), code=("pelagos.vehicle.derive.drag.axial_drag",), tests=TESTS),
    )  # fmt: skip


def implied(hull: Hull) -> float:
    """C_D that the published damping of a vehicle at ACROSS stands for."""
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
