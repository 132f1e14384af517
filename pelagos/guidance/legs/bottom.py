"""Bottom following: constant altitude along a track, with the navigation sonar looking ahead.

Echoes ahead become depths of the bottom at distances ahead. Cells of one metre store the shallowest until the vehicle
has passed. The vehicle can climb at an angle c, so its depth must now be at most

    z = min over cells of ( bottom_i - altitude + max(x_i - lead, 0) tan(c) ),    lead = speed lead_s

which starts a climb as late as possible, `lead_s` early for the lag of the depth loop. The bottom straight below (the
measured altitude) is one of the cells, so the altitude is held without echoes. The depth setpoint moves towards z no
faster than the angle c allows at the actual or set speed, up and down alike. A beam at the angle `e` below the axis of
the vehicle, at a pitch theta (bow up) and a range r, hits the bottom r cos(e - theta) ahead of the sonar and
r sin(e - theta) deeper.

Depths in m, positive down; reference for the sonar: the Gavia notes, "Bottom and Navigation sonar model".
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from operator import add
from typing import Any, ClassVar, Self

from pelagos.checks import MISSION
from pelagos.errors import ScenarioError
from pelagos.guidance.base import Guide
from pelagos.guidance.legs.course import CourseGuide, from_here
from pelagos.guidance.steering import CourseLeg, Point, Segment, check_rows, north_east_of
from pelagos.messages import Reading, Setpoint, VehicleState
from pelagos.sensors.base import Sensor
from pelagos.sensors.sound.navigation_sonar import NavigationSonar

USUAL_RANGE_M = 50.0  # default range of a sonar
CELL_M, ASTERN = 1.0, 3  # length of a cell; number of cells behind the origin, for the stern


@dataclass(frozen=True, kw_only=True)
class BottomFollow(CourseLeg):
    """Follow the bottom at `altitude_m` through points, with a sonar that looks ahead.

    A scenario takes beams, range and position from the sensor named `sonar`; in Python use `with_sonar`.
    """

    kind: ClassVar[str] = "bottom_follow"

    points_m: tuple[tuple[float, float], ...]  # rows of north, east
    sonar: str = ""  # name of a navigation sonar with slant ranges; without it the autopilot holds the altitude
    beams_deg: tuple[float, ...] = ()  # below the axis; default: those of the sonar; without any its nearest echo
    sonar_ahead_m: float | None = None  # position ahead of the body origin; default: that of the sonar, or 0
    sonar_range_m: float | None = None  # longer ranges are no echo; default: that of the sonar, or 50
    climb_deg: float = 15.0  # steepest path of the vehicle
    lead_s: float = 5.0  # time by which a climb starts early, for the lag of the depth loop
    shallowest_m: float = 1.0  # lower limit of the depth setpoint, in shallow water
    deepest_m: float = 12000.0  # upper limit of the depth setpoint

    def __post_init__(self) -> None:
        super().__post_init__()
        check_rows("points_m", self.points_m, 1, with_depth=False)
        if self.altitude_m is None:
            MISSION.fail("altitude_m", "is missing")
        if self.beams_deg and not self.sonar:
            MISSION.fail("sonar", "is missing; beams_deg are those of a sonar")
        for key, low, high in (("sonar_ahead_m", -1000.0, 1000.0), ("sonar_range_m", 0.1, 12000.0)):
            if getattr(self, key) is not None:
                self.check(key, low, high)
        self.check("climb_deg", 0.5, 80.0)
        self.check("lead_s", 0.0, 600.0)
        self.check("shallowest_m", 0.0, 12000.0)
        self.check("deepest_m", self.shallowest_m, 12000.0)

    def with_sonar(self, sensor: Sensor) -> Self:
        """Return the leg with beams, range and position of this sonar; raises an error if the leg sets other values."""
        name = sensor.name or sensor.kind
        where = {"file": "mission", "key": "sonar", "value": name}
        if not isinstance(sensor, NavigationSonar):
            raise ScenarioError(f'has kind = "{sensor.kind}"', **where, expected="a navigation_sonar")
        if sensor.reading != "slant":
            message = f'gives readings "{sensor.reading}"'
            raise ScenarioError(message, **where, expected='a sonar with reading = "slant"')
        roll, pitch, yaw = sensor.orientation_deg
        if roll != 0.0 or yaw != 0.0:
            expected = "a sonar whose fan is upright and looks ahead"
            raise ScenarioError("is turned in roll or yaw", **where, expected=expected)
        fitted: dict[str, Any] = {
            "beams_deg": tuple((sensor.elevations_deg - pitch).tolist()),
            "sonar_ahead_m": float(sensor.position_m[0]),
            "sonar_range_m": float(sensor.max_range_m),
        }
        for key, value in fitted.items():
            present = getattr(self, key)
            if present not in (None, ()) and not _alike(present, value):
                message = f"the sonar {name} differs; leave the key out, it is taken from the instrument"
                MISSION.fail(key, message, value=present)
        return replace(self, sonar=name, **fitted)

    def make(self, state: VehicleState) -> Guide:
        """Build the guide along the points; with a sonar it sets the depth, otherwise the altitude."""
        track = from_here(state, north_east_of(self.points_m))
        return BottomFollowGuide(self, track, state) if self.sonar else CourseGuide(self, track)

    def places(self) -> tuple[Point, ...]:
        """Return the points."""
        return tuple(north_east_of(self.points_m))


def _alike(key_value: Any, sonar_value: Any) -> bool:
    """Whether a number or a list equals that of the sonar, to a millionth of a degree or metre."""
    first, second = (value if isinstance(value, tuple) else (value,) for value in (key_value, sonar_value))
    return len(first) == len(second) and all(abs(a - b) <= 1e-6 for a, b in zip(first, second, strict=True))


class BottomFollowGuide(CourseGuide):
    """Guide along a track at a depth that clears the bottom measured by the sonar."""

    def __init__(self, leg: BottomFollow, track: list[Segment], state: VehicleState) -> None:
        super().__init__(leg, track)
        self.altitude_m = leg.altitude_m or 0.0
        self._ahead_m = 0.0 if leg.sonar_ahead_m is None else leg.sonar_ahead_m
        self._range_m = USUAL_RANGE_M if leg.sonar_range_m is None else leg.sonar_range_m
        self.bottom_m = [math.inf] * (ASTERN + 1 + math.ceil((self._range_m + self._ahead_m) / CELL_M))
        # depth setpoint, and the depth that it moves to
        self.held_m = self.target_m = max(float(state.pos_n[2]), leg.shallowest_m)
        self._leg = leg
        self._slope = math.tan(math.radians(leg.climb_deg))
        self._beams = [math.radians(e) for e in leg.beams_deg]
        self._moved_m = 0.0  # since the cells were last shifted
        self._lead_m = -1.0
        self._extra = [0.0] * len(self.bottom_m)
        self._reported = ""  # last problem in `news`: it is reported once

    def update(self, state: VehicleState, dt: float) -> Setpoint | None:
        """Return heading along the track and depth above the bottom ahead."""
        segment = self.index
        heading = self.course(state, dt)
        if heading is None:
            return None
        if self.index != segment:  # the stored echoes lie on another course
            self.bottom_m = [math.inf] * len(self.bottom_m)
        u, v = state.nu[:2].tolist()
        speed = math.hypot(u, v)
        depth = float(state.pos_n[2])
        self._shift(speed * dt)
        if state.altitude_m == state.altitude_m:
            self._note(0.0, depth + state.altitude_m)
        reading = state.readings.get(self._leg.sonar)
        if reading is not None:
            self._note_echoes(reading, depth, state.pitch)
        self._hold(speed, dt)
        return Setpoint.unchecked(heading_deg=heading, speed_m_s=self._speed, depth_m=self.held_m)

    def _shift(self, moved_m: float) -> None:
        self._moved_m += moved_m  # cells move relative to the vehicle by whole cells only
        while self._moved_m >= CELL_M:
            self._moved_m -= CELL_M
            self.bottom_m.pop(0)
            self.bottom_m.append(math.inf)

    def _note(self, ahead_m: float, bottom_m: float) -> None:
        """Store the shallowest bottom of a cell."""
        cell = ASTERN + int((ahead_m + self._moved_m) / CELL_M)
        if 0 <= cell < len(self.bottom_m) and bottom_m < self.bottom_m[cell]:
            self.bottom_m[cell] = bottom_m

    def _note_echoes(self, reading: Reading, depth: float, pitch: float) -> None:
        values = reading.values.tolist()
        at, most = self._ahead_m, self._range_m * (1.0 - 1e-9)
        ahead, down = at * math.cos(pitch), depth - at * math.sin(pitch)  # of the sonar
        if not self._beams:  # the last three columns are the nearest echo: range, ahead, below
            if len(values) >= 3 and values[-1] == values[-1] and values[-3] < most:
                self._note(ahead + values[-2], down + values[-1])
            return
        for angle, distance in zip(self._beams, values, strict=False):
            if distance < most:  # not NaN, and an echo
                self._note(ahead + distance * math.cos(angle - pitch), down + distance * math.sin(angle - pitch))

    def _hold(self, speed: float, dt: float) -> None:
        leg = self._leg
        lead = round(speed * leg.lead_s / CELL_M)
        if lead != self._lead_m:  # climb possible before each cell; the table changes with the speed only
            self._lead_m = lead
            self._extra = [max(k - ASTERN - lead, 0) * CELL_M * self._slope for k in range(len(self.bottom_m))]
        target = min(map(add, self.bottom_m, self._extra)) - self.altitude_m
        problem = ""
        if target == math.inf:
            target, problem = self.held_m, "no echo of the bottom; the depth is kept"
        elif target < leg.shallowest_m:
            target, problem = leg.shallowest_m, "too shallow for the altitude asked for"
        elif target > leg.deepest_m:
            target, problem = leg.deepest_m, "too deep for the altitude asked for"
        if problem and problem != self._reported:
            self.news.append(("bottom", problem))
        self._reported = problem
        self.target_m = target
        most = max(speed, self._speed or 0.0) * self._slope * dt
        self.held_m = min(max(target, self.held_m - most), self.held_m + most)
