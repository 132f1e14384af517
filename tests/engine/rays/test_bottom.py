"""Rays against the bottom: plane and slope in closed form, height maps against a march along the ray."""

import math

import numpy as np
import pytest

from pelagos.engine.compiled import entry
from pelagos.engine.core.views import as_numbers
from pelagos.engine.rays.bottom import first_root, pyramid
from pelagos.engine.rays.lanes import load, store
from pelagos.world.seabed.seabed import Seabed, seabed_from_array
from tests.engine.ray_scene import rays, unit

EXACT = 1e-12  # relative: a few thousand rounding errors, for some tens of operations each


def rough(rng, shape=(9, 12), relief=3.0):
    return 20.0 + relief * rng.normal(size=shape)


def test_flat_bottom_is_height_over_cosine():
    scene = rays(plane=(30.0, 0.0, 0.0))
    for angle in np.radians([0.0, 10.0, 45.0, 80.0, 89.9]):
        hits = scene.cast((3.0, 4.0, 10.0), (math.sin(angle), 0.0, math.cos(angle)))
        assert hits.range_m[0] == pytest.approx(20.0 / math.cos(angle), rel=EXACT)
        assert hits.obstacle[0] == -1
        np.testing.assert_allclose(hits.normal[0], (0.0, 0.0, -1.0), atol=1e-15)
    assert scene.cast((0.0, 0.0, 10.0), (1.0, 0.0, 0.0)).obstacle[0] == -2  # level
    assert scene.cast((0.0, 0.0, 10.0), (1.0, 0.0, -0.1)).range_m[0] == math.inf
    assert scene.cast((0.0, 0.0, 30.0), (0.0, 0.0, 1.0)).range_m[0] == 0.0  # touches it
    np.testing.assert_allclose(scene.cast((0.0, 0.0, 40.0), (0.0, 0.0, -1.0)).normal[0], (0.0, 0.0, 1.0))  # from below


def test_slope_by_the_law_of_sines():
    slope = math.radians(20.0)
    steep = math.tan(slope)
    scene = rays(plane=(30.0, 0.6 * steep, 0.8 * steep))
    height = 30.0 * math.cos(slope)  # of the origin over the slope, along its normal
    for dip in np.radians([-15.0, 0.0, 30.0, 60.0, 90.0]):
        hits = scene.cast((0.0, 0.0, 0.0), (-0.6 * math.cos(dip), -0.8 * math.cos(dip), math.sin(dip)))
        assert hits.range_m[0] == pytest.approx(height / math.sin(dip + slope), rel=EXACT)
    np.testing.assert_allclose(
        hits.normal[0], (0.6 * math.sin(slope), 0.8 * math.sin(slope), -math.cos(slope)), atol=1e-15
    )


@pytest.mark.parametrize("above", [True, False])
def test_a_plane_given_as_a_height_map(above):
    rng = np.random.default_rng(2)
    north, east = np.meshgrid(np.arange(40) * 2.0 - 40.0, np.arange(30) * 3.0 - 45.0, indexing="ij")
    plane = (25.0, 0.11, -0.07)
    map_scene = rays(grid=plane[0] + plane[1] * north + plane[2] * east, origin=(-40.0, -45.0), step=(2.0, 3.0))
    plane_scene = rays(plane=plane)
    origins = np.column_stack([rng.uniform(-5.0, 5.0, (400, 2)), np.full(400, 5.0 if above else 45.0)])
    directions = unit(np.column_stack([rng.normal(size=(400, 2)), np.full(400, 1.5 if above else -1.5)]))
    expected, hits = plane_scene.cast(origins, directions), map_scene.cast(origins, directions)
    within = np.abs(origins + expected.range_m[:, None] * directions)[:, :2].max(axis=1) < 35.0
    assert within.sum() > 300
    np.testing.assert_allclose(hits.range_m[within], expected.range_m[within], rtol=EXACT)
    np.testing.assert_allclose(hits.normal[within], expected.normal[within], atol=1e-12)


def test_height_maps_against_a_march_along_the_ray():
    """The hit lies on the surface that Seabed.z gives, and nothing lies before it: above, below, outside, grazing."""
    rng = np.random.default_rng(7)
    counts = {-1: 0, -2: 0}
    for _ in range(12):
        spacing = float(rng.uniform(0.5, 3.0))
        bottom = seabed_from_array(rough(rng), spacing_m=spacing, origin_m=(-5.0, 4.0))
        scene = rays(grid=bottom.map.z_m, origin=bottom.map.origin_m, step=bottom.map.step_m)
        origins = np.column_stack(
            [rng.uniform(-15.0, 30.0, 60), rng.uniform(-10.0, 45.0, 60), rng.choice([5.0, 18.0, 20.0, 22.0, 35.0], 60)]
        )
        directions = unit(rng.normal(size=(60, 3)) * rng.choice([0.02, 0.3, 1.0], (60, 1)) ** [0, 0, 1])
        hits = scene.cast(origins, directions)
        for ray, (o, d) in enumerate(zip(origins, directions, strict=True)):
            reach = hits.range_m[ray]
            counts[int(hits.obstacle[ray])] += 1

            def height(t, o=o, d=d, bottom=bottom):
                return bottom.z(o[0] + t * d[0], o[1] + t * d[1]) - (o[2] + t * d[2])

            if math.isfinite(reach):
                assert abs(height(reach)) < 1e-11 * (1.0 + reach)  # metres; rounding of coordinates of some 100 m
            before = np.linspace(0.0, min(reach * (1.0 - 1e-9), 200.0), 3000)
            side = np.sign(height(before))
            assert (side == side[0]).all(), "the bottom was crossed before the hit"
    assert min(counts.values()) > 50


