"""What a pilot can have held: names, where a hold begins, and how a stick then moves what is held.

A hold begins where the vehicle will come to rest. A loop comes home by e = approach_s de/dt (tuning), so the value

    held = now + approach_s rate

asks at first for the force that the present motion needs, and then for less and less of it. A stick moves the value at
its rate or at the fastest that the loop takes, and never further ahead of the vehicle than the largest error that the
loop acts on. When it is let go the value comes back to where the vehicle comes to rest, so that one slow to start does
not run on; what a short tap has moved it by (TAP) stays. Depth m, heading deg, places m north and east, speed m/s
through the water.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from pelagos.checks import number, numbers
from pelagos.control.base import down_in_body, wrap
from pelagos.control.tuning.schedule import Schedule
from pelagos.engine.laws import clip
from pelagos.errors import CommandError
from pelagos.messages import VehicleState

Values = tuple[float, ...]

# What each hold sets.
QUANTITIES: dict[str, tuple[str, ...]] = {
    "depth": ("depth_m",),
    "altitude": ("altitude_m",),
    "heading": ("heading_deg",),
    "position": ("north_m", "east_m"),
    "level": ("roll_deg", "pitch_deg"),
    "speed": ("speed_m_s",),
}
# What goes off when another goes on.
PUTS_OUT = {"depth": "altitude", "altitude": "depth", "position": "speed", "speed": "position"}

VERTICAL_M_S = 0.5  # of full stick: depth and altitude
TURN_DEG_S = 30.0
PLACE_M_S = 0.5
SPEED_M_S2 = 0.2
TILT_DEG = 20.0  # level: roll and pitch at full stick
TILT_DEG_S = 20.0
FARTHEST_DEG = 60.0  # a stick moves a heading no further ahead, whatever the loop
HALF_TURN_DEG = 150.0  # a spin is stopped within that, on the same side
TAP = {"depth": 0.2, "altitude": 0.2, "heading": 5.0, "position": 0.2}  # m, deg


class Pace(NamedTuple):
    """How a loop comes home: m and s, or deg and s."""

    approach_s: float
    lead: float  # largest error it acts on

    def rest(self, rate: float) -> float:
        """How far on from here a motion comes to rest."""
        return rate * self.approach_s

    def step(self, stick: float, rate: float, dt: float) -> float:
        """How far a stick moves the value in dt: at its rate, or the loop's own."""
        fastest = self.lead / self.approach_s if self.approach_s > 0.0 else rate
        return stick * min(rate, fastest) * dt

    def pushed(self, error: float, step: float) -> float:
        """The error after a step, which takes it no further than the lead."""
        return max(error, min(error + step, self.lead)) if step > 0.0 else min(error, max(error + step, -self.lead))

    def left(self, error: float, rate: float, tap: float) -> float:
        """The error when the stick is let go: as far as the motion carries, but a tap at least."""
        on = max(math.copysign(1.0, error) * self.rest(rate), tap)
        return clip(error, -on, on)


