"""A vehicle whose hull is a mesh: what the file omits comes from the shape."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pelagos.errors import VehicleFileError
from pelagos.vehicle.derive import added_mass
from pelagos.vehicle.load.vehicle import load_vehicle

BOX = """\
o box
v -0.5 -0.2 -0.1
v 0.5 -0.2 -0.1
v 0.5 0.2 -0.1
v -0.5 0.2 -0.1
v -0.5 -0.2 0.1
v 0.5 -0.2 0.1
v 0.5 0.2 0.1
v -0.5 0.2 0.1
f 1 4 3 2
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
"""
FILE = """\
name = "box"
class = "test"
[body]
mass_kg = 82.0
cg_m = [0.0, 0.0, 0.03]
[[shape]]
kind = "mesh"
file = "box.obj"
center_m = [0.1, 0.0, 0.0]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "box.obj").write_text(BOX)
    return tmp_path


def test_volume_centre_length_and_inertia_follow_from_the_mesh(folder: Path) -> None:
    """A box of 1.0 x 0.4 x 0.2 m with its centre at x = 0.1: exact, a polyhedron."""
    (folder / "box.toml").write_text(FILE)
    vehicle = load_vehicle(folder / "box.toml")
    assert vehicle.body.volume_m3 == pytest.approx(0.08, rel=1e-12)
    assert vehicle.body.cb_b == pytest.approx((0.1, 0.0, 0.0), abs=1e-12)
    assert vehicle.length_m == pytest.approx(1.0)
    about_centre = 82.0 / 12.0 * np.array([0.4**2 + 0.2**2, 1.0 + 0.2**2, 1.0 + 0.4**2])
    steiner = 82.0 * 0.03**2 * np.array([1.0, 1.0, 0.0])
    np.testing.assert_allclose(np.diag(vehicle.body.inertia_o), about_centre + steiner, rtol=1e-12)
    how = {fact.path: fact.how for fact in vehicle.facts}
    assert "box.obj" in how["body.volume_m3"] and "box.obj" in how["geometry.wetted_area_m2"]


def test_scale_turns_millimetres_into_metres(folder: Path) -> None:
    (folder / "box.obj").write_text(BOX.replace("0.5", "500").replace("0.2", "200").replace("0.1", "100"))
    (folder / "box.toml").write_text(FILE.replace("center_m = [0.1, 0.0, 0.0]", "scale = 0.001"))
    assert load_vehicle(folder / "box.toml").body.volume_m3 == pytest.approx(0.08, rel=1e-9)


@pytest.mark.skipif(not added_mass.available(), reason="capytaine is not installed (extra bem)")
def test_added_mass_by_panels(folder: Path) -> None:
    """12 triangles only: the order of magnitude and the ordering surge < sway < heave of a flat box."""
    (folder / "box.toml").write_text(FILE + '[added_mass]\nfrom_hull = "mesh"\n')
    vehicle = load_vehicle(folder / "box.toml")
    surge, sway, heave = np.diag(vehicle.added_mass)[:3]
    assert 0.0 < surge < sway < heave < 10.0 * 82.0
    assert any("panel method" in fact.how for fact in vehicle.facts)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("box.obj", "bux.obj"), "shape[0].file"),
        (('kind = "mesh"\nfile = "box.obj"', 'kind = "box"\nsize_m = [1, 1, 1]'), "inertia_kg_m2: is missing"),
    ],
)
def test_what_is_missing_is_said(folder: Path, change: tuple[str, str], sentence: str) -> None:
    (folder / "box.toml").write_text(FILE.replace(*change))
    with pytest.raises(VehicleFileError) as caught:
        load_vehicle(folder / "box.toml")
    assert sentence in str(caught.value)


def test_an_open_mesh_is_refused_in_a_sentence(folder: Path) -> None:
    (folder / "box.obj").write_text(BOX.replace("f 4 1 5 8\n", ""))
    (folder / "box.toml").write_text(FILE)
    with pytest.raises(VehicleFileError, match="open edges"):
        load_vehicle(folder / "box.toml")


def test_a_mesh_added_mass_without_a_mesh(folder: Path) -> None:
    text = FILE.replace('kind = "mesh"\nfile = "box.obj"', 'kind = "box"\nsize_m = [1, 1, 1]')
    body = "neutral = true\ninertia_kg_m2 = [1, 1, 1]\n"
    (folder / "box.toml").write_text(
        text.replace("mass_kg = 82.0", "mass_kg = 82.0\n" + body) + '[added_mass]\nfrom_hull = "mesh"\n'
    )
    with pytest.raises(VehicleFileError, match='needs a \\[\\[shape\\]\\] of kind "mesh"'):
        load_vehicle(folder / "box.toml")
