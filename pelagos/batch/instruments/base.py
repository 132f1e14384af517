"""What instruments of many vehicles have in common: the instant as arrays, random numbers, and the errors of channels.

The plural forms of `pelagos.sensors.base`: `Moments` of `Moment`, `VectorErrors` of `Errors`, `VectorInstrument` of
`Instrument`. Rows are vehicles. An instrument measures for those that are due only: `rows` says which of all these are,
and every array it is given or gives back has as many rows.

The present of many vehicles as their instruments see it: from a batch, which knows all of it, or from a truth.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.batch.random import Noise
from pelagos.batch.view import BatchView
from pelagos.checks import array
from pelagos.engine.water.waves import sample_waves
from pelagos.errors import CommandError
from pelagos.frames import rotation_from_euler, rotation_from_quaternion
from pelagos.messages import VehicleStates
from pelagos.sensors.base import Scene, Sensor, VehicleContext
from pelagos.world.spec import World

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
Rows = NDArray[np.intp] | slice  # slice(None): all, which spares copies
Kind = TypeVar("Kind", bound=Sensor)

EPISODE = 40  # bits of a counter that number the readings since the last reset; those above number the resets
PURPOSES = 8  # bits of a channel that say what an instrument draws for; those above are its name


@dataclass(eq=False)
class Moments:
    """The exact motion and surroundings of many vehicles, one row each; as `pelagos.sensors.base.Moment`.

    Not to be changed: instruments share it. below_m is NaN without a surface.
    """

    time_s: Array  # (n,)
    position_n: Array  # (n, 3) of O
    R_nb: Array  # (n, 3, 3)
    nu: Array  # (n, 6) over ground, body axes
    water_n: Array  # (n, 3) velocity of the water at O
    below_m: Array  # (n,) depth of O under the moving surface
    wet_share: Array  # (n,)
    thrusters: Array  # (n, k) where each is, in the unit of its lag
    surfaces: Array  # (n, s) rad

    def __len__(self) -> int:
        """How many vehicles."""
        return len(self.time_s)

    def some(self, rows: Rows) -> Moments:
        """Those of some vehicles."""
        if isinstance(rows, slice):
            return self
        return Moments(*(getattr(self, item.name)[rows] for item in fields(self)))

    def place_n(self, point_b: Sequence[float] | Array) -> Array:
        """Where a point of the body is, NED, m."""
        return self.position_n + self.R_nb @ np.asarray(point_b, float)

    def velocity_b(self, point_b: Sequence[float] | Array) -> Array:
        """Velocity over ground of a point of the body, body axes: v + omega x r."""
        x, y, z = point_b
        u, v, w, p, q, r = self.nu.T
        return np.stack([u + q * z - r * y, v + r * x - p * z, w + p * y - q * x], axis=1)

    @cached_property
    def _level_m(self) -> Array:
        return np.where(np.isfinite(self.below_m), self.below_m, self.position_n[:, 2])

    def depth_of(self, point_b: Sequence[float] | Array) -> Array:
        """Depth of a point of the body under the moving surface above O, m; under z = 0 where there is no surface."""
        return self._level_m + self.R_nb[:, 2] @ np.asarray(point_b, float)

    def in_air(self, point_b: Sequence[float] | Array) -> Mask:
        """Which have a point of the body out of the water, where no sound gets in or out."""
        return (self.wet_share < 1.0) & (self.depth_of(point_b) < 0.0)


class Draw:
    """The random numbers of one instrument of many vehicles, by its name: adding another changes none of them.

    Each vehicle counts its own resets and its readings since the last, so that what it draws in an episode does not
    depend on how long earlier ones were. Count 0 is for what is drawn once.
    """

    def __init__(self, noise: Noise, name: str) -> None:
        self._noise = noise
        self._channel = int.from_bytes(hashlib.blake2b(name.encode(), digest_size=7).digest(), "little") << PURPOSES
        self._episode = np.zeros(len(noise), np.int64)
        self._count = np.zeros(len(noise), np.int64)
        self._rows: Rows = slice(None)
        self._steps = self._count

    def forget(self, rows: Rows) -> None:
        """Count the resets of some vehicles from the beginning."""
        self._episode[rows] = 0

    def begin(self, rows: Rows) -> None:
        """Some vehicles start anew; what is drawn next is what they have once."""
        self._episode[rows] += 1
        self._count[rows] = -1
        self.next(rows)

    def next(self, rows: Rows) -> None:
        """Numbers from now on are those of the next reading of these vehicles."""
        self._count[rows] += 1
        self._rows, self._steps = rows, (self._episode[rows] << EPISODE) + self._count[rows]

    def normal(self, purpose: int, k: int) -> Array:
        """(m, k) normal numbers of the present reading."""
        return self._noise.normal(self._channel + purpose, self._steps, k, self._which)

    def uniform(self, purpose: int, k: int) -> Array:
        """(m, k) numbers from 0 to below 1."""
        return self._noise.uniform(self._channel + purpose, self._steps, k, self._which)

    @property
    def _which(self) -> NDArray[np.intp] | None:
        return None if isinstance(self._rows, slice) else self._rows


class VectorErrors:
    """Scale, bias, walk, noise and resolution of k like channels of each vehicle: `pelagos.sensors.base.Errors`.

    `bias`, `walk`, `noise` and `resolution` may be arrays, one number for each channel. With `common` all channels of a
    vehicle have one error of scale. `purpose` is the first of three numbers that are its own among those of the `draw`.
    """

    def __init__(
        self,
        draw: Draw,
        purpose: int,
        n: int,
        k: int = 1,
        *,
        noise: float | Array = 0.0,
        bias: float | Array = 0.0,
        walk: float | Array = 0.0,
        memory_s: float = math.inf,
        scale: float = 0.0,
        resolution: float | Array = 0.0,
        common: bool = False,
    ) -> None:
        self._draw, self._purpose, self._k = draw, purpose, k
        self._noise, self._bias, self._walk, self._memory_s, self._scale = noise, bias, walk, memory_s, scale
        self._steps = np.broadcast_to(np.asarray(resolution, float), (k,))
        self._noisy, self._walks, self._stepped = (bool(np.any(x)) for x in (noise, walk, self._steps))
        self._slopes = 1 if common else k
        self._slope = np.ones((n, self._slopes))
        self._offset, self._wander = np.zeros((n, k)), np.zeros((n, k))
        self._time_s = np.full(n, math.nan)

    def begin(self, rows: Rows) -> None:
        """Draw for some vehicles what they have once. A Gauss-Markov process starts in its steady state."""
        draw, first = self._draw, self._purpose
        self._time_s[rows] = math.nan
        if self._scale > 0.0:
            self._slope[rows] = 1.0 + self._scale * draw.normal(first, self._slopes)
        if np.any(self._bias):
            self._offset[rows] = self._bias * draw.normal(first + 1, self._k)
        self._wander[rows] = 0.0
        if self._walks and math.isfinite(self._memory_s):
            self._wander[rows] = self._walk * math.sqrt(0.5 * self._memory_s) * draw.normal(first + 2, self._k)

    def at(self, rows: Rows, true: Array, time_s: Array, noise: Array | None = None) -> Array:
        """(m, k) readings of true values (m, k) at times (m,); `noise` (m, k) in place of the constant one."""
        if self._walks:
            since = time_s - self._time_s[rows]
            dt = np.where(since > 0.0, since, 0.0)  # NaN, the first time: nothing yet
            keep, spread = walk_steps(self._memory_s, dt)
            walked = spread[:, None] * self._walk * self._draw.normal(self._purpose + 2, self._k)
            self._wander[rows] = keep[:, None] * self._wander[rows] + walked
            self._time_s[rows] = time_s
        value = self._slope[rows] * true + self._offset[rows] + self._wander[rows]
        if self._noisy or noise is not None:
            value = value + (self._noise if noise is None else noise) * self._draw.normal(self._purpose, self._k)
        return stepped(value, self._steps) if self._stepped else value


def stepped(value: Array, steps: Array) -> Array:
    """Values in whole steps of a resolution, column by column; a step of 0 leaves them."""
    some = np.where(steps > 0.0, steps, 1.0)
    return np.where(steps > 0.0, np.rint(value / some) * some, value)


def walk_steps(memory_s: float, dt: Array) -> tuple[Array, Array]:
    """What stays of a walk of 1 over times dt and how much comes in: `pelagos.sensors.base.walk_step` of arrays."""
    if math.isinf(memory_s):
        return np.ones_like(dt), np.sqrt(dt)
    return np.exp(-dt / memory_s), np.sqrt(-0.5 * memory_s * np.expm1(-2.0 * dt / memory_s))


class VectorInstrument(Generic[Kind]):
    """One instrument of each of n vehicles.

    `measure` gives values (m, columns) and which vehicles have a reading at all (m,); `delay_s` is set by it where a
    reading needs more than the latency.
    """

    delay_s: float | Array = 0.0

    def __init__(self, sensor: Kind, fit: VehicleContext, n: int, draw: Draw) -> None:
        self.sensor, self.fit, self.n, self.draw = sensor, fit, n, draw
        self.errors: list[VectorErrors] = []

    def error(self, purpose: int, k: int = 1, **figures: float | Array | bool) -> VectorErrors:
        """Errors that begin anew with the vehicles."""
        made = VectorErrors(self.draw, purpose, self.n, k, **figures)  # pyright: ignore[reportArgumentType]
        self.errors.append(made)
        return made

    def begin(self, rows: Rows) -> None:
        """Some vehicles start anew."""
        for errors in self.errors:
            errors.begin(rows)

    def measure(self, now: Moments, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """Values of the vehicles `rows`, and which of them have a reading; None: all."""
        raise NotImplementedError


# ---- instruments look ------------------------------------------------------------------------------------------------


def moments_of(
    now: BatchView | VehicleStates | Moments,
    world: World,
    gravity_m_s2: float,
    thrusters: ArrayLike | None = None,
    surfaces: ArrayLike | None = None,
) -> Moments:
    """`now` as `Moments`; `thrusters` and `surfaces` go with a truth, which does not have them.

    `gravity_m_s2` is the vehicle's, by which the waves run where the world has none of its own.
    """
    if isinstance(now, Moments):
        return now
    if isinstance(now, BatchView):
        below = now.below_m if world.surface else np.full(now.n, math.nan)
        return Moments(
            now.time_s, now.position_n, rotation_from_quaternion(now.quaternion), now.nu, now.current_n, below,
            now.wet_share, now.thrusters, now.surfaces,
        )  # fmt: skip
    if not isinstance(now, VehicleStates):
        raise CommandError(key="what shall be sampled", value=now, expected="a batch, its truth, or Moments")
    return _of_truths(now, world, gravity_m_s2, thrusters, surfaces)


def _of_truths(
    now: VehicleStates, world: World, gravity_m_s2: float, thrusters: ArrayLike | None, surfaces: ArrayLike | None
) -> Moments:
    """A truth does not say how much of the hull is wet: an instrument above the surface counts as in the air."""
    time_s, position, nu = (np.asarray(part, float) for part in (now.time_s, now.pos_n, now.nu))
    n, R_nb = len(time_s), rotation_from_euler(now.roll, now.pitch, now.yaw)
    water_n = np.einsum("nij,nj->ni", R_nb, nu[:, :3] - np.asarray(now.nu_r)[:, :3])
    below, wet = np.full(n, math.nan), np.ones(n)
    if world.surface:
        below, wet = position[:, 2] - _surface_m(world, gravity_m_s2, position, time_s), np.zeros(n)
    return Moments(
        time_s, position, R_nb, nu, water_n, below, wet, _drives("thrusters", thrusters, n),
        _drives("surfaces", surfaces, n),
    )  # fmt: skip


def _drives(name: str, given: ArrayLike | None, n: int) -> Array:
    """Where actuators are, (n, k); none if it is not told."""
    if given is None:
        return np.empty((n, 0))
    rows = array(name, given, f"numbers, a row for each of {n} vehicles")
    if rows.ndim != 2 or len(rows) != n:
        raise CommandError(f"{name} have shape {rows.shape}", expected=f"a row for each of {n} vehicles")
    return rows


def _surface_m(world: World, gravity_m_s2: float, position: Array, time_s: Array) -> Array:
    """z of the moving surface above each vehicle, each at its own time."""
    if world.waves is None:
        return np.zeros(len(time_s))
    out, above = np.zeros((len(time_s), 9)), np.column_stack([position[:, :2], np.zeros(len(time_s))])
    sample_waves(world.packed(gravity_m_s2=world.gravity_m_s2 or gravity_m_s2), above, time_s, out)
    return out[:, 0]
