"""The law of a sliding-mode controller and the surface it slides on, from a linear model.

One output y (heading, depth) whose rate follows states x (sway, yaw rate; heave, pitch rate, pitch), one moment or
force m:

    x_dot = A x + b m + disturbance,      y_dot = c' x

The surface s = h' x + (y - y_cmd), in the unit of y, is chosen so that motion on it has wanted poles (Healey & Lienard,
IEEE J. Oceanic Eng. 18(3), 1993, section III):

    k: the poles of A - b k' are the wanted ones;      h' (A - b k') + c' = 0

so that under m = -k' x + u, whatever the state, s_dot = h' b u. With

    u = -(h' b)^-1 eta tanh(s / phi)     =>     s_dot = -eta tanh(s / phi) + h' (disturbance)

s s_dot < 0 outside the boundary layer as long as the disturbance moment is below eta / |h' b| (Slotine's condition;
Yoerger & Slotine, IEEE J. Oceanic Eng. 10(4), 1985). Because s is in the unit of y, eta is a speed: far from the
surface y goes to its command at eta, which is taken from what the actuators can hold. Inside the layer s dies out with
the pole eta / phi; tanh in place of the sign keeps the demand from chattering.

A steady disturbance would leave an error inside the layer. It is estimated from the difference between the change of
h' x + y and the change the law promises, while inside, and taken off.

Wanted poles: those of the hull that are fast and damped enough stay, the others go to the frequency w of the tuned
PID loop (tuning), moved to the nearest multiple at which the linear motion with lag and observer is damped, on the
model and on models with all forces 30 % wrong.

Sliding-mode laws of one vehicle at one speed, from its forces as the kernel has them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pelagos.control.base import HEAVE, PITCH, ROLL, SWAY, YAW, AxisDrag, wrap
from pelagos.control.tuning.gains import SAMPLING_S, Loop, least_damping, plane
from pelagos.control.tuning.schedule import Schedule, Stage
from pelagos.engine.laws import clip

Array = NDArray[np.float64]

TRIES = (1.0, 0.85, 1.2, 0.7, 1.4, 0.58, 0.48, 0.4, 0.33, 0.27, 0.22)
REACH = 0.7  # eta / phi over w
OBSERVE = 6.0  # time constant of the disturbance observer, in phi / eta
DAMPED, ROUGHLY_DAMPED = 0.5, 0.3
STAYS = 0.7  # damping ratio from which a fast pole of the hull is left alone
USE = 1.0  # of the available moment, for gain eta: reaching takes it only for a moment, see docs/control-laws.md
BRISK = 0.6  # of the rate that could be held: a slower surface is preferred to a slower approach
WRONG = ((1.0, 1.0), (1.3, 1.0), (0.7, 1.0), (1.3, 1.3), (0.7, 0.7))  # forces of the hull, of the actuators


@dataclass(frozen=True)
class Chain:
    """The linear model of one output: x_dot = a x + b m, y_dot = c' x, and what acts on it."""

    a: Array
    b: Array
    c: Array
    lag_s: float
    dynamic: int  # the first so many states are velocities; the others are angles and follow from them
    interval_s: float = SAMPLING_S


@dataclass(frozen=True)
class Law:
    """Gains of one sliding-mode law; see the module."""

    k: tuple[float, ...]
    h: tuple[float, ...]
    gain: float  # 1 / (h' b), N or N m per (unit of y)/s
    eta: float  # unit of y per second
    phi: float  # unit of y

    @property
    def bears(self) -> float:
        """Disturbance, N or N m, below which the surface attracts."""
        return abs(self.gain) * self.eta

    @property
    def works(self) -> bool:
        """Whether there is anything to push with."""
        return self.eta > 0.0


NO_LAW = Law((), (), 0.0, 0.0, 1.0)


