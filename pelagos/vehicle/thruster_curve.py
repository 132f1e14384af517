"""The static curve of a thruster and its inverse: thrust from drive, and drive from thrust.

    T(s, u_a) = k s|s| + linear s - inflow |s| u_a + inflow_square u_a|u_a|     outside the dead band, else 0

with k and inflow for ahead (s > 0) and astern; a table replaces the first two terms. A thruster with a lag on thrust
(and not on the shaft) has no inflow term; a stopped one has no thrust at all. With a square term u_a is limited to the
advance at which the thrust vanishes. Thrust scales with the density of the water, except where the drive is in newtons.

The kernel has the same law (engine/core/actuators, engine/forces/thrusters). It is repeated here because controllers
need its inverse within a microsecond and with inflow, which a table of kernel results cannot provide;
tests/vehicle/test_thruster_curve.py compares both over the whole range of every thruster in the library. Lags, loss of
tunnel thrust and shared supplies are not part of the curve. Units: drive rad/s, V, N or 1 (throttle); thrust N; u_a
m/s.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from itertools import pairwise

import numpy as np

from pelagos.engine.laws import also_compiled, clip
from pelagos.vehicle.pack.records import idle_advance
from pelagos.vehicle.spec import Thruster

NEGLIGIBLE = 1e-4  # of full thrust: a smaller one would only toggle a drive across its dead band


class ThrustCurve:
    """Steady thrust of one thruster as a function of its drive, and the inverse.

    `low` and `high` are the largest reverse (<= 0) and forward thrust at bollard pull, N; `feels_inflow` is whether
    u_a has an effect. `density_ratio` is the density of the water over that of the vehicle's file.
    """

    def __init__(self, thruster: Thruster, density_ratio: float = 1.0) -> None:
        t = thruster
        scale = 1.0 if t.drive == "force" else density_ratio
        self._minimum, self._maximum, self._dead_low, self._dead_high = t.minimum, t.maximum, t.dead_low, t.dead_high
        shaft = t.lag_on == "drive"
        self._linear = t.linear * scale
        # k, inflow of the two sides: ahead first
        inflow = (t.inflow_forward * scale, t.inflow_reverse * scale) if shaft else (0.0, 0.0)
        self._sides = (t.k_forward * scale, inflow[0]), (t.k_reverse * scale, inflow[1])
        self._square = t.inflow_square * scale if shaft else 0.0
        self._cap = idle_advance(t) if self._square else math.inf
        self.feels_inflow = any(inflow) or self._square != 0.0
        self._table = bool(t.table)
        if self._table:
            drives = np.array([row[0] for row in t.table])
            thrusts = np.array([row[1] * scale for row in t.table])
            self._drives, self._thrusts = drives, thrusts
            self._ahead = _branch(drives, thrusts, t.maximum, +1.0)
            self._astern = _branch(drives, thrusts, t.minimum, -1.0)
        self.high = max(0.0, self.thrust(t.maximum), self._peak(+1.0))
        self.low = min(0.0, self.thrust(t.minimum), self._peak(-1.0))
        # The dead band is open: its edge has thrust. Zero is nearer to anything below half of that.
        edge_high = self.thrust(t.dead_high) if t.dead_high > 0.0 else 0.0
        edge_low = self.thrust(t.dead_low) if t.dead_low < 0.0 else 0.0
        self._least_high = max(NEGLIGIBLE * self.high, 0.5 * edge_high)
        self._least_low = min(NEGLIGIBLE * self.low, 0.5 * edge_low)

    def _peak(self, sign: float) -> float:
        if not self._table:
            return 0.0
        return float((self._ahead if sign > 0 else self._astern)[0][-1]) * sign

    def thrust(self, drive: float, inflow: float = 0.0) -> float:
        """Thrust T(s, u_a), N, at a drive that is first limited to its range."""
        s = clip(drive, self._minimum, self._maximum)
        if s == 0.0 or self._dead_low < s < self._dead_high:
            return 0.0
        k, slip = self._sides[0 if s > 0.0 else 1]
        if self._table:
            force = float(np.interp(s, self._drives, self._thrusts))
        else:
            force = k * s * abs(s) + self._linear * s
        if inflow != 0.0 and self.feels_inflow:
            u = clip(inflow, -self._cap * abs(s), self._cap * abs(s))
            force += self._square * u * abs(u) - slip * abs(s) * u
        return force

    def drive(self, thrust: float, inflow: float = 0.0) -> float:
        """Drive within the limits whose thrust is nearest to `thrust`; 0 where zero thrust is nearest."""
        if self._least_low <= thrust <= self._least_high:
            return 0.0
        if thrust > 0.0:
            s = _between(thrust, *self._ahead) if self._table else self._root(thrust, inflow, 0)
            if s < self._dead_high:  # inside the dead band but nearer to its edge
                s = self._dead_high
            return s if s < self._maximum else self._maximum
        s = _between(-thrust, *self._astern) if self._table else -self._root(-thrust, -inflow, 1)
        if s > self._dead_low:
            s = self._dead_low
        return s if s > self._minimum else self._minimum

    def _root(self, thrust: float, inflow: float, side: int) -> float:
        k, slip = self._sides[side]
        return root(thrust, inflow, k, slip, self._linear, self._square, self._cap)


@also_compiled
def root(thrust: float, inflow: float, k: float, slip: float, linear: float, square: float, cap: float) -> float:
    """Solve k s^2 + (linear - slip u_a) s + square u_a|u_a| = T for s > 0; astern is the mirror image."""
    # The propeller adds to the force of the inflow alone (astern the square term is mirrored as well).
    b = linear - slip * inflow
    force = thrust - square * inflow * abs(inflow)
    if k > 0.0:
        inside = b * b + 4.0 * k * force
        s = (math.sqrt(inside) - b) / (2.0 * k) if inside > 0.0 else max(0.0, -b / (2.0 * k))
        # In a faster inflow than this the propeller idles or windmills, and u_a is limited to cap s.
        if cap < math.inf and abs(inflow) > cap * s:
            j = math.copysign(cap, inflow)
            k, b = k - slip * j + square * j * abs(j), linear
            if k > 0.0:
                s = (math.sqrt(b * b + 4.0 * k * thrust) - b) / (2.0 * k)
        return s
    if force <= 0.0:
        return 0.0
    return force / b if b > 0.0 else math.inf


def _between(x: float, xs: list[float], ys: list[float], slopes: list[float]) -> float:
    """Interpolate linearly on rising xs, constant above (np.interp is ten times slower on one number)."""
    i = bisect_right(xs, x) - 1
    return ys[i] + slopes[i] * (x - xs[i])


def _branch(
    drives: np.ndarray, thrusts: np.ndarray, limit: float, sign: float
) -> tuple[list[float], list[float], list[float]]:
    """Make (|thrust|, drive, slope) of the ahead or astern side of a table, rising from the edge of the dead zone.

    Rows with less thrust than an earlier one are left out: the smaller drive gives the same thrust for less power.
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
    slope = [sign * (s1 - s0) / (f1 - f0) for (f0, s0), (f1, s1) in pairwise(zip(size, drive, strict=True))]
    return size, [sign * s for s in drive], [*slope, 0.0]


def _cut(rows: list[tuple[float, float]], limit: float) -> list[tuple[float, float]]:
    """Keep the rows up to a drive limit, and add one interpolated at the limit."""
    kept = [row for row in rows if row[0] <= limit]
    for (s0, f0), (s1, f1) in pairwise(rows):
        if s0 <= limit < s1:
            kept.append((limit, f0 + (f1 - f0) * (limit - s0) / (s1 - s0)))
    return kept
