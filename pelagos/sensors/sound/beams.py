"""Common parts of echo sounders and sonars: beams as rays, range limits and errors of a sounding.

A beam is a straight ray at one instant: no refraction, and the vehicle does not move while the sound travels.
Structures reflect like the seabed; the water surface does not reflect.

    sounding = (1 + scale) r + bias + walk + (noise_m + noise_per_range r) N(0, 1), in steps of the resolution
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pelagos.checks import SENSOR, whole
from pelagos.errors import ScenarioError
from pelagos.sensors.base import Array, Sensor


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
