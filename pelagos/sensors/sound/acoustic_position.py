"""Acoustic positioning: ultra-short baseline (USBL) from a ship and long baseline (LBL) from transponders.

USBL: a transceiver under a ship, or at any known place, measures range, bearing and elevation of the vehicle:

    range     r = |p - s|,   p the transponder on the vehicle, s the transceiver, NED
    bearing   atan2(east, north) of p - s;   elevation  asin(down / r), positive below the horizon
    fix       s + r (cos e cos b, cos e sin b, sin e)

LBL: ranges to n transponders at known positions, and the position that fits them best (Gauss-Newton on the range
residuals); of the two mirror images about the plane of three transponders it is the shallower one.

Delay: sound takes r / c each way. A reading is valid at the instant at which the vehicle sends or receives; it arrives

    `ways` r / c + turnaround_s + latency_s  later:  1 way   the vehicle hears a clock-synchronised ping
                                                     2 ways  interrogation and reply
                                                     3 ways  interrogation, reply, and the fix sent to the vehicle

c is the mean speed of sound of the world; the instrument uses `assumed_sound_speed_m_s`, so an error in it scales the
ranges. Rays are straight: bending by layers of different sound speed is left out, as is the vehicle's motion
while the sound travels (at most speed x r / c). A structure or the seabed in the line of sight: no reading.

Reference: P. H. Milne, "Underwater Acoustic Positioning Systems", Spon 1983, for both systems.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from pelagos.checks import SENSOR, numbers, whole
from pelagos.errors import ScenarioError
from pelagos.sensors.base import Array, Errors, Instant, Instrument, Scene, Sensor, VehicleContext
from pelagos.sensors.sound.beams import check_limits, in_air

STAND_M = 0.5  # obstacles this close to the far end do not block the path: a transponder stands on the seabed
MOST = 32  # transponders; each adds a column
EXPECTED = f"1 to {MOST} rows of NED metres"
Point = tuple[float, float, float]


@dataclass(frozen=True, kw_only=True)
class _Acoustic(Sensor):
    """Keys that USBL and LBL have in common."""

    min_range_m: float = 1.0
    max_range_m: float = 1000.0
    noise_m: float = 0.0  # of a range
    noise_per_range: float = 0.0
    bias_m: float = 0.0
    walk_m_sqrt_h: float = 0.0  # random walk of that offset
    scale: float = 0.0  # standard deviation of a relative error common to all ranges: speed of sound
    resolution_m: float = 0.0
    ways: Literal[1, 2, 3] = 2
    turnaround_s: float = 0.0  # delay of the transponder between receiving and replying
    assumed_sound_speed_m_s: float | None = None  # None: the true one

    def __post_init__(self) -> None:
        super().__post_init__()
        check_limits(self, "min_range_m", "max_range_m")
        for key in ("noise_m", "noise_per_range", "bias_m", "walk_m_sqrt_h", "resolution_m"):
            self.check(key, 0.0)
        self.check("scale", 0.0, 1.0)
        self.check("turnaround_s", 0.0, 60.0)
        whole("ways", self.ways, 1, 3, context=SENSOR)
        if self.assumed_sound_speed_m_s is not None:
            self.check("assumed_sound_speed_m_s", 1000.0, 2000.0)


@dataclass(frozen=True, kw_only=True)
class Usbl(_Acoustic):
    """Ultra-short baseline system: range, bearing and elevation from a transceiver, and the position fix."""

    kind: ClassVar[str] = "usbl"

    ship_m: Point = (0.0, 0.0, 2.0)  # transceiver, NED, at time 0
    ship_velocity_m_s: Point = (0.0, 0.0, 0.0)  # of the ship, NED; it holds its course
    angle_noise_deg: float = 0.0  # of bearing and of elevation
    angle_bias_deg: float = 0.0  # standard deviation of a constant error of each: mounting and compass of the ship
    angle_walk_deg_sqrt_h: float = 0.0  # random walk of these errors

    def __post_init__(self) -> None:
        """Validate the keys; the transceiver must be under water."""
        super().__post_init__()
        self.check_all(0.0, 90.0, "angle_noise_deg", "angle_bias_deg", "angle_walk_deg_sqrt_h")
        for key in ("ship_m", "ship_velocity_m_s"):
            _check_point(key, getattr(self, key))
        if self.ship_m[2] <= 0.0:
            raise ScenarioError(
                file="sensor", key="ship_m", value=self.ship_m, expected="a transceiver under water: down above 0"
            )

    @property
    def columns(self) -> tuple[str, ...]:
        """Range, bearing and elevation from the ship, and the position of the transponder on the vehicle."""
        return ("range_m", "bearing_deg", "elevation_deg", "north_m", "east_m", "depth_m")

    def make(self, rng: np.random.Generator, fit: VehicleContext) -> Instrument:
        """Build the system."""
        return _UsblInstrument(self, rng, fit)


@dataclass(frozen=True, kw_only=True)
class Lbl(_Acoustic):
    """Long baseline system: ranges to transponders at known positions, and the position fix."""

    kind: ClassVar[str] = "lbl"

    transponders_m: tuple[Point, ...] = ()  # NED; empty in library parts, set in the vehicle or scenario file

    def __post_init__(self) -> None:
        """Validate the positions of the transponders."""
        super().__post_init__()
        if len(self.transponders_m) > MOST:
            raise ScenarioError(file="sensor", key="transponders_m", value=self.transponders_m, expected=EXPECTED)
        for point in self.transponders_m:
            _check_point("transponders_m", point)

    @property
    def columns(self) -> tuple[str, ...]:
        """Range of each transponder, NaN without a reply, and the position; NaN with fewer than three ranges."""
        return (*(f"range_{k}_m" for k in range(1, len(self.transponders_m) + 1)), "north_m", "east_m", "depth_m")

    def make(self, rng: np.random.Generator, fit: VehicleContext) -> Instrument:
        """Build the system; raises an error without transponders."""
        if not self.transponders_m:
            raise ScenarioError(file="sensor", key="transponders_m", value=self.transponders_m, expected=EXPECTED)
        return _LblInstrument(self, rng, fit)


def _check_point(key: str, point: Sequence[float]) -> None:
    numbers(key, point, 3, expected="three finite numbers north, east, down", context=SENSOR)


class _Ranging(Instrument):
    """Ranges to fixed points along unobstructed lines of sight."""

    def __init__(self, sensor: _Acoustic, rng: np.random.Generator, fit: VehicleContext, n: int) -> None:
        self._sensor = sensor
        self.delay_s = 0.0
        self._slowness = 1.0 / fit.sound_speed_m_s
        self._slope = (sensor.assumed_sound_speed_m_s or fit.sound_speed_m_s) / fit.sound_speed_m_s
        self._errors = Errors(
            rng, n, bias=sensor.bias_m, walk=sensor.walk_m_sqrt_h / 60.0, scale=sensor.scale,
            resolution=sensor.resolution_m,
        )  # fmt: skip
        self._errors.slope[:] = self._errors.slope[0]  # one speed of sound for all ranges

    def _distances(self, now: Instant, scene: Scene, offsets: Array) -> Array:
        """True distances along `offsets` from the vehicle; NaN out of range or obstructed. Sets the delay."""
        sensor = self._sensor
        ranges = np.sqrt((offsets * offsets).sum(axis=1))
        heard = (ranges >= sensor.min_range_m) & (ranges <= sensor.max_range_m)
        here = now.place_n(sensor.position_m)
        for k in np.flatnonzero(heard):
            away = float(ranges[k])
            if away > STAND_M:
                hit = scene.cast(here, offsets[k], max_range_m=away).range_m[0]
                heard[k] = not hit < away - STAND_M
        far = float(ranges[heard].max()) if heard.any() else 0.0
        self.delay_s = sensor.ways * far * self._slowness + sensor.turnaround_s
        return np.where(heard, ranges, math.nan)

    def _measured(self, true: Array, time_s: float) -> Array:
        noise = self._sensor.noise_m + self._sensor.noise_per_range * true
        return self._errors.at(self._slope * true, time_s, noise)


class _UsblInstrument(_Ranging):
    def __init__(self, sensor: Usbl, rng: np.random.Generator, fit: VehicleContext) -> None:
        super().__init__(sensor, rng, fit, 1)
        self._usbl = sensor
        self._angles = Errors(
            rng, 2, noise=math.radians(sensor.angle_noise_deg), bias=math.radians(sensor.angle_bias_deg),
            walk=math.radians(sensor.angle_walk_deg_sqrt_h) / 60.0,
        )  # fmt: skip

    def measure(self, now: Instant, scene: Scene) -> Array | None:
        usbl = self._usbl
        if in_air(now, usbl.position_m):
            return None
        ship = np.asarray(usbl.ship_m) + now.time_s * np.asarray(usbl.ship_velocity_m_s)
        north, east, down = (now.place_n(usbl.position_m) - ship).tolist()
        true = self._distances(now, scene, np.array([[-north, -east, -down]]))
        r = float(self._measured(true, now.time_s)[0])
        # drawn even without a range, so that the random numbers do not depend on the line of sight
        angles = np.array([math.atan2(east, north), math.atan2(down, math.hypot(north, east))])
        bearing, elevation = self._angles.at(angles, now.time_s).tolist()
        if math.isnan(r):
            return None
        level = r * math.cos(elevation)
        place = ship + np.array([level * math.cos(bearing), level * math.sin(bearing), r * math.sin(elevation)])
        return np.array([r, math.degrees(bearing) % 360.0, math.degrees(elevation), *place])

    def biased(self, values: Array, size: float) -> Array:
        """A bias fault shifts the fix to the north."""
        return values + np.array([0.0, 0.0, 0.0, size, 0.0, 0.0])


class _LblInstrument(_Ranging):
    def __init__(self, sensor: Lbl, rng: np.random.Generator, fit: VehicleContext) -> None:
        super().__init__(sensor, rng, fit, len(sensor.transponders_m))
        self._places = np.asarray(sensor.transponders_m, float)

    def measure(self, now: Instant, scene: Scene) -> Array | None:
        if in_air(now, self._sensor.position_m):
            return None
        true = self._distances(now, scene, self._places - now.place_n(self._sensor.position_m))
        ranges = self._measured(true, now.time_s)
        if np.isnan(ranges).all():
            return None
        return np.concatenate([ranges, place_from_ranges(self._places, ranges)])

    def biased(self, values: Array, size: float) -> Array:
        """A bias fault shifts the ranges, and the position follows."""
        ranges = values[:-3] + size
        return np.concatenate([ranges, place_from_ranges(self._places, ranges)])


def place_from_ranges(places: Array, ranges: Array, rounds: int = 25) -> Array:
    """Return the NED position whose distances to `places` fit `ranges` best, above them; NaN if there is none.

    Gauss-Newton from a point above the centre of the transponders, with steps no longer than the largest range.
    """
    heard = np.isfinite(ranges)
    if heard.sum() < 3:
        return np.full(3, math.nan)
    at, measured = places[heard], ranges[heard]
    spread = np.linalg.svd(at - at.mean(axis=0), compute_uv=False)
    if spread[1] < 1e-3 * spread[0]:  # collinear: every point of a circle fits
        return np.full(3, math.nan)
    x = at.mean(axis=0) - (0.0, 0.0, 0.5 * float(measured.min()))
    longest = float(measured.max())
    for _ in range(rounds):
        apart = x - at
        length = np.sqrt((apart * apart).sum(axis=1))
        slope = apart / np.maximum(length, 1e-9)[:, None]
        step = np.linalg.lstsq(slope, measured - length, rcond=1e-6)[0]
        size = float(np.sqrt(step @ step))
        x = x + step * min(1.0, longest / max(size, 1e-300))
        if size < 1e-9 * longest:
            return x
    return np.full(3, math.nan)
