"""The Doppler velocity logs of many vehicles; the law, its reference and its limits stand in `pelagos.sensors.dvl`."""

from __future__ import annotations

import math

import numpy as np

from pelagos.batch.instruments_base import Array, Draw, ManyInstrument, Mask, Moments, Rows
from pelagos.batch.instruments_sound import CHANCE, met
from pelagos.frames import rotation_from_euler
from pelagos.sensors.base import Fit, Scene
from pelagos.sensors.dvl import BEAMS, CLEAR, Dvl, solver

TURN = CHANCE + 1  # purpose of the misalignment


class ManyDvl(ManyInstrument[Dvl]):
    """Velocity over ground and through the water, height, and ranges of four beams."""

    def __init__(self, sensor: Dvl, fit: Fit, n: int, draw: Draw) -> None:
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
