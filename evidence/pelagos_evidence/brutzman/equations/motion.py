"""Equations 6.48-6.53: the six equations of motion against the engine, and the effect of each misprint."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pelagos.analysis.page import INK, PALETTE, UNWRITTEN, new_figure, styled
from pelagos.units import RPM
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import AXES
from pelagos_evidence.brutzman import printed as printed_mass
from pelagos_evidence.brutzman import printed_tables
from pelagos_evidence.brutzman.equations.general import TERMS, coefficients, vehicle
from pelagos_evidence.brutzman.equations.rows import (
    STATES,
    angles,
    equation,
    forces_lb,
    largest,
    phoenix,
    put,
    velocities,
)
from pelagos_evidence.brutzman.printed import MENDED, State, right_hand_sides
from pelagos_evidence.document import Drawing, Findings, Progress, drawn
from pelagos_evidence.rows import Array, Rows, Values

FIGURE = "brutzman-misprints"
EQUATIONS = ("surge", "sway", "heave", "roll", "pitch", "yaw")
ROWS = Rows(__file__, kinds=(equation,))


@dataclass(frozen=True)
class Sample:
    """Random states and their right-hand sides, by print and by engine, lb and ft lb."""

    states: tuple[State, ...]
    printed: Array
    ours: Array


def sample(plant: Plant, c: dict[str, float], mended: frozenset[str], seed: int) -> Sample:
    """Right-hand sides at `STATES` random states, with all fins, screws and thrusters in use."""
    rng = np.random.default_rng(seed)
    states, printed, ours = [], [], []
    for a, nu in zip(angles(STATES, seed + 1), velocities(STATES, seed + 2), strict=True):
        fins, rpm, volts = rng.uniform(-0.4, 0.4, 4), rng.uniform(-700.0, 700.0, 2), rng.uniform(-24.0, 24.0, 4)
        state = State(nu, a, fins, rpm, volts)
        states.append(state)
        printed.append(right_hand_sides(state, c, mended))
        ours.append(forces_lb(put(plant, a, nu, fins, np.concatenate([rpm * RPM, volts]))))
    return Sample(tuple(states), np.array(printed), np.array(ours))


def run(progress: Progress) -> Findings:
    """For each equation a row with Phoenix's numbers and one with all coefficients; the misprints and a figure."""
    table = printed_tables.corrected()
    phoenix_states = sample(Plant(phoenix()), table, MENDED, 480)
    progress(0.3)
    drawn_table = coefficients()
    every = sample(Plant(vehicle(drawn_table)), drawn_table, MENDED - {"B58"}, 490)
    progress(0.6)
    values: Values = {}
    for i, name in enumerate(EQUATIONS):
        values[f"eq-{name}"] = {
            "difference": largest(phoenix_states.ours[:, i], phoenix_states.printed[:, i]),
            "size": float(np.abs(phoenix_states.ours[:, i]).max()),
        }
        values[f"eq-{name}-every-term"] = {
            "difference": largest(every.ours[:, i], every.printed[:, i]),
            "terms": sum(term[0] == AXES[i] for term in TERMS),
        }
    literal = sample(Plant(phoenix()), table, frozenset({"B57"}), 480).printed
    off = np.sqrt(np.mean((literal - phoenix_states.ours) ** 2, axis=0) / np.mean(phoenix_states.ours**2, axis=0))
    shares = {name: float(off[i]) for i, name in enumerate(EQUATIONS)}
    values["eq-verbatim"] = {
        "off": float(np.max(off)),
        "worst": [f"{name} {100.0 * share:.0f} %" for name, share in shares.items()],
        "numbers": shares,
    }
    changes = misprints(phoenix_states)
    values |= _inertial(phoenix_states)
    progress(0.9)
    return Findings(ROWS.claims(values), (_figure(changes),))


