"""Array layouts of the vectorised autopilot: one row per vehicle, stage or thruster.

`StateArrays` changes at every tick, a row for each vehicle. `Stages` and `VehicleArrays` copy constants of the
`Schedule` and of a scalar autopilot: the row of a stage is filled by tuning the scalar autopilot to that stage and
reading its loops, so there is no second tuning. Quantities without a setpoint are NaN. SI units, radians, body axes.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pelagos.control.autopilot.autopilot import LOAD_SHARE, Autopilot
from pelagos.control.autopilot.setpoints import QUANTITIES
from pelagos.control.autopilot.switching import WrenchFade
from pelagos.control.pid import PID
from pelagos.control.tuning.schedule import Stage
from pelagos.engine.core.layout import MAX_TABLE
from pelagos.engine.laws import records
from pelagos.vehicle.thruster_curve import ThrustCurve

Array = NDArray[np.float64]

# Loops by their index in `StateArrays.pid`; a set of loops is a sum of 1 << index. A place has no PID (station).
LOOPS = ("yaw", "pitch", "roll", "heave", "surge", "dive", "place")
AT_YAW, AT_PITCH, AT_ROLL, AT_HEAVE, AT_SURGE, AT_DIVE, AT_PLACE = range(7)
STAGED = (AT_YAW, AT_PITCH, AT_ROLL, AT_DIVE)  # loops whose gains go with the speed
LEVELLED = 1 << AT_PITCH | 1 << AT_ROLL
DEPTH, HEADING, SPEED, PITCH_ANGLE, ROLL_ANGLE, ALTITUDE, NORTH, EAST = (QUANTITIES.index(name) for name in QUANTITIES)

_FLAGS = ("angle", "_started")
_FIELDS = tuple(PID.__dataclass_fields__)
LOOP = np.dtype([(name, np.bool_ if name in _FLAGS else np.float64) for name in _FIELDS])
TUNED = ("kp", "ki", "kd", "low", "high", "error_limit", "approach_s", "carry_s", "mass")  # what a stage decides
GAINS = np.dtype([(name, np.float64) for name in TUNED])

LANE = np.dtype([
    ("stage", np.int64),  # row of the stage, -1 before the first update
    ("required", np.int64),  # loops of the setpoint
    ("active", np.int64),  # loops that ran at the last update
    ("applied", np.bool_),  # whether tau holds a wrench to continue from
    ("way_on", np.bool_),  # whether the last switching was under way
    ("fading", np.bool_),
    ("surfaced", np.bool_),  # afloat below a depth setpoint that is further up
    ("speed", np.float64),  # setpoint, m/s
    ("drag", np.float64),  # at that speed, N
    ("pitch_cmd", np.float64),
])  # fmt: skip

STAGE = np.dtype([
    ("speed", np.float64),
    ("pitch_limit", np.float64),
    ("trim_pitch", np.float64),
    ("trim_moment", np.float64),
    ("uses_fins", np.bool_),
    ("fins_shared", np.bool_),  # some fin serves several axes
])  # fmt: skip

CURVE = np.dtype([
    *((name, np.float64) for name in (*ThrustCurve.__annotations__, "least_low", "least_high")),
    ("n_table", np.int64),
    *((side, np.float64, (3, MAX_TABLE + 2)) for side in ("ahead", "astern")),  # filled up with inf
])  # fmt: skip


# Columns of `Stages.fins`: deflection per moment of roll, pitch, yaw (from 0), limit, moments per deflection (from 4).
FIN_LIMIT, FIN_MOMENTS = 3, 4
# Rows of `StateArrays.fade`: the wrench, the magnitudes below which it is zero, the time constants.
FADE_WRENCH, FADE_LEAST, FADE_S = range(3)


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
    load: Array  # (n, 2) integral of the place, north and east
    fade: Array  # (n, 3, 6) see FADE_WRENCH


class Stages(NamedTuple):
    """Gains and effectiveness, a row for each stage met so far."""

    stage: Any  # STAGE
    gains: Any  # GAINS, (stages, 4) in the order of STAGED
    served: NDArray[np.bool_]  # (stages, 6)
    by_fins: NDArray[np.bool_]  # (stages, 3) of roll, pitch, yaw
    by_thrust: NDArray[np.bool_]  # (stages, 3) by thrusters alone
    most: Array  # (stages, 6) largest steady load that a loop starts with
    fade_s: Array  # (stages, 6)
    fins: Array  # (stages, fins, 7) see FIN_LIMIT
    fin_weighted: Array  # (stages, 3, fins) with the next three: see bounded_lsq.turn_within
    fin_weights: Array  # (stages, 3)
    fin_alone: Array  # (stages, 3)
    fin_normal: Array  # (stages, fins, fins)
    fin_work: Array  # work array of turn_within
    fin_shares: Array  # (fins,) its result


class VehicleArrays(NamedTuple):
    """Constants of the vehicle, its thrusters and the sampling."""

    levers: tuple[float, ...]  # last five arguments of response.righting_moments
    munk: tuple[float, ...]  # last four arguments of response.munk_moments
    weight: float  # feedforward of depth by thrust, N
    surface_limit: tuple[float, ...]  # last three arguments of surface_limit.share
    place: Array  # (6,) gains of station.pull
    place_fastest: float
    place_tracking_s: float
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
    keep: Array  # (thrusters,) 1 - wake
    by_speed: NDArray[np.bool_]  # (thrusters,) whether the inflow is the speed, not its part along the axis
    tunnel: Array  # (thrusters,) loss of tunnel thrusters, s2/m2
    in_tunnels: bool  # whether any is
    feels_inflow: bool  # whether any is driven by a curve with inflow
    curve: Any  # CURVE


def lanes_for(n: int, pilot: Autopilot) -> StateArrays:
    """Make the state of n vehicles, each like that of a scalar autopilot after its reset."""
    pid, lane = records((n, 6), LOOP), records(n, LANE)
    for at, name in enumerate(LOOPS[:6]):
        for field in _FIELDS:
            pid[field][:, at] = getattr(pilot._pids[name], field)
    lane["stage"] = -1
    down = np.tile((0.0, 0.0, 1.0), (n, 1))
    held, k = np.full((n, len(QUANTITIES)), np.nan), pilot.schedule.allocation.n
    tau, desired, rest, fin_wrench = (np.zeros((n, 6)) for _ in range(4))
    load, fade = np.zeros((n, 2)), np.zeros((n, 3, 6))
    return StateArrays(lane, pid, held, tau, desired, rest, fin_wrench, np.zeros((n, k)), down, load, fade)


def hull_of(pilot: Autopilot) -> VehicleArrays:
    """Copy the constants of a scalar autopilot."""
    s, station, limit = pilot.schedule, pilot._station, pilot._surface_limit
    a = s.allocation
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
        levers=_floats(*s.response.levers, *s.response.extra_stiffness),
        munk=_floats(*s.munk, s.late_s),
        weight=-s.response.net_weight_n,
        surface_limit=_floats(limit.hull_top_m, limit.from_m, limit.height_m),
        place=np.array(station.gains),
        place_fastest=station.fastest,
        place_tracking_s=station.tracking_s,
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
        keep=np.array(a._keep, dtype=np.float64),
        by_speed=np.isin(np.arange(a.n), a._by_speed),
        tunnel=np.array(a._tunnel, dtype=np.float64),
        in_tunnels=a._in_tunnels,
        feels_inflow=a._feels_inflow,
        curve=curve,
    )


def _floats(*values: float) -> tuple[float, ...]:
    """Python floats: a whole number in a vehicle file would make Numba compile the laws for another type."""
    return tuple(float(value) for value in values)


def stages_of(pilot: Autopilot, stages: list[Stage]) -> Stages:
    """Make the rows of stages, by tuning the scalar autopilot to each in turn."""
    s, k, f = pilot.schedule, len(stages), len(pilot.vehicle.surfaces)
    made = Stages(
        records(k, STAGE), records((k, len(STAGED)), GAINS), np.zeros((k, 6), np.bool_), np.zeros((k, 3), np.bool_),
        np.zeros((k, 3), np.bool_), np.zeros((k, 6)), np.zeros((k, 6)),
        np.zeros((k, f, 7)), np.zeros((k, 3, f)), np.zeros((k, 3)), np.zeros((k, 3)), np.zeros((k, f, f)),
        np.empty((f + 5, f)), np.empty(f),
    )  # fmt: skip
    for i, stage in enumerate(stages):
        pilot._retune(stage)
        fins = bool(stage.use_surfaces)
        made.stage[i] = (
            stage.speed, stage.pitch_limit, stage.trim_pitch, stage.trim_moment, fins, stage.mix._shared,
        )  # fmt: skip
        for j, at in enumerate(STAGED):
            made.gains[i, j] = tuple(getattr(pilot._pids[LOOPS[at]], name) for name in TUNED)
        made.served[i] = np.isin(np.arange(6), list(pilot._served))
        made.by_fins[i], made.by_thrust[i] = pilot._by_fins, pilot._by_thrust_alone
        made.most[i] = [LOAD_SHARE * s.reach(axis, stage) for axis in range(6)]
        fade = WrenchFade()
        fade.begin([0.0] * 6, s, stage)
        made.fade_s[i] = fade.seconds
        made.fins[i] = np.reshape(stage.mix._plain, (-1, 7))
        made.fin_weighted[i], made.fin_weights[i] = stage.mix.weighted, stage.mix.weights
        made.fin_alone[i], made.fin_normal[i] = stage.mix.alone, stage.mix.normal
    return made
