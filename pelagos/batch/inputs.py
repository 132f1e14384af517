"""Checks of the arguments of a batch: vehicles, selections of them, and arrays with one row for each vehicle."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.checks import array, whole
from pelagos.engine.core.integrate import METHODS
from pelagos.engine.core.steppers import EULER, HEUN, RK4
from pelagos.errors import CommandError
from pelagos.sim import inputs
from pelagos.vehicle.spec import Vehicle

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Where = ArrayLike | None  # a mask, numbers of vehicles, or None for all
LANE_METHODS = {name: code for name, code in METHODS.items() if code in (EULER, HEUN, RK4)}  # compiled for lanes
MOST_VEHICLES = 10_000_000  # some 20 GB


def resolve_vehicles(vehicles: Any, n: int | None) -> tuple[tuple[Vehicle, ...], Indices]:
    """Return the different vehicles of a batch, and the index of one of them for each of its n members."""
    if isinstance(vehicles, Vehicle | str | os.PathLike):
        return (inputs.resolve_vehicle(vehicles),), np.zeros(whole("n", n, 1, MOST_VEHICLES), np.int64)
    if not isinstance(vehicles, Iterable):
        inputs.resolve_vehicle(vehicles)  # raises the error of a single vehicle
    listed = list(cast("Sequence[Any]", vehicles))
    whole("number of vehicles", len(listed), 1)
    if n is not None and n != len(listed):
        raise CommandError(key="n", value=n, expected=f"{len(listed)}, the number of vehicles, or None")
    index_of: dict[Any, int] = {}
    loaded: list[Vehicle] = []
    kind = np.zeros(len(listed), np.int64)
    for i, item in enumerate(listed):
        # A file is read once, however often it is named; objects are compared by identity.
        key = os.fspath(item) if isinstance(item, str | os.PathLike) else id(item)
        if key not in index_of:
            index_of[key] = len(loaded)
            loaded.append(inputs.resolve_vehicle(item))
        kind[i] = index_of[key]
    return tuple(loaded), kind


def thread_count(threads: int | None) -> int:
    """Return the number of threads; without one, the number of cores this process may use."""
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return whole("threads", threads, 1)


def numbers_per_vehicle(key: str, value: ArrayLike, chosen: Indices) -> Array:
    """Return (m,) finite numbers for the m chosen vehicles, from one number for all or one for each."""
    return rows_per_vehicle(key, value, chosen, None)


def rows_per_vehicle(key: str, value: ArrayLike, chosen: Indices, k: int | None) -> Array:
    """Return (m, k) finite numbers, without k (m,), for the m chosen vehicles, from one row for all or one for each."""
    m, row = len(chosen), () if k is None else (k,)
    expected = f"one number or {m}" if k is None else f"numbers of shape {row} or {(m, *row)}"
    rows = array(key, value, expected)
    if rows.shape not in (row, (1, *row), (m, *row)):
        if isinstance(value, np.ndarray):
            raise CommandError(key=f"shape of {key}", value=rows.shape, expected=expected)
        raise CommandError(key=key, value=value, expected=expected)
    rows = np.ascontiguousarray(rows if rows.shape == (m, *row) else np.broadcast_to(rows, (m, *row)))
    # The sum of finite numbers is finite (short of overflow) and is cheaper than a test of each.
    if not math.isfinite(float(rows.sum())) and not np.isfinite(rows).all():
        i, *column = np.argwhere(~np.isfinite(rows))[0].tolist()
        name = f"{key}[{column[0]}]" if column else key
        raise CommandError(
            key=f"{name} of vehicle {chosen[i]}", value=float(rows[i, *column]), expected="a finite number"
        )
    return rows


def select_vehicles(where: Where, n: int) -> Indices:
    """Return the numbers of vehicles from a mask, from numbers, or of all n from None."""
    if where is None:
        return np.arange(n)
    expected = f"numbers of vehicles, 0 to {n - 1}, each once, or a mask"
    try:
        selection = np.asarray(where)
    except ValueError:  # rows of different lengths
        raise CommandError(key="where", value=where, expected=expected) from None
    if selection.dtype == bool:
        if selection.shape != (n,):
            raise CommandError(key="shape of the mask `where`", value=selection.shape, expected=f"({n},)")
        return np.flatnonzero(selection)
    numbers = np.atleast_1d(selection)
    if numbers.size == 0:
        return np.zeros(0, np.int64)
    if numbers.ndim > 1 or numbers.dtype.kind not in "iu" or numbers.min() < 0 or numbers.max() >= n:
        raise CommandError(key="where", value=where, expected=expected)
    numbers = numbers.astype(np.int64)
    repeated = np.flatnonzero(np.bincount(numbers) > 1)
    if len(repeated):
        message = f"vehicle {repeated[0]} occurs more than once"
        raise CommandError(message, key="where", value=where, expected=expected)
    return numbers


def check_output_array(name: str, out: object, shape: tuple[int, ...]) -> None:
    """Refuse an output array that is not of floats or of another shape than the values."""
    if not isinstance(out, np.ndarray):
        raise CommandError(key=f"the array for {name}", value=out, expected=f"an array of floats of shape {shape}")
    if out.dtype.kind != "f":
        raise CommandError(key=f"dtype of the array for {name}", value=str(out.dtype), expected="floats")
    if out.shape != shape:
        raise CommandError(key=f"shape of the array for {name}", value=out.shape, expected=f"{shape}")
