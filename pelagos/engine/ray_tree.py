"""A tree of boxes over solids and triangles, so that a ray tests only what lies near it.

Built by the surface area heuristic with bins (I. Wald, "On fast construction of SAH-based bounding volume
hierarchies", IEEE Symposium on Interactive Ray Tracing, 2007). A node holds the boxes of its two children; a ray visits
the nearer child first and leaves out what begins behind the nearest hit so far.
"""

from __future__ import annotations

import math

import numpy as np

from pelagos.engine.compiled import compiled, compiled_apart, entry
from pelagos.engine.ray_shapes import N_SOLID, solid_hit, triangle_hit, triangle_normal

INF = math.inf
BINS = 16
LEAF = 2  # primitives in a leaf, at most
EVEN = 40  # depth from which a node is halved by count: the tree stays below DEPTH
DEPTH = 96


@compiled_apart
def area(box):
    """Half the surface of a box, m^2; 0 for an empty one."""
    x, y, z = box[3] - box[0], box[4] - box[1], box[5] - box[2]
    return x * y + y * z + z * x if x >= 0.0 else 0.0


@compiled_apart
def grow(box, other):
    """Let a box hold another."""
    for k in range(3):
        box[k] = min(box[k], other[k])
        box[k + 3] = max(box[k + 3], other[k + 3])


@compiled_apart
def empty(box):
    """Make a box that holds nothing."""
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
        scale = BINS * (1.0 - 1e-9) / (high[k] - low[k])
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
    return axis, split, low[axis], BINS * (1.0 - 1e-9) / (high[axis] - low[axis])


@entry
def build_tree(boxes):
    """Boxes of the children (nodes, 2, 6), the children (nodes, 2) and the order of the primitives in the leaves.

    `boxes` has a row low x y z, high x y z per primitive. A child >= 0 is a node; below 0 it is a leaf,
    -1 - (LEAF + 1) first - count.
    """
    n = boxes.shape[0]
    order = np.arange(n)
    room = max(n, 1)
    bounds = np.empty((room, 2, 6))
    children = np.full((room, 2), -1, np.int64)
    for c in range(2):
        empty(bounds[0, c])
    used = 1
    todo = np.empty((4 * DEPTH, 4), np.int64)  # node, first, last, depth
    todo[0, 0], todo[0, 1], todo[0, 2], todo[0, 3] = 0, 0, n, 0
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node, first, last, depth = todo[waiting, 0], todo[waiting, 1], todo[waiting, 2], todo[waiting, 3]
        middle = (first + last) // 2
        if last - first <= 1:
            middle = last
        elif depth < EVEN:
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
            for p in range(a, b):
                grow(bounds[node, c], boxes[order[p]])
            if b - a <= LEAF:
                children[node, c] = -1 - (LEAF + 1) * a - (b - a)
            else:
                children[node, c] = used
                todo[waiting, 0], todo[waiting, 1], todo[waiting, 2], todo[waiting, 3] = used, a, b, depth + 1
                waiting += 1
                used += 1
    return bounds[:used].copy(), children[:used].copy(), order


@compiled
def reach(box, ox, oy, oz, px, py, pz, limit):
    """Range at which a ray enters a box, infinite if it does not before `limit`; p is one over its direction."""
    x0, x1 = (box[0] - ox) * px, (box[3] - ox) * px
    y0, y1 = (box[1] - oy) * py, (box[4] - oy) * py
    z0, z1 = (box[2] - oz) * pz, (box[5] - oz) * pz
    near = max(max(min(x0, x1), min(y0, y1)), max(min(z0, z1), 0.0))
    far = min(min(max(x0, x1), max(y0, y1)), min(max(z0, z1), limit))
    return near if near <= far else INF


@compiled
def inverse(d):
    """One over a component of a direction, finite for 0: a product with it is never NaN."""
    return 1.0 / d if abs(d) > 1e-200 else 1e200


@compiled
def tree_hit(sea, solids_at, n_solids, tree, triangles, stack, starts, ox, oy, oz, dx, dy, dz, limit):
    """Range, primitive and normal of the nearest hit; a primitive from n_solids on is a triangle, -1 is none."""
    bounds, children, order = tree
    px, py, pz = inverse(dx), inverse(dy), inverse(dz)
    nearest, found = limit, -1
    nx, ny, nz = 0.0, 0.0, 0.0
    child, waiting = 0, 0
    while True:
        if child >= 0:
            a = reach(bounds[child, 0], ox, oy, oz, px, py, pz, nearest)
            b = reach(bounds[child, 1], ox, oy, oz, px, py, pz, nearest)
            first = 0 if a <= b else 1
            if max(a, b) < nearest:
                stack[waiting], starts[waiting] = children[child, 1 - first], max(a, b)
                waiting += 1
            if min(a, b) < nearest:
                child = children[child, first]
                continue
        else:
            start, count = (-1 - child) // (LEAF + 1), (-1 - child) % (LEAF + 1)
            for p in range(start, start + count):
                k = order[p]
                if k < n_solids:
                    t, ax, ay, az = solid_hit(sea, solids_at + k * N_SOLID, ox, oy, oz, dx, dy, dz, nearest)
                    if t < nearest:
                        nearest, found, nx, ny, nz = t, k, ax, ay, az
                else:
                    t = triangle_hit(triangles, k - n_solids, ox, oy, oz, dx, dy, dz, nearest)
                    if t < nearest:
                        nearest, found = t, k
        while waiting > 0 and starts[waiting - 1] >= nearest:
            waiting -= 1
        if waiting == 0:
            break
        waiting -= 1
        child = stack[waiting]
    if found >= n_solids:
        nx, ny, nz = triangle_normal(triangles, found - n_solids, dx, dy, dz)
    return nearest if found >= 0 else INF, found, nx, ny, nz
