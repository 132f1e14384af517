"""Legs along straight lines, steered by heading: waypoints and tracklines.

A survey of an area by parallel lines.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from pelagos.errors import ScenarioError
from pelagos.guidance.base import Guide, unchecked_setpoint
from pelagos.guidance.steering import (
    CourseLeg,
    Point,
    Segment,
    check_place,
    check_rows,
    compass_deg,
    depths_of,
    level,
    segments,
    stops_of,
    track_length,
)
from pelagos.messages import Setpoint, VehicleState


class CourseGuide:
    """Flies a list of segments. A segment is over within `acceptance_m` of its end or when the end is abeam.

    `depths` has one depth for the start and one for the end of each segment, if the track has depths of its own; with
    `ramp` they are straight lines between the points, else the depth of the point ahead.
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
        """The piece being flown, or the last."""
        return self.track[min(self.index, len(self.track) - 1)]

    def update(self, state: VehicleState, dt: float) -> Setpoint | None:
        """Heading along the track."""
        heading = self.course(state, dt)
        if heading is None:
            return None
        depth = self._at_depth() if self.depths else self._depth
        return unchecked_setpoint(heading_deg=heading, speed_m_s=self._speed, depth_m=depth, altitude_m=self._altitude)

    def course(self, state: VehicleState, dt: float) -> float | None:
        """Heading to steer, deg, or None at the end of the track."""
        north, east, _ = state.pos_n.tolist()
        track = self.track
        while self.index < len(track):
            piece = track[self.index]
            along, cross = piece.errors(north, east)
            self.along_m, self.cross_m = along, cross
            left = piece.length - along
            if left > 0.0 and left * left + cross * cross > self._radius * self._radius:
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
        share = self.along_m / self.track[self.index].length
        return self.depths[self.index] + min(max(share, 0.0), 1.0) * (after - self.depths[self.index])

    def values(self) -> dict[str, float]:
        """Errors on the present segment and the point ahead."""
        north, east = self.segment.end
        return {
            "target": float(self.index),
            "cross_track_m": self.cross_m,
            "along_track_m": self.along_m,
            "goal_north_m": north,
            "goal_east_m": east,
        }


def from_here(state: VehicleState, points: Sequence[Point]) -> list[Segment]:
    """The track that begins where the vehicle is."""
    north, east, _ = state.pos_n.tolist()
    return segments([(north, east), *points])


@dataclass(frozen=True, kw_only=True)
class Waypoints(CourseLeg):
    """From where the vehicle is through points in order."""

    kind: ClassVar[str] = "waypoints"

    points_m: tuple[tuple[float, ...], ...]  # rows of north, east and perhaps depth
    ramp: bool = False  # depth goes in straight lines between points, instead of at once

    def __post_init__(self) -> None:
        super().__post_init__()
        check_rows("points_m", self.points_m, 1)
        check_one_depth(self, self.points_m)
        if self.ramp and not depths_of(self.points_m):
            raise ScenarioError(file="mission", key="ramp", value=True, expected="a depth in every row of points_m")

    def make(self, state: VehicleState) -> Guide:
        """Starts on a line from here to the first point."""
        return _with_depths(self, state, self.points_m, self.ramp)

    def places(self) -> tuple[Point, ...]:
        """The points."""
        return tuple(level(self.points_m))

    def depths(self) -> tuple[float, ...]:
        """Of the points, or the one of the leg."""
        return tuple(depths_of(self.points_m)) or super().depths()

    def stops(self) -> tuple[tuple[float, float, float], ...]:
        """Each point with its own depth."""
        return stops_of(self.points_m) or super().stops()


def check_one_depth(leg: CourseLeg, rows: Sequence[Sequence[float]]) -> None:
    """Refuse depths in the rows beside one for the leg."""
    for key in ("depth_m", "altitude_m"):
        if depths_of(rows) and getattr(leg, key) is not None:
            raise ScenarioError(
                "not together with depths in points_m; keep one", file="mission", key=key, value=getattr(leg, key)
            )


def _with_depths(leg: CourseLeg, state: VehicleState, rows: Sequence[Sequence[float]], ramp: bool) -> CourseGuide:
    """A course through rows; a row on the spot of the one before makes no segment and has no depth of its own."""
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
    """One straight line, extended backwards: a vehicle that is not on it comes to it.

    With `ground_speed_m_s` = v it also keeps up with a place that moves along the line at this speed over ground from
    where it began: speed through the water = v + (along-track error) / 8 s, between v / 2 and 3 v / 2.
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
            raise ScenarioError(file="mission", key="to_m", value=self.to_m, expected="another place than from_m")
        if self.ground_speed_m_s is not None:
            self.check("ground_speed_m_s", 0.01, 30.0)
            if self.speed_m_s is not None:
                raise ScenarioError(
                    "not together with ground_speed_m_s; keep one",
                    file="mission",
                    key="speed_m_s",
                    value=self.speed_m_s,
                )

    def make(self, state: VehicleState) -> Guide:
        """Steers onto the line at once."""
        line = [Segment(self.from_m, self.to_m)]
        return CourseGuide(self, line) if self.ground_speed_m_s is None else _Timed(self, line, self.ground_speed_m_s)

    def places(self) -> tuple[Point, ...]:
        """Both ends."""
        return (self.from_m, self.to_m)


class _Timed(CourseGuide):
    """A course with control of the way along the track as well."""

    def __init__(self, leg: CourseLeg, track: Sequence[Segment], speed_m_s: float) -> None:
        super().__init__(leg, track)
        self._over_ground = speed_m_s
        self._due_m = math.nan

    def update(self, state: VehicleState, dt: float) -> Setpoint | None:
        wish = super().update(state, dt)
        if wish is None:
            return None
        if math.isnan(self._due_m):
            self._due_m = self.along_m
        v = self._over_ground
        speed = v + (self._due_m - self.along_m) / 8.0
        self._due_m += v * dt
        held = min(max(speed, 0.5 * v), 1.5 * v)
        return unchecked_setpoint(
            heading_deg=wish.heading_deg, speed_m_s=held, depth_m=wish.depth_m, altitude_m=wish.altitude_m
        )


# ---- lawnmower -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Lawnmower(CourseLeg):
    """Lines of `length_m` in `direction_deg`, there and back, each `spacing_m` further to one side until `width_m`.

    n = floor(width / spacing) + 1 lines; length of the track n (length + 2 overrun) + (n - 1) spacing. Lines begin and
    end `overrun_m` outside the area, so that turns do. Where `acceptance_m` is well above the spacing the short lines
    across are cut off and the vehicle turns straight onto the next line.
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
            raise ScenarioError(f"that makes {self.lines} lines", file="mission", key="spacing_m", value=self.spacing_m)

    @property
    def lines(self) -> int:
        """How many lines it takes."""
        return math.floor(self.width_m / self.spacing_m + 1e-9) + 1

    @property
    def length_of_track_m(self) -> float:
        """From the beginning of the first line to the end of the last."""
        return track_length(self.points())

    def points(self) -> list[Point]:
        """The corners of the track, two for each line."""
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
        """Goes to the beginning of the first line, then along all of them."""
        return CourseGuide(self, from_here(state, self.points()))

    def places(self) -> tuple[Point, ...]:
        """The corners of the track."""
        return tuple(self.points())
