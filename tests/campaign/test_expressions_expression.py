"""Arithmetic over columns: what it gives, what it refuses."""

import math

import numpy as np
import pytest

from pelagos.campaign.expressions import Expression
from pelagos.errors import ScenarioError

COLUMNS = {
    "depth_m": np.array([0.0, 9.0, 12.0, np.nan]),
    "north_m": np.array([3.0, -3.0, 0.0, 3.0]),
    "east_m": np.array([4.0, 4.0, -1.0, 4.0]),
    "heading_deg": np.array([350.0, 10.0, 190.0, 90.0]),
}


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
def test_it_is_worked_out_sample_by_sample(text, expected):
    np.testing.assert_allclose(Expression(text).over(COLUMNS), expected, rtol=1e-15)  # one or two roundings


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
        ("abs(depth_m, 1)", "abs() takes 1 values"),
        ("max(depth_m)", "max() takes 2 or more values"),
        ("1 + 2", "at least one column"),
        ("", "expected a column"),
    ],
)
def test_anything_else_is_refused(text, words):
    with pytest.raises(ScenarioError) as refusal:
        Expression(text)
    assert words in str(refusal.value)
