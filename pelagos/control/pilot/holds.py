"""Holds that a pilot can switch on: their quantities, their initial values, and how a stick moves them.

A hold begins where the vehicle will come to rest. A loop approaches with e = approach_s de/dt (tuning), so the value

    held = now + approach_s rate

commands at first the force of the present motion, and then less and less of it. A stick moves the value at its rate or
at the fastest that the loop follows, and never further ahead of the vehicle than the largest error that the loop acts
on. When the stick is released the value returns to where the vehicle comes to rest, so that a vehicle slow to start
does not move on; the displacement of a short tap (TAP) stays. Depth m, heading deg, places m north and east, speed m/s
through the water.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from pelagos.checks import number, numbers
from pelagos.control.autopilot.station import gains_of
from pelagos.control.base import depth_rate, down_in_body, heading_rate, level_velocity, turned
from pelagos.control.tuning.schedule import Schedule
from pelagos.engine.laws import clip, wrap
from pelagos.errors import CommandError
from pelagos.messages import VehicleState

Values = tuple[float, ...]

# Quantities of the setpoint that each hold sets.
QUANTITIES: dict[str, tuple[str, ...]] = {
    "depth": ("depth_m",),
    "altitude": ("altitude_m",),
    "heading": ("heading_deg",),
    "position": ("north_m", "east_m"),
    "level": ("roll_deg", "pitch_deg"),
    "speed": ("speed_m_s",),
}
# The hold that is switched off when a hold is switched on.
EXCLUDES = {"depth": "altitude", "altitude": "depth", "position": "speed", "speed": "position"}

# Rates at full stick: choices.
VERTICAL_M_S = 0.5  # depth and altitude
TURN_DEG_S = 30.0
PLACE_M_S = 0.5
SPEED_M_S2 = 0.2
TILT_DEG = 20.0  # level: roll and pitch at full stick
TILT_DEG_S = 20.0
FARTHEST_DEG = 60.0  # a stick moves a heading no further ahead of the vehicle, whatever the loop
HALF_TURN_DEG = 150.0  # a spin stops within that: less than 180, so that the short way round is the way it turns
TAP = {"depth": 0.2, "altitude": 0.2, "heading": 5.0, "position": 0.2}  # m, deg


class Pace(NamedTuple):
    """Approach law of a loop: m and s, or deg and s."""

    approach_s: float
    lead: float  # largest error that the loop acts on

    def rest(self, rate: float) -> float:
        """Distance from here at which a motion comes to rest."""
        return rate * self.approach_s

    def step(self, stick: float, rate: float, dt: float) -> float:
        """Change of the value by a stick in dt: at the rate of the stick, at most at that of the loop."""
        fastest = self.lead / self.approach_s if self.approach_s > 0.0 else rate
        return stick * min(rate, fastest) * dt

    def pushed(self, error: float, step: float) -> float:
        """The error after a step, which increases it to the lead at most."""
        return max(error, min(error + step, self.lead)) if step > 0.0 else min(error, max(error + step, -self.lead))

    def left(self, error: float, rate: float, tap: float) -> float:
        """The error when the stick is released: as far as the motion carries, at least a tap."""
        on = max(math.copysign(1.0, error) * self.rest(rate), tap)
        return clip(error, -on, on)


class Holds:
    """Initial values, ranges and stick motion of the holds of one vehicle."""

    def __init__(self, schedule: Schedule, astern: float) -> None:
        """Take the paces from a schedule; `astern` is the thrust astern over that ahead."""
        self._schedule = schedule
        self.top_speed = schedule.top_speed
        self.slowest = -schedule.top_speed * math.sqrt(min(astern, 1.0))  # drag grows about with the square
        place = gains_of(*schedule.place)
        self._place = Pace(place.approach_s, place.fastest * place.approach_s)

    def _vertical(self, state: VehicleState, by_planes: bool) -> Pace:
        """Pace of depth, by thrust or through pitch."""
        if not by_planes:
            heave = self._schedule.heave
            return Pace(heave.approach_s, heave.error_limit)
        stage = self._schedule.stage(float(state.nu_r[0]))
        dive = stage.dive
        return Pace(dive.approach_s, stage.pitch_limit * stage.speed / dive.frequency if dive.frequency > 0.0 else 0.0)

    def _heading(self, state: VehicleState) -> Pace:
        loop = self._schedule.stage(float(state.nu_r[0])).yaw
        return Pace(loop.approach_s, min(math.degrees(loop.error_limit), FARTHEST_DEG))

    def begin(self, name: str, state: VehicleState, by_planes: bool) -> Values:
        """Initial value of a hold without a given one; `by_planes`: depth is held through pitch."""
        north, east, depth = state.pos_n.tolist()
        if name in ("depth", "altitude"):
            drop = self._vertical(state, by_planes).rest(depth_rate_of(state))
            if name == "altitude":
                return (clip(state.altitude_m - drop, 0.0, max(state.altitude_m + depth, 0.0)),)
            return (clip(depth + drop, 0.0, bottom(state)),)
        if name == "heading":
            on = clip(self._heading(state).rest(heading_rate_of(state)), -HALF_TURN_DEG, HALF_TURN_DEG)
            return ((math.degrees(state.yaw) + on) % 360.0,)
        if name == "position":
            v = place_rate(state)
            return north + self._place.rest(v[0]), east + self._place.rest(v[1])
        if name == "speed":
            return (clip(float(state.nu_r[0]), self.slowest, self.top_speed),)
        return 0.0, 0.0

    def checked(self, name: str, value: float | Sequence[float], state: VehicleState) -> Values:
        """Check a value to hold against the vehicle and the water here."""
        if name == "level":
            raise CommandError(key="level to hold", value=value, expected="no value: roll and pitch are held at zero")
        if name == "position":
            return tuple(numbers("position to hold", value, 2).tolist())
        key, deepest = f"{name} to hold", bottom(state)
        target = number(key, value)
        if name in ("depth", "altitude") and number(key, target, 0.0) > deepest:
            raise CommandError(f"the water is {deepest:.4g} m deep here", key=key, value=target)
        if name == "speed" and not self.slowest <= target <= self.top_speed:
            vehicle, span = self._schedule.vehicle.name, f"{self.slowest:.3g} to {self.top_speed:.3g} m/s"
            raise CommandError(key=key, value=target, expected=f"{span}, the speed range of {vehicle}")
        return (target,)

    def deeper(self, name: str, value: float, stick: float, state: VehicleState, by_planes: bool, dt: float) -> float:
        """Move a depth or an altitude by the heave stick, between the surface and the bottom."""
        pace, depth = self._vertical(state, by_planes), float(state.pos_n[2])
        step = pace.step(stick, VERTICAL_M_S, dt)
        if name == "depth":
            return clip(depth + pace.pushed(value - depth, step), 0.0, bottom(state))
        here = state.altitude_m
        if here != here:  # NaN: no echo
            return value
        return clip(here + pace.pushed(value - here, -step), 0.0, max(here + depth, 0.0))

    def turned(self, value: float, stick: float, state: VehicleState, dt: float) -> float:
        """Move a heading by the yaw stick."""
        pace, here = self._heading(state), math.degrees(state.yaw)
        error = math.degrees(wrap(math.radians(value - here)))
        return (here + pace.pushed(error, pace.step(stick, TURN_DEG_S, dt))) % 360.0

    def shifted(self, place: Values, way: tuple[float, float], state: VehicleState, dt: float) -> Values:
        """Move a place by a stick; `way` is the stick turned into north and east, at most 1 long."""
        pace = self._place
        north, east, _ = state.pos_n.tolist()
        far = max(math.hypot(place[0] - north, place[1] - east), pace.lead)
        x = place[0] + pace.step(way[0], PLACE_M_S, dt) - north
        y = place[1] + pace.step(way[1], PLACE_M_S, dt) - east
        share = min(1.0, far / max(math.hypot(x, y), 1e-12))
        return north + share * x, east + share * y

    def faster(self, value: float, stick: float, least: float, dt: float) -> float:
        """Move a speed by the surge stick."""
        return clip(value + stick * SPEED_M_S2 * dt, least, self.top_speed)

    def let_go(self, name: str, held: Values, state: VehicleState, by_planes: bool) -> Values:
        """Value of a hold after the stick that moved it is released."""
        north, east, depth = state.pos_n.tolist()
        if name == "depth":
            pace, rate = self._vertical(state, by_planes), depth_rate_of(state)
            return (depth + pace.left(held[0] - depth, rate, TAP[name]),)
        if name == "altitude":
            pace, rate, here = self._vertical(state, by_planes), -depth_rate_of(state), state.altitude_m
            return (here + pace.left(held[0] - here, rate, TAP[name]),) if here == here else held
        if name == "heading":
            here = math.degrees(state.yaw)
            error = math.degrees(wrap(math.radians(held[0] - here)))
            return ((here + self._heading(state).left(error, heading_rate_of(state), TAP[name])) % 360.0,)
        if name == "position":
            x, y = held[0] - north, held[1] - east
            far = math.hypot(x, y)
            if far > 0.0:
                v = place_rate(state)
                share = self._place.left(far, (x * v[0] + y * v[1]) / far, TAP[name]) / far
                return north + share * x, east + share * y
        return held


def tilted(angles: Values, sticks: tuple[float, float], dt: float) -> Values:
    """Move roll and pitch setpoints, deg, towards the angles of the sticks."""
    most = TILT_DEG_S * dt
    return tuple(v + clip(TILT_DEG * s - v, -most, most) for v, s in zip(angles, sticks, strict=True))


def bottom(state: VehicleState) -> float:
    """Depth of the bottom, m; infinite without an echo."""
    bottom_m = float(state.pos_n[2]) + state.altitude_m
    return max(bottom_m, 0.0) if bottom_m == bottom_m else math.inf


def depth_rate_of(state: VehicleState) -> float:
    """Rate of depth, m/s."""
    return depth_rate(down_in_body(state.roll, state.pitch), state.nu.tolist())


def heading_rate_of(state: VehicleState) -> float:
    """Rate of the heading (Euler angle psi), deg/s."""
    q, r = state.nu[4:].tolist()
    return math.degrees(heading_rate(state.roll, state.pitch, q, r))


def place_rate(state: VehicleState) -> tuple[float, float]:
    """Velocity over ground, north and east, m/s."""
    u, v, w = state.nu[:3].tolist()
    sr, cr, sp, cp = math.sin(state.roll), math.cos(state.roll), math.sin(state.pitch), math.cos(state.pitch)
    return turned(*level_velocity(u, v, w, sr, cr, sp, cp), state.yaw)
