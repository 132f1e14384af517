"""Hull geometry: Lamb's added-mass factors of a spheroid, and volumes and areas of tables of stations along x.

Body axes, SI. A station is (x, height, breadth): the section there is an ellipse of that height (z) and breadth (y),
and straight lines join the stations, so every integral below is exact for the table.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import Context, number
from pelagos.errors import PelagosError

Station = tuple[float, float, float]

_SERIES_BELOW = 0.25  # e^2 under which the power series is used; 0.25^30 is far below rounding
_SERIES_TERMS = 30
# Three-point Gauss: exact to degree 5, and x^2 h^2 on one segment has degree 4.
_GAUSS_X, _GAUSS_W = np.polynomial.legendre.leggauss(3)


def lamb_factors(semi_length: float, semi_width: float) -> tuple[float, float, float]:
    """Added-mass factors k1, k2, k' of a spheroid in unbounded water (Lamb 1932 art. 114; Imlay 1961).

    semi_length a along the axis of revolution, semi_width b across. Added mass along the axis is k1 m, across k2 m,
    added inertia about a transverse axis k' m (a^2 + b^2)/5, with m = 4/3 pi rho a b^2. A sphere has 1/2, 1/2, 0.

    With s = e^2 = 1 - (b/a)^2 and T = artanh(e)/e the textbook form is alpha0 = 2 (1 - s)(T - 1)/s,
    beta0 = 1 - alpha0/2, and k' = s^2 g / ((2 - s)(2 - (2 - s) g)) with g = (beta0 - alpha0)/s. Near a sphere
    T - 1 and beta0 - alpha0 cancel, so their power series in s are summed there. Negative s (a flattened
    spheroid) is the same function, T = arctan(f)/f with f^2 = -s.
    """
    context = Context(PelagosError, "spheroid")
    number("semi_length", semi_length, 0.0, above=True, context=context)
    number("semi_width", semi_width, 0.0, above=True, context=context)
    ratio = semi_width / semi_length
    s = (1.0 - ratio) * (1.0 + ratio)
    if abs(s) < _SERIES_BELOW:
        n = np.arange(_SERIES_TERMS)
        powers = s**n
        alpha0 = 2.0 * ratio**2 * float(np.sum(powers / (2 * n + 3)))
        g = 6.0 * float(np.sum(powers / ((2 * n + 3) * (2 * n + 5))))
    else:
        if s > 0.0:
            e = math.sqrt(s)
            stretched = math.log((1.0 + e) / ratio) / e  # artanh(e)/e without forming 1 - e
        else:
            f = math.sqrt(-s)
            stretched = math.atan(f) / f
        alpha0 = 2.0 * ratio**2 * (stretched - 1.0) / s
        g = (1.0 - 1.5 * alpha0) / s
    beta0 = 1.0 - 0.5 * alpha0
    k1 = alpha0 / (2.0 - alpha0)
    k2 = beta0 / (2.0 - beta0)
    k_prime = s * s * g / ((2.0 - s) * (2.0 - (2.0 - s) * g))
    return k1, k2, k_prime


def spheroid_volume(semi_length: float, semi_width: float) -> float:
    """Volume of a spheroid, m^3: 4/3 pi a b^2."""
    return 4.0 / 3.0 * math.pi * semi_length * semi_width**2


@dataclass(frozen=True)
class HullForm:
    """Volume, areas and moments of a hull given as a table of stations. Moments are about O."""

    length_m: float
    volume_m3: float
    centroid_x_m: float
    wetted_area_m2: float
    side_area_m2: float  # projection along y, against sway
    plan_area_m2: float  # projection along z, against heave
    frontal_area_m2: float  # largest section
    side_moment_m3: float  # int x h dx
    plan_moment_m3: float  # int x b dx


def checked_stations(stations: Sequence[Sequence[float]]) -> NDArray[np.float64]:
    """Check stations and sort them by x: an array (n, 3) of at least two rows, sizes not negative, no x twice."""
    table = np.asarray(stations, dtype=float)
    if table.ndim != 2 or table.shape[0] < 2 or table.shape[1] != 3:
        expected = "at least two rows of three numbers (x, height, breadth)"
        raise PelagosError(file="stations", key="shape", value=table.shape, expected=expected)
    table = table[np.argsort(table[:, 0], kind="stable")]
    if not np.all(np.isfinite(table)) or np.any(table[:, 1:] < 0.0):
        message = "a height or breadth is negative or not a number"
        raise PelagosError(message, file="stations", expected="finite sizes, 0 or more")
    if np.any(np.diff(table[:, 0]) <= 0.0):
        raise PelagosError("two stations share one x", file="stations", expected="each x once")
    return table


def segment_points(table: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
    """Gauss points of all segments between stations: x, height, breadth and weight, each of shape (3 (n - 1),)."""
    left, right = table[:-1], table[1:]
    middle, half = 0.5 * (left + right), 0.5 * (right - left)
    x, height, breadth = (middle[:, [i]] + half[:, [i]] * _GAUSS_X for i in range(3))
    weight = half[:, [0]] * _GAUSS_W
    return x.ravel(), height.ravel(), breadth.ravel(), weight.ravel()


def hull_form(stations: Sequence[Sequence[float]]) -> HullForm:
    """Volume, centroid, wetted area and projected areas of a table of stations.

    The wetted area is exact for circular sections (cones); for ellipses the girth of Ramanujan (error below 0.04 %
    down to an axis ratio of 1/5) is combined with the slope of the circle of equal girth. Blunt ends count as wetted.
    """
    table = checked_stations(stations)
    x, height, breadth, weight = segment_points(table)
    section = math.pi / 4.0 * height * breadth
    volume = float(weight @ section)
    if not volume > 0.0:
        expected = "some section with height and breadth above 0"
        raise PelagosError("they enclose no volume", file="stations", expected=expected)
    mean_radius = _girth(table[:, 1] / 2.0, table[:, 2] / 2.0) / (2.0 * math.pi)
    slant = np.hypot(np.diff(table[:, 0]), np.diff(mean_radius))
    skin = float(np.sum(math.pi * (mean_radius[1:] + mean_radius[:-1]) * slant))
    ends = math.pi / 4.0 * (table[0, 1] * table[0, 2] + table[-1, 1] * table[-1, 2])
    return HullForm(
        length_m=float(table[-1, 0] - table[0, 0]),
        volume_m3=volume,
        centroid_x_m=float(weight @ (x * section)) / volume,
        wetted_area_m2=skin + float(ends),
        side_area_m2=float(weight @ height),
        plan_area_m2=float(weight @ breadth),
        frontal_area_m2=float(np.max(math.pi / 4.0 * table[:, 1] * table[:, 2])),
        side_moment_m3=float(weight @ (x * height)),
        plan_moment_m3=float(weight @ (x * breadth)),
    )


def _girth(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Perimeter of an ellipse with semi-axes a, b (Ramanujan 1914, second form); exact for a circle."""
    total = a + b
    h = np.divide((a - b) ** 2, total**2, out=np.zeros_like(total), where=total > 0.0)
    return math.pi * total * (1.0 + 3.0 * h / (10.0 + np.sqrt(4.0 - 3.0 * h)))


