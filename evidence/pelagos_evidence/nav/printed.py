"""Transcription of the hand-written notes: as printed and, where the print is wrong, as corrected.

Evidence to hold against the engine and the vehicle functions, not a second engine. Inertia is the tensor J_0 about the
origin with the notes' signs, [[J_x, -J_xy, -J_xz], ...].
"""

from __future__ import annotations

import math

import numpy as np

from pelagos_evidence.rows import Array

# C_D(R_n) in place of the lost graph (erratum N14): smooth cylinder, and what two free ends leave of it, below and
# above R_n 2e5, against length over diameter; DNV-RP-C205, straight between points.
GRAPH = np.array([
    [1.0e4, 1.21], [1.0e5, 1.21], [2.15e5, 1.21], [2.7e5, 1.17], [3.25e5, 1.01], [4.1e5, 0.71], [4.75e5, 0.53],
    [5.25e5, 0.41], [6.4e5, 0.28], [8.5e5, 0.32], [1.4e6, 0.47], [2.3e6, 0.58], [4.9e6, 0.68],
])  # fmt: skip
ENDS = np.array([[5.0, 0.62, 0.80], [10.0, 0.68, 0.82]])


def skew(a: Array) -> Array:
    """S(a) with S(a) b = a x b."""
    x, y, z = a
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def skew_printed(a: Array) -> Array:
    """S as the notes print it: minus the above, with a wrong sign at (3,2) (erratum N5)."""
    x, y, z = a
    return np.array([[0.0, z, -y], [-z, 0.0, x], [y, x, 0.0]])


def rigid_blocks(mass: float, cg: Array, inertia: Array, s: Array) -> Array:
    """M_RB = [m I, -m S(r_G); m S(r_G), I_0]."""
    return np.block([[mass * np.eye(3), -mass * s], [mass * s, inertia]])


def rigid_explicit(mass: float, cg: Array, inertia: Array) -> Array:
    """M_RB, the printed 6 x 6."""
    x, y, z = mass * cg
    matrix = np.diag([mass, mass, mass, 0.0, 0.0, 0.0])
    matrix[:3, 3:] = [[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]]
    matrix[3:, :3] = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]]
    matrix[3:, 3:] = inertia
    return matrix


def coriolis_blocks(mass: float, cg: Array, inertia: Array, nu: Array) -> Array:
    """C_RB, block form."""
    v, omega = nu[:3], nu[3:]
    corner = -mass * skew(skew(omega) @ cg)
    last = mass * skew(skew(v) @ cg) - skew(inertia @ omega)
    return np.block([[mass * skew(omega), corner], [corner, last]])


def coriolis_explicit(mass: float, cg: Array, inertia: Array, nu: Array, sign_at_5_6: float = 1.0) -> Array:
    """C_RB, the printed 6 x 6 without the dots; sign_at_5_6 is that of J_x p at (5,6), printed -1 (erratum N8)."""
    u, v, w, p, q, r = nu
    x, y, z = cg
    jx, jy, jz = np.diag(inertia)
    jxy, jxz, jyz = -inertia[0, 1], -inertia[0, 2], -inertia[1, 2]
    upper = mass * np.array([
        [y * q + z * r, -(x * q - w), -(x * r + v)],
        [-(y * p + w), z * r + x * p, -(y * r - u)],
        [-(z * p - v), -(z * q + u), x * p + y * q],
    ])  # fmt: skip
    lower = mass * np.array([
        [-(y * q + z * r), y * p + w, z * p - v],
        [x * q - w, -(z * r + x * p), z * q + u],
        [x * r + v, y * r - u, -(x * p + y * q)],
    ])  # fmt: skip
    turning = np.array([
        [0.0, -jyz * q - jxz * p + jz * r, jyz * r + jxy * p - jy * q],
        [jyz * q + jxz * p - jz * r, 0.0, -jxz * r - jxy * q + sign_at_5_6 * jx * p],
        [-jyz * r - jxy * p + jy * q, jxz * r + jxy * q - jx * p, 0.0],
    ])  # fmt: skip
    return np.block([[np.zeros((3, 3)), upper], [lower, turning]])


def momenta(added_mass: Array, nu: Array) -> Array:
    """a_1 .. a_3, b_1 .. b_3: derivatives times velocities, which is -(M_A nu) (erratum N10)."""
    return -added_mass @ nu


def momenta_printed(added_mass: Array, nu: Array) -> Array:
    """a_1 .. b_3 as printed: the first three terms of each a are not those of its row (erratum N10)."""
    d = -added_mass
    u, v, w = nu[:3]
    linear = np.array([
        d[0, 0] * u + d[1, 1] * v + d[2, 2] * w,
        d[0, 0] * u + d[1, 1] * v + d[1, 2] * w,
        (d[0, 2] + d[1, 2] + d[2, 2]) * w,
    ])  # fmt: skip
    p, q, r = nu[3:]
    (xp, xq, xr), (yp, yq, yr), (zp, zq, zr) = d[:3, 3:]
    angular = np.array([
        xp * u + yp * v + zp * w + d[3, 3] * p + d[3, 4] * q + d[3, 5] * r,
        xq * u + yq * v + zq * w + d[3, 4] * p + d[4, 4] * q + d[4, 5] * r,
        xr * u + yr * v + zr * w + d[3, 5] * p + d[4, 5] * q + d[5, 5] * r,
    ])  # fmt: skip
    return np.concatenate([linear + d[:3, 3:] @ nu[3:], angular])


