"""Drag by the notes' formula, the Reynolds number, and the lost graph of C_D, beside REMUS 100 and LAUV."""

from __future__ import annotations

from typing import Any

import numpy as np

from pelagos.analysis.page import COMMAND, PALETTE, UNWRITTEN, new_figure, styled
from pelagos.reproduce.claim import Claim, Proof, number, quantity, statement, unreproducible
from pelagos.reproduce.document import Drawing, Findings, Tell, drawn
from pelagos.reproduce.nav import printed
from pelagos.reproduce.nav.hulls import HULLS, REMUS, Hull, estimate
from pelagos.vehicle.drag import CYLINDER_CD, axial_drag, crossflow_from_hull, cylinder_cd, end_factor
from pelagos.vehicle.load import load_vehicle
from pelagos.vehicle.plant import Plant

COLD = 1.56e-6  # m²/s, printed
ACROSS = 0.3  # m/s of cross flow at which the graph is read
TESTS = ("tests/vehicle/test_drag.py", "tests/vehicle/test_derive.py")
GRAPH = "The graph is lost; points of a smooth cylinder (DNV-RP-C205) with the loss at its ends."
FITTINGS = (
    "The formula is for a bare faired hull; the published drag is almost four times that. Fins, antennas and fittings "
    "weigh more on a small vehicle, but the notes have no term for them."
)


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
    plant = Plant(torpedo)
    area, density = np.pi * 0.1**2, torpedo.water.density_kg_m3
    plant.place(nu=[1.5, 0.0, 0.0, 0.0, 0.0, 0.0])
    found = float(plant.forces()["coefficients"][0])
    plant.place(nu=[3.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    ratio = float(plant.forces()["coefficients"][0]) / found
    code = ("pelagos.vehicle.drag.axial_drag", "pelagos.engine.forces.coefficients")
    return [
        number("drag", "F(u) = -1/2 rho C_D A |u| u", "drag of our torpedo at 1.5 m/s, C_D 0.3 on its frontal area",
               printed.drag(1.5, 0.3, float(area), density), found, "N", relative=1e-4,
               why="the vehicle file has X_u|u| with five digits",
               assumption="C_D 0.3, the upper end of what a blunt cylinder ahead has; the notes' graph is lost.",
               proof=Proof(errata=("N11", "N14"), code=code, tests=TESTS)),
        unreproducible("drag-printed", "F(u) as printed, |u| u/|u|", "doubling the speed makes the drag ... times as "
        "large",
                       "2", "|u| u/|u| is u: a linear force with the unit kg/s. |u| u is meant, as the heading "
                       "\"quadratic drag\" and the terms X_u|u| |u| say.", ours=f"{quantity(ratio)}",
                       numbers={"published": 2.0, "ours": ratio}, proof=Proof(errata=("N11",), code=code, tests=TESTS)),
    ]  # fmt: skip


def reynolds_claims() -> list[Claim]:
    """R_n, viscosity and C_D(R_n)."""
    on_diameter = REMUS.speed_m_s * 2.0 * REMUS.radius_m / COLD
    on_length = REMUS.speed_m_s * REMUS.length_m / COLD
    hull, _ = crossflow_from_hull(length_m=2.0, diameter_m=0.2, viscosity_m2_s=COLD)
    read = dict(hull.curve)
    off = max(
        abs(read[re * COLD / 0.2] - cd * end_factor(10.0, re)) for re, cd in CYLINDER_CD if re * COLD / 0.2 in read
    )
    return [
        statement("reynolds", "R_n = U D/nu", "the same symbol is labelled length and diameter: R_n of REMUS 100 at "
        "1.54 m/s",
                  "one number", f"{on_diameter:.3g} on the diameter (cross flow), {on_length:.3g} on the length "
                  "(friction)",
                  on_diameter < 5e5 < on_length, tolerance="either side of transition",
                  why="which one is meant decides between the two regimes of the graph; Pelagos uses the diameter "
                  "across and the length ahead", assumption="Diameter for cross flow, length for axial flow.",
                  proof=Proof(errata=("N12",), code=("pelagos.vehicle.drag",), tests=TESTS)),
        unreproducible("viscosity", "nu = 1.56·10⁻⁶ for soft water", "kinematic viscosity of fresh water", "1.56e-06 "
        "m²/s",
                       "It is the value of salt water at 5 °C; fresh water has 1.00e-6 m²/s at 20 °C and sea water "
                       "1.19e-6 at 15 °C. Reynolds numbers change by a third, drag by little.",
                       ours="1.19e-06 m²/s (default, sea water at 15 °C)", numbers={"published": COLD, "ours": 1.19e-6},
                       unit="m²/s", proof=Proof(errata=("N13",), code=("pelagos.vehicle.drag.axial_drag",))),
        unreproducible("graph", "graph C_D(R_n)", "the curve of C_D against R_n", "a graph, not in the scan",
                       "The graph is lost. Pelagos uses the smooth cylinder of DNV-RP-C205, drawn below.",
                       ours=f"{cylinder_cd(1e5):.2f} at R_n 1e5, {cylinder_cd(6.4e5):.2f} at 6.4e5",
                       numbers={"ours": cylinder_cd(1e5)},
                       proof=Proof(errata=("N14",), code=("pelagos.vehicle.drag.cylinder_cd",), tests=TESTS,
                                   figures=("nav-graph",))),
        number("graph-used", "terms based on F(u) and C_D(R_n)", "the strips of a hull of L/D 10 have that curve times "
               "the loss at the ends: largest difference at the points", 0.0, off, "", absolute=1e-12, why="rounding",
               assumption=GRAPH,
               proof=Proof(errata=("N14",), code=("pelagos.vehicle.drag.crossflow_from_hull",), tests=TESTS,
                                             figures=("nav-graph",))),
    ]  # fmt: skip


def across(hull: Hull) -> tuple[float, float]:
    """Y_v|v| and N_r|r| of a cylinder by strips: -1/2 rho C_D D L and -1/2 rho C_D D L⁴/32."""
    reynolds = ACROSS * 2.0 * hull.radius_m / COLD
    cd = cylinder_cd(reynolds) * end_factor(hull.length_m / (2.0 * hull.radius_m), reynolds)
    side = 0.5 * hull.density * cd * 2.0 * hull.radius_m
    return -side * hull.length_m, -side * hull.length_m**4 / 32.0


def hull_claims(hull: Hull) -> list[Claim]:
    """Drag ahead at cruising speed, across, and against turning."""
    wetted = 0.709 if hull is REMUS else None
    ahead, _ = axial_drag(
        hull.length_m, 2.0 * hull.radius_m, hull.density, 1.19e-6, hull.speed_m_s, wetted_area_m2=wetted
    )
    u = hull.speed_m_s
    linear = next((c.value for c in hull.vehicle.coefficients if c.name == "X_u"), 0.0)
    published = linear * u + hull.coefficient("X_u|u|") * u**2
    side, turning = across(hull)
    ahead_proof = Proof(
        errata=("N11", "N14"), code=("pelagos.vehicle.drag.axial_drag",), tests=TESTS, figures=("nav-graph",)
    )
    side_proof = Proof(errata=("N12", "N14"), code=("pelagos.vehicle.drag.crossflow_from_hull",), tests=TESTS,
                       figures=("nav-graph",))  # fmt: skip
    trials = (
        "Theory gave -9.4 there too; the thesis raised it to -188 to match trials." if hull is REMUS else
        "Strips of a bare cylinder; fins at the tail, which resist turning most, are not in the notes."
    )  # fmt: skip
    return [
        estimate("drag-ahead", "F(u), ahead", f"drag at {u:g} m/s, friction line and form factor", hull, published,
                 ahead * u**2, "N", proof=ahead_proof, off="" if hull is REMUS else FITTINGS),
        estimate("drag-across", "F(u), across", "Y_v|v| by the graph at 0.3 "
        "m/s", hull, hull.coefficient("Y_v|v|"), side,
                 "N/(m/s)²", proof=side_proof),
        estimate("drag-turning", "F(u), turning", "M_q|q| by the same graph, strip by strip", hull,
                 hull.coefficient("M_q|q|"), turning, "N m/(rad/s)²", proof=side_proof, off=trials),
    ]  # fmt: skip


def figure() -> Drawing:
    """The graph the notes refer to, with the two vehicles on it."""
    re = np.geomspace(1e4, 5e6, 400)
    with styled():
        sheet = new_figure(UNWRITTEN, (8.6, 3.7), None)
        ax: Any = sheet.subplots()
        ax.semilogx(re, [cylinder_cd(float(r)) for r in re], color=PALETTE[8], label="endless smooth cylinder")
        ax.plot(*zip(*CYLINDER_CD, strict=True), "o", color=PALETTE[8], markersize=3.5)
        for hull, colour, dash in zip(HULLS, (PALETTE[0], PALETTE[1]), ("-", (0, (4, 4))), strict=True):
            aspect = hull.length_m / (2.0 * hull.radius_m)
            ax.semilogx(re, [cylinder_cd(float(r)) * end_factor(aspect, float(r)) for r in re], color=colour,
                        linestyle=dash, label=f"with ends, L/D {aspect:.1f} ({hull.name})")  # fmt: skip
            diameter = 2.0 * hull.radius_m
            implied = -2.0 * hull.coefficient("Y_v|v|") / (hull.density * diameter * hull.length_m)
            at = ACROSS * diameter / COLD
            ax.plot([at], [implied], "D", color=colour, markersize=7, label=f"published Y_v|v| of {hull.name}")
        ax.axvline(2e5, color=COMMAND, linewidth=0.8, linestyle=(0, (4, 2)))
        ax.annotate("drag crisis", (2.1e5, 1.36), fontsize=8, color=COMMAND)
        ax.set(
            xlabel="Reynolds number on the diameter, U D/nu [1]", ylabel="drag coefficient C_D [1]", ylim=(0.0, 1.45)
        )
        ax.legend(loc="upper right", bbox_to_anchor=(1.0, 0.92))
    return drawn(
        sheet, "nav-graph",
        "The graph C_D(R_n) that the notes refer to is lost; this is the smooth cylinder of DNV-RP-C205 that Pelagos "
        "uses for strips of a hull. Diamonds: the coefficient that the published Y_v|v| stands for, at 0.3 m/s of "
        "cross flow.",
    )  # fmt: skip
