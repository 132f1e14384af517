"""What a vehicle draws and what is left in its battery, as its gauge says."""

from __future__ import annotations

import math

from pelagos.sensors.battery import Battery
from pelagos.sim.fault_kinds import SensorLoss
from pelagos.sim.simulation import Simulation
from pelagos.vehicle.power import ThrusterPower

UNKNOWN = (math.nan, math.nan)


class Electric:
    """Power and charge of one simulation."""

    def __init__(self, sim: Simulation) -> None:
        self._sim, vehicle = sim, sim.vehicle
        self._power = ThrusterPower(vehicle, sim.water.density_kg_m3) if vehicle.thrusters else None
        fitted = sim.sensing.suite.sensors if sim.sensing else {}
        found = [(name, sensor) for name, sensor in fitted.items() if isinstance(sensor, Battery)]
        self._name, self._battery = found[0] if found else ("", None)

    def values(self) -> tuple[float, float, float]:
        """Power of the thrusters and all that hangs on the battery, W; charge left, percent; voltage under load."""
        sim, watts = self._sim, 0.0
        if self._power is not None:
            actual = sim.plant.state["actuators"]["thruster"][: len(sim.vehicle.thrusters)]
            watts = self._power.watts(sim.plant.pushes(), actual)
        if self._battery is None or sim.sensing is None:
            return watts, *UNKNOWN
        watts += self._battery.hotel_W
        said = sim.sensing.suite.latest.get(self._name)
        if said is None or self._is_silent():
            return watts, *UNKNOWN
        volts, _, _, left = said.values.tolist()
        return watts, 100.0 * left / self._battery.capacity_Ah, volts

    def _is_silent(self) -> bool:
        """Whether the gauge is lost: what it said last is not what is left."""
        faults = self._sim.faults
        return faults is not None and any(
            isinstance(fault, SensorLoss) and fault.sensor == self._name and faults.acts(i)
            for i, fault in enumerate(faults.faults)
        )
