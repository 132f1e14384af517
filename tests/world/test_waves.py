"""Waves as a description: dispersion, spectra and their moments, components of a sea, and refused values."""

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.signal import welch
from scipy.special import gamma as gamma_function

from pelagos.engine.water.sea import SEA, WAVE
from pelagos.engine.water.waves import sample_waves
from pelagos.errors import ScenarioError
from pelagos.world.waves import (
    Waves,
    dispersion,
    jonswap_spectrum,
    pack_waves,
    pierson_moskowitz_spectrum,
)
from pelagos.world.writer import SeaWriter

G = 9.80665
SEEDS = (0, 1, 2, 3, 4, 5)


def sea_of(waves, depth=math.inf):
    writer = SeaWriter()
    pack_waves(waves, writer, depth_m=depth, gravity_m_s2=G)
    return writer.finish()


def record(sea, hours=1.0, rate=2.0):
    """Rows of `sample_waves` at the origin."""
    times = np.arange(0.0, 3600.0 * hours, 1.0 / rate)
    out = np.zeros((times.size, 9))
    sample_waves(sea, np.zeros((times.size, 3)), times, out)
    return out


# ---- dispersion ----------------------------------------------------------------------------------------------------


def test_dispersion_in_deep_and_in_shallow_water():
    omega = np.array([0.3, 1.0, 3.0])
    np.testing.assert_allclose(dispersion(omega, math.inf, G), omega**2 / G, rtol=1e-15)
    np.testing.assert_allclose(dispersion(omega, 1e4, G), omega**2 / G, rtol=1e-15)
    # shallow: k = omega / sqrt(g d) (1 + y/6 + ...), y = omega^2 d / g below 1e-4
    np.testing.assert_allclose(dispersion(omega, 1e-4, G), omega / math.sqrt(G * 1e-4), rtol=2e-5)


def test_dispersion_solves_its_equation_to_rounding():
    for depth in np.geomspace(1e-3, 1e4, 50):
        omega = np.geomspace(0.05, 20.0, 200)
        k = dispersion(omega, depth, G)
        # both sides carry a few roundings
        np.testing.assert_allclose(G * k * np.tanh(k * depth), omega**2, rtol=2e-15)


def test_dispersion_of_a_wave_of_the_tables():
    """Shore Protection Manual (1984), table C-1: d/L0 = 0.1 has d/L = 0.1410 and tanh(kd) = 0.7093."""
    omega = math.sqrt(2.0 * math.pi * G * 0.1)  # d = 1: L0 = 10 d
    k = float(dispersion(omega, 1.0, G))
    assert k / (2.0 * math.pi) == pytest.approx(0.1410, abs=5e-5)
    assert math.tanh(k) == pytest.approx(0.7093, abs=5e-5)


# ---- spectra -------------------------------------------------------------------------------------------------------


def moment(spectrum, n, peak):
    """Integral of omega^n S; in pieces, so that the quadrature sees the peak."""
    edges = peak * np.array([0.2, 0.8, 1.0, 1.2, 2.0, 5.0, 20.0, 100.0])
    return sum(quad(lambda w: w**n * spectrum(w), low, high)[0] for low, high in pairwise(edges))


@pytest.mark.parametrize("order", [0, 1, 2, -1])
def test_moments_of_pierson_moskowitz_are_its_closed_form(order):
    """S = A w^-5 exp(-B w^-4) has m_n = A B^(n/4 - 1) gamma(1 - n/4) / 4."""
    height, period = 3.0, 9.0
    peak = 2.0 * math.pi / period
    a, b = 5.0 / 16.0 * height**2 * peak**4, 1.25 * peak**4
    wanted = a * b ** (order / 4.0 - 1.0) * gamma_function(1.0 - order / 4.0) / 4.0
    got = moment(lambda w: pierson_moskowitz_spectrum(w, height_m=height, period_s=period), order, peak)
    # cut off at 100 peaks: m2 lacks A/(2 * 100^2) of 0.4 A, 1.3e-4; m1 lacks 1.3e-6
    assert got == pytest.approx(wanted, rel=2e-4 if order == 2 else 3e-6)


