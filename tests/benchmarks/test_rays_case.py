"""The benchmark scene is what it says it is, and its numbers are times."""

import numpy as np

from benchmarks.rays_case import bundles, rays_case, scene
from pelagos.engine.water.sea import SEA
from pelagos.world.rays import Rays


def test_the_scene_has_the_size_that_is_asked_for():
    sea, z, solids = scene()
    header = sea[: SEA.size].view(SEA.dtype)[0]
    assert header["grid_count"].tolist() == [500, 500] == list(z.shape)
    assert header["n_solids"] == len(solids) == 100
    assert 3.9 < z.std() < 4.1 and z.min() > 40.0
    for item in solids:
        turn = item["axes"].reshape(3, 3)
        np.testing.assert_allclose(turn @ turn.T, np.eye(3), atol=1e-12)
        assert np.linalg.det(turn) > 0.99


def test_the_bundles_meet_bottom_structures_and_open_water():
    tracer = Rays(scene()[0])
    met = {name: tracer.cast(*bundle).what for name, bundle in bundles(5000).items()}
    assert all(len(what) == 5000 for what in met.values())
    assert all((what == -1).sum() > 3000 and (what >= 0).sum() > 20 for what in met.values())
    assert (met["forward"] == -2).sum() > 100


def test_the_case_returns_seconds():
    found = rays_case(rays=2000, repeats=1)
    assert set(found) == {"prepare_s", "scattered_s", "swath_s", "forward_s"}
    assert all(0.0 < value < 1000.0 for value in found.values())
