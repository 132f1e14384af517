"""Thrust and torque of propellers, tunnel thrusters and jets.

With s the drive after its lag (rad/s, V, N or throttle) and u_a the inflow along the axis:

    T = (k s|s| + l s - i |s| u_a + j u_a|u_a|) exp(-c u^2),   Q = (q s|s| + h |s| u_a) about the axis

k, i, q have a forward (s > 0) and a reverse value; h acts ahead only. A linear K_T(J) = K0 + K1 J of a propeller of
diameter D gives k = rho D^4 K0 and i = -rho D^3 K1 (s in rev/s); a quadratic one gives j = rho D^2 K2, and u_a is then
held at the advance where the thrust is gone: beyond it the propeller idles. Where the thrust itself lags (Royer,
errata R16) s already is the steady thrust in N, from the curve or table, and T = s without inflow.

Reference: Brutzman (6.40)-(6.46) with errata B39-B41; Fossen (2011), (9.8)-(9.12); Royer 2.4; Steenson (2011) for
the loss of tunnel thrust with speed. Frames: body axes; u_a = e . (v_r + omega x r) (1 - wake), or the hull's speed.
Units: SI per drive unit. Limits: first quadrant curves continued by symmetry; a stopped propeller has no drag.
A propeller that leaves the water keeps the share of thrust and torque that its disc keeps of the water; ventilation,
which takes more, is left out.
"""

from __future__ import annotations

from pelagos.engine.compiled import compiled
from pelagos.engine.core.algebra import Wrench, clip
from pelagos.engine.core.lanes import constant, exp, sqrt, where_less


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
        u_a = clip(inflow(model, structure, kin, i), t.inflow_cap * abs(s))
        k = where_less(s, 0.0, t.k_reverse, t.k_forward)
        slip = where_less(s, 0.0, t.inflow_reverse, t.inflow_forward)
        total = (k * s - slip * u_a) * abs(s) + t.linear * s + t.inflow_square * u_a * abs(u_a)
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
