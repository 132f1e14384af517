"""Feelers lie on the skin, hold the corners, and leave no part of it far from one."""

import numpy as np
import pytest

from pelagos.engine.contact.shapes import distance
from pelagos.geometry.forms import KINDS, Form, feelers
from tests.engine.contact.test_shapes import skin_of

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
    one, other = Form("box", (0, 0, 0), (1.0, 0.2, 0.2)), Form("capsule", (0.9, 0, 0), (0.4, 0.5, 0.0))
    points = feelers([one, other])
    assert not np.any(other.inside(points, 2e-6)) and not np.any(one.inside(points, 2e-6))
    assert len(points) < len(feelers([one])) + len(feelers([other]))
    assert feelers([]).shape == (0, 3)
