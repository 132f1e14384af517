"""Tether model: a lumped-mass chain of straight elastic elements, assembled and solved implicitly, static or dynamic.

    node j:     M_j (v - v_old)/dt = T t |right - T t |left + drag + weight + water's acceleration + contact
    element e:  T = EA (l/l0 - 1) + BA d(l/l0)/dt  where it is stretched, next to nothing where it is slack
    v = (r - r_old)/dt                             implicit Euler; without the terms in dt: static

Half of the load of each element acts at each of its nodes. Newton's method takes the positions of the nodes as unknowns
and, beside them, an independent tension for each element, which alone enters the geometric stiffness T/l: so it
converges where EA is many million times the load. The equations of one iteration couple neighbours only: blocks of
3 x 3 on three diagonals, eliminated from the ship to the vehicle with row pivoting (without, a stiff cable loses
EA/T digits). The block that remains at the last node is the derivative of the pull on the vehicle by the position of
its end: the end stiffness.

Reference: lumped mass and its normal added mass, Hall & Goupee (2015); mixed Newton as in the statics of OrcaFlex.
Frames: NED. Units: SI. Neglected: bending, torsion, vortex-induced vibration, stretching of the drag's length.
"""

from __future__ import annotations

from math import inf, sqrt

from pelagos.engine.cable.layout import N_CHAIN, N_NODE, N_SCRATCH, as_chain, as_node, as_scratch
from pelagos.engine.cable.load import add_to, drag, uniaxial
from pelagos.engine.compiled import compiled, compiled_apart

SOFT = 1e-4  # stiffness of a slack element over that of a taut one, at rest: keeps the equations regular
SOFTER = 1e-6  # in motion inertia does
HARDLY = -1e-3  # strain of a slack element that may be taut at the end of the step


@compiled
def node(chain, j):
    """Record of node j of a chain."""
    return as_node(chain[N_CHAIN + j * N_NODE :])


@compiled
def scratch(work, j):
    """Scratch record of node j."""
    return as_scratch(work[j * N_SCRATCH :])


@compiled
def stretch(chain, e):
    """Unit vector along element e, and its stretched length, m."""
    a, b = node(chain, e).r, node(chain, e + 1).r
    x, y, z = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    l = sqrt(x * x + y * y + z * z) + 1e-300  # two nodes at one place: a zero vector instead of NaN
    return x / l, y / l, z / l, l


@compiled_apart
def assemble(line, chain, work, n, per_dt, hold, least, first):
    """Assemble the forces on all nodes at their present positions, and their derivatives by position.

    `hold` (N/m) ties nodes to where they are; a tension below `least` (N) counts as that much in the geometric
    stiffness, which is singular where a cable lies slack. In the `first` iteration of a step an element that was taut
    and is predicted hardly slack counts as taut. None of them changes the solution to which the iterations converge.
    """
    for j in range(n + 1):
        s = scratch(work, j)
        for k in range(9):
            s.diag[k] = 0.0
            s.up[k] = 0.0
            s.low[k] = 0.0
        s.diag[0], s.diag[4], s.diag[8] = hold, hold, hold
        for k in range(3):
            s.f[k] = 0.0
            s.miss[k] = 0.0
    for e in range(n):
        _element(line, chain, work, e, per_dt, least, first)


