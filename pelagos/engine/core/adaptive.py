"""Integration with error control (Dormand-Prince 5(4)), for single runs that need accuracy rather than a fixed step.

Reference: Dormand & Prince (1980); Hairer, Norsett & Wanner (1993), II.4-5. The error estimate is scaled by
tol (1 + |y|) per component; step factor 0.9 err^(-1/5) between 0.2 and 5. Actuators are exact at every stage. The last
stage of an accepted step is the first of the next one (first same as last), so a step costs six evaluations.
"""

from __future__ import annotations

from pelagos.engine.compiled import compiled, entry
from pelagos.engine.contact.impulses import apply_contact, pieces_of_step
from pelagos.engine.core.actuators import advance_actuators, set_decay
from pelagos.engine.core.integrate import begin, finish, is_sound, open_records
from pelagos.engine.core.lanes import exp
from pelagos.engine.core.motion import derivative
from pelagos.engine.core.steppers import along, normalised

SMALLEST = 1e-9  # s: a step this short means that the problem has no solution at this tolerance


@compiled
def _rate(m, t, records):
    """Derivative at t seconds into the call."""
    _actuators_at(records.model, records.structure, records.work, records.work.half, t)
    return derivative(m, t, records.work.half, records)


@compiled
def _actuators_at(model, structure, work, after, t):
    """Where the actuators are t seconds into the call, however long: servos run at their limit, then lag."""
    set_decay(model, structure, work, t)
    advance_actuators(model, structure, work, work.start, after, t)
    for n in range(structure.n_surfaces):
        servo = model.servos[n]
        way = work.target.surface[n] - work.start.surface[n]
        reach = servo.speed / servo.rate  # difference at which the limit stops binding
        if abs(way) > reach:
            at_limit = (abs(way) - reach) / servo.speed
            if t > at_limit:
                left = reach * exp(-(t - at_limit) * servo.rate)
                after.surface[n] = work.target.surface[n] - (left if way > 0.0 else -left)


@compiled
def _blend(m, h, a, ka, b, kb, c, kc, d, kd, e, ke):
    """m + h (a ka + b kb + c kc + d kd + e ke); places that a stage does not need take any rate with the factor 0."""
    n = along(along(along(m, ka, h * a), kb, h * b), kc, h * c)
    return along(along(n, kd, h * d), ke, h * e)


@compiled
def _error(x, y, tolerance):
    """Largest scaled difference of two motions."""
    worst = 0.0
    for i in range(13):
        scale = tolerance * (1.0 + abs(y[i]))
        worst = max(worst, abs(x[i] - y[i]) / scale)
        if x[i] != x[i]:  # NaN, which max() drops
            worst = 1e30
    return worst


@entry
def advance_adaptive(
    state, model, structure, water, command, work, sea, hull, duration, tolerance, first_step, obstacles
):
    """Advance one vehicle by `duration` seconds; returns whether the end was reached and the next step to try.

    If not, the state is the last valid one, with its time. Near an obstacle the step is short.
    """
    s, records = open_records(state, model, structure, water, command, work, sea, hull)
    m, _ = begin(s, records)
    t, h, sound, forced = 0.0, first_step, True, 1
    k1 = _rate(m, t, records)
    while t < duration:
        g = min(h, duration - t)
        pieces = 1
        if obstacles is not None:
            pieces = max(forced, pieces_of_step(m, g, records))
            forced = 1
        g = g / pieces
        last = g >= duration - t
        k2 = _rate(along(m, k1, g / 5.0), t + g / 5.0, records)
        y = _blend(m, g, 3.0 / 40.0, k1, 9.0 / 40.0, k2, 0.0, k2, 0.0, k2, 0.0, k2)
        k3 = _rate(y, t + 0.3 * g, records)
        y = _blend(m, g, 44.0 / 45.0, k1, -56.0 / 15.0, k2, 32.0 / 9.0, k3, 0.0, k3, 0.0, k3)
        k4 = _rate(y, t + 0.8 * g, records)
        y = _blend(m, g, 19372.0 / 6561.0, k1, -25360.0 / 2187.0, k2, 64448.0 / 6561.0, k3, -212.0 / 729.0, k4, 0.0, k4)
        k5 = _rate(y, t + 8.0 * g / 9.0, records)
        y = _blend(
            m, g, 9017.0 / 3168.0, k1, -355.0 / 33.0, k2, 46732.0 / 5247.0, k3, 49.0 / 176.0, k4, -5103.0 / 18656.0, k5
        )
        k6 = _rate(y, t + g, records)
        y = _blend(m, g, 35.0 / 384.0, k1, 500.0 / 1113.0, k3, 125.0 / 192.0, k4, -2187.0 / 6784.0, k5, 11.0 / 84.0, k6)
        k7 = _rate(y, t + g, records)
        z = _blend(m, g, 5179.0 / 57600.0, k1, 7571.0 / 16695.0, k3, 393.0 / 640.0, k4, 0.0, k4, 0.0, k4)
        z = _blend(z, g, -92097.0 / 339200.0, k5, 187.0 / 2100.0, k6, 1.0 / 40.0, k7, 0.0, k7, 0.0, k7)
        error = _error(z, y, tolerance)
        if error <= 1.0:
            after = normalised(y, records.structure.euler_angles)
            if obstacles is not None:
                if pieces > 1:
                    after = apply_contact(m, after, k1, g, records)
                else:
                    forced = pieces_of_step(after, g, records)
                    if forced > 1:  # the step has come near an obstacle: repeat it in pieces
                        continue
            if not is_sound(after):
                sound = False
                break
            t = duration if last else t + g  # exactly the end: rounding of a sum would leave a remainder to step over
            m = after
            k1 = k7 if pieces == 1 else _rate(m, t, records)  # contact has changed the motion: k7 is not its rate
        # 0.9 aims below the tolerance, because a rejected step costs six evaluations; 1e-10: the error may be 0
        grown = g * min(5.0, max(0.2, 0.9 * max(error, 1e-10) ** -0.2))
        # a step cut short by the end of the call or by an obstacle says nothing about how long the next may be
        h = max(h, grown) if (last or pieces > 1) and error <= 1.0 else grown
        if h < SMALLEST:
            sound = False
            break
    _actuators_at(records.model, records.structure, records.work, records.work.end, t)
    finish(s, records, records.work.end, m, k1, t)
    return sound, h
