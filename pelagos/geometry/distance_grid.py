"""Signed distance grid of a closed mesh, negative inside.

Nodes within three steps of a triangle get their exact distance to the nearest one; farther nodes test the nearest
triangles of their neighbours, in sweeps through the grid, and keep the best. The sign is that of the angle-weighted
normal at the nearest point (Baerentzen and Aanaes 2005); far nodes copy the sign of the neighbour whose triangle they
use, since the surface cannot pass between two nodes that are both farther from it than from each other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pelagos.engine.compiled import compiled, entry
from pelagos.geometry.mesh import Mesh

PADDING = 3  # steps around the mesh: the exact band lies inside the grid
BAND = 3.0  # steps from a triangle within which the distance is exact
STEPS = 64  # along the longest side, unless a step is given
MOST_NODES = 4_000_000  # 32 MB


@dataclass(frozen=True)
class DistanceGrid:
    """Signed distances of a mesh at the nodes origin + step (i, j, k), in its axes."""

    origin_m: tuple[float, float, float]
    step_m: float
    distance_m: NDArray[np.float64]


def default_step(mesh: Mesh) -> float:
    """Default grid step: a 64th of the longest side, m."""
    return float(np.max(np.ptp(mesh.vertices, axis=0))) / STEPS


def node_count(mesh: Mesh, step_m: float) -> tuple[int, int, int]:
    """Number of nodes along x, y, z, with the padding."""
    a, b, c = (math.ceil(extent / step_m) + 2 * PADDING + 1 for extent in np.ptp(mesh.vertices, axis=0))
    return a, b, c


def distance_grid(mesh: Mesh, step_m: float) -> DistanceGrid:
    """Compute the signed distance grid of a closed mesh that faces outward."""
    count = np.array(node_count(mesh, step_m))
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    origin = 0.5 * (low + high) - 0.5 * step_m * (count - 1)
    far = float(np.linalg.norm(step_m * count))
    distance = np.full(count, far)
    nearest = np.full(count, -1, dtype=np.int64)
    corners = np.ascontiguousarray(mesh.corners())
    _sample(corners, _feature_normals(mesh), origin, step_m, distance, nearest)
    x, y, z = origin.tolist()
    return DistanceGrid((x, y, z), step_m, distance)


def _feature_normals(mesh: Mesh) -> NDArray[np.float64]:
    """For each triangle the normals of its face, its edges (ab, bc, ca) and its corners: (m, 7, 3)."""
    p = mesh.corners()
    face = np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0])
    face /= np.maximum(np.linalg.norm(face, axis=1, keepdims=True), 1e-300)
    normals = np.zeros((len(p), 7, 3))
    normals[:, 0] = face
    n = len(mesh.vertices)
    edges = np.stack([mesh.faces, np.roll(mesh.faces, -1, axis=1)], axis=-1)  # (m, 3, 2)
    key = (np.min(edges, axis=-1) * n + np.max(edges, axis=-1)).ravel()
    _, number = np.unique(key, return_inverse=True)
    total = np.zeros((number.max() + 1, 3))
    # the two faces of an edge meet under one key: vertices in ascending order
    np.add.at(total, number.ravel(), np.repeat(face, 3, axis=0))
    normals[:, 1:4] = total[number.ravel()].reshape(-1, 3, 3)
    ahead, back = np.roll(p, -1, axis=1) - p, np.roll(p, 1, axis=1) - p
    size = np.linalg.norm(ahead, axis=2) * np.linalg.norm(back, axis=2)
    angle = np.arccos(np.clip(np.sum(ahead * back, axis=2) / np.maximum(size, 1e-300), -1.0, 1.0))
    corner = np.zeros((n, 3))
    np.add.at(corner, mesh.faces.ravel(), (angle[:, :, None] * face[:, None, :]).reshape(-1, 3))
    normals[:, 4:7] = corner[mesh.faces]
    return normals


@compiled
def _dot(ax, ay, az, bx, by, bz):  # noqa: ANN001, ANN202
    return ax * bx + ay * by + az * bz


@compiled
def _to_triangle(p, normals, x, y, z):  # noqa: ANN001, ANN202
    """Squared distance to a triangle, and the side: positive in front of the normal of the nearest feature."""
    bx, by, bz = p[1, 0] - p[0, 0], p[1, 1] - p[0, 1], p[1, 2] - p[0, 2]
    cx, cy, cz = p[2, 0] - p[0, 0], p[2, 1] - p[0, 1], p[2, 2] - p[0, 2]
    qx, qy, qz = x - p[0, 0], y - p[0, 1], z - p[0, 2]
    bb, bc, cc = _dot(bx, by, bz, bx, by, bz), _dot(bx, by, bz, cx, cy, cz), _dot(cx, cy, cz, cx, cy, cz)
    qb, qc = _dot(qx, qy, qz, bx, by, bz), _dot(qx, qy, qz, cx, cy, cz)
    area = bb * cc - bc * bc
    v, w = cc * qb - bc * qc, bb * qc - bc * qb  # shares of b and c, times area
    if v >= 0.0 and w >= 0.0 and v + w <= area and area > 0.0:
        v, w, feature = v / area, w / area, 0
    else:  # the nearest point of the three sides
        best, v_best, w_best, feature = 1e300, 0.0, 0.0, 4
        for side in range(3):
            if side == 0:
                t = min(max(qb / bb, 0.0), 1.0) if bb > 0.0 else 0.0
                v, w = t, 0.0
            elif side == 1:
                t = min(max((qc - qb + bb - bc) / (bb - 2.0 * bc + cc), 0.0), 1.0)
                v, w = 1.0 - t, t
            else:
                t = 1.0 - (min(max(qc / cc, 0.0), 1.0) if cc > 0.0 else 0.0)
                v, w = 0.0, 1.0 - t
            rx, ry, rz = qx - v * bx - w * cx, qy - v * by - w * cy, qz - v * bz - w * cz
            d = rx * rx + ry * ry + rz * rz
            if d < best:
                best, v_best, w_best = d, v, w
                feature = 1 + side
                if t <= 0.0:
                    feature = 4 + side
                elif t >= 1.0:
                    feature = 4 + (side + 1) % 3
        v, w = v_best, w_best
    rx, ry, rz = qx - v * bx - w * cx, qy - v * by - w * cy, qz - v * bz - w * cz
    side = rx * normals[feature, 0] + ry * normals[feature, 1] + rz * normals[feature, 2]
    return rx * rx + ry * ry + rz * rz, side


@entry
def _sample(corners, normals, origin, step, distance, nearest):  # noqa: ANN001, ANN202
    """Fill `distance`; `nearest` holds the number of each node's nearest triangle so far, -1 for none."""
    shape = distance.shape
    for m in range(corners.shape[0]):
        low, high = np.empty(3, np.int64), np.empty(3, np.int64)
        for k in range(3):
            least = min(corners[m, 0, k], min(corners[m, 1, k], corners[m, 2, k]))
            most = max(corners[m, 0, k], max(corners[m, 1, k], corners[m, 2, k]))
            low[k] = max(math.floor((least - origin[k]) / step - BAND), 0)
            high[k] = min(math.ceil((most - origin[k]) / step + BAND), shape[k] - 1)
        for i in range(low[0], high[0] + 1):
            for j in range(low[1], high[1] + 1):
                for k in range(low[2], high[2] + 1):
                    x, y, z = origin[0] + i * step, origin[1] + j * step, origin[2] + k * step
                    d, side = _to_triangle(corners[m], normals[m], x, y, z)
                    if d <= BAND * BAND * step * step and d < distance[i, j, k] * distance[i, j, k]:
                        distance[i, j, k] = math.sqrt(d) if side >= 0.0 else -math.sqrt(d)
                        nearest[i, j, k] = m
    fixed = nearest >= 0
    for sweep in range(8):  # once in each diagonal direction: a triangle reaches any node in one of them
        for a in range(shape[0]):
            i = a if sweep & 1 else shape[0] - 1 - a
            for b in range(shape[1]):
                j = b if sweep & 2 else shape[1] - 1 - b
                for c in range(shape[2]):
                    k = c if sweep & 4 else shape[2] - 1 - c
                    if fixed[i, j, k]:
                        continue
                    for axis in range(3):
                        for to in (-1, 1):
                            e = i + (to if axis == 0 else 0)
                            f = j + (to if axis == 1 else 0)
                            g = k + (to if axis == 2 else 0)
                            if e < 0 or f < 0 or g < 0 or e >= shape[0] or f >= shape[1] or g >= shape[2]:
                                continue
                            m = nearest[e, f, g]
                            if m < 0 or m == nearest[i, j, k]:
                                continue
                            x, y, z = origin[0] + i * step, origin[1] + j * step, origin[2] + k * step
                            d, _side = _to_triangle(corners[m], normals[m], x, y, z)
                            if d < distance[i, j, k] * distance[i, j, k]:
                                distance[i, j, k] = math.sqrt(d) if distance[e, f, g] >= 0.0 else -math.sqrt(d)
                                nearest[i, j, k] = m
