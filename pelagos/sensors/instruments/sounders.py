"""Altimeter, multibeam echo sounder and navigation sonar: ranges of beams that are fixed to the vehicle.

The description of each, in `pelagos.sensors.sound`, states its equations and limits. One ray cast serves the beams of
all vehicles that are due.
"""

# ruff: noqa: ANN001, ANN201
from __future__ import annotations

import math

import numpy as np

from pelagos.engine.laws import law
from pelagos.sensors.base import Scene, VehicleContext
from pelagos.sensors.instruments.base import NOTHING, PURPOSES, Instrument, Kind, dot, in_air, place_n, rotation
from pelagos.sensors.instruments.instant import POSITION, Array, Instant, Mask, Rows
from pelagos.sensors.random import Noise
from pelagos.sensors.sound.altimeter import Altimeter
from pelagos.sensors.sound.beams import Sounder, pointing
from pelagos.sensors.sound.multibeam import Multibeam
from pelagos.sensors.sound.navigation_sonar import NavigationSonar

BEAM_DROPOUT = PURPOSES  # purpose of the random numbers of single beams, beyond those of the errors of a sounder


def cast_beams(
    now: Instant, rows: Rows, scene: Scene, point_b: Array, beams_b: Array, max_range_m: float
) -> tuple[Array, Array, Mask]:
    """Cast the beams of vehicles from a point of the body.

    Args:
        now: the instant of the vehicles `rows`.
        rows: numbers of the vehicles.
        scene: what the beams hit.
        point_b: where the beams begin, body axes.
        beams_b: unit vectors in body axes, (n, beams, 3), or (1, beams, 3) for equal beams of all vehicles.
        max_range_m: largest range.

    Returns:
        Ranges (m, beams), infinite without a hit and in the air; directions NED (m, beams, 3); who is in the water.
    """
    m, k = len(rows), beams_b.shape[1]
    origins, along, wet = np.empty((m, k, 3)), np.empty((m, k, 3)), np.empty(m, np.bool_)
    count = aim(point_b, beams_b, rows, now.motion, origins, along, wet)
    return cast_wet(scene, origins, along, wet, count, max_range_m), along, wet


def cast_wet(scene: Scene, origins: Array, along: Array, wet: Mask, count: int, max_range_m: float) -> Array:
    """Return ranges (m, beams) of rays from `origins` along `along`, both (m, beams, 3); infinite in the air."""
    if count == len(wet):
        hits = scene.cast(origins.reshape(-1, 3), along.reshape(-1, 3), max_range_m=max_range_m)
        return hits.range_m.reshape(along.shape[:2])
    ranges = np.full(along.shape[:2], math.inf)
    if count:
        hits = scene.cast(origins[wet].reshape(-1, 3), along[wet].reshape(-1, 3), max_range_m=max_range_m)
        ranges[wet] = hits.range_m.reshape(-1, along.shape[1])
    return ranges


class _SounderInstrument(Instrument[Kind]):
    """Beams of a `Sounder`, with its limits and errors."""

    def fit_beams(self, sensor: Sounder, beams_b: Array, k: int) -> None:
        """Mount beams (beams, 3) whose echoes make k ranges: each its own, or all one, the nearest."""
        self.beams_b, self._k = np.ascontiguousarray(beams_b), k
        self._point, self._max_range_m = np.array(sensor.position_m), sensor.max_range_m
        self._limits = np.array((sensor.min_range_m, sensor.max_range_m, sensor.beam_dropout))
        self._range_errors = self.errors(
            k=k, noise=sensor.noise_m, growth=sensor.noise_per_range, bias=sensor.bias_m,
            walk=sensor.walk_m_sqrt_h / 60.0, scale=sensor.scale, resolution=sensor.resolution_m, common=True,
        )  # fmt: skip

    def cast(self, now: Instant, rows: Rows, scene: Scene) -> tuple[Array, Array]:
        """Return the true ranges of the beams (m, beams) and their directions (m, beams, 3), NED."""
        ranges, along, _ = cast_beams(now, rows, scene, self._point, self.beams_b[None], self._max_range_m)
        return ranges, along

    def measured(self, now: Instant, rows: Rows, ranges: Array) -> Array:
        """Return measured ranges (m, k); NaN without an echo."""
        true = np.empty((len(rows), self._k))
        chances = self.draw.uniform(BEAM_DROPOUT, self._k) if self._limits[2] > 0.0 else NOTHING
        echoes(ranges, self._limits, chances, true)
        return self._range_errors.at(now, rows, true)


