"""Task: follow a pipeline with bends at an altitude.

The pipe lies on a flat seabed 20 m deep, in nine straight pieces with bends of up to 40 deg; rays and hulls hit it. A
BlueROV2 Heavy starts somewhere over its first half, up to 1.5 m beside it and within 40 deg of its direction. Its
setpoints are 1.5 m above the seabed and 0.4 m/s. With y the horizontal distance to the pipe, h the error of altitude, e
the angle between heading and pipe, s the speed along it:

    reward = 0.4 / (1 + (y / 0.5 m)^2) + 0.2 / (1 + (h / 0.5 m)^2) + 0.2 / (1 + (e / 0.3)^2)
             + 0.2 min(max(s / 0.4, 0), 1)                                                      from 0 to 1

The episode succeeds at the end of the pipe; the reward of the last step then includes 1 for each remaining step. It
fails 5 m off the pipe, and above an altitude of 6 m.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pelagos.batch.batch import Batch
from pelagos.learn.observation import RATES, TILT, Field, MotionArrays, in_ned, nearness, wrapped, write_columns
from pelagos.learn.randomise import Draws
from pelagos.learn.task import Array, Indices, StepOutcome, Task
from pelagos.world.spec import World
from pelagos.world.structure import Structure

BOTTOM_M, RADIUS_M, ALTITUDE_M, SPEED_M_S, AHEAD_M = 20.0, 0.2, 1.5, 0.4, 2.0
PIECE_M = 10.0
TURNS_DEG = (0.0, 25.0, 15.0, -30.0, -40.0, 10.0, 40.0, -20.0, 30.0)  # of each piece against the one before
FAR_M, HIGH_M = 5.0, 6.0
FIELDS = (
    Field("cross_track_m", "m", 1.0, "distance to starboard of the pipe", noise=0.05),
    Field("sin_pipe_angle", "1", 1.0, "of the direction of the nearest piece less the heading", limit=1.0),
    Field("cos_pipe_angle", "1", 1.0, "of the same angle", limit=1.0),
    Field("sin_ahead_angle", "1", 1.0, "the same of the pipe 2 m further on", limit=1.0),
    Field("cos_ahead_angle", "1", 1.0, "of the same angle", limit=1.0),
    Field("altitude_error_m", "m", 1.0, "altitude asked for less the altitude", noise=0.05),
)


class PipeRoute:
    """The route of the pipe in the horizontal plane: a polyline of pieces of equal length."""

    def __init__(self) -> None:
        self.course = np.cumsum(np.radians(TURNS_DEG))
        along = np.stack([np.cos(self.course), np.sin(self.course)], axis=1)
        self.along = along
        self.corners = np.vstack([np.zeros((1, 2)), np.cumsum(PIECE_M * along, axis=0)])
        self.length_m = PIECE_M * len(along)

    def nearest(self, place: Array) -> tuple[NDArray[np.int64], Array, Array, Array]:
        """Return for places (n, 2) the nearest piece, distance along the route, cross-track distance and distance.

        The cross-track distance is that to starboard of the piece's line. The distance is larger before the start,
        beyond the end and outside a bend.
        """
        away = place[:, None, :] - self.corners[None, :-1, :]
        on = np.clip((away * self.along).sum(axis=2), 0.0, PIECE_M)
        off = away - on[:, :, None] * self.along
        square = (off * off).sum(axis=2)
        piece = np.argmin(square, axis=1)
        rows = np.arange(len(place))
        x, y = away[rows, piece].T
        cross = y * self.along[piece, 0] - x * self.along[piece, 1]
        return piece, piece * PIECE_M + on[rows, piece], cross, np.sqrt(square[rows, piece])

    def at(self, along_m: Array) -> tuple[NDArray[np.int64], Array]:
        """Return the piece and place (n, 2) at distances along the route."""
        piece = np.clip((along_m / PIECE_M).astype(np.int64), 0, len(self.along) - 1)
        return piece, self.corners[piece] + (along_m - piece * PIECE_M)[:, None] * self.along[piece]


class PipelineFollowing(Task):
    """Follow a pipeline at an altitude."""

    key = "PipelineFollowing"
    vehicle = "bluerov2_heavy"
    episode_s = 60.0
    fields: ClassVar[tuple[Field, ...]] = (*FIELDS, *TILT, *RATES)
    ranges: ClassVar = {
        "current_m_s": (0.0, 0.2), "damping": (0.8, 1.2), "added_mass": (0.9, 1.1), "thrust": (0.9, 1.1),
    }  # fmt: skip

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.route = PipeRoute()
        self.cross_m, self.along_m, self.error_m, self.turn = np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n)
        self._ended = np.zeros(n, bool)

    def world(self) -> World:
        """Return a flat seabed with the pipe on it."""
        axis = BOTTOM_M - RADIUS_M
        corners = self.route.corners.tolist()
        pipes = tuple(
            Structure(kind="cylinder", name=f"pipe {k}", from_m=(*a, axis), to_m=(*b, axis), radius_m=RADIUS_M)
            for k, (a, b) in enumerate(pairwise(corners))
        )
        return World(depth_m=BOTTOM_M, structures=pipes)

    def begin(self, batch: Batch, where: Indices, draws: Draws) -> None:
        """Place the vehicles over the first half of the pipe."""
        piece, place = self.route.at(draws.uniform("way made", 0.0, 0.5 * self.route.length_m))
        course, cross = self.route.course[piece], draws.uniform("beside", -1.5, 1.5)
        heading = course + np.radians(draws.uniform("heading off", -40.0, 40.0))
        north, east = place[:, 0] - cross * np.sin(course), place[:, 1] + cross * np.cos(course)
        depth = BOTTOM_M - ALTITUDE_M - draws.uniform("above", -0.5, 1.0)
        batch.place(where, north_m=north, east_m=east, depth_m=depth, heading_deg=np.degrees(heading))
        _, self.along_m[where], self.cross_m[where], _ = self.route.nearest(np.stack([north, east], axis=1))
        self.error_m[where] = ALTITUDE_M - (BOTTOM_M - depth)
        self.turn[where], self._ended[where] = wrapped(course - heading), False

    def observe(self, motion: MotionArrays, out: NDArray[np.float32]) -> None:
        """Write cross-track distance, direction of the pipe here and ahead, altitude error, tilt and rates."""
        piece, along, cross, _ = self.route.nearest(motion.position_n[:, :2])
        ahead, _ = self.route.at(np.minimum(along + AHEAD_M, self.route.length_m))
        here, there = (self.route.course[index] - motion.euler[:, 2] for index in (piece, ahead))
        angles = np.sin(here), np.cos(here), np.sin(there), np.cos(there)
        altitude = ALTITUDE_M - (BOTTOM_M - motion.position_n[:, 2])
        write_columns(out, cross, *angles, altitude, motion.euler[:, :2], motion.nu)

    def judge(self, true: MotionArrays, batch: Batch, effort: Array, left: Indices, outcome: StepOutcome) -> None:
        """Write the reward and the ends that the module states."""
        piece, self.along_m, self.cross_m, off = self.route.nearest(true.position_n[:, :2])
        altitude = BOTTOM_M - true.position_n[:, 2]
        self.error_m = ALTITUDE_M - altitude
        self.turn = wrapped(self.route.course[piece] - true.euler[:, 2])
        speed = (in_ned(true.nu[:, :3], true.euler)[:, :2] * self.route.along[piece]).sum(axis=1)
        outcome.reward[:] = 0.4 * nearness(off, 0.5) + 0.2 * nearness(self.error_m, 0.5)
        outcome.reward += 0.2 * nearness(self.turn, 0.3) + 0.2 * np.clip(speed / SPEED_M_S, 0.0, 1.0)
        np.greater_equal(self.along_m, self.route.length_m, out=self._ended)
        outcome.succeeded[:] = self._ended
        outcome.reward += np.where(self._ended, np.maximum(left, 0), 0.0)
        np.logical_or(off > FAR_M, altitude > HIGH_M, out=outcome.failed)

    def measures(self) -> dict[str, NDArray[Any]]:
        """Return the errors, the distance along the pipe, and whether its end was reached."""
        return {
            "cross_track_m": self.cross_m, "altitude_error_m": self.error_m, "along_m": self.along_m,
            "is_success": self._ended,
        }  # fmt: skip

    def setpoints(self, motion: MotionArrays) -> dict[str, Array]:
        """Return a heading to a point of the pipe ahead, depth and speed."""
        piece, _, cross, _ = self.route.nearest(motion.position_n[:, :2])
        heading = np.degrees(wrapped(self.route.course[piece] - np.arctan2(cross, AHEAD_M)))
        depth, speed = np.full(self.n, BOTTOM_M - ALTITUDE_M), np.full(self.n, SPEED_M_S)
        return {"depth_m": depth, "heading_deg": heading, "speed_m_s": speed}

    def scene(self, i: int) -> dict[str, Any]:
        """Return the line of the pipe."""
        line = np.column_stack([self.route.corners, np.full(len(self.route.corners), BOTTOM_M - RADIUS_M)])
        return {"target": None, "line": line, "depth_m": BOTTOM_M - ALTITUDE_M}
