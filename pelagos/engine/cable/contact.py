"""Contact of a tether with seabed and structures: detection, normal force and friction.

Inner nodes touch the seabed; nodes and, where it is closest between its ends, elements touch structures. At the start
of a step each obstacle within reach becomes a plane, from its closest point and normal there, that the point may not
cross: a fast cable cannot pass through a thin bar between two steps. The push is that of a stiff spring, taken
implicitly. Friction is an elastic slip that stops growing at Coulomb's limit,

    q = q_old + slip in the step,    f = -k q  while k |q| < mu N,  else -mu N q/|q|

with the push N of the step before (the limit is then a constant of the step, which Newton's method needs to converge),
so that a cable at rest holds without creeping and a turn round a column holds T2 = T1 exp(mu theta).
Frames: NED. Units: SI. Neglected: friction of a static solution (which has none), bending over an edge.
"""

from __future__ import annotations

from math import acos, sqrt

from pelagos.engine.cable.chain import node, scratch, stretch
from pelagos.engine.cable.layout import N_SCRATCH, N_TOUCHING, as_touching
from pelagos.engine.cable.load import add_to, uniaxial
from pelagos.engine.compiled import compiled, compiled_apart
from pelagos.engine.contact.obstacles import N_SOLID, bottom_at, solid_distance
from pelagos.engine.water.sea import BOX, DISTANCE_GRID, NO_BOTTOM, SEABED, as_sea, as_solid

HARD = 10.0  # stiffness of a structure over that of an element: 1 % of strain sinks in by 0.2 % of its length
YIELDS = 0.1  # stiffness of a hold by friction over that of an element
ROUNDS = 12  # of the search for the closest point of an element
FLAT = 1e-4  # rad, between element and skin at the closest point
TILT = 0.01  # rad, by which an element may lie off a flat face and still counts as lying on its edge
SAMPLES = 9  # along an element near a mesh, whose distance has several minima
NEAREST_FEW = 3  # contacts an element, for which `scratch_size` has room
NEARLY = 1e-3  # m, off an obstacle it touched before: it counts as touching until the first iteration shows otherwise
NO_MATTER = 1e-7  # m, by which a contact may begin or end unforeseen
FREE, HELD, SLIPS = 0.0, 1.0, 2.0  # values of `active`, floats as all of a record


@compiled
def touching(work, n, c):
    """Contact c of a chain of n elements."""
    return as_touching(work[(n + 1) * N_SCRATCH + c * N_TOUCHING :])


@compiled_apart
def find_touches(line, chain, work, sea, n, margin):
    """Record the contacts of inner nodes and elements with a gap below `margin`, m; returns how many.

    The two ends are left out: they belong to ship and vehicle, whose own contact is solved elsewhere.
    """
    h = as_sea(sea)
    radius = 0.5 * line.diameter
    count = 0
    if h.bottom != NO_BOTTOM:
        for j in range(1, n):
            p = node(chain, j)
            r = p.r
            if r[2] + margin + radius > h.highest:
                z, sx, sy = bottom_at(sea, r[0], r[1])
                size = 1.0 / sqrt(1.0 + sx * sx + sy * sy)
                gap = (z - r[2]) * size - radius
                if gap < margin:
                    length = 0.5 * (p.length + node(chain, j - 1).length)
                    c = touching(work, n, count)
                    _note(c, j, 0.0, SEABED, gap, sx * size, sy * size, -size, r[0], r[1], r[2], p.grip, 0.0)
                    k = line.ground * length
                    c.stiffness, c.along, c.limit = k, k, h.friction * max(-k * gap, 0.0)
                    count += 1
    if h.n_solids == 0.0:
        return count
    x0, x1, y0, y1, z0, z1, longest = _extent(chain, n)
    for i in range(int(h.n_solids)):
        at = int(h.solids_at) + i * N_SOLID
        solid = as_solid(sea[at:])
        x, y, z, reach = solid.center[0], solid.center[1], solid.center[2], solid.bound + margin + radius
        if x + reach < x0 or x - reach > x1 or y + reach < y0 or y - reach > y1 or z + reach < z0 or z - reach > z1:
            continue
        count = _find_along(line, chain, work, sea, n, margin + radius, i, at, longest, count)
    return count