def misprints(phoenix_states: Sample) -> dict[str, float]:
    """Relative change of the accelerations by each misprint alone: rms over the states in the energy norm."""
    table = printed_tables.corrected()
    M = printed_mass.left_hand_sides(table)
    moves = np.linalg.solve(M, phoenix_states.printed.T).T
    length = table["L"]
    arms = {name: table[name] * length for name in ("M_u|u|dpb", "M_u|u|dps", "N_u|u|drb", "N_u|u|drs")}
    cases: dict[str, tuple[dict[str, float], frozenset[str]]] = {
        "B16  Y_rdot -1.78E-1, not -1.78E-3": (table | {"Y_rdot": -1.78e-1}, MENDED),
        "B17  C_dy missing, taken as 0": (table | {"C_dy": 0.0}, MENDED),
        "B19  Z_uw printed Z_uv, left out": (table | {"Z_uw": 0.0}, MENDED),
        "B20  Z_wdot -9.43E-2, not -9.34E-2": (table | {"Z_wdot": -9.43e-2}, MENDED),
        "B22  h(x) and b(x) exchanged": (table, MENDED - {"B22"}),
        "B24  fin moments with a factor L": (table | arms, MENDED),
        "B44  sign of the vertical thrusters": (table, MENDED - {"B44"}),
        "B47  sign of m z_G in roll": (table, MENDED - {"B47"}),
        "B49  M_q for M_qdot in pitch": (table, MENDED - {"B49"}),
        "B54  C_dx for C_dz in yaw": (table, MENDED - {"B54"}),
        "B58  u for |u| in lift and damping": (table, MENDED - {"B58"}),
    }
    changes: dict[str, float] = {}
    for name, (c, mended) in cases.items():
        forces = np.array([right_hand_sides(state, c, mended) for state in phoenix_states.states])
        moved = np.linalg.solve(printed_mass.left_hand_sides(c, mended), forces.T).T
        changes[name] = float(
            np.sqrt(
                np.mean(_energy(np.asarray(moved - moves, dtype=float), M))
                / np.mean(_energy(np.asarray(moves, dtype=float), M))
            )
        )
    return changes


def _energy(accelerations: Array, M: Array) -> Array:
    return np.einsum("ni,ij,nj->n", accelerations, M, accelerations)


def _inertial(phoenix_states: Sample) -> Values:
    """Power of the rigid-body terms, which do no work: by (6.48)-(6.53) and by the engine."""
    bare = {name: value for name, value in coefficients().items() if name not in TERMS}
    bare |= {"W": 435.0, "B": 0.0, "C_dy": 0.0, "C_dz": 0.0, "C_d0": 0.0, "speed_per_rpm": 0.0}
    plant = Plant(vehicle(coefficients()))
    power, size = [], []
    for state in phoenix_states.states:
        weightless = right_hand_sides(State(state.nu, state.angles), bare) - right_hand_sides(
            State(np.zeros(6), state.angles), bare
        )
        ours = forces_lb(put(plant, state.angles, state.nu), ["rigid_body"])
        power += [float(state.nu @ weightless), float(state.nu @ ours)]
        size.append(float(np.abs(state.nu * weightless).max()))
    share = max(abs(p) for p in power) / max(size)
    return {"eq-inertial-power": share}


def _figure(changes: dict[str, float]) -> Drawing:
    names = sorted(changes, key=changes.__getitem__)
    with styled():
        figure = new_figure(UNWRITTEN, (8.6, 4.2), "What each misprint does, left alone")
        ax = figure.subplots()
        bars = ax.barh(names, [100.0 * changes[name] for name in names], color=PALETTE[0], height=0.62)
        ax.bar_label(bars, [f"{100.0 * changes[name]:.3g} %" for name in names], padding=4, color=INK, fontsize=8)
        ax.set_xscale("log")
        ax.set_xlim(0.1, max(changes.values()) * 500.0)
        ax.set_xlabel("change of the accelerations, % rms over random states (energy norm)")
        ax.grid(axis="y", visible=False)
        return drawn(
            figure,
            FIGURE,
            f"Change of Phoenix's accelerations when one misprint of Table 6.2 or of equations 6.48-6.53 is left as "
            f"printed and everything else is right: root mean square over {STATES} random states with fins, screws and "
            f"thrusters at work, in the norm of the kinetic energy.",
        )
