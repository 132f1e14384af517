"""Gains from the model: pole placement on the diagonal, checked against the coupled motion.

One axis i with total mass M (rigid body + added), damping D (slope of the forces at the working speed over the
working range of rates), stiffness K (righting moment) and available force or moment F:

    kp = F / e_ref              the actuator is used up at an error of e_ref
    w  = sqrt((kp + K) / M)     natural frequency; at most LAG_SHARE / T, T the lag of actuator and sampling
    kp = M w^2 - K,   kd = 2 zeta w M - D,   ki = M w^3 / 10,   approach_s = (kd + D) / (kp + K)

The diagonal hides sway from yaw and heave from pitch, and some hulls do not run straight by themselves. So for these
two the closed loop of the coupled motion, (v r psi) or (w q theta z) with integral and lag, is formed, and w is moved
until its eigenvalues are damped (ratio >= 0.45), taking the nearest w that does. Depth by planes is a slower loop
round pitch: theta_cmd = w_z (z - z_cmd + t_z z_dot) / u + integral, with w_z a fraction of w and t_z a multiple of
1 / w_z found the same way. The rate of depth helps hulls that heave long after they have pitched.

Large steps are taken at a steady pace, at most what the actuators can hold: the speed at which drag meets thrust, or
the rate of turn that the rudder can keep up, or on a hull that turns in by itself, can safely stop.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pelagos.control.base import HEAVE, SWAY, YAW
from pelagos.control.response import Response

Array = NDArray[np.float64]

ZETA = 1.0
LAG_SHARE = 0.35
SAMPLING_S = 0.1  # a demand held for one control period of 0.1 s is half of that late; the rest is computing
DAMPED = 0.45
# Order in which frequencies are tried, as multiples of the diagonal answer.
TRIES = (1.0, 0.8, 1.25, 0.63, 1.6, 0.5, 2.0, 0.4, 2.5, 0.3)
OUTER = (0.3, 0.25, 0.18, 0.13, 0.09, 0.06, 0.04)
OUTER_RATE = (0.0, 0.5, 1.0, 2.0)
OUTER_DAMPED = 0.6


@dataclass(frozen=True)
class Loop:
    """Gains of one axis, in N (N m) per m (rad); error_limit in m (rad)."""

    kp: float
    ki: float
    kd: float
    error_limit: float
    approach_s: float  # see pid
    frequency: float  # rad/s

    @property
    def works(self) -> bool:
        """Whether there is anything to push with."""
        return self.kp > 0.0


NO_LOOP = Loop(0.0, 0.0, 0.0, math.inf, 0.0, 0.0)


@dataclass(frozen=True)
class Axis:
    """What the diagonal says of one axis and what acts on it."""

    mass: float
    damping: float
    stiffness: float
    force: float  # available, N or N m
    lag_s: float
    error_ref: float  # error at which the actuator is used up, m or rad
    rate_limit: float  # approach speed, m/s or rad/s


def diagonal_loop(axis: Axis, factor: float = 1.0) -> Loop:
    """Poles of one axis at w (see the module), times a factor."""
    if axis.force <= 0.0 or axis.mass <= 0.0:
        return NO_LOOP
    kp = axis.force / axis.error_ref
    righting = max(axis.stiffness, 0.0)
    w = factor * min(math.sqrt((kp + righting) / axis.mass), LAG_SHARE / (axis.lag_s + SAMPLING_S))
    # Where the righting moment alone is stiffer than that, feedback adds a third and damps at its own slower pace.
    kp = max(axis.mass * w * w - axis.stiffness, 0.3 * min(kp, axis.mass * w * w))
    kd = max(2.0 * ZETA * w * axis.mass - axis.damping, 0.0)
    approach = (kd + max(axis.damping, 0.0)) / (kp + righting)
    return Loop(kp, (kp + righting) * w / 10.0, kd, axis.rate_limit * approach, approach, w)


def speed_loop(mass: float, damping: float, force: float, top_speed: float, lag_s: float) -> Loop:
    """First-order loop on forward speed: the thrust is used up at an error of a quarter of the top speed."""
    if force <= 0.0 or top_speed <= 0.0:
        return NO_LOOP
    w = min(force / (mass * 0.25 * top_speed), LAG_SHARE / (lag_s + SAMPLING_S))
    return Loop(max(mass * w - damping, 0.2 * mass * w), mass * w * w / 5.0, 0.0, math.inf, 1.0 / w, w)


@dataclass(frozen=True)
class Plane:
    """The coupled motion of yaw (sway, yaw) or pitch (heave, pitch), linear at one speed.

    x = (cross velocity, rate, angle); x_dot = a x + b moment. A held cross velocity has a zero row.
    """

    a: Array
    b: Array
    speed: float
    lag_s: float


def plane(response: Response, slope: Array, turn: int, stiffness: float, ratio: float, speed: float, lag_s: float,
          free: tuple[bool, ...]) -> Plane:  # fmt: skip
    """Linear model of yaw or pitch; `ratio` is the cross force that comes with a unit of moment (tail surfaces)."""
    cross = SWAY if turn == YAW else HEAVE
    rows = [i for i in (cross, turn) if free[i]]
    mass = response.mass[np.ix_(rows, rows)]
    at = {cross: 0, turn: 1}
    a, b = np.zeros((3, 3)), np.zeros(3)
    inner = np.linalg.solve(mass, slope[np.ix_(rows, rows)])
    push = np.array([ratio if i == cross else 1.0 for i in rows])
    right = np.array([-stiffness if i == turn else 0.0 for i in rows])
    push, right = np.linalg.solve(mass, push), np.linalg.solve(mass, right)
    for k, i in enumerate(rows):
        for m, j in enumerate(rows):
            a[at[i], at[j]] = inner[k, m]
        a[at[i], 2], b[at[i]] = right[k], push[k]
    a[2, 1] = 1.0
    if not free[cross]:
        a[0, 0] = -1.0  # held: let it decay out of sight
    return Plane(a, b, speed, lag_s)


@dataclass(frozen=True)
class Dive:
    """Depth by pitch: theta_cmd = frequency / u (z + rate_s z_dot) and its integral."""

    frequency: float  # w_z, rad/s
    rate_s: float  # t_z

    @property
    def approach_s(self) -> float:
        """z_dot = -z / approach_s on the way: see pid."""
        return 1.0 / self.frequency + self.rate_s if self.frequency > 0.0 else 0.0


NO_DIVE = Dive(0.0, 0.0)


def closed_loop(p: Plane, loop: Loop, dive: Dive = NO_DIVE) -> Array:
    """State matrix of the plane under its loop: (cross, rate, angle, integral, moment[, depth, depth integral]).

    With a dive the angle is pitch and follows depth: z_dot = w - u theta.
    """
    n = 7 if dive.frequency > 0.0 else 5
    m = np.zeros((n, n))
    m[:3, :3], m[:3, 4] = p.a, p.b
    lag = p.lag_s + 0.5 * SAMPLING_S
    m[3, 1], m[3, 2] = -loop.ki * loop.approach_s, -loop.ki
    m[4, 1], m[4, 2], m[4, 3], m[4, 4] = -loop.kd / lag, -loop.kp / lag, 1.0 / lag, -1.0 / lag
    if dive.frequency > 0.0:
        gain = dive.frequency / p.speed
        m[5, 0], m[5, 2] = 1.0, -p.speed
        error = np.zeros(n)
        error[5] = 1.0
        m[6] = gain * dive.frequency / 10.0 * (error + dive.approach_s * m[5])
        angle = gain * (error + dive.rate_s * m[5])
        angle[6] = 1.0
        m[3] += loop.ki * angle
        m[4] += loop.kp * angle / lag
    return m


def least_damping(m: Array) -> float:
    """Smallest damping ratio -Re/|lambda| of the eigenvalues; negative if one grows."""
    roots = np.linalg.eigvals(m)
    size = np.abs(roots)
    moving = size > 1e-9
    return float((-roots.real[moving] / size[moving]).min(initial=1.0))


def coupled_loop(axis: Axis, p: Plane) -> Loop:
    """The diagonal loop, its frequency moved to the nearest at which the coupled motion is damped."""
    best, best_damping = NO_LOOP, -math.inf
    for factor in TRIES:
        loop = diagonal_loop(axis, factor)
        if not loop.works:
            return NO_LOOP
        if axis.stiffness == 0.0:
            loop = _paced(loop, axis, p)
        damping = least_damping(closed_loop(p, loop))
        if damping >= DAMPED:
            return loop
        if damping > best_damping:
            best, best_damping = loop, damping
    return best


def _paced(loop: Loop, axis: Axis, p: Plane) -> Loop:
    """The loop with its approach set by the steady turn: kp e = (kd + D) r, D the moment per rate with sway settled.

    From 0 = a00 v + a01 r + b0 m and 0 = a10 v + a11 r + b1 m. Only an unstable hull is changed, which has D < 0: it
    turns in by itself and would overrun a pace reckoned from the diagonal.
    """
    a, b = p.a, p.b
    if a[0, 0] >= 0.0:
        return loop
    push = b[1] - a[1, 0] * b[0] / a[0, 0]
    if push <= 0.0:
        return loop
    damping = -float(a[1, 1] - a[1, 0] * a[0, 1] / a[0, 0]) / float(push)
    if damping >= 0.0:
        return loop
    approach = max((loop.kd + damping) / loop.kp, 0.2 * loop.approach_s)
    return replace(loop, approach_s=approach, error_limit=axis.rate_limit * approach)


def dive_loop(p: Plane, loop: Loop) -> Dive:
    """The fastest depth loop that leaves the whole motion damped, or nearly as damped as pitch alone."""
    enough = min(OUTER_DAMPED, 0.9 * least_damping(closed_loop(p, loop)))
    best, best_damping = NO_DIVE, -math.inf
    for share in OUTER:
        for rate in OUTER_RATE:
            w = share * loop.frequency
            dive = Dive(w, rate / w)
            damping = least_damping(closed_loop(p, loop, dive))
            if damping >= enough:
                return dive
            if damping > best_damping:
                best, best_damping = dive, damping
    return best


def turning_rate(response: Response, speed: float, moment: float, ceiling: float) -> float:
    """Rate of steady turn, rad/s, up to which the given yaw moment balances the hull, drifting freely.

    In a turn at r the hull takes the sway v at which its side forces balance, and its yaw moment N(v, r) must be met
    by the rudder: 80 % of it may go against N < 0 to keep a hull turning, 60 % against N > 0, where the hull turns in
    by itself and the rest is needed to stop it.
    """
    v = reached = 0.0
    for share in (0.07, 0.1, 0.15, 0.2, 0.35, 0.5, 0.75, 1.0):
        r = share * ceiling
        here, there = v, v - 0.05 * speed
        force = float(response.wrench(np.array([speed, here, 0.0, 0.0, 0.0, r]))[SWAY])
        for _ in range(12):  # secant steps on Y(v) = 0
            new = float(response.wrench(np.array([speed, there, 0.0, 0.0, 0.0, r]))[SWAY])
            if new == force or abs(new) < 1e-9:
                break
            here, there, force = there, there - new * (there - here) / (new - force), new
        v = max(-speed, min(speed, there))
        needed = float(response.wrench(np.array([speed, v, 0.0, 0.0, 0.0, r]))[YAW])
        if not -0.8 * moment <= needed <= 0.6 * moment:
            break
        reached = r
    return reached if reached > 0.0 else 0.05 * ceiling


def steady_rate(response: Response, axis: int, force: float, ceiling: float) -> float:
    """Velocity (m/s or rad/s, up to a ceiling) at which drag of one axis alone equals a force, by bisection."""
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
