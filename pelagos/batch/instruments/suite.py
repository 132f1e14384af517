"""The instruments of many like vehicles: what they read, as arrays with one number for each vehicle.

    instruments = Instruments.of(batch, seed=1)
    readings = instruments.sample(batch)          # {"depth_depth_m": (4096,), "compass_heading_deg": ...}

Descriptions, columns, units and laws are those of `pelagos.sensors`, with the same clocks: an instrument of `rate_hz`
is due at k / rate_hz and reads at the first call of `sample` that is not earlier. Between readings the last one that
arrived is held, NaN before the first. Latency, drop-outs and the time of sound count as there. Random numbers come from
counters (`pelagos.batch.random`): what vehicle i draws depends on the seed, its number, the instrument's name and how
often it was reset, not on the other vehicles. They are other numbers than those of the scalar suite for the same seed.

Kinds: imu, depth, compass, water_speed, rpm, planes, gps, leak, dvl, altimeter, multibeam, navigation_sonar, usbl. Not:
battery (a batch does not tell what its thrusters draw), lbl (its fix is a search for each vehicle) and imaging_sonar
(a picture each).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np
from numpy.typing import ArrayLike

from pelagos.batch.instruments.base import Array, Draw, Mask, Moments, Rows, VectorInstrument, moments_of
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
from pelagos.batch.random import Noise, counters
from pelagos.batch.view import BatchView
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

MANY: dict[str, type[VectorInstrument[Any]]] = {
    "imu": VectorImu, "depth": VectorDepth, "compass": VectorCompass, "water_speed": VectorWaterSpeed,
    "rpm": VectorTachometers, "planes": VectorPlanes, "gps": VectorGps, "leak": VectorLeakDetector, "dvl": VectorDvl,
    "altimeter": VectorAltimeter, "multibeam": VectorMultibeam, "navigation_sonar": VectorNavigationSonar,
    "usbl": VectorUsbl,
}  # fmt: skip
DROPOUT = 255  # the last purpose of the random numbers of every instrument


class VectorSensorSuite:
    """Instruments of n vehicles of one kind.

    Args:
        vehicle: a name, a file or a Vehicle, whose [[sensor]] rows are the instruments.
        n: how many.
        seed: of all random numbers.
        only: names of those wanted, or Sensor descriptions of one's own; None: all of the vehicle's that a batch can
            have (`left_out` names the others).
        world: the sea they are in: density, place on earth, speed of sound, and what beams meet. None: water as the
            vehicle's file has it, and beams meet what there is in the world of the batch that is sampled. `of` takes
            vehicle, number and world from a batch.
        indices: number of each vehicle for its random numbers; 0 to n - 1 if not given.
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
        if isinstance(n, bool) or not isinstance(n, int) or n < 1:
            raise CommandError(key="n", value=n, expected="how many vehicles there are, at least 1")
        self.vehicle, self.world, self.n = resolve_vehicle(vehicle), resolve_world(world), n
        self._roams = world is None  # what beams meet is then the batch's
        self._noise = noise = Noise(seed, np.arange(n) if indices is None else indices)
        if len(noise) != n:
            raise CommandError(f"indices has {len(noise)} numbers", expected=f"one for each of {n} vehicles")
        sensors, self.left_out = _chosen(self.vehicle, only)
        fit = vehicle_context(make_plant(self.vehicle, self.world, None, None), self.world)
        self._gravity_m_s2 = fit.gravity_m_s2
        self._posts = [_Post(sensor, fit, n, noise) for sensor in sensors]
        self.names = tuple(post.name for post in self._posts)
        self.columns = tuple(f"{post.name}_{column}" for post in self._posts for column in post.columns)
        self.reset()

    @classmethod
    def of(cls, batch: Batch, seed: int = 0, only: Sequence[str | Sensor] | None = None) -> Self:
        """Those of the vehicles of a batch, in its world."""
        return cls(batch.vehicle, batch.n, seed, only, world=batch.world)

    def reset(self, where: ArrayLike | None = None, *, indices: ArrayLike | None = None) -> None:
        """Switch the instruments of some vehicles (a mask, indices, None: all) off and on: errors are drawn anew.

        With `indices` these vehicles, in ascending order, have other numbers from now on, and no resets behind them.
        """
        rows = _rows(where, self.n)
        if indices is not None:
            numbers = counters("indices", indices, 1)
            if numbers.shape != self._noise.indices[rows].shape:
                there = len(self._noise.indices[rows])
                raise CommandError(f"indices has {len(numbers)} numbers", expected=f"one for each of {there} vehicles")
            self._noise.indices[rows] = numbers
        for post in self._posts:
            post.begin(rows, anew=indices is not None)

    def sample(
        self,
        now: BatchView | VehicleStates | Moments,
        world: Scene | None = None,
        *,
        thrusters: ArrayLike | None = None,
        surfaces: ArrayLike | None = None,
    ) -> dict[str, Array]:
        """What all instruments say by now: (n,) for each column, the last reading that arrived.

        `now` is a batch, its truth, or `Moments`; its times decide who is due. `world` in place of the one of the
        beginning is what beams meet; `thrusters` and `surfaces` go with a truth, which does not have them.
        """
        scene = getattr(now, "world", self.world) if self._roams else self.world
        moments = moments_of(now, scene, self._gravity_m_s2, thrusters, surfaces)
        if len(moments) != self.n:
            raise CommandError(f"there are {len(moments)} vehicles to sample", expected=f"{self.n}")
        for post in self._posts:
            post.sample(moments, scene if world is None else world)
        return self.readings()

    def readings(self) -> dict[str, Array]:
        """What `sample` gave last."""
        values = np.concatenate([np.empty((0, self.n)), *(post.held for post in self._posts)])
        return dict(zip(self.columns, values, strict=True))

    def fresh(self, name: str) -> Mask:
        """Of which vehicles a reading of this instrument arrived in the last call of `sample`."""
        return self._known(name).fresh.copy()

    def measured_s(self, name: str) -> Array:
        """When what is held of this instrument was measured, s; NaN before the first reading."""
        return self._known(name).measured_s.copy()

    def _known(self, name: str) -> _Post:
        for post in self._posts:
            if post.name == name:
                return post
        raise _unknown(name, self.names)


