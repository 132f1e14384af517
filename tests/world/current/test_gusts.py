"""Gauss-Markov currents and turbulence: their statistics, for fixed seeds."""

import math

import numpy as np
import pytest
from scipy.integrate import quad

from pelagos.errors import ScenarioError
from pelagos.world.current.gusts import GaussMarkov, Turbulence, longitudinal, transverse
from pelagos.world.current.kinds import velocity_at

T = 10.0
SIGMA = 0.2


def long_process(**changes):
    """2000 time constants of a process: about 2000/2 = 1000 independent samples for its variance."""
    given = {"sigma_m_s": SIGMA, "time_constant_s": T, "sigma_across_m_s": 0.1, "sigma_down_m_s": 0.05, "seed": 3}
    return GaussMarkov(**{**given, **changes}).samples(20000.0).values


def test_gauss_markov_variance():
    """The estimate of a variance over N time constants scatters by sqrt(2/N): 3.2 %; three of these are allowed."""
    values = long_process(speed_m_s=0.5)
    deviations = values.std(axis=0)
    bound = 3.0 * math.sqrt(2.0 / 2000.0)
    np.testing.assert_allclose(deviations**2, np.array([SIGMA, 0.1, 0.05]) ** 2, rtol=bound)
    # the mean of an OU process scatters by sigma sqrt(2/N)
    assert abs(values[:, 0].mean() - 0.5) < 3.0 * SIGMA * math.sqrt(2.0 / 2000.0)


def test_gauss_markov_correlation():
    """exp(-lag/T). Its estimate scatters by at most sqrt(2/N) = 3.2 % (Bartlett); three of these are allowed."""
    x = long_process()[:, 0]
    for lag in (1, 10, 20, 40):
        correlation = np.corrcoef(x[:-lag], x[lag:])[0, 1]
        assert correlation == pytest.approx(math.exp(-lag / 20.0), abs=3.0 * math.sqrt(2.0 / 2000.0))


@pytest.mark.slow
def test_the_discretisation_is_exact_from_the_first_row():
    """Over 4000 seeds the first and the 30th row have variance sigma^2 (scatter sqrt(2/4000) = 2.2 %) and the
    correlation of 1.45 T; a process that starts at its mean, or Euler's step, would fail."""
    pairs = np.array(
        [GaussMarkov(sigma_m_s=1.0, time_constant_s=T, seed=s).samples(15.0).values[[0, 29], 0] for s in range(4000)]
    )
    np.testing.assert_allclose(pairs.var(axis=0), 1.0, rtol=3.0 * math.sqrt(2.0 / 4000.0))
    assert np.mean(pairs[:, 0] * pairs[:, 1]) == pytest.approx(math.exp(-29 / 20.0), abs=3.0 / math.sqrt(4000.0))


def test_along_across_and_down():
    """To the east: the speed is east, across is to starboard of it, south."""
    values = long_process(to_deg=90.0, speed_m_s=0.5)
    north = long_process(to_deg=0.0, speed_m_s=0.5)
    np.testing.assert_allclose(values, np.column_stack([-north[:, 1], north[:, 0], north[:, 2]]), atol=1e-15)


def test_limits_hold_the_speed():
    free, held = long_process(speed_m_s=0.3), long_process(speed_m_s=0.3, minimum_m_s=0.1, maximum_m_s=0.4)
    assert free[:, 0].min() < 0.0
    # cos 90 deg is 6e-17: across the direction is not quite across
    assert (held[:, 0].min(), held[:, 0].max()) == pytest.approx((0.1, 0.4), abs=1e-15)
    inside = (free[:, 0] > 0.101) & (free[:, 0] < 0.399)
    np.testing.assert_array_equal(free[inside], held[inside])


def test_limits_hold_between_the_knots():
    """Evaluated by the kernel seven times between any two knots, through hours in which both limits are met."""
    current = GaussMarkov(speed_m_s=0.3, sigma_m_s=SIGMA, time_constant_s=T, minimum_m_s=0.1, maximum_m_s=0.4, seed=3)
    speed = velocity_at([current], (0.0, 0.0, 5.0), np.arange(0.0, 7200.0, T / 140.0))[:, 0]
    assert (speed.min(), speed.max()) == pytest.approx((0.1, 0.4), abs=1e-15)  # met, and passed by rounding at most
    assert np.mean((speed > 0.101) & (speed < 0.399)) > 0.2  # and it wanders in between


def test_the_table_reaches_past_the_end_and_continues():
    current = GaussMarkov(sigma_m_s=0.1, time_constant_s=T, seed=5)
    short, long = current.samples(33.3), current.samples(4000.0)
    assert short.start + short.step * (len(short.values) - 1) >= 33.3
    np.testing.assert_array_equal(long.values[: len(short.values)], short.values)


def test_seeds_differ_and_repeat():
    first, same, other = (GaussMarkov(sigma_m_s=0.1, time_constant_s=T, seed=s).samples(99.0).values for s in (1, 1, 2))
    np.testing.assert_array_equal(first, same)
    assert abs(np.corrcoef(first[:, 0], other[:, 0])[0, 1]) < 0.9


