"""The instruments of a simulation, and what its controller is shown: the truth, or what an estimator makes of them."""

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
from pelagos.sensors.base import Moment, Scene, Sensor, VehicleContext
from pelagos.sensors.suite import SensorSuite
from pelagos.sim.commands import LOG_UNIT
from pelagos.sim.true_state import TrueState, moment_between, moment_of
from pelagos.vehicle.plant import Plant
from pelagos.vehicle.power import ThrusterPower
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World

Array = NDArray[np.float64]
ALTITUDE = "altitude_m"  # the column of every instrument that measures the height over the bottom
SOUND_M_S = 1500.0  # where the world says nothing of its water
SOUND_POINTS = 101  # of a profile that its mean is taken of
CHANGING = ("navigator", "flooded_kg", "_altitude_m", "_last", "_readings", "_truth", "shown")  # besides the suite


class Sensing:
    """Instruments at work on one vehicle.

    `shown` is what controllers see: with an estimator its estimate, without one the truth; both with the readings.
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
        self.suite = SensorSuite(sensors, fit_of(plant, world, name), seed)
        has_battery = any(sensor.kind == "battery" for sensor in sensors)
        self._power = ThrusterPower(plant.vehicle, float(plant.water["density"])) if has_battery else None
        self.flooded_kg = 0.0
        self._altitude_m = math.nan
        self._moments: list[Moment] = []
        self._last: Moment | None = None
        self._readings: Mapping[str, Reading] = {}
        self.shown: VehicleState | None = None
        self._truth: VehicleState | None = None
        self._shows_estimate = getattr(getattr(navigator, "navigation", None), "use", "estimate") == "estimate"
        self._where = {
            name: columns.index(ALTITUDE)
            for name, sensor in self.suite.sensors.items()
            if ALTITUDE in (columns := sensor.columns_on(self.suite.fit))
        }

    @property
    def columns(self) -> tuple[str, ...]:
        """For the log."""
        return self.suite.columns + (self.navigator.columns if self.navigator else ())

    def begin(self, look: TrueState, idle: Actuation, scene: Scene | None = None) -> None:
        """First look, when the vehicle has been put where it starts."""
        if self.navigator is not None:
            self.navigator.start(look.state())
        self.measure(look, idle, scene)

    def between(self, time_s: float) -> None:
        """A look between two control ticks."""
        if self._last is not None:
            self._moments.append(moment_between(self._last, self._plant, time_s))

    def measure(self, look: TrueState, applied: Actuation, scene: Scene | None = None) -> None:
        """The look at a control tick: instruments speak, the estimator listens. `scene` where there is more than the
        world to be met."""
        now = moment_of(look, self._plant, self._world.surface, self._power_w(), self.flooded_kg)
        self._moments.append(now)
        self._readings = self.suite.sample(self._moments, self._world if scene is None else scene)
        self._moments, self._last = [], now
        for name, column in self._where.items():
            reading = self._readings.get(name)
            if reading is not None and math.isfinite(height := float(reading.values[column])):
                self._altitude_m = height
        self._truth = self.shown = look.state().with_values(readings=self._readings)
        if self.navigator is not None:
            arrived = self.suite.arrived if self._readings else ()
            estimate = self.navigator.update(look.time_s, arrived, applied)
            if self._shows_estimate:
                known = math.isfinite(estimate.altitude_m)
                altitude_m = estimate.altitude_m if known else self._altitude_m
                self.shown = estimate.with_values(altitude_m=altitude_m, readings=self._readings)

    def _power_w(self) -> float:
        """What the thrusters draw, if there is a battery to feel it."""
        if self._power is None:
            return 0.0
        n = len(self._plant.vehicle.thrusters)
        return self._power.watts(self._plant.thrust_and_inflow(), self._plant.state["actuators"]["thruster"][:n])

    def values(self) -> Array:
        """For the log, in the order of `columns`."""
        said = self.suite.values()
        if self.navigator is None or self._truth is None:
            return said
        compare = getattr(self.navigator, "consistency", None)  # an estimator of one's own need not have it
        if compare is not None:
            compare(self._truth)  # only the log compares with the truth
        return np.concatenate([said, self.navigator.values()])

    def save(self) -> dict[str, Any]:
        """Everything that changes."""
        return {"suite": self.suite.save(), "rest": copy.deepcopy({name: getattr(self, name) for name in CHANGING})}

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Back to a saved instant."""
        self.suite.restore(saved["suite"])
        vars(self).update(copy.deepcopy(saved["rest"]), _moments=[])


def fit_of(plant: Plant, world: World, name: str = "") -> VehicleContext:
    """What the instruments of a vehicle must know of it and of where it is. A name of its own: errors of its own."""
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
    """Speed of sound straight up and down, m/s: the depth over the time it takes, D / integral dz / c(z).

    D is the depth of the bottom (under the origin), without one that of the last row of the water's profile; without
    either it is the speed at the surface. 1500 without water, or with one that is only a density.
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
    slowness = 1.0 / speeds
    return (SOUND_POINTS - 1) / float(slowness.sum() - 0.5 * (slowness[0] + slowness[-1]))


def resolve_sensors(given: object, vehicle: Vehicle) -> tuple[Sensor, ...]:
    """None or False: none; True: those of the vehicle's file; else descriptions."""
    if given is None or given is False:
        return ()
    if given is True:
        fitted: tuple[Sensor, ...] = getattr(vehicle, "sensors", ())
        if not fitted:
            raise CommandError(f"{vehicle.key} has no [[sensor]] in its file", expected="instruments, sensors=[...]")
        return fitted
    if isinstance(given, Sequence) and all(isinstance(item, Sensor) for item in given):
        return tuple(given)
    raise CommandError(
        key="sensors", value=given, expected="True for those of the vehicle's file, or a list of Sensors"
    )
