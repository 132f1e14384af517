"""Task: follow a straight line over ground at a depth, in a current.

A REMUS 100 at 1.5 m/s starts up to 20 m beside a line of any course through the origin, within 45 deg of its course and
3 m of its depth. With y the distance to starboard of the line, z the depth error, s the speed along it, a the action:

    reward = 0.5 / (1 + (y / 2 m)^2) + 0.2 / (1 + (z / 1 m)^2) + 0.2 min(max(s / 1.5, 0), 1) + 0.1 (1 - mean a^2)

from 0 to 1. The episode fails 60 m off the line, at the surface, below 45 m, and at a pitch beyond 60 deg.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pelagos.batch.batch import Batch
from pelagos.learn.observation import RATES, TILT, Field, MotionArrays, in_ned, nearness, wrapped, write_columns
from pelagos.learn.randomise import Draws
from pelagos.learn.task import Array, Indices, StepOutcome, Task
from pelagos.learn.tasks.depth_heading import DEPTH, SPEED_M_S, out_of_water_or_range

FAR_M = 60.0
AHEAD_M = 15.0  # lookahead distance of the line-of-sight guidance: ten seconds at cruising speed
CROSS = Field("cross_track_m", "m", 10.0, "distance to starboard of the line", noise=0.2)
COURSE = (
    Field("sin_course_error", "1", 1.0, "of the course of the line less the heading", limit=1.0),
    Field("cos_course_error", "1", 1.0, "of the same angle", limit=1.0),
)


class TracklineFollowing(Task):
    """Follow a straight line over ground at a depth."""

    key = "Trackline"
    vehicle = "remus100"
    episode_s = 90.0
    fields: ClassVar[tuple[Field, ...]] = (CROSS, *COURSE, DEPTH, *TILT, *RATES)
    ranges: ClassVar = {
        "current_m_s": (0.0, 0.4), "damping": (0.9, 1.1), "added_mass": (0.9, 1.1), "thrust": (0.9, 1.1),
    }  # fmt: skip

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.course, self.depth_m = np.zeros(n), np.zeros(n)
        self.cross_m, self.error_m = np.zeros(n), np.zeros(n)

    def begin(self, batch: Batch, where: Indices, draws: Draws) -> None:
        """Place the vehicles beside the line at cruising speed."""
        course = draws.uniform("course", -np.pi, np.pi)
        cross = draws.uniform("offset", -20.0, 20.0)
        depth = draws.uniform("depth of the line", 8.0, 20.0)
        error = draws.uniform("depth off", -3.0, 3.0)
        heading = course + draws.uniform("heading off", -0.25 * np.pi, 0.25 * np.pi)
        batch.place(
            where, north_m=-cross * np.sin(course), east_m=cross * np.cos(course), depth_m=depth - error,
            heading_deg=np.degrees(heading), surge_m_s=SPEED_M_S,
        )  # fmt: skip
        self.course[where], self.depth_m[where] = course, depth
        self.cross_m[where], self.error_m[where] = cross, error

    def _cross(self, position_n: Array) -> Array:
        return position_n[:, 1] * np.cos(self.course) - position_n[:, 0] * np.sin(self.course)

    def observe(self, motion: MotionArrays, out: NDArray[np.float32]) -> None:
        """Write cross-track distance, course error, depth error, tilt and rates."""
        cross, depth = self._cross(motion.position_n), self.depth_m - motion.position_n[:, 2]
        turn = self.course - motion.euler[:, 2]
        write_columns(out, cross, np.sin(turn), np.cos(turn), depth, motion.euler[:, :2], motion.nu)

    def judge(self, true: MotionArrays, batch: Batch, effort: Array, left: Indices, outcome: StepOutcome) -> None:
        """Write the reward and the ends that the module states."""
        self.cross_m = self._cross(true.position_n)
        self.error_m = self.depth_m - true.position_n[:, 2]
        over_ground = in_ned(true.nu[:, :3], true.euler)
        along = over_ground[:, 0] * np.cos(self.course) + over_ground[:, 1] * np.sin(self.course)
        outcome.reward[:] = 0.5 * nearness(self.cross_m, 2.0) + 0.2 * nearness(self.error_m, 1.0)
        outcome.reward += 0.2 * np.clip(along / SPEED_M_S, 0.0, 1.0) + 0.1 * (1.0 - effort)
        out_of_water_or_range(true, outcome.failed)
        outcome.failed |= np.abs(self.cross_m) > FAR_M

    def measures(self) -> dict[str, NDArray[Any]]:
        """Return cross-track distance and depth error."""
        return {"cross_track_m": self.cross_m, "depth_error_m": self.error_m}

    def setpoints(self, motion: MotionArrays) -> dict[str, Array]:
        """Return a heading to a point of the line ahead, its depth and cruising speed."""
        heading = np.degrees(wrapped(self.course - np.arctan2(self._cross(motion.position_n), AHEAD_M)))
        return {"depth_m": self.depth_m, "heading_deg": heading, "speed_m_s": np.full(self.n, SPEED_M_S)}

    def scene(self, i: int) -> dict[str, Any]:
        """Return the line."""
        along = np.array([np.cos(self.course[i]), np.sin(self.course[i]), 0.0])
        return {
            "target": None,
            "line": np.array([[-20.0], [150.0]]) * along + (0.0, 0.0, self.depth_m[i]),
            "depth_m": self.depth_m[i],
        }
