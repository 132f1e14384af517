"""The sea as a frozen description: depth, density, gravity and a uniform current that may change with time."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pelagos.errors import ScenarioError

Current = Callable[[float], Sequence[float]]


@dataclass(frozen=True, kw_only=True)
class World:
    """Where the vehicle swims.

    Density and gravity that are None are those the vehicle's numbers hold for. The current flows *towards*
    `current_to_deg`, clockwise from north. `current` replaces it by a function of time in seconds that returns
    north, east, down in m/s; between control ticks it is taken as a straight line.
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
        positive = {
            "depth_m": self.depth_m,
            "density_kg_m3": self.density_kg_m3,
            "gravity_m_s2": self.gravity_m_s2,
        }
        for key, value in positive.items():
            if value is not None and not value > 0.0:
                raise ScenarioError("world", key, value, "a number above 0")
        finite = ("density_gradient_kg_m4", "current_m_s", "current_to_deg", "current_down_m_s")
        for key in finite:
            if not math.isfinite(getattr(self, key)):
                raise ScenarioError("world", key, getattr(self, key), "a finite number")

    def current_n(self, time_s: float) -> NDArray[np.float64]:
        """Velocity of the water, NED, m/s."""
        if self.current is None:
            to = math.radians(self.current_to_deg)
            speed = self.current_m_s
            return np.array([speed * math.cos(to), speed * math.sin(to), self.current_down_m_s])
        flow = np.asarray(self.current(time_s), dtype=float)
        if flow.shape != (3,) or not np.all(np.isfinite(flow)):
            raise ScenarioError(
                "world", f"current({time_s:g})", str(flow), "three finite numbers north, east, down, m/s"
            )
        return flow
