"""Coriolis and centripetal force of the rigid body.

    tau = -C_RB(nu) nu:  F = -omega x p,  M = -omega x h - v x p,
    p = m v + omega x (m r_G),  h = I_O omega + (m r_G) x v

Reference: Brutzman (6.48)-(6.53), right-hand inertial terms; Fossen (2011), theorem 3.2.
Frames: body axes about O; v, omega over ground. Units: SI. Valid for any CG and full inertia tensor.
Does no work: nu . tau = 0. Written with momenta instead of a matrix, so ballast may change the mass at will.
"""

from __future__ import annotations

from pelagos.engine.compiled import compiled
from pelagos.engine.core.algebra import Vec3, momentum_wrench


@compiled
def rigid_body(mass, structure, kin):
    """Wrench -C_RB(nu) nu; zero where a published program leaves it out."""
    v, o = kin.ground, kin.omega
    on = 1.0 * structure.rigid_body_coriolis
    p = Vec3(
        on * (mass.m * v.x + o.y * mass.sz - o.z * mass.sy),
        on * (mass.m * v.y + o.z * mass.sx - o.x * mass.sz),
        on * (mass.m * v.z + o.x * mass.sy - o.y * mass.sx),
    )
    h = Vec3(
        on * (mass.xx * o.x + mass.xy * o.y + mass.xz * o.z + mass.sy * v.z - mass.sz * v.y),
        on * (mass.xy * o.x + mass.yy * o.y + mass.yz * o.z + mass.sz * v.x - mass.sx * v.z),
        on * (mass.xz * o.x + mass.yz * o.y + mass.zz * o.z + mass.sx * v.y - mass.sy * v.x),
    )
    return momentum_wrench(v, o, p, h)
