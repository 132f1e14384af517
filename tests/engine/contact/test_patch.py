"""Patches of contact: enough points, well spread, for bodies that lie on each other."""

import numpy as np
import pytest

from pelagos.engine.contact.patch import TRAITS, add_contact, cut
from pelagos.engine.water.sea import BOX, CONTACT, CYLINDER, HALF_SPACE, SPHERE
from pelagos.geometry.forms import Form
from tests.engine.contact_scene import contacts, heading, hull_of, sea_of, solid

LONG = Form("box", (0.0, 0.0, 0.0), (1.5, 0.8, 0.4))
PIPE_EAST = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])  # a cylinder's x along east


def rows(points):
    return np.array(sorted(np.round(np.asarray(points), 9).tolist()))


def test_box_on_a_box_of_another_heading_meets_in_an_octagon():
    sea = sea_of([solid(BOX, (0.0, 0.0, 1.399), (1.0, 1.0, 1.0))])
    touches = contacts(sea, hull_of(Form("box", (0, 0, 0), (1.0, 1.0, 0.4))), q=heading(np.pi / 4))
    assert len(touches) == 8
    assert touches["gap"] == pytest.approx(-0.001, abs=1e-12)
    assert touches["normal"] == pytest.approx(np.tile((0.0, 0.0, -1.0), (8, 1)))
    assert touches["point"][:, 2] == pytest.approx(0.4)
    short = 1.0 - (np.sqrt(2.0) - 1.0)
    assert np.all(np.min(np.abs(touches["point"][:, :2]), axis=1) == pytest.approx(1.0 - short))
    assert np.all(np.max(np.abs(touches["point"][:, :2]), axis=1) == pytest.approx(1.0))


def test_box_on_a_smaller_box_is_held_at_its_corners():
    sea = sea_of([solid(BOX, (0.3, 0.1, 0.9), (0.5, 0.2, 0.5))])
    touches = contacts(sea, hull_of(LONG))
    want = [(0.3 + a, 0.1 + b, 0.4) for a in (-0.5, 0.5) for b in (-0.2, 0.2)]
    assert rows(touches["point"]) == pytest.approx(rows(want), abs=1e-8)
    assert touches["gap"] == pytest.approx(0.0, abs=1e-12)


def test_box_across_a_pipe_has_two_points():
    sea = sea_of([solid(CYLINDER, (0.4, 0.0, 0.7), (9.0, 0.3, 0.0), PIPE_EAST)])
    touches = contacts(sea, hull_of(LONG))
    assert rows(touches["point"]) == pytest.approx(rows([(0.4, -0.8, 0.4), (0.4, 0.8, 0.4)]), abs=1e-8)


@pytest.mark.parametrize("kind", ["capsule", "cylinder"])
def test_round_body_along_and_across_a_pipe(kind):
    sea = sea_of([solid(CYLINDER, (0.0, 0.5, 0.5), (1.0, 0.3, 0.0), PIPE_EAST)])  # y from -0.5 to 1.5
    hull = hull_of(Form(kind, (0.0, 0.0, 0.0), (1.0, 0.2, 0.0)))
    along = contacts(sea, hull, q=heading(np.pi / 2))  # y from -1 to 1
    assert rows(along["point"]) == pytest.approx(rows([(0.0, -0.5, 0.2), (0.0, 1.0, 0.2)]), abs=1e-8)
    across = contacts(sea, hull)
    assert across["point"] == pytest.approx(np.array([[0.0, 0.0, 0.2]]), abs=1e-6)
    assert across["gap"] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(
    ("form", "points"),
    [
        (LONG, [(a, b, 0.4) for a in (-1.5, 1.5) for b in (-0.8, 0.8)]),
        (Form("capsule", (0, 0, 0), (1.0, 0.2, 0.0)), [(-1.0, 0.0, 0.2), (1.0, 0.0, 0.2)]),
        (Form("cylinder", (0, 0, 0), (1.0, 0.2, 0.0)), [(-1.0, 0.0, 0.2), (1.0, 0.0, 0.2)]),
        (Form("ellipsoid", (0, 0, 0), (1.0, 0.4, 0.2)), [(0.0, 0.0, 0.2)]),
    ],
)
def test_forms_on_a_floor(form, points):
    floor = solid(HALF_SPACE, (5.0, 5.0, 0.0), (0, 0, 0), bound=1e9)
    for gap in (0.02, -0.003):
        floor["center"] = (5.0, 5.0, max(p[2] for p in points) + gap)
        touches = contacts(sea_of([floor]), hull_of(form))
        assert rows(touches["point"]) == pytest.approx(rows(points))
        assert touches["gap"] == pytest.approx(gap)


def test_standing_cylinder_has_a_ring_of_points():
    upright = ((0.0, 0.0, -1.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0))  # its x down
    hull = hull_of(Form("cylinder", (0, 0, 0), (1.0, 0.2, 0.0), upright))
    touches = contacts(sea_of([solid(BOX, (0.0, 0.0, 3.0), (2.0, 2.0, 2.0))]), hull)
    assert len(touches) == 8
    assert np.hypot(*touches["point"][:, :2].T) == pytest.approx(0.2)
    assert np.abs(touches["point"].mean(axis=0)) == pytest.approx((0.0, 0.0, 1.0), abs=1e-9)


def test_sphere_under_a_face():
    touches = contacts(sea_of([solid(SPHERE, (0.5, -0.2, 1.0), (0.61, 0.0, 0.0))]), hull_of(LONG))
    assert len(touches) == 1
    assert touches["point"][0] == pytest.approx((0.5, -0.2, 0.4))
    assert touches["gap"][0] == pytest.approx(-0.01)


@pytest.mark.slow
def test_cut_square_by_triangle():
    """A square of side 2 and a triangle with one corner at its middle: a pentagon's corners by hand."""
    square = np.zeros((16, 3))
    square[:4] = [(1, 1, 0), (-1, 1, 0), (-1, -1, 0), (1, -1, 0)]
    triangle = np.array([(0.0, 0.0, 5.0), (4.0, 2.0, 5.0), (4.0, -2.0, 5.0)])  # at another height: seen along z
    n = cut(square, 4, triangle, 3, 0.0, 0.0, 1.0, np.zeros((16, 3)))
    assert rows(square[:n]) == pytest.approx(rows([(0, 0, 0), (1, 0.5, 0), (1, -0.5, 0)]), abs=1e-8)


@pytest.mark.slow
def test_full_table_keeps_the_deepest_and_near_points_are_one():
    touches, traits = np.zeros((4, CONTACT.size)), np.zeros(TRAITS.size)
    n = 0
    for i, gap in enumerate((0.03, 0.01, 0.02, -0.01, 0.0, 0.04)):
        n = add_contact(touches, n, float(i), 0.0, 0.0, 0.0, 0.0, -1.0, gap, traits)
    assert n == 4
    assert sorted(touches[:, 6]) == [-0.01, 0.0, 0.01, 0.02]
    n = add_contact(touches, n, 3.0 + 5e-4, 0.0, 0.0, 0.0, 0.0, -1.0, -0.02, traits)  # half a millimetre beside
    assert n == 4
    assert sorted(touches[:, 6]) == [-0.02, 0.0, 0.01, 0.02]
