"""Bounding volume hierarchy over solids and triangles: building it, and finding the nearest hit of a ray in it.

Built by the surface area heuristic with bins (I. Wald, "On fast construction of SAH-based bounding volume
hierarchies", IEEE Symposium on Interactive Ray Tracing, 2007), two branches at a time; then nodes are merged until each
holds the boxes of eight branches, which are tested at once (I. Wald, C. Benthin, S. Boulos, "Getting rid of packets",
IEEE Symposium on Interactive Ray Tracing, 2008).

A ray visits the nearest branch first and skips branches that begin behind the nearest hit so far; in a leaf it tests
eight triangles at once (T. Moller, B. Trumbore, J. Graphics Tools 2(1), 1997). Each triangle is taken 1e-12 larger than
it is, so that no ray slips through an edge that two share.

Nodes and leaves are runs of eight neighbouring numbers, because `load` takes eight: their places are constants below.
"""

from __future__ import annotations

import math

import numpy as np

from pelagos.engine.compiled import compiled, compiled_apart, entry
from pelagos.engine.core.lanes import pick, where_less
from pelagos.engine.rays.lanes import first_bit, higher, less, load, lower, spread
from pelagos.engine.rays.shapes import N_SOLID, solid_hit

INF = math.inf
BINS = 16  # of the heuristic along each axis
INSIDE = 1.0 - 1e-9  # keeps the last centre inside the last bin
WIDE = 8  # branches of a node, and triangles in a leaf at most
EVEN = 40  # depth from which a node is halved by count: the tree stays below DEPTH
DEPTH = 96  # EVEN, and 56 halvings for as many as 2^56 primitives; gives the stacks their size
GROWTH = 1e-12  # 1, of a triangle, in its own coordinates
# Places in a node of eight boxes: runs of low x, low y, low z, high x, high y, high z
X, Y, Z = 0, WIDE, 2 * WIDE
HIGH = 3 * WIDE
NODE = 6 * WIDE
# Places in a leaf of eight triangles: runs of x, y, z of the first corners, then of the two edges from there
EDGE_1, EDGE_2 = 3 * WIDE, 6 * WIDE
BLOCK = 9 * WIDE


@compiled_apart
def area(box):
    """Half the surface area of a box, m^2; 0 for an empty one."""
    x, y, z = box[3] - box[0], box[4] - box[1], box[5] - box[2]
    return x * y + y * z + z * x if x >= 0.0 else 0.0


@compiled_apart
def grow(box, other):
    """Extend a box until it holds another."""
    for k in range(3):
        box[k] = min(box[k], other[k])
        box[k + 3] = max(box[k + 3], other[k + 3])


@compiled_apart
def empty(box):
    """Make a box empty: it holds nothing."""
    for k in range(3):
        box[k], box[k + 3] = INF, -INF


@entry
def best_split(boxes, order, first, last):
    """Axis, bin, origin and scale of the cheapest split of order[first:last]; axis -1 if all centres are one."""
    low, high = np.full(3, INF), np.full(3, -INF)
    for p in range(first, last):
        for k in range(3):
            centre = boxes[order[p], k] + boxes[order[p], k + 3]
            low[k], high[k] = min(low[k], centre), max(high[k], centre)
    cheapest, axis, split = INF, -1, 0
    bins, counts = np.empty((BINS, 6)), np.empty(BINS, np.int64)
    left, right = np.empty(6), np.empty(6)
    areas = np.empty(BINS)
    for k in range(3):
        if not high[k] > low[k]:
            continue
        scale = BINS * INSIDE / (high[k] - low[k])
        for b in range(BINS):
            counts[b] = 0
            empty(bins[b])
        for p in range(first, last):
            box = boxes[order[p]]
            b = int((box[k] + box[k + 3] - low[k]) * scale)
            counts[b] += 1
            grow(bins[b], box)
        empty(right)
        behind = 0
        for b in range(BINS - 1, 0, -1):
            grow(right, bins[b])
            behind += counts[b]
            areas[b] = area(right) * behind
        empty(left)
        before = 0
        for b in range(BINS - 1):
            grow(left, bins[b])
            before += counts[b]
            cost = area(left) * before + areas[b + 1]
            if 0 < before < last - first and cost < cheapest:
                cheapest, axis, split = cost, k, b
    if axis < 0:
        return axis, split, 0.0, 0.0
    return axis, split, low[axis], BINS * INSIDE / (high[axis] - low[axis])


