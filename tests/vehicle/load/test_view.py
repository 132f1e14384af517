"""Cameras and lamps of vehicle files: units, limits, defaults, and mistakes in one sentence."""

from math import radians

import pytest

from pelagos.errors import VehicleFileError
from pelagos.vehicle.describe import describe
from pelagos.vehicle.load.vehicle import load_vehicle, loads
from pelagos.vehicle.spec import Camera, Lamp
from tests.vehicle.plain import PLAIN

WRITTEN_OUT = """
[[camera]]
name = "eye"
position_cm = { value = [50, 0, -10], source = "a ruler", confidence = "high" }
pan_deg = -10
tilt_deg = 5
pan_limit_deg = [-90, 45]
tilt_limit_rad = [-1.0, 0.5]
rate_deg_s = 20
fov_deg = 70
zoom_most = 4
[[camera]]
position_m = [-0.5, 0, 0]
pan_deg = 180
[[lamp]]
position_m = [0.5, 0.2, 0]
direction = [3, 0, 4]
beam_deg = 60
lumens = 2000
"""
BOX = '[[shape]]\nkind = "box"\nsize_m = [2.0, 1.0, 0.8]\ncenter_m = [0.1, 0.0, 0.2]\n'


def facts(vehicle, start):
    return {item.path: item for item in vehicle.facts if item.path.startswith(start)}


def test_everything_written_out_comes_in_si():
    vehicle = loads(PLAIN + WRITTEN_OUT)
    eye, back = vehicle.cameras
    assert eye == Camera(
        "eye", (0.5, 0.0, -0.1), radians(-10), radians(5), (radians(-90), radians(45)), (-1.0, 0.5), radians(20),
        radians(70), 4.0,
    )  # fmt: skip
    assert back.name == "camera_2"
    assert back.pan_rad == back.pan_limit_rad[0] == back.pan_limit_rad[1] == radians(180)  # fixed, looking astern
    assert back.tilt_limit_rad == (0.0, 0.0)
    (lamp,) = vehicle.lamps
    assert lamp == Lamp("lamp_1", (0.5, 0.2, 0.0), (0.6, 0.0, 0.8), radians(60), 2000.0)
    by_path = facts(vehicle, "camera[0]")
    assert by_path["camera[0].position_cm"].source == "a ruler"
    assert facts(vehicle, "camera[1]")["camera[1].fov_deg"].how == "default"


def test_a_camera_that_cannot_look_ahead_rests_at_its_nearest_angle():
    text = "[[camera]]\nposition_m = [0, 0, 0]\ntilt_limit_deg = [-90, -30]\n"
    (camera,) = loads(PLAIN + text).cameras
    assert camera.tilt_rad == radians(-30)


def test_a_vehicle_without_any_gets_one_at_its_nose_and_says_so():
    vehicle = loads(PLAIN + BOX)
    (camera,) = vehicle.cameras
    assert camera.position_b == pytest.approx((1.1, 0.0, 0.2), abs=1e-15)
    assert camera.fov_rad == radians(80)
    assert camera.pan_limit_rad == camera.tilt_limit_rad == (0.0, 0.0)
    (lamp,) = vehicle.lamps
    assert lamp.position_b[:2] == camera.position_b[:2]
    assert lamp.position_b[2] < camera.position_b[2]  # above it
    assert lamp.direction_b == (1.0, 0.0, 0.0)
    for path in ("camera[0].position_m", "camera[0].fov_deg", "lamp[0].position_m", "lamp[0].lumens"):
        (fact,) = (item for item in vehicle.facts if item.path == path)
        assert fact.confidence == "derived" and "in the file" in fact.how


@pytest.mark.parametrize(
    ("shape", "nose"),
    [
        ('kind = "capsule"\nlength_m = 1.0\nradius_m = 0.1\ncenter_m = [0.2, 0, 0]', (0.7, 0.0, 0.0)),
        ('kind = "cylinder"\nlength_m = 1.0\nradius_m = 0.3\naxis = "z"', (0.3, 0.0, 0.0)),
        ('kind = "ellipsoid"\nsemi_axes_m = [0.9, 0.2, 0.1]', (0.9, 0.0, 0.0)),
        ('kind = "stations"\nstations_m = [[-1, 0, 0], [0, 0.4, 0.4], [1.5, 0, 0]]\ncenter_m = [0, 0, 1]', (1.5, 0, 1)),
    ],
)  # fmt: skip
def test_the_nose_of_each_kind_of_shape(shape, nose):
    (camera,) = loads(f"{PLAIN}[[shape]]\n{shape}\n").cameras
    assert camera.position_b == pytest.approx(nose, abs=1e-12)