def feedback_to(a: Array, b: Array, poles: Array) -> Array:
    """k with the eigenvalues of a - b k' at `poles`: Ackermann's formula, k' = e_n' C^-1 p(a)."""
    n = b.size
    columns = [b]
    for _ in range(n - 1):
        columns.append(a @ columns[-1])
    value = np.zeros((n, n))
    for coefficient in np.poly(poles).real:  # Horner
        value = value @ a + coefficient * np.eye(n)
    last = np.zeros(n)
    last[-1] = 1.0
    return np.linalg.solve(np.array(columns), last) @ value  # rows of columns' are the columns of C


def wanted_poles(a: Array, w: float) -> Array:
    """Poles of the hull that are faster than w and damped stay; the others go to w, a little apart."""
    poles = np.linalg.eigvals(a).astype(complex)
    moved = 0
    for i, pole in enumerate(poles):
        if -pole.real < STAYS * abs(pole) or abs(pole) < w:
            poles[i] = -w * (1.0 + 0.15 * moved)
            moved += 1
    return poles


def surface_of(chain: Chain, poles: Array) -> tuple[Array, Array, float]:
    """k, h and h' b for wanted poles."""
    k = feedback_to(chain.a, chain.b, poles)
    h = np.asarray(np.linalg.solve((chain.a - np.outer(chain.b, k)).T, -chain.c), dtype=np.float64)
    return k, h, float(h @ chain.b)


def linear_motion(chain: Chain, k: Array, h: Array, reach: float, hull: float = 1.0, push: float = 1.0) -> Array:
    """State matrix of (x, y, m, bias) inside the layer, with lag; the real forces are `hull`, `push` times the model's.

    `k`, `h` are those of the model; reach = eta / phi.
    """
    n = chain.b.size
    a = chain.a.copy()
    a[: chain.dynamic] *= hull
    b = chain.b * push
    hb = float(h @ chain.b)
    lag = chain.lag_s + 0.5 * chain.interval_s
    m = np.zeros((n + 3, n + 3))
    m[:n, :n], m[:n, n + 1] = a, b
    m[n, :n] = chain.c
    demand = np.zeros(n + 3)
    demand[:n] = -k - reach / hb * h
    demand[n], demand[n + 2] = -reach / hb, 1.0
    m[n + 1] = demand / lag
    m[n + 1, n + 1] -= 1.0 / lag
    # bias' = -(h' x' + y' + reach s) / (T h' b)
    change = h @ m[:n] + m[n]
    change[:n] += reach * h
    change[n] += reach
    m[n + 2] = -change * reach / (OBSERVE * hb)
    return m


def sliding_law(chain: Chain, w: float, rate: float, most: float) -> Law:
    """The law nearest to frequency w whose motion is damped; reaches at `rate`, with at most `most` N or N m."""
    if w <= 0.0 or rate <= 0.0 or most <= 0.0:
        return NO_LAW
    found: list[tuple[bool, float, Law]] = []
    for factor in TRIES:
        at = factor * w
        k, h, hb = surface_of(chain, wanted_poles(chain.a, at))
        if abs(hb) < 1e-12:
            continue
        reach = REACH * at
        nominal, *rough = (least_damping(linear_motion(chain, k, h, reach, *wrong)) for wrong in WRONG)
        eta = min(rate, USE * most * abs(hb))
        law = Law(tuple(k.tolist()), tuple(h.tolist()), 1.0 / hb, eta, eta / reach)
        damped = nominal >= DAMPED and min(rough) >= ROUGHLY_DAMPED
        if damped and eta >= BRISK * rate:
            return law
        found.append((damped, eta / rate if damped else min(nominal, *rough), law))
    # Nothing is both: the briskest that is damped, or else the best damped.
    return max(found, key=lambda one: one[:2])[2] if found else NO_LAW


