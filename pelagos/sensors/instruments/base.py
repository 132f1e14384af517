"""What all instruments share: counted random numbers, the error model of a channel, the interface of an instrument.

An instrument measures for n vehicles, n = 1 included. Its law is a function of one vehicle's numbers, compiled, in a
loop over the vehicles that are due. Measured with one vehicle, a call of a compiled function costs 0.5 us and each
operation of NumPy on a small array about as much, so that a reading in NumPy would cost several times the reading in
plain Python that it replaces; with 4096 vehicles the loop is faster than NumPy too, which goes through memory at each
operation.

    value = slope x + offset + walk + noise -> rounding to the resolution -> limits
"""

# ruff: noqa: ANN001, ANN201
from __future__ import annotations

import hashlib
import math
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.engine.laws import also_compiled, clip, law, records
from pelagos.sensors.base import Scene, Sensor, VehicleContext
from pelagos.sensors.instruments.instant import (
    BELOW,
    NU,
    POSITION,
    QUATERNION,
    TIME,
    WET,
    Array,
    Instant,
    Mask,
    Rows,
)
from pelagos.sensors.random import Noise

Kind = TypeVar("Kind", bound=Sensor)

EPISODE_BIT = 40  # lower bits of a counter count the readings since the last reset, the upper ones the resets
PURPOSE_BITS = 8  # lower bits of a channel are the purpose of the random number, the upper ones a hash of the name
BLOCK = 128  # readings of a single vehicle whose numbers are drawn at once: a call costs more than the numbers
LARGEST = 64  # numbers of a reading up to which that is done
DROPOUT = 255  # the last purpose of every instrument: whether a reading is lost

# an error group uses four purposes: readings, slope, offset, walk at the start
READING, SLOPE, OFFSET, START, PURPOSES = range(5)
# sizes of the errors of a channel; `growth` is noise for each unit of the true value, `turn` the period of an angle
SIZES = np.dtype(
    [(name, np.float64) for name in ("noise", "growth", "walk", "memory_s", "resolution", "low", "high", "turn")]
)
CHANNEL = np.dtype([(name, np.float64) for name in ("slope", "offset", "wander")])  # its present errors
NOTHING = np.empty((0, 0))


class Draw:
    """Random numbers of one instrument of n vehicles, selected by its name: other instruments do not change them.

    Each vehicle counts its resets, and its readings since the last reset, so that the numbers of an episode do not
    depend on the length of earlier ones. Count 0 is for numbers that are drawn once per reset.
    """

    def __init__(self, noise: Noise, name: str) -> None:
        self._noise, self.name = noise, name
        # a hash that is equal in every process, unlike hash(); 56 bits leave room for the purpose
        self._channel = int.from_bytes(hashlib.blake2b(name.encode(), digest_size=7).digest(), "little") << PURPOSE_BITS
        self.episode = np.zeros(len(noise), np.int64)
        self.count = np.zeros(len(noise), np.int64)
        self._rows: Rows | None = None  # of the present reading; None: all
        self._steps = self.count
        self._first = 0  # of a single vehicle: count of the present reading ...
        self._many = 1  # ... and number of readings in this call
        self._single = len(noise) == 1
        self._blocks: dict[tuple[int, int, bool], tuple[int, Array]] = {}  # numbers of coming readings, by purpose

    def forget(self, rows: Rows) -> None:
        """Set the number of resets of some vehicles to zero."""
        self.episode[rows] = 0

    def begin(self, rows: Rows) -> None:
        """Count a reset of some vehicles; the next numbers are those that are drawn once."""
        self.episode[rows] += 1
        self.count[rows] = 0
        self._blocks.clear()
        self._at(rows)
        self._many = 0  # these are not drawn in blocks

    def next(self, rows: Rows) -> None:
        """Count a reading of these vehicles, or several of a single one; the next numbers belong to it."""
        if self._single:
            self._many = len(rows)
            self._first = int(self.count[0]) + 1
            self.count[0] += self._many
        else:
            self.count[rows] += 1
            self._at(rows)

    def discard_blocks(self) -> None:
        """Forget numbers that were drawn for coming readings: the counts have changed."""
        self._blocks.clear()

    def _at(self, rows: Rows) -> None:
        self._rows = None if len(rows) == len(self.count) else rows
        self._steps = (self.episode[rows] << EPISODE_BIT) + self.count[rows]

    def normal(self, purpose: int, k: int) -> Array:
        """Return (m, k) normal numbers of the present reading."""
        if self._single and self._many:
            return self._of_single(purpose, k, normal=True)
        return self._noise.normal(self._channel + purpose, self._steps, k, self._rows)

    def uniform(self, purpose: int, k: int) -> Array:
        """Return (m, k) uniform numbers in [0, 1) of the present reading."""
        if self._single and self._many:
            return self._of_single(purpose, k, normal=False)
        return self._noise.uniform(self._channel + purpose, self._steps, k, self._rows)

    def _of_single(self, purpose: int, k: int, normal: bool) -> Array:
        """Numbers of a single vehicle, drawn for many readings at once; each is the same as drawn alone."""
        key = purpose, k, normal
        first, block = self._blocks.get(key, (0, NOTHING))
        at = self._first - first
        if at < 0 or at + self._many > len(block):
            length = self._many if k > LARGEST else max(BLOCK, self._many)
            steps = (int(self.episode[0]) << EPISODE_BIT) + self._first + np.arange(length)
            draw = self._noise.normal if normal else self._noise.uniform
            block = draw(self._channel + purpose, steps, k, np.zeros(length, np.intp))
            self._blocks[key] = self._first, block
            at = 0
        return block[at : at + self._many]