@entry
def build_binary(boxes, n_alone):
    """Build a binary tree: boxes (nodes, 2, 6), children (nodes, 2), first and count of the leaves, and the order.

    `boxes` has a row low x y z, high x y z per primitive; those before `n_alone` are alone in a leaf. A child >= 0 is a
    node; below 0 it is leaf -1 - child.
    """
    n = boxes.shape[0]
    order = np.arange(n)
    room = max(n, 1)
    bounds = np.empty((room, 2, 6))
    children = np.zeros((room, 2), np.int64)
    leaves = np.zeros((room + 1, 2), np.int64)
    used, n_leaves = 1, 0
    todo = np.empty((4 * DEPTH, 4), np.int64)  # node, first, last, depth
    todo[0, 0], todo[0, 1], todo[0, 2], todo[0, 3] = 0, 0, n, 0
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node, first, last, depth = todo[waiting, 0], todo[waiting, 1], todo[waiting, 2], todo[waiting, 3]
        middle = (first + last) // 2
        if last - first <= 1:
            middle = last
        elif depth < EVEN:  # partition in place by the cheapest split
            axis, split, start, scale = best_split(boxes, order, first, last)
            if axis >= 0:
                middle, behind = first, last - 1
                while middle <= behind:
                    box = boxes[order[middle]]
                    if int((box[axis] + box[axis + 3] - start) * scale) <= split:
                        middle += 1
                    else:
                        order[middle], order[behind] = order[behind], order[middle]
                        behind -= 1
        for c in range(2):
            a, b = (first, middle) if c == 0 else (middle, last)
            empty(bounds[node, c])
            alone = 0
            for p in range(a, b):
                grow(bounds[node, c], boxes[order[p]])
                alone += 1 if order[p] < n_alone else 0
            if b - a <= 1 or (b - a <= WIDE and alone == 0):
                children[node, c] = -1 - n_leaves
                leaves[n_leaves, 0], leaves[n_leaves, 1] = a, b - a
                n_leaves += 1
            else:
                children[node, c] = used
                todo[waiting, 0], todo[waiting, 1], todo[waiting, 2], todo[waiting, 3] = used, a, b, depth + 1
                waiting += 1
                used += 1
    return bounds[:used], children[:used], leaves[:n_leaves].copy(), order


@entry
def build_tree(boxes, n_alone):
    """Build a tree of eight branches: boxes (nodes, 6, 8), children (nodes, 8), leaves and order of `build_binary`.

    A missing branch has a box that no ray enters.
    """
    pairs, halves, leaves, order = build_binary(boxes, n_alone)
    nodes = halves.shape[0]
    bounds = np.empty((nodes, 6, WIDE))
    children = np.zeros((nodes, WIDE), np.int64)
    source = np.zeros(nodes, np.int64)  # the binary node that a wide one begins with
    node, used = 0, 1
    parent, side = np.zeros(WIDE, np.int64), np.zeros(WIDE, np.int64)
    while node < used:
        count = 2
        for c in range(2):
            parent[c], side[c] = source[node], c
        while count < WIDE:  # replace the largest inner branch by its two children
            widest, chosen = -1.0, -1
            for c in range(count):
                if halves[parent[c], side[c]] >= 0 and area(pairs[parent[c], side[c]]) > widest:
                    widest, chosen = area(pairs[parent[c], side[c]]), c
            if chosen < 0:
                break
            inner = halves[parent[chosen], side[chosen]]
            parent[chosen], side[chosen] = inner, 0
            parent[count], side[count] = inner, 1
            count += 1
        for c in range(WIDE):
            for k in range(6):
                bounds[node, k, c] = pairs[parent[c], side[c], k] if c < count else (INF if k < 3 else -INF)
            if c < count:
                children[node, c] = halves[parent[c], side[c]]
                if children[node, c] >= 0:
                    source[used] = children[node, c]
                    children[node, c] = used
                    used += 1
        node += 1
    return bounds[:used].copy(), children[:used].copy(), leaves, order


