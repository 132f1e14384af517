"""Bumpless transfer between control modes: the last wrench fades out instead of jumping.

A loop that begins starts from the last force by itself (`pid.condition`). The rest of the last wrench, which no loop of
the new mode covers, such as the thrust of a released speed setpoint, fades with exp(-t / T) on each axis,
T = 1 / (2 w), w the frequency of the loop of the axis.
"""

from __future__ import annotations

import math
from typing import Any

from pelagos.control.tuning.schedule import Schedule, Stage
from pelagos.engine.laws import also_compiled
from pelagos.messages import Actuation, VehicleState

LEFT = 1e-3  # of the initial value: a smaller rest is set to zero


@also_compiled
def begin_fading(fade: Any, last: Any, tau: Any, added: Any, stage: Any) -> bool:
    """Start to fade what is left of the last wrench without tau and `added`; return whether there is any.

    `fade` has three rows for six axes: the wrench, the magnitudes below which it is zero, the time constants. `stage`
    has the axes `served` and their time constants `fade_s`.
    """
    left = False
    for i in range(6):
        jump = last[i] - tau[i] - added[i] if stage.served[i] else 0.0
        fade[0][i], fade[1][i], fade[2][i] = jump, LEFT * abs(jump), stage.fade_s[i]
        left = left or jump != 0.0
    return left


@also_compiled
def add_fading(fade: Any, tau: Any, dt: float) -> bool:
    """Add a fading wrench to tau and advance its decay by dt; return whether any of it is left."""
    wrench, least, seconds = fade[0], fade[1], fade[2]
    left = False
    for i in range(6):
        x = wrench[i]
        if x != 0.0:
            tau[i] += x
            x *= math.exp(-dt / seconds[i])
            wrench[i] = x = x if abs(x) > least[i] else 0.0
            left = left or x != 0.0
    return left


def wrench_of(schedule: Schedule, stage: Stage, actuation: Actuation, state: VehicleState) -> list[float]:
    """Steady-state wrench of an actuation on the axes that the actuators serve: X Y Z K M N, body axes, N and N m."""
    allocation = schedule.allocation
    wrench = [0.0] * 6
    if allocation.n:
        inflow = allocation.inflow(state.nu_r).tolist()
        rows = zip(allocation.curves, actuation.thrusters.tolist(), inflow, strict=True)
        thrust = (allocation.b @ [curve.thrust(drive, speed) for curve, drive, speed in rows]).tolist()
        for i in allocation.axes:
            wrench[i] = thrust[i]
    if len(actuation.surfaces):
        moments = stage.mix.reach @ actuation.surfaces
        for axis in stage.use_surfaces:
            wrench[axis] += float(moments[axis])
    return wrench
