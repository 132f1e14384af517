"""Instruments of many vehicles that send sound: altimeter, swath and navigation sonar, Doppler log, USBL.

Each class is the array form of the one beside its description in `pelagos.sensors`, where the law, its reference and
its limits stand. The beams of all vehicles that are due go through one cast of the scene.
"""

from __future__ import annotations

import math

import numpy as np

from pelagos.batch.instruments_base import Array, Draw, Kind, ManyInstrument, Mask, Moments, Rows
from pelagos.sensors.acoustic_position import STAND_M, Usbl
from pelagos.sensors.altimeter import Altimeter
from pelagos.sensors.base import Fit, Scene
from pelagos.sensors.beams import Sounder, pointing
from pelagos.sensors.multibeam import Multibeam
from pelagos.sensors.sonar import NavigationSonar

CHANCE = 16  # the purpose of drop-outs of single beams, beyond those of the errors


def met(scene: Scene, wet: Mask, origins: Array, directions: Array, max_range_m: float) -> Array:
    """Ranges (m, beams) along NED directions (m, beams, 3) from one point of each; infinite for those out of the water.

    One cast for all vehicles.
    """
    count = directions.shape[1]
    ranges = np.full(directions.shape[:2], math.inf)
    if wet.any():
        start = np.repeat(origins[wet], count, axis=0)
        hits = scene.cast(start, directions[wet].reshape(-1, 3), max_range_m=max_range_m)
        ranges[wet] = hits.range_m.reshape(-1, count)
    return ranges


class _Sounder(ManyInstrument[Kind]):
    """Errors and limits of k beams of a `Sounder`."""

    def sound(self, sensor: Sounder, k: int) -> None:
        """Make the errors of its beams."""
        self._sounder, self._told = sensor, self.error(
            0, k, noise=sensor.noise_m, bias=sensor.bias_m, walk=sensor.walk_m_sqrt_h / 60.0, scale=sensor.scale,
            resolution=sensor.resolution_m, common=True,
        )  # fmt: skip

    def heard(self, ranges: Array) -> Mask:
        """Which true ranges give an echo at all."""
        sensor = self._sounder
        good = (ranges >= sensor.min_range_m) & (ranges <= sensor.max_range_m)
        if sensor.beam_dropout > 0.0:
            good &= self.draw.uniform(CHANCE, ranges.shape[1]) >= sensor.beam_dropout
        return good

    def read(self, now: Moments, rows: Rows, ranges: Array, good: Mask) -> Array:
        """Ranges as they are read; NaN where no echo came."""
        sensor = self._sounder
        true = np.where(good, ranges, math.nan)
        varies = sensor.noise_per_range > 0.0
        noise = sensor.noise_m + sensor.noise_per_range * true if varies else None
        return self._told.at(rows, true, now.time_s, noise)


