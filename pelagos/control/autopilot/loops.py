"""The control loops of the autopilot: from setpoints and motion to the desired wrench, for one vehicle and for many.

The functions take records by their fields and sequences by index: the Python objects of `Autopilot`, or the rows of the
arrays of `control.vectorised`, for which they are compiled (engine.laws). A set of loops is a sum of 1 << index. The
caller computes what needs the model of the vehicle: stages, drags, and the forces `known` with which loops begin.

Setpoints are in the order and units of `messages.Setpoint`, NaN: not held. SI units, radians, body axes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from pelagos.control import pid
from pelagos.control.autopilot import station, surface_limit
from pelagos.control.autopilot.station import StationGains
from pelagos.control.autopilot.surface_limit import SurfaceLimit, limit_of
from pelagos.control.base import HEAVE, PITCH, ROLL, SURGE, SWAY, YAW, heading_rate, level_velocity, turned
from pelagos.control.tuning.gains import fade_seconds
from pelagos.control.tuning.response import munk_moments, righting_moments
from pelagos.control.tuning.schedule import Schedule, Stage
from pelagos.engine.laws import clip, part_of_law
from pelagos.messages import QUANTITIES

LAGGING = 0.1  # rad: a larger error of pitch freezes the integral of depth
LOAD_SHARE = 0.5  # of the reach of an axis: the largest steady load that a loop starts with
WAY_SHARE = 0.8  # of the speed of the stage: a slower vehicle has no way, and its fin angles do not indicate a load
NEGLIGIBLE = 1e-9  # N, N m: a smaller missed force is rounding
RADIANS = math.pi / 180.0

LOOPS = ("yaw", "pitch", "roll", "heave", "surge", "dive", "place")  # a place has no PID (station)
AT_YAW, AT_PITCH, AT_ROLL, AT_HEAVE, AT_SURGE, AT_DIVE, AT_PLACE = range(7)
ON_YAW, ON_PITCH, ON_ROLL, ON_HEAVE, ON_SURGE, ON_DIVE, ON_PLACE = (1 << k for k in range(7))
DEPTH, HEADING, SPEED, PITCH_ANGLE, ROLL_ANGLE, ALTITUDE, NORTH, EAST = (QUANTITIES.index(name) for name in QUANTITIES)
STAGED = (AT_YAW, AT_PITCH, AT_ROLL, AT_DIVE)  # loops whose gains go with the speed
TRACKED = ((AT_SURGE, SURGE), (AT_YAW, YAW), (AT_PITCH, PITCH), (AT_ROLL, ROLL))  # loops of one axis each

# Columns of `known`, the forces of the model with which loops begin: drag at the present speed, the surge and sway
# force of the present motion, and, where a pilot moves the vehicle, the resistance to its heave and yaw (else NaN).
KNOWN_DRAG, KNOWN_SURGE, KNOWN_SWAY, KNOWN_HEAVE, KNOWN_YAW = range(5)

# Numba resolves global functions and attributes of modules in them, but not attributes of packages.
step, condition, differenced, forget = pid.step, pid.condition, pid.differenced, pid.forget
retune, track = pid.retune, pid.track
share, pull = surface_limit.share, station.pull


@dataclass
class LoopState:
    """State of the loops of one vehicle, beside that of its PIDs."""

    required: int = 0  # loops of the setpoint
    active: int = 0  # loops that ran at the last update
    applied: bool = False  # whether there is a last wrench to continue from
    way_on: bool = False  # whether the last switching was under way
    fading: bool = False
    moved: bool = False  # depth became an altitude, or the reverse, at this update
    surfaced: bool = False  # afloat below a depth setpoint that is further up
    speed: float = 0.0  # setpoint, m/s
    drag: float = 0.0  # at that speed, N
    pitch_cmd: float = 0.0
    load_n: float = 0.0  # integral of the place, N, north and east
    load_e: float = 0.0


class LoopConstants(NamedTuple):
    """Constants of one type of vehicle."""

    levers: tuple[float, ...]  # last five arguments of response.righting_moments
    munk: tuple[float, ...]  # last four arguments of response.munk_moments
    weight: float  # feedforward of depth by thrust, N
    surface_limit: SurfaceLimit
    place: StationGains


class ActiveStage:
    """A stage as the loops use it: numbers of the `Stage`, and by axis what serves it."""

    def __init__(self, schedule: Schedule, stage: Stage) -> None:
        axes, used = schedule.allocation.axes, stage.use_surfaces
        self.speed, self.pitch_limit = stage.speed, stage.pitch_limit
        self.trim_pitch, self.trim_moment = stage.trim_pitch, stage.trim_moment
        self.served = [(i in axes or i in used) and schedule.vehicle.free[i] for i in range(6)]
        self.by_fins = [i in used for i in (ROLL, PITCH, YAW)]
        self.by_thrust = [i in axes and i not in used for i in (ROLL, PITCH, YAW)]  # by thrusters alone
        fading = (schedule.surge, schedule.place[1], schedule.heave, stage.roll, stage.pitch, stage.yaw)  # by axis
        self.fade_s = [fade_seconds(loop.frequency) for loop in fading]
        self.gains = [  # of the loops STAGED; a hull steered by a rudder drifts, so no mass describes its yaw
            stage.yaw.gains(self.by_thrust[2]), stage.pitch.gains(), stage.roll.gains(),
            stage.dive.gains(stage.speed, stage.pitch_limit),
        ]  # fmt: skip
        self.most = [0.0] * 6  # see `largest_loads`, which is slow: filled where a loop begins


def largest_loads(schedule: Schedule, stage: Stage) -> list[float]:
    """Largest steady load on each axis that a loop starts with."""
    return [LOAD_SHARE * schedule.reach(axis, stage) for axis in range(6)]


def constants_of(schedule: Schedule) -> LoopConstants:
    """Collect the constants of a vehicle."""
    response = schedule.response
    return LoopConstants(
        # floats: a whole number in a vehicle file would make Numba compile the laws for another type
        tuple(float(x) for x in (*response.levers, *response.extra_stiffness)),
        tuple(float(x) for x in (*schedule.munk, schedule.late_s)),
        -response.net_weight_n,
        limit_of(schedule.vehicle),
        station.gains_of(*schedule.place),
    )


def loops_of(names: Iterable[str]) -> int:
    """The set of loops with these names."""
    return sum(1 << LOOPS.index(name) for name in names)


@part_of_law
def clear(lane: Any, pids: Any) -> None:
    """Forget integrals and the last wrench."""
    for k in range(6):
        forget(pids[k])
    lane.active = 0
    lane.applied = lane.way_on = lane.fading = lane.moved = lane.surfaced = False
    lane.pitch_cmd = lane.load_n = lane.load_e = 0.0


@part_of_law
def take_gains(pids: Any, gains: Any) -> None:
    """Apply the gains of a stage without a jump of the outputs. Integrals are in N and N m, so they remain valid."""
    for k in range(4):
        retune(pids[STAGED[k]], gains[k])


@part_of_law
def switch(lane: Any, pids: Any, surge: float, stage: Any) -> int:
    """Forget the loops that end; returns those that begin from an applied wrench."""
    ended = lane.active & ~lane.required
    for k in range(6):
        if ended & (1 << k):
            forget(pids[k])
    if ended & ON_PLACE:
        lane.load_n = lane.load_e = 0.0
    start = lane.required & ~lane.active if lane.applied else 0
    lane.active = lane.required
    lane.way_on = surge > WAY_SHARE * stage.speed
    return start


@part_of_law
def begin(loop: Any, applied: float, target: float, now: float, rate: float, forward: float, needed: float,
          most: float) -> None:  # fmt: skip
    """Start a loop from the last wrench; the applied force beyond the `needed` one is a load."""
    condition(loop, applied, target, now, rate, forward, clip(applied - needed, -most, most))


@part_of_law
def needed_for(loop: Any, rate: float, forward: float, resistance: float) -> float:
    """Force that the present motion takes by the model: by the linear damping, or the `resistance` unless NaN."""
    if resistance == resistance:  # a pilot moves faster than the linear damping is valid
        return forward + resistance
    return (loop.approach_s * loop.kp - loop.kd) * rate + forward


@part_of_law
def wrench(lane: Any, pids: Any, held: Any, target: float, depth_rate: float, roll: float, pitch: float, yaw: float,
           pos: Any, nu: Any, flow: Any, down: Any, last: Any, stage: Any, constants: LoopConstants, known: Any,
           start: int, dt: float, desired: Any) -> None:  # fmt: skip
    """Compute the wrench of the loops, `desired` (X Y Z K M N). Loops in `start` begin from the `last` wrench.

    `target` is the depth to hold, also for an altitude, and `depth_rate` the rate relative to it; `pos` is north, east,
    down; `nu` and `flow` are the velocity over ground and through the water, `down` the unit vector down, in body axes.
    """
    served, loops = stage.served, lane.required
    x = y = z = trim = 0.0
    angle = held[PITCH_ANGLE]
    pitch_cmd = 0.0 if angle != angle else angle * RADIANS
    if loops & ON_SURGE:
        loop, speed = pids[AT_SURGE], flow[0]
        if start & ON_SURGE:
            begin(loop, last[SURGE], lane.speed, speed, 0.0, lane.drag, known[KNOWN_DRAG], stage.most[SURGE])
        x = step(loop, lane.speed, speed, dt, differenced(loop, speed, dt), lane.drag)
    elif loops & ON_PLACE:
        x, y, z = to_place(lane, held, roll, pitch, yaw, pos, nu, last, stage, constants, known, start, dt)
    lane.surfaced = False
    if loops & ON_DIVE:
        pitch_cmd = by_pitch(lane, pids[AT_DIVE], target, pos[2], depth_rate, pitch, stage, constants, start, dt)
        trim = stage.trim_moment
    elif loops & ON_HEAVE:
        loop, depth, weight = pids[AT_HEAVE], pos[2], constants.weight
        if start & ON_HEAVE:
            applied = down[0] * last[0] + down[1] * last[1] + down[2] * last[2]
            needed = needed_for(loop, depth_rate, weight, known[KNOWN_HEAVE])
            begin(loop, applied, target, depth, depth_rate, weight, needed, stage.most[HEAVE])
        elif lane.moved:
            condition(loop, loop.unsaturated, target, depth, depth_rate, weight, loop.integral)
        integral = loop.integral
        force = step(loop, target, depth, dt, depth_rate, weight)
        if share(target, depth, constants.surface_limit) > 0.0:
            loop.integral = integral
        x, y, z = x + down[0] * force, y + down[1] * force, z + down[2] * force
    lane.pitch_cmd = pitch_cmd
    desired[SURGE] = x if served[SURGE] else 0.0
    desired[SWAY] = y if served[SWAY] else 0.0
    desired[HEAVE] = z if served[HEAVE] else 0.0
    moments(lane, pids, held, pitch_cmd, trim, roll, pitch, yaw, nu, flow, last, stage, constants, known, start, dt,
            desired)  # fmt: skip


@part_of_law
def to_place(lane: Any, held: Any, roll: float, pitch: float, yaw: float, pos: Any, nu: Any, last: Any, stage: Any,
             constants: LoopConstants, known: Any, start: int, dt: float) -> tuple[float, float, float]:  # fmt: skip
    """Force of station keeping, which is horizontal."""
    sr, cr, sp, cp = math.sin(roll), math.cos(roll), math.sin(pitch), math.cos(pitch)
    gains = constants.place
    if start & ON_PLACE:
        a, b = stage.most[SURGE], stage.most[SWAY]
        ahead = clip(last[SURGE] + known[KNOWN_SURGE], -a, a)
        aside = clip(last[SWAY] + known[KNOWN_SWAY], -b, b)
        lane.load_n, lane.load_e = turned(ahead, aside, yaw)
    u, v, w, fastest = nu[0], nu[1], nu[2], held[SPEED]
    limit = (gains.fastest if fastest != fastest else fastest) * gains.approach_s
    north, east = held[NORTH] - pos[0], held[EAST] - pos[1]
    u, v = level_velocity(u, v, w, sr, cr, sp, cp)
    ahead, aside, lane.load_n, lane.load_e = pull(gains, limit, north, east, u, v, lane.load_n, lane.load_e, yaw, dt)
    return cp * ahead, sr * sp * ahead + cr * aside, cr * sp * ahead - sr * aside


@part_of_law
def by_pitch(lane: Any, loop: Any, target: float, depth: float, rate: float, pitch: float, stage: Any,
             constants: LoopConstants, start: int, dt: float) -> float:  # fmt: skip
    """Pitch setpoint of the depth loop."""
    trim, most = -stage.trim_pitch, stage.pitch_limit
    if start & ON_DIVE:
        room = LOAD_SHARE * most if lane.way_on else 0.0
        load = clip(-lane.pitch_cmd - rate / max(stage.speed, 1e-6) - trim, -room, room)
        condition(loop, -lane.pitch_cmd, target, depth, rate, trim, load)
    elif lane.moved:
        condition(loop, loop.unsaturated, target, depth, rate, trim, loop.integral)
    integral, lagging = loop.integral, abs(lane.pitch_cmd - pitch) > LAGGING
    pitch_cmd = -step(loop, target, depth, dt, rate, trim)
    # Without way, or at the surface, pitch does not follow its setpoint: that is no error of the trim to learn.
    afloat = share(target, depth, constants.surface_limit)
    lane.surfaced = afloat > 0.0
    if lagging or lane.surfaced:
        loop.integral = integral
    return clip(pitch_cmd + afloat * (integral + trim), -most, most) if lane.surfaced else pitch_cmd


@part_of_law
def moments(lane: Any, pids: Any, held: Any, pitch_cmd: float, trim: float, roll: float, pitch: float, yaw: float,
            nu: Any, flow: Any, last: Any, stage: Any, constants: LoopConstants, known: Any, start: int, dt: float,
            desired: Any) -> None:  # fmt: skip
    """Compute the roll, pitch and yaw moments in `desired`."""
    served, loops, alone = stage.served, lane.required, stage.by_thrust
    munk_k = munk_m = munk_n = 0.0
    if alone[0] or alone[1] or alone[2]:
        munk_k, munk_m, munk_n = munk_moments(flow, *constants.munk)
        munk_k = munk_k if alone[0] else 0.0
        munk_m = munk_m if alone[1] else 0.0
        munk_n = munk_n if alone[2] else 0.0
    angle = held[ROLL_ANGLE]
    roll_cmd = 0.0 if angle != angle else angle * RADIANS
    right_k, right_m = righting_moments(roll_cmd, pitch_cmd, *constants.levers)
    here_k = here_m = 0.0
    if start & (ON_ROLL | ON_PITCH):
        here_k, here_m = righting_moments(roll, pitch, *constants.levers)
    desired[ROLL] = desired[PITCH] = desired[YAW] = 0.0
    if loops & ON_ROLL and served[ROLL]:
        loop, forward, rate = pids[AT_ROLL], -right_k - munk_k, nu[3]
        if start & ON_ROLL:
            begin(loop, last[ROLL], roll_cmd, roll, rate, forward, -here_k - munk_k, largest(lane, stage, ROLL))
        desired[ROLL] = step(loop, roll_cmd, roll, dt, rate, forward)
    if loops & ON_PITCH and served[PITCH]:
        loop, forward, rate = pids[AT_PITCH], trim - right_m - munk_m, nu[4]
        if start & ON_PITCH:
            needed = trim - here_m - munk_m
            begin(loop, last[PITCH], pitch_cmd, pitch, rate, forward, needed, largest(lane, stage, PITCH))
        learnt = loop.integral
        desired[PITCH] = step(loop, pitch_cmd, pitch, dt, rate, forward)
        if lane.surfaced:
            loop.integral = learnt
    if loops & ON_YAW and served[YAW]:
        loop, target = pids[AT_YAW], held[HEADING] * RADIANS
        rate = heading_rate(roll, pitch, nu[4], nu[5])
        if start & ON_YAW:
            needed = needed_for(loop, rate, -munk_n, known[KNOWN_YAW])
            begin(loop, last[YAW], target, yaw, rate, -munk_n, needed, largest(lane, stage, YAW))
        desired[YAW] = step(loop, target, yaw, dt, rate, -munk_n)


@part_of_law
def largest(lane: Any, stage: Any, axis: int) -> float:
    """Largest load that a loop of attitude may begin with; without way, fin angles do not indicate one."""
    return 0.0 if stage.by_fins[axis - ROLL] and not lane.way_on else stage.most[axis]


@part_of_law
def track_missed(lane: Any, pids: Any, tracked: int, missed: Any, yaw: float, down: Any, stage: Any,
                 constants: LoopConstants, dt: float) -> None:  # fmt: skip
    """Correct the integrals of the `tracked` loops for the missed part of the wrench (back-calculation)."""
    served = stage.served
    for at, axis in TRACKED:
        if tracked & (1 << at) and served[axis] and abs(missed[axis]) > NEGLIGIBLE:
            track(pids[at], pids[at].unsaturated + missed[axis], dt)
    if tracked & ON_PLACE:
        north, east = turned(missed[SURGE], missed[SWAY], yaw)
        part = min(1.0, dt / constants.place.tracking_s)
        lane.load_n += part * north
        lane.load_e += part * east
    if tracked & ON_HEAVE:
        lost = 0.0
        for k in range(3):
            if served[k]:
                lost += down[k] * missed[k]
        if abs(lost) > NEGLIGIBLE:
            track(pids[AT_HEAVE], pids[AT_HEAVE].unsaturated + lost, dt)
