"""The public interface of rays: shapes of inputs, names of outputs, error messages."""

import numpy as np
import pytest

from pelagos.engine.water.sea import BOX, DISTANCE_GRID, SPHERE
from pelagos.errors import CommandError
from pelagos.world.rays import Rays
from tests.engine.ray_scene import ball_mesh, packed, rays, solid


def test_one_origin_serves_many_directions_and_the_other_way_round():
    scene = rays(plane=(10.0, 0.0, 0.0))
    fan = [(np.tan(angle), 0.0, 1.0) for angle in np.radians([-60.0, 0.0, 60.0])]
    np.testing.assert_allclose(scene.cast((0.0, 0.0, 4.0), fan).range_m, [12.0, 6.0, 12.0], rtol=1e-12)
    depths = [(0.0, 0.0, z) for z in (1.0, 2.0, 3.0, 4.0)]
    np.testing.assert_allclose(scene.cast(depths, (0.0, 0.0, 2.0)).range_m, [9.0, 8.0, 7.0, 6.0], rtol=1e-12)
    assert len(scene.cast(np.zeros((0, 3)), np.zeros((0, 3)))) == 0


def test_what_was_hit_has_a_name():
    sea = packed(plane=(20.0, 0.0, 0.0), solids=[solid(SPHERE, (1.0,) * 3, (5.0, 0.0, 5.0)), solid(BOX, (1.0,) * 3)])
    hits = Rays(sea, names=("buoy", "crate")).cast(
        (5.0, 0.0, 0.0), [(0.0, 0.0, 1.0), (-1.0, 0.0, 0.0), (1.0, 0.0, 1.0), (0.0, 0.0, -1.0)]
    )
    assert [hits.name(ray) for ray in range(4)] == ["buoy", "crate", "seabed", "nothing"]
    assert Rays(sea).cast((5.0, 0.0, 0.0), (0.0, 0.0, 1.0)).name(0) == "structure 0"


def test_a_mesh_keeps_its_number_among_solids():
    grid = {**solid(DISTANCE_GRID, (0.0, 0.0, 0.0))}
    sea = packed(solids=[solid(SPHERE, (1.0,) * 3, (0.0, 9.0, 0.0)), grid])
    hits = Rays(sea, [(1, ball_mesh(2.0))]).cast((0.0, -5.0, 0.01), [(0.0, 1.0, 0.0), (0.0, -1.0, 0.0)])
    assert hits.obstacle.tolist() == [1, -2]
    with pytest.raises(CommandError, match="structure is 1; rays need the triangles of a mesh"):
        Rays(sea)


def test_triangles_without_area_are_left_out():
    flat = np.array([[[0.0, 0.0, 5.0], [1.0, 0.0, 5.0], [2.0, 0.0, 5.0]], [[-1, -1, 6], [3, -1, 6], [-1, 3, 6]]])
    assert rays(triangles=[(0, flat)]).cast((0.5, 0.0, 0.0), (0.0, 0.0, 1.0)).range_m[0] == pytest.approx(
        6.0, rel=1e-12
    )


@pytest.mark.parametrize(
    ("origins", "directions", "options", "message"),
    [
        ((0, 0, 0), [(0, 0, 1), (0, 0, 0)], {}, r"direction of ray 1 is .* direction that is not zero"),
        ([(0, 0, 0), (0, np.nan, 0)], (0, 0, 1), {}, r"ray 1 is \(\[0.0, nan, 0.0\]"),
        ((0, 0, 0), (0, np.inf, 0), {}, "ray 0"),
        ((0, 0), (0, 0, 1), {}, r"shape of origins is \(1, 2\); expected rows of north, east, down"),
        ("here", (0, 0, 1), {}, "origins is 'here'"),
        (np.zeros((2, 3)), np.ones((3, 3)), {}, "number of directions is 3; expected 1 or 2, the number of origins"),
        ((0, 0, 0), (0, 0, 1), {"max_range_m": -5.0}, "max_range_m is -5; expected a number above 0"),
        ((0, 0, 0), (0, 0, 1), {"max_range_m": "far"}, "max_range_m is 'far'"),
    ],
)
def test_mistakes_get_a_sentence(origins, directions, options, message):
    with pytest.raises(CommandError, match=message):
        rays(plane=(10.0, 0.0, 0.0)).cast(origins, directions, **options)


def test_threads_may_share_a_tracer():
    from concurrent.futures import ThreadPoolExecutor

    rng = np.random.default_rng(0)
    scene = rays(grid=20.0 + rng.normal(size=(30, 30)), solids=[solid(SPHERE, (3.0,) * 3, (15.0, 15.0, 12.0))])
    origins = np.column_stack([rng.uniform(0.0, 29.0, (4000, 2)), np.zeros(4000)])
    directions = rng.normal(size=(4000, 3))
    alone = scene.cast(origins, directions).range_m
    with ThreadPoolExecutor(4) as pool:
        parts = pool.map(lambda k: scene.cast(origins[k::4], directions[k::4]).range_m, range(4))
    for k, part in enumerate(parts):
        np.testing.assert_array_equal(part, alone[k::4])
