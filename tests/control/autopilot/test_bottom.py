"""The bottom filter of an altitude hold: no lag on slopes, damped noise, gaps and outliers."""

import math

import numpy as np
import pytest

from pelagos.control.autopilot.bottom import GATE_M, BottomFilter


def test_a_steady_slope_is_followed_without_lag():
    bottom, dt = BottomFilter(1.0), 0.1
    for k in range(400):
        bottom.update(5.0, 20.0 - 0.3 * k * dt - 5.0, dt)
    # A filter of second order has no steady error on a ramp; the discrete step trails by one sample, 0.03 m.
    assert bottom.depth_m == pytest.approx(20.0 - 0.3 * 399 * dt, abs=0.035)
    assert bottom.rate_m_s == pytest.approx(-0.3, abs=1e-3)


def test_noise_is_damped_as_the_filter_says():
    """White noise of sigma through b/seen = (2 T s + 1) / (T s + 1)^2 comes out with variance sigma^2 dt 5 / (4 T)."""
    rng, bottom, dt, sigma = np.random.default_rng(3), BottomFilter(2.0), 0.1, 0.2
    depths = []
    for _ in range(20000):
        bottom.update(0.0, 30.0 + sigma * rng.standard_normal(), dt)
        depths.append(bottom.depth_m)
    expected = sigma * math.sqrt(dt * 5.0 / (4.0 * 2.0))
    # 20000 samples correlated over about 4 s: 500 independent ones, 3 % of sigma; discrete against continuous 5 %.
    assert np.std(depths[200:]) == pytest.approx(expected, rel=0.12)


def test_without_an_echo_the_last_bottom_stays():
    bottom = BottomFilter(1.0)
    bottom.update(3.0, math.nan, 0.1)
    assert math.isnan(bottom.depth_m)
    for _ in range(100):
        bottom.update(3.0, 7.0, 0.1)
    before = bottom.depth_m
    for _ in range(100):
        bottom.update(4.0, math.nan, 0.1)
    assert bottom.depth_m == before == pytest.approx(10.0)
    assert abs(bottom.rate_m_s) < 1e-3


def test_one_wild_echo_counts_for_no_more_than_the_gate():
    bottom = BottomFilter(1.0)
    for altitude in (10.0, 10.0, 200.0):
        bottom.update(0.0, altitude, 0.1)
    assert bottom.depth_m - 10.0 == pytest.approx(2.0 * GATE_M * 0.1)
