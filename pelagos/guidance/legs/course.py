"""Legs along straight lines, steered by heading: waypoints, tracklines and lawnmower surveys."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from pelagos.checks import MISSION
from pelagos.guidance.base import Guide
from pelagos.guidance.steering import (
    CourseLeg,
    Point,
    PointsLeg,
    Segment,
    check_place,
    compass_deg,
    depths_of,
    passed,
    ramp_depth,
    segments,
    track_length,
)
from pelagos.messages import Setpoint, VehicleState

CATCH_UP_S = 8.0  # time constant of the along-track loop


class CourseGuide:
    """Guide along a list of segments; a segment ends within `acceptance_m` of its end or when the end is abeam.

    `depths` has the depth of the start and of the end of each segment, or is empty for a track without depths; with
    `ramp` the depth changes linearly between the points, otherwise it is that of the point ahead.
    """

    def __init__(
        self, leg: CourseLeg, track: Sequence[Segment], depths: Sequence[float] = (), ramp: bool = False
    ) -> None:
        self.leg, self.track, self.depths, self.ramp = leg, list(track), list(depths), ramp
        self.steering = leg.steering()
        self.news: list[tuple[str, str]] = []
        self.index = 0
        self.along_m = self.cross_m = math.nan
        self._radius = leg.acceptance_m
        self._speed, self._depth, self._altitude = leg.speed_m_s, leg.depth_m, leg.altitude_m

    @property
    def segment(self) -> Segment:
        """The active segment, or the last."""
        return self.track[min(self.index, len(self.track) - 1)]

    def update(self, state: VehicleState, dt: float) -> Setpoint | None:
        """Return the setpoint along the track."""
        heading = self.course(state, dt)
        if heading is None:
            return None
        depth = self._at_depth() if self.depths else self._depth
        return Setpoint.unchecked(heading_deg=heading, speed_m_s=self._speed, depth_m=depth, altitude_m=self._altitude)

    def course(self, state: VehicleState, dt: float) -> float | None:
        """Return the heading to steer, deg, or None at the end of the track."""
        north, east, _ = state.pos_n.tolist()
        track = self.track
        while self.index < len(track):
            piece = track[self.index]
            along, cross = piece.errors(north, east)
            self.along_m, self.cross_m = along, cross
            left = piece.length - along
            if not passed(left, cross, self._radius):
                return compass_deg(self.steering.heading(piece.chi, cross, state, dt))
            self.index += 1
            self.news.append(
                ("waypoint", f"point {self.index} of {len(track)} reached, {math.hypot(left, cross):.1f} m off")
            )
            if self.index < len(track):
                self.steering.turn(piece.chi, track[self.index].chi)
        return None

    def _at_depth(self) -> float:
        after = self.depths[self.index + 1]
        if not self.ramp:
            return after
        return ramp_depth(self.along_m, self.track[self.index].length, self.depths[self.index], after)

    def values(self) -> dict[str, float]:
        """Return the errors on the active segment and the point ahead."""
        north, east = self.segment.end
        return {
            "target": float(self.index),
            "cross_track_m": self.cross_m,
            "along_track_m": self.along_m,
            "goal_north_m": north,
            "goal_east_m": east,
        }


def from_here(state: VehicleState, points: Sequence[Point]) -> list[Segment]:
    """Return the track from the position of the vehicle through the points."""
    north, east, _ = state.pos_n.tolist()
    return segments([(north, east), *points])


@dataclass(frozen=True, kw_only=True)
class Waypoints(PointsLeg, CourseLeg):
    """Fly through waypoints in order, from the position of the vehicle."""

    kind: ClassVar[str] = "waypoints"

    ramp: bool = False  # change the depth linearly between points instead of at once

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_points(1)
        if self.ramp and not depths_of(self.points_m):
            MISSION.fail("ramp", value=True, expected="a depth in every row of points_m")

    def make(self, state: VehicleState) -> Guide:
        """Build the guide, which starts on a line to the first point."""
        return _with_depths(self, state, self.points_m, self.ramp)


def _with_depths(leg: CourseLeg, state: VehicleState, rows: Sequence[Sequence[float]], ramp: bool) -> CourseGuide:
    """Guide through rows; a row at the position of the one before adds neither a segment nor a depth."""
    north, east, down = state.pos_n.tolist()
    track: list[Segment] = []
    depths = [down]
    for row in rows:
        piece = Segment(track[-1].end if track else (north, east), (row[0], row[1]))
        if piece.length > 1e-6:
            track.append(piece)
            depths += row[2:]
    return CourseGuide(leg, track, depths if len(depths) > 1 else (), ramp)


@dataclass(frozen=True, kw_only=True)
class Trackline(CourseLeg):
    """Follow one straight line, which is extended backwards, so that the vehicle converges to it from anywhere.

    With `ground_speed_m_s` = v the vehicle also tracks a point that moves along the line at v over ground, starting
    beside the vehicle: speed through the water = v + (along-track error) / 8 s, between v / 2 and 3 v / 2.
    """

    kind: ClassVar[str] = "trackline"

    from_m: tuple[float, float]
    to_m: tuple[float, float]
    ground_speed_m_s: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_place("from_m", self.from_m)
        check_place("to_m", self.to_m)
        if math.dist(self.from_m, self.to_m) < 1e-3:
            MISSION.fail("to_m", value=self.to_m, expected="another place than from_m")
        if self.ground_speed_m_s is not None:
            self.check("ground_speed_m_s", 0.01, 30.0)
            if self.speed_m_s is not None:
                MISSION.fail("speed_m_s", "not together with ground_speed_m_s; keep one", value=self.speed_m_s)

    def make(self, state: VehicleState) -> Guide:
        """Build the guide, which converges to the line at once."""
        line = [Segment(self.from_m, self.to_m)]
        return CourseGuide(self, line) if self.ground_speed_m_s is None else _Timed(self, line, self.ground_speed_m_s)

    def places(self) -> tuple[Point, ...]:
        """Return both ends."""
        return (self.from_m, self.to_m)


class _Timed(CourseGuide):
    """Guide along a track that also controls the along-track position."""

    def __init__(self, leg: CourseLeg, track: Sequence[Segment], speed_m_s: float) -> None:
        super().__init__(leg, track)
        self._over_ground = speed_m_s
        self._due_m = math.nan

    def update(self, state: VehicleState, dt: float) -> Setpoint | None:
        setpoint = super().update(state, dt)
        if setpoint is None:
            return None
        if math.isnan(self._due_m):
            self._due_m = self.along_m
        v = self._over_ground
        speed = v + (self._due_m - self.along_m) / CATCH_UP_S
        self._due_m += v * dt
        held = min(max(speed, 0.5 * v), 1.5 * v)
        return Setpoint.unchecked(
            heading_deg=setpoint.heading_deg, speed_m_s=held, depth_m=setpoint.depth_m, altitude_m=setpoint.altitude_m
        )


@dataclass(frozen=True, kw_only=True)
class Lawnmower(CourseLeg):
    """Survey an area by parallel lines of `length_m` in `direction_deg`, there and back, `spacing_m` apart.

    n = floor(width / spacing) + 1 lines; length of the track n (length + 2 overrun) + (n - 1) spacing. Lines begin and
    end `overrun_m` outside the area, so the turns lie outside. If `acceptance_m` is well above the spacing, the vehicle
    skips the short lines across and turns straight onto the next line.
    """

    kind: ClassVar[str] = "lawnmower"

    corner_m: tuple[float, float]  # of the area, where the first line begins
    length_m: float
    width_m: float
    spacing_m: float
    direction_deg: float = 0.0  # of the first line
    side: Literal["starboard", "port"] = "starboard"  # of the first line, on which the area lies
    overrun_m: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_place("corner_m", self.corner_m)
        self.check("length_m", 0.1, 1e6)
        self.check("width_m", 0.0, 1e6)
        self.check("spacing_m", 0.01, 1e6)
        self.check("direction_deg", -360.0, 360.0)
        self.check("overrun_m", 0.0, 1e5)
        if self.lines > 10000:
            message = f"makes {self.lines} lines"
            MISSION.fail("spacing_m", message, value=self.spacing_m, expected="at most 10000")

    @property
    def lines(self) -> int:
        """Number of lines."""
        return math.floor(self.width_m / self.spacing_m + 1e-9) + 1

    @property
    def length_of_track_m(self) -> float:
        """Length of the track from the start of the first line to the end of the last."""
        return track_length(self.points())

    def points(self) -> list[Point]:
        """Return the corners of the track, two for each line."""
        chi = math.radians(self.direction_deg)
        cos, sin = math.cos(chi), math.sin(chi)
        way = 1.0 if self.side == "starboard" else -1.0
        made: list[Point] = []
        for k in range(self.lines):
            ends = (-self.overrun_m, self.length_m + self.overrun_m)
            across = way * k * self.spacing_m
            for along in ends if k % 2 == 0 else ends[::-1]:
                made.append((
                    self.corner_m[0] + along * cos - across * sin,
                    self.corner_m[1] + along * sin + across * cos,
                ))  # fmt: skip
        return made

    def make(self, state: VehicleState) -> Guide:
        """Build the guide, which goes to the start of the first line and then along all of them."""
        return CourseGuide(self, from_here(state, self.points()))

    def places(self) -> tuple[Point, ...]:
        """Return the corners of the track."""
        return tuple(self.points())
