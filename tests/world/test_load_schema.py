"""The schema accepts what the reader accepts and refuses what it refuses, as far as keys and types go."""

import tomllib

import jsonschema
import pytest

from pelagos.errors import ScenarioError
from pelagos.world import library
from pelagos.world.load import loads_world, world_schema

SCHEMA = jsonschema.Draft202012Validator(world_schema())


def test_it_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(world_schema())
    assert {"depth_m", "depth_ft", "water", "waves", "current", "seabed", "structure"} <= set(
        world_schema()["properties"]
    )


@pytest.mark.parametrize("key", library.keys())
def test_library_worlds_fit(key):
    raw = tomllib.loads((library.LIBRARY / f"{key}.toml").read_text())
    assert [error.message for error in SCHEMA.iter_errors(raw)] == []


@pytest.mark.parametrize(
    "text",
    [
        "dept_m = 3",
        'depth_m = "deep"',
        "[[current]]\nspeed_m_s = 1.0",
        '[[current]]\nkind = "tidal"\nto_deg = 1.0',
        '[[current]]\nkind = "uniform"\nspeed_m = 1.0',
        "[[structure]]\ncenter_m = [0.0, 0.0, 0.0]",
        '[[structure]]\nkind = "sphere"\ncenter_m = ["a", 0.0, 0.0]\nradius_m = 1.0',
        "[waves]\ncomponents = 2.5",
        "surface = 1",
        '[waves]\nkind = "regular"\nheight_m = { valu = 1.0 }\nperiod_s = 9.0',
    ],
)
def test_both_refuse(text):
    assert list(SCHEMA.iter_errors(tomllib.loads(text)))
    with pytest.raises(ScenarioError):
        loads_world(text)


def test_both_accept_other_units_and_sources():
    text = '[[current]]\nkind = "uniform"\nspeed_kn = { value = 1.0, source = "chart" }\nto_deg = 5\nnote = "x"'
    assert not list(SCHEMA.iter_errors(tomllib.loads(text)))
    assert loads_world(text).currents[0].speed_m_s == pytest.approx(1852.0 / 3600.0)
