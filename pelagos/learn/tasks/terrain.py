"""Task: follow hilly terrain at an altitude by sonar.

A Gavia at 2.5 m/s starts anywhere over a hilly seabed (28 to 36 m, slopes up to 9 deg, about what its planes can
climb), with any heading, 4 to 10 m above it. Its setpoints are an altitude of 6 m and the initial heading. It measures
the seabed by seven beams of a forward-looking fan in its plane of symmetry, from 10 deg above the bow to straight down,
up to 60 m: rays through `World.cast`, of all environments in one call. With h the error of altitude, e that of heading,
u the speed ahead and a the action:

    reward = 0.6 / (1 + (h / 1.5 m)^2) + 0.2 / (1 + (e / 0.2)^2)
             + 0.1 / (1 + ((u - 2.5) / 0.5 m/s)^2) + 0.1 (1 - mean a^2)                        from 0 to 1

The episode fails if the hull touches the seabed, below an altitude of 0.8 m, above 25 m, at the surface and at a pitch
beyond 60 deg.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pelagos.batch.batch import Batch
from pelagos.learn.observation import (
    HEADING,
    RATES,
    TILT,
    Field,
    MotionArrays,
    in_ned,
    nearness,
    wrapped,
    write_columns,
)
from pelagos.learn.randomise import Draws
from pelagos.learn.task import Array, Indices, StepOutcome, Task
from pelagos.learn.tasks.depth_heading import out_of_water_or_range
from pelagos.world.seabed.seabed import Seabed
from pelagos.world.spec import World

ALTITUDE_M, SPEED_M_S, RANGE_M = 6.0, 2.5, 60.0
LOW_M, HIGH_M = 0.8, 25.0
BEAMS_DEG = (-10.0, 5.0, 20.0, 35.0, 50.0, 70.0, 90.0)  # below the bow
# the map ends 300 m north and east of the origin: starts within 120 m of both leave room for 60 s at 2.5 m/s
HALF_M, SPACING_M, START_M = 300.0, 5.0, 120.0
BEAMS = tuple(
    Field(f"beam_{deg:g}_m", "m", 20.0, f"range of the beam {deg:g} deg below the bow, 60 m if it meets nothing",
          noise=0.1)
    for deg in BEAMS_DEG
)  # fmt: skip


def hills() -> World:
    """Return a world whose seabed is the sum of three sine waves: smooth, varied, and equal in every run."""
    x = np.arange(-HALF_M, HALF_M + SPACING_M, SPACING_M)
    north, east = np.meshgrid(x, x, indexing="ij")
    turn = 2.0 * np.pi
    depth = 32.0 + 2.8 * np.sin(turn * north / 240.0) * np.cos(turn * east / 280.0)
    depth += 0.8 * np.sin(turn * (0.8 * north + 0.6 * east) / 110.0) + 0.4 * np.cos(turn * east / 75.0)
    rows = tuple(tuple(row) for row in depth.round(3).tolist())
    return World(seabed=Seabed(kind="grid", depths_m=rows, spacing_m=SPACING_M, origin_m=(-HALF_M, -HALF_M)))


class TerrainFollowing(Task):
    """Follow hilly terrain at an altitude by sonar."""

    key = "TerrainFollowing"
    vehicle = "gavia"
    episode_s = 60.0
    over_bottom = True
    fields: ClassVar[tuple[Field, ...]] = (*BEAMS, *HEADING, *TILT, *RATES)
    ranges: ClassVar = {"current_m_s": (0.0, 0.2), "damping": (0.9, 1.1), "thrust": (0.9, 1.1)}

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self._world = hills()
        self.heading = np.zeros(n)
        self.error_m, self.turn = np.zeros(n), np.zeros(n)
        self.beams_m = np.full((n, len(BEAMS)), RANGE_M)
        down = np.radians(BEAMS_DEG)
        self._beams_b = np.stack([np.cos(down), np.zeros(len(down)), np.sin(down)], axis=1)
        self._depth_m = np.zeros(n)  # of the bottom below, for the picture

    def world(self) -> World:
        """Return the world with the hilly seabed."""
        return self._world

    def begin(self, batch: Batch, where: Indices, draws: Draws) -> None:
        """Place the vehicles level at cruising speed over the seabed."""
        north, east = draws.uniform("north", -START_M, START_M), draws.uniform("east", -START_M, START_M)
        altitude = draws.uniform("altitude", 4.0, 10.0)
        heading = draws.uniform("heading", -np.pi, np.pi)
        bottom = self._world.bottom_m(north, east)
        batch.place(
            where, north_m=north, east_m=east, depth_m=bottom - altitude, heading_deg=np.degrees(heading),
            surge_m_s=SPEED_M_S,
        )  # fmt: skip
        self.heading[where], self.turn[where] = heading, 0.0
        self.error_m[where], self._depth_m[where] = ALTITUDE_M - altitude, bottom

    def sense(self, true: MotionArrays, where: Indices | None) -> None:
        """Measure the beams of all environments in one ray cast."""
        rows = slice(None) if where is None else where
        place, euler = true.position_n[rows], true.euler[rows]
        m, k = len(place), len(BEAMS_DEG)
        along = in_ned(np.tile(self._beams_b, (m, 1)), np.repeat(euler, k, axis=0))
        hits = self._world.cast(np.repeat(place, k, axis=0), along, max_range_m=RANGE_M)
        self.beams_m[rows] = np.minimum(hits.range_m, RANGE_M).reshape(m, k)

    def observe(self, motion: MotionArrays, out: NDArray[np.float32]) -> None:
        """Write beams, heading error, tilt and rates."""
        turn = self.heading - motion.euler[:, 2]
        write_columns(out, self.beams_m, np.sin(turn), np.cos(turn), motion.euler[:, :2], motion.nu)

    def judge(self, true: MotionArrays, batch: Batch, effort: Array, left: Indices, outcome: StepOutcome) -> None:
        """Write the reward and the ends that the module states."""
        self._depth_m = true.position_n[:, 2] + true.altitude_m
        self.error_m = ALTITUDE_M - true.altitude_m
        self.turn = wrapped(self.heading - true.euler[:, 2])
        outcome.reward[:] = 0.6 * nearness(self.error_m, 1.5) + 0.2 * nearness(self.turn, 0.2)
        outcome.reward += 0.1 * nearness(true.nu[:, 0] - SPEED_M_S, 0.5) + 0.1 * (1.0 - effort)
        out_of_water_or_range(true, outcome.failed)
        outcome.failed |= (true.altitude_m < LOW_M) | (true.altitude_m > HIGH_M) | (batch.view.touching > 0)

    def measures(self) -> dict[str, NDArray[Any]]:
        """Return the errors of altitude and heading."""
        return {"altitude_error_m": self.error_m, "heading_error_deg": np.degrees(self.turn)}

    def setpoints(self, motion: MotionArrays) -> dict[str, Array]:
        """Return the depth of the altitude setpoint here, heading and speed; the autopilot does not look ahead."""
        depth = np.maximum(motion.position_n[:, 2] + motion.altitude_m - ALTITUDE_M, 1.0)
        speed = np.full(self.n, SPEED_M_S)
        return {"depth_m": depth, "heading_deg": np.degrees(self.heading), "speed_m_s": speed}

    def scene(self, i: int) -> dict[str, Any]:
        """Return the depth of the altitude setpoint; the renderer draws the seabed itself."""
        return {"target": None, "line": None, "depth_m": self._depth_m[i] - ALTITUDE_M}