class Errors:
    """Random errors of k channels of n vehicles: slope, offset, walk, noise, resolution and limits.

    Args:
        draw: the random numbers of the instrument.
        purpose: the first of four purposes of these numbers, which no other errors of the instrument may use.
        k: number of channels.
        noise: standard deviation of one reading ...
        growth: ... and its increase for each unit of the true value.
        bias: standard deviation of the constant offset, drawn once.
        walk: random walk of the offset, per square root of a second.
        memory_s: with a finite one the walk is a first-order Gauss-Markov process of this time constant.
        scale: standard deviation of the relative error of the slope, drawn once.
        gain: slope without that error.
        resolution: readings are multiples of it; 0: of nothing.
        low: least reading.
        high: largest reading.
        turn: period of an angle; 0: not an angle.
        common: all channels of a vehicle share one error of the slope.

    Each size may be an array with one number for each channel.
    """

    def __init__(
        self,
        draw: Draw,
        purpose: int = 0,
        k: int = 1,
        *,
        noise: ArrayLike = 0.0,
        growth: ArrayLike = 0.0,
        bias: ArrayLike = 0.0,
        walk: ArrayLike = 0.0,
        memory_s: ArrayLike = math.inf,
        scale: ArrayLike = 0.0,
        gain: float = 1.0,
        resolution: ArrayLike = 0.0,
        low: ArrayLike = -math.inf,
        high: ArrayLike = math.inf,
        turn: ArrayLike = 0.0,
        common: bool = False,
    ) -> None:
        n = len(draw.count)
        self._draw, self._purpose, self._k = draw, purpose, k
        self.sizes = records(k, SIZES)
        values = {"noise": noise, "growth": growth, "walk": walk, "memory_s": memory_s, "resolution": resolution,
                  "low": low, "high": high, "turn": turn}  # fmt: skip
        for name, value in values.items():
            self.sizes[name] = value
        self._bias, self._scale = np.asarray(bias, float), np.asarray(scale, float)
        self._gain, self._slopes = gain, 1 if common else k
        walks = bool(np.any(self.sizes["walk"] > 0.0))
        noisy = bool(np.any(self.sizes["noise"] > 0.0) or np.any(self.sizes["growth"] > 0.0))
        self._numbers = 2 * k if walks else k if noisy else 0  # drawn for a reading: noise, then walks
        self.channels = records((n, k), CHANNEL)
        self.channels["slope"] = gain
        self.last_s = np.full(n, math.nan)

    def begin(self, rows: Rows) -> None:
        """Draw the constant errors of some vehicles; a Gauss-Markov process starts in its steady state.

        It starts as if it had been switched on long ago, with the standard deviation walk sqrt(T / 2).
        """
        draw, first, k = self._draw, self._purpose, self._k
        self.last_s[rows] = math.nan
        if np.any(self._scale):
            self.channels["slope"][rows] = self._gain * (1.0 + self._scale * draw.normal(first + SLOPE, self._slopes))
        if np.any(self._bias):
            self.channels["offset"][rows] = self._bias * draw.normal(first + OFFSET, k)
        self.channels["wander"][rows] = 0.0
        memory_s, walk = self.sizes["memory_s"], self.sizes["walk"]
        settles = np.isfinite(memory_s) & (walk > 0.0)
        if settles.any():
            sigma = np.where(settles, walk * np.sqrt(0.5 * np.where(settles, memory_s, 1.0)), 0.0)
            self.channels["wander"][rows] = sigma * draw.normal(first + START, k)

    def at(self, now: Instant, rows: Rows, true: Array) -> Array:
        """Return readings (m, k) of true values (m, k) at the instant of these vehicles; NaN stays NaN."""
        numbers = self._draw.normal(self._purpose + READING, self._numbers) if self._numbers else NOTHING
        out = np.empty(true.shape)
        read_channels(self.sizes, self.channels, self.last_s, rows, now.motion, true, numbers, out)
        return out


