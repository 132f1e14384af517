"""The printed matrices of the Gavia notes against the engine: the whole of x_dot = A x + B tau, M and G."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pelagos.engine.forces.fins import STILL
from pelagos.errors import VehicleFileError
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.pack.records import mass_matrix, pack, rigid_body_matrix
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle
from pelagos_evidence.claim import Claim, Proof, agreed, contested, quantity, statement
from pelagos_evidence.document import Findings, Tell
from pelagos_evidence.gavia import printed
from pelagos_evidence.gavia.inputs import input_claims, put
from pelagos_evidence.gavia.printed import RPM, Array

NUMBERS = "The notes print symbols; the numbers are those of the program they describe."
SET = "Inertia and added mass are those of a rigid body of the stated mass (prolate spheroid), see G2."


def run(tell: Tell) -> Findings:
    """Every printed matrix of the dynamic model."""
    gavia = load_vehicle("gavia")
    claims = [*whole_model(gavia), *mass_claims(gavia)]
    tell(0.4)
    claims += [*restoring_claims(gavia), *input_claims(gavia)]
    tell(1.0)
    return Findings(tuple(claims))


def whole_model(gavia: Vehicle) -> list[Claim]:
    """x_dot = A x + B tau, its matrices taken at each state."""
    plant, frozen = Plant(gavia), Plant(load_vehicle("gavia_author"))
    matrix = mass_matrix(gavia)
    rigid = rigid_body_matrix(gavia.body.mass_kg, gavia.body.cg_b, gavia.body.inertia_o)
    k = printed.inputs(printed.K_PROP / RPM**2, printed.lift_of_fins())
    k[2] *= -1.0  # G8
    worst = largest = turned = astray = 0.0
    rng = np.random.default_rng(4)
    fastest, widest = 80.0, 0.3  # rad/s of the shaft, rad of the fins
    for _ in range(300):
        nu = rng.uniform(-1.0, 1.0, 6) * [2.0, 0.5, 0.5, 0.3, 0.3, 0.3]
        phi, theta, psi = rng.uniform(-1.0, 1.0, 3) * [0.8, 0.8, 3.0]
        rudder, plane = rng.uniform(-widest, widest, 2)
        shaft = float(rng.uniform(0.0, fastest))
        put(plant, nu, (phi, theta, psi), shaft, (rudder, rudder, plane, plane))
        tau = k @ (np.array([1.0, rudder, rudder, plane, plane]) * shaft**2)
        resisting = printed.damping(nu) + printed.lift(abs(nu[0]))
        expected = np.linalg.solve(
            matrix,
            tau
            - printed.turning(rigid, nu)
            - resisting @ nu
            - printed.restoring_force(phi, theta, *weight_and_buoyancy(gavia)),
        )
        found = plant.acceleration()
        put(frozen, nu, (phi, theta, psi), shaft, (rudder, rudder, plane, plane))
        astray = max(astray, float(np.abs(frozen.acceleration() - found).max()))
        worst = max(worst, float(np.abs(found - expected).max()))
        largest = max(largest, float(np.abs(expected).max()))
        turned = max(turned, abs(float(printed.damping(nu)[0, 0]) - 7.2))
    proof = Proof(
        errata=("G5", "G6", "G7", "B58"),
        code=("pelagos.vehicle.plant.Plant.acceleration", "pelagos.engine.core.motion"),
        tests=("tests/evidence/gavia/test_model.py", "tests/reference/test_terms.py"),
    )
    # a pair of fins loses STILL of the stream's speed in its angle: this much force, and what M^-1 makes of it
    lost = 2.0 * printed.lift_of_fins() * fastest * widest * STILL / printed.BLADE_RADIUS_M
    arm = printed.RUDDER_ARM_M
    limit = float((np.abs(np.linalg.inv(matrix)) @ (lost * np.array([0.0, 1.0, 1.0, 0.0, arm, arm]))).max())
    damped, lifted, massed = shared_numbers(gavia)
    same = damped + lifted + massed
    return [
        agreed(
            "state-equation", "first equation, A and B",
            "accelerations of x_dot = A x + B tau with C, D, L and G taken at each state, and of the engine, at 300 "
            f"random states (up to {quantity(largest)} m/s² or rad/s²)",
            "M^-1 [-C(v) - D(v) - L(v)] v - M^-1 G(eta) + M^-1 tau", worst, limit + 1e-12 * largest, "m/s² or rad/s²",
            why="rounding, and 1e-9 m/s by which the engine keeps the angle of attack of a fin finite",
            assumption=f"{NUMBERS} {SET} C is that of the rigid body alone, L acts with |u|, and the whole g(eta) "
            "stands for G(eta) eta.",
            proof=proof,
        ),
        contested(
            "constant-matrices", "A and B as matrices of numbers",
            "A and B are filled once and x_dot = A x + B tau is integrated as a linear system",
            "constant A and B",
            "C, D, L and J depend on the state. The program fills them at 2 m/s and zero attitude and never turns: its "
            "surge damping stays at 7.2 N/(m/s) and its track never leaves the x axis. The engine computes them at "
            "each step.",
            ours=f"surge damping off by up to {quantity(turned)} N/(m/s) over the same 300 states; accelerations of "
            f"`gavia_author`, which has them frozen, and of `gavia` apart by up to {quantity(astray)} m/s² or rad/s²",
            numbers={"frozen": 7.2, "ours": turned}, unit="N/(m/s)",
            proof=Proof(errata=("G5",), code=("pelagos.engine.core.motion",)), off=turned, limit=1e-9,
        ),
        statement(
            "values-of-the-report", "text below the state vector",
            "most of the values are taken from the LAUV report: numbers of D, L and the diagonal of M of our Gavia "
            "that are those of our LAUV", "most", f"{same} of 34: {damped} of 20 of D, {lifted} of 8 of L (copies of "
            f"the report differ in it), {massed} of 6 of M (not taken from it, see the row on its numbers)", same > 17,
            tolerance="more than half", why="what \"most\" says", assumption=NUMBERS,
            numbers={"ours": float(same), "all": 34.0},
            proof=Proof(errata=("G2", "G6", "G7"), code=("pelagos.vehicle.library",), tests=("tests/test_fleet.py",)),
        ),
        statement(
            "components", "vectors v and eta", "six velocities and six coordinates, surge to yaw and x to psi",
            "u v w p q r, x y z phi theta psi", "nu (6), position (3) and attitude (3 Euler angles) of the state",
            len(plant.nu) == 6 and len(plant.position_n) == 3 and len(plant.euler) == 3, why="a count",
            proof=Proof(code=("pelagos.vehicle.plant.Plant",), tests=("tests/vehicle/test_plant.py",)), read_back=True,
        ),
    ]  # fmt: skip


def shared_numbers(gavia: Vehicle) -> tuple[int, int, int]:
    """How many of the 20 numbers of D, 8 of L and 6 of the diagonal of M the Gavia shares with the LAUV."""
    lauv = load_vehicle("lauv")
    theirs = {c.name: c.value for c in lauv.coefficients}
    same = [c.name for c in gavia.coefficients if theirs.get(c.name) == c.value]
    lifted = sum(name[2:] in ("uv", "uw", "ur", "uq") for name in same)
    masses = np.diag(mass_matrix(gavia)), np.diag(mass_matrix(lauv))
    return len(same) - lifted, lifted, int(np.isclose(*masses).sum())


def weight_and_buoyancy(gavia: Vehicle) -> tuple[float, float]:
    """N; the notes' W = 453.5 N is m g with g = 9.8 m/s², rounded."""
    water = gavia.water
    return gavia.body.mass_kg * water.gravity_m_s2, water.density_kg_m3 * gavia.body.volume_m3 * water.gravity_m_s2


