"""Bumpless transfer between control modes: the last wrench fades out instead of jumping.

A loop that begins starts from the last force by itself (`pid.condition`). The rest of the last wrench, which no loop of
the new mode covers, such as the thrust of a released speed setpoint, fades with exp(-t / T) on each axis,
T = 1 / (2 w), w the frequency of the loop of the axis.
"""

from __future__ import annotations

import math
from typing import Any

from pelagos.control.base import HEAVE, PITCH, ROLL, SURGE, SWAY, YAW
from pelagos.control.tuning.schedule import Schedule, Stage
from pelagos.engine.laws import also_compiled
from pelagos.messages import Actuation, VehicleState

LEFT = 1e-3  # of the initial value: a smaller rest is set to zero
SECONDS = 1.0  # time constant of an axis without a loop


class WrenchFade:
    """A wrench that decays exponentially on each axis; `left` while it is not zero."""

    def __init__(self) -> None:
        self.left = False
        self._wrench = [0.0] * 6
        self._least = [0.0] * 6
        self.seconds = [SECONDS] * 6

    def begin(self, wrench: list[float], schedule: Schedule, stage: Stage) -> None:
        """Start to fade a wrench, with the time constant of the loop of each axis."""
        loops = {
            SURGE: schedule.surge, SWAY: schedule.place[1], HEAVE: schedule.heave,
            ROLL: stage.roll, PITCH: stage.pitch, YAW: stage.yaw,
        }  # fmt: skip
        self.seconds = [0.5 / loops[i].frequency if loops[i].frequency > 0.0 else SECONDS for i in range(6)]
        self._wrench = wrench
        self._least = [LEFT * abs(x) for x in wrench]
        self.left = any(wrench)

    def add(self, tau: list[float], dt: float) -> None:
        """Add the fading wrench to `tau`, and advance the decay by dt."""
        self.left = add_fading(self._wrench, self._least, self.seconds, tau, dt)


@also_compiled
def add_fading(wrench: Any, least: Any, seconds: Any, tau: Any, dt: float) -> bool:
    """Add a fading wrench to tau and advance its decay by dt; return whether any of it is left."""
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
