"""Submerged share of each propeller, fin and control surface.

Stored in Work and computed only while the hull is at the surface: elsewhere every share is 1.
"""

from __future__ import annotations

from pelagos.engine.compiled import compiled, compiled_apart
from pelagos.engine.core.algebra import clip
from pelagos.engine.core.lanes import constant, pick, where_less
from pelagos.engine.water.wet import room_above


@compiled
def wet_share(kin, x, y, z, per_reach):
    """Submerged share of a disc of radius 1/per_reach about a point of the body: 0 to 1, smooth.

    (1 + s)^2 (2 - s)/4 with s = depth of its centre / reach: the area of a disc to 4 %, with flat ends. per_reach 0
    means that the file does not say where the part is: it counts as wet.
    """
    n = kin.below_slope
    s = clip((kin.below + n.x * x + n.y * y + n.z * z) * per_reach, 1.0)
    return where_less(0.0, per_reach, 0.25 * (1.0 + s) * (1.0 + s) * (2.0 - s), 1.0)


@compiled
def all_wet(records):
    """Set every share to 1."""
    wet = records.work.wet
    full = constant(1.0, records.water.time)
    for i in range(records.structure.n_thrusters):
        wet.thruster[i] = full
    for i in range(records.structure.n_fins):
        wet.fin[i] = full
    for i in range(records.structure.n_surfaces):
        wet.surface[i] = full
    wet.partly = 0.0 * full


@compiled
def wet_parts(kin, records):
    """Update the submerged shares of all parts."""
    if kin.at_surface:
        _partly_wet(kin, records)
    elif pick(records.work.wet.partly, 0) > 0.0:  # the whole block has dived again: reset once
        all_wet(records)


@compiled_apart
def _partly_wet(kin, records):
    wet, model = records.work.wet, records.model
    room = room_above(records.hull, kin.below, kin.below_slope)  # vehicles of a block that are deep keep a share of 1
    for i in range(records.structure.n_thrusters):
        t = model.thrusters[i]
        wet.thruster[i] = where_less(room, 0.0, wet_share(kin, t.x, t.y, t.z, t.per_blade), 1.0)
    for i in range(records.structure.n_fins):
        fin = model.fins[i]
        wet.fin[i] = where_less(room, 0.0, wet_share(kin, fin.x, fin.y, fin.z, fin.per_reach), 1.0)
    for i in range(records.structure.n_surfaces):
        servo = model.servos[i]
        wet.surface[i] = where_less(room, 0.0, wet_share(kin, servo.x, servo.y, servo.z, servo.per_reach), 1.0)
    wet.partly = constant(1.0, kin.below)
