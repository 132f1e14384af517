"""The controller protocol, axis indices and small functions that all controllers share."""

from __future__ import annotations

import math
from typing import NamedTuple, Protocol

import numpy as np

from pelagos.engine.laws import also_compiled
from pelagos.messages import Actuation, VehicleState
from pelagos.vehicle.spec import Vehicle

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

    def at(self, rate: float) -> float:
        """Drag at a rate, N or N m."""
        return (self.linear + self.square * abs(rate)) * rate

    def rate(self, force: float, most: float) -> float:
        """The rate at which the drag equals a force >= 0; `most` where there is no drag."""
        if self.square <= 0.0:
            return force / self.linear if self.linear > 0.0 else most
        return (math.sqrt(self.linear**2 + 4.0 * self.square * force) - self.linear) / (2.0 * self.square)


@also_compiled
def wrap(angle_rad: float) -> float:
    """The same angle in [-pi, pi)."""
    return (angle_rad + math.pi) % (2.0 * math.pi) - math.pi


@also_compiled
def down_in_body(roll: float, pitch: float) -> tuple[float, float, float]:
    """Unit vector down, in body axes: R^T e3 = (-sin theta, cos theta sin phi, cos theta cos phi)."""
    cos_pitch = math.cos(pitch)
    return -math.sin(pitch), cos_pitch * math.sin(roll), cos_pitch * math.cos(roll)


def ballast_at_start(vehicle: Vehicle) -> np.ndarray:
    """Ballast commands that keep the initial ballast of the vehicle file."""
    return np.array([b.initial for b in vehicle.ballast], dtype=np.float64)
