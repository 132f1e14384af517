"""Figure 3 of the Gavia notes: 50 000 steps of 0.1 s at 200 rpm, with the printed and with a consistent set."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pelagos.analysis.page import COMMAND, PALETTE, UNWRITTEN, new_figure, styled
from pelagos.units import RPM
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.modes import modes
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle
from pelagos_evidence.document import Drawing, Findings, Progress, drawn
from pelagos_evidence.gavia import printed
from pelagos_evidence.gavia.printed import Roots
from pelagos_evidence.rows import Array, Rows, Values

STEPS, DT, SURGE = 50_000, 0.1, 0.5  # of the example
SHAFT_RPM = SURGE / 0.0025  # as printed
TOUCH = 1e-9  # rad of roll: too small to see
SHORT = 60.0  # s that the figure shows of the disturbed runs
UPSET = 1.0  # rad
LEVEL_STEPS = 6_000  # 600 s, 80 time constants of surge
THEIRS, AS_PRINTED, OURS = "their M, G(4,4) = z_G W", "their M, G(4,4) = z_G as printed", "our set"


ROWS = Rows(__file__)


@dataclass(frozen=True)
class Runs:
    """States over time of the example: u v w p q r x y z phi theta psi."""

    theirs: Array  # (STEPS + 1, 12), the notes' linear system
    ours: Array  # the same instants, every fifth step
    touched: dict[str, Array]  # roll angle from TOUCH: (time, angle) of each set
    growth: dict[str, float]  # largest real part of the sideways eigenvalues, 1/s
    roots: dict[str, Roots]  # the sideways eigenvalues
    level: float  # surge speed at the end of a run of ours without net buoyancy
    author: float  # the same of the vehicle file with the notes' numbers
    frozen: float  # largest growth of its sideways motion, 1/s
    seconds: float  # simulated by the engine
    thrust_n: float  # of its propeller at the end


def run(progress: Progress) -> Findings:
    """Run the example with and without a small initial roll."""
    runs = compute(progress)
    return Findings(ROWS.claims(values(runs)), (growth_figure(runs), speed_figure(runs)))


def compute(progress: Progress) -> Runs:
    """All runs of this part."""
    weight = printed.CG_BELOW_M * printed.WEIGHT_N
    matrix = printed.mass(printed.DIAGONAL)
    tau = np.array([printed.K_PROP * SHAFT_RPM**2, 0.0, 0.0, 0.0, 0.0, 0.0])
    roots: dict[str, Roots] = {}
    touched: dict[str, Array] = {}
    theirs = np.zeros((0, 12))
    for name, roll in ((THEIRS, weight), (AS_PRINTED, printed.CG_BELOW_M)):
        a, b = printed.frozen_system(matrix, printed.restoring(roll))
        roots[name] = printed.growth(a, printed.SIDEWAYS)
        start = np.zeros(12)
        start[0] = SURGE
        if not len(theirs):  # the first step comes before the first input, as in the example
            first = printed.runge_kutta(a, np.zeros(12), start, DT, 1)
            theirs = np.vstack([first, printed.runge_kutta(a, b @ tau, first[-1], DT, STEPS - 1)[1:]])
        start[9] = TOUCH
        angle = printed.runge_kutta(a, b @ tau, start, DT, round(SHORT / DT))[:, 9]
        touched[name] = timed(angle)
    progress(0.3)
    gavia = load_vehicle("gavia")
    ours, plant = engine_run(gavia, 0.0, STEPS, 5)
    neutral = replace(gavia.body, volume_m3=gavia.body.mass_kg / gavia.water.density_kg_m3)
    level, _ = engine_run(replace(gavia, body=neutral), 0.0, LEVEL_STEPS, 100)
    author, astray = engine_run(load_vehicle("gavia_author"), 0.0, LEVEL_STEPS, 100)
    frozen = max(mode.eigenvalue.real for mode in modes(astray) if sideways(mode.motion))
    roots[OURS] = np.array([mode.eigenvalue for mode in modes(plant) if sideways(mode.motion)])
    rolled, _ = engine_run(gavia, TOUCH, round(SHORT / DT), 1)
    touched[OURS] = timed(rolled[:, 9])
    progress(0.8)
    growth = {name: float(values.real.max()) for name, values in roots.items()}
    return Runs(theirs, ours, touched, growth, roots, float(level[-1, 0]), float(author[-1, 0]), frozen, plant.time_s,
                float(plant.forces()["thrusters"][0]))  # fmt: skip


def timed(angle: Array) -> Array:
    """(time, angle) of a run with a sample a step."""
    return np.column_stack([np.arange(len(angle)) * DT, angle]).astype(np.float64)


def sideways(motion: str) -> bool:
    """Whether a mode moves sway, roll or yaw."""
    return any(word in motion for word in ("sway", "roll", "yaw"))


def engine_run(vehicle: Vehicle, roll: float, steps: int, every: int) -> tuple[Array, Plant]:
    """The example with the engine: state every so many steps."""
    plant = Plant(vehicle)
    plant.place(nu=[SURGE, 0.0, 0.0, 0.0, 0.0, 0.0], euler=(roll, 0.0, 0.0))
    rows = [np.concatenate([plant.nu, plant.position_n, plant.euler])]
    plant.advance(DT, 1)
    plant.set_actuators(thrusters=[SHAFT_RPM * RPM], at_once=True)
    done = 1
    while done < steps:
        if done % every == 0:
            rows.append(np.concatenate([plant.nu, plant.position_n, plant.euler]))
        done += plant.advance(DT, min(every - done % every, steps - done))
    rows.append(np.concatenate([plant.nu, plant.position_n, plant.euler]))
    return np.array(rows), plant


def values(runs: Runs) -> Values:
    """The example's output compared with ours."""
    thrust = printed.K_PROP * SHAFT_RPM**2
    balance = (-1.0 + math.sqrt(1.0 + 4.0 * thrust / 2.4)) / 2.0
    final = runs.ours[-1]
    end = float(runs.theirs[-1, 0])
    upset, late = (time_to(runs.touched[name], UPSET) for name in (THEIRS, AS_PRINTED))
    eigen, slow = runs.growth[THEIRS], runs.growth[AS_PRINTED]
    return {
        "steps": {"holds": abs(runs.seconds - STEPS * DT) < 1e-6 and bool(np.isfinite(runs.ours).all()), "runs": runs},
        "input": {"published": thrust, "ours": runs.thrust_n},
        "speed-for-rpm": {"ours": runs.author, "end": end, "balance": balance, "final": final},
        "settled-speed": {"published": balance, "ours": runs.level, "seconds": LEVEL_STEPS * DT, "final": final},
        "stable": {
            "off": max(eigen, 0.0),
            "right": runs.frozen < 0.0,
            "time": 1.0 / eigen,
            "time_printed": 1.0 / slow,
            "upset": upset,
            "late": late,
            "decay": -runs.frozen,
            "eigen": eigen,
            "slow": slow,
        },
        "our-set-stable": runs.growth[OURS],
    }


