"""Equations 6.24-6.38: Newton's law in both frames, and how accelerations become velocities and postures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pelagos.units import FOOT, RPM, SLUG
from pelagos.vehicle.pack.records import mass_matrix
from pelagos.vehicle.plant import Plant
from pelagos_evidence.brutzman import printed
from pelagos_evidence.brutzman.equations.rows import (
    MASS_SLUG,
    NU_FT,
    STATES,
    Array,
    acceleration_ft,
    agreed,
    angles,
    forces_lb,
    largest,
    phoenix,
    put,
    velocities,
    world_rates,
)
from pelagos_evidence.claim import Claim, Proof, contested, statement
from pelagos_evidence.document import Findings, Tell

STEPS = (
    "tests/engine/core/test_steppers.py",
    "tests/engine/core/test_integrate.py",
    "tests/reference/test_textbook.py",
)
LEGACY = Proof(("B7",), ("pelagos.engine.core.legacy.brutzman_printed_step",), ("tests/engine/core/test_legacy.py",))
MASS = Proof(
    (),
    ("pelagos.engine.core.mass.acceleration", "pelagos.engine.core.motion.derivative"),
    ("tests/engine/core/test_mass.py",),
)
DT = 0.1  # s, the document's step
FASTEST_S = 0.018  # the shortest decay time of Phoenix at the states drawn here (roll at 0.5 rad/s)


def run(tell: Tell) -> Findings:
    """All rows of section D, 3 to 6."""
    claims = [*_newton(), *_world_acceleration()]
    tell(0.4)
    claims += _schematic()
    tell(0.5)
    claims += _integrals()
    tell(0.8)
    claims += _steps()
    tell(1.0)
    return Findings(tuple(claims))


def _drives(count: int, seed: int) -> tuple[Array, Array]:
    """Random fins (rad) and drives (screws rad/s, tunnels V) for each state."""
    rng = np.random.default_rng(seed)
    fins = rng.uniform(-0.4, 0.4, (count, 4))
    return fins, rng.uniform(-1.0, 1.0, (count, 6)) * [700.0 * RPM, 700.0 * RPM, 24.0, 24.0, 24.0, 24.0]


def _newton() -> list[Claim]:
    """(6.24), (6.28) for the rigid body alone, (6.25), (6.34), (6.35) for the whole vehicle."""
    bare = Plant(replace(phoenix(), added_mass=np.zeros((6, 6))))
    whole = Plant(phoenix())
    body = phoenix().body
    m, r_g = body.mass_kg / SLUG, np.array(body.cg_b) / FOOT
    inertia = body.inertia_o / (SLUG * FOOT**2)
    M = mass_matrix(phoenix()) / MASS_SLUG
    fins, drives = _drives(STATES, 241)
    pushed, rate, left, right, gained, solved, told = [], [], [], [], [], [], []
    for a, nu, fin, drive in zip(angles(STATES, 242), velocities(STATES, 243), fins, drives, strict=True):
        put(bare, a, nu, fin, drive)
        pushed.append(forces_lb(bare) - forces_lb(bare, ["rigid_body"]))
        change, v, w = acceleration_ft(bare), nu[:3], nu[3:]
        impulse = m * (v + np.cross(w, r_g))
        turning = inertia @ w + m * np.cross(r_g, v)
        rate.append(
            np.concatenate(
                [
                    m * (change[:3] + np.cross(change[3:], r_g)) + np.cross(w, impulse),
                    inertia @ change[3:] + m * np.cross(r_g, change[:3]) + np.cross(w, turning) + np.cross(v, impulse),
                ]
            )
        )
        put(whole, a, nu, fin, drive)
        now, total = acceleration_ft(whole), forces_lb(whole)
        left.append(M @ now)
        right.append(total)
        solved.append(np.linalg.inv(M) @ total)
        told.append(now)
        whole.set_actuators(surfaces=fin, thrusters=drive)
        whole.advance(DT, 1, "euler")
        gained.append((whole.nu / NU_FT - nu) / DT)
    return [
        agreed(
            "eq-newton", "equations 6.24, 6.28", "force is the rate of change of momentum, rigid body alone (no added "
            "mass): forces of the engine against the change of linear and angular momentum by its accelerations",
            "F = d(M V)/dt", largest(rate, pushed), proof=Proof((), ("pelagos.engine.forces.rigid_body.rigid_body",),
            ("tests/engine/forces/test_rigid_body.py", "tests/analytic/test_conservation.py")),
        ),
        agreed(
            "eq-body-acceleration", "equation 6.25", "the six accelerations are the rates of u ... r in the body "
            "frame: what the engine reports against the change of velocity in one explicit step",
            "V-dot_body = (u v w p q r)-dot", largest(gained, told), proof=MASS,
        ),
        agreed(
            "eq-grouped", "equation 6.34", "mass matrix times accelerations is the sum of all forces",
            "M V-dot = velocity-related + other forces", largest(left, right),
            proof=replace(MASS, errata=("B5",)),
        ),
        agreed(
            "eq-solved", "equation 6.35", "accelerations are the inverse mass matrix times the right-hand sides",
            "V-dot = M^-1 F (printed with double dots)", largest(told, solved), proof=replace(MASS, errata=("B6",)),
        ),
    ]  # fmt: skip


def _world_acceleration() -> list[Claim]:
    """(6.26), (6.27): the acceleration of the world rates along the engine's own motion."""
    plant = Plant(phoenix(), euler_angles=True)
    h = 1e-5
    found, expected, apart = [], [], []
    for a, nu in zip(angles(40, 261, 1.0), velocities(40, 262), strict=True):
        put(plant, a, nu)
        own = acceleration_ft(plant)
        turn = printed.angle_rates(a[0], a[1], *nu[3:])
        J = printed.body_to_world(*a)
        J_rate = (printed.body_to_world(*(a + h * turn)) - printed.body_to_world(*(a - h * turn))) / (2.0 * h)
        expected.append(J_rate @ nu + J @ own)
        apart.append(np.abs(expected[-1] - J @ own).max())
        later = []
        for steps in (1, 2):
            put(plant, a, nu)
            plant.advance(h, steps, "rk4")
            later.append(world_rates(plant, plant.state["attitude"][:3].copy(), plant.nu / NU_FT))
        found.append((4.0 * later[0] - later[1] - 3.0 * (J @ nu)) / (2.0 * h))
    proof = Proof((), ("pelagos.engine.core.motion.derivative",), ("tests/engine/core/test_motion.py",))
    return [
        agreed(
            "eq-world-acceleration", "equations 6.26-6.27", "acceleration of the six world rates, by the product rule",
            "A_world = d/dt[R 0; 0 T] V_body + [R 0; 0 T] A_body", largest(found, expected),
            allowed=(h / FASTEST_S) ** 2, states=40,
            why=f"a difference over steps of 1e-5 s is of second order: good to the square of (step over {FASTEST_S:g} "
            "s, the shortest decay time of the vehicle)",
            proof=proof,
        ),
        statement(
            "eq-accelerations-differ", "section D.3", "world accelerations are not body accelerations turned, because "
            "the body frame rotates", "not equivalent", f"they differ by up to {max(apart):.2f} ft/s2 or rad/s2",
            max(apart) > 0.1, why="any sizeable difference shows it", proof=proof,
        ),
    ]  # fmt: skip


