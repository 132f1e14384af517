"""Missions of many vehicles through one autopilot of many: each vehicle has its own legs, or its own way along them.

Common ticks are compiled (many_legs). What is rare is done by a scalar `Mission` for each vehicle, from the same state,
so legs, events and numbers are those of the scalar missions: any leg can be flown; those along lines, at a place and
of a steady setpoint are fast.

    mission = ManyMission(ManyAutopilot(vehicle, n), legs)
    actuations = mission.update(truths, 0.1)

The common tick of a leg, for many vehicles: along a line, at a place, or nothing new; compiled.

One record a vehicle. What is rare (a point is reached, a leg begins or is over, a place is come to) is not decided
here: such vehicles are marked, and the scalar mission goes on from the same state (many). The laws are those of
steering, track and place themselves. NaN: not given. SI units, radians.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.engine.laws import also_compiled, law, records
from pelagos.errors import CommandError
from pelagos.guidance.base import GUIDE_COLUMNS, Leg, unchecked_setpoint
from pelagos.guidance.legs.course import CourseGuide
from pelagos.guidance.legs.place import StationGuide, miss
from pelagos.guidance.legs.simple import SteadyGuide
from pelagos.guidance.mission import Mission
from pelagos.guidance.steering import (
    LAWS,
    CrossTrack,
    Steering,
    across,
    adaptive,
    along_and_across,
    compass_deg,
    integral,
    limited,
    way,
)
from pelagos.messages import Actuation, Actuations, Event, Setpoint, VehicleState, VehicleStates

Array = NDArray[np.float64]

SCALAR, COURSE, STAY, CONSTANT, NOTHING = range(5)  # SCALAR: the guide itself is asked at every tick
LOS, ALOS, ILOS, CROSS_TRACK = range(4)
LAW_KINDS = {LAWS["los"]: LOS, LAWS["alos"]: ALOS, LAWS["ilos"]: ILOS, LAWS["cross_track"]: CROSS_TRACK}
NAMES = tuple(field.name for field in fields(Setpoint))
DEPTH, HEADING = NAMES.index("depth_m"), NAMES.index("heading_deg")
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
    """Setpoints of all vehicles for the next dt, into `held`; those that are `rare` are left alone and counted."""
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
            rare[i] = time_s[i] >= g.until_s - 0.5 * dt
        if rare[i]:
            marked += 1
    return marked


@also_compiled
def follow(g: Any, held: Array, at: Array, pitch: float, yaw: float, nu: Array, surge: float, dt: float) -> bool:
    """Heading, and depth on a ramp, along the present line; False where its end is reached."""
    along, cross = along_and_across(g.cos, g.sin, at[0] - g.north, at[1] - g.east)
    left = g.length - along
    if not (left > 0.0 and left * left + cross * cross > g.radius * g.radius):
        return False
    g.along_m, g.cross_m = along, cross
    ahead, speed = way(g, surge, dt)
    if g.law == ALOS:
        to_port = adaptive(g, cross, ahead, speed, dt)
    elif g.law == ILOS:
        to_port = integral(g, cross, ahead, speed, dt)
    elif g.law == CROSS_TRACK:
        rate = across(nu[0], nu[1], nu[2], pitch, yaw - g.chi) if g.rate_s > 0.0 else 0.0
        to_port = limited(g, cross, ahead, speed, rate, dt)
    else:
        to_port = math.atan(cross / ahead)
    held[HEADING] = compass_deg(g.chi - to_port)
    if g.depth_after == g.depth_after:
        share = along / g.length
        held[DEPTH] = g.depth_before + min(max(share, 0.0), 1.0) * (g.depth_after - g.depth_before)
    return True


@also_compiled
def keep(g: Any, time_s: float, at: Array, yaw: float) -> bool:
    """At the place, or on the way to it; False when it is come to, or when the leg is over."""
    depth = g.depth_after
    away, near = miss(at[0], at[1], at[2], yaw, g.north, g.east, depth, g.heading, g.tolerance_m, g.tolerance)
    if near and g.near_since_s != g.near_since_s:
        return False
    if g.seconds_s == g.seconds_s:
        if time_s - g.began_s >= g.seconds_s:
            return False
    elif near and time_s - g.near_since_s >= g.settle_s:
        return False
    g.along_m = -away
    if not near:
        g.near_since_s = math.nan
    return True


def load(g: Any, mission: Mission) -> None:
    """The record of a vehicle from its mission, after the mission has been asked."""
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
    if type(steering) not in LAW_KINDS:
        return
    g["kind"], g["law"] = COURSE, LAW_KINDS[type(steering)]
    for name in _STEERING:
        g[name] = getattr(steering, name, math.nan)
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
    g["tolerance_m"], g["tolerance"], g["settle_s"] = leg.tolerance_m, math.radians(leg.tolerance_deg), leg.settle_s
    g["seconds_s"] = math.nan if guide.seconds_s is None else guide.seconds_s
    g["began_s"], g["near_since_s"], g["along_m"] = guide._began_s, guide._near_since_s, -guide.away_m


def store(g: Any, mission: Mission) -> None:
    """What the common ticks have changed, back into the guide of the mission."""
    guide = mission._guide
    if g["kind"] == COURSE and isinstance(guide, CourseGuide):
        steering: Steering = guide.steering
        steering.crab, steering.unsettled = float(g["crab"]), float(g["unsettled"])
        guide.along_m, guide.cross_m = float(g["along_m"]), float(g["cross_m"])
    elif g["kind"] == STAY and isinstance(guide, StationGuide):
        guide.away_m, guide._near_since_s = -float(g["along_m"]), float(g["near_since_s"])


assert {CrossTrack, *LAW_KINDS} == set(LAWS.values()), "a law without a compiled form is flown by the guide itself"


# ---- many ------------------------------------------------------------------------------------------------------------


CROSS, ALONG = GUIDE_COLUMNS.index("cross_track_m"), GUIDE_COLUMNS.index("along_track_m")


class VectorHelm(Protocol):
    """What missions steer through: `control.vectorised.autopilot.VectorAutopilot`, or one of your own."""

    n: int

    @property
    def held(self) -> Array:
        """Setpoints, (n, 8) in the order of `Setpoint`, NaN where nothing is held."""
        ...

    def hold(self, rows: NDArray[np.int64], setpoints: Array) -> None:
        """Hold these from now on."""
        ...

    def reset(self, where: ArrayLike | None = None) -> None:
        """Forget the past of all vehicles, or of some."""
        ...

    def update(self, states: VehicleStates, dt: float) -> Actuations:
        """Demands for the next dt seconds."""
        ...


class _Row:
    """The helm of one scalar mission: it keeps what it is told."""

    def __init__(self, row: Array) -> None:
        values: list[float] = row.tolist()
        self.setpoint: Setpoint = unchecked_setpoint(
            **{name: x for name, x in zip(NAMES, values, strict=True) if x == x}
        )

    def command(self, setpoint: Setpoint | None = None, **changes: float | None) -> None:
        """Hold this from now on."""
        if setpoint is not None:
            self.setpoint = setpoint

    def reset(self) -> None:
        """Nothing is forgotten: there is nothing."""

    def update(self, truth: VehicleState, dt: float) -> Actuation:
        """Somebody else flies."""
        return _NOTHING


_NOTHING = Actuation()


class VectorMission:
    """Legs in order, of each vehicle.

    Args:
        helm: holds setpoints of n vehicles; those it holds now are what the first legs begin with.
        legs: one sequence of legs for all, or n sequences.
        keep_going: a vehicle whose helm refuses what its leg asks for stays with what it holds, and is told of in
            `refused`; else the refusal is raised.

    done      (n,) which have flown their last leg
    index     (n,) the leg that each is at
    refused   why, by the number of the vehicle
    """

    columns = GUIDE_COLUMNS

    def __init__(
        self, helm: VectorHelm, legs: Sequence[Leg] | Sequence[Sequence[Leg]], *, keep_going: bool = False
    ) -> None:
        self.helm, self.n, self.keep_going = helm, helm.n, keep_going
        first: Any = legs[0] if legs else None
        given: Any = [legs] * helm.n if first is None or isinstance(first, Leg) else legs
        if len(given) != helm.n:
            raise CommandError(f"legs of {len(given)} vehicles were given", expected=f"{helm.n}")
        self.legs: tuple[tuple[Leg, ...], ...] = tuple(tuple(one) for one in given)
        self._first = helm.held.copy()
        self.reset()

    def reset(self, where: ArrayLike | None = None) -> None:
        """Before the first leg, and with the setpoints that were held then: all vehicles, or some (mask, indices)."""
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
        self.helm.reset(rows)
        self.helm.hold(rows, self._first[rows])
        for i in rows.tolist():
            self._missions[i] = mission = Mission(_Row(self._first[i]), self.legs[i])
            self._guides[i]["kind"] = SCALAR
            self._values[i] = mission.values()
            self.done[i], self.index[i] = mission.done, 0
            self.refused.pop(i, None)

    def one(self, i: int) -> Mission:
        """The mission of vehicle i; between rare ticks it has not heard of the way along its present line."""
        return self._missions[i]

    def events(self, i: int) -> list[Event]:
        """What happened to vehicle i so far."""
        return self._missions[i].events

    def update(self, states: VehicleStates, dt: float) -> Actuations:
        """Ask the guides, tell the helm."""
        t, held = states, self.helm.held
        motion = [np.ascontiguousarray(x) for x in (t.time_s, t.pos_n, t.pitch, t.yaw, t.nu, t.nu_r)]
        if guide_all(self._guides, held, *motion, dt, self._rare):
            self._ask(np.flatnonzero(self._rare), states, dt)
        return self.helm.update(states, dt)

    def _ask(self, rows: NDArray[np.int64], states: VehicleStates, dt: float) -> None:
        """The scalar missions of some vehicles."""
        held = self.helm.held
        told: list[int] = []
        for i in rows.tolist():
            mission, helm, g = self._missions[i], self._missions[i].helm, self._guides[i]
            store(g, mission)
            if g["kind"] == COURSE:  # heading and depth have moved on since
                helm.setpoint = _Row(held[i]).setpoint
            before = helm.setpoint
            mission.update(_truth(states, i), dt)
            load(g, mission)
            self._values[i] = mission.values()
            self.done[i], self.index[i] = mission.done, mission.index
            if helm.setpoint is not before:
                told.append(i)
        if told:
            self._tell(told)

    def _tell(self, told: list[int]) -> None:
        """The helm holds what some missions ask for."""
        wishes = [vars(self._missions[i].setpoint) for i in told]
        new = np.array([[math.nan if wish[name] is None else wish[name] for name in NAMES] for wish in wishes])
        try:
            self.helm.hold(np.array(told), new)
        except CommandError as refusal:
            if not self.keep_going:
                raise
            if len(told) == 1:
                self.refused.setdefault(told[0], refusal)
                return
            for i in told:
                self._tell([i])

    def values(self) -> Array:
        """For the log, (n, columns); NaN where a guide does not say."""
        values, guides = self._values, self._guides
        lines, places = guides["kind"] == COURSE, guides["kind"] == STAY
        values[lines, CROSS] = guides["cross_m"][lines]
        along = lines | places
        values[along, ALONG] = guides["along_m"][along]
        return values.copy()


def _truth(t: VehicleStates, i: int) -> VehicleState:
    """One of them, as a scalar mission sees it."""
    angles = (float(t.roll[i]), float(t.pitch[i]), float(t.yaw[i]))
    motion = (t.pos_n[i].copy(), *angles, t.nu[i].copy(), t.nu_r[i].copy())
    return VehicleState.unchecked(float(t.time_s[i]), *motion, altitude_m=float(t.altitude_m[i]))
