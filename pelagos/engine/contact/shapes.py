"""Convex shapes as contact sees them: signed distance, farthest point along a direction, face along a direction.

A shape is the first 16 numbers of a SOLID or FORM record: kind, centre, rotation from its axes, half lengths. Boxes,
cylinders with flat ends, half spaces and capsules have their exact signed distance. For an ellipsoid (a sphere is one)
it is k (k - 1) / |p / a^2| with k = |p / a|: zero exactly on the skin, exact for a sphere, first order elsewhere.
Scalars only: these run for one vehicle at a time, and only when something is near.
"""

from __future__ import annotations

from math import cos, sin, sqrt

from pelagos.engine.compiled import compiled, compiled_apart
from pelagos.engine.water.sea import BOX, CAPSULE, CYLINDER, HALF_SPACE, SPHERE

SHAPE = 16  # numbers: kind, center[3], axes[9], half[3]
FACE = 8  # most corners of a face
HALF_PI_4 = 0.7853981633974483  # 2 pi / 8


@compiled
def round_of(row):
    """Radius that a capsule or a sphere has around its core; 0 for shapes with edges and for other ellipsoids."""
    if row[0] == CAPSULE:
        return row[14]
    if row[0] == SPHERE and row[13] == row[14] and row[13] == row[15]:
        return row[13]
    return 0.0


@compiled
def least_half(row):
    """Smallest half thickness."""
    least = min(row[13], row[14])
    return least if row[0] == CYLINDER or row[0] == CAPSULE else min(least, row[15])


@compiled
def wedge(a, b):
    """Distance from the inside of a right angle given the distances to its two sides, and the share of each."""
    if a <= 0.0 or b <= 0.0:
        return (a, 1.0, 0.0) if a > b else (b, 0.0, 1.0)
    d = sqrt(a * a + b * b)
    return d, a / d, b / d


@compiled
def local_distance(kind, hx, hy, hz, x, y, z):
    """Signed distance (negative inside) and outward unit normal in the shape's own axes."""
    if kind == BOX:
        sx, sy, sz = (1.0 if x >= 0.0 else -1.0), (1.0 if y >= 0.0 else -1.0), (1.0 if z >= 0.0 else -1.0)
        qx, qy, qz = abs(x) - hx, abs(y) - hy, abs(z) - hz
        if qx <= 0.0 and qy <= 0.0 and qz <= 0.0:
            if qx >= qy and qx >= qz:
                return qx, sx, 0.0, 0.0
            return (qy, 0.0, sy, 0.0) if qy >= qz else (qz, 0.0, 0.0, sz)
        qx, qy, qz = max(qx, 0.0), max(qy, 0.0), max(qz, 0.0)
        d = sqrt(qx * qx + qy * qy + qz * qz)
        return d, sx * qx / d, sy * qy / d, sz * qz / d
    if kind == HALF_SPACE:
        return -z, 0.0, 0.0, -1.0
    if kind == SPHERE:
        ax, ay, az = x / (hx * hx), y / (hy * hy), z / (hz * hz)
        k1 = sqrt(ax * ax + ay * ay + az * az)
        least = min(hx, min(hy, hz))
        k = sqrt(x * ax + y * ay + z * az)
        if k1 * least < 1e-9:
            return -least, (1.0 if least == hx else 0.0), (1.0 if least == hy and least != hx else 0.0), 0.0
        return max(k * (k - 1.0) / k1, -least), ax / k1, ay / k1, az / k1
    rho = sqrt(y * y + z * z)
    ry, rz = (y / rho, z / rho) if rho > 0.0 else (1.0, 0.0)
    sx = 1.0 if x >= 0.0 else -1.0
    if kind == CYLINDER:
        d, cap, side = wedge(abs(x) - hx, rho - hy)
        return d, sx * cap, ry * side, rz * side
    over = max(abs(x) - hx, 0.0)  # capsule
    d = sqrt(over * over + rho * rho)
    if d == 0.0:
        return -hy, 0.0, 1.0, 0.0
    return d - hy, sx * over / d, y / d, z / d


@compiled_apart
def distance(row, x, y, z):
    """Signed distance and outward normal of a shape at a point, in the frame the row is given in."""
    dx, dy, dz = x - row[1], y - row[2], z - row[3]
    d, a, b, c = local_distance(
        row[0],
        row[13],
        row[14],
        row[15],
        row[4] * dx + row[7] * dy + row[10] * dz,
        row[5] * dx + row[8] * dy + row[11] * dz,
        row[6] * dx + row[9] * dy + row[12] * dz,
    )
    return (
        d,
        row[4] * a + row[5] * b + row[6] * c,
        row[7] * a + row[8] * b + row[9] * c,
        row[10] * a + row[11] * b + row[12] * c,
    )


