"""Contact patches: several contact points of two convex shapes, so that a body rests on a face without rocking.

Along the contact normal each shape has a face, an edge or a point. The feature of one shape is clipped to the outline
of the other's face; each corner that remains is a contact with a gap of its own. Two round bodies side by side touch at
the two ends of their common part; where the outlines do not overlap, the point of `separation` is the only contact.
"""

from __future__ import annotations

from math import sqrt

from pelagos.engine.compiled import compiled, compiled_apart
from pelagos.engine.contact.convex import as_separation
from pelagos.engine.contact.shapes import face_towards, farthest
from pelagos.engine.core.views import Layout, LayoutField, viewer
from pelagos.engine.water.sea import CONTACT, MAX_CONTACTS, as_shape

SAME = 1e-3  # m: two contacts with one obstacle nearer than this are one
ALIKE = 0.9999  # if the cosine between their normals is larger
CORNERS = 16  # of a face after clipping: 8 corners of an octagon and one more for each of 8 cuts
ON_LINE = 1e-9  # m, by which a clipping line is moved out: a corner on it stays
SLIM = 0.05  # sideways offset of two nearly parallel round bodies over their radii, below which they lie along


TRAITS = Layout(
    "ObstacleTraits",
    (
        LayoutField("friction", "1, Coulomb"),
        LayoutField("stiffness", "N/m"),
        LayoutField("damping", "N s/m"),
        LayoutField("number", "of the structure, SEABED for the bottom"),
    ),
)
as_traits = viewer(TRAITS)
N_TRAITS = TRAITS.size

# Columns of the table of contacts. Not views of its rows: those change what LLVM inlines, and with it the last bits.
POINT, NORMAL, GAP = CONTACT.offset("point")[0], CONTACT.offset("normal")[0], CONTACT.offset("gap")[0]
FRICTION, STIFFNESS = CONTACT.offset("friction")[0], CONTACT.offset("stiffness")[0]
DAMPING, OBSTACLE = CONTACT.offset("damping")[0], CONTACT.offset("obstacle")[0]


@compiled_apart
def add_contact(contacts, n, px, py, pz, nx, ny, nz, gap, traits):
    """Add a contact to the n in `contacts`; returns how many there are now.

    traits: a TRAITS record of the obstacle. A deeper contact at the same place stays instead; when the table is full,
    the new one replaces the shallowest.
    """
    trait = as_traits(traits)
    at = n
    for i in range(n):
        dx, dy, dz = contacts[i, POINT] - px, contacts[i, POINT + 1] - py, contacts[i, POINT + 2] - pz
        alike = contacts[i, NORMAL] * nx + contacts[i, NORMAL + 1] * ny + contacts[i, NORMAL + 2] * nz > ALIKE
        if dx * dx + dy * dy + dz * dz < SAME * SAME and alike and contacts[i, OBSTACLE] == trait.number:
            if contacts[i, GAP] <= gap:
                return n
            at = i
            break
    if at == n and n == min(MAX_CONTACTS, contacts.shape[0]):
        shallowest = 0
        for i in range(1, n):
            if contacts[i, GAP] > contacts[shallowest, GAP]:
                shallowest = i
        if contacts[shallowest, GAP] <= gap:
            return n
        at = shallowest
    contacts[at, POINT], contacts[at, POINT + 1], contacts[at, POINT + 2] = px, py, pz
    contacts[at, NORMAL], contacts[at, NORMAL + 1], contacts[at, NORMAL + 2] = nx, ny, nz
    contacts[at, GAP] = gap
    contacts[at, FRICTION], contacts[at, STIFFNESS] = trait.friction, trait.stiffness
    contacts[at, DAMPING] = trait.damping
    contacts[at, OBSTACLE] = trait.number
    return n + 1 if at == n else n


