"""Conversion to the axes of ROS: NED to ENU for the world, forward-starboard-down (FRD) to forward-left-up (FLU).

    P = [[0, 1, 0], [1, 0, 0], [0, 0, -1]]     x_enu = P x_ned      swaps north and east, down becomes up
    F = diag(1, -1, -1)                        x_flu = F x_frd      half a turn about the bow
    R_enu_flu = P R_nb F                       attitude             P and F are their own inverses
    S_enu = P S P,  S_flu = F S F              covariances

Both are rotations (det = +1), so rates and moments transform as velocities do. As quaternions, P is the half turn about
(1, 1, 0)/sqrt(2) and F the half turn about x: q_enu = p q f. ROS messages have the scalar last. Yaw in ENU is 90 deg
minus the heading, and pitch is negative for bow up.

Reference: REP 103 (axes, units), REP 105 (map, odom, base_link), REP 147 (the body frame of vehicles).
Units: any; angles in rad.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
P = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]])  # NED <-> ENU
F = np.diag([1.0, -1.0, -1.0])  # FRD <-> FLU
HALF = math.sqrt(0.5)


def enu(vector_n: ArrayLike) -> Array:
    """Convert NED vectors (..., 3) to ENU, or back."""
    v = np.asarray(vector_n, dtype=float)
    return np.stack([v[..., 1], v[..., 0], -v[..., 2]], axis=-1)


def flu(vector_b: ArrayLike) -> Array:
    """Convert body vectors (..., 3) from FRD to FLU, or back."""
    return np.asarray(vector_b, dtype=float) * (1.0, -1.0, -1.0)


def quaternion_enu(quaternion: ArrayLike) -> Array:
    """Convert attitudes (..., 4), scalar first, FRD to NED, to those of ROS: (x, y, z, w), FLU to ENU, w >= 0.

    This is the product p q f written out.
    """
    q = np.asarray(quaternion, dtype=float)
    w, x, y, z = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    # p q = (-(x + y), w + z, w - z, y - x) HALF, times i from the right: (a, b, c, d) i = (-b, a, d, -c)
    out = HALF * np.stack([-(x + y), y - x, z - w, -(w + z)], axis=-1)
    return np.where(out[..., 3:] < 0.0, -out, out)


def covariance_enu(S_n: ArrayLike) -> Array:
    """Convert a covariance (3, 3) from NED to ENU: P S P."""
    return P @ np.asarray(S_n, dtype=float) @ P


def covariance_flu(S_b: ArrayLike) -> Array:
    """Convert a covariance (3, 3) from FRD to FLU: F S F."""
    return F @ np.asarray(S_b, dtype=float) @ F


def covariance_6(first: ArrayLike, second: ArrayLike) -> list[float]:
    """Return the row-major 6x6 covariance of a pose or twist from its linear and angular blocks, uncorrelated."""
    S = np.zeros((6, 6))
    S[:3, :3], S[3:, 3:] = first, second
    return S.ravel().tolist()


def quaternion_of(R: ArrayLike) -> tuple[float, float, float, float]:
    """Return the quaternion (x, y, z, w), w >= 0, of a rotation matrix.

    The largest component is computed first, so that no division is by a small number.
    """
    m = np.asarray(R, dtype=float)
    t = float(np.trace(m))
    four = [1.0 + 2.0 * m[0, 0] - t, 1.0 + 2.0 * m[1, 1] - t, 1.0 + 2.0 * m[2, 2] - t, 1.0 + t]  # 4 x^2 .. 4 w^2
    k = int(np.argmax(four))
    i, j = (k + 1) % 3, (k + 2) % 3
    q = [0.0] * 4
    if k == 3:
        q[3] = four[3]
        q[0], q[1], q[2] = m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]
    else:
        q[k], q[i], q[j] = four[k], m[i, k] + m[k, i], m[j, k] + m[k, j]
        q[3] = m[j, i] - m[i, j]
    n = math.copysign(1.0 / math.sqrt(sum(c * c for c in q)), q[3])
    return n * q[0], n * q[1], n * q[2], n * q[3]


def heading_deg(quaternion: Sequence[float]) -> float:
    """Return the heading of a ROS attitude (x, y, z, w), clockwise from north, 0 to 360 deg: 90 deg minus its yaw."""
    x, y, z, w = quaternion
    yaw = math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
    heading = (90.0 - math.degrees(yaw)) % 360.0
    return heading if heading < 360.0 else 0.0  # the remainder of a tiny negative number rounds to 360
