"""An ROV drawn inside its box: nothing sticks out, everything is closed, and thrusters and cameras stay free."""

from dataclasses import replace

import numpy as np
import pytest

from pelagos.console.scene.vehicle import rov
from pelagos.geometry.forms import Form
from pelagos.geometry.mesh import enclosed_volume, open_edges
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.vehicle.spec import Camera

FORM = Form("box", (0.1, -0.2, 0.3), (1.3, 0.75, 0.8))


def bounds(mesh):
    return mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)


def test_the_pieces_are_those_of_an_rov_inside_the_box():
    parts = rov(FORM, (), ())
    assert [part.kind for part in parts] == ["float", "frame", "hull"]
    for part in parts:
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
