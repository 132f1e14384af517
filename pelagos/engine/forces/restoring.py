"""Weight and buoyancy.

    F = m g d + rho V (a_w - g d),  M = r_G x m g d + r_B x rho V (a_w - g d)

d is "down" in body axes, a_w the acceleration of the water (an accelerating sea has a pressure gradient:
Froude-Krylov), rho = rho_0 + rho' depth, V = V_0 (1 - kappa p) for a hull of compressibility kappa,
p = g (rho_0 + rho' depth/2) depth.

Reference: Brutzman (6.48)-(6.53), restoring terms; Fossen (2011), (4.5)-(4.6); errata R12-R14 and G3-G4 for what the
other documents print. Frames: body axes about O. Units: SI. Valid: fully submerged; the free surface is a later
term. Pressure below the surface only: above it (depth < 0) the hull is not compressed.
"""

from __future__ import annotations

from pelagos.engine.algebra import Vec3, Wrench, largest
from pelagos.engine.compiled import compiled
from pelagos.engine.lanes import constant


@compiled
def restoring(model, mass, kin, water):
    """Wrench of weight and buoyancy."""
    d, a = kin.down, kin.fluid_acceleration
    g = water.gravity
    depth = largest(kin.depth, constant(0.0, kin.depth))
    density = water.density + water.density_gradient * kin.depth
    pressure = (water.density + 0.5 * water.density_gradient * depth) * g * depth
    squeezed = density * (1.0 - model.compressibility * pressure)
    b = Vec3(squeezed * (a.x - g * d.x), squeezed * (a.y - g * d.y), squeezed * (a.z - g * d.z))
    w = Vec3(g * d.x, g * d.y, g * d.z)
    m, v = mass.m, mass.volume
    return Wrench(
        m * w.x + v * b.x,
        m * w.y + v * b.y,
        m * w.z + v * b.z,
        mass.sy * w.z - mass.sz * w.y + mass.vy * b.z - mass.vz * b.y,
        mass.sz * w.x - mass.sx * w.z + mass.vz * b.x - mass.vx * b.z,
        mass.sx * w.y - mass.sy * w.x + mass.vx * b.y - mass.vy * b.x,
    )
