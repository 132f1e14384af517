"""Instruments of many vehicles that send sound: altimeter, swath and navigation sonar, Doppler log, USBL.

Each class is the array form of the one beside its description in `pelagos.sensors`, where the law, its reference and
its limits stand. The beams of all vehicles that are due go through one cast of the scene.

The Doppler velocity logs of many vehicles; the law, its reference and its limits stand in `pelagos.sensors.sound.dvl`.
"""

from __future__ import annotations

import math

import numpy as np

from pelagos.batch.instruments.base import Array, Draw, Kind, Mask, Moments, Rows, VectorInstrument
from pelagos.frames import rotation_from_euler
from pelagos.sensors.base import Scene, VehicleContext
from pelagos.sensors.sound.acoustic_position import STAND_M, Usbl
from pelagos.sensors.sound.altimeter import Altimeter
from pelagos.sensors.sound.beams import Sounder, pointing
from pelagos.sensors.sound.dvl import BEAMS, CLEAR, Dvl, solver
from pelagos.sensors.sound.multibeam import Multibeam
from pelagos.sensors.sound.navigation_sonar import NavigationSonar

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


class _Sounder(VectorInstrument[Kind]):
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


class VectorAltimeter(_Sounder[Altimeter]):
    """The nearest thing in the cone of one beam."""

    def __init__(self, sensor: Altimeter, fit: VehicleContext, n: int, draw: Draw) -> None:
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


class VectorMultibeam(_Sounder[Multibeam]):
    """A range for each beam of the swath."""

    def __init__(self, sensor: Multibeam, fit: VehicleContext, n: int, draw: Draw) -> None:
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


class VectorNavigationSonar(_Sounder[NavigationSonar]):
    """A fan of beams ahead and the nearest echo."""

    def __init__(self, sensor: NavigationSonar, fit: VehicleContext, n: int, draw: Draw) -> None:
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


class VectorUsbl(VectorInstrument[Usbl]):
    """Range, bearing and elevation from a ship, and the fix they make; it arrives when the sound has."""

    def __init__(self, sensor: Usbl, fit: VehicleContext, n: int, draw: Draw) -> None:
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


# ---- instruments dvl -------------------------------------------------------------------------------------------------


TURN = CHANCE + 1  # purpose of the misalignment


