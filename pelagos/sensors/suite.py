"""The sensors of one vehicle together: schedule, latency, drop-outs and faults of their readings.

A sensor with `rate_hz` is due at k / rate_hz, k = 0, 1, 2 ..., and measures at the first instant that is not earlier:
exactly then if the instants fall on its clock; otherwise later, but at the same mean rate.
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
from pelagos.sensors.base import Scene, Sensor, VehicleContext
from pelagos.sensors.instruments.base import Instrument
from pelagos.sensors.instruments.instant import Instant
from pelagos.sensors.random import Noise, first_number

Array = NDArray[np.float64]
SOON = 1e-9  # s: tolerance for rounding when a time is compared with the instant at which a sensor is due
SENSOR_FAULTS = ("loss", "freeze", "bias")


class _MountedSensor:
    """An instrument with its schedule, faults and last reading."""

    __slots__ = (
        "columns", "due_s", "fast", "faults", "frozen", "instrument", "last", "name", "sampled_s", "sensor", "watches",
    )  # fmt: skip

    def __init__(self, name: str, sensor: Sensor, fit: VehicleContext, noise: Noise) -> None:
        self.name, self.sensor = name, sensor
        self.columns = sensor.columns_on(fit)
        self.instrument = sensor.make(fit, noise)
        self.fast, self.watches = self.instrument.fast, self.instrument.watches
        self.due_s = self.sampled_s = -math.inf  # next measurement; last sample of a fast instrument
        self.last: Array | None = None  # values of the last reading
        self.faults: dict[str, tuple[str, float | Array]] = {}  # key -> (one of SENSOR_FAULTS, size)
        self.frozen: Array | None = None  # values that a freeze repeats

    def save(self) -> tuple[Any, ...]:
        """Return what changes. Values of readings are never written to, so they need no copy."""
        return self.instrument.save(), self.due_s, self.sampled_s, self.last, dict(self.faults), self.frozen

    def restore(self, saved: tuple[Any, ...]) -> None:
        """Return to a saved state."""
        state, self.due_s, self.sampled_s, self.last, faults, self.frozen = saved
        self.instrument.restore(state)
        self.faults = dict(faults)


class SensorSuite:
    """All sensors of one vehicle, sampled together.

    Each sensor has random numbers of its own, so adding one does not change the errors of the others. It can change
    the true motion: a sensor faster than the control rate shortens the integration steps, because each of its samples
    ends a step.

    Args:
        sensors: descriptions; names must differ, an empty name becomes the kind.
        fit: the vehicle and site. Its `vehicle` and `number` select the random numbers: identical vehicles of one run
            need different ones, or they have identical errors. Vehicle k of a batch has the number k.
        seed: seed of the run.
    """

    def __init__(self, sensors: Sequence[Sensor], fit: VehicleContext, seed: int = 0) -> None:
        self.fit = fit
        self.sensors: dict[str, Sensor] = {}
        self._mounted: dict[str, _MountedSensor] = {}
        self._noise = noise = Noise(seed, [first_number(fit.vehicle) + fit.number])
        for sensor in sensors:
            name = sensor.name or sensor.kind
            if name in self.sensors:
                raise ScenarioError(
                    file="sensor", key="name", value=name, expected="a name of its own for each instrument"
                )
            self.sensors[name] = sensor
            self._mounted[name] = _MountedSensor(name, sensor, fit, noise)
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

    def instrument(self, name: str) -> Instrument[Any]:
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
                    values = mounted.instrument.measure_single(now, scene)
                    if mounted.sensor.dropout == 0.0 or not mounted.instrument.lost():
                        self._take(mounted, now.time_s, values)
        return self._arrivals(end_s)

    def _block(self, mounted: _MountedSensor, instants: Sequence[Instant], scene: Scene) -> None:
        """Take the samples of a fast instrument; the very first instant only starts the first sample."""
        chosen: list[Instant] = []
        for now in instants:
            if now.time_s >= mounted.due_s - SOON and now.time_s > mounted.sampled_s:
                mounted.due_s = _next_due(now.time_s, mounted.sensor.rate_hz)
                mounted.sampled_s = now.time_s
                chosen.append(now)
        if not chosen:
            return
        rows = np.zeros(len(chosen), np.intp)  # all of the one vehicle
        values, begun = mounted.instrument.measure(Instant.series(chosen), scene, rows)
        lost = mounted.instrument.lost()
        for i, now in enumerate(chosen):
            if (begun is None or begun[i]) and (lost is None or not lost[i]):
                self._take(mounted, now.time_s, values[i])

    def _take(self, mounted: _MountedSensor, time_s: float, values: Array | None) -> None:
        """Queue a measurement for arrival unless a fault suppresses it."""
        if mounted.faults:
            values = _with_faults(mounted, values)
        if values is None:
            return
        mounted.last = values
        delay_s = mounted.instrument.delay_s
        travel_s = float(delay_s[0]) if isinstance(delay_s, np.ndarray) else delay_s
        self._waiting.append(Reading(mounted.name, time_s, time_s + mounted.sensor.latency_s + travel_s, values))

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
        """Return the complete state; random numbers are counted, so there are no generators to save."""
        mounted = {name: mounted.save() for name, mounted in self._mounted.items()}
        numbers = self._noise.keys.copy(), self._noise.indices.copy()
        return {"mounted": mounted, "numbers": numbers, **{name: copy.copy(getattr(self, name)) for name in _CHANGING}}

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Restore a saved state bit for bit; the saved state can be used again."""
        missing = [name for name in ("mounted", "numbers", *_CHANGING) if name not in saved]
        if missing or set(saved["mounted"]) != set(self._mounted):
            raise CommandError("these are not the instruments that were saved", expected="what save() returned")
        self._noise.keys[:], self._noise.indices[:] = saved["numbers"]
        for name, mounted in self._mounted.items():
            mounted.restore(saved["mounted"][name])
        vars(self).update({name: copy.copy(saved[name]) for name in _CHANGING})


_CHANGING = ("latest", "arrived", "_waiting", "_logged")  # collections of readings, which are immutable


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