class AltimeterInstrument(_SounderInstrument[Altimeter]):
    """Range of the nearest echo in the cone of one beam."""

    def __init__(self, sensor: Altimeter, fit: VehicleContext, noise: Noise) -> None:
        super().__init__(sensor, fit, noise)
        self.fit_beams(sensor, sensor.rays_s() @ sensor.R_bs.T, 1)

    def read(self, now: Instant, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """Return the range, m; NaN without an echo."""
        return self.measured(now, rows, self.cast(now, rows, scene)[0]), None


class MultibeamInstrument(_SounderInstrument[Multibeam]):
    """A range for each beam of the swath."""

    def __init__(self, sensor: Multibeam, fit: VehicleContext, noise: Noise) -> None:
        super().__init__(sensor, fit, noise)
        self.fit_beams(sensor, sensor.beams_b(), sensor.n_beams)

    def read(self, now: Instant, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """Return the ranges, m; NaN without an echo."""
        return self.measured(now, rows, self.cast(now, rows, scene)[0]), None


class NavigationSonarInstrument(_SounderInstrument[NavigationSonar]):
    """A fan of beams ahead, and the nearest echo."""

    def __init__(self, sensor: NavigationSonar, fit: VehicleContext, noise: Noise) -> None:
        super().__init__(sensor, fit, noise)
        beams_s = pointing(0.0, sensor.elevations_deg)
        self.fit_beams(sensor, beams_s @ sensor.R_bs.T, sensor.n_beams)
        level = np.hypot(beams_s[:, 0], beams_s[:, 1]) * np.sign(beams_s[:, 0])  # cosine of the elevation
        self._elevations = np.stack([level, beams_s[:, 2]], axis=1)
        # tangent of the elevation; beams that point aft or straight down have no horizontal distance
        self._tangents = beams_s[:, 2] / np.where(level > 1e-9, level, 1.0)
        self._silence = sensor.max_range_m if sensor.no_echo == "max_range" else math.nan

    def read(self, now: Instant, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """Return the ranges, the smallest of them, and where its echo came from (ahead, below), m."""
        slant = self.sensor.reading == "slant"
        if slant:
            ranges, along = self.cast(now, rows, scene)
            steepness = along[:, :, 2]  # sine of the elevation below the horizon
        else:
            ranges, steepness = self._horizontal(now, rows, scene), self._tangents[None].repeat(len(rows), axis=0)
        out = np.empty((len(rows), self._k + 3))
        nearest_echo(self.measured(now, rows, ranges), steepness.copy(), slant, self._silence, out)
        return out, None

    def _horizontal(self, now: Instant, rows: Rows, scene: Scene) -> Array:
        """Horizontal distances from O without pitch and roll, infinite for beams without one."""
        shape = len(rows), self._k, 3
        origins, along, wet = np.empty(shape), np.empty(shape), np.empty(len(rows), np.bool_)
        count = aim_level(self._point, self._elevations, now.motion, origins, along, wet)
        ranges, level = cast_wet(scene, origins, along, wet, count, self._max_range_m), self._elevations[:, 0]
        return np.where(level > 1e-9, ranges * np.abs(level), math.inf)

    def biased(self, values: Array, size: float) -> Array:
        """A bias fault shifts the ranges."""
        shifted = values.copy()
        shifted[:-2] += size
        return shifted


@law
def aim(point, beams_b, rows, motion, origins, along, wet):
    """Write where the beams of each vehicle begin and point, NED, and who is in the water; return how many are."""
    count, separate = 0, len(beams_b) > 1
    for i in range(len(rows)):
        row, beams = motion[i], beams_b[rows[i] if separate else 0]
        R, (north, east, down) = rotation(row), place_n(row, point)
        wet[i] = not in_air(row, point)
        count += wet[i]
        for j in range(len(beams)):
            x, y, z = beams[j, 0], beams[j, 1], beams[j, 2]
            along[i, j, 0], along[i, j, 1], along[i, j, 2] = dot(R[0], x, y, z), dot(R[1], x, y, z), dot(R[2], x, y, z)
            origins[i, j, 0], origins[i, j, 1], origins[i, j, 2] = north, east, down
    return count


@law
def aim_level(point, elevations, motion, origins, along, wet):
    """As `aim`, from O and without pitch and roll; `elevations` are cosine and sine of each beam."""
    count = 0
    for i in range(len(motion)):
        row = motion[i]
        R = rotation(row)
        heading = math.atan2(R[1][0], R[0][0])
        wet[i] = not in_air(row, point)
        count += wet[i]
        for j in range(len(elevations)):
            level = elevations[j, 0]
            along[i, j, 0], along[i, j, 1] = level * math.cos(heading), level * math.sin(heading)
            along[i, j, 2] = elevations[j, 1]
            for axis in range(3):
                origins[i, j, axis] = row[POSITION + axis]
    return count


@law
def echoes(ranges, limits, chances, out):
    """Write the ranges that give an echo, NaN for the others; one range for all beams is the nearest."""
    k = out.shape[1]
    for i in range(len(out)):
        for j in range(k):
            r = ranges[i, j]
            if k == 1:
                for other in range(1, ranges.shape[1]):
                    r = min(r, ranges[i, other])
            lost = chances.shape[1] > 0 and chances[i, j] < limits[2]
            out[i, j] = r if limits[0] <= r <= limits[1] and not lost else math.nan


@law
def nearest_echo(ranges, steepness, slant, silence, out):
    """Write the ranges, the smallest of them, and how far ahead and below its echo is."""
    k = ranges.shape[1]
    for i in range(len(ranges)):
        near = -1
        for j in range(k):
            r = ranges[i, j]
            heard = not math.isnan(r)
            out[i, j] = r if heard else silence
            if heard and (near < 0 or r < ranges[i, near]):
                near = j
        out[i, k], out[i, k + 1], out[i, k + 2] = silence, math.nan, math.nan
        if near >= 0:
            r, s = ranges[i, near], steepness[i, near]
            out[i, k] = r
            out[i, k + 1] = r * math.sqrt(max(1.0 - s * s, 0.0)) if slant else r
            out[i, k + 2] = r * s
