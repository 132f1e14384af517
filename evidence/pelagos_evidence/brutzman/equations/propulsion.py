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
    angles,
    equation,
    forces_lb,
    largest,
    phoenix,
    put,
    velocities,
)
from pelagos_evidence.brutzman.printed import MENDED, State
from pelagos_evidence.document import Findings, Progress
from pelagos_evidence.rows import Rows, Values

LEVEL = np.zeros(3)


ROWS = Rows(__file__, kinds=(equation,))


def run(progress: Progress) -> Findings:
    """All rows of section D.8."""
    values = {**_previous(), **_propellers()}
    progress(0.5)
    values |= {**_thrusters(), **_crossflow(), **_damping()}
    return Findings(ROWS.claims(values))


def _previous() -> Values:
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
    return {
        "eq-previous-surge": largest(mended, np.zeros(STATES)),
        "eq-previous-surge-weight": largest(literal, weight),
    }


def _propellers() -> Values:
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
        thrust.append(plant.thrust_and_inflow()[:2, 0] / LBF)
    doubled = 2.0 * printed.propeller_force(700.0, 2.0, c, frozenset())
    whole = round(printed.propulsion(np.full(2, 700.0), 2.0, c), 9) + 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        at_rest = np.float64(c["speed_per_rpm"]) * 700.0 / np.float64(0.0)
        at_rest = 0.0 * c["C_d0"] * (at_rest * abs(at_rest) - 1.0)
    ahead = np.array([700.0 * RPM, 700.0 * RPM, 0.0, 0.0, 0.0, 0.0])
    push = float(forces_lb(put(plant, LEVEL, np.zeros(6), np.zeros(4), ahead), ["thrusters"])[0])
    start = printed.expanded(700.0, 0.0, c)  # one shaft with the thrust of the pair
    return {
        "eq-x-prop": largest(by_eta, expanded),
        "eq-x-prop-at-rest": {
            "holds": bool(np.isnan(at_rest) and abs(push - start) < 1e-12),
            "start": start,
            "push": push,
        },
        "eq-two-propellers": largest(engine, pair),
        "eq-one-propeller": largest(thrust, single),
        "eq-one-propeller-sum": {
            "off": abs(doubled - whole),
            "limit": 1e-9 * abs(doubled),
            "doubled": doubled,
            "whole": whole,
        },
    }


def _thrusters() -> Values:
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
    return {
        "eq-thruster-force": largest(forces, by_law),
        "eq-thruster-moment": largest(moments, by_arm),
        "table-thruster-full": max(full, key=lambda f: abs(f - 2.0)),
    }


def _crossflow() -> Values:
    """(6.47), by the four integrals that contain it."""
    plant, c = Plant(phoenix()), printed_tables.corrected()
    ours, typed = [], []
    for nu in velocities(STATES, 470):
        state = State(nu, LEVEL)
        y, z, m, n = 0.5 * c["rho"] * printed.crossflow_integrals(state, c, MENDED)
        typed.append([0.0, -y, -z, 0.0, m, -n])
        ours.append(forces_lb(put(plant, LEVEL, nu, np.zeros(4), np.zeros(6)), ["crossflow"]))
    rest = forces_lb(put(plant, LEVEL, np.zeros(6), np.zeros(4), np.zeros(6)), ["crossflow"])
    return {"eq-crossflow-speed": largest(ours, typed), "eq-crossflow-rest": float(np.abs(rest).max())}


def _damping() -> Values:
    """Section D.8: the terms with u vanish at hover; the new skin friction does not, and neither do the strips."""
    new = ("K_p|p|", "K_p", "M_q|q|", "M_q", "N_r|r|", "N_r")
    published = phoenix()
    earlier = replace(published, coefficients=tuple(c for c in published.coefficients if c.name not in new))
    spin = np.array([0.0, 0.0, 0.0, 0.1, 0.1, 0.1])
    before, after = (
        forces_lb(put(Plant(each), LEVEL, spin, np.zeros(4), np.zeros(6)), ["coefficients"])[3:]
        for each in (earlier, published)
    )
    turning = np.zeros(3)
    for i in range(3):  # each axis alone
        alone = np.zeros(6)
        alone[3 + i] = 0.1
        turning[i] = forces_lb(put(Plant(published), LEVEL, alone, np.zeros(4), np.zeros(6)), ["crossflow"])[3 + i]
    return {
        "eq-hover-damping": {
            "holds": bool((before == 0.0).all() and (after < 0.0).all()),
            "largest_moment": np.abs(before).max(),
            "after": after,
        },
        "eq-hover-strips": {"off": float(np.abs(turning).max()), "roll": turning[0] + 0.0, "moments": turning},
    }
