"""Expressions over columns and their reductions, against closed forms."""

import math

import numpy as np
import pytest

from pelagos.campaign.expressions import TAKES, Expression, reduce_column
from pelagos.errors import ScenarioError

TIME = np.linspace(0.0, 10.0, 101)
RAMP = TIME - 4.0  # from -4 to 6
COLUMNS = {
    "depth_m": np.array([0.0, 9.0, 12.0, np.nan]),
    "north_m": np.array([3.0, -3.0, 0.0, 3.0]),
    "east_m": np.array([4.0, 4.0, -1.0, 4.0]),
    "heading_deg": np.array([350.0, 10.0, 190.0, 90.0]),
}


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
    assert reduce_column(take, TIME, np.round(RAMP, 12)) == pytest.approx(expected, rel=1e-12)  # sums of 101 numbers


@pytest.mark.parametrize(
    ("take", "than", "expected"),
    # samples stand for the time until the next: 0.1 s off at most
    [("time_above", 3.05, 2.9), ("time_below", -1.05, 3.0), ("first_above", 3.05, 7.1), ("first_below", 0.0, 0.0)],
)
def test_against_a_threshold(take, than, expected):
    assert reduce_column(take, TIME, np.round(RAMP, 12), than) == pytest.approx(expected, abs=1e-9)


def test_never_is_unknown():
    assert math.isnan(reduce_column("first_above", TIME, RAMP, 100.0))


def test_what_is_unknown_is_left_out():
    gaps = np.where(TIME < 5.0, np.nan, RAMP)
    assert reduce_column("min", TIME, gaps) == pytest.approx(1.0)
    assert all(math.isnan(reduce_column(take, TIME, np.full_like(TIME, np.nan))) for take in TAKES)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("north_m", [3.0, -3.0, 0.0, 3.0]),
        ("abs(depth_m - 10)", [10.0, 1.0, 2.0, math.nan]),
        ("sqrt(north_m ** 2 + east_m * east_m)", [5.0, 5.0, 1.0, 5.0]),
        ("hypot(north_m, east_m)", [5.0, 5.0, 1.0, 5.0]),
        ("wrap_deg(heading_deg - 0)", [-10.0, 10.0, -170.0, 90.0]),
        ("max(north_m, east_m, 1)", [4.0, 4.0, 1.0, 4.0]),
        ("min(north_m, east_m)", [3.0, -3.0, -1.0, 3.0]),
        ("-north_m / 2", [-1.5, 1.5, 0.0, -1.5]),
        ("north_m > 0", [1.0, 0.0, 0.0, 1.0]),
        ("-1 < north_m <= 3", [1.0, 0.0, 1.0, 1.0]),
        ("north_m > 0 and east_m > 0 or heading_deg == 10", [1.0, 1.0, 0.0, 1.0]),
        ("not (depth_m > 10)", [1.0, 1.0, 0.0, math.nan]),  # what is unknown does not become true
        ("1 / north_m", [1 / 3, -1 / 3, math.inf, 1 / 3]),
    ],
)
def test_expressions_are_evaluated_sample_by_sample(text, expected):
    np.testing.assert_allclose(Expression(text).evaluate(COLUMNS), expected, rtol=1e-15)  # one or two roundings


def test_it_names_its_columns():
    assert Expression("abs(depth_m - cmd_depth_m) + depth_m").names == ("depth_m", "cmd_depth_m")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("depth_m -", "expected a column or an expression"),
        ("__import__('os')", "found"),
        ("depth_m.max()", "found Attribute"),
        ("depth_m[0]", "found Subscript"),
        ("(lambda: 1)()", "found Lambda"),
        ("'depth_m'", "found Constant"),
        ("mx(depth_m, 1)", 'not mx(); did you mean "max"?'),
        ("abs(depth_m, 1)", "expected 1 values in abs()"),
        ("max(depth_m)", "expected 2 or more values in max()"),
        ("1 + 2", "at least one column"),
        ("", "expected a column"),
    ],
)
def test_anything_else_is_refused(text, words):
    with pytest.raises(ScenarioError) as refusal:
        Expression(text)
    assert words in str(refusal.value)
