"""The sensors of one vehicle together: schedule, latency, drop-outs and faults of their readings.

A sensor with `rate_hz` is due at k / rate_hz, k = 0, 1, 2 ..., and measures at the first instant that is not earlier:
exactly then if the instants fall on its clock; otherwise later, but at the same mean rate.

`KINDS` maps the value of `kind` in a file (`kind = "dvl"`) to the description class.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import choice, is_number, number, numbers
from pelagos.errors import CommandError, ScenarioError, one_of
from pelagos.messages import Reading
from pelagos.sensors.base import Instant, Instrument, Scene, Sensor, VehicleContext
from pelagos.sensors.battery import Battery
from pelagos.sensors.compass import Compass
from pelagos.sensors.depth import Depth
from pelagos.sensors.gps import Gps
from pelagos.sensors.imu import Imu
from pelagos.sensors.leak import LeakDetector
from pelagos.sensors.propulsion import PlanePosition, Tachometer
from pelagos.sensors.sound.acoustic_position import Lbl, Usbl
from pelagos.sensors.sound.altimeter import Altimeter
from pelagos.sensors.sound.dvl import Dvl
from pelagos.sensors.sound.imaging import ImagingSonar
from pelagos.sensors.sound.multibeam import Multibeam
from pelagos.sensors.sound.navigation_sonar import NavigationSonar
from pelagos.sensors.water_speed import WaterSpeed

_ALL: tuple[type[Sensor], ...] = (
    Imu, Depth, Compass, WaterSpeed, Tachometer, PlanePosition, Battery, Gps, LeakDetector, Dvl, Altimeter, Usbl, Lbl,
    NavigationSonar, Multibeam, ImagingSonar,
)  # fmt: skip

KINDS: dict[str, type[Sensor]] = {spec.kind: spec for spec in _ALL}


Array = NDArray[np.float64]
SOON = 1e-9  # s: tolerance for rounding when a time is compared with the instant at which a sensor is due
SENSOR_FAULTS = ("loss", "freeze", "bias")


class _MountedSensor:
    """An instrument with its schedule, faults and last reading."""

    __slots__ = (
        "chance", "columns", "due_s", "fast", "faults", "frozen", "instrument", "last", "name", "previous", "sensor",
        "watches",
    )  # fmt: skip

    def __init__(self, name: str, sensor: Sensor, fit: VehicleContext, seed: int) -> None:
        # seeded by vehicle and sensor name: the order in a file and the other sensors do not change the errors
        key = [seed, *f"{fit.vehicle}/{name}".encode()]
        self.name, self.sensor = name, sensor
        self.columns = sensor.columns_on(fit)
        self.instrument: Instrument = sensor.make(np.random.default_rng(key), fit)
        self.chance = np.random.default_rng([*key, 1])
        self.fast, self.watches = self.instrument.fast, self.instrument.watches
        self.due_s = -math.inf
        self.previous: Instant | None = None  # end of the last sample of a fast instrument
        self.last: Array | None = None  # values of the last reading
        self.faults: dict[str, tuple[str, float | Array]] = {}  # key -> (one of SENSOR_FAULTS, size)
        self.frozen: Array | None = None  # values that a freeze repeats

    def __deepcopy__(self, memo: dict[int, Any]) -> _MountedSensor:
        """Copy everything but the description, which is immutable and stays shared."""
        other = object.__new__(_MountedSensor)
        memo[id(self)] = other
        memo[id(self.sensor)] = self.sensor
        for name in self.__slots__:
            setattr(other, name, copy.deepcopy(getattr(self, name), memo))
        return other


class SensorSuite:
    """All sensors of one vehicle, sampled together.

    Each sensor has a separate random generator, so adding one does not change the errors of the others. It can change
    the true motion: a sensor faster than the control rate shortens the integration steps, because each of its samples
    ends a step.

    Args:
        sensors: descriptions; names must differ, an empty name becomes the kind.
        fit: the vehicle and site. Its `vehicle` is part of the seed of each sensor: identical vehicles of one run need
            different names, or they have identical errors.
        seed: seed of the run.
    """

    def __init__(self, sensors: Sequence[Sensor], fit: VehicleContext, seed: int = 0) -> None:
        self.fit = fit
        self.sensors: dict[str, Sensor] = {}
        self._mounted: dict[str, _MountedSensor] = {}
        for sensor in sensors:
            name = sensor.name or sensor.kind
            if name in self.sensors:
                raise ScenarioError(
                    file="sensor", key="name", value=name, expected="a name of its own for each instrument"
                )
            self.sensors[name] = sensor
            self._mounted[name] = _MountedSensor(name, sensor, fit, seed)
        self.names = tuple(self.sensors)
        self.columns = tuple(
            f"{mounted.name}_{column}" for mounted in self._mounted.values() for column in mounted.columns
        )
        self.latest: dict[str, Reading] = {}
        self.arrived: tuple[Reading, ...] = ()  # by the last call, in order: an IMU has several
        self._waiting: list[Reading] = []
        self._logged: dict[str, Reading] = {}

    @property
    def fastest_hz(self) -> float:
        """Rate at which the true motion must be sampled: that of the fastest sensor."""
        return max((sensor.rate_hz for sensor in self.sensors.values()), default=0.0)

    def instrument(self, name: str) -> Instrument:
        """Return an instrument by name, for example to read the true charge of a battery."""
        return self._known(name).instrument

    def sample(self, instants: Sequence[Instant], scene: Scene) -> dict[str, Reading]:
        """Measure and return the readings that have arrived, the latest of each sensor.

        `instants` are the true states since the last call, the present one last.
        """
        if not instants:
            raise CommandError("there is no instant to sample", expected="at least the present one")
        present = instants[-1]
        end_s = present.time_s
        for mounted in self._mounted.values():
            if mounted.watches:
                mounted.instrument.watch(present)
            if mounted.due_s > end_s + SOON:
                continue
            if mounted.fast:
                self._block(mounted, instants, scene)
                continue
            for now in instants:
                if now.time_s >= mounted.due_s - SOON:
                    mounted.due_s = _next_due(now.time_s, mounted.sensor.rate_hz)
                    self._take(mounted, now.time_s, mounted.instrument.measure(now, scene))
        return self._arrivals(end_s)

    def _block(self, mounted: _MountedSensor, instants: Sequence[Instant], scene: Scene) -> None:
        """Take the samples of a fast instrument; the very first instant only starts the first sample."""
        chosen = [] if mounted.previous is None else [mounted.previous]
        for now in instants:
            if now.time_s >= mounted.due_s - SOON and (not chosen or now.time_s > chosen[-1].time_s):
                mounted.due_s = _next_due(now.time_s, mounted.sensor.rate_hz)
                chosen.append(now)
        if not chosen:
            return
        mounted.previous = chosen[-1]
        if len(chosen) > 1:
            rows = mounted.instrument.measure_block(chosen, scene)
            for now, values in zip(chosen[1:], rows, strict=True):
                self._take(mounted, now.time_s, values)

    def _take(self, mounted: _MountedSensor, time_s: float, values: Array | None) -> None:
        """Queue a measurement for arrival unless a drop-out or fault suppresses it."""
        sensor = mounted.sensor
        if sensor.dropout > 0.0 and mounted.chance.random() < sensor.dropout:
            return
        if mounted.faults:
            values = _with_faults(mounted, values)
        if values is None:
            return
        mounted.last = values
        arrives_s = time_s + sensor.latency_s + mounted.instrument.delay_s
        self._waiting.append(Reading(mounted.name, time_s, arrives_s, values))

    def _arrivals(self, now_s: float) -> dict[str, Reading]:
        """Move arrived readings out of the queue, in order of arrival; for equal times the older measurement first."""
        if not self._waiting:
            self.arrived = ()
            return {}
        here: list[Reading] = []
        later: list[Reading] = []
        for reading in self._waiting:
            (here if reading.arrived_s <= now_s + SOON else later).append(reading)
        if len(here) > 1:
            here.sort(key=_by_arrival)
        self._waiting = later
        self.arrived = tuple(here)
        came = {reading.sensor: reading for reading in here}
        self.latest.update(came)
        self._logged.update(came)
        return came

    def values(self) -> Array:
        """Return the values of `columns`: the latest reading of each sensor since the last call; NaN without one."""
        parts = [np.empty(0)]
        for mounted in self._mounted.values():
            reading = self._logged.get(mounted.name)
            parts.append(np.full(len(mounted.columns), np.nan) if reading is None else np.asarray(reading.values))
        self._logged.clear()
        return np.concatenate(parts)

    def inject_fault(self, name: str, fault: str, size: float | Sequence[float] = 0.0, key: str = "") -> None:
        """Inject a sensor fault: "loss" (no readings), "freeze" (repeats the last reading), "bias" (adds `size`).

        Faults with different keys act together until each is cleared by its key: a loss suppresses all readings, a
        freeze holds the last reading, biases add up. A fault replaces an earlier one with the same key.

        A single number shifts what is usual for the kind (an IMU: the gyros, a GPS: north, a compass: the heading,
        most others every column); a list has one number for each column. The random numbers of the sensor continue
        as without the fault.
        """
        mounted = self._known(name)
        choice(f"fault of {name}", fault, SENSOR_FAULTS)
        label = f"size of the fault of {name}"
        shift: float | Array = number(label, size) if is_number(size) else numbers(label, size, len(mounted.columns))
        was_frozen = _frozen(mounted)
        mounted.faults[key] = (fault, shift)
        if not _frozen(mounted):
            mounted.frozen = None
        elif not was_frozen:
            mounted.frozen = mounted.last

    def clear_fault(self, name: str, key: str | None = None) -> None:
        """Clear the fault with a key; without a key, all faults of the sensor."""
        mounted = self._known(name)
        if key is None:
            mounted.faults.clear()
        else:
            mounted.faults.pop(key, None)
        if not _frozen(mounted):
            mounted.frozen = None

    def _known(self, name: str) -> _MountedSensor:
        if name not in self._mounted:
            raise CommandError("there is no sensor", value=name, expected=one_of(self.names), names=self.names)
        return self._mounted[name]

    def save(self) -> dict[str, Any]:
        """Return a copy of the complete state, including the random generators."""
        return copy.deepcopy({name: getattr(self, name) for name in _CHANGING})

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Restore a saved state bit for bit; the saved state can be used again."""
        missing = [name for name in _CHANGING if name not in saved]
        if missing or set(saved["_mounted"]) != set(self._mounted):
            raise CommandError("these are not the instruments that were saved", expected="what save() returned")
        vars(self).update(copy.deepcopy({name: saved[name] for name in _CHANGING}))


_CHANGING = ("_mounted", "latest", "arrived", "_waiting", "_logged")


def _frozen(mounted: _MountedSensor) -> bool:
    return any(fault == "freeze" for fault, _ in mounted.faults.values())


def _with_faults(mounted: _MountedSensor, values: Array | None) -> Array | None:
    """Values under the active faults; None for no reading."""
    kinds = [fault for fault, _ in mounted.faults.values()]
    if "loss" in kinds:
        return None
    if mounted.frozen is not None:
        return mounted.frozen
    if values is None:
        return None
    for fault, shift in mounted.faults.values():
        if fault == "bias":
            values = values + shift if isinstance(shift, np.ndarray) else mounted.instrument.biased(values, shift)
    if "freeze" in kinds:  # frozen before the first reading: this one is repeated
        mounted.frozen = values
    return values


def _next_due(now_s: float, rate_hz: float) -> float:
    """Next instant k / rate after `now_s`."""
    return (math.floor((now_s + SOON) * rate_hz) + 1.0) / rate_hz


def _by_arrival(reading: Reading) -> tuple[float, float]:
    return reading.arrived_s, reading.time_s
