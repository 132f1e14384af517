"""Strapdown inertial navigation: mechanisation of the IMU, error states, and covariance between measurements.

Flat earth that does not turn, NED axes n, body axes b; the point followed is that of the IMU. Row `x` of numbers:

    0:3 position p   3:6 velocity v   6:10 quaternion q_nb   10:13 gyro bias b_g   13:16 accelerometer bias b_a
    16:19 last gyro reading without errors of slope and axes (not a state)
    19: further states: errors of slope and axes, current, errors of aiding instruments

Error state d = true - estimated, `P` its covariance:

    0:3 dp   3:6 dv   6:9 dtheta, R_true = Exp(dtheta) R   9:12 d gyro bias   12:15 d accelerometer bias   15: further

so dtheta is a turn about NED axes. Readings w of the gyros and f of the accelerometers become w_t = (I + N_g)(w - b_g)
and f_t = (I + N_a)(f - b_a), N a matrix of nine errors of slope (diagonal) and axes (Groves 2013, ch. 4.4, 5 and 14.2,
without the earth's rate and curvature; Sola 2017, sect. 7, global angular error):

    p' = v    v' = R f_t + g    R' = R [w_t]x
    dp' = dv
    dv' = -[R f_t]x dtheta + R (dN_a (f - b_a) - db_a) + n_a
    dtheta' = R (dN_g (w - b_g) - db_g) + n_g          N constant, biases walks or Gauss-Markov

So dN counts as a bias dN f that turns with the force, and only nine rows and columns of P are more than multiplied.
Compiled code stands here or in the engine only: the disk cache hashes no other folder.

Fifteen error states always exist; `States` adds one for each lasting error of the instruments in use. `make_inertial`
gives noise and lasting errors of the IMU, and how the filter coasts without one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pelagos.engine.compiled import compiled, compiled_apart, entry
from pelagos.engine.core.attitude import Attitude, rotation_from_quaternion
from pelagos.estimation.base import Navigation
from pelagos.sensors.imu import Imu
from pelagos.units import GRAVITY

# ruff: noqa: ANN001, ANN201, ANN202
# pyright: basic


Array = NDArray[np.float64]

MOTION = 9  # error states of position, velocity, attitude
ERRORS = 15  # error states that are always there; error state i >= 15 stands at x[i + SHIFT]
VEL, QUAT, GYRO, ACCEL, RATE = 3, 6, 10, 13, 16  # first number of each part of the row x; the position is at 0
TILT, GYRO_ERROR, ACCEL_ERROR = 6, 9, 12  # first error state of attitude and biases; of velocity it is VEL
# First number of each part of the sums over an interval: its length T; integral of R f_t, its second integral, integral
# of R; integral of f - b_a and of w - b_g, which `_spread` divides by T
ELAPSED, DELTA_V, DELTA_P, ROTATION, FORCE, TURN_RATE = 0, 1, 4, 7, 16, 19
N_SUMS = 22
READ_F, READ_W = 1, 4  # first number of f and w in an IMU row; its time is at 0
SHIFT = 4  # numbers of x that are not error states: one of the quaternion and three of the rate
LEAST_ACCEL, LEAST_GYRO = 1e-4, 1e-6  # m/s2/sqrt(Hz), rad/s/sqrt(Hz): accuracy of the mechanisation itself
HOUR, ROOT_HOUR = 3600.0, 60.0  # s, sqrt(s)


@compiled
def _turned(w, a, b, c, p, q, r):
    """Product of a quaternion and that of a rotation vector (p, q, r) in body axes, exactly."""
    angle2 = p * p + q * q + r * r
    if angle2 < 1e-8:  # series: sin(a/2)/a loses digits, and the next term is below 1e-18
        real, k = 1.0 - angle2 / 8.0, 0.5 - angle2 / 48.0
    else:
        angle = math.sqrt(angle2)
        real, k = math.cos(0.5 * angle), math.sin(0.5 * angle) / angle
    p, q, r = k * p, k * q, k * r
    return (
        w * real - a * p - b * q - c * r, w * p + a * real + b * r - c * q,
        w * q - a * r + b * real + c * p, w * r + a * q - b * p + c * real,
    )  # fmt: skip


@compiled
def _straight(x, first, a, b, c):
    """(I + N) times a vector, N in the nine error states from `first` on; the vector if there are none."""
    if first < 0:
        return a, b, c
    k = first + SHIFT
    return (
        a + x[k] * a + x[k + 1] * b + x[k + 2] * c,
        b + x[k + 3] * a + x[k + 4] * b + x[k + 5] * c,
        c + x[k + 6] * a + x[k + 7] * b + x[k + 8] * c,
    )


@compiled_apart
def _step(x, dt, row, gravity, gyro_axes, accel_axes, sums):
    """Integrate one interval of constant readings, with the attitude in its middle (no coning or sculling terms).

    It adds to `sums`, for the covariance.
    """
    a, b, c = row[READ_F] - x[ACCEL], row[READ_F + 1] - x[ACCEL + 1], row[READ_F + 2] - x[ACCEL + 2]
    p, q, r = row[READ_W] - x[GYRO], row[READ_W + 1] - x[GYRO + 1], row[READ_W + 2] - x[GYRO + 2]
    sums[FORCE] += a * dt
    sums[FORCE + 1] += b * dt
    sums[FORCE + 2] += c * dt
    sums[TURN_RATE] += p * dt
    sums[TURN_RATE + 1] += q * dt
    sums[TURN_RATE + 2] += r * dt
    a, b, c = _straight(x, accel_axes, a, b, c)
    p, q, r = _straight(x, gyro_axes, p, q, r)
    x[RATE], x[RATE + 1], x[RATE + 2] = x[GYRO] + p, x[GYRO + 1] + q, x[GYRO + 2] + r
    p, q, r = p * dt, q * dt, r * dt
    e0, e1, e2, e3 = _turned(x[QUAT], x[QUAT + 1], x[QUAT + 2], x[QUAT + 3], p, q, r)
    m0, m1, m2, m3 = _turned(x[QUAT], x[QUAT + 1], x[QUAT + 2], x[QUAT + 3], 0.5 * p, 0.5 * q, 0.5 * r)
    R = rotation_from_quaternion(Attitude(m0, m1, m2, m3))
    force = (
        R.xx * a + R.xy * b + R.xz * c, R.yx * a + R.yy * b + R.yz * c, R.zx * a + R.zy * b + R.zz * c,
    )  # fmt: skip
    for i in range(3):
        along = force[i] + (gravity if i == 2 else 0.0)
        x[i] += (x[VEL + i] + 0.5 * along * dt) * dt
        x[VEL + i] += along * dt
        sums[DELTA_P + i] += (sums[DELTA_V + i] + 0.5 * force[i] * dt) * dt
        sums[DELTA_V + i] += force[i] * dt
    for i in range(9):
        sums[ROTATION + i] += R[i] * dt
    sums[ELAPSED] += dt
    n = 1.0 / math.sqrt(e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3)
    x[QUAT], x[QUAT + 1], x[QUAT + 2], x[QUAT + 3] = n * e0, n * e1, n * e2, n * e3


@compiled
def _less_crooked(d, first, u, v, w, b0, b1, b2):
    """Bias errors of a triad less the effect of its errors of slope and axes on the mean (u, v, w): db - dN f."""
    if first < 0:
        return b0, b1, b2
    return (
        b0 - d[first] * u - d[first + 1] * v - d[first + 2] * w,
        b1 - d[first + 3] * u - d[first + 4] * v - d[first + 5] * w,
        b2 - d[first + 6] * u - d[first + 7] * v - d[first + 8] * w,
    )


@compiled
def _turned_by(s, a, b, c):
    """Integral of R times a vector."""
    k = ROTATION
    return (
        s[k] * a + s[k + 1] * b + s[k + 2] * c,
        s[k + 3] * a + s[k + 4] * b + s[k + 5] * c,
        s[k + 6] * a + s[k + 7] * b + s[k + 8] * c,
    )


@compiled_apart
def _carry(d, s, gyro_axes, accel_axes):
    """The first nine of d <- Phi d, d a column of errors; s the sums with FORCE and TURN_RATE divided by T."""
    T, a0, a1, a2 = s[ELAPSED], d[TILT], d[TILT + 1], d[TILT + 2]
    e0, e1, e2 = _less_crooked(
        d, gyro_axes, s[TURN_RATE], s[TURN_RATE + 1], s[TURN_RATE + 2],
        d[GYRO_ERROR], d[GYRO_ERROR + 1], d[GYRO_ERROR + 2],
    )  # fmt: skip
    g0, g1, g2 = _turned_by(s, e0, e1, e2)
    e0, e1, e2 = _less_crooked(
        d, accel_axes, s[FORCE], s[FORCE + 1], s[FORCE + 2],
        d[ACCEL_ERROR], d[ACCEL_ERROR + 1], d[ACCEL_ERROR + 2],
    )  # fmt: skip
    b0, b1, b2 = _turned_by(s, e0, e1, e2)
    # the tilt that a gyro bias leaves grows during the interval: a third and a half of it count
    m0, m1, m2 = a0 - g0 / 3.0, a1 - g1 / 3.0, a2 - g2 / 3.0
    d[0] += T * d[3] - (s[DELTA_P + 1] * m2 - s[DELTA_P + 2] * m1) - 0.5 * T * b0
    d[1] += T * d[4] - (s[DELTA_P + 2] * m0 - s[DELTA_P] * m2) - 0.5 * T * b1
    d[2] += T * d[5] - (s[DELTA_P] * m1 - s[DELTA_P + 1] * m0) - 0.5 * T * b2
    m0, m1, m2 = a0 - 0.5 * g0, a1 - 0.5 * g1, a2 - 0.5 * g2
    d[3] += -(s[DELTA_V + 1] * m2 - s[DELTA_V + 2] * m1) - b0
    d[4] += -(s[DELTA_V + 2] * m0 - s[DELTA_V] * m2) - b1
    d[5] += -(s[DELTA_V] * m1 - s[DELTA_V + 1] * m0) - b2
    d[TILT], d[TILT + 1], d[TILT + 2] = a0 - g0, a1 - g1, a2 - g2


@compiled_apart
def _spread(x, P, sums, force_noise, gyro_noise, axes, walk, rate):
    """Propagate P <- Phi P Phi^T + Q over the time of `sums`, and let Gauss-Markov states decay.

    Phi = [A B; 0 D] with nine rows in A: rows of P give [P Phi^T] in their first nine numbers, which by symmetry are
    its first nine rows as well; the 9 x 9 corner needs the step twice.
    """
    n, T = P.shape[0], sums[ELAPSED]
    for i in range(FORCE, N_SUMS):
        sums[i] /= T
    for i in range(n):
        _carry(P[i], sums, axes[0], axes[1])
    column = np.empty(n)  # a column of P is not contiguous, and `_carry` takes contiguous rows
    for j in range(MOTION):
        for i in range(n):
            column[i] = P[i, j]
        _carry(column, sums, axes[0], axes[1])
        for i in range(MOTION):
            P[i, j] = column[i]
    for i in range(MOTION, n):
        if rate[i] > 0.0:
            keep = math.exp(-rate[i] * T)
            x[i + 1 if i < ERRORS else i + SHIFT] *= keep
            for j in range(n):
                P[i, j] *= keep
            for j in range(MOTION, n):
                P[j, i] *= keep
            P[i, i] += walk[i] * 0.5 * (1.0 - keep * keep) / rate[i]
        else:
            P[i, i] += walk[i] * T
        for j in range(MOTION):
            P[j, i] = P[i, j]
    for i in range(MOTION):  # rounding of the two passes differs: make the corner symmetric again
        for j in range(i):
            P[i, j] = P[j, i] = 0.5 * (P[i, j] + P[j, i])
    for i in range(3):
        P[i, i] += force_noise * T * T * T / 3.0
        P[i, VEL + i] += 0.5 * force_noise * T * T
        P[VEL + i, i] = P[i, VEL + i]
        P[VEL + i, VEL + i] += force_noise * T
        P[TILT + i, TILT + i] += gyro_noise * T


@entry
def advance(x, P, rows, count, start, end, hold, settings, axes, walk, rate):
    """Advance the filter from `start` to `end` (s) through IMU rows in order: time at the end of the interval, f, w.

    After the last row its readings hold for `hold` seconds. After that the IMU counts as lost: velocity and attitude
    are kept and their uncertainty grows by the noise of a coasting vehicle. True if that happened.

    settings: gravity; noise densities of specific force (m/s2)^2/Hz and rate (rad/s)^2/Hz; the same two when coasting.
    axes: first of nine error states of slope and axes of the gyros and of the accelerometers, row by row; -1 for none.
    """
    sums = np.zeros(N_SUMS)
    t = start
    k = 0
    while t < end and k < count:  # the last row goes on for a while
        till = rows[k, 0] if k < count - 1 or end - rows[k, 0] > hold else max(rows[k, 0], end)
        if till > t:
            till = min(till, end)
            _step(x, till - t, rows[k], settings[0], axes[0], axes[1], sums)
            t = till
        k += 1
    if sums[ELAPSED] > 0.0:
        _spread(x, P, sums, settings[1], settings[2], axes, walk, rate)
    if t < end:  # coast: a force that balances the weight, no rotation, and no errors of slope and axes
        R = rotation_from_quaternion(Attitude(x[QUAT], x[QUAT + 1], x[QUAT + 2], x[QUAT + 3]))
        row = np.zeros(7)
        for i in range(3):
            row[READ_F + i], row[READ_W + i] = x[ACCEL + i] - R[6 + i] * settings[0], x[GYRO + i]
        sums[:] = 0.0
        _step(x, end - t, row, settings[0], -1, -1, sums)
        _spread(x, P, sums, settings[3], settings[4], np.array([-1, -1]), walk, rate)
    return t < end


class States:
    """Error states of the filter: names, initial standard deviations and random walks, in the order of the covariance.

    An error that is drawn once is a state without a walk; one that wanders is a random walk or, with a memory, a
    Gauss-Markov process. Both at once become a random walk that begins with the sum of their variances.
    """

    def __init__(self) -> None:
        self.names = [
            f"{quantity} {axis}" for quantity in ("position", "velocity") for axis in ("north", "east", "down")
        ]
        self.names += [f"{quantity} {axis}" for quantity in ("attitude", "gyro bias", "accel bias") for axis in "xyz"]
        self._sigma = [0.0] * ERRORS
        self._walk = [0.0] * ERRORS  # variance per second
        self._rate = [0.0] * ERRORS  # 1 / memory

    def add(self, name: str, n: int, sigma: float | Sequence[float], *, wander: float = 0.0, memory_s: float = math.inf,
            walk: float = 0.0) -> int:  # fmt: skip
        """Add n states: constant with `sigma`, plus a Gauss-Markov process of standard deviation `wander`, plus a walk.

        The walk is per sqrt(s). Returns the number of the first, or -1 if there is no such error.
        """
        sigmas = [float(s) for s in sigma] if isinstance(sigma, Sequence) else [float(sigma)] * n
        if max(*sigmas, 0.0) == 0.0 and wander == 0.0 and walk == 0.0:
            return -1
        first = len(self.names)
        self.names += [f"{name} {i}" if n > 1 else name for i in range(n)]
        for s in sigmas:
            once, density, rate = self._mix(s, wander, memory_s, walk)
            self._sigma.append(once)
            self._walk.append(density)
            self._rate.append(rate)
        return first

    def put(self, first: int, sigmas: Sequence[float], *, wander: float = 0.0, memory_s: float = math.inf,
            walk: float = 0.0) -> None:  # fmt: skip
        """Set the statistics of existing states, as `add`."""
        for i, s in enumerate(sigmas, start=first):
            self._sigma[i], self._walk[i], self._rate[i] = self._mix(float(s), wander, memory_s, walk)

    @staticmethod
    def _mix(once: float, wander: float, memory_s: float, walk: float) -> tuple[float, float, float]:
        forgets = wander > 0.0 and math.isfinite(memory_s)
        density = walk * walk + (2.0 * wander * wander / memory_s if forgets else 0.0)
        rate = 1.0 / memory_s if forgets and once == 0.0 and walk == 0.0 else 0.0
        return math.hypot(once, wander), density, rate

    @property
    def n(self) -> int:
        """Number of error states."""
        return len(self.names)

    def arrays(self) -> tuple[Array, Array, Array]:
        """Arrays of initial standard deviation, variance added per second, and 1 / memory."""
        return np.array(self._sigma), np.array(self._walk), np.array(self._rate)


@dataclass(frozen=True)
class Inertial:
    """IMU of the filter: `settings` and `axes` of `advance`, and `turn` from the IMU's axes to those of the body."""

    settings: Array
    axes: NDArray[np.int64]
    turn: Array

    def spread(self, P: Array) -> None:
        """Rotate the initial covariance of slopes and axes, independent in the IMU's axes, to body axes.

        N_b = R N R^T, so its nine numbers row by row are (R x R) times those of N, x the Kronecker product.
        """
        both = np.kron(self.turn, self.turn)
        for first in self.axes:
            if first >= 0:
                nine = slice(first, first + 9)
                P[nine, nine] = both @ P[nine, nine] @ both.T


