"""Equations 6.24-6.38: Newton's law in both frames, and integration to velocities and postures."""

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
    acceleration_ft,
    angles,
    equation,
    forces_lb,
    largest,
    phoenix,
    put,
    velocities,
    world_rates,
)
from pelagos_evidence.document import Findings, Progress
from pelagos_evidence.rows import Array, Rows, Values

DT = 0.1  # s, the document's step
FASTEST_S = 0.018  # the shortest decay time of Phoenix at the states drawn here (roll at 0.5 rad/s)


ROWS = Rows(__file__, kinds=(equation,), FASTEST_S=FASTEST_S)


def run(progress: Progress) -> Findings:
    """All rows of section D, 3 to 6."""
    values = {**_newton(), **_world_acceleration()}
    progress(0.4)
    values |= _schematic()
    progress(0.5)
    values |= _integrals()
    progress(0.8)
    values |= _steps()
    return Findings(ROWS.claims(values))


def _drives(count: int, seed: int) -> tuple[Array, Array]:
    """Random fins (rad) and drives (screws rad/s, tunnels V) for each state."""
    rng = np.random.default_rng(seed)
    fins = rng.uniform(-0.4, 0.4, (count, 4))
    return fins, rng.uniform(-1.0, 1.0, (count, 6)) * [700.0 * RPM, 700.0 * RPM, 24.0, 24.0, 24.0, 24.0]


def _newton() -> Values:
    """(6.24), (6.28) for the rigid body alone, (6.25), (6.34), (6.35) for the whole vehicle."""
    bare = Plant(replace(phoenix(), added_mass=np.zeros((6, 6))))
    whole = Plant(phoenix())
    body = phoenix().body
    m, r_g = body.mass_kg / SLUG, np.array(body.cg_b) / FOOT
    inertia = body.inertia_o / (SLUG * FOOT**2)
    M = mass_matrix(phoenix()) / MASS_SLUG
    fins, drives = _drives(STATES, 241)
    pushed, rate, left, right, gained, solved, computed = [], [], [], [], [], [], []
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
        computed.append(now)
        whole.set_actuators(surfaces=fin, thrusters=drive)
        whole.advance(DT, 1, "euler")
        gained.append((whole.nu / NU_FT - nu) / DT)
    return {
        "eq-newton": largest(rate, pushed),
        "eq-body-acceleration": largest(gained, computed),
        "eq-grouped": largest(left, right),
        "eq-solved": largest(computed, solved),
    }


def _world_acceleration() -> Values:
    """(6.26), (6.27): the acceleration of the world rates along the engine's own motion."""
    plant = Plant(phoenix(), euler_angles=True)
    h = 1e-5
    computed, expected, apart = [], [], []
    for a, nu in zip(angles(40, 261, 1.0), velocities(40, 262), strict=True):
        put(plant, a, nu)
        acceleration = acceleration_ft(plant)
        turn = printed.angle_rates(a[0], a[1], *nu[3:])
        J = printed.body_to_world(*a)
        J_rate = (printed.body_to_world(*(a + h * turn)) - printed.body_to_world(*(a - h * turn))) / (2.0 * h)
        expected.append(J_rate @ nu + J @ acceleration)
        apart.append(np.abs(expected[-1] - J @ acceleration).max())
        later = []
        for steps in (1, 2):
            put(plant, a, nu)
            plant.advance(h, steps, "rk4")
            later.append(world_rates(plant, plant.state["attitude"][:3].copy(), plant.nu / NU_FT))
        computed.append((4.0 * later[0] - later[1] - 3.0 * (J @ nu)) / (2.0 * h))
    return {
        "eq-world-acceleration": {"difference": largest(computed, expected), "allowed": (h / FASTEST_S) ** 2},
        "eq-accelerations-differ": max(apart),
    }


def _schematic() -> Values:
    """(6.29), (6.30) read literally: omega crossed with each half of V."""
    plant = Plant(phoenix())
    M = mass_matrix(phoenix()) / MASS_SLUG
    off, size = [], []
    for a, nu in zip(angles(STATES, 291), velocities(STATES, 292), strict=True):
        put(plant, a, nu)
        outside = forces_lb(plant) - forces_lb(plant, ["rigid_body"])
        crossed = np.concatenate([np.cross(nu[3:], nu[:3]), np.cross(nu[3:], nu[3:])])
        acceleration = acceleration_ft(plant)
        off.append(np.linalg.inv(M) @ outside - crossed - acceleration)
        size.append(acceleration)
    by_axis = np.sqrt(np.mean(np.square(off), axis=0) / np.mean(np.square(size), axis=0))
    share, worst = float(by_axis.max()), "surge sway heave roll pitch yaw".split()[int(by_axis.argmax())]
    return {"eq-schematic": {"off": share, "share": 100.0 * share, "worst": worst}}


def _integrals() -> Values:
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
    # both errors for a decay exp(-t/tau): h^4/(180 tau^4) and h^4/(120 tau^4) of the change
    allowed = (h / FASTEST_S) ** 4 * (1.0 / 180.0 + 1.0 / 120.0)
    return {
        "eq-velocity-integral": {"difference": largest(gained, velocity), "allowed": allowed, "n": n + 1},
        "eq-posture-integral": {"difference": largest(reached, posture), "allowed": allowed, "n": n + 1},
        "eq-current": {"difference": largest(drifted, expected), "allowed": allowed, "n": n + 1},
    }


def _steps() -> Values:
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
    return {
        "eq-euler-step": largest(euler, by_euler),
        "eq-heun-step": largest(heun, by_heun),
        "eq-posture-step": largest(posture, by_posture),
    }
