"""Kalman update of the navigation filter: measurement functions, gating, and the chi-square distribution for both.

Numbers `x`, error states and covariance `P` are those of `strapdown`. Each measurement function fills rows of
H = dz/dd and the residual z - expected; axes, signs and units as there, body axes b for levers.
Compiled code stands here or in the engine only: the disk cache hashes no other folder.

Chi-square is the distribution of a normalised square of n normal errors, for gates and tests of consistency:

    P(a, x) = x^a e^-x / Gamma(a) (1/a + x/(a (a+1)) + ...)      share below x of chi-square with 2a degrees at 2x

Reference: Abramowitz and Stegun 6.5.29, 26.4.19; Bar-Shalom, Li and Kirubarajan (2001), Estimation with applications
to tracking and navigation, sect. 5.4, for the tests.
"""

from __future__ import annotations

import math

import numpy as np

from pelagos.checks import number
from pelagos.engine.compiled import compiled, compiled_apart, entry
from pelagos.engine.core.attitude import Attitude, rotation_from_quaternion
from pelagos.estimation.strapdown import ERRORS, GYRO, GYRO_ERROR, MOTION, QUAT, RATE, SHIFT, TILT, VEL

# ruff: noqa: ANN001, ANN201, ANN202
# pyright: basic


VELOCITY, POSITION, DEPTH, HEADING, RANGE, LEVEL = range(6)  # kinds of measurement


@compiled
def _rotation(x):
    return rotation_from_quaternion(Attitude(x[QUAT], x[QUAT + 1], x[QUAT + 2], x[QUAT + 3]))


@compiled_apart
def _take_in(x, d):
    """Add the estimated errors d to the numbers x: Exp(dtheta) q for the attitude, sums elsewhere."""
    for i in range(6):
        x[i] += d[i]
    angle = math.sqrt(d[TILT] * d[TILT] + d[TILT + 1] * d[TILT + 1] + d[TILT + 2] * d[TILT + 2])
    k = math.sin(0.5 * angle) / angle if angle > 1e-8 else 0.5
    w, a, b, c = x[QUAT], x[QUAT + 1], x[QUAT + 2], x[QUAT + 3]
    e, p, q, r = math.cos(0.5 * angle), k * d[TILT], k * d[TILT + 1], k * d[TILT + 2]
    x[QUAT], x[QUAT + 1] = e * w - p * a - q * b - r * c, e * a + p * w + q * c - r * b
    x[QUAT + 2], x[QUAT + 3] = e * b - p * c + q * w + r * a, e * c + p * b - q * a + r * w
    for i in range(MOTION, d.shape[0]):
        x[i + 1 if i < ERRORS else i + SHIFT] += d[i]


@compiled_apart
def _correct(x, P, H, residual, variance, m, gate):
    """Kalman update with m <= 3 residuals; returns the normalised innovation squared, negative if it was rejected.

    S = H P H^T + R = L L^T, W = L^-1 H P: P <- P - W^T W, d = W^T L^-1 r; then d is added to x and is zero again.
    """
    n = P.shape[0]
    W, L, y = np.zeros((m, n)), np.zeros((m, m)), np.zeros(m)
    for k in range(m):
        for i in range(n):
            if H[k, i] != 0.0:  # most entries of a row are 0
                for j in range(n):
                    W[k, j] += H[k, i] * P[i, j]
    nis = 0.0
    for k in range(m):
        for c in range(k + 1):
            s = variance[k] if c == k else 0.0
            for i in range(n):
                s += W[k, i] * H[c, i]
            for i in range(c):
                s -= L[k, i] * L[c, i]
            L[k, c] = math.sqrt(s) if c == k else s / L[c, c]
        y[k] = residual[k] / L[k, k]
        for i in range(k):
            y[k] -= L[k, i] * y[i] / L[k, k]
        nis += y[k] * y[k]
    if not nis <= gate:  # also for NaN
        return -nis
    for k in range(m):
        for j in range(n):
            s = W[k, j]
            for i in range(k):
                s -= L[k, i] * W[i, j]
            W[k, j] = s / L[k, k]
    for k in range(m):
        for i in range(n):  # whole rows: faster than half of them twice
            for j in range(n):
                P[i, j] -= W[k, i] * W[k, j]
    d = H[0]  # no longer needed
    for i in range(n):
        d[i] = 0.0
        for k in range(m):
            d[i] += W[k, i] * y[k]
    _take_in(x, d)
    return nis


