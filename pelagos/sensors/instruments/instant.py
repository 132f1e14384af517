"""The true motion and surroundings of vehicles at one instant, one row each, as all instruments take them.

A row is one flat array of floats, so that it reaches a compiled function as a single argument: for one vehicle, passing
arguments costs as much as computing with them. The functions at the end take such a row and are compiled as well.
"""

from __future__ import annotations

import math
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.frames import rotation_from_quaternion

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
Rows = NDArray[np.intp]

# columns of a row; those of the position are north, east, down, and so on, as in the arguments of `Instant`
TIME, POSITION, QUATERNION, NU, WATER = 0, 1, 4, 8, 14
BELOW, WET, POWER, FLOODED, COLUMNS = range(17, 22)
NO_ACTUATORS = np.empty((1, 0))


class Instant:
    """True motion and surroundings of n vehicles, read-only, because all instruments share it.

    Each argument is that of one vehicle, or has one row for each vehicle.

    Args:
        time_s: s.
        position_n: of O: north, east, down, m.
        quaternion: body to NED, scalar first.
        nu: u v w p q r over ground, body axes, m/s and rad/s.
        water_n: velocity of the water at O, NED, m/s.
        below_m: depth of O under the moving surface; NaN without a surface.
        wet_share: submerged share of the hull.
        thrusters: actual state of each, in the unit of its lag.
        surfaces: actual angle of each, rad.
        power_w: electric power drawn by the thrusters.
        flooded_kg: water that has come in through a leak.
    """

    __slots__ = ("_rotations", "motion", "surfaces", "thrusters", "time_s")

    time_s: Any  # a float for one vehicle, an array for several

    def __init__(
        self,
        time_s: float | Array,
        position_n: ArrayLike,
        quaternion: ArrayLike,
        nu: ArrayLike,
        water_n: ArrayLike = 0.0,
        below_m: float | Array = math.nan,
        wet_share: float | Array = 1.0,
        thrusters: Array | None = None,
        surfaces: Array | None = None,
        power_w: float | Array = 0.0,
        flooded_kg: float | Array = 0.0,
    ) -> None:
        self.time_s = time_s
        n = len(time_s) if isinstance(time_s, np.ndarray) else 1
        self.motion = motion = np.empty((n, COLUMNS))
        motion[:, TIME] = time_s
        motion[:, POSITION:QUATERNION] = position_n
        motion[:, QUATERNION:NU] = quaternion
        motion[:, NU:WATER] = nu
        motion[:, WATER:BELOW] = water_n
        motion[:, BELOW], motion[:, WET] = below_m, wet_share
        motion[:, POWER], motion[:, FLOODED] = power_w, flooded_kg
        self.thrusters = NO_ACTUATORS if thrusters is None else thrusters.reshape(n, -1)
        self.surfaces = NO_ACTUATORS if surfaces is None else surfaces.reshape(n, -1)
        self._rotations: Array | None = None

    def __len__(self) -> int:
        """Return the number of vehicles."""
        return len(self.motion)

    @classmethod
    def _of(cls, motion: Array, thrusters: Array, surfaces: Array) -> Self:
        made = object.__new__(cls)
        made.motion, made.thrusters, made.surfaces, made._rotations = motion, thrusters, surfaces, None
        made.time_s = float(motion[0, TIME]) if len(motion) == 1 else motion[:, TIME]
        return made

    @classmethod
    def series(cls, instants: list[Instant]) -> Self:
        """Return several instants of one vehicle as rows, in the order of time."""
        last = instants[-1]
        return cls._of(np.concatenate([now.motion for now in instants]), last.thrusters, last.surfaces)

    def later(self, time_s: float, motion: Array) -> Self:
        """Return a later instant of a vehicle: a new position, quaternion and nu, in the same water.

        `motion` begins with these 13 numbers. The depth changes by how far the vehicle has sunk.
        """
        row = self.motion.copy()
        row[0, TIME] = time_s
        row[0, POSITION:WATER] = motion[: WATER - POSITION]
        row[0, BELOW] += row[0, POSITION + 2] - self.motion[0, POSITION + 2]
        return self._of(row, self.thrusters, self.surfaces)

    def some(self, rows: Rows) -> Instant:
        """Return the rows of some vehicles; of all without a copy."""
        if len(rows) == len(self.motion):
            return self
        # thrusters and surfaces may be unknown: one row without columns
        k, s = (x[rows] if len(x) == len(self.motion) else x for x in (self.thrusters, self.surfaces))
        return self._of(self.motion[rows], k, s)

    @property
    def R_nb(self) -> Array:
        """Rotation matrices from body to NED axes, (n, 3, 3)."""
        if self._rotations is None:
            self._rotations = rotation_from_quaternion(self.motion[:, QUATERNION:NU])
        return self._rotations

    def place_n(self, point_b: ArrayLike) -> Array:
        """Positions of a point of the body, NED, m: (n, 3)."""
        return self.motion[:, POSITION:QUATERNION] + self.R_nb @ np.asarray(point_b, float)
