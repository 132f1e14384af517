"""Electric power that thrusters draw, from actuator-disc theory.

A propeller with thrust T and inflow u along its thrust moves water through its disc of area A at the speed u + w:

    w = -u/2 + sqrt(u^2/4 + |T| / (2 rho A)),    P_ideal = |T| (u + w)          u against the thrust counts as 0

A real thruster, with motor and drive, draws more. Where the file gives the power at full drive (`power_at_maximum_W`),
P is P_ideal times the ratio of that figure to P_ideal at bollard pull; otherwise P = P_ideal / 0.45. A windmilling
thruster, whose thrust opposes its rotation, draws nothing.

Reference: Rankine-Froude theory, e.g. Carlton (2018), Marine Propellers and Propulsion, 8.2. 0.45: figure of merit 0.6
of small open propellers times 0.75 for motor and drive, a guess; the T200 at 16 V has 0.31 on its own disc.
Units: W, N, m/s. Limits: no idle power of the drive; the power of a fast propeller with little thrust is too low;
gearboxes and hydraulics (one pump for several thrusters) are part of the same factor.
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
    """Electric power of the thrusters of a vehicle, from their thrust and inflow.

    Args:
        vehicle: the description.
        density_kg_m3: of the water; default: that of the vehicle file.
    """

    def __init__(self, vehicle: Vehicle, density_kg_m3: float | None = None) -> None:
        self.density_kg_m3 = density_kg_m3 or vehicle.water.density_kg_m3
        self._areas = [0.25 * math.pi * t.diameter_m**2 for t in vehicle.thrusters]
        self._per_ideal = [1.0 / EFFICIENCY] * len(vehicle.thrusters)
        if any(t.power_at_maximum_w > 0.0 for t in vehicle.thrusters):
            full = Plant(vehicle)  # in the reference water of the file, at bollard pull
            full.set_actuators(thrusters=[t.maximum for t in vehicle.thrusters], at_once=True)
            full.evaluate()
            for i, (t, thrust) in enumerate(
                zip(vehicle.thrusters, full.thrust_and_inflow()[:, 0].tolist(), strict=True)
            ):
                ideal = disc_power(thrust, 0.0, self._areas[i], vehicle.water.density_kg_m3)
                if t.power_at_maximum_w > 0.0 and ideal > 0.0:  # full drive may lie in the dead band
                    self._per_ideal[i] = t.power_at_maximum_w / ideal

    def each(self, thrust_and_inflow: NDArray[np.float64], drives: NDArray[np.float64]) -> list[float]:
        """Power of each thruster, W.

        Args:
            thrust_and_inflow: of each thruster, as `Plant.thrust_and_inflow` returns them.
            drives: present drive of each thruster, SI.
        """
        rows = zip(thrust_and_inflow.tolist(), drives.tolist(), self._per_ideal, self._areas, strict=True)
        return [
            per * disc_power(thrust, inflow, area, self.density_kg_m3) if thrust * drive > 0.0 else 0.0
            for (thrust, inflow), drive, per, area in rows
        ]

    def watts(self, thrust_and_inflow: NDArray[np.float64], drives: NDArray[np.float64]) -> float:
        """Power of all thrusters together, W; arguments as for `each`."""
        return sum(self.each(thrust_and_inflow, drives))