@compiled
def _element(line, chain, work, e, per_dt, least, first):
    a, b, sa, sb = node(chain, e), node(chain, e + 1), scratch(work, e), scratch(work, e + 1)
    tx, ty, tz, l = stretch(chain, e)
    strain = l / a.length - 1.0
    law = line.stiffness * strain + line.damping * (strain - sa.strain) * per_dt
    # a slack element keeps a little stiffness: without any, its nodes would have no equation
    taut = law > 0.0 or (first and sa.before > 0.0 and strain > HARDLY)
    soft = 1.0 if taut else (SOFTER if per_dt > 0.0 else SOFT)
    law *= soft
    k = soft * (line.stiffness + line.damping * per_dt) / a.length
    if e == 0 and per_dt > 0.0 and as_chain(chain).drum > 0.0:  # a tension winch sets the tension
        brake = line.gain * per_dt  # on l (1 - T/EA) - l0, the cable paid out
        per = 1.0 / (1.0 + brake * l / line.stiffness)
        law = per * (line.tension + brake * (l - a.length))
        k = per * brake * (1.0 - law / line.stiffness)
        if law < 0.0:
            law, k = 0.0, SOFT * line.stiffness / a.length
        taut = law > 0.0
    sa.t[0], sa.t[1], sa.t[2], sa.l, sa.law, sa.k = tx, ty, tz, l, law, k
    sa.taut = 1.0 if taut else 0.0
    # elastic stiffness along the element, geometric stiffness T/l across it
    spring = uniaxial(tx, ty, tz, k, max(a.tension, least) / l)
    add_to(sa.diag, 1.0, spring)
    add_to(sb.diag, 1.0, spring)
    add_to(sa.up, -1.0, spring)
    add_to(sa.low, -1.0, spring)
    half = 0.5 * a.length
    _pull(sa, law, a.tension, tx, ty, tz)
    _pull(sb, -law, -a.tension, tx, ty, tz)
    _load(line, a, sa, half, half / l, tx, ty, tz, per_dt, sa.diag, sa.up)
    _load(line, b, sb, half, half / l, tx, ty, tz, per_dt, sa.low, sb.diag)


@compiled
def _pull(s, law, tension, tx, ty, tz):
    s.f[0] += law * tx
    s.f[1] += law * ty
    s.f[2] += law * tz
    s.miss[0] += tension * tx
    s.miss[1] += tension * ty
    s.miss[2] += tension * tz


@compiled
def _load(line, p, s, half, turn, tx, ty, tz, per_dt, by_first, by_second):
    """Drag, weight and inertia of half an element at one of its nodes.

    `by_first`, `by_second` are the blocks for the element's two ends: drag turns with the element.
    """
    vx, vy, vz = (
        per_dt * (p.r[0] - s.start[0]),
        per_dt * (p.r[1] - s.start[1]),
        per_dt * (p.r[2] - s.start[2]),
    )
    fx, fy, fz, by_u, by_t = drag(
        line.normal, line.tangential, s.u[0] - vx, s.u[1] - vy, s.u[2] - vz, tx, ty, tz
    )  # fmt: skip
    wet = s.wet * half  # m, submerged part of this half
    add_to(by_first, s.wet * turn, by_t)
    add_to(by_second, -s.wet * turn, by_t)
    add_to(s.diag, wet * per_dt, by_u)
    d = s.u_down  # only its change with depth: profiles; what changes sideways does so slowly
    s.diag[2] -= wet * (by_u.xx * d[0] + by_u.xy * d[1] + by_u.xz * d[2])
    s.diag[5] -= wet * (by_u.yx * d[0] + by_u.yy * d[1] + by_u.yz * d[2])
    s.diag[8] -= wet * (by_u.zx * d[0] + by_u.zy * d[1] + by_u.zz * d[2])
    s.diag[8] += half * s.wet_down * (line.weight_in_air - line.weight)  # at the surface it floats
    # inertia: along the element the mass alone, across it also the added mass
    mass = half * line.mass
    added = wet * line.added
    inertia = uniaxial(tx, ty, tz, mass, mass + added)
    ax, ay, az = per_dt * (vx - p.v[0]), per_dt * (vy - p.v[1]), per_dt * (vz - p.v[2])
    add_to(s.diag, per_dt * per_dt, inertia)
    water = uniaxial(tx, ty, tz, wet * line.displaced, wet * line.displaced + added)
    wx, wy, wz = s.a[0], s.a[1], s.a[2]
    fx = wet * fx + water.xx * wx + water.xy * wy + water.xz * wz - inertia.xx * ax - inertia.xy * ay - inertia.xz * az
    fy = wet * fy + water.yx * wx + water.yy * wy + water.yz * wz - inertia.yx * ax - inertia.yy * ay - inertia.yz * az
    fz = wet * fz + water.zx * wx + water.zy * wy + water.zz * wz - inertia.zx * ax - inertia.zy * ay - inertia.zz * az
    fz += half * (s.wet * line.weight + (1.0 - s.wet) * line.weight_in_air)
    s.f[0] += fx
    s.f[1] += fy
    s.f[2] += fz
    s.miss[0] += fx
    s.miss[1] += fy
    s.miss[2] += fz


