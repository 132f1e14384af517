"""What a controller is, and the few small things all of them need."""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np

from pelagos.engine.laws import also_compiled
from pelagos.messages import Actuation, VehicleState
from pelagos.vehicle.spec import Vehicle

AXIS_NAMES = ("surge", "sway", "heave", "roll", "pitch", "yaw")
SURGE, SWAY, HEAVE, ROLL, PITCH, YAW = range(6)


class Controller(Protocol):
    """Anything that turns motion into actuator demands, called at the control rate."""

    def reset(self) -> None:
        """Forget the past (integrators, last measurements), keep the gains and the command."""
        ...

    def update(self, truth: VehicleState, dt: float) -> Actuation:
        """Demands for the next dt seconds."""
        ...


@also_compiled
def wrap(angle_rad: float) -> float:
    """The same angle in [-pi, pi)."""
    return (angle_rad + math.pi) % (2.0 * math.pi) - math.pi


@also_compiled
def clip(value: float, low: float, high: float) -> float:
    """`value` held between two numbers (np.clip is twenty times slower on a float)."""
    return low if value < low else high if value > high else value


@also_compiled
def down_in_body(roll: float, pitch: float) -> tuple[float, float, float]:
    """Unit vector down, in body axes: R^T e3 = (-sin theta, cos theta sin phi, cos theta cos phi)."""
    cos_pitch = math.cos(pitch)
    return -math.sin(pitch), cos_pitch * math.sin(roll), cos_pitch * math.cos(roll)


def ballast_at_start(vehicle: Vehicle) -> np.ndarray:
    """Ballast demand that leaves trim as the vehicle file has it."""
    return np.array([b.initial for b in vehicle.ballast], dtype=np.float64)
