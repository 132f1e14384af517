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

from pelagos.vehicle.pack import idle_advance
from pelagos.vehicle.spec import Thruster, Vehicle

EFFICIENCY = 0.45  # ideal over electric power, where the file gives no figure


def disc_power(thrust_N: float, inflow_m_s: float, area_m2: float, density_kg_m3: float) -> float:
    """Ideal power of a propeller disc, W."""
    push = abs(thrust_N)
    u = max(math.copysign(1.0, thrust_N) * inflow_m_s, 0.0)
    return push * (0.5 * u + math.sqrt(0.25 * u * u + push / (2.0 * density_kg_m3 * area_m2)))


class ThrusterPower:
    """Electric power of all thrusters of a vehicle, from where they are and how the water meets them.

    Args:
        vehicle: the description.
        density_kg_m3: of the water; that of the vehicle file if not given.
    """

    def __init__(self, vehicle: Vehicle, density_kg_m3: float | None = None) -> None:
        self.density_kg_m3 = density_kg_m3 or vehicle.water.density_kg_m3
        scale = self.density_kg_m3 / vehicle.water.density_kg_m3
        self._units = [_Unit(t, 1.0 if t.drive == "force" else scale, self.density_kg_m3) for t in vehicle.thrusters]

    def watts(self, drives: NDArray[np.float64], nu_r: NDArray[np.float64]) -> float:
        """Power now, W: `drives` in the unit of each lag (`Moment.thrusters`), `nu_r` through the water, body axes."""
        if not self._units:
            return 0.0
        u, v, w, p, q, r = nu_r.tolist()
        return sum(
            unit.watts(drive, u, v, w, p, q, r)
            for unit, drive in zip(self._units, drives.tolist(), strict=False)
            if drive != 0.0
        )

    def each(self, drives: NDArray[np.float64], nu_r: NDArray[np.float64]) -> list[tuple[float, float]]:
        """Thrust, N, and electric power, W, of every thruster."""
        motion = nu_r.tolist()
        return [
            (unit.thrust(drive, *motion)[0], unit.watts(drive, *motion) if drive else 0.0)
            for unit, drive in zip(self._units, drives.tolist(), strict=False)
        ]


class _Unit:
    """One thruster: the law of engine/forces/thrusters.py in plain numbers, without the share out of the water."""

    def __init__(self, t: Thruster, scale: float, density: float) -> None:
        self.t, self.scale, self.density = t, scale, density
        self.cap = idle_advance(t)
        self.area = 0.25 * math.pi * t.diameter_m**2
        self.per_ideal = 1.0 / EFFICIENCY
        if t.power_at_maximum_w > 0.0:
            bollard = _steady(t, t.maximum)
            ideal = disc_power(bollard, 0.0, self.area, density / scale)
            self.per_ideal = t.power_at_maximum_w / ideal if ideal > 0.0 else self.per_ideal

    def thrust(
        self, s: float, u: float, v: float, w: float, p: float, q: float, r: float
    ) -> tuple[float, float]:  # fmt: skip
        """Thrust, N, and inflow along its direction, m/s."""
        t = self.t
        x, y, z = t.position_b
        ex, ey, ez = t.direction_b
        along = ex * (u + q * z - r * y) + ey * (v + r * x - p * z) + ez * (w + p * y - q * x)
        inflow = (1.0 - t.wake) * along
        if t.lag_on == "thrust":
            force = s
        else:
            met = (1.0 - t.wake) * math.sqrt(u * u + v * v + w * w) if t.inflow_from == "speed" else inflow
            limit = self.cap * abs(s)
            met = min(max(met, -limit), limit)
            k, slip = (t.k_reverse, t.inflow_reverse) if s < 0.0 else (t.k_forward, t.inflow_forward)
            force = (k * s - slip * met) * abs(s) + t.linear * s + t.inflow_square * met * abs(met)
            force *= self.scale
        if t.tunnel_loss_s2_m2 > 0.0:
            force *= math.exp(-t.tunnel_loss_s2_m2 * u * u)
        return force, inflow

    def watts(self, s: float, u: float, v: float, w: float, p: float, q: float, r: float) -> float:
        force, inflow = self.thrust(s, u, v, w, p, q, r)
        if force * s <= 0.0:
            return 0.0
        return self.per_ideal * disc_power(force, inflow, self.area, self.density)


def _steady(t: Thruster, drive: float) -> float:
    """Bollard thrust at a drive, N."""
    if t.table:
        return float(np.interp(drive, [row[0] for row in t.table], [row[1] for row in t.table]))
    return (t.k_forward if drive >= 0.0 else t.k_reverse) * drive * abs(drive) + t.linear * drive
