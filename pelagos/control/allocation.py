"""Which thruster does how much: weighted least squares inside the limits.

A thruster at r pushing along d gives the wrench f (d, r x d). With these as columns of B (6 x n) the wanted
thrusts solve

    minimise  |W (B f - tau)|^2 + small |f / f_max|^2     subject to  low <= f <= high

by the active-set method (Lawson & Hanson, Solving Least Squares Problems, 1974, chapter 23; used for control
allocation by Harkegard, CDC 2002). Inside the limits the answer is tau times the pseudo-inverse of W B, computed
once. Limits are those of bollard pull and differ ahead and astern. A shared supply scales the thrusts it feeds,
as it does in the vehicle. Drives then follow from each thruster's static curve.

Forces N, moments N m, body axes about the body origin. Reaction torques of the screws and lags are left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pelagos.control.base import AXIS_NAMES
from pelagos.control.curves import ThrustCurve
from pelagos.vehicle.spec import Thruster, Vehicle

Array = NDArray[np.float64]

# Attitude and depth before travel: in a saturated allocation an error in these costs 30^2 as much.
PRIORITY = (1.0, 1.0, 30.0, 30.0, 30.0, 30.0)
# Order in which axes claim the thrusters when there are fewer independent thrusters than axes.
CLAIM = (0, 2, 5, 1, 4, 3)
# An axis counts as independent of the claimed ones if this share of its row is new.
NEW_SHARE = 0.02
# Cost of thrust itself against cost of a missed wrench: only decides among equals.
EFFORT = 1e-6


@dataclass(frozen=True)
class Share:
    """One solved allocation."""

    drives: Array  # unit of each drive
    thrusts: Array  # N, static
    achieved: Array  # wrench of these thrusts, (6,)


def effectiveness(thrusters: tuple[Thruster, ...]) -> Array:
    """B, 6 x n: wrench about the body origin per newton of each thruster."""
    b = np.zeros((6, len(thrusters)))
    for i, t in enumerate(thrusters):
        b[:3, i] = t.direction_b
        b[3:, i] = np.cross(t.position_b, t.direction_b)
    return b


def independent_axes(b: Array) -> tuple[int, ...]:
    """Axes that can be commanded one by one, in ascending order.

    Axes claim rows of B in the order surge, heave, yaw, sway, pitch, roll; one whose row is zero or already spanned
    by earlier rows (the pitch that comes with every surge of a high screw) is not independent.
    Moments are made comparable to forces with the largest arm.
    """
    arm = float(np.abs(b[3:]).max(initial=0.0)) or 1.0
    rows = b / np.array([1.0, 1.0, 1.0, arm, arm, arm])[:, None]
    largest = float(np.linalg.norm(rows, axis=1).max(initial=0.0))
    basis: list[Array] = []
    claimed: list[int] = []
    for axis in CLAIM:
        new = rows[axis].copy()
        for e in basis:
            new -= (e @ new) * e
        size = float(np.linalg.norm(new))
        if size > NEW_SHARE * largest and size > 0.0:
            basis.append(new / size)
            claimed.append(axis)
    return tuple(sorted(claimed))


def bounded_least_squares(a: Array, y: Array, low: Array, high: Array, start: Array) -> Array:
    """x minimising |a x - y|^2 with low <= x <= high, by the active-set method; a must have full column rank."""
    x = np.minimum(np.maximum(start, low), high)
    held = np.where(x <= low, -1, np.where(x >= high, 1, 0))
    normal = a.T @ a
    gradient_0 = a.T @ y
    for _ in range(4 * x.size + 10):
        free = held == 0
        if free.any():
            inner = normal[np.ix_(free, free)]
            x_free = np.linalg.solve(inner, gradient_0[free] - normal[np.ix_(free, ~free)] @ x[~free])
            step = x_free - x[free]
            room = np.where(step > 0.0, high[free] - x[free], low[free] - x[free])
            over = np.abs(step) > np.abs(room)
            if over.any():
                # Go to the first limit met and stay there.
                share = np.where(over, room / np.where(over, step, 1.0), 1.0)
                first = int(np.argmin(share))
                index = int(np.flatnonzero(free)[first])
                x[free] += share[first] * step
                held[index] = 1 if step[first] > 0.0 else -1
                x[index] = high[index] if step[first] > 0.0 else low[index]
                continue
            x[free] = x_free
        # Optimal on this set. A limit that pushes the wrong way is let go; if none does, this is the answer.
        pull = (gradient_0 - normal @ x) * held  # negative: the cost falls towards the inside
        worst = int(np.argmin(pull))
        if pull[worst] >= -1e-12 * (1.0 + float(np.abs(gradient_0).max())):
            break
        held[worst] = 0
    return x


class Allocation:
    """Thrusters of one vehicle as a servant of six axes.

    b                  6 x n effectiveness
    rank               independent axes the thrusters command
    axes               their indices (0..5 = X Y Z K M N)
    uncontrolled_axes  names of the others
    """

    def __init__(self, vehicle: Vehicle, priority: tuple[float, ...] = PRIORITY) -> None:
        self.n = len(vehicle.thrusters)
        self.curves = tuple(ThrustCurve(t) for t in vehicle.thrusters)
        self.b = effectiveness(vehicle.thrusters)
        self.low = np.array([c.low for c in self.curves])
        self.high = np.array([c.high for c in self.curves])
        self.axes = independent_axes(self.b) if self.n else ()
        self.rank = len(self.axes)
        self.uncontrolled_axes = tuple(name for i, name in enumerate(AXIS_NAMES) if i not in self.axes)
        self._groups = [
            (np.array([i for i, t in enumerate(vehicle.thrusters) if t.group == g], dtype=int), s.limit_n)
            for g, s in enumerate(vehicle.supplies)
        ]
        self._keep = np.array([1.0 - t.wake for t in vehicle.thrusters])
        self._by_speed = np.array([t.inflow_from == "speed" for t in vehicle.thrusters], dtype=bool)
        self._any_by_speed = bool(self._by_speed.any())
        self._weigh(np.array(priority))

    def _weigh(self, priority: Array) -> None:
        """Weights: axes the thrusters do not command count nothing; the others by their reach and priority."""
        largest = np.maximum(self.high, -self.low)
        self._reach = reach = np.abs(self.b) @ largest if self.n else np.zeros(6)
        self._w = np.zeros(6)
        for i in self.axes:
            self._w[i] = priority[i] / reach[i]
        self._a = self._w[:, None] * self.b
        self._inverse = np.linalg.pinv(self._a, rcond=1e-9) * self._w if self.n else np.zeros((0, 6))
        unit = np.where(largest > 0.0, largest, 1.0)
        self._stacked = np.vstack([self._a, np.diag(EFFORT / unit)])

    def limit(self, axis: int, sign: float = 1.0) -> float:
        """Largest wrench (>= 0) on one axis, in the given sense, with the other commanded axes at zero."""
        if axis not in self.axes:
            return 0.0
        tau = np.zeros(6)
        tau[axis] = 1.0 if sign >= 0.0 else -1.0
        f = self._inverse @ tau
        room = np.where(f > 0.0, self.high, self.low)
        acts = np.abs(f) > 1e-9 * float(np.abs(f).max())
        scale = float((room[acts] / f[acts]).min())
        for members, limit in self._groups:
            total = float(np.abs(f[members]).sum()) * scale
            if total > limit:
                scale *= limit / total
        return scale

    def thrusts(self, tau: Array) -> Array:
        """Thrusts inside the limits that come closest to a wrench."""
        f = self._inverse @ tau
        if (f > self.high).any() or (f < self.low).any():
            # More than an axis can reach is not worth bending the others for.
            y = np.concatenate([self._w * np.minimum(np.maximum(tau, -self._reach), self._reach), np.zeros(self.n)])
            f = bounded_least_squares(self._stacked, y, self.low, self.high, f)
        for members, limit in self._groups:
            total = float(np.abs(f[members]).sum())
            if total > limit:
                f[members] *= limit / total
        return f

    def solve(self, tau: Array, nu_r: Array | None = None) -> Share:
        """Drives for a wrench. With the velocity through the water, drives make up for the inflow to the screws."""
        f = self.thrusts(np.asarray(tau, dtype=np.float64))
        inflow = [0.0] * self.n if nu_r is None else self.inflow(nu_r).tolist()
        drives = [c.drive(t, u) for c, t, u in zip(self.curves, f.tolist(), inflow, strict=True)]
        return Share(drives=np.array(drives), thrusts=f, achieved=self.b @ f)

    def inflow(self, nu_r: Array) -> Array:
        """Speed of advance of each screw, m/s: (1 - wake) times the velocity of its point along its axis."""
        along = self.b.T @ nu_r  # d . (v + omega x r): power and velocity share their matrix
        if self._any_by_speed:
            along = np.where(self._by_speed, np.linalg.norm(nu_r[:3]), along)
        return self._keep * along
