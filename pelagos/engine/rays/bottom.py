"""Ray casting against the seabed: a plane, or a height map of bilinear patches.

On one cell of the map z is z00 + a u + b v + c u v, so along a ray the height above the bottom is a quadratic whose
first root is the hit: exact, and the same surface as the one contact uses. Cells that the ray stays clear of are
skipped in blocks (`march.py`). The edge continues outside: a ring of endless cells round the map has the heights of
the edge.

A ray that starts above the bottom needs only the shallowest z, one from below only the deepest; signs are turned so
that one code serves both, and a crossing is a change of sign that no rounding between two cells can hide.
"""

from __future__ import annotations

import math

import numpy as np

from pelagos.engine.compiled import compiled, entry
from pelagos.engine.core.lanes import sqrt, where_less
from pelagos.engine.core.views import Layout, LayoutField, viewer
from pelagos.engine.rays.lanes import higher, lower

INF = math.inf
SINGLE = 1.2e-7  # 1, more than the rounding of a number to float32 (2^-24)

PYRAMID = Layout(
    "Pyramid",
    (
        LayoutField("row", "numbers from a block to the next one north"),
        LayoutField("column", "numbers from a block to the next one east"),
        LayoutField("end", "numbers of one line of blocks of all sizes"),
        LayoutField("largest", "cells, side of the largest block"),
        LayoutField("half", "numbers of one half of the bounds"),
        LayoutField("peak", "m, shallowest z of all"),
        LayoutField("trough", "m, minus the deepest z of all"),
    ),
)
as_pyramid = viewer(PYRAMID)


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
    """Make the bounds of the heights of blocks of 1, 2, 4, ... cells square, and the record of how they lie in memory.

    The table has a half for rays from above, with a little less than the shallowest z of each block, and one for rays
    from below, with a little less than minus the deepest. Cells count from the ring outside the map. The block (i, j)
    of size s lies at i x row + j x column + end (1 - 1 / s) of its half: all sizes along one line of the longer side.
    How they lie is a PYRAMID record.
    """
    rows, columns = z.shape[0] + 1, z.shape[1] + 1
    largest = 1
    while largest < max(rows, columns):
        largest *= 2
    end = 2 * largest
    row, column = (end, 1) if columns >= rows else (1, end)
    half = end * min(rows, columns)
    bounds = np.empty(2 * half, np.float32)
    peak, trough = INF, INF
    for i in range(rows):
        i0, i1 = max(i - 1, 0), min(i, z.shape[0] - 1)
        for j in range(columns):
            j0, j1 = max(j - 1, 0), min(j, z.shape[1] - 1)
            low = min(min(z[i0, j0], z[i0, j1]), min(z[i1, j0], z[i1, j1]))
            high = -max(max(z[i0, j0], z[i0, j1]), max(z[i1, j0], z[i1, j1]))
            peak, trough = min(peak, low), min(trough, high)
            at = i * row + j * column
            bounds[at] = low - SINGLE * abs(low)
            bounds[half + at] = high - SINGLE * abs(high)
    size = 2
    while size <= largest:
        below, here = end - 2 * end // size, end - end // size  # start of the blocks of half the size, and of these
        r, c = (rows + size // 2 - 1) // (size // 2), (columns + size // 2 - 1) // (size // 2)
        for side in range(2):
            for i in range((r + 1) // 2):
                i1 = min(2 * i + 1, r - 1)
                for j in range((c + 1) // 2):
                    j1 = min(2 * j + 1, c - 1)
                    at = side * half + below
                    low = min(bounds[at + 2 * i * row + 2 * j * column], bounds[at + 2 * i * row + j1 * column])
                    high = min(bounds[at + i1 * row + 2 * j * column], bounds[at + i1 * row + j1 * column])
                    bounds[side * half + here + i * row + j * column] = min(low, high)
        size *= 2
    return bounds, np.array([row, column, end, largest, half, peak, trough], np.float64)


@compiled
def first_root(constant, linear, square, length):
    """First s in (0, length] where constant + linear s + square s^2, below 0 at 0, is 0; infinite if none. Lanes."""
    at_end = constant + length * (linear + square * length)
    inside = linear * linear - 4.0 * square * constant
    root = sqrt(higher(inside, constant * 0.0))
    # -2 constant / (linear + root), or where that loses digits (root - linear) / (2 square)
    above = where_less(linear, 0.0, root - linear, -2.0 * constant)
    below = where_less(linear, 0.0, 2.0 * square, linear + root)
    below = where_less(0.0, abs(below), below, 1.0)  # a line that does not sink: no root
    s = where_less(inside, 0.0, length, lower(above / below, length))
    # it ends below 0: there is a root only if the parabola has its top, above 0, on the way
    turns = where_less(square, 0.0, where_less(linear, -2.0 * square * length, linear, 0.0), 0.0)
    top = where_less(0.0, turns, where_less(inside, 0.0, INF, s), INF)
    return where_less(at_end, 0.0, top, s)


@compiled
def bilinear(sea, at, rows, columns, u, v):
    """Depth z of the height map at node coordinates u, v; the edge continues outside."""
    u = min(max(u, 0.0), rows - 1.0)
    v = min(max(v, 0.0), columns - 1.0)
    i = min(int(u), rows - 2)
    j = min(int(v), columns - 2)
    k = at + i * columns + j
    fu, fv = u - i, v - j
    near = sea[k] + (sea[k + 1] - sea[k]) * fv
    return near + (sea[k + columns] + (sea[k + columns + 1] - sea[k + columns]) * fv - near) * fu