class Slide:
    """One law in use: what it remembers between updates. `angle` outputs wrap."""

    def __init__(self, angle: bool = False) -> None:
        self.law = NO_LAW
        self.angle = angle
        self.s = 0.0
        self.bias = 0.0
        self.wanted = 0.0
        self._missed = 0.0
        self._last: tuple[float, float] | None = None  # h' x and y

    def reset(self) -> None:
        """Forget the disturbance and the last update."""
        self.bias = self.s = self.wanted = self._missed = 0.0
        self._last = None

    def take(self, law: Law) -> None:
        """Go on with other gains; the bias is in newtons and carries over."""
        if law is not self.law:
            self.law, self._last = law, None

    def update(self, x: tuple[float, ...], y: float, target: float, dt: float, known: float = 0.0) -> float:
        """Force or moment for the next dt seconds; `known` is what is needed without any error."""
        law = self.law
        along = feedback = 0.0
        for value, k, h in zip(x, law.k, law.h, strict=True):
            feedback += k * value
            along += h * value
        if self._last is not None and abs(self.s) < law.phi:
            change = y - self._last[1]
            change = along - self._last[0] + (wrap(change) if self.angle else change)
            promised = dt * (self._missed / law.gain - law.eta * math.tanh(self.s / law.phi))
            bias = self.bias - law.gain * (change - promised) * law.eta / (law.phi * OBSERVE)
            self.bias = clip(bias, -law.bears, law.bears)
        error = y - target
        self.s = along + (wrap(error) if self.angle else error)
        self._last, self._missed = (along, y), 0.0
        self.wanted = known - feedback - law.gain * law.eta * math.tanh(self.s / law.phi) + self.bias
        return self.wanted

    def hear(self, missed: float) -> None:
        """How much more than wanted was applied: no disturbance, but the limits of the actuators."""
        self._missed = missed


# ---- sliding stage ---------------------------------------------------------------------------------------------------


# Drag that is taken off as known: too much, on a hull smoother than its model, would push it on.
DRAG_KNOWN = 0.8
DIVE_SHARE = 0.8  # of the pitch that can be held, on the way to a depth
RATE_SHARE = 0.7  # of the rate of turn that the model says can be held: the hull may turn in more than it says
DIVE_FREQUENCY = 0.7  # of that of the pitch loop: depth is one integration further from the planes


NO_DRAG = AxisDrag()  # where the linear law has it already


@dataclass(frozen=True)
class SlidingStage:
    """What `SlidingMode` needs at one speed."""

    served: frozenset[int]  # axes on which something acts
    mask: Array  # 1 on the axes that surfaces serve
    cancel: tuple[bool, bool, bool]  # where thrusters alone turn: the Munk moment is taken off as measured
    yaw: Law
    yaw_drag: AxisDrag
    dive: Law
    trim_heave: float  # w of level flight, m/s
    trim_moment: float  # and its pitch moment, N m


def known_drag(drag: AxisDrag, rate: float) -> float:
    """The part of a drag that is pushed against."""
    return DRAG_KNOWN * (drag.linear + drag.square * abs(rate)) * rate


def axis_drag(schedule: Schedule, axis: int, rate: float) -> AxisDrag:
    """Drag of one axis against its own rate at rest, fitted at a rate and at half of it, mean of both senses."""

    def against(x: float) -> float:
        nu = np.zeros(6)
        nu[axis] = x
        response = schedule.response
        return 0.5 * float(response.wrench(-nu)[axis] - response.wrench(nu)[axis])

    full, half = against(rate), against(0.5 * rate)
    square = 2.0 * (full - 2.0 * half) / rate**2
    return AxisDrag(full / rate - square * rate, square)


def hover_law(schedule: Schedule, axis: int, loop: Loop) -> tuple[Law, AxisDrag]:
    """One axis by thrusters: M x_dot = m once the drag is known and taken off."""
    if not loop.works or not schedule.vehicle.free[axis]:
        return NO_LAW, NO_DRAG
    rate = loop.error_limit / loop.approach_s
    force = min(schedule.allocation.limit(axis, 1.0), schedule.allocation.limit(axis, -1.0))
    if axis == HEAVE:
        force -= abs(schedule.response.net_weight_n)
    mass = float(schedule.response.mass[axis, axis])
    chain = Chain(np.zeros((1, 1)), np.array([1.0 / mass]), np.ones(1), schedule.thruster_lag_s, 1, schedule.interval_s)
    return sliding_law(chain, loop.frequency, rate, force), axis_drag(schedule, axis, rate)


