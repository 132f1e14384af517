"""The controller protocol, axis indices and small functions that all controllers share."""

from __future__ import annotations

import math
from typing import Any, NamedTuple, Protocol

from pelagos.engine.laws import also_compiled
from pelagos.messages import Actuation, VehicleState

AXIS_NAMES = ("surge", "sway", "heave", "roll", "pitch", "yaw")
SURGE, SWAY, HEAVE, ROLL, PITCH, YAW = range(6)


class Controller(Protocol):
    """An object that computes actuator commands from the vehicle state, called at the control rate."""

    def reset(self) -> None:
        """Clear integrators and last measurements; keep gains and setpoint."""
        ...

    def update(self, state: VehicleState, dt: float) -> Actuation:
        """Compute the actuator commands for the next dt seconds."""
        ...


class AxisDrag(NamedTuple):
    """Linear and quadratic drag of one axis as a function of its rate x: linear x + square x|x|, N or N m."""

    linear: float = 0.0
    square: float = 0.0

    @classmethod
    def through(cls, rate: float, full: float, half: float, least: float = -math.inf) -> AxisDrag:
        """Fit to the drag at a rate and at half of it; neither coefficient is below `least`."""
        square = max(2.0 * (full - 2.0 * half) / rate**2, least)
        return cls(max(full / rate - square * rate, least), square)

    def at(self, rate: float) -> float:
        """Drag at a rate, N or N m."""
        return (self.linear + self.square * abs(rate)) * rate

    def rate(self, force: float, most: float) -> float:
        """The rate at which the drag equals a force >= 0; `most` where there is no drag."""
        if self.square <= 0.0:
            return force / self.linear if self.linear > 0.0 else most
        return (math.sqrt(self.linear**2 + 4.0 * self.square * force) - self.linear) / (2.0 * self.square)


@also_compiled
def down_in_body(roll: float, pitch: float) -> tuple[float, float, float]:
    """Unit vector down, in body axes: R^T e3 = (-sin theta, cos theta sin phi, cos theta cos phi)."""
    cos_pitch = math.cos(pitch)
    return -math.sin(pitch), cos_pitch * math.sin(roll), cos_pitch * math.cos(roll)


@also_compiled
def depth_rate(down: Any, nu: Any) -> float:
    """Rate of depth, m/s, from the unit vector down and the velocity, both in body axes."""
    return down[0] * nu[0] + down[1] * nu[1] + down[2] * nu[2]


@also_compiled
def turned(ahead: float, aside: float, turn_rad: float) -> tuple[float, float]:
    """Rotate a horizontal vector: from axes turned to starboard by `turn_rad` into the axes they are turned from."""
    c, s = math.cos(turn_rad), math.sin(turn_rad)
    return c * ahead - s * aside, s * ahead + c * aside


@also_compiled
def heading_rate(roll: float, pitch: float, q: float, r: float) -> float:
    """Rate of the Euler angle psi; near the pole of the angles the divisor is kept off zero."""
    return (q * math.sin(roll) + r * math.cos(roll)) / max(math.cos(pitch), 0.1)


@also_compiled
def level_velocity(
    u: float, v: float, w: float, sin_roll: float, cos_roll: float, sin_pitch: float, cos_pitch: float
) -> tuple[float, float]:
    """Horizontal velocity ahead and to starboard, from that in body axes."""
    return u * cos_pitch + (v * sin_roll + w * cos_roll) * sin_pitch, v * cos_roll - w * sin_roll
