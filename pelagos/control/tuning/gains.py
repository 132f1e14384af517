"""Gains of the PID loops from the vehicle model: pole placement on each axis, checked in coupled and sampled motion.

One axis i with total mass M (rigid body + added), damping D (slope of the forces at the working speed over the
working range of rates), stiffness K (righting moment) and available force or moment F:

    kp = F / e_ref              the actuator saturates at an error of e_ref
    w  = sqrt((kp + K) / M)     natural frequency; at most LAG_SHARE / T, T the lag of actuator and sampling
    kp = max(M w^2, w D / 2) - K,   kd = max(2 zeta w M - D, 0),   ki = (kp + K) w / 10
    approach_s = (kd + D) / (kp + K)

A single axis neglects the coupling of sway with yaw and of heave with pitch, and some hulls are directionally unstable.
So for these two the closed loop of the coupled motion, (v r psi) or (w q theta z) with integral and lag, is formed, and
w is moved to the nearest value at which its eigenvalues are damped (ratio >= 0.45) and a step of heading overshoots
little. Depth by planes is a slower loop around pitch: theta_cmd = w_z (z - z_cmd + t_z z_dot) / u + integral, with w_z
a fraction of w and t_z a multiple of 1 / w_z: of those that are damped and overshoot a step by no more than 5 %, the
pair that settles first. The rate of depth helps hulls that heave long after they have pitched.

Large steps are taken at a steady pace (see pace): the error is clipped to rate x approach_s.

Motions x_dot = m x are judged by their eigenvalues: damping ratio, overshoot and settling time of a step.

`grows` tests a loop, tuned in continuous time, at its control rate. The plane (cross velocity, rate, angle), its
actuator with lag and, with a dive, the depth, advance over one control interval exactly, with the command held:
x+ = F x + g u, from exp([[A, b], [0, 0]] T). The loop, its integrals summed tick by tick as in pid, gives u. The motion
grows if an eigenvalue of x+ (x) lies outside the unit circle (Astrom & Wittenmark, Computer-Controlled Systems, 1997,
3.2).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pelagos.control.base import HEAVE, SWAY, YAW
from pelagos.control.pid import Gains
from pelagos.control.tuning.response import VehicleResponse
from pelagos.vehicle.spec import COMPUTED_GAINS, LoopGains

Array = NDArray[np.float64]
SETTLED = 0.05  # of the step
FEW = 15  # every 15th instant of a step is computed first
ZETA = 1.0  # critical damping: the fastest single axis without overshoot (a choice)
LAG_SHARE = 0.35  # w T at most: keeps the phase lag of actuator and sampling small (a choice)
SAMPLING_S = 0.1  # default control interval: a command is held for it, and so is half of it late
DAMPED = 0.45  # least damping ratio in coupled motion: a second-order step overshoots by 20 % (a choice)
# Order in which frequencies are tried, as multiples of that of the single axis.
TRIES = (1.0, 0.8, 1.25, 0.63, 1.6, 0.5, 2.0, 0.4, 2.5, 0.3)
LEAST = 0.5  # no slower than this for the sake of overshoot alone
HEADING_OVERSHOOT = 0.05  # of the linear step
OUTER = (0.5, 0.4, 0.3, 0.25, 0.21, 0.18, 0.15, 0.13, 0.11, 0.09, 0.075, 0.06, 0.05, 0.04)  # w_z / w
OUTER_RATE = (0.0, 0.25, 0.5, 1.0, 2.0)  # t_z w_z
OUTER_DAMPED = 0.6  # least damping ratio with the dive loop: a second-order step overshoots by 9.5 % (a choice)
OUTER_OVERSHOOT = 0.05  # of the linear step in depth (a choice)
GROWS = 1.0 + 1e-6  # an integral at rest has an eigenvalue on the circle, to rounding
QUICK = 0.02  # of the interval: a faster actuator is computed with this lag, which would else divide by zero
# States of `closed_loop`; the last two with a dive only.
CROSS, RATE, ANGLE, INTEGRAL, MOMENT, DEPTH, DEPTH_INTEGRAL = range(7)


def least_damping(m: Array) -> float:
    """Compute the smallest damping ratio -Re/|lambda| of the eigenvalues; negative if one grows."""
    return float(least_dampings(m[None])[0])


def least_dampings(several: Array) -> Array:
    """Compute `least_damping` of several matrices at once, which takes a fraction of the time."""
    roots = np.linalg.eigvals(several)
    size = np.abs(roots)
    ratios = np.divide(-roots.real, size, out=np.ones_like(size), where=size > 1e-9)
    return ratios.min(axis=-1, initial=1.0)


class StepResponses:
    """Step responses of several linear motions: one state starts at 1 and decays to 0, computed by eigenvectors.

    For a state without stiffness in the hull this equals the response to a step of its setpoint.
    """

    def __init__(self, several: Array, quantity: int) -> None:
        start = np.zeros((several.shape[-1], 1))
        start[quantity] = 1.0
        self._roots, vectors = np.linalg.eig(several)
        starts = np.broadcast_to(start, (len(several), *start.shape))
        self._weights = vectors[:, quantity] * np.linalg.solve(vectors, starts)[..., 0]

    def _state(self, i: int, t: Array, last_s: float) -> Array:
        roots = self._roots[i]
        capped = np.minimum(np.real(roots), min(1.0, 500.0 / last_s)) + 1j * np.imag(roots)  # exp would overflow
        # Not `weights @ exp`: a BLAS that shares so small a product among threads can wait for them for 0.1 s.
        return np.real(self._weights[i][:, None] * np.exp(capped[:, None] * t)).sum(axis=0)

    def response(
        self, i: int, frequency: float, most: float = math.inf, before_s: float = math.inf
    ) -> tuple[float, float]:
        """Overshoot (share of the step) and settling time (s, to 5 %) of one motion; infinite if it does not settle.

        The response is computed over 60 / frequency seconds. A few instants first rule out a motion that overshoots
        more than `most` or settles later than `before_s`; its settling time is returned as infinite.
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