@compiled
def _room(n):
    """Contacts after which no further place along the cable is examined: each may add two."""
    return NEAREST_FEW * (n + 1) - 2


@compiled_apart
def _find_along(line, chain, work, sea, n, margin, obstacle, at, longest, count):
    """Contacts with one structure, from the ship on; returns how many there are now.

    The distance to a solid changes by no more than the way along the cable, so elements far from it are skipped.
    """
    room = _room(n)
    radius = 0.5 * line.diameter
    solid = as_solid(sea[at:])
    stride = 2.0 * longest if solid.kind == DISTANCE_GRID else longest  # an interpolated distance may change faster
    j, known = 0, False
    d, ux, uy, uz = 0.0, 0.0, 0.0, 0.0
    while j < n and count < room:
        p, q = node(chain, j), node(chain, j + 1)
        if not known:
            d, ux, uy, uz = solid_distance(sea, at, p.r[0], p.r[1], p.r[2])
        first = count
        if j > 0 and d < margin:
            c = touching(work, n, count)
            _note(c, j, 0.0, obstacle, d - radius, ux, uy, uz, p.r[0], p.r[1], p.r[2], p.grip, p.pressed[0])
            count += 1
        elif d - margin >= stride:
            j += int((d - margin) / stride)
            known = False
            continue
        e, vx, vy, vz = solid_distance(sea, at, q.r[0], q.r[1], q.r[2])
        tx, ty, tz, l = stretch(chain, j)
        if 0.5 * (d + e - l) < margin:
            s, f, wx, wy, wz = _closest(
                sea, at, p.r[0], p.r[1], p.r[2], tx, ty, tz, l,
                d, ux * tx + uy * ty + uz * tz, e, vx * tx + vy * ty + vz * tz,
            )  # fmt: skip
            if s > 0.0 and f < margin:
                x, y, z = p.r[0] + s * l * tx, p.r[1] + s * l * ty, p.r[2] + s * l * tz
                c = touching(work, n, count)
                _note(c, j, s, obstacle, f - radius, wx, wy, wz, x, y, z, p.hold, p.pressed[1])
                count += 1
        for i in range(first, count):
            c = touching(work, n, i)
            k = line.stiffness / p.length
            c.stiffness, c.along, c.limit = HARD * k, YIELDS * k, solid.friction * c.push
        d, ux, uy, uz = e, vx, vy, vz
        known = True
        j += 1
    return count


@compiled
def _note(c, element, s, obstacle, gap, nx, ny, nz, x, y, z, slip, push):
    """Fill the record of a contact; of the slip so far only the part along the surface counts."""
    c.element, c.s, c.obstacle, c.gap = element, s, obstacle, gap
    c.n[0], c.n[1], c.n[2] = nx, ny, nz
    c.at[0], c.at[1], c.at[2] = x, y, z
    c.active, c.push = HELD if push > 0.0 and gap < NEARLY else FREE, push
    away = slip[0] * nx + slip[1] * ny + slip[2] * nz
    for k in range(3):
        c.slip[k] = slip[k] - away * c.n[k]


@compiled_apart
def _extent(chain, n):
    """Bounding box of the cable, and its longest element, m."""
    r = node(chain, 0).r
    x0, x1, y0, y1, z0, z1, longest = r[0], r[0], r[1], r[1], r[2], r[2], 0.0
    for j in range(1, n + 1):
        r = node(chain, j).r
        x0, x1 = min(x0, r[0]), max(x1, r[0])
        y0, y1 = min(y0, r[1]), max(y1, r[1])
        z0, z1 = min(z0, r[2]), max(z1, r[2])
        longest = max(longest, stretch(chain, j - 1)[3])
    return x0, x1, y0, y1, z0, z1, longest


