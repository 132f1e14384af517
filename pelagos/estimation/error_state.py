"""The error-state filter in numbers: strapdown mechanisation, covariance, and one function a kind of measurement.

Flat earth that does not turn, NED axes n, body axes b; the point followed is that of the IMU. Row `x` of numbers:

    0:3 position p   3:6 velocity v   6:10 quaternion q_nb   10:13 gyro bias   13:16 accelerometer bias
    16:19 last gyro reading (not a state)   19: further states: current, errors of aiding instruments

Error state d = true - estimated, `P` its covariance:

    0:3 dp   3:6 dv   6:9 dtheta, R_true = Exp(dtheta) R   9:12 d gyro bias   12:15 d accelerometer bias   15: further

so dtheta is a turn about NED axes. Mechanisation and error equations (Groves 2013, ch. 5 and 14.2, without the earth's
rate and curvature; Sola 2017, sect. 7, global angular error):

    p' = v    v' = R (f - b_a) + g    R' = R [w - b_g]x
    dp' = dv    dv' = -[R f]x dtheta - R db_a + n_a    dtheta' = -R db_g + n_g    biases: walks or Gauss-Markov

Everything compiled stands in this one file, as the compiler's disk cache looks at no other.
"""

# ruff: noqa: ANN001, ANN201, ANN202
# pyright: basic
from __future__ import annotations

import math

import numpy as np

from pelagos.engine.compiled import compiled, compiled_apart, entry

ERRORS = 15  # error states that are always there
FURTHER = 19  # where further states begin in x; error state i >= 15 stands at x[i + 4]
VELOCITY, POSITION, DEPTH, HEADING, RANGE, LEVEL = range(6)  # kinds of measurement


@compiled
def _rotation(x):
    w, a, b, c = x[6], x[7], x[8], x[9]
    return (
        1.0 - 2.0 * (b * b + c * c), 2.0 * (a * b - w * c), 2.0 * (a * c + w * b),
        2.0 * (a * b + w * c), 1.0 - 2.0 * (a * a + c * c), 2.0 * (b * c - w * a),
        2.0 * (a * c - w * b), 2.0 * (b * c + w * a), 1.0 - 2.0 * (a * a + b * b),
    )  # fmt: skip


@compiled
def _turned(w, a, b, c, p, q, r):
    """Quaternion times that of a turn vector (p, q, r) in body axes, exactly."""
    angle2 = p * p + q * q + r * r
    if angle2 < 1e-8:
        real, k = 1.0 - angle2 / 8.0, 0.5 - angle2 / 48.0
    else:
        angle = math.sqrt(angle2)
        real, k = math.cos(0.5 * angle), math.sin(0.5 * angle) / angle
    p, q, r = k * p, k * q, k * r
    return (
        w * real - a * p - b * q - c * r, w * p + a * real + b * r - c * q,
        w * q - a * r + b * real + c * p, w * r + a * q - b * p + c * real,
    )  # fmt: skip


@compiled_apart
def _step(x, dt, f, w, gravity, sums):
    """One interval of constant readings: the rotation in its middle turns the specific force (coning, sculling: none).

    `sums`, for the covariance: 0 the time T, 1:4 integral of R f, 4:7 its second integral, 7:16 integral of R.
    """
    p, q, r = (w[0] - x[10]) * dt, (w[1] - x[11]) * dt, (w[2] - x[12]) * dt
    x[16], x[17], x[18] = w[0], w[1], w[2]
    e0, e1, e2, e3 = _turned(x[6], x[7], x[8], x[9], p, q, r)
    x[6], x[7], x[8], x[9] = _turned(x[6], x[7], x[8], x[9], 0.5 * p, 0.5 * q, 0.5 * r)
    R = _rotation(x)
    a0, a1, a2 = f[0] - x[13], f[1] - x[14], f[2] - x[15]
    for i in range(3):
        force = R[3 * i] * a0 + R[3 * i + 1] * a1 + R[3 * i + 2] * a2
        a = force + (gravity if i == 2 else 0.0)
        x[i] += (x[3 + i] + 0.5 * a * dt) * dt
        x[3 + i] += a * dt
        sums[4 + i] += (sums[1 + i] + 0.5 * force * dt) * dt
        sums[1 + i] += force * dt
    for i in range(9):
        sums[7 + i] += R[i] * dt
    sums[0] += dt
    n = 1.0 / math.sqrt(e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3)
    x[6], x[7], x[8], x[9] = n * e0, n * e1, n * e2, n * e3


