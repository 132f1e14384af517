"""Contact response: unilateral contact with Coulomb friction, solved for impulses on the velocities.

In a short step h the smooth forces give the velocity nu* = nu + h nu_dot. Contact adds impulses so that everywhere

    normal:    v_n >= -g/h while there is a gap g > 0; else the implicit spring and damper
               p_n = h max(0, -k (g + h v_n) - c v_n)
    friction:  v_t = 0 where |p_t| < mu p_n, else p_t = -mu p_n v_t/|v_t|
    nu = nu* + M^-1 sum J^T p,    position and attitude follow the new nu (a step without impulses is left as it was)

with v the velocity of the contact point over ground, M the mass matrix with added mass. It is Moreau's time stepping
with a compliant normal row, solved by projected Gauss-Seidel: no step size makes it explode, a body at rest stays at
rest to rounding (no creeping regularised friction), a gap closes without overlap, and each impulse takes energy out.

Reference: Moreau (1988); Stewart & Trinkle (1996); Catto (2011), soft constraints, for the compliant row. Frames:
contacts in NED, rows in body axes about O. Units: SI. Limits: no restitution; the added mass does not change near a
wall.
"""

from __future__ import annotations

import math

import numpy as np

from pelagos.engine.compiled import compiled, compiled_apart, entry
from pelagos.engine.contact.solids import find_contacts, near
from pelagos.engine.core.algebra import Vec3, Wrench, cross
from pelagos.engine.core.kinematics import Motion, attitude_rate, rotation_of, to_body, to_world
from pelagos.engine.core.lanes import constant, where_less
from pelagos.engine.core.mass import inverse_into, mass_now
from pelagos.engine.water.sea import CONTACT, MAX_CONTACTS, NO_BOTTOM, as_contact, as_hull, as_sea

N_CONTACT = CONTACT.size
LONGEST = 0.01  # s, longest step near an obstacle: rocking on two contacts is resolved at 100 Hz
FARTHEST = 0.05  # m, longest way of any point of the hull in such a step
MOST_PIECES = 400  # of a step: a diverging vehicle must not stop the run
MARGIN = 0.02  # m added to the way of two steps when looking for obstacles
SKIN = 1e-3  # m, contacts are looked for this much beyond the way of a step
PUSH_OUT = 0.5  # m/s, fastest way out of an overlap
SWEEPS = 200  # of Gauss-Seidel; a hull on a face settles in some tens
SETTLED = 1e-12  # m/s: the solution has converged when no row changes a velocity by more
NOTHING = -2.0  # number of the obstacle where there is none


@compiled
def clear_touch(records):
    """Reset the contact record at the start of a call."""
    touch = records.work.touch
    zero = constant(0.0, records.water.time)
    for k in range(6):
        touch.wrench[k] = zero
    touch.count, touch.depth, touch.speed, touch.obstacle = zero, zero, zero, constant(NOTHING, zero)


@compiled
def report_touch(records, state, elapsed):
    """Write the contacts of the call into the state; the impulses become their mean wrench."""
    touch, out = records.work.touch, state.touch
    per_second = where_less(0.0, elapsed, 1.0 / elapsed, 0.0 * elapsed)
    for k in range(6):
        out.wrench[k] = per_second * touch.wrench[k]
    out.count, out.depth, out.speed, out.obstacle = touch.count, touch.depth, touch.speed, touch.obstacle


@compiled_apart
def pieces_of_step(m, dt, records):
    """Number of pieces of a step: 1 where no obstacle is near, else at least 2."""
    world, hull = as_sea(records.sea), as_hull(records.hull)
    if (world.bottom == NO_BOTTOM and world.n_solids == 0.0) or hull.n_forms + hull.n_feelers == 0.0:
        return 1
    way = dt * _speed(m, hull.reach)
    # the way of two steps: the vehicle may speed up in this one
    if not near(records.sea, records.hull, m.x, m.y, m.z, 2.0 * way + MARGIN):
        return 1
    return int(min(max(2.0, math.ceil(dt / LONGEST), math.ceil(way / FARTHEST)), MOST_PIECES))


