"""Station keeping: surge and sway forces that bring a vehicle to a place and keep it there.

With e the vector to the place (north, east), clipped in length to V approach_s so that the vehicle approaches straight
at speed V, and v the velocity over ground, both turned by the heading psi into ahead and starboard (index h):

    F_h = kp e_h - kd v_h + R(psi)^T I,      I_dot = ki (e - approach_s v)     north and east

The gains of the two axes follow from their masses at one frequency (tuning.schedule). The integral is kept in world
axes: the compensation of current and tether remains valid when the vehicle turns.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from pelagos.control.tuning.gains import Loop
from pelagos.engine.laws import also_compiled


class StationGains(NamedTuple):
    """Gains of surge and sway; N, m, m/s."""

    kp_ahead: float
    kp_aside: float
    kd_ahead: float
    kd_aside: float
    ki: float
    approach_s: float
    fastest: float  # V, where the setpoint has no speed
    tracking_s: float  # time constant of the back-calculation, see pid


def gains_of(surge: Loop, sway: Loop) -> StationGains:
    """Combine the loops of surge and sway."""
    ki = 0.5 * (surge.ki + sway.ki)
    return StationGains(
        surge.kp, sway.kp, surge.kd, sway.kd, ki,
        approach_s=max(surge.approach_s, sway.approach_s),
        fastest=surge.error_limit / surge.approach_s if surge.works and sway.works else 0.0,
        tracking_s=0.5 * (surge.kp + sway.kp) / ki if ki > 0.0 else math.inf,
    )  # fmt: skip


@also_compiled
def pull(gains: StationGains, limit: float, north: float, east: float, u: float, v: float, i_n: float, i_e: float,
         yaw: float, dt: float) -> tuple[float, float, float, float]:  # fmt: skip
    """Compute the force ahead and to starboard and the new integral.

    `north`, `east` are the vector to the place, of which `limit` counts; `u`, `v` the horizontal velocity over ground,
    ahead and to starboard.
    """
    length = math.hypot(north, east)
    if length > limit:
        north, east = north * limit / length, east * limit / length
    c, s = math.cos(yaw), math.sin(yaw)
    step, approach_s = gains.ki * dt, gains.approach_s
    i_n += step * (north - approach_s * (c * u - s * v))
    i_e += step * (east - approach_s * (s * u + c * v))
    ahead = gains.kp_ahead * (c * north + s * east) - gains.kd_ahead * u + c * i_n + s * i_e
    aside = gains.kp_aside * (c * east - s * north) - gains.kd_aside * v + c * i_e - s * i_n
    return ahead, aside, i_n, i_e
