"""What differs from one episode to the next: the water, the vehicle's numbers, the noise of what is seen.

`randomise` is a mapping from a name to a range (low, high), drawn anew for each environment at every reset:

    current_m_s   speed of a uniform current, towards a direction drawn as well
    noise         factor on the noise of each field of the observation (`Field.noise`); the noise is new at every step
    anything that `Batch.scale` takes: mass, inertia, buoyancy, added_mass, damping, thrust, thruster:NAME, or a
    coefficient by its name such as Y_uv: a factor on it

A range may be one number. `{}` draws nothing; None takes the task's own ranges.

Random numbers that belong to an environment, not to the batch it is in.

`batch.noise.Noise` finds a number from a counter. Here the counter is (seed of the environment, episode, step, what
the number is for): environment i has the same numbers whatever the others do and however many there are.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pelagos.batch.batch import Batch
from pelagos.batch.parameters import ABOVE_ZERO, FAMILIES, scalable
from pelagos.batch.random import Noise
from pelagos.checks import is_number
from pelagos.errors import CommandError, shown
from pelagos.vehicle.spec import Vehicle

Array = NDArray[np.float64]
STEPS = np.int64(1) << 32  # an episode has fewer steps than this


class Draws:
    """Numbers of the present episodes of some environments, one row each.

    Args:
        seeds: (m,) of the environments, whole numbers from 0.
        episodes: (m,) which episode since the seed was set.
        steps: (m,) control intervals since it began, for numbers that are new at every step.
    """

    def __init__(
        self, seeds: NDArray[np.int64], episodes: NDArray[np.int64], steps: NDArray[np.int64] | None = None
    ) -> None:
        self._noise = Noise(0, seeds)
        self._step = episodes * STEPS if steps is None else episodes * STEPS + steps

    def __len__(self) -> int:
        return len(self._step)

    def uniform(self, name: str, low: float = 0.0, high: float = 1.0) -> Array:
        """(m,) numbers in [low, high)."""
        return low + (high - low) * self.uniforms(name, 1)[:, 0]

    def uniforms(self, name: str, k: int) -> Array:
        """(m, k) numbers in [0, 1); two names have nothing to do with each other."""
        return self._noise.uniform(_channel(name), self._step, k)

    def below(self, name: str, count: int) -> NDArray[np.int64]:
        """(m,) whole numbers from 0 to count - 1."""
        return (self.uniform(name) * count).astype(np.int64)

    def normals(self, name: str, k: int) -> Array:
        """(m, k) numbers of mean 0 and standard deviation 1."""
        return self._noise.normal(_channel(name), self._step, k)


def _channel(name: str) -> int:
    return zlib.crc32(name.encode())


# ---- randomise -------------------------------------------------------------------------------------------------------


Range = tuple[float, float]
NOT_FACTORS = ("current_m_s", "noise")


class Randomise:
    """Ranges, checked, and what was drawn of them."""

    def __init__(self, ranges: Mapping[str, object], n: int, vehicle: Vehicle, scaled: bool = False) -> None:
        """`scaled`: the task scales parameters itself."""
        if not isinstance(ranges, Mapping):
            raise CommandError(
                key="randomise", value=ranges, expected="names with ranges, such as {'mass': (0.9, 1.1)}"
            )
        _known(ranges, vehicle)
        self.ranges = {name: _range(name, value) for name, value in ranges.items()}
        self._scaled = scaled or any(name not in NOT_FACTORS for name in self.ranges)
        self.noise = np.zeros(n)
        self.current_n = np.zeros((n, 3))

    def begin(self, batch: Batch, where: NDArray[np.int64], draws: Draws) -> None:
        """New numbers for the environments of `where`."""
        if self._scaled:
            batch.unscale(where)  # the factors of the last episode, and what the task did to the vehicle
        for name, (low, high) in self.ranges.items():
            drawn = draws.uniform(f"randomise {name}", low, high)
            if name == "current_m_s":
                to = draws.uniform("randomise current_to", 0.0, 2.0 * np.pi)
                flow = np.stack([drawn * np.cos(to), drawn * np.sin(to), np.zeros(len(drawn))], axis=1)
                self.current_n[where] = flow
                batch.set_current(flow, where)
            elif name == "noise":
                self.noise[where] = drawn
            else:
                batch.scale(name, drawn, where)


def _known(names: Mapping[str, object], vehicle: Vehicle) -> None:
    """A sentence for a name that nothing is called by."""
    valid = (*NOT_FACTORS, *scalable(vehicle))
    for name in names:
        if name not in valid:
            raise CommandError(
                f"randomise {shown(name)}: {vehicle.key} has no such parameter",
                expected=f"{', '.join(NOT_FACTORS)}, {', '.join(FAMILIES)}, thruster:NAME or the name of a coefficient",
                names=valid,
                misspelt=name,
            )


def _range(name: str, value: object) -> Range:
    """(low, high), or a sentence."""
    pair = (value, value) if is_number(value) else value
    if not (isinstance(pair, tuple | list) and len(pair) == 2 and all(is_number(v) for v in pair)):
        raise CommandError(key=f"randomise {name}", value=value, expected="a range (low, high) or one number")
    low, high = float(pair[0]), float(pair[1])  # type: ignore[arg-type]  # is_number has checked them
    above = name in ABOVE_ZERO  # there is no body without mass
    if not (np.isfinite(low) and np.isfinite(high) and 0.0 <= low <= high) or (above and low == 0.0):
        raise CommandError(
            f"randomise {name} is ({low:g}, {high:g})", expected=f"0 {('<' if above else '<=')} low <= high"
        )
    return low, high
