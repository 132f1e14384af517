"""Every equation of the hand-written notes against the engine, at random states of a body without any symmetry."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pelagos.reproduce.claim import Claim, Proof, bound, number, quantity, statement, unreproducible
from pelagos.reproduce.document import Findings, Tell
from pelagos.reproduce.nav import printed
from pelagos.reproduce.nav.printed import Array
from pelagos.vehicle.inertia import inertia_of_cylinder, steiner
from pelagos.vehicle.load import load_vehicle
from pelagos.vehicle.pack import mass_matrix
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import VELOCITIES, Body, Coefficient, Vehicle

STATES = 300
ROUNDING = "the same products added in another order: rounding"
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
    about_cg = inertia_of_cylinder(64.4, 0.1, 2.0)
    moved = steiner(about_cg, 64.4, (0.0, 0.0, 0.1))
    code, tests = ("pelagos.vehicle.pack.mass_matrix",), ("tests/reference/test_terms.py",)
    whole = float(np.abs(ours - explicit - body.added).max())
    return [
        bound("mass-matrix", "1) M = M_RB + M_A, both 6 x 6 printed", "mass matrix of the engine against the printed "
              "one, full r_G, inertia and added mass: largest difference", "below", 1e-12 * float(ours.max()), whole,
              "kg .. kg m²",
              why=ROUNDING, proof=Proof(errata=("N1",), code=code, tests=tests)),
        bound("mass-blocks", "M_RB = [m I, -m S; m S, I_0]", "block form with S(a) b = a x b against the printed 6 x 6",
              "below", 1e-12 * float(ours.max()), float(np.abs(blocks - explicit).max()), "kg .. kg m²", why=ROUNDING,
              proof=Proof(errata=("N5",), code=("pelagos.vehicle.pack.rigid_body_matrix",), tests=tests)),
        unreproducible("skew", "S(r_G)", "the matrix printed for S(r_G) makes the block form equal to the 6 x 6",
                       "[0 z -y; -z 0 x; y x 0]", "It is -S with a wrong sign at (3,2), so not even skew-symmetric. "
                       "S(a) = [0 -z y; z 0 -x; -y x 0] gives the printed 6 x 6 exactly.",
                       ours=f"entries differ by up to {quantity(slip)} kg m", numbers={"ours": slip}, unit="kg m",
                       proof=Proof(errata=("N5",), tests=("tests/reproduce/nav/test_equations.py",))),
        statement("added-mass-sign", "M_A = -[X_udot ...]", "M_A is minus the derivatives, which are negative",
                  "-X_udot > 0", f"least eigenvalue of M_A of our torpedo {quantity(torpedo_least())}, its X_udot "
                  f"{quantity(-float(load_vehicle('torpedo').added_mass[0, 0]))} kg",
                  torpedo_least() >= 0.0 and load_vehicle("torpedo").added_mass[0, 0] > 0.0, why="a sign",
                  proof=Proof(errata=("N1",), code=("pelagos.vehicle.added_mass",),
                              tests=("tests/vehicle/test_added_mass.py",))),
        statement("inertia-names", "I_0 in M_RB, J_0 at the end", "one tensor about the origin under two names; for "
                  "simplicity diagonal", "diag(J_x, J_y, J_z)", "solid cylinder, off-diagonal entries "
                  f"{quantity(float(np.abs(about_cg - np.diag(np.diag(about_cg))).max()))}",
                  bool(np.abs(about_cg - np.diag(np.diag(about_cg))).max() == 0.0), why="as stated",
                  proof=Proof(errata=("N15",), code=("pelagos.vehicle.inertia.inertia_of_cylinder",),
                              tests=("tests/vehicle/test_inertia.py",))),
        number("steiner", "J_x = m r²/2, \"w.r.t. origin\"", "the cylinder formulas hold about the centre of gravity: "
               "J_x about an origin 0.1 m above it, m r²/2 + m z_G²", 64.4 * 0.1**2 / 2.0 + 64.4 * 0.1**2,
               float(moved[0, 0]), "kg m²", relative=1e-12, why="Steiner's theorem, closed form",
               assumption="2 m by 0.2 m, 64.4 kg, z_G 0.1 m: chosen for the check.",
               proof=Proof(errata=("N15",), code=("pelagos.vehicle.inertia.steiner",),
                           tests=("tests/vehicle/test_inertia.py",))),
    ]  # fmt: skip


def torpedo_least() -> float:
    """Least eigenvalue of the added mass of the torpedo by formula; 0, its roll turns no water."""
    return float(np.linalg.eigvalsh(load_vehicle("torpedo").added_mass)[0])


def coriolis_claims(body: Rig) -> list[Claim]:
    """Both forms of C_RB, C_A, and that neither does work."""
    plant = Plant(body.vehicle)
    worst: dict[str, float] = dict.fromkeys(("blocks", "explicit", "momentum", "added", "power"), 0.0)
    slip = third = size = 0.0
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
        third = max(third, abs(printed.third_printed(body.added, nu) - float(printed.momenta(body.added, nu)[2])))
    limit = 1e-12 * size
    rigid_tests = ("tests/engine/forces/test_rigid_body.py", "tests/analytic/test_structure.py")
    rigid_proof = Proof(errata=("N6", "N7"), code=("pelagos.engine.forces.rigid_body",), tests=rigid_tests)
    added_code, added_tests = ("pelagos.engine.forces.added_mass",), ("tests/engine/forces/test_added_mass.py",)
    of = f"over {STATES} random states: largest difference from the engine (forces up to {quantity(size)} N or N m)"
    return [
        bound("coriolis-blocks", "2) C_RB, block form", f"C_RB(nu) nu {of}", "below", limit, worst["blocks"], "N or N "
        "m",
              why=ROUNDING, proof=rigid_proof),
        bound("coriolis-explicit", "2) C_RB, 6 x 6", f"C_RB(nu) nu, with + J_x p at (5,6) and without the dots, {of}",
              "below", limit, worst["explicit"], "N or N m", why=ROUNDING,
              proof=replace(rigid_proof, errata=("N7", "N8"))),
        bound("coriolis-momentum", "2) C_RB", f"the same from the momentum of M_RB (m2c) {of}", "below", limit,
              worst["momentum"], "N or N m", why=ROUNDING, proof=rigid_proof),
        unreproducible("coriolis-5-6", "C_RB, entry (5,6)", "C_RB is skew-symmetric: nu' C_RB nu", "0",
                       "- J_xx p is printed where + J_x p must stand to be skew with (6,5): as printed the Coriolis "
                       "forces drive the vehicle.", ours=f"up to {quantity(slip)} W over {STATES} states as printed",
                       numbers={"published": 0.0, "ours": slip}, unit="W",
                       proof=Proof(errata=("N8",), tests=("tests/reproduce/nav/test_equations.py",))),
        bound("coriolis-added", "2) C_A with its fifth column", f"C_A(nu) nu {of}", "below", limit, worst["added"],
              "N or N m", why=ROUNDING, assumption="Column 5, (-a3, 0, a1, -b3, 0, b1), is missing in the notes; skew "
              "symmetry gives it.", proof=Proof(errata=("N9", "N10"), code=added_code, tests=added_tests)),
        unreproducible("coriolis-added-columns", "C_A as printed", "C_A is a 6 x 6 matrix", "6 rows of 5 entries",
                       "A 6 x 5 matrix cannot act on six velocities; see the row above for the missing column.",
                       ours="6 x 6", proof=Proof(errata=("N9",), code=added_code)),
        unreproducible("momentum-a3", "a_3", "a_3 as printed is the third component of the added momentum",
                       "X_w w + Y_w w + Z_w w + ...", "X_wdot u + Y_wdot v + Z_wdot w + ... must stand, as in a_1 and "
                       "a_2; then a, b = -(M_A nu), which the engine uses.",
                       ours=f"off by up to {quantity(third)} kg m/s over {STATES} states", numbers={"ours": third},
                       unit="kg m/s", proof=Proof(errata=("N10",), code=added_code, tests=added_tests)),
        bound("coriolis-power", "2) C = C_RB + C_A", f"C does no work: |nu' C nu| over {STATES} states, by the "
        "engine", "below",
              limit, worst["power"], "W", why=ROUNDING,
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
        bound("damping", "3) D(nu), linear and quadratic", f"D(nu) nu over {STATES} random states: largest difference "
              f"from the engine (forces up to {quantity(drag_size)} N or N m)", "below", 1e-12 * drag_size, drag, "N "
              "or N m",
              why=ROUNDING, proof=Proof(code=("pelagos.engine.forces.coefficients",),
                                        tests=("tests/engine/forces/test_coefficients.py",))),
        bound("restoring", "4) g(eta)", f"g(eta) over {STATES} random attitudes, r_G and r_B off the axis: largest "
              f"difference from the engine (weight {quantity(body.weight)} N)", "below", 1e-12 * body.weight, lift, "N "
              "or N m",
              why=ROUNDING, proof=Proof(errata=("N17",), code=("pelagos.engine.forces.restoring",),
                                        tests=("tests/engine/forces/test_restoring.py",))),
        number("weight", "W = m g", "weight of the body above", 64.4 * water.gravity_m_s2, upward(plant)[0], "N",
               relative=1e-12, why="closed form", proof=Proof(code=("pelagos.engine.forces.restoring",))),
        number("buoyancy", "B = rho V g", "buoyancy of the same body", water.density_kg_m3 * body.vehicle.body.volume_m3
               * water.gravity_m_s2, upward(plant)[1], "N", relative=1e-12, why="closed form",
               proof=Proof(code=("pelagos.engine.forces.restoring",))),
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
    code = ("pelagos.engine.motion", "pelagos.vehicle.plant.Plant")
    return [
        bound("dynamic-equation", "dynamic equation, output", "nu_dot = M^-1 [tau - C nu - D nu - g] with random tau "
              f"over {STATES} states: largest difference from the engine (accelerations up to {quantity(size)} m/s² or "
              "rad/s²)",
              "below", 1e-11 * size, worst, "m/s² or rad/s²", why=f"{ROUNDING}, and one linear system",
              proof=Proof(errata=("N1",), code=code, tests=("tests/reference/test_terms.py",))),
        bound("velocity-position", "output: acceleration, velocity, position", "20 s under a constant tau, the "
              "transcribed equations against the engine, both RK4 with 0.02 s: largest difference of velocity and "
              "position", "below",
              1e-9, apart, "m, rad, m/s or rad/s", why="the same method and steps: rounding, gathered over 1000 steps",
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
