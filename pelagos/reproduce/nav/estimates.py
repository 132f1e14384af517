"""Added mass and inertia by the formulas of the notes, beside the published numbers of REMUS 100 and LAUV."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pelagos.analysis.page import COMMAND, PALETTE, UNWRITTEN, new_figure, styled
from pelagos.reproduce.claim import Claim, Proof, bound, number, statement
from pelagos.reproduce.document import Drawing, Findings, Tell, drawn
from pelagos.reproduce.nav import printed
from pelagos.reproduce.nav.hulls import FACTOR, HULLS, Hull, estimate
from pelagos.vehicle.added_mass import cylinder_added_mass, spheroid_added_mass
from pelagos.vehicle.inertia import inertia_of_cylinder
from pelagos.vehicle.load import load_vehicle
from pelagos.vehicle.pack import mass_matrix

LENGTH, RADIUS, MASS, DENSITY = 2.0, 0.1, 64.4, 1025.0  # the generic cylinder
TESTS = ("tests/vehicle/test_added_mass.py", "tests/vehicle/test_derive.py")
ADDED = Proof(errata=("N2", "N3"), code=("pelagos.vehicle.added_mass.cylinder_added_mass",), tests=TESTS,
              figures=("nav-estimates",))  # fmt: skip
INERTIA = Proof(errata=("N15",), code=("pelagos.vehicle.inertia.inertia_of_cylinder",),
                tests=("tests/vehicle/test_inertia.py",), figures=("nav-estimates",))  # fmt: skip


def run(tell: Tell) -> Findings:
    """The formulas for a cylinder, then for the two vehicles."""
    claims = formula_claims()
    for hull in HULLS:
        claims += hull_claims(hull)
    tell(0.5)
    return Findings(tuple(claims), (figure(),))


def formula_claims() -> list[Claim]:
    """What Pelagos computes is what the notes print."""
    derivatives = printed.cylinder_derivatives(LENGTH, RADIUS, MASS, DENSITY)
    inertia = printed.cylinder_inertia(LENGTH, RADIUS, MASS)
    added = -np.diag(cylinder_added_mass(LENGTH, 2.0 * RADIUS, DENSITY, MASS)[0])
    turned = np.diag(inertia_of_cylinder(MASS, RADIUS, LENGTH))
    torpedo = load_vehicle("torpedo")
    cylinder = "A cylinder of 2 m by 0.2 m and 64.4 kg in sea water of 1025 kg/m³; the notes give no example."
    names = (("X_udot = -0.1 m", 0, "kg"), ("Y_vdot = Z_wdot = -pi rho R² L", 1, "kg"),
             ("M_qdot = N_rdot = -pi rho L³ R²/12", 4, "kg m²"))  # fmt: skip
    keys = ("x-udot", "y-vdot", "m-qdot")
    rows = [
        number(f"formula-{key}", place, "the formula for a cylinder of 2 m by 0.2 m and 64.4 kg, against what Pelagos "
               "computes", float(derivatives[i]), float(added[i]), unit, relative=1e-12, why="the formula itself: "
               "rounding",
               assumption=cylinder, proof=ADDED)
        for key, (place, i, unit) in zip(keys, names, strict=True)
    ]  # fmt: skip
    k_pdot = math.pi * DENSITY * RADIUS**5 / 4.0
    return [
        *rows,
        statement("formula-k-pdot", "K_pdot = -pi rho R⁵/4, about 0", "a smooth cylinder turns no water when it rolls",
                  "about 0", f"0 kg m² (the crossed-out formula: {k_pdot:.2g} kg m², {100 * k_pdot / inertia[0]:.1f} % "
                  "of J_x)",
                  added[3] == 0.0, why="rotational "
                  "symmetry", proof=Proof(errata=("N4",), code=ADDED.code, tests=TESTS)),
        number("formula-j-x", "J_x = m r²/2", "the same cylinder", float(inertia[0]), float(turned[0]), "kg m²",
               relative=1e-12, why="the formula itself: rounding", assumption=cylinder, proof=INERTIA),
        number("formula-j-y", "J_y = J_z = m (3 r² + l²)/12", "the same cylinder", float(inertia[1]), float(turned[1]),
               "kg m²", relative=1e-12, why="the formula itself: rounding", assumption=cylinder, proof=INERTIA),
        number("y-vdot-is-displaced", "Y_vdot = -pi rho R² L", "added mass across a neutral cylinder equals its own "
               "mass: M22/m of our "
               "torpedo", 2.0, float(mass_matrix(torpedo)[1, 1] / torpedo.body.mass_kg), "", relative=1e-3,
               why="64.4 kg is the displaced water of 64.403 kg, rounded", proof=ADDED),
        bound("slender-limit", "Y_vdot = -pi rho R² L, slender", "the strip formula is the limit of a long body: k2 of "
              "a spheroid, whose formula has the same form, at L/D 100", "above", 0.99,
              float(spheroid_added_mass(100.0, 1.0, 1.0)[0][1, 1]) / (math.pi / 6.0 * 100.0), "",
              why="1 - k2 falls as (D/L)² ln(L/D), some 1e-3 at 100; ten times that is allowed",
              proof=Proof(errata=("N3",), code=("pelagos.vehicle.added_mass.spheroid_added_mass",), tests=TESTS)),
    ]  # fmt: skip


def table(hull: Hull) -> list[tuple[str, str, str, float, float, str]]:
    """Key, place, what, published, ours, unit: signs as the notes have them."""
    vehicle = hull.vehicle
    ours, turned = (
        np.diag(cylinder_added_mass(hull.length_m, 2.0 * hull.radius_m, hull.density, hull.mass_kg)[0]),
        np.diag(inertia_of_cylinder(hull.mass_kg, hull.radius_m, hull.length_m)),
    )
    theirs, inertia = np.diag(vehicle.added_mass), np.diag(vehicle.body.inertia_o)
    whole = np.diag(mass_matrix(vehicle))
    total = np.array([hull.mass_kg] * 3 + list(turned)) + ours
    return [
        ("x-udot", "X_udot = -0.1 m", "added mass ahead", -float(theirs[0]), -float(ours[0]), "kg"),
        ("y-vdot", "Y_vdot = Z_wdot = -pi rho R² L", "added mass across", -float(theirs[1]), -float(ours[1]), "kg"),
        ("k-pdot", "K_pdot about 0", "added inertia in roll", -float(theirs[3]), 0.0, "kg m²"),
        ("m-qdot", "M_qdot = N_rdot = -pi rho L³ R²/12", "added inertia in pitch and yaw", -float(theirs[4]),
         -float(ours[4]), "kg m²"),
        ("j-x", "J_x = m r²/2", "inertia in roll", float(inertia[0]), float(turned[0]), "kg m²"),
        ("j-y", "J_y = J_z = m (3 r² + l²)/12", "inertia in pitch and yaw", float(inertia[1]), float(turned[1]), "kg "
        "m²"),
        ("m-11", "M = M_RB + M_A, (1,1)", "mass and added mass ahead, "
        "together", float(whole[0]), float(total[0]), "kg"),
        ("m-22", "M = M_RB + M_A, (2,2)", "mass and added mass across, "
        "together", float(whole[1]), float(total[1]), "kg"),
        ("m-55", "M = M_RB + M_A, (5,5)", "inertia and added inertia in pitch, together", float(whole[4]),
         float(total[4]), "kg m²"),
    ]  # fmt: skip


FINS_ROLL = (
    "A smooth cylinder turns no water when it rolls. The published value is not 0: fins turn water, and the notes "
    "leave fins out."
)
OFF = {
    "x-udot-remus100": "A rule of thumb for a blunt cylinder: a spheroid of this slenderness carries 3.6 % of its "
    "mass, not 10 %. It is a tenth of M(1,1), where the error is 7 %.",
    "k-pdot-remus100": FINS_ROLL,
    "k-pdot-lauv": FINS_ROLL,
    "j-y-lauv": "The published 0.8 kg m² is less than half of what a uniform cylinder of this mass and length has. Why "
    "is not known: mass gathered amidships would do it, or an uneven split of inertia and added inertia; together, "
    "M(5,5), they are nearer.",
}


def hull_claims(hull: Hull) -> list[Claim]:
    """A row for each formula."""
    return [
        estimate(key, place, what, hull, theirs, ours, unit, off=OFF.get(f"{key}-{hull.key}", ""),
                 proof=INERTIA if key.startswith("j") else ADDED)
        for key, place, what, theirs, ours, unit in table(hull)
    ]  # fmt: skip


def figure() -> Drawing:
    """Ratio of each estimate to the published number, and that of the better formulas of Pelagos."""
    labels = {"x-udot": "X_udot", "y-vdot": "Y_vdot", "m-qdot": "M_qdot", "j-x": "J_x", "j-y": "J_y", "m-11": "M(1,1)",
              "m-22": "M(2,2)", "m-55": "M(5,5)"}  # fmt: skip
    with styled():
        sheet = new_figure(UNWRITTEN, (9.0, 3.9), None)
        axes: Any = sheet.subplots(1, len(HULLS), sharey=True)
        for ax, hull in zip(axes, HULLS, strict=True):
            rows = {key: (theirs, ours) for key, _, _, theirs, ours, _ in table(hull) if key in labels}
            ours = [rows[key][1] / rows[key][0] for key in labels]
            better = _derived_ratios(hull)
            x = np.arange(len(labels))
            ax.axhspan(1.0 / FACTOR, FACTOR, color=PALETTE[2], alpha=0.10, linewidth=0)
            ax.axhline(1.0, color=COMMAND, linewidth=1.0)
            ax.bar(x - 0.2, np.array(ours) - 1.0, 0.38, bottom=1.0, color=PALETTE[0], label="the notes' formulas")
            ax.bar(
                x + 0.2, np.array(better) - 1.0, 0.38, bottom=1.0, color=PALETTE[5], label="Pelagos: strips of the hull"
            )
            ax.set_yscale("log")
            ax.set_yticks([0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0], ["0.3", "0.5", "0.7", "1", "1.5", "2", "3"])
            ax.minorticks_off()
            ax.set_ylim(0.3, 4.0)
            ax.set_xticks(x, list(labels.values()), rotation=40)
            ax.set_title(hull.name)
            ax.grid(axis="x", visible=False)
        axes[0].set_ylabel("estimate / published [1]")
        sheet.legend(*axes[0].get_legend_handles_labels(), loc="outside upper right", ncols=2)
    return drawn(
        sheet, "nav-estimates",
        "What an estimate is worth: formulas from length, radius and mass over the published numbers of two vehicles. "
        "The band is a factor of two. Single terms are off by up to three, the sums that enter the equations of motion "
        "by less.",
    )  # fmt: skip


def _derived_ratios(hull: Hull) -> list[float]:
    """The same ratios for the vehicle that `torpedo` makes: hull with nose and tail, strips."""
    mine, theirs = hull.derived(), hull.vehicle
    added = np.diag(mine.added_mass) / np.diag(theirs.added_mass)
    turned = np.diag(inertia_of_cylinder(hull.mass_kg, hull.radius_m, hull.length_m)) / np.diag(theirs.body.inertia_o)
    whole = np.diag(mass_matrix(mine)) / np.diag(mass_matrix(theirs))
    picked = (added[0], added[1], added[4], turned[0], turned[1], whole[0], whole[1], whole[4])
    return [float(ratio) for ratio in picked]
