"""Task: reach and hold a depth and a heading at cruising speed.

A REMUS 100 cruises at 1.5 m/s, 15 m deep. The setpoints are a depth from 5 to 25 m and a heading within 90 deg of the
initial one; both change half-way through the episode. With z the depth error, e the heading error, u the speed ahead, a
the action:

    reward = 0.5 / (1 + (z / 1 m)^2) + 0.3 / (1 + (e / 0.2)^2)
             + 0.1 / (1 + ((u - 1.5) / 0.5 m/s)^2) + 0.1 (1 - mean a^2)                        from 0 to 1

The episode fails at the surface (above 0.5 m), below 45 m, and at a pitch beyond 60 deg.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pelagos.batch.batch import Batch
from pelagos.learn.observation import HEADING, RATES, TILT, Field, MotionArrays, nearness, wrapped, write_columns
from pelagos.learn.randomise import Draws
from pelagos.learn.task import Array, Indices, StepOutcome, Task

SPEED_M_S, START_M = 1.5, 15.0
# 45 m leaves 5 m to the seabed of the default world
SHALLOW_M, DEEP_M, STEEP = 0.5, 45.0, np.radians(60.0)
DEPTH = Field("depth_error_m", "m", 5.0, "depth asked for less the depth", noise=0.05)


def out_of_water_or_range(true: MotionArrays, out: NDArray[np.bool_]) -> None:
    """Write which vehicles are at the surface, too deep, or pitched too steeply."""
    depth = true.position_n[:, 2]
    np.logical_or(depth < SHALLOW_M, depth > DEEP_M, out=out)
    out |= np.abs(true.euler[:, 1]) > STEEP


class DepthHeading(Task):
    """Reach and hold a depth and a heading, which change half-way."""

    key = "DepthHeading"
    vehicle = "remus100"
    episode_s = 60.0
    fields: ClassVar[tuple[Field, ...]] = (DEPTH, *HEADING, *TILT, *RATES)
    ranges: ClassVar = {"damping": (0.9, 1.1), "added_mass": (0.9, 1.1), "thrust": (0.9, 1.1)}

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.depth_m, self.heading = np.zeros(n), np.zeros(n)
        self._next_depth_m, self._next_heading = np.zeros(n), np.zeros(n)
        self.error_m, self.turn = np.zeros(n), np.zeros(n)
        self._half = round(0.5 * self.episode_s * self.rate_hz)

    def begin(self, batch: Batch, where: Indices, draws: Draws) -> None:
        """Place the vehicles level at cruising speed, and draw both pairs of setpoints."""
        heading = draws.uniform("heading", -np.pi, np.pi)
        self.depth_m[where] = draws.uniform("depth asked for", 5.0, 25.0)
        self.heading[where] = wrapped(heading + draws.uniform("turn asked for", -0.5 * np.pi, 0.5 * np.pi))
        self._next_depth_m[where] = draws.uniform("second depth", 5.0, 25.0)
        second = draws.uniform("second turn", -0.5 * np.pi, 0.5 * np.pi)
        self._next_heading[where] = wrapped(self.heading[where] + second)
        batch.place(where, depth_m=START_M, heading_deg=np.degrees(heading), surge_m_s=SPEED_M_S)
        self.error_m[where] = self.depth_m[where] - START_M
        self.turn[where] = wrapped(self.heading[where] - heading)

    def during(self, batch: Batch, steps: Indices) -> None:
        """Change the setpoints half-way through the episode."""
        now = steps == self._half
        np.copyto(self.depth_m, self._next_depth_m, where=now)
        np.copyto(self.heading, self._next_heading, where=now)

    def observe(self, motion: MotionArrays, out: NDArray[np.float32]) -> None:
        """Write depth error, heading error, tilt and rates."""
        depth = self.depth_m - motion.position_n[:, 2]
        turn = self.heading - motion.euler[:, 2]
        write_columns(out, depth, np.sin(turn), np.cos(turn), motion.euler[:, :2], motion.nu)

    def judge(self, true: MotionArrays, batch: Batch, effort: Array, left: Indices, outcome: StepOutcome) -> None:
        """Write the reward and the ends that the module states."""
        self.error_m = self.depth_m - true.position_n[:, 2]
        self.turn = wrapped(self.heading - true.euler[:, 2])
        outcome.reward[:] = 0.5 * nearness(self.error_m, 1.0) + 0.3 * nearness(self.turn, 0.2)
        outcome.reward += 0.1 * nearness(true.nu[:, 0] - SPEED_M_S, 0.5) + 0.1 * (1.0 - effort)
        out_of_water_or_range(true, outcome.failed)

    def measures(self) -> dict[str, NDArray[Any]]:
        """Return the errors of depth and heading."""
        return {"depth_error_m": self.error_m, "heading_error_deg": np.degrees(self.turn)}

    def setpoints(self, motion: MotionArrays) -> dict[str, Array]:
        """Return depth, heading and cruising speed."""
        speed = np.full(self.n, SPEED_M_S)
        return {"depth_m": self.depth_m, "heading_deg": np.degrees(self.heading), "speed_m_s": speed}

    def scene(self, i: int) -> dict[str, Any]:
        """Return a line from the origin along the heading setpoint, at the depth setpoint."""
        along = np.array([np.cos(self.heading[i]), np.sin(self.heading[i]), 0.0])
        ends = np.array([[0.0], [100.0]]) * along
        ends[:, 2] = self.depth_m[i]
        return {"target": None, "line": ends, "depth_m": self.depth_m[i]}
