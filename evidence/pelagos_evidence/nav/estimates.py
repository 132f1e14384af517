"""Added mass and inertia by the formulas of the notes, for the sizes of REMUS 100 and LAUV, beside their numbers."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from pelagos.analysis.page import COMMAND, PALETTE, UNWRITTEN, new_figure, styled
from pelagos.vehicle.derive.added_mass import spheroid_added_mass
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.pack.records import mass_matrix
from pelagos.vehicle.spec import Vehicle
from pelagos_evidence.claim import Claim, Proof, number, statement
from pelagos_evidence.document import Drawing, Findings, Tell, drawn
from pelagos_evidence.nav import printed
from pelagos_evidence.nav.hulls import HULLS, REMUS, Hull, inertia_at_cg, worth

TESTS = ("tests/vehicle/derive/test_added_mass.py", "tests/vehicle/derive/test_torpedo.py")
ADDED = Proof(errata=("N2", "N3"), code=("pelagos.vehicle.derive.added_mass.cylinder_added_mass",), tests=TESTS,
              figures=("nav-estimates",))  # fmt: skip
ROLL = Proof(errata=("N4",), code=ADDED.code, tests=TESTS)
INERTIA = Proof(errata=("N15",), code=("pelagos.vehicle.derive.inertia.inertia_of_cylinder",),
                tests=("tests/vehicle/derive/test_inertia.py",), figures=("nav-estimates",))  # fmt: skip
DIGITS = "the vehicle file is written with six digits: 5e-6 of a number, at worst"
FINS = "fins turn water when the hull rolls; the notes leave fins out"
SLENDER = 100.0  # length over diameter at which the formula across is held against theory
NOTES = {
    "x-udot-remus100": "0.1 m is for a blunt body: a spheroid of this slenderness carries 0.036 m",
    "k-pdot-remus100": FINS,
    "k-pdot-lauv": FINS,
    "j-x-lauv": "not printed there: total less added mass",
    "j-y-lauv": "not printed there: total less added mass, less than half of a uniform cylinder; why is not known",
}


def run(tell: Tell) -> Findings:
    """The formulas for the two vehicles, and what they are in theory."""
    claims = [claim for hull in HULLS for claim in hull_claims(hull, hull.by_formula())]
    tell(0.5)
    return Findings((*claims, *theory_claims()), (figure(),))


def theory_claims() -> list[Claim]:
    """Roll, the mass of a neutral cylinder, and the limit of a long body."""
    torpedo = load_vehicle("torpedo")
    shown = printed.roll_printed(REMUS.radius_m, REMUS.density)
    turned = float(printed.cylinder_inertia(REMUS.length_m, REMUS.radius_m, REMUS.mass_kg)[0])
    k2 = float(spheroid_added_mass(SLENDER, 1.0, 1.0)[0][1, 1]) / (math.pi / 6.0 * SLENDER)
    left = 2.0 / SLENDER**2 * (math.log(2.0 * SLENDER) - 1.0)
    return [
        statement("formula-k-pdot", "K_pdot = -pi rho R⁵/4, about 0", "the two parts of the printed line agree: size "
                  "of the formula for REMUS 100 against its moment of inertia J_x = m r²/2",
                  "about 0", f"{shown:.2g} kg m², {100.0 * abs(shown) / turned:.0f} % of J_x; Pelagos takes 0, as a "
                  "smooth cylinder has", abs(shown) < 0.1 * turned, tolerance="a tenth of J_x",
                  why="what it is added to; less than a tenth is what \"about 0\" can mean there",
                  numbers={"formula": shown, "inertia": turned}, unit="kg m²", proof=ROLL),
        number("y-vdot-is-displaced", "Y_vdot = -pi rho R² L", "the formula gives the displaced water, so that the "
               "mass of a neutral cylinder counts twice across: M(2,2)/m of our torpedo of 2 m by 0.2 m", 2.0,
               float(mass_matrix(torpedo)[1, 1] / torpedo.body.mass_kg), "", relative=1e-4,
               why="its 64.4 kg is the displaced 64.403 kg, rounded: 5e-5", proof=ADDED),
        number("slender-limit", "Y_vdot about -pi rho R² L", "the formula is the limit of a long body: added mass over "
               f"displaced water of a spheroid, L/D {SLENDER:g}, by potential theory", 1.0, k2, "",
               absolute=1.1 * left, why="what is left for a slender spheroid is 2 (D/L)² (ln(2 L/D) - 1), "
               f"here {left:.1e}; a tenth more for the terms that follow",
               proof=Proof(errata=("N3",), code=("pelagos.vehicle.derive.added_mass.spheroid_added_mass",),
                           tests=TESTS)),
    ]  # fmt: skip


Row = tuple[str, str, str, float, float, float, str]


def table(hull: Hull, made: Vehicle) -> list[Row]:
    """Key, place, what, by the notes' formula, in the vehicle made of three numbers, of the real one, unit."""
    size = hull.length_m, hull.radius_m, hull.mass_kg
    formula, inertia = printed.cylinder_derivatives(*size, hull.density), printed.cylinder_inertia(*size)
    ours, turned = -np.diag(made.added_mass), np.diag(inertia_at_cg(made))
    theirs, own = -np.diag(hull.vehicle.added_mass), np.diag(hull.vehicle.body.inertia_o)
    x, _, z = made.body.cg_b
    # about the origin, as M_RB asks (erratum N15)
    total = np.array([hull.mass_kg, hull.mass_kg, 0.0, 0.0, inertia[1] + hull.mass_kg * (x**2 + z**2)]) - formula[:5]
    whole, real = np.diag(mass_matrix(made)), np.diag(mass_matrix(hull.vehicle))
    rows = (
        ("x-udot", "X_udot = -0.1 m", "added mass ahead", formula[0], ours[0], theirs[0], "kg"),
        ("y-vdot", "Y_vdot = Z_wdot = -pi rho R² L", "added mass across", formula[1], ours[1], theirs[1], "kg"),
        ("k-pdot", "K_pdot about 0", "added inertia in roll", 0.0, ours[3], theirs[3], "kg m²"),
        ("m-qdot", "M_qdot = N_rdot = -pi rho L³ R²/12", "added inertia in pitch and yaw", formula[4], ours[4],
         theirs[4], "kg m²"),
        ("j-x", "J_x = m r²/2", "inertia in roll", inertia[0], turned[0], own[0], "kg m²"),
        ("j-y", "J_y = J_z = m (3 r² + l²)/12", "inertia in pitch and yaw", inertia[1], turned[1], own[1], "kg m²"),
        ("m-11", "M = M_RB + M_A, (1,1)", "mass and added mass ahead", total[0], whole[0], real[0], "kg"),
        ("m-22", "M = M_RB + M_A, (2,2)", "mass and added mass across", total[1], whole[1], real[1], "kg"),
        ("m-55", "M = M_RB + M_A, (5,5)", "inertia and added inertia in pitch", total[4], whole[4], real[4], "kg m²"),
    )  # fmt: skip
    # + 0.0: no -0 for K_pdot
    return [(key, place, what, float(a), float(b) + 0.0, float(c), unit) for key, place, what, a, b, c, unit in rows]


