"""Declarations of tables: spellings in every unit, limits, and the section that a dataclass becomes."""

import math
from dataclasses import dataclass

import pytest

from pelagos.checks import Context
from pelagos.errors import ScenarioError
from pelagos.files.schema import Key, Section, flag, integer, listing, number, section_of, text, vector, without

CONTEXT = Context(ScenarioError, "a.toml")


@dataclass(frozen=True, kw_only=True)
class Buoy:
    """A buoy. More about it."""

    height_m: float
    turn_deg: float = 0.0
    salinity_g_kg: float | None = None
    mass_kg: float | tuple[float, float] = 1.0
    name: str = ""
    hidden: object = None


def test_a_quantity_is_spelt_in_every_unit_of_its_dimension():
    spellings = number("length", "", "length").spellings
    assert next(iter(spellings)) == "length_m"  # SI first: error sentences offer it
    assert spellings["length_ft"] == pytest.approx(0.3048, rel=1e-15)
    assert "length" not in spellings and "length_kg" not in spellings


def test_a_plain_number_has_no_suffix_and_dimensions_may_be_several():
    assert number("gain", "").spellings == {"gain": 1.0}
    drive = number("maximum", "", "voltage", "").spellings
    assert drive["maximum_V"] == drive["maximum"] == 1.0


def test_a_section_knows_its_keys_by_any_spelling():
    section = Section("", (number("mass", "", "mass"), flag("neutral", "")), {"fade": Section("")})
    key = section.spelling("mass_slug")
    assert key is not None and key.name == "mass"
    assert section.spelling("mass") is None  # the unit is missing
    assert section.all_spellings()[0] == "mass_kg"
    assert {"neutral", "fade"} <= set(section.all_spellings())


def test_the_keys_of_a_dataclass_are_in_the_units_of_its_fields():
    section = section_of(Buoy)
    keys = {key.name: key for key in section.keys}
    assert set(keys) == {"height_m", "turn_deg", "salinity_g_kg", "mass_kg", "name"}  # no file can hold an object
    assert section.help == "A buoy. More about it." and section.spec is Buoy
    assert [key.name for key in section.required_keys] == ["height_m"]
    assert keys["height_m"].spellings == pytest.approx(
        {"height_m": 1, "height_mm": 1e-3, "height_cm": 1e-2, "height_in": 0.0254, "height_ft": 0.3048}
    )
    assert keys["turn_deg"].spellings["turn_rad"] == pytest.approx(180.0 / math.pi, rel=1e-15)
    assert keys["salinity_g_kg"].spellings == {"salinity_g_kg": 1.0}  # g/kg is no mass
    assert keys["mass_kg"].numeric and not keys["name"].numeric
    assert without(section, "name").spelling("name") is None


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        (number("x", "", sign="positive"), 0, "a number above 0"),
        (number("x", "", sign="positive"), 1e-21, "a number of at least 1e-20"),
        (number("x", ""), -1e21, "a number of at most 1e+20"),
        (number("x", ""), math.inf, "a finite number"),
        (number("x", "", sign="nonnegative"), -1, "a number of at least 0"),
        (vector("x", "", sign="nonzero"), [0, 0, 0], "numbers that are not all 0"),
        (listing("x", "", tuple[float, ...]), [], "a list of numbers"),
        (integer("x", "", most=10), 11, "a number of at most 10"),
        (integer("x", ""), 1.5, "a whole number"),
        (text("x"), " ", "text in quotes"),
        (text("x", "", "a", "b"), "c", "one of a, b"),
        (flag("x", ""), 1, "true or false"),
    ],
)
def test_a_value_outside_the_limits_is_refused(key, value, expected):
    with pytest.raises(ScenarioError) as caught:
        key.check("x", value, CONTEXT)
    assert caught.value.expected == expected


def test_a_dataclass_checks_its_own_limits():
    key = Key("x", checked=False)
    assert key.check("x", math.inf, CONTEXT) == math.inf
    assert Key("x", hint=str, checked=False).check("x", "", CONTEXT) == ""
