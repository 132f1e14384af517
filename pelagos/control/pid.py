"""A PID controller with anti-windup and bumpless switching.

    out = kp e + ki int(e - approach_s dy/dt) dt - kd dy/dt + feedforward + carry,   limited to [low, high]

- The derivative acts on the measurement, so a step of the setpoint does not kick.
- Anti-windup by back-calculation (Astrom & Hagglund, Advanced PID Control, 2006, section 3.5): the integral moves to
  the value with which the output would just reach the limit, with time constant `tracking_s`. `track(applied)` does the
  same when the limit lies further downstream (allocation, rates, supplies).
- With `angle=True` the error is an angle and takes the short way round.
- `error_limit` clips e before use: far from the setpoint the output is then that of a steady approach, and the
  integral works at a quarter of its rate (except under `mass`, below).
- `approach_s` keeps a step from charging the integral. A loop of damping D and stiffness kp approaches with
  e = (D/kp) dy/dt; with approach_s = D/kp the integrand is zero all the way and only disturbances fill the integral.
  (It is setpoint weighting, b = kp / (kp + ki approach_s), in a form that also holds while the error is clipped.)
- `mass` M (of an axis without stiffness) makes the integral respond to a load at once. With kp approach_s = D as above,
  the axis moves by M d2y/dt2 = kp (e - approach_s dy/dt) + I + load. Where e is at least a quarter of its limit and
  shrinks at less than half the expected pace, a load is present, and the integral goes to -load as computed from this
  equation, with time constant approach_s (not below that of the loop, 2 sqrt(M / kp)). Output that limits cut off, as
  reported by `track`, is taken into account.
- Switching. `condition` starts the loop from the output of another controller: the integral takes the known steady load
  (all of the output, if no load is known), `carry` the rest, which then fades as exp(-t / carry_s). `retune` changes
  the gains, and the carry takes the difference, for 0.4 carry_s. Either way the next output equals the last one. While
  it fades, the carry acts like a setpoint moved by carry / kp, and the integral uses that error.

The law is written as functions of any object with the fields of `PID`: a `PID`, or a record of an array
(control.vectorised.layout).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pelagos.engine.laws import also_compiled, clip, wrap

INFINITE = float("inf")
# Choices of this controller, without a published source; tests/control/test_loads.py flies them.
CLIPPED_KI = 0.25  # of ki while the error is clipped: a long approach slightly off its pace is not a load
LOADED_PACE = 0.5  # of the expected pace: an error that shrinks more slowly indicates a load
LOADED_ERROR = 0.25  # of the error limit: below it, ki alone compensates loads
RETUNE_FADE = 0.4  # of carry_s, after a change of gains
CARRY_FLOOR = 1e-9  # of its initial value: a smaller carry is set to zero


class Gains(NamedTuple):
    """What tuning decides of a loop; the meaning of each is that of the field of `PID`."""

    kp: float
    ki: float
    kd: float
    error_limit: float = INFINITE
    approach_s: float = 0.0
    mass: float = 0.0
    low: float = -INFINITE
    high: float = INFINITE
    carry_s: float = 1.0


@dataclass
class PID:
    """A PID loop. Gains may change between updates (gain scheduling): the integral is kept in units of output."""

    kp: float
    ki: float = 0.0
    kd: float = 0.0
    low: float = -INFINITE
    high: float = INFINITE
    angle: bool = False  # the error is an angle, rad, and wraps
    error_limit: float = INFINITE
    approach_s: float = 0.0
    tracking_s: float = 0.0  # 0: kp/ki, the integral time
    carry_s: float = 1.0
    mass: float = 0.0  # kg or kg m2 with added mass; 0: unknown, the integral follows ki alone
    integral: float = field(default=0.0, init=False)  # ki int(e) dt, in units of output
    carry: float = field(default=0.0, init=False)  # remaining part of the last switching, in units of output
    unsaturated: float = field(default=0.0, init=False)  # last output before the limits
    _started: bool = field(default=False, init=False, repr=False)  # whether there was an update since the reset
    _last: float = field(default=0.0, init=False, repr=False)  # measurement
    _error: float = field(default=0.0, init=False, repr=False)  # of the last update, not clipped
    _rate: float = field(default=0.0, init=False, repr=False)
    _missed: float = field(default=0.0, init=False, repr=False)  # applied minus commanded since the last update
    _carry_floor: float = field(default=0.0, init=False, repr=False)
    _fade_s: float = field(default=0.0, init=False, repr=False)

    def reset(self, integral: float = 0.0) -> None:
        """Restart with the given integral part of the output."""
        forget(self)
        self.integral = integral

    def update(
        self,
        setpoint: float,
        measured: float,
        dt: float,
        *,
        rate: float | None = None,
        feedforward: float = 0.0,
    ) -> float:
        """Compute the limited output for the next dt seconds. Without a measured `rate`, dy/dt is differenced."""
        return step(
            self, setpoint, measured, dt, differenced(self, measured, dt) if rate is None else rate, feedforward
        )

    def track(self, applied: float, dt: float) -> None:
        """Correct the integral for the output that was applied, if it differs from `unsaturated`."""
        track(self, applied, dt)

    def condition(
        self,
        applied: float,
        setpoint: float,
        measured: float,
        *,
        rate: float = 0.0,
        feedforward: float = 0.0,
        load: float | None = None,
    ) -> None:
        """Start from the output `applied` of another controller: the next output, from this state, equals it.

        `load` is the part of it that the integral keeps, a steady disturbance; without it the integral takes
        all that the proportional and derivative parts do not explain.
        """
        if load is None and self.ki == 0.0:
            load = 0.0
        if load is None:  # chosen so that the carry is zero
            error = wrap(setpoint - measured) if self.angle else setpoint - measured
            clipped = clip(error, -self.error_limit, self.error_limit)
            load = applied - (self.kp * clipped - self.kd * rate + feedforward)
        condition(self, applied, setpoint, measured, rate, feedforward, load)

    def retune(self, gains: Gains) -> None:
        """Change the gains without a jump of the output."""
        retune(self, gains)


@also_compiled
def forget(pid: Any) -> None:
    """Reset the memory of a loop; keep the gains."""
    pid.integral = pid.carry = pid.unsaturated = pid._error = pid._rate = pid._missed = 0.0
    pid._started = False


@also_compiled
def differenced(pid: Any, measured: float, dt: float) -> float:
    """Compute dy/dt since the last update; 0 at the first."""
    if not pid._started or dt <= 0.0:
        return 0.0
    change = measured - pid._last
    return (wrap(change) if pid.angle else change) / dt


@also_compiled
def step(pid: Any, setpoint: float, measured: float, dt: float, rate: float, feedforward: float) -> float:
    """Update a loop and return its limited output for the next dt seconds."""
    error = setpoint - measured
    if pid.angle:
        error = wrap(error)
    rate_change = rate - pid._rate if pid._started else 0.0
    pid._started, pid._last, pid._error, pid._rate = True, measured, error, rate
    limit = pid.error_limit
    if -limit <= error <= limit:
        clipped, ki = error, pid.ki
    else:
        clipped, ki = limit if error > 0.0 else -limit, CLIPPED_KI * pid.ki
    carry = pid.carry
    integrand = clipped - pid.approach_s * rate
    if carry != 0.0 and pid.kp > 0.0:
        integrand += carry / pid.kp
    far_off = pid.mass > 0.0 and abs(error) > LOADED_ERROR * limit
    if far_off and pid.ki > 0.0 and pid.approach_s * rate / clipped < LOADED_PACE:
        # The equation of motion in the module docstring, solved for the load and averaged over observe_s.
        observe_s = max(pid.approach_s, 2.0 * math.sqrt(pid.mass / pid.kp))
        pid.integral += ((pid.kp * integrand + pid._missed) * dt - pid.mass * rate_change) / observe_s
    else:
        pid.integral += ki * integrand * dt
    pid._missed = 0.0
    if carry != 0.0:
        fading = carry * math.exp(-dt / pid._fade_s) if pid._fade_s > 0.0 else 0.0
        pid.carry = fading if abs(fading) > pid._carry_floor else 0.0
    pid.unsaturated = output = pid.kp * clipped + pid.integral - pid.kd * rate + feedforward + carry
    if output > pid.high:
        track(pid, pid.high, dt)
        return pid.high
    if output < pid.low:
        track(pid, pid.low, dt)
        return pid.low
    return output


@also_compiled
def track(pid: Any, applied: float, dt: float) -> None:
    """Correct the integral for the output that was applied (back-calculation)."""
    pid._missed += applied - pid.unsaturated
    if pid.ki == 0.0:
        return
    time = pid.tracking_s if pid.tracking_s > 0.0 else abs(pid.kp / pid.ki)
    share = min(1.0, dt / time) if time > 0.0 else 1.0
    pid.integral += (applied - pid.unsaturated) * share
    pid.unsaturated = applied  # a second limit downstream is measured from here


@also_compiled
def condition(
    pid: Any, applied: float, setpoint: float, measured: float, rate: float, feedforward: float, load: float
) -> None:
    """Start a loop from the output `applied` of another controller; the integral keeps `load` of it."""
    error = wrap(setpoint - measured) if pid.angle else setpoint - measured
    pid._started, pid._last, pid._error, pid._rate = True, measured, error, rate
    clipped = clip(error, -pid.error_limit, pid.error_limit)
    rest = applied - (pid.kp * clipped - pid.kd * rate + feedforward)
    pid.integral = load
    _carry(pid, rest - load, pid.carry_s)


@also_compiled
def retune(pid: Any, gains: Any) -> None:
    """Change the gains of a loop; the carry takes the difference."""
    error, rate = pid._error, pid._rate
    before = pid.kp * clip(error, -pid.error_limit, pid.error_limit) - pid.kd * rate
    pid.kp, pid.ki, pid.kd = gains.kp, gains.ki, gains.kd
    pid.error_limit, pid.approach_s, pid.mass = gains.error_limit, gains.approach_s, gains.mass
    after = pid.kp * clip(error, -pid.error_limit, pid.error_limit) - pid.kd * rate
    if before != after:
        # New gains belong to a new speed, at which they are needed: their effect comes in faster than a switching.
        _carry(pid, pid.carry + before - after, RETUNE_FADE * pid.carry_s)
    pid.low, pid.high, pid.carry_s = gains.low, gains.high, gains.carry_s


@also_compiled
def _carry(pid: Any, value: float, fade_s: float) -> None:
    pid.carry, pid._carry_floor, pid._fade_s = value, CARRY_FLOOR * abs(value), fade_s
