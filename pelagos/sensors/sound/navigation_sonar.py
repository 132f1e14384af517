"""Navigation sonar: a vertical fan of beams ahead of the nose that reports the nearest echo.

As in the Gavia test bench: each beam is a line from the nose that reaches `max_range_m`; the nearest intersection of
each with the bottom (and with structures) is its range; the vehicle steers by the smallest of all.

    elevation of beam i:  tilt + fan (i / (n - 1) - 1/2),  i = 0 .. n - 1, positive down; beam 0 is the highest

`reading = "slant"` (the default): the beams are fixed to the vehicle, pitch and roll with it, and the ranges are
measured along them. `reading = "horizontal"` reproduces the program behind the document: beams from O that follow the
heading only, and the horizontal distance to the hit. That program has four beams over 10 deg and returns
`max_range_m` without an echo; so does this sonar unless `no_echo` is "nan".

Frames: the x axis of the sensor is the centre of the fan before `tilt_deg`; the fan is its x-z plane.
Reference: Gavia dynamic model, navigation sonar and plotter notes, figures 4 to 6.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from pelagos.checks import SENSOR, choice
from pelagos.sensors.base import Array, Instant, Instrument, Scene, VehicleContext
from pelagos.sensors.sound.beams import Sounder, Soundings, check_count, in_air, pointing, reached


@dataclass(frozen=True, kw_only=True)
class NavigationSonar(Sounder):
    """Navigation sonar: a fan of beams ahead in the vertical plane; `position_m` is the nose."""

    kind: ClassVar[str] = "navigation_sonar"

    min_range_m: float = 0.0
    max_range_m: float = 50.0
    n_beams: int = 4
    fan_deg: float = 10.0  # from the highest beam to the lowest
    tilt_deg: float = 0.0  # of the centre of the fan, positive down
    reading: Literal["slant", "horizontal"] = "slant"
    no_echo: Literal["max_range", "nan"] = "max_range"

    def __post_init__(self) -> None:
        """Validate the fan and the choices."""
        super().__post_init__()
        check_count(self, "n_beams", 1, 1000)
        self.check("fan_deg", 0.0, 360.0)
        self.check("tilt_deg", -180.0, 180.0)
        for key, choices in (("reading", ("slant", "horizontal")), ("no_echo", ("max_range", "nan"))):
            choice(key, getattr(self, key), choices, context=SENSOR)

    @property
    def columns(self) -> tuple[str, ...]:
        """Range of each beam; the smallest, and the distances of its echo ahead of and below the sonar."""
        return (*(f"beam_{k:02d}_m" for k in range(self.n_beams)), "range_m", "ahead_m", "below_m")

    @property
    def elevations_deg(self) -> Array:
        """Elevation of each beam in sensor axes, positive down."""
        if self.n_beams == 1:
            return np.array([self.tilt_deg])
        return self.tilt_deg + np.linspace(-0.5 * self.fan_deg, 0.5 * self.fan_deg, self.n_beams)

    def make(self, rng: np.random.Generator, fit: VehicleContext) -> Instrument:
        """Build the sonar."""
        del fit
        return _NavigationSonarInstrument(self, rng)


class _NavigationSonarInstrument(Instrument):
    def __init__(self, sensor: NavigationSonar, rng: np.random.Generator) -> None:
        self._sensor = sensor
        beams_s = pointing(0.0, sensor.elevations_deg)
        self._beams_b = beams_s @ sensor.R_bs.T
        self._at = np.asarray(sensor.position_m, float)
        self._level = np.hypot(beams_s[:, 0], beams_s[:, 1]) * np.sign(beams_s[:, 0])  # cos of the elevation
        self._down = beams_s[:, 2]
        self._soundings = Soundings(sensor, rng, sensor.n_beams)
        self._silence = sensor.max_range_m if sensor.no_echo == "max_range" else math.nan

    def measure(self, now: Instant, scene: Scene) -> Array:
        sensor = self._sensor
        n = sensor.n_beams
        out = np.full(n + 3, self._silence)
        out[n + 1 :] = math.nan
        if in_air(now, sensor.position_m):
            return out
        slant = sensor.reading == "slant"
        true, down = self._slant(now, scene) if slant else self._horizontal(now, scene)
        good = self._soundings.heard(true)
        ranges = self._soundings.apply(true, good, now.time_s)
        nearest = int(np.where(good, ranges, math.inf).argmin())
        if not good[nearest]:
            return out
        out[:n] = np.where(good, ranges, self._silence)
        out[n] = r = float(ranges[nearest])
        share = float(down[nearest])  # sine of the elevation below the horizon, tangent for a horizontal reading
        out[n + 1] = r * math.sqrt(max(1.0 - share * share, 0.0)) if slant else r
        out[n + 2] = r * share
        return out

    def biased(self, values: Array, size: float) -> Array:
        """A bias fault shifts the ranges."""
        shifted = values.copy()
        shifted[:-2] += size
        return shifted

    def _slant(self, now: Instant, scene: Scene) -> tuple[Array, Array]:
        hits = reached(now, scene, self._at, self._beams_b, self._sensor.max_range_m)
        return hits.range_m, self._beams_b @ now.R_nb[2]

    def _horizontal(self, now: Instant, scene: Scene) -> tuple[Array, Array]:
        """Horizontal distances from O without pitch and roll; infinite for beams that point back or straight down."""
        R_nb = now.R_nb
        heading = math.atan2(R_nb[1, 0], R_nb[0, 0])
        level = self._level
        beams = np.column_stack([level * math.cos(heading), level * math.sin(heading), self._down])
        ahead = level > 1e-9
        ranges = scene.cast(now.position_n, beams, max_range_m=self._sensor.max_range_m).range_m
        return np.where(ahead, ranges * level, math.inf), self._down / np.where(ahead, level, 1.0)
