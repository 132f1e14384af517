"""Compiled kernel of the IMU: all samples of a control interval in one call. The equations are in `imu`."""

# ruff: noqa: ANN001, ANN201
# pyright: basic
from __future__ import annotations

from pelagos.engine.compiled import entry

NU = 4  # where velocity and turn rate start in a row of `ends`, behind the quaternion
DRIFTS = 4  # drift processes; in `draw` the noise is behind them


@entry
def imu_block(ends, dts, arm, gravity, matrix, offset, drift, keep, bring, noise, draw, out):
    """Compute the mean specific force and angular rate of each sample, with errors.

    Args:
        ends: (n + 1, 10) quaternion and velocity (u v w p q r) at the ends of the samples.
        dts: (n,) their lengths, s.
        arm: (3,) position of the IMU, body axes.
        gravity: m/s2.
        matrix: (6, 6) body axes and SI to IMU axes and the units of the columns.
        offset: (2, 3) constant errors of accelerometers and gyros.
        drift: (4, 3) state of the four drift processes; updated in place to the end of the block.
        keep: (4, n) share of the initial drift left at the end of each sample.
        bring: (4, n, n) contribution of each draw to the drift at the end of each sample.
        noise: (2, n) standard deviation of the noise of each sample.
        draw: (n, 6, 3) normal numbers: four drifts, then noise of accelerometers and gyros.
        out: (n, 6) output.
    """
    n = len(dts)
    x, y, z = arm[0], arm[1], arm[2]
    for i in range(n):
        per = 1.0 / dts[i]
        f0, f1, f2, w0, w1, w2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for k in range(2):
            e = ends[i + k]
            p, q, r = e[NU + 3], e[NU + 4], e[NU + 5]
            u, v, w = e[NU] + q * z - r * y, e[NU + 1] + r * x - p * z, e[NU + 2] + p * y - q * x
            g = gravity / (e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3])
            a, b = 2.0 * g * (e[1] * e[3] - e[0] * e[2]), 2.0 * g * (e[2] * e[3] + e[0] * e[1])
            c = g * (e[0] * e[0] + e[3] * e[3] - e[1] * e[1] - e[2] * e[2])
            sign = per if k == 1 else -per
            f0 += sign * u + 0.5 * (q * w - r * v - a)
            f1 += sign * v + 0.5 * (r * u - p * w - b)
            f2 += sign * w + 0.5 * (p * v - q * u - c)
            w0, w1, w2 = w0 + 0.5 * p, w1 + 0.5 * q, w2 + 0.5 * r
        for j in range(6):
            m = matrix[j]
            out[i, j] = m[0] * f0 + m[1] * f1 + m[2] * f2 + m[3] * w0 + m[4] * w1 + m[5] * w2
    for i in range(n):
        for triad in range(2):
            for axis in range(3):
                error = offset[triad, axis] + noise[triad, i] * draw[i, DRIFTS + triad, axis]
                for process in (triad, 2 + triad):
                    error += keep[process, i] * drift[process, axis]
                    for j in range(i + 1):
                        error += bring[process, i, j] * draw[j, process, axis]
                out[i, 3 * triad + axis] += error
    for process in range(DRIFTS):
        for axis in range(3):
            left = keep[process, n - 1] * drift[process, axis]
            for j in range(n):
                left += bring[process, n - 1, j] * draw[j, process, axis]
            drift[process, axis] = left
