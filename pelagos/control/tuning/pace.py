"""Rates of turn, climb and speed that the actuators can sustain, and on a directionally unstable hull, can stop."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pelagos.control.base import PITCH, SWAY, YAW
from pelagos.control.tuning.response import VehicleResponse

Array = NDArray[np.float64]

SHARES = (
    0.04,
    0.07,
    0.1,
    0.13,
    0.16,
    0.2,
    0.25,
    0.3,
    0.4,
    0.5,
    0.6,
    0.75,
    0.9,
    1.0,
)  # of the largest rate, tried in this order
TO_SPARE = 0.2  # of the yaw moment, beyond what a steady turn takes (a choice)
TO_STOP = 0.3  # of the yaw moment, to stop the turn of a directionally unstable hull (a choice)


def turning_rate(response: VehicleResponse, speed: float, rudder: Array | None, thrust: float, ceiling: float) -> float:
    """Find the rate of steady turn, rad/s, that can be held and stopped; at least the smallest share of the ceiling.

    In a turn at r the hull takes the sway v at which its side forces balance; its yaw moment is then N(v, r) with the
    surfaces amidships, and changes by what the surfaces give there: full `rudder` (rad, turning to starboard) and
    as much the other way, fins that stall in the turn included. With m the moment of full rudder going straight and
    of the thrusters, the rate is allowed while N with full rudder is above 0.2 m and N with full counter-rudder
    below -0.3 m.
    """
    v = reached = 0.0
    moment = thrust
    if rudder is not None:
        ahead = np.array([speed, 0.0, 0.0, 0.0, 0.0, 0.0])
        moment += 0.5 * float((response.wrench(ahead, rudder) - response.wrench(ahead, -rudder))[YAW])
    for share in SHARES:
        r = share * ceiling
        v = _drift(response, speed, r, v)
        nu = np.array([speed, v, 0.0, 0.0, 0.0, r])
        turning = float(response.wrench(nu, rudder)[YAW]) + thrust
        stopping = float(response.wrench(nu, None if rudder is None else -rudder)[YAW]) - thrust
        # Shares rise, so the drift of the last one is a good start, and the first failure ends the search.
        if turning < TO_SPARE * moment or stopping > -TO_STOP * moment:
            break
        reached = r
    return reached if reached > 0.0 else SHARES[0] * ceiling


def _drift(response: VehicleResponse, speed: float, r: float, start: float) -> float:
    """Find the sway at which the side forces of a steady turn balance, by secant steps on Y(v) = 0."""

    def side(v: float) -> float:
        return float(response.wrench(np.array([speed, v, 0.0, 0.0, 0.0, r]))[SWAY])

    here, there = start, start - 0.05 * speed  # in a turn to starboard a hull drifts to port, v < 0
    force = side(here)
    for _ in range(12):
        new = side(there)
        if new == force or abs(new) < 1e-9:  # a flat secant, or converged
            break
        here, there, force = there, there - new * (there - here) / (new - force), new
    return max(-speed, min(speed, there))  # a secant may jump far: at most 45 degrees of drift


def steady_rate(response: VehicleResponse, axis: int, force: float, ceiling: float) -> float:
    """Find the rate (m/s or rad/s, up to a ceiling) at which drag of one axis alone equals a force, by bisection."""
    rest = response.wrench(np.zeros(6))[axis]

    def drag(rate: float) -> float:
        nu = np.zeros(6)
        nu[axis] = rate
        return float(rest - response.wrench(nu)[axis])

    low, high = 0.0, ceiling
    if drag(high) <= force:
        return ceiling
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if drag(middle) < force else (low, middle)
    return low


def steady_pitch_speed(response: VehicleResponse, stiffness: float, ceiling: float) -> float:
    """Find the speed, m/s, up to which a hull without pitch control stays level while its depth is held.

    Path level, so w = u theta: the moment M_w(u) u theta of the oblique flow (Munk's, mostly) against the righting
    moment K theta. The hull noses over where M_w(u) u > K; infinite if that does not happen below the ceiling.
    """

    def turns_over(speed: float) -> bool:
        step = 0.02 * speed
        wrenches = [response.wrench(np.array([speed, 0.0, w, 0.0, 0.0, 0.0]))[PITCH] for w in (step, -step)]
        return float(wrenches[0] - wrenches[1]) / (2.0 * step) * speed > stiffness

    if ceiling <= 0.0 or not turns_over(ceiling):
        return math.inf
    low, high = 0.0, ceiling
    for _ in range(30):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if turns_over(middle) else (middle, high)
    return low