def _schematic() -> list[Claim]:
    """(6.29), (6.30) taken at their word, omega crossed with each half of V."""
    plant = Plant(phoenix())
    M = mass_matrix(phoenix()) / MASS_SLUG
    off, size = [], []
    for a, nu in zip(angles(STATES, 291), velocities(STATES, 292), strict=True):
        put(plant, a, nu)
        outside = forces_lb(plant) - forces_lb(plant, ["rigid_body"])
        crossed = np.concatenate([np.cross(nu[3:], nu[:3]), np.cross(nu[3:], nu[3:])])
        own = acceleration_ft(plant)
        off.append(np.linalg.inv(M) @ outside - crossed - own)
        size.append(own)
    by_axis = np.sqrt(np.mean(np.square(off), axis=0) / np.mean(np.square(size), axis=0))
    share, worst = float(by_axis.max()), "surge sway heave roll pitch yaw".split()[int(by_axis.argmax())]
    return [
        contested(
            "eq-schematic", "equations 6.29-6.30", "Newton's law in the body frame with one cross product for six "
            "components",
            "V-dot = M^-1 F - omega x V",
            "omega x V does not exist for six components. Crossing each half of V leaves out omega x (I omega) and the "
            "offset of the centre of gravity, and lets the added mass turn with the body; the document's own equations "
            "6.48-6.53 say otherwise and are what is implemented.",
            ours=f"read half by half it misses the accelerations of 6.48-6.53 by up to {100.0 * share:.0f} % ({worst}, "
            f"rms)",
            numbers={"ours": share}, unit="1",
            proof=Proof(("B4",), ("pelagos.engine.forces.rigid_body.rigid_body",),
            ("tests/engine/forces/test_rigid_body.py",)), off=share, limit=1e-9,
        )
    ]  # fmt: skip