@compiled_apart
def _carry(d, sums, keep):
    """d <- Phi d for one column of errors."""
    T, s0, s1, s2, u0, u1, u2 = sums[0], sums[1], sums[2], sums[3], sums[4], sums[5], sums[6]
    a0, a1, a2 = d[6], d[7], d[8]
    g0 = sums[7] * d[9] + sums[8] * d[10] + sums[9] * d[11]
    g1 = sums[10] * d[9] + sums[11] * d[10] + sums[12] * d[11]
    g2 = sums[13] * d[9] + sums[14] * d[10] + sums[15] * d[11]
    b0 = sums[7] * d[12] + sums[8] * d[13] + sums[9] * d[14]
    b1 = sums[10] * d[12] + sums[11] * d[13] + sums[12] * d[14]
    b2 = sums[13] * d[12] + sums[14] * d[13] + sums[15] * d[14]
    # the tilt that a gyro bias leaves grows during the interval: a third and a half of it count
    m0, m1, m2 = a0 - g0 / 3.0, a1 - g1 / 3.0, a2 - g2 / 3.0
    d[0] += T * d[3] - (u1 * m2 - u2 * m1) - 0.5 * T * b0
    d[1] += T * d[4] - (u2 * m0 - u0 * m2) - 0.5 * T * b1
    d[2] += T * d[5] - (u0 * m1 - u1 * m0) - 0.5 * T * b2
    m0, m1, m2 = a0 - 0.5 * g0, a1 - 0.5 * g1, a2 - 0.5 * g2
    d[3] += -(s1 * m2 - s2 * m1) - b0
    d[4] += -(s2 * m0 - s0 * m2) - b1
    d[5] += -(s0 * m1 - s1 * m0) - b2
    d[6], d[7], d[8] = a0 - g0, a1 - g1, a2 - g2
    for i in range(9, d.shape[0]):
        d[i] *= keep[i]


@compiled_apart
def _spread(x, P, sums, settings, coasting, walk, rate):
    """P <- Phi P Phi^T + Q over the time of `sums`, and what stays of the means of Gauss-Markov states."""
    n, T = P.shape[0], sums[0]
    keep, more = np.ones(n), np.zeros(n)
    for i in range(9, n):
        keep[i] = math.exp(-rate[i] * T)
        more[i] = walk[i] * (0.5 * (1.0 - keep[i] * keep[i]) / rate[i] if rate[i] > 0.0 else T)
        x[i + 1 if i < ERRORS else i + 4] *= keep[i]
    for _ in range(2):  # P is symmetric: its rows are its columns
        for i in range(n):
            _carry(P[i], sums, keep)
        for i in range(n):
            for j in range(i):
                P[i, j], P[j, i] = P[j, i], P[i, j]
    for i in range(9, n):
        P[i, i] += more[i]
    force_noise, gyro_noise = settings[3], settings[4]
    if not coasting:  # errors of slope and axes: gyros' turn with the vehicle, accelerometers' show when it tilts
        turn2 = (x[16] - x[10]) ** 2 + (x[17] - x[11]) ** 2 + (x[18] - x[12]) ** 2
        tilt2 = 2.0 * settings[0] ** 2 * max(1.0 - sums[15] / T, 0.0)
        force_noise = settings[1] + settings[6] * tilt2
        gyro_noise = settings[2] + settings[5] * turn2
    for i in range(3):
        P[i, i] += force_noise * T * T * T / 3.0
        P[i, 3 + i] += 0.5 * force_noise * T * T
        P[3 + i, i] += 0.5 * force_noise * T * T
        P[3 + i, 3 + i] += force_noise * T
        P[6 + i, 6 + i] += gyro_noise * T
    for i in range(n):  # rounding of the two passes differs
        for j in range(i):
            P[i, j] = P[j, i] = 0.5 * (P[i, j] + P[j, i])