@compiled_apart
def _velocity_rows(x, H, residual, z, lever, current, scale, turn, bias, m):
    """z = (1 + k) (I - [m]x) (R^T (v - c) + w x l) + b, body axes; m is how far the instrument is turned unknown."""
    R = _rotation(x)
    c0, c1 = (x[current + SHIFT], x[current + SHIFT + 1]) if current >= 0 else (0.0, 0.0)
    v0, v1, v2 = x[VEL] - c0, x[VEL + 1] - c1, x[VEL + 2]
    p, q, r = x[RATE] - x[GYRO], x[RATE + 1] - x[GYRO + 1], x[RATE + 2] - x[GYRO + 2]
    b0 = R[0] * v0 + R[3] * v1 + R[6] * v2 + q * lever[2] - r * lever[1]
    b1 = R[1] * v0 + R[4] * v1 + R[7] * v2 + r * lever[0] - p * lever[2]
    b2 = R[2] * v0 + R[5] * v1 + R[8] * v2 + p * lever[1] - q * lever[0]
    b = (b0, b1, b2)
    slope = 1.0 + x[scale + SHIFT] if scale >= 0 else 1.0
    m0, m1, m2 = (x[turn + SHIFT], x[turn + SHIFT + 1], x[turn + SHIFT + 2]) if turn >= 0 else (0.0, 0.0, 0.0)
    M = (1.0, m2, -m1, -m2, 1.0, m0, m1, -m0, 1.0)
    for k in range(m):
        s0, s1, s2 = slope * M[3 * k], slope * M[3 * k + 1], slope * M[3 * k + 2]
        expected = s0 * b[0] + s1 * b[1] + s2 * b[2]
        residual[k] = z[k] - expected
        h0 = s0 * R[0] + s1 * R[1] + s2 * R[2]
        h1 = s0 * R[3] + s1 * R[4] + s2 * R[5]
        h2 = s0 * R[6] + s1 * R[7] + s2 * R[8]
        H[k, VEL], H[k, VEL + 1], H[k, VEL + 2] = h0, h1, h2
        H[k, TILT], H[k, TILT + 1], H[k, TILT + 2] = h1 * v2 - h2 * v1, h2 * v0 - h0 * v2, h0 * v1 - h1 * v0
        H[k, GYRO_ERROR] = s1 * lever[2] - s2 * lever[1]
        H[k, GYRO_ERROR + 1] = s2 * lever[0] - s0 * lever[2]
        H[k, GYRO_ERROR + 2] = s0 * lever[1] - s1 * lever[0]
        if current >= 0:
            H[k, current], H[k, current + 1] = -h0, -h1
        if scale >= 0:
            H[k, scale] = expected / slope
        if turn >= 0:  # -m x b = b x m
            H[k, turn + (k + 1) % 3] = -slope * b[(k + 2) % 3]
            H[k, turn + (k + 2) % 3] = slope * b[(k + 1) % 3]
        if bias >= 0:
            H[k, bias + k] = 1.0
            residual[k] -= x[bias + k + SHIFT]


@compiled_apart
def _place_rows(x, H, residual, kind, z, lever, scale, bias, m):
    """Position of a point of the body, z = p + R l + b; its depth alone (1 + k); or its distance from lever[3:6]."""
    R = _rotation(x)
    a0 = R[0] * lever[0] + R[1] * lever[1] + R[2] * lever[2]
    a1 = R[3] * lever[0] + R[4] * lever[1] + R[5] * lever[2]
    a2 = R[6] * lever[0] + R[7] * lever[1] + R[8] * lever[2]
    there = (x[0] + a0, x[1] + a1, x[2] + a2)
    for k in range(m):
        h = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
        expected = there[k]
        if kind == DEPTH:
            h, expected = (0.0, 0.0, 1.0), there[2]
        elif kind == RANGE:
            d0, d1, d2 = there[0] - lever[3], there[1] - lever[4], there[2] - lever[5]
            expected = max(math.sqrt(d0 * d0 + d1 * d1 + d2 * d2), 1e-6)  # m: at 0 the range has no direction
            h = (d0 / expected, d1 / expected, d2 / expected)
        H[k, 0], H[k, 1], H[k, 2] = h[0], h[1], h[2]
        H[k, TILT], H[k, TILT + 1], H[k, TILT + 2] = a1 * h[2] - a2 * h[1], a2 * h[0] - a0 * h[2], a0 * h[1] - a1 * h[0]
        residual[k] = z[k] - expected
        if scale >= 0:
            for i in range(MOTION):
                H[k, i] *= 1.0 + x[scale + SHIFT]
            H[k, scale] = expected
            residual[k] -= x[scale + SHIFT] * expected
        if bias >= 0:
            H[k, bias + k] = 1.0
            residual[k] -= x[bias + k + SHIFT]