def test_pierson_moskowitz_zero_crossing_period():
    """Tz/Tp = (1.25 pi)^-1/4 = 0.7104 and T1/Tp = 1.25^-1/4 / gamma(3/4) = 0.7717, the figures of the handbooks."""
    spectrum = lambda w: pierson_moskowitz_spectrum(w, height_m=1.0, period_s=2.0 * math.pi)  # noqa: E731
    m0, m1, m2 = (moment(spectrum, n, 1.0) for n in (0, 1, 2))
    assert 4.0 * math.sqrt(m0) == pytest.approx(1.0, rel=1e-6)
    assert math.sqrt(m0 / m2) == pytest.approx(0.7104, abs=1e-4)
    assert m0 / m1 == pytest.approx(0.7717, abs=1e-4)


@pytest.mark.parametrize("gamma", [1.0, 2.0, 3.3, 5.0])
def test_jonswap_against_the_recommended_practice(gamma):
    """DNV-RP-C205, 3.5.5: A = 1 - 0.287 ln gamma; Tz/Tp and T1/Tp are cubic fits in gamma."""
    spectrum = lambda w: jonswap_spectrum(w, height_m=2.0, period_s=2.0 * math.pi, gamma=gamma)  # noqa: E731
    m0, m1, m2 = (moment(spectrum, n, 1.0) for n in (0, 1, 2))
    assert 4.0 * math.sqrt(m0) == pytest.approx(2.0, rel=1e-6)
    at_peak = spectrum(1.0) / pierson_moskowitz_spectrum(1.0, height_m=2.0, period_s=2.0 * math.pi)
    assert at_peak / gamma == pytest.approx(1.0 - 0.287 * math.log(gamma), rel=3e-3)  # the fit is so good
    zero_crossing = 0.6673 + 0.05037 * gamma - 0.006230 * gamma**2 + 0.0003341 * gamma**3
    mean = 0.7303 + 0.04936 * gamma - 0.006556 * gamma**2 + 0.0003610 * gamma**3
    # the fits are stated for 1 <= gamma < 7 to two to three digits
    assert math.sqrt(m0 / m2) == pytest.approx(zero_crossing, rel=5e-3)
    assert m0 / m1 == pytest.approx(mean, rel=5e-3)


def test_a_fully_developed_sea():
    """Pierson & Moskowitz: Hs = 0.21 U^2/g and omega_p = 0.88 g/U; height alone gives the period that belongs to it."""
    wind = Waves(kind="pierson_moskowitz", wind_speed_m_s=15.0)
    height, period = wind.sea_state(G)
    assert height == pytest.approx(0.21 * 15.0**2 / G, rel=5e-3)  # two digits are published
    assert 2.0 * math.pi / period == pytest.approx(0.88 * G / 15.0, rel=5e-3)
    assert Waves(kind="pierson_moskowitz", height_m=height).sea_state(G)[1] == pytest.approx(period, rel=1e-12)
    # and its tail is Phillips' alpha g^2 w^-5, alpha = 0.0081; at 20 peaks the exponential is 1 - 8e-6
    omega = 40.0 * math.pi / period
    assert float(wind.spectrum(omega, G)) == pytest.approx(8.1e-3 * G**2 * omega**-5, rel=1e-5)


# ---- the sea that comes out ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 7, 64, 300])
def test_the_energy_of_the_components_is_that_of_the_sea(count):
    sea = Waves(height_m=2.5, period_s=9.0, components=count).split()
    assert float(np.sum(sea.amplitude_m**2) / 2.0) == pytest.approx(2.5**2 / 16.0, rel=1e-14)
    assert np.all(np.diff(sea.omega_rad_s) > 0.0)  # longest first, no two alike
    np.testing.assert_allclose(sea.number_rad_m, sea.omega_rad_s**2 / 9.80665, rtol=1e-15)


