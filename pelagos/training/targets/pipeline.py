"""Following a pipeline (Royer 7.1.a): stay above its axis, at an altitude, from one end to the other.

With the axis from A to B, t its direction seen from above and n = t turned to starboard, the vehicle at P:

    path error   e = (P - A) . n, horizontal, positive to starboard
    along        s = (P - A) . t,   progress = largest s reached within the corridor / |B - A|

The thesis draws the path over the pipe (figure 7.1); it prints no figure of merit for it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pelagos.checks import number, numbers
from pelagos.errors import CommandError
from pelagos.training.judge import Judge, Mark, Target, heading_error_deg
from pelagos.training.observation import Observation
from pelagos.vehicle.spec import Vehicle
from pelagos.world.spec import World


@dataclass(frozen=True, kw_only=True)
class Pipeline(Target):
    """A straight line over the bottom. Points are north, east, down, m; the altitude is that of the body origin."""

    kind: str = "pipeline"
    from_m: tuple[float, float, float]
    to_m: tuple[float, float, float]
    altitude_m: float = 2.5
    corridor_m: float = 5.0  # farther off than this, the vehicle makes no progress

    def __post_init__(self) -> None:
        """Validate the numbers and the length."""
        ends = [numbers(name, getattr(self, name), 3) for name in ("from_m", "to_m")]
        number("altitude_m", self.altitude_m, 0.0, 1000.0)
        number("corridor_m", self.corridor_m, 0.1, 1000.0)
        if math.hypot(*(ends[1] - ends[0])[:2].tolist()) < 1.0:
            raise CommandError("to_m is less than 1 m from from_m, seen from above", expected="a way to follow")

    @property
    def course_deg(self) -> float:
        """Course of the line, clockwise from north."""
        (n0, e0, _), (n1, e1, _) = self.from_m, self.to_m
        return math.degrees(math.atan2(e1 - e0, n1 - n0)) % 360.0

    def marks(self, world: World) -> list[Mark]:
        """The line to follow, and a ring at its end."""
        line = {
            "kind": "line",
            "points": [list(self.from_m), list(self.to_m)],
            "colour": "#E69F00",
            "label": "pipeline",
        }
        down = [*self.to_m[:2], float(world.bottom_m(*self.to_m[:2])) - self.altitude_m]
        course = math.radians(self.course_deg)
        axis = [math.cos(course), math.sin(course), 0.0]
        end = {"kind": "ring", "center": down, "axis": axis, "radius_m": 1.5, "colour": "#009E73", "label": "end"}
        return [line, end]

    def judge(self, world: World, vehicle: Vehicle, seed: int) -> Judge:
        """Make the judge of path, altitude and heading."""
        return PipelineJudge(self, world, vehicle)


class PipelineJudge(Judge):
    """Judge of path error, altitude and heading along the line."""

    judged = ("path_error_m", "altitude_error_m", "heading_error_deg")
    shown = ("along_m",)

    def __init__(self, target: Pipeline, world: World, vehicle: Vehicle) -> None:
        self.target = target
        course = math.radians(target.course_deg)
        self._start = np.array(target.from_m[:2])
        self._ahead = np.array([math.cos(course), math.sin(course)])
        self._starboard = np.array([-math.sin(course), math.cos(course)])
        self.length_m = math.dist(target.from_m[:2], target.to_m[:2])
        super().__init__(world, vehicle)

    def evaluate(self, observation: Observation) -> Mapping[str, float]:
        """Errors relative to the axis."""
        away = observation.position_n[:2] - self._start
        return {
            "path_error_m": float(away @ self._starboard),
            "altitude_error_m": observation.altitude_m - self.target.altitude_m,
            "heading_error_deg": heading_error_deg(observation.euler[2], self.target.course_deg),
            "along_m": float(away @ self._ahead),
        }

    def is_counted(self, observation: Observation) -> bool:
        """Count along the pipe, not during the approach to its beginning."""
        return self.now["along_m"] >= 0.0

    def advance(self, observation: Observation) -> None:
        """Update the farthest point reached inside the corridor; the task is completed at the end of the line."""
        if abs(self.now["path_error_m"]) <= self.target.corridor_m:
            share = self.now["along_m"] / self.length_m
            # Progress never falls, also if the vehicle turns back.
            self.progress = max(self.progress, min(max(share, 0.0), 1.0))
        self.completed = self.progress >= 1.0
