"""Base classes of guidance: `Leg`, the description of a part of a mission, and `Guide`, which flies it.

A `Leg` is frozen, and its fields are the keys of a scenario file. `Leg.make` builds the `Guide` when the leg begins.
The guide holds the state and returns a setpoint for the autopilot at each control tick.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Protocol

from pelagos.checks import MISSION, number
from pelagos.messages import Setpoint, VehicleState


class Guide(Protocol):
    """Guidance of the active leg; it may have `news`, a list of (kind, text) that the mission turns into events."""

    def update(self, state: VehicleState, dt: float) -> Setpoint | None:
        """Return the setpoint for the next dt seconds; None when the leg is over.

        A field of None leaves that quantity unchanged.
        """
        ...

    def values(self) -> dict[str, float]:
        """Return values for the log, with keys of GUIDE_COLUMNS except the first; often empty."""
        ...


# columns that every mission logs; NaN for values that a guide does not return
GUIDE_COLUMNS = ("leg", "target", "cross_track_m", "along_track_m", "goal_north_m", "goal_east_m")


@dataclass(frozen=True, kw_only=True)
class Leg:
    """Description of a mission leg; a value of None keeps the setpoint of the leg before."""

    kind: ClassVar[str] = ""

    name: str = ""
    speed_m_s: float | None = None  # through the water
    depth_m: float | None = None
    altitude_m: float | None = None  # over the bottom, instead of a depth
    timeout_s: float = math.inf  # the leg ends then in any case

    def __post_init__(self) -> None:
        """Validate the common keys; each kind also validates its own."""
        if self.depth_m is not None and self.altitude_m is not None:
            MISSION.fail("altitude_m", "not together with depth_m; keep one", value=self.altitude_m)
        self.check("timeout_s", 0.0)
        for key, high in (("speed_m_s", 30.0), ("depth_m", 12000.0), ("altitude_m", 12000.0)):
            if getattr(self, key) is not None:
                self.check(key, -30.0 if key == "speed_m_s" else 0.0, high)

    def check(self, key: str, low: float = -math.inf, high: float = math.inf) -> None:
        """Refuse a value outside its range."""
        number(key, getattr(self, key), low, high, infinite=math.isinf(high), context=MISSION)

    def make(self, state: VehicleState) -> Guide:
        """Build the guide that flies the leg from this state."""
        raise NotImplementedError

    def places(self) -> tuple[tuple[float, float], ...]:
        """Return the known points of the leg, north and east, m, for checks and plots."""
        return ()

    def depths(self) -> tuple[float, ...]:
        """Return the known depth setpoints of the leg, m."""
        return () if self.depth_m is None else (self.depth_m,)

    def stops(self) -> tuple[tuple[float, float, float], ...]:
        """Return north, east and depth, m, of the points whose depth is known."""
        return tuple((north, east, depth) for north, east in self.places() for depth in self.depths())
