"""The control loops of the vectorised autopilot: from states and setpoints to the desired wrench of each vehicle.

This is `Autopilot.update` up to the wrench, written for records; the loops (pid), station keeping, righting and Munk
moments are the same functions as in the scalar autopilot. Altitudes and manual commands are left out.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pelagos.control import pid
from pelagos.control.autopilot import station, surface_limit
from pelagos.control.autopilot.autopilot import LAGGING, LOAD_SHARE
from pelagos.control.autopilot.station import APPROACH_S
from pelagos.control.autopilot.switching import LEFT, add_fading
from pelagos.control.base import HEAVE, PITCH, ROLL, SURGE, SWAY, YAW
from pelagos.control.tuning.response import munk_moments, righting_moments
from pelagos.control.vectorised.layout import (
    AT_DIVE,
    AT_HEAVE,
    AT_PITCH,
    AT_PLACE,
    AT_ROLL,
    AT_SURGE,
    AT_YAW,
    DEPTH,
    EAST,
    FADE_LEAST,
    FADE_S,
    FADE_WRENCH,
    HEADING,
    NORTH,
    PITCH_ANGLE,
    ROLL_ANGLE,
    SPEED,
    Stages,
    StateArrays,
    VehicleArrays,
)
from pelagos.engine.laws import also_compiled, clip, part_of_law

Array = NDArray[np.float64]

RADIANS = math.pi / 180.0
# Columns of `known`, the forces of the model with which loops begin: drag at the present speed, and the surge and sway
# force of the present motion.
KNOWN_DRAG, KNOWN_SURGE, KNOWN_SWAY = range(3)
# Numba resolves global functions and attributes of modules in them, but not attributes of packages.
step, condition, differenced, retune, forget = pid.step, pid.condition, pid.differenced, pid.retune, pid.forget
share, pull, to_world = surface_limit.share, station.pull, station.to_world


class WrenchMotion(NamedTuple):
    """The part of `VehicleStates` that the loops use."""

    pos_n: Array
    roll: Array
    pitch: Array
    yaw: Array
    nu: Array
    nu_r: Array


@also_compiled
def has(loops: int, at: int) -> bool:
    """Whether a loop is in a set of loops."""
    return loops & (1 << at) != 0


@part_of_law
def take_gains(i: int, row: int, lanes: StateArrays, stages: Stages) -> None:
    """Apply the gains of a new stage without a jump of the outputs."""
    lanes.lane[i].stage = row
    for j in range(4):  # the order of STAGED
        loop, gains = lanes.pid[i, AT_DIVE if j == 3 else j], stages.gains[row, j]
        retune(loop, gains.kp, gains.ki, gains.kd, gains.error_limit, gains.approach_s)
        loop.mass, loop.carry_s, loop.low, loop.high = gains.mass, gains.carry_s, gains.low, gains.high


@part_of_law
def desired_wrench(
    i: int, row: int, lanes: StateArrays, at: WrenchMotion, stages: Stages, hull: VehicleArrays, known: Array, dt: float
) -> bool:
    """Compute `lanes.desired` of one vehicle; False without a setpoint and a fading wrench. `known`: see KNOWN_DRAG."""
    lane, desired = lanes.lane[i], lanes.desired[i]
    required, active = lane.required, lane.active
    if required == 0 and active == 0 and not lane.fading:
        return False
    if row != lane.stage:
        take_gains(i, row, lanes, stages)
    start, switched = 0, required != active
    if switched:
        for j in range(6):
            if has(active & ~required, j):
                forget(lanes.pid[i, j])
        if has(active & ~required, AT_PLACE):
            lanes.load[i, 0] = lanes.load[i, 1] = 0.0
        if lane.applied:
            start = required & ~active
        lane.active = required
        lane.way_on = at.nu_r[i, 0] > 0.8 * stages.stage[row].speed
    if required != 0:
        wrench(i, lanes, at, stages, hull, known, start, dt)
    else:
        desired[:] = 0.0
    fade = lanes.fade[i]
    if lane.applied and switched:
        lane.fading = False
        for k in range(6):
            jump = lanes.tau[i, k] - desired[k] if stages.served[row, k] else 0.0
            fade[FADE_WRENCH, k], fade[FADE_LEAST, k], fade[FADE_S, k] = jump, LEFT * abs(jump), stages.fade_s[row, k]
            lane.fading = lane.fading or jump != 0.0
    if lane.fading:
        lane.fading = add_fading(fade[FADE_WRENCH], fade[FADE_LEAST], fade[FADE_S], desired, dt)
    return True


@also_compiled
def begin(loop: Any, applied: float, target: float, now: float, rate: float, forward: float, needed: float,
          most: float) -> None:  # fmt: skip
    """Start a loop from the last wrench; the applied force beyond the `needed` one is a load."""
    condition(loop, applied, target, now, rate, forward, clip(applied - needed, -most, most))


@part_of_law
def wrench(
    i: int,
    lanes: StateArrays,
    at: WrenchMotion,
    stages: Stages,
    hull: VehicleArrays,
    known: Array,
    start: int,
    dt: float,
) -> None:
    """Wrench of the loops: X Y Z K M N, body axes. Loops in `start` begin from the last wrench."""
    lane, desired, row = lanes.lane[i], lanes.desired[i], lanes.lane[i].stage
    served, loops = stages.served[row], lane.required
    sr, cr = math.sin(at.roll[i]), math.cos(at.roll[i])
    sp, cp = math.sin(at.pitch[i]), math.cos(at.pitch[i])
    down = lanes.down[i]
    down[0], down[1], down[2] = -sp, cp * sr, cp * cr
    x = y = z = trim = 0.0
    angle = lanes.held[i, PITCH_ANGLE]
    pitch_cmd = 0.0 if angle != angle else angle * RADIANS
    if has(loops, AT_SURGE):
        loop, speed_now = lanes.pid[i, AT_SURGE], at.nu_r[i, 0]
        if has(start, AT_SURGE):
            most = stages.most[row, SURGE]
            begin(loop, lanes.tau[i, SURGE], lane.speed, speed_now, 0.0, lane.drag, known[i, KNOWN_DRAG], most)
        x = step(loop, lane.speed, speed_now, dt, differenced(loop, speed_now, dt), lane.drag)
    elif has(loops, AT_PLACE):
        if has(start, AT_PLACE):
            a, b = stages.most[row, SURGE], stages.most[row, SWAY]
            ahead = clip(lanes.tau[i, SURGE] + known[i, KNOWN_SURGE], -a, a)
            aside = clip(lanes.tau[i, SWAY] + known[i, KNOWN_SWAY], -b, b)
            lanes.load[i, 0], lanes.load[i, 1] = to_world(ahead, aside, at.yaw[i])
        u, v, w = at.nu[i, 0], at.nu[i, 1], at.nu[i, 2]
        fastest = lanes.held[i, SPEED]
        limit = (hull.place_fastest if fastest != fastest else fastest) * hull.place[APPROACH_S]
        north, east = lanes.held[i, NORTH] - at.pos_n[i, 0], lanes.held[i, EAST] - at.pos_n[i, 1]
        u, v = u * cp + (v * sr + w * cr) * sp, v * cr - w * sr
        ahead, aside, i_n, i_e = pull(
            hull.place, limit, north, east, u, v, lanes.load[i, 0], lanes.load[i, 1], at.yaw[i], dt
        )
        lanes.load[i, 0], lanes.load[i, 1] = i_n, i_e
        x, y, z = cp * ahead, sr * sp * ahead + cr * aside, cr * sp * ahead - sr * aside
    lane.surfaced = False
    if has(loops, AT_DIVE):
        pitch_cmd, trim = by_pitch(i, lanes, at, stages, hull, start, dt), stages.stage[row].trim_moment
    elif has(loops, AT_HEAVE):
        force = by_lift(i, lanes, at, stages, hull, start, dt)
        x, y, z = x + down[0] * force, y + down[1] * force, z + down[2] * force
    lane.pitch_cmd = pitch_cmd
    desired[SURGE] = x if served[SURGE] else 0.0
    desired[SWAY] = y if served[SWAY] else 0.0
    desired[HEAVE] = z if served[HEAVE] else 0.0
    moments(i, lanes, at, stages, hull, trim, start, dt)


@part_of_law
def depth_rate(i: int, lanes: StateArrays, at: WrenchMotion) -> float:
    """Rate of depth, m/s."""
    down = lanes.down[i]
    return down[0] * at.nu[i, 0] + down[1] * at.nu[i, 1] + down[2] * at.nu[i, 2]


@part_of_law
def by_pitch(
    i: int, lanes: StateArrays, at: WrenchMotion, stages: Stages, hull: VehicleArrays, start: int, dt: float
) -> float:
    """Pitch setpoint of the depth loop."""
    lane, loop, stage = lanes.lane[i], lanes.pid[i, AT_DIVE], stages.stage[lanes.lane[i].stage]
    trim, most = -stage.trim_pitch, stage.pitch_limit
    target, depth, rate = lanes.held[i, DEPTH], at.pos_n[i, 2], depth_rate(i, lanes, at)
    if has(start, AT_DIVE):
        room = LOAD_SHARE * most if lane.way_on else 0.0
        load = clip(-lane.pitch_cmd - rate / max(stage.speed, 1e-6) - trim, -room, room)
        condition(loop, -lane.pitch_cmd, target, depth, rate, trim, load)
    integral, lagging = loop.integral, abs(lane.pitch_cmd - at.pitch[i]) > LAGGING
    pitch = -step(loop, target, depth, dt, rate, trim)
    # Without way, or at the surface, pitch does not follow its setpoint: that is no error of the trim to learn.
    afloat = share(target, depth, *hull.surface_limit)
    lane.surfaced = afloat > 0.0
    if lagging or lane.surfaced:
        loop.integral = integral
    return clip(pitch + afloat * (integral + trim), -most, most) if lane.surfaced else pitch


@part_of_law
def by_lift(
    i: int, lanes: StateArrays, at: WrenchMotion, stages: Stages, hull: VehicleArrays, start: int, dt: float
) -> float:
    """Vertical force of the depth loop, positive down."""
    loop, down, tau = lanes.pid[i, AT_HEAVE], lanes.down[i], lanes.tau[i]
    target, depth, rate = lanes.held[i, DEPTH], at.pos_n[i, 2], depth_rate(i, lanes, at)
    if has(start, AT_HEAVE):
        applied = down[0] * tau[0] + down[1] * tau[1] + down[2] * tau[2]
        needed = (loop.approach_s * loop.kp - loop.kd) * rate + hull.weight
        begin(loop, applied, target, depth, rate, hull.weight, needed, stages.most[lanes.lane[i].stage, HEAVE])
    integral = loop.integral
    force = step(loop, target, depth, dt, rate, hull.weight)
    if share(target, depth, *hull.surface_limit) > 0.0:
        loop.integral = integral
    return force


@part_of_law
def moments(
    i: int,
    lanes: StateArrays,
    at: WrenchMotion,
    stages: Stages,
    hull: VehicleArrays,
    trim: float,
    start: int,
    dt: float,
) -> None:
    """Compute the roll, pitch and yaw moments in `lanes.desired`."""
    lane, row, desired, tau = lanes.lane[i], lanes.lane[i].stage, lanes.desired[i], lanes.tau[i]
    served, loops = stages.served[row], lane.required
    p, q, r = at.nu[i, 3], at.nu[i, 4], at.nu[i, 5]
    roll, pitch, yaw, pitch_cmd = at.roll[i], at.pitch[i], at.yaw[i], lane.pitch_cmd
    munk_k, munk_m, munk_n = munk_moments(at.nu_r[i], *hull.munk)
    alone = stages.by_thrust[row]
    munk_k = munk_k if alone[0] else 0.0
    munk_m = munk_m if alone[1] else 0.0
    munk_n = munk_n if alone[2] else 0.0
    angle = lanes.held[i, ROLL_ANGLE]
    roll_cmd = 0.0 if angle != angle else angle * RADIANS
    right_k, right_m = righting_moments(roll_cmd, pitch_cmd, *hull.levers)
    here_k = here_m = 0.0
    if has(start, AT_ROLL) or has(start, AT_PITCH):
        here_k, here_m = righting_moments(roll, pitch, *hull.levers)
    desired[ROLL] = desired[PITCH] = desired[YAW] = 0.0
    if served[ROLL] and has(loops, AT_ROLL):
        loop, forward = lanes.pid[i, AT_ROLL], -right_k - munk_k
        if has(start, AT_ROLL):
            begin(loop, tau[ROLL], roll_cmd, roll, p, forward, -here_k - munk_k, largest(i, ROLL, lanes, stages))
        desired[ROLL] = step(loop, roll_cmd, roll, dt, p, forward)
    if served[PITCH] and has(loops, AT_PITCH):
        loop, forward = lanes.pid[i, AT_PITCH], trim - right_m - munk_m
        if has(start, AT_PITCH):
            needed = trim - here_m - munk_m
            begin(loop, tau[PITCH], pitch_cmd, pitch, q, forward, needed, largest(i, PITCH, lanes, stages))
        learnt = loop.integral
        desired[PITCH] = step(loop, pitch_cmd, pitch, dt, q, forward)
        if lane.surfaced:
            loop.integral = learnt
    if has(loops, AT_YAW) and served[YAW]:
        loop, target = lanes.pid[i, AT_YAW], lanes.held[i, HEADING] * RADIANS
        # Rate of the Euler angle psi; near the pole of the angles the divisor is kept off zero.
        rate = (q * math.sin(roll) + r * math.cos(roll)) / max(math.cos(pitch), 0.1)
        if has(start, AT_YAW):
            needed = (loop.approach_s * loop.kp - loop.kd) * rate - munk_n
            begin(loop, tau[YAW], target, yaw, rate, -munk_n, needed, largest(i, YAW, lanes, stages))
        desired[YAW] = step(loop, target, yaw, dt, rate, -munk_n)


@part_of_law
def largest(i: int, axis: int, lanes: StateArrays, stages: Stages) -> float:
    """Largest load that a loop may begin with; without way, fin angles do not indicate one."""
    row = lanes.lane[i].stage
    return 0.0 if stages.by_fins[row, axis - ROLL] and not lanes.lane[i].way_on else stages.most[row, axis]
