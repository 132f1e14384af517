"""Equations 6.48-6.53: the six equations of motion against the engine, and what each misprint does to them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pelagos.analysis.page import INK, PALETTE, UNWRITTEN, new_figure, styled
from pelagos.units import RPM
from pelagos.vehicle.plant import Plant
from pelagos_evidence.brutzman import printed as printed_mass
from pelagos_evidence.brutzman import printed_tables
from pelagos_evidence.brutzman.equations.general import TERMS, coefficients, vehicle
from pelagos_evidence.brutzman.equations.rows import (
    STATES,
    Array,
    agreed,
    angles,
    forces_lb,
    largest,
    phoenix,
    put,
    velocities,
)
from pelagos_evidence.brutzman.printed import MENDED, State, right_hand_sides
from pelagos_evidence.claim import Claim, Proof, contested
from pelagos_evidence.document import Drawing, Findings, Tell, drawn

FIGURE = "brutzman-misprints"
TESTS = (
    "tests/reference/test_oracle_phoenix.py",
    "tests/reference/test_terms.py",
    "tests/engine/forces/test_coefficients.py",
    "tests/engine/forces/test_crossflow.py",
    "tests/engine/forces/test_restoring.py",
)
CODE = (
    "pelagos.engine.core.motion.forces",
    "pelagos.engine.forces.coefficients.coefficients",
    "pelagos.engine.forces.crossflow.crossflow",
    "pelagos.engine.forces.rigid_body.rigid_body",
    "pelagos.engine.forces.restoring.restoring",
    "pelagos.engine.forces.thrusters.thrusters",
)
SILENT = "C_dy, h(x) and b(x) are not printed: 0.5 and the 15 stations of the author's program, trapezoid rule"
HEADS = {
    "surge": "(m - rho/2 L^3 X_udot) u-dot + ... = m [v r - w q + x_G (q^2 + r^2) - y_G p q - z_G p r] + ...",
    "sway": "(m - rho/2 L^3 Y_vdot) v-dot + ... = m [-u r + w p - x_G p q + y_G (p^2 + r^2) - z_G q r] + ...",
    "heave": "(m - rho/2 L^3 Z_wdot) w-dot + ... = m [u q - v p - x_G p r - y_G q r + z_G (p^2 + q^2)] + ...",
    "roll": "(I_x - rho/2 L^5 K_pdot) p-dot + ... = -(I_z - I_y) q r - I_xy p r + I_yz (q^2 - r^2) + I_xz p q + ...",
    "pitch": "(I_y - rho/2 L^5 M_qdot) q-dot + ... = -(I_x - I_z) p r + I_xy q r - I_yz p q - I_xz (p^2 - r^2) + ...",
    "yaw": "(I_z - rho/2 L^5 N_rdot) r-dot + ... = -(I_y - I_x) p q + I_xy (p^2 - q^2) + I_yz p r - I_xz q r + ...",
}
STRIPS = "h is the height and b the breadth (exchanged in table 6.2)"
# what has to be read otherwise than printed for Phoenix, and what more for a vehicle with every coefficient, u signed
READ = {
    "surge": ("", ""),
    "sway": (f"{STRIPS}; |u| for u in Y_uv u v", STRIPS),
    "heave": (
        f"+ for the vertical thrusters; Z_uw for Z_uv and C_dz for C_dy in table 6.2; {STRIPS}; |u| for u in Z_uw u "
        "w and Z_uq u q",
        f"+ for the vertical thrusters; {STRIPS}; Z_vv for Z_vw",
    ),
    "roll": ("", "+ for the moment of the planes, whose coefficients have no value"),
    "pitch": (
        f"moments of the fins without the factor L; {STRIPS}; |u| for u in M_uq u q",
        f"{STRIPS}; M_rr r^2 for M_r|r| r|r|; M_uw for M_uv",
    ),
    "yaw": (
        f"moments of the fins without the factor L; C_dz for C_dx; propellers without the drag of the hull; {STRIPS}; "
        "|u| for u in N_ur u r",
        f"C_dz for C_dx; propellers without the drag of the hull; {STRIPS}; u for U in N_uv U v",
    ),
}
# (name, number, errata mended in this equation)
EQUATIONS = (
    ("surge", "6.48", ("B35", "B42", "B58")),
    ("sway", "6.49", ("B58",)),
    ("heave", "6.50", ("B43", "B44", "B46", "B58")),
    ("roll", "6.51", ("B47", "B48", "B58")),
    ("pitch", "6.52", ("B45", "B49", "B50", "B51", "B52", "B58")),
    ("yaw", "6.53", ("B40", "B41", "B53", "B54", "B55", "B58", "B60")),
)


@dataclass(frozen=True)
class Sample:
    """Random states, and the right-hand sides there by print and by engine, lb and ft lb."""

    states: tuple[State, ...]
    printed: Array
    ours: Array


def sample(plant: Plant, c: dict[str, float], mended: frozenset[str], seed: int) -> Sample:
    """Right-hand sides at `STATES` random states, every fin, screw and thruster at work."""
    rng = np.random.default_rng(seed)
    states, printed, ours = [], [], []
    for a, nu in zip(angles(STATES, seed + 1), velocities(STATES, seed + 2), strict=True):
        fins, rpm, volts = rng.uniform(-0.4, 0.4, 4), rng.uniform(-700.0, 700.0, 2), rng.uniform(-24.0, 24.0, 4)
        state = State(nu, a, fins, rpm, volts)
        states.append(state)
        printed.append(right_hand_sides(state, c, mended))
        ours.append(forces_lb(put(plant, a, nu, fins, np.concatenate([rpm * RPM, volts]))))
    return Sample(tuple(states), np.array(printed), np.array(ours))


def run(tell: Tell) -> Findings:
    """A row for each equation with Phoenix's numbers, one with every coefficient at work, the misprints, a figure."""
    table = printed_tables.corrected()
    own = sample(Plant(phoenix()), table, MENDED, 480)
    tell(0.3)
    drawn_table = coefficients()
    every = sample(Plant(vehicle(drawn_table)), drawn_table, MENDED - {"B58"}, 490)
    tell(0.6)
    claims: list[Claim] = []
    for i, (name, number, errata) in enumerate(EQUATIONS):
        proof = Proof(errata, CODE, TESTS, (FIGURE,))
        terms = sum(term[0] == "XYZKMN"[i] for term in TERMS)
        unit = "lb" if i < 3 else "ft lb"
        claims.append(
            agreed(
                f"eq-{name}", f"equation {number}", f"{name} equation of motion with the coefficients of Table 6.2: "
                f"right-hand side typed in against the forces of the engine, to "
                f"{_size(own, i):.0f} {unit}",
                HEADS[name], largest(own.ours[:, i], own.printed[:, i]), assumption=_read(name, 0), proof=proof,
            )
        )  # fmt: skip
        claims.append(
            agreed(
                f"eq-{name}-every-term", f"equation {number}", f"the same with all {terms} coefficients of the {name} "
                f"equation non-zero, the centre of gravity off the axes and weight not equal to buoyancy",
                HEADS[name], largest(every.ours[:, i], every.printed[:, i]), assumption=_read(name, 1), proof=proof,
            )
        )  # fmt: skip
    literal = sample(Plant(phoenix()), table, frozenset({"B57"}), 480).printed
    off = np.sqrt(np.mean((literal - own.ours) ** 2, axis=0) / np.mean(own.ours**2, axis=0))
    worst = ", ".join(f"{name} {100.0 * off[i]:.0f} %" for i, (name, _, _) in enumerate(EQUATIONS))
    claims.append(
        contested(
            "eq-verbatim", "section D.9", "the printed right-hand sides, read literally (Table 6.2 corrected), against "
            "the engine, rms over random states", "the equations are implemented verbatim in the author's source code",
            "Read literally they are no vehicle: vertical thrusters whose force and moment contradict each other, "
            "height and breadth exchanged, C_dx undefined, lift that drives the vehicle when it goes astern. The "
            "author's program of October 1994 differs from the print as well (variant phoenix_author).",
            ours=f"literal and mended forms differ by {worst}",
            numbers={name: float(off[i]) for i, (name, _, _) in enumerate(EQUATIONS)}, unit="1",
            proof=Proof(("B22", "B44", "B46", "B54", "B58"), CODE, TESTS, (FIGURE,)),
            off=float(np.max(off)), limit=1e-9,
        )
    )  # fmt: skip
    changes = misprints(own)
    claims += _inertial(own)
    tell(0.9)
    return Findings(tuple(claims), (_figure(changes),))


