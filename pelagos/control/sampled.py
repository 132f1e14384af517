"""Whether a loop that is tuned in continuous time holds at the rate at which it is really run.

The plane (cross velocity, rate, angle), its actuator with lag and, with a dive, the depth, are carried over one control
interval exactly, with the demand held: x+ = F x + g u, from exp([[A, b], [0, 0]] T). The loop, its integrals summed
tick by tick as in pid, gives u. The motion grows if an eigenvalue of x+ (x) lies outside the unit circle (Astrom &
Wittenmark, Computer-Controlled Systems, 1997, 3.2).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pelagos.control.tuning import NO_DIVE, Dive, Loop, Plane

Array = NDArray[np.float64]

GROWS = 1.0 + 1e-6  # an integral at rest sits on the circle, to rounding
QUICK = 0.02  # of the interval: an actuator faster than that is as good as that


def exponential(a: Array) -> Array:
    """exp(a), by squaring a series of ten terms of a / 2^k with norm below a half."""
    halvings = max(0, int(np.ceil(np.log2(max(float(np.abs(a).sum(axis=1).max()), 1e-12)))) + 1)
    part = a / 2.0**halvings
    total = term = np.eye(len(a))
    for k in range(1, 11):
        term = term @ part / k
        total = total + term
    for _ in range(halvings):
        total = total @ total
    return total


def sampled_motion(p: Plane, loop: Loop, dive: Dive = NO_DIVE) -> Array:
    """Matrix of one control interval on (cross, rate, angle, moment, depth, integral, depth integral)."""
    dt = p.interval_s
    lag = max(p.lag_s, QUICK * dt)
    a = np.zeros((6, 6))
    a[:3, :3], a[:3, 3] = p.a, p.b
    a[3, 3], a[3, 5] = -1.0 / lag, 1.0 / lag
    a[4, 0], a[4, 2] = 1.0, -p.speed
    step = exponential(a * dt)
    angle, z_dot, rate, depth = np.zeros(7), np.zeros(7), np.zeros(7), np.zeros(7)
    rate[1] = angle[2] = depth[4] = 1.0
    z_dot[0], z_dot[2] = 1.0, -p.speed
    own, outer = np.zeros(7), np.zeros(7)  # the two integrals, as of this tick
    own[5] = outer[6] = 1.0
    asked = np.zeros(7)
    if dive.frequency > 0.0:
        gain = dive.frequency / p.speed
        outer += gain * dive.frequency / 10.0 * dt * (depth + dive.approach_s * z_dot)
        asked = gain * (depth + dive.rate_s * z_dot) + outer
    own += loop.ki * dt * (asked - angle - loop.approach_s * rate)
    demand = loop.kp * (asked - angle) + p.stiffness * asked + own - loop.kd * rate
    m = np.zeros((7, 7))
    m[:5, :5] = step[:5, :5]
    m[:5] += np.outer(step[:5, 5], demand)
    m[5], m[6] = own, outer
    if dive.frequency <= 0.0:
        m[4] = m[6] = 0.0
    return m


def grows(p: Plane, loop: Loop, dive: Dive = NO_DIVE) -> bool:
    """Whether the motion under the loop, run once in each interval, grows."""
    return loop.works and float(np.abs(np.linalg.eigvals(sampled_motion(p, loop, dive))).max()) > GROWS
