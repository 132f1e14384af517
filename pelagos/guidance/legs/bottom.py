"""Bottom following: an altitude is kept along a track, with a look ahead by the navigation sonar.

Echoes ahead become depths of the bottom at distances ahead, remembered in cells of a metre while the vehicle comes up
to them, the shallowest of each cell. The vehicle can climb at an angle c, so it must now be no deeper than

    z = min over cells of ( bottom_i - altitude + max(x_i - lead, 0) tan(c) ),    lead = speed lead_s

which starts a climb as late as it can be done, `lead_s` early for the lag of the depth loop. The bottom straight below
(the measured altitude) is one of the cells, so that without echoes the altitude is held. The depth asked for moves
towards z no faster than the angle c allows at the speed made or asked for, up and down alike. A beam that looks `e`
below the axis of the vehicle, at a pitch theta (bow up), of the range r meets the bottom r cos(e - theta) ahead and
r sin(e - theta) deeper than the sonar.

Depths in m, positive down; reference for the sonar: the Gavia notes, "Bottom and Navigation sonar model".
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from operator import add
from typing import Any, ClassVar, Self

from pelagos.errors import ScenarioError
from pelagos.guidance.base import Guide, unchecked_setpoint
from pelagos.guidance.legs.course import CourseGuide, from_here
from pelagos.guidance.steering import CourseLeg, Point, Segment, check_rows, level
from pelagos.messages import Reading, Setpoint, VehicleState
from pelagos.sensors.base import Sensor
from pelagos.sensors.sound.navigation_sonar import NavigationSonar

USUAL_RANGE_M = 50.0  # of a sonar that nothing is known of
CELL_M, ASTERN = 1.0, 3  # length of a cell; cells that are kept behind the origin, for the tail


@dataclass(frozen=True, kw_only=True)
class BottomFollow(CourseLeg):
    """Keep `altitude_m` over the bottom from where the vehicle is through points, looking ahead with a sonar.

    A scenario takes beams, range and place from the instrument of the name `sonar`; in Python `with_sonar` does.
    """

    kind: ClassVar[str] = "bottom_follow"

    points_m: tuple[tuple[float, float], ...]  # rows of north, east
    sonar: str = ""  # name of a navigation sonar that gives slant ranges; without it the autopilot holds the altitude
    beams_deg: tuple[float, ...] = ()  # degrees below the axis: those of the sonar; without them its nearest echo
    sonar_ahead_m: float | None = None  # where it sits ahead of the body origin: that of the sonar, or 0
    sonar_range_m: float | None = None  # a range as long as that is no echo: that of the sonar, or 50
    climb_deg: float = 15.0  # steepest path the vehicle can fly
    lead_s: float = 5.0  # how much earlier it begins, for the lag of the depth loop
    shallowest_m: float = 1.0  # where the water is too shallow for the altitude it stays at this depth
    deepest_m: float = 12000.0  # it never asks for more

    def __post_init__(self) -> None:
        super().__post_init__()
        check_rows("points_m", self.points_m, 1, with_depth=False)
        if self.altitude_m is None:
            raise ScenarioError("is missing", file="mission", key="altitude_m")
        if self.beams_deg and not self.sonar:
            raise ScenarioError("is missing; beams_deg are those of a sonar", file="mission", key="sonar")
        for key, low, high in (("sonar_ahead_m", -1000.0, 1000.0), ("sonar_range_m", 0.1, 12000.0)):
            if getattr(self, key) is not None:
                self.check(key, low, high)
        self.check("climb_deg", 0.5, 80.0)
        self.check("lead_s", 0.0, 600.0)
        self.check("shallowest_m", 0.0, 12000.0)
        self.check("deepest_m", self.shallowest_m, 12000.0)

    def with_sonar(self, sensor: Sensor) -> Self:
        """The same leg with beams, range and place of this navigation sonar; what is given otherwise is refused."""
        name = sensor.name or sensor.kind
        where = {"file": "mission", "key": "sonar", "value": name}
        if not isinstance(sensor, NavigationSonar):
            raise ScenarioError(f'is of the kind "{sensor.kind}"', **where, expected="a navigation_sonar")
        if sensor.reading != "slant":
            message = f'gives readings "{sensor.reading}"'
            raise ScenarioError(message, **where, expected='a sonar with reading = "slant"')
        roll, pitch, yaw = sensor.orientation_deg
        if roll != 0.0 or yaw != 0.0:
            expected = "a sonar whose fan is upright and looks ahead"
            raise ScenarioError("is turned in roll or yaw", **where, expected=expected)
        own: dict[str, Any] = {
            "beams_deg": tuple((sensor.elevations_deg - pitch).tolist()),
            "sonar_ahead_m": float(sensor.position_m[0]),
            "sonar_range_m": float(sensor.max_range_m),
        }
        for key, value in own.items():
            given = getattr(self, key)
            if given not in (None, ()) and not _alike(given, value):
                message = f"the sonar {name} differs; leave the key out, it is taken from the instrument"
                raise ScenarioError(message, file="mission", key=key, value=given)
        return replace(self, sonar=name, **own)

    def make(self, state: VehicleState) -> Guide:
        """Along the points; the depth comes from the sonar where there is one."""
        track = from_here(state, level(self.points_m))
        return BottomFollowGuide(self, track, state) if self.sonar else CourseGuide(self, track)

    def places(self) -> tuple[Point, ...]:
        """The points."""
        return tuple(level(self.points_m))


def _alike(given: Any, own: Any) -> bool:
    """Whether a number or a list of them is the instrument's, to a millionth of a degree or metre."""
    one, other = (value if isinstance(value, tuple) else (value,) for value in (given, own))
    return len(one) == len(other) and all(abs(a - b) <= 1e-6 for a, b in zip(one, other, strict=True))


