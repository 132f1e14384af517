"""USBL and LBL systems; `pelagos.sensors.sound.acoustic_position` states the equations."""

# ruff: noqa: ANN001, ANN201
from __future__ import annotations

import math

import numpy as np

from pelagos.engine.laws import law
from pelagos.errors import ScenarioError
from pelagos.sensors.base import Scene, VehicleContext
from pelagos.sensors.instruments.base import PURPOSES, Instrument, Kind, in_air, place_n
from pelagos.sensors.instruments.instant import Array, Instant, Mask, Rows
from pelagos.sensors.random import Noise
from pelagos.sensors.sound.acoustic_position import EXPECTED, STAND_M, AcousticPosition, Lbl, Usbl

ROUNDS = 25  # most iterations of a fix
FLAT = 1e-3  # of the longest extent: below, transponders lie on a line
CUT = 1e-6  # of the largest singular value: below, a direction does not change the ranges


class _Ranging(Instrument[Kind]):
    """Ranges to k points along unobstructed lines of sight; readings arrive after the travel time of sound."""

    def fit_ranges(self, sensor: AcousticPosition, k: int) -> None:
        """Make the errors of k ranges, with one speed of sound for all."""
        self._acoustic, self._point = sensor, np.array(sensor.position_m)
        true_speed = self.fit.sound_speed_m_s
        self._ranges = self.errors(
            k=k, noise=sensor.noise_m, growth=sensor.noise_per_range, bias=sensor.bias_m,
            walk=sensor.walk_m_sqrt_h / 60.0, scale=sensor.scale, resolution=sensor.resolution_m, common=True,
            gain=(sensor.assumed_sound_speed_m_s or true_speed) / true_speed,
        )  # fmt: skip

    def measured(self, now: Instant, rows: Rows, scene: Scene, points_n: Array) -> tuple[Array, Array, Mask]:
        """Range points (m, k, 3), NED, and set the delay.

        Returns:
            Measured ranges (m, k), NaN without a reply; offsets of the points (m, k, 3), NED; who is in the water.
        """
        sensor, shape = self._acoustic, points_n.shape
        here, apart, wet = np.empty(shape), np.empty(shape), np.empty(len(rows), np.bool_)
        true = np.empty(shape[:2])
        lines_of_sight(self._point, now.motion, points_n, here, apart, true, wet)
        heard = wet[:, None] & (true >= sensor.min_range_m) & (true <= sensor.max_range_m)
        tested = heard & (true > STAND_M)
        if tested.any():
            hits = scene.cast(here[tested], apart[tested], max_range_m=float(true[tested].max()))
            heard[tested] = ~(hits.range_m < true[tested] - STAND_M)
        far = np.where(heard, true, 0.0).max(axis=1)
        self.delay_s = sensor.ways * far / self.fit.sound_speed_m_s + sensor.turnaround_s
        return self._ranges.at(now, rows, np.where(heard, true, math.nan)), apart, wet


