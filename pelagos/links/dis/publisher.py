"""When an entity has to be told of: the picture others have of it is wrong by more than a threshold, or old.

Others reckon the entity on from its last PDU (`sim.dead_reckoning`), and so does the sender. A PDU is due when

    |p - p_reckoned| > threshold_m,   angle(R_reckoned^T R) > threshold_deg,   or heartbeat_s after the last one;

with a fixed rate it is due at that rate instead, whatever the motion. Between two looks the error can grow on by what
the reckoned and the true motion part in one interval, so that

    error of a receiver <= threshold + interval |v - v_reckoned|

Time is that of the clock on the wall: others have no other. The standard's thresholds are 1 m and 3 deg; ours is 0.1 m,
as a metre is more than most of these vehicles are long. Heartbeat 5 s; after 2.4 of them without a word an entity is
taken for gone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import number
from pelagos.frames import angle_between
from pelagos.sim.dead_reckoning import ACCELERATED, IN_BODY_AXES, STATIC, TURNING, check_algorithm, reckon, turned
from pelagos.sim.simulation import Simulation

Array = NDArray[np.float64]
HEARTBEAT_S = 5.0
TIMEOUT = 2.4  # heartbeats
THRESHOLD_M = 0.1
THRESHOLD_DEG = 3.0
ZERO = np.zeros(3)


@dataclass(frozen=True, eq=False)
class EntityMotion:
    """How a vehicle moves at an instant: place NED, velocity, its rate and turning rates in body axes, SI."""

    position_n: Array
    quaternion: Array
    velocity_b: Array
    rates_b: Array
    acceleration_b: Array  # d(u v w)/dt

    @classmethod
    def of(cls, sim: Simulation, before: EntityMotion | None = None) -> EntityMotion:
        """Now; the acceleration is the mean over the last interval, from the motion before it."""
        look = sim.evaluate()
        velocity, rates = look.nu[:3], look.nu[3:]
        rate = ZERO if before is None else (velocity - before.velocity_b) / sim.interval_s
        return cls(look.position_n, look.quaternion, velocity, rates, rate)

    def still(self) -> EntityMotion:
        """The same place, at rest: time stands still."""
        return EntityMotion(self.position_n, self.quaternion, ZERO, ZERO, ZERO)

    @property
    def velocity_n(self) -> Array:
        """NED."""
        return np.array(turned(self.quaternion, self.velocity_b))

    @property
    def acceleration_n(self) -> Array:
        """Of O in space, NED: R (dv/dt + w x v)."""
        return np.array(turned(self.quaternion, self.acceleration_b + np.cross(self.rates_b, self.velocity_b)))


@dataclass(frozen=True, eq=False)
class ReckonedState:
    """What others were told, and reckon on from: vectors in the axes of the algorithm, zero where it has none."""

    algorithm: int
    time_s: float  # wall clock
    position_n: Array
    quaternion: Array
    velocity: Array
    acceleration: Array
    rates: Array
    appearance: int = 0

    @classmethod
    def of(cls, motion: EntityMotion, algorithm: int, time_s: float, appearance: int = 0) -> ReckonedState:
        """What is told of a motion by an algorithm."""
        in_body = algorithm in IN_BODY_AXES
        velocity = motion.velocity_b if in_body else motion.velocity_n
        acceleration = motion.acceleration_b if in_body else motion.acceleration_n
        return cls(
            algorithm, time_s, motion.position_n, motion.quaternion,
            ZERO if algorithm == STATIC else velocity,
            acceleration if algorithm in ACCELERATED else ZERO,
            motion.rates_b if algorithm in TURNING else ZERO,
            appearance,
        )  # fmt: skip

    def at(self, time_s: float) -> tuple[Array, Array]:
        """Place and attitude that others see at a time."""
        return reckon(
            self.algorithm, time_s - self.time_s, self.position_n, self.quaternion, self.velocity, self.acceleration,
            self.rates,
        )  # fmt: skip

    def errors(self, motion: EntityMotion, time_s: float) -> tuple[float, float]:
        """How far it is off: m, rad."""
        place, attitude = self.at(time_s)
        return math.dist(place, motion.position_n), float(angle_between(attitude, motion.quaternion))


@dataclass(frozen=True)
class Rule:
    """When to send: an algorithm with thresholds and heartbeat, or a fixed rate."""

    algorithm: int = 4
    threshold_m: float = THRESHOLD_M
    threshold_deg: float = THRESHOLD_DEG
    heartbeat_s: float = HEARTBEAT_S
    fixed_hz: float | None = None

    def __post_init__(self) -> None:
        check_algorithm(self.algorithm)
        number("DIS threshold_m", self.threshold_m, 1e-6, 1e6)
        number("DIS threshold_deg", self.threshold_deg, 1e-6, 180.0)
        number("DIS heartbeat_s", self.heartbeat_s, 0.1, 60.0)
        if self.fixed_hz is not None:
            number("DIS rate", self.fixed_hz, 1e-3, 1e3)


class Publisher:
    """Decides for one entity. `due` before, `sent` after each PDU; times are of the clock on the wall, s."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.picture: ReckonedState | None = None
        self._next_s = -math.inf

    def due(self, motion: EntityMotion, now_s: float, interval_s: float = 0.0, appearance: int = 0) -> str:
        """Why a PDU is due now: first, look, rate, position, angle or heartbeat; empty if none is.

        What would be due before half an interval is over is due now: the mean rate is then kept.
        """
        rule, picture = self.rule, self.picture
        if picture is None:
            return "first"
        if appearance != picture.appearance:
            return "look"
        if rule.fixed_hz is not None:
            return "rate" if now_s >= self._next_s - 0.5 * interval_s else ""
        if now_s - picture.time_s >= rule.heartbeat_s - 0.5 * interval_s:
            return "heartbeat"
        away, angle = picture.errors(motion, now_s)
        if away > rule.threshold_m:
            return "position"
        return "angle" if angle > math.radians(rule.threshold_deg) else ""

    def sent(
        self, motion: EntityMotion, now_s: float, appearance: int = 0, algorithm: int | None = None
    ) -> ReckonedState:
        """A PDU goes out: what it says, which is what others have from now on."""
        if self.rule.fixed_hz is not None:
            period = 1.0 / self.rule.fixed_hz
            self._next_s = self._next_s + period if now_s < self._next_s + period else now_s + period
        chosen = self.rule.algorithm if algorithm is None else algorithm
        self.picture = ReckonedState.of(motion, chosen, now_s, appearance)
        return self.picture

    def unsent(self) -> None:
        """The network did not take the last PDU: nobody knows what it said, and the next tick tells anew."""
        self.picture = None
