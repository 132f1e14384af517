"""Sensors of a simulation, and the feedback its controller receives: the true state or an estimate from readings."""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.errors import CommandError
from pelagos.estimation.base import Estimator
from pelagos.messages import Actuation, Reading, VehicleState
from pelagos.sensors.base import Scene, Sensor, VehicleContext
from pelagos.sensors.instruments.instant import Instant
from pelagos.sensors.suite import SensorSuite
from pelagos.sim.commands import LOG_UNIT
from pelagos.sim.true_state import TrueState, instant_of
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.power import ThrusterPower
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World

Array = NDArray[np.float64]
ALTITUDE = "altitude_m"  # the column of every instrument that measures the height over the bottom
SOUND_M_S = 1500.0  # the usual rounded value for sea water, for a world without water properties
SOUND_POINTS = 101  # depths at which the sound speed profile is sampled for its mean
# Attributes that `save` copies, besides the suite.
CHANGING = ("navigator", "flooded_kg", "_altitude_m", "_last", "_readings", "_state", "feedback")


class Sensing:
    """The sensors of one vehicle and its navigator, sampled at each control tick.

    `feedback` is the state for controllers, with the readings: the navigator's estimate, otherwise the true state.
    """

    def __init__(
        self,
        sensors: Sequence[Sensor],
        plant: Plant,
        world: World,
        seed: int,
        navigator: Estimator | None,
        name: str = "",
    ) -> None:
        self._plant, self._world, self.navigator = plant, world, navigator
        self.suite = SensorSuite(sensors, vehicle_context(plant, world, name), seed)
        has_battery = any(sensor.kind == "battery" for sensor in sensors)
        self._power = ThrusterPower(plant.vehicle, float(plant.water["density"])) if has_battery else None
        self.flooded_kg = 0.0
        self._altitude_m = math.nan  # last measured; used where the estimate has no altitude
        self._instants: list[Instant] = []  # since the last control tick
        self._last: Instant | None = None
        self._readings: Mapping[str, Reading] = {}
        self.feedback: VehicleState | None = None
        self._state: VehicleState | None = None
        # A user's estimator need not have `navigation`; its estimate is used then.
        self._uses_estimate = getattr(getattr(navigator, "navigation", None), "use", "estimate") == "estimate"
        self._altitude_columns = {
            name: columns.index(ALTITUDE)
            for name, sensor in self.suite.sensors.items()
            if ALTITUDE in (columns := sensor.columns_on(self.suite.fit))
        }

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns in the log."""
        return self.suite.columns + (self.navigator.columns if self.navigator else ())

    def begin(self, true_state: TrueState, idle: Actuation, scene: Scene | None = None) -> None:
        """Start the navigator at the initial state and take the first readings."""
        if self.navigator is not None:
            self.navigator.start(true_state.state())
        self.measure(true_state, idle, scene)

    def between(self, time_s: float) -> None:
        """Record the motion between two control ticks, for sensors that are faster than the control rate.

        The kernel is not evaluated here: water and actuators are those of the last tick.
        """
        if self._last is not None:
            self._instants.append(self._last.later(time_s, self._plant.motion_row()))

    def measure(self, true_state: TrueState, applied: Actuation, scene: Scene | None = None) -> None:
        """Take the readings of a control tick and update the navigator.

        Args:
            true_state: state, forces and water at the tick.
            applied: the actuation of the interval that ends here.
            scene: what rays can hit; default: the world.
        """
        now = instant_of(true_state, self._plant, self._world.surface, self._power_w(), self.flooded_kg)
        self._instants.append(now)
        self._readings = self.suite.sample(self._instants, self._world if scene is None else scene)
        self._instants, self._last = [], now
        for name, column in self._altitude_columns.items():
            reading = self._readings.get(name)
            if reading is not None and math.isfinite(height := float(reading.values[column])):
                self._altitude_m = height
        self._state = self.feedback = true_state.state().with_values(readings=self._readings)
        if self.navigator is not None:
            arrived = self.suite.arrived if self._readings else ()
            estimate = self.navigator.update(true_state.time_s, arrived, applied)
            if self._uses_estimate:
                known = math.isfinite(estimate.altitude_m)
                altitude_m = estimate.altitude_m if known else self._altitude_m
                self.feedback = estimate.with_values(altitude_m=altitude_m, readings=self._readings)

    def _power_w(self) -> float:
        """Power of the thrusters; 0 without a battery, which alone uses it."""
        if self._power is None:
            return 0.0
        n = len(self._plant.vehicle.thrusters)
        return self._power.watts(self._plant.thrust_and_inflow(), self._plant.state["actuators"]["thruster"][:n])

    def values(self) -> Array:
        """Values of `columns` for the log."""
        readings = self.suite.values()
        if self.navigator is None or self._state is None:
            return readings
        compare = getattr(self.navigator, "consistency", None)  # a user's estimator need not have it
        if compare is not None:
            compare(self._state)  # only the log compares estimate and true state
        return np.concatenate([readings, self.navigator.values()])

    def save(self) -> dict[str, Any]:
        """Return a copy of everything that changes."""
        return {"suite": self.suite.save(), "rest": copy.deepcopy({name: getattr(self, name) for name in CHANGING})}

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Return to a saved instant."""
        self.suite.restore(saved["suite"])
        vars(self).update(copy.deepcopy(saved["rest"]), _instants=[])  # at a tick no instants are pending


