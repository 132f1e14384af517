"""Points inside meshes."""

import numpy as np
import pytest

from pelagos.errors import PelagosError
from pelagos.vehicle.derive.hull import spheroid_stations
from pelagos.vehicle.derive.mesh import Mesh, mesh_form, revolve
from pelagos.vehicle.pack.sampling import inside, mesh_samples
from pelagos.vehicle.spec import Shape
from tests.reference import wet_volume
from tests.vehicle.wet_hull import parts, table

FACES = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
         [1, 5, 7], [1, 7, 3]]  # fmt: skip


def box_mesh(size):
    """A box of two triangles a side."""
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    return Mesh(corners * np.array(size), np.array(FACES), "box")


def write(mesh, path):
    """As OBJ; its vertices keep every digit."""
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in mesh.vertices.tolist()]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in mesh.faces.tolist()]
    path.write_text("\n".join(lines))
    return str(path)


def test_inside_a_box_and_a_spheroid():
    points = np.random.default_rng(1).uniform(-1.2, 1.2, (4000, 3))
    found = inside(box_mesh((2.0, 1.0, 0.6)), points)
    assert np.array_equal(found, np.all(np.abs(points) < [1.0, 0.5, 0.3], axis=1))
    spheroid = revolve(spheroid_stations(2.0, 1.0, 81), around=96)
    q = points[:, 0] ** 2 + 4.0 * (points[:, 1] ** 2 + points[:, 2] ** 2)
    sure = np.abs(q - 1.0) > 0.01  # facets stay within 0.3 % of the radius
    assert np.array_equal(inside(spheroid, points)[sure], (q < 1.0)[sure])


def test_a_hollow_is_outside():
    """A box with a box-shaped hollow, its walls turned inward."""
    outer, inner = box_mesh((2.0, 2.0, 2.0)), box_mesh((1.0, 1.0, 1.0))
    both = Mesh(np.concatenate([outer.vertices, inner.vertices]),
                np.concatenate([outer.faces, inner.faces[:, ::-1] + 8]), "hollow")  # fmt: skip
    points = np.random.default_rng(2).uniform(-1.1, 1.1, (2000, 3))
    size = np.max(np.abs(points), axis=1)
    assert np.array_equal(inside(both, points), (size < 1.0) & (size > 0.5))
    piece = mesh_samples(both, 64)
    assert np.sum(piece.volumes) == pytest.approx(7.0, rel=1e-12)


def test_grains_keep_volume_and_centre():
    mesh = box_mesh((2.0, 0.6, 0.4))
    moved = Mesh(mesh.vertices + np.array([0.3, -0.1, 0.2]), mesh.faces, "box")
    piece = mesh_samples(moved, 100)
    assert len(piece.volumes) == 100
    assert np.sum(piece.volumes) == pytest.approx(mesh_form(moved).volume_m3, rel=1e-12)
    assert piece.volumes @ piece.places / np.sum(piece.volumes) == pytest.approx([0.3, -0.1, 0.2], abs=1e-12)
    assert np.max(piece.volumes) < 3.0 * np.min(piece.volumes)


def test_mesh_at_512_grains(tmp_path):
    """A few tenths of a percent: grains meet a level face all at once. Stated in docs/surface.md as below 1 %."""
    shape = Shape("mesh", file=write(box_mesh((2.0, 0.6, 0.4)), tmp_path / "box.obj"))
    cases = wet_volume.attitudes(300, (1.0, 0.3, 0.2), seed=5)
    exact = np.array([wet_volume.box((2.0, 0.6, 0.4), depth, n) for depth, n in cases])
    error = (parts(table(shape), cases) - exact) / np.array([1.0, 1.0, 0.3, 0.2])
    assert np.max(np.abs(error)) < 0.01
    assert np.sqrt(np.mean(error[:, 0] ** 2)) < 0.003


def test_too_few_points_inside_are_refused(monkeypatch):
    monkeypatch.setattr("pelagos.vehicle.pack.sampling.PER_GRAIN", 1)
    with pytest.raises(PelagosError, match="box: too thin to be filled with 64 points"):
        mesh_samples(box_mesh((1.0, 1.0, 1.0)), 64)
