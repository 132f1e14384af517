"""Explicit integration steps of the whole state: Euler, Heun, RK4.

A step is a function of the motion and of the time into the call; the actuators at the start, the middle and the end of
the step are in records.work.start, records.work.half, records.work.end.
"""

from __future__ import annotations

from pelagos.engine.compiled import compiled
from pelagos.engine.core.kinematics import Motion
from pelagos.engine.core.lanes import inverse_sqrt
from pelagos.engine.core.motion import derivative

EULER, HEUN, RK4 = range(3)  # numbers of the methods; `integrate` has the others


@compiled
def along(m, k, h):
    """The motion m moved along the rate k for h seconds: m + h k."""
    return Motion(
        m.x + h * k.x, m.y + h * k.y, m.z + h * k.z,
        m.a + h * k.a, m.b + h * k.b, m.c + h * k.c, m.d + h * k.d,
        m.u + h * k.u, m.v + h * k.v, m.w + h * k.w, m.p + h * k.p, m.q + h * k.q, m.r + h * k.r,
    )  # fmt: skip


@compiled
def normalised(m, euler):
    """The motion with its quaternion scaled to length one; Euler angles stay as they are."""
    if euler:
        return m
    k = inverse_sqrt(m.a * m.a + m.b * m.b + m.c * m.c + m.d * m.d)
    return Motion(m.x, m.y, m.z, k * m.a, k * m.b, k * m.c, k * m.d, m.u, m.v, m.w, m.p, m.q, m.r)


@compiled
def explicit_step(m, t, dt, method, records):
    """One step of Euler, Heun or RK4, and the rate at its start.

    One loop for all three methods: each place that calls `derivative` takes seconds to compile.

    Euler (order 1, Royer's "Newton method", errata R24): m + dt k1. Heun (order 2): m + dt (k1 + k2)/2, k2 at the end
    of the Euler step. RK4 (order 4): m + dt (k1 + 2 k2 + 2 k3 + k4)/6, k2 and k3 at half of the step, k4 at its end.
    """
    first = derivative(m, t, records.work.start, records)
    k = first
    stages, weight = 1, 1.0
    if method == HEUN:
        stages, weight = 2, 0.5
    elif method == RK4:
        stages, weight = 4, 1.0 / 6.0
    after = along(m, k, weight * dt)
    for s in range(1, stages):
        half = method == RK4 and s < 3
        part = 0.5 * dt if half else dt
        actuators = records.work.half if half else records.work.end
        k = derivative(along(m, k, part), t + part, actuators, records)
        after = along(after, k, dt / 3.0 if half else weight * dt)
    return after, first
