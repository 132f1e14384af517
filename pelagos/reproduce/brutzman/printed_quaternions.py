"""Transcription of equations 6.61-6.68 as printed: quaternions, their product, rates, and the angles taken from them.

Evidence, not a second engine: nothing but the rows and tests of this chapter calls it. Scalar first.
"""

from __future__ import annotations

from math import acos, asin, cos, sin

import numpy as np

from pelagos.reproduce.brutzman.equations_rows import Array


def from_axis(A: float, B: float, C: float, D: float) -> Array:
    """(6.63): A, B, C are the angles of the rotation axis with the three axes, D the rotation about it."""
    return np.array([cos(D / 2.0), cos(A) * sin(D / 2.0), cos(B) * sin(D / 2.0), cos(C) * sin(D / 2.0)])


def product(a: Array, b: Array, mended: bool = True) -> Array:
    """(6.64): Q Q1; as printed two signs of the j line and two of the k line are wrong (B11)."""
    W, X, Y, Z = a
    W1, X1, Y1, Z1 = b
    s = 1.0 if mended else -1.0
    return np.array(
        [
            W * W1 - X * X1 - Y * Y1 - Z * Z1,
            X * W1 + W * X1 - Z * Y1 + Y * Z1,
            Y * W1 + Z * X1 + s * W * Y1 - s * X * Z1,
            Z * W1 - s * Y * X1 + s * X * Y1 + W * Z1,
        ]
    )


def rates(q0: float, q1: float, q2: float, q3: float, p: float, q: float, r: float) -> Array:
    """(6.65): rates of the four parameters."""
    return np.array(
        [
            -0.5 * (q1 * p + q2 * q + q3 * r),
            0.5 * (q0 * p + q2 * r - q3 * q),
            0.5 * (q0 * q + q3 * p - q1 * r),
            0.5 * (q0 * r + q1 * q - q2 * p),
        ]
    )


def extracted(q0: float, q1: float, q2: float, q3: float) -> Array:
    """(6.66)-(6.68): roll, pitch, yaw as printed, sign(0) = 0 included; not a number where arccos has no value."""
    theta = asin(-2.0 * (q1 * q3 - q0 * q2))
    try:
        psi = acos((q0**2 + q1**2 - q2**2 - q3**2) / cos(theta)) * np.sign(q1 * q2 + q0 * q3)
        phi = acos((q0**2 - q1**2 - q2**2 + q3**2) / cos(theta)) * np.sign(q2 * q3 + q0 * q1)
    except ValueError:  # a quotient of 1 + 1e-16
        return np.array([np.nan, theta, np.nan])
    return np.array([phi, theta, psi])
