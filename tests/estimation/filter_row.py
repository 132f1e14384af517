"""States of the filter for tests: errors added and removed, IMU readings."""

import math

import numpy as np

from pelagos.estimation.strapdown import advance
from pelagos.frames import quaternion_from_euler, quaternion_product

G = 9.80665
# current, compass, DVL scale, DVL bias, position bias, DVL turn, slopes and axes of gyros and accelerometers
CURRENT, COMPASS, SCALE, BIAS, PLACE, TURN, GYRO_AXES, ACCEL_AXES = 15, 17, 18, 19, 22, 25, 28, 37
N = 46
AXES = np.array([GYRO_AXES, ACCEL_AXES])
NOISE_FREE = np.array([G, *[0.0] * 4])


def start(euler=(0.0, 0.0, 0.0), velocity=(0.0, 0.0, 0.0)):
    x = np.zeros(N + 4)
    x[3:6], x[6:10] = velocity, quaternion_from_euler(*euler)
    return x


def moved(x, d):
    """The row with an error added: what the truth is if the error state is d."""
    y = x.copy()
    y[:6] += d[:6]
    angle = np.linalg.norm(d[6:9])
    axis = d[6:9] / angle if angle > 0.0 else np.zeros(3)
    y[6:10] = quaternion_product(np.array([math.cos(angle / 2), *(math.sin(angle / 2) * axis)]), x[6:10])
    y[10:16] += d[9:15]
    y[19:] += d[15:]
    return y


def difference(a, b):
    """The error state that takes b to a."""
    d = np.zeros(N)
    d[:6], d[9:15], d[15:] = a[:6] - b[:6], a[10:16] - b[10:16], a[19:] - b[19:]
    turn = quaternion_product(a[6:10], b[6:10] * np.array([1.0, -1.0, -1.0, -1.0]))
    d[6:9] = 2.0 * turn[1:] * np.sign(turn[0])  # small
    return d


def rows_of(force, rate, seconds, n):
    times = np.linspace(0.0, seconds, n + 1)[1:]
    return np.column_stack([times, np.tile(force, (n, 1)), np.tile(rate, (n, 1))])


def run(x, rows, seconds, P=None, settings=NOISE_FREE, walk=None, rate=None, begin=0.0, hold=0.05):
    P = np.zeros((N, N)) if P is None else P
    walk, rate = (np.zeros(N) if a is None else a for a in (walk, rate))
    return advance(x, P, rows, len(rows), begin, seconds, hold, settings, AXES, walk, rate)


def some_state():
    x = start((0.2, -0.3, 2.5), (1.2, -0.7, 0.3))
    x[:3] = 3.0, -8.0, 12.0
    x[10:16] = 0.01, -0.02, 0.015, 0.05, 0.03, -0.04
    x[16:19] = 0.1, -0.05, 0.2
    x[19:32] = 0.3, -0.2, 0.05, 0.02, 0.01, -0.02, 0.015, 1.0, -0.5, 0.4, 0.03, -0.02, 0.05
    x[32:] = np.random.default_rng(4).normal(0.0, 1e-3, 18)
    return x