class Instrument(Generic[Kind]):
    """A sensor on each of n vehicles, with its random errors and internal state.

    `read` returns values (m, columns) for the vehicles `rows`, and which of them have a reading; None: all. It sets
    `delay_s` if a reading takes longer than the latency, such as the travel time of sound.

    `fast = True`: a reading is a mean since the last one, and needs all instants of a control interval (an IMU).
    `watches = True`: `watch` is called at every control interval, due or not (a battery integrates its current).
    `CHANGING` names the arrays of an instrument's own that `save` copies.
    """

    fast: ClassVar[bool] = False
    watches: ClassVar[bool] = False
    CHANGING: ClassVar[tuple[str, ...]] = ()
    delay_s: float | Array = 0.0

    def __init__(self, sensor: Kind, fit: VehicleContext, noise: Noise) -> None:
        self.sensor, self.fit, self.n = sensor, fit, len(noise)
        self.draw = Draw(noise, sensor.name or sensor.kind)
        self.everyone: Rows = np.arange(self.n)
        self._errors: list[Errors] = []

    def errors(self, purpose: int = 0, k: int = 1, **figures: Any) -> Errors:
        """Return new errors, which `begin` draws together with those made before."""
        errors = Errors(self.draw, purpose, k, **figures)
        self._errors.append(errors)
        return errors

    def begin(self, rows: Rows, first: bool = False) -> None:
        """Switch the instrument of some vehicles on, which draws its constant errors.

        `first`: as if it were for the first time.
        """
        if first:
            self.draw.forget(rows)
        self.draw.begin(rows)
        for errors in self._errors:
            errors.begin(rows)

    def measure(self, now: Instant, scene: Scene, rows: Rows | None = None) -> tuple[Array, Mask | None]:
        """Return the values of the vehicles `rows` (default: all), in the order of the columns, and who has a reading.

        `now` has as many rows. Of a single vehicle it may have several, one after another. A value is NaN for a
        channel without an answer.
        """
        if rows is None:
            rows = self.everyone
        self.draw.next(rows)
        return self.read(now, rows, scene)

    def measure_single(self, now: Instant, scene: Scene) -> Array | None:
        """Return the values of a single vehicle, or None if there is no reading."""
        values, has_reading = self.measure(now, scene, self.everyone)
        return values[0] if has_reading is None or has_reading[0] else None

    def read(self, now: Instant, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """Return the values of the vehicles `rows`, and which of them have a reading."""
        raise NotImplementedError

    def watch(self, now: Instant) -> None:
        """Update the internal state without taking a reading."""

    def has_advanced(self, time_s: Array) -> Mask | None:
        """Return which vehicles can be sampled at these times; None: all."""
        del time_s
        return None

    def lost(self) -> Mask | None:
        """Return which of the present readings are lost by drop-out; None: none."""
        share = self.sensor.dropout
        return self.draw.uniform(DROPOUT, 1)[:, 0] < share if share > 0.0 else None

    def biased(self, values: Array, size: float) -> Array:
        """Values (columns,) under a bias fault of one number; shifts every column unless the kind overrides it."""
        return values + size

    def _state(self) -> list[Array]:
        arrays: list[Any] = [self.draw.episode, self.draw.count, *(getattr(self, name) for name in self.CHANGING)]
        for errors in self._errors:
            arrays += [errors.channels, errors.last_s]
        return arrays

    def save(self) -> list[NDArray[Any]]:
        """Return copies of all arrays that change; random numbers are counted, and there is nothing more."""
        return [array.copy() for array in self._state()]

    def restore(self, saved: list[NDArray[Any]]) -> None:
        """Return to a saved state, bit for bit."""
        for array, values in zip(self._state(), saved, strict=True):
            array[...] = values
        self.draw.discard_blocks()


@also_compiled
def walk_step(walk: float, memory_s: float, dt: float) -> tuple[float, float]:
    """Discretise a random walk or Gauss-Markov process exactly: (factor on the old value, sigma of the increment).

    keep = exp(-dt/T),   sigma^2 = walk^2 T/2 (1 - keep^2);   keep = 1, sigma^2 = walk^2 dt for an infinite memory
    """
    if math.isinf(memory_s):
        return 1.0, walk * math.sqrt(dt)
    # expm1 keeps the digits where dt is much shorter than the memory: 1 - keep^2 would cancel
    return math.exp(-dt / memory_s), walk * math.sqrt(-0.5 * memory_s * math.expm1(-2.0 * dt / memory_s))


@also_compiled
def rounded(value, resolution):
    """The nearest multiple of a resolution; 0 leaves the value unchanged."""
    return np.rint(value / resolution) * resolution if resolution > 0.0 else value


@also_compiled
def read_channel(size, channel, true, dt, walked, drawn):
    """A reading of one channel of one vehicle, dt after the last."""
    if size.walk > 0.0:
        keep, spread = walk_step(size.walk, size.memory_s, dt)
        channel.wander = keep * channel.wander + spread * walked
    value = channel.slope * true + channel.offset + channel.wander
    value = rounded(value + (size.noise + size.growth * true) * drawn, size.resolution)
    return clip(value, size.low, size.high) if size.turn == 0.0 else value % size.turn


@law
def read_channels(sizes, channels, last_s, rows, motion, true, numbers, out):
    """Write the readings of all channels of some vehicles to `out`."""
    k, drawn = len(sizes), numbers.shape[1]
    for i in range(len(rows)):
        row, dt = rows[i], 0.0
        time_s = motion[i, TIME]
        if time_s > last_s[row]:  # never at the first reading, before which it is NaN
            dt = time_s - last_s[row]
        last_s[row] = time_s
        for j in range(k):
            noise = numbers[i, j] if drawn > 0 else 0.0
            walked = numbers[i, k + j] if drawn > k else 0.0
            out[i, j] = read_channel(sizes[j], channels[row, j], true[i, j], dt, walked, noise)


@also_compiled
def rotation(row):
    """Rotation matrix from body to NED axes, row by row; the quaternion need not be normalised."""
    w, x, y, z = row[QUATERNION], row[QUATERNION + 1], row[QUATERNION + 2], row[QUATERNION + 3]
    n = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
    w, x, y, z = n * w, n * x, n * y, n * z
    return (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)),
        (2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)),
        (2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)),
    )


