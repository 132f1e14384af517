"""Legs along curves, steered by heading: circles and Archimedean spirals.

    r(theta) = r0 + a theta,   a = spacing / (2 pi)

theta is the angle about the centre since the vehicle reached the curve; adjacent turns are one spacing apart. At the
bearing phi from the centre the course of a curve to starboard is phi + 90 deg - atan(a / r), to port phi - 90 deg +
atan(a / r); the cross-track error is the radial one times cos(atan(a / r)), positive to starboard as everywhere.
The length up to theta is F(r) - F(r0), F(r) = (r sqrt(r^2 + a^2) + a^2 asinh(r / a)) / (2 a); r0 theta for a circle.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

from pelagos.checks import MISSION
from pelagos.engine.laws import wrap
from pelagos.guidance.base import Guide
from pelagos.guidance.steering import TURN, CourseLeg, Point, check_place, compass_deg
from pelagos.messages import Setpoint, VehicleState


def spiral_length(first_m: float, spacing_m: float, turns: float) -> float:
    """Return the length of `turns` of a spiral that begins at the radius `first_m`, m."""
    a, theta = spacing_m / TURN, TURN * turns
    if a * theta < 1e-9 * first_m or a == 0.0:  # the difference of primitives would cancel
        return first_m * theta

    def primitive(r: float) -> float:
        return (r * math.sqrt(r * r + a * a) + a * a * math.asinh(r / a)) / (2.0 * a)

    return primitive(first_m + a * theta) - primitive(first_m)


@dataclass(frozen=True, kw_only=True)
class Circle(CourseLeg):
    """Circle a point: station keeping for a vehicle that cannot stop."""

    kind: ClassVar[str] = "circle"

    center_m: tuple[float, float]
    radius_m: float
    side: Literal["starboard", "port"] = "starboard"  # direction of the turn
    turns: float = math.inf
    seconds_s: float = math.inf  # from reaching the circle

    def __post_init__(self) -> None:
        super().__post_init__()
        check_place("center_m", self.center_m)
        self.check("radius_m", 0.1, 1e5)
        self.check("turns", 0.0)
        self.check("seconds_s", 0.0)
        if math.isinf(self.turns) and math.isinf(self.seconds_s) and math.isinf(self.timeout_s):
            MISSION.fail("turns", "is missing; or give seconds_s")

    def make(self, state: VehicleState) -> Guide:
        """Build the guide, which starts where the vehicle reaches the circle."""
        return CircleGuide(self, self.center_m, self.radius_m, 0.0, self.side, self.turns, self.seconds_s, 0.0)

    def places(self) -> tuple[Point, ...]:
        """Return eight points of the circle."""
        (north, east), r = self.center_m, self.radius_m
        return tuple((north + r * math.cos(k * TURN / 8), east + r * math.sin(k * TURN / 8)) for k in range(8))


@dataclass(frozen=True, kw_only=True)
class Spiral(CourseLeg):
    """Spiral outward from a centre with a constant spacing, optionally deeper with each turn."""

    kind: ClassVar[str] = "spiral"

    center_m: tuple[float, float]
    spacing_m: float
    turns: float
    first_radius_m: float | None = None  # default one spacing, because a vehicle at speed cannot turn on the spot
    side: Literal["starboard", "port"] = "starboard"
    depth_per_turn_m: float = 0.0  # positive down; needs depth_m, the depth at the start

    def __post_init__(self) -> None:
        super().__post_init__()
        check_place("center_m", self.center_m)
        self.check("spacing_m", 0.01, 1e5)
        self.check("turns", 0.01, 1e4)
        if self.first_radius_m is not None:
            self.check("first_radius_m", 0.0, 1e5)
        if self.depth_per_turn_m:
            self.check("depth_per_turn_m", -12000.0, 12000.0)
            if self.depth_m is None:
                MISSION.fail("depth_m", "is missing; depth_per_turn_m starts from it")
            if self.depths()[-1] < 0.0:
                MISSION.fail("depth_per_turn_m", "it ends above the surface", value=self.depth_per_turn_m)

    @property
    def first_m(self) -> float:
        """Radius at the start."""
        return self.spacing_m if self.first_radius_m is None else self.first_radius_m

    @property
    def length_m(self) -> float:
        """Length of the track."""
        return spiral_length(self.first_m, self.spacing_m, self.turns)

    def make(self, state: VehicleState) -> Guide:
        """Build the guide, which starts where the vehicle reaches the first turn."""
        per_turn = self.depth_per_turn_m
        return CircleGuide(self, self.center_m, self.first_m, self.spacing_m, self.side, self.turns, math.inf, per_turn)

    def places(self) -> tuple[Point, ...]:
        """Return eight points of the outermost turn; the start depends on where the vehicle reaches the spiral."""
        (north, east), r = self.center_m, self.first_m + self.spacing_m * self.turns
        return tuple((north + r * math.cos(k * TURN / 8), east + r * math.sin(k * TURN / 8)) for k in range(8))

    def depths(self) -> tuple[float, ...]:
        """Return the depths at start and end."""
        first = super().depths()
        return first and (*first, first[0] + self.turns * self.depth_per_turn_m)


class CircleGuide:
    """Guide along a circle or spiral; turns and time count from when the vehicle is within `acceptance_m` of it."""

    def __init__(self, leg: CourseLeg, center: Point, first: float, spacing: float, side: str, turns: float,
                 seconds: float, depth_per_turn: float) -> None:  # fmt: skip
        self.leg, self.center, self.first, self.spacing = leg, center, first, spacing
        self.side = 1.0 if side == "starboard" else -1.0
        self.turns, self.seconds, self.depth_per_turn = turns, seconds, depth_per_turn
        self.steering = leg.steering()
        self.news: list[tuple[str, str]] = []
        self.angle = 0.0  # along the curve, rad
        self.cross_m = math.nan
        self._near_m = max(leg.acceptance_m, 1.0)
        self._joined_s = math.nan  # NaN: the vehicle has not reached the curve
        self._bearing = math.nan

    def update(self, state: VehicleState, dt: float) -> Setpoint | None:
        """Return the setpoint along the curve."""
        north, east, _ = state.pos_n.tolist()
        north, east = north - self.center[0], east - self.center[1]
        distance = math.hypot(north, east)
        bearing = math.atan2(east, north) if distance > 1e-6 else state.yaw
        if self._joined_s == self._joined_s:
            self.angle += self.side * wrap(bearing - self._bearing)
            if self.angle >= TURN * self.turns or state.time_s - self._joined_s >= self.seconds:
                return None
        self._bearing = bearing
        growth = self.spacing / TURN
        radius = self.first + growth * max(self.angle, 0.0)
        lean = math.atan2(growth, radius) if growth else 0.0
        self.cross_m = -self.side * (distance - radius) * math.cos(lean)
        if self._joined_s != self._joined_s and abs(self.cross_m) <= self._near_m:
            self._joined_s = state.time_s
            self.news.append(("joined", f"the {self.leg.kind} is joined"))
        chi = bearing + self.side * (0.5 * math.pi - lean)
        heading = compass_deg(self.steering.heading(chi, self.cross_m, state, dt))
        depth = self.leg.depth_m
        if depth is not None and self.depth_per_turn:
            depth += self.depth_per_turn * min(max(self.angle / TURN, 0.0), self.turns)
        return Setpoint.unchecked(
            heading_deg=heading, speed_m_s=self.leg.speed_m_s, depth_m=depth, altitude_m=self.leg.altitude_m
        )

    def values(self) -> dict[str, float]:
        """Return the number of turns, the errors, and the centre as the goal."""
        return {
            "target": math.floor(max(self.angle, 0.0) / TURN),
            "cross_track_m": self.cross_m,
            "along_track_m": spiral_length(self.first, self.spacing, max(self.angle, 0.0) / TURN),
            "goal_north_m": self.center[0],
            "goal_east_m": self.center[1],
        }
