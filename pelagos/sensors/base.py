"""Base classes of all sensors: the description read from a file, the instrument that measures, and the error model.

A `Sensor` is a frozen description whose fields are the keys of a file: mounting, rate, latency and sizes of the errors.
`Sensor.make` builds an `Instrument`, which holds the state and measures. `suite` runs all instruments of a vehicle.

    true value -> (1 + scale) x + bias + walk + noise -> rounding to the resolution -> limits -> drop-outs -> latency

Frames: NED and body axes (x forward, y starboard, z down); SI and radians inside, units in the names of columns.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.checks import SENSOR, number, numbers
from pelagos.errors import ScenarioError
from pelagos.frames import rotation_from_euler, rotation_from_quaternion

Array = NDArray[np.float64]


class Scene(Protocol):
    """Surroundings that instruments can sense; `pelagos.World` implements it."""

    def cast(self, origins: ArrayLike, directions: ArrayLike, *, max_range_m: float = math.inf) -> Any:
        """Cast rays, NED.

        Returns:
            An object with `range_m`, `normal` and `what` (number of the structure, -1 seabed, -2 nothing).
        """
        ...

    def water_velocity(self, positions_n: ArrayLike, time_s: float = 0.0) -> Array:
        """Return the velocity of the water at NED points (n, 3), m/s."""
        ...


@dataclass(frozen=True)
class VehicleContext:
    """Properties of the vehicle and of the site that instruments depend on."""

    vehicle: str = ""
    thrusters: tuple[str, ...] = ()
    thruster_units: tuple[tuple[str, float], ...] = ()  # unit in the log and factor to it: ("rpm", 9.549)
    surfaces: tuple[str, ...] = ()
    origin_lat_deg: float = 0.0  # where north = east = 0 lies
    origin_lon_deg: float = 0.0
    density_kg_m3: float = 1025.0
    gravity_m_s2: float = 9.80665
    sound_speed_m_s: float = 1500.0


@dataclass(eq=False)
class Instant:
    """True motion and surroundings of the vehicle at one instant; read-only, because all instruments share it."""

    time_s: float
    position_n: Array  # of O: north, east, down
    quaternion: Array  # body to NED, scalar first
    nu: Array  # u v w p q r over ground
    water_n: Array = field(default_factory=lambda: np.zeros(3))  # velocity of the water at O, NED
    below_m: float = math.nan  # depth of O under the moving surface; NaN without a surface
    altitude_m: float = math.nan  # of O over the bottom; NaN without one
    wet_share: float = 1.0
    thrusters: Array = field(default_factory=lambda: np.zeros(0))  # state of each actuator, in the unit of its lag
    surfaces: Array = field(default_factory=lambda: np.zeros(0))  # rad
    power_w: float = 0.0  # electric power drawn by the thrusters
    flooded_kg: float = 0.0  # water that has come in through a leak

    @cached_property
    def R_nb(self) -> Array:
        """Rotation matrix from body to NED axes."""
        return rotation_from_quaternion(self.quaternion)

    def place_n(self, point_b: Sequence[float] | Array) -> Array:
        """Position of a point of the body, NED, m."""
        return self.position_n + self.R_nb @ np.asarray(point_b)

    def velocity_b(self, point_b: Sequence[float] | Array) -> Array:
        """Velocity over ground of a point of the body, body axes, m/s: v + omega x r."""
        x, y, z = point_b
        u, v, w, p, q, r = self.nu.tolist()
        return np.array([u + q * z - r * y, v + r * x - p * z, w + p * y - q * x])

    def depth_of(self, point_b: Sequence[float] | Array) -> float:
        """Depth of a point of the body under the moving surface above O, m; under z = 0 where there is no surface."""
        down = float(self.R_nb[2] @ np.asarray(point_b))
        return (self.below_m if math.isfinite(self.below_m) else float(self.position_n[2])) + down


@dataclass(frozen=True, kw_only=True)
class Sensor:
    """Description of a sensor; each kind adds keys for its errors, with units: `noise_m`, `bias_m`."""

    kind: ClassVar[str] = ""

    name: str = ""  # unique on the vehicle; empty: the kind
    summary: str = ""
    rate_hz: float = 1.0
    latency_s: float = 0.0  # from measuring to arriving
    position_m: tuple[float, float, float] = (0.0, 0.0, 0.0)  # body axes about O
    orientation_deg: tuple[float, float, float] = (0.0, 0.0, 0.0)  # roll, pitch, yaw of its axes in the body
    dropout: float = 0.0  # share of readings that are lost

    def __post_init__(self) -> None:
        """Validate the common keys; each kind also validates its own."""
        self.check("rate_hz", 1e-6, 10000.0)
        self.check("latency_s", 0.0, 3600.0)
        self.check("dropout", 0.0, 1.0)
        if self.name and not (self.name.isascii() and self.name.isidentifier()):
            raise ScenarioError(
                file="sensor", key="name", value=self.name, expected="letters, digits and _, for the names of columns"
            )
        for key in ("position_m", "orientation_deg"):
            numbers(key, getattr(self, key), 3, expected="three finite numbers", context=SENSOR)

    def check(self, key: str, low: float = -math.inf, high: float = math.inf) -> None:
        """Raise a `ScenarioError` if the value of a key is not a number within the limits."""
        number(key, getattr(self, key), low, high, context=SENSOR)

    def check_all(self, low: float, high: float, *keys: str) -> None:
        """Check several keys against the same limits."""
        for key in keys:
            self.check(key, low, high)

    @property
    def columns(self) -> tuple[str, ...]:
        """Column names of the reading with units, without the name of the sensor."""
        raise NotImplementedError

    @cached_property
    def R_bs(self) -> Array:
        """Rotation matrix from sensor axes to body axes."""
        return rotation_from_euler(*np.radians(self.orientation_deg))

    def make(self, rng: np.random.Generator, fit: VehicleContext) -> Instrument:
        """Build the instrument that measures on one vehicle."""
        raise NotImplementedError

    def columns_on(self, fit: VehicleContext) -> tuple[str, ...]:
        """Column names on a given vehicle; they differ from `columns` where each actuator has one (tachometers)."""
        del fit
        return self.columns


class Instrument:
    """A sensor on a vehicle, with its random errors and internal state.

    `measure` returns the values at an instant, or None if there is no reading.

    `fast = True`: `measure_block` receives all samples of a control interval at once (an IMU).
    `watches = True`: the suite calls `watch` once per control interval, due or not (a battery integrates its current).
    `measure` sets `delay_s` if a reading takes longer than the latency, such as the travel time of sound.
    """

    fast = False
    watches = False
    delay_s = 0.0

    def measure(self, now: Instant, scene: Scene) -> Array | None:
        """Return the values in the order of the columns; NaN for a channel without an answer."""
        raise NotImplementedError

    def measure_block(self, instants: Sequence[Instant], scene: Scene) -> Array:
        """Return one row of values for each instant after the first; the first is the end of the previous sample."""
        raise NotImplementedError

    def watch(self, now: Instant) -> None:
        """Update the internal state without taking a reading."""

    def biased(self, values: Array, size: float) -> Array:
        """Values under a bias fault of one number; shifts every column unless the kind overrides it."""
        return values + size


class Errors:
    """Random errors of n identical channels: scale, bias, random walk, noise and resolution.

    noise       standard deviation of one reading
    bias        standard deviation of the constant offset, drawn once
    walk        random walk of the offset, per square root of a second
    memory_s    with a finite one the walk is a first-order Gauss-Markov process of this time constant
    scale       standard deviation of the relative error of the slope, drawn once
    resolution  readings are multiples of it

    `bias` and `walk` may be arrays, one number for each channel.
    """

    BLOCK = 512  # normal numbers are drawn in blocks: a call of the generator costs more than the numbers

    def __init__(
        self,
        rng: np.random.Generator,
        n: int = 1,
        *,
        noise: float = 0.0,
        bias: float | Array = 0.0,
        walk: float | Array = 0.0,
        memory_s: float = math.inf,
        scale: float = 0.0,
        resolution: float = 0.0,
    ) -> None:
        self._rng, self.n = rng, n
        self.noise, self.walk, self.memory_s, self.resolution = noise, walk, memory_s, resolution
        self._walks = bool(np.any(np.asarray(walk) > 0.0))
        self.slope = 1.0 + scale * rng.standard_normal(n)
        self.offset = bias * rng.standard_normal(n)  # constant part
        # a Gauss-Markov process starts in its steady state, sigma = walk sqrt(T / 2), as if switched on long ago
        start = walk * math.sqrt(0.5 * memory_s) if math.isfinite(memory_s) else 0.0
        self.wander = start * rng.standard_normal(n)
        self._normals, self._next = np.empty((0, 2, n)), 0
        self._pairs: list[list[float]] = []  # the same for n = 1 as Python floats: faster than array elements
        self._time_s = math.nan

    def _draw(self) -> Array:
        if self._next == len(self._normals):
            self._normals, self._next = self._rng.standard_normal((self.BLOCK, 2, self.n)), 0
            self._pairs = self._normals[:, :, 0].tolist() if self.n == 1 else []
        self._next += 1
        return self._normals[self._next - 1]

    def scalar_at(self, true: float, time_s: float) -> float:
        """Return a reading of a single channel at an instant: as `at`, but faster, without arrays."""
        dt = max(time_s - self._time_s, 0.0) if self._time_s == self._time_s else 0.0  # NaN: the first reading
        self._time_s = time_s
        self._draw()
        walked, noise = self._pairs[self._next - 1]
        if self._walks:
            keep, spread = walk_step(float(self.walk), self.memory_s, dt)
            self.wander[0] = keep * self.wander[0] + spread * walked
        value = float(self.slope[0]) * true + float(self.offset[0]) + float(self.wander[0]) + self.noise * noise
        return round(value / self.resolution) * self.resolution if self.resolution > 0.0 else value

    def at(self, true: Array | float, time_s: float, noise: float | Array | None = None) -> Array:
        """Return one reading of n channels at an instant: `apply` over the time since the last reading."""
        dt = max(time_s - self._time_s, 0.0) if self._time_s == self._time_s else 0.0
        self._time_s = time_s
        return self.apply(true, dt, noise)

    def apply(self, true: Array | float, dt: float, noise: float | Array | None = None) -> Array:
        """Return one reading of n channels, dt after the last; `noise` replaces the constant standard deviation."""
        draw = self._draw()
        if self._walks:
            keep, spread = walk_step(1.0, self.memory_s, dt)
            self.wander = keep * self.wander + spread * self.walk * draw[0]
        value = self.slope * true + self.offset + self.wander + (self.noise if noise is None else noise) * draw[1]
        return np.rint(value / self.resolution) * self.resolution if self.resolution > 0.0 else value


def walk_step(walk: float, memory_s: float, dt: float) -> tuple[float, float]:
    """Discretise a random walk or Gauss-Markov process exactly: (factor on the old value, sigma of the increment).

    keep = exp(-dt/T),   sigma^2 = walk^2 T/2 (1 - keep^2);   keep = 1, sigma^2 = walk^2 dt for an infinite memory
    """
    if math.isinf(memory_s):
        return 1.0, walk * math.sqrt(dt)
    keep = math.exp(-dt / memory_s)
    # expm1 keeps the digits where dt is much shorter than the memory: 1 - keep^2 would cancel
    return keep, walk * math.sqrt(-0.5 * memory_s * math.expm1(-2.0 * dt / memory_s))
