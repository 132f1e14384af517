"""Motions x_dot = m x by their eigenvalues: how damped they are, how far a state overshoots and when it is settled."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
SETTLED = 0.05  # of the step
FEW = 15  # every so many of the instants of a step are looked at first


def least_damping(m: Array) -> float:
    """Smallest damping ratio -Re/|lambda| of the eigenvalues; negative if one grows."""
    return float(least_dampings(m[None])[0])


def least_dampings(several: Array) -> Array:
    """The same of several matrices at once, which takes a fraction of the time."""
    roots = np.linalg.eigvals(several)
    size = np.abs(roots)
    ratios = np.divide(-roots.real, size, out=np.ones_like(size), where=size > 1e-9)
    return ratios.min(axis=-1, initial=1.0)


class Steps:
    """One state of several motions that starts at 1 and shall go to 0, by eigenvectors, over 60 / frequency seconds.

    For a state that meets no stiffness in the hull this is the answer to a step of its setpoint.
    """

    def __init__(self, several: Array, quantity: int) -> None:
        start = np.zeros((several.shape[-1], 1))
        start[quantity] = 1.0
        self._roots, vectors = np.linalg.eig(several)
        starts = np.broadcast_to(start, (len(several), *start.shape))
        self._weights = vectors[:, quantity] * np.linalg.solve(vectors, starts)[..., 0]

    def _state(self, i: int, t: Array, last_s: float) -> Array:
        roots = self._roots[i]
        grows = np.minimum(np.real(roots), min(1.0, 500.0 / last_s)) + 1j * np.imag(roots)  # no overflow of what grows
        # Not `weights @ exp`: a library that shares so small a product among threads can wait for them for 0.1 s.
        return np.real(self._weights[i][:, None] * np.exp(grows[:, None] * t)).sum(axis=0)

    def answer(
        self, i: int, frequency: float, most: float = math.inf, before_s: float = math.inf
    ) -> tuple[float, float]:
        """Overshoot (share of the step) and settling time (s, to 5 %) of one motion; infinite if it does not settle.

        One that overshoots more than `most` or settles later than `before_s` need not be known better than that: it is
        looked at in a few instants first.
        """
        t = np.linspace(0.0, 60.0 / frequency, 600)
        last_s = float(t[-1])
        if most < math.inf:
            x = self._state(i, t[::FEW], last_s)
            if -float(x.min()) > most or (np.abs(x[t[::FEW] >= before_s]) > SETTLED).any():
                return max(0.0, -float(x.min())), math.inf
        x = self._state(i, t, last_s)
        out = np.flatnonzero(np.abs(x) > SETTLED)
        settled = math.inf if out.size and out[-1] == t.size - 1 else float(t[out[-1] + 1]) if out.size else 0.0
        return max(0.0, -float(x.min())), settled


def step_answer(m: Array, quantity: int, frequency: float) -> tuple[float, float]:
    """Overshoot (share of the step) and settling time (s, to 5 %) of one state of one motion: see `Steps`."""
    return Steps(m[None], quantity).answer(0, frequency)
