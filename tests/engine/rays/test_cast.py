"""The kernel of rays: seabed and structures together, and the same figures without the compiler."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pelagos.engine.water.sea import BOX, CYLINDER, HALF_SPACE, SPHERE
from tests.engine.ray_scene import ball_mesh, rays, solid, solid_range, some_solid, triangle_ranges, unit

ROOT = Path(__file__).parents[3]


def everything(seed=21):
    rng = np.random.default_rng(seed)
    solids = [{**some_solid(rng, kind), "center": rng.uniform(2.0, 14.0, 3)} for kind in (BOX, CYLINDER, SPHERE) * 2]
    solids.append(solid(HALF_SPACE, (0.0, 0.0, 0.0), (30.0, 0.0, 0.0), [[0, 0, 1], [0, 1, 0], [-1, 0, 0]]))
    mesh = ball_mesh(1.5, 12, (8.0, 2.0, 6.0))
    scene = {"grid": 15.0 + rng.normal(size=(12, 10)), "step": (1.5, 1.5), "solids": solids}
    origins, directions = rng.uniform(0.0, 12.0, (300, 3)), rng.normal(size=(300, 3))
    return scene, mesh, origins, directions


def test_the_nearest_of_all_is_reported():
    scene, mesh, origins, directions = everything()
    hits = rays(triangles=[(7, mesh)], **scene).cast(origins, directions)
    bottom = rays(grid=scene["grid"], step=scene["step"]).cast(origins, directions)
    for ray, (o, d) in enumerate(zip(origins, directions, strict=True)):
        ranges = [solid_range(item, o, d) for item in scene["solids"]]
        ranges += [triangle_ranges(mesh, o, d).min(), bottom.range_m[ray]]
        nearest = int(np.argmin(ranges))
        assert hits.range_m[ray] == pytest.approx(ranges[nearest], rel=1e-9)  # algebra near grazing, see ray_shapes
        expected = -1 if nearest == 8 else nearest
        assert hits.obstacle[ray] == (expected if np.isfinite(ranges[nearest]) else -2)
    assert set(hits.obstacle.tolist()) >= {-2, -1, 7}


def test_a_range_limit_hides_what_lies_behind_it():
    scene, mesh, origins, directions = everything()
    tracer = rays(triangles=[(7, mesh)], **scene)
    free, near = tracer.cast(origins, directions), tracer.cast(origins, directions, max_range_m=6.0)
    visible = free.range_m < 6.0
    assert 30 < visible.sum() < 290
    np.testing.assert_array_equal(near.range_m[visible], free.range_m[visible])
    assert (near.obstacle[~visible] == -2).all() and np.isinf(near.range_m[~visible]).all()
    assert (near.normal[~visible] == 0.0).all()


def test_an_empty_sea_has_nothing_to_hit():
    hits = rays().cast(np.zeros((5, 3)), np.eye(3)[[0, 1, 2, 0, 1]])
    assert (hits.obstacle == -2).all() and np.isinf(hits.range_m).all()


CODE = """
import json, sys
import numpy as np
from tests.engine.rays.test_cast import everything
from tests.engine.ray_scene import rays
scene, mesh, origins, directions = everything()
hits = rays(triangles=[(7, mesh)], **scene).cast(origins[:60], directions[:60])
print(json.dumps({"range": hits.range_m.tolist(), "normal": hits.normal.tolist(), "obstacle": hits.obstacle.tolist()}))
"""


@pytest.mark.slow
def test_the_same_without_the_compiler():
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    run = subprocess.run([sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, cwd=ROOT)
    assert run.returncode == 0, run.stderr[-2000:]
    plain = json.loads(run.stdout)
    scene, mesh, origins, directions = everything()
    hits = rays(triangles=[(7, mesh)], **scene).cast(origins[:60], directions[:60])
    # the compiler may fuse and reorder sums
    np.testing.assert_allclose(hits.range_m, plain["range"], rtol=1e-11)
    np.testing.assert_allclose(hits.normal, plain["normal"], atol=1e-10)
    assert hits.obstacle.tolist() == plain["obstacle"]


def test_directions_of_any_length_give_metres():
    scene, mesh, origins, directions = everything()
    tracer = rays(triangles=[(7, mesh)], **scene)
    scaled = tracer.cast(origins, directions * np.geomspace(1e-6, 1e6, 300)[:, None])
    np.testing.assert_allclose(scaled.range_m, tracer.cast(origins, unit(directions)).range_m, rtol=1e-12)
