"""The static curve of a thruster, both ways: drive to thrust and thrust to drive.

    T(s, u_a) = k s|s| + linear s - inflow |s| u_a + inflow_square u_a|u_a|     outside the dead band, else 0

with k and inflow for ahead (s > 0) and astern; a table replaces the first two terms. A thruster whose thrust lags
(and not its shaft) has no inflow |s| term; a stopped one has no thrust at all. Lags, tunnel losses and shared supplies
are not part of the curve. Drives: rad/s, V, N or 1 (throttle); thrust N; u_a m/s.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from itertools import pairwise

import numpy as np

from pelagos.control.base import clip
from pelagos.vehicle.spec import Thruster


class ThrustCurve:
    """Thrust of one thruster against its drive at steady state, and the inverse.

    `low` and `high` are the largest reverse (<= 0) and forward thrust at bollard pull, N.
    """

    def __init__(self, thruster: Thruster) -> None:
        self._t = thruster
        self._table = bool(thruster.table)
        shaft = thruster.lag_on == "drive"
        self._inflow_ahead = thruster.inflow_forward if shaft else 0.0
        self._inflow_astern = thruster.inflow_reverse if shaft else 0.0
        if self._table:
            drives = np.array([row[0] for row in thruster.table])
            thrusts = np.array([row[1] for row in thruster.table])
            self._drives, self._thrusts = drives, thrusts
            self._ahead = _branch(drives, thrusts, thruster.maximum, +1.0)
            self._astern = _branch(drives, thrusts, thruster.minimum, -1.0)
        self.high = max(0.0, self.thrust(thruster.maximum), self._peak(+1.0))
        self.low = min(0.0, self.thrust(thruster.minimum), self._peak(-1.0))
        # Thrust at the edge of the (open) dead band: less than this can only be had as nothing.
        self._gap_high = self.thrust(thruster.dead_high) if thruster.dead_high > 0.0 else 0.0
        self._gap_low = self.thrust(thruster.dead_low) if thruster.dead_low < 0.0 else 0.0

    def _peak(self, sign: float) -> float:
        if not self._table:
            return 0.0
        return float((self._ahead if sign > 0 else self._astern)[0][-1]) * sign

    def thrust(self, drive: float, inflow: float = 0.0) -> float:
        """T(s, u_a), N. The drive is limited first."""
        t = self._t
        s = clip(drive, t.minimum, t.maximum)
        if s == 0.0 or t.dead_low < s < t.dead_high:
            return 0.0
        if self._table:
            force = float(np.interp(s, self._drives, self._thrusts))
        else:
            force = (t.k_forward if s > 0.0 else t.k_reverse) * s * abs(s) + t.linear * s
        if inflow != 0.0:
            force -= (self._inflow_ahead if s > 0.0 else self._inflow_astern) * abs(s) * inflow
            force += t.inflow_square * inflow * abs(inflow)
        return force

    def drive(self, thrust: float, inflow: float = 0.0) -> float:
        """The drive inside the limits that comes closest to a thrust; 0 where the dead band is the better answer."""
        t = self._t
        ahead = thrust > 0.0
        # A ten-thousandth of full thrust is nothing: it would only toggle a drive across its dead zone.
        if abs(thrust) <= 1e-4 * (self.high if ahead else -self.low):
            return 0.0
        gap = self._gap_high if ahead else self._gap_low
        if abs(thrust) < 0.5 * abs(gap):
            return 0.0
        if self._table:
            s = _between(abs(thrust), *(self._ahead if ahead else self._astern))
        else:
            s = self._root(abs(thrust), inflow if ahead else -inflow, ahead)
        # A thrust inside the gap but nearer to its edge gets the drive of the edge.
        s = max(s, t.dead_high) if ahead else min(s, t.dead_low)
        return clip(s, t.minimum, t.maximum)

    def _root(self, thrust: float, inflow: float, ahead: bool) -> float:
        """Solve k s^2 + (linear - c u_a) s = T for s > 0; astern is the mirror image."""
        t = self._t
        k = t.k_forward if ahead else t.k_reverse
        b = t.linear - (self._inflow_ahead if ahead else self._inflow_astern) * inflow
        # Thrust the screw must add to what the inflow gives by itself.
        force = thrust - t.inflow_square * inflow * abs(inflow)
        if force <= 0.0 and b >= 0.0:
            s = 0.0
        elif k > 0.0:
            s = (-b + math.sqrt(max(0.0, b * b + 4.0 * k * force))) / (2.0 * k)
        else:
            s = force / b if b > 0.0 else math.inf
        return s if ahead else -s


def _between(x: float, xs: list[float], ys: list[float]) -> float:
    """Linear interpolation on rising xs, constant outside (np.interp is ten times slower on one number)."""
    i = bisect_right(xs, x)
    if i == len(xs):
        return ys[-1]
    if i == 0:
        return ys[0]
    return ys[i - 1] + (ys[i] - ys[i - 1]) * (x - xs[i - 1]) / (xs[i] - xs[i - 1])


def _branch(drives: np.ndarray, thrusts: np.ndarray, limit: float, sign: float) -> tuple[list[float], list[float]]:
    """(|thrust|, drive) of the ahead or astern side of a table: from the edge of the dead zone outward, rising.

    Rows after a dip below an earlier thrust are left out: the smaller drive gives the same push for less power.
    """
    rows = sorted((abs(float(s)), sign * float(f)) for s, f in zip(drives, thrusts, strict=True) if s * sign >= 0.0)
    if rows and rows[0][0] > 0.0:  # no row at zero drive
        rows.insert(0, (0.0, sign * float(np.interp(0.0, drives, thrusts))))
    rows = _cut(rows, abs(limit))
    size, drive = [0.0], [0.0]
    for s, f in rows:
        if f <= 0.0 and len(size) == 1:
            drive[0] = s  # still in the dead zone: its far edge is where thrust begins
        elif f > size[-1]:
            size.append(f)
            drive.append(s)
    return size, [sign * s for s in drive]


def _cut(rows: list[tuple[float, float]], limit: float) -> list[tuple[float, float]]:
    """Rows up to a drive limit, with a row interpolated at the limit."""
    kept = [row for row in rows if row[0] <= limit]
    for (s0, f0), (s1, f1) in pairwise(rows):
        if s0 <= limit < s1:
            kept.append((limit, f0 + (f1 - f0) * (limit - s0) / (s1 - s0)))
    return kept