@compiled_apart
def _closest(sea, at, x, y, z, tx, ty, tz, l, d0, g0, d1, g1):
    """Place 0..1 where an element is closest to a solid, distance and normal there; place 0 if that is at an end.

    From (x, y, z) along t by l; d is the distance at its two ends and g how it grows along t. Along a line the distance
    to a convex body has one minimum, and g never falls: the zero of g is found by false position (Illinois).
    """
    low, high, kind = 0.0, 1.0, as_solid(sea[at:]).kind
    if kind == DISTANCE_GRID:  # not convex: sample first, then refine about the lowest sample
        best, which = min(d0, d1), 0
        for i in range(1, SAMPLES - 1):
            s = l * i / (SAMPLES - 1)
            d = solid_distance(sea, at, x + s * tx, y + s * ty, z + s * tz)[0]
            if d < best:
                best, which = d, i
        if which == 0:
            return 0.0, d0, 0.0, 0.0, 0.0
        low, high = (which - 1) / (SAMPLES - 1), (which + 1) / (SAMPLES - 1)
        _, a, b, c = solid_distance(sea, at, x + low * l * tx, y + low * l * ty, z + low * l * tz)
        g0 = a * tx + b * ty + c * tz
        _, a, b, c = solid_distance(sea, at, x + high * l * tx, y + high * l * ty, z + high * l * tz)
        g1 = a * tx + b * ty + c * tz
    tilt, target = (TILT if kind == BOX else 0.0), 0.0
    if g0 < -tilt and abs(g1) < tilt:  # one end lies flat on a face: the edge at which the face begins
        target = -tilt
    elif abs(g0) < tilt and g1 > tilt:
        target = tilt
    g0, g1 = g0 - target, g1 - target
    if not (g0 < 0.0 and g1 > 0.0):
        return 0.0, d0, 0.0, 0.0, 0.0
    s, d, a, b, c = 0.0, d0, 0.0, 0.0, 0.0
    for _ in range(ROUNDS):
        s = (low * g1 - high * g0) / (g1 - g0)
        d, a, b, c = solid_distance(sea, at, x + s * l * tx, y + s * l * ty, z + s * l * tz)
        g = a * tx + b * ty + c * tz - target
        if abs(g) < FLAT:
            break
        if g < 0.0:
            low, g0, g1 = s, g, 0.5 * g1
        else:
            high, g1, g0 = s, g, 0.5 * g0
    return s, d, a, b, c


@compiled_apart
def add_touches(chain, work, n, count, sticks, first):
    """Add normal force and friction of all contacts to the assembled equations; `first`: iteration of a step."""
    for i in range(count):
        c = touching(work, n, i)
        e = int(c.element)
        x, y, z = _way(chain, c, e)
        gap = c.gap + c.n[0] * x + c.n[1] * y + c.n[2] * z
        expected = first and c.active != FREE
        if gap >= 0.0 and not expected:
            c.active, c.push = FREE, 0.0
            continue
        c.active, c.push = HELD, -c.stiffness * gap
        nx, ny, nz = c.n[0], c.n[1], c.n[2]
        held, fx, fy, fz = 0.0, c.push * nx, c.push * ny, c.push * nz
        if sticks and c.limit > 0.0:
            away = x * nx + y * ny + z * nz
            qx, qy, qz = c.slip[0] + x - away * nx, c.slip[1] + y - away * ny, c.slip[2] + z - away * nz
            size, held = sqrt(qx * qx + qy * qy + qz * qz), c.along
            if held * size > c.limit:  # its secant: the tangent is none, and Newton's method would overshoot
                held = c.limit / size
                c.active = SLIPS
            fx, fy, fz = fx - held * qx, fy - held * qy, fz - held * qz
        m = uniaxial(nx, ny, nz, c.stiffness, held)
        sa, sb = scratch(work, e), scratch(work, e + 1)
        share_a, share_b = 1.0 - c.s, c.s  # of the element's two nodes
        _push(sa, share_a, fx, fy, fz)
        add_to(sa.diag, share_a * share_a, m)
        if share_b > 0.0:
            _push(sb, share_b, fx, fy, fz)
            add_to(sb.diag, share_b * share_b, m)
            add_to(sa.up, share_a * share_b, m)
            add_to(sa.low, share_a * share_b, m)