def make_stage(schedule: Schedule, stage: Stage) -> SlidingStage:
    """Laws at the speed of a stage of the schedule."""
    s, free = schedule, schedule.vehicle.free
    used, thrust = stage.use_surfaces, schedule.allocation.axes
    nu = np.array([stage.speed, 0.0, 0.0, 0.0, 0.0, 0.0])
    slope = s.response.slope(nu)
    yaw, yaw_drag = (_steering(s, stage, slope), NO_DRAG) if YAW in used else hover_law(s, YAW, stage.yaw)
    turns = (ROLL, PITCH, YAW)
    return SlidingStage(
        served=frozenset(i for i in {*thrust, *used} if free[i]),
        mask=np.array([1.0 if i in used else 0.0 for i in range(6)]),
        cancel=tuple(i in thrust and i not in used for i in turns),  # pyright: ignore[reportArgumentType]
        yaw=yaw,
        yaw_drag=yaw_drag,
        dive=_diving(s, stage, slope),
        trim_heave=stage.speed * float(np.tan(stage.trim_pitch)) if free[HEAVE] else 0.0,
        trim_moment=stage.trim_moment - s.response.righting(0.0, stage.trim_pitch)[1],
    )


def _lag(schedule: Schedule, stage: Stage, axis: int) -> float:
    by_thrust = schedule.thruster_lag_s if axis in schedule.allocation.axes else 0.0
    return max(stage.mix.lag_s if axis in stage.use_surfaces else 0.0, by_thrust)


def _moment(schedule: Schedule, stage: Stage, axis: int) -> float:
    thrust = min(schedule.allocation.limit(axis, 1.0), schedule.allocation.limit(axis, -1.0))
    return thrust + (stage.mix.limit(axis) if axis in stage.use_surfaces else 0.0)


def _steering(schedule: Schedule, stage: Stage, slope: Array) -> Law:
    """x = (v, r), y = psi."""
    free = schedule.vehicle.free
    if not stage.yaw.works:
        return NO_LAW
    ratio = stage.mix.cross_force(YAW)
    p = plane(schedule.response, slope, YAW, 0.0, ratio, stage.speed, _lag(schedule, stage, YAW), free)
    keep = [0, 1] if free[SWAY] else [1]
    chain = Chain(
        p.a[np.ix_(keep, keep)], p.b[keep], np.array([0.0, 1.0])[keep], p.lag_s, len(keep), schedule.interval_s
    )
    rate = RATE_SHARE * stage.yaw.error_limit / stage.yaw.approach_s
    return sliding_law(chain, stage.yaw.frequency, rate, _moment(schedule, stage, YAW))


def _diving(schedule: Schedule, stage: Stage, slope: Array) -> Law:
    """x = (w, q, theta), y = z, z_dot = w - u theta."""
    free = schedule.vehicle.free
    if not stage.pitch.works or stage.speed <= 0.0:
        return NO_LAW
    ratio = stage.mix.cross_force(PITCH) if PITCH in stage.use_surfaces else 0.0
    lag = _lag(schedule, stage, PITCH)
    p = plane(schedule.response, slope, PITCH, schedule.pitch_stiffness, ratio, stage.speed, lag, free)
    keep = [0, 1, 2] if free[HEAVE] else [1, 2]
    chain = Chain(
        p.a[np.ix_(keep, keep)],
        p.b[keep],
        np.array([1.0, 0.0, -stage.speed])[keep],
        lag,
        len(keep) - 1,
        schedule.interval_s,
    )
    rate = stage.speed * float(np.sin(DIVE_SHARE * stage.pitch_limit))
    return sliding_law(chain, DIVE_FREQUENCY * stage.pitch.frequency, rate, _moment(schedule, stage, PITCH))
