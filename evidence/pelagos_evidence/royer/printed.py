"""Equations of chapter 2 as the thesis prints them, to be compared with the engine.

Royer's names: psi yaw, phi pitch, theta roll; P the reference point, G the centre of gravity. `printed=True` gives the
form on the page, misprints and all; without it the errata (R1 ... R16) are applied.
"""

from __future__ import annotations

import numpy as np

from pelagos_evidence.rows import Array


def force_on_body(m: float, G: Array, nu: Array, rate: Array) -> Array:
    """Section 2.2 and appendix A.1: F_x, F_y, F_z from velocities and their rates."""
    (u, v, w, p, q, r), (ud, vd, wd, pd, qd, rd), (x, y, z) = nu, rate, G
    return m * np.array(
        [
            (ud - v * r + w * q) - x * (q * q + r * r) + y * (p * q - rd) + z * (p * r + qd),
            (vd + u * r - w * p) + x * (p * q + rd) - y * (p * p + r * r) + z * (q * r - pd),
            (wd - u * q + v * p) + x * (p * r - qd) + y * (q * r + pd) - z * (p * p + q * q),
        ]
    )


def moment_about_P(m: float, I: Array, G: Array, nu: Array, rate: Array, printed: str = "") -> Array:
    """M_x, M_y, M_z; printed: "2.2", with v-dot for r-dot (R3), or "A.1", with qv for qu besides (R6)."""
    (u, v, w, p, q, r), (ud, vd, wd, pd, qd, rd), (x, y, z) = nu, rate, G
    Ix, Iy, Iz = I
    turning = vd if printed else rd
    last = q * v if printed == "A.1" else q * u
    return np.array(
        [
            Ix * pd + (Iz - Iy) * q * r
            + m * (y * (wd - u * q + v * p) - z * (vd + u * r - w * p) + x * y * (p * r - qd)
                   - x * z * (p * q + turning) + y * z * (r * r - q * q)),
            Iy * qd + (Ix - Iz) * r * p
            + m * (z * (ud + q * w - r * v) - x * (wd + p * v - last) + y * z * (q * p - rd)
                   - x * y * (q * r + pd) + x * z * (p * p - r * r)),
            Iz * rd + (Iy - Ix) * p * q
            + m * (x * (vd + r * u - p * w) - y * (ud + q * w - r * v) + x * z * (r * q - pd)
                   - y * z * (r * p + qd) + x * y * (q * q - p * p)),
        ]
    )  # fmt: skip


def moment_about_G(I: Array, nu: Array, rate: Array) -> Array:
    """The short set of page 15; true with the inertia about G (I'), printed with that about P (R1)."""
    p, q, r = nu[3:]
    Ix, Iy, Iz = I
    return np.array(
        [Ix * rate[3] - (Iy - Iz) * q * r, Iy * rate[4] + (Ix - Iz) * p * r, Iz * rate[5] + (Iy - Ix) * p * q]
    )


def about_G(m: float, I: Array, G: Array) -> Array:
    """I' by Huyghens."""
    x, y, z = G
    return I - m * np.array([y * y + z * z, x * x + z * z, x * x + y * y])


def turn(psi: float, phi: float, theta: float) -> Array:
    """T(psi, phi, theta) of section 2.3, from fixed to local axes."""
    cp, sp, cf, sf, ct, st = np.cos(psi), np.sin(psi), np.cos(phi), np.sin(phi), np.cos(theta), np.sin(theta)
    return np.array(
        [
            [cp * cf, sp * cf, -sf],
            [cp * sf * st - sp * ct, sp * sf * st + cp * ct, cf * st],
            [cp * sf * ct + sp * st, sp * ct * sf - cp * st, cf * ct],
        ]
    )


def body_rates(phi: float, theta: float, psid: float, phid: float, thetad: float, printed: bool = False) -> Array:
    """p, q, r of section 2.3; printed with phi-dot in p (R8)."""
    return np.array(
        [
            -(phid if printed else psid) * np.sin(phi) + thetad,
            psid * np.cos(phi) * np.sin(theta) + phid * np.cos(theta),
            psid * np.cos(phi) * np.cos(theta) - phid * np.sin(theta),
        ]
    )


