"""Limits of the actuators of a vehicle, and which commands exceed them; the kernel clips those."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pelagos.vehicle.spec import Vehicle

Array = NDArray[np.float64]
SLACK = 1e-9  # share of the limit: rounding in a command computed to be the limit does not exceed it
GROUPS = ("thrusters", "surfaces", "ballast")


class ActuatorLimits:
    """Lowest and highest command of every actuator of a vehicle, SI, by group and in the order of the file."""

    def __init__(self, vehicle: Vehicle) -> None:
        ranges = {
            "thrusters": [(t.minimum, t.maximum) for t in vehicle.thrusters],
            "surfaces": [(-s.limit_rad, s.limit_rad) for s in vehicle.surfaces],
            "ballast": [(b.minimum, b.maximum) for b in vehicle.ballast],
        }
        self.lowest, self.highest = ({k: np.array([r[i] for r in v]) for k, v in ranges.items()} for i in (0, 1))
        self._low = {group: low - SLACK * np.abs(low) for group, low in self.lowest.items()}
        self._high = {group: high + SLACK * np.abs(high) for group, high in self.highest.items()}

    def beyond(self, group: str, commands: Array) -> NDArray[np.bool_]:
        """Return a mask of the commands that exceed the limits, of shape (k,) or (vehicles, k).

        If there are fewer commands than actuators, they belong to the first actuators of the group.
        """
        k = commands.shape[-1]
        return (commands < self._low[group][:k]) | (commands > self._high[group][:k])
