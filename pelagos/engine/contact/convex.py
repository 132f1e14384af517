"""Signed distance of two convex shapes and the direction between them: Gilbert, Johnson and Keerthi (1988).

For a unit direction n, gap(n) = (least n . v of the vehicle) - (largest n . s of the solid). Two convex shapes are
apart exactly if some gap(n) is positive, and the largest gap over all n is their distance, or minus the least way that
separates them. `separation` searches for it among: the axes of both and their cross products (faces and edges of boxes,
ends of cylinders), the direction between the nearest points, the same for slightly thinner shapes (which are still
apart when the real ones overlap), and the normals at those corners. Each is a lower bound, so no overlap is missed.
Where curved bodies all but touch no direction is exact: there, edges and corners are tested, and if none is inside, the
distance of the nearest points is the gap.
"""

from __future__ import annotations

from math import cos, sin, sqrt

from pelagos.engine.compiled import compiled, compiled_apart
from pelagos.engine.contact.shapes import EIGHTH_TURN, axis, corner_radius, distance, farthest, least_half
from pelagos.engine.core.views import Layout, LayoutField, viewer
from pelagos.engine.water.sea import BOX, as_shape

STEPS = 40  # of the search; polyhedra end after a few
PRECISION = 1e-12  # relative, of the squared distance
FLAT = 1e-26  # square of the sine between two sides of a simplex, below which it has no area to speak of
COINCIDENT = 1e-24  # m^2, squared distance of shapes that meet
THINNER = 0.022  # m at most: 1e-4 m times 6 three times
TOUCHING = 1e-10  # m
NOISE = 1e-10  # m, more room than this turns the normal; rounding of a direction is below it
SEARCH = 48  # steps: 0.618^48 of a segment is 1e-10 of it
GOLDEN = 0.6180339887498949  # (sqrt(5) - 1) / 2

SEPARATION = Layout(
    "Separation",
    (
        LayoutField("normal", "unit vector from the solid to the vehicle", 3),
        LayoutField("point", "m, point of the vehicle near the solid", 3),
    ),
)
as_separation = viewer(SEPARATION)
N_SEPARATION = SEPARATION.size


@compiled
def gap_along(vehicle, solid, nx, ny, nz):
    """Room between two shapes along a unit direction from the solid to the vehicle."""
    a, b, c = farthest(vehicle, 0.0, -nx, -ny, -nz)
    d, e, f = farthest(solid, 0.0, nx, ny, nz)
    return nx * (a - d) + ny * (b - e) + nz * (c - f)


@compiled
def cross(ax, ay, az, bx, by, bz):
    """Cross product of two vectors given by components."""
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


@compiled_apart
def nearest_mix(w, n, mix, trial):
    """Point nearest to zero of the simplex of the first n rows, as shares of them (`mix`); its squared distance.

    Every sub-simplex that holds the newest row is tested; of those whose shares are positive the nearest is kept.
    Sides are taken as differences before anything is multiplied: the simplex gets small where round bodies touch.
    """
    best = 1e300
    newest = n - 1
    qx, qy, qz = -w[newest, 0], -w[newest, 1], -w[newest, 2]
    for subset in range(1 << newest):
        a, b, c = -1, -1, -1
        for i in range(newest):
            if subset >> i & 1:
                if a < 0:
                    a = i
                elif b < 0:
                    b = i
                else:
                    c = i
        for i in range(4):
            trial[i] = 0.0
        if a >= 0:
            ax, ay, az = w[a, 0] + qx, w[a, 1] + qy, w[a, 2] + qz
            aa = ax * ax + ay * ay + az * az
            if b < 0:
                if aa == 0.0:
                    continue
                trial[a] = (qx * ax + qy * ay + qz * az) / aa
            else:
                bx, by, bz = w[b, 0] + qx, w[b, 1] + qy, w[b, 2] + qz
                mx, my, mz = cross(ax, ay, az, bx, by, bz)
                bb, mm = bx * bx + by * by + bz * bz, mx * mx + my * my + mz * mz
                if mm <= FLAT * aa * bb:
                    continue
                if c < 0:
                    ux, uy, uz = cross(qx, qy, qz, bx, by, bz)
                    vx, vy, vz = cross(ax, ay, az, qx, qy, qz)
                    trial[a] = (ux * mx + uy * my + uz * mz) / mm
                    trial[b] = (vx * mx + vy * my + vz * mz) / mm
                else:
                    cx, cy, cz = w[c, 0] + qx, w[c, 1] + qy, w[c, 2] + qz
                    det = mx * cx + my * cy + mz * cz
                    if det * det <= FLAT * mm * (cx * cx + cy * cy + cz * cz):
                        continue
                    ux, uy, uz = cross(bx, by, bz, cx, cy, cz)
                    vx, vy, vz = cross(cx, cy, cz, ax, ay, az)
                    trial[a] = (qx * ux + qy * uy + qz * uz) / det
                    trial[b] = (qx * vx + qy * vy + qz * vz) / det
                    trial[c] = (qx * mx + qy * my + qz * mz) / det
        trial[newest] = 1.0 - (trial[0] + trial[1] + trial[2] + trial[3])
        if trial[0] < 0.0 or trial[1] < 0.0 or trial[2] < 0.0 or trial[3] < 0.0:
            continue
        size = 0.0
        if c < 0:  # else zero is inside
            for k in range(3):
                x = 0.0
                for i in range(n):
                    x += trial[i] * w[i, k]
                size += x * x
        if size < best:
            best = size
            for i in range(4):
                mix[i] = trial[i]
    return best


