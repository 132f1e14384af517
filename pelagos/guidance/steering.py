"""From cross-track error to a heading: line of sight, with and without learning the drift.

y is the cross-track error (starboard positive), Delta the look-ahead distance, chi the course of the line, U the speed,
beta the crab angle: course over ground less heading. All four laws head for a point Delta ahead on the line:

    los          psi = chi - atan(y / Delta)
    alos         psi = chi - beta_hat - atan(y / Delta),        d/dt beta_hat = gamma y Delta / sqrt(Delta^2 + y^2)
    ilos         psi = chi - atan((y + sigma y_int) / Delta),   d/dt y_int = Delta y / (Delta^2 + (y + sigma y_int)^2)
    cross_track  psi = chi - limited(kp y + ki integral of y + kp T_d dy/dt),   kp = 1 / Delta

In a side current V_c and at a speed V through the water `los` stays off the line by y = Delta tan(beta), where
sin(beta) = V_c / V. The other three learn beta and bring y to zero. Near the line all three are

    y'' + (U / Delta) y' + (U / (2 damping Delta))^2 y = 0

with gamma = ki = U / (4 damping^2 Delta^2) and sigma = U / (4 damping^2): one key, `damping`, says how fast they learn.
They learn only within a look-ahead of the line, else a long way back to it would be taken for a drift, and from two
look-aheads after a corner on, else the turn would be: on the short legs of a lawnmower nothing is learnt. (If y = Delta
tan(beta) is further off than that, the crab is beyond 45 deg, and the vehicle cannot hold the line in any case.)

References: `los`, `alos`: T. I. Fossen, An adaptive line-of-sight guidance law for path following of aircraft and
marine craft, IEEE Trans. Control Systems Technology 31, 2023. `ilos`: E. Borhaug, A. Pavlov, K. Y. Pettersen, Integral
LOS control for path following of underactuated marine surface vessels in the presence of constant ocean currents, 2008.
`cross_track`: the closed loop on cross-track error of E. Hunt and L. Whitcomb's simulated Iver3 dives.

Lines on the chart: how far along, how far off.

Cross-track error is positive to STARBOARD of the line, looking along it:

    along =  cos(chi) (N - N0) + sin(chi) (E - E0)
    cross = -sin(chi) (N - N0) + cos(chi) (E - E0)         chi = atan2(E1 - E0, N1 - N0)

Reference: T. I. Fossen, Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., 2021, section 12.4.
North, east in m of the world frame, angles in rad clockwise from north.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, cast

from pelagos.checks import is_number
from pelagos.engine.laws import also_compiled
from pelagos.errors import ScenarioError
from pelagos.guidance.base import Leg
from pelagos.messages import VehicleState

Point = tuple[float, float]
TURN = 2.0 * math.pi


@also_compiled
def wrap(angle_rad: float) -> float:
    """The same angle in [-pi, pi)."""
    return (angle_rad + math.pi) % TURN - math.pi


@also_compiled
def compass_deg(angle_rad: float) -> float:
    """A course in degrees, 0 to 360."""
    return math.degrees(angle_rad) % 360.0


@also_compiled
def along_and_across(cos: float, sin: float, north: float, east: float) -> Point:
    """A way north and east as one along a course (of given cosine and sine) and one to starboard of it."""
    return cos * north + sin * east, cos * east - sin * north


class Segment:
    """A straight piece of track from one point to another."""

    __slots__ = ("chi", "cos", "end", "length", "sin", "start")

    def __init__(self, start: Point, end: Point) -> None:
        self.start, self.end = start, end
        north, east = end[0] - start[0], end[1] - start[1]
        self.length = math.hypot(north, east)
        self.chi = math.atan2(east, north)
        self.cos, self.sin = math.cos(self.chi), math.sin(self.chi)

    def errors(self, north: float, east: float) -> Point:
        """Way along it and distance from it (starboard positive), m."""
        return along_and_across(self.cos, self.sin, north - self.start[0], east - self.start[1])

    def at(self, along_m: float) -> Point:
        """The point so far along."""
        return self.start[0] + along_m * self.cos, self.start[1] + along_m * self.sin


def segments(points: Sequence[Point]) -> list[Segment]:
    """The pieces between the points; points on the same spot make none."""
    made = [Segment(a, b) for a, b in pairwise(points)]
    return [piece for piece in made if piece.length > 1e-6]


def track_length(points: Sequence[Point]) -> float:
    """Length of the broken line through the points, m."""
    return sum(math.dist(a, b) for a, b in pairwise(points))


def check_rows(key: str, rows: Sequence[Sequence[float]], least: int, with_depth: bool = True) -> None:
    """Refuse rows that are no places: north, east and perhaps a depth, which is not above the surface."""
    what = "north, east" + (" and perhaps depth" if with_depth else "")
    if len(rows) < least:
        raise ScenarioError(file="mission", key=key, value=rows, expected=f"at least {least} rows of {what}, m")
    allowed = (2, 3) if with_depth else (2,)
    for i, row in enumerate(rows):
        sound = isinstance(cast(object, row), list | tuple) and len(row) in allowed
        if not (sound and all(is_number(x) and abs(x) < 1e7 for x in row)):
            raise ScenarioError(file="mission", key=f"{key}[{i}]", value=row, expected=f"{what}, m")
        if len(row) == 3 and not 0.0 <= row[2] <= 12000.0:
            raise ScenarioError(
                file="mission", key=f"{key}[{i}]", value=row, expected="a depth of 0 to 12000 m; up is not a depth"
            )
    if len({len(row) for row in rows}) > 1:
        raise ScenarioError(file="mission", key=key, value=rows, expected="a depth in every row or in none")


def check_place(key: str, place: Sequence[float]) -> None:
    """Refuse what is not north and east."""
    if not (len(place) == 2 and all(is_number(x) and abs(x) < 1e7 for x in place)):
        raise ScenarioError(file="mission", key=key, value=place, expected="north and east, m")


def level(rows: Sequence[Sequence[float]]) -> list[Point]:
    """The places of rows, without their depths."""
    return [(float(row[0]), float(row[1])) for row in rows]


def depths_of(rows: Sequence[Sequence[float]]) -> list[float]:
    """The depths of rows; none if they have none."""
    return [float(row[2]) for row in rows if len(row) == 3]


def stops_of(rows: Sequence[Sequence[float]]) -> tuple[tuple[float, float, float], ...]:
    """North, east and depth of each row that has a depth."""
    return tuple((float(row[0]), float(row[1]), float(row[2])) for row in rows if len(row) == 3)


# ---- steering --------------------------------------------------------------------------------------------------------


LOOKAHEAD_S, LEAST_LOOKAHEAD_M = 8.0, 2.0  # a heading loop of a few seconds is slow against it
LEAST_SPEED_M_S = 0.1  # learning does not stop at rest
CORNER = 2.0  # look-aheads: what is off the line sooner after a corner is the turn, not a drift; e^-2 of it is left
STEEPEST = 0.9  # sine of the largest crab that is carried over a corner


@dataclass(frozen=True, kw_only=True)
class CourseLeg(Leg):
    """What every leg has that is steered by heading."""

    law: Literal["los", "alos", "ilos", "cross_track"] = "alos"
    lookahead_m: float | None = None  # 8 s of way, at least 2 m, if not given
    damping: float = 1.0  # alos, ilos, cross_track: of the learning of the drift; more is slower
    acceptance_m: float = 5.0  # a point counts as reached within it, or when it is abeam
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
        """The law at work."""
        return LAWS[self.law](self)


class Steering:
    """Plain line of sight; the other laws derive from it. `crab` is the drift angle learnt, rad."""

    def __init__(self, leg: CourseLeg) -> None:
        self.crab = 0.0
        self.speed_m_s = math.nan if leg.speed_m_s is None else leg.speed_m_s
        self.lookahead_m = math.nan if leg.lookahead_m is None else leg.lookahead_m
        self.learning = 0.25 / leg.damping**2
        self._drift_n = self._drift_e = 0.0  # of the water over the speed, as far as it is known
        self.unsettled = 0.0  # look-aheads still to go after a corner before anything is learnt
        if leg.speed_m_s is not None and leg.lookahead_m is None:
            self.lookahead_m = max(LEAST_LOOKAHEAD_M, LOOKAHEAD_S * leg.speed_m_s)

    def heading(self, chi: float, cross_m: float, state: VehicleState, dt: float) -> float:
        """Heading to steer, rad, not wrapped."""
        ahead, speed = way(self, float(state.nu_r[0]), dt)
        return chi - self._law(cross_m, ahead, speed, chi, state, dt)

    def _law(self, cross: float, ahead: float, speed: float, chi: float, state: VehicleState, dt: float) -> float:
        """How far to port of the line's course to steer, rad."""
        return math.atan(cross / ahead)

    def turn(self, old: float, new: float) -> None:
        """The track bends: the drift that was learnt is one of the water, so it stays where it is in the world."""
        north, east = -math.sin(old), math.cos(old)  # to starboard of the old line
        more = math.sin(self.crab) - (self._drift_n * north + self._drift_e * east)
        self._drift_n += more * north
        self._drift_e += more * east
        across = self._drift_e * math.cos(new) - self._drift_n * math.sin(new)
        self.crab = math.asin(min(max(across, -STEEPEST), STEEPEST))
        self.unsettled = CORNER


