"""How much of each propeller, fin and control surface is under water.

Kept in Work and worked out only while the hull is at the surface: elsewhere every part is wet, and the forces multiply
by ones.
"""

from __future__ import annotations

from pelagos.engine.compiled import compiled, compiled_apart
from pelagos.engine.core.algebra import clip
from pelagos.engine.core.lanes import constant, pick, where_less
from pelagos.engine.water.wet import room_above


@compiled
def wet_share(kin, x, y, z, per_reach):
    """Share of a disc of radius 1/per_reach about a point of the body that is under water: 0 to 1, smooth.

    (1 + s)^2 (2 - s)/4 with s = depth of its centre / reach: the area of a disc to 4 %, with flat ends. per_reach 0
    means that the file does not say where the part is: it counts as wet.
    """
    n = kin.below_slope
    s = clip((kin.below + n.x * x + n.y * y + n.z * z) * per_reach, 1.0)
    return where_less(0.0, per_reach, 0.25 * (1.0 + s) * (1.0 + s) * (2.0 - s), 1.0)


@compiled
def all_wet(case):
    """Every part is under water."""
    wet = case.work.wet
    one = constant(1.0, case.water.time)
    for i in range(case.structure.n_thrusters):
        wet.thruster[i] = one
    for i in range(case.structure.n_fins):
        wet.fin[i] = one
    for i in range(case.structure.n_surfaces):
        wet.surface[i] = one
    wet.partly = 0.0 * one


@compiled
def wet_parts(kin, case):
    """Bring the shares up to date."""
    if kin.at_surface:
        _partly_wet(kin, case)
    elif pick(case.work.wet.partly, 0) > 0.0:
        all_wet(case)


@compiled_apart
def _partly_wet(kin, case):
    wet, model = case.work.wet, case.model
    room = room_above(case.hull, kin.below, kin.below_slope)  # of a block, the parts of those that are deep are wet
    for i in range(case.structure.n_thrusters):
        t = model.thrusters[i]
        wet.thruster[i] = where_less(room, 0.0, wet_share(kin, t.x, t.y, t.z, t.per_blade), 1.0)
    for i in range(case.structure.n_fins):
        fin = model.fins[i]
        wet.fin[i] = where_less(room, 0.0, wet_share(kin, fin.x, fin.y, fin.z, fin.per_reach), 1.0)
    for i in range(case.structure.n_surfaces):
        servo = model.servos[i]
        wet.surface[i] = where_less(room, 0.0, wet_share(kin, servo.x, servo.y, servo.z, servo.per_reach), 1.0)
    wet.partly = constant(1.0, kin.below)
