"""Lines on the chart: how far along, how far off.

Cross-track error is positive to STARBOARD of the line, looking along it:

    along =  cos(chi) (N - N0) + sin(chi) (E - E0)
    cross = -sin(chi) (N - N0) + cos(chi) (E - E0)         chi = atan2(E1 - E0, N1 - N0)

Reference: T. I. Fossen, Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., 2021, section 12.4.
North, east in m of the world frame, angles in rad clockwise from north.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import cast

from pelagos.compiled_laws import also_compiled
from pelagos.errors import ScenarioError
from pelagos.messages import is_number

Point = tuple[float, float]
TURN = 2.0 * math.pi


@also_compiled
def wrap(angle_rad: float) -> float:
    """The same angle in [-pi, pi)."""
    return (angle_rad + math.pi) % TURN - math.pi


@also_compiled
def compass_deg(angle_rad: float) -> float:
    """A course in degrees, 0 to 360."""
    return math.degrees(angle_rad) % 360.0


@also_compiled
def along_and_across(cos: float, sin: float, north: float, east: float) -> Point:
    """A way north and east as one along a course (of given cosine and sine) and one to starboard of it."""
    return cos * north + sin * east, cos * east - sin * north


class Segment:
    """A straight piece of track from one point to another."""

    __slots__ = ("chi", "cos", "end", "length", "sin", "start")

    def __init__(self, start: Point, end: Point) -> None:
        self.start, self.end = start, end
        north, east = end[0] - start[0], end[1] - start[1]
        self.length = math.hypot(north, east)
        self.chi = math.atan2(east, north)
        self.cos, self.sin = math.cos(self.chi), math.sin(self.chi)

    def errors(self, north: float, east: float) -> Point:
        """Way along it and distance from it (starboard positive), m."""
        return along_and_across(self.cos, self.sin, north - self.start[0], east - self.start[1])

    def at(self, along_m: float) -> Point:
        """The point so far along."""
        return self.start[0] + along_m * self.cos, self.start[1] + along_m * self.sin


def segments(points: Sequence[Point]) -> list[Segment]:
    """The pieces between the points; points on the same spot make none."""
    made = [Segment(a, b) for a, b in pairwise(points)]
    return [piece for piece in made if piece.length > 1e-6]


def track_length(points: Sequence[Point]) -> float:
    """Length of the broken line through the points, m."""
    return sum(math.dist(a, b) for a, b in pairwise(points))


def check_rows(key: str, rows: Sequence[Sequence[float]], least: int, with_depth: bool = True) -> None:
    """Refuse rows that are no places: north, east and perhaps a depth, which is not above the surface."""
    what = "north, east" + (" and perhaps depth" if with_depth else "")
    if len(rows) < least:
        raise ScenarioError("mission", key, rows, f"expected at least {least} rows of {what}, m")
    allowed = (2, 3) if with_depth else (2,)
    for i, row in enumerate(rows):
        sound = isinstance(cast(object, row), list | tuple) and len(row) in allowed
        if not (sound and all(is_number(x) and abs(x) < 1e7 for x in row)):
            raise ScenarioError("mission", f"{key}[{i}]", row, f"expected {what}, m")
        if len(row) == 3 and not 0.0 <= row[2] <= 12000.0:
            raise ScenarioError("mission", f"{key}[{i}]", row, "expected a depth of 0 to 12000 m; up is not a depth")
    if len({len(row) for row in rows}) > 1:
        raise ScenarioError("mission", key, rows, "expected a depth in every row or in none")


def check_place(key: str, place: Sequence[float]) -> None:
    """Refuse what is not north and east."""
    if not (len(place) == 2 and all(is_number(x) and abs(x) < 1e7 for x in place)):
        raise ScenarioError("mission", key, place, "expected north and east, m")


def level(rows: Sequence[Sequence[float]]) -> list[Point]:
    """The places of rows, without their depths."""
    return [(float(row[0]), float(row[1])) for row in rows]


def depths_of(rows: Sequence[Sequence[float]]) -> list[float]:
    """The depths of rows; none if they have none."""
    return [float(row[2]) for row in rows if len(row) == 3]


def stops_of(rows: Sequence[Sequence[float]]) -> tuple[tuple[float, float, float], ...]:
    """North, east and depth of each row that has a depth."""
    return tuple((float(row[0]), float(row[1]), float(row[2])) for row in rows if len(row) == 3)
