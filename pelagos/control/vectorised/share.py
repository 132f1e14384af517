"""Allocation of the vectorised autopilot: from the desired wrench to fin angles and thruster commands, compiled.

`fly` computes a whole tick. It corresponds to `Autopilot._share` with the thruster curves; fins that several axes
share, and thrusters, are brought within their limits by the functions of the scalar code (bounded_lsq). Vehicles for
which a supply that thrusters share is the limit are marked, the scalar allocation solves them (autopilot), and `finish`
completes their tick.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pelagos.control.allocation.bounded_lsq import push_within, turn_within
from pelagos.control.allocation.surfaces import FIN_LIMIT, deflect, moments_of
from pelagos.control.autopilot.loops import NEGLIGIBLE, clear, track_missed
from pelagos.control.base import PITCH, ROLL, YAW
from pelagos.control.vectorised.layout import LEVELLED, Stages, StateArrays, VehicleArrays
from pelagos.control.vectorised.wrench import WrenchMotion, desired_wrench
from pelagos.engine.forces.thrusters import drive_for, without_tunnel_loss
from pelagos.engine.laws import law, part_of_law

Array = NDArray[np.float64]


@law
def fly(
    lanes: StateArrays, rows: NDArray[np.int64], at: WrenchMotion, stages: Stages, hull: VehicleArrays, known: Array,
    dt: float, drives: Array, angles: Array, undecided: NDArray[np.bool_],
) -> int:  # fmt: skip
    """Compute one tick of all vehicles; returns the number of vehicles whose thrusts are still `undecided`.

    `rows` is the stage of each, `known` see loops.KNOWN_DRAG. Results are written to `drives` and `angles`.
    """
    marked = 0
    for i in range(rows.size):
        undecided[i] = False
        if not desired_wrench(i, rows[i], lanes, at, stages, hull, known, dt):
            drives[i, :] = 0.0
            angles[i, :] = 0.0
            continue
        turn(i, lanes, stages, angles)
        if push(i, lanes, hull):
            finish_one(i, lanes, at, hull, stages, dt, drives)
        else:
            undecided[i] = True
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
    """Complete the tick of vehicles whose thrusts the scalar allocation has computed."""
    for i in some:
        finish_one(i, lanes, at, hull, stages, dt, drives)


@part_of_law
def turn(i: int, lanes: StateArrays, stages: Stages, angles: Array) -> None:
    """Compute the fin angles of one vehicle, the wrench they give, and the rest for the thrusters."""
    row, desired, fin_wrench, angle = lanes.lane[i].stage, lanes.desired[i], lanes.fin_wrench[i], angles[i]
    fin_wrench[:] = 0.0
    angle[:] = 0.0
    stage = stages.stage[row]
    if stage.uses_fins:
        used, fins, moments = stage.by_fins, stages.fins[row], lanes.rest[i, ROLL:]  # a view, overwritten at the end
        for k in range(3):
            moments[k] = desired[ROLL + k] if used[k] else 0.0
        over, roll, pitch, yaw = deflect(fins, moments[0], moments[1], moments[2], angle)
        if over and stage.fins_shared:
            shares = stages.fin_shares
            turn_within(moments, stages.fin_weighted[row], stages.fin_weights[row], stages.fin_alone[row],
                        stages.fin_normal[row], shares, stages.fin_work)  # fmt: skip
            for j in range(angle.size):
                angle[j] = shares[j] * fins[j, FIN_LIMIT]
            roll, pitch, yaw = moments_of(fins, angle)
        fin_wrench[ROLL] = roll if used[0] else 0.0
        fin_wrench[PITCH] = pitch if used[1] else 0.0
        fin_wrench[YAW] = yaw if used[2] else 0.0
    for k in range(6):
        lanes.rest[i, k] = desired[k] - fin_wrench[k]


@part_of_law
def push(i: int, lanes: StateArrays, hull: VehicleArrays) -> bool:
    """Compute the thrusts of one vehicle within their limits; False where a shared supply is the limit."""
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
    """Compute the thruster commands of one vehicle for its thrusts; then correct the integrals (anti-windup)."""
    tau, thrust, missed, flow = lanes.tau[i], lanes.thrust[i], lanes.rest[i], at.nu_r[i]
    for k in range(6):
        tau[k] = lanes.fin_wrench[i, k]
        if hull.axes[k]:
            force = 0.0
            for j in range(thrust.size):
                force += hull.effect[k, j] * thrust[j]
            tau[k] = tau[k] + force
    speed = math.sqrt(flow[0] * flow[0] + flow[1] * flow[1] + flow[2] * flow[2])
    for j in range(thrust.size):
        curve, force, inflow = hull.curve[j], thrust[j], 0.0
        if hull.in_tunnels:
            force = without_tunnel_loss(force, curve.tunnel_loss, flow[0])
        if hull.feels_inflow:
            for k in range(6):
                inflow += flow[k] * hull.advance[k, j]
            if hull.by_speed[j]:
                inflow = curve.one_minus_wake * speed
        drives[i, j] = drive_for(curve, force, inflow)
    lane = lanes.lane[i]
    lane.applied = True
    most = 0.0
    for k in range(6):
        missed[k] = tau[k] - lanes.desired[i, k]
        most = max(most, abs(missed[k]))
    if most > NEGLIGIBLE:
        track_missed(lane, lanes.pid[i], lane.required | LEVELLED, missed, at.yaw[i], lanes.down[i],
                     stages.stage[lane.stage], hull.constants, dt)  # fmt: skip


@law
def clear_rows(rows: NDArray[np.int64], lanes: StateArrays) -> None:
    """Clear integrals and last wrenches of some vehicles."""
    for i in rows:
        clear(lanes.lane[i], lanes.pid[i])
        lanes.down[i, 0] = lanes.down[i, 1] = 0.0
        lanes.down[i, 2] = 1.0
