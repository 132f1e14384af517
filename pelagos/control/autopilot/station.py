"""Station keeping: force ahead and to starboard that brings a vehicle to a place and keeps it there.

With e the way to the place (north, east), clipped in length to V approach_s so that it is taken straight at speed V,
and v the velocity over ground, turned by the heading psi into ahead and starboard (index h):

    F_h = kp e_h - kd v_h + R(psi)^T I,      I_dot = ki (e - approach_s v)     north and east

The gains of the two axes are those of their masses at one frequency (see schedule). The integral lives in the world:
what it learnt of the current and of the tether holds when the vehicle turns.
"""

from __future__ import annotations

import math
from typing import Any

from pelagos.control.tuning.gains import Loop
from pelagos.engine.laws import also_compiled


class StationKeeper:
    """Two axes at once; N, m, m/s. `works` if both can be pushed."""

    def __init__(self, surge: Loop, sway: Loop) -> None:
        self.works = surge.works and sway.works
        self.kp, self.kd = (surge.kp, sway.kp), (surge.kd, sway.kd)
        self.ki = 0.5 * (surge.ki + sway.ki)
        self.approach_s = max(surge.approach_s, sway.approach_s)
        self.loop = (*self.kp, *self.kd, self.ki, self.approach_s)
        self.frequency = min(surge.frequency, sway.frequency)
        self.fastest = surge.error_limit / surge.approach_s if self.works else 0.0
        mean = 0.5 * (surge.kp + sway.kp)
        self.tracking_s = mean / self.ki if self.ki > 0.0 else math.inf
        self.reset()

    def reset(self) -> None:
        """Forget the load."""
        self.integral = (0.0, 0.0)

    def update(
        self, way: tuple[float, float], speeds: tuple[float, float], yaw: float, dt: float, fastest: float | None = None
    ) -> tuple[float, float]:
        """Force ahead and to starboard, level. `way` is to the place, north and east; `speeds` over ground are level
        too, ahead and to starboard; `fastest` is V, the loop's own if None."""
        limit = (self.fastest if fastest is None else fastest) * self.approach_s
        ahead, aside, i_n, i_e = pull(self.loop, limit, *way, *speeds, *self.integral, yaw, dt)
        self.integral = i_n, i_e
        return ahead, aside

    def track(self, ahead: float, aside: float, yaw: float, dt: float) -> None:
        """Back-calculation: what was missed of the last force, N (see pid)."""
        more_n, more_e = to_world(ahead, aside, yaw)
        share = min(1.0, dt / self.tracking_s)
        i_n, i_e = self.integral
        self.integral = i_n + share * more_n, i_e + share * more_e

    def condition(self, ahead: float, aside: float, yaw: float) -> None:
        """Begin with a known steady load met: the force ahead and to starboard that holds it."""
        self.integral = to_world(ahead, aside, yaw)


@also_compiled
def pull(loop: Any, limit: float, north: float, east: float, u: float, v: float, i_n: float, i_e: float, yaw: float,
         dt: float) -> tuple[float, float, float, float]:  # fmt: skip
    """Force ahead and to starboard and the new integral; `loop` is kp, kp, kd, kd of the two axes, ki, approach_s."""
    length = math.hypot(north, east)
    if length > limit:
        north, east = north * limit / length, east * limit / length
    c, s = math.cos(yaw), math.sin(yaw)
    step, approach_s = loop[4] * dt, loop[5]
    i_n += step * (north - approach_s * (c * u - s * v))
    i_e += step * (east - approach_s * (s * u + c * v))
    ahead = loop[0] * (c * north + s * east) - loop[2] * u + c * i_n + s * i_e
    aside = loop[1] * (c * east - s * north) - loop[3] * v + c * i_e - s * i_n
    return ahead, aside, i_n, i_e


@also_compiled
def to_world(ahead: float, aside: float, yaw: float) -> tuple[float, float]:
    """A level force ahead and to starboard as one north and east."""
    c, s = math.cos(yaw), math.sin(yaw)
    return c * ahead - s * aside, s * ahead + c * aside