@compiled_apart
def farthest(row, less, dx, dy, dz):
    """The point of a shape farthest along a direction; the shape made thinner by `less` on all sides."""
    kind = row[0]
    u = row[4] * dx + row[7] * dy + row[10] * dz
    v = row[5] * dx + row[8] * dy + row[11] * dz
    w = row[6] * dx + row[9] * dy + row[12] * dz
    hx, hy, hz = row[13], row[14], row[15]
    if kind == BOX:
        x = hx - less if u >= 0.0 else less - hx
        y = hy - less if v >= 0.0 else less - hy
        z = hz - less if w >= 0.0 else less - hz
    elif kind == SPHERE:
        hx, hy, hz = hx - less, hy - less, hz - less
        x, y, z = hx * hx * u, hy * hy * v, hz * hz * w
        size = sqrt(x * u + y * v + z * w)
        scale = 1.0 / size if size > 0.0 else 0.0
        x, y, z = x * scale, y * scale, z * scale
    elif kind == CYLINDER:
        rho = sqrt(v * v + w * w)
        scale = (hy - less) / rho if rho > 0.0 else 0.0
        x = hx - less if u >= 0.0 else less - hx
        y, z = v * scale, w * scale
    else:
        size = sqrt(u * u + v * v + w * w)
        scale = (hy - less) / size if size > 0.0 else 0.0
        x = (hx if u >= 0.0 else -hx) + u * scale
        y, z = v * scale, w * scale
    return (
        row[1] + row[4] * x + row[5] * y + row[6] * z,
        row[2] + row[7] * x + row[8] * y + row[9] * z,
        row[3] + row[10] * x + row[11] * y + row[12] * z,
    )


@compiled_apart
def put_point(points, i, row, x, y, z):
    """Write the point (x, y, z) of the shape's axes."""
    points[i, 0] = row[1] + row[4] * x + row[5] * y + row[6] * z
    points[i, 1] = row[2] + row[7] * x + row[8] * y + row[9] * z
    points[i, 2] = row[3] + row[10] * x + row[11] * y + row[12] * z


@compiled_apart
def face_towards(row, dx, dy, dz, points):
    """Corners of the face that looks along a direction: how many, and the normal of the face.

    Box: its most aligned face. Cylinder: an end as an octagon, or the line of its side. Capsule: that line, its ends
    on the skin. Ellipsoid: one point. The normal is the direction itself where there is no face.
    """
    kind = row[0]
    u = row[4] * dx + row[7] * dy + row[10] * dz
    v = row[5] * dx + row[8] * dy + row[11] * dz
    w = row[6] * dx + row[9] * dy + row[12] * dz
    hx, hy, hz = row[13], row[14], row[15]
    if kind == BOX:
        k = 2
        if abs(u) >= abs(v) and abs(u) >= abs(w):
            k = 0
        elif abs(v) >= abs(w):
            k = 1
        s = 1.0 if row[4 + k] * dx + row[7 + k] * dy + row[10 + k] * dz >= 0.0 else -1.0
        for i in range(4):
            a, b = (1.0 if i == 0 or i == 3 else -1.0), (1.0 if i < 2 else -1.0)
            put_point(
                points, i, row, s * hx if k == 0 else a * hx, s * hy if k == 1 else (a if k == 0 else b) * hy,
                s * hz if k == 2 else b * hz,
            )  # fmt: skip
        return 4, s * row[4 + k], s * row[7 + k], s * row[10 + k]
    if kind == SPHERE:
        points[0, 0], points[0, 1], points[0, 2] = farthest(row, 0.0, dx, dy, dz)
        return 1, dx, dy, dz
    rho = sqrt(v * v + w * w)
    ry, rz = (v / rho, w / rho) if rho > 1e-3 else (1.0, 0.0)
    if kind == CYLINDER and abs(u) > rho:
        s = 1.0 if u >= 0.0 else -1.0
        for i in range(FACE):
            c, t = hy * cos(HALF_PI_4 * i), hy * sin(HALF_PI_4 * i)
            put_point(points, i, row, s * hx, c * ry - t * rz, c * rz + t * ry)
        return FACE, s * row[4], s * row[7], s * row[10]
    ry, rz = (v / rho, w / rho) if rho > 0.0 else (1.0, 0.0)
    for i in range(2):
        end = hx if i == 0 else -hx
        if kind == CAPSULE and u * end >= 0.0:
            put_point(points, i, row, end + hy * u, hy * v, hy * w)
        else:
            put_point(points, i, row, end, hy * ry, hy * rz)
    return 2, dx, dy, dz
