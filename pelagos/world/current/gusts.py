"""Random currents: a Gauss-Markov process and turbulence, reproducible by their seeds."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from pelagos.checks import CURRENT, number, whole
from pelagos.files.reader import by_name
from pelagos.world.current.base import Array, Current, CurrentSamples, Harmonic, need, towards

KNOTS_PER_TIME_CONSTANT = 20
MOST_ROWS = 5_000_000  # 120 MB
SALT = {"gauss_markov": 1, "turbulence": 2}  # the same seed gives different kinds different random numbers
LARGEST_EDDY, SMALLEST_EDDY = 0.01, 200.0  # wave number times length scale: limits of the modelled band
VON_KARMAN = 1.339  # Gamma(1/3) / (sqrt(pi) Gamma(5/6)): makes the integrals of both spectra 1


def generator(current: Current, seed: int) -> np.random.Generator:
    """Return the random generator of a current."""
    return np.random.default_rng([seed, SALT[current.kind]])


@by_name("current", "Uniform(speed_m_s=0.5, to_deg=90)")
@dataclass(frozen=True, kw_only=True)
class GaussMarkov(Current):
    """Gauss-Markov current that varies about a mean: Ornstein-Uhlenbeck, dV = -(V - mean)/T dt + noise.

    Standard deviation `sigma_m_s` and correlation exp(-lag/T) along `to_deg`; `sigma_across_m_s` and
    `sigma_down_m_s` add such a process to starboard of the direction and downwards. `minimum_m_s` and `maximum_m_s`
    limit the speed along `to_deg`. The process is exact at knots every T/20; a monotone cubic interpolates between
    them, so the limits hold at all times.
    """

    kind: str = "gauss_markov"
    speed_m_s: float = 0.0
    to_deg: float = 0.0
    sigma_m_s: float
    time_constant_s: float
    sigma_across_m_s: float = 0.0
    sigma_down_m_s: float = 0.0
    minimum_m_s: float | None = None
    maximum_m_s: float | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        """Validate deviations, times and limits."""
        super().__post_init__()
        self.check(0.0, "time_constant_s", above=True)
        self.check(0.0, "sigma_m_s", "sigma_across_m_s", "sigma_down_m_s")
        whole("seed", self.seed, 0, context=CURRENT)
        low, high = self.limits
        need(self, "minimum_m_s", low < high, "a number below maximum_m_s")

    @property
    def limits(self) -> tuple[float, float]:
        """Minimum and maximum speed along the direction, m/s."""
        low = -math.inf if self.minimum_m_s is None else self.minimum_m_s
        return low, math.inf if self.maximum_m_s is None else self.maximum_m_s

    def samples(self, until_s: float) -> CurrentSamples:
        """Return the process from 0 to `until_s`; a longer table starts with the shorter one."""
        step = self.time_constant_s / KNOTS_PER_TIME_CONSTANT
        count = max(math.ceil(until_s / step), 0) + 4  # the cubic needs two rows beyond the interval
        if count > MOST_ROWS:
            CURRENT.fail(
                "time_constant_s",
                value=self.time_constant_s,
                expected=f"at least {until_s * KNOTS_PER_TIME_CONSTANT / MOST_ROWS:.3g} for a run of {until_s:g} s",
            )
        keep = math.exp(-1.0 / KNOTS_PER_TIME_CONSTANT)
        noise = generator(self, self.seed).standard_normal((count, 3))
        noise[1:] *= math.sqrt(1.0 - keep * keep)  # the first row has the stationary distribution
        x = _filtered(noise, keep) * (self.sigma_m_s, self.sigma_across_m_s, self.sigma_down_m_s)
        along = np.clip(self.speed_m_s + x[:, 0], *self.limits)
        values = np.outer(along, towards(self.to_deg)) + np.outer(x[:, 1], towards(self.to_deg + 90.0))
        values[:, 2] += x[:, 2]
        return CurrentSamples(0.0, step, values)


def _filtered(noise: Array, keep: float) -> Array:
    """x[i] = keep x[i-1] + noise[i], row by row: any length gives the same bits."""
    x = noise.tolist()
    a, b, c = x[0]
    for i in range(1, len(x)):
        p, q, r = x[i]
        a, b, c = keep * a + p, keep * b + q, keep * c + r
        x[i] = (a, b, c)
    return np.array(x)


@by_name("current", "Uniform(speed_m_s=0.5, to_deg=90)")
@dataclass(frozen=True, kw_only=True)
class Turbulence(Current):
    """Turbulent current: a sum of `components` harmonics with random phases and the von Karman spectrum.

    Isotropic, standard deviation `sigma_m_s` of each of the three velocities. Eddies of `length_scale_m` pass with
    `mean_speed_m_s` (Taylor's frozen turbulence): the mean current, or the speed of the vehicle where that is larger.
    The mean current is described separately. The gusts are the same at all positions.
    """

    kind: str = "turbulence"
    sigma_m_s: float
    length_scale_m: float
    mean_speed_m_s: float
    to_deg: float = 0.0
    components: int = 48
    seed: int = 0

    def __post_init__(self) -> None:
        """Validate the spectrum."""
        super().__post_init__()
        self.check(0.0, "sigma_m_s")
        self.check(0.0, "length_scale_m", above=True)
        expected = "a number above 0: the speed that carries the eddies"
        number("mean_speed_m_s", self.mean_speed_m_s, 0.0, above=True, expected=expected, context=CURRENT)
        whole("components", self.components, 8, 1000, context=CURRENT)
        whole("seed", self.seed, 0, context=CURRENT)

    def harmonics(self) -> Sequence[Harmonic]:
        """Return one harmonic for each frequency band, along, across and down, with the variance of the band."""
        rng = generator(self, self.seed)
        edges = np.geomspace(LARGEST_EDDY, SMALLEST_EDDY, self.components + 1)
        along, across = (_shares(edges, of) for of in (longitudinal, transverse))
        amplitude = np.sqrt(2.0 * np.column_stack([along, across, across]))
        # a random frequency within each band: the sum has no common period
        number = edges[:-1] * (edges[1:] / edges[:-1]) ** rng.random(self.components)
        phase = 2.0 * math.pi * rng.random((self.components, 3))
        cosine, sine = amplitude * np.cos(phase), amplitude * np.sin(phase)
        # random phases leave a correlation between the three velocities; a Cholesky factor removes it
        covariance = 0.5 * (cosine.T @ cosine + sine.T @ sine)
        axes = np.stack([towards(self.to_deg), towards(self.to_deg + 90.0), [0.0, 0.0, 1.0]])
        apart = self.sigma_m_s * np.linalg.inv(np.linalg.cholesky(covariance)).T @ axes
        cosine, sine = cosine @ apart, sine @ apart
        omega = number * self.mean_speed_m_s / self.length_scale_m
        return [Harmonic(float(w), c, s) for w, c, s in zip(omega, cosine, sine, strict=True)]


def longitudinal(number: Array) -> Array:
    """Return the von Karman spectrum along the mean flow over k L, one-sided, integral 1."""
    return (2.0 / math.pi) * (1.0 + (VON_KARMAN * number) ** 2) ** (-5.0 / 6.0)


def transverse(number: Array) -> Array:
    """Return the von Karman spectrum across the mean flow over k L, one-sided, integral 1."""
    x = (VON_KARMAN * number) ** 2
    return (1.0 / math.pi) * (1.0 + (8.0 / 3.0) * x) * (1.0 + x) ** (-11.0 / 6.0)


def _shares(edges: Array, spectrum: Callable[[Array], Array]) -> Array:
    """Variance of each band, normalised to 1: the energy outside the edges is distributed over all bands."""
    fine = np.geomspace(edges[0], edges[-1], 32 * (len(edges) - 1) + 1)
    density = spectrum(fine)
    steps = 0.5 * (density[1:] + density[:-1]) * np.diff(fine)
    bands = steps.reshape(len(edges) - 1, 32).sum(axis=1)
    return bands / bands.sum()