def mass_claims(gavia: Vehicle) -> list[Claim]:
    """M: its form, its inverse, and that the numbers of the notes are no mass."""
    ours = mass_matrix(gavia)
    body, added = gavia.body, np.diag(gavia.added_mass)
    diagonal = np.array([*[body.mass_kg] * 3, *np.diag(body.inertia_o)]) + added
    difference = float(np.abs(ours - printed.mass(diagonal, body.mass_kg, body.cg_b[2])).max())
    inverse = float(np.abs(pushed(gavia) @ ours - np.eye(6)).max())
    theirs = printed.mass(printed.DIAGONAL)
    least, block = float(np.linalg.eigvalsh(theirs)[0]), theirs[np.ix_([1, 3], [1, 3])]
    said = refused(gavia, theirs)
    return [
        agreed(
            "mass-form", "matrix M", "the printed form with mass, inertia, added mass and z_G of our Gavia, and the "
            "engine's matrix", "m - X_udot, ..., I_z - N_rdot; m z_G at (1,5), (5,1), -m z_G at (2,4), (4,2)",
            difference, 1e-12 * float(ours.max()), "kg, kg m or kg m²", assumption=SET,
            proof=Proof(errata=("G1",), code=("pelagos.vehicle.pack.records.mass_matrix",),
                        tests=("tests/analytic/test_structure.py",)),
        ),
        agreed(
            "mass-inverse", "text above M; B", "M^-1 is the numeric inverse of M, and B tau what a force does: "
            "accelerations of the engine under a unit force or moment on each axis, times M, against 1", "M^-1 M = 1",
            inverse, 1e-12, "", why="rounding of one inversion", assumption=SET,
            proof=Proof(code=("pelagos.vehicle.pack.records.pack", "pelagos.engine.core.motion")),
        ),
        contested(
            "mass-numbers", "matrix M with the numbers of the program",
            "M is the constant inertia and added mass matrix of the vehicle: its least eigenvalue",
            "an inertia matrix (every eigenvalue above 0)",
            f"The diagonal is that of the 18 kg LAUV ({', '.join(f'{d:g}' for d in printed.DIAGONAL)}), the m z_G "
            f"beside it that of the 46 kg Gavia: 34 · 0.04 - 4.627² = {np.linalg.det(block):.1f}. Some motions would "
            f"have negative kinetic energy. The loader refuses it (\"{said}\"); our set has the least eigenvalue "
            f"{quantity(float(np.linalg.eigvalsh(ours)[0]))}.",
            ours=f"{quantity(least)} with their numbers", numbers={"theirs": least}, unit="kg or kg m²",
            proof=Proof(errata=("G2",), code=("pelagos.vehicle.pack.records.refuse_bad_mass",),
                        tests=("tests/analytic/test_structure.py",)), off=max(-least, 0.0), limit=0.0, right=bool(said),
        ),
    ]  # fmt: skip


