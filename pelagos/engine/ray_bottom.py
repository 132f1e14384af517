"""Where a ray meets the seabed: a plane, or a height map of bilinear patches.

On one cell of the map z is z00 + a u + b v + c u v, so along a ray the height above the bottom is a quadratic whose
first root is the hit: exact, and the same surface as the one contact uses. Cells are skipped in blocks: a pyramid holds
the shallowest and the deepest z of 2 x 2, 4 x 4, ... cells, and a ray that stays clear of a block leaps over it
(A. Tevs, I. Ihrke, H.-P. Seidel, "Maximum mipmaps for fast, accurate, and scalable dynamic height field rendering",
I3D 2008). The edge continues outside: a ring of endless cells round the map has the heights of the edge.

A ray that starts above the bottom needs only the shallowest z, one from below only the deepest; signs are turned so
that one code serves both, and a crossing is a change of sign that no rounding between two cells can hide.
"""

from __future__ import annotations

import math

import numpy as np

from pelagos.engine.compiled import compiled, compiled_apart, entry
from pelagos.engine.sea import as_sea

INF = math.inf
FAR = 1e30  # m, an end for rays without one: 0 x FAR is a number


@compiled
def plane_hit(h, ox, oy, oz, dx, dy, dz, limit):
    """Range and normal where a ray meets a plane bottom."""
    a, b = h.plane[1], h.plane[2]
    below = oz - (h.plane[0] + a * ox + b * oy)
    rate = dz - a * dx - b * dy
    if rate == 0.0:
        return INF, 0.0, 0.0, 0.0
    t = -below / rate
    if not 0.0 <= t < limit:
        return INF, 0.0, 0.0, 0.0
    size = math.sqrt(1.0 + a * a + b * b)
    size = -size if rate < 0.0 else size
    return t, a / size, b / size, -1.0 / size


@entry
def pyramid(z):
    """Shallowest z and minus the deepest z of blocks of 2, 4, 8, ... cells; and of each level start and columns.

    Level 1 has blocks of 2 x 2 cells; cells count from the ring outside the map. Row 0 of the table is not used.
    """
    rows, columns = z.shape[0] + 1, z.shape[1] + 1
    levels = np.zeros((32, 2), np.int64)
    sizes, r, c, total = 0, rows, columns, 0
    while sizes == 0 or r > 1 or c > 1:
        sizes += 1
        r, c = (r + 1) // 2, (c + 1) // 2
        levels[sizes, 0], levels[sizes, 1] = total, c
        total += r * c
    peaks = np.full((2, total), INF)
    for i in range(rows):
        i0, i1 = max(i - 1, 0), min(i, z.shape[0] - 1)
        for j in range(columns):
            j0, j1 = max(j - 1, 0), min(j, z.shape[1] - 1)
            at = (i >> 1) * levels[1, 1] + (j >> 1)
            peaks[0, at] = min(peaks[0, at], min(min(z[i0, j0], z[i0, j1]), min(z[i1, j0], z[i1, j1])))
            peaks[1, at] = min(peaks[1, at], -max(max(z[i0, j0], z[i0, j1]), max(z[i1, j0], z[i1, j1])))
    for level in range(2, sizes + 1):
        below, width = levels[level - 1, 0], levels[level - 1, 1]
        for at in range(levels[level, 0] - below):
            i, j = at // width, at % width
            to = levels[level, 0] + (i >> 1) * levels[level, 1] + (j >> 1)
            peaks[0, to] = min(peaks[0, to], peaks[0, below + at])
            peaks[1, to] = min(peaks[1, to], peaks[1, below + at])
    return peaks, levels[: sizes + 1]


@compiled
def first_root(constant, linear, square, length):
    """First s in (0, length] where constant + linear s + square s^2, below 0 at 0, is 0; infinite if none."""
    at_end = constant + length * (linear + square * length)
    if at_end < 0.0 and not (square < 0.0 and 0.0 < linear < -2.0 * square * length):
        return INF
    inside = linear * linear - 4.0 * square * constant
    if inside < 0.0:
        return length if at_end >= 0.0 else INF
    root = math.sqrt(inside)
    s = (root - linear) / (2.0 * square) if linear < 0.0 else -2.0 * constant / (linear + root)
    return min(s, length)


@compiled
def bilinear(sea, at, rows, columns, u, v):
    """Z of the map at node coordinates u, v; the edge continues outside."""
    u = min(max(u, 0.0), rows - 1.0)
    v = min(max(v, 0.0), columns - 1.0)
    i = min(int(u), rows - 2)
    j = min(int(v), columns - 2)
    k = at + i * columns + j
    fu, fv = u - i, v - j
    near = sea[k] + (sea[k + 1] - sea[k]) * fv
    return near + (sea[k + columns] + (sea[k + columns + 1] - sea[k + columns]) * fv - near) * fu