@compiled
def _push(s, share, fx, fy, fz):
    s.f[0] += share * fx
    s.f[1] += share * fy
    s.f[2] += share * fz
    s.miss[0] += share * fx
    s.miss[1] += share * fy
    s.miss[2] += share * fz


@compiled_apart
def touches_changed(chain, work, n, count):
    """Whether a contact has begun, ended, begun to slip or stopped in this iteration: one more is then needed."""
    for i in range(count):
        c = touching(work, n, i)
        x, y, z = _way(chain, c, int(c.element))
        away = c.n[0] * x + c.n[1] * y + c.n[2] * z
        gap = c.gap + away
        if (gap < 0.0) != (c.active != FREE) and abs(gap) > NO_MATTER:
            return True
        if gap < -NO_MATTER and c.limit > 0.0:
            qx, qy, qz = c.slip[0] + x - away * c.n[0], c.slip[1] + y - away * c.n[1], c.slip[2] + z - away * c.n[2]
            pull = c.along * sqrt(qx * qx + qy * qy + qz * qz)
            # 1 % either way: a contact exactly at its limit would change for ever
            if pull > 1.01 * c.limit if c.active == HELD else pull < 0.99 * c.limit:
                return True
    return False


@compiled
def _way(chain, c, e):
    """Displacement of the point of a contact since the start of the step, m."""
    a, b = node(chain, e).r, node(chain, e + 1).r
    p, q = 1.0 - c.s, c.s  # shares of the element's two nodes
    return p * a[0] + q * b[0] - c.at[0], p * a[1] + q * b[1] - c.at[1], p * a[2] + q * b[2] - c.at[2]


@compiled_apart
def keep_touches(head, chain, work, n, count):
    """After a step: store how far each contact has slipped, and report the contacts."""
    for j in range(n + 1):
        p = node(chain, j)
        p.pressed[0], p.pressed[1] = 0.0, 0.0
        for k in range(3):
            p.grip[k], p.hold[k] = 0.0, 0.0
    head.crowded = 1.0 if count >= _room(n) else 0.0
    head.touching, head.wrap, head.obstacle, head.aground = 0.0, 0.0, -2.0, 0.0
    for i in range(count):
        c = touching(work, n, i)
        if c.active == FREE:
            continue
        e = int(c.element)
        x, y, z = _way(chain, c, e)
        away = x * c.n[0] + y * c.n[1] + z * c.n[2]
        qx, qy, qz = c.slip[0] + x - away * c.n[0], c.slip[1] + y - away * c.n[1], c.slip[2] + z - away * c.n[2]
        size, most = sqrt(qx * qx + qy * qy + qz * qz), c.limit / c.along
        share = most / size if size > most else 1.0
        p = node(chain, e)
        q = p.grip if c.s == 0.0 else p.hold
        q[0], q[1], q[2] = share * qx, share * qy, share * qz
        head.touching += 1.0
        if c.obstacle == SEABED:
            head.aground += c.stiffness
        else:
            # above 0 also where rounding has opened the gap: 0 would mean no contact to the next step
            p.pressed[0 if c.s == 0.0 else 1] = max(-c.stiffness * (c.gap + away), 1e-9)
    _report_wrap(head, chain, work, n, count)


@compiled_apart
def _report_wrap(head, chain, work, n, count):
    """Report the largest angle by which the cable turns around one structure, at nodes and elements that touch it."""
    i = 0
    while i < count:
        obstacle = touching(work, n, i).obstacle
        done, turned, touches = 0, 0.0, False
        while i < count and touching(work, n, i).obstacle == obstacle:
            c = touching(work, n, i)
            i += 1
            if c.active == FREE or obstacle == SEABED:
                continue
            touches = True
            e = int(c.element)
            for j in range(max(e, done + 1), min(e + 1 if c.s == 0.0 else e + 2, n)):
                ax, ay, az, _ = stretch(chain, j - 1)
                bx, by, bz, _ = stretch(chain, j)
                turned += acos(min(1.0, max(-1.0, ax * bx + ay * by + az * bz)))
                done = j
        if touches and turned >= head.wrap:
            head.wrap, head.obstacle = turned, obstacle