class UsblInstrument(_Ranging[Usbl]):
    """Range, bearing and elevation from a ship, and the fix."""

    def __init__(self, sensor: Usbl, fit: VehicleContext, noise: Noise) -> None:
        super().__init__(sensor, fit, noise)
        self.fit_ranges(sensor, 1)
        self._ship = np.array([sensor.ship_m, sensor.ship_velocity_m_s], float)
        self._angles = self.errors(
            PURPOSES, 2, noise=math.radians(sensor.angle_noise_deg), bias=math.radians(sensor.angle_bias_deg),
            walk=math.radians(sensor.angle_walk_deg_sqrt_h) / 60.0,
        )  # fmt: skip

    def read(self, now: Instant, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """Return the measurements from the ship; no reading out of range or without a line of sight."""
        ship = self._ship[0] + np.atleast_1d(now.time_s)[:, None] * self._ship[1]
        r, apart, wet = self.measured(now, rows, scene, ship[:, None])
        r = r[:, 0]
        north, east, down = -apart[:, 0].T
        angles = np.stack([np.arctan2(east, north), np.arctan2(down, np.hypot(north, east))], axis=1)
        bearing, elevation = self._angles.at(now, rows, angles).T
        level = r * np.cos(elevation)
        place = ship + np.stack([level * np.cos(bearing), level * np.sin(bearing), r * np.sin(elevation)], axis=1)
        polar = np.stack([r, np.degrees(bearing) % 360.0, np.degrees(elevation)], axis=1)
        return np.concatenate([polar, place], axis=1), wet & ~np.isnan(r)

    def biased(self, values: Array, size: float) -> Array:
        """A bias fault shifts the fix to the north."""
        return values + np.array([0.0, 0.0, 0.0, size, 0.0, 0.0])


class LblInstrument(_Ranging[Lbl]):
    """Ranges to transponders, and the position that fits them best."""

    def __init__(self, sensor: Lbl, fit: VehicleContext, noise: Noise) -> None:
        super().__init__(sensor, fit, noise)
        if not sensor.transponders_m:
            raise ScenarioError(file="sensor", key="transponders_m", value=sensor.transponders_m, expected=EXPECTED)
        self._places = np.asarray(sensor.transponders_m, float)
        self.fit_ranges(sensor, len(self._places))

    def read(self, now: Instant, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """Return ranges, NaN without a reply, and the position; no reading without any reply."""
        ranges, _, _ = self.measured(now, rows, scene, self._places[None].repeat(len(rows), axis=0))
        values = np.concatenate([ranges, places_from_ranges(self._places, ranges)], axis=1)
        return values, np.asarray((~np.isnan(ranges)).any(axis=1))

    def biased(self, values: Array, size: float) -> Array:
        """A bias fault shifts the ranges, and the position follows."""
        ranges = values[:-3] + size
        return np.concatenate([ranges, places_from_ranges(self._places, ranges[None])[0]])


def places_from_ranges(places: Array, ranges: Array) -> Array:
    """Return the NED positions (m, 3) whose distances to `places` (k, 3) fit `ranges` (m, k) best, above them.

    Gauss-Newton from a point above the centre of the transponders, with steps no longer than the largest range. NaN
    where fewer than three ranges are known, where the transponders heard lie on a line, so that every point of a circle
    fits, and where the iteration does not come to rest.
    """
    out = np.full((len(ranges), 3), math.nan)
    heard = np.isfinite(ranges)
    enough = np.flatnonzero(heard.sum(axis=1) >= 3)
    if not len(enough):
        return out
    weight = heard[enough].astype(float)
    measured = np.where(heard[enough], ranges[enough], 0.0)
    centre = weight @ places / weight.sum(axis=1, keepdims=True)
    spread = np.linalg.svd(weight[:, :, None] * (places - centre[:, None]), compute_uv=False)
    longest = measured.max(axis=1)
    x = centre.copy()
    x[:, 2] -= 0.5 * np.where(heard[enough], ranges[enough], math.inf).min(axis=1)
    moving = spread[:, 1] >= FLAT * spread[:, 0]
    for _ in range(ROUNDS):
        i = np.flatnonzero(moving)
        if not len(i):
            break
        apart = x[i, None] - places
        length = np.sqrt((apart * apart).sum(axis=2))
        slope = apart * (weight[i] / np.maximum(length, 1e-9))[:, :, None]
        step = (np.linalg.pinv(slope, rcond=CUT) @ (weight[i] * (measured[i] - length))[:, :, None])[:, :, 0]
        size = np.sqrt((step * step).sum(axis=1))
        x[i] += step * np.minimum(1.0, longest[i] / np.maximum(size, 1e-300))[:, None]
        rests = size < 1e-9 * longest[i]
        out[enough[i[rests]]] = x[i[rests]]
        moving[i[rests]] = False
    return out


@law
def lines_of_sight(point, motion, points_n, here, apart, away, wet):
    """Write the place of a point of each vehicle, offsets and distances to other points, and who is in the water."""
    for i in range(len(motion)):
        row = motion[i]
        place = place_n(row, point)
        wet[i] = not in_air(row, point)
        for j in range(points_n.shape[1]):
            x, y, z = points_n[i, j, 0] - place[0], points_n[i, j, 1] - place[1], points_n[i, j, 2] - place[2]
            here[i, j, 0], here[i, j, 1], here[i, j, 2] = place
            apart[i, j, 0], apart[i, j, 1], apart[i, j, 2] = x, y, z
            away[i, j] = math.sqrt(x * x + y * y + z * z)
