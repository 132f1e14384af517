"""The table of keys is sound: dimensions exist, names do not clash, choices are those of the engine."""

import re
import sys
from subprocess import run

import pytest

from pelagos.engine.core.integrate import METHODS
from pelagos.units import UNITS
from pelagos.vehicle.load.keys import CABLE_PART, PART, VEHICLE, Section
from pelagos.vehicle.spec import INTEGRATORS


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
