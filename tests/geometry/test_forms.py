"""Forms: their records, what is inside them, how far they reach."""

import math

import numpy as np
import pytest

from pelagos.engine.water.sea import CAPSULE, SPHERE
from pelagos.geometry.forms import Form, farthest_m, form_record

TURNED = ((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))  # its x along body y


def test_record_holds_the_rotation_row_by_row():
    record = form_record(Form("capsule", (1.0, 2.0, 3.0), (0.5, 0.1, 0.0), TURNED))
    assert record["kind"] == CAPSULE
    assert record["axes"].tolist() == [0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]
    assert form_record(Form("ellipsoid", (0, 0, 0), (1, 1, 1)))["kind"] == SPHERE


@pytest.mark.parametrize(
    ("kind", "inside", "outside"),
    [
        ("box", (0.29, 0.99, 0.19), (0.31, 0.0, 0.0)),
        ("cylinder", (0.2, 0.99, 0.2), (0.25, 0.0, 0.2)),
        ("capsule", (0.0, 1.29, 0.0), (0.25, 1.2, 0.0)),
        ("ellipsoid", (0.15, 0.7, 0.0), (0.25, 0.7, 0.0)),
    ],
)
def test_inside_of_a_turned_form(kind, inside, outside):
    form = Form(kind, (0.0, 0.0, 0.0), (1.0, 0.3, 0.2), TURNED)
    assert form.inside(np.array([inside, outside])).tolist() == [True, False]
    assert form.to_body(np.array([[1.0, 0.0, 0.0]]))[0] == pytest.approx((0.0, 1.0, 0.0))


def test_reach():
    box, ball = Form("box", (0.5, 0, 0), (1.0, 0.4, 0.2)), Form("capsule", (0, 0, 0), (1.0, 0.3, 0))
    assert farthest_m((box,)) == pytest.approx(math.hypot(1.5, 0.4, 0.2))
    assert farthest_m((ball,)) == pytest.approx(1.3)
    assert farthest_m((box, ball)) == pytest.approx(math.hypot(1.5, 0.4, 0.2))
    assert farthest_m((Form("cylinder", (0, 0, 0), (1.0, 0.3, 0)),)) == pytest.approx(math.hypot(1.0, 0.3))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (("cone", (0, 0, 0), (1, 1, 1)), "expected one of box"),
        (("box", (0, 0, 0), (1, 0, 1)), "lengths above 0"),
        (("cylinder", (0, 0, 0), (0, 1, 1)), "lengths above 0"),
        (("box", (0, 0, 0), (1, 1, 1), ((1, 0, 0), (0, 1, 0), (0, 0, 2))), "expected a rotation"),
    ],
)
def test_impossible_forms(given, expected):
    with pytest.raises(ValueError, match=expected):
        Form(*given)
    assert Form("capsule", (0, 0, 0), (0.0, 1.0, 0.0)).box_m == (1.0, 1.0, 1.0)  # a ball is a capsule
