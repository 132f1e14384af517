"""Visibility and colour of the water: the law of contrast, names, and sentences for mistakes."""

import math

import numpy as np
import pytest

from pelagos.errors import ScenarioError
from pelagos.world.describe import describe_world
from pelagos.world.library import list_worlds
from pelagos.world.load import load_world, loads_world, world_schema
from pelagos.world.spec import World
from pelagos.world.water import COLOURS, attenuation_1_m, rgb


@pytest.mark.parametrize("visibility", [2.0, 15.0, 60.0])
def test_contrast_is_two_percent_at_the_visibility(visibility):
    c = attenuation_1_m(visibility)
    assert math.exp(-c * visibility) == pytest.approx(0.02, rel=1e-12)
    assert c * visibility == pytest.approx(3.9, abs=0.02)  # the figure of the textbooks, to its digits


def test_colours_by_name_and_by_numbers():
    assert rgb("green") == COLOURS["green"]
    assert rgb([0, 0.5, 1]) == (0.0, 0.5, 1.0)
    for colour in COLOURS.values():
        assert all(0.0 <= part <= 1.0 for part in colour)
    red, green, blue = COLOURS["blue"]
    assert red < green < blue
    assert COLOURS["brown"][0] > COLOURS["brown"][2]


def test_a_file_says_both_and_units_are_read():
    world = loads_world("visibility_ft = 10\nwater_colour = [0.1, 0.2, 0.3]\n")
    assert world.visibility_m == pytest.approx(3.048, rel=1e-12)
    assert world.water_colour == (0.1, 0.2, 0.3)
    assert (World().visibility_m, World().water_colour) == (15.0, "blue")
    properties = world_schema()["properties"]
    assert {"visibility_m", "visibility_ft", "water_colour"} <= set(properties)


def test_physics_does_not_see_them():
    clear, murky = World(depth_m=20.0, visibility_m=50.0), World(depth_m=20.0, visibility_m=1.0, water_colour="brown")
    assert np.array_equal(clear.packed(), murky.packed())


def test_they_are_described():
    text = describe_world(World(visibility_m=7.0, water_colour="green"))
    assert "7 m, green" in text
    assert "(0.1, 0.2, 0.3)" in describe_world(World(water_colour=(0.1, 0.2, 0.3)))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("visibility_m = 0", "bay: visibility_m = 0: expected a finite number above 0"),
        ("visibility_m = inf", "bay: visibility_m = inf: expected a finite number above 0"),
        ('visibility_m = "far"', 'expected a number'),
        ('water_colour = "gren"', 'did you mean "green"?'),
        ("water_colour = [0.1, 0.2, 1.3]", "three numbers from 0 to 1"),
        ("water_colour = [0.1, 0.2]", "expected text in quotes or a list of 3 numbers"),
        ("visibility_kg = 3", "is a unit of mass"),
    ],
)  # fmt: skip
def test_mistakes_are_one_sentence(text, sentence):
    with pytest.raises(ScenarioError) as caught:
        loads_world(text, "bay")
    assert sentence in str(caught.value)


@pytest.mark.parametrize("colour", [None, 3, "", (1, 2, 3), (0.1, math.nan, 0.1), [True, 0, 0]])
def test_python_is_told_too(colour):
    with pytest.raises(ScenarioError):
        World(water_colour=colour)


def test_worlds_of_the_library_differ_in_how_far_one_sees():
    far = {entry.key: load_world(entry.key).visibility_m for entry in list_worlds()}
    assert far["harbour"] < far["wreck_slope"] < far["royer_field"] < far["open_ocean"]
