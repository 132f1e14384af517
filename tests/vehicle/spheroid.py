"""A spheroid as a table of stations, and its surface in closed form."""

from __future__ import annotations

import math

import numpy as np

Station = tuple[float, float, float]


def spheroid_area(semi_length: float, semi_width: float) -> float:
    """Surface of a prolate spheroid or sphere, m^2: 2 pi b^2 + 2 pi a b arcsin(e)/e."""
    ratio = semi_width / semi_length
    e = math.sqrt(max((1.0 - ratio) * (1.0 + ratio), 0.0))
    bent = math.asin(e) / e if e > 1e-8 else 1.0
    return 2.0 * math.pi * semi_width * (semi_width + semi_length * bent)


def spheroid_stations(length_m: float, diameter_m: float, n: int = 81) -> list[Station]:
    """Stations of a spheroid with cosine spacing, which resolves the round ends."""
    angle = np.linspace(math.pi, 0.0, n)
    x = length_m / 2.0 * np.cos(angle)
    d = diameter_m * np.sin(angle)
    d[[0, -1]] = 0.0
    return [(float(xi), float(di), float(di)) for xi, di in zip(x, d, strict=True)]
