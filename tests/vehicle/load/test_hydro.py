"""The strips of vehicle files: places, weights and drag coefficients, all worked by hand."""

import numpy as np
import pytest

from pelagos.vehicle.load.vehicle import loads
from tests.vehicle.plain import PLAIN

ROUND = PLAIN + "diameter_m = 0.3\n"
ULP = 1e-14  # a handful of roundings of a double

STRIPS = ROUND + """
    [crossflow]
    cd_y = 0.5
    cd_z = 0.6
    height_m = 0.3
    breadth_m = 0.4
    n_stations = 5
    rule = "{}"
"""  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "weights"),
    [("trapezoid", [0.25, 0.5, 0.5, 0.5, 0.25]), ("left", [0.5, 0.5, 0.5, 0.5, 0.0]), ("full_ends", [0.5] * 5),
     ("midpoint", [0.4] * 5)],
)  # fmt: skip
def test_crossflow_weights(rule, weights):
    strips = loads(STRIPS.format(rule)).crossflow
    assert strips.weight_m == pytest.approx(weights, rel=ULP)
    assert strips.x_m[0] == pytest.approx(-0.8 if rule == "midpoint" else -1.0, rel=ULP)
    assert strips.breadth_m == (0.4,) * 5
    assert strips.cd_z == (0.6,) * 5


def test_crossflow_own_density_is_folded_into_cd():
    strips = loads(STRIPS.format("left") + "density_kg_m3 = 1000.0\n").crossflow
    assert strips.cd_y[0] == pytest.approx(0.5 * 1000 / 1025, rel=ULP)


def test_crossflow_curve_of_reynolds_number():
    text = ROUND + """
        [water]
        viscosity_m2_s = 1e-6
        [crossflow]
        x_in = [-10, 0, 10]
        height_in = [1, 2, 1]
        cd_of_reynolds = [[1e5, 1.2], [4e5, 1.2], [4e5, 0.3]]
        reynolds_length_m = 0.2
    """  # fmt: skip
    strips = loads(text).crossflow
    assert np.array(strips.curve) == pytest.approx(np.array([(0.5, 1.2), (2.0, 1.2), (2.0, 0.3)]), rel=ULP)
    assert strips.height_m[1] == pytest.approx(0.0508, rel=ULP)
    assert strips.breadth_m == strips.height_m
    assert strips.cd_y == (1.0,) * 3


def test_an_empty_table_is_worked_out_from_the_geometry_and_says_so():
    vehicle = loads(ROUND + "[crossflow]\n")
    strips = vehicle.crossflow
    assert strips is not None and len(strips.x_m) == 21
    assert np.dot(strips.weight_m, strips.height_m) == pytest.approx(2.0 * 0.3, rel=ULP)  # a cylinder's side
    (fact,) = [fact for fact in vehicle.facts if fact.path == "crossflow.stations"]
    assert fact.confidence == "derived" and "DNV-RP-C205" in fact.how


def test_a_drag_coefficient_of_ones_own_replaces_the_estimate():
    strips = loads(ROUND + "[crossflow]\ncd_z = 1.5\nn_stations = 7\n").crossflow
    assert strips is not None
    assert strips.cd_y == strips.cd_z == (1.5,) * 7  # one given, the other follows
    assert strips.curve == ()


def test_without_the_table_there_are_no_strips():
    assert loads(ROUND).crossflow is None
