"""A PID controller that behaves at its limits.

    out = kp e + ki int(e - approach_s dy/dt) dt - kd dy/dt + feedforward,   limited to [low, high]

- The derivative acts on the measurement, so a step of the setpoint does not kick.
- Anti-windup by back-calculation (Astrom & Hagglund, Advanced PID Control, 2006, section 3.5): the integral is
  led to the value with which the output would just reach the limit, with time constant `tracking_s`.
  `track(applied)` does the same when the limit lies further down the line (allocation, rates, supplies).
- With `wrap=True` the error is an angle and goes the short way round.
- `error_limit` clips e before use: far from the setpoint the demand is then that of a steady approach.
- `approach_s` keeps a step from charging the integral. A loop of damping D and stiffness kp approaches with
  e = (D/kp) dy/dt; with approach_s = D/kp the integral sees zero all the way and only disturbances fill it. (It is
  setpoint weighting, b = kp / (kp + ki approach_s), in a form that also holds while the error is clipped.)
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pelagos.control.base import clip, wrap

INFINITE = float("inf")


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
    integral: float = field(default=0.0, init=False)  # ki int(e) dt, in units of output
    wanted: float = field(default=0.0, init=False)  # last output before the limits
    _last: float | None = field(default=None, init=False, repr=False)

    def reset(self, integral: float = 0.0) -> None:
        """Start anew with the given integral part of the output."""
        self.integral = integral
        self.wanted = 0.0
        self._last = None

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
        error = setpoint - measured
        if self.angle:
            error = wrap(error)
        clipped = clip(error, -self.error_limit, self.error_limit)
        if rate is None:
            rate = 0.0
            if self._last is not None and dt > 0.0:
                change = measured - self._last
                rate = (wrap(change) if self.angle else change) / dt
        self._last = measured
        self.integral += self.ki * (clipped - self.approach_s * rate) * dt
        self.wanted = self.kp * clipped + self.integral - self.kd * rate + feedforward
        out = clip(self.wanted, self.low, self.high)
        if out != self.wanted:
            self.track(out, dt)
        return out

    def track(self, applied: float, dt: float) -> None:
        """Tell the integral what was really applied, if less than `wanted`."""
        if self.ki == 0.0:
            return
        time = self.tracking_s if self.tracking_s > 0.0 else abs(self.kp / self.ki)
        share = min(1.0, dt / time) if time > 0.0 else 1.0
        self.integral += (applied - self.wanted) * share
        self.wanted = applied
