"""Actions from -1 to 1 as demands to the actuators.

    "actuators"   one number each: a thruster's share of its drive (+1 full ahead, -1 full astern), then a surface's
                  share of its largest angle
    "wrench"      one number for each axis that the thrusters command alone (surge, sway, heave, roll, pitch, yaw): a
                  share of the greatest force or moment there is. The thrusts are B^+ tau, all made smaller alike where
                  one would be too much, so that the direction of the wrench stays; drives follow from each static curve

With `assist="pid"` the autopilot's demand comes first and the action is added to it, times `authority`. Numbers beyond
-1 or 1 count as -1 or 1, and the sum stays inside the limits of the actuators.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pelagos.control.allocation.allocation import Allocation
from pelagos.control.base import AXIS_NAMES
from pelagos.errors import CommandError
from pelagos.messages import Actuations
from pelagos.vehicle.spec import Vehicle

Array = NDArray[np.float64]
CURVE_POINTS = 401  # of a thruster's inverse curve; T200's table has 21 rows


class ActuatorShares:
    """One number for each thruster and each surface."""

    def __init__(self, vehicle: Vehicle, n: int) -> None:
        self.names = tuple(f"thruster {t.name}" for t in vehicle.thrusters) + tuple(
            f"surface {s.name}" for s in vehicle.surfaces
        )
        self._low = np.array([t.minimum for t in vehicle.thrusters])
        self._high = np.array([t.maximum for t in vehicle.thrusters])
        self._angle = np.array([s.limit_rad for s in vehicle.surfaces])
        self._thrusters, self._surfaces = np.zeros((n, len(self._high))), np.zeros((n, len(self._angle)))

    def demands(self, shares: Array) -> tuple[Array, Array]:
        """Drives and angles, in arrays that the next call fills anew."""
        k = len(self._high)
        ahead = shares[:, :k]
        np.multiply(ahead, np.where(ahead > 0.0, self._high, -self._low), out=self._thrusters)
        np.multiply(shares[:, k:], self._angle, out=self._surfaces)
        return self._thrusters, self._surfaces


class WrenchShares:
    """One number for each axis that thrusters command alone."""

    def __init__(self, vehicle: Vehicle, n: int) -> None:
        alloc = Allocation(vehicle)
        if len(alloc.axes) < 4:
            reach = ", ".join(AXIS_NAMES[a] for a in alloc.axes) or "nothing"
            raise CommandError(f"thrusters of {vehicle.key} command {reach} alone", expected="action='actuators'")
        self.names = tuple(AXIS_NAMES[a] for a in alloc.axes)
        b = alloc.b[list(alloc.axes)]
        inverse = np.linalg.pinv(b)
        reach = np.maximum(b * alloc.high, b * alloc.low).sum(axis=1)
        self._share = (inverse * reach).T  # thrust of each thruster per share of each axis
        self._low, self._high = alloc.low, alloc.high
        # either way from 0, which is one of the points: no thrust is no drive, whatever the dead band
        half = np.linspace(0.0, 1.0, CURVE_POINTS // 2 + 1)
        ends = zip(alloc.low, alloc.high, strict=True)
        self._thrust = [np.concatenate([low * half[:0:-1], high * half]) for low, high in ends]
        self._drive = [np.array([c.drive(t) for t in grid]) for c, grid in zip(alloc.curves, self._thrust, strict=True)]
        self._thrusters, self._surfaces = np.zeros((n, alloc.n)), np.zeros((n, len(vehicle.surfaces)))

    def demands(self, shares: Array) -> tuple[Array, Array]:
        """Drives; surfaces stay in the middle."""
        f = shares @ self._share
        room = np.where(f > 0.0, self._high, -self._low)
        over = np.max(np.abs(f) / np.maximum(room, 1e-12), axis=1, keepdims=True)
        f /= np.maximum(over, 1.0)
        for i, (thrust, drive) in enumerate(zip(self._thrust, self._drive, strict=True)):
            self._thrusters[:, i] = np.interp(f[:, i], thrust, drive)
        return self._thrusters, self._surfaces


KINDS = {"actuators": ActuatorShares, "wrench": WrenchShares}


class Actions:
    """Checked actions, and what they ask of the actuators on top of an autopilot if there is one."""

    def __init__(self, vehicle: Vehicle, n: int, kind: str, authority: float) -> None:
        self._shares = KINDS[kind](vehicle, n)
        self.names = self._shares.names
        self.taken = np.zeros((n, len(self.names)))  # the last actions, inside -1..1
        self._authority = authority
        self._scaled = np.zeros_like(self.taken)
        self._low = np.array([t.minimum for t in vehicle.thrusters])
        self._high = np.array([t.maximum for t in vehicle.thrusters])
        self._angle = np.array([s.limit_rad for s in vehicle.surfaces])

    def demands(self, actions: NDArray[np.floating], assisted: Actuations | None = None) -> tuple[Array, Array]:
        """Drives (n, thrusters) and angles (n, surfaces), SI; CommandError for numbers that are none."""
        given = np.asarray(actions)
        if given.shape != self.taken.shape:
            raise CommandError(f"actions have shape {given.shape}", expected=f"{self.taken.shape}")
        if given.dtype.kind not in "fiu" or not np.isfinite(given).all():
            raise CommandError("an action is not a finite number", expected="numbers from -1 to 1")
        np.clip(given, -1.0, 1.0, out=self.taken)
        np.multiply(self.taken, self._authority, out=self._scaled)
        thrusters, surfaces = self._shares.demands(self._scaled)
        if assisted is not None:
            thrusters += assisted.thrusters
            surfaces += assisted.surfaces
            np.clip(thrusters, self._low, self._high, out=thrusters)
            np.clip(surfaces, -self._angle, self._angle, out=surfaces)
        return thrusters, surfaces

    def effort(self) -> Array:
        """Mean square of the last action of each vehicle, 0 to 1."""
        return np.einsum("ij,ij->i", self.taken, self.taken) / max(self.taken.shape[1], 1)