def step_response(m: Array, quantity: int, frequency: float) -> tuple[float, float]:
    """Overshoot (share of the step) and settling time (s, to 5 %) of one state of one motion."""
    return StepResponses(m[None], quantity).response(0, frequency)


def fade_seconds(frequency: float) -> float:
    """Time constant with which the last force fades on an axis, 1 / (2 w) of its loop."""
    return 0.5 / frequency if frequency > 0.0 else 1.0


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
        """Whether an actuator serves the axis."""
        return self.kp > 0.0

    def gains(self, known_mass: bool = True) -> Gains:
        """The gains of a PID; without a known mass the load equation of `pid` is not used."""
        mass, fade_s = self.mass if known_mass else 0.0, fade_seconds(self.frequency)
        return Gains(self.kp, self.ki, self.kd, self.error_limit, self.approach_s, mass, carry_s=fade_s)


NO_LOOP = Loop(0.0, 0.0, 0.0, math.inf, 0.0, 0.0)


@dataclass(frozen=True)
class AxisModel:
    """Model of a single axis, uncoupled, with its actuator and the specification of its loop."""

    mass: float
    damping: float
    stiffness: float
    force: float  # available, N or N m
    lag_s: float
    error_ref: float  # error at which the actuator saturates, m or rad
    rate_limit: float  # approach speed, m/s or rad/s
    zeta: float = ZETA
    frequency: float | None = None  # from the vehicle file; None: by the formula
    interval_s: float = SAMPLING_S


def diagonal_loop(axis: AxisModel, factor: float = 1.0) -> Loop:
    """Compute the gains of a single axis with its poles at w (see the module docstring), times a factor."""
    if axis.force <= 0.0 or axis.mass <= 0.0:
        return NO_LOOP
    righting = max(axis.stiffness, 0.0)
    if axis.frequency is not None:
        w = factor * axis.frequency
        reach = axis.mass * w * w
    else:
        reach = axis.force / axis.error_ref
        w = factor * min(math.sqrt((reach + righting) / axis.mass), LAG_SHARE / (axis.lag_s + axis.interval_s))
    # An axis that the water damps more than 2 w M would approach slowly, at kp / D: kp = w D / 2 makes that w / 2.
    total = max(axis.mass * w * w, min(reach if axis.frequency is None else math.inf, 0.5 * w * axis.damping))
    # Where the righting moment alone is stiffer than that, feedback adds a third and damps at its own slower pace.
    kp = max(total - axis.stiffness, 0.3 * min(reach, axis.mass * w * w))
    kd = max(2.0 * axis.zeta * w * axis.mass - axis.damping, 0.0)
    approach = (kd + max(axis.damping, 0.0)) / (kp + righting)
    return Loop(kp, (kp + righting) * w / 10.0, kd, axis.rate_limit * approach, approach, w, axis.mass)


