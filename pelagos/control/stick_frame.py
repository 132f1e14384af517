"""Sticks that mean a direction: surge and sway turned so that ahead is where the camera looks, or north.

A hull resists sideways more than ahead and its thrusters push differently, so equal shares of the two limits do not
move it at 45 degrees. With the drag of each axis as D(v) = a v + b v^2, fitted to the model, a stick of length m in
the direction (c, s) asks for the steady velocity V (c, s) with the largest V at which no axis needs more than m of its
limit,

    V = min_i  v_i(m F_i) / |c_i|,      v_i(F) = (-a + sqrt(a^2 + 4 b F)) / (2 b),      share_i = D_i(V c_i) / F_i

Along an axis that is the share m of its limit, as without turning. Steady motion through the water, axes uncoupled;
body axes, N, m/s.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from pelagos.control.base import SURGE, SWAY
from pelagos.control.pace import steady_rate
from pelagos.control.schedule import Schedule
from pelagos.control.sticks import Sticks

FASTEST = 20.0  # m/s: beyond what any of these reaches


class Drag(NamedTuple):
    """Of one axis: a v + b v^2, N."""

    linear: float
    square: float

    def at(self, speed: float) -> float:
        """N, of a speed >= 0."""
        return (self.linear + self.square * speed) * speed

    def speed(self, force: float) -> float:
        """m/s at which it equals a force >= 0."""
        if self.square <= 0.0:
            return force / self.linear if self.linear > 0.0 else FASTEST
        return (math.sqrt(self.linear**2 + 4.0 * self.square * force) - self.linear) / (2.0 * self.square)


class Directed:
    """Directions in the level plane of one vehicle."""

    def __init__(self, schedule: Schedule, sticks: Sticks) -> None:
        self.works = SURGE in sticks.axes and SWAY in sticks.axes
        self._limits = sticks.limits[:, :2].tolist()
        self._drags = tuple(_fitted(schedule, axis, float(sticks.limits[:, axis].max())) for axis in (SURGE, SWAY))

    def shares(self, ahead: float, aside: float, turn_rad: float) -> tuple[float, float]:
        """Surge and sway, shares of their limits, for a stick whose ahead is `turn_rad` to starboard of the bow."""
        size = min(math.hypot(ahead, aside), 1.0)
        if size == 0.0 or not self.works:
            return 0.0, 0.0
        way = math.atan2(aside, ahead) + turn_rad
        along = math.cos(way), math.sin(way)
        limits = [self._limits[0 if part < 0.0 else 1][i] for i, part in enumerate(along)]
        rows = [(p, f, d) for p, f, d in zip(along, limits, self._drags, strict=True) if abs(p) > 1e-9]
        if any(limit <= 0.0 for _, limit, _ in rows):
            return 0.0, 0.0
        speed = min(drag.speed(size * limit) / abs(part) for part, limit, drag in rows)
        shares = [0.0, 0.0]
        for i, part in enumerate(along):
            if abs(part) > 1e-9:
                shares[i] = math.copysign(min(self._drags[i].at(speed * abs(part)) / limits[i], size), part)
        return shares[0], shares[1]


def turned(ahead: float, aside: float, turn_rad: float) -> tuple[float, float]:
    """A vector whose ahead is `turn_rad` to starboard of the bow, in body axes; or in world axes, by the heading."""
    c, s = math.cos(turn_rad), math.sin(turn_rad)
    return c * ahead - s * aside, s * ahead + c * aside


def _fitted(schedule: Schedule, axis: int, force: float) -> Drag:
    """Through the drag at the speed that the force reaches, and at half of it."""
    if force <= 0.0:
        return Drag(1.0, 0.0)
    response = schedule.response
    top = steady_rate(response, axis, force, FASTEST)
    half, full = (response.resistance(axis, share * top) for share in (0.5, 1.0))
    square = max(2.0 * (full - 2.0 * half) / top**2, 0.0)
    return Drag(max(full / top - square * top, 0.0), square)
