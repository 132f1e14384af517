"""Royer's collision test (1985, chapter 5): a box without roll or pitch against the elements of his field.

His steps for the wellhead, a cube: the altitude is checked; seen from above, with the centre of the vehicle in area 1
(far) there is no collision, in area 3 (near) there is one, in area 2 (between) the vehicle's four corners are tried
against the cube and the four corners of the cube against the four oriented lines of the vehicle. "The collisions with
the other elements are very similar"; figure 5.3 and the listing are not available. Interpretation used here:

- Area 1 begins half a diagonal of the vehicle away from the element, area 3 ends half its breadth away: a circle around
  the vehicle and the largest one inside it.
- Column (upright cylinder): the element seen from above is a circle, and the lines are tested at its rim.
- Bar, pipeline (level cylinder): the part of it within the vehicle's altitudes, seen from above, is a rectangle.
- Sphere: that part is a circle.
- Crossing: a bar can pass between the corners of the vehicle, under its bow, with its ends far away. Then no corner of
  either is inside the other, and Royer's steps find no collision. A last test for crossing sides is added here; for a
  cube and a vehicle less than twice as long as broad (Royer's is 3 by 1.6 m) it is never needed.

With it the test is exact for level boxes; touching counts as no collision.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from pelagos.errors import ScenarioError
from pelagos.world.structure import Structure

Point = tuple[float, float]
LEVEL = 1e-9  # tolerance for level and upright, deg or sine of the tilt


def royer_collides(
    structure: Structure,
    size_m: Sequence[float],
    position_n: Sequence[float],
    heading_rad: float,
    crossing: bool = True,
) -> bool:
    """Whether a level box of size_m (length, breadth, height) at a position and heading overlaps a structure.

    `crossing = False` omits the test of crossing sides: Royer's steps only.
    """
    length, breadth, height = size_m
    outline = _plan_view(structure, position_n[2] - 0.5 * height, position_n[2] + 0.5 * height)
    if outline is None:  # above or below the vehicle
        return False
    center, heading, half, radius = outline
    # the vehicle's centre in the element's axes, and its heading there
    x, y = _turned(position_n[0] - center[0], position_n[1] - center[1], -heading)
    turn = heading_rad - heading
    away = math.hypot(max(abs(x) - half[0], 0.0), max(abs(y) - half[1], 0.0)) - radius
    if away >= math.hypot(0.5 * length, 0.5 * breadth):
        return False  # area 1
    if away < 0.5 * min(length, breadth):
        return True  # area 3
    corners = [(x + a, y + b) for a, b in (_turned(*corner, turn) for corner in _corners(0.5 * length, 0.5 * breadth))]
    if any(_within(corner, half, radius) for corner in corners):
        return True
    if any(_inside_lines(point, corners, radius) for point in _corners(*half)):
        return True
    return crossing and half != (0.0, 0.0) and _sides_cross(corners, _corners(*half))


def _plan_view(structure: Structure, top: float, bottom: float) -> tuple[Point, float, Point, float] | None:
    """Centre, heading, half sides and rounding radius of the part between two depths; None if there is no such part.

    Boxes and bars have no rounding; columns and spheres have nothing else.
    """
    kind = structure.kind
    north, east, down = (float(value) for value in structure.center_n())
    a, b, c = structure.half_m()
    if kind == "box":
        if abs(structure.pitch_deg or 0.0) > LEVEL or abs(structure.roll_deg or 0.0) > LEVEL:
            raise _unknown(structure, "a box without pitch and roll")
        if not (top < down + c and bottom > down - c):
            return None
        return (north, east), math.radians(structure.heading_deg or 0.0), (a, b), 0.0
    outside = max(top - down, down - bottom, 0.0)  # of its middle from the vehicle's altitudes
    if kind == "sphere":
        return ((north, east), 0.0, (0.0, 0.0), math.sqrt(b * b - outside * outside)) if outside < b else None
    if kind != "cylinder":
        raise _unknown(structure, "a box, a cylinder or a sphere")
    axis = structure.axes_n()[:, 0]
    if abs(axis[2]) > 1.0 - LEVEL:
        return ((north, east), 0.0, (0.0, 0.0), b) if outside < a else None
    if abs(axis[2]) > LEVEL:
        raise _unknown(structure, "an upright or a level cylinder")
    if outside >= b:
        return None
    heading = math.atan2(float(axis[1]), float(axis[0]))
    return (north, east), heading, (a, math.sqrt(b * b - outside * outside)), 0.0


def _unknown(structure: Structure, expected: str) -> ScenarioError:
    name = structure.name or structure.kind
    message = "Royer's test does not support this structure"
    return ScenarioError(message, file="world", key=f"structure.{name}", expected=expected)


def _turned(x: float, y: float, angle: float) -> Point:
    c, s = math.cos(angle), math.sin(angle)
    return c * x - s * y, s * x + c * y


def _corners(a: float, b: float) -> list[Point]:
    return [(a, b), (-a, b), (-a, -b), (a, -b)]


def _within(point: Point, half: Point, radius: float) -> bool:
    """Whether a corner of the vehicle is in the element."""
    x, y = abs(point[0]), abs(point[1])
    if radius > 0.0:
        return math.hypot(x, y) < radius
    return x < half[0] and y < half[1]


def _lines(point: Point, corners: list[Point]) -> list[float]:
    """Royer's f_i: distance of a point to each of the four oriented sides, positive on the inner side."""
    values = []
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
        long = math.hypot(bx - ax, by - ay)
        values.append(((bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax)) / long)
    return values


def _inside_lines(point: Point, corners: list[Point], radius: float) -> bool:
    """Whether a corner of the element, or the rim of a round one beside a side of the vehicle, is in the vehicle."""
    f = _lines(point, corners)
    if radius == 0.0:
        return min(f) > 0.0
    beside = (f[0] > 0.0 and f[2] > 0.0) or (f[1] > 0.0 and f[3] > 0.0)
    return beside and min(f) > -radius


def _sides_cross(first: list[Point], second: list[Point]) -> bool:
    """Whether a side of one outline crosses a side of the other."""
    for a, b in zip(first, first[1:] + first[:1], strict=True):
        for c, d in zip(second, second[1:] + second[:1], strict=True):
            if _side(a, b, c) * _side(a, b, d) < 0.0 and _side(c, d, a) * _side(c, d, b) < 0.0:
                return True
    return False


def _side(a: Point, b: Point, p: Point) -> float:
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
