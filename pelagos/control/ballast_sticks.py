"""Sticks of a vehicle that has nothing but ballast to act on an axis: a glider with its engine and its moving mass.

| stick | what moves | full stick |
|---|---|---|
| heave | engines and tanks: volume less, or mass more, for down | their own rate |
| pitch | masses that shift along x: aft for nose up | their own rate |
| roll | masses that shift along y: to starboard for right side down | their own rate |

A stick sets the rate, so that what was reached stays when it is let go. Units of each ballast, as in its file.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pelagos.control.base import HEAVE, PITCH, ROLL, ballast_at_start, clip
from pelagos.vehicle.spec import Ballast, Vehicle

Array = NDArray[np.float64]


class BallastSticks:
    """Demands of the ballast under sticks; `axes` are those that move some, of the ones given."""

    def __init__(self, vehicle: Vehicle, axes: Sequence[int]) -> None:
        self._vehicle = vehicle
        ways = [(axis, k, _way(one, axis)) for axis in axes for k, one in enumerate(vehicle.ballast)]
        self._ways = [(axis, k, way) for axis, k, way in ways if way]
        self.axes = tuple(sorted({axis for axis, _, _ in self._ways}))
        self.reset()

    def reset(self) -> None:
        """As the file has it at the start."""
        self.demand = ballast_at_start(self._vehicle)

    def move(self, stick: Array, dt: float) -> None:
        """Move the demands by the sticks, X Y Z K M N, for dt seconds, between the stops."""
        for axis, k, way in self._ways:
            if stick[axis]:
                one, now = self._vehicle.ballast[k], float(self.demand[k])
                self.demand[k] = clip(now + way * float(stick[axis]) * one.rate * dt, one.minimum, one.maximum)


def _way(one: Ballast, axis: int) -> float:
    """In which sense a ballast acts on an axis: +1, -1, or 0 for not at all."""
    if axis == HEAVE:
        return float(np.sign(one.mass_per_unit - one.volume_per_unit))
    if axis == PITCH:
        return -float(np.sign(one.axis_b[0]))
    return float(np.sign(one.axis_b[1])) if axis == ROLL else 0.0
