"""One step of the motion: Euler, Heun, RK4, on the whole state.

Each stepper is a function of the motion and of the time into the call; it finds the actuators at the start, the
middle and the end of the step in case.work.start, case.work.half, case.work.end.
"""

from __future__ import annotations

from pelagos.engine.compiled import compiled
from pelagos.engine.kinematics import Motion
from pelagos.engine.lanes import inverse_sqrt
from pelagos.engine.motion import derivative


@compiled
def along(m, k, h):
    """m + h k."""
    return Motion(
        m.x + h * k.x, m.y + h * k.y, m.z + h * k.z,
        m.a + h * k.a, m.b + h * k.b, m.c + h * k.c, m.d + h * k.d,
        m.u + h * k.u, m.v + h * k.v, m.w + h * k.w, m.p + h * k.p, m.q + h * k.q, m.r + h * k.r,
    )  # fmt: skip


@compiled
def normalised(m, euler):
    """The motion with its quaternion of length one."""
    if euler:
        return m
    k = inverse_sqrt(m.a * m.a + m.b * m.b + m.c * m.c + m.d * m.d)
    return Motion(m.x, m.y, m.z, k * m.a, k * m.b, k * m.c, k * m.d, m.u, m.v, m.w, m.p, m.q, m.r)


@compiled
def euler_step(m, t, dt, case):
    """Explicit Euler, order 1 (Royer's "Newton method", errata R24)."""
    k = derivative(m, t, case.work.start, case)
    return along(m, k, dt), k


@compiled
def heun_step(m, t, dt, case):
    """Heun on the whole state, order 2."""
    k1 = derivative(m, t, case.work.start, case)
    k2 = derivative(along(m, k1, dt), t + dt, case.work.end, case)
    return along(along(m, k1, 0.5 * dt), k2, 0.5 * dt), k1


@compiled
def rk4_step(m, t, dt, case):
    """The classical Runge-Kutta method, order 4."""
    k1 = derivative(m, t, case.work.start, case)
    k2 = derivative(along(m, k1, 0.5 * dt), t + 0.5 * dt, case.work.half, case)
    k3 = derivative(along(m, k2, 0.5 * dt), t + 0.5 * dt, case.work.half, case)
    k4 = derivative(along(m, k3, dt), t + dt, case.work.end, case)
    n = along(along(m, k1, dt / 6.0), k2, dt / 3.0)
    return along(along(n, k3, dt / 3.0), k4, dt / 6.0), k1
