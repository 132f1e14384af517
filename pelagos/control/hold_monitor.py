"""Detection of setpoints that a vehicle does not hold, for whatever reason: damage, current, weak or slow actuators.

A hold of a quantity begins with its setpoint, and again when the setpoint has moved by more than the band of the
quantity. It is kept while the vehicle is inside the band or gets nearer than it has been in this hold. A hold that is
not kept for `PATIENCE_S`, plus the time in which ballast moves from end to end, is reported once. The rule uses the
true state and is the same for one vehicle and for many, one row each.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pelagos.messages import QUANTITIES
from pelagos.vehicle.spec import Vehicle

Array = NDArray[np.float64]

PATIENCE_S = 45.0  # without coming nearer, before a hold counts as not kept (a choice)
NEARER = 0.05  # of the band: a smaller approach does not count
WATCHED = ("depth_m", "altitude_m", "heading_deg", "speed_m_s", "north_m", "east_m")
COLUMNS = [QUANTITIES.index(name) for name in WATCHED]
# Of depth, altitude, heading, speed and place: the band, and the least band as a share of the setpoint.
BANDS, SHARES = np.array([1.0, 1.0, 15.0, 0.1, 2.0]), np.array([0.0, 0.2, 0.0, 0.15, 0.0])
HEADING, SPEED, PLACE = 2, 3, 4  # columns of BANDS
TEXTS = (
    "depth {:.4g} m is not held: it is {:.4g} m", "altitude {:.4g} m is not held: it is {:.4g} m",
    "heading {:.4g} deg is not held: it is {:.4g} deg", "speed {:.3g} m/s is not held: it is {:.3g} m/s",
    "the place {:.4g} m north is not held: it is {:.3g} m away",
)  # fmt: skip


class NotHeld(NamedTuple):
    """Report of one vehicle, by its row, that does not hold a setpoint, and the text of the event."""

    vehicle: int
    text: str


class HoldMonitor:
    """Monitors the setpoints of n vehicles of one type."""

    def __init__(self, vehicle: Vehicle, n: int = 1) -> None:
        strokes = ((item.maximum - item.minimum) / item.rate for item in vehicle.ballast if item.rate > 0.0)
        self._patience_s = math.ceil(PATIENCE_S + max(strokes, default=0.0))
        self._began = np.full((n, len(WATCHED)), np.nan)  # setpoint with which each hold began
        self._nearest, self._kept_s = np.zeros((n, len(BANDS))), np.zeros((n, len(BANDS)))
        self._reported = np.zeros((n, len(BANDS)), np.bool_)

    def reset(self) -> None:
        """Restart all holds, after the vehicles were placed."""
        self._began[:] = np.nan

    def update(
        self, time_s: float, held: Array, pos_n: Array, yaw: Array, surge: Array, altitude_m: Array
    ) -> list[NotHeld]:
        """Return new reports. `held` has the columns of a `Setpoint`, NaN for quantities without one."""
        setpoints = held[:, COLUMNS]
        setpoints[np.isfinite(setpoints[:, PLACE]), SPEED] = np.nan  # with a place, speed is a limit, not a setpoint
        motion = np.stack([pos_n[:, 2], altitude_m, np.degrees(yaw) % 360.0, surge, pos_n[:, 0], pos_n[:, 1]], axis=1)
        band = np.fmax(BANDS, SHARES * np.abs(setpoints[:, : len(BANDS)]))
        anew = ~(_distance(setpoints, self._began) <= band)  # NaN, before the first hold, is not within the band
        moved = np.concatenate([anew, anew[:, PLACE:]], axis=1)  # a place has two columns and one band
        self._began, self._reported = np.where(moved, setpoints, self._began), self._reported & ~anew
        off = _distance(setpoints, motion)
        nearer = anew | (off < self._nearest - NEARER * band)
        self._nearest = np.where(nearer, off, self._nearest)
        kept = nearer | ~(off > band)  # NaN, without setpoint or bottom, is not off
        self._kept_s = np.where(kept, time_s, self._kept_s)
        late = (time_s - self._kept_s >= self._patience_s) & ~self._reported
        self._reported |= late
        motion[:, PLACE] = off[:, PLACE]
        no_nearer = f"no nearer for {self._patience_s} s"
        return [
            NotHeld(i, f"{TEXTS[k].format(setpoints[i, k], motion[i, k])}, {no_nearer}")
            for i, k in np.argwhere(late).tolist()
        ]


def _distance(a: Array, b: Array) -> Array:
    """Distances of values, (n, 5): headings the short way round, places in a straight line."""
    apart = np.abs(a - b)
    apart[:, HEADING] = np.minimum(apart[:, HEADING] % 360.0, -apart[:, HEADING] % 360.0)
    apart[:, PLACE] = np.hypot(apart[:, PLACE], apart[:, PLACE + 1])
    return apart[:, : len(BANDS)]