@compiled_apart
def nearest_points(vehicle, less_v, solid, less_s, work, out):
    """Distance of two shapes made thinner, 0 if they overlap. out: a SEPARATION record that is filled."""
    w, a, mix, trial = work[0:4], work[4:8], work[8], work[9]  # differences, points of the vehicle, shares of both
    nearest, cv, cs = as_separation(out), as_shape(vehicle).center, as_shape(solid).center
    vx, vy, vz = cv[0] - cs[0], cv[1] - cs[1], cv[2] - cs[2]
    if vx * vx + vy * vy + vz * vz == 0.0:
        vx = 1.0
    n = 0
    size = 1e300
    for _ in range(STEPS):
        ax, ay, az = farthest(vehicle, less_v, -vx, -vy, -vz)
        sx, sy, sz = farthest(solid, less_s, vx, vy, vz)
        wx, wy, wz = ax - sx, ay - sy, az - sz
        if size < 1e299 and size - (vx * wx + vy * wy + vz * wz) <= PRECISION * size:
            break
        w[n, 0], w[n, 1], w[n, 2] = wx, wy, wz
        a[n, 0], a[n, 1], a[n, 2] = ax, ay, az
        n += 1
        before = size
        size = nearest_mix(w, n, mix, trial)
        if size >= before:
            break
        kept = 0
        vx, vy, vz = 0.0, 0.0, 0.0
        nearest.point[0], nearest.point[1], nearest.point[2] = 0.0, 0.0, 0.0
        for i in range(n):
            share = mix[i]
            if share > 0.0:
                vx, vy, vz = vx + share * w[i, 0], vy + share * w[i, 1], vz + share * w[i, 2]
                for k in range(3):
                    nearest.point[k] += share * a[i, k]
                    w[kept, k], a[kept, k] = w[i, k], a[i, k]
                kept += 1
        n = kept
        size = vx * vx + vy * vy + vz * vz
        if n == 4 or size < COINCIDENT:  # zero is inside the simplex: the shapes overlap
            return 0.0
    d = sqrt(vx * vx + vy * vy + vz * vz)
    nearest.normal[0], nearest.normal[1], nearest.normal[2] = vx / d, vy / d, vz / d
    return d


@compiled_apart
def keep_wider(vehicle, solid, best, gap, nx, ny, nz, better):
    """Take the direction if it has more room (by more than `better`, so that rounding does not turn the normal)."""
    size = sqrt(nx * nx + ny * ny + nz * nz)
    if size > 1e-9:
        nx, ny, nz = nx / size, ny / size, nz / size
        room = gap_along(vehicle, solid, nx, ny, nz)
        if room > gap + better:
            widest = as_separation(best).normal
            widest[0], widest[1], widest[2] = nx, ny, nz
            return room
    return gap