def pushed(gavia: Vehicle) -> Array:
    """Change of acceleration for a unit force or moment on each axis, at rest: the engine's M^-1, by columns."""
    plant = Plant(gavia)
    plant.place(position_n=(0.0, 0.0, 10.0))
    free = plant.acceleration()
    columns: list[Array] = []
    for axis in range(6):
        plant.command["external"][:] = np.eye(6)[axis]
        columns.append(plant.acceleration() - free)
    return np.column_stack(columns)


def refused(gavia: Vehicle, total: Array) -> str:
    """What the loader says of the Gavia with another mass matrix; empty if it takes it."""
    rigid = rigid_body_matrix(gavia.body.mass_kg, gavia.body.cg_b, gavia.body.inertia_o)
    try:
        pack(replace(gavia, added_mass=total - rigid))
    except VehicleFileError as problem:
        return problem.expected.split(",")[0]
    return ""


def restoring_claims(gavia: Vehicle) -> list[Claim]:
    """G(eta) against the slope of the engine's restoring wrench."""
    plant = Plant(gavia)
    slope, level = restoring_slope(plant)
    weight, buoyancy = weight_and_buoyancy(gavia)
    right = printed.restoring(printed.CG_BELOW_M * weight, weight, buoyancy)
    code = ("pelagos.engine.forces.restoring",)
    return [
        statement(
            "centre-of-gravity", "text above G", "z_B = x_G = x_B = y_G = y_B = 0, z_G = 0.1",
            "r_G = (0, 0, 0.1), r_B = 0", f"r_G = ({', '.join(f'{x:g}' for x in gavia.body.cg_b)}) m, r_B = "
            f"({', '.join(f'{x:g}' for x in gavia.body.cb_b)}) m",
            gavia.body.cg_b == (0.0, 0.0, 0.1) and not any(gavia.body.cb_b), tolerance="none", why="data of the notes",
            proof=Proof(errata=("G15",), code=("pelagos.vehicle.library",)), read_back=True,
        ),
        agreed(
            "restoring-matrix", "matrix G", "G, its entry (4,4) read as z_G W, and the slope of the engine's restoring "
            "forces and moments at level trim, all 36 entries", "the printed 6 x 6", float(np.abs(slope - right).max()),
            1e-7, "N/rad or N m/rad", why="central differences of 1e-4 rad: 45 N m/rad · (1e-4)²/6 = 7.6e-8, and "
            "rounding", assumption=NUMBERS,
            proof=Proof(errata=("G3",), code=code, tests=("tests/engine/forces/test_restoring.py",)),
        ),
        contested(
            "restoring-roll", "matrix G, entry (4,4)", "righting moment of a roll angle", "z_G = 0.1",
            "A length where a moment per radian must stand: z_G W was meant, as in (5,5). With the entry as printed "
            "the vehicle rights itself 450 times too weakly.",
            ours=f"{quantity(float(slope[3, 3]))} N m/rad", numbers={"published": 0.1, "ours": float(slope[3, 3])},
            unit="N m/rad", proof=Proof(errata=("G3",), code=code), off=abs(float(slope[3, 3]) - 0.1), limit=1e-6,
        ),
        contested(
            "restoring-heave", "matrix G, row 3", "heave force of weight and buoyancy", "0 for every attitude",
            "W - B acts at level trim too, a constant that no matrix times eta can hold: 1 N of buoyancy is lost. The "
            "slope itself is 0, as printed. The engine uses the forces, not their slope.",
            ours=f"{quantity(float(level[2]))} N at level trim", numbers={"published": 0.0, "ours": float(level[2])},
            unit="N", proof=Proof(errata=("G4",), code=code, tests=("tests/engine/forces/test_restoring.py",)),
            off=abs(float(level[2])), limit=1e-6,
        ),
    ]  # fmt: skip


def restoring_slope(plant: Plant) -> tuple[Array, Array]:
    """d g / d eta (6 x 6) at level trim by central differences, and the wrench itself there."""
    slope, h = np.zeros((6, 6)), 1e-4
    for column in range(6):
        sides: list[Array] = []
        for sign in (1.0, -1.0):
            eta = np.zeros(6)
            eta[2] = 10.0
            eta[column] += sign * h
            plant.place(position_n=eta[:3], euler=tuple(eta[3:]), nu=np.zeros(6))
            sides.append(-plant.forces()["restoring"])  # g stands on the left of the equation
        slope[:, column] = (sides[0] - sides[1]) / (2.0 * h)
    plant.place(position_n=(0.0, 0.0, 10.0), euler=(0.0, 0.0, 0.0))
    return slope, plant.forces()["restoring"]
