"""A ray through the tree of boxes finds what a test of everything finds."""

import numpy as np
import pytest

from tests.engine.ray_scene import ball_mesh, rays, solid_range, some_solid, triangle_ranges


def test_meshes_against_every_triangle():
    rng = np.random.default_rng(12)
    meshes = [ball_mesh(rng.uniform(0.5, 2.0), 12, rng.uniform(-6.0, 6.0, 3)) for _ in range(6)]
    scene = rays(triangles=list(enumerate(meshes)))
    corners = np.concatenate(meshes)
    owners = np.repeat(np.arange(6), [len(mesh) for mesh in meshes])
    origins, directions = rng.uniform(-9.0, 9.0, (600, 3)), rng.normal(size=(600, 3))
    directions[::2] = corners[rng.integers(len(corners), size=300)].mean(axis=1) - origins[::2]
    found = scene.cast(origins, directions)
    for ray in range(600):
        ranges = triangle_ranges(corners, origins[ray], directions[ray])
        nearest = int(ranges.argmin())
        # a 3 x 3 solve loses some digits where the ray is nearly in the plane of the triangle
        assert found.range_m[ray] == pytest.approx(ranges[nearest], rel=1e-10)
        assert found.what[ray] == (owners[nearest] if np.isfinite(ranges[nearest]) else -2)
    assert (found.what >= 0).sum() > 100


def test_a_hundred_solids_against_each_alone():
    rng = np.random.default_rng(13)
    solids = []
    for k in range(100):
        item = some_solid(rng, k % 3)
        solids.append({**item, "center": rng.uniform(-40.0, 40.0, 3)})
    scene = rays(solids=solids)
    origins, directions = rng.uniform(-45.0, 45.0, (300, 3)), rng.normal(size=(300, 3))
    directions[:100] = [item["center"] for item in solids] - origins[:100]
    found = scene.cast(origins, directions)
    for ray in range(300):
        ranges = [solid_range(item, origins[ray], directions[ray]) for item in solids]
        # squares of coordinates of up to 100 m in the textbook algebra: 1e-8 near grazing
        assert found.range_m[ray] == pytest.approx(min(ranges), rel=1e-8)
        assert found.what[ray] == (int(np.argmin(ranges)) if np.isfinite(min(ranges)) else -2)
    assert (found.what >= 0).sum() > 50


def test_rays_along_the_axes_and_on_the_faces_of_boxes():
    """Directions with zeros, origins in the planes of the boxes' faces: a lattice of unit squares seen face on."""
    corner = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 1, 0], [1, 0, 0]], float).reshape(2, 3, 3)
    places = np.stack(np.meshgrid(np.arange(6.0), np.arange(6.0), [2.0, 5.0], indexing="ij"), -1).reshape(-1, 1, 1, 3)
    mesh = (corner + places).reshape(-1, 3, 3)
    scene = rays(triangles=[(0, mesh)])
    x, y = np.meshgrid(np.arange(0.0, 6.25, 0.25), np.arange(0.0, 6.25, 0.25))
    origins, down = np.column_stack([x.ravel(), y.ravel(), 0.0 * x.ravel()]), np.array([0.0, 0.0, 1.0])
    np.testing.assert_allclose(scene.cast(origins, (0.0, 0.0, 1.0)).range_m, 2.0, rtol=1e-12)
    np.testing.assert_allclose(scene.cast(origins + 9.0 * down, (0.0, 0.0, -1.0)).range_m, 4.0, rtol=1e-12)
    np.testing.assert_allclose(scene.cast(origins + 3.0 * down, (0.0, 0.0, 1.0)).range_m, 2.0, rtol=1e-12)
    assert (scene.cast(origins + 3.5 * down, (1.0, 0.0, 0.0)).what == -2).all()


def test_the_normal_of_a_mesh_faces_the_ray():
    scene = rays(triangles=[(0, ball_mesh(2.0, 24))])
    rng = np.random.default_rng(5)
    directions = rng.normal(size=(200, 3))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    inside, outside = scene.cast((0.0, 0.0, 0.0), directions), scene.cast(-5.0 * directions, directions)
    # facets of a ball of 24 sides: their normals lie within 15 degrees of the radius
    assert ((inside.normal * directions).sum(axis=1) < -0.96).all()
    assert ((outside.normal * directions).sum(axis=1) < -0.96).all()
    np.testing.assert_allclose(np.linalg.norm(inside.normal, axis=1), 1.0, rtol=1e-12)
