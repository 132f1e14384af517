"""Task: enter a docking garage and stop in it.

The garage is that of the pilot training (`training.targets.docking`): two walls, a roof and a back, 1 m long and wide;
the hull can touch them. A BlueROV2 Heavy starts 3 to 6 m in front of its opening, up to 1.5 m to the side and 0.8 m
above or below, within 30 deg of the direction of entry. With d the distance to the place inside, e the heading error, a
the action:

    reward = 0.6 / (1 + (d / 1 m)^2) + 0.2 / (1 + (e / 0.3)^2) + 0.1 (1 - mean a^2) + 0.1 if nothing is touched

from 0 to 1. The episode succeeds after 1 s within 0.2 m and 10 deg, slower than 0.1 m/s; the reward of the last step
then includes 1 for each remaining step, as if the vehicle stayed there. It fails beyond 12 m.
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
from pelagos.training.targets.docking import DockingTarget
from pelagos.world.spec import World

GARAGE = DockingTarget(place_m=(0.0, 0.0, 10.0), heading_deg=0.0)
PLACE_N = np.array(GARAGE.place_m)
WITHIN_M, WITHIN, SLOW_M_S, HOLD_S, FAR_M = 0.2, np.radians(10.0), 0.1, 1.0, 12.0
TOUCHING = Field("touching", "1", 1.0, "1 while the hull touches something", limit=1.0)


class Docking(Task):
    """Enter a docking garage and stop in it."""

    key = "Docking"
    vehicle = "bluerov2_heavy"
    episode_s = 60.0
    fields: ClassVar[tuple[Field, ...]] = (*PLACE, *HEADING, *TILT, *RATES, TOUCHING)
    ranges: ClassVar = {
        "current_m_s": (0.0, 0.15), "damping": (0.8, 1.2), "added_mass": (0.9, 1.1), "thrust": (0.9, 1.1),
    }  # fmt: skip

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.distance_m, self.turn = np.zeros(n), np.zeros(n)
        self._touching, self._inside = np.zeros(n, bool), np.zeros(n)  # steps inside in a row
        self._hold = round(HOLD_S * self.rate_hz)

    def world(self) -> World:
        """Return a world with the garage in mid-water."""
        bare = World(depth_m=40.0)
        return World(depth_m=40.0, structures=GARAGE.solids(bare, 0))

    def begin(self, batch: Batch, where: Indices, draws: Draws) -> None:
        """Place the vehicles in front of the opening, which faces south."""
        north = -0.5 - draws.uniform("before", 3.0, 6.0)
        east, up = draws.uniform("beside", -1.5, 1.5), draws.uniform("above", -0.8, 0.8)
        heading = draws.uniform("heading", -30.0, 30.0)
        batch.place(where, north_m=north, east_m=east, depth_m=PLACE_N[2] - up, heading_deg=heading)
        self.distance_m[where] = np.sqrt(north * north + east * east + up * up)
        self.turn[where] = -np.radians(heading)
        self._touching[where], self._inside[where] = False, 0.0

    def observe(self, motion: MotionArrays, out: NDArray[np.float32]) -> None:
        """Write the vector to the place in body axes, heading error, tilt, rates and contact."""
        target = in_body(PLACE_N - motion.position_n, motion.euler)
        turn = np.radians(GARAGE.heading_deg) - motion.euler[:, 2]
        write_columns(out, target, np.sin(turn), np.cos(turn), motion.euler[:, :2], motion.nu, self._touching)

    def judge(self, true: MotionArrays, batch: Batch, effort: Array, left: Indices, outcome: StepOutcome) -> None:
        """Write the reward and the ends that the module states."""
        self.distance_m = np.linalg.norm(true.position_n - PLACE_N, axis=1)
        self.turn = wrapped(np.radians(GARAGE.heading_deg) - true.euler[:, 2])
        np.greater(batch.view.touching, 0, out=self._touching)
        slow = np.linalg.norm(true.nu[:, :3], axis=1) < SLOW_M_S
        inside = slow & (self.distance_m < WITHIN_M) & (np.abs(self.turn) < WITHIN)
        self._inside = np.where(inside, self._inside + 1.0, 0.0)
        np.greater_equal(self._inside, self._hold, out=outcome.succeeded)
        outcome.reward[:] = 0.6 * nearness(self.distance_m, 1.0) + 0.2 * nearness(self.turn, 0.3)
        outcome.reward += 0.1 * (1.0 - effort) + 0.1 * ~self._touching
        outcome.reward += np.where(outcome.succeeded, np.maximum(left, 0), 0.0)
        np.greater(self.distance_m, FAR_M, out=outcome.failed)

    def measures(self) -> dict[str, NDArray[Any]]:
        """Return distance and heading error, and whether the vehicle has docked."""
        docked = self._inside >= self._hold
        return {"distance_m": self.distance_m, "heading_error_deg": np.degrees(self.turn), "is_success": docked}

    def setpoints(self, motion: MotionArrays) -> dict[str, Array]:
        """Return the place inside, at low speed."""
        north, east, depth = (np.full(self.n, x) for x in GARAGE.place_m)
        heading, speed = np.full(self.n, GARAGE.heading_deg), np.full(self.n, 0.3)
        return {"north_m": north, "east_m": east, "depth_m": depth, "heading_deg": heading, "speed_m_s": speed}

    def scene(self, i: int) -> dict[str, Any]:
        """Return the place inside, and a line along the direction of entry."""
        return {
            "target": PLACE_N,
            "line": PLACE_N - np.array([[3.5, 0.0, 0.0], [0.0, 0.0, 0.0]]),
            "depth_m": PLACE_N[2],
        }