def test_vertical_rays_read_the_depth_everywhere():
    rng = np.random.default_rng(8)
    bottom = seabed_from_array(rough(rng, (6, 5)), spacing_m=2.0)
    scene = rays(grid=bottom.map.z_m, step=(2.0, 2.0))
    nodes = np.stack(np.meshgrid(np.arange(-2.0, 13.0), np.arange(-2.0, 11.0), indexing="ij"), -1).reshape(-1, 2)
    points = np.concatenate([nodes, rng.uniform(-20.0, 30.0, (200, 2))])  # on nodes, edges, inside, outside
    hits = scene.cast(np.column_stack([points, np.zeros(len(points))]), (0.0, 0.0, 1.0))
    np.testing.assert_allclose(hits.range_m, bottom.z(*points.T), rtol=EXACT)
    # the normal has a jump on cell edges; compare off them
    np.testing.assert_allclose(hits.normal[-200:], bottom.normal(*points[-200:].T), atol=1e-12)


def test_the_edge_continues_to_the_horizon():
    bottom = Seabed(kind="profile", rows_m=((0.0, 10.0), (10.0, 20.0), (20.0, 15.0)))
    scene = rays(grid=bottom.map.z_m, origin=bottom.map.origin_m, step=bottom.map.step_m)
    far = scene.cast((5.0, 1e5, 0.0), (0.0, 1.0, 1e-3))  # along the strike, 15 m deep there
    assert far.range_m[0] == pytest.approx(15.0 * math.sqrt(1.0 + 1e6), rel=EXACT)
    before = scene.cast((-1e4, 0.0, 0.0), (0.0, 0.0, 1.0))
    assert before.range_m[0] == pytest.approx(10.0, rel=EXACT)


@pytest.mark.parametrize("nodes", [(11, 6), (6, 11), (2, 40), (8, 7)])
def test_pyramid_holds_the_extremes_of_its_blocks(nodes):
    rng = np.random.default_rng(9)
    z = rough(rng, nodes)
    ring = np.pad(z, 1, mode="edge")  # the cells round the map have the heights of the edge
    bounds, (row, column, end, largest, half, peak, trough) = pyramid(z)
    rows, columns = nodes[0] + 1, nodes[1] + 1
    assert largest >= max(rows, columns) and len(bounds) == 2 * half
    size = 1
    while size <= largest:
        for i in range(0, rows, size):
            for j in range(0, columns, size):
                block = ring[i : min(i + size, rows) + 1, j : min(j + size, columns) + 1]
                at = int((i // size) * row + (j // size) * column + end * (1.0 - 1.0 / size))
                for hits, expected in ((bounds[at], block.min()), (bounds[int(half) + at], -block.max())):
                    # below, by the rounding to float32 and its allowance: 2 x 1.2e-7 of some 30 m
                    assert expected - 1e-5 < hits <= expected
        size *= 2
    assert peak == z.min() and trough == -z.max()


def test_first_root_is_the_smaller_root_of_the_quadratic():
    """Lanes: constant below 0; (s - 1)(s - 3) and its kin, lines, parabolas that turn before or after 0 or the end."""
    shape = np.array([-2.0, -1.0, 3.0, 1.0, -1.0, -4.0, -1.0, -1.0])  # of (s - a)(s - b)
    a, b = np.array([1.0, 1.0, -2.0, -0.5, 1.0, 5.0, 0.25, 3.0]), np.array([3.0, 4.0, 0.5, 2.0, 1.5, 6.0, 0.5, 3.5])
    constant, linear, length = shape * a * b, -shape * (a + b), np.full(8, 2.0)
    assert (constant < 0.0).all()

    @entry
    def roots(c, b, a, end, out):
        store(
            as_numbers(out),
            0,
            first_root(
                load(as_numbers(c), 0), load(as_numbers(b), 0), load(as_numbers(a), 0), load(as_numbers(end), 0)
            ),
        )

    hits = np.empty(8)
    roots(constant, linear, shape, length, hits)
    expected = np.where(a > 0.0, a, b)
    np.testing.assert_allclose(hits, np.where(expected <= length, expected, np.inf), rtol=1e-14)
