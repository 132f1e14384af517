"""Drawings of vehicles: hulls fill their shapes, parts have their places of the file, an ROV stays inside its box."""

from dataclasses import replace

import numpy as np
import pytest

from pelagos.console.scene.vehicle import parts, rov
from pelagos.files.library import VEHICLES
from pelagos.geometry.forms import Form
from pelagos.geometry.mesh import enclosed_volume, open_edges
from pelagos.vehicle.load.vehicle import load_vehicle, loads
from pelagos.vehicle.pack.hull import contact_forms
from pelagos.vehicle.spec import Camera
from tests.vehicle.plain import PLAIN

FLEET = VEHICLES.names()
FORM = Form("box", (0.1, -0.2, 0.3), (1.3, 0.75, 0.8))


def bounds(mesh):
    return mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)


def box_of(form):
    """Corners of the box around a form, body axes."""
    spread = np.abs(np.array(form.axes_b)) @ np.array(form.box_m)
    return np.array(form.center_b) - spread, np.array(form.center_b) + spread


@pytest.mark.parametrize("key", FLEET)
def test_hulls_lie_within_their_shapes_and_face_outward(key):
    vehicle = load_vehicle(key)
    forms = contact_forms(vehicle)
    if not forms:
        pytest.skip("a vehicle without dimensions")
    low, high = (np.array(side) for side in zip(*(box_of(form) for form in forms), strict=True))
    low, high = low.min(axis=0), high.max(axis=0)
    pieces = parts(vehicle)
    body = [part for part in pieces if part.kind in ("hull", "frame", "float")]
    assert body == pieces[: len(body)]
    for part in body:
        assert np.all(bounds(part.mesh)[0] >= low - 1e-9)
        assert np.all(bounds(part.mesh)[1] <= high + 1e-9)
    ends = np.array([bounds(part.mesh) for part in body])
    assert ends[:, 0, 0].min() == pytest.approx(low[0], abs=0.05 * (high[0] - low[0]))
    assert ends[:, 1, 0].max() == pytest.approx(high[0], abs=0.05 * (high[0] - low[0]))
    for part in pieces:
        assert enclosed_volume(part.mesh) > 0.0, part.kind
        if not any(shape.kind == "stations" for shape in vehicle.shapes):  # their ends may be knife edges
            assert open_edges(part.mesh) == 0, part.kind


@pytest.mark.parametrize("key", FLEET)
def test_every_thruster_camera_and_lamp_is_drawn_at_its_place(key):
    vehicle = load_vehicle(key)
    pieces = parts(vehicle)
    for word, items in (("thruster", vehicle.thrusters), ("camera", vehicle.cameras), ("lamp", vehicle.lamps)):
        drawn = {part.more[word]: part for part in pieces if part.kind == word}
        assert list(drawn) == [item.name for item in items]
        for item in items:
            low, high = bounds(drawn[item.name].mesh)
            assert np.all(low <= np.array(item.position_b) + 1e-9), item.name
            assert np.all(high >= np.array(item.position_b) - 1e-9) or word == "thruster", item.name


def test_the_duct_of_a_thruster_lies_along_its_push():
    vehicle = load_vehicle("bluerov2_heavy")
    for part, item in zip((p for p in parts(vehicle) if p.kind == "thruster"), vehicle.thrusters, strict=True):
        along = (part.mesh.vertices - np.array(item.position_b)) @ np.array(item.direction_b)
        across = np.linalg.norm(
            part.mesh.vertices - np.array(item.position_b) - np.outer(along, item.direction_b), axis=1
        )
        assert np.ptp(along) < 2.0 * across.max()
        assert abs(along.max() + along.min()) < 0.2 * np.ptp(along)


def rotated(part, angle):
    """Vertices after a turn about the hinge by the right-hand rule (Rodrigues)."""
    k, at = np.array(part.more["axis"]), np.array(part.more["hinge_m"])
    v = part.mesh.vertices - at
    c, s = np.cos(angle), np.sin(angle)
    return at + c * v + s * np.cross(k, v) + (1 - c) * np.outer(v @ k, k)


def test_a_fin_turned_by_a_positive_angle_meets_the_flow_so_that_it_pushes_along_its_normal():
    vehicle = load_vehicle("torpedo")
    fins = [part for part in parts(vehicle) if part.kind == "fin"]
    for part, fin in zip(fins, vehicle.fins, strict=True):
        assert part.more["surface"] == vehicle.surfaces[fin.surface].name
        leading = np.argmax(part.mesh.vertices[:, 0])
        moved = rotated(part, 0.2)[leading] - part.mesh.vertices[leading]
        assert moved @ np.array(fin.normal_b) > 0.0  # nose up to the side it shall push to


