"""Vectors, wrenches and small linear systems as tuples of numbers: the same code for floats and SIMD lanes."""

from __future__ import annotations

from typing import Any, NamedTuple

from pelagos.engine.compiled import also_python, compiled
from pelagos.engine.core.lanes import where_less


class Wrench(NamedTuple):
    """Force (N) and moment about O (N m) in body axes."""

    X: Any
    Y: Any
    Z: Any
    K: Any
    M: Any
    N: Any


class Vec3(NamedTuple):
    """Three components in one frame."""

    x: Any
    y: Any
    z: Any


@compiled
def cross(a, b):
    """Cross product a x b."""
    return Vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)


@compiled
def wrench_at(point, force):
    """Wrench about O of a force that acts at a point: (F, r x F)."""
    return Wrench(
        force.x,
        force.y,
        force.z,
        point.y * force.z - point.z * force.y,
        point.z * force.x - point.x * force.z,
        point.x * force.y - point.y * force.x,
    )


@compiled
def add(a, b):
    """Sum of two wrenches."""
    return Wrench(a.X + b.X, a.Y + b.Y, a.Z + b.Z, a.K + b.K, a.M + b.M, a.N + b.N)


@compiled
def momentum_wrench(velocity, omega, p, h):
    """Force and moment of a body that carries momentum (p, h): -omega x p, -omega x h - velocity x p.

    Kirchhoff's equations in body axes; with (p, h) = M nu it equals -C(nu) nu and does no work:
    nu . C nu = 0. Fossen (2011), theorem 3.2.
    """
    f = cross(omega, p)
    a = cross(omega, h)
    b = cross(velocity, p)
    return Wrench(-f.x, -f.y, -f.z, -a.x - b.x, -a.y - b.y, -a.z - b.z)


@compiled
def matrix_row(matrix, i, a, b, c, d, e, f):
    """Row i of a 6x6 matrix times a 6-vector."""
    k = 6 * i
    return (
        matrix[k] * a
        + matrix[k + 1] * b
        + matrix[k + 2] * c
        + matrix[k + 3] * d
        + matrix[k + 4] * e
        + matrix[k + 5] * f
    )


@compiled
def least(a, b):
    """The smaller of two numbers."""
    return where_less(a, b, a, b)


@compiled
def largest(a, b):
    """The larger of two numbers."""
    return where_less(a, b, b, a)


@also_python
def within(x, low, high):
    """Limit x to the range low to high; NaN stays NaN."""
    return where_less(high, x, high, where_less(x, low, low, x))


@also_python
def clip(x, limit):
    """Limit x to the range -limit to +limit; NaN stays NaN."""
    return within(x, -limit, limit)


@also_python
def interpolate(points, n, x):
    """Ordinate at x of a table of n points: straight between points, constant outside.

    Two points with one abscissa make a jump; at the jump the later point counts.
    No search: each point takes over from the one before, so that lanes need no gather.
    """
    y = points[0].y + 0.0 * x
    for i in range(n):
        p = points[i]
        y = where_less(x, p.x, y, p.y + p.slope * (x - p.x))
    return y


@compiled
def solve_spd(matrix, vector):
    """Solve the symmetric positive definite 6x6 system in place: the answer replaces `vector`.

    Gaussian elimination without pivoting, which such matrices do not need (Golub & Van Loan, 4.2).
    """
    for k in range(6):
        pivot = 1.0 / matrix[7 * k]
        for i in range(k + 1, 6):
            factor = matrix[6 * i + k] * pivot
            for j in range(k + 1, 6):
                matrix[6 * i + j] = matrix[6 * i + j] - factor * matrix[6 * k + j]
            vector[i] = vector[i] - factor * vector[k]
    for back in range(6):
        k = 5 - back
        value = vector[k]
        for j in range(k + 1, 6):
            value = value - matrix[6 * k + j] * vector[j]
        vector[k] = value / matrix[7 * k]
