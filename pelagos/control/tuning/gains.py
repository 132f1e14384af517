"""Gains from the model: pole placement on the diagonal, checked against the coupled motion.

One axis i with total mass M (rigid body + added), damping D (slope of the forces at the working speed over the
working range of rates), stiffness K (righting moment) and available force or moment F:

    kp = F / e_ref              the actuator is used up at an error of e_ref
    w  = sqrt((kp + K) / M)     natural frequency; at most LAG_SHARE / T, T the lag of actuator and sampling
    kp = max(M w^2, w D / 2) - K,   kd = max(2 zeta w M - D, 0),   ki = (kp + K) w / 10
    approach_s = (kd + D) / (kp + K)

The diagonal hides sway from yaw and heave from pitch, and some hulls do not run straight by themselves. So for these
two the closed loop of the coupled motion, (v r psi) or (w q theta z) with integral and lag, is formed, and w is moved
until its eigenvalues are damped (ratio >= 0.45) and a step of heading overshoots little, taking the nearest w that
does. Depth by planes is a slower loop round pitch: theta_cmd = w_z (z - z_cmd + t_z z_dot) / u + integral, with w_z a
fraction of w and t_z a multiple of 1 / w_z: of those that are damped and overshoot a step by no more than 5 %, the pair
that settles first. The rate of depth helps hulls that heave long after they have pitched.

Large steps are taken at a steady pace (see pace): the error is clipped to rate x approach_s.

Motions x_dot = m x by their eigenvalues: how damped they are, how far a state overshoots and when it is settled.

Whether a loop that is tuned in continuous time holds at the rate at which it is really run.

The plane (cross velocity, rate, angle), its actuator with lag and, with a dive, the depth, are carried over one control
interval exactly, with the demand held: x+ = F x + g u, from exp([[A, b], [0, 0]] T). The loop, its integrals summed
tick by tick as in pid, gives u. The motion grows if an eigenvalue of x+ (x) lies outside the unit circle (Astrom &
Wittenmark, Computer-Controlled Systems, 1997, 3.2).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pelagos.control.base import HEAVE, SWAY, YAW
from pelagos.control.pid import PID
from pelagos.control.tuning.response import VehicleResponse
from pelagos.vehicle.spec import COMPUTED_GAINS, LoopGains

Array = NDArray[np.float64]
SETTLED = 0.05  # of the step
FEW = 15  # every so many of the instants of a step are looked at first


def least_damping(m: Array) -> float:
    """Smallest damping ratio -Re/|lambda| of the eigenvalues; negative if one grows."""
    return float(least_dampings(m[None])[0])


def least_dampings(several: Array) -> Array:
    """The same of several matrices at once, which takes a fraction of the time."""
    roots = np.linalg.eigvals(several)
    size = np.abs(roots)
    ratios = np.divide(-roots.real, size, out=np.ones_like(size), where=size > 1e-9)
    return ratios.min(axis=-1, initial=1.0)


class Steps:
    """One state of several motions that starts at 1 and shall go to 0, by eigenvectors, over 60 / frequency seconds.

    For a state that meets no stiffness in the hull this is the answer to a step of its setpoint.
    """

    def __init__(self, several: Array, quantity: int) -> None:
        start = np.zeros((several.shape[-1], 1))
        start[quantity] = 1.0
        self._roots, vectors = np.linalg.eig(several)
        starts = np.broadcast_to(start, (len(several), *start.shape))
        self._weights = vectors[:, quantity] * np.linalg.solve(vectors, starts)[..., 0]

    def _state(self, i: int, t: Array, last_s: float) -> Array:
        roots = self._roots[i]
        grows = np.minimum(np.real(roots), min(1.0, 500.0 / last_s)) + 1j * np.imag(roots)  # no overflow of what grows
        # Not `weights @ exp`: a library that shares so small a product among threads can wait for them for 0.1 s.
        return np.real(self._weights[i][:, None] * np.exp(grows[:, None] * t)).sum(axis=0)

    def answer(
        self, i: int, frequency: float, most: float = math.inf, before_s: float = math.inf
    ) -> tuple[float, float]:
        """Overshoot (share of the step) and settling time (s, to 5 %) of one motion; infinite if it does not settle.

        One that overshoots more than `most` or settles later than `before_s` need not be known better than that: it is
        looked at in a few instants first.
        """
        t = np.linspace(0.0, 60.0 / frequency, 600)
        last_s = float(t[-1])
        if most < math.inf:
            x = self._state(i, t[::FEW], last_s)
            if -float(x.min()) > most or (np.abs(x[t[::FEW] >= before_s]) > SETTLED).any():
                return max(0.0, -float(x.min())), math.inf
        x = self._state(i, t, last_s)
        out = np.flatnonzero(np.abs(x) > SETTLED)
        settled = math.inf if out.size and out[-1] == t.size - 1 else float(t[out[-1] + 1]) if out.size else 0.0
        return max(0.0, -float(x.min())), settled


def step_answer(m: Array, quantity: int, frequency: float) -> tuple[float, float]:
    """Overshoot (share of the step) and settling time (s, to 5 %) of one state of one motion: see `Steps`."""
    return Steps(m[None], quantity).answer(0, frequency)


# ---- tuning ----------------------------------------------------------------------------------------------------------


ZETA = 1.0
LAG_SHARE = 0.35
SAMPLING_S = 0.1  # control interval unless another is given: a demand is held for it, and so is half of it late
DAMPED = 0.45
# Order in which frequencies are tried, as multiples of the diagonal answer.
TRIES = (1.0, 0.8, 1.25, 0.63, 1.6, 0.5, 2.0, 0.4, 2.5, 0.3)
LEAST = 0.5  # no slower than this for the sake of overshoot alone
HEADING_OVERSHOOT = 0.05  # of the linear step
OUTER = (0.5, 0.4, 0.3, 0.25, 0.21, 0.18, 0.15, 0.13, 0.11, 0.09, 0.075, 0.06, 0.05, 0.04)
OUTER_RATE = (0.0, 0.25, 0.5, 1.0, 2.0)
OUTER_DAMPED = 0.6
OUTER_OVERSHOOT = 0.05


@dataclass(frozen=True)
class Loop:
    """Gains of one axis, in N (N m) per m (rad); error_limit in m (rad)."""

    kp: float
    ki: float
    kd: float
    error_limit: float
    approach_s: float  # see pid
    frequency: float  # rad/s
    mass: float = 0.0  # of the axis, kg or kg m2

    @property
    def works(self) -> bool:
        """Whether there is anything to push with."""
        return self.kp > 0.0

    def tune(self, pid: PID) -> None:
        """Give a controller these gains; its output does not jump."""
        pid.retune(self.kp, self.ki, self.kd, self.error_limit, self.approach_s)
        pid.mass = self.mass
        pid.carry_s = 0.5 / self.frequency if self.frequency > 0.0 else 1.0


NO_LOOP = Loop(0.0, 0.0, 0.0, math.inf, 0.0, 0.0)


@dataclass(frozen=True)
class AxisModel:
    """What the diagonal says of one axis and what acts on it."""

    mass: float
    damping: float
    stiffness: float
    force: float  # available, N or N m
    lag_s: float
    error_ref: float  # error at which the actuator is used up, m or rad
    rate_limit: float  # approach speed, m/s or rad/s
    zeta: float = ZETA
    frequency: float | None = None  # asked for; None: by the formula
    interval_s: float = SAMPLING_S


def diagonal_loop(axis: AxisModel, factor: float = 1.0) -> Loop:
    """Poles of one axis at w (see the module), times a factor."""
    if axis.force <= 0.0 or axis.mass <= 0.0:
        return NO_LOOP
    righting = max(axis.stiffness, 0.0)
    if axis.frequency is not None:
        w = factor * axis.frequency
        reach = axis.mass * w * w
    else:
        reach = axis.force / axis.error_ref
        w = factor * min(math.sqrt((reach + righting) / axis.mass), LAG_SHARE / (axis.lag_s + axis.interval_s))
    # An axis that the water damps more than 2 w M would creep home at kp / D: kp = w D / 2 makes that w / 2.
    wanted = max(axis.mass * w * w, min(reach if axis.frequency is None else math.inf, 0.5 * w * axis.damping))
    # Where the righting moment alone is stiffer than that, feedback adds a third and damps at its own slower pace.
    kp = max(wanted - axis.stiffness, 0.3 * min(reach, axis.mass * w * w))
    kd = max(2.0 * axis.zeta * w * axis.mass - axis.damping, 0.0)
    approach = (kd + max(axis.damping, 0.0)) / (kp + righting)
    return Loop(kp, (kp + righting) * w / 10.0, kd, axis.rate_limit * approach, approach, w, axis.mass)


def with_gains(loop: Loop, axis: AxisModel, wish: LoopGains) -> Loop:
    """The loop with gains given one by one in their place."""
    if not loop.works or (wish.kp is None and wish.ki is None and wish.kd is None):
        return loop
    kp = loop.kp if wish.kp is None else wish.kp
    kd = loop.kd if wish.kd is None else wish.kd
    stiff = kp + max(axis.stiffness, 0.0)
    if stiff <= 0.0:
        return NO_LOOP
    w = math.sqrt(stiff / axis.mass)
    approach = (kd + max(axis.damping, 0.0)) / stiff
    ki = stiff * w / 10.0 if wish.ki is None else wish.ki
    return Loop(kp, ki, kd, axis.rate_limit * approach, approach, w, axis.mass)


def speed_loop(
    mass: float,
    damping: float,
    force: float,
    top_speed: float,
    lag_s: float,
    wish: LoopGains = COMPUTED_GAINS,
    interval_s: float = SAMPLING_S,
) -> Loop:
    """First-order loop on forward speed: the thrust is used up at an error of a quarter of the top speed."""
    if force <= 0.0 or top_speed <= 0.0:
        return NO_LOOP
    w = wish.frequency_rad_s or min(force / (mass * 0.25 * top_speed), LAG_SHARE / (lag_s + interval_s))
    kp = max(mass * w - damping, 0.2 * mass * w) if wish.kp is None else wish.kp
    return Loop(kp, mass * w * w / 5.0 if wish.ki is None else wish.ki, 0.0, math.inf, 1.0 / w, w)


@dataclass(frozen=True)
class Plane:
    """The coupled motion of yaw (sway, yaw) or pitch (heave, pitch), linear at one speed.

    x = (cross velocity, rate, angle); x_dot = a x + b moment. A held cross velocity has a zero row.
    """

    a: Array
    b: Array
    speed: float
    lag_s: float
    stiffness: float = 0.0  # righting moment, N m/rad; that of the angle asked for is fed forward
    interval_s: float = SAMPLING_S


def plane(response: VehicleResponse, slope: Array, turn: int, stiffness: float, ratio: float, speed: float,
          lag_s: float, free: tuple[bool, ...], interval_s: float = SAMPLING_S) -> Plane:  # fmt: skip
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
    return Plane(a, b, speed, lag_s, stiffness, interval_s)


@dataclass(frozen=True)
class Dive:
    """Depth by pitch: theta_cmd = frequency / u (z + rate_s z_dot) and its integral."""

    frequency: float  # w_z, rad/s
    rate_s: float  # t_z

    @property
    def approach_s(self) -> float:
        """z_dot = -z / approach_s on the way: see pid."""
        return 1.0 / self.frequency + self.rate_s if self.frequency > 0.0 else 0.0

    def tune(self, pid: PID, speed: float, pitch_limit: float) -> None:
        """Give a controller of depth these gains at a speed: its output is a pitch, down positive, of that at most."""
        gain = self.frequency / max(speed, 1e-6)
        limit = pitch_limit / gain if gain > 0.0 else math.inf
        pid.retune(gain, gain * self.frequency / 10.0, gain * self.rate_s, limit, self.approach_s)
        pid.low, pid.high = -pitch_limit, pitch_limit
        pid.carry_s = 0.5 / self.frequency if self.frequency > 0.0 else 1.0


NO_DIVE = Dive(0.0, 0.0)


def closed_loop(p: Plane, loop: Loop, dive: Dive = NO_DIVE) -> Array:
    """State matrix of the plane under its loop: (cross, rate, angle, integral, moment[, depth, depth integral]).

    With a dive the angle is pitch and follows depth: z_dot = w - u theta.
    """
    n = 7 if dive.frequency > 0.0 else 5
    m = np.zeros((n, n))
    m[:3, :3], m[:3, 4] = p.a, p.b
    lag = p.lag_s + 0.5 * p.interval_s
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
        m[4] += (loop.kp + p.stiffness) * angle / lag
    return m


def coupled_loop(axis: AxisModel, p: Plane) -> Loop:
    """The diagonal loop, its frequency moved to the nearest at which the coupled motion is damped.

    The damping of yaw is tried both as the diagonal has it and as a hull has it that drifts as it turns.
    """
    best, best_damping = NO_LOOP, -math.inf
    damped = NO_LOOP
    drifting = settled_damping(p) if axis.stiffness == 0.0 else math.inf
    dampings = (axis.damping, 0.5 * (axis.damping + drifting), drifting) if drifting < axis.damping else (axis.damping,)
    for factor in TRIES if axis.frequency is None else (1.0,):
        for damping_held in dampings:
            loop = diagonal_loop(replace(axis, damping=damping_held), factor)
            if not loop.works:
                return NO_LOOP
            if axis.stiffness == 0.0:
                loop = paced(loop, axis, p)
            m = closed_loop(p, loop)
            damping = least_damping(m)
            if damping >= DAMPED:
                if axis.stiffness != 0.0 or step_answer(m, 2, loop.frequency)[0] <= HEADING_OVERSHOOT:
                    return loop if factor >= LEAST or not damped.works else damped
                damped = damped if damped.works else loop
            if damping > best_damping:
                best, best_damping = loop, damping
    return damped if damped.works else best


def settled_damping(p: Plane) -> float:
    """Yaw moment per rate of turn with sway settled, N m s/rad: negative for a hull that turns in by itself.

    From 0 = a00 v + a01 r + b0 m and 0 = a10 v + a11 r + b1 m; infinite where there is no settled sway.
    """
    a, b = p.a, p.b
    if a[0, 0] >= 0.0:
        return math.inf
    push = float(b[1] - a[1, 0] * b[0] / a[0, 0])
    return -float(a[1, 1] - a[1, 0] * a[0, 1] / a[0, 0]) / push if push > 0.0 else math.inf


def paced(loop: Loop, axis: AxisModel, p: Plane) -> Loop:
    """The loop with its approach set by the steady turn: kp e = (kd + D) r, D the moment per rate with sway settled.

    A hull that drifts turns more easily than its diagonal says: reckoned from that, the integral would be charged
    on the way.
    """
    damping = min(settled_damping(p), axis.damping)
    approach = max((loop.kd + damping) / loop.kp, 0.2 * (loop.kd + max(axis.damping, 0.0)) / loop.kp)
    return replace(loop, approach_s=approach, error_limit=axis.rate_limit * approach)


def dive_loop(p: Plane, loop: Loop) -> Dive:
    """The depth loop that settles first of those that leave the whole motion damped and overshoot little."""
    enough = min(OUTER_DAMPED, 0.9 * least_damping(closed_loop(p, loop)))
    speeds = [share * loop.frequency for share in OUTER for _ in OUTER_RATE]
    dives = [Dive(w, rate / w) for w, rate in zip(speeds, OUTER_RATE * len(OUTER), strict=True)]
    motions = np.array([closed_loop(p, loop, dive) for dive in dives])
    dampings = least_dampings(motions)
    damped = np.flatnonzero(dampings >= enough)
    steps = Steps(motions[damped], 5)
    best, best_settled = NO_DIVE, math.inf
    for k, at in enumerate(damped.tolist()):
        over, settled = steps.answer(k, dives[at].frequency, OUTER_OVERSHOOT, best_settled)
        if over <= OUTER_OVERSHOOT and settled < best_settled:
            best, best_settled = dives[at], settled
    return best if best.frequency > 0.0 else dives[int(np.argmax(dampings))]


# ---- sampled ---------------------------------------------------------------------------------------------------------


GROWS = 1.0 + 1e-6  # an integral at rest sits on the circle, to rounding
QUICK = 0.02  # of the interval: an actuator faster than that is as good as that


def exponential(a: Array) -> Array:
    """exp(a), by squaring a series of ten terms of a / 2^k with norm below a half."""
    halvings = max(0, int(np.ceil(np.log2(max(float(np.abs(a).sum(axis=1).max()), 1e-12)))) + 1)
    part = a / 2.0**halvings
    total = term = np.eye(len(a))
    for k in range(1, 11):
        term = term @ part / k
        total = total + term
    for _ in range(halvings):
        total = total @ total
    return total


def sampled_motion(p: Plane, loop: Loop, dive: Dive = NO_DIVE) -> Array:
    """Matrix of one control interval on (cross, rate, angle, moment, depth, integral, depth integral)."""
    dt = p.interval_s
    lag = max(p.lag_s, QUICK * dt)
    a = np.zeros((6, 6))
    a[:3, :3], a[:3, 3] = p.a, p.b
    a[3, 3], a[3, 5] = -1.0 / lag, 1.0 / lag
    a[4, 0], a[4, 2] = 1.0, -p.speed
    step = exponential(a * dt)
    angle, z_dot, rate, depth = np.zeros(7), np.zeros(7), np.zeros(7), np.zeros(7)
    rate[1] = angle[2] = depth[4] = 1.0
    z_dot[0], z_dot[2] = 1.0, -p.speed
    own, outer = np.zeros(7), np.zeros(7)  # the two integrals, as of this tick
    own[5] = outer[6] = 1.0
    asked = np.zeros(7)
    if dive.frequency > 0.0:
        gain = dive.frequency / p.speed
        outer += gain * dive.frequency / 10.0 * dt * (depth + dive.approach_s * z_dot)
        asked = gain * (depth + dive.rate_s * z_dot) + outer
    own += loop.ki * dt * (asked - angle - loop.approach_s * rate)
    demand = loop.kp * (asked - angle) + p.stiffness * asked + own - loop.kd * rate
    m = np.zeros((7, 7))
    m[:5, :5] = step[:5, :5]
    m[:5] += np.outer(step[:5, 5], demand)
    m[5], m[6] = own, outer
    if dive.frequency <= 0.0:
        m[4] = m[6] = 0.0
    return m


def grows(p: Plane, loop: Loop, dive: Dive = NO_DIVE) -> bool:
    """Whether the motion under the loop, run once in each interval, grows."""
    return loop.works and float(np.abs(np.linalg.eigvals(sampled_motion(p, loop, dive))).max()) > GROWS