def vehicle_context(plant: Plant, world: World, name: str = "") -> VehicleContext:
    """The properties of a vehicle and its world that sensors depend on; the name selects their random errors."""
    vehicle = plant.vehicle
    return VehicleContext(
        vehicle=name or vehicle.key,
        thrusters=tuple(t.name for t in vehicle.thrusters),
        thruster_units=tuple(("N", 1.0) if t.lag_on == "thrust" else LOG_UNIT[t.drive] for t in vehicle.thrusters),
        surfaces=tuple(s.name for s in vehicle.surfaces),
        origin_lat_deg=world.origin_lat_deg or 0.0,
        origin_lon_deg=world.origin_lon_deg or 0.0,
        density_kg_m3=float(plant.water["density"]),
        gravity_m_s2=float(plant.water["gravity"]),
        sound_speed_m_s=mean_sound_speed(world),
    )


def mean_sound_speed(world: World) -> float:
    """Mean sound speed along a vertical path, m/s: D / integral dz / c(z), depth over travel time.

    D is the depth of the bottom under the origin; without a bottom, the depth of the last row of the water's profile;
    without either, the speed at the surface applies. 1500 for water without temperature and salinity.
    """
    water = world.water
    if water is None:
        return SOUND_M_S
    known = water.temperature_c is not None and water.salinity_g_kg is not None
    if not (water.preset or water.profile or known):
        return SOUND_M_S
    deepest = water.profile[-1][0] if water.profile else 0.0
    depth = world.still_depth_m if math.isfinite(world.still_depth_m) else deepest
    speeds = water.sound_speed_m_s(np.linspace(0.0, max(float(depth), 0.0), SOUND_POINTS))
    slowness = 1.0 / speeds  # integrated by the trapezoidal rule below
    return (SOUND_POINTS - 1) / float(slowness.sum() - 0.5 * (slowness[0] + slowness[-1]))


def resolve_sensors(sensors: object, vehicle: Vehicle) -> tuple[Sensor, ...]:
    """The sensors of the argument `sensors`: none for None or False, those of the vehicle's file for True."""
    if sensors is None or sensors is False:
        return ()
    if sensors is True:
        fitted: tuple[Sensor, ...] = getattr(vehicle, "sensors", ())
        if not fitted:
            raise CommandError(f"{vehicle.key} has no [[sensor]] in its file", expected="instruments, sensors=[...]")
        return fitted
    if isinstance(sensors, Sequence) and all(isinstance(item, Sensor) for item in sensors):
        return tuple(sensors)
    raise CommandError(
        key="sensors", value=sensors, expected="True for those of the vehicle's file, or a list of Sensors"
    )
