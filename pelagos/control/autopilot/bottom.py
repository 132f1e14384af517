"""A filter for the depth of the seabed below a vehicle that holds altitude: it bridges noise, slopes and lost echoes.

    b_dot = s + 2 e / T,   s_dot = e / T^2,   e = depth + altitude - b,  clipped to +-GATE_M

b is the depth of the bottom, s its rate as the vehicle moves along, T the time constant: a critically damped filter of
second order, which follows a steady slope without lag. A single outlier counts as GATE_M at most. Without an echo (NaN)
b stays and s decays with T, because diving on along an old slope would be worse.
"""

from __future__ import annotations

import math

GATE_M = 2.0  # a choice, without a source


class BottomFilter:
    """Filtered depth of the bottom, m, and its rate, m/s; `depth_m` is NaN until the first echo."""

    def __init__(self, filter_s: float) -> None:
        self.filter_s = filter_s
        self.reset()

    def reset(self) -> None:
        """Forget the bottom."""
        self.depth_m = math.nan
        self.rate_m_s = 0.0

    def update(self, depth_m: float, altitude_m: float, dt: float) -> None:
        """Filter one echo, from the depth of the vehicle and its measured altitude."""
        echo_m = depth_m + altitude_m
        if echo_m != echo_m:  # NaN, at a tenth of the cost of math.isnan
            self.rate_m_s *= math.exp(-dt / self.filter_s)
            return
        if self.depth_m != self.depth_m:
            self.depth_m = echo_m
            return
        # Euler's step, accurate as long as dt is short against T; 0.5 keeps it stable beyond.
        step = min(dt / self.filter_s, 0.5)
        error = echo_m - self.depth_m
        error = GATE_M if error > GATE_M else -GATE_M if error < -GATE_M else error
        self.depth_m += self.rate_m_s * dt + 2.0 * error * step
        self.rate_m_s += error * step / self.filter_s