@also_compiled
def dot(a, x, y, z):
    """Scalar product."""
    return a[0] * x + a[1] * y + a[2] * z


@also_compiled
def place_n(row, point):
    """Position of a point of the body, NED, m."""
    R = rotation(row)
    x, y, z = point[0], point[1], point[2]
    return (
        row[POSITION] + dot(R[0], x, y, z),
        row[POSITION + 1] + dot(R[1], x, y, z),
        row[POSITION + 2] + dot(R[2], x, y, z),
    )


@also_compiled
def velocity_b(row, point):
    """Velocity over ground of a point of the body, body axes, m/s: v + omega x r."""
    x, y, z = point[0], point[1], point[2]
    p, q, r = row[NU + 3], row[NU + 4], row[NU + 5]
    return row[NU] + q * z - r * y, row[NU + 1] + r * x - p * z, row[NU + 2] + p * y - q * x


@also_compiled
def depth_of(row, point):
    """Depth of a point of the body under the moving surface above O, m; under z = 0 where there is no surface."""
    down = dot(rotation(row)[2], point[0], point[1], point[2])
    return (row[BELOW] if math.isfinite(row[BELOW]) else row[POSITION + 2]) + down


@also_compiled
def in_air(row, point):
    """Whether a point of the body is out of the water, where sound does not pass."""
    return row[WET] < 1.0 and depth_of(row, point) < 0.0
