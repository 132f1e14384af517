"""Pull of the tether at the fairlead.

    F = F_0 - K (r + (h - t) v - r_0 - h v_0),    wrench about O = (F, r_fairlead x F)

with r, v the fairlead and its velocity t into a step of h of the tether, r_0 + h v_0 its place at the end of that step
as the tether predicted it, F_0 the pull there and K the end stiffness, a by-product of the step (`chain.py`). The step
of the tether is implicit: its pull belongs to the end of the step, and r + (h - t) v extrapolates the fairlead to that
end. So the stiffness of a taut cable acts within the vehicle's step, and motion too fast for the step is damped, as in
the cable itself.
The moment is that of Royer (1985), 2.4.d. Frames: pull, place and K in NED; fairlead in body axes. Units: SI.
"""

from __future__ import annotations

from pelagos.engine.compiled import compiled
from pelagos.engine.core.algebra import Vec3, Wrench, cross, wrench_at
from pelagos.engine.core.kinematics import to_body, to_world
from pelagos.engine.core.lanes import constant, inverse_sqrt, where_less


@compiled
def tether(structure, kin, pull, water):
    """Wrench of the tether; zero for a vehicle without one."""
    if not structure.tethered:
        none = constant(0.0, kin.depth)
        return Wrench(none, none, none, none, none, none)
    fairlead = Vec3(pull.fairlead[0], pull.fairlead[1], pull.fairlead[2])
    arm = to_world(kin.R_nb, fairlead)
    turning = to_world(kin.R_nb, cross(kin.omega, fairlead))
    left = pull.span - (kin.time - water.time)
    left = where_less(left, 0.0, 0.0, left)  # beyond the step of the tether there is nothing to extrapolate to
    x = kin.position.x + arm.x + left * (kin.velocity.x + turning.x) - pull.place[0]
    y = kin.position.y + arm.y + left * (kin.velocity.y + turning.y) - pull.place[1]
    z = kin.position.z + arm.z + left * (kin.velocity.z + turning.z) - pull.place[2]
    k = pull.stiffness
    force = Vec3(
        pull.force[0] - (k[0] * x + k[1] * y + k[2] * z),
        pull.force[1] - (k[3] * x + k[4] * y + k[5] * z),
        pull.force[2] - (k[6] * x + k[7] * y + k[8] * z),
    )
    size2 = force.x * force.x + force.y * force.y + force.z * force.z
    share = where_less(pull.most * pull.most, size2, pull.most * inverse_sqrt(size2), 1.0)  # at most the breaking load
    force = Vec3(share * force.x, share * force.y, share * force.z)
    return wrench_at(fairlead, to_body(kin.R_nb, force))
