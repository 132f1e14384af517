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
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from pelagos.checks import SENSOR, choice
from pelagos.errors import MissingExtraError
from pelagos.sensors.base import Array, Sensor
from pelagos.sensors.sound.beams import check_count, check_limits

if TYPE_CHECKING:
    from pelagos.sensors.instruments.imaging import ImagingSonarInstrument


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
        """Nearest echo and brightest cell of the last ping; the image is `ImagingSonarInstrument.image`."""
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
