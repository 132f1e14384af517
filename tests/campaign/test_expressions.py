"""One number of a column, by closed forms."""

import math

import numpy as np
import pytest

from pelagos.campaign.expressions import TAKES, taken

TIME = np.linspace(0.0, 10.0, 101)
RAMP = TIME - 4.0  # from -4 to 6


@pytest.mark.parametrize(
    ("take", "expected"),
    [
        ("mean", 1.0),
        ("median", 1.0),
        ("std", math.sqrt((101**2 - 1) / 12) * 0.1),  # of 101 evenly spaced numbers
        ("min", -4.0),
        ("max", 6.0),
        ("range", 10.0),
        ("abs_max", 6.0),
        ("rms", math.sqrt(1.0 + (101**2 - 1) / 12 * 0.01)),  # mean square = mean^2 + variance
        ("first", -4.0),
        ("final", 6.0),
        ("integral", 10.0),  # of t - 4 over 0..10; trapezia are exact for a straight line
        ("any", 1.0),
        ("all", 0.0),  # it is 0 at 4 s
        ("share", 100 / 101),
        ("p95", 5.5),
        ("p0", -4.0),
    ],
)
def test_of_a_ramp(take, expected):
    assert taken(take, TIME, np.round(RAMP, 12)) == pytest.approx(expected, rel=1e-12)  # sums of 101 numbers


@pytest.mark.parametrize(
    ("take", "than", "expected"),
    # samples stand for the time until the next: 0.1 s off at most
    [("time_above", 3.05, 2.9), ("time_below", -1.05, 3.0), ("first_above", 3.05, 7.1), ("first_below", 0.0, 0.0)],
)
def test_against_a_threshold(take, than, expected):
    assert taken(take, TIME, np.round(RAMP, 12), than) == pytest.approx(expected, abs=1e-9)


def test_never_is_unknown():
    assert math.isnan(taken("first_above", TIME, RAMP, 100.0))


def test_what_is_unknown_is_left_out():
    gaps = np.where(TIME < 5.0, np.nan, RAMP)
    assert taken("min", TIME, gaps) == pytest.approx(1.0)
    assert all(math.isnan(taken(take, TIME, np.full_like(TIME, np.nan))) for take in TAKES)
