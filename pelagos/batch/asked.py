"""What a caller may give a batch, checked once: arrays as the lanes need them, or one sentence."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.engine.integrate import METHODS
from pelagos.engine.steppers import EULER, HEUN, RK4
from pelagos.errors import CommandError
from pelagos.messages import shown
from pelagos.sim import given
from pelagos.vehicle.spec import Vehicle

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Where = ArrayLike | None  # a mask, numbers of vehicles, or None for all
LANE_METHODS = {name: code for name, code in METHODS.items() if code in (EULER, HEUN, RK4)}  # that run on lanes


def the_vehicles(vehicles: Any, n: int | None) -> tuple[tuple[Vehicle, ...], Indices]:
    """The different vehicles, and which of them each is."""
    if isinstance(vehicles, Vehicle | str | os.PathLike):
        if n is None or isinstance(n, bool) or int(n) != n or n < 1:
            raise CommandError(f"n is {shown(n)}; expected a whole number, 1 or above: how many vehicles")
        return (given.a_vehicle(vehicles),), np.zeros(int(n), np.int64)
    listed = list(cast("Sequence[Any]", vehicles))
    if not listed or (n is not None and n != len(listed)):
        raise CommandError(f"there are {len(listed)} vehicles and n is {shown(n)}; expected one vehicle for each")
    found: dict[Any, int] = {}
    loaded: list[Vehicle] = []
    kind = np.zeros(len(listed), np.int64)
    for i, item in enumerate(listed):
        key = id(item) if isinstance(item, Vehicle) else os.fspath(item) if isinstance(item, os.PathLike) else item
        if key not in found:
            found[key] = len(loaded)
            loaded.append(given.a_vehicle(item))
        kind[i] = found[key]
    return tuple(loaded), kind


def some_threads(threads: int | None) -> int:
    """How many threads; all cores if none is given."""
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if isinstance(threads, bool) or int(threads) != threads or threads < 1:
        raise CommandError(f"threads is {shown(threads)}; expected a whole number, 1 or above")
    return int(threads)


def one_each(what: str, value: ArrayLike, m: int) -> Array:
    """(m,) finite numbers, from one for all or one each."""
    return rows_each(what, value, m, 0)


def rows_each(what: str, value: ArrayLike, m: int, k: int) -> Array:
    """(m, k), or (m,) for k = 0, of finite numbers, from one row for all or one each."""
    one = (k,) if k else ()
    try:
        rows = np.array(np.broadcast_to(np.asarray(value, dtype=np.float64), (m, *one)))
    except (TypeError, ValueError):
        wanted = f"shape {one} or {(m, *one)}" if k else f"one number or {m}"
        raise CommandError(f"{what} is {shown(value)}; expected {wanted}") from None
    if not np.isfinite(rows).all():
        bad = int(np.argwhere(~np.isfinite(rows))[0][0])
        raise CommandError(f"{what} of vehicle {bad} is not finite; expected finite numbers")
    return rows
