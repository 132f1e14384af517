"""Transcription of equations (1) to (7) of the document with errata H2 to H4 and H6 corrected.

Body frame at the centre of mass, NED, angles zyx, SI. Evidence, not an engine: NumPy, one state at a time.
"""

from __future__ import annotations

import numpy as np

from pelagos_evidence.rows import Array

E3 = np.array([0.0, 0.0, 1.0])
# Table I; units by erratum H5
MASS = np.diag([50.5, 70.5, 69.5, 19.8, 109.2, 109.9])
DRAG = np.array([0.16, 2.44, 12.1, 0.70, 4.04, 0.61]) * 1e2
NET_BUOYANCY_N = 3.53
RIGHTING_N_M = np.array([0.0, 0.0, -12.5])
ACTUATORS = (1.3, 4.8e-3, 0.68, 1.4, 0.56, 3.1e-5, -5.0e-7)


def rotation(euler: Array) -> Array:
    """R of (4), body to world: three turns about z, y, x."""
    (sf, st, sp), (cf, ct, cp) = np.sin(euler), np.cos(euler)
    about_z = np.array([[cp, -sp, 0.0], [sp, cp, 0.0], [0.0, 0.0, 1.0]])
    about_y = np.array([[ct, 0.0, st], [0.0, 1.0, 0.0], [-st, 0.0, ct]])
    about_x = np.array([[1.0, 0.0, 0.0], [0.0, cf, -sf], [0.0, sf, cf]])
    return about_z @ about_y @ about_x


def euler_rates(euler: Array) -> Array:
    """L of (4): body rates to rates of roll, pitch, heading."""
    (sf, cf), (st, ct) = ((np.sin(a), np.cos(a)) for a in euler[:2])
    return np.array([[1.0, sf * st / ct, cf * st / ct], [0.0, cf, -sf], [0.0, sf / ct, cf / ct]])


def pose_rate(euler: Array, v: Array) -> Array:
    """(3) with (4)."""
    return np.concatenate([rotation(euler) @ v[:3], euler_rates(euler) @ v[3:]])


def restoring(euler: Array, net_n: float, buoyancy_moment: Array) -> Array:
    """(6), or (7): net_n is (rho V - m) g and buoyancy_moment rho g V r."""
    down = rotation(euler).T @ E3
    return np.concatenate([net_n * down, np.cross(buoyancy_moment, down)])


def wet_part(points: Array, shares: Array, depth_m: float, euler: Array) -> tuple[float, Array]:
    """Section III.B: share of the points below the surface, and the (arithmetic) mean of their coordinates."""
    wet = depth_m + points @ (rotation(euler).T @ E3) > 0.0
    share = float(shares[wet].sum())
    return share, shares[wet] @ points[wet] / share if share > 0.0 else np.zeros(3)


def coriolis(mass: Array, v: Array) -> Array:
    """C(v) of (5), which the document does not give: Fossen's from the whole of M (erratum H6)."""
    force, moment = mass[:3] @ v, mass[3:] @ v
    upper, lower = -_skew(force), -_skew(moment)
    return np.block([[np.zeros((3, 3)), upper], [upper, lower]])


def acceleration(v: Array, tau: Array, left_g: Array) -> Array:
    """v-dot of (5)."""
    return (tau - coriolis(MASS, v) @ v - DRAG * np.abs(v) * v - left_g) / np.diag(MASS)


def _skew(a: Array) -> Array:
    x, y, z = a
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