def coriolis_added(added_mass: Array, nu: Array) -> Array:
    """C_A with the fifth column, which the print leaves out (erratum N9)."""
    a1, a2, a3, b1, b2, b3 = momenta(added_mass, nu)
    return np.array([
        [0.0, 0.0, 0.0, 0.0, -a3, a2],
        [0.0, 0.0, 0.0, a3, 0.0, -a1],
        [0.0, 0.0, 0.0, -a2, a1, 0.0],
        [0.0, -a3, a2, 0.0, -b3, b2],
        [a3, 0.0, -a1, b3, 0.0, -b1],
        [-a2, a1, 0.0, -b2, b1, 0.0],
    ])  # fmt: skip


def coriolis_added_printed(added_mass: Array, nu: Array) -> Array:
    """C_A as printed: six rows of five entries."""
    return np.delete(coriolis_added(added_mass, nu), 4, axis=1)


def from_momentum(matrix: Array, nu: Array) -> Array:
    """C(nu) nu of a mass matrix, from its momentum: omega x p, omega x h + v x p (the function m2c of textbooks)."""
    momentum = matrix @ nu
    force = np.cross(nu[3:], momentum[:3])
    return np.concatenate([force, np.cross(nu[3:], momentum[3:]) + np.cross(nu[:3], momentum[:3])])


def damping(linear: Array, quadratic: Array, nu: Array) -> Array:
    """D(nu) = -diag{X_u ...} - diag{X_u|u| |u| ...}."""
    return -np.diag(linear) - np.diag(quadratic * np.abs(nu))


def restoring(weight: float, buoyancy: float, cg: Array, cb: Array, phi: float, theta: float) -> Array:
    """g(eta)."""
    light, (x, y, z) = weight - buoyancy, cg * weight - cb * buoyancy
    level, roll = math.cos(theta) * math.cos(phi), math.cos(theta) * math.sin(phi)
    return np.array([
        light * math.sin(theta), -light * roll, -light * level,
        -y * level + z * roll, z * math.sin(theta) + x * level, -x * roll - y * math.sin(theta),
    ])  # fmt: skip


def euler_rates(phi: float, theta: float, psi: float, nu: Array) -> Array:
    """eta_dot = J(eta) nu, which the notes do not print but need (erratum N16)."""
    cf, sf, ct, st, cp, sp = *_pair(phi), *_pair(theta), *_pair(psi)
    rotation = np.array([
        [cp * ct, cp * st * sf - sp * cf, sp * sf + cp * cf * st],
        [sp * ct, cp * cf + sf * st * sp, st * sp * cf - cp * sf],
        [-st, ct * sf, ct * cf],
    ])  # fmt: skip
    turning = np.array([[1.0, sf * st / ct, cf * st / ct], [0.0, cf, -sf], [0.0, sf / ct, cf / ct]])
    return np.concatenate([rotation @ nu[:3], turning @ nu[3:]])


def _pair(angle: float) -> tuple[float, float]:
    return math.cos(angle), math.sin(angle)


def cylinder_derivatives(length: float, radius: float, mass: float, density: float) -> Array:
    """X_udot .. N_rdot of the notes, K_pdot taken as 0."""
    across = -math.pi * density * radius**2 * length
    turning = -math.pi * density * length**3 * radius**2 / 12.0
    return np.array([-0.1 * mass, across, across, 0.0, turning, turning])


def cylinder_inertia(length: float, radius: float, mass: float) -> Array:
    """J_x, J_y, J_z of a solid cylinder about its centre."""
    lateral = mass * (3.0 * radius**2 + length**2) / 12.0
    return np.array([mass * radius**2 / 2.0, lateral, lateral])


def drag(speed: float, coefficient: float, area: float, density: float) -> float:
    """F(u) = -1/2 rho C_D A |u| u; the print has |u| u/|u|, which is linear and no force (erratum N11)."""
    return -0.5 * density * coefficient * area * abs(speed) * speed


def drag_printed(speed: float, coefficient: float, area: float, density: float) -> float:
    """F(u) as printed."""
    return -0.5 * density * coefficient * area * speed


def roll_printed(radius: float, density: float) -> float:
    """K_pdot as printed before it is called about 0 (erratum N4)."""
    return -math.pi * density * radius**5 / 4.0


def drag_coefficient(reynolds: float, slenderness: float) -> float:
    """C_D of a hull across the flow, R_n on its diameter, L/D between 5 and 10."""
    column = 1 if reynolds < 2.0e5 else 2
    share = np.interp(slenderness, ENDS[:, 0], ENDS[:, column])
    return float(np.interp(reynolds, GRAPH[:, 0], GRAPH[:, 1]) * share)


def reynolds(speed: float, size: float, viscosity: float) -> float:
    """R_n = U D/nu."""
    return speed * size / viscosity
