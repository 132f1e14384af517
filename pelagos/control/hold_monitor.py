"""Setpoints that are not held, whatever the cause: too weak, too slow, damaged, pushed away, misled.

A hold of a quantity begins when it is asked for, and anew when the value asked for has moved by more than its band. It
is kept while the motion is inside the band or comes nearer than it has been in this hold. One that is not kept for
`PATIENCE_S`, and as long as ballast takes from end to end, is told, once. One rule serves a single vehicle and many, a
row each; it looks at the true motion.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pelagos.control.autopilot.setpoints import QUANTITIES
from pelagos.vehicle.spec import Vehicle

Array = NDArray[np.float64]

PATIENCE_S = 45.0
NEARER = 0.05  # of the band: what counts as nearer
WATCHED = ("depth_m", "altitude_m", "heading_deg", "speed_m_s", "north_m", "east_m")
COLUMNS = [QUANTITIES.index(name) for name in WATCHED]
# Of depth, altitude, heading, speed and place: the band, and the share of the value asked for that it is at least.
BANDS, SHARES = np.array([1.0, 1.0, 15.0, 0.1, 2.0]), np.array([0.0, 0.2, 0.0, 0.15, 0.0])
HEADING, SPEED, PLACE = 2, 3, 4
SAID = (
    "depth {:.4g} m is not held: it is {:.4g} m", "altitude {:.4g} m is not held: it is {:.4g} m",
    "heading {:.4g} deg is not held: it is {:.4g} deg", "speed {:.3g} m/s is not held: it is {:.3g} m/s",
    "the place {:.4g} m north is not held: it is {:.3g} m away",
)  # fmt: skip


class NotHeld(NamedTuple):
    """Number of a vehicle, and what it does not hold, in words."""

    vehicle: int
    text: str


class HoldMonitor:
    """Watches the holds of n vehicles of one kind."""

    def __init__(self, vehicle: Vehicle, n: int = 1) -> None:
        strokes = ((item.maximum - item.minimum) / item.rate for item in vehicle.ballast if item.rate > 0.0)
        self._patience_s = math.ceil(PATIENCE_S + max(strokes, default=0.0))
        self._asked = np.full((n, len(WATCHED)), np.nan)  # where each hold began
        self._nearest, self._kept_s = np.zeros((n, len(BANDS))), np.zeros((n, len(BANDS)))
        self._told = np.zeros((n, len(BANDS)), np.bool_)

    def reset(self) -> None:
        """All holds begin anew: the vehicles were put somewhere."""
        self._asked[:] = np.nan

    def update(
        self, time_s: float, held: Array, pos_n: Array, yaw: Array, surge: Array, altitude_m: Array
    ) -> list[NotHeld]:
        """What has just been found not to be held. `held` has the columns of a `Setpoint`, NaN for nothing."""
        asked = held[:, COLUMNS]
        asked[np.isfinite(asked[:, PLACE]), SPEED] = np.nan  # then the fastest way there, not a speed to hold
        motion = np.stack([pos_n[:, 2], altitude_m, np.degrees(yaw) % 360.0, surge, pos_n[:, 0], pos_n[:, 1]], axis=1)
        band = np.fmax(BANDS, SHARES * np.abs(asked[:, : len(BANDS)]))
        anew = ~(_apart(asked, self._asked) <= band)
        moved = np.concatenate([anew, anew[:, PLACE:]], axis=1)
        self._asked, self._told = np.where(moved, asked, self._asked), self._told & ~anew
        off = _apart(asked, motion)
        nearer = anew | (off < self._nearest - NEARER * band)
        self._nearest = np.where(nearer, off, self._nearest)
        kept = nearer | ~(off > band)  # NaN, where nothing is held or no bottom is below, is not off
        self._kept_s = np.where(kept, time_s, self._kept_s)
        late = (time_s - self._kept_s >= self._patience_s) & ~self._told
        self._told |= late
        motion[:, PLACE] = off[:, PLACE]
        no_nearer = f"no nearer for {self._patience_s} s"
        return [
            NotHeld(i, f"{SAID[k].format(asked[i, k], motion[i, k])}, {no_nearer}")
            for i, k in np.argwhere(late).tolist()
        ]


def _apart(one: Array, other: Array) -> Array:
    """How far values are apart, (n, 5): headings the short way round, places in a straight line."""
    apart = np.abs(one - other)
    apart[:, HEADING] = np.minimum(apart[:, HEADING] % 360.0, -apart[:, HEADING] % 360.0)
    apart[:, PLACE] = np.hypot(apart[:, PLACE], apart[:, PLACE + 1])
    return apart[:, : len(BANDS)]
