"""The motion of all vehicles in arrays that are filled anew at every step, and the turns between frames.

North, east, down in m; angles rad; body axes x forward, y starboard, z down.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pelagos.batch.batch import Batch
from pelagos.messages import Truths

Array = NDArray[np.float64]


class Motion:
    """Where n vehicles are and how they move; `read` fills it from a batch without allocating.

    position_n (n, 3), euler (n, 3) roll, pitch, yaw, nu (n, 6) over ground and nu_r (n, 6) through the water in body
    axes, altitude_m (n,) NaN without a bottom, time_s (n,).
    """

    NAMES = ("position_n", "euler", "nu", "nu_r", "altitude_m", "time_s")

    def __init__(self, n: int) -> None:
        self.position_n, self.euler = np.zeros((n, 3)), np.zeros((n, 3))
        self.nu, self.nu_r = np.zeros((n, 6)), np.zeros((n, 6))
        self.altitude_m, self.time_s = np.full(n, np.nan), np.zeros(n)

    def read(self, batch: Batch, names: tuple[str, ...] = NAMES) -> None:
        """The exact motion now, or the part of it that is asked for."""
        for name in names:
            batch.read(name, getattr(self, name))

    def truths(self) -> Truths:
        """The same arrays as a controller takes them."""
        roll, pitch, yaw = self.euler.T
        return Truths(self.time_s, self.position_n, roll, pitch, yaw, self.nu, self.nu_r, self.altitude_m)


def wrapped(angle: Array) -> Array:
    """The same angles in [-pi, pi)."""
    return (angle + np.pi) % (2.0 * np.pi) - np.pi


def in_body(vector_n: Array, euler: Array) -> Array:
    """NED vectors (n, 3) in body axes: R^T of the angles (n, 3), one turn after another, yaw first."""
    roll, pitch, yaw = euler.T
    north, east, down = vector_n.T
    c, s = np.cos(yaw), np.sin(yaw)
    x, y = c * north + s * east, c * east - s * north
    c, s = np.cos(pitch), np.sin(pitch)
    ahead, z = c * x - s * down, s * x + c * down
    c, s = np.cos(roll), np.sin(roll)
    return np.stack([ahead, c * y + s * z, c * z - s * y], axis=1)


def in_ned(vector_b: Array, euler: Array) -> Array:
    """Body vectors (n, 3) in NED: the way back."""
    roll, pitch, yaw = euler.T
    x, y, z = vector_b.T
    c, s = np.cos(roll), np.sin(roll)
    y, z = c * y - s * z, s * y + c * z
    c, s = np.cos(pitch), np.sin(pitch)
    x, down = c * x + s * z, c * z - s * x
    c, s = np.cos(yaw), np.sin(yaw)
    return np.stack([c * x - s * y, s * x + c * y, down], axis=1)


def nearness(error: Array, scale: float) -> Array:
    """1 at no error, 1/2 at one scale, towards 0 far away: 1 / (1 + (e/s)^2). It has a slope everywhere."""
    return 1.0 / (1.0 + (error / scale) ** 2)