class VectorDvl(VectorInstrument[Dvl]):
    """Velocity over ground and through the water, height, and ranges of four beams."""

    def __init__(self, sensor: Dvl, fit: VehicleContext, n: int, draw: Draw) -> None:
        super().__init__(sensor, fit, n, draw)
        angle = math.radians(sensor.beam_angle_deg)
        self._cos, self._per_beam = math.cos(angle), math.sqrt(2.0) * math.sin(angle)
        self._told_b = sensor.beams_s() @ sensor.R_bs.T  # beams in body axes as the mounting says
        self._beams_b = np.tile(self._told_b, (n, 1, 1))  # and as they really are
        # slope alone, then offset, walk and noise over ground; noise of the water track; noise of the ranges
        self._slope = self.error(0, BEAMS, scale=sensor.scale, common=True)
        walk = sensor.walk_m_s_sqrt_h / 60.0
        self._ground = self.error(3, BEAMS, bias=self._per_beam * sensor.bias_m_s, walk=self._per_beam * walk)
        self._water, self._ranges = self.error(6, BEAMS), self.error(9, BEAMS)
        nothing = np.full((3, BEAMS), math.nan).tolist()
        self._solve = np.array([solver(self._told_b, bits) or nothing for bits in range(1 << BEAMS)])
        self._varies = sensor.noise_m_s > 0.0 or sensor.noise_per_speed > 0.0
        self._ranges_vary = sensor.range_noise_m > 0.0 or sensor.range_noise_per_range > 0.0

    def begin(self, rows: Rows) -> None:
        """Draw how the log is turned in the vehicle."""
        super().begin(rows)
        if self.sensor.misalignment_deg > 0.0:
            angles = np.radians(self.sensor.misalignment_deg) * self.draw.normal(TURN, 3)
            self._beams_b[rows] = self._told_b @ rotation_from_euler(*angles.T).transpose(0, 2, 1)

    def measure(self, now: Moments, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """As the columns of `Dvl`."""
        sensor = self.sensor
        wet = ~now.in_air(sensor.position_m)
        beams = self._beams_b[rows]
        along = beams @ now.R_nb.transpose(0, 2, 1)
        far = sensor.max_altitude_m / self._cos
        ranges = met(scene, wet, now.place_n(sensor.position_m), along, far)
        velocity = now.velocity_b(sensor.position_m)
        speed = np.sqrt((velocity * velocity).sum(axis=1, keepdims=True))
        lock = self._lock(ranges, speed) & wet[:, None]
        near = np.where(lock, ranges, 0.0)
        radial = self._slope.at(rows, (beams @ velocity[:, :, None])[:, :, 0], now.time_s)
        base = sensor.noise_m_s + sensor.noise_per_speed * speed
        sigma = self._per_beam * (base + sensor.noise_per_range * near)
        noisy = self._varies or sensor.noise_per_range > 0.0
        heard = self._ground.at(rows, radial, now.time_s, sigma if noisy else None)
        spread = sensor.range_noise_m + sensor.range_noise_per_range * near
        told = self._ranges.at(rows, near, now.time_s, spread if self._ranges_vary else None)
        count = lock.sum(axis=1)
        heights = np.where(lock, told * along[:, :, 2], 0.0).sum(axis=1)
        out = np.empty((len(now), 12))
        out[:, :3] = self._velocity(lock, np.where(lock, heard, 0.0))
        out[:, 3] = np.where(count > 0, heights / np.maximum(count, 1), math.nan)
        out[:, 4:8] = np.where(lock, told, math.nan)
        out[:, 8:11] = self._track(now, rows, scene, along, ranges, radial, base) if sensor.water_track else math.nan
        out[~wet, 8:11] = math.nan
        out[:, 11] = count
        return out, None

    def _lock(self, ranges: Array, speed: Array) -> Mask:
        """Which beams hear the bottom."""
        sensor = self.sensor
        lock = (sensor.min_altitude_m / self._cos <= ranges) & (ranges <= sensor.max_altitude_m / self._cos)
        lock &= speed <= sensor.max_speed_m_s
        if sensor.beam_dropout > 0.0:
            lock &= self.draw.uniform(CHANCE, BEAMS) >= sensor.beam_dropout
        return lock

    def _velocity(self, lock: Mask, radial: Array) -> Array:
        """Least squares of the beams with lock; NaN without three."""
        bits = lock @ (1 << np.arange(BEAMS))
        found = (self._solve[bits] @ radial[:, :, None])[:, :, 0]
        step = self.sensor.resolution_m_s
        return np.rint(found / step) * step if step > 0.0 else found

    def _track(
        self, now: Moments, rows: Rows, scene: Scene, along: Array, ranges: Array, radial: Array, base: Array
    ) -> Array:
        """Velocity through the water; `radial` is that of each beam over ground."""
        layer = self.sensor.water_layer_m
        if layer > 0.0:
            away = layer / self._cos
            points = now.place_n(self.sensor.position_m)[:, None] + away * along
            water = np.empty_like(points)
            for time_s in np.unique(now.time_s):
                then = now.time_s == time_s
                flow = scene.water_velocity(points[then].reshape(-1, 3), float(time_s))
                water[then] = flow.reshape(-1, BEAMS, 3)
            flow, clear = (along * water).sum(axis=2), away <= CLEAR * ranges
        else:
            flow, clear = (along @ now.water_n[:, :, None])[:, :, 0], np.ones(ranges.shape, dtype=bool)
        through = radial - self._slope.at(rows, flow, now.time_s)
        sigma = np.broadcast_to(self._per_beam * self.sensor.water_noise_factor * base, through.shape)
        return self._velocity(clear, self._water.at(rows, through, now.time_s, sigma if self._varies else None))
