"""Attitude conversions between quaternions, Euler angles, rotation matrices and homogeneous transforms.

Quaternions are scalar first and rotate from body to NED. Euler angles are in rad, zyx: roll phi, pitch theta, yaw psi.
All functions take NumPy arrays of any leading shape, so that a whole log converts at once. Equation numbers are those
of Brutzman's dissertation; errata B9-B14 list its misprints and the correct forms.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

AT_POLE = 1e-12  # 1 - |sin theta| below this: roll and yaw are one angle, roll is set to 0


def quaternion_from_euler(phi: ArrayLike, theta: ArrayLike, psi: ArrayLike) -> Array:
    """Return the unit quaternion of Rz(psi) Ry(theta) Rx(phi), (6.62)."""
    half = [0.5 * np.asarray(a, dtype=float) for a in (phi, theta, psi)]
    (sf, st, sp), (cf, ct, cp) = (np.sin(h) for h in half), (np.cos(h) for h in half)
    parts = (
        cf * ct * cp + sf * st * sp,
        sf * ct * cp - cf * st * sp,
        cf * st * cp + sf * ct * sp,
        cf * ct * sp - sf * st * cp,
    )
    return np.stack(np.broadcast_arrays(*parts), axis=-1)


def rotation_from_quaternion(quaternion: ArrayLike) -> Array:
    """Return the rotation matrices R_nb (..., 3, 3) of quaternions, which need not be normalised."""
    q = np.asarray(quaternion, dtype=float)
    if q.ndim == 1:  # a single attitude: plain floats are ten times quicker than arrays of length one
        return _single_rotation(*q.tolist())
    w, x, y, z = np.moveaxis(q / np.linalg.norm(q, axis=-1, keepdims=True), -1, 0)
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def _single_rotation(w: float, x: float, y: float, z: float) -> Array:
    n = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
    w, x, y, z = n * w, n * x, n * y, n * z
    return np.array(
        (
            (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
        )
    )


def rotation_from_euler(phi: ArrayLike, theta: ArrayLike, psi: ArrayLike) -> Array:
    """Return the rotation matrices R_nb (..., 3, 3) of Euler angles, (6.5)."""
    (sf, st, sp) = (np.sin(np.asarray(a, dtype=float)) for a in (phi, theta, psi))
    (cf, ct, cp) = (np.cos(np.asarray(a, dtype=float)) for a in (phi, theta, psi))
    rows = (
        (cp * ct, cp * st * sf - sp * cf, cp * st * cf + sp * sf),
        (sp * ct, sp * st * sf + cp * cf, sp * st * cf - cp * sf),
        (-st, ct * sf, ct * cf),
    )
    return np.stack([np.stack(np.broadcast_arrays(*row), axis=-1) for row in rows], axis=-2)


def euler_from_rotation(R_nb: ArrayLike) -> Array:
    """Return Euler angles (..., 3): roll in (-pi, pi], pitch in [-pi/2, pi/2], yaw in (-pi, pi].

    Pitch by arctan2 keeps all digits near +-90 deg, where arcsin loses half of them. At the pole only phi - psi (nose
    up) or phi + psi (nose down) is defined; roll is then 0, and yaw is that difference or sum.
    """
    R = np.asarray(R_nb, dtype=float)
    if R.ndim == 2:
        return _single_euler(R.tolist())
    level = np.hypot(R[..., 0, 0], R[..., 1, 0])
    theta = np.arctan2(-R[..., 2, 0], level)
    at_pole = np.abs(R[..., 2, 0]) > 1.0 - AT_POLE
    phi = np.where(at_pole, 0.0, np.arctan2(R[..., 2, 1], R[..., 2, 2]))
    free = np.arctan2(R[..., 1, 0], R[..., 0, 0])
    pole = np.arctan2(-R[..., 0, 1], R[..., 1, 1])
    return np.stack([phi, theta, np.where(at_pole, pole, free)], axis=-1)


def _single_euler(R: list[list[float]]) -> Array:
    theta = math.atan2(-R[2][0], math.hypot(R[0][0], R[1][0]))
    if abs(R[2][0]) > 1.0 - AT_POLE:
        return np.array([0.0, theta, math.atan2(-R[0][1], R[1][1])])
    return np.array([math.atan2(R[2][1], R[2][2]), theta, math.atan2(R[1][0], R[0][0])])


def euler_from_quaternion(quaternion: ArrayLike) -> Array:
    """Return roll, pitch, yaw (..., 3) of quaternions; exact at 180 deg and at the poles (errata B13)."""
    return euler_from_rotation(rotation_from_quaternion(quaternion))


def quaternion_product(a: ArrayLike, b: ArrayLike) -> Array:
    """Return the Hamilton product: R(a b) = R(a) R(b). (6.64) prints two wrong signs, errata B11."""
    w, x, y, z = np.moveaxis(np.asarray(a, dtype=float), -1, 0)
    W, X, Y, Z = np.moveaxis(np.asarray(b, dtype=float), -1, 0)
    return np.stack(
        [
            w * W - x * X - y * Y - z * Z,
            w * X + x * W + y * Z - z * Y,
            w * Y - x * Z + y * W + z * X,
            w * Z + x * Y - y * X + z * W,
        ],
        axis=-1,
    )


def angle_between(a: ArrayLike, b: ArrayLike) -> Array:
    """Return the angle (rad) of the rotation from attitude a to b; Q and -Q are the same attitude (errata B14)."""
    d = quaternion_product(np.asarray(a, dtype=float) * np.array([1.0, -1.0, -1.0, -1.0]), b)
    return 2.0 * np.arctan2(np.linalg.norm(d[..., 1:], axis=-1), np.abs(d[..., 0]))


def transform(position_n: ArrayLike, quaternion: ArrayLike) -> Array:
    """Return homogeneous transforms (..., 4, 4) from body to NED: [R_nb, p_n; 0, 1], (6.4)."""
    p = np.asarray(position_n, dtype=float)
    R = rotation_from_quaternion(quaternion)
    T = np.zeros((*R.shape[:-2], 4, 4))
    T[..., :3, :3], T[..., :3, 3], T[..., 3, 3] = R, p, 1.0
    return T


def wrap_angle(angle: ArrayLike) -> Array:
    """Wrap angles to (-pi, pi]."""
    angle = np.asarray(angle, dtype=float)
    # An angle inside the interval is returned bit for bit; np.mod would round it.
    return np.where((angle > -np.pi) & (angle <= np.pi), angle, np.pi - np.mod(np.pi - angle, 2.0 * np.pi))
