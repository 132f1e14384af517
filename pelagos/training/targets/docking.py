"""Docking: drive into a garage on the bottom, slowly and straight, and come to rest in its middle.

The garage has two side walls, a roof and a back; `heading_deg` is the heading on which a vehicle enters. With P the
position of the vehicle, D its position when docked, h the direction of entry and s = h turned to starboard:

    distance   |P - D|, negative while the vehicle touches the garage
    lateral    (P - D) . s, horizontal
    touch      speed of approach at which the hull meets the garage; the greatest counts

Docked: within `within_m` and `within_deg`, slower than `slow_m_s`, for `hold_s`. Progress is the completed share of the
way from the start of the attempt to D, and 1 when docked.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import number, numbers
from pelagos.training.judge import Judge, Mark, Target, heading_error_deg
from pelagos.training.observation import Observation
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World
from pelagos.world.structure import Structure

Array = NDArray[np.float64]
PARTS = ("dock port wall", "dock starboard wall", "dock roof", "dock back")
NOT_YET = 0.99  # most progress before the vehicle is docked


@dataclass(frozen=True, kw_only=True)
class DockingTarget(Target):
    """A garage: position of a docked vehicle (NED), heading of entry, and size of the room."""

    kind: str = "docking"
    place_m: tuple[float, float, float]
    heading_deg: float = 0.0
    room_m: tuple[float, float, float] = (1.0, 1.0, 0.9)  # length, breadth, height
    wall_m: float = 0.08
    within_m: float = 0.15
    within_deg: float = 10.0
    slow_m_s: float = 0.05
    hold_s: float = 3.0
    colour: str = "#E69F00"

    def __post_init__(self) -> None:
        """Validate the numbers."""
        numbers("place_m", self.place_m, 3)
        number("heading_deg", self.heading_deg, -360.0, 360.0)
        for k, name in enumerate(("length", "breadth", "height")):
            number(f"room_m, {name},", numbers("room_m", self.room_m, 3)[k], 0.1, 100.0)
        for name in ("wall_m", "within_m", "within_deg", "slow_m_s", "hold_s"):
            number(name, getattr(self, name), 1e-3, 1000.0)

    def axes(self) -> tuple[Array, Array]:
        """Unit vectors of the direction of entry and to its starboard, NED."""
        to = math.radians(self.heading_deg)
        return np.array([math.cos(to), math.sin(to), 0.0]), np.array([-math.sin(to), math.cos(to), 0.0])

    def solids(self, world: World, seed: int) -> tuple[Structure, ...]:
        """Two walls, a roof and a back, as boxes."""
        ahead, starboard = self.axes()
        down = np.array([0.0, 0.0, 1.0])
        long, broad, high = self.room_m
        wall, middle = self.wall_m, np.array(self.place_m)
        side = 0.5 * (broad + wall)
        places = (
            middle - side * starboard,
            middle + side * starboard,
            middle - 0.5 * (high + wall) * down + 0.5 * wall * ahead,
            middle + 0.5 * (long + wall) * ahead,
        )
        sizes = (
            (long, wall, high),
            (long, wall, high),
            (long + wall, broad + 2.0 * wall, wall),
            (wall, broad + 2.0 * wall, high),
        )
        return tuple(
            Structure(
                kind="box", name=name, center_m=tuple(place.tolist()), size_m=size, heading_deg=self.heading_deg,
                colour=self.colour,
            )
            for name, place, size in zip(PARTS, places, sizes, strict=True)
        )  # fmt: skip

    def marks(self, world: World) -> list[Mark]:
        """The mouth, the line of entry and the docked position."""
        ahead, starboard = self.axes()
        long, broad, high = self.room_m
        middle = np.array(self.place_m)
        mouth = middle - 0.5 * long * ahead
        down = np.array([0.0, 0.0, 0.5 * high])
        corners = [mouth + 0.5 * a * broad * starboard + b * down for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        outside = mouth - 3.0 * ahead
        return [
            {"kind": "gate", "points": [c.tolist() for c in corners], "colour": "#009E73", "label": "dock"},
            {"kind": "line", "points": [outside.tolist(), middle.tolist()], "colour": "#009E73", "label": ""},
            {"kind": "point", "points": [middle.tolist()], "colour": "#009E73", "label": ""},
        ]

    def judge(self, world: World, vehicle: Vehicle, seed: int) -> Judge:
        """Make the judge of distance, touch speed and heading."""
        return DockingJudge(self, world, vehicle)


class DockingJudge(Judge):
    """Judge of distance, lateral error, heading and touch speed, and of the final position."""

    judged = ("distance_m", "lateral_error_m", "heading_error_deg")
    shown = ("speed_m_s", "touch_speed_m_s")

    def __init__(self, target: DockingTarget, world: World, vehicle: Vehicle) -> None:
        self.target = target
        self._parts = {k for k, item in enumerate(world.structures) if item.name in PARTS}
        self._place, (self._ahead, self._starboard) = np.array(target.place_m), target.axes()
        super().__init__(world, vehicle)

    def begin(self) -> None:
        """Reset touch speed and time at rest."""
        super().begin()
        self.touch_speed_m_s = self.docked_s = 0.0
        self._first_m = math.nan

    def evaluate(self, observation: Observation) -> Mapping[str, float]:
        """Errors relative to the docked position."""
        away = observation.position_n - self._place
        distance = float(np.linalg.norm(away))
        return {
            "distance_m": -distance if self._touches(observation) else distance,
            "lateral_error_m": float(away @ self._starboard),
            "heading_error_deg": heading_error_deg(observation.euler[2], self.target.heading_deg),
            "speed_m_s": observation.speed_m_s,
            "touch_speed_m_s": self.touch_speed_m_s,
        }

    def advance(self, observation: Observation) -> None:
        """Update touch speed, progress and time at rest in the docked position."""
        target, distance = self.target, abs(self.now["distance_m"])
        if self._touches(observation):
            self.touch_speed_m_s = max(self.touch_speed_m_s, observation.contact_speed_m_s)
        # Progress is measured from the first tick of the attempt, where `begin` has no observation yet.
        self._first_m = distance if math.isnan(self._first_m) else self._first_m
        rests = (
            distance <= target.within_m
            and abs(self.now["heading_error_deg"]) <= target.within_deg
            and observation.speed_m_s <= target.slow_m_s
        )
        self.docked_s = self.docked_s + observation.dt if rests else 0.0
        self.completed = self.docked_s >= target.hold_s - 1e-9  # the sum of intervals has rounding errors
        made = 1.0 - distance / max(self._first_m, target.within_m)
        self.progress = 1.0 if self.completed else min(max(made, 0.0), NOT_YET)

    def extra_measures(self) -> dict[str, float]:
        """Touch speed, and final distance and heading error."""
        return {
            "touch_speed_m_s": self.touch_speed_m_s,
            "final_distance_m": abs(self.now["distance_m"]),
            "final_heading_error_deg": abs(self.now["heading_error_deg"]),
        }

    def _touches(self, observation: Observation) -> bool:
        return observation.contact_with in self._parts
