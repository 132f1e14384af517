"""Equations 6.39-6.47: the earlier surge equation, propellers, cross-body thrusters, speed of the cross-flow."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pelagos.units import LBF, RPM
from pelagos.vehicle.plant import Plant
from pelagos_evidence.brutzman import printed, printed_tables
from pelagos_evidence.brutzman.equations.general import coefficients
from pelagos_evidence.brutzman.equations.rows import (
    STATES,
    agreed,
    angles,
    forces_lb,
    largest,
    phoenix,
    put,
    velocities,
)
from pelagos_evidence.brutzman.printed import MENDED, State
from pelagos_evidence.claim import Claim, Proof, contested, number, statement
from pelagos_evidence.document import Findings, Tell

SCREWS = ("pelagos.engine.forces.thrusters.thrusters", "pelagos.engine.forces.coefficients.coefficients")
TESTS = ("tests/engine/forces/test_thrusters.py", "tests/analytic/test_phoenix.py")
LEVEL = np.zeros(3)


def run(tell: Tell) -> Findings:
    """All rows of section D.8."""
    claims = [*_previous(), *_propellers()]
    tell(0.5)
    claims += [*_thrusters(), *_crossflow(), *_damping()]
    tell(1.0)
    return Findings(tuple(claims))


def _previous() -> list[Claim]:
    """(6.39) against (6.48), u ahead, its one rudder the stern rudders, planes in pairs: only the weight may differ."""
    c = coefficients() | {"y_stbd": 0.0}
    for name in ("X_vdot", "X_wdot", "X_pdot", "X_qdot", "X_rdot"):
        c[name] = 0.0  # (6.39) has none of them
    rng = np.random.default_rng(390)
    mended, literal, weight = [], [], []
    for a, nu in zip(angles(STATES, 391), velocities(STATES, 392), strict=True):
        nu = np.concatenate([np.abs(nu[:1]), nu[1:]])
        state = State(nu, a, rng.uniform(-0.4, 0.4, 4) * [0.0, 1.0, 1.0, 1.0])
        rates = rng.normal(size=6)
        drag = printed.propulsion(state.rpm, state.nu[0], c)
        now = printed.left_hand_sides(c)[0] @ rates - printed.right_hand_sides(state, c)[0] + drag
        mended.append(printed.previous_surge(state, rates, c, frozenset({"B37"})) - now)
        literal.append(printed.previous_surge(state, rates, c, frozenset()) - now)
        weight.append(2.0 * (c["B"] - c["W"]) * np.sin(a[1]))
    proof = Proof(
        ("B37", "B38"), ("pelagos.engine.forces.coefficients.coefficients",), ("tests/reference/test_terms.py",)
    )
    return [
        agreed(
            "eq-previous-surge", "equation 6.39", "the earlier surge equation (Healey 93), every term but those of "
            "propulsion, going ahead, planes in pairs and one rudder: the same as 6.48",
            "rearranged into 6.48 by algebra", largest(mended, np.zeros(STATES)),
            why="one equation written two ways; lb",
            assumption="the sign of (W - B) sin(theta) in 6.39 is turned, and u r delta_r X_rdr is counted once",
            proof=proof,
        ),
        agreed(
            "eq-previous-surge-weight", "equation 6.39", "as printed it differs from 6.48 by twice the weight in water "
            "along the body and by nothing else", "+ (W - B) sin(theta), against - in 6.48", largest(literal, weight),
            ours="difference 2 (B - W) sin(theta)", assumption="u r delta_r X_rdr is counted once",
            why="one equation written two ways; lb", proof=proof,
        ),
    ]  # fmt: skip


def _propellers() -> list[Claim]:
    """(6.40)-(6.44)."""
    c = printed_tables.corrected()
    plant = Plant(phoenix())
    rng = np.random.default_rng(400)
    force = 0.5 * c["rho"] * c["L"] ** 2
    by_eta, expanded, pair, engine, single, thrust = [], [], [], [], [], []
    for _ in range(STATES):
        u, rpm = float(rng.uniform(-3.0, 3.0)), rng.uniform(-700.0, 700.0, 2)
        by_eta.append(force * u * abs(u) * printed.x_prop(rpm[0], u, c))
        expanded.append(printed.expanded(rpm[0], u, c))
        pair.append(printed.propulsion(rpm, u, c))
        put(plant, LEVEL, np.array([u, 0, 0, 0, 0, 0]), np.zeros(4), np.concatenate([rpm * RPM, np.zeros(4)]))
        engine.append(forces_lb(plant, ["coefficients", "thrusters"])[0])
        single.append([printed.propeller_force(n, u, c) for n in rpm])
        plant.evaluate()
        thrust.append(plant.pushes()[:2, 0] / LBF)
    doubled = 2.0 * printed.propeller_force(700.0, 2.0, c, frozenset())
    whole = round(printed.propulsion(np.full(2, 700.0), 2.0, c), 9) + 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        at_rest = np.float64(c["speed_per_rpm"]) * 700.0 / np.float64(0.0)
        at_rest = 0.0 * c["C_d0"] * (at_rest * abs(at_rest) - 1.0)
    ahead = np.array([700.0 * RPM, 700.0 * RPM, 0.0, 0.0, 0.0, 0.0])
    push = float(forces_lb(put(plant, LEVEL, np.zeros(6), np.zeros(4), ahead), ["thrusters"])[0])
    start = printed.expanded(700.0, 0.0, c)  # one shaft with the thrust of the pair
    proof = Proof(("B39",), SCREWS, TESTS)
    return [
        agreed(
            "eq-x-prop", "equations 6.40-6.42", "the propulsion term written with eta = (2/700) n/u, and expanded into "
            "thrust less drag (u squared with its sign)", "rho/2 L^2 u|u| X_prop = rho/2 L^2 C_d0 [(2/700)^2 n|n| - "
            "u|u|]",
            largest(by_eta, expanded), ours="both forms agree", proof=proof,
        ),
        statement(
            "eq-x-prop-at-rest", "equation 6.42", "the expanded form holds at rest, where eta = n/u does not exist; "
            "both screws at 700 rpm, u = 0", "propulsion and drag are now evident",
            f"expanded {start:.4f} lb, engine {push:.4f} lb; with eta no number",
            bool(np.isnan(at_rest) and abs(push - start) < 1e-12),
            why="0 times infinity is not a number; a vehicle with the old form never starts",
            numbers={"published": start, "ours": push}, unit="lb", proof=proof,
        ),
        agreed(
            "eq-two-propellers", "equation 6.43", "thrust of two propellers less drag of the hull, both senses of each",
            "rho/2 L^2 C_d0 [(2/700)^2 1/2 (n_p|n_p| + n_s|n_s|) - u|u|]", largest(engine, pair), proof=proof,
        ),
        agreed(
            "eq-one-propeller", "equation 6.44", "force of one propeller of the pair, without the drag of the hull",
            "rho/2 L^2 C_d0 [(2/700)^2 1/2 n|n| - u|u|]", largest(thrust, single),
            ours="the same without the last term",
            assumption="the drag term of 6.44 is left out: it stands in the surge equation",
            proof=Proof(("B40", "B41"), SCREWS, TESTS),
        ),
        contested(
            "eq-one-propeller-sum", "equation 6.44", "two single propellers as printed, at 700 rpm and 2 ft/s, against "
            "the pair of equation 6.43", "force from a single propeller out of a pair",
            "The printed force takes the drag of the whole hull off each propeller, so that it is counted twice; the "
            "factor 1/2 must cover both terms, or the drag must be left to the surge equation, as is done here.",
            ours=f"two printed forces {doubled:.3f} lb, equation 6.43 {whole:.3f} lb",
            numbers={"published": doubled, "ours": whole}, unit="lb", proof=Proof(("B40",), SCREWS, TESTS),
            off=abs(doubled - whole), limit=1e-9 * abs(doubled),
        ),
    ]  # fmt: skip


def _thrusters() -> list[Claim]:
    """(6.45), (6.46): each tunnel thruster alone, over its range."""
    plant, c = Plant(phoenix()), printed_tables.corrected()
    arms = (c["x_bv"], c["x_sv"], c["x_bl"], c["x_sl"])
    forces, moments, by_law, by_arm = [], [], [], []
    full: list[float] = []
    for volts in np.linspace(-24.0, 24.0, 49):
        for i in range(4):
            drives = np.zeros(6)
            drives[2 + i] = volts
            wrench = forces_lb(put(plant, LEVEL, np.zeros(6), np.zeros(4), drives), ["thrusters"])
            law = float(printed.thruster_force(volts))
            forces.append(wrench[2] if i < 2 else wrench[1])
            moments.append(wrench[4] if i < 2 else wrench[5])
            by_law.append(law)
            by_arm.append((-1.0 if i < 2 else 1.0) * law * arms[i])
            full += [abs(float(forces[-1]))] if abs(volts) == 24.0 else []
    proof = Proof(("B27", "B44", "B45", "B46"), (SCREWS[0],), TESTS)
    return [
        agreed(
            "eq-thruster-force", "equation 6.45", "force of a cross-body thruster, signed square of its voltage, "
            "positive along the positive lateral or depth axis (text); all four, -24 to 24 V",
            "F = (2.0 lb / 24^2 volts) V|V|",
            largest(forces, by_law), states="196 voltages", proof=proof,
        ),
        agreed(
            "eq-thruster-moment", "equation 6.46", "its moment, force times offset: + in yaw, - in pitch (M = -x Z)",
            "M = F x_offset", largest(moments, by_arm), states="196 voltages", proof=proof,
        ),
        number(
            "table-thruster-full", "table 6.1", "force at 24 V, the smallest and largest of the four thrusters, both "
            "senses",
            2.0, max(full, key=lambda f: abs(f - 2.0)), "lb", absolute=0.05, why="printed as 2.0 lb", proof=proof,
        ),
    ]  # fmt: skip


def _crossflow() -> list[Claim]:
    """(6.47) through the four integrals it stands in."""
    plant, c = Plant(phoenix()), printed_tables.corrected()
    ours, typed = [], []
    for nu in velocities(STATES, 470):
        state = State(nu, LEVEL)
        y, z, m, n = 0.5 * c["rho"] * printed.crossflow_integrals(state, c, MENDED)
        typed.append([0.0, -y, -z, 0.0, m, -n])
        ours.append(forces_lb(put(plant, LEVEL, nu, np.zeros(4), np.zeros(6)), ["crossflow"]))
    rest = forces_lb(put(plant, LEVEL, np.zeros(6), np.zeros(4), np.zeros(6)), ["crossflow"])
    silent = (
        "h(x) and b(x) are not printed (Marco 95); the 15 stations of the author's program are taken, trapezoid rule"
    )
    proof = Proof(
        ("B22", "B23", "B52", "B57"),
        ("pelagos.engine.forces.crossflow.crossflow",),
        ("tests/engine/forces/test_crossflow.py",),
    )
    return [
        agreed(
            "eq-crossflow-speed", "equation 6.47", "speed of the cross-flow along the hull, in the four integrals of "
            "sway, heave, pitch and yaw", "U_cf(x) = sqrt((v + x r)^2 + (w - x q)^2)", largest(ours, typed),
            assumption=silent,
            proof=proof,
        ),
        statement(
            "eq-crossflow-rest", "equation 6.47", "at rest the integrals divide 0 by 0; their limit is 0",
            "not mentioned; as printed 0/0",
            f"{float(np.abs(rest).max()):g} lb", bool((rest == 0.0).all()), why="cubic over linear: the limit is exact",
            assumption="the limit is meant", proof=proof,
        ),
    ]  # fmt: skip


def _damping() -> list[Claim]:
    """Section D.8: the terms with u vanish at hover; the new skin friction does not, and neither do the strips."""
    new = ("K_p|p|", "K_p", "M_q|q|", "M_q", "N_r|r|", "N_r")
    own = phoenix()
    earlier = replace(own, coefficients=tuple(c for c in own.coefficients if c.name not in new))
    spin = np.array([0.0, 0.0, 0.0, 0.1, 0.1, 0.1])
    before, after = (
        forces_lb(put(Plant(each), LEVEL, spin, np.zeros(4), np.zeros(6)), ["coefficients"])[3:]
        for each in (earlier, own)
    )
    turning = np.zeros(3)
    for i in range(3):  # each axis alone
        alone = np.zeros(6)
        alone[3 + i] = 0.1
        turning[i] = forces_lb(put(Plant(own), LEVEL, alone, np.zeros(4), np.zeros(6)), ["crossflow"])[3 + i]
    proof = Proof(("B26", "B31", "B60"), (SCREWS[1],), ("tests/engine/forces/test_coefficients.py",))
    strips = Proof(("B60",), ("pelagos.engine.forces.crossflow.crossflow",), ("tests/engine/forces/test_crossflow.py",))
    return [
        statement(
            "eq-hover-damping", "section D.8", "turning at 0.1 rad/s about all axes without surge: damping moments of "
            "the earlier coefficients, and with the six of skin friction added",
            "terms with surge as a factor approach zero at low forward speed; skin friction must be added",
            f"earlier coefficients {float(np.abs(before).max()):g} ft lb; with skin friction {after[0]:.2f}, "
            f"{after[1]:.2f}, {after[2]:.2f} ft lb (roll, pitch, yaw)",
            bool((before == 0.0).all() and (after < 0.0).all()), why="a sign and a zero", proof=proof,
        ),
        contested(
            "eq-hover-strips", "section D.8", "damping moments of the earlier model at the same rates without surge: "
            "its cross-flow integrals",
            "existing drag terms each include surge u as a factor",
            "The integrals of 6.52 and 6.53 are drag terms of the earlier model as well (equation 6.47 is taken from "
            "it) and have no u: they damp pitch and yaw at hover. Only roll had nothing. In pitch and yaw the added "
            "quadratic friction counts again what the integrals have.",
            ours=f"{turning[0] + 0.0:.2f}, {turning[1]:.2f}, {turning[2]:.2f} ft lb (roll, pitch, yaw)",
            numbers={"roll": float(turning[0]), "pitch": float(turning[1]), "yaw": float(turning[2])}, unit="ft lb",
            proof=strips, off=float(np.abs(turning).max()), limit=1e-12,
        ),
    ]  # fmt: skip