class _Post:
    """One instrument of each vehicle: when it is due, what is on its way, what is held."""

    def __init__(self, sensor: Sensor, fit: VehicleContext, n: int, noise: Noise) -> None:
        self.name, self.sensor = sensor.name or sensor.kind, sensor
        self.columns = sensor.columns_on(fit)
        self._draw = Draw(noise, self.name)
        self._instrument = MANY[sensor.kind](sensor, fit, n, self._draw)
        self._next = getattr(self._instrument, "is_next", None)  # an IMU: a sample has a length
        self._due_s = np.empty(n)
        self.held = np.empty((len(self.columns), n))
        self.measured_s, self._arrived_s = np.empty(n), np.empty(n)
        self.fresh = np.zeros(n, dtype=bool)
        self._waiting: list[_Waiting] = []

    def begin(self, rows: Rows, anew: bool = False) -> None:
        """Some vehicles start anew: nothing is held, nothing on its way; `anew`: as if they had never been reset."""
        if anew:
            self._draw.forget(rows)
        self._draw.begin(rows)
        self._instrument.begin(rows)
        self._due_s[rows], self._arrived_s[rows] = -math.inf, -math.inf
        self.held[:, rows], self.measured_s[rows], self.fresh[rows] = math.nan, math.nan, False
        gone = np.zeros(len(self.fresh), dtype=bool)
        gone[rows] = True
        for waiting in self._waiting:
            waiting.on_its_way &= ~gone[waiting.rows]

    def sample(self, now: Moments, scene: Scene) -> None:
        """Measure where it is due, and take what arrives."""
        self.fresh[:] = False
        due = now.time_s >= self._due_s - SOON
        if self._next is not None:
            due &= self._next(now.time_s)
        if due.any():
            self._measure(now, slice(None) if due.all() else np.flatnonzero(due), scene)
        for waiting in self._waiting:
            self._arrive(waiting, now.time_s)
        self._waiting = [waiting for waiting in self._waiting if waiting.on_its_way.any()]

    def _measure(self, now: Moments, rows: Rows, scene: Scene) -> None:
        sensor, part = self.sensor, now.some(rows)
        self._due_s[rows] = (np.floor((part.time_s + SOON) * sensor.rate_hz) + 1.0) / sensor.rate_hz
        self._draw.next(rows)
        values, told = self._instrument.measure(part, rows, scene)
        on_its_way = np.ones(len(part), dtype=bool) if told is None else told.copy()
        if sensor.dropout > 0.0:
            on_its_way &= self._draw.uniform(DROPOUT, 1)[:, 0] >= sensor.dropout
        arrives_s = part.time_s + sensor.latency_s + self._instrument.delay_s
        self._waiting.append(_Waiting(rows, part.time_s, arrives_s, values, on_its_way))

    def _arrive(self, waiting: _Waiting, now_s: Array) -> None:
        """Hold what has come by now; of two that come together, the one that arrived later, then the newer."""
        rows = waiting.rows
        here = waiting.on_its_way & (waiting.arrives_s <= now_s[rows] + SOON)
        waiting.on_its_way &= ~here
        newer = here & (waiting.arrives_s >= self._arrived_s[rows])
        if newer.all() and isinstance(rows, slice):
            to, chosen = rows, rows
        else:
            chosen = np.flatnonzero(newer)
            to = chosen if isinstance(rows, slice) else rows[chosen]
        self.held[:, to] = waiting.values[chosen].T
        self.measured_s[to], self._arrived_s[to] = waiting.time_s[chosen], waiting.arrives_s[chosen]
        self.fresh[to] = True


