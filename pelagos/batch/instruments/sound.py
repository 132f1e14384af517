"""Acoustic instruments of many vehicles: altimeter, multibeam and navigation sonar, USBL, DVL.

Each class is the array form of the instrument in `pelagos.sensors.sound`, whose module states the error model, its
reference and its limits. One ray cast serves the beams of all vehicles that are due.
"""

from __future__ import annotations

import math

import numpy as np

from pelagos.batch.instruments.base import Array, Draw, Kind, Mask, Rows, VectorInstant, VectorInstrument
from pelagos.frames import rotation_from_euler
from pelagos.sensors.base import Scene, VehicleContext
from pelagos.sensors.sound.acoustic_position import STAND_M, Usbl
from pelagos.sensors.sound.altimeter import Altimeter
from pelagos.sensors.sound.beams import Sounder, pointing
from pelagos.sensors.sound.dvl import BEAMS, CLEAR, Dvl, solver
from pelagos.sensors.sound.multibeam import Multibeam
from pelagos.sensors.sound.navigation_sonar import NavigationSonar

# purposes of random numbers beyond those of the errors
BEAM_DROPOUT = 16
MISALIGNMENT = 17


def cast_beams(scene: Scene, wet: Mask, origins: Array, directions: Array, max_range_m: float) -> Array:
    """Return ranges (m, beams) along NED directions (m, beams, 3) from origins (m, 3); infinite out of the water."""
    count = directions.shape[1]
    ranges = np.full(directions.shape[:2], math.inf)
    if wet.any():
        start = np.repeat(origins[wet], count, axis=0)
        hits = scene.cast(start, directions[wet].reshape(-1, 3), max_range_m=max_range_m)
        ranges[wet] = hits.range_m.reshape(-1, count)
    return ranges


class _Sounder(VectorInstrument[Kind]):
    """Errors and limits of the beams of a `Sounder`."""

    def make_errors(self, sensor: Sounder, k: int) -> None:
        """Make the errors of k beams."""
        self._sounder = sensor
        self._range_errors = self.error(
            0, k, noise=sensor.noise_m, bias=sensor.bias_m, walk=sensor.walk_m_sqrt_h / 60.0, scale=sensor.scale,
            resolution=sensor.resolution_m, common=True,
        )  # fmt: skip

    def heard(self, ranges: Array) -> Mask:
        """Return which true ranges give an echo."""
        sensor = self._sounder
        good = (ranges >= sensor.min_range_m) & (ranges <= sensor.max_range_m)
        if sensor.beam_dropout > 0.0:
            good &= self.draw.uniform(BEAM_DROPOUT, ranges.shape[1]) >= sensor.beam_dropout
        return good

    def read(self, now: VectorInstant, rows: Rows, ranges: Array, good: Mask) -> Array:
        """Return measured ranges; NaN without an echo."""
        sensor = self._sounder
        true = np.where(good, ranges, math.nan)
        varies = sensor.noise_per_range > 0.0
        noise = sensor.noise_m + sensor.noise_per_range * true if varies else None
        return self._range_errors.at(rows, true, now.time_s, noise)


