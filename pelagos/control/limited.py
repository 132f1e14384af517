"""Least squares inside bounds alone, compiled: what fins and thrusters do at their limits, for one vehicle or many.

    minimise  x' normal x / 2 - slope' x     subject to  low <= x <= high

The active-set method of `active_set`, without its general rows: the free variables go to their minimum by Cholesky's
factors, up to the first limit met; a limit that pushes the wrong way is let go. One vehicle and many call the same
machine code, so their answers are the same to the last bit, although what decides among equals only (the effort) makes
the problem stiff.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.compiled_laws import also_compiled, law

Array = NDArray[np.float64]


@also_compiled
def descend(normal: Any, slope: Any, low: Any, high: Any, x: Any, held: Any, inner: Any, step: Any) -> None:
    """From x, which is brought inside, to the minimum; `held`, `inner` and `step` are room to work in, n and n x n."""
    n = x.size
    largest = 0.0
    for i in range(n):
        x[i] = min(max(x[i], low[i]), high[i])
        held[i] = -1.0 if x[i] <= low[i] else 1.0 if x[i] >= high[i] else 0.0
        largest = max(largest, abs(slope[i]))
    least = -1e-12 * (1.0 + largest)
    for _ in range(4 * n + 10):
        to_minimum(normal, slope, x, held, inner, step)
        share, met = 1.0, -1
        for i in range(n):
            if held[i] == 0.0:
                space = high[i] - x[i] if step[i] > 0.0 else low[i] - x[i]
                if abs(step[i]) > abs(space) and space / step[i] < share:
                    share, met = space / step[i], i
        for i in range(n):
            if held[i] == 0.0:
                x[i] += share * step[i]
        if met >= 0:  # stay at the first limit met
            up = step[met] > 0.0
            held[met] = 1.0 if up else -1.0
            x[met] = high[met] if up else low[met]
            continue
        # Optimal on this set. A limit that pushes the wrong way is let go; if none does, this is the answer.
        worst, pull = -1, least
        for i in range(n):
            if held[i] != 0.0:
                mine = left_of(normal, slope, x, i) * held[i]
                if mine < pull:
                    worst, pull = i, mine
        if worst < 0:
            break
        held[worst] = 0.0


@also_compiled
def left_of(normal: Any, slope: Any, x: Any, i: int) -> float:
    """How steeply the cost falls along x_i."""
    left = slope[i]
    for j in range(x.size):
        left -= normal[i, j] * x[j]
    return left


@also_compiled
def to_minimum(normal: Any, slope: Any, x: Any, held: Any, inner: Any, step: Any) -> None:
    """The step of the free variables to their minimum, by Cholesky's factors in the lower half of `inner`."""
    n = x.size
    for i in range(n):
        step[i] = 0.0
        if held[i] != 0.0:
            continue
        rest = left_of(normal, slope, x, i)
        for j in range(i + 1):
            if held[j] != 0.0:
                continue
            value = normal[i, j]
            for k in range(j):
                if held[k] == 0.0:
                    value -= inner[i, k] * inner[j, k]
            if j < i:
                inner[i, j] = value / inner[j, j]
                rest -= inner[i, j] * step[j]
            else:
                inner[i, i] = math.sqrt(value)
        step[i] = rest / inner[i, i]
    for i in range(n - 1, -1, -1):
        if held[i] == 0.0:
            value = step[i]
            for k in range(i + 1, n):
                if held[k] == 0.0:
                    value -= inner[k, i] * step[k]
            step[i] = value / inner[i, i]


@also_compiled
def push_within(tau: Any, inverse: Any, weighted: Any, weights: Any, reach: Any, normal: Any, limits: Any, x: Any,
                work: Any) -> None:  # fmt: skip
    """Thrusts x inside their limits that come closest to a wrench tau; `work` is (n + 3, n)."""
    n = x.size
    slope, held, step, inner = work[n], work[n + 1], work[n + 2], work[:n]
    for j in range(n):
        x[j] = slope[j] = 0.0
        for k in range(6):
            x[j] += inverse[j, k] * tau[k]
            # more than an axis can reach is not worth bending the others for
            slope[j] += weighted[k, j] * (weights[k] * min(max(tau[k], -reach[k]), reach[k]))
    descend(normal, slope, limits[0], limits[1], x, held, inner, step)


@also_compiled
def turn_within(moments: Any, weighted: Any, weights: Any, alone: Any, normal: Any, x: Any, work: Any) -> None:
    """Shares x of full deflection that come closest to moments of roll, pitch, yaw; `work` is (n + 5, n)."""
    n = x.size
    slope, held, step, inner, low, high = work[n], work[n + 1], work[n + 2], work[:n], work[n + 3], work[n + 4]
    for j in range(n):
        x[j], low[j], high[j], slope[j] = 0.0, -1.0, 1.0, 0.0
        for k in range(3):
            # more than an axis can have alone bends no other
            slope[j] += weighted[k, j] * (weights[k] * min(max(moments[k], -alone[k]), alone[k]))
    descend(normal, slope, low, high, x, held, inner, step)


@law
def one_push(
    tau: Array, inverse: Array, weighted: Array, weights: Array, reach: Array, normal: Array, limits: Array, x: Array,
    work: Array,
) -> None:  # fmt: skip
    """`push_within` for one vehicle."""
    push_within(tau, inverse, weighted, weights, reach, normal, limits, x, work)


@law
def one_turn(
    moments: Array, weighted: Array, weights: Array, alone: Array, normal: Array, x: Array, work: Array
) -> None:
    """`turn_within` for one vehicle."""
    turn_within(moments, weighted, weights, alone, normal, x, work)
