"""Limits of the actuators: the range of each, and which demands are beyond it. The kernel cuts those off."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pelagos.vehicle.spec import Vehicle

Array = NDArray[np.float64]
SLACK = 1e-9  # of the limit: a demand that was computed as the limit is not beyond it
GROUPS = ("thrusters", "surfaces", "ballast")


class ActuatorLimits:
    """Lowest and highest demand of every actuator of a vehicle, SI, by group and in the order of the file."""

    def __init__(self, vehicle: Vehicle) -> None:
        ranges = {
            "thrusters": [(t.minimum, t.maximum) for t in vehicle.thrusters],
            "surfaces": [(-s.limit_rad, s.limit_rad) for s in vehicle.surfaces],
            "ballast": [(b.minimum, b.maximum) for b in vehicle.ballast],
        }
        self.lowest, self.highest = ({k: np.array([r[i] for r in v]) for k, v in ranges.items()} for i in (0, 1))
        self._low = {group: low - SLACK * np.abs(low) for group, low in self.lowest.items()}
        self._high = {group: high + SLACK * np.abs(high) for group, high in self.highest.items()}

    def beyond(self, group: str, demands: Array) -> NDArray[np.bool_]:
        """Which demands, (k,) or (vehicles, k), the limits cut off; fewer than there are go to the first."""
        k = demands.shape[-1]
        return (demands < self._low[group][:k]) | (demands > self._high[group][:k])
