"""Convex shapes for contact: signed distance, support point along a direction, face along a direction.

A shape is a row that begins with a SHAPE record: kind, centre, rotation from its axes, half lengths. SOLID and FORM
records both do. Boxes, cylinders with flat ends, half spaces and capsules have their exact signed distance. For an
ellipsoid (a sphere is one) it is k (k - 1) / |p / a^2| with k = |p / a|: zero exactly on the surface, exact for a
sphere, first order elsewhere. Scalars only: these functions run for one vehicle at a time, near obstacles.

Functions take the row, not its view, and open the view themselves: the row keeps its memory alive, a view does not.
"""

from __future__ import annotations

from math import cos, sin, sqrt

from pelagos.engine.compiled import compiled, compiled_apart
from pelagos.engine.water.sea import BOX, CAPSULE, CYLINDER, HALF_SPACE, SHAPE, SPHERE, as_shape

N_SHAPE = SHAPE.size
MOST_CORNERS = 8  # of a face: the end of a cylinder is an octagon
EIGHTH_TURN = 0.7853981633974483  # 2 pi / 8, rad
ROW_Y, ROW_Z = 3, 6  # where the rows y and z of `axes` start
ON_AXIS = 1e-3  # below this sine a direction runs along a cylinder, and its octagon may start anywhere


@compiled
def axis(row, k):
    """Unit vector along axis k (0, 1, 2) of a shape, in the frame of its record."""
    m = as_shape(row).axes
    return m[k], m[ROW_Y + k], m[ROW_Z + k]


@compiled
def to_shape(row, x, y, z):
    """Components of a vector along the axes of a shape."""
    m = as_shape(row).axes
    return m[0] * x + m[3] * y + m[6] * z, m[1] * x + m[4] * y + m[7] * z, m[2] * x + m[5] * y + m[8] * z


@compiled
def from_shape(row, x, y, z):
    """A vector given along the axes of a shape, in the frame of its record."""
    m = as_shape(row).axes
    return m[0] * x + m[1] * y + m[2] * z, m[3] * x + m[4] * y + m[5] * z, m[6] * x + m[7] * y + m[8] * z


@compiled
def corner_radius(row):
    """Radius of a capsule or a sphere about its core, m; 0 for shapes with edges and for other ellipsoids."""
    shape = as_shape(row)
    half = shape.half
    if shape.kind == CAPSULE:
        return half[1]
    if shape.kind == SPHERE and half[0] == half[1] and half[0] == half[2]:
        return half[0]
    return 0.0


@compiled
def least_half(row):
    """Smallest half thickness of a shape, m."""
    shape = as_shape(row)
    half = shape.half
    least = min(half[0], half[1])
    return least if shape.kind == CYLINDER or shape.kind == CAPSULE else min(least, half[2])


@compiled
def wedge(a, b):
    """Distance from the inside of a right angle given the distances to its two sides, and the share of each."""
    if a <= 0.0 or b <= 0.0:
        return (a, 1.0, 0.0) if a > b else (b, 0.0, 1.0)
    d = sqrt(a * a + b * b)
    return d, a / d, b / d


@compiled
def local_distance(kind, hx, hy, hz, x, y, z):
    """Signed distance (negative inside) and outward unit normal of a shape, in its axes."""
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
        if k1 * least < 1e-9:  # at the centre the gradient vanishes: take the shortest axis
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
    """Signed distance and outward unit normal of a shape at a point, in the frame of its record."""
    shape = as_shape(row)
    center, half = shape.center, shape.half
    u, v, w = to_shape(row, x - center[0], y - center[1], z - center[2])
    d, a, b, c = local_distance(shape.kind, half[0], half[1], half[2], u, v, w)
    nx, ny, nz = from_shape(row, a, b, c)
    return d, nx, ny, nz


@compiled_apart
def farthest(row, less, dx, dy, dz):
    """Support point of a shape along a direction; the shape is made thinner by `less` (m) on all sides."""
    shape = as_shape(row)
    kind, half = shape.kind, shape.half
    u, v, w = to_shape(row, dx, dy, dz)
    hx, hy, hz = half[0], half[1], half[2]
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
    else:  # capsule
        size = sqrt(u * u + v * v + w * w)
        scale = (hy - less) / size if size > 0.0 else 0.0
        x = (hx if u >= 0.0 else -hx) + u * scale
        y, z = v * scale, w * scale
    center, m = shape.center, shape.axes
    return (
        center[0] + m[0] * x + m[1] * y + m[2] * z,
        center[1] + m[3] * x + m[4] * y + m[5] * z,
        center[2] + m[6] * x + m[7] * y + m[8] * z,
    )


@compiled_apart
def put_point(points, i, row, x, y, z):
    """Write the point (x, y, z) of a shape's axes as row i of `points`."""
    center, m = as_shape(row).center, as_shape(row).axes
    points[i, 0] = center[0] + m[0] * x + m[1] * y + m[2] * z
    points[i, 1] = center[1] + m[3] * x + m[4] * y + m[5] * z
    points[i, 2] = center[2] + m[6] * x + m[7] * y + m[8] * z


@compiled_apart
def face_towards(row, dx, dy, dz, points):
    """Write the corners of the face that looks along a direction; returns how many, and the normal of the face.

    Box: its most aligned face. Cylinder: an end as an octagon, or the line of its side. Capsule: that line, its ends
    on the surface. Ellipsoid: one point. The normal is the direction itself where there is no face.
    """
    shape = as_shape(row)
    kind, half = shape.kind, shape.half
    u, v, w = to_shape(row, dx, dy, dz)
    hx, hy, hz = half[0], half[1], half[2]
    if kind == BOX:
        k = 2
        if abs(u) >= abs(v) and abs(u) >= abs(w):
            k = 0
        elif abs(v) >= abs(w):
            k = 1
        nx, ny, nz = axis(row, k)
        s = 1.0 if nx * dx + ny * dy + nz * dz >= 0.0 else -1.0
        for i in range(4):
            a, b = (1.0 if i == 0 or i == 3 else -1.0), (1.0 if i < 2 else -1.0)
            put_point(
                points, i, row, s * hx if k == 0 else a * hx, s * hy if k == 1 else (a if k == 0 else b) * hy,
                s * hz if k == 2 else b * hz,
            )  # fmt: skip
        return 4, s * nx, s * ny, s * nz
    if kind == SPHERE:
        points[0, 0], points[0, 1], points[0, 2] = farthest(row, 0.0, dx, dy, dz)
        return 1, dx, dy, dz
    rho = sqrt(v * v + w * w)
    ry, rz = (v / rho, w / rho) if rho > ON_AXIS else (1.0, 0.0)
    if kind == CYLINDER and abs(u) > rho:
        s = 1.0 if u >= 0.0 else -1.0
        for i in range(MOST_CORNERS):
            c, t = hy * cos(EIGHTH_TURN * i), hy * sin(EIGHTH_TURN * i)
            put_point(points, i, row, s * hx, c * ry - t * rz, c * rz + t * ry)
        nx, ny, nz = axis(row, 0)
        return MOST_CORNERS, s * nx, s * ny, s * nz
    ry, rz = (v / rho, w / rho) if rho > 0.0 else (1.0, 0.0)
    for i in range(2):
        end = hx if i == 0 else -hx
        if kind == CAPSULE and u * end >= 0.0:
            put_point(points, i, row, end + hy * u, hy * v, hy * w)
        else:
            put_point(points, i, row, end, hy * ry, hy * rz)
    return 2, dx, dy, dz
