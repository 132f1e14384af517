"""Station keeping: force ahead and to starboard that brings a vehicle to a place and keeps it there.

With e the way to the place (north, east), clipped in length to V approach_s so that it is taken straight at speed V,
and v the velocity over ground, turned by the heading psi into ahead and starboard (index h):

    F_h = kp e_h - kd v_h + R(psi)^T I,      I_dot = ki (e - approach_s v)     north and east

The gains of the two axes are those of their masses at one frequency (see schedule). The integral lives in the world:
what it learnt of the current and of the tether holds when the vehicle turns.
"""

from __future__ import annotations

import math

from pelagos.control.tuning import Loop


class Station:
    """Two axes at once; N, m, m/s. `works` if both can be pushed."""

    def __init__(self, surge: Loop, sway: Loop) -> None:
        self.works = surge.works and sway.works
        self._kp, self._kd = (surge.kp, sway.kp), (surge.kd, sway.kd)
        self.ki = 0.5 * (surge.ki + sway.ki)
        self.approach_s = max(surge.approach_s, sway.approach_s)
        self.frequency = min(surge.frequency, sway.frequency)
        self.fastest = surge.error_limit / surge.approach_s if self.works else 0.0
        mean = 0.5 * (surge.kp + sway.kp)
        self._tracking_s = mean / self.ki if self.ki > 0.0 else math.inf
        self.reset()

    def reset(self) -> None:
        """Forget the load."""
        self.integral = (0.0, 0.0)

    def update(
        self, way: tuple[float, float], speeds: tuple[float, float], yaw: float, dt: float, fastest: float | None = None
    ) -> tuple[float, float]:
        """Force ahead and to starboard, level. `way` is to the place, north and east; `speeds` over ground are level
        too, ahead and to starboard; `fastest` is V, the loop's own if None."""
        north, east = way
        length = math.hypot(north, east)
        limit = (self.fastest if fastest is None else fastest) * self.approach_s
        if length > limit:
            north, east = north * limit / length, east * limit / length
        c, s = math.cos(yaw), math.sin(yaw)
        u, v = speeds
        i_n, i_e = self.integral
        step = self.ki * dt
        i_n += step * (north - self.approach_s * (c * u - s * v))
        i_e += step * (east - self.approach_s * (s * u + c * v))
        self.integral = i_n, i_e
        ahead = self._kp[0] * (c * north + s * east) - self._kd[0] * u + c * i_n + s * i_e
        aside = self._kp[1] * (c * east - s * north) - self._kd[1] * v + c * i_e - s * i_n
        return ahead, aside

    def track(self, ahead: float, aside: float, yaw: float, dt: float) -> None:
        """Back-calculation: what was missed of the last force, N (see pid)."""
        share = min(1.0, dt / self._tracking_s)
        c, s = math.cos(yaw), math.sin(yaw)
        i_n, i_e = self.integral
        self.integral = i_n + share * (c * ahead - s * aside), i_e + share * (s * ahead + c * aside)

    def condition(self, ahead: float, aside: float, yaw: float) -> None:
        """Begin with a known steady load met: the force ahead and to starboard that holds it."""
        c, s = math.cos(yaw), math.sin(yaw)
        self.integral = c * ahead - s * aside, s * ahead + c * aside
