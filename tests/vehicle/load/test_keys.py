"""The tables of keys: dimensions exist, names do not clash, choices are those of the engine, spellings and factors."""

import re
import sys
from dataclasses import fields
from subprocess import run

import pytest

from pelagos.engine.core.integrate import METHODS
from pelagos.units import UNITS
from pelagos.vehicle.load.keys import (
    ANY,
    CABLE_PART,
    CONTROL,
    LOOPS,
    PART,
    VEHICLE,
    Section,
    flag,
    listing,
    number,
    text,
    vector,
)
from pelagos.vehicle.spec import INTEGRATORS, ControlSpec, LoopGains


def sections(section: Section, path: str = ""):
    yield path, section
    for name, inner in section.tables.items():
        yield from sections(inner, f"{path}.{name}")


ALL = dict(sections(VEHICLE)) | {f"part{path}": section for path, section in sections(PART)}
ALL |= {f"cable{path}": section for path, section in sections(CABLE_PART)}


@pytest.mark.parametrize("path", ALL)
def test_no_spelling_is_written_by_two_keys(path):
    spellings = [spelling for key in ALL[path].keys for spelling in key.spellings()]
    assert len(spellings) == len(set(spellings))
    assert not set(spellings) & set(ALL[path].tables)


@pytest.mark.parametrize("path", ALL)
def test_dimensions_and_choices_exist(path):
    known = {unit.dimension for unit in UNITS.values()} | {""}
    for key in ALL[path].keys:
        assert set(key.dimensions) <= known, key.name
        assert bool(key.choices) == (key.kind in ("choice", "texts")), key.name
        assert re.fullmatch(r"[a-z][a-z0-9_]*", key.name), key.name


def test_the_integrators_of_a_file_are_those_of_the_engine():
    assert set(INTEGRATORS) == set(METHODS)
    key = VEHICLE.tables["motion"].spelling("integrator")
    assert key is not None and key.choices == INTEGRATORS


def test_reading_keys_does_not_load_the_compiler():
    code = "import sys, pelagos.vehicle.load.vehicle; sys.exit('numba' in sys.modules)"
    assert run([sys.executable, "-c", code], check=False).returncode == 0


def test_every_field_of_the_description_has_a_key():
    keys = {spelling for key in CONTROL.keys for spelling in key.spellings()}
    for item in fields(ControlSpec):
        if item.name in LOOPS:
            gains = {gain.name for gain in fields(LoopGains)} - ({"kd", "damping"} if item.name == "speed" else set())
            assert {f"{item.name}_{gain}" for gain in gains} <= keys
        else:
            assert item.name in keys


def test_a_frequency_and_its_gain_exclude_each_other():
    groups = {key.name: key.group for key in CONTROL.keys}
    for loop in LOOPS:
        assert groups[f"{loop}_frequency"] == groups[f"{loop}_kp"] != ""


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
