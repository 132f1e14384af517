"""The printed matrices of the Gavia notes against the engine: the whole of x_dot = A x + B tau, M and G."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pelagos.engine.forces.fins import STILL
from pelagos.errors import VehicleFileError
from pelagos.units import RPM
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.pack.records import mass_matrix, pack, rigid_body_matrix
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle
from pelagos_evidence.document import Findings, Progress
from pelagos_evidence.gavia import printed
from pelagos_evidence.gavia.inputs import input_claims, put
from pelagos_evidence.rows import Array, Rows, Values

ROWS = Rows(__file__)


def run(progress: Progress) -> Findings:
    """Every printed matrix of the dynamic model."""
    gavia = load_vehicle("gavia")
    values = {**whole_model(gavia), **mass_values(gavia)}
    progress(0.4)
    values |= restoring_values(gavia)
    return Findings((*ROWS.claims(values), *input_claims(gavia)))


def whole_model(gavia: Vehicle) -> Values:
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
        ours = plant.acceleration()
        put(frozen, nu, (phi, theta, psi), shaft, (rudder, rudder, plane, plane))
        astray = max(astray, float(np.abs(frozen.acceleration() - ours).max()))
        worst = max(worst, float(np.abs(ours - expected).max()))
        largest = max(largest, float(np.abs(expected).max()))
        turned = max(turned, abs(float(printed.damping(nu)[0, 0]) - 7.2))
    # a pair of fins loses STILL of the stream's speed in its angle: this much force, and what M^-1 makes of it
    lost = 2.0 * printed.lift_of_fins() * fastest * widest * STILL / printed.BLADE_RADIUS_M
    arm = printed.RUDDER_ARM_M
    limit = float((np.abs(np.linalg.inv(matrix)) @ (lost * np.array([0.0, 1.0, 1.0, 0.0, arm, arm]))).max())
    damped, lifted, massed = shared_numbers(gavia)
    return {
        "state-equation": {"difference": worst, "limit": limit + 1e-12 * largest, "largest": largest},
        "constant-matrices": {"off": turned, "astray": astray},
        "values-of-the-report": {
            "value": damped + lifted + massed,
            "damping_entries": damped,
            "lift_entries": lifted,
            "mass_entries": massed,
        },
        "components": len(plant.nu) == 6 and len(plant.position_n) == 3 and len(plant.euler) == 3,
    }


def shared_numbers(gavia: Vehicle) -> tuple[int, int, int]:
    """Counts of the 20 numbers of D, 8 of L and 6 of the diagonal of M that the Gavia shares with the LAUV."""
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


def mass_values(gavia: Vehicle) -> Values:
    """M: its form, its inverse, and the printed numbers, which are not positive definite."""
    ours = mass_matrix(gavia)
    body, added = gavia.body, np.diag(gavia.added_mass)
    diagonal = np.array([*[body.mass_kg] * 3, *np.diag(body.inertia_o)]) + added
    difference = float(np.abs(ours - printed.mass(diagonal, body.mass_kg, body.cg_b[2])).max())
    inverse = float(np.abs(pushed(gavia) @ ours - np.eye(6)).max())
    theirs = printed.mass(printed.DIAGONAL)
    least, block = float(np.linalg.eigvalsh(theirs)[0]), theirs[np.ix_([1, 3], [1, 3])]
    refusal = refused(gavia, theirs)
    return {
        "mass-form": {"difference": difference, "limit": 1e-12 * float(ours.max())},
        "mass-inverse": inverse,
        "mass-numbers": {
            "off": max(-least, 0.0),
            "right": bool(refusal),
            "diagonal": ", ".join(f"{d:g}" for d in printed.DIAGONAL),
            "determinant": np.linalg.det(block),
            "refusal": refusal,
            "our_least": np.linalg.eigvalsh(ours)[0],
            "least": least,
        },
    }


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
    """The loader's objection to the Gavia with another mass matrix; empty if it accepts it."""
    rigid = rigid_body_matrix(gavia.body.mass_kg, gavia.body.cg_b, gavia.body.inertia_o)
    try:
        pack(replace(gavia, added_mass=total - rigid))
    except VehicleFileError as problem:
        return f"together they have the eigenvalue {problem.value:g}"
    return ""


def restoring_values(gavia: Vehicle) -> Values:
    """G(eta) against the slope of the engine's restoring wrench."""
    plant = Plant(gavia)
    slope, level = restoring_slope(plant)
    weight, buoyancy = weight_and_buoyancy(gavia)
    right = printed.restoring(printed.CG_BELOW_M * weight, weight, buoyancy)
    return {
        "centre-of-gravity": {
            "holds": gavia.body.cg_b == (0.0, 0.0, 0.1) and not any(gavia.body.cb_b),
            "cg": ", ".join(f"{x:g}" for x in gavia.body.cg_b),
            "cb": ", ".join(f"{x:g}" for x in gavia.body.cb_b),
        },
        "restoring-matrix": float(np.abs(slope - right).max()),
        "restoring-roll": {"off": abs(float(slope[3, 3]) - 0.1), "righting": slope[3, 3]},
        "restoring-heave": {"off": abs(float(level[2])), "level": level},
    }


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