def with_gains(loop: Loop, axis: AxisModel, gains: LoopGains) -> Loop:
    """Replace gains of a loop by those of the vehicle file."""
    if not loop.works or (gains.kp is None and gains.ki is None and gains.kd is None):
        return loop
    kp = loop.kp if gains.kp is None else gains.kp
    kd = loop.kd if gains.kd is None else gains.kd
    stiff = kp + max(axis.stiffness, 0.0)
    if stiff <= 0.0:
        return NO_LOOP
    w = math.sqrt(stiff / axis.mass)
    approach = (kd + max(axis.damping, 0.0)) / stiff
    ki = stiff * w / 10.0 if gains.ki is None else gains.ki
    return Loop(kp, ki, kd, axis.rate_limit * approach, approach, w, axis.mass)


def speed_loop(
    mass: float,
    damping: float,
    force: float,
    top_speed: float,
    lag_s: float,
    gains: LoopGains = COMPUTED_GAINS,
    interval_s: float = SAMPLING_S,
) -> Loop:
    """Compute the first-order loop of forward speed: thrust saturates at an error of a quarter of the top speed."""
    if force <= 0.0 or top_speed <= 0.0:
        return NO_LOOP
    # The pole of M u_dot = -(kp + D) u at w; at least a fifth of M w by feedback, however strong the drag.
    w = gains.frequency_rad_s or min(force / (mass * 0.25 * top_speed), LAG_SHARE / (lag_s + interval_s))
    kp = max(mass * w - damping, 0.2 * mass * w) if gains.kp is None else gains.kp
    return Loop(kp, mass * w * w / 5.0 if gains.ki is None else gains.ki, 0.0, math.inf, 1.0 / w, w)


@dataclass(frozen=True)
class Plane:
    """Linear model of the coupled motion of sway and yaw, or of heave and pitch, at one speed.

    x = (cross velocity, rate, angle); x_dot = a x + b moment. A held cross velocity is decoupled and decays.
    """

    a: Array
    b: Array
    speed: float
    lag_s: float
    stiffness: float = 0.0  # righting moment, N m/rad; that of the angle setpoint is fed forward
    interval_s: float = SAMPLING_S


def plane(response: VehicleResponse, slope: Array, turn: int, stiffness: float, ratio: float, speed: float,
          lag_s: float, free: tuple[bool, ...], interval_s: float = SAMPLING_S) -> Plane:  # fmt: skip
    """Linearise yaw or pitch; `ratio` is the cross force that comes with a unit of moment (tail surfaces)."""
    cross = SWAY if turn == YAW else HEAVE
    rows = [i for i in (cross, turn) if free[i]]
    mass = response.mass[np.ix_(rows, rows)]
    at = {cross: CROSS, turn: RATE}
    a, b = np.zeros((3, 3)), np.zeros(3)
    inner = np.linalg.solve(mass, slope[np.ix_(rows, rows)])
    push = np.array([ratio if i == cross else 1.0 for i in rows])
    right = np.array([-stiffness if i == turn else 0.0 for i in rows])
    push, right = np.linalg.solve(mass, push), np.linalg.solve(mass, right)
    for k, i in enumerate(rows):
        for m, j in enumerate(rows):
            a[at[i], at[j]] = inner[k, m]
        a[at[i], ANGLE], b[at[i]] = right[k], push[k]
    a[ANGLE, RATE] = 1.0
    if not free[cross]:
        a[CROSS, CROSS] = -1.0  # held: any stable value, so that its eigenvalue does not count
    return Plane(a, b, speed, lag_s, stiffness, interval_s)


