"""Sliding-mode laws: sliding surface, gains and disturbance observer, from a linear model of the vehicle.

One output y (heading, depth) whose rate follows states x (sway, yaw rate; heave, pitch rate, pitch), one moment or
force m:

    x_dot = A x + b m + disturbance,      y_dot = c' x

The surface s = h' x + (y - y_cmd), in the unit of y, is chosen so that motion on it has desired poles (Healey &
Lienard, IEEE J. Oceanic Eng. 18(3), 1993, section III):

    k: the poles of A - b k' are the desired ones;      h' (A - b k') + c' = 0

so that under m = -k' x + u, whatever the state, s_dot = h' b u. With

    u = -(h' b)^-1 eta tanh(s / phi)     =>     s_dot = -eta tanh(s / phi) + h' (disturbance)

s s_dot < 0 outside the boundary layer as long as the disturbance moment is below eta / |h' b| (Slotine's condition;
Yoerger & Slotine, IEEE J. Oceanic Eng. 10(4), 1985). Because s is in the unit of y, eta is a speed: far from the
surface y approaches its command at eta, which is taken from what the actuators can sustain. Inside the layer s decays
with the pole eta / phi; tanh in place of the sign avoids chattering.

A steady disturbance would leave an error inside the layer. An observer estimates it there, from the difference between
the change of h' x + y and the change that the law predicts, and compensates it.

Desired poles: those of the hull that are fast and damped enough stay, the others go to the frequency w of the tuned PID
loop (tuning), moved to the nearest multiple at which the linear motion with lag and observer is damped, on the model
and on models with all forces 30 % wrong.

`make_stage` computes the laws of one vehicle at one speed, from the forces of its model.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pelagos.control.base import HEAVE, PITCH, ROLL, SWAY, YAW, AxisDrag
from pelagos.control.tuning.gains import SAMPLING_S, Loop, least_damping, plane
from pelagos.control.tuning.schedule import Schedule, Stage
from pelagos.engine.laws import clip, wrap

Array = NDArray[np.float64]

TRIES = (1.0, 0.85, 1.2, 0.7, 1.4, 0.58, 0.48, 0.4, 0.33, 0.27, 0.22)  # multiples of w, nearest first
REACH = 0.7  # eta / phi over w
OBSERVE = 6.0  # time constant of the disturbance observer, in phi / eta
DAMPED, ROUGHLY_DAMPED = 0.5, 0.3  # least damping ratio with the model, and with each row of WRONG (choices)
STAYS = 0.7  # damping ratio from which a fast pole of the hull is kept
USE = 1.0  # of the available moment, for gain eta: reaching uses it only briefly, see docs/control-laws.md
BRISK = 0.6  # of the sustainable rate: a slower surface is preferred to a slower approach
WRONG = ((1.0, 1.0), (1.3, 1.0), (0.7, 1.0), (1.3, 1.3), (0.7, 0.7))  # factors on forces of hull and actuators
KNOWN_SHARE = 0.8  # of the drag is compensated: too much, on a hull smoother than its model, would drive it
DIVE_SHARE = 0.8  # of the pitch that can be held, on the way to a depth
RATE_SHARE = 0.7  # of the rate of turn that the model can hold: the hull may turn in more than the model
DIVE_FREQUENCY = 0.7  # of that of the pitch loop: depth is one integration further from the planes


@dataclass(frozen=True)
class Chain:
    """Linear model of one output, x_dot = a x + b m, y_dot = c' x, with the lag of its actuator."""

    a: Array
    b: Array
    c: Array
    lag_s: float
    dynamic: int  # the first so many states are velocities; the others are angles and follow from them
    interval_s: float = SAMPLING_S


@dataclass(frozen=True)
class Law:
    """Gains of one sliding-mode law; symbols as in the module docstring."""

    k: tuple[float, ...]
    h: tuple[float, ...]
    gain: float  # 1 / (h' b), N or N m per (unit of y)/s
    eta: float  # unit of y per second
    phi: float  # unit of y

    @property
    def disturbance_limit(self) -> float:
        """Disturbance, N or N m, below which the surface is attractive."""
        return abs(self.gain) * self.eta

    @property
    def works(self) -> bool:
        """Whether an actuator serves the output."""
        return self.eta > 0.0


NO_LAW = Law((), (), 0.0, 0.0, 1.0)
NO_DRAG = AxisDrag()  # where the linear model includes the drag


def place_poles(a: Array, b: Array, poles: Array) -> Array:
    """Compute k with the eigenvalues of a - b k' at `poles`: Ackermann's formula, k' = e_n' C^-1 p(a)."""
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


def desired_poles(a: Array, w: float) -> Array:
    """Choose the poles: those of the hull that are faster than w and damped stay, the others go to w."""
    poles = np.linalg.eigvals(a).astype(complex)
    moved = 0
    for i, pole in enumerate(poles):
        if -pole.real < STAYS * abs(pole) or abs(pole) < w:
            poles[i] = -w * (1.0 + 0.15 * moved)  # apart, because a double pole is sensitive to errors of the model
            moved += 1
    return poles


def sliding_surface(chain: Chain, poles: Array) -> tuple[Array, Array, float]:
    """Compute k, h and h' b for desired poles."""
    k = place_poles(chain.a, chain.b, poles)
    h = np.asarray(np.linalg.solve((chain.a - np.outer(chain.b, k)).T, -chain.c), dtype=np.float64)
    return k, h, float(h @ chain.b)


