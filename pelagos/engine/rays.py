"""Rays against the seabed and the structures: the nearest hit of each, in float64, one after another on one core.

The seabed and the solids are read from the packed world; meshes come as triangles. No Python lock is held: threads may
cast at the same time.
"""

from __future__ import annotations

import math

import numpy as np

from pelagos.engine.compiled import entry
from pelagos.engine.ray_bottom import grid_hit, plane_hit
from pelagos.engine.ray_shapes import N_SOLID, solid_hit
from pelagos.engine.ray_tree import DEPTH, tree_hit
from pelagos.engine.sea import GRID_BOTTOM, PLANE_BOTTOM, SEABED, as_sea
from pelagos.engine.views import as_numbers

INF = math.inf
NOTHING = -2  # what a ray has met when it has met nothing


@entry
def cast(sea, peaks, levels, tree, endless, triangles, owners, origins, directions, limit, ranges, normals, what):
    """Fill ranges (m), normals and what was hit; returns the number of the first ray without direction, or -1.

    The tree's order holds the numbers of solids and, from n_solids on, of triangles, which belong to the structures
    `owners`. `endless` are the numbers of the half spaces, which no box holds.
    """
    sea = as_numbers(sea)
    h = as_sea(sea)
    bottom, solids_at, n_solids = int(h.bottom), int(h.solids_at), int(h.n_solids)
    stack, starts = np.empty(2 * DEPTH, np.int64), np.empty(2 * DEPTH)
    has_tree = tree[2].size > 0
    for r in range(origins.shape[0]):
        ox, oy, oz = origins[r, 0], origins[r, 1], origins[r, 2]
        dx, dy, dz = directions[r, 0], directions[r, 1], directions[r, 2]
        size = math.sqrt(dx * dx + dy * dy + dz * dz)
        if not (0.0 < size < INF and abs(ox) + abs(oy) + abs(oz) < INF):
            return r
        dx, dy, dz = dx / size, dy / size, dz / size
        nearest, met = limit, NOTHING
        nx, ny, nz = 0.0, 0.0, 0.0
        if bottom == PLANE_BOTTOM:
            t, ax, ay, az = plane_hit(h, ox, oy, oz, dx, dy, dz, nearest)
            if t < nearest:
                nearest, met, nx, ny, nz = t, SEABED, ax, ay, az
        elif bottom == GRID_BOTTOM:
            t, ax, ay, az = grid_hit(sea, peaks, levels, ox, oy, oz, dx, dy, dz, nearest)
            if t < nearest:
                nearest, met, nx, ny, nz = t, SEABED, ax, ay, az
        if has_tree:
            t, k, ax, ay, az = tree_hit(
                sea, solids_at, n_solids, tree, triangles, stack, starts, ox, oy, oz, dx, dy, dz, nearest
            )
            if t < nearest:
                nearest, nx, ny, nz = t, ax, ay, az
                met = k if k < n_solids else owners[k - n_solids]
        for e in range(endless.size):
            k = endless[e]
            t, ax, ay, az = solid_hit(sea, solids_at + k * N_SOLID, ox, oy, oz, dx, dy, dz, nearest)
            if t < nearest:
                nearest, met, nx, ny, nz = t, k, ax, ay, az
        ranges[r] = nearest if met != NOTHING else INF
        normals[r, 0], normals[r, 1], normals[r, 2] = nx, ny, nz
        what[r] = met
    return -1