@compiled_apart
def _attitude_rows(x, H, residual, kind, z, axis, hard, soft, bias):
    """Heading psi of c = R axis, compared the short way round, or down in body axes, R^T e_z: its x and y.

    z = psi + b + B sin psi + C cos psi + D sin 2 psi + E cos 2 psi;  dpsi = dz - c_z (c_x dx + c_y dy)/(c_x^2 + c_y^2)
    """
    R = _rotation(x)
    if kind == LEVEL:
        for k in range(2):
            residual[k] = z[k] - R[6 + k]
            H[k, TILT], H[k, TILT + 1] = R[3 + k], -R[k]
        return
    c0 = R[0] * axis[0] + R[1] * axis[1] + R[2] * axis[2]
    c1 = R[3] * axis[0] + R[4] * axis[1] + R[5] * axis[2]
    c2 = R[6] * axis[0] + R[7] * axis[1] + R[8] * axis[2]
    level2 = max(c0 * c0 + c1 * c1, 1e-6)  # a vertical axis has no heading: keep the slopes below 1000
    psi = math.atan2(c1, c0)
    expected, slope = psi, 1.0
    for first, per in ((hard, 1.0), (soft, 2.0)):
        if first >= 0:
            s, c = math.sin(per * psi), math.cos(per * psi)
            H[0, first], H[0, first + 1] = s, c
            expected += x[first + SHIFT] * s + x[first + SHIFT + 1] * c
            slope += per * (x[first + SHIFT] * c - x[first + SHIFT + 1] * s)
    H[0, TILT], H[0, TILT + 1], H[0, TILT + 2] = -slope * c2 * c0 / level2, -slope * c2 * c1 / level2, slope
    if bias >= 0:
        H[0, bias] = 1.0
        expected += x[bias + SHIFT]
    residual[0] = (z[0] - expected + math.pi) % (2.0 * math.pi) - math.pi


@entry
def fuse(x, P, kind, z, sigma, lever, index, m, gate):
    """Fuse one measurement of m numbers; returns the normalised innovation squared, negative if the gate rejects it.

    kind: VELOCITY, POSITION, DEPTH, HEADING, RANGE, LEVEL; z, sigma: 3 numbers; lever: 6, from the IMU to the
    instrument in body axes and the place of a beacon (HEADING: axis of the compass); index: error states of current,
    scale, turn, bias (HEADING: hard iron, soft iron, nothing, bias), -1 for none.
    """
    H, residual, variance = np.zeros((3, P.shape[0])), np.zeros(3), np.empty(3)
    for k in range(3):
        variance[k] = sigma[k] * sigma[k]
    if kind == VELOCITY:
        _velocity_rows(x, H, residual, z, lever, index[0], index[1], index[2], index[3], m)
    elif kind == HEADING or kind == LEVEL:
        _attitude_rows(x, H, residual, kind, z, lever, index[0], index[1], index[3])
    else:
        _place_rows(x, H, residual, kind, z, lever, index[1], index[3], m)
    if kind == RANGE:  # second-order term of the range, (sum of position variances) / 2 r, as additional noise
        variance[0] += (0.5 * (P[0, 0] + P[1, 1] + P[2, 2]) / max(z[0], 1e-3)) ** 2
    return _correct(x, P, H, residual, variance, m, gate)


def chi_square_share(value: float, dof: float) -> float:
    """Share of a chi-square distribution with `dof` degrees of freedom below a value."""
    a, x = 0.5 * dof, 0.5 * value
    if x <= 0.0:
        return 0.0
    log_front = a * math.log(x) - x - math.lgamma(a)
    if x > a + 8.0 * math.sqrt(a) + 30.0:
        return 1.0
    term = total = 1.0 / a
    k = a
    while term > 1e-16 * total:
        k += 1.0
        term *= x / k
        total += term
    return min(1.0, total * math.exp(log_front))


def chi_square_point(share: float, dof: float) -> float:
    """Value below which a share of a chi-square distribution lies, by bisection."""
    number("share", share, 0.0, 1.0, above=True, below=True)
    number("number of degrees of freedom", dof, 0.0, above=True)
    low, high = 0.0, dof + 10.0 * math.sqrt(2.0 * dof) + 60.0
    for _ in range(80):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if chi_square_share(middle, dof) < share else (low, middle)
    return 0.5 * (low + high)


def nees_bounds(n: int, dof: int, share: float = 0.95) -> tuple[float, float]:
    """Bounds of the mean of n independent NEES that a consistent filter meets in `share` of all cases.

    n times the mean is chi-square with n dof degrees (Bar-Shalom et al. 2001, 5.4.2-12). Samples of one run are not
    independent: n is the number of runs, each sampled at one instant.
    """
    for key, value in (("number of runs", n), ("number of degrees of freedom", dof)):
        number(key, value, 1.0)
    tail = 0.5 * (1.0 - share)
    return chi_square_point(tail, n * dof) / n, chi_square_point(1.0 - tail, n * dof) / n
