"""The common tick of a leg, for many vehicles: along a line, at a place, or nothing new; compiled.

One record a vehicle. What is rare (a point is reached, a leg begins or is over, a place is come to) is not decided
here: such vehicles are marked, and the scalar mission goes on from the same state (many). The laws are those of
steering, track and place themselves. NaN: not given. SI units, radians.
"""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.compiled_laws import also_compiled, law
from pelagos.guidance.course import Course
from pelagos.guidance.mission import Mission
from pelagos.guidance.place import Stay, miss
from pelagos.guidance.simple import Constant
from pelagos.guidance.steering import LAWS, CrossTrack, Steering, across, adaptive, integral, limited, way
from pelagos.guidance.track import along_and_across, compass_deg
from pelagos.messages import Setpoint

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
    if type(guide) is Course:
        _load_course(g, guide)
    elif type(guide) is Stay and not guide._face and guide.leg.altitude_m is None:
        _load_stay(g, guide)
    elif type(guide) is Constant:
        g["kind"], g["until_s"] = CONSTANT, guide.until_s


def _load_course(g: Any, guide: Course) -> None:
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


def _load_stay(g: Any, guide: Stay) -> None:
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
    if g["kind"] == COURSE and isinstance(guide, Course):
        steering: Steering = guide.steering
        steering.crab, steering.unsettled = float(g["crab"]), float(g["unsettled"])
        guide.along_m, guide.cross_m = float(g["along_m"]), float(g["cross_m"])
    elif g["kind"] == STAY and isinstance(guide, Stay):
        guide.away_m, guide._near_since_s = -float(g["along_m"]), float(g["near_since_s"])


assert {CrossTrack, *LAW_KINDS} == set(LAWS.values()), "a law without a compiled form is flown by the guide itself"