def linear_motion(chain: Chain, k: Array, h: Array, reach: float, hull: float = 1.0, push: float = 1.0) -> Array:
    """Compute the state matrix of (x, y, m, bias) inside the layer; real forces are `hull`, `push` times the model's.

    `k`, `h` are those of the model; reach = eta / phi.
    """
    n = chain.b.size
    at_y, at_m, at_bias = n, n + 1, n + 2  # after the n states x
    a = chain.a.copy()
    a[: chain.dynamic] *= hull
    b = chain.b * push
    hb = float(h @ chain.b)
    lag = chain.lag_s + 0.5 * chain.interval_s
    m = np.zeros((n + 3, n + 3))
    m[:n, :n], m[:n, at_m] = a, b
    m[at_y, :n] = chain.c
    command = np.zeros(n + 3)
    command[:n] = -k - reach / hb * h
    command[at_y], command[at_bias] = -reach / hb, 1.0
    m[at_m] = command / lag
    m[at_m, at_m] -= 1.0 / lag
    # bias' = -(h' x' + y' + reach s) / (T h' b)
    change = h @ m[:n] + m[at_y]
    change[:n] += reach * h
    change[at_y] += reach
    m[at_bias] = -change * reach / (OBSERVE * hb)
    return m


def sliding_law(chain: Chain, w: float, rate: float, most: float) -> Law:
    """Find the damped law nearest to frequency w, which approaches at `rate`, with at most `most` N or N m."""
    if w <= 0.0 or rate <= 0.0 or most <= 0.0:
        return NO_LAW
    candidates: list[tuple[bool, float, Law]] = []
    for factor in TRIES:
        at = factor * w
        k, h, hb = sliding_surface(chain, desired_poles(chain.a, at))
        if abs(hb) < 1e-12:
            continue
        reach = REACH * at
        nominal, *rough = (least_damping(linear_motion(chain, k, h, reach, *wrong)) for wrong in WRONG)
        eta = min(rate, USE * most * abs(hb))
        law = Law(tuple(k.tolist()), tuple(h.tolist()), 1.0 / hb, eta, eta / reach)
        damped = nominal >= DAMPED and min(rough) >= ROUGHLY_DAMPED
        if damped and eta >= BRISK * rate:
            return law
        candidates.append((damped, eta / rate if damped else min(nominal, *rough), law))
    # None is both damped and brisk: the briskest damped one, or else the best damped.
    return max(candidates, key=lambda candidate: candidate[:2])[2] if candidates else NO_LAW


class Slide:
    """Controller with one sliding-mode law and its disturbance observer; with `angle` the output wraps."""

    def __init__(self, angle: bool = False) -> None:
        self.law = NO_LAW
        self.angle = angle
        self.s = 0.0
        self.bias = 0.0
        self._missed = 0.0
        self._last: tuple[float, float] | None = None  # h' x and y

    def reset(self) -> None:
        """Clear the disturbance estimate and the last update."""
        self.bias = self.s = self._missed = 0.0
        self._last = None

    def take(self, law: Law) -> None:
        """Change the gains; the bias is in N or N m and remains valid."""
        if law is not self.law:
            self.law, self._last = law, None

    def update(self, x: tuple[float, ...], y: float, target: float, dt: float, known: float = 0.0) -> float:
        """Compute the force or moment for the next dt seconds; `known` is the feedforward."""
        law = self.law
        along = feedback = 0.0
        for value, k, h in zip(x, law.k, law.h, strict=True):
            feedback += k * value
            along += h * value
        if self._last is not None and abs(self.s) < law.phi:
            change = y - self._last[1]
            change = along - self._last[0] + (wrap(change) if self.angle else change)
            predicted = dt * (self._missed / law.gain - law.eta * math.tanh(self.s / law.phi))
            bias = self.bias - law.gain * (change - predicted) * law.eta / (law.phi * OBSERVE)
            self.bias = clip(bias, -law.disturbance_limit, law.disturbance_limit)
        error = y - target
        self.s = along + (wrap(error) if self.angle else error)
        self._last, self._missed = (along, y), 0.0
        return known - feedback - law.gain * law.eta * math.tanh(self.s / law.phi) + self.bias

    def track(self, missed: float) -> None:
        """Record applied minus commanded force, so that the observer does not take a limit for a disturbance."""
        self._missed = missed


@dataclass(frozen=True)
class SlidingStage:
    """Sliding-mode laws of one vehicle at one speed."""

    served: frozenset[int]  # axes on which something acts
    mask: Array  # 1 on the axes that surfaces serve
    cancel: tuple[bool, bool, bool]  # where thrusters alone turn: the measured Munk moment is compensated
    yaw: Law
    yaw_drag: AxisDrag
    dive: Law
    trim_heave: float  # w of level flight, m/s
    trim_moment: float  # and its pitch moment, N m


def known_drag(drag: AxisDrag, rate: float) -> float:
    """Part of a drag that the feedforward compensates."""
    return KNOWN_SHARE * drag.at(rate)


def axis_drag(schedule: Schedule, axis: int, rate: float) -> AxisDrag:
    """Fit the drag of one axis at rest to that at a rate and at half of it, mean of both senses."""

    def against(x: float) -> float:
        nu = np.zeros(6)
        nu[axis] = x
        response = schedule.response
        return 0.5 * float(response.wrench(-nu)[axis] - response.wrench(nu)[axis])

    return AxisDrag.through(rate, against(rate), against(0.5 * rate))


def hover_law(schedule: Schedule, axis: int, loop: Loop) -> tuple[Law, AxisDrag]:
    """Compute the law of one axis by thrusters, M x_dot = m with the drag compensated, and that drag."""
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
    """Compute the laws at the speed of a stage of the schedule."""
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
    """Law of heading by rudder: x = (v, r), y = psi."""
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
    """Law of depth by planes: x = (w, q, theta), y = z, z_dot = w - u theta."""
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
