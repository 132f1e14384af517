"""The sea as a frozen description: depth, density, gravity and a uniform current that may change with time."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from pelagos.errors import CommandError, ScenarioError, nearest
from pelagos.messages import is_number, numbers, shown

Current = Callable[[float], Sequence[float]]
T = TypeVar("T")


def _by_name(cls: type[T]) -> type[T]:
    """Let a dataclass answer an unknown name with a sentence instead of a TypeError; its signature stays."""
    make = cls.__init__
    known = [f.name for f in fields(cls)]  # type: ignore[arg-type]

    @functools.wraps(make)
    def checked(self: T, *unnamed: Any, **given: Any) -> None:
        if unnamed:
            raise ScenarioError("world", expected=f"{shown(unnamed[0])} has no name; write it as in World(depth_m=30)")
        for key, value in given.items():
            if key not in known:
                expected = f"no such key, expected one of {', '.join(known)}"
                raise ScenarioError("world", key, value, expected, nearest(key, known))
        make(self, **given)

    cls.__init__ = checked  # type: ignore[method-assign]
    return cls


@_by_name
@dataclass(frozen=True, kw_only=True)
class World:
    """Where the vehicle swims.

    Density and gravity that are None are those the vehicle's numbers hold for. The current flows *towards*
    `current_to_deg`, clockwise from north. `current` takes its place as a function of time in seconds that returns
    north, east, down in m/s; between control ticks it is taken as a straight line.

    Neither the surface nor the bottom exerts a force yet: a vehicle that is driven there goes through. `depth_m`
    bounds what may be asked of the autopilot, and `pelagos run` says when a vehicle has left the water.
    """

    depth_m: float = math.inf
    density_kg_m3: float | None = None
    density_gradient_kg_m4: float = 0.0
    gravity_m_s2: float | None = None
    current_m_s: float = 0.0
    current_to_deg: float = 0.0
    current_down_m_s: float = 0.0
    current: Current | None = None

    def __post_init__(self) -> None:
        """Refuse what no sea has."""
        if not (is_number(self.depth_m) and self.depth_m > 0.0):
            raise ScenarioError("world", "depth_m", _said(self.depth_m), "a number above 0")
        for key in ("density_kg_m3", "gravity_m_s2"):
            value = getattr(self, key)
            if value is not None and not (is_number(value) and math.isfinite(value) and value > 0.0):
                raise ScenarioError("world", key, _said(value), "a finite number above 0")
        for key in ("density_gradient_kg_m4", "current_m_s", "current_to_deg", "current_down_m_s"):
            value = getattr(self, key)
            if not (is_number(value) and math.isfinite(value)):
                raise ScenarioError("world", key, _said(value), "a finite number")
        if self.current is None:
            return
        if not callable(self.current):
            expected = (
                "a function of time in seconds that returns north, east, down in m/s; a steady one is current_m_s"
            )
            raise ScenarioError("world", "current", _said(self.current), expected)
        for key in ("current_m_s", "current_to_deg", "current_down_m_s"):
            if getattr(self, key) != 0.0:
                raise ScenarioError("world", key, getattr(self, key), "not together with the function current")

    def current_n(self, time_s: float) -> NDArray[np.float64]:
        """Velocity of the water, NED, m/s."""
        if self.current is None:
            to = math.radians(self.current_to_deg)
            speed = self.current_m_s
            return np.array([speed * math.cos(to), speed * math.sin(to), self.current_down_m_s])
        flow = self.current(time_s)
        try:
            return numbers("current", flow, 3)
        except CommandError:
            expected = "three finite numbers north, east, down, m/s"
            raise ScenarioError("world", f"current({time_s:g})", _said(flow), expected) from None


def _said(value: object) -> object:
    """The value for a sentence: None would be left out of it, an array would fill lines."""
    return value if is_number(value) or isinstance(value, str | bool) else shown(value)
