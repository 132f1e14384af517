"""Sliding-mode laws of one vehicle at one speed, from its forces as the kernel has them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pelagos.control.base import HEAVE, PITCH, ROLL, SWAY, YAW
from pelagos.control.schedule import Schedule, Stage
from pelagos.control.sliding import NO_LAW, Chain, Law, sliding_law
from pelagos.control.tuning import Loop, plane

Array = NDArray[np.float64]

# Drag that is taken off as known: too much, on a hull smoother than its model, would push it on.
DRAG_KNOWN = 0.8
DIVE_SHARE = 0.8  # of the pitch that can be held, on the way to a depth
RATE_SHARE = 0.7  # of the rate of turn that the model says can be held: the hull may turn in more than it says
DIVE_FREQUENCY = 0.7  # of that of the pitch loop: depth is one integration further from the planes


@dataclass(frozen=True)
class Drag:
    """Force against a rate x of one axis: linear x + square x|x|, N or N m."""

    linear: float = 0.0
    square: float = 0.0

    def known(self, rate: float) -> float:
        """The part of it that is pushed against."""
        return DRAG_KNOWN * (self.linear + self.square * abs(rate)) * rate


NO_DRAG = Drag()  # where the linear law has it already


@dataclass(frozen=True)
class SlidingStage:
    """What `SlidingMode` needs at one speed."""

    served: frozenset[int]  # axes on which something acts
    mask: Array  # 1 on the axes that surfaces serve
    cancel: tuple[bool, bool, bool]  # where thrusters alone turn: the Munk moment is taken off as measured
    yaw: Law
    yaw_drag: Drag
    dive: Law
    trim_heave: float  # w of level flight, m/s
    trim_moment: float  # and its pitch moment, N m


def axis_drag(schedule: Schedule, axis: int, rate: float) -> Drag:
    """Drag of one axis against its own rate at rest, fitted at a rate and at half of it, mean of both senses."""

    def against(x: float) -> float:
        nu = np.zeros(6)
        nu[axis] = x
        response = schedule.response
        return 0.5 * float(response.wrench(-nu)[axis] - response.wrench(nu)[axis])

    full, half = against(rate), against(0.5 * rate)
    square = 2.0 * (full - 2.0 * half) / rate**2
    return Drag(full / rate - square * rate, square)


def hover_law(schedule: Schedule, axis: int, loop: Loop) -> tuple[Law, Drag]:
    """One axis by thrusters: M x_dot = m once the drag is known and taken off."""
    if not loop.works or not schedule.vehicle.free[axis]:
        return NO_LAW, NO_DRAG
    rate = loop.error_limit / loop.approach_s
    force = min(schedule.allocation.limit(axis, 1.0), schedule.allocation.limit(axis, -1.0))
    if axis == HEAVE:
        force -= abs(schedule.response.net_weight_n)
    mass = float(schedule.response.mass[axis, axis])
    chain = Chain(np.zeros((1, 1)), np.array([1.0 / mass]), np.ones(1), schedule.thruster_lag_s, 1, schedule.interval_s)
    return sliding_law(chain, loop.frequency, rate, force), axis_drag(schedule, axis, rate)


def make_stage(schedule: Schedule, stage: Stage) -> SlidingStage:
    """Laws at the speed of a stage of the schedule."""
    s, free = schedule, schedule.vehicle.free
    used, thrust = stage.use_surfaces, schedule.allocation.axes
    nu = np.array([stage.speed, 0.0, 0.0, 0.0, 0.0, 0.0])
    slope = s.response.slope(nu)
    yaw, yaw_drag = (_steering(s, stage, slope), NO_DRAG) if YAW in used else hover_law(s, YAW, stage.yaw)
    turns = (ROLL, PITCH, YAW)
    return SlidingStage(
        served=frozenset(i for i in {*thrust, *used} if free[i]),
        mask=np.array([1.0 if i in used else 0.0 for i in range(6)]),
        cancel=tuple(i in thrust and i not in used for i in turns),  # pyright: ignore[reportArgumentType]
        yaw=yaw,
        yaw_drag=yaw_drag,
        dive=_diving(s, stage, slope),
        trim_heave=stage.speed * float(np.tan(stage.trim_pitch)) if free[HEAVE] else 0.0,
        trim_moment=stage.trim_moment - s.response.righting(0.0, stage.trim_pitch)[1],
    )


def _lag(schedule: Schedule, stage: Stage, axis: int) -> float:
    by_thrust = schedule.thruster_lag_s if axis in schedule.allocation.axes else 0.0
    return max(stage.mix.lag_s if axis in stage.use_surfaces else 0.0, by_thrust)


def _moment(schedule: Schedule, stage: Stage, axis: int) -> float:
    thrust = min(schedule.allocation.limit(axis, 1.0), schedule.allocation.limit(axis, -1.0))
    return thrust + (stage.mix.limit(axis) if axis in stage.use_surfaces else 0.0)


def _steering(schedule: Schedule, stage: Stage, slope: Array) -> Law:
    """x = (v, r), y = psi."""
    free = schedule.vehicle.free
    if not stage.yaw.works:
        return NO_LAW
    ratio = stage.mix.cross_force(YAW)
    p = plane(schedule.response, slope, YAW, 0.0, ratio, stage.speed, _lag(schedule, stage, YAW), free)
    keep = [0, 1] if free[SWAY] else [1]
    chain = Chain(
        p.a[np.ix_(keep, keep)], p.b[keep], np.array([0.0, 1.0])[keep], p.lag_s, len(keep), schedule.interval_s
    )
    rate = RATE_SHARE * stage.yaw.error_limit / stage.yaw.approach_s
    return sliding_law(chain, stage.yaw.frequency, rate, _moment(schedule, stage, YAW))


def _diving(schedule: Schedule, stage: Stage, slope: Array) -> Law:
    """x = (w, q, theta), y = z, z_dot = w - u theta."""
    free = schedule.vehicle.free
    if not stage.pitch.works or stage.speed <= 0.0:
        return NO_LAW
    ratio = stage.mix.cross_force(PITCH) if PITCH in stage.use_surfaces else 0.0
    lag = _lag(schedule, stage, PITCH)
    p = plane(schedule.response, slope, PITCH, schedule.pitch_stiffness, ratio, stage.speed, lag, free)
    keep = [0, 1, 2] if free[HEAVE] else [1, 2]
    chain = Chain(
        p.a[np.ix_(keep, keep)],
        p.b[keep],
        np.array([1.0, 0.0, -stage.speed])[keep],
        lag,
        len(keep) - 1,
        schedule.interval_s,
    )
    rate = stage.speed * float(np.sin(DIVE_SHARE * stage.pitch_limit))
    return sliding_law(chain, DIVE_FREQUENCY * stage.pitch.frequency, rate, _moment(schedule, stage, PITCH))
