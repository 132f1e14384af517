"""Restoring forces: weight and buoyancy.

    F = m g d + rho V (a_w - g d),  M = r_G x m g d + r_B x rho V (a_w - g d)

d is "down" in body axes, a_w the acceleration of the water (an accelerating sea has a pressure gradient:
Froude-Krylov), rho the density at the depth of O, V = V_0 (1 - kappa p) for a hull of compressibility kappa, p the
weight of the water above. Where the hull breaks the surface V and r_B are those of its wet part (wet.py).

Reference: Brutzman (6.48)-(6.53), restoring terms; Fossen (2011), (4.5)-(4.6); errata R12-R14 and G3-G4 for what the
other documents print. Frames: body axes about O. Units: SI. Pressure below the surface only: above it (depth < 0) the
hull is not compressed. Under waves a_w is that at O: the hull is short against the waves.
"""

from __future__ import annotations

from pelagos.engine.compiled import compiled
from pelagos.engine.core.algebra import Vec3, Wrench, largest
from pelagos.engine.core.lanes import constant, where_less
from pelagos.engine.water.flow import density_above
from pelagos.engine.water.wet import room_above, wet


@compiled
def restoring(model, mass, kin, water, sea, hull):
    """Wrench of weight and buoyancy."""
    d, a = kin.down, kin.fluid_acceleration
    g = water.gravity
    depth = largest(kin.depth, constant(0.0, kin.depth))
    more, above = density_above(sea, depth)
    density = water.density + water.density_gradient * kin.depth + more
    pressure = ((water.density + 0.5 * water.density_gradient * depth) * depth + above) * g
    squeezed = density * (1.0 - model.compressibility * pressure)
    b = Vec3(squeezed * (a.x - g * d.x), squeezed * (a.y - g * d.y), squeezed * (a.z - g * d.z))
    w = Vec3(g * d.x, g * d.y, g * d.z)
    m, v = mass.m, mass.volume
    vx, vy, vz = mass.vx, mass.vy, mass.vz
    if kin.at_surface:
        part = wet(hull, kin.below, kin.below_slope)
        # the points stand for the dry hull's volume; volume added by ballast is submerged to the same share
        c = v / model.volume
        # only vehicles of a block that may be partly dry change: the result must not depend on the neighbours
        room = room_above(hull, kin.below, kin.below_slope)
        vx = where_less(room, 0.0, v * part.x + part.share * (vx - c * model.volume_moment[0]), vx)
        vy = where_less(room, 0.0, v * part.y + part.share * (vy - c * model.volume_moment[1]), vy)
        vz = where_less(room, 0.0, v * part.z + part.share * (vz - c * model.volume_moment[2]), vz)
        v = where_less(room, 0.0, v * part.share, v)
    return Wrench(
        m * w.x + v * b.x,
        m * w.y + v * b.y,
        m * w.z + v * b.z,
        mass.sy * w.z - mass.sz * w.y + vy * b.z - vz * b.y,
        mass.sz * w.x - mass.sx * w.z + vz * b.x - vx * b.z,
        mass.sx * w.y - mass.sy * w.x + vx * b.y - vy * b.x,
    )