@compiled_apart
def eliminate(chain, work, n):
    """Solve for the displacements of the inner nodes with both ends held: `dr`; and of each by the next one: `back`."""
    first, last = scratch(work, 0), scratch(work, n)
    for k in range(3):
        first.dr[k], last.dr[k] = 0.0, 0.0
    back = node(chain, 0).back
    for k in range(9):
        back[k] = 0.0
    # forward: block row j less low times the row before; x = back of that row, y = its right-hand side
    for j in range(1, n):
        s, before = scratch(work, j), scratch(work, j - 1)
        low, x, y, d = before.low, node(chain, j - 1).back, before.dr, s.diag
        _solve(
            (
                d[0] - (low[0] * x[0] + low[1] * x[3] + low[2] * x[6]),
                d[1] - (low[0] * x[1] + low[1] * x[4] + low[2] * x[7]),
                d[2] - (low[0] * x[2] + low[1] * x[5] + low[2] * x[8]),
                s.up[0], s.up[1], s.up[2],
                s.f[0] - (low[0] * y[0] + low[1] * y[1] + low[2] * y[2]),
            ),
            (
                d[3] - (low[3] * x[0] + low[4] * x[3] + low[5] * x[6]),
                d[4] - (low[3] * x[1] + low[4] * x[4] + low[5] * x[7]),
                d[5] - (low[3] * x[2] + low[4] * x[5] + low[5] * x[8]),
                s.up[3], s.up[4], s.up[5],
                s.f[1] - (low[3] * y[0] + low[4] * y[1] + low[5] * y[2]),
            ),
            (
                d[6] - (low[6] * x[0] + low[7] * x[3] + low[8] * x[6]),
                d[7] - (low[6] * x[1] + low[7] * x[4] + low[8] * x[7]),
                d[8] - (low[6] * x[2] + low[7] * x[5] + low[8] * x[8]),
                s.up[6], s.up[7], s.up[8],
                s.f[2] - (low[6] * y[0] + low[7] * y[1] + low[8] * y[2]),
            ),
            node(chain, j).back, s.dr,
        )  # fmt: skip
    for j in range(n - 1, 0, -1):  # backward substitution
        s, after, x = scratch(work, j), scratch(work, j + 1), node(chain, j).back
        y = after.dr
        s.dr[0] -= x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
        s.dr[1] -= x[3] * y[0] + x[4] * y[1] + x[5] * y[2]
        s.dr[2] -= x[6] * y[0] + x[7] * y[1] + x[8] * y[2]


