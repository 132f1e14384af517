"""All instruments of one vehicle: who is due, what they say, what arrives when, and what is wrong with them.

An instrument of `rate_hz` is due at k / rate_hz, k = 0, 1, 2 ..., and reads at the first moment that is not earlier:
exactly then if the moments fall on its clock, and as many readings in the long run if they do not.

The kinds of instruments by the word that a file uses: `kind = "dvl"`.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import numbers
from pelagos.errors import CommandError, ScenarioError, one_of
from pelagos.messages import Reading
from pelagos.sensors.base import Instrument, Moment, Scene, Sensor, VehicleContext
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


# ---- suite -----------------------------------------------------------------------------------------------------------


Array = NDArray[np.float64]
SOON = 1e-9  # s: a clock that is this close has struck
AILMENTS = ("loss", "freeze", "bias")


class _Post:
    """One instrument and what the suite keeps for it."""

    __slots__ = (
        "ailments", "chance", "columns", "due_s", "fast", "frozen", "instrument", "last", "name", "previous", "sensor",
        "watches",
    )  # fmt: skip

    def __init__(self, name: str, sensor: Sensor, fit: VehicleContext, seed: int) -> None:
        # by vehicle and name: the order in a file, and what else is fitted, change nothing
        key = [seed, *f"{fit.vehicle}/{name}".encode()]
        self.name, self.sensor = name, sensor
        self.columns = sensor.columns_on(fit)
        self.instrument: Instrument = sensor.make(np.random.default_rng(key), fit)
        self.chance = np.random.default_rng([*key, 1])
        self.fast, self.watches = self.instrument.fast, self.instrument.watches
        self.due_s = -math.inf
        self.previous: Moment | None = None  # of the last sample of a fast one
        self.last: Array | None = None  # what it last said
        self.ailments: dict[str, tuple[str, float | Array]] = {}  # what is wrong with it, and by how much
        self.frozen: Array | None = None

    def __deepcopy__(self, memo: dict[int, Any]) -> _Post:
        """A post of its own; the description, which never changes, stays shared."""
        other = object.__new__(_Post)
        memo[id(self)] = other
        memo[id(self.sensor)] = self.sensor
        for name in self.__slots__:
            setattr(other, name, copy.deepcopy(getattr(self, name), memo))
        return other


class SensorSuite:
    """Instruments at work. Each has random numbers of its own, so that adding one changes no other's errors.

    What is measured is the same too as long as the vehicle's steps are: an instrument faster than the control rate may
    shorten them (each look ends a step), and the true motion then differs by the error of the longer steps.

    Args:
        sensors: descriptions; names must differ, an empty one becomes the kind.
        fit: the vehicle and place they are fitted to. Its `vehicle` is part of the seed of each instrument: like
            vehicles of one run need different names, or their errors are the same.
        seed: of the run.
    """

    def __init__(self, sensors: Sequence[Sensor], fit: VehicleContext, seed: int = 0) -> None:
        self.fit = fit
        self.sensors: dict[str, Sensor] = {}
        self._posts: dict[str, _Post] = {}
        for sensor in sensors:
            name = sensor.name or sensor.kind
            if name in self.sensors:
                raise ScenarioError(
                    file="sensor", key="name", value=name, expected="a name of its own for each instrument"
                )
            self.sensors[name] = sensor
            self._posts[name] = _Post(name, sensor, fit, seed)
        self.names = tuple(self.sensors)
        self.columns = tuple(f"{post.name}_{column}" for post in self._posts.values() for column in post.columns)
        self.latest: dict[str, Reading] = {}
        self.arrived: tuple[Reading, ...] = ()  # every reading of the last call, as they came: an IMU has several
        self._waiting: list[Reading] = []
        self._logged: dict[str, Reading] = {}

    @property
    def fastest_hz(self) -> float:
        """Rate at which the motion must be looked at: that of the fastest instrument."""
        return max((sensor.rate_hz for sensor in self.sensors.values()), default=0.0)

    def instrument(self, name: str) -> Instrument:
        """An instrument at work, by name: a battery knows what is left in it."""
        return self._known(name).instrument

    def sample(self, moments: Sequence[Moment], scene: Scene) -> dict[str, Reading]:
        """Readings that arrive by the last of these moments, the latest of each instrument.

        The moments are those since the last call, the present one last.
        """
        if not moments:
            raise CommandError("there is no moment to sample", expected="at least the present one")
        present = moments[-1]
        end_s = present.time_s
        for post in self._posts.values():
            if post.watches:
                post.instrument.watch(present)
            if post.due_s > end_s + SOON:
                continue
            if post.fast:
                self._block(post, moments, scene)
                continue
            for now in moments:
                if now.time_s >= post.due_s - SOON:
                    post.due_s = _strikes_after(now.time_s, post.sensor.rate_hz)
                    self._take(post, now.time_s, post.instrument.measure(now, scene))
        return self._arrivals(end_s)

    def _block(self, post: _Post, moments: Sequence[Moment], scene: Scene) -> None:
        """The samples of a fast instrument; its first moment of all only begins the first sample."""
        chosen = [] if post.previous is None else [post.previous]
        for now in moments:
            if now.time_s >= post.due_s - SOON and (not chosen or now.time_s > chosen[-1].time_s):
                post.due_s = _strikes_after(now.time_s, post.sensor.rate_hz)
                chosen.append(now)
        if not chosen:
            return
        post.previous = chosen[-1]
        if len(chosen) > 1:
            rows = post.instrument.measure_block(chosen, scene)
            for now, values in zip(chosen[1:], rows, strict=True):
                self._take(post, now.time_s, values)

    def _take(self, post: _Post, time_s: float, values: Array | None) -> None:
        """One measurement on its way, if nothing keeps it."""
        sensor = post.sensor
        if sensor.dropout > 0.0 and post.chance.random() < sensor.dropout:
            return
        if post.ailments:
            values = _ill(post, values)
        if values is None:
            return
        post.last = values
        arrives_s = time_s + sensor.latency_s + post.instrument.delay_s
        self._waiting.append(Reading(post.name, time_s, arrives_s, values))

    def _arrivals(self, now_s: float) -> dict[str, Reading]:
        """What has come by now, in the order of arrival; of two that come together, the older measurement first."""
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
        """Values of `columns`: the latest reading of each since the last call; NaN if there was none."""
        parts = [np.empty(0)]
        for post in self._posts.values():
            reading = self._logged.get(post.name)
            parts.append(np.full(len(post.columns), np.nan) if reading is None else np.asarray(reading.values))
        self._logged.clear()
        return np.concatenate(parts)

    # ---- faults --------------------------------------------------------------------------------------------------

    def fail(self, name: str, ailment: str, size: float | Sequence[float] = 0.0, key: str = "") -> None:
        """Make an instrument ill: "loss" (silent), "freeze" (repeats its last reading), "bias" (adds `size`).

        Ailments of different keys act together until each is healed by its key: a loss silences all, a freeze holds
        what was given out last, biases add up; one of the same key takes the place of the earlier one.

        A number is a shift as the kind understands it (an IMU: its gyros, a GPS: north, a compass: its heading,
        most others every column); a list has one number for each column. Its random numbers go on as if nothing
        had happened.
        """
        post = self._known(name)
        if ailment not in AILMENTS:
            raise CommandError(
                "a sensor has no fault", value=ailment, expected=f"one of {', '.join(AILMENTS)}", names=AILMENTS
            )
        if isinstance(size, int | float) and not isinstance(size, bool):
            if not math.isfinite(size):
                raise CommandError(key=f"size of the fault of {name}", value=size, expected="a finite number")
            shift: float | Array = float(size)
        else:
            shift = numbers(f"size of the fault of {name}", size, len(post.columns))
        was_frozen = _frozen(post)
        post.ailments[key] = (ailment, shift)
        if not _frozen(post):
            post.frozen = None
        elif not was_frozen:
            post.frozen = post.last

    def heal(self, name: str, key: str | None = None) -> None:
        """Take away what is wrong under a key; without one, all."""
        post = self._known(name)
        if key is None:
            post.ailments.clear()
        else:
            post.ailments.pop(key, None)
        if not _frozen(post):
            post.frozen = None

    def _known(self, name: str) -> _Post:
        if name not in self._posts:
            raise CommandError("there is no sensor", value=name, expected=one_of(self.names), names=self.names)
        return self._posts[name]

    # ---- keeping -------------------------------------------------------------------------------------------------

    def save(self) -> dict[str, Any]:
        """Everything that changes, exactly."""
        return copy.deepcopy({name: getattr(self, name) for name in _CHANGING})

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Back to a saved instant, bit for bit; what was saved can be used again."""
        missing = [name for name in _CHANGING if name not in saved]
        if missing or set(saved["_posts"]) != set(self._posts):
            raise CommandError("these are not the instruments that were saved", expected="what save() returned")
        vars(self).update(copy.deepcopy({name: saved[name] for name in _CHANGING}))


_CHANGING = ("_posts", "latest", "arrived", "_waiting", "_logged")


def _frozen(post: _Post) -> bool:
    return any(ailment == "freeze" for ailment, _ in post.ailments.values())


def _ill(post: _Post, values: Array | None) -> Array | None:
    """What an ill instrument gives out; None for nothing."""
    kinds = [ailment for ailment, _ in post.ailments.values()]
    if "loss" in kinds:
        return None
    if post.frozen is not None:
        return post.frozen
    if values is None:
        return None
    for ailment, shift in post.ailments.values():
        if ailment == "bias":
            values = values + shift if isinstance(shift, np.ndarray) else post.instrument.biased(values, shift)
    if "freeze" in kinds:
        post.frozen = values
    return values


def _strikes_after(now_s: float, rate_hz: float) -> float:
    """The next time of a clock that strikes at k / rate."""
    return (math.floor((now_s + SOON) * rate_hz) + 1.0) / rate_hz


def _by_arrival(reading: Reading) -> tuple[float, float]:
    return reading.arrived_s, reading.time_s
