"""Mass matrices and Coriolis matrices: the form the twin uses, and the forms printed in the documents.

All of them give the same force C(nu) nu; they differ by parts that vanish when multiplied by nu.

[F] T. I. Fossen, Handbook of Marine Craft Hydrodynamics and Motion Control, Wiley 2011.
[B] D. P. Brutzman, A Virtual World for an AUV, dissertation, NPS 1994, chapter VI (corrected).
[N] hand-written simulator notes, with the corrected S(r_G) and C_RB(5, 6).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .kinematics import Array, skew


def mass_matrix_rb(mass: float, cg_b: ArrayLike, inertia_o: ArrayLike) -> Array:
    """M_RB = [m I, -m S(r_G); m S(r_G), I_o], kg, kg m, kg m^2 about the origin. [F] 3.3, [N]."""
    s = skew(cg_b)
    return np.block([[mass * np.eye(3), -mass * s], [mass * s, np.asarray(inertia_o, float)]])


def point_inertia(mass: float, position_b: ArrayLike) -> Array:
    """Inertia about the origin of a mass at a point: -m S(r)^2 (Steiner). [F] 3.2."""
    s = skew(position_b)
    return -mass * s @ s


def m2c(m: ArrayLike, nu: ArrayLike) -> Array:
    """C(nu) of a symmetric mass matrix, skew by construction. [F] theorem 3.2.

    C = [0, -S(M11 v + M12 w); -S(M11 v + M12 w), -S(M21 v + M22 w)]. Used for rigid body and added mass.
    """
    m, nu = np.asarray(m, float), np.asarray(nu, float)
    m = 0.5 * (m + m.T)
    linear, angular = np.split(m @ nu, 2)
    return np.block([[np.zeros((3, 3)), -skew(linear)], [-skew(linear), -skew(angular)]])


def coriolis_blocks(mass: float, cg_b: ArrayLike, inertia_o: ArrayLike, nu: ArrayLike) -> Array:
    """[N] block form: [mS(w), -mS(S(w) r); -mS(S(w) r), mS(S(v) r) - S(J w)]. [F] 3.3."""
    cg, nu = np.asarray(cg_b, float), np.asarray(nu, float)
    v, omega = nu[:3], nu[3:]
    side = -mass * skew(skew(omega) @ cg)
    corner = mass * skew(skew(v) @ cg) - skew(np.asarray(inertia_o, float) @ omega)
    return np.block([[mass * skew(omega), side], [side, corner]])


def coriolis_explicit(mass: float, cg_b: ArrayLike, inertia_o: ArrayLike, nu: ArrayLike) -> Array:
    """[N] element form with zeros top left; J_xy = -tensor[0, 1] is the integral of x y dm.

    The printed dots over p, q, r are left out and (5, 6) has + J_x p, as skew symmetry with (6, 5) commands.
    """
    m = mass
    x, y, z = np.asarray(cg_b, float)
    u, v, w, p, q, r = np.asarray(nu, float)
    tensor = np.asarray(inertia_o, float)
    jx, jy, jz = np.diag(tensor)
    jxy, jyz, jxz = -tensor[0, 1], -tensor[1, 2], -tensor[0, 2]
    upper = np.array(
        [
            [m * (y * q + z * r), -m * (x * q - w), -m * (x * r + v)],
            [-m * (y * p + w), m * (z * r + x * p), -m * (y * r - u)],
            [-m * (z * p - v), -m * (z * q + u), m * (x * p + y * q)],
        ]
    )
    c45 = -jyz * q - jxz * p + jz * r
    c46 = jyz * r + jxy * p - jy * q
    c56 = -jxz * r - jxy * q + jx * p
    corner = np.array([[0.0, c45, c46], [-c45, 0.0, c56], [-c46, -c56, 0.0]])
    return np.block([[np.zeros((3, 3)), upper], [-upper.T, corner]])


def added_coriolis_explicit(added: ArrayLike, nu: ArrayLike) -> Array:
    """C_A element by element from a = M_A nu, with the column missing in [N] put back. [F] 6.3.

    [N] writes a1..b3 with the derivatives X_udot..N_rdot, which are minus the elements of M_A.
    """
    a1, a2, a3, b1, b2, b3 = -np.asarray(added, float) @ np.asarray(nu, float)
    return np.array(
        [
            [0.0, 0.0, 0.0, 0.0, -a3, a2],
            [0.0, 0.0, 0.0, a3, 0.0, -a1],
            [0.0, 0.0, 0.0, -a2, a1, 0.0],
            [0.0, -a3, a2, 0.0, -b3, b2],
            [a3, 0.0, -a1, b3, 0.0, -b1],
            [-a2, a1, 0.0, -b2, b1, 0.0],
        ]
    )


def inertial_terms_written_out(mass: float, cg_b: ArrayLike, inertia_o: ArrayLike, nu: ArrayLike) -> Array:
    """Right-hand side inertial terms of [B] (6.48)-(6.53), that is -C_RB(nu) nu term by term.

    Products of inertia with the sign of [B] (6.58)-(6.60): I_xy is the integral of x y dm.
    """
    xg, yg, zg = np.asarray(cg_b, float)
    u, v, w, p, q, r = np.asarray(nu, float)
    tensor = np.asarray(inertia_o, float)
    ix, iy, iz = np.diag(tensor)
    ixy, iyz, ixz = -tensor[0, 1], -tensor[1, 2], -tensor[0, 2]
    return np.array(
        [
            mass * (v * r - w * q + xg * (q * q + r * r) - yg * p * q - zg * p * r),
            mass * (-u * r + w * p - xg * p * q + yg * (p * p + r * r) - zg * q * r),
            mass * (u * q - v * p - xg * p * r - yg * q * r + zg * (p * p + q * q)),
            -(iz - iy) * q * r
            - ixy * p * r
            + iyz * (q * q - r * r)
            + ixz * p * q
            - mass * (yg * (-u * q + v * p) - zg * (u * r - w * p)),
            -(ix - iz) * p * r
            + ixy * q * r
            - iyz * p * q
            - ixz * (p * p - r * r)
            + mass * (xg * (-u * q + v * p) - zg * (-v * r + w * q)),
            -(iy - ix) * p * q
            + ixy * (p * p - q * q)
            + iyz * p * r
            - ixz * q * r
            - mass * (xg * (u * r - w * p) - yg * (-v * r + w * q)),
        ]
    )
