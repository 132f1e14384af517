"""Thrust allocation: weighted least squares within the limits of the thrusters, for any layout.

A thruster at r that pushes along d gives the wrench f (d, r x d). With these as columns of B (6 x n) the thrusts solve

    minimise  |W (B f - tau)|^2 + small |f / f_max|^2     subject to  low <= f <= high,   sum over a pump |f| <= F

by the active-set method (bounded_lsq; for control allocation: Harkegard, CDC 2002). Within the limits the solution is
tau times the pseudo-inverse of W B, computed once. W is the priority over the reach of each axis: an axis with ten
times the weight of another loses a hundredth of what the other loses when both cannot be met. Limits are those of
bollard pull and differ ahead and astern. The limit of a shared supply is part of the problem and not applied
afterwards, which would take as much from an important axis as from any other; |f| becomes linear by writing f = p - m
with p, m >= 0. Thruster commands then follow from the static curve of each thruster (vehicle.thruster_curve).

A weak or lost thruster (`set_health`) has its limits and its part in the pseudo-inverse reduced: the others take over
its work as far as they can, and an axis that can no longer be commanded leaves `axes`.

`report` describes the layout in words: which axes the thrusters command, which not, and why.

Forces N, moments N m, body axes about the body origin. Reaction torques of the propellers and lags are neglected.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import choice, known_key, number, whole
from pelagos.control.allocation.bounded_lsq import bounded_minimum, solve_thrusts
from pelagos.control.base import AXIS_NAMES, HEAVE, PITCH, ROLL, SURGE, SWAY, YAW
from pelagos.engine.forces.thrusters import drive_for, without_tunnel_loss
from pelagos.errors import CommandError
from pelagos.vehicle.spec import Thruster, Vehicle
from pelagos.vehicle.thruster_curve import ThrustCurve

Array = NDArray[np.float64]

# Attitude and depth before surge and sway: in a saturated allocation an error in these costs 30^2 as much (a choice).
PRIORITY = (1.0, 1.0, 30.0, 30.0, 30.0, 30.0)
# Order in which axes claim the thrusters when there are fewer independent thrusters than axes.
CLAIM = (SURGE, HEAVE, YAW, SWAY, PITCH, ROLL)
# An axis counts as independent of the claimed ones if this share of its row is new.
NEW_SHARE = 0.02
# Cost of thrust against cost of a missed wrench: selects among equal solutions and disturbs them by its square only.
EFFORT = 1e-4
UNITS = ("N", "N", "N", "N m", "N m", "N m")


class AllocationResult(NamedTuple):
    """Solution of one allocation: thruster commands, thrusts and the wrench they give."""

    drives: Array  # commands, each in the unit of its thruster
    thrusts: Array  # N, static
    achieved: Array  # wrench of these thrusts, (6,)


def effectiveness(thrusters: tuple[Thruster, ...]) -> Array:
    """Compute B, 6 x n: the wrench about the body origin per newton of each thruster."""
    b = np.zeros((6, len(thrusters)))
    for i, t in enumerate(thrusters):
        b[:3, i] = t.direction_b
        b[3:, i] = np.cross(t.position_b, t.direction_b)
    return b


def comparable(b: Array) -> Array:
    """Divide the moments in B by the largest arm, so that all rows are in newtons per newton."""
    arm = float(np.abs(b[3:]).max(initial=0.0)) or 1.0
    return b / np.array([1.0, 1.0, 1.0, arm, arm, arm])[:, None]


def independent_axes(b: Array) -> tuple[int, ...]:
    """Find the axes that can be commanded independently, in ascending order.

    Axes claim rows of B in the order surge, heave, yaw, sway, pitch, roll; one whose row is zero or already spanned
    by earlier rows (the pitch that comes with every surge of a high screw) is not independent.
    """
    rows = comparable(b)
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


class Allocation:
    """Computes thruster commands for a wrench, for one vehicle.

    Args:
        vehicle: the vehicle with the thrusters.
        priority: six weights, surge to yaw, or some by name, {"yaw": 100.0}, over the defaults; only ratios count.
        density_kg_m3: of the water; by default that of the vehicle file.

    b                  6 x n effectiveness
    low, high          present limits of each thrust, N
    rank               number of independent axes that the thrusters command
    axes               their indices (0..5 = X Y Z K M N)
    uncontrolled_axes  names of the other axes
    priority           the six weights
    health             remaining share of the thrust of each thruster
    """

    def __init__(
        self,
        vehicle: Vehicle,
        priority: Sequence[float] | Mapping[str, float] = PRIORITY,
        density_kg_m3: float | None = None,
    ) -> None:
        self.vehicle = vehicle
        self.n = len(vehicle.thrusters)
        ratio = 1.0 if density_kg_m3 is None else density_kg_m3 / vehicle.water.density_kg_m3
        self.curves = tuple(ThrustCurve(t, ratio) for t in vehicle.thrusters)
        self.b = effectiveness(vehicle.thrusters)
        self.priority = _weights(priority)
        self.health = [1.0] * self.n
        fed = [[i for i, t in enumerate(vehicle.thrusters) if t.group == g] for g in range(len(vehicle.supplies))]
        self._groups = [(m, s.limit_n) for m, s in zip(fed, vehicle.supplies, strict=True) if m]
        self._advance = self.b * np.array([c.one_minus_wake for c in self.curves])
        self._by_speed = [i for i, t in enumerate(vehicle.thrusters) if t.inflow_from == "speed"]
        self._feels_inflow = any(c.feels_inflow for c in self.curves)
        self._in_tunnels = any(c.tunnel_loss for c in self.curves)
        self._weigh()

    def set_health(self, thruster: int | str, share: float) -> None:
        """Set the share (0 lost, 1 sound) of its thrust that a thruster still gives."""
        names, key = [t.name for t in self.vehicle.thrusters], f"thruster of {self.vehicle.name}"
        by_name = isinstance(thruster, str)
        index = names.index(choice(key, thruster, names)) if by_name else whole(key, thruster, 0, self.n - 1)
        self.health[index] = number(f"health of thruster {names[index]}", share, 0.0, 1.0)
        self._weigh()

    def _weigh(self) -> None:
        """Compute limits, axes, weights and inverse from health and priority.

        The weight of a commanded axis is its priority over its reach; other axes have the weight zero.
        """
        share = np.array(self.health)
        self._sound = bool((share == 1.0).all())
        self.low = np.array([c.low for c in self.curves]) * share
        self.high = np.array([c.high for c in self.curves]) * share
        self._limits = list(zip(self.low.tolist(), self.high.tolist(), strict=True))
        self.axes = independent_axes(self.b * (share > 0.0)) if self.n else ()
        self.rank = len(self.axes)
        self.uncontrolled_axes = tuple(name for i, name in enumerate(AXIS_NAMES) if i not in self.axes)
        largest = np.maximum(self.high, -self.low)
        self._reach = np.abs(self.b) @ largest if self.n else np.zeros(6)
        self._w = np.zeros(6)
        for i in self.axes:
            self._w[i] = self.priority[i] / self._reach[i]
        self._a = a = self._w[:, None] * self.b
        # A weak thruster is scaled twice: in the matrix, so that it is used less, and in the result, which is a thrust.
        inverse = share[:, None] * np.linalg.pinv(a * share, rcond=1e-9) * self._w if self.n else np.zeros((0, 6))
        self._inverse = np.ascontiguousarray(inverse)
        unit = np.where(largest > 0.0, largest, 1.0)
        self.stacked = np.vstack([a, np.diag(EFFORT / unit)])
        self._normal = self.stacked.T @ self.stacked
        self._split_groups(unit)

    def _split_groups(self, unit: Array) -> None:
        """Set up f = split x, with a second variable, the thrust astern, for each thruster on a pump."""
        fed = sorted({i for members, _ in self._groups for i in members})
        self._split = np.hstack([np.eye(self.n), -np.eye(self.n)[:, fed]])
        self._astern = fed
        effort = np.diag(np.concatenate([EFFORT / unit, EFFORT / unit[fed]]))
        whole = self._a @ self._split
        self._split_normal = whole.T @ whole + effort @ effort
        low, high = self.low.copy(), self.high
        low[fed] = 0.0
        self._split_low = np.concatenate([low, np.zeros(len(fed))])
        self._split_high = np.concatenate([high, -self.low[fed]])
        rows = [[1.0 if i in m else 0.0 for i in [*range(self.n), *fed]] for m, _ in self._groups]
        self._rows = np.array(rows).reshape(len(rows), self.n + len(fed))
        self._room = np.array([limit for _, limit in self._groups])

    def limit(self, axis: int, sign: float = 1.0) -> float:
        """Largest force or moment (>= 0) on one axis, in the given sense, with the other commanded axes at zero."""
        if axis not in self.axes:
            return 0.0
        tau = np.zeros(6)
        tau[axis] = 1.0 if sign >= 0.0 else -1.0
        f = self._inverse @ tau
        room = np.where(f > 0.0, self.high, self.low)
        acts = np.abs(f) > 1e-9 * float(np.abs(f).max())  # the others are rounding
        scale = float((room[acts] / f[acts]).min())
        if scale == 0.0:  # thrusters that push one way only: the pseudo-inverse asks one of them for the other way
            return self._searched_limit(tau, axis)
        for members, limit in self._groups:
            total = float(np.abs(f[members]).sum()) * scale
            if total > limit:
                scale *= limit / total
        return scale

    def _searched_limit(self, tau: Array, axis: int) -> float:
        """Find the limit by bisection: the largest wrench that the allocation meets to a thousandth."""
        low, high = 0.0, float(self._reach[axis])
        for _ in range(20):
            middle = 0.5 * (low + high)
            missed = (self.b @ self.thrusts(middle * tau) - middle * tau) / self._reach.clip(1e-12)
            good = all(abs(missed[i]) < 1e-3 * middle / self._reach[axis] for i in self.axes)
            low, high = (middle, high) if good else (low, middle)
        return low

    def thrusts(self, tau: Array) -> Array:
        """Compute the thrusts within the limits that come closest to a wrench."""
        return self._thrusts(np.asarray(tau, dtype=np.float64))[0]

    def _thrusts(self, tau: Array) -> tuple[Array, list[float]]:
        f = self._inverse.dot(tau)
        values = f.tolist()
        for x, (low, high) in zip(values, self._limits, strict=True):  # floats: faster than numpy on a few numbers
            if x > high or x < low:
                break
        else:
            if not self._groups or self._within_supplies(values):
                return f, values
        if self.n == 1 and not self._groups:  # clipping is the optimum
            f = np.minimum(np.maximum(f, self.low), self.high)
            return f, f.tolist()
        limits, work = np.array([self.low, self.high]), np.empty((self.n + 3, self.n))
        solve_thrusts(tau, self._inverse, self._a, self._w, self._reach, self._normal, limits, f, work)
        if self._groups and not self._within_supplies(f.tolist()):
            slope = self._a.T @ (self._w * np.minimum(np.maximum(tau, -self._reach), self._reach))
            for members, limit in self._groups:  # the active-set method starts from a feasible point
                f[members] *= min(1.0, limit / max(float(np.abs(f[members]).sum()), 1e-12))
            start = np.concatenate([f, np.maximum(-f[self._astern], 0.0)])
            start[self._astern] = np.maximum(f[self._astern], 0.0)
            limits = self._split_low, self._split_high, start, self._rows, self._room
            f = self._split @ bounded_minimum(self._split_normal, self._split.T @ slope, *limits)
        return f, f.tolist()

    def _within_supplies(self, values: list[float]) -> bool:
        # 1e-12: a solution at the limit is within it, to rounding.
        return all(sum([abs(values[i]) for i in members]) <= limit * (1.0 + 1e-12) for members, limit in self._groups)

    def solve(self, tau: Array, nu_r: Array | None = None) -> AllocationResult:
        """Compute thruster commands for a wrench; with `nu_r`, they compensate the inflow to the propellers."""
        f, values = self._thrusts(np.asarray(tau, dtype=np.float64))
        if not self._sound:  # the curves are those of sound thrusters
            values = [t / h if h > 0.0 else 0.0 for t, h in zip(values, self.health, strict=True)]
        if nu_r is not None and self._in_tunnels:
            surge = float(nu_r[0])
            values = [without_tunnel_loss(t, c.tunnel_loss, surge) for t, c in zip(values, self.curves, strict=True)]
        if nu_r is not None and self._feels_inflow:
            inflow = self.inflow(nu_r).tolist()
            drives = [drive_for(curve, t, u) for curve, t, u in zip(self.curves, values, inflow, strict=True)]
        else:
            drives = [drive_for(curve, t, 0.0) for curve, t in zip(self.curves, values, strict=True)]
        return AllocationResult(np.array(drives), f, self.b.dot(f))

    def inflow(self, nu_r: Array) -> Array:
        """Speed of advance of each propeller, m/s: (1 - wake) times the velocity of its position along its axis."""
        along = nu_r.dot(self._advance)  # d . (v + omega x r): the transpose of B, as power is the same in both
        if self._by_speed:
            u, v, w = nu_r[:3].tolist()
            speed = math.sqrt(u * u + v * v + w * w)
            for i in self._by_speed:
                along[i] = self.curves[i].one_minus_wake * speed
        return along

    def report(self) -> str:
        """Describe in lines of text which axes these thrusters command, which not, and why."""
        return report(self)


def _weights(priority: Sequence[float] | Mapping[str, float]) -> tuple[float, ...]:
    """Check the priority and return six positive weights."""
    if isinstance(priority, Mapping):
        for name in priority:
            known_key("priority", name, AXIS_NAMES)
        priority = [priority.get(name, PRIORITY[i]) for i, name in enumerate(AXIS_NAMES)]
    if len(priority) != 6:
        raise CommandError(key="priority", value=priority, expected="six weights, surge to yaw")
    # The least squares squares them: beyond 1e3 the axes of least weight drown in rounding.
    return tuple(number(f"priority of {name}", w, 1e-3, 1e3) for name, w in zip(AXIS_NAMES, priority, strict=True))


def report(allocation: Allocation) -> str:
    """Describe rank, reach of each commanded axis, the reason for each other one, singular values, pumps and faults."""
    a = allocation
    if not a.n:
        return "no thrusters: no axis is commanded by thrust"
    working = a.b * (np.array(a.health) > 0.0)
    lines = [f"{a.n} thruster{'s' if a.n > 1 else ''}, rank {a.rank} of 6"]
    for i, name in enumerate(AXIS_NAMES):
        if i in a.axes:
            reach = f"from {-a.limit(i, -1.0):.4g} to {a.limit(i, 1.0):.4g} {UNITS[i]}"
            lines.append(f"  {name:6} commanded, priority {a.priority[i]:g}, {reach}")
        else:
            lines.append(f"  {name:6} not commanded: {_why_not(working, a.axes, i)}")
    sizes = np.linalg.svd(comparable(working), compute_uv=False)
    lines.append("  singular values, moments over the longest arm: " + ", ".join(f"{s:.3g}" for s in sizes))
    supplies = [s for g, s in enumerate(a.vehicle.supplies) if any(t.group == g for t in a.vehicle.thrusters)]
    for supply in supplies:
        members = [t.name for t in a.vehicle.thrusters if a.vehicle.supplies[t.group] is supply and t.group >= 0]
        lines.append(f"  {supply.name}: {', '.join(members)} share {supply.limit_n:g} N")
    for thruster, share in zip(a.vehicle.thrusters, a.health, strict=True):
        if share < 1.0:
            lines.append(f"  {thruster.name}: " + (f"{100 * share:.3g} % of its thrust" if share > 0.0 else "lost"))
    return "\n".join(lines)


def _why_not(b: np.ndarray, axes: tuple[int, ...], axis: int) -> str:
    """Explain why an axis is not commanded: no thruster acts on it, or only together with other axes."""
    row = b[axis]
    if float(np.abs(row).max()) <= 1e-9 * float(np.abs(b).max(initial=1e-300)):
        verb = "pushes that way" if axis < 3 else "turns it that way"
        return f"no thruster {verb}"
    mix, *_ = np.linalg.lstsq(b[list(axes)].T, row, rcond=None)
    coupled = [(AXIS_NAMES[i], c, UNITS[i]) for i, c in zip(axes, mix, strict=True) if abs(c) > 1e-6]
    if not coupled:
        return "its reach is too small beside that of the other axes"
    parts = ", ".join(f"{c:+.3g} {UNITS[axis]} per {unit} of {name}" for name, c, unit in coupled)
    return f"it comes with {parts}"
