"""Lift, drag, side force and moments of the whole hull in flow axes, as for gliders.

    D = (drag_0 + drag_aa alpha^2) U^2,  L = (lift_0 + lift_a alpha) U^2,  S = side_b beta U^2
    alpha = atan2(w, u),  beta = asin(v / U)
    X = -D ca cb - S ca sb + L sa,  Y = -D sb + S cb,  Z = -D sa cb - S sa sb - L ca
    K = (roll_b beta + roll_p p) U^2,  M = (pitch_0 + pitch_a alpha + pitch_q q) U^2,  N = (yaw_b beta + yaw_r r) U^2

Reference: Graver (2005), ch. 3; Zhang et al. (2013); Merckelbach et al. (2010). Frames: body axes, velocity through
the water. Units: kg/m and kg per rad. Valid: attached flow, |alpha| below about 15 deg; beyond it the straight lift
line goes on, which no wing does, up to a jump of sign where the flow comes from straight behind. Without sideslip
the flow axes turn only with alpha (MSS forceLiftDrag).
"""

from __future__ import annotations

from pelagos.engine.compiled import compiled
from pelagos.engine.core.algebra import Wrench
from pelagos.engine.core.lanes import atan2, constant, sqrt, where_less

NONE, VERTICAL, SIDESLIP = 0, 1, 2  # values of `lift_drag` in the structure
AT_REST = 1e-24  # (m/s)^2: below 1e-12 m/s the flow has no direction


@compiled
def lift_drag(model, structure, kin):
    """Lift and drag wrench in body axes."""
    v, o = kin.water, kin.omega
    zero = constant(0.0, v.x)
    if structure.lift_drag == NONE:
        return Wrench(zero, zero, zero, zero, zero, zero)
    k = model.lift_drag
    plane2 = v.x * v.x + v.z * v.z
    speed2 = plane2 + v.y * v.y
    plane = sqrt(where_less(plane2, AT_REST, 1.0, plane2))
    speed = sqrt(where_less(speed2, AT_REST, 1.0, speed2))
    ca = where_less(plane2, AT_REST, 1.0, v.x / plane)
    sa = where_less(plane2, AT_REST, 0.0, v.z / plane)
    alpha = atan2(v.z, v.x)
    if structure.lift_drag == SIDESLIP:
        cb = where_less(speed2, AT_REST, 1.0, where_less(plane2, AT_REST, 0.0, plane) / speed)
        sb = where_less(speed2, AT_REST, 0.0, v.y / speed)
        beta = atan2(v.y, where_less(plane2, AT_REST, 1e-12, plane))
    else:
        cb, sb, beta = constant(1.0, v.x), zero, zero
    drag = (k.drag_0 + k.drag_aa * alpha * alpha) * speed2
    lift = (k.lift_0 + k.lift_a * alpha) * speed2
    side = k.side_b * beta * speed2
    return Wrench(
        -drag * ca * cb - side * ca * sb + lift * sa,
        -drag * sb + side * cb,
        -drag * sa * cb - side * sa * sb - lift * ca,
        (k.roll_b * beta + k.roll_p * o.x) * speed2,
        (k.pitch_0 + k.pitch_a * alpha + k.pitch_q * o.y) * speed2,
        (k.yaw_b * beta + k.yaw_r * o.z) * speed2,
    )
