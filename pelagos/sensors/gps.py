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

import numpy as np

from pelagos.sensors.base import Array, Errors, Instant, Instrument, Scene, Sensor, VehicleContext

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

    def make(self, rng: np.random.Generator, fit: VehicleContext) -> Instrument:
        """Build the receiver."""
        return _GpsInstrument(self, rng, fit)


class _GpsInstrument(Instrument):
    def __init__(self, sensor: Gps, rng: np.random.Generator, fit: VehicleContext) -> None:
        self._sensor, self._fit = sensor, fit
        rest = sensor.sigma_m * math.sqrt(1.0 - sensor.noise_share)
        self._errors = Errors(
            rng, 2, noise=sensor.sigma_m * math.sqrt(sensor.noise_share), walk=rest * math.sqrt(2.0 / sensor.memory_s),
            memory_s=sensor.memory_s, bias=sensor.bias_m, resolution=sensor.resolution_m,
        )  # fmt: skip
        self._ready_s = math.nan  # time of the next fix; NaN: not acquiring
        self._wait_s = sensor.first_fix_s

    def measure(self, now: Instant, scene: Scene) -> Array | None:
        """Return a fix, or None under water and while acquiring."""
        del scene
        place = now.place_n(self._sensor.position_m)
        error = self._errors.at(0.0, now.time_s)  # also under water: satellite errors evolve all the same
        if not now.depth_of(self._sensor.position_m) < -self._sensor.clearance_m:
            self._ready_s, self._wait_s = math.nan, self._sensor.refix_s
            return None
        if math.isnan(self._ready_s):
            self._ready_s = now.time_s + self._wait_s
        if now.time_s < self._ready_s - 1e-9:
            return None
        return self._fix(float(place[0] + error[0]), float(place[1] + error[1]))

    def _fix(self, north: float, east: float) -> Array:
        fit = self._fit
        lat, lon = latitude_longitude(north, east, fit.origin_lat_deg, fit.origin_lon_deg)
        return np.array([north, east, lat, lon, math.sqrt(2.0) * self._sensor.sigma_m])

    def biased(self, values: Array, size: float) -> Array:
        """A bias fault shifts the fix to the north."""
        return self._fix(float(values[0]) + size, float(values[1]))


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
