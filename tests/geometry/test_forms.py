"""Convex forms: records, points inside, reach; feelers lie on the surface, at all corners, and leave no hole."""

import math

import numpy as np
import pytest

from pelagos.engine.contact.shapes import distance
from pelagos.engine.water.sea import CAPSULE, SPHERE
from pelagos.errors import CommandError
from pelagos.geometry.forms import KINDS, Form, farthest_m, feelers, form_record
from tests.engine.contact.test_shapes import skin_of

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
    with pytest.raises(CommandError, match=expected):
        Form(*given)
    assert Form("capsule", (0, 0, 0), (0.0, 1.0, 0.0)).box_m == (1.0, 1.0, 1.0)  # a ball is a capsule


HALF = (1.5, 0.8, 0.4)


@pytest.mark.parametrize("kind", list(KINDS))
def test_points_are_on_the_skin_and_cover_it(kind):
    form = Form(kind, (0.0, 0.0, 0.0), HALF)
    points = feelers([form])
    assert 26 <= len(points) <= 130
    row = np.array([KINDS[kind], 0, 0, 0, *np.eye(3).ravel(), *HALF], dtype=float)
    assert max(abs(distance(row, *point)[0]) for point in points) < 1e-9
    skin = skin_of(KINDS[kind], 40, HALF)
    holes = [np.min(np.linalg.norm(points - place, axis=1)) for place in skin[::7]]
    assert max(holes) < 0.57  # half the diagonal of a cell of 0.75 x 0.8 m


def test_all_corners_of_a_box_are_felt():
    points = {tuple(point) for point in feelers([Form("box", (0.5, 0.0, 0.0), HALF)]).tolist()}
    corners = {(0.5 + 1.5 * a, 0.8 * b, 0.4 * c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)}
    assert corners <= points


def test_points_inside_another_form_are_left_out():
    first, other = Form("box", (0, 0, 0), (1.0, 0.2, 0.2)), Form("capsule", (0.9, 0, 0), (0.4, 0.5, 0.0))
    points = feelers([first, other])
    assert not np.any(other.inside(points, 2e-6)) and not np.any(first.inside(points, 2e-6))
    assert len(points) < len(feelers([first])) + len(feelers([other]))
    assert feelers([]).shape == (0, 3)