@compiled_apart
def turn_wider(vehicle, solid, best, gap):
    """Turn the direction step by step to where there is more room: corners that overlap the rim of a cylinder."""
    step, n = 0.2, as_separation(best).normal  # rad
    while step > 1e-6:
        nx, ny, nz = n[0], n[1], n[2]
        if abs(nx) < 0.6:  # two directions across n
            size = 1.0 / sqrt(ny * ny + nz * nz)
            ux, uy, uz = 0.0, nz * size, -ny * size
        else:
            size = 1.0 / sqrt(nx * nx + ny * ny)
            ux, uy, uz = ny * size, -nx * size, 0.0
        wx, wy, wz = ny * uz - nz * uy, nz * ux - nx * uz, nx * uy - ny * ux
        before = gap
        for i in range(8):
            c, s = step * cos(EIGHTH_TURN * i), step * sin(EIGHTH_TURN * i)
            x, y, z = nx + c * ux + s * wx, ny + c * uy + s * wy, nz + c * uz + s * wz
            gap = keep_wider(vehicle, solid, best, gap, x, y, z, NOISE)
        if gap <= before:
            step *= 0.4
    return gap


@compiled_apart
def opposite(vehicle, solid, best, gap, out):
    """Whether two points of the bodies lie opposite each other along the normal: it is then a widest direction."""
    n, p = as_separation(best).normal, as_separation(out).point
    nx, ny, nz = n[0], n[1], n[2]
    x, y, z = farthest(vehicle, 0.0, -nx, -ny, -nz)
    down = nx * (x - p[0]) + ny * (y - p[1]) + nz * (z - p[2])
    x, y, z = p[0] + down * nx, p[1] + down * ny, p[2] + down * nz
    if distance(vehicle, x, y, z)[0] > 1e-8:
        return False
    return distance(solid, x - gap * nx, y - gap * ny, z - gap * nz)[0] < 1e-8


@compiled_apart
def least_along(row, ax, ay, az, bx, by, bz):
    """Where on the segment a-b the signed distance of a shape is least (0 .. 1), and how much: golden section."""
    low, high = 0.0, 1.0
    s, t = high - GOLDEN, GOLDEN
    fs = distance(row, ax + s * (bx - ax), ay + s * (by - ay), az + s * (bz - az))[0]
    ft = distance(row, ax + t * (bx - ax), ay + t * (by - ay), az + t * (bz - az))[0]
    for _ in range(SEARCH):
        if fs < ft:
            high, t, ft = t, s, fs
            s = high - GOLDEN * (high - low)
            fs = distance(row, ax + s * (bx - ax), ay + s * (by - ay), az + s * (bz - az))[0]
        else:
            low, s, fs = s, t, ft
            t = low + GOLDEN * (high - low)
            ft = distance(row, ax + t * (bx - ax), ay + t * (by - ay), az + t * (bz - az))[0]
    return (s, fs) if fs < ft else (t, ft)


@compiled_apart
def edge_inside(box, other, corner):
    """Whether an edge of a box passes through another shape. corner: (2, 3) scratch."""
    shape = as_shape(box)
    center, axes, half = shape.center, shape.axes, shape.half
    for edge in range(12):  # four along each axis k, at +- the half lengths of the other two
        k, u = edge // 4, (1.0 if edge & 1 else -1.0)
        v = 1.0 if edge & 2 else -1.0
        i, j = (k + 1) % 3, (k + 2) % 3
        for c in range(3):
            at = center[c] + u * half[i] * axes[3 * c + i] + v * half[j] * axes[3 * c + j]
            corner[0, c] = at - half[k] * axes[3 * c + k]
            corner[1, c] = at + half[k] * axes[3 * c + k]
        ax, ay, az = corner[0, 0], corner[0, 1], corner[0, 2]
        bx, by, bz = corner[1, 0], corner[1, 1], corner[1, 2]
        if distance(other, 0.5 * (ax + bx), 0.5 * (ay + by), 0.5 * (az + bz))[0] < half[k]:
            if least_along(other, ax, ay, az, bx, by, bz)[1] < 0.0:
                return True
    return False


