"""Imaging sonars; `pelagos.sensors.sound.imaging` states the equations.

The image of each vehicle is computed by itself: its rays and cells are enough to keep NumPy busy.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pelagos.errors import CommandError
from pelagos.sensors.base import Scene, VehicleContext
from pelagos.sensors.instruments.base import PURPOSES, Instrument
from pelagos.sensors.instruments.instant import Array, Instant, Mask, Rows
from pelagos.sensors.instruments.sounders import aim
from pelagos.sensors.random import Noise
from pelagos.sensors.sound.beams import pointing
from pelagos.sensors.sound.imaging import ImagingSonar, absorption_db_m, decibels

GRAZING = 0.02  # lower limit of cos i in the length of a patch; the echo is negligible there
LARGEST_GB = 2.0  # memory of the images of all vehicles
SPECKLE = PURPOSES  # purpose of the random numbers of the speckle, beyond those of the errors of range


class ImagingSonarInstrument(Instrument[ImagingSonar]):
    """Imaging sonar; `images` holds intensities by vehicle, over `ranges_m` (rows) and `bearings_deg` (columns).

    Cells are zero until their first ping.
    """

    CHANGING = ("images", "_next")

    def __init__(self, sensor: ImagingSonar, fit: VehicleContext, noise: Noise) -> None:
        super().__init__(sensor, fit, noise)
        self.ranges_m, self.bearings_deg = sensor.ranges_m, sensor.bearings_deg
        gigabytes = 8e-9 * self.n * sensor.n_ranges * sensor.n_bearings
        if gigabytes > LARGEST_GB:
            raise CommandError(
                key=f"GB of images of {self.n} vehicles by {self.draw.name}",
                value=round(gigabytes, 2),
                expected=f"at most {LARGEST_GB:g}: fewer vehicles, or `only` without this sensor",
            )
        self.images = np.zeros((self.n, sensor.n_ranges, sensor.n_bearings))
        self._point = np.array(sensor.position_m)
        self._cell = sensor.max_range_m / sensor.n_ranges
        self._step = math.radians(sensor.vertical_aperture_deg) / sensor.n_rays
        self._turn = math.radians(sensor.sector_deg) / sensor.n_bearings
        share = (np.arange(sensor.n_rays) + 0.5) / sensor.n_rays - 0.5  # of the aperture
        self._elevations = np.radians(sensor.vertical_aperture_deg) * share
        self._beams_s = pointing(self.bearings_deg[:, None], np.degrees(self._elevations))  # (n_bearings, n_rays, 3)
        pattern = 2.0 ** (-2.0 * (2.0 * share) ** 2)  # -3 dB each way at the edges
        self._weights = pattern / pattern.sum()
        absorption = sensor.absorption_db_m
        self._absorption = absorption_db_m(sensor.frequency_khz) if absorption is None else absorption
        self._noise = 10.0 ** (0.1 * sensor.noise_db)
        self._gain = self.ranges_m**2 * 10.0 ** (0.2 * self._absorption * self.ranges_m)
        self._blind = self.ranges_m < sensor.min_range_m
        self._first: Rows = np.zeros(1, np.intp)
        self._next = np.zeros(self.n, np.int64)  # first column of the next ping
        # one error for all ranges of a ping
        self._ranges = self.errors(bias=sensor.bias_m, walk=sensor.walk_m_sqrt_h / 60.0, scale=sensor.scale)

    def begin(self, rows: Rows, first: bool = False) -> None:
        """Draw the constant errors; there is no image yet."""
        super().begin(rows, first)
        self.images[rows], self._next[rows] = 0.0, 0

    @property
    def image(self) -> Array:
        """The image of the first vehicle."""
        return self.images[0]

    def image_db(self, floor_db: float = -60.0) -> Array:
        """Return that image in dB relative to its brightest cell, not less than `floor_db`."""
        top = float(self.image.max())
        return np.full(self.image.shape, floor_db) if top <= 0.0 else decibels(self.image / top, floor_db)

    def read(self, now: Instant, rows: Rows, scene: Scene) -> tuple[Array, Mask | None]:
        """Update the columns of one ping of each image; return the nearest echo and brightest cell among them."""
        sensor, m = self.sensor, len(rows)
        n = sensor.beams_per_ping or sensor.n_bearings
        shift = self._ranges.at(now, rows, np.zeros((m, 1)))[:, 0]
        slope = self._ranges.channels["slope"][rows, 0]
        cells = (m, sensor.n_ranges, n)
        # exponential numbers of mean 1
        speckle = -np.log1p(-self.draw.uniform(SPECKLE, cells[1] * n)).reshape(cells) if sensor.speckle else np.ones(m)
        out = np.full((m, 4), math.nan)
        for i, row in enumerate(rows):
            columns = (self._next[row] + np.arange(n)) % sensor.n_bearings
            self._next[row] = (columns[-1] + 1) % sensor.n_bearings
            echoes = self._echoes(now.some(np.array([i])), scene, columns, float(slope[i]), float(shift[i]))
            if echoes is None:
                self.images[row][:, columns] = 0.0
                continue
            intensities, nearest = self._received(echoes[0], speckle[i]), echoes[1]
            self.images[row][:, columns] = intensities
            out[i] = self._summary(nearest, intensities, columns)
        return out, None

    def _echoes(
        self, now: Instant, scene: Scene, columns: Any, slope: float, shift: float
    ) -> tuple[Array, Array] | None:
        """Mean intensity of cells (n_ranges, n) and the nearest range of each bearing; None in the air."""
        sensor = self.sensor
        n, m = len(columns), sensor.n_rays
        bearings = np.radians(self.bearings_deg[columns])
        beams_s = self._beams_s[columns].reshape(-1, 3)
        shape = 1, len(beams_s), 3
        origins, along, wet = np.empty(shape), np.empty(shape), np.empty(1, np.bool_)
        if aim(self._point, (beams_s @ sensor.R_bs.T)[None], self._first, now.motion, origins, along, wet) == 0:
            return None
        hits = scene.cast(origins[0], along[0], max_range_m=sensor.max_range_m)
        ranges = hits.range_m
        normals = hits.normal @ now.R_nb[0] @ sensor.R_bs
        hit = np.flatnonzero(np.isfinite(ranges) & (ranges >= sensor.min_range_m))
        measured = slope * ranges + shift
        r, normal, column, ray = ranges[hit], normals[hit], hit // m, hit % m
        facing = -(normal * beams_s[hit]).sum(axis=1)  # cosine of the incidence
        mu = np.where(hits.obstacle[hit] < 0, sensor.seabed_strength_db, sensor.structure_strength_db)
        fall = 10.0 ** (0.1 * mu - 0.2 * self._absorption * r)
        energy = facing * self._weights[ray] * fall / (r * r)
        width = r * self._slant(normal, bearings[column], self._elevations[ray]) / np.maximum(facing, GRAZING)
        cells = _spread(
            measured[hit] / self._cell, np.maximum(width / self._cell, 1.0), energy, column, (sensor.n_ranges, n)
        )
        nearest = np.where(np.isfinite(ranges) & (ranges >= sensor.min_range_m), measured, math.inf).reshape(n, m)
        return self._blended(cells), nearest.min(axis=1)

    def _slant(self, normal: Array, bearing: Array, elevation: Array) -> Array:
        """Range span of a patch over r / cos i: |n . e| of the two directions across the ray times its angular size."""
        x, y, z = normal.T
        sin_b, cos_b, sin_e, cos_e = np.sin(bearing), np.cos(bearing), np.sin(elevation), np.cos(elevation)
        downwards = np.abs(-sin_e * (cos_b * x + sin_b * y) + cos_e * z)
        sideways = np.abs(-sin_b * x + cos_b * y) * cos_e
        return self._step * downwards + self._turn * sideways

    def _blended(self, cells: Array) -> Array:
        """Blend neighbouring bearings by the beam width; a scanning sonar blends only those of one ping."""
        width = math.radians(self.sensor.beam_width_deg) / max(self._turn, 1e-12)  # in columns, full at half power
        reach = min(math.ceil(width), cells.shape[1] - 1)
        if reach < 1 or width < 0.5:
            return cells
        kernel = 2.0 ** (-((2.0 * np.arange(-reach, reach + 1) / width) ** 2))
        kernel /= kernel.sum()
        padded = np.pad(cells, ((0, 0), (reach, reach)))
        return sum((k * padded[:, i : i + cells.shape[1]] for i, k in enumerate(kernel)), np.zeros_like(cells))

    def _received(self, cells: Array, speckle: Array) -> Array:
        """Apply noise, speckle, gain and the blind zone."""
        sensor = self.sensor
        cells = (cells + self._noise) * speckle
        if sensor.gain == "tvg":
            cells = cells * self._gain[:, None]
        cells[self._blind] = 0.0
        return cells

    def _summary(self, nearest: Array, cells: Array, columns: Any) -> Array:
        near = int(nearest.argmin())
        if not math.isfinite(nearest[near]):
            return np.full(4, math.nan)
        row, column = divmod(int(cells.argmax()), cells.shape[1])
        bearing = self.bearings_deg[columns]
        return np.array([nearest[near], bearing[near], self.ranges_m[row], bearing[column]])


def _spread(middle: Array, width: Array, energy: Array, column: Any, shape: tuple[int, int]) -> Array:
    """Sum energies spread evenly over [middle - width/2, middle + width/2], in cells, into the cells of an image.

    The sum up to x is a ramp from one end of each span to the other; second differences of ramps at whole x are two
    numbers each, so two running sums give the result without a loop.
    """
    rows, columns = shape
    size = rows + 3
    density = energy / width
    second = np.zeros(size * columns)
    for end, sign in ((middle - 0.5 * width, 1.0), (middle + 0.5 * width, -1.0)):
        start = np.clip(end, 0.0, rows + 1.0)  # energy beyond the image is dropped
        whole = np.ceil(start)
        part = whole - start
        index = column * size + whole.astype(np.int64)
        second += np.bincount(index, sign * density * part, minlength=size * columns)
        second += np.bincount(index + 1, sign * density * (1.0 - part), minlength=size * columns)
    upto = second.reshape(columns, size).cumsum(axis=1).cumsum(axis=1)
    return np.maximum(np.diff(upto, axis=1)[:, :rows].T, 0.0)  # rounding may leave -1e-20
