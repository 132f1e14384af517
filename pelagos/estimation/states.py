"""Which error states a filter has: fifteen always, and one for each lasting error of the instruments it uses."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pelagos.estimation.strapdown import ERRORS

Array = NDArray[np.float64]


class States:
    """Names, first standard deviations and random walks of error states, in the order of the covariance.

    An error that is drawn once is a state without a walk; one that wanders is a random walk or, with a memory, a
    Gauss-Markov process. Both at once become a random walk that begins with the sum of their variances.
    """

    def __init__(self) -> None:
        self.names = [f"{what} {axis}" for what in ("position", "velocity") for axis in ("north", "east", "down")]
        self.names += [f"{what} {axis}" for what in ("attitude", "gyro bias", "accel bias") for axis in "xyz"]
        self._sigma = [0.0] * ERRORS
        self._walk = [0.0] * ERRORS  # variance per second
        self._rate = [0.0] * ERRORS  # 1 / memory

    def add(self, name: str, n: int, sigma: float | Sequence[float], *, wander: float = 0.0, memory_s: float = math.inf,
            walk: float = 0.0) -> int:  # fmt: skip
        """n states: drawn once with `sigma`, plus a Gauss-Markov process of standard deviation `wander`, plus a walk
        per sqrt(s). Returns the first, or -1 if there is no such error."""
        sigmas = [float(s) for s in sigma] if isinstance(sigma, Sequence) else [float(sigma)] * n
        if max(*sigmas, 0.0) == 0.0 and wander == 0.0 and walk == 0.0:
            return -1
        first = len(self.names)
        self.names += [f"{name} {i}" if n > 1 else name for i in range(n)]
        for s in sigmas:
            once, density, rate = self._mix(s, wander, memory_s, walk)
            self._sigma.append(once)
            self._walk.append(density)
            self._rate.append(rate)
        return first

    def put(self, first: int, sigmas: Sequence[float], *, wander: float = 0.0, memory_s: float = math.inf,
            walk: float = 0.0) -> None:  # fmt: skip
        """The same for states that are there."""
        for i, s in enumerate(sigmas, start=first):
            self._sigma[i], self._walk[i], self._rate[i] = self._mix(float(s), wander, memory_s, walk)

    @staticmethod
    def _mix(once: float, wander: float, memory_s: float, walk: float) -> tuple[float, float, float]:
        forgets = wander > 0.0 and math.isfinite(memory_s)
        density = walk * walk + (2.0 * wander * wander / memory_s if forgets else 0.0)
        rate = 1.0 / memory_s if forgets and once == 0.0 and walk == 0.0 else 0.0
        return math.hypot(once, wander), density, rate

    @property
    def n(self) -> int:
        """How many."""
        return len(self.names)

    def arrays(self) -> tuple[Array, Array, Array]:
        """Standard deviation at the start, variance that comes in per second, 1 / memory."""
        return np.array(self._sigma), np.array(self._walk), np.array(self._rate)
