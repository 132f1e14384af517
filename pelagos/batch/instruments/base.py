"""Base of the instruments of many vehicles: the true motion as arrays, random numbers, and errors of channels.

These are the array forms of `pelagos.sensors.base`: `VectorInstant` of `Instant`, `VectorErrors` of `Errors`,
`VectorInstrument` of `Instrument`. A row is a vehicle. An instrument measures only for the vehicles that are due:
`rows` selects them, and the arrays that it takes and returns have as many rows. `instant_of` makes a
`VectorInstant` from a batch, or from states, which lack some quantities.
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

from pelagos.sensors.random import Noise
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
Rows = NDArray[np.intp] | slice  # slice(None): all, which saves copies
Kind = TypeVar("Kind", bound=Sensor)

EPISODE_BIT = 40  # lower bits of a counter count the readings since the last reset, the upper ones the resets
PURPOSE_BITS = 8  # lower bits of a channel are the purpose of the random number, the upper ones a hash of the name


@dataclass(eq=False)
class VectorInstant:
    """True motion and surroundings of many vehicles, one row each; the array form of `pelagos.sensors.base.Instant`.

    Instruments share the arrays and must not change them. `below_m` is NaN without a free surface.
    """

    time_s: Array  # (n,)
    position_n: Array  # (n, 3) of O
    R_nb: Array  # (n, 3, 3)
    nu: Array  # (n, 6) over ground, body axes
    water_n: Array  # (n, 3) velocity of the water at O
    below_m: Array  # (n,) depth of O under the moving surface
    wet_share: Array  # (n,)
    thrusters: Array  # (n, k) actual state of each, in the unit of its lag
    surfaces: Array  # (n, s) rad

    def __len__(self) -> int:
        """Return the number of vehicles."""
        return len(self.time_s)

    def some(self, rows: Rows) -> VectorInstant:
        """Return the rows of some vehicles."""
        if isinstance(rows, slice):  # all
            return self
        return VectorInstant(*(getattr(self, item.name)[rows] for item in fields(self)))

    def place_n(self, point_b: Sequence[float] | Array) -> Array:
        """Return the position of a point of the body, NED, m."""
        return self.position_n + self.R_nb @ np.asarray(point_b, float)

    def velocity_b(self, point_b: Sequence[float] | Array) -> Array:
        """Return the velocity over ground of a point of the body, body axes: v + omega x r."""
        x, y, z = point_b
        u, v, w, p, q, r = self.nu.T
        return np.stack([u + q * z - r * y, v + r * x - p * z, w + p * y - q * x], axis=1)

    @cached_property
    def _level_m(self) -> Array:
        """Depth of O: under the moving surface, or under z = 0 without one."""
        return np.where(np.isfinite(self.below_m), self.below_m, self.position_n[:, 2])

    def depth_of(self, point_b: Sequence[float] | Array) -> Array:
        """Return the depth of a point of the body under the moving surface above O, m; without one, under z = 0."""
        return self._level_m + self.R_nb[:, 2] @ np.asarray(point_b, float)

    def in_air(self, point_b: Sequence[float] | Array) -> Mask:
        """Return whether a point of the body is out of the water, where sound does not pass."""
        return (self.wet_share < 1.0) & (self.depth_of(point_b) < 0.0)


class Draw:
    """Random numbers of one instrument of many vehicles, selected by its name: other instruments do not change them.

    Each vehicle counts its resets, and its readings since the last reset, so that the numbers of an episode do not
    depend on the length of earlier ones. Count 0 is for numbers that are drawn once per reset.
    """

    def __init__(self, noise: Noise, name: str) -> None:
        self._noise = noise
        # a hash that is equal in every process, unlike hash(); 56 bits leave room for the purpose
        self._channel = int.from_bytes(hashlib.blake2b(name.encode(), digest_size=7).digest(), "little") << PURPOSE_BITS
        self._episode = np.zeros(len(noise), np.int64)
        self._count = np.zeros(len(noise), np.int64)
        self._rows: Rows = slice(None)
        self._steps = self._count

    def forget(self, rows: Rows) -> None:
        """Set the number of resets of some vehicles to zero."""
        self._episode[rows] = 0

    def begin(self, rows: Rows) -> None:
        """Count a reset of some vehicles; the next numbers are those that are drawn once."""
        self._episode[rows] += 1
        self._count[rows] = -1
        self.next(rows)

    def next(self, rows: Rows) -> None:
        """Count a reading of these vehicles; the next numbers belong to it."""
        self._count[rows] += 1
        self._rows, self._steps = rows, (self._episode[rows] << EPISODE_BIT) + self._count[rows]

    def normal(self, purpose: int, k: int) -> Array:
        """Return (m, k) normal numbers of the present reading."""
        return self._noise.normal(self._channel + purpose, self._steps, k, self._which)

    def uniform(self, purpose: int, k: int) -> Array:
        """Return (m, k) uniform numbers in [0, 1) of the present reading."""
        return self._noise.uniform(self._channel + purpose, self._steps, k, self._which)

    @property
    def _which(self) -> NDArray[np.intp] | None:
        return None if isinstance(self._rows, slice) else self._rows


class VectorErrors:
    """Errors of k equal channels of each vehicle: scale, bias, walk, noise and resolution.

    The array form of `pelagos.sensors.base.Errors`. `bias`, `walk`, `noise` and `resolution` may be arrays with one
    number for each channel. With `common`, all channels of a vehicle share one error of scale. `purpose` and the two
    numbers after it select random numbers of `draw`; no other errors of the instrument may use them.
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
        """Draw the constant errors of some vehicles; a Gauss-Markov process starts in its steady state."""
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
        """Return (m, k) readings of true values (m, k) at times (m,); `noise` (m, k) replaces the constant one."""
        if self._walks:
            since = time_s - self._time_s[rows]
            dt = np.where(since > 0.0, since, 0.0)  # NaN at the first reading: the walk has not moved
            keep, spread = walk_steps(self._memory_s, dt)
            walked = spread[:, None] * self._walk * self._draw.normal(self._purpose + 2, self._k)
            self._wander[rows] = keep[:, None] * self._wander[rows] + walked
            self._time_s[rows] = time_s
        value = self._slope[rows] * true + self._offset[rows] + self._wander[rows]
        if self._noisy or noise is not None:
            value = value + (self._noise if noise is None else noise) * self._draw.normal(self._purpose, self._k)
        return stepped(value, self._steps) if self._stepped else value