class BottomFollowGuide(CourseGuide):
    """A course whose depth clears what the sonar has seen."""

    def __init__(self, leg: BottomFollow, track: list[Segment], state: VehicleState) -> None:
        super().__init__(leg, track)
        self.altitude_m = leg.altitude_m or 0.0
        self._ahead_m = 0.0 if leg.sonar_ahead_m is None else leg.sonar_ahead_m
        self._range_m = USUAL_RANGE_M if leg.sonar_range_m is None else leg.sonar_range_m
        self.bottom_m = [math.inf] * (ASTERN + 1 + math.ceil((self._range_m + self._ahead_m) / CELL_M))
        self.held_m = self.wanted_m = max(float(state.pos_n[2]), leg.shallowest_m)  # asked for, and where it moves to
        self._leg = leg
        self._slope = math.tan(math.radians(leg.climb_deg))
        self._beams = [math.radians(e) for e in leg.beams_deg]
        self._moved_m = 0.0  # since the cells were last shifted
        self._lead_m = -1.0
        self._extra = [0.0] * len(self.bottom_m)
        self._told = ""

    def update(self, state: VehicleState, dt: float) -> Setpoint | None:
        """Heading along the track, depth over the bottom ahead."""
        segment = self.index
        heading = self.course(state, dt)
        if heading is None:
            return None
        if self.index != segment:  # what was seen lies on another course
            self.bottom_m = [math.inf] * len(self.bottom_m)
        u, v = state.nu[:2].tolist()
        speed = math.hypot(u, v)
        depth = float(state.pos_n[2])
        self._shift(speed * dt)
        if state.altitude_m == state.altitude_m:
            self._note(0.0, depth + state.altitude_m)
        reading = state.readings.get(self._leg.sonar)
        if reading is not None:
            self._hear(reading, depth, state.pitch)
        self._hold(speed, dt)
        return unchecked_setpoint(heading_deg=heading, speed_m_s=self._speed, depth_m=self.held_m)

    def _shift(self, moved_m: float) -> None:
        self._moved_m += moved_m
        while self._moved_m >= CELL_M:
            self._moved_m -= CELL_M
            self.bottom_m.pop(0)
            self.bottom_m.append(math.inf)

    def _note(self, ahead_m: float, bottom_m: float) -> None:
        """The shallowest echo of a cell counts."""
        cell = ASTERN + int((ahead_m + self._moved_m) / CELL_M)
        if 0 <= cell < len(self.bottom_m) and bottom_m < self.bottom_m[cell]:
            self.bottom_m[cell] = bottom_m

    def _hear(self, reading: Reading, depth: float, pitch: float) -> None:
        values = reading.values.tolist()
        at, most = self._ahead_m, self._range_m * (1.0 - 1e-9)
        ahead, down = at * math.cos(pitch), depth - at * math.sin(pitch)  # of the sonar
        if not self._beams:  # the nearest echo, as the sonar has worked it out: range, ahead, below
            if len(values) >= 3 and values[-1] == values[-1] and values[-3] < most:
                self._note(ahead + values[-2], down + values[-1])
            return
        for angle, distance in zip(self._beams, values, strict=False):
            if distance < most:  # not NaN, and an echo
                self._note(ahead + distance * math.cos(angle - pitch), down + distance * math.sin(angle - pitch))

    def _hold(self, speed: float, dt: float) -> None:
        leg = self._leg
        lead = round(speed * leg.lead_s / CELL_M)
        if lead != self._lead_m:  # a table of what the climb gives until each cell
            self._lead_m = lead
            self._extra = [max(k - ASTERN - lead, 0) * CELL_M * self._slope for k in range(len(self.bottom_m))]
        wanted = min(map(add, self.bottom_m, self._extra)) - self.altitude_m
        said = ""
        if wanted == math.inf:
            wanted, said = self.held_m, "no echo of the bottom; the depth is kept"
        elif wanted < leg.shallowest_m:
            wanted, said = leg.shallowest_m, "too shallow for the altitude asked for"
        elif wanted > leg.deepest_m:
            wanted, said = leg.deepest_m, "too deep for the altitude asked for"
        if said and said != self._told:
            self.news.append(("bottom", said))
        self._told = said
        self.wanted_m = wanted
        most = max(speed, self._speed or 0.0) * self._slope * dt
        self.held_m = min(max(wanted, self.held_m - most), self.held_m + most)
