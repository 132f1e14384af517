"""GPS receiver: position fixes while the antenna is above water, after a time to first fix.

    sigma = CEP / sqrt(2 ln 2) of each axis; a share of its variance is white noise, the rest a Gauss-Markov process

CEP is the radius that holds half of the fixes; that of a two-dimensional normal error is sigma sqrt(2 ln 2). Satellite
and ionosphere errors change over minutes, so that averaging fixes for a while gains little.

    lat = lat_0 + north / M,   lon = lon_0 + east / (N cos lat_0)      M, N: radii of curvature of WGS 84 at lat_0

Reference: van Diggelen (2007), GNSS accuracy: lies, damn lies, and statistics, GPS World 18(1); NIMA TR8350.2 for the
ellipsoid. Units: m, deg. Limits: flat earth about the origin; no speed or course; a wave that washes over the antenna
between two readings is not noticed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from pelagos.sensors.base import Sensor

EQUATOR_M = 6378137.0  # WGS 84, semi-major axis
ECCENTRICITY2 = 6.69437999014e-3  # WGS 84, first eccentricity squared
CEP_SIGMA = math.sqrt(2.0 * math.log(2.0))  # CEP over sigma of a circular normal error


@dataclass(frozen=True, kw_only=True)
class Gps(Sensor):
    """GPS receiver; `position_m` is the position of its antenna."""

    kind: ClassVar[str] = "gps"

    cep_m: float = 2.5  # radius that holds half of the fixes
    noise_share: float = 0.1  # share of the variance that is white noise
    memory_s: float = 300.0  # time constant of the Gauss-Markov part
    bias_m: float = 0.0  # standard deviation of a constant error of north and of east: a wrong datum, reflections
    clearance_m: float = 0.0  # how far out of the water the antenna must be
    first_fix_s: float = 0.0  # time to the first fix of a run; 0: it has a fix from the start
    refix_s: float = 2.0  # time to a fix after every dive
    resolution_m: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        self.check_all(0.0, 1e4, "cep_m", "bias_m", "clearance_m", "first_fix_s", "refix_s", "resolution_m")
        self.check("noise_share", 0.0, 1.0)
        self.check("memory_s", 1e-3, 1e9)

    @property
    def columns(self) -> tuple[str, ...]:
        """Position of the antenna from the origin, latitude and longitude, and horizontal standard deviation."""
        return ("north_m", "east_m", "lat_deg", "lon_deg", "accuracy_m")

    @property
    def sigma_m(self) -> float:
        """Standard deviation of each horizontal axis."""
        return self.cep_m / CEP_SIGMA


def latitude_longitude(north_m: float, east_m: float, lat_deg: float, lon_deg: float) -> tuple[float, float]:
    """Convert north and east of an origin to latitude and longitude on a flat earth, deg; longitude -180 to 180."""
    along, across = radii_m(lat_deg)
    lon = lon_deg + math.degrees(east_m / across)
    return lat_deg + math.degrees(north_m / along), (lon + 180.0) % 360.0 - 180.0


def radii_m(lat_deg: float) -> tuple[float, float]:
    """Radii of curvature of WGS 84 at a latitude: of the meridian, and of the circle of latitude."""
    s, c = math.sin(math.radians(lat_deg)), math.cos(math.radians(lat_deg))
    w2 = 1.0 - ECCENTRICITY2 * s * s
    across = EQUATOR_M / math.sqrt(w2)
    return across * (1.0 - ECCENTRICITY2) / w2, across * max(c, 1e-9)  # a pole has no east
