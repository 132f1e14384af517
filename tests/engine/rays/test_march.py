"""The march over a height map: hits do not depend on the number of rays or on the other rays."""

import numpy as np
import pytest

from pelagos.engine.rays.march import SLOTS
from tests.engine.ray_scene import rays, unit


def rough_scene(seed=3, shape=(70, 45)):
    rng = np.random.default_rng(seed)
    grid = 30.0 + np.cumsum(np.cumsum(rng.normal(scale=0.05, size=shape), axis=0), axis=1)
    return rng, rays(grid=grid, origin=(-10.0, 5.0), step=(1.0, 2.0))


@pytest.mark.parametrize("count", [1, 7, 8, 9, SLOTS - 1, SLOTS, SLOTS + 1, 2047, 2049, 5000])
def test_a_ray_does_not_depend_on_other_rays(count):
    rng, scene = rough_scene()
    origins = np.column_stack([rng.uniform(-30.0, 80.0, (count, 2)), rng.uniform(0.0, 60.0, count)])
    directions = unit(rng.normal(size=(count, 3)))
    together = scene.cast(origins, directions)
    for ray in {0, count // 2, count - 1, *rng.integers(count, size=20).tolist()}:
        alone = scene.cast(origins[ray], directions[ray])
        assert alone.range_m[0] == together.range_m[ray] and alone.obstacle[0] == together.obstacle[ray]
        np.testing.assert_array_equal(alone.normal[0], together.normal[ray])


def test_a_range_limit_ends_the_march():
    rng, scene = rough_scene()
    origins = np.column_stack([rng.uniform(0.0, 50.0, (900, 2)), rng.uniform(0.0, 25.0, 900)])
    directions = unit(np.column_stack([rng.normal(size=(900, 2)), np.abs(rng.normal(size=900))]))
    free = scene.cast(origins, directions)
    for limit in (1.0, 20.0, 60.0):
        near = scene.cast(origins, directions, max_range_m=limit)
        visible = free.range_m < limit
        np.testing.assert_array_equal(near.range_m[visible], free.range_m[visible])
        assert (near.obstacle[~visible] == -2).all()
    assert 0 < (free.range_m < 20.0).sum() < 900


def test_rays_along_the_lines_of_the_map():
    """Exactly on node lines and towards nodes, level ones too: a ridge of known height stops them where it stands."""
    grid = np.full((33, 33), 20.0)
    grid[16, :] = 10.0  # a ridge along east, flanks of one cell
    scene = rays(grid=grid)
    for east in (0.0, 7.0, 7.5, 32.0, 50.0):
        for z in (10.0, 12.0, 15.0):  # the flank rises by 10 m over 1 m
            for start, way in ((0.0, 1.0), (32.0, -1.0), (-100.0, 1.0)):
                hits = scene.cast((start, east, z), (way, 0.0, 0.0))
                expected = abs(16.0 - start) - (z - 10.0) / 10.0
                assert hits.range_m[0] == pytest.approx(expected, rel=1e-12)
    over = scene.cast((0.0, 7.0, 9.999), (1.0, 0.0, 0.0))
    assert over.obstacle[0] == -2
    corner = scene.cast((0.0, 0.0, 4.0), (16.0, 16.0, 6.0))  # to a node on the crest
    assert corner.range_m[0] == pytest.approx(np.sqrt(16.0**2 + 16.0**2 + 36.0), rel=1e-12)
