"""Electric power that thrusters draw.

A propeller that pushes T at an inflow u along its push sends water through its disc A at u + w (actuator disc):

    w = -u/2 + sqrt(u^2/4 + |T| / (2 rho A)),    P_ideal = |T| (u + w)          u against the push counts as 0

A real one, with motor and drive, needs more. Where the file gives the power at full drive (`power_at_maximum_W`), P is
P_ideal times the share by which the bollard pull at full drive misses it, so that the figure comes out there;
otherwise P = P_ideal / 0.45. A thruster that pushes against its own turning (a windmill) draws nothing.

Reference: Rankine-Froude theory, e.g. Carlton (2018), Marine Propellers and Propulsion, 8.2. 0.45: figure of merit 0.6
of small open propellers times 0.75 for motor and drive, a guess; the T200 at 16 V has 0.31 on its own disc.
Units: W, N, m/s. Limits: no idle power of the drive; a fast propeller that pushes little is cheaper here than in truth;
gearboxes and hydraulics (a pump feeds several) are inside the same number.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pelagos.vehicle.plant import Plant
from pelagos.vehicle.spec import Vehicle

EFFICIENCY = 0.45  # ideal over electric power, where the file gives no figure


def disc_power(thrust_N: float, inflow_m_s: float, area_m2: float, density_kg_m3: float) -> float:
    """Ideal power of a propeller disc, W."""
    push = abs(thrust_N)
    u = max(math.copysign(1.0, thrust_N) * inflow_m_s, 0.0)
    return push * (0.5 * u + math.sqrt(0.25 * u * u + push / (2.0 * density_kg_m3 * area_m2)))


class ThrusterPower:
    """Electric power of all thrusters of a vehicle, from how they push and how the water meets them.

    Args:
        vehicle: the description.
        density_kg_m3: of the water; that of the vehicle file if not given.
    """

    def __init__(self, vehicle: Vehicle, density_kg_m3: float | None = None) -> None:
        self.density_kg_m3 = density_kg_m3 or vehicle.water.density_kg_m3
        self._areas = [0.25 * math.pi * t.diameter_m**2 for t in vehicle.thrusters]
        self._per_ideal = [1.0 / EFFICIENCY] * len(vehicle.thrusters)
        if any(t.power_at_maximum_w > 0.0 for t in vehicle.thrusters):
            full = Plant(vehicle)  # in the water the figures of the file hold for, at bollard pull
            full.set_actuators(thrusters=[t.maximum for t in vehicle.thrusters], at_once=True)
            full.evaluate()
            for i, (t, push) in enumerate(zip(vehicle.thrusters, full.pushes()[:, 0].tolist(), strict=True)):
                ideal = disc_power(push, 0.0, self._areas[i], vehicle.water.density_kg_m3)
                if t.power_at_maximum_w > 0.0 and ideal > 0.0:
                    self._per_ideal[i] = t.power_at_maximum_w / ideal

    def each(self, pushes: NDArray[np.float64], drives: NDArray[np.float64]) -> list[float]:
        """Power of each thruster, W: `pushes` as `Plant.pushes` has them, `drives` where the thrusters are."""
        rows = zip(pushes.tolist(), drives.tolist(), self._per_ideal, self._areas, strict=True)
        return [
            per * disc_power(push, inflow, area, self.density_kg_m3) if push * drive > 0.0 else 0.0
            for (push, inflow), drive, per, area in rows
        ]

    def watts(self, pushes: NDArray[np.float64], drives: NDArray[np.float64]) -> float:
        """Power of all, W."""
        return sum(self.each(pushes, drives))
