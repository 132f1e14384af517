"""Station keeping: surge and sway forces that bring a vehicle to a place and keep it there.

With e the vector to the place (north, east), clipped in length to V approach_s so that the vehicle approaches straight
at speed V, and v the velocity over ground, both turned by the heading psi into ahead and starboard (index h):

    F_h = kp e_h - kd v_h + R(psi)^T I,      I_dot = ki (e - approach_s v)     north and east

The gains of the two axes follow from their masses at one frequency (tuning.schedule). The integral is kept in world
axes: the compensation of current and tether remains valid when the vehicle turns.
"""

from __future__ import annotations

import math
from typing import Any

from pelagos.control.tuning.gains import Loop
from pelagos.engine.laws import also_compiled

# Gains as `pull` takes them: a tuple, or an array in compiled code.
KP_AHEAD, KP_ASIDE, KD_AHEAD, KD_ASIDE, KI, APPROACH_S = range(6)


class StationKeeper:
    """Controller of surge and sway together; N, m, m/s. `works` if thrusters act on both."""

    def __init__(self, surge: Loop, sway: Loop) -> None:
        self.works = surge.works and sway.works
        self.kp, self.kd = (surge.kp, sway.kp), (surge.kd, sway.kd)
        self.ki = 0.5 * (surge.ki + sway.ki)
        self.approach_s = max(surge.approach_s, sway.approach_s)
        self.gains = (*self.kp, *self.kd, self.ki, self.approach_s)
        self.frequency = min(surge.frequency, sway.frequency)
        self.fastest = surge.error_limit / surge.approach_s if self.works else 0.0
        mean = 0.5 * (surge.kp + sway.kp)
        self.tracking_s = mean / self.ki if self.ki > 0.0 else math.inf
        self.reset()

    def reset(self) -> None:
        """Reset the integral."""
        self.integral = (0.0, 0.0)

    def update(
        self, way: tuple[float, float], speeds: tuple[float, float], yaw: float, dt: float, fastest: float | None = None
    ) -> tuple[float, float]:
        """Compute the horizontal force ahead and to starboard.

        `way` is the vector to the place, north and east; `speeds` are those over ground, horizontal, ahead and to
        starboard; `fastest` is V, by default the speed that the loop was tuned for.
        """
        limit = (self.fastest if fastest is None else fastest) * self.approach_s
        ahead, aside, i_n, i_e = pull(self.gains, limit, *way, *speeds, *self.integral, yaw, dt)
        self.integral = i_n, i_e
        return ahead, aside

    def track(self, ahead: float, aside: float, yaw: float, dt: float) -> None:
        """Correct the integral for the part of the last force that was not applied, N (back-calculation, see pid)."""
        more_n, more_e = to_world(ahead, aside, yaw)
        share = min(1.0, dt / self.tracking_s)
        i_n, i_e = self.integral
        self.integral = i_n + share * more_n, i_e + share * more_e

    def condition(self, ahead: float, aside: float, yaw: float) -> None:
        """Start with the force ahead and to starboard that balances a known steady load."""
        self.integral = to_world(ahead, aside, yaw)


@also_compiled
def pull(gains: Any, limit: float, north: float, east: float, u: float, v: float, i_n: float, i_e: float,
         yaw: float, dt: float) -> tuple[float, float, float, float]:  # fmt: skip
    """Compute the force ahead and to starboard and the new integral."""
    length = math.hypot(north, east)
    if length > limit:
        north, east = north * limit / length, east * limit / length
    c, s = math.cos(yaw), math.sin(yaw)
    step, approach_s = gains[KI] * dt, gains[APPROACH_S]
    i_n += step * (north - approach_s * (c * u - s * v))
    i_e += step * (east - approach_s * (s * u + c * v))
    ahead = gains[KP_AHEAD] * (c * north + s * east) - gains[KD_AHEAD] * u + c * i_n + s * i_e
    aside = gains[KP_ASIDE] * (c * east - s * north) - gains[KD_ASIDE] * v + c * i_e - s * i_n
    return ahead, aside, i_n, i_e


@also_compiled
def to_world(ahead: float, aside: float, yaw: float) -> tuple[float, float]:
    """Turn a horizontal force ahead and to starboard into north and east."""
    c, s = math.cos(yaw), math.sin(yaw)
    return c * ahead - s * aside, s * ahead + c * aside
