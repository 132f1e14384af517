"""Array layouts of the vectorised autopilot: one row per vehicle, stage or thruster.

`StateArrays` changes at every tick, a row for each vehicle. `Stages` and `VehicleArrays` copy constants of the
`Schedule` and of a scalar autopilot. Quantities without a setpoint are NaN. SI units, radians, body axes.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pelagos.control.autopilot.autopilot import Autopilot
from pelagos.control.autopilot.loops import (
    ON_PITCH,
    ON_ROLL,
    STAGED,
    ActiveStage,
    LoopConstants,
    LoopState,
    largest_loads,
)
from pelagos.control.pid import PID, Gains
from pelagos.control.tuning.schedule import Schedule, Stage
from pelagos.engine.core.layout import MAX_TABLE
from pelagos.engine.laws import records
from pelagos.messages import QUANTITIES
from pelagos.vehicle.thruster_curve import ThrustCurve

Array = NDArray[np.float64]

LEVELLED = ON_PITCH | ON_ROLL

_FLAGS = ("angle", "_started")
_FIELDS = tuple(PID.__dataclass_fields__)
LOOP = np.dtype([(name, np.bool_ if name in _FLAGS else np.float64) for name in _FIELDS])
GAINS = np.dtype([(name, np.float64) for name in Gains._fields])

_KINDS = {"int": np.int64, "bool": np.bool_, "float": np.float64}
LANE = np.dtype([  # with the row of the stage, -1 before the first update
    ("stage", np.int64), *((name, _KINDS[str(item.type)]) for name, item in LoopState.__dataclass_fields__.items()),
])  # fmt: skip

ACTIVE = [  # fields of an `ActiveStage`
    *((name, np.float64) for name in ("speed", "pitch_limit", "trim_pitch", "trim_moment")),
    ("served", np.uint8, (6,)), ("by_fins", np.uint8, (3,)), ("by_thrust", np.uint8, (3,)),  # Numba nests no bool_
    ("most", np.float64, (6,)), ("fade_s", np.float64, (6,)),
]  # fmt: skip
STAGE = np.dtype([*ACTIVE, ("uses_fins", np.bool_), ("fins_shared", np.bool_)])  # shared: a fin serves several axes

CURVE = np.dtype([
    *((name, np.float64) for name in (*ThrustCurve.__annotations__, "least_low", "least_high")),
    ("n_table", np.int64),
    *((side, np.float64, (3, MAX_TABLE + 2)) for side in ("ahead", "astern")),  # filled up with inf
])  # fmt: skip


class StateArrays(NamedTuple):
    """Controller state of n vehicles; compiled laws take it as one argument and write into its arrays."""

    lane: Any  # LANE
    pid: Any  # LOOP, (n, 6)
    held: Array  # (n, 8) setpoints in the order of QUANTITIES and in their units
    tau: Array  # (n, 6) last wrench applied
    desired: Array  # (n, 6) wrench of the loops at this tick
    rest: Array  # (n, 6) part of it that remains for the thrusters; later the part that was missed
    fin_wrench: Array  # (n, 6) part of it that the fins give
    thrust: Array  # (n, thrusters) N
    down: Array  # (n, 3) unit vector down, in body axes
    fade: Array  # (n, 3, 6) see switching.begin_fading


class Stages(NamedTuple):
    """Gains and effectiveness, a row for each stage met so far."""

    stage: Any  # STAGE
    gains: Any  # GAINS, (stages, 4) in the order of STAGED
    fins: Array  # (stages, fins, 7) see surfaces.FIN_LIMIT
    fin_weighted: Array  # (stages, 3, fins) with the next three: see bounded_lsq.turn_within
    fin_weights: Array  # (stages, 3)
    fin_alone: Array  # (stages, 3)
    fin_normal: Array  # (stages, fins, fins)
    fin_work: Array  # work array of turn_within
    fin_shares: Array  # (fins,) its result


class VehicleArrays(NamedTuple):
    """Constants of the vehicle, its thrusters and the sampling."""

    constants: LoopConstants
    inverse: Array  # (thrusters, 6)
    limits: Array  # (2, thrusters)
    effect: Array  # (6, thrusters)
    axes: NDArray[np.bool_]  # (6,) that thrusters serve
    weighted: Array  # (6, thrusters) with the next three: see bounded_lsq.push_within
    weights: Array  # (6,)
    reach: Array  # (6,)
    normal: Array  # (thrusters, thrusters)
    work: Array  # work array of push_within
    pumps: Array  # (pumps, thrusters) 1 for each thruster on the pump
    room: Array  # (pumps,) limit of a pump, N
    advance: Array  # (6, thrusters)
    by_speed: NDArray[np.bool_]  # (thrusters,) whether the inflow is the speed, not its part along the axis
    in_tunnels: bool  # whether any thruster loses thrust in a tunnel
    feels_inflow: bool  # whether any is driven by a curve with inflow
    curve: Any  # CURVE


def lanes_for(n: int, pilot: Autopilot) -> StateArrays:
    """Make the state of n vehicles, each like that of a scalar autopilot after its reset."""
    pid, lane = records((n, 6), LOOP), records(n, LANE)
    for at, loop in enumerate(pilot._pids):
        for field in _FIELDS:
            pid[field][:, at] = getattr(loop, field)
    lane["stage"] = -1
    down = np.tile((0.0, 0.0, 1.0), (n, 1))
    held, k = np.full((n, len(QUANTITIES)), np.nan), pilot.schedule.allocation.n
    tau, desired, rest, fin_wrench = (np.zeros((n, 6)) for _ in range(4))
    return StateArrays(lane, pid, held, tau, desired, rest, fin_wrench, np.zeros((n, k)), down, np.zeros((n, 3, 6)))


def hull_of(pilot: Autopilot) -> VehicleArrays:
    """Copy the constants of a scalar autopilot."""
    a = pilot.schedule.allocation
    members = np.zeros((len(a._groups), a.n))
    for row, (fed, _) in zip(members, a._groups, strict=True):
        row[fed] = 1.0
    curve = records(a.n, CURVE)
    for item, c in zip(curve, a.curves, strict=True):
        for name in CURVE.names or ():
            if name in ("ahead", "astern"):
                branch = np.array(getattr(c, name))
                item[name] = math.inf
                item[name][:, : branch.shape[1]] = branch
            else:
                item[name] = getattr(c, name)
    return VehicleArrays(
        constants=pilot._constants,
        inverse=a._inverse,
        limits=np.array([a.low, a.high]).reshape(2, a.n),
        effect=np.ascontiguousarray(a.b),
        axes=np.isin(np.arange(6), a.axes),
        weighted=np.ascontiguousarray(a._a),
        weights=a._w,
        reach=a._reach,
        normal=np.ascontiguousarray(a._normal),
        work=np.empty((a.n + 3, a.n)),
        pumps=members,
        room=np.array([room for _, room in a._groups], dtype=np.float64),
        advance=np.ascontiguousarray(a._advance),
        by_speed=np.isin(np.arange(a.n), a._by_speed),
        in_tunnels=a._in_tunnels,
        feels_inflow=a._feels_inflow,
        curve=curve,
    )


def stages_of(schedule: Schedule, stages: list[Stage]) -> Stages:
    """Make the rows of stages."""
    k, f = len(stages), len(schedule.vehicle.surfaces)
    made = Stages(
        records(k, STAGE), records((k, len(STAGED)), GAINS), np.zeros((k, f, 7)), np.zeros((k, 3, f)),
        np.zeros((k, 3)), np.zeros((k, 3)), np.zeros((k, f, f)), np.empty((f + 5, f)), np.empty(f),
    )  # fmt: skip
    for i, stage in enumerate(stages):
        active, mix = ActiveStage(schedule, stage), stage.mix
        active.most = largest_loads(schedule, stage)
        made.stage[i] = (*(getattr(active, item[0]) for item in ACTIVE), bool(stage.use_surfaces), mix.shared)
        made.gains[i] = active.gains
        made.fins[i] = np.reshape(mix.rows, (-1, 7))
        made.fin_weighted[i], made.fin_weights[i] = mix.weighted, mix.weights
        made.fin_alone[i], made.fin_normal[i] = mix.alone, mix.normal
    return made
