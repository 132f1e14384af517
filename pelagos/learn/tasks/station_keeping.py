"""Task: hold a position and a heading in a current.

A BlueROV2 Heavy starts within 2 m of the target, which is 10 m deep, with any heading. With d the distance, e the
heading error and a the action:

    reward = 0.7 / (1 + (d / 0.5 m)^2) + 0.2 / (1 + (e / 0.3)^2) + 0.1 (1 - mean a^2)          from 0 to 1

The episode fails beyond 8 m. No reward is negative, so an early end never pays.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pelagos.batch.batch import Batch
from pelagos.learn.observation import (
    HEADING,
    PLACE,
    RATES,
    TILT,
    Field,
    MotionArrays,
    in_body,
    nearness,
    wrapped,
    write_columns,
)
from pelagos.learn.randomise import Draws
from pelagos.learn.task import Array, Indices, StepOutcome, Task
from pelagos.world.spec import World

START_M, FAR_M, DEPTH_M = 2.0, 8.0, 10.0


class StationKeeping(Task):
    """Hold a position and a heading in a current."""

    key = "StationKeeping"
    vehicle = "bluerov2_heavy"
    episode_s = 40.0
    fields: ClassVar[tuple[Field, ...]] = (*PLACE, *HEADING, *TILT, *RATES)
    ranges: ClassVar = {
        "current_m_s": (0.0, 0.4), "damping": (0.8, 1.2), "added_mass": (0.9, 1.1), "thrust": (0.9, 1.1),
    }  # fmt: skip

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.target_n, self.heading = np.zeros((n, 3)), np.zeros(n)
        self.distance_m, self.turn = np.zeros(n), np.zeros(n)

    def world(self) -> World:
        """Return calm water, too deep for contact with the seabed."""
        return World(depth_m=40.0)

    def begin(self, batch: Batch, where: Indices, draws: Draws) -> None:
        """Place the vehicles in a sphere around the target, at rest over ground."""
        self.target_n[where] = 0.0, 0.0, DEPTH_M
        self.heading[where] = draws.uniform("heading asked for", -np.pi, np.pi)
        to, up = draws.uniform("bearing", -np.pi, np.pi), draws.uniform("up", -1.0, 1.0)
        far = START_M * draws.uniform("distance") ** (1.0 / 3.0)  # uniform density in the sphere
        flat = far * np.sqrt(1.0 - up * up)
        heading = draws.uniform("heading", -180.0, 180.0)
        batch.place(
            where, north_m=flat * np.cos(to), east_m=flat * np.sin(to), depth_m=DEPTH_M - far * up, heading_deg=heading,
        )  # fmt: skip
        away = np.stack([flat * np.cos(to), flat * np.sin(to), -far * up], axis=1)
        self.distance_m[where] = np.linalg.norm(away, axis=1)
        self.turn[where] = wrapped(self.heading[where] - np.radians(heading))

    def observe(self, motion: MotionArrays, out: NDArray[np.float32]) -> None:
        """Write the vector to the target in body axes, heading error, tilt and rates."""
        target = in_body(self.target_n - motion.position_n, motion.euler)
        turn = self.heading - motion.euler[:, 2]
        write_columns(out, target, np.sin(turn), np.cos(turn), motion.euler[:, :2], motion.nu)

    def judge(self, true: MotionArrays, batch: Batch, effort: Array, left: Indices, outcome: StepOutcome) -> None:
        """Write the reward and the ends that the module states."""
        self.distance_m = np.linalg.norm(self.target_n - true.position_n, axis=1)
        self.turn = wrapped(self.heading - true.euler[:, 2])
        outcome.reward[:] = 0.7 * nearness(self.distance_m, 0.5) + 0.2 * nearness(self.turn, 0.3) + 0.1 * (1.0 - effort)
        np.greater(self.distance_m, FAR_M, out=outcome.failed)

    def measures(self) -> dict[str, NDArray[Any]]:
        """Return distance and heading error."""
        return {"distance_m": self.distance_m, "heading_error_deg": np.degrees(self.turn)}

    def setpoints(self, motion: MotionArrays) -> dict[str, Array]:
        """Return position, depth and heading."""
        north, east, depth = self.target_n.T
        return {"north_m": north, "east_m": east, "depth_m": depth, "heading_deg": np.degrees(self.heading)}

    def scene(self, i: int) -> dict[str, Any]:
        """Return the target."""
        return {"target": self.target_n[i], "line": None, "depth_m": self.target_n[i, 2]}
