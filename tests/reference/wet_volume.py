"""Exact wet volume and first moment of simple bodies under a tilted plane, by other means than the engine's.

Each takes the depth of the body's centre and n (unit, down in body axes) and gives the wet share of the volume and the
first moment of that share about the centre, (4,). Bodies are centred at O and lie along body axes.
"""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise, permutations

import numpy as np


def ellipsoid(semi_axes, depth, n):
    """A cap: a ball after scaling. Share (2 + 3s - s^3)/4, moment 3/16 (1 - s^2)^2 along the scaled normal."""
    scaled = np.array(semi_axes) * n
    size = float(np.linalg.norm(scaled))
    s = min(max(depth / size, -1.0), 1.0)
    return np.array([(2.0 + 3.0 * s - s**3) / 4.0, *(3.0 / 16.0 * (1.0 - s * s) ** 2 * scaled * semi_axes / size)])


def cylinder(length, radius, depth, n, nodes=120):
    """Circular segments summed along the axis x: Gauss between the sections where the plane enters and leaves.

    In t with x = a + (b - a)(1 - cos pi t)/2 the ends of the arcs, x^(3/2), are smooth: 120 nodes leave 1e-12.
    """
    across = max(math.hypot(n[1], n[2]), 1e-15)
    half = 0.5 * length
    cuts = [-half, half]
    if n[0] != 0.0:
        cuts += [x for x in ((side * across * radius - depth) / n[0] for side in (-1.0, 1.0)) if abs(x) < half]
    cuts.sort()
    gauss, weight = _gauss(nodes)
    angle = 0.5 * math.pi * (gauss + 1.0)
    total = np.zeros(4)
    for a, b in pairwise(cuts):
        x = a + (b - a) * 0.5 * (1.0 - np.cos(angle))
        w = weight * 0.25 * math.pi * np.sin(angle) * (b - a) / length
        s = np.clip((depth + n[0] * x) / (across * radius), -1.0, 1.0)
        area = 0.5 + (s * np.sqrt(1.0 - s * s) + np.arcsin(s)) / math.pi
        arm = float(w @ (2.0 / (3.0 * math.pi) * (1.0 - s * s) ** 1.5)) * radius / across
        total += [w @ area, w @ (area * x), arm * n[1], arm * n[2]]
    return total


@cache
def _gauss(nodes):
    return np.polynomial.legendre.leggauss(nodes)


def box(size, depth, n):
    """Six tetrahedra of the box, each cut by the plane."""
    half = 0.5 * np.array(size)
    total = np.zeros(4)
    for order in permutations(range(3)):
        corners = [-half]
        for axis in order:
            step = np.zeros(3)
            step[axis] = 2.0 * half[axis]
            corners.append(corners[-1] + step)
        total += _tetrahedron(np.array(corners), depth, np.array(n))
    return total / (8.0 * float(np.prod(half)))


def _tetrahedron(corners, depth, n):
    """Volume and first moment of the part at depth above 0."""
    d = depth + corners @ n
    corners, d = corners[np.argsort(-d)], np.sort(d)[::-1]
    wet = int(np.sum(d > 0.0))
    if wet in (0, 4):
        return _whole(corners) if wet else np.zeros(4)

    def cut(i, j):
        return corners[i] + (corners[j] - corners[i]) * (d[i] / (d[i] - d[j]))

    if wet == 1:
        return _whole(np.array([corners[0], cut(0, 1), cut(0, 2), cut(0, 3)]))
    if wet == 3:
        return _whole(corners) - _whole(np.array([corners[3], cut(0, 3), cut(1, 3), cut(2, 3)]))
    a, b = corners[0], corners[1]
    prism = (a, cut(0, 2), cut(0, 3), b, cut(1, 2), cut(1, 3))
    return sum(_whole(np.array([prism[k] for k in four])) for four in ((0, 1, 2, 3), (1, 2, 3, 4), (2, 3, 4, 5)))


def _whole(corners):
    volume = abs(float(np.linalg.det(corners[1:] - corners[0]))) / 6.0
    return np.array([volume, *(volume * corners.mean(axis=0))])


def attitudes(count, extent, seed):
    """Random depths and normals: a third near the axis x, a third nearly across it, up to just out and just under."""
    rng = np.random.default_rng(seed)
    n = rng.standard_normal((count, 3))
    n[: count // 3, 1:] *= 0.05
    n[count // 3 : 2 * count // 3, 0] *= 0.05
    n /= np.linalg.norm(n, axis=1)[:, None]
    depths = rng.uniform(-1.05, 1.05, count) * (np.abs(n) @ np.array(extent))
    return list(zip(depths.tolist(), n, strict=True))
