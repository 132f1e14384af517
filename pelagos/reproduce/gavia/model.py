"""The printed matrices of the Gavia notes against the engine: M, G, K, forces of fins and propeller, signs, units."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pelagos.errors import VehicleFileError
from pelagos.reproduce.claim import Claim, Proof, bound, number, quantity, statement, unreproducible
from pelagos.reproduce.document import Findings, Tell
from pelagos.reproduce.gavia import printed
from pelagos.reproduce.gavia.printed import RPM, Array
from pelagos.vehicle.load import load_vehicle
from pelagos.vehicle.pack import mass_matrix, pack, rigid_body_matrix
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle

NUMBERS = "The notes print symbols; the numbers are those of the program they describe."
SET = "Inertia and added mass are those of a rigid body of the stated mass (prolate spheroid), see G2."
EXACT = "the same products added in another order: rounding only"
SHAFT_RPM, ANGLE = 400.0, 0.1  # a shaft rate and a fin angle (rad) at which single forces are looked at


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
    plant = Plant(gavia)
    matrix = mass_matrix(gavia)
    rigid = rigid_body_matrix(gavia.body.mass_kg, gavia.body.cg_b, gavia.body.inertia_o)
    k = printed.inputs(printed.K_PROP / RPM**2, printed.lift_of_fins())
    k[2] *= -1.0  # G8
    worst = largest = turned = 0.0
    rng = np.random.default_rng(4)
    for _ in range(300):
        nu = rng.uniform(-1.0, 1.0, 6) * [2.0, 0.5, 0.5, 0.3, 0.3, 0.3]
        phi, theta, psi = rng.uniform(-1.0, 1.0, 3) * [0.8, 0.8, 3.0]
        rudder, plane = rng.uniform(-0.3, 0.3, 2)
        shaft = float(rng.uniform(0.0, 80.0))
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
        worst = max(worst, float(np.abs(found - expected).max()))
        largest = max(largest, float(np.abs(expected).max()))
        turned = max(turned, abs(float(printed.damping(nu)[0, 0]) - 7.2))
    proof = Proof(
        errata=("G5", "G6", "G7", "B58"),
        code=("pelagos.vehicle.plant.Plant.acceleration", "pelagos.engine.motion"),
        tests=("tests/reproduce/gavia/test_model.py", "tests/reference/test_terms.py"),
    )
    terms = [c for c in gavia.coefficients if c.name.count("u") == 0 or c.name in ("X_u", "X_u|u|")]
    lauv = {c.name: c.value for c in load_vehicle("lauv").coefficients}
    same = sum(lauv.get(c.name) == c.value for c in terms)
    return [
        bound(
            "state-equation", "first equation, A and B",
            "x_dot = A x + B tau with C, D, L, G and J taken at each state: acceleration of the engine against the "
            "printed form, largest difference over 300 random states (accelerations up to "
            f"{quantity(largest)} m/s² or rad/s²)",
            "below", 1e-10 * largest, worst, "m/s² or rad/s²",
            why="rounding, and 1e-9 m/s by which the engine keeps the angle of attack of a fin finite",
            assumption=f"{NUMBERS} {SET}", proof=proof,
        ),
        unreproducible(
            "constant-matrices", "A and B as matrices of numbers",
            "A and B are filled once and x_dot = A x + B tau is integrated as a linear system",
            "constant A and B",
            "C, D, L and J depend on the state. The program fills them at 2 m/s and zero attitude and never turns: its "
            "surge damping stays at 7.2 N/(m/s) and its track never leaves the x axis. The engine computes them at "
            "each step.",
            ours=f"surge damping off by up to {quantity(turned)} N/(m/s) over the same 300 states",
            numbers={"frozen": 7.2, "ours": turned}, unit="N/(m/s)",
            proof=Proof(errata=("G5",), code=("pelagos.engine.motion",)),
        ),
        statement(
            "values-of-the-report", "text below the state vector",
            "most values are those of the LAUV report: damping coefficients of our Gavia equal to our LAUV",
            "most", f"{same} of {len(terms)}", same == len(terms), why="the numbers themselves",
            assumption=NUMBERS, numbers={"ours": float(same)},
            proof=Proof(errata=("G6", "G7"), code=("pelagos.vehicle.library",), tests=("tests/test_fleet.py",)),
        ),
        statement(
            "components", "vectors v and eta", "six velocities and six coordinates, surge to yaw and x to psi",
            "u v w p q r, x y z phi theta psi", "nu (6), position (3) and attitude (3 Euler angles) of the state",
            len(plant.nu) == 6 and len(plant.position_n) == 3 and len(plant.euler) == 3, why="a count",
            proof=Proof(code=("pelagos.vehicle.plant.Plant",), tests=("tests/vehicle/test_plant.py",)),
        ),
    ]  # fmt: skip


def weight_and_buoyancy(gavia: Vehicle) -> tuple[float, float]:
    """N; the notes' W = 453.5 N is m g with g = 9.8 m/s², rounded."""
    water = gavia.water
    return gavia.body.mass_kg * water.gravity_m_s2, water.density_kg_m3 * gavia.body.volume_m3 * water.gravity_m_s2