@compiled_apart
def apply_contact(before, after, rate, h, records):
    """The motion after a step of h with the impulses of contact; `before` and `rate` are those at its start."""
    mass = mass_now(records.model, records.structure, records.work.start)
    inverse_into(records.work.inverse, records.model, records.structure, mass, records.work)
    touch, b = records.work.touch, before
    inverse = np.empty(36)
    for k in range(36):
        inverse[k] = records.work.inverse[k]
    free = np.array([
        b.u + h * (rate.u + b.q * b.w - b.r * b.v),  # along the axes at the start: they turn, these do not
        b.v + h * (rate.v + b.r * b.u - b.p * b.w),
        b.w + h * (rate.w + b.p * b.v - b.q * b.u),
        b.p + h * rate.p, b.q + h * rate.q, b.r + h * rate.r,
    ])  # fmt: skip
    m, p, count, depth, speed, obstacle = _resolved(
        b, after, free, h, inverse, records.sea, records.hull, records.structure.euler_angles
    )
    if count > 0:
        after = m
        for k in range(6):
            touch.wrench[k] = touch.wrench[k] + p[k]
        touch.count, touch.speed = max(touch.count, float(count)), max(touch.speed, speed)
    if count > 0 or depth > 0.0:
        touch.depth, touch.obstacle = max(touch.depth, depth), obstacle
    return after


@entry  # cached by itself: every integrator uses it, and it takes seconds to compile
def _resolved(b, a, nu, h, inverse, sea, hull, euler):
    """Contact of one vehicle: b is the motion before the step, a after it without contact, nu the free velocity.

    Returns motion, impulse, number of contacts that press, deepest overlap, fastest approach, number of the obstacle.
    """
    reach = as_hull(hull).reach
    margin = h * max(_speed(b, reach), _speed(a, reach)) + SKIN
    contacts = np.empty((MAX_CONTACTS, N_CONTACT))
    R = rotation_of(b, euler)
    n = find_contacts(sea, hull, R, b.x, b.y, b.z, margin, contacts)
    J, MJ = np.empty((3 * n, 6)), np.empty((3 * n, 6))
    weight, p = np.empty(3 * n), np.zeros(3 * n)
    bias, soft, friction = np.empty(n), np.empty(n), np.empty(n)
    speed, depth, obstacle = 0.0, 0.0, NOTHING
    for c in range(n):
        contact = as_contact(contacts[c])
        normal = to_body(R, Vec3(contact.normal[0], contact.normal[1], contact.normal[2]))
        arm = to_body(R, Vec3(contact.point[0] - b.x, contact.point[1] - b.y, contact.point[2] - b.z))
        slip = _tangent(normal, arm, nu)
        _row(J, MJ, weight, 3 * c, normal, arm, inverse)
        _row(J, MJ, weight, 3 * c + 1, slip, arm, inverse)
        _row(J, MJ, weight, 3 * c + 2, cross(normal, slip), arm, inverse)
        k, gap = contact.stiffness, contact.gap
        d = max(contact.damping, 2.0 * math.sqrt(k / max(weight[3 * c], 1e-12)))  # at least critical: nothing bounces
        # a gap may close within the step; an overlap is a spring and damper, taken implicitly
        bias[c] = gap / h if gap >= 0.0 else gap * k / (h * k + d)
        soft[c] = 1.0 / (h * (h * k + d))
        if bias[c] < -PUSH_OUT:  # a deep overlap is left slowly, with the force of the spring all the same
            soft[c] *= PUSH_OUT / -bias[c]
            bias[c] = -PUSH_OUT
        friction[c] = contact.friction
    # Gauss-Seidel: each row uses the velocities that earlier rows have changed, so the order is part of the result
    for _ in range(SWEEPS):
        if _sweep(n, nu, J, MJ, weight, bias, soft, friction, p) < SETTLED:
            break
    count, largest_push = 0, 0.0
    px, py, pz, pk, pm, pn = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for c in range(n):
        contact = as_contact(contacts[c])
        if contact.gap < 0.0:  # also where no impulse can push: a held direction
            depth = max(depth, -contact.gap)
            obstacle = contact.obstacle if obstacle == NOTHING else obstacle
        if p[3 * c] > 0.0:
            count += 1
            approach = 0.0
            for k in range(6):
                approach -= J[3 * c, k] * (b.u, b.v, b.w, b.p, b.q, b.r)[k]
            speed = max(speed, approach)
            if p[3 * c] > largest_push:
                largest_push, obstacle = p[3 * c], contact.obstacle
            for j in range(3 * c, 3 * c + 3):
                px, py, pz = px + p[j] * J[j, 0], py + p[j] * J[j, 1], pz + p[j] * J[j, 2]
                pk, pm, pn = pk + p[j] * J[j, 3], pm + p[j] * J[j, 4], pn + p[j] * J[j, 5]
    if count == 0:
        return a, Wrench(px, py, pz, pk, pm, pn), count, depth, speed, obstacle
    # semi-implicit Euler: the pose moves with the new velocity, which was solved along the axes at the start
    v = to_world(R, Vec3(nu[0], nu[1], nu[2]))
    turn = attitude_rate(Motion(b.x, b.y, b.z, b.a, b.b, b.c, b.d, nu[0], nu[1], nu[2], nu[3], nu[4], nu[5]), euler)
    qa, qb, qc, qd = b.a + h * turn.a, b.b + h * turn.b, b.c + h * turn.c, b.d + h * turn.d
    if not euler:
        size = 1.0 / math.sqrt(qa * qa + qb * qb + qc * qc + qd * qd)
        qa, qb, qc, qd = size * qa, size * qb, size * qc, size * qd
    moved = Motion(
        b.x + h * v.x, b.y + h * v.y, b.z + h * v.z, qa, qb, qc, qd, nu[0], nu[1], nu[2], nu[3], nu[4], nu[5]
    )  # fmt: skip
    R_after = rotation_of(moved, euler)
    v = to_body(R_after, v)
    omega = to_body(R_after, to_world(R, Vec3(nu[3], nu[4], nu[5])))
    moved = Motion(moved.x, moved.y, moved.z, qa, qb, qc, qd, v.x, v.y, v.z, omega.x, omega.y, omega.z)
    return moved, Wrench(px, py, pz, pk, pm, pn), count, depth, speed, obstacle


