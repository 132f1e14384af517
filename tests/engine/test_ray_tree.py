"""The tree of boxes: it holds everything once, and finds what a test of everything finds."""

import numpy as np
import pytest

from pelagos.engine.ray_tree import LEAF, build_tree
from tests.engine.ray_scene import ball_mesh, rays, solid_range, some_solid, triangle_ranges


def leaves(children):
    for child in children.ravel():
        if child < 0:
            yield (-1 - child) // (LEAF + 1), (-1 - child) % (LEAF + 1)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 17, 1000])
def test_every_primitive_is_in_one_leaf_inside_its_boxes(count):
    rng = np.random.default_rng(count)
    low = rng.uniform(-50.0, 50.0, (count, 3))
    boxes = np.concatenate([low, low + rng.uniform(0.0, 4.0, (count, 3))], axis=1)
    bounds, children, order = build_tree(boxes)
    seen = [p for first, size in leaves(children) for p in order[first : first + size]]
    assert sorted(seen) == list(range(count))

    def check(node, within):
        for c in range(2):
            child = children[node, c]
            if child >= 0:
                check(child, bounds[node, c])
            else:
                first, size = (-1 - child) // (LEAF + 1), (-1 - child) % (LEAF + 1)
                for p in order[first : first + size]:
                    assert (bounds[node, c, :3] <= boxes[p, :3]).all() and (bounds[node, c, 3:] >= boxes[p, 3:]).all()
            if within is not None and bounds[node, c, 0] <= bounds[node, c, 3]:
                assert (bounds[node, c, :3] >= within[:3]).all() and (bounds[node, c, 3:] <= within[3:]).all()

    check(0, None)


def test_boxes_that_all_lie_on_one_spot():
    boxes = np.tile([0.0, 0.0, 0.0, 1.0, 1.0, 1.0], (300, 1))
    _, children, order = build_tree(boxes)
    assert sorted(p for first, size in leaves(children) for p in order[first : first + size]) == list(range(300))


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
