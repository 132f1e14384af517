"""Obstacles: signed distance to the solids of the world, depth of the seabed, and whether either is near.

Distances are negative inside the solid; normals point out of it, into the water. A mesh comes as a grid of distances,
trilinear between its nodes; outside the grid the value at the nearest point of the grid is continued along its
gradient, and is never less than the distance to the grid, which holds the whole solid.
"""

from __future__ import annotations

from math import sqrt

from pelagos.engine.compiled import compiled, compiled_apart
from pelagos.engine.contact.shapes import distance, from_shape, local_distance, to_shape
from pelagos.engine.water.sea import DISTANCE_GRID, GRID_BOTTOM, NO_BOTTOM, SOLID, SPHERE, as_hull, as_sea, as_solid

N_SOLID = SOLID.size


@compiled_apart
def grid_distance(sea, at, x, y, z):
    """Signed distance and unit gradient of the distance grid of the SOLID record at `at`, in the solid's axes."""
    s = as_solid(sea[at:])
    step, first = s.grid_step, int(s.grid_at)
    nx, ny, nz = int(s.grid_count[0]), int(s.grid_count[1]), int(s.grid_count[2])
    u, v, w = (x - s.grid_origin[0]) / step, (y - s.grid_origin[1]) / step, (z - s.grid_origin[2]) / step
    cu, cv, cw = min(max(u, 0.0), nx - 1.0), min(max(v, 0.0), ny - 1.0), min(max(w, 0.0), nz - 1.0)
    if not (cu >= 0.0 and cv >= 0.0 and cw >= 0.0):  # NaN has no cell: return NaN and do not read beyond the table
        return u + v + w, 0.0, 0.0, -1.0
    i, j, k = min(int(cu), nx - 2), min(int(cv), ny - 2), min(int(cw), nz - 2)
    fu, fv, fw = cu - i, cv - j, cw - k
    a = first + (i * ny + j) * nz + k
    b = a + ny * nz
    c000, c001, c010, c011 = sea[a], sea[a + 1], sea[a + nz], sea[a + nz + 1]
    c100, c101, c110, c111 = sea[b], sea[b + 1], sea[b + nz], sea[b + nz + 1]
    c00, c01 = c000 + fw * (c001 - c000), c010 + fw * (c011 - c010)
    c10, c11 = c100 + fw * (c101 - c100), c110 + fw * (c111 - c110)
    c0, c1 = c00 + fv * (c01 - c00), c10 + fv * (c11 - c10)
    d = c0 + fu * (c1 - c0)
    gx = c1 - c0
    gy = (c01 - c00) + fu * ((c11 - c10) - (c01 - c00))
    d0 = (c001 - c000) + fv * ((c011 - c010) - (c001 - c000))
    d1 = (c101 - c100) + fv * ((c111 - c110) - (c101 - c100))
    gz = d0 + fu * (d1 - d0)
    size = sqrt(gx * gx + gy * gy + gz * gz)
    if size > 0.0:
        gx, gy, gz = gx / size, gy / size, gz / size
    else:
        gx, gy, gz = 0.0, 0.0, -1.0
    ox, oy, oz = (u - cu) * step, (v - cv) * step, (w - cw) * step
    off = sqrt(ox * ox + oy * oy + oz * oz)
    if off > 0.0:
        d = max(d + gx * ox + gy * oy + gz * oz, off)
    return d, gx, gy, gz


@compiled_apart
def solid_distance(sea, at, x, y, z):
    """Signed distance and outward unit normal, NED, of the SOLID record at `at` at a point, NED."""
    row = sea[at : at + N_SOLID]
    solid = as_solid(row)
    if solid.kind != DISTANCE_GRID and solid.kind != SPHERE:
        return distance(row, x, y, z)
    center, radius = solid.center, solid.half[0]
    u, v, w = to_shape(row, x - center[0], y - center[1], z - center[2])
    if solid.kind == SPHERE:  # only the radius is written: a sphere of the world is no ellipsoid
        d, a, b, c = local_distance(SPHERE, radius, radius, radius, u, v, w)
    else:
        d, a, b, c = grid_distance(sea, at, u, v, w)
    nx, ny, nz = from_shape(row, a, b, c)
    return d, nx, ny, nz