@compiled_apart
def cut(points, n, outline, m, nx, ny, nz, spare):
    """Clip a point, line or convex face to a convex outline seen along n; returns how many corners remain.

    Sutherland & Hodgman (1974): each side of the outline in turn cuts off what lies beyond it.
    """
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
        level = sx * outline[e, 0] + sy * outline[e, 1] + sz * outline[e, 2] - ON_LINE
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
    """Clip the line points[0:2] to the part beside the line other[0:2]; 0 if they cross or miss each other."""
    ax, ay, az = other[1, 0] - other[0, 0], other[1, 1] - other[0, 1], other[1, 2] - other[0, 2]
    long = ax * ax + ay * ay + az * az
    bx, by, bz = points[1, 0] - points[0, 0], points[1, 1] - points[0, 1], points[1, 2] - points[0, 2]
    share = ax * bx + ay * by + az * bz
    # at more than about 18 degrees the lines count as crossing
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
def add_patch(vehicle, solid, best, gap, margin, traits, corners, contacts, n):
    """Contacts of two shapes whose `separation` is `gap`, with its record in `best`. corners: (48, 3) scratch."""
    a, b, spare = corners[0:CORNERS], corners[CORNERS : 2 * CORNERS], corners[2 * CORNERS : 3 * CORNERS]
    nearest = as_separation(best)
    nx, ny, nz = nearest.normal[0], nearest.normal[1], nearest.normal[2]
    count_v, mx, my, mz = face_towards(vehicle, -nx, -ny, -nz, a)
    count_s, kx, ky, kz = face_towards(solid, nx, ny, nz, b)
    least = 1e300
    if count_v >= 3:  # the solid's feature, clipped to the vehicle's face, then lifted to that face along the normal
        tilt = mx * nx + my * ny + mz * nz
        for i in range(cut(b, count_s, a, count_v, nx, ny, nz, spare)):
            rise = (mx * (a[0, 0] - b[i, 0]) + my * (a[0, 1] - b[i, 1]) + mz * (a[0, 2] - b[i, 2])) / tilt
            rise = max(rise, gap)
            least = min(least, rise)
            if rise < margin:
                px, py, pz = b[i, 0] + rise * nx, b[i, 1] + rise * ny, b[i, 2] + rise * nz
                n = add_contact(contacts, n, px, py, pz, nx, ny, nz, rise, traits)
    elif count_s >= 3:
        tilt = kx * nx + ky * ny + kz * nz
        for i in range(cut(a, count_v, b, count_s, nx, ny, nz, spare)):
            rise = (kx * (a[i, 0] - b[0, 0]) + ky * (a[i, 1] - b[0, 1]) + kz * (a[i, 2] - b[0, 2])) / tilt
            rise = max(rise, gap)
            least = min(least, rise)
            if rise < margin:
                n = add_contact(contacts, n, a[i, 0], a[i, 1], a[i, 2], nx, ny, nz, rise, traits)
    elif count_v == 2 and count_s == 2:
        thick = SLIM * (as_shape(vehicle).half[1] + as_shape(solid).half[1])
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
                n = add_contact(contacts, n, a[i, 0], a[i, 1], a[i, 2], nx, ny, nz, rise, traits)
    if least > gap + 1e-10:  # m, beyond rounding: no corner is as deep as the nearest point: it counts as well
        p = nearest.point
        n = add_contact(contacts, n, p[0], p[1], p[2], nx, ny, nz, gap, traits)
    return n


@compiled_apart
def add_plane(vehicle, nx, ny, nz, level, margin, traits, corners, contacts, n):
    """Contacts of a shape with the plane n . p = level, solid below it: the corners of the face that looks at it."""
    x, y, z = farthest(vehicle, 0.0, -nx, -ny, -nz)
    gap = nx * x + ny * y + nz * z - level
    if gap >= margin:
        return n
    n = add_contact(contacts, n, x, y, z, nx, ny, nz, gap, traits)
    count, _mx, _my, _mz = face_towards(vehicle, -nx, -ny, -nz, corners)
    for i in range(count):
        x, y, z = corners[i, 0], corners[i, 1], corners[i, 2]
        rise = nx * x + ny * y + nz * z - level
        if rise < margin:
            n = add_contact(contacts, n, x, y, z, nx, ny, nz, rise, traits)
    return n