@dataclass(frozen=True)
class Dive:
    """Gains of the depth loop through pitch: theta_cmd = frequency / u (z + rate_s z_dot) and its integral."""

    frequency: float  # w_z, rad/s
    rate_s: float  # t_z

    @property
    def approach_s(self) -> float:
        """Time constant of a steady approach, z_dot = -z / approach_s: see pid."""
        return 1.0 / self.frequency + self.rate_s if self.frequency > 0.0 else 0.0

    def gains(self, speed: float, pitch_limit: float) -> Gains:
        """The gains at a speed of a PID whose output is a pitch, nose down, up to `pitch_limit`."""
        gain = self.frequency / max(speed, 1e-6)
        limit = pitch_limit / gain if gain > 0.0 else math.inf
        ki, kd, fade_s = gain * self.frequency / 10.0, gain * self.rate_s, fade_seconds(self.frequency)
        return Gains(gain, ki, kd, limit, self.approach_s, low=-pitch_limit, high=pitch_limit, carry_s=fade_s)


NO_DIVE = Dive(0.0, 0.0)


def closed_loop(p: Plane, loop: Loop, dive: Dive = NO_DIVE) -> Array:
    """Compute the state matrix of the plane under its loop; states in the order CROSS to DEPTH_INTEGRAL.

    With a dive the angle is pitch and follows depth: z_dot = w - u theta.
    """
    n = 7 if dive.frequency > 0.0 else 5
    m = np.zeros((n, n))
    m[:3, :3], m[:3, MOMENT] = p.a, p.b
    lag = p.lag_s + 0.5 * p.interval_s  # a held command is half an interval late on average
    m[INTEGRAL, RATE], m[INTEGRAL, ANGLE] = -loop.ki * loop.approach_s, -loop.ki
    m[MOMENT, RATE], m[MOMENT, ANGLE] = -loop.kd / lag, -loop.kp / lag
    m[MOMENT, INTEGRAL], m[MOMENT, MOMENT] = 1.0 / lag, -1.0 / lag
    if dive.frequency > 0.0:
        gain = dive.frequency / p.speed
        m[DEPTH, CROSS], m[DEPTH, ANGLE] = 1.0, -p.speed
        error = np.zeros(n)
        error[DEPTH] = 1.0
        m[DEPTH_INTEGRAL] = gain * dive.frequency / 10.0 * (error + dive.approach_s * m[DEPTH])
        angle_cmd = gain * (error + dive.rate_s * m[DEPTH])
        angle_cmd[DEPTH_INTEGRAL] = 1.0
        m[INTEGRAL] += loop.ki * angle_cmd
        m[MOMENT] += (loop.kp + p.stiffness) * angle_cmd / lag
    return m


def coupled_loop(axis: AxisModel, p: Plane) -> Loop:
    """Move the frequency of a single-axis loop to the nearest at which the coupled motion is damped.

    The damping of yaw is tried both as that of the single axis and as that of a hull that drifts as it turns.
    """
    best, best_damping = NO_LOOP, -math.inf
    damped = NO_LOOP
    drifting = settled_damping(p) if axis.stiffness == 0.0 else math.inf
    dampings = (axis.damping, 0.5 * (axis.damping + drifting), drifting) if drifting < axis.damping else (axis.damping,)
    for factor in TRIES if axis.frequency is None else (1.0,):  # a frequency of the vehicle file is not moved
        for damping_held in dampings:
            loop = diagonal_loop(replace(axis, damping=damping_held), factor)
            if not loop.works:
                return NO_LOOP
            if axis.stiffness == 0.0:
                loop = paced(loop, axis, p)
            m = closed_loop(p, loop)
            damping = least_damping(m)
            if damping >= DAMPED:
                if axis.stiffness != 0.0 or step_response(m, ANGLE, loop.frequency)[0] <= HEADING_OVERSHOOT:
                    return loop if factor >= LEAST or not damped.works else damped
                damped = damped if damped.works else loop
            if damping > best_damping:
                best, best_damping = loop, damping
    return damped if damped.works else best


def settled_damping(p: Plane) -> float:
    """Yaw moment per rate of turn with sway settled, N m s/rad: negative for a directionally unstable hull.

    From 0 = a00 v + a01 r + b0 m and 0 = a10 v + a11 r + b1 m; infinite where there is no settled sway.
    """
    (a00, a01), (a10, a11) = p.a[: RATE + 1, : RATE + 1]
    b0, b1 = p.b[: RATE + 1]
    if a00 >= 0.0:
        return math.inf
    push = float(b1 - a10 * b0 / a00)
    return -float(a11 - a10 * a01 / a00) / push if push > 0.0 else math.inf


