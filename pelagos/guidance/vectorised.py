"""Missions of many vehicles at once through one vectorised autopilot, with the same legs or with different ones.

    mission = VectorMission(VectorAutopilot(vehicle, n), legs)
    actuations = mission.update(states, 0.1)

Each vehicle has a record (`GUIDE`) and a scalar `Mission`. `guide_all`, which is compiled, handles the common tick:
along a line, at a position, or a constant setpoint. It marks vehicles with a rare event (a point is reached, a leg
begins or ends, a position is reached), and their scalar missions continue from the same state. Legs, events and numbers
are therefore those of scalar missions, and every kind of leg works; other kinds than these three are slower. The laws
are those of `steering` and `legs.place`. NaN in a record means not set. SI units, radians.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.engine.laws import also_compiled, law, records
from pelagos.errors import CommandError
from pelagos.guidance.base import GUIDE_COLUMNS, Leg
from pelagos.guidance.legs.course import CourseGuide
from pelagos.guidance.legs.place import StationGuide, miss, near_since, stay_over
from pelagos.guidance.legs.simple import SteadyGuide, ended
from pelagos.guidance.mission import Mission
from pelagos.guidance.steering import Steering, along_and_across, compass_deg, passed, ramp_depth, steer
from pelagos.messages import QUANTITIES, Actuation, Actuations, Event, Setpoint, VehicleState, VehicleStates

Array = NDArray[np.float64]

SCALAR, COURSE, STAY, CONSTANT, NOTHING = range(5)  # SCALAR: the scalar guide runs at every tick
CROSS, ALONG = GUIDE_COLUMNS.index("cross_track_m"), GUIDE_COLUMNS.index("along_track_m")
DEPTH, HEADING = QUANTITIES.index("depth_m"), QUANTITIES.index("heading_deg")
_STEERING = ("crab", "unsettled", "speed_m_s", "lookahead_m", "learning", "limit", "rate_s")  # of a Steering
_TRACK = ("north", "east", "cos", "sin", "chi", "length", "radius", "depth_before", "depth_after")  # depths: of a ramp
_PLACE = ("tolerance_m", "heading", "tolerance", "settle_s", "seconds_s", "began_s", "near_since_s")
_CLOCK = ("since_s", "timeout_s", "until_s")
_SHOWN = ("along_m", "cross_m")
NUMBERS = _STEERING + _TRACK + _PLACE + _CLOCK + _SHOWN
GUIDE = np.dtype([("kind", np.int64), ("law", np.int64), *((name, np.float64) for name in NUMBERS)])


@law
def guide_all(
    guides: NDArray[Any], held: Array, time_s: Array, pos_n: Array, pitch: Array, yaw: Array, nu: Array, nu_r: Array,
    dt: float, rare: NDArray[np.bool_],
) -> int:  # fmt: skip
    """Write the setpoints of all vehicles for the next dt into `held`; mark and count those with a rare event."""
    marked = 0
    for i in range(rare.size):
        g = guides[i]
        rare[i] = False
        if g.kind == NOTHING:
            continue
        if g.kind == SCALAR or time_s[i] - g.since_s >= g.timeout_s:
            rare[i] = True
        elif g.kind == COURSE:
            rare[i] = not follow(g, held[i], pos_n[i], pitch[i], yaw[i], nu[i], nu_r[i, 0], dt)
        elif g.kind == STAY:
            rare[i] = not keep(g, time_s[i], pos_n[i], yaw[i])
        else:
            rare[i] = ended(time_s[i], g.until_s, dt)
        if rare[i]:
            marked += 1
    return marked


@also_compiled
def follow(g: Any, held: Array, at: Array, pitch: float, yaw: float, nu: Array, surge: float, dt: float) -> bool:
    """Set heading, and depth on a ramp, along the present line; returns False when its end is reached."""
    along, cross = along_and_across(g.cos, g.sin, at[0] - g.north, at[1] - g.east)
    if passed(g.length - along, cross, g.radius):
        return False
    g.along_m, g.cross_m = along, cross
    held[HEADING] = compass_deg(steer(g, g.chi, cross, surge, nu, pitch, yaw, dt))
    if g.depth_after == g.depth_after:
        held[DEPTH] = ramp_depth(along, g.length, g.depth_before, g.depth_after)
    return True


@also_compiled
def keep(g: Any, time_s: float, at: Array, yaw: float) -> bool:
    """Update the distance to the position; returns False when the vehicle reaches it or the leg is over."""
    depth = g.depth_after
    away, near = miss(at[0], at[1], at[2], yaw, g.north, g.east, depth, g.heading, g.tolerance_m, g.tolerance)
    if (near and g.near_since_s != g.near_since_s) or stay_over(g, near, time_s):
        return False
    g.along_m, g.near_since_s = -away, near_since(g.near_since_s, near, time_s)
    return True


def load(g: Any, mission: Mission) -> None:
    """Copy the state of a scalar mission into the record of its vehicle."""
    guide = mission._guide
    for name in NUMBERS:
        g[name] = math.nan
    if guide is None:
        g["kind"] = NOTHING
        return
    g["since_s"], g["timeout_s"] = mission._since_s, mission.legs[mission.index].timeout_s
    g["kind"] = SCALAR
    if type(guide) is CourseGuide:
        _load_course(g, guide)
    elif type(guide) is StationGuide and not guide._face and guide.leg.altitude_m is None:
        _load_stay(g, guide)
    elif type(guide) is SteadyGuide:
        g["kind"], g["until_s"] = CONSTANT, guide.until_s


def _load_course(g: Any, guide: CourseGuide) -> None:
    piece, steering = guide.segment, guide.steering
    g["kind"], g["law"] = COURSE, steering.law
    for name in _STEERING:
        g[name] = getattr(steering, name)
    g["north"], g["east"] = piece.start
    for name in ("cos", "sin", "chi", "length"):
        g[name] = getattr(piece, name)
    g["radius"] = guide.leg.acceptance_m
    g["along_m"], g["cross_m"] = guide.along_m, guide.cross_m
    if guide.depths and guide.ramp:
        g["depth_before"], g["depth_after"] = guide.depths[guide.index], guide.depths[guide.index + 1]


def _load_stay(g: Any, guide: StationGuide) -> None:
    leg = guide.leg
    g["kind"] = STAY
    g["north"], g["east"] = guide.place
    g["depth_after"] = math.nan if leg.depth_m is None else leg.depth_m
    g["heading"] = math.nan if leg.heading_deg is None else math.radians(leg.heading_deg)
    g["tolerance_m"], g["tolerance"], g["along_m"] = leg.tolerance_m, math.radians(leg.tolerance_deg), -guide.away_m
    for name in ("settle_s", "seconds_s", "began_s", "near_since_s"):
        g[name] = getattr(guide, name)


def store(g: Any, mission: Mission) -> None:
    """Copy the changes of the compiled ticks back into the guide of the scalar mission."""
    guide = mission._guide
    if g["kind"] == COURSE and isinstance(guide, CourseGuide):
        steering: Steering = guide.steering
        steering.crab, steering.unsettled = float(g["crab"]), float(g["unsettled"])
        guide.along_m, guide.cross_m = float(g["along_m"]), float(g["cross_m"])
    elif g["kind"] == STAY and isinstance(guide, StationGuide):
        guide.away_m, guide.near_since_s = -float(g["along_m"]), float(g["near_since_s"])


class VectorSetpointController(Protocol):
    """Controller of n vehicles that holds setpoints, such as `control.vectorised.autopilot.VectorAutopilot`."""

    n: int

    @property
    def held(self) -> Array:
        """Setpoints, (n, 8) in the order of `Setpoint`, NaN for values that are not held."""
        ...

    def hold(self, rows: NDArray[np.int64], setpoints: Array) -> None:
        """Set the setpoints of some vehicles."""
        ...

    def reset(self, where: ArrayLike | None = None) -> None:
        """Reset integrators and filters of all vehicles, or of some."""
        ...

    def update(self, states: VehicleStates, dt: float) -> Actuations:
        """Return the actuator commands for the next dt seconds."""
        ...


class _Row:
    """Controller of a scalar mission that only stores the setpoint."""

    def __init__(self, row: Array) -> None:
        values: list[float] = row.tolist()
        self.setpoint: Setpoint = Setpoint.unchecked(
            **{name: x for name, x in zip(QUANTITIES, values, strict=True) if x == x}
        )

    def command(self, setpoint: Setpoint | None = None, **changes: float | None) -> None:
        """Store the setpoint."""
        if setpoint is not None:
            self.setpoint = setpoint

    def reset(self) -> None:
        """There is no state to reset."""

    def update(self, state: VehicleState, dt: float) -> Actuation:
        """Return no commands: the vectorised controller controls the vehicle."""
        return _NOTHING


_NOTHING = Actuation()


class VectorMission:
    """Missions of n vehicles, each with legs in sequence.

    Args:
        controller: controller of n vehicles; its present setpoints are those before the first legs.
        legs: one sequence of legs for all, or n sequences.
        keep_going: if the controller rejects the setpoint of a leg, the vehicle keeps its setpoint and `refused` has
            the error; otherwise the error is raised.

    done      (n,) which missions are over
    index     (n,) active leg of each vehicle
    refused   error by the number of the vehicle
    """

    columns = GUIDE_COLUMNS

    def __init__(
        self,
        controller: VectorSetpointController,
        legs: Sequence[Leg] | Sequence[Sequence[Leg]],
        *,
        keep_going: bool = False,
    ) -> None:
        self.controller, self.n, self.keep_going = controller, controller.n, keep_going
        first: Any = legs[0] if legs else None
        per_vehicle: Any = [legs] * controller.n if first is None or isinstance(first, Leg) else legs
        if len(per_vehicle) != controller.n:
            raise CommandError(key="number of vehicles with legs", value=len(per_vehicle), expected=f"{controller.n}")
        self.legs: tuple[tuple[Leg, ...], ...] = tuple(tuple(sequence) for sequence in per_vehicle)
        self._first = controller.held.copy()
        self.reset()

    def reset(self, where: ArrayLike | None = None) -> None:
        """Return all vehicles, or some (mask, indices), to the first leg and to the setpoints before it."""
        rows = np.arange(self.n)
        if where is None:
            self._missions: list[Mission] = [Mission(_Row(row), ()) for row in self._first]
            self._guides = records(self.n, GUIDE)
            self._rare = np.zeros(self.n, np.bool_)
            self._values = np.full((self.n, len(GUIDE_COLUMNS)), math.nan)
            self.done, self.index = np.zeros(self.n, np.bool_), np.zeros(self.n, np.int64)
            self.refused: dict[int, CommandError] = {}
        else:
            rows = np.atleast_1d(rows[np.asarray(where)])
        self.controller.reset(rows)
        self.controller.hold(rows, self._first[rows])
        for i in rows.tolist():
            self._missions[i] = mission = Mission(_Row(self._first[i]), self.legs[i])
            self._guides[i]["kind"] = SCALAR
            self._values[i] = mission.values()
            self.done[i], self.index[i] = mission.done, 0
            self.refused.pop(i, None)

    def mission_of(self, i: int) -> Mission:
        """Return the scalar mission of vehicle i; its progress along the line is that of the last rare event."""
        return self._missions[i]

    def events(self, i: int) -> list[Event]:
        """Return the events of vehicle i so far."""
        return self._missions[i].events

    def skip(self, i: int, states: VehicleStates) -> None:
        """Switch vehicle i to its next leg now."""
        mission = self._interrupted(i)
        mission.skip(_state_of(states, i))
        self.done[i], self.index[i], self._values[i] = mission.done, mission.index, mission.values()

    def command(self, i: int, setpoint: Setpoint) -> None:
        """Replace the setpoint of vehicle i; its leg sets what the leg decides again at the next update."""
        self._interrupted(i).controller.command(setpoint)
        self._hold([i])

    def _interrupted(self, i: int) -> Mission:
        """Return the scalar mission of vehicle i in its present state; the next update goes through it."""
        mission, g = self._missions[i], self._guides[i]
        store(g, mission)
        mission.controller.command(_Row(self.controller.held[i]).setpoint)
        g["kind"], self._values[i] = SCALAR, mission.values()
        return mission

    def update(self, states: VehicleStates, dt: float) -> Actuations:
        """Update the setpoints from the active legs and return the actuator commands of the controller."""
        t, held = states, self.controller.held
        motion = [np.ascontiguousarray(x) for x in (t.time_s, t.pos_n, t.pitch, t.yaw, t.nu, t.nu_r)]
        if guide_all(self._guides, held, *motion, dt, self._rare):
            self._update_scalar(np.flatnonzero(self._rare), states, dt)
        return self.controller.update(states, dt)

    def _update_scalar(self, rows: NDArray[np.int64], states: VehicleStates, dt: float) -> None:
        """Update the scalar missions of some vehicles."""
        held = self.controller.held
        changed: list[int] = []
        for i in rows.tolist():
            mission, controller, g = self._missions[i], self._missions[i].controller, self._guides[i]
            store(g, mission)
            if g["kind"] == COURSE:  # the compiled ticks have changed heading and depth
                controller.setpoint = _Row(held[i]).setpoint
            before = controller.setpoint
            mission.update(_state_of(states, i), dt)
            load(g, mission)
            self._values[i] = mission.values()
            self.done[i], self.index[i] = mission.done, mission.index
            if controller.setpoint is not before:
                changed.append(i)
        if changed:
            self._hold(changed)

    def _hold(self, rows: list[int]) -> None:
        """Send the setpoints of some missions to the controller."""
        setpoints = [vars(self._missions[i].setpoint) for i in rows]
        new = np.array(
            [[math.nan if values[name] is None else values[name] for name in QUANTITIES] for values in setpoints]
        )
        try:
            self.controller.hold(np.array(rows), new)
        except CommandError as refusal:
            if not self.keep_going:
                raise
            if len(rows) == 1:
                self.refused.setdefault(rows[0], refusal)
                return
            for i in rows:  # one by one: the controller rejects all rows for one bad setpoint
                self._hold([i])

    def values(self) -> Array:
        """Return values for the log, (n, columns); NaN for values that a guide does not return."""
        values, guides = self._values, self._guides
        lines, places = guides["kind"] == COURSE, guides["kind"] == STAY
        values[lines, CROSS] = guides["cross_m"][lines]
        along = lines | places
        values[along, ALONG] = guides["along_m"][along]
        return values.copy()


def _state_of(t: VehicleStates, i: int) -> VehicleState:
    """State of one vehicle."""
    angles = (float(t.roll[i]), float(t.pitch[i]), float(t.yaw[i]))
    motion = (t.pos_n[i].copy(), *angles, t.nu[i].copy(), t.nu_r[i].copy())
    return VehicleState.unchecked(float(t.time_s[i]), *motion, altitude_m=float(t.altitude_m[i]))