class AdaptiveLos(Steering):
    """ALOS of Fossen (2023)."""

    def _law(self, cross: float, ahead: float, speed: float, chi: float, state: VehicleState, dt: float) -> float:
        return adaptive(self, cross, ahead, speed, dt)


class IntegralLos(Steering):
    """ILOS of Borhaug et al. (2008); the state kept is the crab, atan(sigma y_int / Delta)."""

    def _law(self, cross: float, ahead: float, speed: float, chi: float, state: VehicleState, dt: float) -> float:
        return integral(self, cross, ahead, speed, dt)


class CrossTrack(Steering):
    """PID on the cross-track error; the integral stops where the approach is at its limit."""

    def __init__(self, leg: CourseLeg) -> None:
        super().__init__(leg)
        self.limit, self.rate_s = math.radians(leg.approach_deg), leg.rate_s

    def _law(self, cross: float, ahead: float, speed: float, chi: float, state: VehicleState, dt: float) -> float:
        rate = across_m_s(state, chi) if self.rate_s > 0.0 else 0.0
        return limited(self, cross, ahead, speed, rate, dt)


# The laws are functions of anything with the attributes of a `Steering`, which may be a record of many (many_legs).


@also_compiled
def way(law: Any, surge: float, dt: float) -> tuple[float, float]:
    """Look-ahead and speed to reckon with, m and m/s; on the way the vehicle settles after a corner."""
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
def adaptive(law: Any, cross: float, ahead: float, speed: float, dt: float) -> float:
    """The law `alos`."""
    to_port = law.crab + math.atan(cross / ahead)
    if -ahead < cross < ahead and law.unsettled <= 0.0:
        gamma = law.learning * speed / (ahead * ahead)
        law.crab += dt * gamma * cross * ahead / math.sqrt(ahead * ahead + cross * cross)
    return to_port