def hull_claims(hull: Hull, made: Vehicle) -> list[Claim]:
    """A row for each formula: printed against the vehicle made of three numbers, and the real vehicle beside."""
    sized = f"{hull.length_m:g} m, {hull.radius_m:g} m, {hull.mass_kg:.4g} kg, {hull.density:g} kg/m³"
    claims: list[Claim] = []
    for key, place, what, formula, ours, theirs, unit in table(hull, made):
        named = f"{key}-{hull.key}"
        proof = INERTIA if key.startswith("j") else ROLL if key.startswith("k") else ADDED
        row = number(named, place, f"{what} of the vehicle made from the size of {hull.name} ({sized}), by the printed "
                     "formula", formula, ours, unit, absolute=5e-6 * abs(formula), why=DIGITS, proof=proof)  # fmt: skip
        row = worth(row, hull, theirs, NOTES.get(named, ""))
        claims.append(replace(row, published="about 0") if formula == 0.0 else row)
    return claims


def figure() -> Drawing:
    """Ratio of each estimate to the published number, and that of the finer rules of Pelagos."""
    labels = {"x-udot": "X_udot", "y-vdot": "Y_vdot", "m-qdot": "M_qdot", "j-x": "J_x", "j-y": "J_y", "m-11": "M(1,1)",
              "m-22": "M(2,2)", "m-55": "M(5,5)"}  # fmt: skip
    x = np.arange(len(labels))
    with styled():
        sheet = new_figure(UNWRITTEN, (9.0, 4.2), None)
        axes: Any = sheet.subplots(1, len(HULLS), sharey=True)
        for ax, hull in zip(axes, HULLS, strict=True):
            ax.axhline(1.0, color=COMMAND, linewidth=1.0)
            for made, side, colour, name in (
                (hull.by_formula(), -0.2, PALETTE[0], "the notes' formulas"),
                (hull.derived(), 0.2, PALETTE[5], "Pelagos: strips of a hull with nose and tail"),
            ):
                ratios = {key: ours / theirs for key, _, _, _, ours, theirs, _ in table(hull, made)}
                heights = np.array([ratios[key] for key in labels])
                ax.bar(x + side, heights - 1.0, 0.38, bottom=1.0, color=colour, label=name)
                for at, height in zip(x + side, heights, strict=True):
                    up = height >= 1.0
                    ax.annotate(f"{height:.2f}", (at, height), (0, 2 if up else -2), textcoords="offset points",
                                ha="center", va="bottom" if up else "top", fontsize=6.5, rotation=90)  # fmt: skip
            ax.set_yscale("log")
            ax.set_yticks([0.5, 0.7, 1.0, 1.5, 2.0, 3.0], ["0.5", "0.7", "1", "1.5", "2", "3"])
            ax.minorticks_off()
            ax.set_ylim(0.45, 5.0)
            ax.set_xticks(x, list(labels.values()), rotation=40)
            ax.set_title(hull.name)
            ax.grid(axis="x", visible=False)
        axes[0].set_ylabel("estimate / published [1]")
        sheet.legend(*axes[0].get_legend_handles_labels(), loc="outside upper right", ncols=2)
    return drawn(
        sheet, "nav-estimates",
        "What an estimate is worth: numbers from length, radius and mass alone over the published ones of two vehicles "
        "(1: equal). M(1,1), M(2,2) and M(5,5) are mass or inertia with the added part, as the equations of motion "
        "have them. K_pdot is left out: the estimate is 0.",
    )  # fmt: skip
