"""Added mass: inertia of the water that moves with the hull.

    tau = -C_A(nu_r) nu_r + M_A d(nu_c)/dt

The part -M_A d(nu)/dt stands on the left of the equation of motion, in the mass matrix. (p, h) = M_A nu_r is the
impulse of the water (Kirchhoff); -C_A nu_r contains the Munk moment. Coefficient sets that already hold these terms,
or that neglect them (errata B59), switch the Coriolis part off: `coriolis` in the vehicle file.

Reference: Fossen (2011), (6.43)-(6.48), (8.24); Lamb (1932), art. 124. Frames: body axes about O, nu_r through the
water, nu_c the current in the turning body axes. Units: SI. Valid: deep water, no waves (constant M_A), uniform
current. -C_A nu_r does no work on nu_r.
"""

from __future__ import annotations

from pelagos.engine.compiled import compiled
from pelagos.engine.core.algebra import Vec3, Wrench, add, matrix_row, momentum_wrench


@compiled
def added_mass(model, structure, kin):
    """Added-mass wrench apart from -M_A nu_dot."""
    A = model.added_mass
    c = kin.current_rate
    zero = 0.0 * c.x
    drift = Wrench(
        matrix_row(A, 0, c.x, c.y, c.z, zero, zero, zero),
        matrix_row(A, 1, c.x, c.y, c.z, zero, zero, zero),
        matrix_row(A, 2, c.x, c.y, c.z, zero, zero, zero),
        matrix_row(A, 3, c.x, c.y, c.z, zero, zero, zero),
        matrix_row(A, 4, c.x, c.y, c.z, zero, zero, zero),
        matrix_row(A, 5, c.x, c.y, c.z, zero, zero, zero),
    )
    if structure.added_mass_coriolis == 0:
        return drift
    v, o = kin.water, kin.omega
    p = Vec3(
        matrix_row(A, 0, v.x, v.y, v.z, o.x, o.y, o.z),
        matrix_row(A, 1, v.x, v.y, v.z, o.x, o.y, o.z),
        matrix_row(A, 2, v.x, v.y, v.z, o.x, o.y, o.z),
    )
    h = Vec3(
        matrix_row(A, 3, v.x, v.y, v.z, o.x, o.y, o.z),
        matrix_row(A, 4, v.x, v.y, v.z, o.x, o.y, o.z),
        matrix_row(A, 5, v.x, v.y, v.z, o.x, o.y, o.z),
    )
    return add(drift, momentum_wrench(v, o, p, h))
