"""Least squares inside limits, by the active-set method.

    minimise  |a x - y|^2     subject to  low <= x <= high,   rows x <= room

Lawson & Hanson, Solving Least Squares Problems, 1974, chapter 23, with general rows as in Nocedal & Wright, Numerical
Optimization, 2006, section 16.5. Every point on the way is inside the limits and none is worse than the one before.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

NO_ROWS = np.zeros((0, 0)), np.zeros(0)


def bounded_least_squares(
    a: Array, y: Array, low: Array, high: Array, start: Array, rows: Array | None = None, room: Array | None = None
) -> Array:
    """x minimising |a x - y|^2 within the limits; a must have full column rank, `start` must meet the rows."""
    more = NO_ROWS if rows is None or room is None else (rows, room)
    return bounded_minimum(a.T @ a, a.T @ y, low, high, start, *more)


def bounded_minimum(
    normal: Array, slope: Array, low: Array, high: Array, start: Array, rows: Array, room: Array
) -> Array:
    """x minimising x' normal x / 2 - slope' x within the limits, for a positive definite `normal`."""
    x = np.minimum(np.maximum(start, low), high)
    held = np.where(x <= low, -1, np.where(x >= high, 1, 0))
    tight = np.zeros(room.size, dtype=bool)
    least = -1e-12 * (1.0 + float(np.abs(slope).max(initial=0.0)))
    for _ in range(4 * x.size + 10):
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
            # Optimal on this set. A limit that pushes the wrong way is let go; if none does, this is the answer.
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
    """Step of the free variables to their minimum along the tight rows, and the multipliers of these."""
    if not free.size:
        return np.zeros(0), np.zeros(0 if rows is None else rows.shape[0])
    inner = normal[free[:, None], free]
    if rows is None:
        return np.linalg.solve(inner, left[free]), np.zeros(0)
    m = rows.shape[0]
    c = rows[:, free]
    size = float(np.abs(inner).max())  # rows of the size of the matrix, so that one tolerance serves both
    whole = np.block([[inner, size * c.T], [size * c, np.zeros((m, m))]])
    # A row whose variables are all held says nothing more: least squares takes that in its stride.
    found = np.linalg.lstsq(whole, np.concatenate([left[free], np.zeros(m)]), rcond=1e-15)[0]
    return found[: free.size], size * found[free.size :]


def _room_for(
    step: NDArray[np.floating[Any]], x: Array, free: NDArray[np.intp], low: Array, high: Array, rows: Array,
    room: Array,
    tight: NDArray[np.bool_],
) -> tuple[float, int]:  # fmt: skip
    """The share of a step up to the first limit, and which it is: a variable, n + a row, or -1 for none."""
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