def cylinder_stations(length_m: float, diameter_m: float, center_x_m: float = 0.0) -> list[Station]:
    """The two stations of a cylinder."""
    half = length_m / 2.0
    return [(center_x_m - half, diameter_m, diameter_m), (center_x_m + half, diameter_m, diameter_m)]


def torpedo_stations(length_m: float, diameter_m: float, nose_m: float, tail_m: float, n: int = 25) -> list[Station]:
    """Stations of a torpedo: half an ellipsoid as nose, a cylinder, and a parabolic tail.

    The radius of the tail is R (1 - (s/tail)^2), s from its start. The origin is at mid-length. Nose and tail have n
    stations each. Without sampling, the nose has 2/3 and the tail 8/15 of the volume of their cylinders. A length of
    zero gives a blunt end.
    """
    context = Context(PelagosError, "torpedo")
    number("nose_m", nose_m, 0.0, context=context)
    number("tail_m", tail_m, 0.0, context=context)
    if nose_m + tail_m > length_m * (1.0 + 1e-12):  # rounding of a hull without cylinder
        context.fail("nose_m + tail_m", value=nose_m + tail_m, expected=f"at most the length, {length_m:g} m")
    half = length_m / 2.0
    stations: list[tuple[float, float]] = []
    if tail_m > 0.0:
        s = np.linspace(1.0, 0.0, n)
        stations += [(-half + tail_m * (1.0 - float(si)), diameter_m * (1.0 - float(si) ** 2)) for si in s]
    else:
        stations.append((-half, diameter_m))
    if nose_m > 0.0:
        angle = np.linspace(math.pi / 2.0, 0.0, n)
        stations += [(half - nose_m * (1.0 - math.cos(a)), diameter_m * math.sin(a)) for a in angle]
    else:
        stations.append((half, diameter_m))
    merged: list[Station] = []
    for x, d in stations:  # without cylinder nose and tail share a station
        if not merged or x - merged[-1][0] > 1e-9 * length_m:
            merged.append((x, d, d))
    return merged