@compiled
def _solve(p, q, r, x, y):
    """Solve three equations with four right-hand sides, by elimination with row pivoting: x (nine numbers) and y."""
    if abs(q[0]) > abs(p[0]):
        p, q = q, p
    if abs(r[0]) > abs(p[0]):
        p, r = r, p
    k = q[0] / p[0]
    q1, q2, q3, q4, q5, q6 = _less(q, k, p)
    k = r[0] / p[0]
    r1, r2, r3, r4, r5, r6 = _less(r, k, p)
    if abs(r1) > abs(q1):
        q1, q2, q3, q4, q5, q6, r1, r2, r3, r4, r5, r6 = r1, r2, r3, r4, r5, r6, q1, q2, q3, q4, q5, q6
    k = r1 / q1
    per = 1.0 / (r2 - k * q2)
    x[6], x[7], x[8], y[2] = (r3 - k * q3) * per, (r4 - k * q4) * per, (r5 - k * q5) * per, (r6 - k * q6) * per
    per = 1.0 / q1
    x[3], x[4], x[5] = (q3 - q2 * x[6]) * per, (q4 - q2 * x[7]) * per, (q5 - q2 * x[8]) * per
    y[1] = (q6 - q2 * y[2]) * per
    per = 1.0 / p[0]
    x[0] = (p[3] - p[1] * x[3] - p[2] * x[6]) * per
    x[1] = (p[4] - p[1] * x[4] - p[2] * x[7]) * per
    x[2] = (p[5] - p[1] * x[5] - p[2] * x[8]) * per
    y[0] = (p[6] - p[1] * y[1] - p[2] * y[2]) * per


@compiled
def _less(q, k, p):
    return (
        q[1] - k * p[1], q[2] - k * p[2], q[3] - k * p[3], q[4] - k * p[4], q[5] - k * p[5], q[6] - k * p[6],
    )  # fmt: skip


@compiled_apart
def move(chain, work, n, share):
    """Apply `share` of the displacements: new positions and tensions.

    Returns the largest error of the linearised change of length, over the element's length: the measure of convergence.
    An element that has gone slack or taut counts as an error. Infinite if any number is NaN.
    """
    for j in range(1, n):
        r, d = node(chain, j).r, scratch(work, j).dr
        r[0] += share * d[0]
        r[1] += share * d[1]
        r[2] += share * d[2]
    worst, total = 0.0, 0.0
    for e in range(n):
        a, s, y = node(chain, e), scratch(work, e), scratch(work, e + 1).dr
        x, t = s.dr, s.t
        grown = t[0] * (y[0] - x[0]) + t[1] * (y[1] - x[1]) + t[2] * (y[2] - x[2])
        a.tension += share * (s.law + s.k * grown - a.tension)  # from its own equation, not from the new length
        _, _, _, l = stretch(chain, e)
        off = abs(l - s.l - share * grown) / a.length
        if (a.tension > 0.0) != (s.taut > 0.0):
            off = max(off, abs(a.tension) / (s.k * a.length + 1e-300))  # k may be 0 at a tension winch
        worst = max(worst, off)
        total += off  # a maximum drops NaN, a sum does not
    return worst if total < inf else inf


@compiled
def end_stiffness(head, chain, work, n):
    """Set the end stiffness: decrease of the pull as the vehicle's end moves and all other nodes follow."""
    diag, low, x = scratch(work, n).diag, scratch(work, n - 1).low, node(chain, n - 1).back
    for k in range(3):
        i = 3 * k
        for m in range(3):
            head.end_stiffness[i + m] = diag[i + m] - (low[i] * x[m] + low[i + 1] * x[3 + m] + low[i + 2] * x[6 + m])


@compiled
def end_forces(head, work, n, moved):
    """Set the pull on both bodies: after the displacements of the last iteration (`moved`), or as assembled.

    As assembled it comes from the tensions: from the stretch it would lose EA/T digits.
    """
    first, last, before = scratch(work, 0), scratch(work, n), scratch(work, n - 1)
    g, d, up, low = scratch(work, 1).dr, before.dr, first.up, before.low
    for k in range(3):
        i = 3 * k
        if moved:
            head.force_a[k] = first.f[k] - (up[i] * g[0] + up[i + 1] * g[1] + up[i + 2] * g[2])
            head.force_b[k] = last.f[k] - (low[i] * d[0] + low[i + 1] * d[1] + low[i + 2] * d[2])
        else:
            head.force_a[k], head.force_b[k] = first.miss[k], last.miss[k]
