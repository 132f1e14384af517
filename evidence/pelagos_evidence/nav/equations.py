"""Every equation of the hand-written notes against the engine, at random states of a body without any symmetry."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pelagos.vehicle.derive.inertia import inertia_of_cylinder, steiner
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.pack.records import mass_matrix
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import VELOCITIES, Body, Coefficient, Vehicle
from pelagos_evidence.claim import ROUNDING, Claim, Proof, agreed, contested, number, quantity, statement
from pelagos_evidence.document import Findings, Tell
from pelagos_evidence.nav import printed
from pelagos_evidence.nav.hulls import HULLS, inertia_at_cg
from pelagos_evidence.nav.printed import Array

STATES = 300
AXES = "XYZKMN"


@dataclass(frozen=True, eq=False)
class Rig:
    """A body with every entry of every matrix, so that no wrong sign can hide, and its numbers."""

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


def run(tell: Tell) -> Findings:
    """All of it."""
    body = rig()
    claims = [*mass_claims(body), *coriolis_claims(body)]
    tell(0.3)
    claims += force_claims(body)
    tell(0.6)
    claims += whole_claims(body)
    return Findings(tuple(claims))


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


def mass_claims(body: Rig) -> list[Claim]:
    """M_RB, S, M_A, J_0."""
    ours = mass_matrix(body.vehicle)
    explicit = printed.rigid_explicit(body.mass, body.cg, body.inertia)
    blocks = printed.rigid_blocks(body.mass, body.cg, body.inertia, printed.skew(body.cg))
    wrong = printed.skew_printed(body.cg)
    slip = float(np.abs(printed.rigid_blocks(body.mass, body.cg, body.inertia, wrong) - explicit).max())
    code, tests = ("pelagos.vehicle.pack.records.mass_matrix",), ("tests/reference/test_terms.py",)
    limit, unit = 1e-12 * float(ours.max()), "kg, kg m or kg m²"
    least = {hull.name: float(np.diag(hull.by_formula().added_mass)[[0, 1, 2, 4, 5]].min()) for hull in HULLS}
    across = max(float(np.abs(off_diagonal(inertia_at_cg(hull.by_formula()))).max()) for hull in HULLS)
    mass, arm = 64.4, 0.1
    about_origin = float(steiner(inertia_of_cylinder(mass, 0.1, 2.0), mass, (0.0, 0.0, arm))[0, 0])
    return [
        agreed("mass-matrix", "1) M = M_RB + M_A, both 6 x 6", "mass matrix of the engine and the printed one, with "
               "full r_G, inertia and added mass", "the printed 6 x 6 of M_RB plus M_A",
               float(np.abs(ours - explicit - body.added).max()), limit, unit,
               proof=Proof(errata=("N1",), code=code, tests=tests)),
        agreed("mass-blocks", "M_RB = [m I, -m S; m S, I_0]", "block form, with S(a) b = a x b, and the engine's M_RB",
               "[m I, -m S(r_G); m S(r_G), I_0]", float(np.abs(blocks - (ours - body.added)).max()), limit, unit,
               proof=Proof(errata=("N5",), code=("pelagos.vehicle.pack.records.rigid_body_matrix",), tests=tests)),
        contested("skew", "S(r_G)", "the matrix printed for S(r_G) makes the block form equal to the 6 x 6",
                       "[0 z -y; -z 0 x; y x 0]", "It is -S with a wrong sign at (3,2), so not even skew-symmetric. "
                       "S(a) = [0 -z y; z 0 -x; -y x 0] gives the printed 6 x 6 exactly.",
                       ours=f"entries differ by up to {quantity(slip)} kg m", numbers={"ours": slip}, unit="kg m",
                       proof=Proof(errata=("N5",), tests=("tests/evidence/nav/test_equations.py",)),
                       off=slip, limit=1e-12,
        ),
        statement("added-mass-sign", "M_A = -diag{X_udot, ...}", "the derivatives are negative, so that M_A adds to "
                  "the mass: least of X_udot, Y_vdot, Z_wdot, M_qdot, N_rdot in size, of the vehicles made from "
                  "length, radius and mass", "-X_udot, -Y_vdot, ... > 0",
                  ", ".join(f"{quantity(value)} ({name})" for name, value in least.items()),
                  all(value > 0.0 for value in least.values()), why="a sign; K_pdot is 0, see below",
                  proof=Proof(errata=("N1",), code=("pelagos.vehicle.derive.added_mass",),
                              tests=("tests/vehicle/derive/test_added_mass.py",))),
        agreed("inertia-diagonal", "I_0 in M_RB with its products struck out, J_0 at the end", "one tensor under two "
               "names, for simplicity diagonal: products of inertia, about their centres of gravity, of the vehicles "
               "made from length, radius and mass", "diag(J_x, J_y, J_z)", across, 1e-12, "kg m²", ours="diagonal",
               why="rounding, when the tensor is moved from the origin to the centre of gravity",
               proof=Proof(errata=("N15",), code=("pelagos.vehicle.derive.inertia.inertia_of_cylinder",),
                           tests=("tests/vehicle/derive/test_inertia.py",))),
        contested("steiner", "J_0 \"w.r.t. origin\", J_x = m r²/2", "the cylinder formulas give the tensor about "
                       "the origin: J_x of 64.4 kg with r = 0.1 m, centre of gravity 0.1 m below the origin",
                       f"{quantity(mass * 0.1**2 / 2.0)} kg m²",
                       "They hold about the centre of gravity; about the origin m z_G² comes on top (Steiner). The two "
                       "agree where r_G is 0.",
                       ours=f"{quantity(about_origin)} kg m²",
                       numbers={"published": mass * 0.1**2 / 2.0, "ours": about_origin}, unit="kg m²",
                       proof=Proof(errata=("N15",), code=("pelagos.vehicle.derive.inertia.steiner",),
                                   tests=("tests/vehicle/derive/test_inertia.py",)),
                                   off=abs(about_origin - mass * 0.1**2 / 2.0), limit=1e-9,
        ),
    ]  # fmt: skip


def off_diagonal(matrix: Array) -> Array:
    """What is beside the diagonal."""
    return matrix - np.diag(np.diag(matrix))


def coriolis_claims(body: Rig) -> list[Claim]:
    """Both forms of C_RB, C_A, and that neither does work."""
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
    limit, unit = 1e-12 * size, "N or N m"
    rigid_tests = ("tests/engine/forces/test_rigid_body.py", "tests/analytic/test_structure.py")
    rigid_proof = Proof(errata=("N6", "N7"), code=("pelagos.engine.forces.rigid_body",), tests=rigid_tests)
    added_code, added_tests = ("pelagos.engine.forces.added_mass",), ("tests/engine/forces/test_added_mass.py",)
    of = f"and the engine's force, at {STATES} random states (forces up to {quantity(size)} N or N m)"
    return [
        agreed("coriolis-blocks", "2) C_RB, block form", f"C_RB(nu) nu with S(a) b = a x b {of}",
               "[m S(nu2), -m S(S(nu2) r_G); -m S(S(nu2) r_G), m S(S(nu1) r_G) - S(J_0 nu2)]", worst["blocks"], limit,
               unit, proof=replace(rigid_proof, errata=("N5", "N6"))),
        agreed("coriolis-explicit", "2) C_RB, 6 x 6", f"C_RB(nu) nu, with + J_x p at (5,6) and without the dots, {of}",
               "the printed 6 x 6", worst["explicit"], limit, unit, proof=replace(rigid_proof, errata=("N7", "N8"))),
        agreed("coriolis-momentum", "2) C_RB, both forms", f"the Coriolis force from the momentum of the printed M_RB, "
               f"omega x p and omega x h + v x p, {of}", "two forms of one force", worst["momentum"], limit, unit,
               proof=rigid_proof),
        contested("coriolis-5-6", "C_RB, entry (5,6)", "C_RB is skew-symmetric: power nu' C_RB nu with the "
                       "printed entry", "-J_xz r - J_xy q - J_xx p",
                       "+ J_x p must stand in place of - J_xx p to be skew with (6,5). As printed the Coriolis forces "
                       "drive the vehicle; a skew matrix gives 0 W.",
                       ours=f"up to {quantity(slip)} W at {STATES} states as printed",
                       numbers={"published": 0.0, "ours": slip}, unit="W",
                       proof=Proof(errata=("N8",), tests=("tests/evidence/nav/test_equations.py",)),
                       off=slip, limit=1e-9,
        ),
        agreed("coriolis-added", "2) C_A with its fifth column", f"C_A(nu) nu {of}",
               "C_A of a_1 .. b_3", worst["added"], limit, unit,
               assumption="Column 5, (-a3, 0, a1, -b3, 0, b1), is missing in the notes; skew symmetry gives it. a_1 to "
               "a_3 as they must be meant, see below.",
               proof=Proof(errata=("N9", "N10"), code=added_code, tests=added_tests)),
        contested("coriolis-added-columns", "C_A as printed", "C_A is a 6 x 6 matrix", "6 rows of 5 entries",
                       "A 6 x 5 matrix cannot act on six velocities; see the row above for the missing column.",
                       ours="6 x 6", proof=Proof(errata=("N9",), code=added_code), off=6.0 - columns, limit=0.0,
        ),
        contested("momentum-a", "a_1, a_2, a_3", "components of the added momentum as printed",
                       "X_u u + Y_v v + Z_w w + ..., X_u u + Y_v v + Y_w w + ..., X_w w + Y_w w + Z_w w + ...",
                       "In each the first three terms must be one row of M_A times u, v, w: X_udot u + X_vdot v + "
                       "X_wdot w, X_vdot u + Y_vdot v + Y_wdot w, X_wdot u + Y_wdot v + Z_wdot w. As printed a_1 and "
                       "a_2 are wrong for a diagonal M_A too.",
                       ours=f"off by up to {', '.join(quantity(float(s)) for s in slips[:3])} kg m/s at {STATES} "
                       "states", numbers={f"a_{k + 1}": float(slips[k]) for k in range(3)}, unit="kg m/s",
                       proof=Proof(errata=("N10",), code=added_code, tests=added_tests),
                       off=float(max(slips[:3])), limit=1e-9,
        ),
        agreed("momentum-b", "b_1, b_2, b_3", f"components of the added angular momentum as printed and -(M_A nu), at "
               f"{STATES} random states", "X_p u + Y_p v + Z_p w + K_p p + K_q q + K_r r, ...",
               float(slips[3:].max()), 1e-12 * size, "kg m²/s",
               proof=Proof(errata=("N10",), code=added_code, tests=added_tests)),
        agreed("coriolis-power", "2) C = C_RB + C_A", f"C does no work, as a skew matrix: nu' C nu of the engine at "
               f"{STATES} states", "skew-symmetric: 0 W", worst["power"], limit, "W", ours="0 W",
               proof=replace(rigid_proof, errata=("N18",), tests=("tests/analytic/test_structure.py",))),
        munk_claim(added_code, added_tests),
    ]  # fmt: skip


def munk_claim(code: tuple[str, ...], tests: tuple[str, ...]) -> Claim:
    """A diagonal M_A still turns a hull across the flow."""
    torpedo = load_vehicle("torpedo")
    moment = term(Plant(torpedo), "added_mass", np.array([1.5, 0.1, 0.0, 0.0, 0.0, 0.0]), np.zeros(3))[5]
    closed = -(torpedo.added_mass[1, 1] - torpedo.added_mass[0, 0]) * 1.5 * 0.1
    return number("munk", "M_A \"only for the principal diagonal\"", "a diagonal M_A still gives C_A: yaw moment "
                  "of our torpedo at u = 1.5, v = 0.1 m/s, against -(A22 - A11) u v", float(closed),
                  float(moment), "N m", relative=1e-12, why="closed form of the printed C_A",
                  proof=Proof(errata=("N18",), code=code, tests=tests))  # fmt: skip


def force_claims(body: Rig) -> list[Claim]:
    """D and g."""
    plant = Plant(body.vehicle)
    drag = lift = drag_size = 0.0
    for nu, euler in states():
        found = -term(plant, "coefficients", nu, euler)
        drag = max(drag, float(np.abs(found - printed.damping(body.linear, body.quadratic, nu) @ nu).max()))
        drag_size = max(drag_size, float(np.abs(found).max()))
        expected = printed.restoring(body.weight, body.buoyancy, body.cg, body.cb, euler[0], euler[1])
        lift = max(lift, float(np.abs(-plant.forces()["restoring"] - expected).max()))
    water = body.vehicle.water
    return [
        agreed("damping", "3) D(nu), linear and quadratic", f"D(nu) nu and the engine's force, at {STATES} random "
               f"states (forces up to {quantity(drag_size)} N or N m)", "-diag{X_u, ...} - diag{X_u|u| |u|, ...}",
               drag, 1e-12 * drag_size, "N or N m",
               proof=Proof(code=("pelagos.engine.forces.coefficients",),
                           tests=("tests/engine/forces/test_coefficients.py",))),
        agreed("restoring", "4) g(eta)", f"g(eta) and the engine's force, at {STATES} random attitudes, r_G and r_B "
               f"off the axis (weight {quantity(body.weight)} N)", "g(eta), six rows", lift, 1e-12 * body.weight,
               "N or N m",
               proof=Proof(errata=("N17",), code=("pelagos.engine.forces.restoring",),
                           tests=("tests/engine/forces/test_restoring.py",))),
        number("weight", "W = m g", "weight of that body (64.4 kg), from the engine's force and roll moment at level "
               "trim, against the formula", 64.4 * water.gravity_m_s2, upward(plant)[0], "N",
               relative=1e-12, why=ROUNDING, proof=Proof(code=("pelagos.engine.forces.restoring",))),
        number("buoyancy", "B = rho V g", "buoyancy of the same body, from the same, against the formula",
               water.density_kg_m3 * body.vehicle.body.volume_m3 * water.gravity_m_s2, upward(plant)[1], "N",
               relative=1e-12, why=ROUNDING, proof=Proof(code=("pelagos.engine.forces.restoring",))),
    ]  # fmt: skip


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


def whole_claims(body: Rig) -> list[Claim]:
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
    code = ("pelagos.engine.core.motion", "pelagos.vehicle.plant.Plant")
    return [
        agreed("dynamic-equation", "dynamic equation, output", "acceleration of the engine and of the transcribed "
               f"equation with random tau, at {STATES} states (up to {quantity(size)} m/s² or rad/s²)",
               "nu_dot = M^-1 [tau - C nu - D nu - g]", worst, 1e-11 * size, "m/s² or rad/s²",
               why=f"{ROUNDING}, and one linear system of condition {quantity(float(np.linalg.cond(matrix)))}",
               proof=Proof(errata=("N1",), code=code, tests=("tests/reference/test_terms.py",))),
        agreed("velocity-position", "output: acceleration, velocity, position", "20 s under a constant tau, the "
               "transcribed equations and the engine, both by Runge-Kutta of fourth order with 0.02 s: velocity and "
               "position at the end", "acceleration -> velocity -> position", apart, 1e-9, "m, rad, m/s or rad/s",
               why="the same method and steps: rounding, gathered over 1000 steps",
               assumption="The notes have no kinematics; eta_dot = J(eta) nu with Euler angles zyx.",
               proof=Proof(errata=("N16",), code=code, tests=("tests/reference/test_textbook.py",))),
    ]  # fmt: skip


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
    for _ in range(steps):
        k1 = rates(state)
        k2 = rates(state + 0.5 * dt * k1)
        k3 = rates(state + 0.5 * dt * k2)
        k4 = rates(state + dt * k3)
        state = state + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    plant.advance(dt, steps)
    found = np.concatenate([plant.position_n, plant.euler, plant.nu])
    return float(np.abs(found - state).max())
