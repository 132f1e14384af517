"""Bounding volume hierarchy: it holds every solid once, and a ray hits what a test of all solids hits."""

import numpy as np
import pytest

from pelagos.engine.rays.tree import WIDE, build_tree
from tests.engine.ray_scene import ball_mesh, rays, solid_range, some_solid, triangle_ranges


def held(children, leaves, order):
    """The primitives of each leaf that a branch leads to."""
    for child in children.ravel():
        if child < 0:
            first, size = leaves[-1 - child]
            yield order[first : first + size]


def check(tree, boxes, node=0, within=None):
    """All that hangs on a branch lies in its box; empty branches have boxes inside out."""
    bounds, children, leaves, order = tree
    for branch in range(WIDE):
        low, high, child = bounds[node, :3, branch], bounds[node, 3:, branch], children[node, branch]
        if (low > high).all():
            assert child >= 0 or leaves[-1 - child, 1] == 0
            continue
        if within is not None:
            assert (low >= within[0]).all() and (high <= within[1]).all()
        if child >= 0:
            check(tree, boxes, child, (low, high))
        else:
            first, size = leaves[-1 - child]
            inside = boxes[order[first : first + size]]
            assert (low <= inside[:, :3]).all() and (high >= inside[:, 3:]).all()


@pytest.mark.parametrize("count", [0, 1, 2, 3, 17, 1000])
@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
def test_every_primitive_is_in_one_leaf_inside_its_boxes(count, share):
    rng = np.random.default_rng(count)
    low = rng.uniform(-50.0, 50.0, (count, 3))
    boxes = np.concatenate([low, low + rng.uniform(0.0, 4.0, (count, 3))], axis=1)
    n_alone = int(share * count)
    bounds, children, leaves, order = build_tree(boxes, n_alone)
    groups = list(held(np.where(bounds[:, 0] <= bounds[:, 3], children, 0), leaves, order))
    assert sorted(p for group in groups for p in group) == list(range(count))
    assert all(len(group) == 1 for group in groups if (group < n_alone).any())
    assert all(len(group) <= WIDE for group in groups)
    check((bounds, children, leaves, order), boxes)


def test_boxes_that_all_lie_on_one_spot():
    boxes = np.tile([0.0, 0.0, 0.0, 1.0, 1.0, 1.0], (300, 1))
    _, children, leaves, order = build_tree(boxes, 0)
    assert sorted(p for group in held(children, leaves, order) for p in group) == list(range(300))


def test_meshes_against_every_triangle():
    rng = np.random.default_rng(12)
    meshes = [ball_mesh(rng.uniform(0.5, 2.0), 12, rng.uniform(-6.0, 6.0, 3)) for _ in range(6)]
    scene = rays(triangles=list(enumerate(meshes)))
    corners = np.concatenate(meshes)
    owners = np.repeat(np.arange(6), [len(mesh) for mesh in meshes])
    origins, directions = rng.uniform(-9.0, 9.0, (600, 3)), rng.normal(size=(600, 3))
    directions[::2] = corners[rng.integers(len(corners), size=300)].mean(axis=1) - origins[::2]
    hits = scene.cast(origins, directions)
    for ray in range(600):
        ranges = triangle_ranges(corners, origins[ray], directions[ray])
        nearest = int(ranges.argmin())
        # a 3 x 3 solve loses some digits where the ray is nearly in the plane of the triangle
        assert hits.range_m[ray] == pytest.approx(ranges[nearest], rel=1e-10)
        assert hits.obstacle[ray] == (owners[nearest] if np.isfinite(ranges[nearest]) else -2)
    assert (hits.obstacle >= 0).sum() > 100


@pytest.mark.slow
def test_a_hundred_solids_against_each_alone():
    rng = np.random.default_rng(13)
    solids = []
    for k in range(100):
        item = some_solid(rng, k % 3)
        solids.append({**item, "center": rng.uniform(-40.0, 40.0, 3)})
    scene = rays(solids=solids)
    origins, directions = rng.uniform(-45.0, 45.0, (300, 3)), rng.normal(size=(300, 3))
    directions[:100] = [item["center"] for item in solids] - origins[:100]
    hits = scene.cast(origins, directions)
    for ray in range(300):
        ranges = [solid_range(item, origins[ray], directions[ray]) for item in solids]
        # squares of coordinates of up to 100 m in the textbook algebra: 1e-8 near grazing
        assert hits.range_m[ray] == pytest.approx(min(ranges), rel=1e-8)
        assert hits.obstacle[ray] == (int(np.argmin(ranges)) if np.isfinite(min(ranges)) else -2)
    assert (hits.obstacle >= 0).sum() > 50


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
    assert (scene.cast(origins + 3.5 * down, (1.0, 0.0, 0.0)).obstacle == -2).all()


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
