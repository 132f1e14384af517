"""What a caller may give a batch, checked once: arrays as the lanes need them, or one sentence."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.checks import array, whole
from pelagos.engine.core.integrate import METHODS
from pelagos.engine.core.steppers import EULER, HEUN, RK4
from pelagos.errors import CommandError, shown
from pelagos.sim import inputs
from pelagos.vehicle.spec import Vehicle

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Where = ArrayLike | None  # a mask, numbers of vehicles, or None for all
LANE_METHODS = {name: code for name, code in METHODS.items() if code in (EULER, HEUN, RK4)}  # that run on lanes
MOST = 10_000_000  # vehicles: some 20 GB


def resolve_vehicles(vehicles: Any, n: int | None) -> tuple[tuple[Vehicle, ...], Indices]:
    """The different vehicles, and which of them each is."""
    if isinstance(vehicles, Vehicle | str | os.PathLike):
        return (inputs.resolve_vehicle(vehicles),), np.zeros(_count("n", n), np.int64)
    if not isinstance(vehicles, Iterable):
        inputs.resolve_vehicle(vehicles)  # says what is expected
    listed = list(cast("Sequence[Any]", vehicles))
    if not listed or (n is not None and n != len(listed)):
        raise CommandError(key=f"there are {len(listed)} vehicles and n", value=n, expected="one vehicle for each")
    found: dict[Any, int] = {}
    loaded: list[Vehicle] = []
    kind = np.zeros(len(listed), np.int64)
    for i, item in enumerate(listed):
        key = os.fspath(item) if isinstance(item, str | os.PathLike) else id(item)
        if key not in found:
            found[key] = len(loaded)
            loaded.append(inputs.resolve_vehicle(item))
        kind[i] = found[key]
    return tuple(loaded), kind


def thread_count(threads: int | None) -> int:
    """How many threads; all cores if none is given."""
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return _count("threads", threads)


def _count(what: str, value: object) -> int:
    """A whole number, 1 or above; 3.0 is one too."""
    as_int = int(value) if isinstance(value, float) and value.is_integer() else value
    return whole(what, as_int, 1, MOST)


def one_each(what: str, value: ArrayLike, chosen: Indices) -> Array:
    """(m,) finite numbers for the m chosen vehicles, from one for all or one each."""
    return rows_each(what, value, chosen, 0)


def rows_each(what: str, value: ArrayLike, chosen: Indices, k: int) -> Array:
    """(m, k), or (m,) for k = 0, of finite numbers for the m chosen vehicles, from one row for all or one each."""
    m, one = len(chosen), (k,) if k else ()
    wanted = f"shape {one} or {(m, *one)}" if k else f"one number or {m}"
    rows = array(what, value, wanted)
    if rows.shape not in (one, (1, *one), (m, *one)):
        raise CommandError(key=what, value=value, expected=wanted)
    rows = np.array(np.broadcast_to(rows, (m, *one)))
    if not np.isfinite(rows).all():
        bad = int(chosen[np.argwhere(~np.isfinite(rows))[0][0]])
        raise CommandError(f"{what} of vehicle {bad} is not finite", expected="finite numbers")
    return rows


def room_for(what: str, out: object, shape: tuple[int, ...]) -> None:
    """Refuse an array that cannot take floats of a shape."""
    if not isinstance(out, np.ndarray) or out.dtype.kind != "f" or out.shape != shape:
        said = f"{out.dtype} of shape {out.shape}" if isinstance(out, np.ndarray) else shown(out)
        raise CommandError(f"the array for {what} is {said}", expected=f"floats of shape {shape}")