@also_compiled
def integral(law: Any, cross: float, ahead: float, speed: float, dt: float) -> float:
    """The law `ilos`."""
    offset = ahead * math.tan(law.crab)
    shifted = cross + offset
    if -ahead < cross < ahead and law.unsettled <= 0.0:
        offset += dt * law.learning * speed * ahead * cross / (ahead * ahead + shifted * shifted)
        law.crab = math.atan(offset / ahead)
    return math.atan(shifted / ahead)


@also_compiled
def limited(law: Any, cross: float, ahead: float, speed: float, rate: float, dt: float) -> float:
    """The law `cross_track`; `rate` is that of the cross-track error, m/s."""
    wanted = cross / ahead + law.crab
    if law.rate_s > 0.0:
        wanted += law.rate_s * rate / ahead
    limit = law.limit
    if -limit < wanted < limit:
        if law.unsettled <= 0.0:
            law.crab += dt * law.learning * speed * cross / (ahead * ahead)
        return wanted
    return limit if wanted > 0.0 else -limit


LAWS: dict[str, type[Steering]] = {
    "los": Steering,
    "alos": AdaptiveLos,
    "ilos": IntegralLos,
    "cross_track": CrossTrack,
}


def across_m_s(state: VehicleState, chi: float) -> float:
    """Speed over ground to starboard of a course, m/s, for a vehicle without roll."""
    u, v, w = state.nu[:3].tolist()
    return across(u, v, w, state.pitch, state.yaw - chi)


@also_compiled
def across(u: float, v: float, w: float, pitch: float, angle: float) -> float:
    """Of body velocities, m/s, at a pitch and at an angle to the course, rad."""
    ahead = u * math.cos(pitch) + w * math.sin(pitch)
    return ahead * math.sin(angle) + v * math.cos(angle)