def expected_error(sea, seconds):
    """Relative standard deviation of Hs from a record: beats that it does not average out.

    mean(eta^2) = m0 + sum over pairs of a_i a_j cos(..) sinc((w_i - w_j) T/2); Hs goes with its square root.
    """
    a, w = sea.amplitude_m, sea.omega_rad_s
    first, second = np.triu_indices(a.size, 1)
    beat = np.sinc((w[first] - w[second]) * seconds / (2.0 * math.pi))
    return 0.5 * math.sqrt(float(np.sum((a[first] * a[second] * beat) ** 2)) / 2.0) / float(np.sum(a**2) / 2.0)


@pytest.mark.parametrize("kind", ["jonswap", "pierson_moskowitz"])
def test_height_and_spectrum_come_back_from_an_hour(kind):
    """Hs within 2 %: three times the error that an hour of this sea must have, which is below 0.7 %.

    Segments of 256 s: their windows see all of the hour but its ends, and resolve 3 % of the peak frequency.
    """
    errors = []
    for seed in SEEDS:
        waves = Waves(kind=kind, height_m=2.0, period_s=8.0, seed=seed)
        level = record(sea_of(waves))[:, 0]
        frequency, density = welch(level, fs=2.0, nperseg=512)
        m0 = np.trapezoid(density, frequency)
        errors.append(4.0 * math.sqrt(m0) / 2.0 - 1.0)
        expected = expected_error(waves.split(), 3600.0)
        assert expected < 0.007
        assert abs(errors[-1]) < 0.02
        assert abs(4.0 * np.std(level) / 2.0 - 1.0) < 3.5 * expected
        # the frequency of the peak, weighted by S^4 (Young 1995), for the record and for the target
        target = waves.spectrum(2.0 * math.pi * frequency[1:], G)
        peaks = [np.sum(frequency[1:] * s**4) / np.sum(s**4) for s in (density[1:], target)]
        assert peaks[0] == pytest.approx(peaks[1], rel=0.03)  # one line of the estimate
        # energy in bands of a quarter peak: a component on the border holds up to 4 % of the sea
        for low in np.arange(0.75, 2.0, 0.25):
            band = (frequency >= low / 8.0) & (frequency < (low + 0.25) / 8.0)
            got = density[band].sum() * frequency[1]
            wanted = 2.0 * math.pi * target[band[1:]].sum() * frequency[1]
            assert abs(got - wanted) < 0.04 * m0
    assert abs(np.mean(errors)) < 0.01  # no bias: the mean of six is off by 0.3 %


def test_the_sea_does_not_repeat_within_hours():
    """The autocorrelation of three hours stays low; a sea of equally spaced frequencies comes back to 1."""
    sea = Waves(height_m=2.0, period_s=8.0).split()
    lags = np.arange(120.0, 3.0 * 3600.0, 0.5)
    again = np.cos(np.outer(lags, sea.omega_rad_s)) @ sea.amplitude_m**2 / np.sum(sea.amplitude_m**2)
    # 64 cosines of independent angles: sum of a^4 gives 0.11 rms, and four of those are rare in 20000 lags
    assert np.abs(again).max() < 0.6


def test_same_seed_same_sea_other_seed_other_sea():
    first, again, other = (sea_of(Waves(height_m=1.0, period_s=6.0, spreading=8.0, seed=s)) for s in (4, 4, 5))
    assert np.array_equal(first, again)
    assert np.abs(first - other).max() > 0.1