@entry
def advance(x, P, rows, count, start, end, hold, settings, walk, rate):
    """From time `start` to `end` through IMU rows (time at the end of the interval, f 3, w 3), which are in order.

    Where rows end, the last one goes on for `hold` seconds. After that the IMU is taken for lost: velocity and
    attitude are kept and their uncertainty grows by the noise of a coasting vehicle. True if that happened.

    settings: gravity; noise densities of specific force (m/s2)^2/Hz and rate (rad/s)^2/Hz; the same two when coasting;
    squared errors of slope and axes of gyros and accelerometers times their time of change, s.
    """
    sums = np.zeros(16)
    t = start
    for k in range(count):
        if rows[k, 0] > t:
            till = min(rows[k, 0], end)
            _step(x, till - t, rows[k, 1:4], rows[k, 4:7], settings[0], sums)
            t = till
            if t >= end:
                break
    if t < end and count > 0 and end - rows[count - 1, 0] <= hold:
        _step(x, end - t, rows[count - 1, 1:4], rows[count - 1, 4:7], settings[0], sums)
        t = end
    if sums[0] > 0.0:
        _spread(x, P, sums, settings, False, walk, rate)
    if t < end:  # a force that holds the weight, and no turn
        R = _rotation(x)
        f, w = np.empty(3), np.empty(3)
        for i in range(3):
            f[i], w[i] = x[13 + i] - R[6 + i] * settings[0], x[10 + i]
        sums[:] = 0.0
        _step(x, end - t, f, w, settings[0], sums)
        _spread(x, P, sums, settings, True, walk, rate)
    return t < end


@compiled_apart
def _correct(x, P, H, residual, variance, m, gate):
    """Kalman update with m <= 3 residuals; the normalised innovation squared, negative if it was refused.

    S = H P H^T + R = L L^T, W = L^-1 H P: P <- P - W^T W, d = W^T L^-1 r; then d goes into x and is zero again.
    """
    n = P.shape[0]
    W, L, y = np.zeros((m, n)), np.zeros((m, m)), np.zeros(m)
    for k in range(m):
        for i in range(n):
            if H[k, i] != 0.0:
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
    if not nis <= gate:
        return -nis
    for k in range(m):
        for j in range(n):
            s = W[k, j]
            for i in range(k):
                s -= L[k, i] * W[i, j]
            W[k, j] = s / L[k, k]
    for i in range(n):
        for j in range(i, n):
            s = P[i, j]
            for k in range(m):
                s -= W[k, i] * W[k, j]
            P[i, j] = P[j, i] = s
    for i in range(n):
        H[0, i] = 0.0  # no longer needed: d from here on
        for k in range(m):
            H[0, i] += W[k, i] * y[k]
    x[:6] += H[0, :6]
    w, a, b, c = _turned(x[6], -x[7], -x[8], -x[9], -H[0, 6], -H[0, 7], -H[0, 8])  # Exp(d) q is (q* Exp(-d))*
    x[6], x[7], x[8], x[9] = w, -a, -b, -c
    for i in range(9, n):
        x[i + 1 if i < ERRORS else i + 4] += H[0, i]
    return nis


@compiled_apart
def _velocity_rows(x, H, residual, z, lever, current, scale, turn, bias, m):
    """z = (1 + k) (I - [m]x) (R^T (v - c) + w x l) + b, body axes; m is how far the instrument is turned unknown."""
    R = _rotation(x)
    c0, c1 = (x[current + 4], x[current + 5]) if current >= 0 else (0.0, 0.0)
    v0, v1, v2 = x[3] - c0, x[4] - c1, x[5]
    p, q, r = x[16] - x[10], x[17] - x[11], x[18] - x[12]
    b0 = R[0] * v0 + R[3] * v1 + R[6] * v2 + q * lever[2] - r * lever[1]
    b1 = R[1] * v0 + R[4] * v1 + R[7] * v2 + r * lever[0] - p * lever[2]
    b2 = R[2] * v0 + R[5] * v1 + R[8] * v2 + p * lever[1] - q * lever[0]
    b = (b0, b1, b2)
    slope = 1.0 + x[scale + 4] if scale >= 0 else 1.0
    m0, m1, m2 = (x[turn + 4], x[turn + 5], x[turn + 6]) if turn >= 0 else (0.0, 0.0, 0.0)
    M = (1.0, m2, -m1, -m2, 1.0, m0, m1, -m0, 1.0)
    for k in range(m):
        s0, s1, s2 = slope * M[3 * k], slope * M[3 * k + 1], slope * M[3 * k + 2]
        expected = s0 * b[0] + s1 * b[1] + s2 * b[2]
        residual[k] = z[k] - expected
        h0 = s0 * R[0] + s1 * R[1] + s2 * R[2]
        h1 = s0 * R[3] + s1 * R[4] + s2 * R[5]
        h2 = s0 * R[6] + s1 * R[7] + s2 * R[8]
        H[k, 3], H[k, 4], H[k, 5] = h0, h1, h2
        H[k, 6], H[k, 7], H[k, 8] = h1 * v2 - h2 * v1, h2 * v0 - h0 * v2, h0 * v1 - h1 * v0
        H[k, 9] = s1 * lever[2] - s2 * lever[1]
        H[k, 10] = s2 * lever[0] - s0 * lever[2]
        H[k, 11] = s0 * lever[1] - s1 * lever[0]
        if current >= 0:
            H[k, current], H[k, current + 1] = -h0, -h1
        if scale >= 0:
            H[k, scale] = expected / slope
        if turn >= 0:  # -m x b = b x m
            H[k, turn + (k + 1) % 3] = -slope * b[(k + 2) % 3]
            H[k, turn + (k + 2) % 3] = slope * b[(k + 1) % 3]
        if bias >= 0:
            H[k, bias + k] = 1.0
            residual[k] -= x[bias + k + 4]


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
            expected = max(math.sqrt(d0 * d0 + d1 * d1 + d2 * d2), 1e-6)
            h = (d0 / expected, d1 / expected, d2 / expected)
        H[k, 0], H[k, 1], H[k, 2] = h[0], h[1], h[2]
        H[k, 6], H[k, 7], H[k, 8] = a1 * h[2] - a2 * h[1], a2 * h[0] - a0 * h[2], a0 * h[1] - a1 * h[0]
        residual[k] = z[k] - expected
        if scale >= 0:
            for i in range(9):
                H[k, i] *= 1.0 + x[scale + 4]
            H[k, scale] = expected
            residual[k] -= x[scale + 4] * expected
        if bias >= 0:
            H[k, bias + k] = 1.0
            residual[k] -= x[bias + k + 4]


