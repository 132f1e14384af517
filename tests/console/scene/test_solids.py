"""Solids of the picture are closed, face outward and have the volumes and sizes of the closed forms."""

from math import pi

import numpy as np
import pytest

from pelagos.console.scene import solids as solid
from pelagos.geometry.mesh import enclosed_volume, open_edges, weld

POLYGON = solid.AROUND / (2.0 * pi) * np.sin(2.0 * pi / solid.AROUND)  # area of the inscribed polygon over the circle's


def size(mesh):
    return np.ptp(mesh.vertices, axis=0)


@pytest.mark.parametrize(
    ("mesh", "volume"),
    [
        (solid.cylinder(0.7, 0.2), POLYGON * pi * 0.04 * 1.4),
        (solid.box((0.2, 0.3, 0.5)), 0.03),
        (solid.prism([(0, 0), (2, 0), (0, 1)], -1.0, 2.0), 3.0),
        # a box of 2 x 1 x 0.6 less four edges of right triangles with legs of 0.1
        (solid.block((2.0, 1.0, 0.6), 0.1), 2.0 * (0.6 - 4 * 0.005)),
        # a trapezium with parallel sides 0.4 and 0.3, 1 m apart, 6 % of the chord thick
        (solid.plate(0.4, 1.0), 0.35 * 0.024),
    ],
)
def test_volumes_of_flat_faced_solids_are_exact(mesh, volume):
    assert enclosed_volume(mesh) == pytest.approx(volume, rel=1e-9)  # sums of a few dozen products
    assert open_edges(weld(mesh)) == 0


@pytest.mark.parametrize(
    ("mesh", "volume"),
    [
        (solid.capsule(0.5, 0.1), pi * 0.01 * (1.0 + 4.0 / 3.0 * 0.1)),
        (solid.ellipsoid((0.5, 0.2, 0.1)), 4.0 / 3.0 * pi * 0.01),
    ],
)
def test_round_solids_lie_just_inside_the_true_ones(mesh, volume):
    assert open_edges(mesh) == 0
    # inscribed: 24 corners around lose 1.1 %, seven steps from pole to equator another 1 %
    assert 0.97 * volume < enclosed_volume(mesh) < volume


@pytest.mark.parametrize("mesh", [solid.torpedo(1.0, 0.1), solid.duct(0.1, 0.06), solid.screw(0.1)])
def test_other_solids_are_closed_and_face_outward(mesh):
    assert open_edges(mesh) == 0
    assert enclosed_volume(mesh) > 0.0


def test_a_torpedo_stays_inside_its_tube_and_touches_its_ends():
    mesh = solid.torpedo(1.0, 0.1)
    assert size(mesh) == pytest.approx((2.0, 0.2, 0.2), rel=1e-12)  # rounding of one sine
    assert np.hypot(mesh.vertices[:, 1], mesh.vertices[:, 2]).max() <= 0.1 + 1e-12


def test_a_duct_leaves_its_propeller_free():
    mesh = solid.duct(0.1, 0.06)
    across = np.hypot(mesh.vertices[:, 1], mesh.vertices[:, 2])
    assert across.min() >= 0.05
    screw = solid.screw(0.1)
    assert np.hypot(screw.vertices[:, 1], screw.vertices[:, 2]).max() < across.min()


@pytest.mark.parametrize("direction", [(1, 0, 0), (0, 0, -1), (0.3, -0.5, 0.8), (-1, 0, 0)])
def test_along_is_a_proper_rotation_with_x_as_asked(direction):
    axes = solid.along(direction)
    assert axes @ axes.T == pytest.approx(np.eye(3), abs=1e-14)
    assert np.linalg.det(axes) == pytest.approx(1.0, abs=1e-14)
    assert axes[:, 0] == pytest.approx(np.array(direction) / np.linalg.norm(direction), abs=1e-14)


def test_joined_solids_keep_their_volumes():
    a, b = solid.box((1, 1, 1)), solid.placed(solid.box((1, 2, 1)), np.eye(3), (5, 0, 0))
    assert enclosed_volume(solid.joined([a, b])) == pytest.approx(3.0, rel=1e-12)


def vertex_normals(mesh):
    """Mean of the area-weighted normals of the triangles at each vertex, as three.js computes them."""
    corners = mesh.corners()
    face = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal = np.zeros_like(mesh.vertices)
    for k in range(3):
        np.add.at(normal, mesh.faces[:, k], face)
    return normal / np.linalg.norm(normal, axis=1, keepdims=True)


def test_creases_give_a_box_flat_faces_and_keep_a_ball_smooth():
    box = solid.creased(solid.box((1, 2, 3)))
    assert len(box.vertices) == 24
    assert np.abs(vertex_normals(box)).max(axis=1) == pytest.approx(np.ones(24), abs=1e-12)
    ball = solid.ellipsoid((1.0, 1.0, 1.0))
    smooth = solid.creased(ball)
    assert len(smooth.vertices) == len(ball.vertices)
    radial = smooth.vertices / np.linalg.norm(smooth.vertices, axis=1, keepdims=True)
    # steps of 13 and 15 degrees: a normal lies within half a step of the radius
    assert np.sum(vertex_normals(smooth) * radial, axis=1).min() > np.cos(np.radians(7.5))
    assert enclosed_volume(smooth) == pytest.approx(enclosed_volume(ball), rel=1e-12)
