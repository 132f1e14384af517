"""A library vehicle with some keys changed is what a file that extends it would be."""

from pathlib import Path

import pytest

from pelagos.errors import VehicleFileError
from pelagos.vehicle.load.vehicle import changed_vehicle, load_vehicle, loads

CHANGE = {"body": {"mass_kg": 14.0}, "depth_rating_m": 300.0}


def test_it_is_what_a_file_that_extends_it_would_be():
    made = changed_vehicle("bluerov2_heavy", CHANGE, "s.toml", Path())
    text = 'extends = "bluerov2_heavy"\ndepth_rating_m = 300.0\n[body]\nmass_kg = 14.0\n'
    filed = loads(text, "bluerov2_heavy")
    assert made.body.mass_kg == filed.body.mass_kg == 14.0
    assert made.depth_rating_m == filed.depth_rating_m == 300.0
    assert made.thrusters == filed.thrusters == load_vehicle("bluerov2_heavy").thrusters
    assert made.key == "bluerov2_heavy"


def test_nothing_changed_is_the_vehicle_itself():
    made, whole = changed_vehicle("lauv", {}, "s.toml", Path()), load_vehicle("lauv")
    assert (made.body.mass_kg, made.surfaces, made.name) == (whole.body.mass_kg, whole.surfaces, whole.name)


def test_a_file_beside_the_scenario_can_be_changed(tmp_path):
    (tmp_path / "mine.toml").write_text('name = "Mine"\nclass = "AUV"\nextends = "lauv"\n')
    made = changed_vehicle(tmp_path / "mine.toml", {"name": "Yours"}, "s.toml", tmp_path)
    assert (made.name, made.key) == ("Yours", "mine")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"body": {"mas_kg": 3.0}}, "s.toml: body.mas_kg"),
        ({"body": 3}, "s.toml: body = 3"),
        ({"body": {"mass_kg": -1.0}}, "expected a number above 0"),
        ({"depth_rating_m": 0.0}, "expected a number above 0"),
    ],
)
def test_mistakes_name_the_scenario(changes, said):
    with pytest.raises(VehicleFileError) as caught:
        changed_vehicle("bluerov2_heavy", changes, "s.toml", Path())
    assert said in str(caught.value)
