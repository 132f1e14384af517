"""The patch where two convex shapes meet: several points, so that a body rests on a face without rocking.

Along the normal of the contact each shape shows a face, an edge or a point. What one shows is cut to the outline of the
other's face; each corner that is left is a contact with its own gap. A round body along another one gives the two ends
of the common part; where the outlines do not meet, the one point of `separation` is the contact.
"""

from __future__ import annotations

from math import sqrt

from pelagos.engine.compiled import compiled, compiled_apart
from pelagos.engine.contact.shapes import face_towards, farthest
from pelagos.engine.water.sea import MAX_CONTACTS

SAME = 1e-3  # m: two contacts with one obstacle nearer than this are one
ALIKE = 0.9999  # if the cosine between their normals is larger
CORNERS = 16  # of a face after cutting
SLIM = 0.05  # side step of two nearly parallel round bodies, as a share of their radii, up to which they lie along


@compiled_apart
def add_contact(found, n, px, py, pz, nx, ny, nz, gap, traits):
    """Write one contact, unless a deeper one is at its place; when all places are taken, over the least deep one.

    traits: friction, stiffness and damping of the obstacle, and which one it is.
    """
    at = n
    for i in range(n):
        dx, dy, dz = found[i, 0] - px, found[i, 1] - py, found[i, 2] - pz
        alike = found[i, 3] * nx + found[i, 4] * ny + found[i, 5] * nz > ALIKE
        if dx * dx + dy * dy + dz * dz < SAME * SAME and alike and found[i, 10] == traits[3]:
            if found[i, 6] <= gap:
                return n
            at = i
            break
    if at == n and n == min(MAX_CONTACTS, found.shape[0]):
        worst = 0
        for i in range(1, n):
            if found[i, 6] > found[worst, 6]:
                worst = i
        if found[worst, 6] <= gap:
            return n
        at = worst
    found[at, 0], found[at, 1], found[at, 2] = px, py, pz
    found[at, 3], found[at, 4], found[at, 5] = nx, ny, nz
    found[at, 6] = gap
    found[at, 7], found[at, 8], found[at, 9] = traits[0], traits[1], traits[2]
    found[at, 10] = traits[3]
    return n + 1 if at == n else n


@compiled_apart
def cut(points, n, outline, m, nx, ny, nz, spare):
    """The part of a point, line or convex face inside a convex outline seen along n; returns how many corners."""
    cx, cy, cz = 0.0, 0.0, 0.0
    for i in range(m):
        cx, cy, cz = cx + outline[i, 0] / m, cy + outline[i, 1] / m, cz + outline[i, 2] / m
    for e in range(m):
        f = e + 1 if e + 1 < m else 0
        ex, ey, ez = outline[f, 0] - outline[e, 0], outline[f, 1] - outline[e, 1], outline[f, 2] - outline[e, 2]
        sx, sy, sz = ey * nz - ez * ny, ez * nx - ex * nz, ex * ny - ey * nx
        size = sqrt(sx * sx + sy * sy + sz * sz)
        if size == 0.0:
            continue
        inside = sx * (cx - outline[e, 0]) + sy * (cy - outline[e, 1]) + sz * (cz - outline[e, 2])
        turn = 1.0 / size if inside >= 0.0 else -1.0 / size
        sx, sy, sz = sx * turn, sy * turn, sz * turn
        level = sx * outline[e, 0] + sy * outline[e, 1] + sz * outline[e, 2] - 1e-9
        left = 0
        for i in range(n):
            k = i + 1 if i + 1 < n else 0
            here = sx * points[i, 0] + sy * points[i, 1] + sz * points[i, 2] - level
            there = sx * points[k, 0] + sy * points[k, 1] + sz * points[k, 2] - level
            if here >= 0.0 and left < CORNERS:
                spare[left, 0], spare[left, 1], spare[left, 2] = points[i, 0], points[i, 1], points[i, 2]
                left += 1
            if here * there < 0.0 and left < CORNERS:
                t = here / (here - there)
                for c in range(3):
                    spare[left, c] = points[i, c] + t * (points[k, c] - points[i, c])
                left += 1
        n = left
        for i in range(n):
            points[i, 0], points[i, 1], points[i, 2] = spare[i, 0], spare[i, 1], spare[i, 2]
        if n == 0:
            return 0
    return n


