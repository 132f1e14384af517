"""The parts of a hello that show vehicle and world: plain JSON of a bearable size that says what the files say."""

import json
import math

import numpy as np
import pytest

from pelagos.console.scene.scene import vehicle_scene, world_scene
from pelagos.console.scene.text import mesh_text, packed_text
from pelagos.console.scene.vehicle import parts
from pelagos.files.library import VEHICLES, list_worlds
from pelagos.geometry.mesh import enclosed_volume
from pelagos.vehicle.load.vehicle import load_vehicle
from pelagos.world.load import load_world
from pelagos.world.spec import World
from tests.console.scene.decoded import mesh_of, unpacked

LARGEST = 3_000_000  # characters of a hello: a second of a slow line


@pytest.mark.slow
@pytest.mark.parametrize("key", VEHICLES.names())
def test_vehicles_are_plain_json(key):
    text = json.dumps(vehicle_scene(load_vehicle(key)), allow_nan=False)
    assert len(text) < LARGEST / 10
    assert json.loads(text)["key"] == key


@pytest.mark.parametrize("entry", list_worlds(), ids=lambda entry: entry.key)
def test_worlds_are_plain_json(entry):
    text = json.dumps(world_scene(load_world(entry.key)), allow_nan=False)
    assert len(text) < LARGEST
    assert json.loads(text)["extent_m"] > 0.0


def test_arrays_come_back_from_their_text():
    numbers = np.array([0.0, -1.5, 3.25e7, 1e-3], dtype="<f4")
    assert np.array_equal(unpacked(packed_text(numbers, "<f4"), "<f4"), numbers)
    assert packed_text([1, 256], "<u4") == "AQAAAAABAAA="  # little-endian bytes 1 0 0 0, 0 1 0 0
    mesh = parts(load_vehicle("iver3"))[0].mesh
    again = mesh_of(mesh_text(mesh))
    assert np.array_equal(again.faces, mesh.faces)
    assert again.vertices == pytest.approx(mesh.vertices, abs=1e-7)  # float32 of lengths below a metre


def test_what_is_said_of_a_vehicle_is_what_its_file_says():
    table = vehicle_scene(load_vehicle("bluerov2_heavy"))
    assert (table["name"], table["class"], table["length_m"]) == ("BlueROV2 Heavy", "inspection ROV", 0.46)
    assert table["depth_rating_m"] == 100.0
    assert table["has_tether"] and table["has_battery"]
    assert table["fairlead_m"] == [-0.23, 0.0, 0.0]
    assert table["tether_diameter_m"] == pytest.approx(0.0076)  # the Fathom tether's 7.6 mm
    assert len(table["thrusters"]) == 8
    assert table["thrusters"][0] == {
        "name": "front_starboard", "position_m": [0.156, 0.111, 0.085],
        "direction": pytest.approx([math.sqrt(0.5), -math.sqrt(0.5), 0.0], abs=1e-15),
    }  # fmt: skip
    (camera,) = table["cameras"]
    assert camera["fov_deg"] == pytest.approx(80.0)
    assert camera["tilt_limit_deg"] == pytest.approx([-45.0, 45.0])
    assert camera["pan_limit_deg"] == [0.0, 0.0]
    assert sum(lamp["lumens"] for lamp in table["lamps"]) == 6000.0
    surfaces = vehicle_scene(load_vehicle("remus100"))["surfaces"]
    assert [item["name"] for item in surfaces] == [item.name for item in load_vehicle("remus100").surfaces]


def test_royers_camera_is_at_c():
    table = vehicle_scene(load_vehicle("seagrant1"))
    assert table["cameras"][0]["position_m"] == [1.5, 0.0, 0.0]  # Royer 4.2.e
    low, high = table["cameras"][0]["pan_limit_deg"]
    assert low < 0.0 < high
    assert table["depth_rating_m"] is None  # none is published: endless is null


def test_the_skin_is_that_of_the_parts():
    vehicle = load_vehicle("rexrov")
    for text, part in zip(vehicle_scene(vehicle)["skin"]["parts"], parts(vehicle), strict=True):
        assert (text["kind"], text["colour"]) == (part.kind, part.colour)
        assert enclosed_volume(mesh_of(text["mesh"])) == pytest.approx(enclosed_volume(part.mesh), rel=1e-3)  # float32


def test_light_falls_to_two_percent_at_the_visibility():
    table = world_scene(World(depth_m=20.0, visibility_m=7.0, water_colour=(0.1, 0.2, 0.3)))
    assert math.exp(-table["attenuation_1_m"] * table["visibility_m"]) == pytest.approx(0.02, rel=1e-12)
    assert table["water_colour"] == [0.1, 0.2, 0.3]
    assert (table["depth_m"], table["surface"], table["waves"], table["structures"]) == (20.0, True, [], [])


def test_what_has_no_end_is_null():
    table = world_scene(World(surface=False))
    assert table["depth_m"] is None and table["seabed"] is None
    assert table["surface"] is False
