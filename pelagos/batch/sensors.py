"""The sensors of many equal vehicles together: schedule, latency and drop-outs of their readings, as arrays.

    suite = VectorSensorSuite.of(batch, seed=1)
    readings = suite.sample(batch.view)     # {"depth_depth_m": (4096,), "compass_heading_deg": ...}

The instruments are those of `pelagos.sensors.instruments`, which serve `SensorSuite` too: the first vehicle reads
what a `Simulation` of that vehicle with the same seed reads at the same instants. A sensor with `rate_hz` is due at k
/ rate_hz and measures at the first call of `sample` that is not earlier. `sample` returns the last reading that
arrived, NaN before the first. Random numbers come from counters (`pelagos.sensors.random`): those of a vehicle depend
on the seed, its name and number, the sensor's name and how often it was reset, not on the other vehicles.

Faults of sensors are those of a `SensorSuite`; a batch has none. Three kinds cost more per vehicle than the rest: a
battery (the scalar kernel evaluates the thrusters of one vehicle after another), lbl (its fix is an iteration) and
imaging_sonar (an image for each vehicle).
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.batch.view import BatchView
from pelagos.checks import array, whole
from pelagos.engine.water.waves import sample_waves
from pelagos.errors import CommandError, one_of
from pelagos.frames import quaternion_from_euler, rotation_from_euler
from pelagos.messages import VehicleStates
from pelagos.sensors.base import Scene, Sensor, VehicleContext
from pelagos.sensors.instruments.instant import FLOODED, Array, Instant, Mask, Rows
from pelagos.sensors.random import Noise, counters, first_number
from pelagos.sensors.suite import SOON
from pelagos.sim.inputs import make_plant, resolve_vehicle, resolve_world
from pelagos.sim.sensing import vehicle_context
from pelagos.vehicle.power import ThrusterPower
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World

if TYPE_CHECKING:
    from pelagos.batch.batch import Batch


class VectorSensorSuite:
    """All sensors of n equal vehicles, sampled together.

    Args:
        vehicle: a name, a file or a Vehicle; its [[sensor]] rows describe the sensors.
        n: number of vehicles.
        seed: seed of all random numbers, or one for each vehicle.
        only: names of sensors of the vehicle, or Sensor descriptions; None: all of the vehicle's sensors.
        world: density, place on earth, speed of sound, and what beams hit. None: water as in the vehicle's file, and
            beams hit the world of the batch that is sampled. `of` takes vehicle, number and world from a batch.
        name: of the vehicles, and ...
        indices: ... number of each, which select its random numbers; default: the key of the vehicle, 0 to n - 1.
    """

    def __init__(
        self,
        vehicle: str | PathLike[str] | Vehicle,
        n: int,
        seed: int | Sequence[int] = 0,
        only: Sequence[str | Sensor] | None = None,
        *,
        world: World | str | PathLike[str] | None = None,
        name: str = "",
        indices: ArrayLike | None = None,
    ) -> None:
        self.n = whole("n", n, 1)
        self.vehicle, self.world = resolve_vehicle(vehicle), resolve_world(world)
        self._uses_world_of_batch = world is None
        sensors = _chosen(self.vehicle, only)
        fit = vehicle_context(make_plant(self.vehicle, self.world, None, None), self.world, name)
        self._first_number = first_number(fit.vehicle)
        self._noise = noise = Noise(seed, self._numbers(np.arange(self.n) if indices is None else indices, self.n))
        self._gravity_m_s2, self._density_kg_m3 = fit.gravity_m_s2, fit.density_kg_m3
        self._power: ThrusterPower | None = None  # made for the first batch with a battery
        self._mounted = {
            mounted.name: mounted for mounted in (_MountedSensors(sensor, fit, noise) for sensor in sensors)
        }
        self.names = tuple(self._mounted)
        self.columns = tuple(
            f"{mounted.name}_{column}" for mounted in self._mounted.values() for column in mounted.columns
        )

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
            self._noise.indices[rows] = self._numbers(indices, len(rows))
        for mounted in self._mounted.values():
            mounted.begin(rows, first=indices is not None)

    def _numbers(self, indices: ArrayLike, count: int) -> NDArray[np.uint64]:
        """The numbers that select the random numbers of vehicles with these indices."""
        checked = counters("indices", indices, 1)
        if len(checked) != count:
            raise CommandError(
                key="number of indices", value=len(checked), expected=f"one for each of {count} vehicles"
            )
        return checked + np.uint64(self._first_number)

    def sample(
        self,
        now: BatchView | VehicleStates | Instant,
        world: Scene | None = None,
        *,
        thrusters: ArrayLike | None = None,
        surfaces: ArrayLike | None = None,
        flooded_kg: ArrayLike = 0.0,
    ) -> dict[str, Array]:
        """Measure what is due, and return the last reading that arrived: (n,) for each column.

        `now` is the view of a batch, `VehicleStates` or an `Instant`; its times determine which sensors are due.
        `world` replaces the world that beams hit. States lack what they do not contain: `thrusters` and `surfaces`,
        which may be given, and the power of the thrusters, without which a battery feeds the hotel load only. States
        and views lack the water that has come in through a leak, `flooded_kg`.
        """
        scene = getattr(now, "world", self.world) if self._uses_world_of_batch else self.world
        if isinstance(now, Instant):
            instant = now
        elif isinstance(now, BatchView):
            instant = self._instant_of(now, scene)
        elif isinstance(now, VehicleStates):
            instant = _instant_of_states(now, scene, self._gravity_m_s2, thrusters, surfaces)
        else:
            raise CommandError(key="now", value=now, expected="the view of a Batch, VehicleStates or an Instant")
        if len(instant) != self.n:
            raise CommandError(key="number of vehicles to sample", value=len(instant), expected=f"{self.n}")
        if instant is not now:
            instant.motion[:, FLOODED] = flooded_kg
        for mounted in self._mounted.values():
            mounted.sample(instant, scene if world is None else world)
        return self.readings()

    def _instant_of(self, batch: BatchView, world: World) -> Instant:
        """The present instant of a batch."""
        wet_share, power_w = batch.wet_share, np.zeros(batch.n)
        if any(mounted.watches for mounted in self._mounted.values()):
            if self._power is None:
                self._power = ThrusterPower(self.vehicle, self._density_kg_m3)
            power_w = _power_w(batch, self._power)
        return Instant(
            batch.time_s, batch.position_n, batch.quaternion, batch.nu, batch.current_n,
            batch.below_m if world.surface else math.nan, wet_share, batch.thrusters, batch.surfaces, power_w,
        )  # fmt: skip

    def readings(self) -> dict[str, Array]:
        """Return the readings of the last call of `sample`."""
        values = np.concatenate([np.empty((0, self.n)), *(mounted.latest for mounted in self._mounted.values())])
        return dict(zip(self.columns, values, strict=True))

    def values(self) -> Array:
        """Return (n, columns): the latest reading of each sensor since the last call; NaN without one."""
        rows = [mounted.since_last_call() for mounted in self._mounted.values()]
        return np.concatenate([np.empty((0, self.n)), *rows]).T

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

    def __init__(self, sensor: Sensor, fit: VehicleContext, noise: Noise) -> None:
        n = len(noise)
        self.name, self.sensor = sensor.name or sensor.kind, sensor
        self.columns = sensor.columns_on(fit)
        self._instrument = sensor.make(fit, noise)
        self.watches = self._instrument.watches
        self._due_s = np.full(n, -math.inf)
        self.latest = np.full((len(self.columns), n), math.nan)
        self.measured_s, self._arrived_s = np.full(n, math.nan), np.full(n, -math.inf)  # of the latest reading
        self.fresh, self._unread = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)
        self._pending: list[_PendingReadings] = []

    def begin(self, rows: Rows, first: bool = False) -> None:
        """Switch the sensors of some vehicles on, without readings; `first`: as if it were for the first time."""
        self._instrument.begin(rows, first)
        self._due_s[rows], self._arrived_s[rows] = -math.inf, -math.inf
        self.latest[:, rows], self.measured_s[rows] = math.nan, math.nan
        self.fresh[rows], self._unread[rows] = False, False
        restarted = np.zeros(len(self.fresh), dtype=bool)
        restarted[rows] = True
        for readings in self._pending:
            readings.pending &= ~restarted[readings.rows]

    def sample(self, now: Instant, scene: Scene) -> None:
        """Measure for the vehicles that are due, and take the readings that have arrived."""
        self.fresh[:] = False
        if self.watches:
            self._instrument.watch(now)
        time_s = np.atleast_1d(now.time_s)
        due = time_s >= self._due_s - SOON
        advanced = self._instrument.has_advanced(time_s)
        if advanced is not None:
            due &= advanced
        if due.any():
            self._measure(now, np.flatnonzero(due), scene)
        for readings in self._pending:
            self._arrive(readings, time_s)
        self._pending = [readings for readings in self._pending if readings.pending.any()]

    def _measure(self, now: Instant, rows: Rows, scene: Scene) -> None:
        sensor, part = self.sensor, now.some(rows)
        time_s = np.atleast_1d(part.time_s)
        # the next multiple of the period, not the present time plus a period: the mean rate stays
        self._due_s[rows] = (np.floor((time_s + SOON) * sensor.rate_hz) + 1.0) / sensor.rate_hz
        values, has_reading = self._instrument.measure(part, scene, rows)
        pending = np.ones(len(part), dtype=bool) if has_reading is None else has_reading.copy()
        lost = self._instrument.lost()
        if lost is not None:
            pending &= ~lost
        arrives_s = time_s + sensor.latency_s + self._instrument.delay_s
        self._pending.append(_PendingReadings(rows, time_s, arrives_s, values, pending))

    def _arrive(self, readings: _PendingReadings, now_s: Array) -> None:
        """Take readings that have arrived; of several, the one that arrived last, for equal times the newer."""
        rows = readings.rows
        arrived = readings.pending & (readings.arrives_s <= now_s[rows] + SOON)
        readings.pending &= ~arrived
        newer = arrived & (readings.arrives_s >= self._arrived_s[rows])
        if newer.all():
            chosen, to = slice(None), slice(None) if len(rows) == len(self.fresh) else rows
        else:
            chosen = np.flatnonzero(newer)
            to = rows[chosen]
        self.latest[:, to] = readings.values[chosen].T
        self.measured_s[to], self._arrived_s[to] = readings.time_s[chosen], readings.arrives_s[chosen]
        self.fresh[to], self._unread[to] = True, True

    def since_last_call(self) -> Array:
        """Return the readings (columns, n) that arrived since the last call; NaN where none did."""
        values = np.where(self._unread, self.latest, math.nan)
        self._unread[:] = False
        return values


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
        return np.arange(n)
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


def _chosen(vehicle: Vehicle, only: Sequence[str | Sensor] | None) -> list[Sensor]:
    """The selected sensors."""
    fitted = {sensor.name or sensor.kind: sensor for sensor in vehicle.sensors}
    if only is None:
        if not fitted:
            raise CommandError(
                f"{vehicle.key} has no [[sensor]] in its file", expected="descriptions of sensors, `only`"
            )
        return list(fitted.values())
    if not isinstance(only, Iterable):
        raise CommandError(key="only", value=only, expected="names or descriptions of sensors")
    chosen: list[Sensor] = []
    for item in [only] if isinstance(only, str) else only:
        if not isinstance(item, Sensor):
            if item not in fitted:
                raise _unknown(item, tuple(fitted))
            item = fitted[cast("str", item)]
        chosen.append(item)
    names = [sensor.name or sensor.kind for sensor in chosen]
    repeated = {name for name in names if names.count(name) > 1}
    if repeated:
        raise CommandError("two instruments have the name", value=min(repeated), expected="different names")
    return chosen


def _unknown(name: object, known: Sequence[str]) -> CommandError:
    return CommandError("there is no sensor", value=name, expected=one_of(known), names=known)


def _power_w(batch: BatchView, power: ThrusterPower) -> Array:
    """Electric power of the thrusters of each vehicle; the scalar kernel evaluates them one after another.

    The water of the lanes must be that of the present time, as it is once the surroundings have been read.
    """
    out, drives = np.empty(batch.n), batch.thrusters
    for group in batch.groups:
        every, plant = np.arange(group.n), copy.deepcopy(group.plants[0])
        plant.set_sea(group.sea)
        rows, k = plant.rows, len(plant.vehicle.thrusters)
        records = (group.state.rows(every), group.model_rows(every), group.water.rows(every), group.command.rows(every))
        for i, state, model, water, command in zip(group.index, *records, strict=True):
            plant.evaluate_at(rows._replace(state=state, model=model, water=water, command=command))
            out[i] = power.watts(plant.thrust_and_inflow(), drives[i, :k])
    return out


def _instant_of_states(
    now: VehicleStates, world: World, gravity_m_s2: float, thrusters: ArrayLike | None, surfaces: ArrayLike | None
) -> Instant:
    """An `Instant` from states, which lack the submerged share: above the surface an instrument is in the air."""
    time_s, position, nu = (np.asarray(part, float) for part in (now.time_s, now.pos_n, now.nu))
    n, R_nb = len(time_s), rotation_from_euler(now.roll, now.pitch, now.yaw)
    water_n = np.einsum("nij,nj->ni", R_nb, nu[:, :3] - np.asarray(now.nu_r)[:, :3])
    below, wet = np.full(n, math.nan), np.ones(n)
    if world.surface:
        below, wet = position[:, 2] - _surface_m(world, gravity_m_s2, position, time_s), np.zeros(n)
    return Instant(
        time_s, position, quaternion_from_euler(now.roll, now.pitch, now.yaw), nu, water_n, below, wet,
        _actuators("thrusters", thrusters, n), _actuators("surfaces", surfaces, n),
    )  # fmt: skip


def _actuators(name: str, values: ArrayLike | None, n: int) -> Array:
    """Actual states of actuators, (n, k); no columns without values."""
    if values is None:
        return np.empty((n, 0))
    rows = array(name, values, f"numbers, a row for each of {n} vehicles")
    if rows.ndim != 2 or len(rows) != n:
        raise CommandError(key=f"shape of {name}", value=rows.shape, expected=f"a row for each of {n} vehicles")
    return rows


def _surface_m(world: World, gravity_m_s2: float, position: Array, time_s: Array) -> Array:
    """z of the moving surface above each vehicle at its time."""
    if world.waves is None:
        return np.zeros(len(time_s))
    out, above = np.zeros((len(time_s), 9)), np.column_stack([position[:, :2], np.zeros(len(time_s))])
    sample_waves(world.packed(gravity_m_s2=world.gravity_m_s2 or gravity_m_s2), above, time_s, out)
    return out[:, 0]