def test_fins_that_are_only_coefficients_turn_the_way_their_coefficients_say():
    vehicle = load_vehicle("remus100")
    # N_uudr < 0: a positive rudder turns to port, so it pushes the tail to starboard
    rudders = [part for part in parts(vehicle) if part.more.get("surface") == "rudder"]
    value = next(term.value for term in vehicle.coefficients if term.name == "N_uudr")
    assert len(rudders) == 2
    for part in rudders:
        leading = np.argmax(part.mesh.vertices[:, 0])
        moved = rotated(part, 0.2)[leading] - part.mesh.vertices[leading]
        assert np.sign(moved[1]) == -np.sign(value)
        assert part.more["hinge_m"][0] < 0.0


def test_a_glider_has_wings_and_an_rov_a_float():
    kinds = [part.kind for part in parts(load_vehicle("slocum"))]
    assert kinds.count("fin") == 2
    assert "float" in [part.kind for part in parts(load_vehicle("seagrant1"))]
    assert "float" not in [part.kind for part in parts(load_vehicle("iver3"))]


def test_a_vehicle_of_which_only_the_length_is_known_is_drawn_as_long_as_it_is():
    hull = parts(loads(PLAIN))[0]
    assert hull.kind == "hull"
    assert np.ptp(hull.mesh.vertices[:, 0]) == pytest.approx(2.0, rel=1e-9)


def test_a_mesh_is_drawn_as_it_is(tmp_path):
    faces = ["1 3 2", "1 2 4", "2 3 4", "3 1 4"]
    text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n" + "".join(f"f {face}\n" for face in faces)
    (tmp_path / "wedge.obj").write_text(text)
    file = tmp_path / "wedge.toml"
    file.write_text(PLAIN + '[[shape]]\nkind = "mesh"\nfile = "wedge.obj"\nscale = 2.0\ncenter_m = [0, 0, 1]\n')
    vehicle = load_vehicle(file)
    hull = parts(vehicle)[0].mesh
    assert enclosed_volume(hull) == pytest.approx(8.0 / 6.0, rel=1e-12)
    assert bounds(hull)[1] == pytest.approx((2.0, 2.0, 3.0), abs=1e-12)
    assert vehicle.cameras[0].position_b == pytest.approx((2.0, 1.0, 2.0), abs=1e-12)  # middle of the box, foremost


def test_the_pieces_are_those_of_an_rov_inside_the_box():
    pieces = rov(FORM, (), ())
    assert [part.kind for part in pieces] == ["float", "frame", "hull"]
    for part in pieces:
        low, high = bounds(part.mesh)
        assert np.all(low >= np.array(FORM.center_b) - FORM.half_m - 1e-12)
        assert np.all(high <= np.array(FORM.center_b) + FORM.half_m + 1e-12)
        assert open_edges(part.mesh) == 0
        assert enclosed_volume(part.mesh) > 0.0


def test_the_float_is_on_top_and_the_frame_spans_the_box():
    block, frame, tubes = (part.mesh for part in rov(FORM, (), ()))
    top = FORM.center_b[2] - FORM.half_m[2]
    assert bounds(block)[0][2] == pytest.approx(top, abs=1e-12)  # z is down
    assert bounds(block)[1][2] < bounds(tubes)[1][2]
    assert np.ptp(frame.vertices, axis=0)[:2] == pytest.approx(2.0 * np.array(FORM.half_m[:2]), rel=1e-12)
    assert bounds(frame)[1][2] == pytest.approx(FORM.center_b[2] + FORM.half_m[2], abs=1e-12)


def test_vertical_thrusters_outboard_have_water_above_them():
    heavy = load_vehicle("bluerov2_heavy")
    form = Form("box", (0.0, 0.0, 0.0), (0.23, 0.29, 0.19))
    block = rov(form, heavy.thrusters, ())[0].mesh
    outer = min(abs(t.position_b[1]) - 0.5 * t.diameter_m for t in heavy.thrusters if abs(t.direction_b[2]) > 0.9)
    assert bounds(block)[1][1] < outer
    shifted = tuple(replace(t, position_b=(t.position_b[0], 0.0, t.position_b[2])) for t in heavy.thrusters)
    assert bounds(rov(form, shifted, ())[0].mesh)[1][1] > outer


def test_a_camera_at_the_height_of_the_float_looks_past_it():
    camera = Camera("forward", (1.25, -0.2, -0.1))
    assert bounds(rov(FORM, (), (camera,))[0].mesh)[1][0] < 1.25
    low = Camera("forward", (1.25, -0.2, 0.5))
    assert bounds(rov(FORM, (), (low,))[0].mesh)[1][0] > 1.25


def test_large_ones_have_another_colour_than_small_ones():
    small = Form("box", (0.0, 0.0, 0.0), (0.2, 0.2, 0.2))
    assert rov(small, (), ())[0].colour != rov(FORM, (), ())[0].colour
