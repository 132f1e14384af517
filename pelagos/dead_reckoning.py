"""Dead reckoning of DIS: position and attitude extrapolated from a report of position and motion.

Algorithms 1 to 9 of IEEE 1278.1, annex E: F or R (fixed or rotating), P or V (constant velocity or acceleration), W or
B (world or body axes).

    1 static    2 FPW   3 RPW   4 RVW   5 FVW    6 FPB   7 RPB   8 RVB   9 FVB

World axes (2-5), with velocity v and acceleration a in them:   p = p0 + v t + a t^2 / 2
Body axes (6-9), with velocity v in body axes and the rate of change a of its components, dv/dt = a; the acceleration of
a point in space is a + w x v:

    p = p0 + R0 (R1 v + R2 a),    R1 = int_0^t exp(W s) ds,    R2 = int_0^t s exp(W s) ds,    W = [w x]

Rotating (3, 4, 7, 8): body rates w are constant, R = R0 exp(W t). Fixed (1, 2, 5, 6, 9): the attitude is constant and
w = 0; the rates of a PDU are not used.

With h = |w| t the integrals are

    R1 = t I + (1 - cos h) / |w|^2 W + (h - sin h) / |w|^3 W^2
    R2 = t^2/2 I + (sin h - h cos h) / |w|^3 W + (h^2/2 - h sin h - cos h + 1) / |w|^4 W^2

which are the matrices of the standard with w w^T = W^2 + |w|^2 I. For small h the coefficients are summed as series,
because the closed forms are 0 / 0 at w = 0 and lose digits near it. World axes may be NED or geocentric: the formulas
do not change under a rotation and a shift.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pelagos.errors import CommandError, one_of

Array = NDArray[np.float64]
Numbers = Sequence[float] | Array
Vector = tuple[float, float, float]

STATIC, FPW, RPW, RVW, FVW, FPB, RPB, RVB, FVB = ALGORITHMS = tuple(range(1, 10))
NAMES = {1: "static", 2: "FPW", 3: "RPW", 4: "RVW", 5: "FVW", 6: "FPB", 7: "RPB", 8: "RVB", 9: "FVB"}
TURNING = frozenset((RPW, RVW, RPB, RVB))
ACCELERATED = frozenset((RVW, FVW, RVB, FVB))
IN_BODY_AXES = frozenset((FPB, RPB, RVB, FVB))

SMALL = 0.5  # rad; below it six terms of the series are exact to 1e-16, above it the closed forms lose few digits
_FACTORIALS = tuple(math.factorial(k) for k in range(16))
_SERIES = tuple(
    tuple((-1.0) ** k * value for k, value in enumerate(terms))
    for terms in (
        [1.0 / _FACTORIALS[2 * k + 2] for k in range(6)],  # (1 - cos h) / h^2
        [1.0 / _FACTORIALS[2 * k + 3] for k in range(6)],  # (h - sin h) / h^3
        [1.0 / ((2 * k + 3) * _FACTORIALS[2 * k + 1]) for k in range(6)],  # (sin h - h cos h) / h^3
        [1.0 / ((2 * k + 4) * _FACTORIALS[2 * k + 2]) for k in range(6)],  # (h^2/2 - h sin h - cos h + 1) / h^4
    )
)


def check_algorithm(value: object) -> int:
    """Number of an algorithm, 1 to 9; CommandError for anything else."""
    if not isinstance(value, int) or isinstance(value, bool) or value not in ALGORITHMS:
        known = one_of(f"{k} {name}" for k, name in NAMES.items())
        raise CommandError(key="dead reckoning algorithm", value=value, expected=known)
    return value


def reckon(
    algorithm: int,
    dt: float,
    position: Numbers,
    quaternion: Numbers,
    velocity: Numbers,
    acceleration: Numbers,
    rates: Numbers,
) -> tuple[Array, Array]:
    """Position and attitude after `dt` seconds.

    Args:
        algorithm: 1 to 9.
        dt: s, of either sign.
        position: world axes, m.
        quaternion: unit, scalar first, body to world.
        velocity: m/s; world axes for algorithms 2 to 5, body axes for 6 to 9.
        acceleration: m/s^2 in the same axes; in body axes the rate of change of the velocity's components.
        rates: angular velocity, body axes, rad/s.
    """
    if algorithm == STATIC or dt == 0.0:
        return np.array(position, float), np.array(quaternion, float)
    x, y, z = position
    v, a, w = _three(velocity), _three(acceleration), _three(rates)
    turning = algorithm in TURNING
    if algorithm in IN_BODY_AXES:
        moved = _displacement(dt, v, a if algorithm in ACCELERATED else None, w if turning else None)
        dx, dy, dz = body_to_world(quaternion, moved)
    else:
        dx, dy, dz = v[0] * dt, v[1] * dt, v[2] * dt
        if algorithm in ACCELERATED:
            half = 0.5 * dt * dt
            dx, dy, dz = dx + half * a[0], dy + half * a[1], dz + half * a[2]
    place = np.array((float(x) + dx, float(y) + dy, float(z) + dz))
    return place, _rotated(quaternion, w, dt) if turning else np.array(quaternion, float)


def reckon_positions(
    algorithm: Array, dt: Array, position: Array, quaternion: Array, velocity: Array, acceleration: Array, rates: Array
) -> Array:
    """Positions (n, 3) of n objects, each after its `dt`; arguments as for `reckon`, one row each."""
    moves = (algorithm != STATIC)[:, None]
    accelerated, turning, in_body = (np.isin(algorithm, list(some)) for some in (ACCELERATED, TURNING, IN_BODY_AXES))
    t = dt[:, None]
    v, a = velocity, np.where(accelerated[:, None], acceleration, 0.0)
    way = v * t + 0.5 * t * t * a
    if in_body.any():
        way[in_body] = _many_displacements(in_body, turning, t, quaternion, v, a, rates, way)
    return position + np.where(moves, way, 0.0)


def _many_displacements(
    rows: NDArray[np.bool_], turning: NDArray[np.bool_], dt: Array, quaternion: Array, velocity: Array,
    acceleration: Array, rates: Array, way: Array,
) -> Array:  # fmt: skip
    """R0 (R1 v + R2 a) of the rows in body axes; `way` is v t + a t^2 / 2, the displacement without rotation."""
    t, v, a, moved = dt[rows], velocity[rows], acceleration[rows], way[rows]
    w = np.where(turning[rows][:, None], rates[rows], 0.0)
    b1, c1, b2, c2 = (value[:, None] for value in _many_coefficients(np.linalg.norm(w, axis=1) * t[:, 0]))
    wv, wa = np.cross(w, v), np.cross(w, a)
    moved = moved + t**2 * (b1 * wv + c1 * t * np.cross(w, wv)) + t**3 * (b2 * wa + c2 * t * np.cross(w, wa))
    s, q = quaternion[rows][:, :1], quaternion[rows][:, 1:]
    return moved + 2.0 * np.cross(q, np.cross(q, moved) + s * moved)


def _many_coefficients(h: Array) -> tuple[Array, Array, Array, Array]:
    """`coefficients` of n angles."""
    small = np.abs(h) < SMALL
    square = np.where(small, h, 0.0) ** 2
    series_sums = [np.polyval(series[::-1], square) for series in _SERIES]
    x = np.where(small, 1.0, h)  # any value that divides; the rows are not used
    s, c = np.sin(x), np.cos(x)
    closed_forms = ((1.0 - c) / x**2, (x - s) / x**3, (s - x * c) / x**3, (0.5 * x * x - x * s - c + 1.0) / x**4)
    b1, c1, b2, c2 = (np.where(small, a, b) for a, b in zip(series_sums, closed_forms, strict=True))
    return b1, c1, b2, c2


def body_to_world(quaternion: Numbers, vector: Numbers) -> Vector:
    """A vector of the body in world axes: v + 2 q x (q x v + q0 v); plain floats are faster than arrays here."""
    s, i, j, k = (float(value) for value in quaternion)
    x, y, z = _three(vector)
    a, b, c = j * z - k * y + s * x, k * x - i * z + s * y, i * y - j * x + s * z
    return x + 2.0 * (j * c - k * b), y + 2.0 * (k * a - i * c), z + 2.0 * (i * b - j * a)


def _displacement(t: float, v: Vector, a: Vector | None, w: Vector | None) -> Vector:
    """Displacement R1 v + R2 a, in body axes at the start."""
    x, y, z = v[0] * t, v[1] * t, v[2] * t
    half = 0.5 * t * t
    if a is not None:
        x, y, z = x + half * a[0], y + half * a[1], z + half * a[2]
    if w is None:
        return x, y, z
    h = math.hypot(*w) * t
    b1, c1, b2, c2 = coefficients(h)
    for vector, first, second in ((v, b1 * t * t, c1 * t**3), (a, b2 * t**3, c2 * t**4)):
        if vector is not None:
            once = _cross(w, vector)
            twice = _cross(w, once)
            x, y, z = (
                x + first * once[0] + second * twice[0],
                y + first * once[1] + second * twice[1],
                z + first * once[2] + second * twice[2],
            )
    return x, y, z


def coefficients(h: float) -> tuple[float, float, float, float]:
    """Coefficients of W t and (W t)^2 in R1 / t and R2 / t^2, functions of the angle h in rad."""
    if abs(h) < SMALL:
        square, sums = h * h, []
        for series in _SERIES:
            total = 0.0
            for term in reversed(series):
                total = total * square + term
            sums.append(total)
        return sums[0], sums[1], sums[2], sums[3]
    s, c = math.sin(h), math.cos(h)
    return (1.0 - c) / h**2, (h - s) / h**3, (s - h * c) / h**3, (0.5 * h * h - h * s - c + 1.0) / h**4


def _rotated(quaternion: Numbers, w: Vector, t: float) -> Array:
    """Attitude after rotation at constant rates: q exp(w t / 2)."""
    p, q, r = w
    rate = math.hypot(p, q, r)
    half = 0.5 * rate * t
    share = math.sin(half) / rate if rate > 0.0 else 0.0
    c, i, j, k = math.cos(half), share * p, share * q, share * r
    s, x, y, z = (float(value) for value in quaternion)
    return np.array(
        (
            s * c - x * i - y * j - z * k,
            s * i + x * c + y * k - z * j,
            s * j - x * k + y * c + z * i,
            s * k + x * j - y * i + z * c,
        )
    )


def _three(vector: Numbers) -> Vector:
    x, y, z = vector
    return float(x), float(y), float(z)


def _cross(a: Vector, b: Vector) -> Vector:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