def time_to(curve: Array, angle: float) -> float:
    """Time at which |angle| is first reached, s; infinite if never."""
    past = np.flatnonzero(np.abs(curve[:, 1]) >= angle)
    return float(curve[past[0], 0]) if len(past) else math.inf


def growth_figure(runs: Runs) -> Drawing:
    """Roll after a small disturbance, and the sideways eigenvalues."""
    colours = dict(zip(runs.roots, (PALETTE[1], PALETTE[5], PALETTE[0]), strict=True))
    with styled():
        figure = new_figure(UNWRITTEN, (9.0, 3.9), None)
        left, right = figure.subplots(1, 2, width_ratios=(1.35, 1.0))
        axes: tuple[Any, Any] = (left, right)
        for name, curve in runs.touched.items():
            size = np.degrees(np.abs(curve[:, 1]))
            shown = (size > 1e-15) & (size < 1e3) & (curve[:, 0] <= 20.0)
            axes[0].semilogy(curve[shown, 0], size[shown], color=colours[name], label=name)
        axes[0].axhline(57.3, color=COMMAND, linewidth=0.8, linestyle=(0, (4, 2)))
        axes[0].annotate("1 rad", (19.8, 57.3), ha="right", va="bottom", fontsize=7.5, color=COMMAND)
        axes[0].set(xlabel="time [s]", ylabel="size of the roll angle [deg]", ylim=(1e-15, 1e4), xlim=(0.0, 20.0))
        axes[0].set_title("from a roll of 1e-9 rad")
        axes[0].legend(loc="upper center", ncols=1, bbox_to_anchor=(0.62, 0.60))
        for (name, values), marker in zip(runs.roots.items(), "osD", strict=True):
            both = np.concatenate([values, values.conj()])
            axes[1].plot(both.real, both.imag, marker, color=colours[name], markersize=5.5, label=name, alpha=0.85)
        axes[1].axvline(0.0, color=COMMAND, linewidth=1.0)
        axes[1].axvspan(0.0, 12.0, color=PALETTE[1], alpha=0.07, linewidth=0)
        axes[1].annotate("grows", (11.6, -11.3), ha="right", fontsize=8, color=PALETTE[1])
        axes[1].set(xlabel="real part [1/s]", ylabel="imaginary part [rad/s]", xlim=(-12.0, 12.0), ylim=(-12.5, 12.5))
        axes[1].set_title("eigenvalues of sway, roll and yaw")
    return drawn(
        figure, "gavia-growth",
        "The document's own set beside a stable one. Left: the size of the roll angle after a touch of 1e-9 rad, in "
        "the run of figure 3. Right, in the same colours: eigenvalues of the sideways motion. Their mass matrix (the "
        "LAUV's diagonal with the Gavia's m z_G) is not positive definite, and one root lies to the right of 0 "
        "whichever way G(4,4) is read; ours all lie to the left.",
    )  # fmt: skip


