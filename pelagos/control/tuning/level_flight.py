"""Straight flight by planes, level or climbing: the deflection it takes, and the speeds at which it is possible.

Straight flight at surge u on a path that climbs by gamma: heave force and pitch moment are zero,

    Z(w, theta, s) = 0,    M(w, theta, s) = 0,    theta = gamma + atan(w / u),

with s the share of full planes. A depth can be held where the planes can make a path that climbs a little and one that
dives a little, both within their limits, and the climb with the nose further up. Below some speed the last fails: the
force of the planes moves the hull more than the pitch that they raise against the righting moment (plane reversal).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pelagos.control.base import HEAVE, PITCH
from pelagos.control.tuning.response import VehicleResponse

Array = NDArray[np.float64]

SLIGHT = math.radians(0.2)  # climb and dive that must be possible to return to a depth
CLOSE = 1e-6  # tolerance, in the units of a Newton step


class StraightFlight(NamedTuple):
    """Pitch, rad, and plane deflection (share of its limit) of a straight path."""

    pitch: float
    share: float


def straight_flight(
    response: VehicleResponse, speed: float, planes: Array, thrust: Array, climb: float = 0.0
) -> StraightFlight | None:
    """Solve for straight flight by Newton's method on (w, s); None without a solution, as at plane reversal.

    `planes` are the angles of full planes that raise the nose, rad; `thrust` is the wrench of the propellers.
    """
    unit = np.array([0.1 * speed, 0.3])  # scales w and s to one Newton step
    rows = [HEAVE, PITCH]

    def residual(x: Array) -> Array:
        w, share = (x * unit).tolist()
        nu = np.array([speed, 0.0, w, 0.0, 0.0, 0.0])
        return (response.wrench(nu, share * planes, pitch=climb + math.atan2(w, speed)) + thrust)[rows]

    x, step = np.zeros(2), 1e-4
    for _ in range(12):
        slope = np.stack([(residual(x + d) - residual(x - d)) / (2.0 * step) for d in step * np.eye(2)], axis=1)
        try:
            change = -np.linalg.solve(slope, residual(x))
        except np.linalg.LinAlgError:
            return None
        size = float(np.abs(change).max())
        x = x + change / max(1.0, size)  # at most one unit: the forces are far from linear
        if size < CLOSE:
            w, share = (x * unit).tolist()
            return StraightFlight(climb + math.atan2(w, speed), share)
    return None


def plane_failure(
    response: VehicleResponse, speed: float, planes: Array, thrust: Array, pitch_limit: float
) -> tuple[str, float]:
    """Find why planes cannot hold a depth at a speed, "" if they can, and the largest share of full planes it takes."""
    up, down = (straight_flight(response, speed, planes, thrust, climb) for climb in (SLIGHT, -SLIGHT))
    if up is None or down is None or up.pitch <= down.pitch:
        return "reversed", 0.0
    share = max(abs(up.share), abs(down.share))
    if share > 1.0:
        return "planes", share
    return ("pitch" if max(abs(up.pitch), abs(down.pitch)) > pitch_limit else ""), share