class _Waiting:
    """Readings of one instant on their way."""

    __slots__ = ("arrives_s", "on_its_way", "rows", "time_s", "values")

    def __init__(self, rows: Rows, time_s: Array, arrives_s: Array, values: Array, on_its_way: Mask) -> None:
        self.rows, self.time_s, self.arrives_s, self.values = rows, time_s, arrives_s, values
        self.on_its_way = on_its_way


def _rows(where: ArrayLike | None, n: int) -> Rows:
    """Which vehicles a mask or indices mean."""
    if where is None:
        return slice(None)
    try:
        given = np.atleast_1d(np.asarray(where))
    except ValueError:  # rows of different lengths
        given = np.full(1, math.nan)
    if given.dtype == bool and given.shape == (n,):
        return np.flatnonzero(given)
    if given.size == 0:
        return np.empty(0, np.intp)
    if given.ndim == 1 and given.dtype.kind in "iu" and given.min() >= 0 and given.max() < n:
        return np.unique(given).astype(np.intp)
    raise CommandError(key="where", value=where, expected=f"a mask of {n}, or indices from 0 to {n - 1}")


EXPECTED = f"instruments of the kinds {', '.join(MANY)}"


def _chosen(vehicle: Vehicle, only: Sequence[str | Sensor] | None) -> tuple[list[Sensor], tuple[str, ...]]:
    """The instruments wanted, and the names of those of the vehicle that a batch cannot have."""
    fitted = {sensor.name or sensor.kind: sensor for sensor in vehicle.sensors}
    if only is None:
        wanted = [sensor for sensor in fitted.values() if sensor.kind in MANY]
        if not wanted:
            raise CommandError(f"{vehicle.key} has none of the instruments of a batch in its file", expected=EXPECTED)
        return wanted, tuple(name for name, sensor in fitted.items() if sensor.kind not in MANY)
    if not isinstance(only, Iterable):
        raise CommandError(key="only", value=only, expected="names of instruments, or descriptions of one's own")
    wanted = []
    for item in [only] if isinstance(only, str) else only:
        if not isinstance(item, Sensor):
            if item not in fitted:
                raise _unknown(item, tuple(fitted))
            item = fitted[cast("str", item)]
        if item.kind not in MANY:
            raise CommandError(f"a batch has no instruments of kind {item.kind}", expected=EXPECTED)
        wanted.append(item)
    names = [sensor.name or sensor.kind for sensor in wanted]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise CommandError(f"two instruments are named {min(twice)}", expected="a name of its own for each")
    return wanted, ()


def _unknown(name: object, known: Sequence[str]) -> CommandError:
    return CommandError("there is no sensor", value=name, expected=one_of(known), names=known)