def _integrals() -> list[Claim]:
    """(6.31)-(6.33) along a turning, rolling run of the engine, by Simpson's rule, without and with a current."""
    plant, n, h = Plant(phoenix(), euler_angles=True), 2000, 0.0005
    fins, drives = _drives(1, 311)
    nu0, a0 = velocities(1, 312)[0], np.array([0.1, -0.2, 0.4])
    put(plant, a0, nu0)
    plant.set_actuators(surfaces=fins[0], thrusters=drives[0], at_once=True)
    start = plant.position_n.copy() / FOOT
    change: list[Array] = []
    flow: list[Array] = []
    for i in range(n + 1):
        change.append(acceleration_ft(plant))
        attitude = plant.state["attitude"][:3].copy()
        flow.append(printed.body_to_world(*attitude) @ (plant.nu / NU_FT))
        if i < n:
            plant.advance(h, 1, "rk4")
    gained = plant.nu / NU_FT
    weights = np.ones(n + 1)
    weights[1:-1:2], weights[2:-1:2] = 4.0, 2.0
    weights *= h / 3.0
    velocity = nu0 + weights @ np.array(change)
    posture = np.concatenate([start, a0]) + weights @ np.array(flow)
    reached = np.concatenate([plant.position_n / FOOT, plant.state["attitude"][:3]])
    current = np.array([0.7, -0.4, 0.1])
    put(plant, a0, nu0 + np.concatenate([printed.rotation_entries(*a0).T @ current, np.zeros(3)]))
    plant.water["current"] = current * FOOT
    plant.advance(h, n, "rk4")
    drifted = np.concatenate([plant.position_n / FOOT, plant.state["attitude"][:3]])
    plant.water["current"] = 0.0
    seconds = n * h
    expected = posture + np.concatenate([current * seconds, np.zeros(3)])
    proof = Proof((), ("pelagos.engine.core.integrate.advance", "pelagos.engine.core.steppers.explicit_step"), STEPS)
    # both errors for a decay exp(-t/tau): h^4/(180 tau^4) and h^4/(120 tau^4) of the change
    allowed = (h / FASTEST_S) ** 4 * (1.0 / 180.0 + 1.0 / 120.0)
    why = (
        f"Simpson's rule and RK4, both of fourth order, at 0.5 ms: (0.5 ms / {FASTEST_S:g} s, the shortest decay time "
        f"of the vehicle)^4 times 1/180 + 1/120 is {allowed:.0e} of the change"
    )
    return [
        agreed(
            "eq-velocity-integral", "equation 6.31", "velocity is the integral of the accelerations, along a run of 1 "
            "s",
            "V(t0 + dt) = int V-dot dt + V(t0)", largest(gained, velocity), allowed=allowed,
            states=f"{n + 1} instants of the run", why=why, proof=proof,
        ),
        agreed(
            "eq-posture-integral", "equation 6.32", "posture is the integral of the body velocities turned to the "
            "world",
            "int V_world dt = int (V_body)_body->world dt", largest(reached, posture), allowed=allowed,
            states=f"{n + 1} instants of the run", why=why,
            proof=proof,
        ),
        agreed(
            "eq-current", "equation 6.33", "the same run in a uniform current: the posture gains the current's way, "
            "nothing else changes", "Posture = int V dt + int current dt + Posture(t0)", largest(drifted, expected),
            allowed=allowed,
            states=f"{n + 1} instants of the run", why=why, proof=replace(proof, errata=("B15",),
            tests=("tests/engine/core/test_motion.py", *STEPS)),
        ),
    ]  # fmt: skip


def _steps() -> list[Claim]:
    """(6.36)-(6.38) by the engine's Euler step and by its legacy stepper of the printed mixture."""
    plant = Plant(phoenix(), euler_angles=True)
    fins, drives = _drives(STATES, 361)
    euler, by_euler, heun, by_heun, posture, by_posture = [], [], [], [], [], []
    for a, nu, fin, drive in zip(angles(STATES, 362), velocities(STATES, 363), fins, drives, strict=True):
        put(plant, a, nu)
        plant.set_actuators(surfaces=fin, thrusters=drive, at_once=True)
        start = np.concatenate([plant.position_n / FOOT, a])
        first = acceleration_ft(plant)
        plant.advance(DT, 1, "euler")
        euler.append(plant.nu / NU_FT)
        by_euler.append(nu + DT * first)
        second = acceleration_ft(plant)
        by_heun.append(nu + DT * 0.5 * (second + first))
        put(plant, a, nu)
        plant.advance(DT, 1, "brutzman_printed")
        heun.append(plant.nu / NU_FT)
        posture.append(np.concatenate([plant.position_n / FOOT, plant.state["attitude"][:3]]))
        by_posture.append(start + DT * printed.body_to_world(*a) @ nu)
    euler_step = Proof((), ("pelagos.engine.core.steppers.explicit_step",), STEPS)
    return [
        agreed(
            "eq-euler-step", "equation 6.36", "Euler's step for the velocities, 0.1 s",
            "V(t0 + dt) = dt V-dot(t0) + V(t0)",
            largest(euler, by_euler), proof=euler_step,
        ),
        agreed(
            "eq-heun-step", "equation 6.37", "Heun's step for the velocities, 0.1 s: mean of the accelerations at the "
            "start and at the end of an Euler step", "V(t0 + dt) = dt/2 (V-dot(t0 + dt) + V-dot(t0)) + V(t0)",
            largest(heun, by_heun), proof=LEGACY,
        ),
        agreed(
            "eq-posture-step", "equation 6.38", "Euler's step for the posture, 0.1 s, with the old velocity",
            "P(t0 + dt) = dt V_world(t0) + P(t0)", largest(posture, by_posture),
            ours="the same in the stepper brutzman_printed; Pelagos steps the whole state by RK4 unless told otherwise",
            proof=LEGACY,
        ),
    ]  # fmt: skip