@pytest.mark.parametrize("spectrum", [longitudinal, transverse])
def test_spectra_have_unit_variance_and_the_slope_of_the_inertial_range(spectrum):
    assert quad(spectrum, 0.0, 1.0)[0] + quad(spectrum, 1.0, np.inf, limit=500)[0] == pytest.approx(1.0, rel=1e-3)
    ratio = spectrum(np.array([2e4])) / spectrum(np.array([1e4]))
    assert ratio[0] == pytest.approx(2.0 ** (-5.0 / 3.0), rel=1e-6)


def test_across_the_flow_there_is_four_thirds_of_the_energy_at_small_scales():
    """Isotropic turbulence (Pope 2000, 6.5)."""
    assert (transverse(np.array([1e4])) / longitudinal(np.array([1e4])))[0] == pytest.approx(4.0 / 3.0, rel=1e-6)


GUST = Turbulence(sigma_m_s=0.2, length_scale_m=2.0, mean_speed_m_s=0.5, to_deg=40.0, seed=8)


def test_turbulence_has_its_variance_in_every_direction():
    """The waves have half the square of their amplitude each, and the three velocities nothing in common."""
    cosine, sine = (np.array([getattr(h, name) for h in GUST.harmonics()]) for name in ("cosine", "sine"))
    covariance = 0.5 * (cosine.T @ cosine + sine.T @ sine)
    np.testing.assert_allclose(covariance, 0.04 * np.eye(3), atol=1e-15)  # rounding of a sum of 64


def test_the_kernel_meets_the_variance_over_time():
    """2 h at 5 Hz. The slowest tenth of the waves does not finish a period: 5 % of the variance."""
    values = velocity_at([GUST], (0.0, 0.0, 5.0), np.arange(0.0, 7200.0, 0.2))
    np.testing.assert_allclose(values.var(axis=0), 0.04, rtol=0.05)
    np.testing.assert_allclose(values.mean(axis=0), 0.0, atol=0.2 * math.sqrt(0.02))


def test_the_variance_is_spread_as_von_karman_says():
    """Variance of the waves between two frequencies against the integral of the spectrum. The drawn band holds 0.97
    of the whole (the smallest eddies are missing), and the share of a band is right to half a wave: 0.03; what the
    velocities had in common was taken out of the transverse ones, 1/64 of their variance or so: 0.02."""
    to = math.radians(40.0)
    axes = {longitudinal: [math.cos(to), math.sin(to), 0.0], transverse: [0.0, 0.0, 1.0]}
    for spectrum, axis in axes.items():
        for low, high in ((0.01, 0.3), (0.3, 1.0), (1.0, 5.0), (5.0, 200.0)):
            inside = [h for h in GUST.harmonics() if low <= h.omega * 2.0 / 0.5 < high]
            variance = sum(0.5 * ((h.cosine @ axis) ** 2 + (h.sine @ axis) ** 2) for h in inside) / 0.04
            assert variance == pytest.approx(quad(spectrum, low, high)[0], abs=0.05)


def test_turbulence_repeats_by_seed_only():
    def first(seed):
        given = {"sigma_m_s": 0.2, "length_scale_m": 2.0, "mean_speed_m_s": 0.5, "seed": seed}
        return velocity_at([Turbulence(**given)], (0.0, 0.0, 0.0), np.arange(50.0))

    np.testing.assert_array_equal(first(1), first(1))
    assert abs(first(1) - first(2)).max() > 0.1


@pytest.mark.parametrize(
    ("kind", "key", "value", "message"),
    [
        (GaussMarkov, "time_constant_s", 0.0, "a number above 0"),
        (GaussMarkov, "sigma_m_s", -0.1, "a number of at least 0"),
        (GaussMarkov, "sigma_down_m_s", -0.1, "a number of at least 0"),
        (GaussMarkov, "seed", -1, "a whole number, 0 or above"),
        (GaussMarkov, "seed", 1.5, "a whole number"),
        (GaussMarkov, "maximum_m_s", "x", "a finite number"),
        (Turbulence, "sigma_m_s", -0.1, "a number of at least 0"),
        (Turbulence, "length_scale_m", 0.0, "a number above 0"),
        (Turbulence, "mean_speed_m_s", 0.0, "the speed that carries the eddies"),
        (Turbulence, "components", 4, "from 8 to 1000"),
        (Turbulence, "components", 64.0, "a whole number"),
        (Turbulence, "seed", -3, "a whole number, 0 or above"),
    ],
)
def test_bad_keys_are_one_sentence(kind, key, value, message):
    good = {GaussMarkov: {"sigma_m_s": 0.1, "time_constant_s": 9.0}}.get(
        kind, {"sigma_m_s": 0.1, "length_scale_m": 1.0, "mean_speed_m_s": 1.0}
    )
    with pytest.raises(ScenarioError, match=rf"current: {key} = .*{message}"):
        kind(**{**good, key: value})


def test_limits_in_the_wrong_order():
    with pytest.raises(ScenarioError, match=r"current: minimum_m_s = 0.5: expected a number below maximum_m_s"):
        GaussMarkov(sigma_m_s=0.1, time_constant_s=9.0, minimum_m_s=0.5, maximum_m_s=0.1)


def test_a_process_too_fast_for_its_run():
    with pytest.raises(
        ScenarioError, match=r"current: time_constant_s = 0.001: expected at least 0.0144 for a run of 3600 s"
    ):
        GaussMarkov(sigma_m_s=0.1, time_constant_s=0.001).samples(3600.0)
