"""Integrators of Brutzman's chapter and program, for comparison; all are of first order.

B7 and B8 in evidence/docs/errata.md describe them. A separate entry, so that ordinary runs need not compile them.
"""

from __future__ import annotations

from pelagos.engine.compiled import compiled, entry
from pelagos.engine.contact.impulses import apply_contact, pieces_of_step
from pelagos.engine.core.actuators import copy_actuators, set_decay
from pelagos.engine.core.algebra import clip
from pelagos.engine.core.integrate import (
    BRUTZMAN_PRINTED,
    BRUTZMAN_SUMMARY,
    begin,
    finish,
    is_sound,
    move_actuators,
    open_records,
)
from pelagos.engine.core.kinematics import Motion
from pelagos.engine.core.lanes import where_less
from pelagos.engine.core.motion import derivative
from pelagos.engine.core.steppers import along, normalised


@compiled
def _posture_along(m, k, h):
    """Position and attitude of m + h k, velocity of m."""
    return Motion(
        m.x + h * k.x, m.y + h * k.y, m.z + h * k.z,
        m.a + h * k.a, m.b + h * k.b, m.c + h * k.c, m.d + h * k.d,
        m.u, m.v, m.w, m.p, m.q, m.r,
    )  # fmt: skip


@compiled
def _velocity_along(m, k, h):
    """Velocity of m + h k, position and attitude of m."""
    return Motion(
        m.x, m.y, m.z, m.a, m.b, m.c, m.d,
        m.u + h * k.u, m.v + h * k.v, m.w + h * k.w, m.p + h * k.p, m.q + h * k.q, m.r + h * k.r,
    )  # fmt: skip


@compiled
def brutzman_printed_step(m, t, dt, records):
    """Step (6.37) with (6.38): Heun for the velocity, Euler with the old velocity for the posture. Errata B7."""
    k1 = derivative(m, t, records.work.start, records)
    k2 = derivative(along(m, k1, dt), t + dt, records.work.end, records)
    velocity = _velocity_along(_velocity_along(m, k1, 0.5 * dt), k2, 0.5 * dt)
    return _posture_along(velocity, k1, dt), k1


@compiled
def brutzman_summary_step(m, t, dt, records):
    """Step (6.37) with the posture moved by the new velocity, as in figure 6.5 and the summary. Errata B7."""
    k1 = derivative(m, t, records.work.start, records)
    k2 = derivative(along(m, k1, dt), t + dt, records.work.end, records)
    velocity = _velocity_along(_velocity_along(m, k1, 0.5 * dt), k2, 0.5 * dt)
    moved = derivative(velocity, t + dt, records.work.end, records)
    return _posture_along(velocity, moved, dt), k1


@compiled
def brutzman_author_step(m, t, dt, previous, records):
    """Step of the author's program: mean of the last and the present acceleration, posture by the old velocity.

    v += dt/2 (a_previous + a_now): not Heun, it looks back instead of ahead; order 1, errata B8. His program also
    clamps accelerations and the surge speed, where the vehicle file gives limits.
    """
    k = _clamped(derivative(m, t, records.work.start, records), records.model)
    velocity = _velocity_along(_velocity_along(m, previous, 0.5 * dt), k, 0.5 * dt)
    surge = records.model.surge_limit
    limit = where_less(0.0, surge, surge, 1e30)  # 0 in the record means no limit
    held = Motion(
        velocity.x, velocity.y, velocity.z, velocity.a, velocity.b, velocity.c, velocity.d,
        clip(velocity.u, limit), velocity.v, velocity.w, velocity.p, velocity.q, velocity.r,
    )  # fmt: skip
    return _posture_along(held, k, dt), k


@compiled
def _clamped(k, model):
    linear = where_less(0.0, model.acceleration_limit, model.acceleration_limit, 1e30)
    angular = where_less(0.0, model.angular_limit, model.angular_limit, 1e30)
    return Motion(
        k.x, k.y, k.z, k.a, k.b, k.c, k.d,
        clip(k.u, linear), clip(k.v, linear), clip(k.w, linear),
        clip(k.p, angular), clip(k.q, angular), clip(k.r, angular),
    )  # fmt: skip


@compiled
def _legacy_step(m, rate, t, dt, method, records):
    move_actuators(records, dt)
    if method == BRUTZMAN_PRINTED:
        after, rate_after = brutzman_printed_step(m, t, dt, records)
    elif method == BRUTZMAN_SUMMARY:
        after, rate_after = brutzman_summary_step(m, t, dt, records)
    else:
        after, rate_after = brutzman_author_step(m, t, dt, rate, records)
    return normalised(after, records.structure.euler_angles), rate_after


@entry
def advance_legacy(state, model, structure, water, command, work, sea, hull, dt, n_steps, method, obstacles):
    """Advance one vehicle by a published integrator, as `advance`; steps near obstacles are not divided."""
    s, records = open_records(state, model, structure, water, command, work, sea, hull)
    m, rate = begin(s, records)
    set_decay(records.model, records.structure, records.work, 0.5 * dt)
    done = n_steps
    for n in range(n_steps):
        after, rate_after = _legacy_step(m, rate, n * dt, dt, method, records)
        if obstacles is not None:
            if pieces_of_step(m, dt, records) + pieces_of_step(after, dt, records) > 2:
                after = apply_contact(m, after, rate_after, dt, records)
        if not is_sound(after):
            done = n
            break
        m, rate = after, rate_after
        copy_actuators(records.structure, records.work.end, records.work.start)
    finish(s, records, records.work.start, m, rate, done * dt)
    return done
