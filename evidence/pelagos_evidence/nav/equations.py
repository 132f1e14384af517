"""Every equation of the hand-written notes against the engine, at random states of an asymmetric body."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pelagos.vehicle.derive.inertia import inertia_of_cylinder, steiner
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.pack.records import mass_matrix
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import AXES, VELOCITIES, Body, Coefficient, Vehicle
from pelagos_evidence.claim import quantity
from pelagos_evidence.document import Findings, Progress
from pelagos_evidence.nav import printed
from pelagos_evidence.nav.hulls import HULLS, inertia_at_cg
from pelagos_evidence.rows import Array, Rows, Values
from pelagos_evidence.runge_kutta import runge_kutta_4

STATES = 300  # random states for each equation: a wrong term shows at almost every one


ROWS = Rows(__file__, STATES=STATES)


@dataclass(frozen=True, eq=False)
class Rig:
    """A body with full matrices, so that a wrong sign in any entry changes the result, and its numbers."""

    vehicle: Vehicle
    mass: float
    cg: Array
    cb: Array
    inertia: Array
    added: Array
    linear: Array
    quadratic: Array
    weight: float
    buoyancy: float


def rig() -> Rig:
    """The body: a slender hull whose centres lie off the origin, full inertia and added mass, twelve dampings."""
    rng = np.random.default_rng(2)
    base = load_vehicle("torpedo")
    cg, cb, mass = np.array([0.05, -0.03, 0.04]), np.array([-0.02, 0.01, -0.03]), 64.4
    about_cg = np.diag([0.9, 21.0, 22.0]) + np.array([[0, -0.1, 0.2], [-0.1, 0, 0.15], [0.2, 0.15, 0]])
    inertia = steiner(about_cg, mass, (0.05, -0.03, 0.04))
    mixed = rng.normal(size=(6, 6)) * [1, 3, 3, 0.2, 1, 1]
    added = mixed.T @ mixed + np.diag([6.44, 64.4, 64.4, 0.5, 21.5, 21.5])
    linear, quadratic = -rng.uniform(1.0, 20.0, 6), -rng.uniform(1.0, 60.0, 6)
    water = base.water
    volume = (mass + 0.7) / water.density_kg_m3
    terms = tuple(
        Coefficient(f"{AXES[i]}_{x}{bars}", i, (x, f"|{x}|") if bars else (x,), float(values[i]), float(values[i]))
        for i, x in enumerate(VELOCITIES)
        for bars, values in (("", linear), (f"|{x}|", quadratic))
    )
    body = Body(mass, volume, (0.05, -0.03, 0.04), (-0.02, 0.01, -0.03), inertia)
    vehicle = replace(
        base, body=body, added_mass=added, coefficients=terms, crossflow=None, fins=(), surfaces=(), thrusters=(),
        coriolis="full",
    )  # fmt: skip
    gravity = water.gravity_m_s2
    return Rig(vehicle, mass, cg, cb, inertia, added, linear, quadratic, mass * gravity,
               water.density_kg_m3 * volume * gravity)  # fmt: skip


def run(progress: Progress) -> Findings:
    """Compare all equations."""
    body = rig()
    values = {**mass_values(body), **coriolis_values(body)}
    progress(0.3)
    values |= force_values(body)
    progress(0.6)
    values |= whole_values(body)
    return Findings(ROWS.claims(values))


def states(count: int = STATES) -> list[tuple[Array, Array]]:
    """Random velocities and attitudes."""
    rng = np.random.default_rng(7)
    return [
        (rng.uniform(-1.0, 1.0, 6) * [2, 1, 1, 0.5, 0.5, 0.5], rng.uniform(-1.0, 1.0, 3) * [1.2, 1.2, 3.0])
        for _ in range(count)
    ]


def term(plant: Plant, name: str, nu: Array, euler: Array) -> Array:
    """One force of the engine at a state."""
    plant.place(position_n=(0.0, 0.0, 20.0), euler=tuple(euler), nu=nu)
    return plant.forces()[name]


def mass_values(body: Rig) -> Values:
    """M_RB, S, M_A, J_0."""
    ours = mass_matrix(body.vehicle)
    explicit = printed.rigid_explicit(body.mass, body.cg, body.inertia)
    blocks = printed.rigid_blocks(body.mass, body.cg, body.inertia, printed.skew(body.cg))
    wrong = printed.skew_printed(body.cg)
    slip = float(np.abs(printed.rigid_blocks(body.mass, body.cg, body.inertia, wrong) - explicit).max())
    limit = 1e-12 * float(ours.max())
    least = {hull.name: float(np.diag(hull.by_formula().added_mass)[[0, 1, 2, 4, 5]].min()) for hull in HULLS}
    across = max(float(np.abs(off_diagonal(inertia_at_cg(hull.by_formula()))).max()) for hull in HULLS)
    mass, arm = 64.4, 0.1
    about_origin = float(steiner(inertia_of_cylinder(mass, 0.1, 2.0), mass, (0.0, 0.0, arm))[0, 0])
    return {
        "mass-matrix": {"difference": float(np.abs(ours - explicit - body.added).max()), "limit": limit},
        "mass-blocks": {"difference": float(np.abs(blocks - (ours - body.added)).max()), "limit": limit},
        "skew": slip,
        "added-mass-sign": {
            "value": min(least.values()),
            "ours": ", ".join(f"{quantity(value)} ({name})" for name, value in least.items()),
        },
        "inertia-diagonal": across,
        "steiner": {
            "off": abs(about_origin - mass * 0.1**2 / 2.0),
            "mass": mass * 0.1**2 / 2.0,
            "about_origin": about_origin,
        },
    }


def off_diagonal(matrix: Array) -> Array:
    """The matrix without its diagonal."""
    return matrix - np.diag(np.diag(matrix))


def coriolis_values(body: Rig) -> Values:
    """Both forms of C_RB, C_A, and their power, which is zero."""
    plant = Plant(body.vehicle)
    worst: dict[str, float] = dict.fromkeys(("blocks", "explicit", "momentum", "added", "power"), 0.0)
    slip = size = 0.0
    slips = np.zeros(6)
    for nu, euler in states():
        rigid, added = -term(plant, "rigid_body", nu, euler), -term(plant, "added_mass", nu, euler)
        explicit = printed.coriolis_explicit(body.mass, body.cg, body.inertia, nu)
        forms = {
            "blocks": printed.coriolis_blocks(body.mass, body.cg, body.inertia, nu) @ nu - rigid,
            "explicit": explicit @ nu - rigid,
            "momentum": printed.from_momentum(printed.rigid_explicit(body.mass, body.cg, body.inertia), nu) - rigid,
            "added": printed.coriolis_added(body.added, nu) @ nu - added,
            "power": np.array([nu @ (rigid + added)]),
        }
        for key, values in forms.items():
            worst[key] = max(worst[key], float(np.abs(values).max()))
        size = max(size, float(np.abs(np.concatenate([rigid, added])).max()))
        as_printed = printed.coriolis_explicit(body.mass, body.cg, body.inertia, nu, -1.0)
        slip = max(slip, abs(float(nu @ as_printed @ nu)))
        slips = np.maximum(slips, np.abs(printed.momenta_printed(body.added, nu) - printed.momenta(body.added, nu)))
    columns = float(printed.coriolis_added_printed(body.added, np.ones(6)).shape[1])
    limit = 1e-12 * size
    return {
        "coriolis-blocks": {"difference": worst["blocks"], "limit": limit, "size": size},
        "coriolis-explicit": {"difference": worst["explicit"], "limit": limit, "size": size},
        "coriolis-momentum": {"difference": worst["momentum"], "limit": limit, "size": size},
        "coriolis-5-6": slip,
        "coriolis-added": {"difference": worst["added"], "limit": limit, "size": size},
        "coriolis-added-columns": 6.0 - columns,
        "momentum-a": {
            "off": float(max(slips[:3])),
            "errors": ", ".join(quantity(float(s)) for s in slips[:3]),
            "numbers": {f"a_{k + 1}": float(slips[k]) for k in range(3)},
        },
        "momentum-b": {"difference": float(slips[3:].max()), "limit": 1e-12 * size},
        "coriolis-power": {"difference": worst["power"], "limit": limit},
        **munk_values(),
    }


def munk_values() -> Values:
    """The Munk moment of a diagonal M_A."""
    torpedo = load_vehicle("torpedo")
    moment = term(Plant(torpedo), "added_mass", np.array([1.5, 0.1, 0.0, 0.0, 0.0, 0.0]), np.zeros(3))[5]
    closed = -(torpedo.added_mass[1, 1] - torpedo.added_mass[0, 0]) * 1.5 * 0.1
    return {"munk": {"published": float(closed), "ours": float(moment)}}


def force_values(body: Rig) -> Values:
    """D and g."""
    plant = Plant(body.vehicle)
    drag = lift = drag_size = 0.0
    for nu, euler in states():
        computed = -term(plant, "coefficients", nu, euler)
        drag = max(drag, float(np.abs(computed - printed.damping(body.linear, body.quadratic, nu) @ nu).max()))
        drag_size = max(drag_size, float(np.abs(computed).max()))
        expected = printed.restoring(body.weight, body.buoyancy, body.cg, body.cb, euler[0], euler[1])
        lift = max(lift, float(np.abs(-plant.forces()["restoring"] - expected).max()))
    return {
        "damping": {"difference": drag, "limit": 1e-12 * drag_size, "drag_size": drag_size},
        "restoring": {"difference": lift, "limit": 1e-12 * body.weight, "body": body},
        "weight": {"published": body.weight, "ours": upward(plant)[0]},
        "buoyancy": {"published": body.buoyancy, "ours": upward(plant)[1]},
    }


def upward(plant: Plant) -> tuple[float, float]:
    """Weight and buoyancy that the engine's wrench holds: from its force and its roll moment at level trim."""
    force = term(plant, "restoring", np.zeros(6), np.zeros(3))
    body = plant.vehicle.body
    # Z = W - B and K = y_G W - y_B B at level trim
    solved = np.linalg.solve([[1.0, -1.0], [body.cg_b[1], -body.cb_b[1]]], [force[2], force[3]])
    return float(solved[0]), float(solved[1])


