"""Sawtooth leg between two depths, for gliders and for the yo-yo of a propelled vehicle."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from pelagos.checks import MISSION
from pelagos.guidance.base import Guide, Leg
from pelagos.messages import Setpoint, VehicleState


@dataclass(frozen=True, kw_only=True)
class Sawtooth(Leg):
    """Dive to `deep_m` and climb to `shallow_m`, `yos` times.

    For any controller that can change depth; that of a glider is `BallastController`. The vehicle turns `turn_within_m`
    before each depth, because an autopilot approaches a depth asymptotically and a glider overshoots.
    """

    kind: ClassVar[str] = "sawtooth"

    shallow_m: float
    deep_m: float
    yos: int = 1
    heading_deg: float | None = None
    turn_within_m: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check("shallow_m", 0.0, 12000.0)
        self.check("deep_m", 0.0, 12000.0)
        self.check("yos", 1, 1e6)
        self.check("turn_within_m", 0.0, 1000.0)
        if self.heading_deg is not None:
            self.check("heading_deg", -360.0, 360.0)
        if self.deep_m - self.shallow_m <= 2.0 * self.turn_within_m:
            MISSION.fail(
                "deep_m",
                value=self.deep_m,
                expected=f"more than twice turn_within_m below shallow_m, {self.shallow_m:g}",
            )
        for key in ("depth_m", "altitude_m"):
            if getattr(self, key) is not None:
                MISSION.fail(key, "not here; give shallow_m and deep_m", value=getattr(self, key))

    def make(self, state: VehicleState) -> Guide:
        """Build the guide, which dives first."""
        return SawtoothGuide(self)

    def depths(self) -> tuple[float, ...]:
        """Return both depths."""
        return (self.shallow_m, self.deep_m)


class SawtoothGuide:
    """Guide that alternates between the two depths."""

    def __init__(self, leg: Sawtooth) -> None:
        self.leg = leg
        self.news: list[tuple[str, str]] = []
        self.done = 0  # yos
        self.down = True
        self._setpoints = {
            down: Setpoint(depth_m=depth, heading_deg=leg.heading_deg, speed_m_s=leg.speed_m_s)
            for down, depth in ((True, leg.deep_m), (False, leg.shallow_m))
        }

    def update(self, state: VehicleState, dt: float) -> Setpoint | None:
        """Return the setpoint at the end of the present slope."""
        depth, leg = float(state.pos_n[2]), self.leg
        if self.down and depth >= leg.deep_m - leg.turn_within_m:
            self.down = False
            self.news.append(("turn", f"up from {depth:.1f} m"))
        elif not self.down and depth <= leg.shallow_m + leg.turn_within_m:
            self.down, self.done = True, self.done + 1
            self.news.append(("turn", f"yo {self.done} of {leg.yos} done at {depth:.1f} m"))
        return self._setpoints[self.down] if self.done < leg.yos else None

    def values(self) -> dict[str, float]:
        """Return the number of completed yos."""
        return {"target": float(self.done), "cross_track_m": math.nan}
