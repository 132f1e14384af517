"""Action spaces: the conversion of actions from -1 to 1 into commands to the actuators.

    "actuators"   one number for each thruster, a share of its largest command (+1 ahead, -1 astern), then one for each
                  control surface, a share of its largest angle
    "wrench"      one number for each axis that the thrusters can command independently (surge, sway, heave, roll,
                  pitch, yaw), a share of the largest force or moment. The thrusts are B^+ tau; if one exceeds its
                  limit, all are reduced by the same factor, which keeps the direction of the wrench. Commands follow
                  from the static curve of each thruster

With `assist="pid"` the action times `authority` is added to the command of the autopilot. Actions are clipped to -1 and
1, and the sum to the limits of the actuators.
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
CURVE_POINTS = 401  # of a thruster's inverse curve: 20 for each interval of the T200's table, which has 21 rows


class ActuatorShares:
    """Actions as one number for each thruster and each control surface."""

    def __init__(self, vehicle: Vehicle, n: int) -> None:
        self.names = tuple(f"thruster {t.name}" for t in vehicle.thrusters) + tuple(
            f"surface {s.name}" for s in vehicle.surfaces
        )
        self._low = np.array([t.minimum for t in vehicle.thrusters])
        self._high = np.array([t.maximum for t in vehicle.thrusters])
        self._angle = np.array([s.limit_rad for s in vehicle.surfaces])
        self._thrusters, self._surfaces = np.zeros((n, len(self._high))), np.zeros((n, len(self._angle)))

    def commands(self, shares: Array) -> tuple[Array, Array]:
        """Return commands to thrusters and control surfaces, in arrays that the next call overwrites."""
        k = len(self._high)
        ahead = shares[:, :k]
        np.multiply(ahead, np.where(ahead > 0.0, self._high, -self._low), out=self._thrusters)
        np.multiply(shares[:, k:], self._angle, out=self._surfaces)
        return self._thrusters, self._surfaces


class WrenchShares:
    """Actions as one number for each axis that the thrusters can command independently."""

    def __init__(self, vehicle: Vehicle, n: int) -> None:
        alloc = Allocation(vehicle)
        if len(alloc.axes) < 4:  # torpedoes steer by control surfaces, which a wrench leaves at 0
            axes = ", ".join(AXIS_NAMES[a] for a in alloc.axes) or "nothing"
            message = f"the thrusters of {vehicle.key} command only {axes}"
            raise CommandError(message, key="action", value="wrench", expected="'actuators'")
        self.names = tuple(AXIS_NAMES[a] for a in alloc.axes)
        b = alloc.b[list(alloc.axes)]
        inverse = np.linalg.pinv(b)
        reach = np.maximum(b * alloc.high, b * alloc.low).sum(axis=1)
        # `reach` is the largest force or moment of each axis with every thruster at its limit
        self._share = (inverse * reach).T  # thrust of each thruster per share of each axis
        self._low, self._high = alloc.low, alloc.high
        # 0 is one of the points, so that no thrust is exactly no command, whatever the dead band
        half = np.linspace(0.0, 1.0, CURVE_POINTS // 2 + 1)
        ends = zip(alloc.low, alloc.high, strict=True)
        self._thrust = [np.concatenate([low * half[:0:-1], high * half]) for low, high in ends]
        curves = zip(alloc.curves, self._thrust, strict=True)
        self._command = [np.array([curve.drive(thrust) for thrust in grid]) for curve, grid in curves]
        self._thrusters, self._surfaces = np.zeros((n, alloc.n)), np.zeros((n, len(vehicle.surfaces)))

    def commands(self, shares: Array) -> tuple[Array, Array]:
        """Return commands to thrusters and control surfaces, the latter 0, in arrays that the next call overwrites."""
        f = shares @ self._share
        limit = np.where(f > 0.0, self._high, -self._low)
        # 1e-12: a thruster without reverse has a limit of 0
        excess = np.max(np.abs(f) / np.maximum(limit, 1e-12), axis=1, keepdims=True)
        f /= np.maximum(excess, 1.0)
        for i, (thrust, command) in enumerate(zip(self._thrust, self._command, strict=True)):
            self._thrusters[:, i] = np.interp(f[:, i], thrust, command)
        return self._thrusters, self._surfaces


KINDS = {"actuators": ActuatorShares, "wrench": WrenchShares}


class Actions:
    """The action space of an environment: checks actions and adds them to the commands of an autopilot."""

    def __init__(self, vehicle: Vehicle, n: int, kind: str, authority: float) -> None:
        self._shares = KINDS[kind](vehicle, n)
        self.names = self._shares.names
        self.taken = np.zeros((n, len(self.names)))  # the last actions, clipped to -1 and 1
        self._authority = authority
        self._scaled = np.zeros_like(self.taken)
        self._low = np.array([t.minimum for t in vehicle.thrusters])
        self._high = np.array([t.maximum for t in vehicle.thrusters])
        self._angle = np.array([s.limit_rad for s in vehicle.surfaces])

    def commands(self, actions: NDArray[np.floating], autopilot: Actuations | None = None) -> tuple[Array, Array]:
        """Return commands to thrusters (n, k) and control surfaces (n, s), SI, from actions and an autopilot."""
        rows = np.asarray(actions)
        if rows.shape != self.taken.shape:
            raise CommandError(key="shape of actions", value=rows.shape, expected=f"{self.taken.shape}")
        if rows.dtype.kind not in "fiu" or not np.isfinite(rows).all():
            raise CommandError("an action is not a finite number", expected="numbers from -1 to 1")
        np.clip(rows, -1.0, 1.0, out=self.taken)
        np.multiply(self.taken, self._authority, out=self._scaled)
        thrusters, surfaces = self._shares.commands(self._scaled)
        if autopilot is not None:
            thrusters += autopilot.thrusters
            surfaces += autopilot.surfaces
            np.clip(thrusters, self._low, self._high, out=thrusters)
            np.clip(surfaces, -self._angle, self._angle, out=surfaces)
        return thrusters, surfaces

    def effort(self) -> Array:
        """Return the mean square of the last action of each vehicle, 0 to 1."""
        return np.einsum("ij,ij->i", self.taken, self.taken) / max(self.taken.shape[1], 1)