class Holds:
    """Where the holds of one vehicle begin, how far they reach, and how sticks move them."""

    def __init__(self, schedule: Schedule, astern: float) -> None:
        """`astern` is the thrust astern over that ahead."""
        self._schedule = schedule
        self.top_speed = schedule.top_speed
        self.slowest = -schedule.top_speed * math.sqrt(min(astern, 1.0))  # drag goes about with the square of the speed
        surge, sway = schedule.place
        approach = max(surge.approach_s, sway.approach_s)
        fastest = surge.error_limit / surge.approach_s if surge.works else 0.0
        self._place = Pace(approach, fastest * approach)

    def _vertical(self, state: VehicleState, by_planes: bool) -> Pace:
        """Depth, by thrust or through pitch."""
        if not by_planes:
            heave = self._schedule.heave
            return Pace(heave.approach_s, heave.error_limit)
        stage = self._schedule.stage(float(state.nu_r[0]))
        dive = stage.dive
        return Pace(dive.approach_s, stage.pitch_limit * stage.speed / dive.frequency if dive.frequency > 0.0 else 0.0)

    def _heading(self, state: VehicleState) -> Pace:
        loop = self._schedule.stage(float(state.nu_r[0])).yaw
        return Pace(loop.approach_s, min(math.degrees(loop.error_limit), FARTHEST_DEG))

    def begin(self, what: str, state: VehicleState, by_planes: bool) -> Values:
        """What is held from now on, if nothing is said of it; `by_planes`: depth through pitch."""
        north, east, depth = state.pos_n.tolist()
        if what in ("depth", "altitude"):
            drop = self._vertical(state, by_planes).rest(depth_rate(state))
            if what == "altitude":
                return (clip(state.altitude_m - drop, 0.0, max(state.altitude_m + depth, 0.0)),)
            return (clip(depth + drop, 0.0, bottom(state)),)
        if what == "heading":
            on = clip(self._heading(state).rest(heading_rate(state)), -HALF_TURN_DEG, HALF_TURN_DEG)
            return ((math.degrees(state.yaw) + on) % 360.0,)
        if what == "position":
            v = place_rate(state)
            return north + self._place.rest(v[0]), east + self._place.rest(v[1])
        if what == "speed":
            return (clip(float(state.nu_r[0]), self.slowest, self.top_speed),)
        return 0.0, 0.0

    def checked(self, what: str, value: float | Sequence[float], state: VehicleState) -> Values:
        """A value that was given, if it is possible here; CommandError with a sentence if not."""
        if what == "level":
            raise CommandError("level takes no value: roll and pitch are held at zero")
        if what == "position":
            return tuple(numbers("position to hold", value, 2).tolist())
        given, deepest = number(f"{what} to hold", value), bottom(state)
        if what in ("depth", "altitude") and not 0.0 <= given <= deepest:
            number(f"{what} to hold", given, 0.0)
            raise CommandError(f"the water is {deepest:.4g} m deep here", key=f"{what} to hold", value=given)
        if what == "speed" and not self.slowest <= given <= self.top_speed:
            name, span = self._schedule.vehicle.name, f"{self.slowest:.3g} to {self.top_speed:.3g} m/s"
            raise CommandError(f"{name} goes from {span}", key="speed to hold", value=given)
        return (given,)

    def deeper(self, what: str, value: float, stick: float, state: VehicleState, by_planes: bool, dt: float) -> float:
        """A depth or an altitude moved by the heave stick; not out of the water and not into the bottom."""
        pace, depth = self._vertical(state, by_planes), float(state.pos_n[2])
        step = pace.step(stick, VERTICAL_M_S, dt)
        if what == "depth":
            return clip(depth + pace.pushed(value - depth, step), 0.0, bottom(state))
        here = state.altitude_m
        if here != here:  # the bottom is out of sight
            return value
        return clip(here + pace.pushed(value - here, -step), 0.0, max(here + depth, 0.0))

    def turned(self, value: float, stick: float, state: VehicleState, dt: float) -> float:
        """A heading moved by the yaw stick."""
        pace, here = self._heading(state), math.degrees(state.yaw)
        error = math.degrees(wrap(math.radians(value - here)))
        return (here + pace.pushed(error, pace.step(stick, TURN_DEG_S, dt))) % 360.0

    def shifted(self, place: Values, way: tuple[float, float], state: VehicleState, dt: float) -> Values:
        """A place moved by a stick; `way` is that stick, north and east, at most 1 long."""
        pace = self._place
        north, east, _ = state.pos_n.tolist()
        far = max(math.hypot(place[0] - north, place[1] - east), pace.lead)
        x = place[0] + pace.step(way[0], PLACE_M_S, dt) - north
        y = place[1] + pace.step(way[1], PLACE_M_S, dt) - east
        share = min(1.0, far / max(math.hypot(x, y), 1e-12))
        return north + share * x, east + share * y

    def faster(self, value: float, stick: float, least: float, dt: float) -> float:
        """A speed moved by the surge stick."""
        return clip(value + stick * SPEED_M_S2 * dt, least, self.top_speed)

    def let_go(self, what: str, held: Values, state: VehicleState, by_planes: bool) -> Values:
        """What is held when the stick that moved it is back in the middle."""
        north, east, depth = state.pos_n.tolist()
        if what == "depth":
            pace, rate = self._vertical(state, by_planes), depth_rate(state)
            return (depth + pace.left(held[0] - depth, rate, TAP[what]),)
        if what == "altitude":
            pace, rate, here = self._vertical(state, by_planes), -depth_rate(state), state.altitude_m
            return (here + pace.left(held[0] - here, rate, TAP[what]),) if here == here else held
        if what == "heading":
            here = math.degrees(state.yaw)
            error = math.degrees(wrap(math.radians(held[0] - here)))
            return ((here + self._heading(state).left(error, heading_rate(state), TAP[what])) % 360.0,)
        if what == "position":
            x, y = held[0] - north, held[1] - east
            far = math.hypot(x, y)
            if far > 0.0:
                v = place_rate(state)
                share = self._place.left(far, (x * v[0] + y * v[1]) / far, TAP[what]) / far
                return north + share * x, east + share * y
        return held


def tilted(angles: Values, sticks: tuple[float, float], dt: float) -> Values:
    """Roll and pitch asked for, deg, on the way to those of the sticks."""
    most = TILT_DEG_S * dt
    return tuple(v + clip(TILT_DEG * s - v, -most, most) for v, s in zip(angles, sticks, strict=True))


def bottom(state: VehicleState) -> float:
    """Depth of the bottom, m; infinite where none is seen."""
    seen = float(state.pos_n[2]) + state.altitude_m
    return max(seen, 0.0) if seen == seen else math.inf


def depth_rate(state: VehicleState) -> float:
    """m/s, down positive."""
    return sum(d * v for d, v in zip(down_in_body(state.roll, state.pitch), state.nu[:3].tolist(), strict=True))


def heading_rate(state: VehicleState) -> float:
    """deg/s."""
    q, r = state.nu[4:].tolist()
    return math.degrees((q * math.sin(state.roll) + r * math.cos(state.roll)) / max(math.cos(state.pitch), 0.1))


def place_rate(state: VehicleState) -> tuple[float, float]:
    """Velocity over ground, north and east, m/s."""
    u, v, w = state.nu[:3].tolist()
    sr, cr, sp, cp = math.sin(state.roll), math.cos(state.roll), math.sin(state.pitch), math.cos(state.pitch)
    ahead, aside = u * cp + (v * sr + w * cr) * sp, v * cr - w * sr
    c, s = math.cos(state.yaw), math.sin(state.yaw)
    return c * ahead - s * aside, s * ahead + c * aside