@pytest.mark.parametrize("exponent", [2.0, 10.0, 75.0])
def test_directions_have_the_mean_and_the_width_of_the_spreading(exponent):
    """For cos^2s(angle/2) the mean of exp(i angle) is s/(s+1).

    The 200 directions are one of each of as many equal shares, so the mean is good to about 1/200^1.5 of the range.
    """
    sea = Waves(height_m=1.0, period_s=8.0, to_deg=140.0, spreading=exponent, components=200).split()
    mean = np.mean(np.exp(1j * sea.to_rad))
    assert math.degrees(np.angle(mean)) == pytest.approx(140.0, abs=0.5)
    assert abs(mean) == pytest.approx(exponent / (exponent + 1.0), abs=5e-3)


def test_a_buoy_finds_the_direction_again():
    """The mean of elevation times orbital velocity points where the waves run."""
    out = record(sea_of(Waves(height_m=2.0, period_s=8.0, to_deg=60.0, spreading=10.0)))
    elevation = -out[:, 0]
    to = math.degrees(math.atan2(np.mean(elevation * out[:, 4]), np.mean(elevation * out[:, 3])))
    # the spread is sqrt(2/11) rad = 24 deg; 64 directions of unlike energy leave 24/sqrt(50) = 3.5 deg
    assert to == pytest.approx(60.0, abs=10.0)
    long_crests = record(sea_of(Waves(height_m=2.0, period_s=8.0, to_deg=60.0)), hours=0.1)
    np.testing.assert_allclose(long_crests[:, 4], long_crests[:, 3] * math.tan(math.radians(60.0)), atol=1e-12)


def test_a_regular_wave_is_where_it_is_asked_for():
    waves = Waves(kind="regular", height_m=1.0, period_s=5.0, to_deg=90.0, phase_deg=30.0)
    depth = 4.0
    sea, k = sea_of(waves, depth), float(dispersion(2.0 * math.pi / 5.0, depth, G))
    positions, times = np.array([[7.0, 3.0, 1.0], [0.0, 0.0, 0.0]]), np.array([2.0, 0.0])
    out = np.zeros((2, 9))
    sample_waves(sea, positions, times, out)
    wanted = [-0.5 * math.cos(k * 3.0 - 2.0 * math.pi * 2.0 / 5.0 + math.pi / 6.0), -0.5 * math.cos(math.pi / 6.0)]
    np.testing.assert_allclose(out[:, 0], wanted, rtol=0, atol=1e-14)
    assert waves.sea_state() == (1.0, 5.0)


def test_what_is_packed():
    sea = sea_of(Waves(height_m=1.0, period_s=5.0, components=3, to_deg=270.0), 12.0)
    header = sea[: SEA.size].view(SEA.dtype)[0]
    assert (header["n_waves"], header["waves_at"], header["depth"]) == (3, SEA.size, 12.0)
    assert header["stretch"] == 2.0  # two heights
    rows = sea[SEA.size :].view(WAVE.dtype)
    np.testing.assert_allclose(rows["echo"], np.exp(-2.0 * rows["number"] * 12.0), rtol=1e-14)
    np.testing.assert_allclose(rows["east"], -rows["number"], rtol=1e-14)
    header = sea_of(None)[: SEA.size].view(SEA.dtype)[0]
    assert (header["n_waves"], header["depth"]) == (0, 1e9)
    shallow = sea_of(Waves(kind="regular", height_m=1.0, period_s=5.0), 1.9)[: SEA.size].view(SEA.dtype)[0]
    assert shallow["stretch"] == 1.9  # all of the water


# ---- what is refused -----------------------------------------------------------------------------------------------