def test_without_a_shape_the_nose_is_half_a_length_ahead_of_the_buoyancy():
    (camera,) = loads(PLAIN.replace("neutral = true", "neutral = true\ncb_m = [0.3, 0, -0.1]")).cameras
    assert camera.position_b == pytest.approx((1.3, 0.0, -0.1), abs=1e-12)


def test_the_foremost_of_several_shapes_carries_the_camera():
    mast = '[[shape]]\nkind = "box"\nsize_m = [0.2, 0.2, 0.2]\ncenter_m = [2.0, 0, -1]\n'
    assert loads(PLAIN + BOX + mast).cameras[0].position_b == pytest.approx((2.1, 0.0, -1.0), abs=1e-12)


def test_a_file_that_extends_replaces_the_list_whole(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('extends = "rexrov"\n[[camera]]\nposition_m = [1, 0, 0]\n')
    vehicle = load_vehicle(file)
    assert [camera.name for camera in vehicle.cameras] == ["camera_1"]
    assert vehicle.lamps == load_vehicle("rexrov").lamps
    file.write_text('extends = "rexrov"\ncamera = []\n')
    (camera,) = load_vehicle(file).cameras
    assert camera.position_b == (1.3, 0.0, 0.0)  # the nose of its box


def test_they_are_described():
    text = describe(loads(PLAIN + WRITTEN_OUT))
    assert "Cameras" in text and "  eye" in text and "a ruler" in text
    assert "Lamps" in text and "lumens" in text


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("pan_limit_deg = [-90, 45]", "pan_limit_deg = [45, -90]", "pan_limit_deg = [45, -90]: expected the lowest"),
        ("pan_limit_deg = [-90, 45]", "pan_limit_deg = [-200, 45]", "expected a number from -180 to 180 degrees"),
        ("pan_limit_deg = [-90, 45]", "pan_limit_deg = [-90]", "expected a list of 2 numbers"),
        ("tilt_limit_rad = [-1.0, 0.5]", "tilt_limit_rad = [-2.0, 0.5]", "expected a number from -90 to 90 degrees"),
        ("pan_deg = -10", "pan_deg = 60", "camera[0].pan_deg = 60: expected an angle within pan_limit"),
        ("pan_deg = 180", "pan_deg = 270", "camera[1].pan_deg = 270: expected a number from"),
        ("fov_deg = 70", "fov_deg = 180", "camera[0].fov_deg = 180: expected less than 180 degrees"),
        ("fov_deg = 70", "fov_m = 70", "is a unit of length"),
        ("zoom_most = 4", "zoom_most = 0.5", "expected 1 or more"),
        ("rate_deg_s = 20", "rate_deg_s = 0", "expected a number above 0"),
        ("beam_deg = 60", "beam_deg = 200", "lamp[0].beam_deg = 200: expected at most 180 degrees"),
        ("direction = [3, 0, 4]", "direction = [0, 0, 0]", "expected numbers that are not all 0"),
        ("lumens = 2000", "", "lamp[0].lumens: is missing"),
        ("lumens = 2000", "lumen = 2000", "did you mean"),
        ("position_m = [-0.5, 0, 0]", "", "camera[1].position_m: is missing"),
        ("position_m = [-0.5, 0, 0]", 'name = "eye"\nposition_m = [-0.5, 0, 0]', "names must differ"),
    ],
)  # fmt: skip
def test_mistakes_are_one_sentence(old, new, sentence):
    assert old in WRITTEN_OUT
    with pytest.raises(VehicleFileError) as caught:
        loads(PLAIN + WRITTEN_OUT.replace(old, new), "rov.toml")
    assert str(caught.value).startswith("rov.toml: ")
    assert sentence in str(caught.value)


@pytest.mark.parametrize("key", ["bluerov2", "bluerov2_heavy", "seagrant1", "rexrov"])
def test_library_rovs_carry_what_is_known_of_them(key):
    vehicle = load_vehicle(key)
    assert all(low <= camera.tilt_rad <= high for camera in vehicle.cameras for low, high in [camera.tilt_limit_rad])
    first = vehicle.cameras[0]
    assert first.tilt_limit_rad[0] < 0.0 < first.tilt_limit_rad[1]
    assert all(fact.confidence for fact in vehicle.facts if fact.path.startswith(("camera", "lamp")) and not fact.how)
