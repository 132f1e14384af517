"""Ray casting: nearest hit of each ray with seabed and structures, in float64, on one core.

The seabed and the solids are read from the packed world; meshes come as triangles. The interpreter lock is not held and
the inputs are only read: threads may cast at the same time.
"""

from __future__ import annotations

import math

import numpy as np

from pelagos.engine.compiled import entry
from pelagos.engine.core.views import as_numbers
from pelagos.engine.rays.bottom import plane_hit
from pelagos.engine.rays.march import FIELDS, HITS, NOTHING, SLOTS, march
from pelagos.engine.rays.shapes import N_SOLID, solid_hit
from pelagos.engine.rays.tree import DEPTH, WIDE, tree_hit
from pelagos.engine.water.sea import GRID_BOTTOM, PLANE_BOTTOM, SEABED, as_sea

INF = math.inf
CHUNK = 2048  # rays that stay in the cache between bottom and structures


@entry
def cast(
    sea, bounds, shape, boxes, children, blocks, owners, endless, origins, directions, limit, ranges, normals, obstacles
):
    """Fill ranges (m), normals and number of the hit; returns the number of the first ray without direction, or -1.

    Height map: `bounds` and `shape` of `bottom.pyramid`. Tree: `boxes` of eight branches, their `children` (from 0 on
    a node; else -1 - the number of a solid, or -1 - n_solids - a block of eight triangles). The triangles, in `blocks`,
    belong to the structures `owners`. `endless` are the numbers of the half spaces, which no box holds.
    """
    n = ranges.size
    sea, bounds, shape = as_numbers(sea), as_numbers(bounds), as_numbers(shape)
    ranges, obstacles = as_numbers(ranges), as_numbers(obstacles)
    origins, directions, normals = as_numbers(origins), as_numbers(directions), as_numbers(normals)
    h = as_sea(sea)
    bottom, solids_at, n_solids = int(h.bottom), int(h.solids_at), int(h.n_solids)
    stack, starts = np.empty(WIDE * DEPTH, np.int64), np.empty(WIDE * DEPTH)
    state, places = np.empty(FIELDS * SLOTS + HITS), np.empty(2 * SLOTS, np.int64)
    has_tree = children.size > 0
    boxes, children, blocks = as_numbers(boxes), as_numbers(children), as_numbers(blocks)
    for first in range(0, n, CHUNK):
        last = min(first + CHUNK, n)
        for r in range(first, last):
            o = 3 * r
            dx, dy, dz = directions[o], directions[o + 1], directions[o + 2]
            size = dx * dx + dy * dy + dz * dz
            if not (0.0 < size < INF and abs(origins[o]) + abs(origins[o + 1]) + abs(origins[o + 2]) < INF):
                return r
            ranges[r], obstacles[r] = limit, NOTHING
            normals[o], normals[o + 1], normals[o + 2] = 0.0, 0.0, 0.0
        if bottom == GRID_BOTTOM:
            march(
                sea, bounds, shape, state, places, origins, directions, limit, first, last, ranges, normals, obstacles
            )
        for r in range(first, last):
            o = 3 * r
            ox, oy, oz = origins[o], origins[o + 1], origins[o + 2]
            dx, dy, dz = directions[o], directions[o + 1], directions[o + 2]
            size = 1.0 / math.sqrt(dx * dx + dy * dy + dz * dz)
            dx, dy, dz = dx * size, dy * size, dz * size
            nearest, hit = ranges[r], obstacles[r]
            nx, ny, nz = normals[o], normals[o + 1], normals[o + 2]
            if bottom == PLANE_BOTTOM:
                t, ax, ay, az = plane_hit(h, ox, oy, oz, dx, dy, dz, nearest)
                if t < nearest:
                    nearest, hit, nx, ny, nz = t, SEABED, ax, ay, az
            if has_tree:
                t, k, ax, ay, az = tree_hit(
                    sea, solids_at, n_solids, boxes, children, blocks, stack, starts, ox, oy, oz, dx, dy, dz, nearest
                )
                if t < nearest:
                    nearest, nx, ny, nz = t, ax, ay, az
                    hit = k if k < n_solids else owners[k - n_solids]
            for e in range(endless.size):
                k = endless[e]
                t, ax, ay, az = solid_hit(sea, solids_at + k * N_SOLID, ox, oy, oz, dx, dy, dz, nearest)
                if t < nearest:
                    nearest, hit, nx, ny, nz = t, k, ax, ay, az
            ranges[r] = nearest if hit != NOTHING else INF
            normals[o], normals[o + 1], normals[o + 2] = nx, ny, nz
            obstacles[r] = hit
    return -1
