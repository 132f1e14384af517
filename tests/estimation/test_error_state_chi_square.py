"""Chi-square against tables and closed forms."""

import math

import pytest

from pelagos.errors import CommandError
from pelagos.estimation.error_state import chi_square_point, chi_square_share, nees_bounds


@pytest.mark.parametrize(
    ("share", "dof", "value"),
    # Abramowitz and Stegun, table 26.8
    [(0.95, 1, 3.84146), (0.99, 1, 6.63490), (0.95, 3, 7.81473), (0.999, 3, 16.2662), (0.05, 9, 3.32511),
     (0.95, 9, 16.9190), (0.975, 30, 46.9792), (0.025, 100, 74.2219), (0.975, 100, 129.561)],
)  # fmt: skip
def test_points_are_those_of_the_table(share, dof, value):
    assert chi_square_point(share, dof) == pytest.approx(value, rel=5e-6)  # digits of the table


@pytest.mark.parametrize("value", [0.01, 1.0, 7.3, 40.0])
def test_two_degrees_are_an_exponential(value):
    assert chi_square_share(value, 2) == pytest.approx(1.0 - math.exp(-value / 2.0), rel=1e-12)


def test_one_degree_is_an_error_function():
    assert chi_square_share(2.5, 1) == pytest.approx(math.erf(math.sqrt(1.25)), rel=1e-12)


def test_nothing_lies_below_zero_and_all_below_much():
    assert chi_square_share(0.0, 4) == 0.0
    assert chi_square_share(1e6, 4) == 1.0


def test_the_band_of_a_mean_is_that_of_the_book():
    # Bar-Shalom et al. (2001), example 5.4.2: 50 runs of a filter with two states, 95 %: 1.5 to 2.6
    assert nees_bounds(50, 2) == pytest.approx((1.5, 2.6), abs=0.05)  # digits of the book


def test_senseless_questions_are_refused():
    with pytest.raises(CommandError, match="0 runs and 9"):
        nees_bounds(0, 9)
    with pytest.raises(CommandError, match="between 0 and 1"):
        chi_square_point(1.0, 3)
