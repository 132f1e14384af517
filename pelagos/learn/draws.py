"""Random numbers that belong to an environment, not to the batch it is in.

`batch.noise.Noise` finds a number from a counter. Here the counter is (seed of the environment, episode, step, what
the number is for): environment i has the same numbers whatever the others do and however many there are.
"""

from __future__ import annotations

import zlib

import numpy as np
from numpy.typing import NDArray

from pelagos.batch.noise import Noise

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