def speed_figure(runs: Runs) -> Drawing:
    """Surge, pitch and depth of the example."""
    time = np.arange(STEPS + 1) * DT
    seconds = np.linspace(0.0, STEPS * DT, len(runs.ours))
    with styled():
        figure = new_figure(UNWRITTEN, (9.0, 3.3), None)
        axes: Any = figure.subplots(1, 3)
        panels = ((0, 1.0, "surge speed [m/s]"), (10, 180.0 / math.pi, "pitch [deg]"), (8, -1.0, "height gained [m]"))
        for ax, (column, scale, label) in zip(axes, panels, strict=True):
            ax.plot(seconds, scale * runs.ours[:, column], color=PALETTE[0], label="our set, equations of motion")
            ax.plot(time, scale * runs.theirs[:, column], color=PALETTE[1], label="the notes' linear system")
            ax.set(xlabel="time [s]", ylabel=label, xlim=(0.0, 120.0))
        axes[0].axhline(SURGE, color=COMMAND, linewidth=0.8, linestyle=(0, (4, 2)))
        axes[0].annotate("0.5 m/s asked for", (118.0, SURGE - 0.005), ha="right", va="top", fontsize=7.5, color=COMMAND)
        axes[0].set_ylim(0.4, 0.95)
        shown = seconds <= 120.0
        axes[2].set_ylim(-0.2, 1.25 * float(-runs.ours[shown, 8].min()))
        figure.legend(*axes[0].get_legend_handles_labels(), loc="outside upper left", ncols=2)
    return drawn(
        figure, "gavia-open-loop",
        "The run of figure 3: 200 rpm from 0.5 m/s, fins at zero, its first 120 of 5000 s. The notes' constant "
        "matrices settle at 0.53 m/s and lose the net buoyancy of 1 N; the equations of motion settle at 0.85 m/s and "
        "rise slowly.",
    )  # fmt: skip
