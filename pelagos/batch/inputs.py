"""Checks of the arguments of a batch: vehicles, counts, and arrays with one row for each vehicle."""

from __future__ import annotations

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
        return (inputs.resolve_vehicle(vehicles),), np.zeros(_count("n", n), np.int64)
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
    return _count("threads", threads)


def _count(key: str, value: object) -> int:
    """`value` as a whole number of at least 1; 3.0 counts as 3."""
    as_int = int(value) if isinstance(value, float) and value.is_integer() else value
    return whole(key, as_int, 1, MOST_VEHICLES)


def numbers_per_vehicle(key: str, value: ArrayLike, chosen: Indices) -> Array:
    """Return (m,) finite numbers for the m chosen vehicles, from one number for all or one for each."""
    return rows_per_vehicle(key, value, chosen, 0)


def rows_per_vehicle(key: str, value: ArrayLike, chosen: Indices, k: int) -> Array:
    """Return (m, k) finite numbers, (m,) if k is 0, for the m chosen vehicles, from one row for all or one for each."""
    m, row = len(chosen), (k,) if k else ()
    expected = f"shape {row} or {(m, *row)}" if k else f"one number or {m}"
    rows = array(key, value, expected)
    if rows.shape not in (row, (1, *row), (m, *row)):
        raise CommandError(key=key, value=value, expected=expected)
    rows = np.array(np.broadcast_to(rows, (m, *row)))
    if not np.isfinite(rows).all():
        bad = int(np.argwhere(~np.isfinite(rows))[0][0])
        raise CommandError(
            key=f"{key} of vehicle {chosen[bad]}",
            value=rows[bad].tolist(),
            expected="finite numbers" if k else "a finite number",
        )
    return rows


def check_output_array(name: str, out: object, shape: tuple[int, ...]) -> None:
    """Refuse an output array that is not of floats or of another shape than the values."""
    if not isinstance(out, np.ndarray):
        raise CommandError(key=f"the array for {name}", value=out, expected=f"an array of floats of shape {shape}")
    if out.dtype.kind != "f":
        raise CommandError(key=f"dtype of the array for {name}", value=str(out.dtype), expected="floats")
    if out.shape != shape:
        raise CommandError(key=f"shape of the array for {name}", value=out.shape, expected=f"{shape}")
