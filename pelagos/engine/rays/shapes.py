"""Intersection of a ray with a box, cylinder, sphere or plane, in closed form.

Each function returns the range of the nearest crossing at or beyond the origin (infinite if there is none before
`limit`) and the unit normal there, on the side the ray comes from. A ray that starts inside a solid hits its surface
from inside. The ray's origin is first moved to the point nearest to the solid's centre, so that the roots lose no
digits to the distance (E. Haines et al., "Precision improvements for ray/sphere intersection", Ray Tracing Gems, 2019,
ch. 7).
"""

from __future__ import annotations

import math

from pelagos.engine.compiled import compiled, compiled_apart
from pelagos.engine.water.sea import CYLINDER, HALF_SPACE, SOLID, SPHERE, as_solid

INF = math.inf
N_SOLID = SOLID.size
ROUND, TUBE = 3, 4  # surface of a hit beside the flat faces 0, 1, 2: a sphere, the side of a cylinder


@compiled
def turned(axes, x, y, z):
    """Components of a NED vector along a solid's axes."""
    return (
        axes[0] * x + axes[3] * y + axes[6] * z,
        axes[1] * x + axes[4] * y + axes[7] * z,
        axes[2] * x + axes[5] * y + axes[8] * z,
    )


@compiled
def slab(p, d, half):
    """Entry and exit of a line p + t d through |x| <= half."""
    if d == 0.0:
        return (-INF, INF) if abs(p) <= half else (INF, -INF)
    a = (-half - p) / d
    b = (half - p) / d
    return (a, b) if a < b else (b, a)


@compiled
def tube(py, pz, dy, dz, radius):
    """Entry and exit of a line through an endless cylinder along x."""
    a = dy * dy + dz * dz
    if a < 1e-30:  # along the axis
        return (-INF, INF) if py * py + pz * pz <= radius * radius else (INF, -INF)
    nearest = -(py * dy + pz * dz) / a
    y = py + nearest * dy
    z = pz + nearest * dz
    square = (radius * radius - (y * y + z * z)) / a
    if square < 0.0:
        return INF, -INF
    half = math.sqrt(square)
    return nearest - half, nearest + half


@compiled_apart
def solid_hit(sea, at, ox, oy, oz, dx, dy, dz, limit):
    """Range and normal where a ray meets the SOLID record at `at`; its direction is a unit vector."""
    s = as_solid(sea[at : at + N_SOLID])
    miss = (INF, 0.0, 0.0, 0.0)
    x = ox - s.center[0]
    y = oy - s.center[1]
    z = oz - s.center[2]
    shift = -(x * dx + y * dy + z * dz)
    px, py, pz = turned(s.axes, x + shift * dx, y + shift * dy, z + shift * dz)
    ex, ey, ez = turned(s.axes, dx, dy, dz)
    nx, ny, nz = 0.0, 0.0, 0.0
    if s.kind == HALF_SPACE:  # the plane through its centre, normal along its z axis
        if ez == 0.0:
            return miss
        t = -(s.axes[2] * x + s.axes[5] * y + s.axes[8] * z) / ez
        nz = 1.0
    else:
        if s.kind == SPHERE:
            square = s.half[0] * s.half[0] - (px * px + py * py + pz * pz)
            if square < 0.0:
                return miss
            t_out = math.sqrt(square)
            t_in = -t_out
            side_in, side_out = ROUND, ROUND
        elif s.kind == CYLINDER:
            t_in, t_out = slab(px, ex, s.half[0])
            side_in, side_out = 0, 0
            a, b = tube(py, pz, ey, ez, s.half[1])
            if a > t_in:
                t_in, side_in = a, TUBE
            if b < t_out:
                t_out, side_out = b, TUBE
        else:
            t_in, t_out = slab(px, ex, s.half[0])
            side_in, side_out = 0, 0
            a, b = slab(py, ey, s.half[1])
            if a > t_in:
                t_in, side_in = a, 1
            if b < t_out:
                t_out, side_out = b, 1
            a, b = slab(pz, ez, s.half[2])
            if a > t_in:
                t_in, side_in = a, 2
            if b < t_out:
                t_out, side_out = b, 2
        if t_in > t_out:
            return miss
        t, side = (t_in, side_in) if t_in + shift >= 0.0 else (t_out, side_out)
        nx = px + t * ex if side == ROUND else (1.0 if side == 0 else 0.0)
        ny = py + t * ey if side >= ROUND else (1.0 if side == 1 else 0.0)
        nz = pz + t * ez if side >= ROUND else (1.0 if side == 2 else 0.0)
        t += shift
    if not 0.0 <= t < limit:
        return miss
    size = math.sqrt(nx * nx + ny * ny + nz * nz)
    size = -size if nx * ex + ny * ey + nz * ez > 0.0 else size
    if size == 0.0:  # a solid shrunk to a point
        return t, -dx, -dy, -dz
    nx, ny, nz = nx / size, ny / size, nz / size
    m = s.axes
    return (
        t,
        m[0] * nx + m[1] * ny + m[2] * nz,
        m[3] * nx + m[4] * ny + m[5] * nz,
        m[6] * nx + m[7] * ny + m[8] * nz,
    )