def stepped(value: Array, steps: Array) -> Array:
    """Round values to multiples of a resolution, column by column; a resolution of 0 leaves them unchanged."""
    divisor = np.where(steps > 0.0, steps, 1.0)
    return np.where(steps > 0.0, np.rint(value / divisor) * divisor, value)


def walk_steps(memory_s: float, dt: Array) -> tuple[Array, Array]:
    """Return the decay of a random walk of density 1 over times dt, and the standard deviation of its increment.

    The array form of `pelagos.sensors.base.walk_step`.
    """
    if math.isinf(memory_s):
        return np.ones_like(dt), np.sqrt(dt)
    return np.exp(-dt / memory_s), np.sqrt(-0.5 * memory_s * np.expm1(-2.0 * dt / memory_s))


class VectorInstrument(Generic[Kind]):
    """The same instrument on each of n vehicles.

    `measure` returns values (m, columns) and which vehicles have a reading (m,). It sets `delay_s` if a reading takes
    longer than the latency.
    """

    delay_s: float | Array = 0.0

    def __init__(self, sensor: Kind, fit: VehicleContext, n: int, draw: Draw) -> None:
        self.sensor, self.fit, self.n, self.draw = sensor, fit, n, draw
        self.errors: list[VectorErrors] = []

    def error(self, purpose: int, k: int = 1, **figures: float | Array | bool) -> VectorErrors:
        """Return new errors, which `begin` draws together with those made before."""
        errors = VectorErrors(self.draw, purpose, self.n, k, **figures)  # pyright: ignore[reportArgumentType]
        self.errors.append(errors)
        return errors

    def begin(self, rows: Rows) -> None:
        """Switch the instrument of some vehicles on: draw its constant errors."""
        for errors in self.errors:
            errors.begin(rows)

    def measure(self, now: VectorInstant, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """Return the values of the vehicles `rows`, and which of them have a reading; None: all."""
        raise NotImplementedError


def instant_of(
    now: BatchView | VehicleStates | VectorInstant,
    world: World,
    gravity_m_s2: float,
    thrusters: ArrayLike | None = None,
    surfaces: ArrayLike | None = None,
) -> VectorInstant:
    """Return `now` as `VectorInstant`; states need `thrusters` and `surfaces` as well, which they do not contain.

    `gravity_m_s2` is that of the vehicle, for the waves of a world without gravity.
    """
    if isinstance(now, VectorInstant):
        return now
    if isinstance(now, BatchView):
        below = now.below_m if world.surface else np.full(now.n, math.nan)
        return VectorInstant(
            now.time_s, now.position_n, rotation_from_quaternion(now.quaternion), now.nu, now.current_n, below,
            now.wet_share, now.thrusters, now.surfaces,
        )  # fmt: skip
    if not isinstance(now, VehicleStates):
        raise CommandError(key="now", value=now, expected="a Batch, VehicleStates or VectorInstant")
    return _instant_of_states(now, world, gravity_m_s2, thrusters, surfaces)


def _instant_of_states(
    now: VehicleStates, world: World, gravity_m_s2: float, thrusters: ArrayLike | None, surfaces: ArrayLike | None
) -> VectorInstant:
    """A `VectorInstant` from states, which lack the submerged share: above the surface an instrument is in the air."""
    time_s, position, nu = (np.asarray(part, float) for part in (now.time_s, now.pos_n, now.nu))
    n, R_nb = len(time_s), rotation_from_euler(now.roll, now.pitch, now.yaw)
    water_n = np.einsum("nij,nj->ni", R_nb, nu[:, :3] - np.asarray(now.nu_r)[:, :3])
    below, wet = np.full(n, math.nan), np.ones(n)
    if world.surface:
        below, wet = position[:, 2] - _surface_m(world, gravity_m_s2, position, time_s), np.zeros(n)
    return VectorInstant(
        time_s, position, R_nb, nu, water_n, below, wet, _actuators("thrusters", thrusters, n),
        _actuators("surfaces", surfaces, n),
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