def paced(loop: Loop, axis: AxisModel, p: Plane) -> Loop:
    """Set the approach of a loop by the steady turn: kp e = (kd + D) r, D the moment per rate with sway settled.

    A hull that drifts turns more easily than the single axis: with the damping of that, a turn would charge the
    integral.
    """
    damping = min(settled_damping(p), axis.damping)
    approach = max((loop.kd + damping) / loop.kp, 0.2 * (loop.kd + max(axis.damping, 0.0)) / loop.kp)
    return replace(loop, approach_s=approach, error_limit=axis.rate_limit * approach)


def dive_loop(p: Plane, loop: Loop) -> Dive:
    """Find the depth loop that settles first, of those with a damped motion and little overshoot."""
    # The whole cannot be damped much better than the pitch loop inside it.
    enough = min(OUTER_DAMPED, 0.9 * least_damping(closed_loop(p, loop)))
    speeds = [share * loop.frequency for share in OUTER for _ in OUTER_RATE]
    dives = [Dive(w, rate / w) for w, rate in zip(speeds, OUTER_RATE * len(OUTER), strict=True)]
    motions = np.array([closed_loop(p, loop, dive) for dive in dives])
    dampings = least_dampings(motions)
    damped = np.flatnonzero(dampings >= enough)
    steps = StepResponses(motions[damped], DEPTH)
    best, best_settled = NO_DIVE, math.inf
    for k, at in enumerate(damped.tolist()):
        over, settled = steps.response(k, dives[at].frequency, OUTER_OVERSHOOT, best_settled)
        if over <= OUTER_OVERSHOOT and settled < best_settled:
            best, best_settled = dives[at], settled
    # Without a good one, the best damped.
    return best if best.frequency > 0.0 else dives[int(np.argmax(dampings))]


def exponential(a: Array) -> Array:
    """Compute the matrix exponential: a series of ten terms of a / 2^k with norm below a half, squared k times."""
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
    """Compute the matrix of one control interval on (cross, rate, angle, moment, depth, integral, depth integral)."""
    # The integrals change at a tick only, so they come last here: the first five states advance by the exponential.
    moment, depth, integral, depth_integral = 3, 4, 5, 6
    held_command = 5  # the sixth input of the exponential
    dt = p.interval_s
    lag = max(p.lag_s, QUICK * dt)
    a = np.zeros((6, 6))
    a[:3, :3], a[:3, moment] = p.a, p.b
    a[moment, moment], a[moment, held_command] = -1.0 / lag, 1.0 / lag
    a[depth, CROSS], a[depth, ANGLE] = 1.0, -p.speed
    step = exponential(a * dt)
    # Each quantity as a row of coefficients of the seven states; the integrals as they are after this tick.
    state = np.eye(7)
    z_dot = state[CROSS] - p.speed * state[ANGLE]
    inner, outer = state[integral].copy(), state[depth_integral].copy()
    angle_cmd = np.zeros(7)
    if dive.frequency > 0.0:
        gain = dive.frequency / p.speed
        outer += gain * dive.frequency / 10.0 * dt * (state[depth] + dive.approach_s * z_dot)
        angle_cmd = gain * (state[depth] + dive.rate_s * z_dot) + outer
    inner += loop.ki * dt * (angle_cmd - state[ANGLE] - loop.approach_s * state[RATE])
    command = loop.kp * (angle_cmd - state[ANGLE]) + p.stiffness * angle_cmd + inner - loop.kd * state[RATE]
    m = np.zeros((7, 7))
    m[:5, :5] = step[:5, :5]
    m[:5] += np.outer(step[:5, held_command], command)
    m[integral], m[depth_integral] = inner, outer
    if dive.frequency <= 0.0:  # depth is free, and would be an eigenvalue of 1
        m[depth] = m[depth_integral] = 0.0
    return m


def grows(p: Plane, loop: Loop, dive: Dive = NO_DIVE) -> bool:
    """Whether the motion is unstable under the loop, updated once in each control interval."""
    return loop.works and float(np.abs(np.linalg.eigvals(sampled_motion(p, loop, dive))).max()) > GROWS