@compiled
def _sweep(n, nu, J, MJ, weight, bias, soft, friction, p):
    """One pass of projected Gauss-Seidel over all rows; returns the largest change of velocity it made, m/s."""
    worst = 0.0
    for c in range(n):
        j = 3 * c
        if weight[j] > 0.0:
            wrong = _along(J, j, nu) + bias[c] + soft[c] * p[j]
            new = max(0.0, p[j] - wrong / (weight[j] + soft[c]))
            worst = max(worst, _push(nu, MJ, weight, p, j, new))
        first, second = p[j + 1], p[j + 2]  # impulses along the two tangents
        if weight[j + 1] > 0.0:
            first -= _along(J, j + 1, nu) / weight[j + 1]
        if weight[j + 2] > 0.0:
            second -= _along(J, j + 2, nu) / weight[j + 2]
        size, limit = math.hypot(first, second), friction[c] * p[j]
        if size > limit:  # project onto the friction cone
            first, second = first * limit / size, second * limit / size
        worst = max(worst, _push(nu, MJ, weight, p, j + 1, first))
        worst = max(worst, _push(nu, MJ, weight, p, j + 2, second))
    return worst


@compiled
def _along(J, j, nu):
    return J[j, 0] * nu[0] + J[j, 1] * nu[1] + J[j, 2] * nu[2] + J[j, 3] * nu[3] + J[j, 4] * nu[4] + J[j, 5] * nu[5]


@compiled
def _push(nu, MJ, weight, p, j, new):
    """Give row j the impulse `new`; returns by how much that changes its own velocity."""
    change = new - p[j]
    p[j] = new
    for k in range(6):
        nu[k] += MJ[j, k] * change
    return abs(change) * weight[j]


@compiled
def _row(J, MJ, weight, j, direction, arm, inverse):
    """Write row j: velocity of the contact point along `direction` (J nu), and effect of an impulse (MJ = M^-1 J^T)."""
    turn = cross(arm, direction)
    J[j, 0], J[j, 1], J[j, 2] = direction.x, direction.y, direction.z
    J[j, 3], J[j, 4], J[j, 5] = turn.x, turn.y, turn.z
    weight[j] = 0.0
    for i in range(6):
        total = 0.0
        for k in range(6):
            total += inverse[6 * i + k] * J[j, k]
        MJ[j, i] = total
        weight[j] += J[j, i] * total


@compiled
def _tangent(normal, arm, nu):
    """Unit vector across the normal: the direction in which the point slips, or any where it does not."""
    spin = cross(Vec3(nu[3], nu[4], nu[5]), arm)
    vx, vy, vz = nu[0] + spin.x, nu[1] + spin.y, nu[2] + spin.z
    away = vx * normal.x + vy * normal.y + vz * normal.z
    tx, ty, tz = vx - away * normal.x, vy - away * normal.y, vz - away * normal.z
    size = math.sqrt(tx * tx + ty * ty + tz * tz)
    if size < 1e-9:  # m/s, no slip: friction needs two directions all the same
        some = Vec3(1.0, 0.0, 0.0) if abs(normal.x) < 0.7 else Vec3(0.0, 1.0, 0.0)
        t = cross(normal, some)
        tx, ty, tz = t.x, t.y, t.z
        size = math.sqrt(tx * tx + ty * ty + tz * tz)
    return Vec3(tx / size, ty / size, tz / size)


@compiled
def _speed(m, reach):
    """Upper bound of the speed of any point of the hull, m/s."""
    turning = math.sqrt(m.p * m.p + m.q * m.q + m.r * m.r)
    return math.sqrt(m.u * m.u + m.v * m.v + m.w * m.w) + reach * turning
