"""What stick positions ask of thrusters and surfaces: the mapping that a pilot and a helm share.

Full stick on an axis is `share` of what the thrusters can give on that axis alone, and full deflection of the surfaces
that serve it (in the sense they act going ahead). Several sticks at once share the actuators by least squares.
Body axes about the body origin, N and N m; angles rad.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pelagos.control.base import PITCH, ROLL, YAW
from pelagos.control.schedule import Schedule, Stage

Array = NDArray[np.float64]


class Sticks:
    """Sticks of one vehicle, -1..1 in the order X Y Z K M N; `axes` are those that have something to act on."""

    def __init__(self, schedule: Schedule, share: float = 1.0) -> None:
        vehicle, allocation = schedule.vehicle, schedule.allocation
        # Row 0: stick pushed to negative, row 1: to positive.
        self.limits = share * np.array([[allocation.limit(i, s) for i in range(6)] for s in (-1.0, 1.0)])
        self._deflections = np.zeros((6, len(vehicle.surfaces)))
        if vehicle.surfaces:
            # Only proportions matter here, so any speed with way on will do for a vehicle without a screw.
            mix = schedule.stage(schedule.cruise).mix if schedule.top_speed > 0.0 else schedule.mix_at(1.0)
            for axis in (ROLL, PITCH, YAW):
                self._deflections[axis] = share * mix.along(axis)
        self.surface_limits = np.array([s.limit_rad for s in vehicle.surfaces], dtype=np.float64)
        self.axes = tuple(i for i in range(6) if i in allocation.axes or bool(np.any(self._deflections[i] != 0.0)))

    def wrench(self, stick: Array) -> Array:
        """Asked of the thrusters."""
        return stick * np.where(stick < 0.0, self.limits[0], self.limits[1])

    def angles(self, stick: Array) -> Array:
        """Asked of the surfaces, inside their limits."""
        return np.clip(stick @ self._deflections, -self.surface_limits, self.surface_limits)


class ByHand(NamedTuple):
    """What a hand asks for beside the loops of an autopilot."""

    thrust: Array  # wrench, of the thrusters
    angles: Array  # of the surfaces
    limits: Array  # of the surfaces

    def wrench(self, stage: Stage) -> list[float]:
        """All of it, X Y Z K M N: surfaces count on the axes on which a stage uses them."""
        wrench = self.thrust.tolist()
        for axis, moment in enumerate(_moments(self.angles, stage)):
            wrench[axis] += moment
        return wrench

    def on_top_of(self, surfaces: Array, stage: Stage) -> tuple[Array, list[float]]:
        """Angles with those of the loops added, inside the limits, and the wrench they give."""
        angles = np.clip(surfaces + self.angles, -self.limits, self.limits)
        return angles, _moments(angles, stage)


def _moments(angles: Array, stage: Stage) -> list[float]:
    moments = [0.0] * 6
    if stage.use_surfaces:
        given = (stage.mix.reach @ angles).tolist()
        for axis in stage.use_surfaces:
            moments[axis] = given[axis]
    return moments
