"""From the wrench asked for to fins and thrusters, for many vehicles: `Autopilot._share` and the curves, compiled.

`fly` does a whole tick. Fins that several axes share, and thrusters, are brought inside their limits by the functions
of the scalar code (limited). Where a supply that thrusters share is the limit, vehicles are marked, the scalar
allocation decides for them (many), and `finish` goes on.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pelagos.control import pid
from pelagos.control.allocation.bounded_lsq import push_within, turn_within
from pelagos.control.autopilot.station import to_world
from pelagos.control.base import PITCH, ROLL, SURGE, YAW
from pelagos.control.vectorised.layout import (
    AT_HEAVE,
    AT_PITCH,
    AT_PLACE,
    AT_ROLL,
    AT_SURGE,
    AT_YAW,
    Stages,
    StateArrays,
    VehicleArrays,
)
from pelagos.control.vectorised.wrench import WrenchMotion, ask, has
from pelagos.engine.laws import also_compiled, law, part_of_law
from pelagos.vehicle.thruster_curve import root

Array = NDArray[np.float64]

HEARD = 1e-9  # N, N m: less than that is not missed
track = pid.track


@law
def fly(
    lanes: StateArrays, rows: NDArray[np.int64], at: WrenchMotion, stages: Stages, hull: VehicleArrays, known: Array,
    dt: float, drives: Array, angles: Array, left: NDArray[np.bool_],
) -> int:  # fmt: skip
    """One tick of all vehicles. `left[i]`: the thrusts of one are still to be decided; returns how many such there are.

    `rows` is the stage of each, `known` see many_wrench. Demands go into `drives` and `angles`.
    """
    marked = 0
    for i in range(rows.size):
        left[i] = False
        if not ask(i, rows[i], lanes, at, stages, hull, known, dt):
            drives[i, :] = 0.0
            angles[i, :] = 0.0
            continue
        deflect(i, lanes, stages, angles)
        if push(i, lanes, hull):
            finish_one(i, lanes, at, hull, stages, dt, drives)
        else:
            left[i] = True
            marked += 1
    return marked


@law
def finish(
    some: NDArray[np.int64],
    lanes: StateArrays,
    at: WrenchMotion,
    hull: VehicleArrays,
    stages: Stages,
    dt: float,
    drives: Array,
) -> None:
    """The rest of the tick for vehicles whose thrusts have been decided elsewhere."""
    for i in some:
        finish_one(i, lanes, at, hull, stages, dt, drives)


@part_of_law
def deflect(i: int, lanes: StateArrays, stages: Stages, angles: Array) -> None:
    """Fins first: their angles, what they give, and what is left for the thrusters."""
    row, asked, given = lanes.lane[i].stage, lanes.asked[i], lanes.given[i]
    angle, count = angles[i], angles.shape[1]
    given[:] = 0.0
    angle[:] = 0.0
    stage, used = stages.stage[row], stages.by_fins[row]
    if stage.uses_fins:
        wanted, over = lanes.rest[i, 3:], False
        for k in range(3):
            wanted[k] = asked[3 + k] if used[k] else 0.0
        for j in range(count):
            fin = stages.fins[row, j]
            angle[j], limit = fin[0] * wanted[0] + fin[1] * wanted[1] + fin[2] * wanted[2], fin[3]
            if not -limit <= angle[j] <= limit:
                over, angle[j] = True, limit if angle[j] > 0.0 else -limit
        if over and stage.fins_shared:
            shares = stages.fin_shares
            turn_within(wanted, stages.fin_weighted[row], stages.fin_weights[row], stages.fin_alone[row],
                        stages.fin_normal[row], shares, stages.fin_work)  # fmt: skip
            for j in range(count):
                angle[j] = shares[j] * stages.fins[row, j, 3]
        for j in range(count):
            for k in range(3):
                if used[k]:
                    given[3 + k] = given[3 + k] + stages.fins[row, j, 4 + k] * angle[j]
    for k in range(6):
        lanes.rest[i, k] = asked[k] - given[k]


@part_of_law
def push(i: int, lanes: StateArrays, hull: VehicleArrays) -> bool:
    """Thrusts by the pseudo-inverse, or the best within the limits; False where a shared supply is the limit."""
    thrust, rest, over = lanes.thrust[i], lanes.rest[i], False
    count = thrust.size
    for j in range(count):
        force = 0.0
        for k in range(6):
            force += hull.inverse[j, k] * rest[k]
        over = over or force > hull.limits[1, j] or force < hull.limits[0, j]
        thrust[j] = force
    for g in range(hull.room.size):
        total = 0.0
        for j in range(count):
            total += hull.pumps[g, j] * abs(thrust[j])
        if over or total > hull.room[g] * (1.0 + 1e-12):
            return False
    if over and count == 1:
        thrust[0] = min(max(thrust[0], hull.limits[0, 0]), hull.limits[1, 0])
    elif over:
        push_within(rest, hull.inverse, hull.weighted, hull.weights, hull.reach, hull.normal, hull.limits, thrust,
                    hull.work)  # fmt: skip
    return True


@part_of_law
def finish_one(
    i: int, lanes: StateArrays, at: WrenchMotion, hull: VehicleArrays, stages: Stages, dt: float, drives: Array
) -> None:
    """Drives for the thrusts; then each integral hears what became of its demand."""
    tau, thrust, missed, flow = lanes.tau[i], lanes.thrust[i], lanes.rest[i], at.nu_r[i]
    for k in range(6):
        tau[k] = lanes.given[i, k]
        if hull.axes[k]:
            force = 0.0
            for j in range(thrust.size):
                force += hull.effect[k, j] * thrust[j]
            tau[k] = tau[k] + force
    square, speed = flow[0] * flow[0], math.sqrt(flow[0] * flow[0] + flow[1] * flow[1] + flow[2] * flow[2])
    for j in range(thrust.size):
        force, inflow = thrust[j], 0.0
        if hull.feels[0]:
            force *= math.exp(hull.tunnel[j] * square)
        if hull.feels[1]:
            for k in range(6):
                inflow += flow[k] * hull.advance[k, j]
            if hull.by_speed[j]:
                inflow = hull.keep[j] * speed
        drives[i, j] = drive_for(j, force, inflow, hull)
    lanes.lane[i].applied = True
    most = 0.0
    for k in range(6):
        missed[k] = tau[k] - lanes.asked[i, k]
        most = max(most, abs(missed[k]))
    if most > HEARD:
        tell(i, lanes, at, hull, stages, dt)


@part_of_law
def tell(i: int, lanes: StateArrays, at: WrenchMotion, hull: VehicleArrays, stages: Stages, dt: float) -> None:
    """Back-calculation: what was missed of the wrench, which stands in `lanes.rest`."""
    lane, missed = lanes.lane[i], lanes.rest[i]
    served, loops = stages.served[lane.stage], lane.wanted
    for loop, axis in ((AT_SURGE, SURGE), (AT_YAW, YAW), (AT_PITCH, PITCH), (AT_ROLL, ROLL)):
        on = has(loops, loop) or loop in (AT_PITCH, AT_ROLL)
        if on and served[axis] and abs(missed[axis]) > HEARD:
            track(lanes.pid[i, loop], lanes.pid[i, loop].wanted + missed[axis], dt)
    if has(loops, AT_PLACE):
        north, east = to_world(missed[0], missed[1], at.yaw[i])
        part = min(1.0, dt / hull.place_tracking_s)
        lanes.load[i, 0] += part * north
        lanes.load[i, 1] += part * east
    if has(loops, AT_HEAVE):
        lost = 0.0
        for k in range(3):
            if served[k]:
                lost += lanes.down[i, k] * missed[k]
        if abs(lost) > HEARD:
            track(lanes.pid[i, AT_HEAVE], lanes.pid[i, AT_HEAVE].wanted + lost, dt)


@part_of_law
def drive_for(j: int, thrust: float, inflow: float, hull: VehicleArrays) -> float:
    """`ThrustCurve.drive` of thruster j."""
    c = hull.curve[j]
    if c.least_low <= thrust <= c.least_high:
        return 0.0
    if thrust > 0.0:
        if c.is_table:
            s = between(thrust, hull.table[j, 0], hull.rows[j, 0])
        else:
            s = root(thrust, inflow, c.k_ahead, c.slip_ahead, c.linear, c.square, c.cap)
        return min(max(s, c.dead_high), c.maximum)
    if c.is_table:
        s = between(-thrust, hull.table[j, 1], hull.rows[j, 1])
    else:
        s = -root(-thrust, -inflow, c.k_astern, c.slip_astern, c.linear, c.square, c.cap)
    return max(min(s, c.dead_low), c.minimum)


@also_compiled
def between(x: float, table: Array, rows: int) -> float:
    """Linear interpolation on rising table[0], constant outside."""
    i = np.searchsorted(table[0, :rows], x, side="right") - 1
    return table[1, i] + table[2, i] * (x - table[0, i])
