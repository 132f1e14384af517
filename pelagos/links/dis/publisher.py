"""When to send an Entity State PDU: if dead reckoning is off by more than a threshold, or after a heartbeat.

Receivers extrapolate an entity from its last PDU (`pelagos.dead_reckoning`), and so does the sender. A PDU is due when

    |p - p_reckoned| > threshold_m,   angle(R_reckoned^T R) > threshold_deg,   or heartbeat_s after the last one;

with a fixed rate it is due at that rate instead, whatever the motion. The sender checks once per control interval, so
the error can grow further within one interval:

    error of a receiver <= threshold + interval |v - v_reckoned|

All times are wall-clock times, the only ones that the programs share. The standard has thresholds of 1 m and 3 deg; the
default here is 0.1 m, because many of these vehicles are not much longer than 1 m. The heartbeat is 5 s; an entity
times out after 2.4 heartbeats without a PDU.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import number
from pelagos.dead_reckoning import ACCELERATED, IN_BODY_AXES, STATIC, TURNING, body_to_world, check_algorithm, reckon
from pelagos.frames import angle_between
from pelagos.sim.simulation import Simulation

Array = NDArray[np.float64]
# Defaults of IEEE 1278.1, by their names there, except the first threshold.
HEARTBEAT_S = 5.0  # HBT_PDU_ENTITY_STATE
TIMEOUT = 2.4  # heartbeats, HBT_TIMEOUT_MPLIER
THRESHOLD_M = 0.1  # chosen: DRA_POS_THRSH is 1 m, more than the length of most of these vehicles
THRESHOLD_DEG = 3.0  # DRA_ORIENT_THRSH
ZERO = np.zeros(3)


@dataclass(frozen=True, eq=False)
class EntityMotion:
    """Motion of a vehicle at an instant, SI units: position in NED; velocity, rates and acceleration in body axes."""

    position_n: Array
    quaternion: Array
    velocity_b: Array
    rates_b: Array
    acceleration_b: Array  # d(u v w)/dt

    @classmethod
    def of(cls, sim: Simulation, before: EntityMotion | None = None) -> EntityMotion:
        """Return the present motion; the acceleration is the mean since `before`, one interval ago, else zero."""
        state = sim.evaluate()
        velocity, rates = state.nu[:3], state.nu[3:]
        rate = ZERO if before is None else (velocity - before.velocity_b) / sim.interval_s
        return cls(state.position_n, state.quaternion, velocity, rates, rate)

    def still(self) -> EntityMotion:
        """Return the same position and attitude at rest."""
        return EntityMotion(self.position_n, self.quaternion, ZERO, ZERO, ZERO)

    @property
    def velocity_n(self) -> Array:
        """Velocity in NED."""
        return np.array(body_to_world(self.quaternion, self.velocity_b))

    @property
    def acceleration_n(self) -> Array:
        """Inertial acceleration of the body origin in NED: R (dv/dt + w x v)."""
        return np.array(body_to_world(self.quaternion, self.acceleration_b + np.cross(self.rates_b, self.velocity_b)))


@dataclass(frozen=True, eq=False)
class ReckonedState:
    """State sent in a PDU, from which receivers extrapolate; vectors in the axes of the algorithm, zero if unused."""

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
        """Return what a PDU with this algorithm transmits of a motion."""
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
        """Return position and attitude that receivers extrapolate for a time."""
        return reckon(
            self.algorithm, time_s - self.time_s, self.position_n, self.quaternion, self.velocity, self.acceleration,
            self.rates,
        )  # fmt: skip

    def errors(self, motion: EntityMotion, time_s: float) -> tuple[float, float]:
        """Return the dead reckoning errors of position (m) and attitude (rad)."""
        position, attitude = self.at(time_s)
        return math.dist(position, motion.position_n), float(angle_between(attitude, motion.quaternion))


@dataclass(frozen=True)
class Rule:
    """Publishing rule: a dead reckoning algorithm with thresholds and heartbeat, or a fixed rate."""

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
    """Decides when one entity is published: call `due` before a PDU and `mark_sent` after it; wall-clock times in s."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.last_sent: ReckonedState | None = None
        self._next_s = -math.inf

    def due(self, motion: EntityMotion, now_s: float, interval_s: float = 0.0, appearance: int = 0) -> str:
        """Return why a PDU is due now: first, appearance, rate, position, angle or heartbeat; empty if none is.

        A PDU that becomes due within half an interval counts as due now, which keeps the mean rate.
        """
        rule, last_sent = self.rule, self.last_sent
        if last_sent is None:
            return "first"
        if appearance != last_sent.appearance:
            return "appearance"
        if rule.fixed_hz is not None:
            return "rate" if now_s >= self._next_s - 0.5 * interval_s else ""
        if now_s - last_sent.time_s >= rule.heartbeat_s - 0.5 * interval_s:
            return "heartbeat"
        away, angle = last_sent.errors(motion, now_s)
        if away > rule.threshold_m:
            return "position"
        return "angle" if angle > math.radians(rule.threshold_deg) else ""

    def mark_sent(
        self, motion: EntityMotion, now_s: float, appearance: int = 0, algorithm: int | None = None
    ) -> ReckonedState:
        """Record that a PDU is sent and return the state that it transmits."""
        if self.rule.fixed_hz is not None:
            # The next time follows from the last one, not from now, unless a whole period was missed.
            period = 1.0 / self.rule.fixed_hz
            self._next_s = self._next_s + period if now_s < self._next_s + period else now_s + period
        used = self.rule.algorithm if algorithm is None else algorithm
        self.last_sent = ReckonedState.of(motion, used, now_s, appearance)
        return self.last_sent

    def mark_unsent(self) -> None:
        """Record that the last PDU could not be sent, so that the next tick sends one."""
        self.last_sent = None
