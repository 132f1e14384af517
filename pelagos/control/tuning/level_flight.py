"""Depth by planes: what straight flight takes of them, and from which speed on they can hold a depth.

Straight flight at surge u on a path that climbs by gamma: heave force and pitch moment are zero,

    Z(w, theta, s) = 0,    M(w, theta, s) = 0,    theta = gamma + atan(w / u),

with s the share of full planes. A depth can be held where the planes make a path that climbs a little and one that
dives a little, both inside their limits, and the climb with the nose further up. Below some speed the last fails: the
force of the planes moves the hull further than the nose that they raise against the righting moment (plane reversal).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pelagos.control.base import HEAVE, PITCH
from pelagos.control.tuning.response import VehicleResponse

Array = NDArray[np.float64]

SLIGHT = math.radians(0.2)  # climb and dive that must be there to come back to a depth
CLOSE = 1e-6  # in the units of a Newton step: near enough


class StraightFlight(NamedTuple):
    """Pitch, rad, and the share of full planes of a straight path."""

    pitch: float
    share: float


def straight_flight(
    response: VehicleResponse, speed: float, planes: Array, thrust: Array, climb: float = 0.0
) -> StraightFlight | None:
    """By Newton's method on (w, s); None where there is no answer, as at the very speed of plane reversal.

    `planes` are the angles of full planes that raise the nose, rad; `thrust` is the wrench of the screws.
    """
    unit = np.array([0.1 * speed, 0.3])
    rows = [HEAVE, PITCH]

    def left(x: Array) -> Array:
        w, share = (x * unit).tolist()
        nu = np.array([speed, 0.0, w, 0.0, 0.0, 0.0])
        return (response.wrench(nu, share * planes, pitch=climb + math.atan2(w, speed)) + thrust)[rows]

    x, step = np.zeros(2), 1e-4
    for _ in range(12):
        slope = np.stack([(left(x + d) - left(x - d)) / (2.0 * step) for d in step * np.eye(2)], axis=1)
        try:
            change = -np.linalg.solve(slope, left(x))
        except np.linalg.LinAlgError:
            return None
        size = float(np.abs(change).max())
        x = x + change / max(1.0, size)
        if size < CLOSE:
            w, share = (x * unit).tolist()
            return StraightFlight(climb + math.atan2(w, speed), share)
    return None


def too_weak(
    response: VehicleResponse, speed: float, planes: Array, thrust: Array, pitch_limit: float
) -> tuple[str, float]:
    """Why planes cannot hold a depth at a speed, "" if they can; and the largest share of full planes that it takes."""
    up, down = (straight_flight(response, speed, planes, thrust, climb) for climb in (SLIGHT, -SLIGHT))
    if up is None or down is None or up.pitch <= down.pitch:
        return "reversed", 0.0
    share = max(abs(up.share), abs(down.share))
    if share > 1.0:
        return "planes", share
    return ("pitch" if max(abs(up.pitch), abs(down.pitch)) > pitch_limit else ""), share