class VectorAltimeter(_Sounder[Altimeter]):
    """Altimeter: range of the nearest echo in the cone of one beam."""

    def __init__(self, sensor: Altimeter, fit: VehicleContext, n: int, draw: Draw) -> None:
        super().__init__(sensor, fit, n, draw)
        self._rays_b = sensor.rays_s() @ sensor.R_bs.T
        self.make_errors(sensor, 1)

    def measure(self, now: VectorInstant, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """Return the range, m; NaN without an echo."""
        sensor = self.sensor
        along = self._rays_b @ now.R_nb.transpose(0, 2, 1)
        wet = ~now.in_air(sensor.position_m)
        ranges = cast_beams(scene, wet, now.place_n(sensor.position_m), along, sensor.max_range_m)
        nearest = ranges.min(axis=1, keepdims=True)
        return self.read(now, rows, nearest, self.heard(nearest)), None


class VectorMultibeam(_Sounder[Multibeam]):
    """Multibeam sonar: a range for each beam of the swath."""

    def __init__(self, sensor: Multibeam, fit: VehicleContext, n: int, draw: Draw) -> None:
        super().__init__(sensor, fit, n, draw)
        self._beams_b = sensor.beams_b()
        self.make_errors(sensor, sensor.n_beams)

    def measure(self, now: VectorInstant, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """Return the ranges, m; NaN without an echo."""
        sensor = self.sensor
        along = self._beams_b @ now.R_nb.transpose(0, 2, 1)
        wet = ~now.in_air(sensor.position_m)
        ranges = cast_beams(scene, wet, now.place_n(sensor.position_m), along, sensor.max_range_m)
        return self.read(now, rows, ranges, self.heard(ranges)), None


class VectorNavigationSonar(_Sounder[NavigationSonar]):
    """Navigation sonar: a fan of beams ahead, and the nearest echo."""

    def __init__(self, sensor: NavigationSonar, fit: VehicleContext, n: int, draw: Draw) -> None:
        super().__init__(sensor, fit, n, draw)
        beams_s = pointing(0.0, sensor.elevations_deg)
        self._beams_b = beams_s @ sensor.R_bs.T
        self._level = np.hypot(beams_s[:, 0], beams_s[:, 1]) * np.sign(beams_s[:, 0])  # cosine of the elevation
        self._down = beams_s[:, 2]
        self._no_echo = sensor.max_range_m if sensor.no_echo == "max_range" else math.nan
        self.make_errors(sensor, sensor.n_beams)

    def measure(self, now: VectorInstant, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """Return the ranges, the smallest of them, and where its echo came from (ahead, down), m."""
        sensor = self.sensor
        wet = ~now.in_air(sensor.position_m)
        slant = sensor.reading == "slant"
        true, down = self._slant(now, wet, scene) if slant else self._horizontal(now, wet, scene)
        good = self.heard(true)
        ranges = self.read(now, rows, true, good)
        nearest = np.where(good, ranges, math.inf).argmin(axis=1)[:, None]
        r, slope = np.take_along_axis(ranges, nearest, 1), np.take_along_axis(down, nearest, 1)
        any_echo = good.any(axis=1, keepdims=True)
        ahead = r * np.sqrt(np.maximum(1.0 - slope * slope, 0.0)) if slant else r
        beams = np.where(good, ranges, self._no_echo)
        first = np.where(any_echo, r, self._no_echo)
        return np.concatenate([beams, first, *(np.where(any_echo, x, math.nan) for x in (ahead, r * slope))], 1), None

    def _slant(self, now: VectorInstant, wet: Mask, scene: Scene) -> tuple[Array, Array]:
        """Ranges along beams that are fixed to the vehicle, and the down component of their directions."""
        along = self._beams_b @ now.R_nb.transpose(0, 2, 1)
        ranges = cast_beams(scene, wet, now.place_n(self.sensor.position_m), along, self.sensor.max_range_m)
        return ranges, now.R_nb[:, 2] @ self._beams_b.T

    def _horizontal(self, now: VectorInstant, wet: Mask, scene: Scene) -> tuple[Array, Array]:
        """Horizontal distances from O without pitch and roll, and tangents of the elevations.

        Beams that point aft or straight down have no horizontal distance.
        """
        heading = np.arctan2(now.R_nb[:, 1, 0], now.R_nb[:, 0, 0])[:, None]
        level, down = np.broadcast_arrays(self._level, np.tile(self._down, (len(now), 1)))
        beams = np.stack([level * np.cos(heading), level * np.sin(heading), down], axis=2)
        ranges = cast_beams(scene, wet, now.position_n, beams, self.sensor.max_range_m)
        ahead = level > 1e-9
        return np.where(ahead, ranges * level, math.inf), down / np.where(ahead, level, 1.0)


class VectorUsbl(VectorInstrument[Usbl]):
    """USBL: range, bearing and elevation from a ship, and the fix; readings arrive after the travel time of sound."""

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

    def measure(self, now: VectorInstant, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """Return the measurements from the ship; no reading out of range or without a line of sight."""
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
        measured = np.stack([r, np.degrees(bearing) % 360.0, np.degrees(elevation)], axis=1)
        return np.concatenate([measured, place], axis=1), heard

    def _blocked(self, scene: Scene, tested: Mask, here: Array, apart: Array, away: Array) -> Mask:
        """Which of the tested vehicles have an obstacle between them and the ship."""
        blocked = np.zeros(len(away), dtype=bool)
        if tested.any():
            hits = scene.cast(here[tested], -apart[tested], max_range_m=float(away[tested].max()))
            blocked[tested] = hits.range_m < away[tested] - STAND_M
        return blocked


class VectorDvl(VectorInstrument[Dvl]):
    """DVL: velocity over ground and through the water, altitude, and ranges of four beams."""

    def __init__(self, sensor: Dvl, fit: VehicleContext, n: int, draw: Draw) -> None:
        super().__init__(sensor, fit, n, draw)
        angle = math.radians(sensor.beam_angle_deg)
        self._cos, self._per_beam = math.cos(angle), math.sqrt(2.0) * math.sin(angle)
        self._nominal_b = sensor.beams_s() @ sensor.R_bs.T  # beams in body axes without misalignment
        self._beams_b = np.tile(self._nominal_b, (n, 1, 1))  # actual beams
        # bottom and water track share the error of scale; bias and walk belong to the bottom track
        self._slope = self.error(0, BEAMS, scale=sensor.scale, common=True)
        walk = sensor.walk_m_s_sqrt_h / 60.0
        self._ground = self.error(3, BEAMS, bias=self._per_beam * sensor.bias_m_s, walk=self._per_beam * walk)
        self._water, self._ranges = self.error(6, BEAMS), self.error(9, BEAMS)
        nothing = np.full((3, BEAMS), math.nan).tolist()
        # least-squares solution for each set of beams with lock, NaN for fewer than three
        self._solve = np.array([solver(self._nominal_b, bits) or nothing for bits in range(1 << BEAMS)])
        self._varies = sensor.noise_m_s > 0.0 or sensor.noise_per_speed > 0.0
        self._ranges_vary = sensor.range_noise_m > 0.0 or sensor.range_noise_per_range > 0.0

    def begin(self, rows: Rows) -> None:
        """Draw the constant errors and the misalignment of the DVL in the vehicle."""
        super().begin(rows)
        if self.sensor.misalignment_deg > 0.0:
            angles = np.radians(self.sensor.misalignment_deg) * self.draw.normal(MISALIGNMENT, 3)
            self._beams_b[rows] = self._nominal_b @ rotation_from_euler(*angles.T).transpose(0, 2, 1)

    def measure(self, now: VectorInstant, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """Return the values of the columns of `Dvl`."""
        sensor = self.sensor
        wet = ~now.in_air(sensor.position_m)
        beams = self._beams_b[rows]
        along = beams @ now.R_nb.transpose(0, 2, 1)
        far = sensor.max_altitude_m / self._cos
        ranges = cast_beams(scene, wet, now.place_n(sensor.position_m), along, far)
        velocity = now.velocity_b(sensor.position_m)
        speed = np.sqrt((velocity * velocity).sum(axis=1, keepdims=True))
        lock = self._lock(ranges, speed) & wet[:, None]
        near = np.where(lock, ranges, 0.0)
        radial = self._slope.at(rows, (beams @ velocity[:, :, None])[:, :, 0], now.time_s)
        base = sensor.noise_m_s + sensor.noise_per_speed * speed
        sigma = self._per_beam * (base + sensor.noise_per_range * near)
        noisy = self._varies or sensor.noise_per_range > 0.0
        over_ground = self._ground.at(rows, radial, now.time_s, sigma if noisy else None)
        spread = sensor.range_noise_m + sensor.range_noise_per_range * near
        measured = self._ranges.at(rows, near, now.time_s, spread if self._ranges_vary else None)
        count = lock.sum(axis=1)
        heights = np.where(lock, measured * along[:, :, 2], 0.0).sum(axis=1)
        velocity = self._velocity(lock, np.where(lock, over_ground, 0.0))
        altitude = np.where(count > 0, heights / np.maximum(count, 1), math.nan)
        beam_ranges = np.where(lock, measured, math.nan)
        track = np.full((len(now), 3), math.nan)
        if sensor.water_track:
            track[:] = self._track(now, rows, scene, along, ranges, radial, base)
            track[~wet] = math.nan
        return np.column_stack([velocity, altitude, beam_ranges, track, count]), None

    def _lock(self, ranges: Array, speed: Array) -> Mask:
        """Which beams have bottom lock."""
        sensor = self.sensor
        lock = (sensor.min_altitude_m / self._cos <= ranges) & (ranges <= sensor.max_altitude_m / self._cos)
        lock &= speed <= sensor.max_speed_m_s
        if sensor.beam_dropout > 0.0:
            lock &= self.draw.uniform(BEAM_DROPOUT, BEAMS) >= sensor.beam_dropout
        return lock

    def _velocity(self, lock: Mask, radial: Array) -> Array:
        """Velocity from the radial velocities of beams with lock; NaN with fewer than three."""
        bits = lock @ (1 << np.arange(BEAMS))
        velocity = (self._solve[bits] @ radial[:, :, None])[:, :, 0]
        step = self.sensor.resolution_m_s
        return np.rint(velocity / step) * step if step > 0.0 else velocity

    def _track(
        self, now: VectorInstant, rows: Rows, scene: Scene, along: Array, ranges: Array, radial: Array, base: Array
    ) -> Array:
        """Velocity through the water; `radial` is that of each beam over ground."""
        layer = self.sensor.water_layer_m
        if layer > 0.0:
            away = layer / self._cos
            points = now.place_n(self.sensor.position_m)[:, None] + away * along
            water = np.empty_like(points)
            for time_s in np.unique(now.time_s):  # a scene evaluates its currents at one time per call
                then = now.time_s == time_s
                flow = scene.water_velocity(points[then].reshape(-1, 3), float(time_s))
                water[then] = flow.reshape(-1, BEAMS, 3)
            flow, clear = (along * water).sum(axis=2), away <= CLEAR * ranges
        else:
            flow, clear = (along @ now.water_n[:, :, None])[:, :, 0], np.ones(ranges.shape, dtype=bool)
        through = radial - self._slope.at(rows, flow, now.time_s)
        sigma = np.broadcast_to(self._per_beam * self.sensor.water_noise_factor * base, through.shape)
        return self._velocity(clear, self._water.at(rows, through, now.time_s, sigma if self._varies else None))
