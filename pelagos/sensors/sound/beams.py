"""What instruments that send sound have in common: beams as rays, limits of range, errors of a sounding.

A beam is a straight ray from the instrument, in one instant: sound is taken to travel along straight lines (no
refraction) and the vehicle not to move while it does. Structures echo like the seabed; the water's surface does not.

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
from pelagos.sensors.base import Array, Errors, Instrument, Moment, Scene, Sensor


@dataclass(frozen=True, kw_only=True)
class Sounder(Sensor):
    """An instrument that measures ranges with one or more beams."""

    min_range_m: float = 0.3  # nearer echoes drown in the ping
    max_range_m: float = 100.0
    noise_m: float = 0.0  # standard deviation of one sounding ...
    noise_per_range: float = 0.0  # ... and what is added to it for each metre of range
    bias_m: float = 0.0  # standard deviation of a constant offset of each beam
    walk_m_sqrt_h: float = 0.0  # random walk of that offset
    scale: float = 0.0  # standard deviation of a relative error common to all beams: speed of sound
    resolution_m: float = 0.0
    beam_dropout: float = 0.0  # share of the soundings of single beams that never come

    def __post_init__(self) -> None:
        """Refuse limits and errors that make no sense."""
        super().__post_init__()
        check_limits(self, "min_range_m", "max_range_m")
        for key in ("noise_m", "noise_per_range", "bias_m", "walk_m_sqrt_h", "resolution_m"):
            self.check(key, 0.0)
        self.check("scale", 0.0, 1.0)
        self.check("beam_dropout", 0.0, 1.0)


def check_limits(sensor: Sensor, low: str, high: str) -> None:
    """Refuse a blind zone that reaches to the far end."""
    sensor.check(low, 0.0)
    sensor.check(high, 0.0)
    if not getattr(sensor, low) < getattr(sensor, high):
        raise ScenarioError(
            file="sensor", key=high, value=getattr(sensor, high), expected=f"more than {low} = {getattr(sensor, low)}"
        )


def check_count(sensor: Sensor, key: str, low: int, high: int) -> None:
    """Refuse a number that is not whole or too large to be meant."""
    whole(key, getattr(sensor, key), low, high, context=SENSOR)


def pointing(bearing_deg: Any, elevation_deg: Any) -> Array:
    """Unit vectors (n, 3) in the instrument's axes: bearing from x to y (starboard), elevation on to z (down)."""
    bearing, elevation = np.broadcast_arrays(np.radians(bearing_deg), np.radians(elevation_deg))
    level = np.cos(elevation)
    return np.stack([level * np.cos(bearing), level * np.sin(bearing), np.sin(elevation)], axis=-1)


def in_air(now: Moment, point_b: Sequence[float] | Array) -> bool:
    """Whether a point of the vehicle is out of the water, where no sound gets in or out."""
    return now.wet_share < 1.0 and now.depth_of(point_b) < 0.0


def reached(now: Moment, scene: Scene, point_b: Array, beams_b: Array, max_range_m: float) -> Any:
    """What beams from a point of the body meet; `beams_b` are unit vectors (n, 3) in body axes."""
    R_nb = now.R_nb
    return scene.cast(now.position_n + R_nb @ point_b, beams_b @ R_nb.T, max_range_m=max_range_m)


class Soundings:
    """Errors and limits of n beams of one `Sounder`."""

    def __init__(self, sensor: Sounder, rng: np.random.Generator, n: int) -> None:
        self._sensor, self._rng = sensor, rng
        self._slope = 1.0 + sensor.scale * float(rng.standard_normal())
        self._errors = Errors(
            rng, n, noise=sensor.noise_m, bias=sensor.bias_m, walk=sensor.walk_m_sqrt_h / 60.0,
            resolution=sensor.resolution_m,
        )  # fmt: skip
        self._steady = sensor.noise_per_range == 0.0

    def heard(self, ranges: Array) -> NDArray[np.bool_]:
        """Which true ranges give an echo at all."""
        sensor = self._sensor
        good = (ranges >= sensor.min_range_m) & (ranges <= sensor.max_range_m)
        return good & (self._rng.random(len(ranges)) >= sensor.beam_dropout) if sensor.beam_dropout > 0.0 else good

    def apply(self, ranges: Array, good: NDArray[np.bool_], time_s: float = 0.0) -> Array:
        """Ranges as they are read at an instant; NaN where no echo came."""
        sensor = self._sensor
        true = np.where(good, ranges, math.nan)
        noise = None if self._steady else sensor.noise_m + sensor.noise_per_range * true
        return self._errors.at(self._slope * true, time_s, noise)


class BeamInstrument(Instrument):
    """Beams that are fixed to the vehicle and measure a range each."""

    def __init__(self, sensor: Sounder, rng: np.random.Generator, beams_s: Array) -> None:
        self._at = np.asarray(sensor.position_m, float)
        self.beams_b = beams_s @ sensor.R_bs.T
        self._max_range_m = sensor.max_range_m
        self._soundings = Soundings(sensor, rng, len(beams_s))

    def soundings(self, now: Moment, scene: Scene) -> Array:
        """Range of each beam, NaN without an echo."""
        if in_air(now, self._at):
            return np.full(len(self.beams_b), math.nan)
        ranges = reached(now, scene, self._at, self.beams_b, self._max_range_m).range_m
        return self._soundings.apply(ranges, self._soundings.heard(ranges), now.time_s)
