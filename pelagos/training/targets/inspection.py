"""Inspection of a column: circle it at a stand-off until the camera has seen all of it between two depths.

The surface of the column is divided into `sectors` around its axis and `rows` of depth. A patch is visible while

- its middle is in the picture, not farther from the camera than `range_m` and the visibility,
- the line of sight meets it at `angle_deg` or less from its normal, and no structure blocks it,

and is covered after it was visible for `look_s` in total. The stand-off is the horizontal distance from the body origin
to the surface, straight towards the axis; its error is that minus `stand_off_m`. In the column it is negative.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import choice, number, whole
from pelagos.errors import CommandError
from pelagos.training.judge import Judge, Mark, Target
from pelagos.training.observation import Observation
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World
from pelagos.world.structure import Structure

Array = NDArray[np.float64]
FAR_M = 100.0  # distance from the axis at which rays to the surface start; outside any column
CLEAR_M = 0.05  # a ray that ends this near to a patch has reached it


@dataclass(frozen=True, kw_only=True)
class Inspection(Target):
    """A part of an upright structure of the world."""

    kind: str = "inspection"
    structure: str
    depth_from_m: float
    depth_to_m: float
    sectors: int = 12
    rows: int = 3
    stand_off_m: float = 2.0
    range_m: float = 4.0
    angle_deg: float = 60.0
    look_s: float = 0.5
    enough: float = 0.95  # share of the patches that completes the task

    def __post_init__(self) -> None:
        """Validate the numbers."""
        whole("sectors", self.sectors, 3, 360)
        whole("rows", self.rows, 1, 1000)
        number("depth_from_m", self.depth_from_m, 0.0, 12000.0)
        number("depth_to_m", self.depth_to_m, self.depth_from_m, 12000.0)
        number("angle_deg", self.angle_deg, 1.0, 89.0)
        number("enough", self.enough, 0.01, 1.0)
        for name in ("stand_off_m", "range_m", "look_s"):
            number(name, getattr(self, name), 0.01, 1000.0)

    def patches(self, world: World) -> tuple[Array, Array]:
        """Middles and outward normals of the patches, (n, 3) each, NED; rows from above, each clockwise from north."""
        column = _column(world, self.structure)
        axis = column.center_n()
        angles = 2.0 * math.pi * np.arange(self.sectors) / self.sectors
        out = np.stack([np.cos(angles), np.sin(angles), np.zeros(self.sectors)], axis=1)
        step = (self.depth_to_m - self.depth_from_m) / self.rows
        depths = self.depth_from_m + step * (np.arange(self.rows) + 0.5)
        out = np.tile(out, (self.rows, 1))
        at = np.column_stack([np.tile(axis[:2], (len(out), 1)), np.repeat(depths, self.sectors)])
        alone = World(surface=False, structures=(column,))  # other structures would stop the rays
        hits = alone.cast(at + FAR_M * out, -out, max_range_m=FAR_M)
        if not (np.asarray(hits.obstacle) == 0).all():
            depths = f"{self.depth_from_m:g} to {self.depth_to_m:g} m depth"
            raise CommandError(
                key="structure", value=self.structure, expected=f"a structure that spans {depths} on all sides"
            )
        return at + (FAR_M - np.asarray(hits.range_m)[:, np.newaxis]) * out, np.asarray(hits.normal)

    def solids(self, world: World, seed: int) -> tuple[Structure, ...]:
        """No structures; raises CommandError if the world lacks the column."""
        _column(world, self.structure)
        return ()

    def marks(self, world: World) -> list[Mark]:
        """Rings at the stand-off, one at the depth of each row."""
        center = _column(world, self.structure).center_n()
        points, _ = self.patches(world)
        radius = self.stand_off_m + float(np.hypot(*(points - center)[:, :2].T).min())
        depths = points[:: self.sectors, 2].tolist()
        return [
            {"kind": "ring", "center": [*center[:2].tolist(), z], "axis": [0.0, 0.0, 1.0], "radius_m": radius,
             "colour": "#56B4E9", "label": "stand-off" if k == 0 else ""}
            for k, z in enumerate(depths)
        ]  # fmt: skip

    def judge(self, world: World, vehicle: Vehicle, seed: int) -> Judge:
        """Make the judge of coverage and stand-off."""
        return InspectionJudge(self, world, vehicle)


class InspectionJudge(Judge):
    """Judge of the coverage of the surface, and of the stand-off while patches are in view."""

    judged = ("distance_m", "stand_off_error_m")
    shown = ("coverage", "in_view")

    def __init__(self, target: Inspection, world: World, vehicle: Vehicle) -> None:
        self.target = target
        self._index = next(k for k, item in enumerate(world.structures) if item.name == target.structure)
        column = world.structures[self._index]
        self._center = column.center_n()
        self._alone = World(surface=False, structures=(column,))
        self.points_n, self.normals_n = target.patches(world)
        super().__init__(world, vehicle)

    def begin(self) -> None:
        """Reset the coverage."""
        super().begin()
        self.visible_s = np.zeros(len(self.points_n))
        self._view = np.zeros(len(self.points_n), dtype=bool)

    @property
    def covered(self) -> NDArray[np.bool_]:
        """Which patches were visible for long enough."""
        return self.visible_s >= self.target.look_s - 1e-9

    def evaluate(self, observation: Observation) -> Mapping[str, float]:
        """Distance to the surface, coverage and number of visible patches."""
        self._view = self.visible(observation)
        distance = self._distance(observation)
        inside = self.in_structure(observation, self._index)
        return {
            "distance_m": -abs(distance) if inside else distance,
            "stand_off_error_m": distance - self.target.stand_off_m,
            "coverage": float(np.mean(self.covered)),
            "in_view": float(np.sum(self._view)),
        }

    def is_counted(self, observation: Observation) -> bool:
        """Count while a patch is in view."""
        return bool(self._view.any())

    def advance(self, observation: Observation) -> None:
        """Add to the times of the patches in view."""
        self.visible_s[self._view] += observation.dt
        self.marks_version = int(np.sum(self.covered))
        coverage = self.marks_version / len(self.visible_s)
        self.now["coverage"] = coverage
        self.completed = coverage >= self.target.enough - 1e-9
        self.progress = 1.0 if self.completed else coverage / self.target.enough

    def extra_measures(self) -> dict[str, float]:
        """Covered share of the patches."""
        return {"coverage": float(np.mean(self.covered))}

    def marks(self) -> list[Mark]:
        """The covered patches."""
        return [
            {"kind": "point", "points": [p.tolist()], "colour": "#009E73", "label": ""}
            for p in self.points_n[self.covered]
        ]

    def visible(self, observation: Observation) -> NDArray[np.bool_]:
        """Which patches the camera sees."""
        sight = self.points_n - observation.camera_n
        far = np.linalg.norm(sight, axis=1)
        # Cosine of the angle between the line of sight and the normal.
        facing = -np.einsum("ij,ij->i", sight, self.normals_n) / np.maximum(far, 1e-9)
        near = far <= min(self.target.range_m, observation.visibility_m)
        view = near & (facing >= math.cos(math.radians(self.target.angle_deg))) & observation.in_picture(self.points_n)
        which = np.flatnonzero(view)
        if which.size:
            hits = self.world.cast(
                np.tile(observation.camera_n, (which.size, 1)), sight[which] / far[which, np.newaxis], max_range_m=1e3
            )
            view[which] = np.asarray(hits.range_m) >= far[which] - CLEAR_M
        return view

    def _distance(self, observation: Observation) -> float:
        """Horizontal distance from the body origin to the surface."""
        away = (observation.position_n - self._center) * (1.0, 1.0, 0.0)
        far = math.hypot(away[0], away[1])
        if far < 1e-6:  # on the axis, where no direction is outward
            return 0.0
        out = away / far
        start = observation.position_n + FAR_M * out  # a ray from outside also measures from within the column
        hit = self._alone.cast([start], [-out], max_range_m=2.0 * FAR_M)
        return float(hit.range_m[0]) - FAR_M if hit.obstacle[0] == 0 else math.nan


def _column(world: World, name: str) -> Structure:
    names = [item.name for item in world.structures if item.name]
    choice("structure", name, names, f"one of the world: {', '.join(names) or 'none'}")
    return next(item for item in world.structures if item.name == name)