def acceleration(body: Rig, matrix: Array, nu: Array, euler: Array, tau: Array) -> Array:
    """nu_dot = M^-1 [tau - C nu - D nu - g], every part as transcribed."""
    turning = printed.coriolis_blocks(body.mass, body.cg, body.inertia, nu) + printed.coriolis_added(body.added, nu)
    resisting = printed.damping(body.linear, body.quadratic, nu)
    weight = printed.restoring(body.weight, body.buoyancy, body.cg, body.cb, euler[0], euler[1])
    return np.linalg.solve(matrix, tau - (turning + resisting) @ nu - weight).astype(np.float64)


def whole_values(body: Rig) -> Values:
    """The dynamic equation, and acceleration to velocity to position."""
    plant = Plant(body.vehicle, euler_angles=True)
    matrix = printed.rigid_explicit(body.mass, body.cg, body.inertia) + body.added
    rng = np.random.default_rng(3)
    worst = size = 0.0
    for nu, euler in states():
        tau = rng.normal(size=6) * [50, 50, 50, 5, 20, 20]
        plant.place(position_n=(0.0, 0.0, 20.0), euler=tuple(euler), nu=nu)
        plant.command["external"][:] = tau
        expected = acceleration(body, matrix, nu, euler, tau)
        worst = max(worst, float(np.abs(plant.acceleration() - expected).max()))
        size = max(size, float(np.abs(expected).max()))
    apart = flown_apart(body, plant, matrix)
    return {
        "dynamic-equation": {
            "difference": worst,
            "limit": 1e-11 * size,
            "size": size,
            "matrix": np.linalg.cond(matrix),
        },
        "velocity-position": apart,
    }


def flown_apart(body: Rig, plant: Plant, matrix: Array, steps: int = 1000, dt: float = 0.02) -> float:
    """Largest difference after a run of the transcription and of the engine."""
    tau = np.array([40.0, 8.0, -6.0, 0.5, 1.0, -2.0])

    def rates(state: Array) -> Array:
        eta, nu = state[:6], state[6:]
        return np.concatenate([printed.euler_rates(eta[3], eta[4], eta[5], nu),
                               acceleration(body, matrix, nu, eta[3:], tau)])  # fmt: skip

    state = np.zeros(12)
    state[2] = 20.0
    plant.place(position_n=state[:3], euler=tuple(state[3:6]), nu=state[6:])
    plant.command["external"][:] = tau
    plant.advance(dt, steps)
    flown = np.concatenate([plant.position_n, plant.euler, plant.nu])
    return float(np.abs(flown - runge_kutta_4(rates, state, dt, steps)).max())
