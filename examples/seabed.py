"""The bottom of the sea as a force inside the kernel: a stiff spring and damper below 10 m.

Written with + - * / and the functions of pelagos.engine.core.lanes, so the same source also runs on lanes of vehicles.
"""

from typing import Any

from pelagos.engine.compiled import compiled
from pelagos.engine.core.algebra import Wrench, largest
from pelagos.engine.core.kinematics import to_world
from pelagos.engine.core.lanes import constant, where_less

BOTTOM_M = 10.0
STIFFNESS_N_M = 20_000.0
DAMPING_N_S_M = 400.0


@compiled
def seabed(model: Any, structure: Any, kin: Any, water: Any, actuators: Any) -> Any:
    """Push up on a hull that is below the bottom, never down; force on O along the vertical."""
    sinking = to_world(kin.R_nb, kin.ground).z
    push = STIFFNESS_N_M * (kin.depth - BOTTOM_M) + DAMPING_N_S_M * sinking
    push = where_less(kin.depth, BOTTOM_M, 0.0, largest(push, constant(0.0, push)))
    zero = constant(0.0, push)
    return Wrench(-push * kin.down.x, -push * kin.down.y, -push * kin.down.z, zero, zero, zero)
