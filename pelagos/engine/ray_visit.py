"""A ray through the tree of boxes: eight boxes at once, the nearest branch first, eight triangles at once in a leaf.

What begins behind the nearest hit so far is left out. Triangles: T. Moller, B. Trumbore, J. Graphics Tools 2(1), 1997;
each is taken 1e-12 larger than it is, so that no ray slips through an edge that two share.
"""

from __future__ import annotations

import math

from pelagos.engine.compiled import compiled
from pelagos.engine.lanes import pick, where_less
from pelagos.engine.ray_lanes import first_bit, higher, less, load, lower, spread
from pelagos.engine.ray_shapes import N_SOLID, solid_hit

INF = math.inf
EDGE = 1e-12  # 1, growth of a triangle in its own coordinates
NODE = 48  # numbers of a node: low x of eight boxes, low y, low z, high x, high y, high z
BLOCK = 72  # numbers of a leaf: x of eight corners, y, z, then both edges


@compiled
def inverse(d):
    """One over a component of a direction, finite for 0: a product with it is never NaN."""
    return 1.0 / d if abs(d) > 1e-200 else 1e200


@compiled
def triangles_hit(blocks, at, ox, oy, oz, dx, dy, dz, limit):
    """Ranges along a ray to eight triangles, and bits of those that it meets before `limit`."""
    e1x, e1y, e1z = load(blocks, at + 24), load(blocks, at + 32), load(blocks, at + 40)
    e2x, e2y, e2z = load(blocks, at + 48), load(blocks, at + 56), load(blocks, at + 64)
    px = dy * e2z - dz * e2y
    py = dz * e2x - dx * e2z
    pz = dx * e2y - dy * e2x
    volume = e1x * px + e1y * py + e1z * pz  # 0 for a ray in the plane, and for an empty place
    none = spread(0.0)
    scale = 1.0 / where_less(none, abs(volume), volume, 1.0)
    tx, ty, tz = ox - load(blocks, at), oy - load(blocks, at + 8), oz - load(blocks, at + 16)
    u = (tx * px + ty * py + tz * pz) * scale
    qx = ty * e1z - tz * e1y
    qy = tz * e1x - tx * e1z
    qz = tx * e1y - ty * e1x
    v = (dx * qx + dy * qy + dz * qz) * scale
    t = (e2x * qx + e2y * qy + e2z * qz) * scale
    low, high = spread(-EDGE), spread(1.0 + EDGE)
    inside = less(low, u) & less(low, v) & less(u + v, high) & less(none, abs(volume))
    return t, inside & less(t, spread(limit)) & ~less(t, none)


@compiled
def triangle_normal(blocks, at, dx, dy, dz):
    """Unit normal of the triangle whose corner x is number `at`, on the side a ray along d comes from."""
    ax, ay, az = blocks[at + 24], blocks[at + 32], blocks[at + 40]
    bx, by, bz = blocks[at + 48], blocks[at + 56], blocks[at + 64]
    nx = ay * bz - az * by
    ny = az * bx - ax * bz
    nz = ax * by - ay * bx
    size = math.sqrt(nx * nx + ny * ny + nz * nz)
    size = -size if nx * dx + ny * dy + nz * dz > 0.0 else size
    return nx / size, ny / size, nz / size


@compiled
def tree_hit(sea, solids_at, n_solids, bounds, children, blocks, stack, starts, ox, oy, oz, dx, dy, dz, limit):
    """Range, primitive and normal of the nearest hit; a primitive from n_solids on is a triangle, -1 is none."""
    px, py, pz = inverse(dx), inverse(dy), inverse(dz)
    sx, sy, sz = -ox * px, -oy * py, -oz * pz
    # which corner of a box the ray comes to first
    near_x, near_y, near_z = (0 if px > 0.0 else 24), (8 if py > 0.0 else 32), (16 if pz > 0.0 else 40)
    nearest, found = limit, -1
    nx, ny, nz = 0.0, 0.0, 0.0
    child, waiting = 0, 0
    while True:
        if child >= 0:
            at = child * NODE
            x, y, z = load(bounds, at + near_x), load(bounds, at + near_y), load(bounds, at + near_z)
            start = higher(higher(x * px + sx, y * py + sy), higher(z * pz + sz, spread(0.0)))
            x, y, z = load(bounds, at + 24 - near_x), load(bounds, at + 40 - near_y), load(bounds, at + 56 - near_z)
            end = lower(lower(x * px + sx, y * py + sy), lower(z * pz + sz, spread(nearest)))
            bits = 255 & ~less(end, start)
            if bits != 0:
                lane = first_bit(bits)
                bits &= bits - 1
                child = children[8 * child + lane] if bits == 0 else child
                if bits == 0:
                    continue
                node, base = 8 * child, waiting
                while True:  # the farthest lowest in the stack
                    t, k = pick(start, lane), waiting
                    while k > base and starts[k - 1] < t:
                        starts[k], stack[k] = starts[k - 1], stack[k - 1]
                        k -= 1
                    starts[k], stack[k] = t, children[node + lane]
                    waiting += 1
                    if bits == 0:
                        break
                    lane = first_bit(bits)
                    bits &= bits - 1
        elif -1 - child < n_solids:
            k = -1 - child
            t, ax, ay, az = solid_hit(sea, solids_at + k * N_SOLID, ox, oy, oz, dx, dy, dz, nearest)
            if t < nearest:
                nearest, found, nx, ny, nz = t, k, ax, ay, az
        else:
            block = -1 - child - n_solids
            ranges, bits = triangles_hit(blocks, block * BLOCK, ox, oy, oz, dx, dy, dz, nearest)
            while bits != 0:
                lane = first_bit(bits)
                bits &= bits - 1
                if pick(ranges, lane) < nearest:
                    nearest, found = pick(ranges, lane), n_solids + 8 * block + lane
        while waiting > 0 and starts[waiting - 1] >= nearest:
            waiting -= 1
        if waiting == 0:
            break
        waiting -= 1
        child = stack[waiting]
    if found >= n_solids:
        k = found - n_solids
        nx, ny, nz = triangle_normal(blocks, (k >> 3) * BLOCK + (k & 7), dx, dy, dz)
    return nearest if found >= 0 else INF, found, nx, ny, nz
