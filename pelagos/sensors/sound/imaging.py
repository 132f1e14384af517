"""Imaging sonar: echo intensity over range and bearing, as from a scanning or a forward-looking sonar.

Each bearing is a fan of rays over the vertical aperture. A ray k of the solid angle w_k that hits a surface at range r
with the angle i between ray and normal insonifies the area w_k r^2 / cos i. Lambert's law scatters mu cos^2 i back
(Urick, "Principles of Underwater Sound", 1983, chapter 8); two-way spreading is 1 / r^4, absorption 2 a r in dB:

    echo_k = mu cos i  w_k / r^2  10^(-2 a r / 10)

w_k has the vertical beam pattern, both ways, with -3 dB each at the edges of the aperture, and sums to 1: the unit is
the echo of a perfectly scattering wall, square on at 1 m, without absorption. A ray is a patch whose ranges span
dr = r |tan| x (its share of the aperture), known from the normal, and not less than one cell, the length of the pulse;
its echo is spread evenly over that span. The horizontal beam width blends neighbouring bearings. Rays end at the first
hit, which produces acoustic shadows. `gain = "tvg"` compensates 1 / r^2 and absorption.

Speckle: the sum of many echoes of random phase has a Rayleigh-distributed amplitude and an
exponentially distributed intensity, mean 1; noise of water and receiver is added before the gain in the same way.

Absorption: `absorption_db_m`, or by Ainslie and McColm (J. Acoust. Soc. Am. 103, 1998, p. 1671) from `frequency_khz`
in sea water of 10 C, 35 g/kg, pH 8 near the surface.

Frames: the x axis of the sensor is bearing 0; bearing positive to starboard, elevation positive down.
Limits: no side lobes, no multipath, no reflection at the surface, no motion within a ping.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from pelagos.checks import SENSOR, choice
from pelagos.errors import MissingExtraError
from pelagos.sensors.base import Array, Errors, Instant, Instrument, Scene, Sensor, VehicleContext
from pelagos.sensors.sound.beams import check_count, check_limits, in_air, pointing, reached

GRAZING = 0.02  # lower limit of cos i in the length of a patch; the echo is negligible there


@dataclass(frozen=True, kw_only=True)
class ImagingSonar(Sensor):
    """Imaging sonar; with `beams_per_ping` below `n_bearings` it scans step by step, one step per reading."""

    kind: ClassVar[str] = "imaging_sonar"

    min_range_m: float = 0.3
    max_range_m: float = 30.0
    n_ranges: int = 256
    sector_deg: float = 120.0  # 360: all round
    n_bearings: int = 128
    beams_per_ping: int | None = None  # None: all at once, as a forward-looking sonar
    beam_width_deg: float = 1.0  # horizontal, at half power there and back
    vertical_aperture_deg: float = 20.0
    n_rays: int = 48  # over the vertical aperture
    frequency_khz: float = 750.0
    absorption_db_m: float | None = None
    # 10 log mu of the seabed: -27 is Mackenzie's (1961) of the deep sea, coarser bottoms have more
    seabed_strength_db: float = -20.0
    structure_strength_db: float = -10.0
    gain: Literal["none", "tvg"] = "tvg"
    speckle: bool = True
    noise_db: float = -100.0  # relative to the perfectly scattering wall at 1 m
    bias_m: float = 0.0  # standard deviation of a constant error of all ranges of the image ...
    walk_m_sqrt_h: float = 0.0  # ... its random walk ...
    scale: float = 0.0  # ... and a relative one, drawn once: speed of sound

    def __post_init__(self) -> None:
        """Validate image size, limits and errors."""
        super().__post_init__()
        check_limits(self, "min_range_m", "max_range_m")
        for key, low, high in (("n_ranges", 4, 4096), ("n_bearings", 1, 2048), ("n_rays", 1, 1024)):
            check_count(self, key, low, high)
        if self.beams_per_ping is not None:
            check_count(self, "beams_per_ping", 1, self.n_bearings)
        self.check("sector_deg", 0.0, 360.0)
        self.check("beam_width_deg", 0.0, 90.0)
        self.check("vertical_aperture_deg", 0.0, 170.0)
        self.check("frequency_khz", 1.0, 5000.0)
        if self.absorption_db_m is not None:
            self.check("absorption_db_m", 0.0, 10.0)
        for key in ("seabed_strength_db", "structure_strength_db", "noise_db"):
            self.check(key, -300.0, 100.0)
        self.check("bias_m", 0.0)
        self.check("walk_m_sqrt_h", 0.0)
        self.check("scale", 0.0, 1.0)
        choice("gain", self.gain, ("none", "tvg"), context=SENSOR)

    @property
    def columns(self) -> tuple[str, ...]:
        """Nearest echo and brightest cell of the last ping; the image is `instrument.image`."""
        return ("nearest_m", "nearest_bearing_deg", "brightest_m", "brightest_bearing_deg")

    @property
    def bearings_deg(self) -> Array:
        """Bearing of the centre of each column of the image."""
        middle = np.arange(self.n_bearings, dtype=np.float64) + 0.5
        return middle * (self.sector_deg / self.n_bearings) - 0.5 * self.sector_deg

    @property
    def ranges_m(self) -> Array:
        """Range of the centre of each row of the image; the first row begins at range 0."""
        return (np.arange(self.n_ranges, dtype=np.float64) + 0.5) * (self.max_range_m / self.n_ranges)

    def make(self, rng: np.random.Generator, fit: VehicleContext) -> ImagingSonarInstrument:
        """Build the sonar."""
        del fit
        return ImagingSonarInstrument(self, rng)


class ImagingSonarInstrument(Instrument):
    """Imaging sonar on a vehicle; `image` holds intensities over `ranges_m` (rows) and `bearings_deg` (columns).

    Cells are zero until their first ping.
    """

    def __init__(self, sensor: ImagingSonar, rng: np.random.Generator) -> None:
        self._sensor, self._rng = sensor, rng
        self.ranges_m, self.bearings_deg = sensor.ranges_m, sensor.bearings_deg
        self.image = np.zeros((sensor.n_ranges, sensor.n_bearings))
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
        self._next = 0
        inexact = sensor.bias_m > 0.0 or sensor.walk_m_sqrt_h > 0.0 or sensor.scale > 0.0
        # a separate generator: the speckle is the same with and without these errors
        self._errors = Errors(
            rng.spawn(1)[0], bias=sensor.bias_m, walk=sensor.walk_m_sqrt_h / 60.0, scale=sensor.scale
        ) if inexact else None  # fmt: skip

    def measure(self, now: Instant, scene: Scene) -> Array:
        """Update the image columns of one ping; return the nearest echo and the brightest cell among them."""
        sensor = self._sensor
        n = sensor.beams_per_ping or sensor.n_bearings
        columns = (self._next + np.arange(n)) % sensor.n_bearings
        self._next = int(columns[-1] + 1) % sensor.n_bearings
        if in_air(now, sensor.position_m):
            self.image[:, columns] = 0.0
            return np.full(4, math.nan)
        echoes, ranges = self._echoes(now, scene, columns)
        echoes = self._received(echoes)
        self.image[:, columns] = echoes
        return self._summary(ranges, echoes, columns)

    def image_db(self, floor_db: float = -60.0) -> Array:
        """Return the image in dB relative to its brightest cell, not less than `floor_db`."""
        top = float(self.image.max())
        return np.full(self.image.shape, floor_db) if top <= 0.0 else decibels(self.image / top, floor_db)

    def _echoes(self, now: Instant, scene: Scene, columns: Any) -> tuple[Array, Array]:
        """Mean intensity of cells (n_ranges, n) and the nearest range of each bearing."""
        sensor = self._sensor
        n, m = len(columns), sensor.n_rays
        bearings = np.radians(self.bearings_deg[columns])
        beams_s = self._beams_s[columns].reshape(-1, 3)
        at = np.asarray(sensor.position_m, float)
        hits = reached(now, scene, at, beams_s @ sensor.R_bs.T, sensor.max_range_m)
        ranges, normals = hits.range_m, hits.normal @ now.R_nb @ sensor.R_bs
        hit = np.flatnonzero(np.isfinite(ranges) & (ranges >= sensor.min_range_m))
        measured = ranges if self._errors is None else self._errors.at(ranges, now.time_s)
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
        width = math.radians(self._sensor.beam_width_deg) / max(self._turn, 1e-12)  # in columns, full at half power
        reach = min(math.ceil(width), cells.shape[1] - 1)
        if reach < 1 or width < 0.5:
            return cells
        kernel = 2.0 ** (-((2.0 * np.arange(-reach, reach + 1) / width) ** 2))
        kernel /= kernel.sum()
        padded = np.pad(cells, ((0, 0), (reach, reach)))
        return sum((k * padded[:, i : i + cells.shape[1]] for i, k in enumerate(kernel)), np.zeros_like(cells))

    def _received(self, cells: Array) -> Array:
        """Apply noise, speckle, gain and the blind zone."""
        sensor = self._sensor
        cells = cells + self._noise
        if sensor.speckle:
            cells = cells * self._rng.standard_exponential(cells.shape)
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


def absorption_db_m(
    frequency_khz: float,
    temperature_c: float = 10.0,
    salinity_g_kg: float = 35.0,
    depth_m: float = 0.0,
    ph: float = 8.0,
) -> float:
    """Return the absorption of sound in sea water, dB/m: Ainslie and McColm (1998).

    Within 10 % of Francois and Garrison.
    """
    f2, depth_km = frequency_khz**2, 1e-3 * depth_m
    boron = 0.78 * math.sqrt(salinity_g_kg / 35.0) * math.exp(temperature_c / 26.0)  # kHz
    magnesium = 42.0 * math.exp(temperature_c / 17.0)
    per_km = (
        0.106 * boron * f2 / (f2 + boron**2) * math.exp((ph - 8.0) / 0.56)
        + 0.52 * (1.0 + temperature_c / 43.0) * (salinity_g_kg / 35.0)
        * magnesium * f2 / (f2 + magnesium**2) * math.exp(-depth_km / 6.0)
        + 0.00049 * f2 * math.exp(-(temperature_c / 27.0 + depth_km / 17.0))
    )  # fmt: skip
    return 1e-3 * per_km


def decibels(intensity: Array, floor_db: float = -60.0) -> Array:
    """Convert intensities to dB, not less than `floor_db`."""
    return 10.0 * np.log10(np.maximum(intensity, 10.0 ** (0.1 * floor_db)))


def draw_image(
    sonar: ImagingSonarInstrument,
    axes: Any = None,
    floor_db: float = -45.0,
    top_db: float = -10.0,
    cmap: str = "afmhot",
) -> Any:
    """Plot the image in plan view, ahead up and starboard right, with colours in dB, and return the axes.

    Colours run from `floor_db` to `top_db` below the brightest cell, which speckle makes an outlier.
    """
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise MissingExtraError("matplotlib", "drawing a sonar image", "plot") from None
    axes = plt.subplots()[1] if axes is None else axes
    half = 0.5 * float(np.diff(sonar.bearings_deg[:2])[0]) if len(sonar.bearings_deg) > 1 else 1.0
    edges = np.radians(np.append(sonar.bearings_deg - half, sonar.bearings_deg[-1] + half))
    cell = 2.0 * sonar.ranges_m[0]
    rings = np.append(sonar.ranges_m - 0.5 * cell, sonar.ranges_m[-1] + 0.5 * cell)
    x, y = rings[:, None] * np.sin(edges), rings[:, None] * np.cos(edges)
    mesh = axes.pcolormesh(x, y, sonar.image_db(floor_db), cmap=cmap, vmin=floor_db, vmax=top_db, rasterized=True)
    axes.set_aspect("equal")
    axes.set_xlabel("to starboard, m")
    axes.set_ylabel("ahead, m")
    axes.set_title(f"sonar image, {len(sonar.bearings_deg)} bearings to {rings[-1]:.4g} m")
    axes.figure.colorbar(mesh, ax=axes, shrink=0.6, label="intensity, dB below the brightest cell")
    return axes