def make_inertial(chosen: Navigation, imu: Imu | None, states: States, gravity_m_s2: float) -> Inertial:
    """Make the noise settings of the IMU, and add its lasting errors to `states`.

    Where the description has errors of slope or axes, nine states a
    triad follow the last state. Readings are y = (I + E) x + b, the filter's matrix is N = (I + E)^-1 - I: its standard
    deviations are those of E but for E^2, some 1e-5 for the IMUs of small vehicles.
    """
    accel, gyro, axes = LEAST_ACCEL, LEAST_GYRO, [-1, -1]
    if imu is not None:
        accel, gyro = max(imu.accel_noise, LEAST_ACCEL), max(imu.gyro_noise, LEAST_GYRO)
        states.put(
            GYRO_ERROR, (imu.gyro_turn_on,) * 3, wander=imu.gyro_wander, memory_s=imu.gyro_bias_memory_s,
            walk=math.radians(imu.gyro_walk_deg_h_sqrt_h) / HOUR / ROOT_HOUR,
        )  # fmt: skip
        states.put(
            ACCEL_ERROR, (imu.accel_turn_on,) * 3, wander=imu.accel_wander, memory_s=imu.accel_bias_memory_s,
            walk=imu.accel_walk_ug_sqrt_h * 1e-6 * GRAVITY / ROOT_HOUR,
        )  # fmt: skip
        triads = (
            ("gyro axes", imu.gyro_scale_ppm, imu.gyro_misalignment_mrad),
            ("accel axes", imu.accel_scale_ppm, imu.accel_misalignment_mrad),
        )
        for i, (name, slope_ppm, axes_mrad) in enumerate(triads):
            slope, cross = 1e-6 * slope_ppm, 1e-3 * axes_mrad
            axes[i] = states.add(name, 9, [slope if k % 4 == 0 else cross for k in range(9)])
    more = chosen.inertial_noise**2
    coast = chosen.coast_m_s_sqrt_s**2, math.radians(chosen.coast_deg_sqrt_s) ** 2
    settings = np.array([gravity_m_s2, more * accel**2, more * gyro**2, *coast])
    return Inertial(settings, np.array(axes), imu.R_bs if imu is not None else np.eye(3))
