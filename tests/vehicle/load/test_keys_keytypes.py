"""Keys and sections: every spelling of a quantity and its factor to SI."""

import pytest

from pelagos.vehicle.load.keys import ANY, Section, flag, listing, number, text, vector


def test_a_quantity_is_spelt_in_every_unit_of_its_dimension():
    spellings = number("length", "", "length").spellings()
    assert next(iter(spellings)) == "length_m"  # SI first: error sentences offer it
    assert spellings["length_ft"] == pytest.approx(0.3048, rel=1e-15)
    assert "length" not in spellings and "length_kg" not in spellings


def test_a_plain_number_has_no_suffix_and_dimensions_may_be_several():
    assert number("gain", "").spellings() == {"gain": 1.0}
    drive = number("maximum", "", "voltage", "").spellings()
    assert drive["maximum_V"] == drive["maximum"] == 1.0


def test_a_section_knows_its_keys_by_any_spelling():
    section = Section("", (number("mass", "", "mass"), flag("neutral", "")), {"fade": Section("")})
    key = section.spelling("mass_slug")
    assert key is not None and key.name == "mass"
    assert section.spelling("mass") is None  # the unit is missing
    assert section.all_spellings()[0] == "mass_kg"
    assert {"neutral", "fade"} <= set(section.all_spellings())


def test_shorthands_set_kind_and_shape():
    assert (text("a", "").kind, text("a", "", "x", "y").kind) == ("text", "choice")
    assert vector("cg", "", "length").shapes == ((3,),)
    assert listing("rows", "", (ANY, 2)).shapes == ((ANY, 2),)
