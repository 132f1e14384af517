"""A camera that is turned the other way, stands elsewhere or clips elsewhere is caught."""

import numpy as np
import pytest

from evidence.tests.checked import joined
from pelagos_evidence.claim import ClaimVerdict
from pelagos_evidence.royer import camera, picture


def by_key(rows):
    return {row.key: row for row in rows}


@pytest.fixture
def rng():
    return np.random.default_rng(2)


@pytest.mark.parametrize("wrong", [{"tilt": -1.0}, {"pan": -1.0}])
def test_pan_and_tilt_the_other_way_are_caught(monkeypatch, rng, wrong):
    right = picture.in_camera
    turned = lambda look: look._replace(**{name: sign * getattr(look, name) for name, sign in wrong.items()})  # noqa: E731
    monkeypatch.setattr(camera, "in_camera", lambda look, points: right(turned(look), points))
    rows = by_key(joined(camera, camera.projection_values(rng)))
    assert not rows["perspective"].holds and not rows["pan-tilt"].holds


def test_the_printed_projection_is_caught(monkeypatch, rng):
    right = picture.projected
    monkeypatch.setattr(camera, "projected", lambda points, a, printed=False: right(points, a, True))
    assert not by_key(joined(camera, camera.projection_values(rng)))["perspective"].holds


def test_a_plane_on_the_wrong_side_is_caught(monkeypatch, rng):
    right = picture.planes
    monkeypatch.setattr(camera, "planes", lambda points, a, b: right(points, a, 1.1 * b))
    assert not by_key(joined(camera, camera.clipping_values(rng)))["clip-planes"].holds


def test_four_planes_through_a_point_make_fourteen_regions(rng):
    row = by_key(joined(camera, camera.clipping_values(rng)))["clip-regions"]
    assert row.numbers["ours"] == 14.0 and row.verdict is ClaimVerdict.REFUTED
    # f1 + f3 = f2 + f4, whatever the point
    f = picture.planes(rng.normal(size=(100, 3)), 0.7, 0.4)
    np.testing.assert_allclose(f[:, 0] + f[:, 2], f[:, 1] + f[:, 3], atol=1e-12)


def test_a_cube_with_its_faces_mixed_up_is_caught(monkeypatch, rng):
    monkeypatch.setattr(camera, "faces_by_area", lambda center, half, eye: {(0, 1), (1, 1)})
    assert not by_key(joined(camera, camera.face_values(rng)))["nine-areas"].holds


def test_areas():
    square = np.array([(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)])
    assert camera.area(square) == 4.0
    assert camera._in_square(square - 1.0 + 10.0) == 0.0
    assert camera._in_square(100.0 * (square - 1.0)) == pytest.approx(4.0 * camera.B**2)