def mass_claims(gavia: Vehicle) -> list[Claim]:
    """M: its form, its inverse, and that the numbers of the notes are no mass."""
    ours = mass_matrix(gavia)
    difference = float(np.abs(ours - printed.mass(np.diag(ours))).max())
    inverse = float(np.abs(np.linalg.inv(ours) @ ours - np.eye(6)).max())
    theirs = printed.mass(printed.DIAGONAL)
    least, block = float(np.linalg.eigvalsh(theirs)[0]), theirs[np.ix_([1, 3], [1, 3])]
    said = refused(gavia, theirs)
    return [
        bound(
            "mass-form", "matrix M", "M has its diagonal and m z_G at (1,5), (5,1), -m z_G at (2,4), (4,2), "
            "nothing else: largest difference from the engine's matrix", "below", 1e-12 * float(ours.max()), difference,
            "kg m", why=EXACT, assumption=SET,
            proof=Proof(errata=("G1",), code=("pelagos.vehicle.pack.mass_matrix",),
                        tests=("tests/analytic/test_structure.py",)),
        ),
        bound(
            "mass-inverse", "text above M", "M^-1 is the numeric inverse of M: largest entry of M^-1 M - 1",
            "below", 1e-12, inverse, "", why="rounding of one inversion", assumption=SET,
            proof=Proof(code=("pelagos.vehicle.pack.pack",)),
        ),
        unreproducible(
            "mass-numbers", "matrix M with the numbers of the program",
            "M is the constant inertia and added mass matrix of the vehicle: its least eigenvalue",
            "an inertia matrix (every eigenvalue above 0)",
            f"The diagonal is that of the 18 kg LAUV ({', '.join(f'{d:g}' for d in printed.DIAGONAL)}), the m z_G "
            f"beside it that of the 46 kg Gavia: 34 · 0.04 - 4.627² = {np.linalg.det(block):.1f}. Some motions would "
            f"have negative kinetic energy. The loader refuses it (\"{said}\"); our set has the least eigenvalue "
            f"{quantity(float(np.linalg.eigvalsh(ours)[0]))}.",
            ours=f"{quantity(least)} with their numbers", numbers={"theirs": least}, unit="kg or kg m²",
            proof=Proof(errata=("G2",), code=("pelagos.vehicle.pack.refuse_bad_mass",),
                        tests=("tests/analytic/test_structure.py",)),
        ),
    ]  # fmt: skip


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
        number(
            "centre-of-gravity", "text above G", "z_G, the others of r_G and r_B zero", 0.1, gavia.body.cg_b[2], "m",
            absolute=0.0, why="a datum of the notes",
            proof=Proof(errata=("G15",), code=("pelagos.vehicle.library",)),
        ),
        bound(
            "restoring-matrix", "matrix G", "G is the slope of the restoring forces and moments at level trim: largest "
            "difference over its 36 entries, (4,4) read as z_G W", "below", 1e-5, float(np.abs(slope - right).max()),
            "N/rad or N m/rad", why="central differences of 1e-4 rad: 45 N m/rad · (1e-4)²/6, and rounding",
            assumption=NUMBERS,
            proof=Proof(errata=("G3",), code=code, tests=("tests/engine/forces/test_restoring.py",)),
        ),
        unreproducible(
            "restoring-roll", "matrix G, entry (4,4)", "righting moment of a roll angle", "z_G = 0.1",
            "A length where a moment per radian must stand: z_G W was meant, as in (5,5). With the entry as printed "
            "the vehicle rights itself 450 times too weakly.",
            ours=f"{quantity(float(slope[3, 3]))} N m/rad", numbers={"published": 0.1, "ours": float(slope[3, 3])},
            unit="N m/rad", proof=Proof(errata=("G3",), code=code),
        ),
        unreproducible(
            "restoring-heave", "matrix G, row 3", "heave force of weight and buoyancy", "0 for every attitude",
            "W - B acts at level trim too, a constant that no matrix times eta can hold: 1 N of buoyancy is lost. The "
            "slope itself is 0, as printed. The engine uses the forces, not their slope.",
            ours=f"{quantity(float(level[2]))} N at level trim", numbers={"published": 0.0, "ours": float(level[2])},
            unit="N", proof=Proof(errata=("G4",), code=code, tests=("tests/engine/forces/test_restoring.py",)),
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


def put(plant: Plant, nu: Array, euler: tuple[float, ...], shaft: float, fins: tuple[float, ...]) -> None:
    """A state with its actuators where they are asked to be."""
    plant.place(position_n=(0.0, 0.0, 10.0), euler=euler, nu=nu)
    plant.state["actuators"]["thruster"][:1] = shaft
    plant.state["actuators"]["surface"][:4] = fins


def fin_matrix(gavia: Vehicle) -> Array:
    """K as the engine has it: wrench per shaft rate squared (rad/s)², and per rad of each fin."""
    plant, shaft = Plant(gavia), SHAFT_RPM * RPM
    columns: list[Array] = []
    for fin in range(-1, 4):
        angles = tuple(ANGLE if i == fin else 0.0 for i in range(4))
        put(plant, np.zeros(6), (0.0, 0.0, 0.0), shaft, angles)
        forces = plant.forces()
        columns.append(forces["thrusters"] / shaft**2 if fin < 0 else forces["fins"] / (ANGLE * shaft**2))
    return np.column_stack(columns)


def input_claims(gavia: Vehicle) -> list[Claim]:
    """K row by row, F_lift, K_prop and the squared shaft rate."""
    ours = fin_matrix(gavia)
    lift, thrust = printed.lift_of_fins(), printed.K_PROP / RPM**2
    theirs = printed.inputs(thrust, lift)
    code, tests = ("pelagos.engine.forces.fins", "pelagos.engine.forces.thrusters"), ("tests/test_fleet_signs.py",)
    size = "fin area 12 cm², blade radius 4 cm and arm 0.9674 m are the program's estimates; delta_n in rad/s."

    def row(key: str, index: int, name: str, unit: str, what: str, errata: tuple[str, ...]) -> Claim:
        return bound(
            key, f"matrix K, row {name}", what, "below", 1e-9 * lift, float(np.abs(ours - theirs)[index].max()), unit,
            why="rounding, and 1e-9 m/s by which the engine keeps angles of attack finite",
            assumption=f"Figures 1 and 2 are lost; {size}",
            proof=Proof(errata=errata, code=code, tests=tests),
        )  # fmt: skip

    rolled = ours[3, 1:]
    astern = Plant(gavia)
    put(astern, np.zeros(6), (0.0, 0.0, 0.0), -200.0 * RPM, (0.0,) * 4)
    back = float(astern.forces()["thrusters"][0])
    return [
        row("inputs-y", 1, "Y", "N/(rad/s)²/rad", "both rudders push to starboard with +F_lift: largest difference",
            ("G9", "G10")),
        unreproducible(
            "inputs-z", "matrix K, row Z", "force of a plane along z (down) for a positive angle", "+F_lift",
            "The row M below has -x_r F_lift for the same fins. A fin at x = -x_r gives M = x_r Z, so M = -x_r F_lift "
            "needs Z = -F_lift: lift up at the tail, nose down. The two printed rows contradict each other; ours keeps "
            "M and takes the lift upwards, as angle of attack and lift are drawn in the program's figure 1.",
            ours=f"{quantity(float(ours[2, 3]))} N/(rad/s)²/rad, -F_lift",
            numbers={"published": lift, "ours": float(ours[2, 3])}, unit="N/(rad/s)²/rad",
            proof=Proof(errata=("G8",), code=code, tests=tests),
        ),
        row("inputs-m", 4, "M", "N m/(rad/s)²/rad", "both planes pitch the nose down with -x_r F_lift: largest "
            "difference", ("G8", "G10")),
        row("inputs-n", 5, "N", "N m/(rad/s)²/rad", "both rudders yaw to port with -x_r F_lift: largest difference",
            ("G9", "G10")),
        statement(
            "inputs-roll-drag", "matrix K, 0_roll and 0_drag; text below F_lift", "forces of fins that produce roll "
            "and drag are neglected", "0", f"drag {quantity(float(np.abs(ours[0, 1:]).max()))} N, roll of each pair "
            f"{quantity(float(abs(rolled[0] + rolled[1]) + abs(rolled[2] + rolled[3])))} N m",
            bool(np.abs(ours[0, 1:]).max() == 0.0 and abs(rolled[0] + rolled[1]) + abs(rolled[2] + rolled[3]) < 1e-12),
            why="our fins stand 0.1 m off the axis, so that one alone rolls the hull; a pair at equal angles does not",
            proof=Proof(errata=("G16",), code=code),
        ),
        number(
            "lift-of-fins", "F_lift = 1/2 rho A r_blade² 2 pi", "force of one fin per shaft rate squared and angle",
            lift, float(ours[1, 1]), "N/(rad/s)²/rad", relative=1e-9, why="the printed formula, computed",
            assumption=f"{size} In rpm, as printed, the force would be 91 times too large; with the program's density "
            "of 1.028 it is 11 times too small.",
            proof=Proof(errata=("G10",), code=code, tests=("tests/test_fleet.py",)),
        ),
        number(
            "thrust-constant", "K_prop = 95·10⁻⁶", "thrust per shaft rate squared", 95e-6,
            float(ours[0, 0]) * RPM**2, "N/rpm²", relative=1e-9, why="a datum of the notes",
            proof=Proof(errata=("G11",), code=code, tests=("tests/analytic/test_others.py",)),
        ),
        unreproducible(
            "thrust-formula", "K_prop = 1/2 rho A 2 pi sin(alpha) r_blade²", "the formula printed for the same number",
            "95·10⁻⁶", f"With the fin's area and radius it needs sin(alpha) = {thrust / lift:.2f}, which no angle has; "
            "blade area, number of blades and angle are not given. The number is used, not the formula.",
            ours=f"at most {quantity(lift * RPM**2)} N/rpm² (sin(alpha) = 1)",
            numbers={"published": 95e-6, "ours": lift * RPM**2}, unit="N/rpm²", proof=Proof(errata=("G11",)),
        ),
        unreproducible(
            "astern", "input vector, delta_n²", "thrust with the shaft turning astern, at -200 rpm", "+3.8 N",
            "A square has no sign: the propeller would push ahead whichever way it turns. n|n| is used.",
            ours=f"{quantity(back)} N", numbers={"published": 3.8, "ours": back}, unit="N",
            proof=Proof(errata=("G12",), code=("pelagos.engine.forces.thrusters",),
                        tests=("tests/engine/forces/test_thrusters.py",)),
        ),
        statement(
            "coasting", "input vector", "fins act through the propeller's stream alone: fin forces with the shaft "
            "stopped, at 2 m/s and full angle", "0", f"{quantity(coasting(gavia))} N", coasting(gavia) == 0.0,
            why="every column of fins is multiplied by delta_n²; a limit of the model, kept",
            proof=Proof(errata=("G13",), code=code),
        ),
    ]  # fmt: skip


def coasting(gavia: Vehicle) -> float:
    """Largest fin force or moment with the shaft at rest and the vehicle at 2 m/s."""
    plant = Plant(gavia)
    put(plant, np.array([2.0, 0.0, 0.0, 0.0, 0.0, 0.0]), (0.0, 0.0, 0.0), 0.0, (0.3, 0.3, 0.3, 0.3))
    return float(np.abs(plant.forces()["fins"]).max())
