"""Surface waves: one regular wave, or an irregular sea with a JONSWAP or Pierson-Moskowitz spectrum.

A spectrum is split into a few dozen linear waves once, when the world is packed; `engine/water/waves.py` sums them.
Spectra are one-sided, in m^2 s/rad of the angular frequency; their integral is (Hs / 4)^2.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pelagos.checks import WAVES, WORLD, choice, number, whole
from pelagos.engine.water.sea import WAVE
from pelagos.files.reader import by_name
from pelagos.world.writer import SeaWriter

Array = NDArray[np.float64]

KINDS = ("regular", "jonswap", "pierson_moskowitz")
ENDLESS_M = 1e9  # depth that stands for infinity, with which the kernel cannot compute
MICHE = 0.142  # a regular wave breaks when H / L > 0.142 tanh(kd); Miche (1944)
STEEPEST_SEA = 1.0 / 15.0  # of Hs / Lp over tanh(kd); DNV-RP-C205, steepness criteria: 1/15 for Tp up to 8 s
PHILLIPS, WIND_DECAY = 8.1e-3, 0.74  # alpha and beta of the fully developed sea; Pierson & Moskowitz (1964)
STRETCHED_HEIGHTS = 2.0  # thickness of the stretched layer: crests and troughs stay well above its lower edge
LOWEST, HIGHEST = 0.4, 4.0  # band of a spectrum that is used, in peak frequencies: all but 0.5 % of the energy


@dataclass(frozen=True)
class WaveComponents:
    """Linear waves of a sea: elevation = sum of a cos(k . x - omega t + phase), longest first."""

    amplitude_m: Array
    omega_rad_s: Array
    number_rad_m: Array
    to_rad: Array  # direction of travel, clockwise from north
    phase_rad: Array


@by_name("waves", "Waves(height_m=2.0, period_s=8.0)")
@dataclass(frozen=True, kw_only=True)
class Waves:
    """Description of surface waves, which travel *towards* `to_deg`, clockwise from north.

    kind             "regular", "jonswap" or "pierson_moskowitz"
    height_m         crest to trough of a regular wave; significant height Hs of a sea
    period_s         of a regular wave; peak period Tp of a sea. A Pierson-Moskowitz sea without it is fully developed
    wind_speed_m_s   19.5 m above the water, instead of height and period of a fully developed Pierson-Moskowitz sea
    gamma            peakedness of JONSWAP, 1 to 10
    spreading        s of cos^2s(half the angle to `to_deg`), 1 to 1000; 0: all waves travel one way (long crests)
    components       number of linear waves of a sea
    seed             of their phases, frequencies and directions
    phase_deg        of a regular wave: 0 puts a crest over the origin at time 0
    """

    kind: str = "jonswap"
    height_m: float | None = None
    period_s: float | None = None
    to_deg: float = 0.0
    gamma: float = 3.3
    spreading: float = 0.0
    components: int = 64
    seed: int = 0
    phase_deg: float = 0.0
    wind_speed_m_s: float | None = None

    def __post_init__(self) -> None:
        """Validate values, missing keys and keys without a meaning for the kind."""
        choice("kind", self.kind, KINDS, context=WAVES)
        for key in ("height_m", "period_s", "wind_speed_m_s"):
            if getattr(self, key) is not None:
                self._check(key, "a finite number above 0", math.ulp(0.0))
        self._check("to_deg", "a finite number")
        self._check("phase_deg", "a finite number")
        self._check("gamma", "a number from 1 to 10", 1.0, 10.0)
        if self.spreading != 0.0:
            self._check("spreading", "0 for long crests, or a number from 1 to 1000", 1.0, 1000.0)
        whole("components", self.components, 1, 1000, context=WAVES)
        whole("seed", self.seed, 0, context=WAVES)
        for key in self._idle():
            if getattr(self, key) != getattr(Waves, key):
                WAVES.fail(key, f'no meaning for waves of kind "{self.kind}"; leave it out', value=getattr(self, key))
        if self.wind_speed_m_s is None:
            missing = [key for key in ("height_m", "period_s") if getattr(self, key) is None]
            if self.kind == "pierson_moskowitz":
                missing = [key for key in missing if key == "height_m"]
            if missing:
                WAVES.fail(missing[0], f'missing, and kind "{self.kind}" needs it')
        elif self.height_m is not None or self.period_s is not None:
            WAVES.fail("wind_speed_m_s", "not together with height_m or period_s", value=self.wind_speed_m_s)

    def _check(self, key: str, expected: str, low: float = -math.inf, high: float = math.inf) -> None:
        number(key, getattr(self, key), low, high, expected=expected, context=WAVES)

    def _idle(self) -> tuple[str, ...]:
        """Keys without a meaning for this kind."""
        if self.kind == "regular":
            return ("gamma", "spreading", "components", "seed", "wind_speed_m_s")
        return ("phase_deg", "wind_speed_m_s") if self.kind == "jonswap" else ("phase_deg", "gamma")

    def sea_state(self, gravity_m_s2: float = 9.80665) -> tuple[float, float]:
        """Return height (m) and period (s); missing ones are those of a fully developed sea.

        Pierson & Moskowitz (1964): omega_p = (4 beta / 5)^1/4 g / U, Hs = 2 sqrt(alpha / beta) U^2 / g, so that
        omega_p = (16 alpha / 5)^1/4 sqrt(g / Hs) = 0.401 sqrt(g / Hs).
        """
        height, period = self.height_m, self.period_s
        if self.wind_speed_m_s is not None:
            height = 2.0 * math.sqrt(PHILLIPS / WIND_DECAY) * self.wind_speed_m_s**2 / gravity_m_s2
        assert height is not None
        if period is None:
            period = math.tau / ((3.2 * PHILLIPS) ** 0.25 * math.sqrt(gravity_m_s2 / height))
        return height, period

    def spectrum(self, omega_rad_s: ArrayLike, gravity_m_s2: float = 9.80665) -> Array:
        """Return the target spectrum (m^2 s/rad) at frequencies above 0; a regular wave has none."""
        height, period = self.sea_state(gravity_m_s2)
        if self.kind == "regular":
            WAVES.fail("kind", "a regular wave has no spectrum", value=self.kind)
        gamma = self.gamma if self.kind == "jonswap" else 1.0
        return jonswap_spectrum(omega_rad_s, height_m=height, period_s=period, gamma=gamma)

    def check(self, *, depth_m: float = math.inf, gravity_m_s2: float = 9.80665) -> None:
        """Raise an error for waves that would break in water of that depth."""
        height, period = self.sea_state(gravity_m_s2)
        k = float(dispersion(math.tau / period, depth_m, gravity_m_s2))
        steepest = MICHE if self.kind == "regular" else STEEPEST_SEA
        limit = steepest * math.tanh(k * depth_m) * math.tau / k
        if height > limit:
            where = f"in {depth_m:g} m of water" if math.isfinite(depth_m) else "in deep water"
            WORLD.fail(  # of the world: it depends on its depth and gravity
                "waves.height_m",
                value=height,
                expected=f"at most {limit:.3g} m, because waves of {period:.3g} s break above that {where}",
            )

    def split(self, *, depth_m: float = math.inf, gravity_m_s2: float = 9.80665) -> WaveComponents:
        """Split the sea into linear waves in water of that depth.

        The spectrum is divided into bins with equal shares of omega^2 S, the variance of the water velocity at the
        surface: fine where the energy is, and fine enough for the short waves. Each bin becomes one wave with the
        energy of the bin, so the significant height is exact; its frequency is random within the middle half of the
        energy of the bin, so the sum does not repeat. Each frequency has one direction: two directions at one frequency
        would be locked in phase and make standing patterns instead of a homogeneous sea (Jefferys 1987).
        """
        self.check(depth_m=depth_m, gravity_m_s2=gravity_m_s2)
        height, period = self.sea_state(gravity_m_s2)
        to = math.radians(self.to_deg)
        if self.kind == "regular":
            omega, energy = np.array([math.tau / period]), np.array([height * height / 8.0])
            phase, direction = np.array([math.radians(self.phase_deg)]), np.array([to])
        else:
            rng = np.random.default_rng(self.seed)
            omega, energy = self._bins(rng, gravity_m_s2)
            energy *= height * height / 16.0 / energy.sum()  # exact Hs although the band is cut off
            phase = rng.uniform(0.0, math.tau, self.components)
            direction = to + _spread(self.spreading, self.components, rng)
        k = dispersion(omega, depth_m, gravity_m_s2)
        return WaveComponents(np.sqrt(2.0 * energy), omega, k, direction, phase)

    def _bins(self, rng: np.random.Generator, gravity: float) -> tuple[Array, Array]:
        """Frequencies (rad/s) and shares of the energy."""
        peak = math.tau / self.sea_state(gravity)[1]
        grid = np.linspace(LOWEST * peak, HIGHEST * peak, 20001)
        density = self.spectrum(grid, gravity)
        energy, speed = _running_integral(grid, density), _running_integral(grid, grid**2 * density)
        edges = np.interp(np.linspace(0.0, speed[-1], self.components + 1), speed, grid)
        held = np.interp(edges, grid, energy)
        share = np.diff(held)
        return np.interp(held[:-1] + rng.uniform(0.25, 0.75, self.components) * share, energy, grid), share


def dispersion(omega: ArrayLike, depth_m: float = math.inf, gravity_m_s2: float = 9.80665) -> Array:
    """Return the wave number k (rad/m) of omega^2 = g k tanh(kd): Newton's method from Eckart's (1952) estimate."""
    deep = np.square(np.asarray(omega, float)) / gravity_m_s2
    if math.isinf(depth_m):
        return deep
    y = deep * depth_m
    x = y / np.sqrt(np.tanh(y))
    for _ in range(6):  # the estimate is within 5 %: four steps reach rounding
        t = np.tanh(x)
        x = x - (x * t - y) / (t + x * (1.0 - t * t))
    return x / depth_m


def pierson_moskowitz_spectrum(omega: ArrayLike, *, height_m: float, period_s: float) -> Array:
    """Return the Pierson-Moskowitz spectrum, m^2 s/rad; also called Bretschneider or ISSC.

    5/16 Hs^2 wp^4 w^-5 exp(-5/4 (wp/w)^4): DNV-RP-C205, 3.5.5.
    """
    w, peak = np.asarray(omega, float), math.tau / period_s
    return 0.3125 * height_m**2 * peak**4 * w**-5.0 * np.exp(-1.25 * (peak / w) ** 4)


def jonswap_spectrum(omega: ArrayLike, *, height_m: float, period_s: float, gamma: float = 3.3) -> Array:
    """Return the JONSWAP spectrum, m^2 s/rad.

    Pierson-Moskowitz times A gamma^exp(-((w/wp - 1)/sigma)^2 / 2), sigma 0.07 below the peak and 0.09 above:
    Hasselmann et al. (1973), DNV-RP-C205, 3.5.5. A makes the integral (Hs/4)^2; it is integrated numerically here,
    while the recommended practice has the fit 1 - 0.287 ln gamma.
    """
    x = np.asarray(omega, float) * period_s / math.tau
    base = pierson_moskowitz_spectrum(omega, height_m=height_m, period_s=period_s)
    return _peak_share(float(gamma)) * base * _peak(x, gamma)


def _peak(x: Array, gamma: float) -> Array:
    return gamma ** np.exp(-0.5 * ((x - 1.0) / np.where(x <= 1.0, 0.07, 0.09)) ** 2)


@functools.lru_cache
def _peak_share(gamma: float) -> float:
    """A(gamma): energy of a Pierson-Moskowitz spectrum over that with the peak."""
    x = np.linspace(0.3, 3.0, 20001)  # beyond, the peak factor is 1
    added = pierson_moskowitz_spectrum(x, height_m=4.0, period_s=math.tau) * (_peak(x, gamma) - 1.0)
    return 1.0 / (1.0 + float(_running_integral(x, added)[-1]))


def _spread(exponent: float, count: int, rng: np.random.Generator) -> Array:
    """Angles from the mean direction with density cos^2s(angle/2): one from each of `count` equal shares, shuffled."""
    if exponent == 0.0:
        return np.zeros(count)
    angle = np.linspace(-math.pi, math.pi, 20001)
    held = _running_integral(angle, np.cos(0.5 * angle) ** (2.0 * exponent))
    share = (rng.permutation(count) + rng.uniform(0.0, 1.0, count)) / count
    return np.interp(share * held[-1], held, angle)


def _running_integral(x: Array, y: Array) -> Array:
    return np.concatenate([[0.0], np.cumsum(0.5 * (y[1:] + y[:-1]) * np.diff(x))])


def pack_waves(waves: Waves | None, writer: SeaWriter, *, depth_m: float, gravity_m_s2: float) -> None:
    """Write the waves, the water depth for them and the layer that follows the moving surface into the array."""
    number("depth_m", depth_m, 0.0, above=True, infinite=True, context=WORLD)
    writer.header["depth"] = min(depth_m, ENDLESS_M)
    if waves is None:
        return
    sea = waves.split(depth_m=depth_m, gravity_m_s2=gravity_m_s2)
    rows = np.zeros(sea.omega_rad_s.size, WAVE.dtype)
    rows["amplitude"], rows["omega"], rows["phase"] = sea.amplitude_m, sea.omega_rad_s, sea.phase_rad
    # exp(-2kd) instead of cosh and sinh of kd, which overflow in deep water
    rows["number"], rows["echo"] = sea.number_rad_m, np.exp(-2.0 * sea.number_rad_m * depth_m)
    rows["north"], rows["east"] = sea.number_rad_m * np.cos(sea.to_rad), sea.number_rad_m * np.sin(sea.to_rad)
    writer.header["n_waves"] = rows.size
    writer.header["stretch"] = min(STRETCHED_HEIGHTS * waves.sea_state(gravity_m_s2)[0], writer.header["depth"])
    writer.header["waves_at"] = writer.append(rows.view(np.float64))
