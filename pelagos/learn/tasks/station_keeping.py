"""Hold a place and a heading in a current.

A BlueROV2 Heavy starts within 2 m of the place, which is 10 m deep, with any heading. With d the distance, e the
heading error and a the action:

    reward = 0.7 / (1 + (d / 0.5 m)^2) + 0.2 / (1 + (e / 0.3)^2) + 0.1 (1 - mean a^2)          from 0 to 1

The episode fails beyond 8 m. Since no step is worth less than nothing, ending early is never worth while.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pelagos.batch.batch import Batch
from pelagos.learn.observation import HEADING, PLACE, RATES, TILT, Field, MotionArrays, in_body, nearness, wrapped
from pelagos.learn.randomise import Draws
from pelagos.learn.task import Array, Indices, StepOutcome, Task
from pelagos.world.spec import World

START_M, FAR_M, DEPTH_M = 2.0, 8.0, 10.0


class StationKeeping(Task):
    """Stay where you are told, whatever the water does."""

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
        """Calm water, deep enough never to touch."""
        return World(depth_m=40.0)

    def begin(self, batch: Batch, where: Indices, draws: Draws) -> None:
        """Somewhere in a sphere about the place, at rest over ground."""
        self.target_n[where] = 0.0, 0.0, DEPTH_M
        self.heading[where] = draws.uniform("heading asked for", -np.pi, np.pi)
        to, up = draws.uniform("bearing", -np.pi, np.pi), draws.uniform("up", -1.0, 1.0)
        far = START_M * draws.uniform("distance") ** (1.0 / 3.0)  # as likely in every litre
        flat = far * np.sqrt(1.0 - up * up)
        heading = draws.uniform("heading", -180.0, 180.0)
        batch.place(
            where, north_m=flat * np.cos(to), east_m=flat * np.sin(to), depth_m=DEPTH_M - far * up, heading_deg=heading,
        )  # fmt: skip
        away = np.stack([flat * np.cos(to), flat * np.sin(to), -far * up], axis=1)
        self.distance_m[where] = np.linalg.norm(away, axis=1)
        self.turn[where] = wrapped(self.heading[where] - np.radians(heading))

    def observe(self, motion: MotionArrays, out: NDArray[np.float32]) -> None:
        """The way to the target in body axes, the turn to its heading, tilt and rates."""
        out[:, 0:3] = in_body(self.target_n - motion.position_n, motion.euler)
        turn = self.heading - motion.euler[:, 2]
        out[:, 3], out[:, 4] = np.sin(turn), np.cos(turn)
        out[:, 5:7] = motion.euler[:, :2]
        out[:, 7:13] = motion.nu

    def judge(self, true: MotionArrays, batch: Batch, effort: Array, left: Indices, verdict: StepOutcome) -> None:
        """See the head of the file."""
        self.distance_m = np.linalg.norm(self.target_n - true.position_n, axis=1)
        self.turn = wrapped(self.heading - true.euler[:, 2])
        verdict.reward[:] = 0.7 * nearness(self.distance_m, 0.5) + 0.2 * nearness(self.turn, 0.3) + 0.1 * (1.0 - effort)
        np.greater(self.distance_m, FAR_M, out=verdict.failed)

    def measures(self) -> dict[str, NDArray[Any]]:
        """Distance and turn to go."""
        return {"distance_m": self.distance_m, "heading_error_deg": np.degrees(self.turn)}

    def orders(self, motion: MotionArrays) -> dict[str, Array]:
        """Place, depth and heading."""
        north, east, depth = self.target_n.T
        return {"north_m": north, "east_m": east, "depth_m": depth, "heading_deg": np.degrees(self.heading)}

    def scene(self, i: int) -> dict[str, Any]:
        """The place."""
        return {"target": self.target_n[i], "line": None, "depth_m": self.target_n[i, 2]}
