"""What a guide is: at each control tick it says what the autopilot shall hold, until it has arrived.

A description (`Leg` and its kinds: frozen, its fields are the keys of a scenario file) makes a `Guide` when its turn
comes; the guide keeps what changes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import ClassVar, Protocol

from pelagos.checks import MISSION, number
from pelagos.errors import ScenarioError
from pelagos.messages import Setpoint, VehicleState


class Guide(Protocol):
    """One leg being flown. It may have `news`, a list of (kind, text): the mission makes events of them."""

    def update(self, state: VehicleState, dt: float) -> Setpoint | None:
        """What shall be held for the next dt seconds; None when the leg is over.

        Only what the leg has an opinion on is set: None in a field leaves that quantity alone.
        """
        ...

    def values(self) -> dict[str, float]:
        """For the log: any of GUIDE_COLUMNS but the first; often empty. Another key is refused."""
        ...


# columns that every mission logs; a guide that does not know one leaves it NaN
GUIDE_COLUMNS = ("leg", "target", "cross_track_m", "along_track_m", "goal_north_m", "goal_east_m")

_NOTHING: dict[str, float | None] = dict.fromkeys(item.name for item in fields(Setpoint))


def unchecked_setpoint(**values: float | None) -> Setpoint:
    """A setpoint of numbers in range by construction: to check them again would cost more than the guidance."""
    made = object.__new__(Setpoint)
    made.__dict__.update(_NOTHING)
    made.__dict__.update(values)
    return made


@dataclass(frozen=True, kw_only=True)
class Leg:
    """What every leg of a mission may say. None: as it was."""

    kind: ClassVar[str] = ""

    name: str = ""
    speed_m_s: float | None = None  # through the water
    depth_m: float | None = None
    altitude_m: float | None = None  # over the bottom, instead of a depth
    timeout_s: float = math.inf  # the leg ends then, whatever it has reached

    def __post_init__(self) -> None:
        """Refuse what cannot be flown; kinds check their own keys as well."""
        if self.depth_m is not None and self.altitude_m is not None:
            raise ScenarioError(
                "not together with depth_m; keep one", file="mission", key="altitude_m", value=self.altitude_m
            )
        self.check("timeout_s", 0.0)
        for key, high in (("speed_m_s", 30.0), ("depth_m", 12000.0), ("altitude_m", 12000.0)):
            if getattr(self, key) is not None:
                self.check(key, -30.0 if key == "speed_m_s" else 0.0, high)

    def check(self, key: str, low: float = -math.inf, high: float = math.inf) -> None:
        """Refuse a value outside its range."""
        number(key, getattr(self, key), low, high, infinite=math.isinf(high), context=MISSION)

    def make(self, state: VehicleState) -> Guide:
        """The guide that flies it from here."""
        raise NotImplementedError

    def places(self) -> tuple[tuple[float, float], ...]:
        """Places it will visit, north and east, m, as far as they are known beforehand: for checks and plots."""
        return ()

    def depths(self) -> tuple[float, ...]:
        """Depths that it will ask for, m, as far as they are known beforehand."""
        return () if self.depth_m is None else (self.depth_m,)

    def stops(self) -> tuple[tuple[float, float, float], ...]:
        """North, east and depth, m, wherever both a place and its depth are known beforehand."""
        return tuple((north, east, depth) for north, east in self.places() for depth in self.depths())
