"""The tables of keys: dimensions exist, names do not clash, choices are those of the engine, spellings and factors."""

import re
import sys
from dataclasses import fields
from subprocess import run
from typing import get_args

import pytest

from pelagos.engine.core.integrate import METHODS
from pelagos.files.schema import Section
from pelagos.units import UNITS
from pelagos.vehicle.load.keys import CABLE_PART, CONTROL, LOOPS, PART, VEHICLE
from pelagos.vehicle.spec import INTEGRATORS, ControlSpec, LoopGains


def sections(section: Section, path: str = ""):
    yield path, section
    for name, inner in section.tables.items():
        yield from sections(inner, f"{path}.{name}")


ALL = dict(sections(VEHICLE)) | {f"part{path}": section for path, section in sections(PART)}
ALL |= {f"cable{path}": section for path, section in sections(CABLE_PART)}


@pytest.mark.parametrize("path", ALL)
def test_no_spelling_is_written_by_two_keys(path):
    spellings = [spelling for key in ALL[path].keys for spelling in key.spellings]
    assert len(spellings) == len(set(spellings))
    assert not set(spellings) & set(ALL[path].tables)


@pytest.mark.parametrize("path", ALL)
def test_dimensions_and_choices_exist(path):
    known = {unit.dimension for unit in UNITS.values()} | {""}
    for key in ALL[path].keys:
        assert set(key.dimensions) <= known, key.name
        assert re.fullmatch(r"[a-z][a-z0-9_]*", key.name), key.name


def test_the_integrators_of_a_file_are_those_of_the_engine():
    assert set(INTEGRATORS) == set(METHODS)
    key = VEHICLE.tables["motion"].spelling("integrator")
    assert key is not None and get_args(key.hint) == INTEGRATORS


def test_reading_keys_does_not_load_the_compiler():
    code = "import sys, pelagos.vehicle.load.vehicle; sys.exit('numba' in sys.modules)"
    assert run([sys.executable, "-c", code], check=False).returncode == 0


def test_every_field_of_the_description_has_a_key():
    keys = {spelling for key in CONTROL.keys for spelling in key.spellings}
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
