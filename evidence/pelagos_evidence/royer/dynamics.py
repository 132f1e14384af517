"""Chapter 2, equation by equation: the printed form evaluated at random states beside what the engine computes.

Section 2.4.c in words: no lift, drags that add up, motions still coupled, and what a square law alone is worth.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from pelagos import frames
from pelagos.engine.core.attitude import Attitude, euler_rate
from pelagos.vehicle.plant import Plant
from pelagos_evidence.claim import Claim, Proof, contested, number, statement
from pelagos_evidence.royer import printed as text
from pelagos_evidence.royer.given import (
    ADDED,
    BG_M,
    DRAG,
    INERTIA,
    MASS_KG,
    STATES,
    THRUST_N,
    Array,
    agrees,
    body_with,
    sea_grant,
    worst,
)
from pelagos_evidence.royer.motion import run

BELOW = np.array([0.0, 0.0, BG_M])  # G
COEFFICIENTS = (("pelagos.engine.forces.coefficients",), ("tests/engine/forces/test_coefficients.py",))
RIGID_PROOF = (
    ("pelagos.engine.forces.rigid_body", "pelagos.engine.core.mass"),
    ("tests/engine/forces/test_rigid_body.py",),
)


def _no_lift() -> Claim:
    plant = body_with(BELOW)

    def load(nu: list[float]) -> Array:
        plant.place(nu=nu)
        return plant.forces()["coefficients"]

    ahead, aside = load([1.5, 0, 0, 0, 0, 0]), load([0, 0.7, 0, 0, 0, 0])
    both = load([1.5, 0.7, 0, 0, 0, 0])
    across = float(max(np.abs(ahead[1:]).max(), np.abs(np.delete(aside, 1)).max()))
    return statement(
        "no-lift", "section 2.4.c", "No lift; the drags of two motions add up",
        "a motion along i gives no force along k; drag of both motions = sum of the drags",
        f"off-axis force {across:g} N; sum off by {np.abs(both - ahead - aside).max():g} N",
        across == 0.0 and bool(np.allclose(both, ahead + aside, rtol=1e-14)),
        why="A property of the form of the equations, exact.",
        proof=Proof((), *COEFFICIENTS),
    )  # fmt: skip


def _coupled() -> Claim:
    """Ahead and turning at once: the sway that neither gives alone."""
    plant = body_with(BELOW)

    def rate(u: float, r: float) -> Array:
        plant.place(nu=[u, 0, 0, 0, 0, r])
        return np.array(plant.acceleration())

    u, r = 1.0, 0.3
    both = rate(u, r) - rate(u, 0.0) - rate(0.0, r)
    load = MASS_KG * u * r * np.array([0.0, -1.0, 0.0, BG_M, 0.0, 0.0])  # F_y and M_x of section 2.2
    closed = np.linalg.solve(text.mass_matrix(MASS_KG, INERTIA, ADDED, BELOW), load)
    return statement(
        "cross-coupling", "section 2.4.c, note", "The simplified drag leaves the coupling between the motions",
        f"\"do not suppress the cross-coupling effect\"; by sections 2.2 and 2.5 {closed[1]:.4f} m/s² of sway for "
        "1 m/s ahead with 0.3 rad/s of turn",
        f"{both[1]:.4f} m/s² of sway beyond what either motion gives alone",
        bool(abs(both[1]) > 0.01 and np.allclose(both, closed, atol=1e-12)),
        tolerance="1e-12 m/s²", why="Closed form of the document's equations, in double precision.",
        numbers={"published": float(closed[1]), "ours": float(both[1])}, unit="m/s²",
        proof=Proof((), *RIGID_PROOF),
    )  # fmt: skip


def _square_law() -> list[Claim]:
    """What the square law alone would give of the whole drag, slow and fast."""
    plant = body_with(BELOW)

    def drag(u: float) -> float:
        plant.place(nu=[u, 0, 0, 0, 0, 0])
        return -float(plant.forces()["coefficients"][0])

    slow, fast = 0.1, 0.5 * (math.sqrt(1.0 + 8.0 * THRUST_N / DRAG[0]) - 1.0)  # fast: both thrusters ahead
    share = [0.5 * (drag(2.0 * u) - 2.0 * drag(u)) / drag(u) for u in (slow, fast)]  # the part that grows as u^2
    proof = Proof(("R20",), *COEFFICIENTS)
    return [
        statement(
            "low-speed-drag", "section 2.4.c", "A square law alone underestimates the drag at low speed",
            "underestimated; with the printed C1 = C2 the square term is u/(1 + u) of the drag: "
            f"{slow / (1 + slow):.4f} at {slow} m/s",
            f"{share[0]:.4f} at {slow} m/s",
            abs(share[0] - slow / (1.0 + slow)) < 1e-9, tolerance="1e-9",
            why="Closed form of the document's equations, in double precision.",
            numbers={"published": slow / (1.0 + slow), "ours": share[0]}, unit="share of the drag", proof=proof,
        ),
        contested(
            "square-law", "section 2.4.c", "A square law is a good approximation at higher speed",
            "\"a good approximation for speed important enough\"",
            "With the printed C1 = C2 both terms are equal at 1 m/s, and this vehicle never goes fast enough for the "
            "linear one to be small.",
            ours=f"the square term alone is {100 * share[1]:.0f} % of the drag at full speed, {fast:.2f} m/s",
            numbers={"ours": share[1]}, unit="share of the drag", proof=proof, off=1.0 - share[1], limit=0.1,
        ),
    ]  # fmt: skip


def drag_rows() -> list[Claim]:
    """What section 2.4.c says of its own simplifications."""
    return [_no_lift(), _coupled(), *_square_law()]


# ---- dynamics --------------------------------------------------------------------------------------------------------


ENGINE_EULER_RATE = getattr(euler_rate, "py_func", euler_rate)  # a look or two: not worth compiling
RIGID = ("pelagos.engine.forces.rigid_body", "pelagos.engine.core.mass", "pelagos.vehicle.pack.records.mass_matrix")
TESTS = ("tests/engine/forces/test_rigid_body.py", "tests/reference/textbook.py")
RESTORING = (("pelagos.engine.forces.restoring",), ("tests/engine/forces/test_restoring.py",))
OFF_CENTRE = np.array([0.08, 0.05, 0.2])  # G with all three coordinates, for the formulas of the appendix
IN_PLANE = np.array([0.08, 0.0, 0.2])


def rigid_body_rows(rng: np.random.Generator) -> list[Claim]:
    """Section 2.2 and appendix A.1."""
    rows: list[Claim] = []
    cases = (("2.2", IN_PLANE, "y_G = 0"), ("appendix A.1", OFF_CENTRE, "any x_G, y_G, z_G"))
    for place, G, of in cases:
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
            slipped.append(text.moment_about_P(MASS_KG, INERTIA, G, nu, rate, printed=place.removeprefix("appendix ")))
            about_g.append(load[3:] - np.cross(G, load[:3]))
            short.append(text.moment_about_G(text.about_G(MASS_KG, INERTIA, G), nu, rate))
            short_printed.append(text.moment_about_G(INERTIA, nu, rate))
        word = "section" if place == "2.2" else ""
        where, key = f"{word} {place}".strip(), "body" if place == "2.2" else "appendix"
        beside = "" if place == "2.2" else "y_G(pq - r') + "
        errata = ("R3",) if place == "2.2" else ("R3", "R6", "R7")
        lever, more = ("-", "") if place == "2.2" else ("y_G(w' - uq + vp) - ", "+ ... ")
        rows += [
            agrees(
                f"{key}-forces", where, f"Forces on a rigid body about P, {of}",
                f"F_x = m[(u' - vr + wq) - x_G(q² + r²) + {beside}z_G(pr + q')], ...",
                worst(ours_f, forces),
                proof=Proof((), RIGID, TESTS),
            ),
            agrees(
                f"{key}-moments", where, f"Moments about P, {of}; the slips of the print put right",
                f"M_x = I_x p' + (I_z - I_y)qr + m[{lever}z_G(v' + ur - wp) {more}- x_G z_G(pq + v')], ...",
                worst(ours_m, moments),
                misprint=f"The printed form (v' for r'{', qv for qu' if 'R6' in errata else ''}) is off by "
                f"{100 * worst(slipped, ours_m):.0f} %.",
                proof=Proof(errata, RIGID, TESTS),
            ),
        ]  # fmt: skip
        if place == "2.2":
            rows.append(
                agrees(
                    "body-short-moments", "section 2.2, last set", "The short moment equations",
                    "M_x + z_G F_y = I_x p' - I_y qr + I_z qr, ...", worst(about_g, short),
                    misprint="With the inertia about P, as printed, "
                    f"{100 * worst(short_printed, about_g):.0f} % off: the balance is about G and needs I'.",
                    proof=Proof(("R1",), RIGID, TESTS),
                )
            )  # fmt: skip
    return rows


def kinematic_rows(rng: np.random.Generator) -> list[Claim]:
    """Section 2.3 and appendix A.2."""
    ours_t, his_t, ours_r, his_r, his_printed, body, body_printed, given = ([] for _ in range(8))
    for _ in range(STATES):
        psi, phi, theta = rng.uniform(-3, 3), rng.uniform(-1.2, 1.2), rng.uniform(-3, 3)
        p, q, r = rng.normal(size=3)
        ours_t.append(frames.rotation_from_euler(theta, phi, psi).T)
        his_t.append(text.turn(psi, phi, theta))
        rate = ENGINE_EULER_RATE(Attitude(theta, phi, psi, 0.0), p, q, r)
        ours_r.append(np.array([rate.c, rate.b, rate.a]))
        his_r.append(text.angle_rates(phi, theta, p, q, r))
        his_printed.append(text.angle_rates(phi, theta, p, q, r, printed=True))
        given.append(np.array([p, q, r]))
        body.append(text.body_rates(phi, theta, *ours_r[-1]))
        body_printed.append(text.body_rates(phi, theta, *ours_r[-1], printed=True))
    inverse = worst([np.linalg.inv(T) for T in his_t], [T.T for T in ours_t])
    tests = ("tests/engine/core/test_attitude.py", "tests/test_frames.py")
    return [
        agrees(
            "axes", "section 2.3, appendix A.2", "Matrix T(psi, phi, theta) from fixed to local axes",
            "3 x 3 matrix of yaw psi, pitch phi, roll theta", worst(ours_t, his_t),
            proof=Proof(("R11",), ("pelagos.frames.rotation_from_euler", "pelagos.engine.core.attitude"), tests),
        ),
        agrees(
            "axes-inverse", "section 2.3", "The inverse of T is its transpose", "T^-1 = T^T", inverse,
            proof=Proof((), ("pelagos.frames.rotation_from_euler",), tests),
        ),
        agrees(
            "body-rates", "section 2.3, appendix A.2", "Body rates from the rates of the angles",
            "p = -phi' sin(phi) + theta', ...", worst(given, body),
            misprint=f"As printed, with phi' for psi' in p, {100 * worst(body_printed, given):.0f} % off.",
            proof=Proof(("R8", "R10"), ("pelagos.engine.core.attitude.euler_rate",), tests),
        ),
        agrees(
            "angle-rates", "section 2.3, appendix A.2", "Rates of the angles from the body rates",
            "psi' = (q sin(theta) + r cos(phi))/cos(phi), ...", worst(ours_r, his_r),
            misprint="As printed, with cos(phi) for cos(theta), "
            f"{100 * worst(his_printed, ours_r):.0f} % off; the appendix "
            "has -r for r and tan(psi) for tan(phi), which has no bound.",
            proof=Proof(("R9", "R10"), ("pelagos.engine.core.attitude.euler_rate",), tests),
        ),
    ]  # fmt: skip


def force_rows(rng: np.random.Generator) -> list[Claim]:
    """Section 2.4.a to 2.4.d: weight and buoyancy, drag in a current, tether."""
    G, B = IN_PLANE, np.array([0.03, 0.0, -0.05])
    vehicle = body_with(G).vehicle
    heavy = replace(vehicle, body=replace(vehicle.body, cb_b=(0.03, 0.0, -0.05), volume_m3=0.95 * 400.0 / 1025.0))
    plant = Plant(heavy)
    W, buoyancy = MASS_KG * 9.81, 1025.0 * 9.81 * heavy.body.volume_m3
    fairlead = np.array([0.4, 0.0, -0.4])
    plant.tie(fairlead)
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
    return [
        agrees(
            "weight", "section 2.4.a", "Weight less buoyancy in local axes",
            "mg[-sin(phi), sin(phi) cos(phi), cos(phi)], buoyancy -rho Vol [...]", worst(lists["of"], lists["f"]),
            misprint=f"As printed, without the roll, {100 * worst(lists['fp'], lists['of']):.0f} % off; "
            "the buoyancy lacks g.",
            proof=Proof(("R12", "R13"), *RESTORING),
        ),
        agrees(
            "weight-moment", "section 2.4.a", "Moments of weight at G and buoyancy at B",
            "mg{-z_G sin(theta)cos(phi), -(z_G sin(phi) + x_G cos(theta)), x_G sin(theta)cos(phi)}",
            worst(lists["om"], lists["m"]),
            misprint="As printed, without the last cosine, "
            f"{100 * worst(lists['mp'], lists['om']):.1f} % off.",
            proof=Proof(("R14",), *RESTORING),
        ),
        number(
            "neutral", "section 2.4.a", "Sum of weight and buoyancy of a neutral vehicle", 0.0, neutral, "N",
            absolute=1e-9, why="3924 N less 3924 N in double precision leaves some 1e-13 of them.",
            proof=Proof(("R13",), *RESTORING),
        ),
        agrees(
            "drag", "section 2.4.c", "Drag of the motion through the water, with a current",
            "-C1 |u_r| u_r - C2 u_r on each axis, (u_r, v_r, w_r) = (u, v, w) - T V_C", worst(lists["od"], lists["d"]),
            proof=Proof(("R15", "R20"), *COEFFICIENTS),
        ),
        agrees(
            "tether-moment", "section 2.4.d", "Force of the tether in local axes and its moment",
            "M = -z_T F_y i + (z_T F_x - x_T F_z) j + x_T F_y k", worst(lists["ot"], lists["t"]),
            proof=Proof((), ("pelagos.engine.forces.tether",), ("tests/engine/forces/test_tether.py",)),
        ),
    ]  # fmt: skip


def mass_rows(rng: np.random.Generator) -> list[Claim]:
    """Section 2.4.b and 2.5: added mass, the mass matrix, sets (1) and (2)."""
    ours = body_with(IN_PLANE).packed.mass_matrix
    right = text.mass_matrix(MASS_KG, INERTIA, ADDED, IN_PLANE)
    wrong = text.mass_matrix(MASS_KG, INERTIA, ADDED, IN_PLANE, printed=True)
    plant = body_with(np.array([0.0, 0.0, BG_M]))
    least = float(np.linalg.eigvalsh(plant.packed.mass_matrix)[0])
    own, sets, bare = [], [], []
    G = np.array([0.0, 0.0, BG_M])
    for _ in range(STATES):
        nu, push = 0.5 * rng.normal(size=6), rng.normal(size=6) * (500, 500, 500, 100, 100, 100)
        plant.place(nu=nu, euler=rng.uniform(-0.3, 0.3, 3).tolist())
        plant.command["external"] = push
        now = plant.forces()
        load = np.sum([wrench for name, wrench in now.items() if name != "rigid_body"], axis=0)
        own.append(plant.acceleration())
        sets.append(text.sets_1_and_2(MASS_KG, INERTIA, ADDED, G, nu, load))
        without = text.sets_1_and_2(MASS_KG, INERTIA, np.zeros(6), G, nu, load)
        rigid = text.mass_matrix(MASS_KG, INERTIA, np.zeros(6), G)
        bare.append(without - np.linalg.solve(rigid, load + now["rigid_body"]))
    roll = np.abs(np.array(sets) - np.array(own))[:, 3].max() / np.abs(np.array(own))[:, 3].max()
    peaks = [float(run(sea_grant(), [0.0, 0.0, 500.0], 4.0, by_sets)[:, 2].max()) for by_sets in (False, True)]
    matrix_off = float(np.abs(ours - right).max() / np.abs(right).max())
    code = ("pelagos.vehicle.pack.records.mass_matrix", "pelagos.engine.core.mass.acceleration")
    tests = ("tests/analytic/test_structure.py", "tests/vehicle/pack/test_records.py")
    plant.command["external"] = 0.0
    plant.place(nu=[1.0, 0.5, 0.4, 0.2, 0.3, 0.4])
    beside = float(np.abs(plant.forces()["added_mass"]).max())
    return [
        statement(
            "added-mass", "section 2.4.b", "Added mass is a force against the acceleration and nothing else",
            "[-m11 u', -m22 v', -m33 w'], [-I44 p', -I55 q', -I66 r']",
            f"added mass in the matrix only; its Coriolis force while moving on all six axes {beside:g} N",
            beside == 0.0,
            tolerance="as stated",
            why="A choice of the document: theory has a Coriolis part of the added mass as well. "
            "The vehicle file switches it off (coriolis = \"none\"); energy is conserved either way.",
            numbers={"ours": beside}, unit="N", proof=Proof(("R23",), ("pelagos.engine.forces.added_mass",), tests),
        ),
        agrees(
            "mass-matrix", "section 2.5", "The 6 x 6 mass matrix with added mass (2.4.b)",
            "diag(m + m11, ..., I_z + I66) with m z_G, m x_G, m x_G z_G beside it", matrix_off, states=0,
            misprint=f"Printed (4,2) is {wrong[3, 1]:+.1f} for {right[3, 1]:+.1f} kg m and (4,6) is 0 for "
            f"{right[3, 5]:+.1f} kg m², at x_G = 0.08 m: not symmetric.",
            proof=Proof(("R4", "R5"), code, tests),
        ),
        statement(
            "mass-matrix-definite", "section 6.1.a", "The mass matrix of the printed numbers is positive definite",
            "implied: kinetic energy is positive", f"least eigenvalue {least:.2f}", least > 0.0,
            tolerance="above 0",
            why="The dry inertias themselves are not those of a rigid body: about G 14 + 84 < 100 kg m² (R22); "
            "added mass makes up for it.",
            assumption="G is 0.2 m below P: the text gives only its distance from B.",
            numbers={"ours": least}, proof=Proof(("R22", "R18"), code, tests),
        ),
        agrees(
            "sets-rigid", "section 2.5, sets (1) and (2)",
            "Sets (1) and (2) without added mass against the 6 x 6 system",
            "(1) translations, (2) rotations about G", float(np.abs(bare).max() / np.abs(np.array(own)).max()),
            proof=Proof(("R1",), code, tests),
        ),
        contested(
            "sets-added", "section 2.5, sets (1) and (2)",
            "Sets (1) and (2) with the added masses on their left sides give the same motion as the mass matrix",
            "the same accelerations",
            "Set (2) leaves out the moment about G of the added-mass force: z_G m22 = 80 kg m against an inertia of "
            "34 kg m². The two forms of the document contradict each other. Pelagos solves the 6 x 6 system.",
            ours=f"roll accelerations differ by up to {100 * roll:.0f} % of the largest one, {STATES} random states; "
            f"500 N to starboard, at the height of P (assumed): {peaks[1]:.1f}° of roll (sets), "
            f"{peaks[0]:.1f}° (matrix)",
            numbers={"acceleration, share": float(roll), "roll by the matrix, deg": peaks[0],
                     "roll by the sets, deg": peaks[1]},
            proof=Proof(("R2",), code, tests, ("royer-dynamics",)), off=float(roll), limit=1e-9,
        ),
    ]  # fmt: skip


def equation_rows() -> list[Claim]:
    """All of chapter 2 that is an equation."""
    rng = np.random.default_rng(1985)
    return rigid_body_rows(rng) + kinematic_rows(rng) + force_rows(rng) + drag_rows() + mass_rows(rng)
