"""The sensors of many equal vehicles together: schedule, latency and drop-outs of their readings, as arrays.

    suite = VectorSensorSuite.of(batch, seed=1)
    readings = suite.sample(batch)          # {"depth_depth_m": (4096,), "compass_heading_deg": ...}

Descriptions, columns, units, error models and schedule are those of `pelagos.sensors`: a sensor with `rate_hz` is due
at k / rate_hz and measures at the first call of `sample` that is not earlier. `sample` returns the last reading that
arrived, NaN before the first. Random numbers come from counters (`pelagos.sensors.random`): those of a vehicle depend on
the seed, its number, the sensor's name and how often it was reset, not on the other vehicles. They differ from those of
`SensorSuite` for the same seed.

Kinds: imu, depth, compass, water_speed, rpm, planes, gps, leak, dvl, altimeter, multibeam, navigation_sonar, usbl. Not
supported: battery (a batch does not compute the power of its thrusters), lbl (its fix is an iteration for each vehicle)
and imaging_sonar (an image for each vehicle).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np
from numpy.typing import ArrayLike

from pelagos.batch.instruments.base import Array, Draw, Mask, Rows, VectorInstant, VectorInstrument, instant_of
from pelagos.batch.instruments.imu import VectorImu
from pelagos.batch.instruments.motion import (
    VectorCompass,
    VectorDepth,
    VectorGps,
    VectorLeakDetector,
    VectorPlanes,
    VectorTachometers,
    VectorWaterSpeed,
)
from pelagos.batch.instruments.sound import (
    VectorAltimeter,
    VectorDvl,
    VectorMultibeam,
    VectorNavigationSonar,
    VectorUsbl,
)
from pelagos.sensors.random import Noise, counters
from pelagos.batch.view import BatchView
from pelagos.checks import whole
from pelagos.errors import CommandError, one_of
from pelagos.messages import VehicleStates
from pelagos.sensors.base import Scene, Sensor, VehicleContext
from pelagos.sensors.suite import SOON
from pelagos.sim.inputs import make_plant, resolve_vehicle, resolve_world
from pelagos.sim.sensing import vehicle_context
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World

if TYPE_CHECKING:
    from pelagos.batch.batch import Batch

INSTRUMENTS: dict[str, type[VectorInstrument[Any]]] = {
    "imu": VectorImu, "depth": VectorDepth, "compass": VectorCompass, "water_speed": VectorWaterSpeed,
    "rpm": VectorTachometers, "planes": VectorPlanes, "gps": VectorGps, "leak": VectorLeakDetector, "dvl": VectorDvl,
    "altimeter": VectorAltimeter, "multibeam": VectorMultibeam, "navigation_sonar": VectorNavigationSonar,
    "usbl": VectorUsbl,
}  # fmt: skip
EXPECTED = f"instruments of the kinds {', '.join(INSTRUMENTS)}"
DROPOUT = 255  # the last purpose of the random numbers of every instrument


class VectorSensorSuite:
    """All sensors of n equal vehicles, sampled together.

    Args:
        vehicle: a name, a file or a Vehicle; its [[sensor]] rows describe the sensors.
        n: number of vehicles.
        seed: seed of all random numbers.
        only: names of sensors of the vehicle, or Sensor descriptions; None: all of the vehicle's sensors that a batch
            supports (`left_out` names the others).
        world: density, place on earth, speed of sound, and what beams hit. None: water as in the vehicle's file, and
            beams hit the world of the batch that is sampled. `of` takes vehicle, number and world from a batch.
        indices: number of each vehicle, which selects its random numbers; default: 0 to n - 1.
    """

    def __init__(
        self,
        vehicle: str | PathLike[str] | Vehicle,
        n: int,
        seed: int = 0,
        only: Sequence[str | Sensor] | None = None,
        *,
        world: World | str | PathLike[str] | None = None,
        indices: ArrayLike | None = None,
    ) -> None:
        self.n = whole("n", n, 1)
        self.vehicle, self.world = resolve_vehicle(vehicle), resolve_world(world)
        self._uses_world_of_batch = world is None
        self._noise = noise = Noise(seed, np.arange(self.n) if indices is None else indices)
        if len(noise) != n:
            raise CommandError(key="number of indices", value=len(noise), expected=f"one for each of {n} vehicles")
        sensors, self.left_out = _chosen(self.vehicle, only)
        fit = vehicle_context(make_plant(self.vehicle, self.world, None, None), self.world)
        self._gravity_m_s2 = fit.gravity_m_s2
        self._mounted = {
            mounted.name: mounted for mounted in (_MountedSensors(sensor, fit, self.n, noise) for sensor in sensors)
        }
        self.names = tuple(self._mounted)
        self.columns = tuple(
            f"{mounted.name}_{column}" for mounted in self._mounted.values() for column in mounted.columns
        )
        self.reset()

    @classmethod
    def of(cls, batch: Batch, seed: int = 0, only: Sequence[str | Sensor] | None = None) -> Self:
        """Return the sensors of the vehicles of a batch, in its world."""
        return cls(batch.vehicle, batch.n, seed, only, world=batch.world)

    def reset(self, where: ArrayLike | None = None, *, indices: ArrayLike | None = None) -> None:
        """Switch the sensors of some vehicles (a mask, numbers, None: all) off and on, which draws new errors.

        `indices` renumbers these vehicles, in ascending order, and sets their count of resets to zero.
        """
        rows = _rows(where, self.n)
        if indices is not None:
            numbers = counters("indices", indices, 1)
            count = len(self._noise.indices[rows])
            if len(numbers) != count:
                expected = f"one for each of {count} vehicles"
                raise CommandError(key="number of indices", value=len(numbers), expected=expected)
            self._noise.indices[rows] = numbers
        for mounted in self._mounted.values():
            mounted.begin(rows, first=indices is not None)

    def sample(
        self,
        now: BatchView | VehicleStates | VectorInstant,
        world: Scene | None = None,
        *,
        thrusters: ArrayLike | None = None,
        surfaces: ArrayLike | None = None,
    ) -> dict[str, Array]:
        """Measure what is due, and return the last reading that arrived: (n,) for each column.

        `now` is a batch, `VehicleStates` or a `VectorInstant`; its times determine which sensors are due. `world`
        replaces the world that beams hit. States need `thrusters` and `surfaces` as well, which they do not contain.
        """
        scene = getattr(now, "world", self.world) if self._uses_world_of_batch else self.world
        instants = instant_of(now, scene, self._gravity_m_s2, thrusters, surfaces)
        if len(instants) != self.n:
            raise CommandError(key="number of vehicles to sample", value=len(instants), expected=f"{self.n}")
        for mounted in self._mounted.values():
            mounted.sample(instants, scene if world is None else world)
        return self.readings()

    def readings(self) -> dict[str, Array]:
        """Return the readings of the last call of `sample`."""
        values = np.concatenate([np.empty((0, self.n)), *(mounted.latest for mounted in self._mounted.values())])
        return dict(zip(self.columns, values, strict=True))

    def fresh(self, name: str) -> Mask:
        """Return for which vehicles a reading of a sensor arrived in the last call of `sample`."""
        return self._known(name).fresh.copy()

    def measured_s(self, name: str) -> Array:
        """Return when the last reading of a sensor that arrived was measured, s; NaN before the first."""
        return self._known(name).measured_s.copy()

    def _known(self, name: str) -> _MountedSensors:
        if name not in self._mounted:
            raise _unknown(name, self.names)
        return self._mounted[name]


class _MountedSensors:
    """One sensor of each vehicle: its schedule, its pending readings and the latest reading that arrived."""

    def __init__(self, sensor: Sensor, fit: VehicleContext, n: int, noise: Noise) -> None:
        self.name, self.sensor = sensor.name or sensor.kind, sensor
        self.columns = sensor.columns_on(fit)
        self._draw = Draw(noise, self.name)
        self._instrument = INSTRUMENTS[sensor.kind](sensor, fit, n, self._draw)
        self._has_advanced = getattr(self._instrument, "has_advanced", None)  # of an IMU: a sample needs a duration
        self._due_s = np.empty(n)
        self.latest = np.empty((len(self.columns), n))
        self.measured_s, self._arrived_s = np.empty(n), np.empty(n)  # of the latest reading
        self.fresh = np.zeros(n, dtype=bool)
        self._pending: list[_PendingReadings] = []

    def begin(self, rows: Rows, first: bool = False) -> None:
        """Switch the sensors of some vehicles on, without readings; `first`: as if it were for the first time."""
        if first:
            self._draw.forget(rows)
        self._draw.begin(rows)
        self._instrument.begin(rows)
        self._due_s[rows], self._arrived_s[rows] = -math.inf, -math.inf
        self.latest[:, rows], self.measured_s[rows], self.fresh[rows] = math.nan, math.nan, False
        restarted = np.zeros(len(self.fresh), dtype=bool)
        restarted[rows] = True
        for readings in self._pending:
            readings.pending &= ~restarted[readings.rows]

    def sample(self, now: VectorInstant, scene: Scene) -> None:
        """Measure for the vehicles that are due, and take the readings that have arrived."""
        self.fresh[:] = False
        due = now.time_s >= self._due_s - SOON
        if self._has_advanced is not None:
            due &= self._has_advanced(now.time_s)
        if due.any():
            self._measure(now, slice(None) if due.all() else np.flatnonzero(due), scene)
        for readings in self._pending:
            self._arrive(readings, now.time_s)
        self._pending = [readings for readings in self._pending if readings.pending.any()]

    def _measure(self, now: VectorInstant, rows: Rows, scene: Scene) -> None:
        sensor, part = self.sensor, now.some(rows)
        # the next multiple of the period, not the present time plus a period: the mean rate stays
        self._due_s[rows] = (np.floor((part.time_s + SOON) * sensor.rate_hz) + 1.0) / sensor.rate_hz
        self._draw.next(rows)
        values, has_reading = self._instrument.measure(part, rows, scene)
        pending = np.ones(len(part), dtype=bool) if has_reading is None else has_reading.copy()
        if sensor.dropout > 0.0:
            pending &= self._draw.uniform(DROPOUT, 1)[:, 0] >= sensor.dropout
        arrives_s = part.time_s + sensor.latency_s + self._instrument.delay_s
        self._pending.append(_PendingReadings(rows, part.time_s, arrives_s, values, pending))

    def _arrive(self, readings: _PendingReadings, now_s: Array) -> None:
        """Take readings that have arrived; of several, the one that arrived last, for equal times the newer."""
        rows = readings.rows
        arrived = readings.pending & (readings.arrives_s <= now_s[rows] + SOON)
        readings.pending &= ~arrived
        newer = arrived & (readings.arrives_s >= self._arrived_s[rows])
        if newer.all() and isinstance(rows, slice):
            to, chosen = rows, rows
        else:
            chosen = np.flatnonzero(newer)
            to = chosen if isinstance(rows, slice) else rows[chosen]
        self.latest[:, to] = readings.values[chosen].T
        self.measured_s[to], self._arrived_s[to] = readings.time_s[chosen], readings.arrives_s[chosen]
        self.fresh[to] = True


@dataclass(slots=True, eq=False)
class _PendingReadings:
    """Readings of one call of `sample` that have not arrived yet; `pending` is False once they have or are lost."""

    rows: Rows
    time_s: Array
    arrives_s: Array
    values: Array
    pending: Mask


def _rows(where: ArrayLike | None, n: int) -> Rows:
    """The vehicles that a mask or numbers select."""
    if where is None:
        return slice(None)
    try:
        selection = np.atleast_1d(np.asarray(where))
    except ValueError:  # rows of different lengths
        selection = np.full(1, math.nan)
    if selection.dtype == bool and selection.shape == (n,):
        return np.flatnonzero(selection)
    if selection.size == 0:
        return np.empty(0, np.intp)
    if selection.ndim == 1 and selection.dtype.kind in "iu" and selection.min() >= 0 and selection.max() < n:
        return np.unique(selection).astype(np.intp)
    raise CommandError(key="where", value=where, expected=f"a mask of {n}, or indices from 0 to {n - 1}")


def _chosen(vehicle: Vehicle, only: Sequence[str | Sensor] | None) -> tuple[list[Sensor], tuple[str, ...]]:
    """The selected sensors, and the names of those of the vehicle that a batch does not support."""
    fitted = {sensor.name or sensor.kind: sensor for sensor in vehicle.sensors}
    if only is None:
        supported = [sensor for sensor in fitted.values() if sensor.kind in INSTRUMENTS]
        if not supported:
            raise CommandError(f"{vehicle.key} has no sensor that a batch supports", expected=EXPECTED)
        return supported, tuple(name for name, sensor in fitted.items() if sensor.kind not in INSTRUMENTS)
    if not isinstance(only, Iterable):
        raise CommandError(key="only", value=only, expected="names or descriptions of sensors")
    chosen: list[Sensor] = []
    for item in [only] if isinstance(only, str) else only:
        if not isinstance(item, Sensor):
            if item not in fitted:
                raise _unknown(item, tuple(fitted))
            item = fitted[cast("str", item)]
        if item.kind not in INSTRUMENTS:
            raise CommandError("a batch has no instruments of kind", value=item.kind, expected=EXPECTED)
        chosen.append(item)
    names = [sensor.name or sensor.kind for sensor in chosen]
    repeated = {name for name in names if names.count(name) > 1}
    if repeated:
        raise CommandError("two instruments have the name", value=min(repeated), expected="different names")
    return chosen, ()


def _unknown(name: object, known: Sequence[str]) -> CommandError:
    return CommandError("there is no sensor", value=name, expected=one_of(known), names=known)