def angle_rates(phi: float, theta: float, p: float, q: float, r: float, printed: bool = False) -> Array:
    """psi-dot, phi-dot, theta-dot of section 2.3; printed with cos(phi) for cos(theta) (R9)."""
    ct, st = np.cos(theta), np.sin(theta)
    return np.array(
        [
            (q * st + r * (np.cos(phi) if printed else ct)) / np.cos(phi),
            q * ct - r * st,
            p + np.tan(phi) * (r * ct + q * st),
        ]
    )


def weight(W: float, phi: float, theta: float, printed: bool = False) -> Array:
    """Section 2.4.a: gravity in local axes; printed without the roll (R12)."""
    if printed:
        return W * np.array([-np.sin(phi), np.sin(phi) * np.cos(phi), np.cos(phi)])
    return W * np.array([-np.sin(phi), np.cos(phi) * np.sin(theta), np.cos(phi) * np.cos(theta)])


def weight_moment(W: float, at: Array, phi: float, theta: float, printed: bool = False) -> Array:
    """Section 2.4.a: moment of a force W down at a point (x, 0, z); printed without the last cosine (R14)."""
    x, _, z = at
    sf, cf, st, ct = np.sin(phi), np.cos(phi), np.sin(theta), np.cos(theta)
    return W * np.array([-z * st * cf, -(z * sf + x * ct * (1.0 if printed else cf)), x * st * cf])


def drag(quadratic: Array, linear: Array, relative: Array) -> Array:
    """Section 2.4.c: -C1 |v| v - C2 v, of all six."""
    return -quadratic * np.abs(relative) * relative - linear * relative


def tether_moment(xT: float, zT: float, F: Array) -> Array:
    """Section 2.4.d: of a force in local axes at (x_T, 0, z_T)."""
    return np.array([-zT * F[1], zT * F[0] - xT * F[2], xT * F[1]])


def thrusters(P: Array, y12: float, z12: float, x3: float, z3: float, y56: float, x56: float) -> Array:
    """Section 2.4.e: force and moment of P1, P2, P3, P5, P6."""
    p1, p2, p3, p5, p6 = P
    return np.array(
        [
            p1 + p2, p3, p5 + p6,
            -z3 * p3 + (p6 - p5) * y56, (p2 + p1) * z12 - (p5 + p6) * x56, (p1 - p2) * y12 + p3 * x3,
        ]
    )  # fmt: skip


def mass_matrix(m: float, I: Array, added: Array, G: Array, printed: bool = False) -> Array:
    """Section 2.5; printed with m(z_G + z_G x_G) in (4,2) and 0 in (4,6) (R4, R5)."""
    x, _, z = G
    M = np.diag([m + added[0], m + added[1], m + added[2], I[0] + added[3], I[1] + added[4], I[2] + added[5]])
    M[0, 4] = M[4, 0] = m * z
    M[1, 3] = M[3, 1] = -m * z
    M[1, 5] = M[5, 1] = m * x
    M[2, 4] = M[4, 2] = -m * x
    M[5, 3] = M[3, 5] = -m * x * z
    if printed:
        M[3, 1], M[3, 5] = m * (z + z * x), 0.0
    return M


def sets_1_and_2(m: float, I: Array, added: Array, G: Array, nu: Array, load: Array) -> Array:
    """Accelerations by sets (1) and (2) of section 2.5, the added masses on the left only (R2).

    load: F_x ... M_z about P, without added mass. Set (2) gives the rotations, set (1) then the translations.
    """
    (u, v, w, p, q, r), (x, _, z), F, M = nu, G, load[:3], load[3:]
    Ix, Iy, Iz = about_G(m, I, G)
    pd = (M[0] + z * F[1] + (Iy - Iz) * q * r) / (Ix + added[3])
    qd = (M[1] + x * F[2] - z * F[0] + (Iz - Ix) * p * r) / (Iy + added[4])
    rd = (M[2] - x * F[1] + (Ix - Iy) * p * q) / (Iz + added[5])
    return np.array(
        [
            (F[0] + m * (v * r - w * q + x * (q * q + r * r) - z * p * r) - m * z * qd) / (m + added[0]),
            (F[1] + m * (-u * r + w * p - x * p * q - z * q * r) + m * z * pd - m * x * rd) / (m + added[1]),
            (F[2] + m * (u * q - v * p - x * p * r + z * (p * p + q * q)) + m * x * qd) / (m + added[2]),
            pd, qd, rd,
        ]
    )  # fmt: skip