def _read(name: str, which: int) -> str:
    """How the equation is read, and what the document does not give; nothing for one that is taken as it stands."""
    read = READ[name][which]
    return "; ".join(
        part for part in (f"read with these changes: {read}" if read else "", SILENT if STRIPS in read else "") if part
    )


def _size(found: Sample, i: int) -> float:
    return float(np.abs(found.ours[:, i]).max())


def misprints(own: Sample) -> dict[str, float]:
    """Share by which each misprint, left alone, changes the accelerations: rms over the states in the energy norm."""
    table = printed_tables.corrected()
    M = printed_mass.left_hand_sides(table)
    moves = np.linalg.solve(M, own.printed.T).T
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
        forces = np.array([right_hand_sides(state, c, mended) for state in own.states])
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


def _inertial(own: Sample) -> list[Claim]:
    """The rigid-body terms do no work: those of (6.48)-(6.53) as typed in, and those of the engine."""
    bare = {name: value for name, value in coefficients().items() if name not in TERMS}
    bare |= {"W": 435.0, "B": 0.0, "C_dy": 0.0, "C_dz": 0.0, "C_d0": 0.0, "speed_per_rpm": 0.0}
    plant = Plant(vehicle(coefficients()))
    power, size = [], []
    for state in own.states:
        weightless = right_hand_sides(State(state.nu, state.angles), bare) - right_hand_sides(
            State(np.zeros(6), state.angles), bare
        )
        ours = forces_lb(put(plant, state.angles, state.nu), ["rigid_body"])
        power += [float(state.nu @ weightless), float(state.nu @ ours)]
        size.append(float(np.abs(state.nu * weightless).max()))
    share = max(abs(p) for p in power) / max(size)
    return [
        agreed(
            "eq-inertial-power", "equations 6.48-6.53", "the rigid-body terms on the right-hand sides do no work, "
            "centre of gravity off the axes and products of inertia not zero",
            "no word of it; required by mechanics",
            share,
            ours="power of the typed-in terms and of the engine's, relative to the largest of its parts",
            proof=Proof(("B4", "B59"), ("pelagos.engine.forces.rigid_body.rigid_body",),
            ("tests/analytic/test_structure.py",)),
        )
    ]  # fmt: skip


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
