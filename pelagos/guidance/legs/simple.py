"""Legs without a track: hold a setpoint, or surface for a position fix."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from pelagos.engine.laws import also_compiled
from pelagos.guidance.base import Guide, Leg
from pelagos.guidance.steering import compass_deg
from pelagos.messages import Setpoint, VehicleState


@dataclass(frozen=True, kw_only=True)
class Steady(Leg):
    """Hold depth, heading, speed, pitch or roll for a time; missing values stay unchanged."""

    kind: ClassVar[str] = "steady"

    seconds_s: float
    heading_deg: float | None = None
    pitch_deg: float | None = None
    roll_deg: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check("seconds_s", 0.0)
        for key, limit in (("heading_deg", 360.0), ("pitch_deg", 90.0), ("roll_deg", 180.0)):
            if getattr(self, key) is not None:
                self.check(key, -limit, limit)

    def make(self, state: VehicleState) -> Guide:
        """Build the guide."""
        return SteadyGuide(self, state.time_s + self.seconds_s)


@also_compiled
def ended(time_s: float, until_s: float, dt: float) -> bool:
    """Whether a time is over; half a tick early, so that rounding does not add a tick."""
    return time_s >= until_s - 0.5 * dt


class SteadyGuide:
    """Guide with a constant setpoint until a time."""

    def __init__(self, leg: Steady, until_s: float) -> None:
        self.until_s = until_s
        self._setpoint = Setpoint(
            depth_m=leg.depth_m, altitude_m=leg.altitude_m, heading_deg=leg.heading_deg, speed_m_s=leg.speed_m_s,
            pitch_deg=leg.pitch_deg, roll_deg=leg.roll_deg,
        )  # fmt: skip

    def update(self, state: VehicleState, dt: float) -> Setpoint | None:
        """Return the setpoint."""
        return None if ended(state.time_s, self.until_s, dt) else self._setpoint

    def values(self) -> dict[str, float]:
        """Return no values."""
        return {}


@dataclass(frozen=True, kw_only=True)
class SurfaceFix(Leg):
    """Surface, wait for position fixes, and dive to `depth_m` or to the depth before.

    At the surface the vehicle waits for `fixes` readings of the sensor `sensor` with a position, at most for `wait_s`.
    In a run without sensors it always waits for `wait_s`.
    """

    kind: ClassVar[str] = "surface"

    sensor: str = "gps"
    fixes: int = 10
    wait_s: float = 30.0
    surface_depth_m: float = 0.0  # depth setpoint on the way up
    up_within_m: float = 0.5  # distance to that depth that counts as surfaced
    heading_deg: float | None = None  # default: heading at the start of the leg
    dive_again: bool = True
    tolerance_m: float = 0.5  # of the depth at which the leg ends

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check("fixes", 1, 1e6)
        self.check("wait_s", 0.0, 1e6)
        self.check("surface_depth_m", 0.0, 100.0)
        self.check("up_within_m", 0.01, 100.0)
        self.check("tolerance_m", 0.01, 1e4)
        if self.heading_deg is not None:
            self.check("heading_deg", -360.0, 360.0)

    def make(self, state: VehicleState) -> Guide:
        """Build the guide, which stores the present depth."""
        return SurfaceFixGuide(self, state)

    def depths(self) -> tuple[float, ...]:
        """Return the depth at the surface, and the depth below if it is set."""
        return (self.surface_depth_m, *super().depths())


class SurfaceFixGuide:
    """Guide with three phases: up, wait, down."""

    def __init__(self, leg: SurfaceFix, state: VehicleState) -> None:
        self.leg = leg
        self.news: list[tuple[str, str]] = []
        self.phase = "up"
        self.fixes = 0
        self._up_s = math.nan
        heading = compass_deg(state.yaw) if leg.heading_deg is None else leg.heading_deg
        from_altitude = leg.altitude_m is not None
        down = None if from_altitude else max(float(state.pos_n[2]), 0.0) if leg.depth_m is None else leg.depth_m
        self._rise = Setpoint(depth_m=leg.surface_depth_m, heading_deg=heading, speed_m_s=leg.speed_m_s)
        self._dive = Setpoint(depth_m=down, altitude_m=leg.altitude_m, heading_deg=heading, speed_m_s=leg.speed_m_s)

    def update(self, state: VehicleState, dt: float) -> Setpoint | None:
        """Return the setpoint of the phase."""
        leg, depth = self.leg, float(state.pos_n[2])
        if self.phase == "up" and depth <= leg.surface_depth_m + leg.up_within_m:
            self.phase, self._up_s = "wait", state.time_s
            self.news.append(("surfaced", f"at the surface, waiting for {leg.fixes} fixes"))
        if self.phase == "wait":
            self._count_fix(state)
            if self.fixes >= leg.fixes or state.time_s - self._up_s >= leg.wait_s:
                self.news.append(("fix", f"{self.fixes} fixes in {state.time_s - self._up_s:.1f} s at the surface"))
                self.phase = "down"
                if not leg.dive_again:
                    return None
        if self.phase != "down":
            return self._rise
        if self._dive.depth_m is not None:
            arrived = abs(depth - self._dive.depth_m) <= leg.tolerance_m
        else:
            arrived = abs(state.altitude_m - (self._dive.altitude_m or 0.0)) <= leg.tolerance_m
        return None if arrived else self._dive

    def _count_fix(self, state: VehicleState) -> None:
        reading = state.readings.get(self.leg.sensor)
        if reading is not None and math.isfinite(float(reading.values[0])):
            self.fixes += 1

    def values(self) -> dict[str, float]:
        """Return the number of fixes so far."""
        return {"target": float(self.fixes)}
