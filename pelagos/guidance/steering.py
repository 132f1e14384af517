"""Steering along a track: geometry of straight segments, and line-of-sight laws from cross-track error to heading.

Along-track distance and cross-track error of a line, the latter positive to STARBOARD looking along it:

    along =  cos(chi) (N - N0) + sin(chi) (E - E0)
    cross = -sin(chi) (N - N0) + cos(chi) (E - E0)         chi = atan2(E1 - E0, N1 - N0)

North and east in m of the world frame, angles in rad clockwise from north.

With the cross-track error y, the look-ahead distance Delta, the course of the line chi, the speed U and the crab angle
beta (course over ground minus heading), all four laws steer for a point Delta ahead on the line:

    los          psi = chi - atan(y / Delta)
    alos         psi = chi - beta_hat - atan(y / Delta),        d/dt beta_hat = gamma y Delta / sqrt(Delta^2 + y^2)
    ilos         psi = chi - atan((y + sigma y_int) / Delta),   d/dt y_int = Delta y / (Delta^2 + (y + sigma y_int)^2)
    cross_track  psi = chi - limited(kp y + ki integral of y + kp T_d dy/dt),   kp = 1 / Delta

In a cross current V_c and at a speed V through the water, `los` has a steady error y = Delta tan(beta), where
sin(beta) = V_c / V. The other three estimate beta and bring y to zero. Near the line all three are

    y'' + (U / Delta) y' + (U / (2 damping Delta))^2 y = 0

with gamma = ki = U / (4 damping^2 Delta^2) and sigma = U / (4 damping^2): the key `damping` sets the adaptation rate.
They adapt only within one look-ahead distance of the line, so that the approach to the line does not count as drift,
and from two look-ahead distances after a corner on, so that the turn does not either: nothing is adapted on the short
legs of a lawnmower. (If y = Delta tan(beta) exceeds Delta, the crab angle is beyond 45 deg and the vehicle cannot hold
the line in any case.)

References: geometry: T. I. Fossen, Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., 2021, section
12.4. `los`, `alos`: T. I. Fossen, An adaptive line-of-sight guidance law for path following of aircraft and marine
craft, IEEE Trans. Control Systems Technology 31, 2023. `ilos`: E. Borhaug, A. Pavlov, K. Y. Pettersen, Integral LOS
control for path following of underactuated marine surface vessels in the presence of constant ocean currents, 2008.
`cross_track`: the closed loop on cross-track error of E. Hunt and L. Whitcomb's simulated Iver3 dives.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from pelagos.checks import MISSION, number, numbers
from pelagos.engine.laws import also_compiled
from pelagos.guidance.base import Leg
from pelagos.messages import VehicleState

Point = tuple[float, float]
TURN = 2.0 * math.pi
FARTHEST_M = 1e7  # limit of places in legs
LOOKAHEAD_S, LEAST_LOOKAHEAD_M = 8.0, 2.0  # default look-ahead: long compared with a heading loop of a few seconds
LEAST_SPEED_M_S = 0.1  # lower limit of the speed in the laws, so that adaptation continues at rest
CORNER = 2.0  # look-ahead distances without adaptation after a corner; e^-2 of the error of the turn is left then
LAWS = ("los", "alos", "ilos", "cross_track")
LOS, ALOS, ILOS, CROSS_TRACK = range(4)
STEEPEST = 0.9  # sine of the largest crab angle that is carried over a corner


@also_compiled
def compass_deg(angle_rad: float) -> float:
    """Convert an angle in rad to a course in degrees, 0 to 360."""
    return math.degrees(angle_rad) % 360.0


@also_compiled
def along_and_across(cos: float, sin: float, north: float, east: float) -> Point:
    """Convert a displacement north and east to components along a course and to starboard of it."""
    return cos * north + sin * east, cos * east - sin * north


@also_compiled
def passed(left_m: float, cross_m: float, radius_m: float) -> bool:
    """Whether the end of a segment is reached: abeam, or within the radius."""
    return not (left_m > 0.0 and left_m * left_m + cross_m * cross_m > radius_m * radius_m)


@also_compiled
def ramp_depth(along_m: float, length_m: float, before_m: float, after_m: float) -> float:
    """Return the depth along a segment whose depth changes linearly."""
    return before_m + min(max(along_m / length_m, 0.0), 1.0) * (after_m - before_m)


class Segment:
    """Straight segment of a track."""

    __slots__ = ("chi", "cos", "end", "length", "sin", "start")

    def __init__(self, start: Point, end: Point) -> None:
        self.start, self.end = start, end
        north, east = end[0] - start[0], end[1] - start[1]
        self.length = math.hypot(north, east)
        self.chi = math.atan2(east, north)
        self.cos, self.sin = math.cos(self.chi), math.sin(self.chi)

    def errors(self, north: float, east: float) -> Point:
        """Return along-track distance and cross-track error (starboard positive), m."""
        return along_and_across(self.cos, self.sin, north - self.start[0], east - self.start[1])

    def at(self, along_m: float) -> Point:
        """Return the point at an along-track distance."""
        return self.start[0] + along_m * self.cos, self.start[1] + along_m * self.sin


def segments(points: Sequence[Point]) -> list[Segment]:
    """Return the segments between points; coincident points make none."""
    made = [Segment(a, b) for a, b in pairwise(points)]
    return [piece for piece in made if piece.length > 1e-6]


def track_length(points: Sequence[Point]) -> float:
    """Return the length of the polyline through the points, m."""
    return sum(math.dist(a, b) for a, b in pairwise(points))


def check_rows(key: str, rows: Sequence[Sequence[float]], least: int, with_depth: bool = True) -> None:
    """Raise an error unless all rows are north, east and optionally a depth."""
    columns = "north, east" + (" and perhaps depth" if with_depth else "")
    if len(rows) < least:
        MISSION.fail(key, value=rows, expected=f"at least {least} rows of {columns}, m")
    for i, row in enumerate(rows):
        point = numbers(f"{key}[{i}]", row, expected=f"{columns}, m", context=MISSION)
        if point.size not in ((2, 3) if with_depth else (2,)) or np.abs(point).max() >= FARTHEST_M:
            MISSION.fail(f"{key}[{i}]", value=row, expected=f"{columns}, m")
        if len(row) == 3:
            expected = "a depth of 0 to 12000 m; up is not a depth"
            number(f"{key}[{i}][2]", row[2], 0.0, 12000.0, expected=expected, context=MISSION)
    if len({len(row) for row in rows}) > 1:
        MISSION.fail(key, value=rows, expected="a depth in every row or in none")


def check_place(key: str, place: Sequence[float]) -> None:
    """Raise an error unless the value is north and east."""
    for value in numbers(key, place, 2, expected="north and east, m", context=MISSION).tolist():
        number(key, value, -FARTHEST_M, FARTHEST_M, above=True, below=True, context=MISSION)


def north_east_of(rows: Sequence[Sequence[float]]) -> list[Point]:
    """Return north and east of rows, without depths."""
    return [(float(row[0]), float(row[1])) for row in rows]


def depths_of(rows: Sequence[Sequence[float]]) -> list[float]:
    """Return the depths of rows that have one."""
    return [float(row[2]) for row in rows if len(row) == 3]


def stops_of(rows: Sequence[Sequence[float]]) -> tuple[tuple[float, float, float], ...]:
    """Return north, east and depth of rows that have a depth."""
    return tuple((float(row[0]), float(row[1]), float(row[2])) for row in rows if len(row) == 3)


@dataclass(frozen=True, kw_only=True)
class PointsLeg(Leg):
    """Base of legs through points that may have depths."""

    points_m: tuple[tuple[float, ...], ...]  # rows of north, east and perhaps depth

    def check_points(self, least: int) -> None:
        """Raise an error unless there are enough points, with depths in their rows or one for the leg."""
        check_rows("points_m", self.points_m, least)
        for key in ("depth_m", "altitude_m"):
            if depths_of(self.points_m) and getattr(self, key) is not None:
                message = "not together with depths in points_m; keep one"
                MISSION.fail(key, message, value=getattr(self, key))

    def places(self) -> tuple[Point, ...]:
        """Return the points."""
        return tuple(north_east_of(self.points_m))

    def depths(self) -> tuple[float, ...]:
        """Return the depths of the points, or that of the leg."""
        return tuple(depths_of(self.points_m)) or super().depths()

    def stops(self) -> tuple[tuple[float, float, float], ...]:
        """Return each point with its depth."""
        return stops_of(self.points_m) or super().stops()


@dataclass(frozen=True, kw_only=True)
class CourseLeg(Leg):
    """Base of legs that are steered by heading."""

    law: Literal["los", "alos", "ilos", "cross_track"] = "alos"
    lookahead_m: float | None = None  # default: distance in 8 s, at least 2 m
    damping: float = 1.0  # alos, ilos, cross_track: larger values adapt more slowly
    acceptance_m: float = 5.0  # a point counts as reached within this distance, or when it is abeam
    approach_deg: float = 45.0  # cross_track: largest angle to the line
    rate_s: float = 0.0  # cross_track: derivative time

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.lookahead_m is not None:
            self.check("lookahead_m", 0.01, 1e5)
        if self.speed_m_s is not None:
            self.check("speed_m_s", 0.01, 30.0)
        self.check("damping", 0.1, 100.0)
        self.check("acceptance_m", 0.0, 1e5)
        self.check("approach_deg", 1.0, 90.0)
        self.check("rate_s", 0.0, 1000.0)

    def steering(self) -> Steering:
        """Build the steering law."""
        return Steering(self)


class Steering:
    """State of a steering law; `crab` is the estimated crab angle, rad."""

    def __init__(self, leg: CourseLeg) -> None:
        self.law = LAWS.index(leg.law)
        self.crab = 0.0
        self.speed_m_s = math.nan if leg.speed_m_s is None else leg.speed_m_s
        self.lookahead_m = math.nan if leg.lookahead_m is None else leg.lookahead_m
        self.learning = 0.25 / leg.damping**2
        self.limit, self.rate_s = math.radians(leg.approach_deg), leg.rate_s  # cross_track
        self._drift_n = self._drift_e = 0.0  # estimated current over the speed, north and east
        self.unsettled = 0.0  # look-ahead distances after a corner until adaptation resumes
        if leg.speed_m_s is not None and leg.lookahead_m is None:
            self.lookahead_m = max(LEAST_LOOKAHEAD_M, LOOKAHEAD_S * leg.speed_m_s)

    def heading(self, chi: float, cross_m: float, state: VehicleState, dt: float) -> float:
        """Return the heading to steer, rad, not wrapped."""
        nu = state.nu.tolist() if self.rate_s > 0.0 else ()  # a line-of-sight law does not need it
        return steer(self, chi, cross_m, float(state.nu_r[0]), nu, state.pitch, state.yaw, dt)

    def turn(self, old: float, new: float) -> None:
        """Carry the estimated drift over a corner: it belongs to the water, so it keeps its direction in the world."""
        north, east = -math.sin(old), math.cos(old)  # to starboard of the old line
        # the law observes only the drift across its line; the component along it stays as estimated before
        more = math.sin(self.crab) - (self._drift_n * north + self._drift_e * east)
        self._drift_n += more * north
        self._drift_e += more * east
        across = self._drift_e * math.cos(new) - self._drift_n * math.sin(new)
        self.crab = math.asin(min(max(across, -STEEPEST), STEEPEST))
        self.unsettled = CORNER


# The laws take any object with the attributes of a `Steering`: in `vectorised` it is a record of an array.


@also_compiled
def steer(law: Any, chi: float, cross: float, surge: float, nu: Any, pitch: float, yaw: float, dt: float) -> float:
    """Return the heading to steer, rad, not wrapped; `nu`, the velocity over ground, is for the law with a rate."""
    ahead, speed = lookahead_and_speed(law, surge, dt)
    if law.law == ALOS:
        return chi - adaptive_los(law, cross, ahead, speed, dt)
    if law.law == ILOS:
        return chi - integral_los(law, cross, ahead, speed, dt)
    if law.law == CROSS_TRACK:
        rate = cross_track_rate(nu[0], nu[1], nu[2], pitch, yaw - chi) if law.rate_s > 0.0 else 0.0
        return chi - cross_track_pid(law, cross, ahead, speed, rate, dt)
    return chi - math.atan(cross / ahead)


@also_compiled
def lookahead_and_speed(law: Any, surge: float, dt: float) -> tuple[float, float]:
    """Return look-ahead distance (m) and speed (m/s) for the laws, and count down the distance after a corner."""
    speed = law.speed_m_s
    if speed != speed:
        speed = abs(surge)
    if speed < LEAST_SPEED_M_S:
        speed = LEAST_SPEED_M_S
    ahead = law.lookahead_m
    if ahead != ahead:
        ahead = max(LEAST_LOOKAHEAD_M, LOOKAHEAD_S * speed)
    if law.unsettled > 0.0:
        law.unsettled -= speed * dt / ahead
    return ahead, speed


@also_compiled
def adaptive_los(law: Any, cross: float, ahead: float, speed: float, dt: float) -> float:
    """Apply adaptive line of sight (ALOS), Fossen (2023): return the angle to port, rad, and adapt the crab angle."""
    to_port = law.crab + math.atan(cross / ahead)
    if -ahead < cross < ahead and law.unsettled <= 0.0:
        gamma = law.learning * speed / (ahead * ahead)
        law.crab += dt * gamma * cross * ahead / math.sqrt(ahead * ahead + cross * cross)
    return to_port


@also_compiled
def integral_los(law: Any, cross: float, ahead: float, speed: float, dt: float) -> float:
    """Apply integral line of sight (ILOS), Borhaug et al. (2008): return the angle to port, rad, and adapt.

    Its state is crab = atan(sigma y_int / Delta).
    """
    offset = ahead * math.tan(law.crab)
    shifted = cross + offset
    if -ahead < cross < ahead and law.unsettled <= 0.0:
        offset += dt * law.learning * speed * ahead * cross / (ahead * ahead + shifted * shifted)
        law.crab = math.atan(offset / ahead)
    return math.atan(shifted / ahead)


@also_compiled
def cross_track_pid(law: Any, cross: float, ahead: float, speed: float, rate: float, dt: float) -> float:
    """Apply a PID on the cross-track error: return the angle to port, rad; `rate` is d/dt of the error, m/s.

    The integrator stops while the angle is limited.
    """
    to_port = cross / ahead + law.crab
    if law.rate_s > 0.0:
        to_port += law.rate_s * rate / ahead
    limit = law.limit
    if -limit < to_port < limit:
        if law.unsettled <= 0.0:
            law.crab += dt * law.learning * speed * cross / (ahead * ahead)
        return to_port
    return limit if to_port > 0.0 else -limit


@also_compiled
def cross_track_rate(u: float, v: float, w: float, pitch: float, angle: float) -> float:
    """Return the speed to starboard of a course from body velocities, m/s, pitch and angle to the course, rad."""
    ahead = u * math.cos(pitch) + w * math.sin(pitch)
    return ahead * math.sin(angle) + v * math.cos(angle)
