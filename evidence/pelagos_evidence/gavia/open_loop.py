"""Figure 3 of the Gavia notes, run: 50 000 steps of 0.1 s at 200 rpm; their numbers beside a set that is a body."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pelagos.analysis.page import COMMAND, PALETTE, UNWRITTEN, new_figure, styled
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.modes import modes
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle
from pelagos_evidence.claim import Claim, Proof, contested, number, quantity, statement
from pelagos_evidence.document import Drawing, Findings, Tell, drawn
from pelagos_evidence.gavia import printed
from pelagos_evidence.gavia.printed import RPM, Array, Roots

STEPS, DT, SURGE = 50_000, 0.1, 0.5  # of the example
SHAFT_RPM = SURGE / 0.0025  # as it says
TOUCH = 1e-9  # rad of roll: a disturbance nobody could see
SHORT = 60.0  # s that the figure shows of the disturbed runs
UPSET = 1.0  # rad
LEVEL_STEPS = 6_000  # 600 s, 80 time constants of surge
THEIRS, AS_PRINTED, OURS = "their M, G(4,4) = z_G W", "their M, G(4,4) = z_G as printed", "our set"


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


def run(tell: Tell) -> Findings:
    """The example, with and without a touch of roll."""
    runs = compute(tell)
    return Findings(tuple(claims(runs)), (growth_figure(runs), speed_figure(runs)))


def compute(tell: Tell) -> Runs:
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
    tell(0.3)
    gavia = load_vehicle("gavia")
    ours, plant = engine_run(gavia, 0.0, STEPS, 5)
    neutral = replace(gavia.body, volume_m3=gavia.body.mass_kg / gavia.water.density_kg_m3)
    level, _ = engine_run(replace(gavia, body=neutral), 0.0, LEVEL_STEPS, 100)
    author, astray = engine_run(load_vehicle("gavia_author"), 0.0, LEVEL_STEPS, 100)
    frozen = max(mode.eigenvalue.real for mode in modes(astray) if sideways(mode.motion))
    roots[OURS] = np.array([mode.eigenvalue for mode in modes(plant) if sideways(mode.motion)])
    rolled, _ = engine_run(gavia, TOUCH, round(SHORT / DT), 1)
    touched[OURS] = timed(rolled[:, 9])
    tell(0.8)
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


def claims(runs: Runs) -> list[Claim]:
    """What the example says and what becomes of it."""
    thrust = printed.K_PROP * SHAFT_RPM**2
    balance = (-1.0 + math.sqrt(1.0 + 4.0 * thrust / 2.4)) / 2.0
    final = runs.ours[-1]
    end = float(runs.theirs[-1, 0])
    upset, late = (time_to(runs.touched[name], UPSET) for name in (THEIRS, AS_PRINTED))
    eigen, slow = runs.growth[THEIRS], runs.growth[AS_PRINTED]
    tests = ("tests/evidence/gavia/test_open_loop.py",)
    numbers = "Coefficients of the program, since the notes print none; our inertia and added mass (G2)."
    return [
        statement(
            "steps", "figure 3, loop", "50 000 steps of 0.1 s are run to the end", "5000 s",
            f"{runs.seconds:.0f} s, every state finite",
            abs(runs.seconds - STEPS * DT) < 1e-6 and bool(np.isfinite(runs.ours).all()),
            why="0.1 s fifty thousand times; the input is set after the first step, as printed",
            assumption=numbers, numbers={"published": 5000.0, "ours": runs.seconds}, unit="s",
            proof=Proof(errata=("G2", "G19"), code=("pelagos.vehicle.plant.Plant.advance",), tests=tests,
                        figures=("gavia-open-loop",)),
        ),
        number(
            "input", "figure 3, model->input(surge/0.0025, ...)", "thrust of the engine at 0.5/0.0025 = 200 rpm, "
            "against K_prop times its square", thrust, runs.thrust_n, "N", relative=1e-12, why="rounding",
            assumption="The input is a shaft rate in rpm; the notes do not say, but K_prop is per rpm².",
            proof=Proof(errata=("G14",), code=("pelagos.engine.forces.thrusters",), tests=tests),
        ),
        number(
            "speed-for-rpm", "figure 3, surge/0.0025", "200 rpm keep the speed of 0.5 m/s that the run starts with: "
            f"speed of `gavia_author`, flown (their linear system by itself: {quantity(end)} m/s)", 0.5, runs.author,
            "m/s", absolute=0.05, why="0.5 is printed with one digit. With the damping at the speed that there is, 3.8 "
            f"N meet 2.4 u + 2.4 u² at {quantity(balance)} m/s, and our Gavia goes {quantity(float(final[0]))} m/s",
            assumption="The numbers of the program, with surge damping frozen at 2 m/s: 7.2 N/(m/s).",
            proof=Proof(errata=("G5", "G14"), code=("pelagos/vehicle/library/gavia_author.toml",), tests=tests,
                        figures=("gavia-open-loop",)),
        ),
        number(
            "settled-speed", "figure 3 with D(nu)", "surge speed of our Gavia at 200 rpm, its net buoyancy of 1 N set "
            f"to 0, after {LEVEL_STEPS * DT:g} s, against the balance of 3.8 N and 2.4 u + 2.4 u² (what the equations "
            f"give). With the 1 N it trims 0.13° nose up and goes {quantity(float(final[0]))} m/s", balance, runs.level,
            "m/s", relative=1e-9, why="a fixed point, which the method of integration keeps: rounding",
            assumption=numbers, proof=Proof(errata=("G7", "G14"), tests=tests, figures=("gavia-open-loop",)),
        ),
        contested(
            "stable", "figure 3 with the numbers of the program", "the model describes the vehicle's response when "
            "sailing a mission: largest growth rate of its sideways motion (v, p, r, phi)", "a response (no growth)",
            f"Their M is not positive definite, so that motion grows e-fold every {1.0 / eigen:.2g} s with z_G W at "
            f"(4,4) of G, and every {1.0 / slow:.2g} s with z_G, as printed. In the run of figure 3 a roll of 1e-9 rad "
            f"is one radian after {upset:.1f} s, or {late:.1f} s. The printed example has no sideways motion at all "
            "and so does not show it; the program's log says that the system seems unstable. `gavia_author`, whose z_G "
            f"is mended to 0.01 m, decays, by {quantity(-runs.frozen)} 1/s at the slowest.",
            ours=f"{quantity(eigen)} 1/s, or {quantity(slow)} 1/s with G as printed",
            numbers={"theirs": eigen, "as_printed": slow}, unit="1/s",
            proof=Proof(errata=("G2", "G3"), tests=tests, figures=("gavia-growth",)),
            off=max(eigen, 0.0), limit=0.0, right=runs.frozen < 0.0,
        ),
        statement(
            "our-set-stable", "figure 3 with the mass matrix of a body", "the same for our Gavia, about the steady "
            "state at the end of the run", "a response (no growth)", f"{quantity(runs.growth[OURS])} 1/s",
            runs.growth[OURS] < 0.0, tolerance="below 0", why="a motion that grows is no vehicle that can sail",
            assumption="Inertia and added mass of a prolate spheroid of the stated mass; the Coriolis part of the "
            "added mass is left out (see the vehicle's flags).",
            numbers={"ours": runs.growth[OURS]}, unit="1/s",
            proof=Proof(errata=("G2",), code=("pelagos.vehicle.modes.modes",), tests=tests, figures=("gavia-growth",)),
        ),
    ]  # fmt: skip


def time_to(curve: Array, angle: float) -> float:
    """When |angle| is first reached, s; infinite if never."""
    past = np.flatnonzero(np.abs(curve[:, 1]) >= angle)
    return float(curve[past[0], 0]) if len(past) else math.inf


def growth_figure(runs: Runs) -> Drawing:
    """Roll from a touch, and the sideways eigenvalues."""
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
