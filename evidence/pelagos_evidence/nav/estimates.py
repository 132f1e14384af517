"""Added mass and inertia by the formulas of the notes, compared with published numbers of REMUS 100 and LAUV."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pelagos.analysis.page import COMMAND, PALETTE, UNWRITTEN, new_figure, styled
from pelagos.vehicle.derive.added_mass import spheroid_added_mass
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.pack.records import mass_matrix
from pelagos.vehicle.spec import Vehicle
from pelagos_evidence.document import Drawing, Findings, Progress, drawn
from pelagos_evidence.nav import printed
from pelagos_evidence.nav.hulls import HULLS, REMUS, Hull, estimate, inertia_at_cg
from pelagos_evidence.rows import Rows, Values

SLENDER = 100.0  # length over diameter at which the formula across is compared with theory
ROWS = Rows(__file__, kinds=(estimate,), SLENDER=SLENDER)


def run(progress: Progress) -> Findings:
    """The formulas for the two vehicles, and their theoretical limits."""
    values = {key: value for hull in HULLS for key, value in hull_values(hull, hull.by_formula()).items()}
    progress(0.5)
    return Findings(ROWS.claims({**values, **theory_values()}), (figure(),))


def theory_values() -> Values:
    """Roll, the mass of a neutral cylinder, and the limit of a long body."""
    torpedo = load_vehicle("torpedo")
    shown = printed.roll_printed(REMUS.radius_m, REMUS.density)
    turned = float(printed.cylinder_inertia(REMUS.length_m, REMUS.radius_m, REMUS.mass_kg)[0])
    k2 = float(spheroid_added_mass(SLENDER, 1.0, 1.0)[0][1, 1]) / (math.pi / 6.0 * SLENDER)
    left = 2.0 / SLENDER**2 * (math.log(2.0 * SLENDER) - 1.0)
    return {
        "formula-k-pdot": {
            "value": abs(shown) / turned,
            "shown": shown,
            "share_percent": 100.0 * abs(shown) / turned,
            "turned": turned,
        },
        "y-vdot-is-displaced": float(mass_matrix(torpedo)[1, 1] / torpedo.body.mass_kg),
        "slender-limit": {"ours": k2, "absolute": 1.1 * left, "left": left},
    }


def table(hull: Hull, made: Vehicle) -> dict[str, tuple[float, float, float]]:
    """For each formula: by the notes, of the vehicle made of three numbers, of the real one."""
    size = hull.length_m, hull.radius_m, hull.mass_kg
    formula, inertia = printed.cylinder_derivatives(*size, hull.density), printed.cylinder_inertia(*size)
    ours, turned = -np.diag(made.added_mass), np.diag(inertia_at_cg(made))
    theirs, published_inertia = -np.diag(hull.vehicle.added_mass), np.diag(hull.vehicle.body.inertia_o)
    x, _, z = made.body.cg_b
    # about the origin, as M_RB asks (erratum N15)
    total = np.array([hull.mass_kg, hull.mass_kg, 0.0, 0.0, inertia[1] + hull.mass_kg * (x**2 + z**2)]) - formula[:5]
    whole, real = np.diag(mass_matrix(made)), np.diag(mass_matrix(hull.vehicle))
    numbers = {
        "x-udot": (formula[0], ours[0], theirs[0]),
        "y-vdot": (formula[1], ours[1], theirs[1]),
        "k-pdot": (0.0, ours[3], theirs[3]),
        "m-qdot": (formula[4], ours[4], theirs[4]),
        "j-x": (inertia[0], turned[0], published_inertia[0]),
        "j-y": (inertia[1], turned[1], published_inertia[1]),
        "m-11": (total[0], whole[0], real[0]),
        "m-22": (total[1], whole[1], real[1]),
        "m-55": (total[4], whole[4], real[4]),
    }
    # + 0.0: no -0 for K_pdot
    return {key: (float(a), float(b) + 0.0, float(c)) for key, (a, b, c) in numbers.items()}


def hull_values(hull: Hull, made: Vehicle) -> Values:
    """Each formula against the vehicle made of three numbers, and the real vehicle beside."""
    return {
        f"{key}-{hull.key}": {
            "hull": hull, "published": formula, "ours": ours, "vehicle": theirs, "absolute": 5e-6 * abs(formula),
        }
        for key, (formula, ours, theirs) in table(hull, made).items()
    }  # fmt: skip


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
                ratios = {key: ours / theirs for key, (_, ours, theirs) in table(hull, made).items()}
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
