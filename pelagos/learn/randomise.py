"""Domain randomisation: current, vehicle parameters and observation noise, drawn for each episode.

`randomise` maps a name to a range (low, high), from which each environment draws at every reset:

    current_m_s   speed of a uniform current; its direction is random too
    noise         factor on the noise of each field of the observation (`Field.noise`), which is new at every step
    a parameter of `Batch.scale` (mass, inertia, buoyancy, added_mass, damping, thrust, thruster:NAME, or a coefficient
                  such as Y_uv): factor on it

A range may be one number. `{}` draws nothing; None takes the ranges of the task.

`Draws` are the random numbers of an environment. `sensors.random.Noise` computes each from a counter: here the seed of
the environment, the episode, the step and the name of the number. So they do not depend on the other environments.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pelagos.batch.batch import Batch
from pelagos.batch.parameters import ABOVE_ZERO, FAMILIES, scalable
from pelagos.checks import is_number, numbers
from pelagos.errors import CommandError, shown
from pelagos.sensors.random import Noise
from pelagos.vehicle.spec import Vehicle

Array = NDArray[np.float64]
STEPS = np.int64(1) << 32  # more than an episode has: counters of episode and step share 64 bits
Range = tuple[float, float]
NOT_FACTORS = ("current_m_s", "noise")


class Draws:
    """Random numbers of the present episodes of some environments, one row each.

    Args:
        seeds: (m,) seeds of the environments, whole numbers from 0.
        episodes: (m,) number of the episode since the seed was set.
        steps: (m,) step of the episode, for numbers that are new at every step.
    """

    def __init__(
        self, seeds: NDArray[np.int64], episodes: NDArray[np.int64], steps: NDArray[np.int64] | None = None
    ) -> None:
        self._noise = Noise(0, seeds)  # the seed of an environment takes the place of the number of a vehicle
        self._step = episodes * STEPS if steps is None else episodes * STEPS + steps

    def __len__(self) -> int:
        return len(self._step)

    def uniform(self, name: str, low: float = 0.0, high: float = 1.0) -> Array:
        """Return (m,) uniform numbers in [low, high)."""
        return low + (high - low) * self.uniforms(name, 1)[:, 0]

    def uniforms(self, name: str, k: int) -> Array:
        """Return (m, k) uniform numbers in [0, 1); those of different names are independent."""
        return self._noise.uniform(_channel(name), self._step, k)

    def below(self, name: str, count: int) -> NDArray[np.int64]:
        """Return (m,) whole numbers from 0 to count - 1."""
        return (self.uniform(name) * count).astype(np.int64)

    def normals(self, name: str, k: int) -> Array:
        """Return (m, k) normal numbers of mean 0 and standard deviation 1."""
        return self._noise.normal(_channel(name), self._step, k)


def _channel(name: str) -> int:
    """A number for a name that is equal in every process, unlike hash()."""
    return zlib.crc32(name.encode())


class Randomise:
    """The ranges of a randomisation, and the values drawn from them.

    `scaled` is True if the task itself scales parameters.
    """

    def __init__(self, ranges: Mapping[str, object], n: int, vehicle: Vehicle, scaled: bool = False) -> None:
        if not isinstance(ranges, Mapping):
            raise CommandError(
                key="randomise", value=ranges, expected="names with ranges, such as {'mass': (0.9, 1.1)}"
            )
        _check_names(ranges, vehicle)
        self.ranges = {name: _range(name, value) for name, value in ranges.items()}
        self._scaled = scaled or any(name not in NOT_FACTORS for name in self.ranges)
        self.noise = np.zeros(n)
        self.current_n = np.zeros((n, 3))

    def begin(self, batch: Batch, where: NDArray[np.int64], draws: Draws) -> None:
        """Draw values for new episodes of the environments `where`, and apply them."""
        if self._scaled:
            batch.unscale(where)  # factors of the last episode, also those of the task
        for name, (low, high) in self.ranges.items():
            drawn = draws.uniform(f"randomise {name}", low, high)
            if name == "current_m_s":
                direction = draws.uniform("randomise current_to", 0.0, 2.0 * np.pi)
                flow = np.stack([drawn * np.cos(direction), drawn * np.sin(direction), np.zeros(len(drawn))], axis=1)
                self.current_n[where] = flow
                batch.environment.set_current(flow, where)
            elif name == "noise":
                self.noise[where] = drawn
            else:
                batch.scale(name, drawn, where)


def _check_names(names: Mapping[str, object], vehicle: Vehicle) -> None:
    """Refuse names that are no parameters of the vehicle."""
    valid = (*NOT_FACTORS, *scalable(vehicle))
    for name in names:
        if name not in valid:
            raise CommandError(
                f"{vehicle.key} has no such parameter",
                key=f"randomise {shown(name)}",
                expected=f"{', '.join(NOT_FACTORS)}, {', '.join(FAMILIES)}, thruster:NAME or the name of a coefficient",
                names=valid,
                misspelt=name,
            )


def _range(name: str, value: object) -> Range:
    """A range or a number as (low, high)."""
    pair = (value, value) if is_number(value) else value
    low, high = numbers(f"randomise {name}", pair, 2, expected="a range (low, high) or one number").tolist()
    above = name in ABOVE_ZERO
    if not 0.0 <= low <= high or (above and low == 0.0):
        expected = f"0 {'<' if above else '<='} low <= high"
        raise CommandError(key=f"randomise {name}", value=(low, high), expected=expected)
    return low, high
