"""Common parts of echo sounders and sonars: beams as rays, range limits and errors of a sounding.

A beam is a straight ray at one instant: no refraction, and the vehicle does not move while the sound travels.
Structures reflect like the seabed; the water surface does not reflect.

    sounding = (1 + scale) r + bias + walk + (noise_m + noise_per_range r) N(0, 1), in steps of the resolution
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pelagos.checks import SENSOR, whole
from pelagos.errors import ScenarioError
from pelagos.sensors.base import Array, Errors, Instant, Instrument, Scene, Sensor


@dataclass(frozen=True, kw_only=True)
class Sounder(Sensor):
    """Description of a sensor that measures ranges with one or more beams."""

    min_range_m: float = 0.3  # nearer echoes are lost in the transmitted pulse
    max_range_m: float = 100.0
    noise_m: float = 0.0  # standard deviation of one sounding ...
    noise_per_range: float = 0.0  # ... and its increase per metre of range
    bias_m: float = 0.0  # standard deviation of a constant offset of each beam
    walk_m_sqrt_h: float = 0.0  # random walk of that offset
    scale: float = 0.0  # standard deviation of a relative error common to all beams: speed of sound
    resolution_m: float = 0.0
    beam_dropout: float = 0.0  # share of the soundings of single beams that are lost

    def __post_init__(self) -> None:
        """Validate range limits and errors."""
        super().__post_init__()
        check_limits(self, "min_range_m", "max_range_m")
        for key in ("noise_m", "noise_per_range", "bias_m", "walk_m_sqrt_h", "resolution_m"):
            self.check(key, 0.0)
        self.check("scale", 0.0, 1.0)
        self.check("beam_dropout", 0.0, 1.0)


def check_limits(sensor: Sensor, low: str, high: str) -> None:
    """Raise an error unless the minimum range is less than the maximum range."""
    sensor.check(low, 0.0)
    sensor.check(high, 0.0)
    if not getattr(sensor, low) < getattr(sensor, high):
        raise ScenarioError(
            file="sensor", key=high, value=getattr(sensor, high), expected=f"more than {low} = {getattr(sensor, low)}"
        )


def check_count(sensor: Sensor, key: str, low: int, high: int) -> None:
    """Raise an error unless the value is a whole number within the limits."""
    whole(key, getattr(sensor, key), low, high, context=SENSOR)


def pointing(bearing_deg: Any, elevation_deg: Any) -> Array:
    """Return unit vectors (n, 3) in sensor axes: bearing from x to y (starboard), elevation towards z (down)."""
    bearing, elevation = np.broadcast_arrays(np.radians(bearing_deg), np.radians(elevation_deg))
    level = np.cos(elevation)
    return np.stack([level * np.cos(bearing), level * np.sin(bearing), np.sin(elevation)], axis=-1)


def in_air(now: Instant, point_b: Sequence[float] | Array) -> bool:
    """Whether a point of the vehicle is out of the water, where an acoustic sensor does not work."""
    return now.wet_share < 1.0 and now.depth_of(point_b) < 0.0


def reached(now: Instant, scene: Scene, point_b: Array, beams_b: Array, max_range_m: float) -> Any:
    """Cast beams from a point of the body; `beams_b` are unit vectors (n, 3) in body axes."""
    R_nb = now.R_nb
    return scene.cast(now.position_n + R_nb @ point_b, beams_b @ R_nb.T, max_range_m=max_range_m)


class Soundings:
    """Random errors and range limits of the n beams of a `Sounder`."""

    def __init__(self, sensor: Sounder, rng: np.random.Generator, n: int) -> None:
        self._sensor, self._rng = sensor, rng
        self._slope = 1.0 + sensor.scale * float(rng.standard_normal())
        self._errors = Errors(
            rng, n, noise=sensor.noise_m, bias=sensor.bias_m, walk=sensor.walk_m_sqrt_h / 60.0,
            resolution=sensor.resolution_m,
        )  # fmt: skip
        self._steady = sensor.noise_per_range == 0.0

    def heard(self, ranges: Array) -> NDArray[np.bool_]:
        """Which beams receive an echo, given their true ranges."""
        sensor = self._sensor
        good = (ranges >= sensor.min_range_m) & (ranges <= sensor.max_range_m)
        return good & (self._rng.random(len(ranges)) >= sensor.beam_dropout) if sensor.beam_dropout > 0.0 else good

    def apply(self, ranges: Array, good: NDArray[np.bool_], time_s: float = 0.0) -> Array:
        """Return the measured ranges at an instant; NaN without an echo."""
        sensor = self._sensor
        true = np.where(good, ranges, math.nan)
        noise = None if self._steady else sensor.noise_m + sensor.noise_per_range * true
        return self._errors.at(self._slope * true, time_s, noise)


class BeamInstrument(Instrument):
    """Instrument with beams fixed to the vehicle that measure one range each."""

    def __init__(self, sensor: Sounder, rng: np.random.Generator, beams_s: Array) -> None:
        self._at = np.asarray(sensor.position_m, float)
        self.beams_b = beams_s @ sensor.R_bs.T
        self._max_range_m = sensor.max_range_m
        self._soundings = Soundings(sensor, rng, len(beams_s))

    def soundings(self, now: Instant, scene: Scene) -> Array:
        """Return the measured range of each beam, NaN without an echo."""
        if in_air(now, self._at):
            return np.full(len(self.beams_b), math.nan)
        ranges = reached(now, scene, self._at, self.beams_b, self._max_range_m).range_m
        return self._soundings.apply(ranges, self._soundings.heard(ranges), now.time_s)
