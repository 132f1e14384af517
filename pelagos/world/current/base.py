"""What all currents have in common: what each may add to the tables of the kernel, and how their keys are checked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import is_number
from pelagos.errors import ScenarioError

Array = NDArray[np.float64]


class Harmonic(NamedTuple):
    """cosine cos(omega t) + sine sin(omega t), m/s NED, rad/s."""

    omega: float
    cosine: Array
    sine: Array


class Knots(NamedTuple):
    """Velocity (n, 3) m/s NED at ascending depths (n) in m."""

    depths: Array
    values: Array


class CurrentSamples(NamedTuple):
    """Velocity (n, 3) m/s NED at start + i step, s."""

    start: float
    step: float
    values: Array


class Grid(NamedTuple):
    """Velocity [time, depth, north, east, 3] m/s NED on four ascending axes, s and m."""

    times: Array
    depths: Array
    norths: Array
    easts: Array
    values: Array


@dataclass(frozen=True, kw_only=True)
class Current:
    """One part of the motion of the water; the parts of a world add up. `kind` tells the tables of a file apart."""

    kind: str = ""

    def __post_init__(self) -> None:
        """Every number finite, and the kind that of the class; each kind checks its own ranges."""
        own = str(next(f.default for f in fields(self) if f.name == "kind"))
        if self.kind != own:
            raise ScenarioError(
                file="world", key="current.kind", value=self.kind, expected=f'"{own}" for {type(self).__name__}'
            )
        for field in fields(self):
            value: Any = getattr(self, field.name)
            if field.type in ("float", "int") or (field.type == "float | None" and value is not None):
                need(self, field.name, is_number(value) and math.isfinite(value), "a finite number")
            if field.type == "int":
                need(self, field.name, isinstance(value, int | np.integer), "a whole number")

    def harmonics(self) -> Sequence[Harmonic]:
        """Parts that oscillate in time."""
        return ()

    def knots(self) -> Knots | None:
        """The part that depends on depth alone."""
        return None

    def samples(self, until_s: float) -> CurrentSamples | None:
        """The part that depends on time alone, evenly spaced, from 0 to `until_s`."""
        return None

    def grid(self, until_s: float) -> Grid | None:
        """The part that depends on place and time."""
        return None


def need(current: Current, key: str, good: object, expected: str) -> None:
    """Refuse a key whose value is not `good`, in one sentence."""
    if not good:
        raise ScenarioError(file="world", key=f"current.{key}", value=getattr(current, key), expected=expected)


def table(key: str, given: object, columns: Sequence[str], least: int = 1) -> Array:
    """Rows given under a key as an array with these columns, the first of which ascends."""
    try:
        # whatever has no rows of numbers raises a TypeError here
        rows = np.array([[float(x) for x in row] for row in given], dtype=np.float64)  # type: ignore[attr-defined]
        good = rows.ndim == 2 and rows.shape[1] == len(columns) and len(rows) >= least and np.isfinite(rows).all()
    except (TypeError, ValueError):
        rows, good = np.zeros((0, 0)), False
    if not good or not (np.diff(rows[:, 0]) > 0.0).all():
        raise ScenarioError(
            file="world",
            key=f"current.{key}",
            value=given,
            expected=f"at least {least} rows of {', '.join(columns)}, finite numbers, the first ascending",
        )
    return rows


def towards(to_deg: float) -> Array:
    """Unit vector of a direction clockwise from north, NED."""
    angle = math.radians(to_deg)
    return np.array([math.cos(angle), math.sin(angle), 0.0])


def unknown_kind(kind: object, kinds: Sequence[str]) -> ScenarioError:
    """The sentence for a kind of current that does not exist."""
    return ScenarioError(file="world", key="current.kind", value=kind, names=kinds)
