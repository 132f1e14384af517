"""Mass properties with ballast, and the acceleration that follows from the sum of forces."""

from __future__ import annotations

from typing import Any, NamedTuple

from pelagos.engine.compiled import compiled
from pelagos.engine.core.algebra import Wrench, matrix_row, solve_spd


class Mass(NamedTuple):
    """Mass, first moment, inertia tensor and displaced volume about O in body axes."""

    m: Any  # kg
    sx: Any  # kg m, mass times CG
    sy: Any
    sz: Any
    xx: Any  # kg m^2, inertia tensor about O
    yy: Any
    zz: Any
    xy: Any
    xz: Any
    yz: Any
    volume: Any  # m^3
    vx: Any  # m^4, volume times CB
    vy: Any
    vz: Any


@compiled
def mass_now(model, structure, actuators):
    """Mass properties of the body and each ballast item: mass m_0 + m_s s, volume V_s s, both at r_0 + a s.

    Inertia by the parallel-axis rule with the item as a point. The momentum of the shifting mass itself and of the
    water that enters a tank is left out: at the rates of real ballast (mm/s, some cm^3/s) it is far below 1e-3 of
    the weight changes it causes.
    """
    m = model.mass
    sx, sy, sz = model.moment[0], model.moment[1], model.moment[2]
    xx, yy, zz = model.inertia[0], model.inertia[1], model.inertia[2]
    xy, xz, yz = model.inertia[3], model.inertia[4], model.inertia[5]
    volume = model.volume
    vx, vy, vz = model.volume_moment[0], model.volume_moment[1], model.volume_moment[2]
    for i in range(structure.n_ballast):
        item = model.ballast[i]
        s = actuators.ballast[i]
        x, y, z = item.x + item.ax * s, item.y + item.ay * s, item.z + item.az * s
        mass = item.mass + item.mass_s * s
        extra = item.volume_s * s
        m = m + mass
        sx, sy, sz = sx + mass * x, sy + mass * y, sz + mass * z
        xx, yy, zz = xx + mass * (y * y + z * z), yy + mass * (x * x + z * z), zz + mass * (x * x + y * y)
        xy, xz, yz = xy - mass * x * y, xz - mass * x * z, yz - mass * y * z
        volume = volume + extra
        vx, vy, vz = vx + extra * x, vy + extra * y, vz + extra * z
    return Mass(m, sx, sy, sz, xx, yy, zz, xy, xz, yz, volume, vx, vy, vz)


@compiled
def acceleration(model, structure, mass, work, kin, f):
    """Acceleration nu_dot = (M_RB + M_A)^-1 f on the free axes; held ones keep their velocity through the water.

    A held velocity follows the current the body sees, nu_dot_h = (d nu_c/dt)_h, and its inertia loads the free ones:
    M_ff nu_dot_f = f_f - M_fh nu_dot_h. In still water nu_dot_h is 0.
    """
    if structure.n_held == 0:
        return _solved(model, structure, mass, work, f)
    c, free = kin.current_rate, model.free
    x, y, z = (1.0 - free[0]) * c.x, (1.0 - free[1]) * c.y, (1.0 - free[2]) * c.z
    zero = 0.0 * x
    A = model.added_mass
    loaded = Wrench(
        f.X - mass.m * x - matrix_row(A, 0, x, y, z, zero, zero, zero),
        f.Y - mass.m * y - matrix_row(A, 1, x, y, z, zero, zero, zero),
        f.Z - mass.m * z - matrix_row(A, 2, x, y, z, zero, zero, zero),
        f.K - (mass.sy * z - mass.sz * y) - matrix_row(A, 3, x, y, z, zero, zero, zero),
        f.M - (mass.sz * x - mass.sx * z) - matrix_row(A, 4, x, y, z, zero, zero, zero),
        f.N - (mass.sx * y - mass.sy * x) - matrix_row(A, 5, x, y, z, zero, zero, zero),
    )
    a = _solved(model, structure, mass, work, loaded)
    return Wrench(a.X + x, a.Y + y, a.Z + z, a.K, a.M, a.N)


