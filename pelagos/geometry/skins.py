"""Triangles of simple solids for drawing, and how often a closed surface winds around a point."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
AROUND = 32


def skin(kind: str, half_m: tuple[float, float, float], extent_m: float) -> Array:
    """Triangles (m, 3 corners, 3) in the solid's own axes, counter-clockwise seen from outside."""
    if kind == "box":
        return _box(np.array(half_m))
    if kind == "plane":
        e = 0.5 * extent_m
        square = np.array([(-e, -e, 0.0), (-e, e, 0.0), (e, e, 0.0), (e, -e, 0.0)])
        return np.stack([square[[0, 1, 2]], square[[0, 2, 3]]])
    if kind == "cylinder":
        return _rings([(-half_m[0], 0.0), (-half_m[0], half_m[1]), (half_m[0], half_m[1]), (half_m[0], 0.0)])
    if kind == "sphere":
        angle = np.linspace(0.0, np.pi, AROUND // 2 + 1)
        return _rings([(-half_m[0] * c, half_m[0] * s) for c, s in zip(np.cos(angle), np.sin(angle), strict=True)])
    raise ValueError(f"kind = {kind!r}: expected box, cylinder, sphere or plane")


def _box(half: Array) -> Array:
    triangles = []
    for axis in range(3):
        for sign in (1.0, -1.0):
            u, v = np.eye(3)[(axis + 1) % 3], np.eye(3)[(axis + 2) % 3]
            w = sign * np.eye(3)[axis]
            v = v * sign  # u x v = w
            ring = [w + u + v, w - u + v, w - u - v, w + u - v]
            triangles += [[ring[0], ring[1], ring[2]], [ring[0], ring[2], ring[3]]]
    return np.array(triangles) * half


def _rings(profile: list[tuple[float, float]]) -> Array:
    """The surface swept by a line of (x, radius) around x; x must rise from the first to the last."""
    angle = np.arange(AROUND + 1) * (2.0 * np.pi / AROUND)
    rings = [np.column_stack([np.full(AROUND + 1, x), r * np.cos(angle), r * np.sin(angle)]) for x, r in profile]
    triangles = []
    for low, high in pairwise(rings):
        triangles.append(np.stack([low[:-1], low[1:], high[:-1]], axis=1))
        triangles.append(np.stack([low[1:], high[1:], high[:-1]], axis=1))
    all_of_them = np.concatenate(triangles)
    normal = np.cross(all_of_them[:, 1] - all_of_them[:, 0], all_of_them[:, 2] - all_of_them[:, 0])
    return all_of_them[np.linalg.norm(normal, axis=1) > 1e-12 * np.max(np.linalg.norm(normal, axis=1))]


def winding(corners: Array, points: Array) -> Array:
    """How often a surface winds around each point: 1 inside, 0 outside a closed one that faces outward.

    The sum of the solid angles of its triangles over 4 pi (Van Oosterom and Strackee 1983).
    """
    turns = np.zeros(len(points))
    for i, point in enumerate(points):
        a, b, c = np.moveaxis(corners - point, 1, 0)
        la, lb, lc = (np.linalg.norm(side, axis=1) for side in (a, b, c))
        over = np.einsum("ij,ij->i", a, np.cross(b, c))
        ab, bc, ca = (np.einsum("ij,ij->i", *pair) for pair in ((a, b), (b, c), (c, a)))
        turns[i] = np.sum(np.arctan2(over, la * lb * lc + ab * lc + bc * la + ca * lb)) / (2.0 * np.pi)
    return turns
