"""Legs for vehicles that can hover: hold a position, go to a point, follow a path."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from pelagos.checks import MISSION
from pelagos.engine.laws import also_compiled, wrap
from pelagos.guidance.base import Guide, Leg
from pelagos.guidance.steering import (
    Point,
    PointsLeg,
    compass_deg,
    depths_of,
    north_east_of,
    ramp_depth,
    segments,
)
from pelagos.messages import Setpoint, VehicleState


@dataclass(frozen=True, kw_only=True)
class PlaceLeg(Leg):
    """Base of legs that control position; `speed_m_s` is the speed limit."""

    heading_deg: float | None = None
    tolerance_m: float = 0.5  # horizontal, and in depth
    tolerance_deg: float = 5.0  # of heading_deg, if set
    settle_s: float = 2.0  # time within the tolerances that counts as arrived

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.heading_deg is not None:
            self.check("heading_deg", -360.0, 360.0)
        if self.speed_m_s is not None:
            self.check("speed_m_s", 0.01, 30.0)
        self.check("tolerance_m", 1e-3, 1e4)
        self.check("tolerance_deg", 0.01, 180.0)
        self.check("settle_s", 0.0, 3600.0)

    def miss_m(self, state: VehicleState, north_m: float, east_m: float, depth_m: float | None) -> tuple[float, bool]:
        """Return the horizontal distance, and whether all setpoints are within their tolerances."""
        depth = math.nan if depth_m is None else depth_m
        heading = math.nan if self.heading_deg is None else math.radians(self.heading_deg)
        north, east, down = state.pos_n.tolist()
        metres, angle = self.tolerance_m, math.radians(self.tolerance_deg)
        away, near = miss(north, east, down, state.yaw, north_m, east_m, depth, heading, metres, angle)
        if self.altitude_m is not None and not abs(state.altitude_m - self.altitude_m) <= self.tolerance_m:
            near = False
        return away, near


@also_compiled
def miss(north: float, east: float, down: float, yaw: float, north_m: float, east_m: float, depth_m: float,
         heading: float, tolerance_m: float, tolerance: float) -> tuple[float, bool]:  # fmt: skip
    """Return the horizontal distance, and whether position, depth and heading (NaN: any) are within tolerances."""
    away = math.hypot(north_m - north, east_m - east)
    # "not >" instead of "<=": comparisons with NaN are false, and NaN means any
    near = away <= tolerance_m and not abs(depth_m - down) > tolerance_m
    return away, near and not abs(wrap(heading - yaw)) > tolerance


@also_compiled
def near_since(since_s: float, near: bool, time_s: float) -> float:
    """Return since when the vehicle is within the tolerances; NaN if it is not."""
    return math.nan if not near else time_s if since_s != since_s else since_s


@also_compiled
def stay_over(guide: Any, near: bool, time_s: float) -> bool:
    """Whether the time at a position (NaN: until settled) is over; takes the attributes of a `StationGuide`."""
    if guide.seconds_s == guide.seconds_s:
        return time_s - guide.began_s >= guide.seconds_s
    return near and time_s - guide.near_since_s >= guide.settle_s


@dataclass(frozen=True, kw_only=True)
class Hold(PlaceLeg):
    """Hold a position, by default the present one, for `seconds_s`; without it until settled."""

    kind: ClassVar[str] = "hold"

    north_m: float | None = None
    east_m: float | None = None
    seconds_s: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for key, other in (("north_m", self.east_m), ("east_m", self.north_m)):
            if getattr(self, key) is not None:
                self.check(key, -1e7, 1e7)
            elif other is not None:
                MISSION.fail(key, "is missing; a place has north_m and east_m")
        if self.seconds_s is not None:
            self.check("seconds_s", 0.0)

    def make(self, state: VehicleState) -> Guide:
        """Build the guide; position and heading default to the present ones."""
        north, east, _ = state.pos_n.tolist()
        place = (north, east) if self.north_m is None or self.east_m is None else (self.north_m, self.east_m)
        heading = compass_deg(state.yaw) if self.heading_deg is None else self.heading_deg
        return StationGuide(self, place, heading, self.seconds_s)

    def places(self) -> tuple[Point, ...]:
        """Return the position, if it is set."""
        return () if self.north_m is None or self.east_m is None else ((self.north_m, self.east_m),)


@dataclass(frozen=True, kw_only=True)
class Goto(PlaceLeg):
    """Go to a point and settle there; with `face` the vehicle points towards it on the way."""

    kind: ClassVar[str] = "goto"

    north_m: float
    east_m: float
    face: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check("north_m", -1e7, 1e7)
        self.check("east_m", -1e7, 1e7)

    def make(self, state: VehicleState) -> Guide:
        """Build the guide; the leg is over when the vehicle has settled."""
        heading = compass_deg(state.yaw) if self.heading_deg is None else self.heading_deg
        return StationGuide(self, (self.north_m, self.east_m), heading, None, self.face)

    def places(self) -> tuple[Point, ...]:
        """Return the point."""
        return ((self.north_m, self.east_m),)


class StationGuide:
    """Guide that holds one position, for a time or until settled."""

    def __init__(
        self, leg: PlaceLeg, place: Point, heading_deg: float, seconds_s: float | None, face: bool = False
    ) -> None:
        self.leg, self.place, self.settle_s = leg, place, leg.settle_s
        self.seconds_s = math.nan if seconds_s is None else seconds_s
        self.news: list[tuple[str, str]] = []
        self.away_m = math.nan
        self.began_s = self.near_since_s = math.nan  # NaN: not begun, not near
        self._final, self._face = heading_deg, face
        self._heading = heading_deg
        self._setpoint = self._make(heading_deg)

    def _make(self, heading_deg: float) -> Setpoint:
        leg, (north, east) = self.leg, self.place
        return Setpoint.unchecked(north_m=north, east_m=east, heading_deg=heading_deg, speed_m_s=leg.speed_m_s,
                     depth_m=leg.depth_m, altitude_m=leg.altitude_m)  # fmt: skip

    def update(self, state: VehicleState, dt: float) -> Setpoint | None:
        """Return the position; with `face` the heading points towards it until the vehicle is near."""
        if self.began_s != self.began_s:
            self.began_s = state.time_s
        self.away_m, near = self.leg.miss_m(state, *self.place, self.leg.depth_m)
        if near and self.near_since_s != self.near_since_s:
            self.news.append(("arrived", f"within {self.leg.tolerance_m:g} m of the place"))
        self.near_since_s = near_since(self.near_since_s, near, state.time_s)
        if stay_over(self, near, state.time_s):
            return None
        if self._face:
            self._turn(state)
        return self._setpoint

    def _turn(self, state: VehicleState) -> None:
        """Head towards the position while far; near it hold `heading_deg`, or the heading of arrival."""
        heading = self._final if self.leg.heading_deg is not None else self._heading
        if self.away_m > 2.0 * self.leg.tolerance_m:
            north, east, _ = state.pos_n.tolist()
            heading = compass_deg(math.atan2(self.place[1] - east, self.place[0] - north))
        if heading != self._heading:
            self._heading, self._setpoint = heading, self._make(heading)

    def values(self) -> dict[str, float]:
        """Return the position, and minus the distance to it as along-track error."""
        return {"along_track_m": -self.away_m, "goal_north_m": self.place[0], "goal_east_m": self.place[1]}


@dataclass(frozen=True, kw_only=True)
class FollowPath(PointsLeg, PlaceLeg):
    """Follow a path, such as a pipeline, behind a goal that moves at `speed_m_s` and waits for the vehicle.

    The goal moves at full speed while the vehicle is within half of `leash_m`, slows down up to `leash_m`, and stops
    beyond. The heading is that of the path, unless `heading_deg` is set.
    """

    kind: ClassVar[str] = "follow_path"

    leash_m: float = 2.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_points(2)
        self.check("leash_m", 0.01, 1e4)
        if self.speed_m_s is None:
            MISSION.fail("speed_m_s", "is missing; the goal moves along the path at it")
        if not segments(north_east_of(self.points_m)):
            MISSION.fail("points_m", value=self.points_m, expected="at least two different places")

    def make(self, state: VehicleState) -> Guide:
        """Build the guide; the goal waits at the first point until the vehicle arrives."""
        return PathGuide(self)


class PathGuide:
    """Guide towards a goal that moves along a path."""

    FASTER = 1.5  # speed limit of the vehicle over that of the goal, to catch up

    def __init__(self, leg: FollowPath) -> None:
        self.leg, self.speed = leg, leg.speed_m_s or 0.0
        rows = leg.points_m
        self.track = segments(north_east_of(rows))
        self.news: list[tuple[str, str]] = []
        self.index = 0
        self.goal_m = 0.0  # along the present segment
        self.goal: Point = self.track[0].start
        self.along_m = self.cross_m = math.nan
        self._near_since_s = math.nan
        apart = [row for i, row in enumerate(rows) if i == 0 or math.dist(row[:2], rows[i - 1][:2]) > 1e-6]
        self._depths = depths_of(apart)

    def update(self, state: VehicleState, dt: float) -> Setpoint | None:
        """Advance the goal and return the setpoint."""
        leg, piece = self.leg, self.track[self.index]
        north, east, _ = state.pos_n.tolist()
        self.along_m, self.cross_m = piece.errors(north, east)
        gap = math.hypot(self.goal[0] - north, self.goal[1] - east)
        share = 2.0 * (1.0 - gap / leg.leash_m)  # 1 at half a leash, 0 at a whole one
        if share > 0.0:
            self.goal_m += self.speed * dt * min(share, 1.0)
        last = self.index == len(self.track) - 1
        if self.goal_m >= piece.length:
            if last:
                self.goal_m = piece.length
            else:
                self.goal_m -= piece.length
                self.index += 1
                piece = self.track[self.index]
                self.along_m, self.cross_m = piece.errors(north, east)
                self.news.append(("waypoint", f"point {self.index} of {len(self.track)} passed by the goal"))
        self.goal = piece.at(self.goal_m)
        depth = leg.depth_m
        if self._depths:
            before, after = self._depths[self.index], self._depths[self.index + 1]
            depth = ramp_depth(self.goal_m, piece.length, before, after)
        if last and self.goal_m >= piece.length and self._settled(state, depth):
            return None
        heading = compass_deg(piece.chi) if leg.heading_deg is None else leg.heading_deg
        return Setpoint.unchecked(north_m=self.goal[0], east_m=self.goal[1], heading_deg=heading, depth_m=depth,
                     altitude_m=leg.altitude_m, speed_m_s=self.FASTER * self.speed)  # fmt: skip

    def _settled(self, state: VehicleState, depth_m: float | None) -> bool:
        _, near = self.leg.miss_m(state, *self.goal, depth_m)
        self._near_since_s = near_since(self._near_since_s, near, state.time_s)
        return near and state.time_s - self._near_since_s >= self.leg.settle_s

    def values(self) -> dict[str, float]:
        """Return the errors of the vehicle on the segment of the goal, and the goal."""
        return {
            "target": float(self.index),
            "cross_track_m": self.cross_m,
            "along_track_m": self.along_m,
            "goal_north_m": self.goal[0],
            "goal_east_m": self.goal[1],
        }