@compiled
def _solved(model, structure, mass, work, f):
    """(M_RB + M_A)^-1 f on the free axes, 0 on the held ones.

    Without ballast the inverse was computed once, by `vehicle/pack`; with ballast the matrix is built and solved here.
    """
    if structure.n_ballast == 0:
        inverse = model.mass_inverse
        return Wrench(
            matrix_row(inverse, 0, f.X, f.Y, f.Z, f.K, f.M, f.N),
            matrix_row(inverse, 1, f.X, f.Y, f.Z, f.K, f.M, f.N),
            matrix_row(inverse, 2, f.X, f.Y, f.Z, f.K, f.M, f.N),
            matrix_row(inverse, 3, f.X, f.Y, f.Z, f.K, f.M, f.N),
            matrix_row(inverse, 4, f.X, f.Y, f.Z, f.K, f.M, f.N),
            matrix_row(inverse, 5, f.X, f.Y, f.Z, f.K, f.M, f.N),
        )
    matrix = work.matrix
    _fill(matrix, model, mass)
    v = work.vector
    v[0], v[1], v[2], v[3], v[4], v[5] = f.X, f.Y, f.Z, f.K, f.M, f.N
    for i in range(6):  # a held axis becomes the equation 1 * nu_dot_i = 0
        free = model.free[i]
        for j in range(6):
            matrix[6 * i + j] = matrix[6 * i + j] * free
            matrix[6 * j + i] = matrix[6 * j + i] * free
        matrix[7 * i] = matrix[7 * i] + (1.0 - free)
        v[i] = v[i] * free
    solve_spd(matrix, v)
    return Wrench(v[0], v[1], v[2], v[3], v[4], v[5])


@compiled
def _fill(matrix, model, b):
    """M = M_RB + M_A with M_RB = [m 1, -S(s); S(s), I], S the cross-product matrix of the first moment."""
    for i in range(36):
        matrix[i] = model.added_mass[i]
    for i in range(3):
        matrix[7 * i] = matrix[7 * i] + b.m
    # element (i, j) is matrix[6 i + j]; first the blocks -S(s) and S(s), then the tensor I
    matrix[4] = matrix[4] + b.sz
    matrix[5] = matrix[5] - b.sy
    matrix[9] = matrix[9] - b.sz
    matrix[11] = matrix[11] + b.sx
    matrix[15] = matrix[15] + b.sy
    matrix[16] = matrix[16] - b.sx
    matrix[19] = matrix[19] - b.sz
    matrix[20] = matrix[20] + b.sy
    matrix[24] = matrix[24] + b.sz
    matrix[26] = matrix[26] - b.sx
    matrix[30] = matrix[30] - b.sy
    matrix[31] = matrix[31] + b.sx
    matrix[21] = matrix[21] + b.xx
    matrix[28] = matrix[28] + b.yy
    matrix[35] = matrix[35] + b.zz
    matrix[22] = matrix[22] + b.xy
    matrix[27] = matrix[27] + b.xy
    matrix[23] = matrix[23] + b.xz
    matrix[33] = matrix[33] + b.xz
    matrix[29] = matrix[29] + b.yz
    matrix[34] = matrix[34] + b.yz


@compiled
def inverse_into(inverse, model, structure, mass, work):
    """Write (M_RB + M_A)^-1 on the free axes into `inverse`, row by row: column j is the effect of a unit wrench j."""
    if structure.n_ballast == 0:
        for k in range(36):
            inverse[k] = model.mass_inverse[k]
        return
    zero = 0.0 * mass.m  # of the type of the mass, a float or a lane
    unit = zero + 1.0
    for j in range(6):
        a = _solved(
            model, structure, mass, work,
            Wrench(
                unit if j == 0 else zero, unit if j == 1 else zero, unit if j == 2 else zero,
                unit if j == 3 else zero, unit if j == 4 else zero, unit if j == 5 else zero,
            ),
        )  # fmt: skip
        inverse[j], inverse[6 + j], inverse[12 + j] = a.X, a.Y, a.Z
        inverse[18 + j], inverse[24 + j], inverse[30 + j] = a.K, a.M, a.N
