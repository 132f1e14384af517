"""A survey of an area by parallel lines."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

from pelagos.errors import ScenarioError
from pelagos.guidance.base import Guide
from pelagos.guidance.course import Course, from_here
from pelagos.guidance.steering import CourseLeg
from pelagos.guidance.track import Point, check_place, track_length
from pelagos.messages import Truth


@dataclass(frozen=True, kw_only=True)
class Lawnmower(CourseLeg):
    """Lines of `length_m` in `direction_deg`, there and back, each `spacing_m` further to one side until `width_m`.

    n = floor(width / spacing) + 1 lines; length of the track n (length + 2 overrun) + (n - 1) spacing. Lines begin and
    end `overrun_m` outside the area, so that turns do. Where `acceptance_m` is well above the spacing the short lines
    across are cut off and the vehicle turns straight onto the next line.
    """

    kind: ClassVar[str] = "lawnmower"

    corner_m: tuple[float, float]  # of the area, where the first line begins
    length_m: float
    width_m: float
    spacing_m: float
    direction_deg: float = 0.0  # of the first line
    side: Literal["starboard", "port"] = "starboard"  # of the first line, on which the area lies
    overrun_m: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_place("corner_m", self.corner_m)
        self.check("length_m", 0.1, 1e6)
        self.check("width_m", 0.0, 1e6)
        self.check("spacing_m", 0.01, 1e6)
        self.check("direction_deg", -360.0, 360.0)
        self.check("overrun_m", 0.0, 1e5)
        if self.lines > 10000:
            raise ScenarioError("mission", "spacing_m", self.spacing_m, f"that makes {self.lines} lines")

    @property
    def lines(self) -> int:
        """How many lines it takes."""
        return math.floor(self.width_m / self.spacing_m + 1e-9) + 1

    @property
    def length_of_track_m(self) -> float:
        """From the beginning of the first line to the end of the last."""
        return track_length(self.points())

    def points(self) -> list[Point]:
        """The corners of the track, two for each line."""
        chi = math.radians(self.direction_deg)
        cos, sin = math.cos(chi), math.sin(chi)
        way = 1.0 if self.side == "starboard" else -1.0
        made: list[Point] = []
        for k in range(self.lines):
            ends = (-self.overrun_m, self.length_m + self.overrun_m)
            across = way * k * self.spacing_m
            for along in ends if k % 2 == 0 else ends[::-1]:
                made.append((
                    self.corner_m[0] + along * cos - across * sin,
                    self.corner_m[1] + along * sin + across * cos,
                ))  # fmt: skip
        return made

    def make(self, seen: Truth) -> Guide:
        """Goes to the beginning of the first line, then along all of them."""
        return Course(self, from_here(seen, self.points()))

    def places(self) -> tuple[Point, ...]:
        """The corners of the track."""
        return tuple(self.points())
