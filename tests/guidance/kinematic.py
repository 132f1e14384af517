"""A point vehicle that takes its commanded heading at once and drifts with the current; it has closed forms."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from pelagos.guidance.base import Guide, Leg
from pelagos.messages import Reading, Setpoint, VehicleState


def vehicle_state(
    north: float = 0.0, east: float = 0.0, depth: float = 0.0, *, heading_deg: float = 0.0, speed: float = 0.0,
    current: Sequence[float] = (0.0, 0.0), time_s: float = 0.0, altitude_m: float = math.nan, pitch_deg: float = 0.0,
    readings: Mapping[str, Reading] | None = None,
) -> VehicleState:  # fmt: skip
    """The motion of a level vehicle that makes `speed` ahead through moving water."""
    yaw = math.radians(heading_deg)
    cos, sin = math.cos(yaw), math.sin(yaw)
    ahead, across = cos * current[0] + sin * current[1], cos * current[1] - sin * current[0]
    nu = np.array([speed + ahead, across, 0.0, 0.0, 0.0, 0.0])
    nu_r = np.array([speed, 0.0, 0.0, 0.0, 0.0, 0.0])
    place = np.array([north, east, depth])
    return VehicleState(time_s, place, 0.0, math.radians(pitch_deg), yaw, nu, nu_r, altitude_m, readings or {})


@dataclass
class Flight:
    """Rows of time, north, east, depth, heading deg, cross-track error; and what was left of the guide."""

    guide: Guide
    rows: list[list[float]] = field(default_factory=list)
    setpoints: list[Setpoint] = field(default_factory=list)
    over: bool = False

    def __getattr__(self, name: str) -> np.ndarray:
        columns = ("time", "north", "east", "depth", "heading", "cross")
        if name not in columns:
            raise AttributeError(name)
        return np.array(self.rows)[:, columns.index(name)]


def fly(leg: Leg, seconds: float, *, at: Sequence[float] = (0.0, 0.0, 0.0), heading_deg: float = 0.0,
        speed: float = 1.0, current: Sequence[float] = (0.0, 0.0), dt: float = 0.1) -> Flight:  # fmt: skip
    """Follow a leg until it is over: straight to a commanded position, at the commanded speed."""
    north, east, depth = at
    state = vehicle_state(north, east, depth, heading_deg=heading_deg, speed=speed, current=current)
    flight = Flight(leg.make(state))
    for k in range(round(seconds / dt)):
        state = vehicle_state(north, east, depth, heading_deg=heading_deg, speed=speed, current=current, time_s=k * dt)
        setpoint = flight.guide.update(state, dt)
        if setpoint is None:
            flight.over = True
            break
        cross = flight.guide.values().get("cross_track_m", math.nan)
        flight.rows.append([k * dt, north, east, depth, heading_deg, cross])
        flight.setpoints.append(setpoint)
        depth = depth if setpoint.depth_m is None else setpoint.depth_m
        heading_deg = heading_deg if setpoint.heading_deg is None else setpoint.heading_deg
        speed = speed if setpoint.speed_m_s is None else setpoint.speed_m_s
        if setpoint.north_m is not None and setpoint.east_m is not None:
            away = math.hypot(setpoint.north_m - north, setpoint.east_m - east)
            share = min(1.0, speed * dt / away) if away > 0.0 else 0.0
            north, east = north + share * (setpoint.north_m - north), east + share * (setpoint.east_m - east)
        else:
            yaw = math.radians(heading_deg)
            north += dt * (speed * math.cos(yaw) + current[0])
            east += dt * (speed * math.sin(yaw) + current[1])
    return flight
