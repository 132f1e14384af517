"""Thrust and torque of propellers, tunnel thrusters and jets; the thruster law and its inverse.

With s the drive after its lag (rad/s, V, N or throttle) and u_a the inflow along the axis:

    T = (k s|s| + l s - i |s| u_a + j u_a|u_a|) exp(-c u^2),   Q = (q s|s| + h |s| u_a) about the axis

k, i, q have a forward (s > 0) and a reverse value; h acts ahead only. A linear K_T(J) = K0 + K1 J of a propeller of
diameter D gives k = rho D^4 K0 and i = -rho D^3 K1 (s in rev/s); a quadratic one gives j = rho D^2 K2, and u_a is then
held at the advance where the thrust is gone: beyond it the propeller idles. Where the thrust itself lags (Royer,
errata R16) s already is the steady thrust in N, from the curve or table, and T = s without inflow.

The law is functions of numbers of one thruster, `t`: a record of the kernel, or in Python the attributes of a
`vehicle.thruster_curve.ThrustCurve`. The inverse, the drive for a thrust, serves controllers, one vehicle as Python and
many compiled (engine.laws).

Reference: Brutzman (6.40)-(6.46) with errata B39-B41; Fossen (2011), (9.8)-(9.12); Royer 2.4; Steenson (2011) for
the loss of tunnel thrust with speed. Frames: body axes; u_a = e . (v_r + omega x r) (1 - wake), or the hull's speed.
Units: SI per drive unit. Limits: first quadrant curves continued by symmetry; a stopped propeller has no drag.
A propeller that leaves the water keeps the share of thrust and torque that its disc keeps of the water; ventilation,
which takes more, is left out.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from typing import Any

from pelagos.engine.compiled import also_python, compiled
from pelagos.engine.core.algebra import Wrench, clip, interpolate, within
from pelagos.engine.core.lanes import constant, exp, sqrt, where_less
from pelagos.engine.laws import also_compiled


@also_python
def effective_drive(t, s):
    """Drive after the limits of the command and the dead band."""
    s = within(s, t.lowest, t.highest)
    return where_less(s, t.dead_high, where_less(t.dead_low, s, 0.0, s), s)


@also_python
def steady_thrust(t, n_table, s):
    """Thrust in still water at drive s, N: table, or k s|s| + l s."""
    if n_table > 0:
        return interpolate(t.table, n_table, s)
    k = where_less(s, 0.0, t.k_reverse, t.k_forward)
    return k * s * abs(s) + t.linear * s


@also_python
def shaft_thrust(t, s, u_a):
    """Thrust at drive s in the inflow u_a, N."""
    u_a = clip(u_a, t.inflow_cap * abs(s))
    k = where_less(s, 0.0, t.k_reverse, t.k_forward)
    slip = where_less(s, 0.0, t.inflow_reverse, t.inflow_forward)
    return (k * s - slip * u_a) * abs(s) + t.linear * s + t.inflow_square * u_a * abs(u_a)


@also_compiled
def drive_for(t: Any, thrust: float, u_a: float) -> float:
    """Drive within the limits whose thrust in the inflow u_a is nearest to `thrust`; 0 where zero thrust is nearest."""
    if t.least_low <= thrust <= t.least_high:
        return 0.0
    if thrust > 0.0:
        if t.n_table > 0:
            s = _between(thrust, t.ahead[0], t.ahead[1], t.ahead[2])
        else:
            s = _root(thrust, u_a, t.k_forward, t.inflow_forward, t.linear, t.inflow_square, t.inflow_cap)
        if s < t.dead_high:  # inside the dead band but nearer to its edge
            s = t.dead_high
        return s if s < t.highest else t.highest
    if t.n_table > 0:
        s = _between(-thrust, t.astern[0], t.astern[1], t.astern[2])
    else:
        s = -_root(-thrust, -u_a, t.k_reverse, t.inflow_reverse, t.linear, t.inflow_square, t.inflow_cap)
    if s > t.dead_low:
        s = t.dead_low
    return s if s > t.lowest else t.lowest


@also_compiled
def _root(thrust: float, u_a: float, k: float, slip: float, linear: float, square: float, cap: float) -> float:
    """Solve k s^2 + (linear - slip u_a) s + square u_a|u_a| = T for s > 0; astern is the mirror image."""
    # The propeller adds to the force of the inflow alone (astern the square term is mirrored as well).
    b = linear - slip * u_a
    force = thrust - square * u_a * abs(u_a)
    if k > 0.0:
        inside = b * b + 4.0 * k * force
        s = (math.sqrt(inside) - b) / (2.0 * k) if inside > 0.0 else max(0.0, -b / (2.0 * k))
        # In a faster inflow than this the propeller idles or windmills, and u_a is limited to cap s.
        if square != 0.0 and abs(u_a) > cap * s:
            j = math.copysign(cap, u_a)
            k, b = k - slip * j + square * j * abs(j), linear
            if k > 0.0:
                s = (math.sqrt(b * b + 4.0 * k * thrust) - b) / (2.0 * k)
        return s
    if force <= 0.0:
        return 0.0
    return force / b if b > 0.0 else math.inf


@also_compiled
def _between(x: float, xs: Any, ys: Any, slopes: Any) -> float:
    """Interpolate linearly on rising xs, constant above (np.interp is ten times slower on one number)."""
    i = bisect_right(xs, x) - 1
    return ys[i] + slopes[i] * (x - xs[i])


@also_compiled
def without_tunnel_loss(thrust: float, loss: float, surge: float) -> float:
    """Thrust that a tunnel thruster needs at rest to give `thrust` at a surge speed, N."""
    return thrust * math.exp(loss * (surge * surge))


@compiled
def inflow(model, structure, kin, i):
    """Speed of the water that meets thruster i along its axis, m/s."""
    t = model.thrusters[i]
    v, o = kin.water, kin.omega
    if structure.inflow_speed[i]:
        return t.one_minus_wake * sqrt(v.x * v.x + v.y * v.y + v.z * v.z)
    along = (
        t.ex * (v.x + o.y * t.z - o.z * t.y)
        + t.ey * (v.y + o.z * t.x - o.x * t.z)
        + t.ez * (v.z + o.x * t.y - o.y * t.x)
    )
    return t.one_minus_wake * along


@compiled
def thrust(model, structure, kin, s, i):
    """Thrust of thruster i, N along its direction."""
    t = model.thrusters[i]
    if structure.lag_on_thrust[i]:
        total = s
    else:
        total = shaft_thrust(t, s, inflow(model, structure, kin, i))
    if structure.uses_tunnel_loss:
        total = total * exp(-t.tunnel_loss * kin.water.x * kin.water.x)
    return total


@compiled
def torque(model, structure, kin, s, i):
    """Reaction torque of thruster i on the hull, N m about its direction."""
    t = model.thrusters[i]
    q = where_less(s, 0.0, t.torque_reverse, t.torque_forward)
    h = where_less(s, 0.0, 0.0, t.torque_inflow)
    return (q * s + h * inflow(model, structure, kin, i)) * abs(s)


@compiled
def thrusters(model, structure, kin, actuators, shares):
    """Wrench of all thrusters."""
    zero = constant(0.0, kin.depth)
    x, y, z, k, m, n = zero, zero, zero, zero, zero, zero
    for i in range(structure.n_thrusters):
        t = model.thrusters[i]
        s = actuators.thruster[i]
        wet = shares.thruster[i]
        force = wet * thrust(model, structure, kin, s, i)
        twist = wet * torque(model, structure, kin, s, i)
        fx, fy, fz = t.ex * force, t.ey * force, t.ez * force
        x, y, z = x + fx, y + fy, z + fz
        k = k + t.y * fz - t.z * fy + t.ex * twist
        m = m + t.z * fx - t.x * fz + t.ey * twist
        n = n + t.x * fy - t.y * fx + t.ez * twist
    return Wrench(x, y, z, k, m, n)
