"""Base class of currents, the tables a current can contribute to the kernel, and checks of their keys."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import CURRENT, number, whole

Array = NDArray[np.float64]


class Harmonic(NamedTuple):
    """Harmonic velocity: cosine cos(omega t) + sine sin(omega t), m/s NED, omega in rad/s."""

    omega: float
    cosine: Array
    sine: Array


class Knots(NamedTuple):
    """Velocity profile: values (n, 3) m/s NED at ascending depths (n) in m."""

    depths: Array
    values: Array


class CurrentSamples(NamedTuple):
    """Velocity over time: values (n, 3) m/s NED at start + i step, s."""

    start: float
    step: float
    values: Array


class Grid(NamedTuple):
    """Velocity field: values [time, depth, north, east, 3] m/s NED on four ascending axes, s and m."""

    times: Array
    depths: Array
    norths: Array
    easts: Array
    values: Array


@dataclass(frozen=True, kw_only=True)
class Current:
    """Description of a current; the currents of a world add up. `kind` identifies the class in a file."""

    kind: str = ""

    def __post_init__(self) -> None:
        """Check that numbers are finite and that `kind` fits the class; each kind also checks its ranges."""
        default_kind = str(next(f.default for f in fields(self) if f.name == "kind"))
        if self.kind != default_kind:
            CURRENT.fail("kind", value=self.kind, expected=f'"{default_kind}" for {type(self).__name__}')
        for field in fields(self):
            value: Any = getattr(self, field.name)
            if field.type == "float" or (field.type == "float | None" and value is not None):
                number(field.name, value, context=CURRENT)
            if field.type == "int":
                whole(field.name, value, context=CURRENT)

    def check(self, low: float, *keys: str, above: bool = False) -> None:
        """Check that numbers are at least `low`, or larger if `above`."""
        for key in keys:
            number(key, getattr(self, key), low, above=above, context=CURRENT)

    def harmonics(self) -> Sequence[Harmonic]:
        """Return the harmonic parts."""
        return ()

    def knots(self) -> Knots | None:
        """Return the part that depends on depth only."""
        return None

    def samples(self, until_s: float) -> CurrentSamples | None:
        """Return the part that depends on time only, evenly spaced, from 0 to `until_s`."""
        return None

    def grid(self, until_s: float) -> Grid | None:
        """Return the part that depends on position and time."""
        return None


def need(current: Current, key: str, good: object, expected: str) -> None:
    """Raise an error about a key unless `good`."""
    if not good:
        CURRENT.fail(key, value=getattr(current, key), expected=expected)


def table(key: str, values: object, columns: Sequence[str], least: int = 1) -> Array:
    """Convert the rows of a key to an array with these columns, the first of which ascends."""
    try:
        # whatever has no rows of numbers raises a TypeError here
        rows = np.array([[float(x) for x in row] for row in values], dtype=np.float64)  # type: ignore[attr-defined]
        good = rows.ndim == 2 and rows.shape[1] == len(columns) and len(rows) >= least and np.isfinite(rows).all()
    except (TypeError, ValueError):
        rows, good = np.zeros((0, 0)), False
    if not good or not (np.diff(rows[:, 0]) > 0.0).all():
        CURRENT.fail(
            key,
            value=values,
            expected=f"at least {least} rows of {', '.join(columns)}, finite numbers, the first ascending",
        )
    return rows


def towards(to_deg: float) -> Array:
    """Return the NED unit vector of a direction clockwise from north."""
    angle = math.radians(to_deg)
    return np.array([math.cos(angle), math.sin(angle), 0.0])