GOOD = {"kind": "jonswap", "height_m": 1.0, "period_s": 6.0}
BAD = [
    ({"kind": "jonswop"}, 'waves: kind = "jonswop": expected one of regular, jonswap, pierson_moskowitz; did you mean'),
    ({"kind": 3}, "waves: kind = 3: expected one of"),
    ({"height_m": -1.0}, "waves: height_m = -1.0: expected a finite number above 0"),
    ({"height_m": "high"}, 'waves: height_m = "high": expected a finite number above 0'),
    ({"period_s": 0.0}, "waves: period_s = 0.0: expected a finite number above 0"),
    ({"period_s": math.inf}, "waves: period_s = inf: expected a finite number above 0"),
    ({"to_deg": math.nan}, "waves: to_deg = nan: expected a finite number"),
    ({"phase_deg": [1.0]}, "waves: phase_deg = [1.0]: expected a finite number"),
    ({"gamma": 0.5}, "waves: gamma = 0.5: expected a number from 1 to 10"),
    ({"spreading": -2.0}, "waves: spreading = -2.0: expected 0 for long crests, or a number from 1 to 1000"),
    ({"components": 0}, "waves: components = 0: expected a whole number from 1 to 1000"),
    ({"components": 2.5}, "waves: components = 2.5: expected a whole number from 1 to 1000"),
    ({"seed": -1}, "waves: seed = -1: expected a whole number, 0 or above"),
    ({"height_m": None}, 'waves: height_m: missing, and kind "jonswap" needs it'),
    ({"period_s": None}, 'waves: period_s: missing, and kind "jonswap" needs it'),
    ({"wind_speed_m_s": 9.0}, 'waves: wind_speed_m_s = 9.0: no meaning for waves of kind "jonswap"; leave it out'),
    ({"phase_deg": 10.0}, 'waves: phase_deg = 10.0: no meaning for waves of kind "jonswap"; leave it out'),
    ({"kind": "regular", "spreading": 5.0}, 'waves: spreading = 5.0: no meaning for waves of kind "regular"'),
    (
        {"kind": "pierson_moskowitz", "gamma": 2.0},
        'waves: gamma = 2.0: no meaning for waves of kind "pierson_moskowitz"',
    ),
    (
        {"kind": "pierson_moskowitz", "wind_speed_m_s": 9.0},
        "waves: wind_speed_m_s = 9.0: not together with height_m or period_s",
    ),
    (
        {"kind": "pierson_moskowitz", "height_m": None, "period_s": None},
        'waves: height_m: missing, and kind "pierson_moskowitz" needs it',
    ),
]


@pytest.mark.parametrize(("change", "sentence"), BAD)
def test_bad_input_gets_a_sentence(change, sentence):
    with pytest.raises(ScenarioError) as caught:
        Waves(**{**GOOD, **change})
    assert str(caught.value).startswith(sentence)


def test_breaking_waves_are_refused():
    """Miche: H/L at most 0.142 tanh(kd). 6 s in deep water: L = 56.2 m, 7.98 m; in 5 m of water far less."""
    deep = 0.142 * G * 36.0 / (2.0 * math.pi)
    Waves(kind="regular", height_m=0.999 * deep, period_s=6.0).check()
    with pytest.raises(
        ScenarioError, match=r"world: waves.height_m = 8.0: expected at most 7.98 m, because waves of 6 s break above"
    ):
        Waves(kind="regular", height_m=8.0, period_s=6.0).check()
    with pytest.raises(ScenarioError, match=r"at most 3.\d* m, .* in 5 m of water"):
        sea_of(Waves(kind="regular", height_m=5.0, period_s=6.0), 5.0)
    # a sea: 2 pi Hs / (g Tp^2) at most 1/15
    steep = G * 36.0 / (2.0 * math.pi) / 15.0
    Waves(height_m=0.999 * steep, period_s=6.0).split()
    with pytest.raises(ScenarioError, match=r"waves.height_m = 3.8: expected at most 3.75 m"):
        Waves(height_m=3.8, period_s=6.0).split()


def test_no_waves_without_water_and_no_spectrum_of_one_wave():
    with pytest.raises(ScenarioError, match=r"world: depth_m = -3.0: expected a number above 0"):
        sea_of(None, -3.0)
    with pytest.raises(ScenarioError, match=r"a regular wave has no spectrum"):
        Waves(kind="regular", height_m=1.0, period_s=5.0).spectrum(1.0)
