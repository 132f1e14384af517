"""Hovering in front of a face (Royer 7.1.b): fit the triangle on the bow to the triangle at the cube, at an altitude.

"A complete fit occurred when the triangle overlapped and when the altitude was 2.5 meters"; "the pilots were asked to
stay outside the cube"; "when the vehicle stepped into the cube, the distance between the two triangles (which is > 0)
was multiplied by -1". His figure 7.2 is lost; this is our reading:

- Both triangles are level, equal and `triangle_m` long. That of the vehicle has its base at the middle of the bow and
  points ahead; that of the cube has its tip on the face, in the middle of the spot, and points into it.
- The distance is that between their centroids (a third of their length from the base), seen from above, so that at a
  complete fit the bow is `triangle_m` away from the face and the heading is straight onto it.
- Contact is solid here, so that a vehicle "in the cube" is one that touches it: see `Judge.in_structure`.

Counting begins when the distance is first below `begin_within_m`, and lasts `hover_s`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import choice, number
from pelagos.training.judge import Judge, Mark, Target, heading_error_deg
from pelagos.training.observation import Observation, hull_box
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World
from pelagos.world.structure import Structure

Array = NDArray[np.float64]
FACES = {"north": 0.0, "east": 90.0, "south": 180.0, "west": 270.0}  # direction of the outward normal, deg
CENTROID = 1.0 / 3.0  # of the length of a triangle, from its base


@dataclass(frozen=True, kw_only=True)
class Hover(Target):
    """A place in front of a face of a box of the world."""

    kind: str = "hover"
    structure: str
    face: str = "north"
    aside_m: float = 0.0  # of the spot from the middle of the face, to the right as the vehicle faces it
    altitude_m: float = 2.5
    triangle_m: float = 0.5
    spot_m: float = 0.25
    begin_within_m: float = 2.0
    hover_s: float = 120.0

    def __post_init__(self) -> None:
        """Validate the face and the numbers."""
        choice("face", self.face, FACES)
        number("aside_m", self.aside_m, -100.0, 100.0)
        for name in ("altitude_m", "triangle_m", "spot_m", "begin_within_m", "hover_s"):
            number(name, getattr(self, name), 0.01, 10000.0)

    @property
    def heading_deg(self) -> float:
        """Heading straight onto the face."""
        return (FACES[self.face] + 180.0) % 360.0

    def spot_n(self, world: World) -> Array:
        """The middle of the spot on the face, NED."""
        box = _box(world, self.structure)
        out, right = _directions(self.face)
        a, b, _ = box.half_m()
        away = a * abs(out[0]) + b * abs(out[1])
        north, east, _ = (box.center_n() + away * out + self.aside_m * right).tolist()
        front = north + out[0], east + out[1]  # the bottom in front of the face, not below the box
        return np.array([north, east, float(world.bottom_m(*front)) - self.altitude_m])

    def triangle_n(self, world: World) -> Array:
        """Tip and the two corners of the base, NED (3, 3)."""
        out, right = _directions(self.face)
        tip = self.spot_n(world)
        base, half = tip + self.triangle_m * out, 0.5 * self.triangle_m * right
        return np.array([tip, base - half, base + half])

    def solids(self, world: World, seed: int) -> tuple[Structure, ...]:
        """No structures; raises CommandError if the world lacks the box."""
        _box(world, self.structure)
        return ()

    def marks(self, world: World) -> list[Mark]:
        """The triangle at the face, and the spot on the face, which the camera sees."""
        out, right = _directions(self.face)
        spot, half = self.spot_n(world), 0.5 * self.spot_m
        down = np.array([0.0, 0.0, 1.0])
        lifted = spot + 0.005 * out  # in front of the face, so that the two surfaces do not flicker
        corners = [lifted + half * (a * right + b * down) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        return [
            {"kind": "triangle", "points": self.triangle_n(world).tolist(), "colour": "#E69F00", "label": "fit here"},
            {"kind": "spot", "points": [c.tolist() for c in corners], "center": lifted.tolist(), "normal": out.tolist(),
             "size_m": self.spot_m, "colour": "#D55E00", "label": "target"},
        ]  # fmt: skip

    def vehicle_marks(self, vehicle: Vehicle) -> list[Mark]:
        """The triangle on the vehicle, body axes."""
        low, high = hull_box(vehicle)
        x, y, half = float(high[0]), 0.5 * float(low[1] + high[1]), 0.5 * self.triangle_m
        points = [[x + self.triangle_m, y, 0.0], [x, y - half, 0.0], [x, y + half, 0.0]]
        return [{"kind": "triangle", "points": points, "colour": "#56B4E9", "label": ""}]

    def judge(self, world: World, vehicle: Vehicle, seed: int) -> Judge:
        """Make the judge of distance, altitude and heading."""
        return HoverJudge(self, world, vehicle)


class HoverJudge(Judge):
    """Judge of the distance between the triangles, negative in the structure, of altitude and of heading."""

    judged = ("distance_m", "altitude_error_m", "heading_error_deg")

    def __init__(self, target: Hover, world: World, vehicle: Vehicle) -> None:
        self.target = target
        self._index = next(k for k, item in enumerate(world.structures) if item.name == target.structure)
        tip, left, right = target.triangle_n(world)
        self._centroid = ((tip + left + right) / 3.0)[:2]
        super().__init__(world, vehicle)
        self._centroid_b = self.bow_b + np.array([CENTROID * target.triangle_m, 0.0, 0.0])

    def begin(self) -> None:
        """Reset the times."""
        super().begin()
        self.held_s = self.inside_s = 0.0
        self._inside = False

    def evaluate(self, observation: Observation) -> Mapping[str, float]:
        """Errors relative to the triangle at the face."""
        x, y, _ = self._centroid_b.tolist()
        yaw = observation.euler[2]
        c, s = math.cos(yaw), math.sin(yaw)  # seen from above: the thesis has neither roll nor pitch
        north, east, _ = observation.position_n.tolist()
        distance = math.dist((north + c * x - s * y, east + s * x + c * y), self._centroid)
        self._inside = self.in_structure(observation, self._index)
        return {
            "distance_m": -distance if self._inside else distance,
            "altitude_error_m": observation.altitude_m - self.target.altitude_m,
            "heading_error_deg": heading_error_deg(yaw, self.target.heading_deg),
        }

    def is_counted(self, observation: Observation) -> bool:
        """Count from the first approach to the target on."""
        return self.held_s > 0.0 or abs(self.now["distance_m"]) < self.target.begin_within_m

    def advance(self, observation: Observation) -> None:
        """Add to the time hovered; the task is completed after `hover_s`."""
        if self.is_counted(observation):
            self.held_s += observation.dt
            self.inside_s += observation.dt * self._inside
        self.completed = self.held_s >= self.target.hover_s - 0.5 * observation.dt  # sums have rounding errors
        self.progress = 1.0 if self.completed else self.held_s / self.target.hover_s

    def extra_measures(self) -> dict[str, float]:
        """Times in the structure and hovered."""
        return {"inside_s": self.inside_s, "hovered_s": self.held_s}


def _directions(face: str) -> tuple[Array, Array]:
    """Unit vectors out of a face and to the right as a vehicle faces it, NED."""
    to = math.radians(FACES[face])
    out = np.array([round(math.cos(to)), round(math.sin(to)), 0.0])  # exact zeros and ones
    return out, np.array([out[1], -out[0], 0.0])


def _box(world: World, name: str) -> Structure:
    """The box of the target; one that is not turned, so that its faces look north, east, south and west."""
    names = [item.name for item in world.structures if item.kind == "box" and not item.heading_deg]
    choice("structure", name, names, f"a straight box of the world: {', '.join(names) or 'none'}")
    return next(item for item in world.structures if item.name == name)
