"""Going over from one way of control to another without a jump: the last wrench, and what is left of it.

A loop that begins starts from the last force by itself (pid, `condition`). What no loop of the new kind answers for,
such as the thrust of a speed that is no longer held, fades: exp(-t / T) on each axis, T = 1 / (2 w) with w the
frequency of its loop.
"""

from __future__ import annotations

import math
from typing import Any

from pelagos.control.base import HEAVE, PITCH, ROLL, SURGE, SWAY, YAW
from pelagos.control.tuning.schedule import Schedule, Stage
from pelagos.engine.laws import also_compiled
from pelagos.messages import Actuation, VehicleState

LEFT = 1e-3  # of what was there, below which nothing is left
SECONDS = 1.0  # where no loop says how quick the axis is


class WrenchFade:
    """A wrench that dies away."""

    def __init__(self) -> None:
        self.left = False
        self._wrench = [0.0] * 6
        self._least = [0.0] * 6
        self.seconds = [SECONDS] * 6

    def begin(self, wrench: list[float], schedule: Schedule, stage: Stage) -> None:
        """Fade from here on, at the pace of the loops of each axis."""
        loops = {
            SURGE: schedule.surge, SWAY: schedule.place[1], HEAVE: schedule.heave,
            ROLL: stage.roll, PITCH: stage.pitch, YAW: stage.yaw,
        }  # fmt: skip
        self.seconds = [0.5 / loops[i].frequency if loops[i].frequency > 0.0 else SECONDS for i in range(6)]
        self._wrench = wrench
        self._least = [LEFT * abs(x) for x in wrench]
        self.left = any(wrench)

    def add(self, tau: list[float], dt: float) -> None:
        """Put what is left on top of a wrench, and let it fade for dt."""
        self.left = add_fading(self._wrench, self._least, self.seconds, tau, dt)


@also_compiled
def add_fading(wrench: Any, least: Any, seconds: Any, tau: Any, dt: float) -> bool:
    """Put a fading wrench on top of tau and let it fade for dt; whether anything is left."""
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
    """The wrench that actuators give at steady state, on the axes they serve: X Y Z K M N, N and N m in the body."""
    allocation = schedule.allocation
    wrench = [0.0] * 6
    if allocation.n:
        inflow = allocation.inflow(state.nu_r).tolist()
        rows = zip(allocation.curves, actuation.thrusters.tolist(), inflow, strict=True)
        given = (allocation.b @ [curve.thrust(drive, speed) for curve, drive, speed in rows]).tolist()
        for i in allocation.axes:
            wrench[i] = given[i]
    if len(actuation.surfaces):
        moments = stage.mix.reach @ actuation.surfaces
        for axis in stage.use_surfaces:
            wrench[axis] += float(moments[axis])
    return wrench
