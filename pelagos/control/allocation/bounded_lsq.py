"""Least squares within limits, by the active-set method.

    minimise  |a x - y|^2     subject to  low <= x <= high,   rows x <= room

or, with normal = a' a and slope = a' y, x' normal x / 2 - slope' x. Lawson & Hanson, Solving Least Squares Problems,
1974, chapter 23, with general rows as in Nocedal & Wright, Numerical Optimization, 2006, section 16.5: the free
variables move to their minimum, up to the first limit met; a limit whose multiplier has the wrong sign is released.
Every iterate is feasible and none is worse than the one before.

There are two implementations. `bounded_minimum` has general rows and uses numpy. `descend` has limits only, uses
Cholesky factors and is compiled; one vehicle (`solve_thrusts`, `solve_deflections`) and many vehicles
(control.vectorised) call the same machine code, so their results agree to the last bit, although the small effort term
makes the problem stiff.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.engine.laws import also_compiled, law

Array = NDArray[np.float64]


def bounded_minimum(
    normal: Array, slope: Array, low: Array, high: Array, start: Array, rows: Array, room: Array
) -> Array:
    """Minimise x' normal x / 2 - slope' x within the limits, for a positive definite `normal`."""
    x = np.minimum(np.maximum(start, low), high)
    held = np.where(x <= low, -1, np.where(x >= high, 1, 0))
    tight = np.zeros(room.size, dtype=bool)
    least = -1e-12 * (1.0 + float(np.abs(slope).max(initial=0.0)))  # rounding of a multiplier
    for _ in range(4 * x.size + 10):  # about n changes of the set find it; the bound ends cycles by rounding
        free = np.flatnonzero(held == 0)
        step, press = _step(normal, slope - normal @ x, free, rows[tight] if tight.any() else None)
        share, met = _room_for(step, x, free, low, high, rows, room, tight)
        x[free] += share * step
        if met >= x.size:
            tight[met - x.size] = True
        elif met >= 0:  # stay at the first limit met
            up = step[int(np.searchsorted(free, met))] > 0.0
            held[met] = 1 if up else -1
            x[met] = high[met] if up else low[met]
        else:
            # Optimal on this set. Release the limit whose multiplier is most wrong; if none is, x is the solution.
            if tight.any() and float(press.min()) < least:
                tight[np.flatnonzero(tight)[int(press.argmin())]] = False
                continue
            left = slope - normal @ x
            if tight.any():
                left = left - rows[tight].T @ press
            pull = left * held  # negative: the cost falls towards the inside
            worst = int(pull.argmin()) if pull.size else 0
            if not pull.size or pull[worst] >= least:
                break
            held[worst] = 0
    return x


def _step(
    normal: Array, left: Array, free: NDArray[np.intp], rows: Array | None
) -> tuple[NDArray[np.floating[Any]], NDArray[np.floating[Any]]]:
    """Compute the step of the free variables to their minimum along the tight rows, and the multipliers of the rows."""
    if not free.size:
        return np.zeros(0), np.zeros(0 if rows is None else rows.shape[0])
    inner = normal[free[:, None], free]
    if rows is None:
        return np.linalg.solve(inner, left[free]), np.zeros(0)
    m = rows.shape[0]
    c = rows[:, free]
    size = float(np.abs(inner).max())  # scales the rows to the matrix, so that one tolerance serves both
    whole = np.block([[inner, size * c.T], [size * c, np.zeros((m, m))]])
    # A row whose variables are all held makes the system singular: lstsq, unlike solve, handles that.
    solution = np.linalg.lstsq(whole, np.concatenate([left[free], np.zeros(m)]), rcond=1e-15)[0]
    return solution[: free.size], size * solution[free.size :]


def _room_for(
    step: NDArray[np.floating[Any]], x: Array, free: NDArray[np.intp], low: Array, high: Array, rows: Array,
    room: Array,
    tight: NDArray[np.bool_],
) -> tuple[float, int]:  # fmt: skip
    """Find the share of a step up to the first limit, and that limit: a variable, n + a row, or -1 for none."""
    share, met = 1.0, -1
    if free.size:
        there = x[free]
        space = np.where(step > 0.0, high[free] - there, low[free] - there)
        over = np.abs(step) > np.abs(space)
        if over.any():
            shares = np.where(over, space / np.where(over, step, 1.0), 1.0)
            first = int(shares.argmin())
            share, met = float(shares[first]), int(free[first])
    for k in range(room.size):
        if not tight[k]:
            more = float(rows[k, free] @ step)
            spare = float(room[k] - rows[k] @ x)
            if more > 0.0 and share * more > max(spare, 0.0):
                share, met = max(spare, 0.0) / more, x.size + k
    return share, met


@also_compiled
def descend(normal: Any, slope: Any, low: Any, high: Any, x: Any, held: Any, inner: Any, step: Any) -> None:
    """Minimise from x, clipped to the limits, in place; `held`, `step` (n) and `inner` (n x n) are work arrays."""
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
        # Optimal on this set. Release the limit whose multiplier is most wrong; if none is, x is the solution.
        worst, lowest = -1, least
        for i in range(n):
            if held[i] != 0.0:
                multiplier = residual(normal, slope, x, i) * held[i]
                if multiplier < lowest:
                    worst, lowest = i, multiplier
        if worst < 0:
            break
        held[worst] = 0.0


@also_compiled
def residual(normal: Any, slope: Any, x: Any, i: int) -> float:
    """Compute the negative gradient of the cost along x_i."""
    left = slope[i]
    for j in range(x.size):
        left -= normal[i, j] * x[j]
    return left


@also_compiled
def to_minimum(normal: Any, slope: Any, x: Any, held: Any, inner: Any, step: Any) -> None:
    """Compute the step of the free variables to their minimum, by Cholesky factors in the lower half of `inner`."""
    n = x.size
    for i in range(n):
        step[i] = 0.0
        if held[i] != 0.0:
            continue
        rest = residual(normal, slope, x, i)  # forward substitution, along with the factors
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
    for i in range(n - 1, -1, -1):  # back substitution
        if held[i] == 0.0:
            value = step[i]
            for k in range(i + 1, n):
                if held[k] == 0.0:
                    value -= inner[k, i] * step[k]
            step[i] = value / inner[i, i]


@also_compiled
def push_within(tau: Any, inverse: Any, weighted: Any, weights: Any, reach: Any, normal: Any, limits: Any, x: Any,
                work: Any) -> None:  # fmt: skip
    """Compute the thrusts x within their limits that come closest to a wrench tau; `work` is (n + 3, n)."""
    n = x.size
    slope, held, step, inner = work[n], work[n + 1], work[n + 2], work[:n]
    for j in range(n):
        x[j] = slope[j] = 0.0
        for k in range(6):
            x[j] += inverse[j, k] * tau[k]
            # A desired force beyond the reach of an axis must not disturb the other axes.
            slope[j] += weighted[k, j] * (weights[k] * min(max(tau[k], -reach[k]), reach[k]))
    descend(normal, slope, limits[0], limits[1], x, held, inner, step)


@also_compiled
def turn_within(moments: Any, weighted: Any, weights: Any, alone: Any, normal: Any, x: Any, work: Any) -> None:
    """Compute the shares x of full deflection that come closest to roll, pitch, yaw moments; `work` is (n + 5, n)."""
    n = x.size
    slope, held, step, inner, low, high = work[n], work[n + 1], work[n + 2], work[:n], work[n + 3], work[n + 4]
    for j in range(n):
        x[j], low[j], high[j], slope[j] = 0.0, -1.0, 1.0, 0.0
        for k in range(3):
            # A desired force beyond what an axis can have alone must not disturb the other axes.
            slope[j] += weighted[k, j] * (weights[k] * min(max(moments[k], -alone[k]), alone[k]))
    descend(normal, slope, low, high, x, held, inner, step)


@law
def solve_thrusts(
    tau: Array, inverse: Array, weighted: Array, weights: Array, reach: Array, normal: Array, limits: Array, x: Array,
    work: Array,
) -> None:  # fmt: skip
    """Call `push_within` for one vehicle."""
    push_within(tau, inverse, weighted, weights, reach, normal, limits, x, work)


@law
def solve_deflections(
    moments: Array, weighted: Array, weights: Array, alone: Array, normal: Array, x: Array, work: Array
) -> None:
    """Call `turn_within` for one vehicle."""
    turn_within(moments, weighted, weights, alone, normal, x, work)
