"""Compare integrators: Euler, the printed mixture, figure 6.5, the author's program, Heun on the whole state.

Euler is (6.36), the printed mixture (6.37) with (6.38).
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import log2
from typing import TYPE_CHECKING

import numpy as np

from pelagos.analysis.page import PALETTE, UNWRITTEN, new_figure, styled
from pelagos.units import FOOT
from pelagos_evidence.brutzman.motions.attitudes import attitude_claims, attitude_figure, fly_both, turning_dive
from pelagos_evidence.document import Drawing, Findings, Progress, drawn
from pelagos_evidence.rows import Array, Rows, Values

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SECONDS, EXACT_S = 20.0, 0.0025  # of the run; RK4 at this step stands for the exact solution
STEPS_S = (0.2, 0.1, 0.05, 0.025)
METHODS = {
    "euler": "Euler (6.36)",
    "brutzman_printed": "(6.37) with (6.38)",
    "brutzman_author": "author's program",
    "brutzman_summary": "(6.37), figure 6.5",
    "heun": "Heun, whole state",
    "rk4": "RK4",
}
ORDER_ROOM = 0.25  # an order measured at 0.1 and 0.05 s still holds the next power of the step
STEPPING = "brutzman-integrators"


ROWS = Rows(__file__)


@dataclass(frozen=True, eq=False)
class StepErrors:
    """Errors of one method for each step of STEPS_S: position in ft, velocity in ft/s and rad/s together."""

    position: Array
    velocity: Array

    @property
    def order(self) -> float:
        """Order of convergence of the position, from steps of 0.1 and 0.05 s."""
        return log2(self.position[1] / self.position[2])


def run(progress: Progress) -> Findings:
    """All methods on the same 20 s; then both attitudes on the same minute."""
    exact = _flown("rk4", EXACT_S)
    errors: dict[str, StepErrors] = {}
    for done, method in enumerate(METHODS):
        ends = [_flown(method, step) - exact for step in STEPS_S]
        errors[method] = StepErrors(
            np.array([float(np.linalg.norm(end[:3])) / FOOT for end in ends]),
            np.array([float(np.linalg.norm(end[3:9] / ([FOOT] * 3 + [1.0] * 3))) for end in ends]),
        )
        progress(0.7 * (done + 1) / len(METHODS))
    adaptive = float(np.linalg.norm(_flown("adaptive", 0.1)[:3] - exact[:3])) / FOOT
    pair = fly_both()
    values = {**_stepping(errors), **_smaller(errors, adaptive)}
    return Findings((*ROWS.claims(values), *attitude_claims(pair)), (_step_figure(errors), attitude_figure(pair)))


def _flown(method: str, step_s: float) -> Array:
    """Position, velocity and Euler angles after the turning dive, SI."""
    plant = turning_dive()
    plant.advance(step_s, round(SECONDS / step_s), method)
    return np.concatenate([plant.position_n, plant.nu, plant.euler])


def _stepping(errors: dict[str, StepErrors]) -> Values:
    at_tenth = {method: float(error.position[1]) for method, error in errors.items()}
    printed, euler, whole = errors["brutzman_printed"], errors["euler"], errors["heun"]
    claims = {
        "order-euler": {"ours": euler.order, "absolute": ORDER_ROOM},
        "order-heun": {"ours": whole.order, "absolute": ORDER_ROOM},
        "order-printed": {
            "off": abs(2.0 - printed.order),
            "right": abs(errors["heun"].order - 2.0) < 0.2,
            "printed": printed,
        },
        "heun-velocity": {
            "holds": printed.velocity[1] < euler.velocity[1] and whole.velocity[1] < euler.velocity[1],
            "printed": printed,
            "euler": euler,
            "whole": whole,
        },
    }
    for method in ("euler", "brutzman_printed", "brutzman_summary", "heun"):
        claims[f"error-{method.replace('_', '-')}"] = {"ours": at_tenth[method], "method": METHODS[method]}
    author = errors["brutzman_author"]
    claims |= {
        "order-author": {"off": abs(2.0 - author.order), "at_tenth": at_tenth, "author": author},
        "new-velocity": {
            "off": abs(at_tenth["brutzman_summary"] - at_tenth["brutzman_printed"]),
            "at_tenth": at_tenth,
            "errors": errors,
            "printed": printed,
        },
        "step-works-well": {
            "holds": at_tenth["brutzman_printed"] < 0.4 and at_tenth["heun"] < 0.004,
            "at_tenth": 100 * at_tenth["brutzman_printed"] / 40,
            "at_tenth_heun": 100 * at_tenth["heun"] / 40,
        },
    }
    return claims


def _smaller(errors: dict[str, StepErrors], adaptive: float) -> Values:
    falls = all((np.diff(error.position) < 0.0).all() for error in errors.values())
    factors = ", ".join(
        f"{METHODS[m]} {errors[m].position[0] / errors[m].position[-1]:.3g}" for m in ("euler", "heun", "rk4")
    )
    plant = turning_dive()
    plant.advance(0.1, 100)
    begun = time.thread_time()  # of the processor: what other programs do does not count
    plant.advance(0.1, 20000)
    cost = 1e3 * (time.thread_time() - begun) / 20000
    return {
        "smaller-steps": {"holds": falls and adaptive < 1e-4, "factors": factors, "adaptive": adaptive},
        "higher-order-cost": cost,
    }


def _step_figure(errors: dict[str, StepErrors]) -> Drawing:
    with styled():
        figure: Figure = new_figure(UNWRITTEN, (8.6, 4.0), None)
        panels = figure.subplots(1, 2)
        for ax, which, label in zip(
            panels, ("position", "velocity"), ("position [ft]", "velocity [ft/s, rad/s]"), strict=True
        ):
            for (method, error), colour in zip(errors.items(), PALETTE, strict=False):
                text = f"{METHODS[method]}, order {error.order:.1f}"
                ax.loglog(STEPS_S, getattr(error, which), "o-", color=colour, markersize=4, label=text)
            ax.set(title=f"error of {which}", xlabel="step [s]", ylabel=f"error of {label}")
            ax.set_xticks(STEPS_S, [f"{step:g}" for step in STEPS_S])
            ax.minorticks_off()
            ax.axvline(0.1, color=PALETTE[8], linewidth=0.8, linestyle="--")
        handles, labels = panels[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=3)
        return drawn(
            figure,
            STEPPING,
            "Error after a turning dive of 20 s against the step, which falls with the order of the method. The "
            "dashed line is the document's 0.1 s; the printed, summarised and programmed steps are all of first "
            "order. Orders in the legend are those of the position.",
        )
