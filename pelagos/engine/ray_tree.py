"""A tree of boxes over solids and triangles, so that a ray tests only what lies near it.

Built by the surface area heuristic with bins (I. Wald, "On fast construction of SAH-based bounding volume
hierarchies", IEEE Symposium on Interactive Ray Tracing, 2007), two branches at a time; then nodes are merged until each
holds the boxes of eight branches, which are tested at once (I. Wald, C. Benthin, S. Boulos, "Getting rid of packets",
IEEE Symposium on Interactive Ray Tracing, 2008). How a ray goes through it: ray_visit.
"""

from __future__ import annotations

import math

import numpy as np

from pelagos.engine.compiled import compiled_apart, entry

INF = math.inf
BINS = 16
WIDE = 8  # branches of a node, and triangles in a leaf at most
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
def build_binary(boxes, n_alone):
    """Boxes of the children (nodes, 2, 6), the children (nodes, 2), first and count of the leaves, and the order.

    `boxes` has a row low x y z, high x y z per primitive; those before `n_alone` get a leaf of their own. A child >= 0
    is a node; below 0 it is leaf -1 - child.
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
    """Boxes (nodes, 6, 8) and children (nodes, 8) of a tree of eight branches; leaves and order of `build_binary`.

    A branch that is not there has a box that no ray enters.
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
        while count < WIDE:
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