@compiled
def bottom_at(sea, north, east):
    """Depth z of the bottom under a point and its increase per metre north and east. Not for NO_BOTTOM."""
    h = as_sea(sea)
    if h.bottom != GRID_BOTTOM:
        return h.plane[0] + h.plane[1] * north + h.plane[2] * east, h.plane[1], h.plane[2]
    rows, columns = int(h.grid_count[0]), int(h.grid_count[1])
    u, v = (north - h.grid_origin[0]) / h.grid_step[0], (east - h.grid_origin[1]) / h.grid_step[1]
    cu, cv = min(max(u, 0.0), rows - 1.0), min(max(v, 0.0), columns - 1.0)
    if not (cu >= 0.0 and cv >= 0.0):  # NaN has no cell: return NaN and do not read beyond the table
        return u + v, 0.0, 0.0
    i, j = min(int(cu), rows - 2), min(int(cv), columns - 2)
    fu, fv = cu - i, cv - j
    a = int(h.grid_at) + i * columns + j
    z00, z01, z10, z11 = sea[a], sea[a + 1], sea[a + columns], sea[a + columns + 1]
    z0, z1 = z00 + fv * (z01 - z00), z10 + fv * (z11 - z10)
    along, across = (z1 - z0) / h.grid_step[0], (z01 - z00 + fu * ((z11 - z10) - (z01 - z00))) / h.grid_step[1]
    return z0 + fu * (z1 - z0), along if u == cu else 0.0, across if v == cv else 0.0


@compiled
def cells_around(origin, step, count, low, high):
    """First and last node number along one axis of the cells that touch [low, high]; outside, the edge's."""
    first = min(max(int((low - origin) / step) - (1 if low < origin else 0), 0), count - 2)
    last = min(max(int((high - origin) / step) + 1, 1), count - 1)
    return first, last


@compiled_apart
def bottom_is_near(sea, x, y, z, reach):
    """Whether the bottom may be within `reach` of a point. Never misses: looks at every node under the footprint."""
    h = as_sea(sea)
    if h.bottom == NO_BOTTOM:
        return False
    if h.bottom != GRID_BOTTOM:
        room = h.plane[0] + h.plane[1] * x + h.plane[2] * y - z
        return room < reach * sqrt(1.0 + h.plane[1] * h.plane[1] + h.plane[2] * h.plane[2])
    if h.highest > z + reach:
        return False
    columns = int(h.grid_count[1])
    i0, i1 = cells_around(h.grid_origin[0], h.grid_step[0], int(h.grid_count[0]), x - reach, x + reach)
    j0, j1 = cells_around(h.grid_origin[1], h.grid_step[1], columns, y - reach, y + reach)
    for i in range(i0, i1 + 1):
        row = int(h.grid_at) + i * columns
        for j in range(j0, j1 + 1):
            if sea[row + j] < z + reach:
                return True
    return False


@compiled_apart
def solid_is_near(sea, x, y, z, reach):
    """Whether a solid is within `reach` of a point; a mesh: whether the sphere around it is."""
    h = as_sea(sea)
    for i in range(int(h.n_solids)):
        at = int(h.solids_at) + i * N_SOLID
        s = as_solid(sea[at:])
        dx, dy, dz = x - s.center[0], y - s.center[1], z - s.center[2]
        room = reach + s.bound
        if dx * dx + dy * dy + dz * dz < room * room:
            if s.kind == DISTANCE_GRID or solid_distance(sea, at, x, y, z)[0] < reach:
                return True
    return False


@compiled
def near(sea, hull, x, y, z, margin):
    """Whether a solid or the bottom may be within `margin` of a vehicle at (x, y, z), whatever its attitude."""
    h = as_sea(sea)
    reach = as_hull(hull).reach + margin
    first = int(h.solids_at)
    count = int(h.n_solids)
    least = 0.0
    for i in range(count):  # bounding spheres first, without a branch: most solids are far away
        s = as_solid(sea[first + i * N_SOLID :])
        dx, dy, dz = x - s.center[0], y - s.center[1], z - s.center[2]
        room = reach + s.bound
        least = min(least, dx * dx + dy * dy + dz * dz - room * room)
    return (least < 0.0 and solid_is_near(sea, x, y, z, reach)) or bottom_is_near(sea, x, y, z, reach)
