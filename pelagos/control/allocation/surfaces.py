"""Allocation of roll, pitch and yaw moments to control surfaces at one speed.

The effectiveness R (6 x n, wrench per radian) comes from the model at that speed, whether the surfaces are given by
coefficients (N_uudr) or as fins with area and position: every surface with a moment is used, whatever its name.
Deflections are the smallest ones, as shares of their limits, that give the moments. Beyond the limits, a surface that
serves a single axis stays at its limit; for surfaces that serve several axes (an X tail) the deflections within the
limits minimise |W (R delta - tau)|^2 + small |delta / limit|^2 (bounded_lsq): pitch and yaw before roll.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.control.allocation.bounded_lsq import solve_deflections
from pelagos.control.base import PITCH, ROLL, YAW
from pelagos.engine.laws import also_compiled
from pelagos.vehicle.spec import ControlSurface

Array = NDArray[np.float64]

# Order in which axes claim the surfaces when there are fewer surfaces than axes (see allocation).
CLAIM = (PITCH, YAW, ROLL)
# For shared surfaces at their limits: weight of an error, which counts by its square (a choice).
PRIORITY = {PITCH: 30.0, YAW: 30.0, ROLL: 1.0}
EFFORT = 1e-4  # cost of a full deflection against a full moment: selects among equal solutions
FIN_LIMIT = 3  # in a row: deflection per moment of roll, pitch, yaw; the limit; moments per deflection
NEW_SHARE = 0.05  # of its row: an axis with less that is new is not independent of the claimed ones


class SurfaceMix:
    """Computes deflections for moments at one speed; `axes` are those of roll, pitch, yaw that are independent."""

    def __init__(self, surfaces: tuple[ControlSurface, ...], reach: Array) -> None:
        self.limits = np.array([s.limit_rad for s in surfaces], dtype=np.float64)
        self.lag_s = max((s.time_constant_s for s in surfaces), default=0.0)
        self.reach = reach
        self.axes = self._independent()
        self._rows = list(self.axes)
        scaled = reach[self._rows] * self.limits
        self._inverse = self.limits[:, None] * np.linalg.pinv(scaled) if self._rows else np.zeros((len(surfaces), 0))
        # As plain floats, because numpy is slow on the few numbers of a control tick; see FIN_LIMIT.
        spread = np.zeros((len(surfaces), 3))
        spread[:, [axis - ROLL for axis in self.axes]] = self._inverse
        self.rows = [
            (*spread[i].tolist(), float(self.limits[i]), *reach[ROLL : YAW + 1, i].tolist())
            for i in range(len(surfaces))
        ]
        # A surface that serves one axis is best at its limit; shared ones trade axes against each other (`_within`).
        self.shared = bool(
            (np.count_nonzero(np.abs(spread) > 1e-9 * np.abs(spread).max(initial=0.0), axis=1) > 1).any()
        )
        self._weigh(scaled)

    def _weigh(self, scaled: Array) -> None:
        """Set up the problem of `_within`: rows of roll, pitch and yaw, zero where surfaces do not serve them."""
        n = len(self.limits)
        self.alone, self.weights, self.weighted = np.zeros(3), np.zeros(3), np.zeros((3, n))
        for row, axis in zip(scaled, self.axes, strict=True):
            self.alone[axis - ROLL] = reach = self.limit(axis)
            self.weights[axis - ROLL] = PRIORITY[axis] / max(reach, 1e-12)
            self.weighted[axis - ROLL] = self.weights[axis - ROLL] * row
        self.normal = self.weighted.T @ self.weighted + EFFORT**2 * np.eye(n)

    def _independent(self) -> tuple[int, ...]:
        rows = self.reach * self.limits
        # Roll arms are short, so the new part of a row is compared with the row and not with the largest one.
        basis: list[Array] = []
        claimed: list[int] = []
        for axis in CLAIM:
            size = float(np.linalg.norm(rows[axis]))
            new = rows[axis].copy()
            for e in basis:
                new -= (e @ new) * e
            left = float(np.linalg.norm(new))
            if size > 1e-12 and left > NEW_SHARE * size:
                basis.append(new / left)
                claimed.append(axis)
        return tuple(sorted(claimed))

    def limit(self, axis: int) -> float:
        """Largest moment on one axis, with the other served axes at zero, N m."""
        if axis not in self.axes:
            return 0.0
        delta = self._inverse[:, self.axes.index(axis)]
        acts = np.abs(delta) > 1e-9 * float(np.abs(delta).max())
        return float((self.limits[acts] / np.abs(delta[acts])).min())

    def along(self, axis: int) -> Array:
        """Deflections, rad, of full command on one axis, with the largest at its limit; zeros if not served."""
        if axis not in self.axes:
            return np.zeros_like(self.limits)
        return self._inverse[:, self.axes.index(axis)] * self.limit(axis)

    def cross_force(self, axis: int) -> float:
        """Sway force per yaw moment, or heave force per pitch moment, of these surfaces, 1/m."""
        if axis not in self.axes:
            return 0.0
        return float(self.reach[1 if axis == YAW else 2] @ self._inverse[:, self.axes.index(axis)])

    def _within(self, moments: Array) -> Array:
        """Solve the weighted least squares within the limits, for surfaces that several axes share."""
        n = len(self.limits)
        shares, work = np.empty(n), np.empty((n + 5, n))
        solve_deflections(moments, self.weighted, self.weights, self.alone, self.normal, shares, work)
        return shares * self.limits

    def deflect(self, roll: float, pitch: float, yaw: float) -> tuple[list[float], tuple[float, float, float]]:
        """Compute deflections within the limits, rad, and the roll, pitch and yaw moments they give, N m."""
        angles = [0.0] * len(self.rows)
        over, k, m, n = deflect(self.rows, roll, pitch, yaw, angles)
        if over and self.shared:
            angles = self._within(np.array((roll, pitch, yaw))).tolist()
            k, m, n = moments_of(self.rows, angles)
        return angles, (k, m, n)


@also_compiled
def deflect(rows: Any, roll: float, pitch: float, yaw: float, angles: Any) -> tuple[bool, float, float, float]:
    """Compute deflections for moments, each surface within its limit; returns whether one is over, and the moments."""
    over, k, m, n = False, 0.0, 0.0, 0.0
    for i in range(len(rows)):
        row = rows[i]
        angle, limit = row[0] * roll + row[1] * pitch + row[2] * yaw, row[FIN_LIMIT]
        if not -limit <= angle <= limit:
            over, angle = True, limit if angle > 0.0 else -limit
        angles[i] = angle
        k, m, n = k + row[4] * angle, m + row[5] * angle, n + row[6] * angle
    return over, k, m, n


@also_compiled
def moments_of(rows: Any, angles: Any) -> tuple[float, float, float]:
    """Compute the roll, pitch and yaw moments of deflections."""
    k = m = n = 0.0
    for i in range(len(rows)):
        row, angle = rows[i], angles[i]
        k, m, n = k + row[4] * angle, m + row[5] * angle, n + row[6] * angle
    return k, m, n
