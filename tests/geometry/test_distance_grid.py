"""Distance grids of meshes against the exact distance of a box and of convex polyhedra, in sign and in size."""

import numpy as np
import pytest

from pelagos.engine.contact.shapes import distance
from pelagos.engine.water.sea import BOX
from pelagos.geometry.distance_grid import BAND, default_step, distance_grid, node_count
from pelagos.geometry.mesh import Mesh, solid_triangles, winding
from tests.geometry.test_mesh import closed


def nodes(grid):
    return np.indices(grid.distance_m.shape).reshape(3, -1).T * grid.step_m + np.array(grid.origin_m)


def test_box_is_exact_near_the_skin_and_almost_exact_far_away():
    half = (0.8, 0.5, 0.3)
    mesh = closed(solid_triangles("box", half, 0.0))
    grid = distance_grid(mesh, 0.05)
    row = np.array([BOX, 0, 0, 0, *np.eye(3).ravel(), *half])
    want = np.array([distance(row, *node)[0] for node in nodes(grid)])
    computed = grid.distance_m.ravel()
    close = np.abs(want) < BAND * grid.step_m
    assert np.max(np.abs(computed - want)[close]) < 1e-12
    assert np.max(np.abs(computed - want)) < 1e-9  # twelve triangles: the sweeps find the nearest everywhere
    assert grid.distance_m.shape == node_count(mesh, 0.05)


@pytest.mark.slow
def test_sphere_and_hollow_have_the_right_sign_everywhere():
    """A ball with a ball-shaped hollow inside: two skins, the inner one turned."""
    outer = solid_triangles("sphere", (1.0, 1.0, 1.0), 0.0)
    inner = solid_triangles("sphere", (0.5, 0.5, 0.5), 0.0)[:, ::-1]
    mesh = closed(np.concatenate([outer, inner]))
    grid = distance_grid(mesh, default_step(mesh))
    places, rng = nodes(grid), np.random.default_rng(0)
    chosen = rng.choice(len(places), 400, replace=False)
    turns = winding(mesh.corners(), places[chosen])
    assert np.array_equal(grid.distance_m.ravel()[chosen] < 0.0, turns > 0.5)
    radius = np.linalg.norm(places, axis=1)
    want = np.maximum(radius - 1.0, 0.5 - radius)
    # flat facets: at most 1 - cos(pi/32)^2 = 0.0096 inside the sphere
    assert np.max(np.abs(grid.distance_m.ravel() - want)) < 0.011


def test_thin_plate_between_nodes_keeps_its_inside_and_outside():
    mesh = closed(solid_triangles("box", (1.0, 0.6, 0.004), 0.0))
    grid = distance_grid(mesh, 0.05)
    count = np.count_nonzero(grid.distance_m < 0.0)
    at = nodes(grid)
    inside = np.all(np.abs(at) < (1.0, 0.6, 0.004), axis=1)
    assert count == np.count_nonzero(inside)
    assert grid.distance_m.min() >= -0.004 - 1e-12
    assert isinstance(mesh, Mesh) and grid.distance_m.max() > 0.1


def test_default_step_is_a_64th():
    mesh = closed(solid_triangles("box", (3.2, 1.0, 1.0), 0.0))
    assert default_step(mesh) == pytest.approx(0.1)
    assert node_count(mesh, 0.1)[0] in (71, 72)  # 64 steps, three more on each side, ends included
