"""The scene of the ray benchmark has the stated size, and the benchmark returns times."""

import numpy as np

from benchmarks.rays import bundles, measure_rays, scene, triangulate
from pelagos.engine.water.sea import BOX, CYLINDER, SEA, SPHERE
from pelagos.world.rays import Rays


def test_the_scene_has_the_given_size():
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
    met = {name: tracer.cast(*bundle).obstacle for name, bundle in bundles(5000).items()}
    assert all(len(what) == 5000 for what in met.values())
    assert all((what == -1).sum() > 3000 and (what >= 0).sum() > 20 for what in met.values())
    assert (met["forward"] == -2).sum() > 100


def test_the_case_returns_seconds():
    times = measure_rays(rays=2000, repeats=1)
    assert set(times) == {"prepare_s", "scattered_s", "swath_s", "forward_s"}
    assert all(0.0 < value < 1000.0 for value in times.values())


def test_triangles_of_a_solid_enclose_its_volume():
    """Divergence theorem: the volume is the sum of a . (b x c) / 6 over outward triangles; round solids lose chords."""
    axes, center = np.linalg.qr(np.random.default_rng(5).normal(size=(3, 3)))[0], np.array([10.0, -4.0, 60.0])
    cases = {
        BOX: ([1.0, 2.0, 3.0], 48.0, 1e-12),
        CYLINDER: ([4.0, 1.0, 0.0], np.pi * 8.0, 0.003),  # 48 sides: 1 - sin(x) / x, x = 2 pi / 48
        SPHERE: ([2.0, 2.0, 2.0], 4.0 / 3.0 * np.pi * 8.0, 0.01),
    }
    for kind, (half, volume, loss) in cases.items():
        triangles = triangulate({"kind": kind, "half": np.array(half), "axes": axes.ravel(), "center": center})
        a, b, c = np.moveaxis(triangles - center, 1, 0)
        enclosed = abs(np.einsum("ij,ij->i", a, np.cross(b, c)).sum()) / 6.0
        assert volume * (1.0 - loss) <= enclosed <= volume * (1.0 + 1e-12)
