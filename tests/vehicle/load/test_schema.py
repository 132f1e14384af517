"""The JSON Schema: it is valid, accepts what the loader accepts, and rejects mistakes that an editor should mark."""

import json
import tomllib

import pytest
from jsonschema import Draft202012Validator

from pelagos.files.library import VEHICLES
from pelagos.vehicle.load.keys import VEHICLE, vehicle_schema

GOOD = """
name = "Test body"
class = "test"
[body]
weight_lbf = { value = 435, source = "a scale", confidence = "high" }
neutral = true
inertia_slug_ft2 = [2.0, 30.0, 31.0]
[hydro.coefficients]
Y_uv = -1.0
X_u = "remove"
[[thrusters]]
name = "screw"
position_m = [0, 0, 0]
direction = [1, 0, 0]
maximum_rpm = 700
propeller = { diameter_m = 0.14, kt0 = 0.4 }
[tether]
fairlead_m = [0, 0, -0.4]
diameter_mm = 7.6
mass_per_length_kg_m = { value = 0.043, source = "a scale" }
[[sensor]]
part = "bar30"
noise_cm = { value = 1, note = "measured" }
[[sensor]]
kind = "compass"
tilt = true
"""


@pytest.fixture(scope="module")
def validator():
    made = vehicle_schema()
    Draft202012Validator.check_schema(made)
    return Draft202012Validator(json.loads(json.dumps(made)))


@pytest.mark.slow
def test_good_file(validator):
    assert list(validator.iter_errors(tomllib.loads(GOOD))) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("weight_lbf", "weight_ft"),
        ("435", "-435"),
        ("435", '"heavy"'),
        ('"high"', '"sure"'),
        ("[2.0, 30.0, 31.0]", "[2.0, 30.0]"),
        ("neutral = true", "neutral = 1"),
        ('name = "Test body"', ""),
        ("[body]", "[bodi]"),
        ('"remove"', '"delete"'),
        ("kt0 = 0.4", "kt = 0.4"),
        ("Y_uv = -1.0", "Y_uv = [1.0]"),
        ("fairlead_m = [0, 0, -0.4]", "fairlead_m = [0, 0]"),
        ("diameter_mm = 7.6", "diameter_mm = 0"),
        ("mass_per_length_kg_m", "mass_per_length_kg"),
        ("noise_cm", "noise_deg_h"),
        ("tilt = true", "tilt = 1"),
        ('kind = "compass"', 'kind = "compas"'),
        ('part = "bar30"', ""),
    ],
)
def test_slips_are_marked(validator, old, new):
    assert list(validator.iter_errors(tomllib.loads(GOOD.replace(old, new))))


@pytest.mark.slow
def test_a_file_that_extends_may_leave_out_its_name(validator):
    assert list(validator.iter_errors({"extends": "other"})) == []


def test_every_table_of_the_reader_is_in_the_schema():
    properties = vehicle_schema()["properties"]
    assert set(VEHICLE.tables) <= set(properties)
    assert "mass_slug" in properties["body"]["properties"]


@pytest.mark.slow
@pytest.mark.parametrize("key", VEHICLES.names())
def test_library_follows_the_schema(validator, key):
    raw = tomllib.loads((VEHICLES.folder / f"{key}.toml").read_text(encoding="utf-8"))
    assert [error.message for error in validator.iter_errors(raw)] == []
