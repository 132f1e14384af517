"""A PID controller that behaves at its limits and does not jump when it is switched.

    out = kp e + ki int(e - approach_s dy/dt) dt - kd dy/dt + feedforward + carry,   limited to [low, high]

- The derivative acts on the measurement, so a step of the setpoint does not kick.
- Anti-windup by back-calculation (Astrom & Hagglund, Advanced PID Control, 2006, section 3.5): the integral is
  led to the value with which the output would just reach the limit, with time constant `tracking_s`.
  `track(applied)` does the same when the limit lies further down the line (allocation, rates, supplies).
- With `angle=True` the error is an angle and goes the short way round.
- `error_limit` clips e before use: far from the setpoint the demand is then that of a steady approach, and the
  integral works at a quarter of its rate. (See `mass` for a motion that does not follow.)
- `mass` M (of an axis without stiffness) lets it see a load at once. With kp approach_s = D as above, the axis moves by
  M d2y/dt2 = kp (e - approach_s dy/dt) + I + load. Where e is a quarter of its limit or more and comes home at less
  than half the expected pace, something holds it, and the integral goes to -load as this equation has it, with time
  constant approach_s (not below that of the loop, 2 sqrt(M / kp)); what `track` heard of the limits is counted in.
- `approach_s` keeps a step from charging the integral. A loop of damping D and stiffness kp approaches with
  e = (D/kp) dy/dt; with approach_s = D/kp the integral sees zero all the way and only disturbances fill it. (It is
  setpoint weighting, b = kp / (kp + ki approach_s), in a form that also holds while the error is clipped.)
- Switching. `condition` starts the loop where another one left off: the integral takes what is known to be a steady
  load (all of it, if nothing is known), `carry` the rest, which then fades as exp(-t / carry_s). `retune` changes the
  gains, and the carry takes the difference, for 0.4 carry_s. Either way the next output is the last one. While it
  fades the carry is as good as a setpoint moved by carry / kp, and that is the error which the integral sees.

The law is written as functions of anything with the fields of `PID`: `PID` itself, or a record of many (many_layout).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from pelagos.control.base import wrap
from pelagos.engine.laws import also_compiled, clip

INFINITE = float("inf")
UNDER_WAY = 0.25  # of ki while the error is clipped: a long way at not quite the expected pace is no load
FOLLOWS = 0.5  # of the expected pace: what comes home slower than that is held by a load
HELD_UP = 0.25  # of the error limit: smaller errors are left to ki
SOONER = 0.4  # of carry_s, after a change of gains
FORGET = 1e-9  # a carry below this share of what it began with is none


@dataclass
class PID:
    """One loop. Gains may be changed between updates (gain scheduling): the integral is kept in units of output."""

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
    mass: float = 0.0  # kg or kg m2 with added mass; 0: not known, the integral goes by ki alone
    integral: float = field(default=0.0, init=False)  # ki int(e) dt, in units of output
    carry: float = field(default=0.0, init=False)  # what is left of the last switching, in units of output
    wanted: float = field(default=0.0, init=False)  # last output before the limits
    _seen: bool = field(default=False, init=False, repr=False)  # whether there was a last update
    _last: float = field(default=0.0, init=False, repr=False)
    _error: float = field(default=0.0, init=False, repr=False)  # of the last update, not clipped
    _rate: float = field(default=0.0, init=False, repr=False)
    _missed: float = field(default=0.0, init=False, repr=False)  # what was applied beyond the last output
    _forget: float = field(default=0.0, init=False, repr=False)
    _fade_s: float = field(default=0.0, init=False, repr=False)

    def reset(self, integral: float = 0.0) -> None:
        """Start anew with the given integral part of the output."""
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
        """Limited output for the next dt seconds. `rate` is dy/dt if it is measured, else it is differenced."""
        return step(
            self, setpoint, measured, dt, differenced(self, measured, dt) if rate is None else rate, feedforward
        )

    def track(self, applied: float, dt: float) -> None:
        """Tell the integral what was really applied, if less than `wanted`."""
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
        """Take over from whoever applied `applied`: the next output, from this state, is that again.

        `load` is the part of it that the integral shall keep, a steady disturbance; without it the integral takes
        all that proportional and derivative part do not explain.
        """
        if load is None and self.ki == 0.0:
            load = 0.0
        if load is None:  # all that is left for the carry is then nothing
            error = wrap(setpoint - measured) if self.angle else setpoint - measured
            clipped = clip(error, -self.error_limit, self.error_limit)
            load = applied - (self.kp * clipped - self.kd * rate + feedforward)
        condition(self, applied, setpoint, measured, rate, feedforward, load)

    def retune(self, kp: float, ki: float, kd: float, error_limit: float = INFINITE, approach_s: float = 0.0) -> None:
        """Take other gains without a jump of the output."""
        retune(self, kp, ki, kd, error_limit, approach_s)


@also_compiled
def forget(pid: Any) -> None:
    """As new, with the gains kept."""
    pid.integral = pid.carry = pid.wanted = pid._error = pid._rate = pid._missed = 0.0
    pid._seen = False


@also_compiled
def differenced(pid: Any, measured: float, dt: float) -> float:
    """dy/dt since the last update; 0 at the first."""
    if not pid._seen or dt <= 0.0:
        return 0.0
    change = measured - pid._last
    return (wrap(change) if pid.angle else change) / dt


@also_compiled
def step(pid: Any, setpoint: float, measured: float, dt: float, rate: float, feedforward: float) -> float:
    """Limited output for the next dt seconds."""
    error = setpoint - measured
    if pid.angle:
        error = wrap(error)
    faster = rate - pid._rate if pid._seen else 0.0
    pid._seen, pid._last, pid._error, pid._rate = True, measured, error, rate
    limit = pid.error_limit
    if -limit <= error <= limit:
        clipped, ki = error, pid.ki
    else:
        clipped, ki = limit if error > 0.0 else -limit, UNDER_WAY * pid.ki
    carry = pid.carry
    ahead = clipped - pid.approach_s * rate
    if carry != 0.0 and pid.kp > 0.0:
        ahead += carry / pid.kp
    held = pid.mass > 0.0 and abs(error) > HELD_UP * limit
    if held and pid.ki > 0.0 and pid.approach_s * rate / clipped < FOLLOWS:
        observe_s = max(pid.approach_s, 2.0 * math.sqrt(pid.mass / pid.kp))
        pid.integral += ((pid.kp * ahead + pid._missed) * dt - pid.mass * faster) / observe_s
    else:
        pid.integral += ki * ahead * dt
    pid._missed = 0.0
    if carry != 0.0:
        fading = carry * math.exp(-dt / pid._fade_s) if pid._fade_s > 0.0 else 0.0
        pid.carry = fading if abs(fading) > pid._forget else 0.0
    pid.wanted = wanted = pid.kp * clipped + pid.integral - pid.kd * rate + feedforward + carry
    if wanted > pid.high:
        track(pid, pid.high, dt)
        return pid.high
    if wanted < pid.low:
        track(pid, pid.low, dt)
        return pid.low
    return wanted


@also_compiled
def track(pid: Any, applied: float, dt: float) -> None:
    """Tell the integral what was really applied."""
    pid._missed += applied - pid.wanted
    if pid.ki == 0.0:
        return
    time = pid.tracking_s if pid.tracking_s > 0.0 else abs(pid.kp / pid.ki)
    share = min(1.0, dt / time) if time > 0.0 else 1.0
    pid.integral += (applied - pid.wanted) * share
    pid.wanted = applied


@also_compiled
def condition(
    pid: Any, applied: float, setpoint: float, measured: float, rate: float, feedforward: float, load: float
) -> None:
    """Take over from whoever applied `applied`, `load` of which the integral shall keep."""
    error = wrap(setpoint - measured) if pid.angle else setpoint - measured
    pid._seen, pid._last, pid._error, pid._rate = True, measured, error, rate
    clipped = clip(error, -pid.error_limit, pid.error_limit)
    rest = applied - (pid.kp * clipped - pid.kd * rate + feedforward)
    pid.integral = load
    _carry(pid, rest - load, pid.carry_s)


@also_compiled
def retune(pid: Any, kp: float, ki: float, kd: float, error_limit: float, approach_s: float) -> None:
    """Take other gains; the carry takes the difference."""
    error, rate = pid._error, pid._rate
    before = pid.kp * clip(error, -pid.error_limit, pid.error_limit) - pid.kd * rate
    pid.kp, pid.ki, pid.kd = kp, ki, kd
    pid.error_limit, pid.approach_s = error_limit, approach_s
    after = kp * clip(error, -error_limit, error_limit) - kd * rate
    if before != after:
        # Other gains belong to another speed, at which they are needed: what they change is let in sooner.
        _carry(pid, pid.carry + before - after, SOONER * pid.carry_s)


@also_compiled
def _carry(pid: Any, value: float, fade_s: float) -> None:
    pid.carry, pid._forget, pid._fade_s = value, FORGET * abs(value), fade_s
