"""Conversion between the NED world of a run and geocentric (ECEF) or geodetic WGS 84 coordinates.

The world of Pelagos is flat: the plane tangent to the ellipsoid at its origin. `Origin` transforms points and rotations
between that plane and the earth without approximation. The plane departs from sea level by d^2 / (2 R): 8 cm at 1 km,
8 m at 10 km from the origin. A vehicle at depth 10 m, 10 km away, is 2 m below the surface of a round earth.

Frames: n the NED world, e geocentric (x through 0 N 0 E, z through the north pole), b the body. Heights are above the
ellipsoid and are used as heights above sea level; the geoid, which departs from it by up to 100 m, is ignored.

References: NIMA TR8350.2 (WGS 84); Bowring, Survey Review 23 (1976) 323-327, for latitude from geocentric coordinates.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.checks import number
from pelagos.errors import CommandError

Array = NDArray[np.float64]

# WGS 84: semi-major axis and flattening define the ellipsoid, the other two follow
EQUATOR_M = 6378137.0
FLATTENING = 1.0 / 298.257223563
ECCENTRICITY_2 = FLATTENING * (2.0 - FLATTENING)
POLE_M = EQUATOR_M * (1.0 - FLATTENING)


def geocentric(lat_deg: float, lon_deg: float, height_m: float = 0.0) -> Array:
    """Return the ECEF point (m) of a latitude, longitude and height above the ellipsoid."""
    lat, lon = math.radians(lat_deg), math.radians(lon_deg)
    s, c = math.sin(lat), math.cos(lat)
    N = EQUATOR_M / math.sqrt(1.0 - ECCENTRICITY_2 * s * s)  # radius of curvature across the meridian
    out = (N + height_m) * c
    return np.array([out * math.cos(lon), out * math.sin(lon), (N * (1.0 - ECCENTRICITY_2) + height_m) * s])


def geodetic(point_e: ArrayLike) -> tuple[float, float, float]:
    """Return latitude and longitude (deg) and height (m) of an ECEF point.

    Bowring: with the reduced latitude beta, tan beta = (1 - f) tan lat,

        tan lat = (z + e'^2 b sin^3 beta) / (p - e^2 a cos^3 beta),   p = hypot(x, y),   e'^2 = e^2 / (1 - e^2)

    repeated until it converges: two or three times from the sea floor to beyond satellites. Within 50 km of the
    earth's centre latitude is not unique; such a point is refused.
    """
    x, y, z = (float(v) for v in np.asarray(point_e, dtype=float))
    p = math.hypot(x, y)
    if not math.isfinite(p + z) or math.hypot(p, z) < 50e3:
        raise CommandError(
            "has no latitude",
            key="point_e",
            value=[x, y, z],
            expected="a geocentric point (m) near the earth's surface",
        )
    second = ECCENTRICITY_2 / (1.0 - ECCENTRICITY_2)
    up, out = z * EQUATOR_M, p * POLE_M  # sine and cosine of beta, times a common length
    lat = 0.0
    for _ in range(20):  # three suffice; the limit ends a last digit that alternates
        length = math.hypot(up, out)
        sb, cb = up / length, out / length
        before, lat = lat, math.atan2(z + second * POLE_M * sb**3, p - ECCENTRICITY_2 * EQUATOR_M * cb**3)
        if abs(lat - before) < 1e-16:
            break
        up, out = (1.0 - FLATTENING) * math.sin(lat), math.cos(lat)
    s, c = math.sin(lat), math.cos(lat)
    # The projection on the normal is well conditioned everywhere; p / cos(lat) - N would fail at the poles.
    height = p * c + z * s - EQUATOR_M * math.sqrt(1.0 - ECCENTRICITY_2 * s * s)
    return math.degrees(lat), math.degrees(math.atan2(y, x)), height


def rotation_en(lat_deg: float, lon_deg: float) -> Array:
    """Return R_en, which rotates vectors from the NED axes of a place to geocentric axes."""
    lat, lon = math.radians(lat_deg), math.radians(lon_deg)
    (sp, cp), (sl, cl) = (math.sin(lat), math.cos(lat)), (math.sin(lon), math.cos(lon))
    return np.array([[-sp * cl, -sl, -cp * cl], [-sp * sl, cl, -cp * sl], [cp, 0.0, -sp]])


def geocentric_euler(R_eb: ArrayLike) -> tuple[float, float, float]:
    """Return the DIS orientation angles (psi, theta, phi) in rad of R_eb = Rz(psi) Ry(theta) Rx(phi).

    psi and phi are in [-pi, pi], theta in [-pi/2, pi/2]. phi is computed from Rz(psi)^T R_eb, not from the last row of
    the matrix, so the three angles reproduce the rotation everywhere. At theta = +-90 deg only psi - phi or psi + phi
    is defined, and psi is 0. A level vehicle on the equator that heads north or south has this attitude.
    """
    R = np.asarray(R_eb, dtype=float).tolist()
    level = math.hypot(R[0][0], R[1][0])
    theta = math.atan2(-R[2][0], level)
    psi = math.atan2(R[1][0], R[0][0]) if level > 1e-12 else 0.0
    s, c = math.sin(psi), math.cos(psi)
    return psi, theta, math.atan2(s * R[0][2] - c * R[1][2], c * R[1][1] - s * R[0][1])


def rotation_eb(psi: float, theta: float, phi: float) -> Array:
    """Return R_eb = Rz(psi) Ry(theta) Rx(phi) of DIS orientation angles."""
    (sp, cp), (st, ct), (sf, cf) = ((math.sin(a), math.cos(a)) for a in (psi, theta, phi))
    return np.array(
        [
            [cp * ct, cp * st * sf - sp * cf, cp * st * cf + sp * sf],
            [sp * ct, sp * st * sf + cp * cf, sp * st * cf - cp * sf],
            [-st, ct * sf, ct * cf],
        ]
    )


@dataclass(frozen=True)
class Origin:
    """The point of the earth where the NED world touches it.

    lat_deg, lon_deg  north and east positive
    height_m          of the origin, which lies on the still water surface, above the ellipsoid
    """

    lat_deg: float
    lon_deg: float
    height_m: float = 0.0

    def __post_init__(self) -> None:
        for name, limit in (("lat_deg", 90.0), ("lon_deg", 360.0), ("height_m", 1e5)):
            number(f"origin {name}", getattr(self, name), -limit, limit)

    @cached_property
    def point_e(self) -> Array:
        """The origin in geocentric coordinates, m."""
        return geocentric(self.lat_deg, self.lon_deg, self.height_m)

    @cached_property
    def R_en(self) -> Array:
        """The rotation matrix from NED to geocentric axes."""
        return rotation_en(self.lat_deg, self.lon_deg)

    def to_geocentric(self, position_n: ArrayLike) -> Array:
        """Transform NED points (..., 3) to geocentric points (..., 3)."""
        return self.point_e + np.asarray(position_n, dtype=float) @ self.R_en.T

    def to_ned(self, point_e: ArrayLike) -> Array:
        """Transform geocentric points (..., 3) to NED points (..., 3)."""
        return (np.asarray(point_e, dtype=float) - self.point_e) @ self.R_en

    def to_geodetic(self, position_n: ArrayLike) -> tuple[float, float, float]:
        """Return latitude and longitude (deg) and height above the ellipsoid (m) of a NED point."""
        return geodetic(self.to_geocentric(position_n))

    def from_geodetic(self, lat_deg: float, lon_deg: float, height_m: float = 0.0) -> Array:
        """Return the NED point of a latitude, longitude and height above the ellipsoid."""
        return self.to_ned(geocentric(lat_deg, lon_deg, height_m))


DEFAULT_ORIGIN = Origin(36.8, -121.9)  # Monterey Bay, for a world without an origin
