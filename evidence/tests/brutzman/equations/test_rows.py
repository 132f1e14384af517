"""Rows about equations: what counts as agreement."""

import math

import numpy as np

from pelagos_evidence.brutzman.equations.rows import angles, equation, largest, listed, velocities
from pelagos_evidence.claim import ClaimVerdict


def test_largest_difference_is_relative_to_large_values_and_absolute_for_small_ones():
    assert largest([1e-3, 0.0], [0.0, 0.0]) == 1e-3
    assert largest([101.0, 0.0], [100.0, 0.0]) == 0.01
    assert largest([math.nan], [0.0]) == math.inf
    assert largest([math.inf], [math.inf]) == math.inf


def test_agreed_holds_up_to_its_tolerance():
    assert equation("a", "equation 6.1", "w", "p", 1e-13).verdict is ClaimVerdict.REPRODUCED
    assert equation("a", "equation 6.1", "w", "p", 1e-11).verdict is ClaimVerdict.FAILED
    assert equation("a", "equation 6.1", "w", "p", math.nan).verdict is ClaimVerdict.FAILED
    assumed = equation("a", "equation 6.1", "w", "p", 0.0, assumption="silent", states="three bodies")
    assert assumed.verdict is ClaimVerdict.ASSUMED
    assert assumed.ours == "the same; largest difference 0.0e+00 over three bodies"


def test_random_states_reach_their_range_and_stay_the_same():
    drawn = angles(1000, 1)
    assert np.abs(drawn[:, 1]).max() < 1.4 and np.abs(drawn[:, 0]).max() > 3.0
    np.testing.assert_array_equal(drawn, angles(1000, 1))
    assert (velocities(100, 2) < 0).any(axis=0).all() and (velocities(100, 2) > 0).any(axis=0).all()


def test_listed():
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert listed([]) == "none"