@compiled
def inverse(d):
    """One over a component of a direction, finite for 0: a product with it is never NaN."""
    return 1.0 / d if abs(d) > 1e-200 else 1e200


@compiled
def triangles_hit(blocks, at, ox, oy, oz, dx, dy, dz, limit):
    """Ranges along a ray to eight triangles, and bits of those that it meets before `limit`."""
    a, b = at + EDGE_1, at + EDGE_2
    e1x, e1y, e1z = load(blocks, a + X), load(blocks, a + Y), load(blocks, a + Z)
    e2x, e2y, e2z = load(blocks, b + X), load(blocks, b + Y), load(blocks, b + Z)
    px = dy * e2z - dz * e2y
    py = dz * e2x - dx * e2z
    pz = dx * e2y - dy * e2x
    volume = e1x * px + e1y * py + e1z * pz  # 0 for a ray in the plane, and for an empty place
    none = spread(0.0)
    scale = 1.0 / where_less(none, abs(volume), volume, 1.0)
    tx, ty, tz = ox - load(blocks, at + X), oy - load(blocks, at + Y), oz - load(blocks, at + Z)
    u = (tx * px + ty * py + tz * pz) * scale
    qx = ty * e1z - tz * e1y
    qy = tz * e1x - tx * e1z
    qz = tx * e1y - ty * e1x
    v = (dx * qx + dy * qy + dz * qz) * scale
    t = (e2x * qx + e2y * qy + e2z * qz) * scale
    low, high = spread(-GROWTH), spread(1.0 + GROWTH)
    inside = less(low, u) & less(low, v) & less(u + v, high) & less(none, abs(volume))
    return t, inside & less(t, spread(limit)) & ~less(t, none)


@compiled
def triangle_normal(blocks, at, dx, dy, dz):
    """Unit normal of the triangle whose corner x is number `at`, on the side a ray along d comes from."""
    a, b = at + EDGE_1, at + EDGE_2
    ax, ay, az = blocks[a + X], blocks[a + Y], blocks[a + Z]
    bx, by, bz = blocks[b + X], blocks[b + Y], blocks[b + Z]
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
    near_x, near_y, near_z = (X if px > 0.0 else X + HIGH), (Y if py > 0.0 else Y + HIGH), (Z if pz > 0.0 else Z + HIGH)
    far_x, far_y, far_z = 2 * X + HIGH - near_x, 2 * Y + HIGH - near_y, 2 * Z + HIGH - near_z
    nearest, primitive = limit, -1
    nx, ny, nz = 0.0, 0.0, 0.0
    child, waiting = 0, 0
    while True:
        if child >= 0:
            at = child * NODE
            x, y, z = load(bounds, at + near_x), load(bounds, at + near_y), load(bounds, at + near_z)
            start = higher(higher(x * px + sx, y * py + sy), higher(z * pz + sz, spread(0.0)))
            x, y, z = load(bounds, at + far_x), load(bounds, at + far_y), load(bounds, at + far_z)
            end = lower(lower(x * px + sx, y * py + sy), lower(z * pz + sz, spread(nearest)))
            bits = 255 & ~less(end, start)  # boxes that the ray enters before the nearest hit
            if bits != 0:
                lane = first_bit(bits)
                bits &= bits - 1
                child = children[WIDE * child + lane] if bits == 0 else child
                if bits == 0:
                    continue
                node, base = WIDE * child, waiting
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
                nearest, primitive, nx, ny, nz = t, k, ax, ay, az
        else:
            block = -1 - child - n_solids
            ranges, bits = triangles_hit(blocks, block * BLOCK, ox, oy, oz, dx, dy, dz, nearest)
            while bits != 0:
                lane = first_bit(bits)
                bits &= bits - 1
                if pick(ranges, lane) < nearest:
                    nearest, primitive = pick(ranges, lane), n_solids + WIDE * block + lane
        while waiting > 0 and starts[waiting - 1] >= nearest:  # begins behind the present hit
            waiting -= 1
        if waiting == 0:
            break
        waiting -= 1
        child = stack[waiting]
    if primitive >= n_solids:
        k = primitive - n_solids
        nx, ny, nz = triangle_normal(blocks, (k >> 3) * BLOCK + (k & 7), dx, dy, dz)
    return nearest if primitive >= 0 else INF, primitive, nx, ny, nz
