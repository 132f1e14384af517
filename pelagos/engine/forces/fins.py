"""Fins and rudders described by geometry: lift with stall, drag, propeller wash.

At the fin the flow along the hull is u_f and across the fin v_n (velocity of the point through the water):

    u_f = hull_flow u_local + wash s,  then u_f|u_f| += wash_momentum T   (s, T: rate and thrust of the propeller ahead)
    a = sign(u_f) delta - v_n/|u_f|                                    angle of attack, rad
    C_L = slope a up to the stall angle, slope_after beyond (never below 0)
    L = rho/2 S C_L |u_f| V across the flow (u_f, v_n): rho/2 S C_L u_f^2 along the normal, -rho/2 S C_L u_f v_n along x
    D = rho/2 S (d_0 + d_1|a| + d_2 a^2) u_f|u_f| along -x, with |a| up to the stall angle

Reference: Fossen (2011), 9.6; Prestero (2001), 4.4; Gavia notes with errata G8-G12 (hull_flow 0, wash = blade radius);
slipstream by momentum theory: wash_momentum = 2/(rho A) for a fin in the far slipstream of a disc of area A.
Frames: body axes; the normal is where a positive deflection pushes when going ahead. Units: rad, SI. Limits: small
flow angles in the formula for a; no hull-fin interference. Lift is across the local flow, so it does no work on the
fin whatever its angle (without wash); along the normal instead, a deflected fin would drive a turning vehicle ahead.
A fin that leaves the water keeps the force of its wet share.
Drag of a fin square to the flow belongs to the hull's cross-flow or heave and sway coefficients.
"""

from __future__ import annotations

from pelagos.engine.compiled import compiled
from pelagos.engine.core.algebra import Wrench, largest, least
from pelagos.engine.core.lanes import constant, sqrt, where_less
from pelagos.engine.forces.thrusters import thrust

STILL = 1e-9  # m/s: keeps the angle of attack finite where no water flows along the fin; stall bounds the lift there


@compiled
def lift_coefficient(fin, a):
    """Lift coefficient at angle of attack a: linear up to the stall angle, then slope_after, never past 0."""
    angle = abs(a)
    past = largest(angle - fin.stall, constant(0.0, a))
    lift = largest(fin.slope * least(angle, fin.stall) + fin.slope_after * past, constant(0.0, a))
    return where_less(a, 0.0, -lift, lift)


@compiled
def fins(model, structure, kin, actuators, shares):
    """Wrench of all fins."""
    v, o = kin.water, kin.omega
    zero = constant(0.0, v.x)
    x, y, z, k, m, n = zero, zero, zero, zero, zero, zero
    for i in range(structure.n_fins):
        fin = model.fins[i]
        delta = zero
        if structure.fin_surface[i] >= 0:
            delta = fin.gain * actuators.surface[structure.fin_surface[i]]
        along = fin.hull_flow * (v.x + o.y * fin.z - o.z * fin.y)
        across = fin.hull_flow * (
            (v.y + o.z * fin.x - o.x * fin.z) * fin.ny + (v.z + o.x * fin.y - o.y * fin.x) * fin.nz
        )
        if structure.fin_wash[i] >= 0:
            j = structure.fin_wash[i]
            s = actuators.thruster[j]
            along = along + fin.wash * s
            square = along * abs(along) + fin.wash_momentum * thrust(model, structure, kin, s, j)
            along = where_less(square, 0.0, -1.0, 1.0) * sqrt(abs(square))
        speed = abs(along)
        a = (along * delta - across) / (speed + STILL)
        area = fin.area * shares.fin[i]
        lift = area * lift_coefficient(fin, a)
        normal = lift * along * along
        attached = least(abs(a), fin.stall)
        drag = area * (fin.drag_0 + fin.drag_a * attached + fin.drag_aa * attached * attached) * along * speed
        fx = -drag - lift * along * across
        fy, fz = normal * fin.ny, normal * fin.nz
        x, y, z = x + fx, y + fy, z + fz
        k = k + fin.y * fz - fin.z * fy
        m = m + fin.z * fx - fin.x * fz
        n = n + fin.x * fy - fin.y * fx
    return Wrench(x, y, z, k, m, n)
