"""The depth of the bottom under a vehicle that holds its altitude: followed through noise, slopes and gaps.

    b_dot = s + 2 e / T,   s_dot = e / T^2,   e = depth + altitude - b,  clipped to +-GATE_M

b is the depth of the bottom, s its rate as the vehicle moves along, T the time constant: a critically damped filter of
second order, so that a steady slope is followed without lag. A single wild echo counts as GATE_M at most. Without an
echo (NaN) b stays where it was last seen and s is forgotten, with T: to go on diving on an old slope would be worse.
"""

from __future__ import annotations

import math

GATE_M = 2.0


class BottomFilter:
    """Depth of the bottom and its rate, m and m/s; `depth_m` is NaN until it is first seen."""

    def __init__(self, filter_s: float) -> None:
        self.filter_s = filter_s
        self.reset()

    def reset(self) -> None:
        """Nothing seen yet."""
        self.depth_m = math.nan
        self.rate_m_s = 0.0

    def update(self, depth_m: float, altitude_m: float, dt: float) -> None:
        """Take one look, from the depth of the vehicle and its measured altitude."""
        seen = depth_m + altitude_m
        if seen != seen:  # NaN, at a tenth of the cost of math.isnan
            self.rate_m_s *= math.exp(-dt / self.filter_s)
            return
        if self.depth_m != self.depth_m:
            self.depth_m = seen
            return
        # The step of the filter is exact for a reading held over dt as long as dt is short against T.
        step = min(dt / self.filter_s, 0.5)
        error = seen - self.depth_m
        error = GATE_M if error > GATE_M else -GATE_M if error < -GATE_M else error
        self.depth_m += self.rate_m_s * dt + 2.0 * error * step
        self.rate_m_s += error * step / self.filter_s
