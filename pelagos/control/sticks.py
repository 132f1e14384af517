"""What stick positions ask of thrusters and surfaces: the mapping that a pilot and a helm share.

Full stick on an axis is `share` of what the thrusters can give on that axis alone, and full deflection of the surfaces
that serve it (in the sense they act going ahead). Several sticks at once share the actuators by least squares.
Body axes about the body origin, N and N m; angles rad.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pelagos.control.base import PITCH, ROLL, SURGE, YAW
from pelagos.control.schedule import Schedule, Stage

Array = NDArray[np.float64]

TURN_RAD_S = math.radians(45.0)  # steady, of full yaw stick at the usual gain, at most
SPEED_SHARE = 0.6  # of the top speed, by full surge stick at the usual gain, at least
SPEED_M_S = 1.0  # and this, if the vehicle goes so fast: enough against the usual currents
LEAST_GAIN = 0.5
REACHED_S = 10.0
STEADY = 0.8  # of the speed at which a hull without pitch control noses over
STEP = 0.05


class Sticks:
    """Sticks of one vehicle, -1..1 in the order X Y Z K M N; `axes` are those that have something to act on."""

    def __init__(self, schedule: Schedule, share: float = 1.0) -> None:
        vehicle, allocation = schedule.vehicle, schedule.allocation
        # Row 0: stick pushed to negative, row 1: to positive.
        self.limits = share * np.array([[allocation.limit(i, s) for i in range(6)] for s in (-1.0, 1.0)])
        self._deflections = np.zeros((6, len(vehicle.surfaces)))
        if vehicle.surfaces:
            # Only proportions matter here, so any speed with way on will do for a vehicle without a screw.
            mix = schedule.stage(schedule.cruise).mix if schedule.top_speed > 0.0 else schedule.mix_at(1.0)
            for axis in (ROLL, PITCH, YAW):
                self._deflections[axis] = share * mix.along(axis)
        self.surface_limits = np.array([s.limit_rad for s in vehicle.surfaces], dtype=np.float64)
        self.axes = tuple(i for i in range(6) if i in allocation.axes or bool(np.any(self._deflections[i] != 0.0)))

    def wrench(self, stick: Array) -> Array:
        """Asked of the thrusters."""
        return stick * np.where(stick < 0.0, self.limits[0], self.limits[1])

    def angles(self, stick: Array) -> Array:
        """Asked of the surfaces, inside their limits."""
        return np.clip(stick @ self._deflections, -self.surface_limits, self.surface_limits)


class Ease(NamedTuple):
    """How a pilot's sticks begin: the gain of all, what each is scaled by besides, and the turn of the yaw stick."""

    gain: float = 1.0
    shares: Array = np.ones(6)
    turn_rad_s: float = 0.0  # asked for by stick times gain of 1; 0: the stick is a moment alone


def usual(schedule: Schedule, sticks: Sticks) -> Ease:
    """Sticks with which a pilot can do something and does not overdo it.

    The gain is the share of the thrust ahead that brings the hull to 60 % of its top speed, and to 1 m/s or its top
    speed, in some 10 s; in steps of 0.05 and not below 0.5: a light hull gets half of its thrust, a heavy one or one
    with little to spare all of it. Where nothing holds the pitch, full surge stick stays well below the speed at which
    the hull noses over. Full yaw stick turns it at 45 deg/s in the steady state, or as fast as it can:

        gain = max(0.5, (D(u) + M u / 10 s) / X_max),  u = max(0.6 u_max, min(1 m/s, u_max))
        share of yaw = min(1, N(45 deg/s) / (gain N_max)),   share of surge = min(1, D(0.8 u_over) / (gain X_max))
    """
    ahead, turn, top = float(sticks.limits[1, SURGE]), float(sticks.limits[:, YAW].max()), schedule.top_speed
    gain, shares, response = 1.0, np.ones(6), schedule.response
    if ahead > 0.0 and schedule.vehicle.free[SURGE]:
        fast = max(SPEED_SHARE * top, min(SPEED_M_S, top))
        needed = (response.drag(fast) + float(response.mass[0, 0]) * fast / REACHED_S) / ahead
        gain = round(min(max(math.ceil(needed / STEP - 1e-6) * STEP, LEAST_GAIN), 1.0), 2)
        if math.isfinite(schedule.steady_speed):
            shares[SURGE] = min(1.0, response.drag(STEADY * schedule.steady_speed) / (gain * ahead))
    if turn > 0.0:  # else by its rudder alone: that is as fast as the way it has
        shares[YAW] = min(1.0, response.resistance(YAW, TURN_RAD_S) / (gain * turn))
    return Ease(gain, shares, TURN_RAD_S / gain if shares[YAW] < 1.0 else 0.0)


class ByHand(NamedTuple):
    """What a hand asks for beside the loops of an autopilot."""

    thrust: Array  # wrench, of the thrusters
    angles: Array  # of the surfaces
    limits: Array  # of the surfaces

    def wrench(self, stage: Stage) -> list[float]:
        """All of it, X Y Z K M N: surfaces count on the axes on which a stage uses them."""
        wrench = self.thrust.tolist()
        for axis, moment in enumerate(_moments(self.angles, stage)):
            wrench[axis] += moment
        return wrench

    def on_top_of(self, surfaces: Array, stage: Stage) -> tuple[Array, list[float]]:
        """Angles with those of the loops added, inside the limits, and the wrench they give."""
        angles = np.clip(surfaces + self.angles, -self.limits, self.limits)
        return angles, _moments(angles, stage)


def _moments(angles: Array, stage: Stage) -> list[float]:
    moments = [0.0] * 6
    if stage.use_surfaces:
        given = (stage.mix.reach @ angles).tolist()
        for axis in stage.use_surfaces:
            moments[axis] = given[axis]
    return moments