@compiled
def lie_along(points, other):
    """Cut the line points[0:2] to the stretch beside the line other[0:2]; 0 if they cross or miss each other."""
    ax, ay, az = other[1, 0] - other[0, 0], other[1, 1] - other[0, 1], other[1, 2] - other[0, 2]
    long = ax * ax + ay * ay + az * az
    bx, by, bz = points[1, 0] - points[0, 0], points[1, 1] - points[0, 1], points[1, 2] - points[0, 2]
    share = ax * bx + ay * by + az * bz
    if long == 0.0 or share * share < 0.9 * long * (bx * bx + by * by + bz * bz):
        return 0
    start = ax * (points[0, 0] - other[0, 0]) + ay * (points[0, 1] - other[0, 1]) + az * (points[0, 2] - other[0, 2])
    s, t = -start / share, (long - start) / share
    low, high = max(min(s, t), 0.0), min(max(s, t), 1.0)
    if high <= low:
        return 0
    x, y, z = points[0, 0], points[0, 1], points[0, 2]
    points[0, 0], points[0, 1], points[0, 2] = x + low * bx, y + low * by, z + low * bz
    points[1, 0], points[1, 1], points[1, 2] = x + high * bx, y + high * by, z + high * bz
    return 2


@compiled_apart
def add_patch(vehicle, solid, best, gap, margin, traits, room, found, n):
    """Contacts of two shapes whose `separation` is `gap` with normal and point in `best`. room: (48, 3) scratch."""
    a, b, spare = room[0:16], room[16:32], room[32:48]
    nx, ny, nz = best[0], best[1], best[2]
    count_v, mx, my, mz = face_towards(vehicle, -nx, -ny, -nz, a)
    count_s, kx, ky, kz = face_towards(solid, nx, ny, nz, b)
    least = 1e300
    if count_v >= 3:  # what the solid shows, cut to the vehicle's face; then lifted to that face along the normal
        tilt = mx * nx + my * ny + mz * nz
        for i in range(cut(b, count_s, a, count_v, nx, ny, nz, spare)):
            rise = (mx * (a[0, 0] - b[i, 0]) + my * (a[0, 1] - b[i, 1]) + mz * (a[0, 2] - b[i, 2])) / tilt
            rise = max(rise, gap)
            least = min(least, rise)
            if rise < margin:
                px, py, pz = b[i, 0] + rise * nx, b[i, 1] + rise * ny, b[i, 2] + rise * nz
                n = add_contact(found, n, px, py, pz, nx, ny, nz, rise, traits)
    elif count_s >= 3:
        tilt = kx * nx + ky * ny + kz * nz
        for i in range(cut(a, count_v, b, count_s, nx, ny, nz, spare)):
            rise = (kx * (a[i, 0] - b[0, 0]) + ky * (a[i, 1] - b[0, 1]) + kz * (a[i, 2] - b[0, 2])) / tilt
            rise = max(rise, gap)
            least = min(least, rise)
            if rise < margin:
                n = add_contact(found, n, a[i, 0], a[i, 1], a[i, 2], nx, ny, nz, rise, traits)
    elif count_v == 2 and count_s == 2:
        thick = SLIM * (vehicle[14] + solid[14])
        for i in range(lie_along(a, b)):
            dx, dy, dz = b[1, 0] - b[0, 0], b[1, 1] - b[0, 1], b[1, 2] - b[0, 2]
            x, y, z = a[i, 0] - b[0, 0], a[i, 1] - b[0, 1], a[i, 2] - b[0, 2]
            t = (dx * x + dy * y + dz * z) / (dx * dx + dy * dy + dz * dz)
            x, y, z = x - t * dx, y - t * dy, z - t * dz
            rise = nx * x + ny * y + nz * z
            aside = x * x + y * y + z * z - rise * rise
            rise = max(rise, gap)
            if rise < margin and aside < thick * thick:
                least = min(least, rise)
                n = add_contact(found, n, a[i, 0], a[i, 1], a[i, 2], nx, ny, nz, rise, traits)
    if least > gap + 1e-10:
        n = add_contact(found, n, best[3], best[4], best[5], nx, ny, nz, gap, traits)
    return n


@compiled_apart
def add_plane(vehicle, nx, ny, nz, level, margin, traits, room, found, n):
    """Contacts of a shape with the plane n . p = level, solid below it: the corners of the face that looks at it."""
    x, y, z = farthest(vehicle, 0.0, -nx, -ny, -nz)
    gap = nx * x + ny * y + nz * z - level
    if gap >= margin:
        return n
    n = add_contact(found, n, x, y, z, nx, ny, nz, gap, traits)
    count, _mx, _my, _mz = face_towards(vehicle, -nx, -ny, -nz, room)
    for i in range(count):
        rise = nx * room[i, 0] + ny * room[i, 1] + nz * room[i, 2] - level
        if rise < margin:
            n = add_contact(found, n, room[i, 0], room[i, 1], room[i, 2], nx, ny, nz, rise, traits)
    return n