@compiled_apart
def overlap(vehicle, solid, best, corner):
    """Whether two shapes that all but touch overlap: a corner or an edge of one is in the other."""
    n = as_separation(best).normal
    x, y, z = farthest(vehicle, 0.0, -n[0], -n[1], -n[2])
    if distance(solid, x, y, z)[0] < 0.0:
        return True
    x, y, z = farthest(solid, 0.0, n[0], n[1], n[2])
    if distance(vehicle, x, y, z)[0] < 0.0:
        return True
    if as_shape(vehicle).kind == BOX and edge_inside(vehicle, solid, corner):
        return True
    return as_shape(solid).kind == BOX and edge_inside(solid, vehicle, corner)


@compiled_apart
def separation(vehicle, solid, margin, work, best):
    """Signed distance of two shapes. best: a SEPARATION record that is filled; work: (13, 4) scratch.

    Ends early, with a lower bound, once the gap is known to be above `margin`.
    """
    gap, normal = -1e300, as_separation(best).normal
    for i in range(6):
        row, k = (vehicle, i) if i < 3 else (solid, i - 3)
        nx, ny, nz = axis(row, k)
        for sign in (1.0, -1.0):
            gap = keep_wider(vehicle, solid, best, gap, sign * nx, sign * ny, sign * nz, 1e-12)
            if gap > margin:
                return gap
    for i in range(3):
        for k in range(3):
            ux, uy, uz = axis(vehicle, i)
            wx, wy, wz = axis(solid, k)
            cx, cy, cz = uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx
            if cx * cx + cy * cy + cz * cz > 1e-10:  # parallel edges have no direction across both
                gap = keep_wider(vehicle, solid, best, gap, cx, cy, cz, NOISE)
                gap = keep_wider(vehicle, solid, best, gap, -cx, -cy, -cz, NOISE)
                if gap > margin:
                    return gap
    round_v, round_s = corner_radius(vehicle), corner_radius(solid)
    out = work[10:12].reshape(8)  # behind the rows that `nearest_points` uses; those are free again for `overlap`
    nearest = as_separation(out)
    apart = nearest_points(vehicle, round_v, solid, round_s, work, out)
    if apart > 0.0:
        d = nearest.normal
        gap = keep_wider(vehicle, solid, best, gap, d[0], d[1], d[2], NOISE)
    less = 1e-4
    clear = apart
    while clear < 0.1 * less and less <= THINNER:  # thinner and thinner, until they are well apart
        thin_v = max(round_v, min(less, 0.25 * least_half(vehicle)))
        thin_s = max(round_s, min(less, 0.25 * least_half(solid)))
        clear = nearest_points(vehicle, thin_v, solid, thin_s, work, out)
        if clear > 0.0:
            d = nearest.normal
            gap = keep_wider(vehicle, solid, best, gap, d[0], d[1], d[2], NOISE)
        less *= 6.0
    if clear == 0.0:
        center = as_shape(vehicle).center
        nearest.point[0], nearest.point[1], nearest.point[2] = center[0], center[1], center[2]
    for _ in range(2):
        x, y, z = farthest(vehicle, 0.0, -normal[0], -normal[1], -normal[2])
        _d, nx, ny, nz = distance(solid, x, y, z)
        gap = keep_wider(vehicle, solid, best, gap, nx, ny, nz, NOISE)
        x, y, z = farthest(solid, 0.0, normal[0], normal[1], normal[2])
        _d, nx, ny, nz = distance(vehicle, x, y, z)
        gap = keep_wider(vehicle, solid, best, gap, -nx, -ny, -nz, NOISE)
    boxes = as_shape(vehicle).kind == BOX and as_shape(solid).kind == BOX
    if apart == 0.0 and not boxes and not opposite(vehicle, solid, best, gap, out):
        gap = turn_wider(vehicle, solid, best, gap)
    nx, ny, nz = normal[0], normal[1], normal[2]
    x, y, z = farthest(vehicle, 0.0, -nx, -ny, -nz)
    room = apart - (round_v + round_s)
    if gap < 0.0 and TOUCHING < room and not overlap(vehicle, solid, best, work[8:10]):
        gap = room
    point, p = as_separation(best).point, nearest.point
    down = nx * (x - p[0]) + ny * (y - p[1]) + nz * (z - p[2])
    point[0], point[1], point[2] = p[0] + down * nx, p[1] + down * ny, p[2] + down * nz
    return gap