@compiled
def cell(u, low, high):
    """Number of the cell at node coordinate u, from 0 in the ring outside, kept between low and high."""
    return int(min(max(math.floor(u) + 1.0, low), high))


@compiled_apart
def grid_hit(sea, peaks, levels, ox, oy, oz, dx, dy, dz, limit):
    """Range and normal where a ray meets the height map."""
    h = as_sea(sea)
    miss = (INF, 0.0, 0.0, 0.0)
    at, rows, columns = int(h.grid_at), int(h.grid_count[0]), int(h.grid_count[1])
    top = levels.shape[0] - 1
    u0, v0 = (ox - h.grid_origin[0]) / h.grid_step[0], (oy - h.grid_origin[1]) / h.grid_step[1]
    du, dv = dx / h.grid_step[0], dy / h.grid_step[1]
    sign, side = 1.0, 0
    if oz >= peaks[0, levels[top, 0]] and oz > bilinear(sea, at, rows, columns, u0, v0):
        sign, side = -1.0, 1
    w0, dw = sign * oz, sign * dz  # positive towards the bottom

    # the part of the ray between the level of the nearest point of the bottom and the end
    peak = peaks[side, levels[top, 0]]
    t, t_end = 0.0, min(limit, FAR)
    if w0 < peak:
        if dw <= 0.0:
            return miss
        t = (peak - w0) / dw
        t = max(t - 1e-6 * (1.0 + t), 0.0)
    elif dw < 0.0:
        leaves = (peak - w0) / dw
        t_end = min(t_end, leaves + 1e-6 * (1.0 + leaves))
    if t >= t_end:
        return miss

    i = cell(u0 + t * du, 0, rows)
    j = cell(v0 + t * dv, 0, columns)
    per_u = 1.0 / du if abs(du) > 1e-200 else 1e200
    per_v = 1.0 / dv if abs(dv) > 1e-200 else 1e200
    to_u, to_v = (1 if per_u > 0.0 else 0), (1 if per_v > 0.0 else 0)
    level = min(4, top)
    while True:
        edge_i = ((i >> level) + to_u) << level
        edge_j = ((j >> level) + to_v) << level
        t_u = (edge_i - 1.0 - u0) * per_u if 0 < edge_i <= rows else INF
        t_v = (edge_j - 1.0 - v0) * per_v if 0 < edge_j <= columns else INF
        t_out = max(min(min(t_u, t_v), t_end), t)
        if level > 0:
            nearest = peaks[side, levels[level, 0] + (i >> level) * levels[level, 1] + (j >> level)]
            if max(w0 + t * dw, w0 + t_out * dw) >= nearest:
                level -= 1
                continue
        else:
            k0, k1 = at + max(i - 1, 0) * columns, at + min(i, rows - 1) * columns
            j0, j1 = max(j - 1, 0), min(j, columns - 1)
            z00, z01, z10, z11 = sign * sea[k0 + j0], sign * sea[k0 + j1], sign * sea[k1 + j0], sign * sea[k1 + j1]
            a, b, c = z10 - z00, z01 - z00, (z11 - z10) - (z01 - z00)
            u, v = u0 + t * du - (i - 1.0), v0 + t * dv - (j - 1.0)
            height = w0 + t * dw - (z00 + a * u + (b + c * u) * v)
            s = 0.0
            if height < 0.0:
                s = first_root(height, dw - a * du - b * dv - c * (u * dv + v * du), -c * du * dv, t_out - t)
            if s < INF:
                t += s
                if t >= limit:
                    return miss
                north = (a + c * (v + s * dv)) / h.grid_step[0]
                east = (b + c * (u + s * du)) / h.grid_step[1]
                size = math.sqrt(1.0 + north * north + east * east)
                return t, north / size, east / size, -sign / size
        if t_out >= t_end:
            return miss
        t = t_out
        if t_u <= t_v:
            low = (j >> level) << level
            i = edge_i + to_u - 1
            if level > 0:
                j = cell(v0 + t * dv, low, min(low + (1 << level) - 1, columns))
            if ((edge_i >> level) & 1) == 0 and level < top:
                level += 1
        else:
            low = (i >> level) << level
            j = edge_j + to_v - 1
            if level > 0:
                i = cell(u0 + t * du, low, min(low + (1 << level) - 1, rows))
            if ((edge_j >> level) & 1) == 0 and level < top:
                level += 1
