"""Rays against solids: closed forms, from outside and inside, grazing, and surfaces without gaps."""

import math

import numpy as np
import pytest

from pelagos.engine.water.sea import BOX, CYLINDER, HALF_SPACE, SPHERE
from tests.engine.ray_scene import ball_mesh, rays, solid, solid_range, some_solid, unit

EXACT = 1e-12  # relative: a few thousand rounding errors, for some tens of operations each


def hit(scene, origin, direction):
    hits = scene.cast(origin, direction)
    return hits.range_m[0], hits.normal[0], hits.obstacle[0]


def test_sphere_from_outside_and_from_its_centre():
    scene = rays(solids=[solid(SPHERE, (2.0, 2.0, 2.0), (10.0, 0.0, 5.0))])
    distance, normal, what = hit(scene, (0.0, 0.0, 5.0), (1.0, 0.0, 0.0))
    assert distance == pytest.approx(8.0, rel=EXACT) and what == 0
    np.testing.assert_allclose(normal, (-1.0, 0.0, 0.0), atol=1e-15)
    distance, normal, _ = hit(scene, (10.0, 0.0, 5.0), (0.0, 3.0, 4.0))  # inside: out through the skin
    assert distance == pytest.approx(2.0, rel=EXACT)
    np.testing.assert_allclose(normal, (0.0, -0.6, -0.8), atol=1e-15)  # towards where the ray came from


def test_sphere_off_centre_is_the_chord():
    offset = 1.2  # from the centre line: half chord sqrt(2^2 - 1.2^2) = 1.6
    scene = rays(solids=[solid(SPHERE, (2.0, 2.0, 2.0), (1000.0, 0.0, 0.0))])
    assert hit(scene, (0.0, offset, 0.0), (1.0, 0.0, 0.0))[0] == pytest.approx(1000.0 - 1.6, rel=EXACT)


def test_a_ray_that_grazes_a_sphere_and_one_that_just_does_not():
    scene = rays(solids=[solid(SPHERE, (2.0, 2.0, 2.0), (10.0, 0.0, 0.0))])
    assert hit(scene, (0.0, 2.0 - 1e-9, 0.0), (1.0, 0.0, 0.0))[0] == pytest.approx(10.0, abs=1e-4)  # sqrt(2 r 1e-9)
    assert hit(scene, (0.0, 2.0 + 1e-9, 0.0), (1.0, 0.0, 0.0))[2] == -2


def test_column_side_cap_and_miss():
    upright = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])  # its x axis points up
    scene = rays(solids=[solid(CYLINDER, (5.0, 0.5, 0.0), (20.0, 0.0, 10.0), upright)])
    slanted = (1.0, 0.0, 0.1)
    distance, normal, _ = hit(scene, (0.0, 0.0, 9.0), slanted)
    assert distance == pytest.approx(19.5 * math.sqrt(1.01), rel=EXACT)
    np.testing.assert_allclose(normal, (-1.0, 0.0, 0.0), atol=1e-14)
    distance, normal, _ = hit(scene, (20.2, 0.1, 1.0), (0.0, 0.0, 1.0))
    assert distance == pytest.approx(4.0, rel=EXACT)
    np.testing.assert_allclose(normal, (0.0, 0.0, -1.0), atol=1e-15)
    assert hit(scene, (20.6, 0.0, 1.0), (0.0, 0.0, 1.0))[2] == -2
    assert hit(scene, (20.0, 0.0, 10.0), (0.0, 1.0, 0.0))[0] == pytest.approx(0.5, rel=EXACT)  # from inside


def test_box_faces():
    scene = rays(solids=[solid(BOX, (1.0, 2.0, 3.0), (10.0, 20.0, 30.0))])
    for axis, half in enumerate((1.0, 2.0, 3.0)):
        for side in (-1.0, 1.0):
            direction = np.zeros(3)
            direction[axis] = side
            start = np.array([10.0, 20.0, 30.0]) - 7.0 * direction
            distance, normal, _ = hit(scene, start, direction)
            assert distance == pytest.approx(7.0 - half, rel=EXACT)
            np.testing.assert_allclose(normal, -direction, atol=1e-15)
    assert hit(scene, (10.0, 20.0, 30.0), (0.0, 0.0, 5.0))[0] == pytest.approx(3.0, rel=EXACT)  # from inside


def test_wall_seen_from_both_sides():
    north = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])  # its z axis points north
    scene = rays(solids=[solid(HALF_SPACE, (0.0, 0.0, 0.0), (5.0, 0.0, 0.0), north)])
    direction = (2.0, 1.0, -1.0)
    distance, normal, what = hit(scene, (1.0, 3.0, 2.0), direction)
    assert distance == pytest.approx(4.0 * math.sqrt(6.0) / 2.0, rel=EXACT) and what == 0
    np.testing.assert_allclose(normal, (-1.0, 0.0, 0.0), atol=1e-15)
    np.testing.assert_allclose(hit(scene, (7.0, 0.0, 0.0), (-1.0, 0.0, 0.0))[1], (1.0, 0.0, 0.0), atol=1e-15)
    assert hit(scene, (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))[2] == -2  # along the wall


@pytest.mark.parametrize("kind", [BOX, CYLINDER, SPHERE, HALF_SPACE])
def test_any_pose_against_textbook_algebra(kind):
    rng = np.random.default_rng(kind)
    met = 0
    for _ in range(40):
        item = some_solid(rng, kind)
        scene = rays(solids=[item])
        origins, directions = rng.uniform(-8.0, 8.0, (25, 3)), rng.normal(size=(25, 3))
        directions[::2] = np.asarray(item["center"]) - origins[::2] + rng.normal(size=(13, 3))  # most of these hit
        hits = scene.cast(origins, directions)
        expected = [solid_range(item, o, d) for o, d in zip(origins, directions, strict=True)]
        # the algebra squares coordinates of up to 14 m: its own roots near grazing are good to 1e-10
        np.testing.assert_allclose(hits.range_m, expected, rtol=1e-9)
        met += int(np.isfinite(expected).sum())
        inside = np.isfinite(hits.range_m)
        assert (np.einsum("ij,ij->i", hits.normal, unit(directions))[inside] <= 0.0).all()
        np.testing.assert_allclose(np.linalg.norm(hits.normal[inside], axis=1), 1.0, rtol=1e-14)
    assert met > 300


def test_no_ray_leaves_a_closed_mesh():
    corners = ball_mesh(2.0)
    scene = rays(triangles=[(0, corners)])
    rng = np.random.default_rng(5)
    edges = (corners + np.roll(corners, 1, axis=1)).reshape(-1, 3) / 2.0  # the middle of every edge
    aimed = np.concatenate([corners.reshape(-1, 3), edges, rng.normal(size=(5000, 3))])
    origin = np.array([0.3, -0.2, 0.1])
    hits = scene.cast(origin, np.concatenate([aimed[: len(edges) * 2] - origin, aimed[len(edges) * 2 :]]))
    assert (hits.obstacle == 0).all()
    # between the balls inscribed and circumscribed; cos(pi / 24)^2 = 0.983 for both ways of facets
    reach = np.linalg.norm(origin + hits.range_m[:, None] * unit(aimed - origin)[:], axis=1)[: 2 * len(edges)]
    assert reach.min() > 1.96 and reach.max() < 2.0 + 1e-9
