"""Chapter 2: each printed equation evaluated at random states and compared with the engine."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from pelagos import frames
from pelagos.engine.core.attitude import Attitude, euler_rate
from pelagos.vehicle.plant import Plant
from pelagos_evidence.claim import Claim
from pelagos_evidence.rows import Array, Rows, Values
from pelagos_evidence.royer import printed as text
from pelagos_evidence.royer.given import (
    ADDED,
    BG_M,
    DRAG,
    INERTIA,
    MASS_KG,
    STATES,
    THRUST_N,
    body_with,
    equation,
    sea_grant,
    worst,
)
from pelagos_evidence.royer.motion import run

BELOW = np.array([0.0, 0.0, BG_M])  # G
ENGINE_EULER_RATE = getattr(euler_rate, "py_func", euler_rate)  # a look or two: not worth compiling
OFF_CENTRE = np.array([0.08, 0.05, 0.2])  # G with all three coordinates, for the formulas of the appendix
IN_PLANE = np.array([0.08, 0.0, 0.2])


ROWS = Rows(__file__, kinds=(equation,), STATES=STATES)


def _no_lift() -> Values:
    plant = body_with(BELOW)

    def load(nu: list[float]) -> Array:
        plant.place(nu=nu)
        return plant.forces()["coefficients"]

    ahead, aside = load([1.5, 0, 0, 0, 0, 0]), load([0, 0.7, 0, 0, 0, 0])
    both = load([1.5, 0.7, 0, 0, 0, 0])
    across = float(max(np.abs(ahead[1:]).max(), np.abs(np.delete(aside, 1)).max()))
    return {
        "no-lift": {
            "holds": across == 0.0 and bool(np.allclose(both, ahead + aside, rtol=1e-14)),
            "across": across,
            "sum_error": np.abs(both - ahead - aside).max(),
        }
    }


def _coupled() -> Values:
    """Sway by surge and yaw rate together, which neither causes alone."""
    plant = body_with(BELOW)

    def rate(u: float, r: float) -> Array:
        plant.place(nu=[u, 0, 0, 0, 0, r])
        return np.array(plant.acceleration())

    u, r = 1.0, 0.3
    both = rate(u, r) - rate(u, 0.0) - rate(0.0, r)
    load = MASS_KG * u * r * np.array([0.0, -1.0, 0.0, BG_M, 0.0, 0.0])  # F_y and M_x of section 2.2
    closed = np.linalg.solve(text.mass_matrix(MASS_KG, INERTIA, ADDED, BELOW), load)
    return {
        "cross-coupling": {
            "holds": bool(abs(both[1]) > 0.01 and np.allclose(both, closed, atol=1e-12)),
            "closed": closed,
            "both": both,
        }
    }


def _square_law() -> Values:
    """Share of the square law in the whole drag, at low and high speed."""
    plant = body_with(BELOW)

    def drag(u: float) -> float:
        plant.place(nu=[u, 0, 0, 0, 0, 0])
        return -float(plant.forces()["coefficients"][0])

    slow, fast = 0.1, 0.5 * (math.sqrt(1.0 + 8.0 * THRUST_N / DRAG[0]) - 1.0)  # fast: both thrusters ahead
    share = [0.5 * (drag(2.0 * u) - 2.0 * drag(u)) / drag(u) for u in (slow, fast)]  # the part that grows as u^2
    return {
        "low-speed-drag": {
            "value": abs(share[0] - slow / (1.0 + slow)),
            "speed": slow,
            "share": share,
            "share_expected": slow / (1.0 + slow),
        },
        "square-law": {"off": 1.0 - share[1], "share": 100 * share[1], "fast": fast, "share_2": share},
    }


def drag_values() -> Values:
    """The simplifications stated in section 2.4.c."""
    return {**_no_lift(), **_coupled(), **_square_law()}


def rigid_body_values(rng: np.random.Generator) -> Values:
    """Section 2.2 and appendix A.1."""
    values: Values = {}
    for key, place, G in (("body", "2.2", IN_PLANE), ("appendix", "A.1", OFF_CENTRE)):
        plant = body_with(G)
        rigid = plant.packed.mass_matrix - np.diag(ADDED)
        forces, moments, slipped, ours_f, ours_m, about_g, short, short_printed = ([] for _ in range(8))
        for _ in range(STATES):
            nu, rate = rng.normal(size=6), rng.normal(size=6)
            plant.place(nu=nu)
            load = rigid @ rate - plant.forces()["rigid_body"]
            ours_f.append(load[:3])
            ours_m.append(load[3:])
            forces.append(text.force_on_body(MASS_KG, G, nu, rate))
            moments.append(text.moment_about_P(MASS_KG, INERTIA, G, nu, rate))
            slipped.append(text.moment_about_P(MASS_KG, INERTIA, G, nu, rate, printed=place))
            about_g.append(load[3:] - np.cross(G, load[:3]))
            short.append(text.moment_about_G(text.about_G(MASS_KG, INERTIA, G), nu, rate))
            short_printed.append(text.moment_about_G(INERTIA, nu, rate))
        values[f"{key}-forces"] = worst(ours_f, forces)
        values[f"{key}-moments"] = {"difference": worst(ours_m, moments), "printed_off": 100 * worst(slipped, ours_m)}
        if key == "body":
            printed_off = 100 * worst(short_printed, about_g)
            values["body-short-moments"] = {"difference": worst(about_g, short), "printed_off": printed_off}
    return values


def kinematic_values(rng: np.random.Generator) -> Values:
    """Section 2.3 and appendix A.2."""
    ours_t, his_t, ours_r, his_r, his_printed, body, body_printed, rates = ([] for _ in range(8))
    for _ in range(STATES):
        psi, phi, theta = rng.uniform(-3, 3), rng.uniform(-1.2, 1.2), rng.uniform(-3, 3)
        p, q, r = rng.normal(size=3)
        ours_t.append(frames.rotation_from_euler(theta, phi, psi).T)
        his_t.append(text.turn(psi, phi, theta))
        rate = ENGINE_EULER_RATE(Attitude(theta, phi, psi, 0.0), p, q, r)
        ours_r.append(np.array([rate.c, rate.b, rate.a]))
        his_r.append(text.angle_rates(phi, theta, p, q, r))
        his_printed.append(text.angle_rates(phi, theta, p, q, r, printed=True))
        rates.append(np.array([p, q, r]))
        body.append(text.body_rates(phi, theta, *ours_r[-1]))
        body_printed.append(text.body_rates(phi, theta, *ours_r[-1], printed=True))
    inverse = worst([np.linalg.inv(T) for T in his_t], [T.T for T in ours_t])
    return {
        "axes": worst(ours_t, his_t),
        "axes-inverse": inverse,
        "body-rates": {"difference": worst(rates, body), "worst_body_printed": 100 * worst(body_printed, rates)},
        "angle-rates": {"difference": worst(ours_r, his_r), "worst_his_printed": 100 * worst(his_printed, ours_r)},
    }


def force_values(rng: np.random.Generator) -> Values:
    """Section 2.4.a to 2.4.d: weight and buoyancy, drag in a current, tether."""
    G, B = IN_PLANE, np.array([0.03, 0.0, -0.05])
    vehicle = body_with(G).vehicle
    heavy = replace(vehicle, body=replace(vehicle.body, cb_b=(0.03, 0.0, -0.05), volume_m3=0.95 * 400.0 / 1025.0))
    plant = Plant(heavy)
    W, buoyancy = MASS_KG * 9.81, 1025.0 * 9.81 * heavy.body.volume_m3
    fairlead = np.array([0.4, 0.0, -0.4])
    plant.attach_tether(fairlead)
    lists: dict[str, list[Array]] = {name: [] for name in ("f", "fp", "m", "mp", "of", "om", "d", "od", "t", "ot")}
    for _ in range(STATES):
        theta, phi, psi = rng.uniform(-1.2, 1.2), rng.uniform(-1.2, 1.2), rng.uniform(-3, 3)
        nu, current, pull = rng.normal(size=6), rng.normal(size=3), 300.0 * rng.normal(size=3)
        plant.place(euler=(theta, phi, psi), nu=nu)
        plant.water["current"], plant.command["pull"]["force"] = current, pull
        now = plant.forces()
        T = text.turn(psi, phi, theta)
        for name, printed in (("", False), ("p", True)):
            # printed as rho Vol, without g (R13): with W and B in newtons the slip of the angles alone is seen
            lists["f" + name].append(text.weight(W - buoyancy, phi, theta, printed))
            of_g = text.weight_moment(W, G, phi, theta, printed)
            lists["m" + name].append(of_g - text.weight_moment(buoyancy, B, phi, theta, printed))
        lists["of"].append(now["restoring"][:3])
        lists["om"].append(now["restoring"][3:])
        lists["d"].append(text.drag(DRAG, DRAG, np.concatenate([nu[:3] - T @ current, nu[3:]])))
        lists["od"].append(now["coefficients"])
        local = T @ pull
        lists["t"].append(np.concatenate([local, text.tether_moment(0.4, -0.4, local)]))
        lists["ot"].append(now["tether"])
    neutral = float(np.abs(body_with(np.array([0.0, 0.0, BG_M])).forces()["restoring"][:3]).max())
    return {
        "weight": {"difference": worst(lists["of"], lists["f"]), "worst_lists": 100 * worst(lists["fp"], lists["of"])},
        "weight-moment": {
            "difference": worst(lists["om"], lists["m"]),
            "worst_lists": 100 * worst(lists["mp"], lists["om"]),
        },
        "neutral": neutral,
        "drag": worst(lists["od"], lists["d"]),
        "tether-moment": worst(lists["ot"], lists["t"]),
    }


def mass_values(rng: np.random.Generator) -> Values:
    """Section 2.4.b and 2.5: added mass, the mass matrix, sets (1) and (2)."""
    ours = body_with(IN_PLANE).packed.mass_matrix
    right = text.mass_matrix(MASS_KG, INERTIA, ADDED, IN_PLANE)
    wrong = text.mass_matrix(MASS_KG, INERTIA, ADDED, IN_PLANE, printed=True)
    plant = body_with(np.array([0.0, 0.0, BG_M]))
    least = float(np.linalg.eigvalsh(plant.packed.mass_matrix)[0])
    engine, sets, bare = [], [], []
    G = np.array([0.0, 0.0, BG_M])
    for _ in range(STATES):
        nu, push = 0.5 * rng.normal(size=6), rng.normal(size=6) * (500, 500, 500, 100, 100, 100)
        plant.place(nu=nu, euler=rng.uniform(-0.3, 0.3, 3).tolist())
        plant.command["external"] = push
        now = plant.forces()
        load = np.sum([wrench for name, wrench in now.items() if name != "rigid_body"], axis=0)
        engine.append(plant.acceleration())
        sets.append(text.sets_1_and_2(MASS_KG, INERTIA, ADDED, G, nu, load))
        without = text.sets_1_and_2(MASS_KG, INERTIA, np.zeros(6), G, nu, load)
        rigid = text.mass_matrix(MASS_KG, INERTIA, np.zeros(6), G)
        bare.append(without - np.linalg.solve(rigid, load + now["rigid_body"]))
    roll = np.abs(np.array(sets) - np.array(engine))[:, 3].max() / np.abs(np.array(engine))[:, 3].max()
    peaks = [float(run(sea_grant(), [0.0, 0.0, 500.0], 4.0, by_sets)[:, 2].max()) for by_sets in (False, True)]
    matrix_off = float(np.abs(ours - right).max() / np.abs(right).max())
    plant.command["external"] = 0.0
    plant.place(nu=[1.0, 0.5, 0.4, 0.2, 0.3, 0.4])
    beside = float(np.abs(plant.forces()["added_mass"]).max())
    return {
        "added-mass": beside,
        "mass-matrix": {
            "difference": matrix_off,
            "wrong_31": wrong[3, 1],
            "right_31": right[3, 1],
            "right_35": right[3, 5],
        },
        "mass-matrix-definite": least,
        "sets-rigid": float(np.abs(bare).max() / np.abs(np.array(engine)).max()),
        "sets-added": {"off": float(roll), "roll": 100 * roll, "peaks": peaks},
    }


def equation_claims() -> tuple[Claim, ...]:
    """All of chapter 2 that is an equation."""
    rng = np.random.default_rng(1985)
    values = {
        **rigid_body_values(rng),
        **kinematic_values(rng),
        **force_values(rng),
        **drag_values(),
        **mass_values(rng),
    }
    return ROWS.claims(values)
