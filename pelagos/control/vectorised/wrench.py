"""The desired wrench of each vehicle: the loops of the autopilot (loops) on the rows of the arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pelagos.control.autopilot.loops import DEPTH, switch, take_gains, wrench
from pelagos.control.autopilot.switching import add_fading, begin_fading
from pelagos.control.base import depth_rate, down_in_body
from pelagos.control.vectorised.layout import Stages, StateArrays, VehicleArrays
from pelagos.engine.laws import part_of_law

Array = NDArray[np.float64]

NO_WRENCH = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


class WrenchMotion(NamedTuple):
    """The part of `VehicleStates` that the loops use."""

    pos_n: Array
    roll: Array
    pitch: Array
    yaw: Array
    nu: Array
    nu_r: Array


@part_of_law
def desired_wrench(
    i: int, row: int, lanes: StateArrays, at: WrenchMotion, stages: Stages, hull: VehicleArrays, known: Array, dt: float
) -> bool:
    """Compute `lanes.desired` of one vehicle; False without a setpoint and a fading wrench. `known`: see loops."""
    lane, pids, desired, down, last = lanes.lane[i], lanes.pid[i], lanes.desired[i], lanes.down[i], lanes.tau[i]
    if lane.required == 0 and lane.active == 0 and not lane.fading:
        return False
    if row != lane.stage:
        lane.stage = row
        take_gains(pids, stages.gains[row])
    stage, start, switched = stages.stage[row], 0, lane.required != lane.active
    if switched:
        start = switch(lane, pids, at.nu_r[i, 0], stage)
    desired[:] = 0.0
    if lane.required != 0:
        roll, pitch, nu = at.roll[i], at.pitch[i], at.nu[i]
        down[0], down[1], down[2] = down_in_body(roll, pitch)
        held = lanes.held[i]
        wrench(lane, pids, held, held[DEPTH], depth_rate(down, nu), roll, pitch, at.yaw[i], at.pos_n[i], nu, at.nu_r[i],
               down, last, stage, hull.constants, known[i], start, dt, desired)  # fmt: skip
    if lane.applied and switched:
        lane.fading = begin_fading(lanes.fade[i], last, desired, NO_WRENCH, stage)
    if lane.fading:
        lane.fading = add_fading(lanes.fade[i], desired, dt)
    return True
