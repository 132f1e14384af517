"""Rotations and kinematics, as printed in the books.

[F] T. I. Fossen, Handbook of Marine Craft Hydrodynamics and Motion Control, Wiley 2011.
[B] D. P. Brutzman, A Virtual World for an AUV, dissertation, NPS 1994, chapter VI (corrected).

Frames: b is the body (x forward, y starboard, z down), n is the world (north, east, down).
`rotation` takes a vector from b to n. Angles in radians, quaternions scalar first.
"""

from __future__ import annotations

from math import asin, atan2, cos, sin, tan

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

# Beyond this |sin theta| the two other angles turn about one axis and only their sum or difference exists.
POLE = 1.0 - 1e-12


def skew(a: ArrayLike) -> Array:
    """S(a) with S(a) b = a x b. [F] chapter 2."""
    x, y, z = np.asarray(a, float)
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def rotation(phi: float, theta: float, psi: float) -> Array:
    """R_nb = Rz(psi) Ry(theta) Rx(phi). [F] 2.2.1, [B] (6.4)."""
    rx = np.array([[1.0, 0.0, 0.0], [0.0, cos(phi), -sin(phi)], [0.0, sin(phi), cos(phi)]])
    ry = np.array([[cos(theta), 0.0, sin(theta)], [0.0, 1.0, 0.0], [-sin(theta), 0.0, cos(theta)]])
    rz = np.array([[cos(psi), -sin(psi), 0.0], [sin(psi), cos(psi), 0.0], [0.0, 0.0, 1.0]])
    return rz @ ry @ rx


def euler_rates(phi: float, theta: float) -> Array:
    """T with (phi, theta, psi)-dot = T omega; singular at theta = +-90 deg. [F] 2.2.1, [B] (6.13)."""
    return np.array(
        [
            [1.0, sin(phi) * tan(theta), cos(phi) * tan(theta)],
            [0.0, cos(phi), -sin(phi)],
            [0.0, sin(phi) / cos(theta), cos(phi) / cos(theta)],
        ]
    )


def body_rates(phi: float, theta: float) -> Array:
    """T^-1 with omega = T^-1 (phi, theta, psi)-dot. [F] 2.2.1, [B] (6.15)-(6.17)."""
    return np.array(
        [
            [1.0, 0.0, -sin(theta)],
            [0.0, cos(phi), cos(theta) * sin(phi)],
            [0.0, -sin(phi), cos(theta) * cos(phi)],
        ]
    )


def jacobian(euler: ArrayLike) -> Array:
    """J(eta), 6x6, with eta-dot = J(eta) nu. [F] 2.2.1, [B] (6.22)."""
    phi, theta, psi = np.asarray(euler, float)
    j = np.zeros((6, 6))
    j[:3, :3] = rotation(phi, theta, psi)
    j[3:, 3:] = euler_rates(phi, theta)
    return j


def hamilton(a: ArrayLike, b: ArrayLike) -> Array:
    """Quaternion product a b in Hamilton's order, so that R(a b) = R(a) R(b). [B] (6.64) corrected."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    scalar = a[0] * b[0] - a[1:] @ b[1:]
    vector = a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])
    return np.array([scalar, *vector])


def rotation_of(q: ArrayLike) -> Array:
    """R_nb = I + 2 eta S(epsilon) + 2 S(epsilon)^2 of a unit quaternion. [F] 2.2.2."""
    q = np.asarray(q, float)
    s = skew(q[1:])
    return np.eye(3) + 2.0 * q[0] * s + 2.0 * s @ s


def quaternion_rate(q: ArrayLike, omega_b: ArrayLike) -> Array:
    """q-dot = 1/2 q (0, omega). [F] 2.2.2, [B] (6.65)."""
    return 0.5 * hamilton(q, [0.0, *np.asarray(omega_b, float)])


def quaternion(phi: float, theta: float, psi: float) -> Array:
    """q_nb of the zyx angles: the product of the three half turns."""
    qx = np.array([cos(phi / 2), sin(phi / 2), 0.0, 0.0])
    qy = np.array([cos(theta / 2), 0.0, sin(theta / 2), 0.0])
    qz = np.array([cos(psi / 2), 0.0, 0.0, sin(psi / 2)])
    return hamilton(hamilton(qz, qy), qx)


def euler_angles(q: ArrayLike) -> tuple[float, float, float]:
    """Angles (phi, theta, psi) of a unit quaternion by atan2, which keeps all digits. [F] 2.2.3.

    At the pole phi is set to 0 and psi carries the whole turn: psi - phi nose up, psi + phi nose down.
    """
    r = rotation_of(q)
    theta = asin(min(1.0, max(-1.0, -r[2, 0])))
    if abs(r[2, 0]) > POLE:
        return 0.0, theta, atan2(-r[0, 1], r[1, 1])
    return atan2(r[2, 1], r[2, 2]), theta, atan2(r[1, 0], r[0, 0])
