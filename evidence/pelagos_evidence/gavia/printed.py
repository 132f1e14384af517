"""The dynamic model as the Gavia notes print it: M, G, K and the linear system x_dot = A x + B tau, transcribed.

It is compared with the engine and not used elsewhere. The notes print symbols; the numbers below are those of the
program they describe (its public source, see the sources of the errata), because the notes give hardly any.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pelagos_evidence.rows import Array

Roots = NDArray[np.complex128]

MASS_KG, WEIGHT_N, BUOYANCY_N, CG_BELOW_M = 46.27, 453.5, 454.5, 0.1
DIAGONAL = (19.0, 34.0, 34.0, 0.04, 2.1, 2.1)  # of M: all of it the LAUV's, a vehicle of 18 kg
K_PROP = 95e-6  # N/rpm^2, printed
RUDDER_ARM_M, RUDDER_AREA_M2, BLADE_RADIUS_M = 0.9674, 0.03 * 0.04, 0.04
DENSITY = 1028.0
NOSE_M = 0.97  # half the length of the vehicle: its sonar is in the nose
FROZEN_SPEED = 2.0  # m/s at which the program fills its matrices, once
SIDEWAYS = (1, 3, 5, 9)  # v, p, r, phi


def mass(diagonal: tuple[float, ...] | Array, mass_kg: float = MASS_KG, cg_below_m: float = CG_BELOW_M) -> Array:
    """M of the notes: a diagonal, and m z_G between surge and pitch (+) and between sway and roll (-)."""
    matrix = np.diag(np.asarray(diagonal, float))
    matrix[0, 4] = matrix[4, 0] = mass_kg * cg_below_m
    matrix[1, 3] = matrix[3, 1] = -mass_kg * cg_below_m
    return matrix


def restoring(roll_entry: float, weight_n: float = WEIGHT_N, buoyancy_n: float = BUOYANCY_N) -> Array:
    """G of the notes; its entry (4,4) is printed z_G where z_G W is meant (erratum G3)."""
    matrix = np.zeros((6, 6))
    matrix[0, 4] = weight_n - buoyancy_n
    matrix[1, 3] = -(weight_n - buoyancy_n)
    matrix[3, 3] = roll_entry
    matrix[4, 4] = CG_BELOW_M * weight_n
    return matrix


def restoring_force(phi: float, theta: float, weight_n: float, buoyancy_n: float) -> Array:
    """g(eta) of a vehicle with only z_G not zero, of which G eta is to be the small-angle form."""
    light, arm = weight_n - buoyancy_n, CG_BELOW_M * weight_n
    roll, pitch = np.sin(phi) * np.cos(theta), np.sin(theta)
    return np.array([light * pitch, -light * roll, -light * np.cos(theta) * np.cos(phi), arm * roll, arm * pitch, 0.0])


def lift_of_fins() -> float:
    """F_lift = 1/2 rho A r^2 2 pi: N per (rad/s)^2 and rad."""
    return 0.5 * DENSITY * RUDDER_AREA_M2 * BLADE_RADIUS_M**2 * 2.0 * np.pi


def inputs(thrust: float, lift: float) -> Array:
    """K of the notes: columns propeller, upper and lower rudder, right and left plane; roll and drag neglected."""
    arm = RUDDER_ARM_M * lift
    return np.array([
        [thrust, 0.0, 0.0, 0.0, 0.0],
        [0.0, lift, lift, 0.0, 0.0],
        [0.0, 0.0, 0.0, lift, lift],
        [0.0, 0.0, 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, -arm, -arm],
        [0.0, -arm, -arm, 0.0, 0.0],
    ])  # fmt: skip


def damping(nu: Array, quadratic_of_heave: float = 1.5) -> Array:
    """D(nu): linear and quadratic; the program has 3.1 where the report it follows has 1.5 (erratum G7)."""
    u, v, w, p, q, r = np.abs(nu)
    k = quadratic_of_heave
    matrix = np.diag([2.4 + 2.4 * u, 23.0 + 80.0 * v, 23.0 + 80.0 * w, 0.3 + 0.0006 * p, 9.7 + 9.1 * q, 9.7 + 9.1 * r])
    matrix[1, 5], matrix[2, 4] = -11.5 - 0.3 * r, 11.5 + 0.3 * q
    matrix[4, 2], matrix[5, 1] = -3.1 - k * w, 3.1 + k * v
    return matrix


def lift(u: float) -> Array:
    """L(nu): lift of body and fixed fins, in proportion to u."""
    matrix = np.zeros((6, 6))
    matrix[1, 1] = matrix[2, 2] = 30.0
    matrix[1, 5], matrix[2, 4] = -7.7, 7.7
    matrix[4, 2], matrix[5, 1] = 9.9, -9.9
    matrix[4, 4] = matrix[5, 5] = 3.1
    return matrix * u


def coriolis_ahead(u: float, surge_mass: float) -> Array:
    """C(nu) of the program for motion straight ahead, with only u different from zero."""
    matrix = np.zeros((6, 6))
    matrix[1, 5], matrix[2, 4] = surge_mass * u, -surge_mass * u
    matrix[4, 2], matrix[5, 1] = surge_mass * u, -surge_mass * u
    return matrix


def turning(rigid_mass: Array, nu: Array) -> Array:
    """C(nu) nu from the momentum of a mass matrix: omega x p, omega x h + v x p."""
    momentum = rigid_mass @ nu
    force = np.cross(nu[3:], momentum[:3])
    return np.concatenate([force, np.cross(nu[3:], momentum[3:]) + np.cross(nu[:3], momentum[:3])])


def frozen_system(mass_matrix: Array, g_matrix: Array, u: float = FROZEN_SPEED) -> tuple[Array, Array]:
    """A (12 x 12) and B (12 x 6) as the program fills them: once, at u, level, so that J is the unit matrix."""
    inverse = np.linalg.inv(mass_matrix)
    ahead = np.array([u, 0.0, 0.0, 0.0, 0.0, 0.0])
    resisting = coriolis_ahead(u, float(mass_matrix[0, 0])) + damping(ahead) + lift(u)
    a, b = np.zeros((12, 12)), np.zeros((12, 6))
    a[:6, :6], a[:6, 6:], a[6:, :6], b[:6] = -inverse @ resisting, -inverse @ g_matrix, np.eye(6), inverse
    return a, b


def runge_kutta(a: Array, constant: Array, start: Array, dt: float, steps: int) -> Array:
    """States (steps + 1, n) of x_dot = A x + c by RK4: for a linear system one matrix and one vector, used again."""
    n = len(start)
    h = a * dt
    grown = np.eye(n) + h @ (np.eye(n) + h @ (np.eye(n) + h @ (np.eye(n) + h / 4.0) / 3.0) / 2.0)
    pushed = dt * (np.eye(n) + h @ (np.eye(n) + h @ (np.eye(n) + h / 4.0) / 3.0) / 2.0) @ constant
    states = np.empty((steps + 1, n))
    states[0] = start
    for k in range(steps):
        states[k + 1] = grown @ states[k] + pushed
    return states


def growth(a: Array, names: tuple[int, ...]) -> Roots:
    """Eigenvalues (1/s) of the states named: those that do not act on each other can be looked at apart."""
    return np.linalg.eigvals(a[np.ix_(names, names)]).astype(np.complex128)