class ManyAltimeter(_Sounder[Altimeter]):
    """The nearest thing in the cone of one beam."""

    def __init__(self, sensor: Altimeter, fit: Fit, n: int, draw: Draw) -> None:
        super().__init__(sensor, fit, n, draw)
        self._rays_b = sensor.rays_s() @ sensor.R_bs.T
        self.sound(sensor, 1)

    def measure(self, now: Moments, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """Distance, m; NaN without an echo."""
        sensor = self.sensor
        along = self._rays_b @ now.R_nb.transpose(0, 2, 1)
        wet = ~now.in_air(sensor.position_m)
        ranges = met(scene, wet, now.place_n(sensor.position_m), along, sensor.max_range_m)
        nearest = ranges.min(axis=1, keepdims=True)
        return self.read(now, rows, nearest, self.heard(nearest)), None


class ManyMultibeam(_Sounder[Multibeam]):
    """A range for each beam of the swath."""

    def __init__(self, sensor: Multibeam, fit: Fit, n: int, draw: Draw) -> None:
        super().__init__(sensor, fit, n, draw)
        self._beams_b = sensor.beams_b()
        self.sound(sensor, sensor.n_beams)

    def measure(self, now: Moments, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """Ranges, m; NaN without an echo."""
        sensor = self.sensor
        along = self._beams_b @ now.R_nb.transpose(0, 2, 1)
        wet = ~now.in_air(sensor.position_m)
        ranges = met(scene, wet, now.place_n(sensor.position_m), along, sensor.max_range_m)
        return self.read(now, rows, ranges, self.heard(ranges)), None


class ManyNavigationSonar(_Sounder[NavigationSonar]):
    """A fan of beams ahead and the nearest echo."""

    def __init__(self, sensor: NavigationSonar, fit: Fit, n: int, draw: Draw) -> None:
        super().__init__(sensor, fit, n, draw)
        beams_s = pointing(0.0, sensor.elevations_deg)
        self._beams_b = beams_s @ sensor.R_bs.T
        self._level = np.hypot(beams_s[:, 0], beams_s[:, 1]) * np.sign(beams_s[:, 0])  # cosine of the elevation
        self._down = beams_s[:, 2]
        self._silence = sensor.max_range_m if sensor.no_echo == "max_range" else math.nan
        self.sound(sensor, sensor.n_beams)

    def measure(self, now: Moments, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """Ranges, the smallest, and where its echo came from, m."""
        sensor = self.sensor
        wet = ~now.in_air(sensor.position_m)
        slant = sensor.reading == "slant"
        true, down = self._slant(now, wet, scene) if slant else self._horizontal(now, wet, scene)
        good = self.heard(true)
        ranges = self.read(now, rows, true, good)
        nearest = np.where(good, ranges, math.inf).argmin(axis=1)[:, None]
        r, share = np.take_along_axis(ranges, nearest, 1), np.take_along_axis(down, nearest, 1)
        any_echo = good.any(axis=1, keepdims=True)
        ahead = r * np.sqrt(np.maximum(1.0 - share * share, 0.0)) if slant else r
        beams = np.where(good, ranges, self._silence)
        first = np.where(any_echo, r, self._silence)
        return np.concatenate([beams, first, *(np.where(any_echo, x, math.nan) for x in (ahead, r * share))], 1), None

    def _slant(self, now: Moments, wet: Mask, scene: Scene) -> tuple[Array, Array]:
        """Distances along beams that are fixed to the vehicle, and the sines of their elevations."""
        along = self._beams_b @ now.R_nb.transpose(0, 2, 1)
        ranges = met(scene, wet, now.place_n(self.sensor.position_m), along, self.sensor.max_range_m)
        return ranges, now.R_nb[:, 2] @ self._beams_b.T

    def _horizontal(self, now: Moments, wet: Mask, scene: Scene) -> tuple[Array, Array]:
        """Horizontal distances from O with pitch and roll left out; beams that look back or straight down have none."""
        heading = np.arctan2(now.R_nb[:, 1, 0], now.R_nb[:, 0, 0])[:, None]
        level, down = np.broadcast_arrays(self._level, np.tile(self._down, (len(now), 1)))
        beams = np.stack([level * np.cos(heading), level * np.sin(heading), down], axis=2)
        ranges = met(scene, wet, now.position_n, beams, self.sensor.max_range_m)
        ahead = level > 1e-9
        return np.where(ahead, ranges * level, math.inf), down / np.where(ahead, level, 1.0)


class ManyUsbl(ManyInstrument[Usbl]):
    """Range, bearing and elevation from a ship, and the fix they make; it arrives when the sound has."""

    def __init__(self, sensor: Usbl, fit: Fit, n: int, draw: Draw) -> None:
        super().__init__(sensor, fit, n, draw)
        self._slope = (sensor.assumed_sound_speed_m_s or fit.sound_speed_m_s) / fit.sound_speed_m_s
        self._ranges = self.error(
            0, bias=sensor.bias_m, walk=sensor.walk_m_sqrt_h / 60.0, scale=sensor.scale, resolution=sensor.resolution_m
        )
        self._angles = self.error(
            3, 2, noise=math.radians(sensor.angle_noise_deg), bias=math.radians(sensor.angle_bias_deg),
            walk=math.radians(sensor.angle_walk_deg_sqrt_h) / 60.0,
        )  # fmt: skip

    def measure(self, now: Moments, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """What the ship sees; no reading out of range or sight."""
        sensor = self.sensor
        ship = np.asarray(sensor.ship_m) + now.time_s[:, None] * np.asarray(sensor.ship_velocity_m_s)
        here = now.place_n(sensor.position_m)
        apart = here - ship
        away = np.sqrt((apart * apart).sum(axis=1))
        heard = ~now.in_air(sensor.position_m) & (away >= sensor.min_range_m) & (away <= sensor.max_range_m)
        heard &= ~self._blocked(scene, heard & (away > STAND_M), here, apart, away)
        far = np.where(heard, away, 0.0)
        self.delay_s = sensor.ways * far / self.fit.sound_speed_m_s + sensor.turnaround_s
        true = np.where(heard, away, math.nan)[:, None]
        varies = sensor.noise_m > 0.0 or sensor.noise_per_range > 0.0
        noise = sensor.noise_m + sensor.noise_per_range * true if varies else None
        r = self._ranges.at(rows, self._slope * true, now.time_s, noise)[:, 0]
        north, east, down = apart.T
        angles = np.stack([np.arctan2(east, north), np.arctan2(down, np.hypot(north, east))], axis=1)
        bearing, elevation = self._angles.at(rows, angles, now.time_s).T
        level = r * np.cos(elevation)
        place = ship + np.stack([level * np.cos(bearing), level * np.sin(bearing), r * np.sin(elevation)], axis=1)
        seen = np.stack([r, np.degrees(bearing) % 360.0, np.degrees(elevation)], axis=1)
        return np.concatenate([seen, place], axis=1), heard

    def _blocked(self, scene: Scene, asked: Mask, here: Array, apart: Array, away: Array) -> Mask:
        """Between whom and the ship something stands."""
        blocked = np.zeros(len(away), dtype=bool)
        if asked.any():
            hits = scene.cast(here[asked], -apart[asked], max_range_m=float(away[asked].max()))
            blocked[asked] = hits.range_m < away[asked] - STAND_M
        return blocked