@compiled_apart
def _attitude_rows(x, H, residual, kind, z, axis, hard, soft, bias):
    """Heading psi of c = R axis, compared the short way round, or down seen from the body, R^T e_z: its x and y.

    z = psi + b + B sin psi + C cos psi + D sin 2 psi + E cos 2 psi;  dpsi = dz - c_z (c_x dx + c_y dy)/(c_x^2 + c_y^2)
    """
    R = _rotation(x)
    if kind == LEVEL:
        for k in range(2):
            residual[k] = z[k] - R[6 + k]
            H[k, 6], H[k, 7] = R[3 + k], -R[k]
        return
    c0 = R[0] * axis[0] + R[1] * axis[1] + R[2] * axis[2]
    c1 = R[3] * axis[0] + R[4] * axis[1] + R[5] * axis[2]
    c2 = R[6] * axis[0] + R[7] * axis[1] + R[8] * axis[2]
    level2 = max(c0 * c0 + c1 * c1, 1e-6)
    psi = math.atan2(c1, c0)
    expected, slope = psi, 1.0
    for first, per in ((hard, 1.0), (soft, 2.0)):
        if first >= 0:
            s, c = math.sin(per * psi), math.cos(per * psi)
            H[0, first], H[0, first + 1] = s, c
            expected += x[first + 4] * s + x[first + 5] * c
            slope += per * (x[first + 4] * c - x[first + 5] * s)
    H[0, 6], H[0, 7], H[0, 8] = -slope * c2 * c0 / level2, -slope * c2 * c1 / level2, slope
    if bias >= 0:
        H[0, bias] = 1.0
        expected += x[bias + 4]
    residual[0] = (z[0] - expected + math.pi) % (2.0 * math.pi) - math.pi


@entry
def fuse(x, P, kind, z, sigma, lever, index, m, gate):
    """One measurement of m numbers: the normalised innovation squared, negative if it is beyond the gate and unused.

    kind: VELOCITY, POSITION, DEPTH, HEADING, RANGE, LEVEL; z, sigma: 3 numbers; lever: 6, from the IMU to the
    instrument in body axes and the place of a beacon (HEADING: axis of the compass); index: error states of current,
    scale, turn, bias (HEADING: hard iron, soft iron, nothing, bias), -1 for none.
    """
    H, residual, variance = np.zeros((3, P.shape[0])), np.zeros(3), sigma * sigma
    if kind == VELOCITY:
        _velocity_rows(x, H, residual, z, lever, index[0], index[1], index[2], index[3], m)
    elif kind == HEADING or kind == LEVEL:
        _attitude_rows(x, H, residual, kind, z, lever, index[0], index[1], index[3])
    else:
        _place_rows(x, H, residual, kind, z, lever, index[1], index[3], m)
    if kind == RANGE:  # a sphere is no plane: what an unsure place bends away, (sum of variances) / 2 r
        variance[0] += (0.5 * (P[0, 0] + P[1, 1] + P[2, 2]) / max(z[0], 1e-3)) ** 2
    return _correct(x, P, H, residual, variance, m, gate)
