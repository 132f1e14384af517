"""The schema accepts what the reader accepts and refuses what it refuses, as far as keys and types go."""

import json
import tomllib

import jsonschema
import pytest

from pelagos.errors import PelagosError
from pelagos.files.library import SCENARIOS
from pelagos.scenario.read import scenario_from
from pelagos.scenario.schema import scenario_schema

SCHEMA = jsonschema.Draft202012Validator(scenario_schema())
ROV = 'vehicle = "bluerov2_heavy"\n'


def test_it_is_small_enough_for_an_editor():
    assert len(json.dumps(scenario_schema(), separators=(",", ":"))) < 1_000_000  # bytes


@pytest.mark.slow
def test_it_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(scenario_schema())
    assert {"vehicle", "world", "mission", "sensor", "fault", "seed", "duration_s"} <= set(
        scenario_schema()["properties"]
    )


@pytest.mark.parametrize("name", SCENARIOS.names())
def test_ready_scenarios_fit(name):
    raw = tomllib.loads(SCENARIOS.path(name).read_text())
    assert [error.message[:300] for error in SCHEMA.iter_errors(raw)] == []


@pytest.mark.parametrize(
    "text",
    [
        "seed = 1",
        "vehicle = 3",
        "vehicle = []",
        ROV + "sed = 1",
        ROV + "seed = 1.5",
        ROV + 'path = "x"',
        ROV + "[start]\ndepth = 3",
        ROV + '[control]\nkind = "joystick"',
        ROV + '[control]\nkind = "direct"\n[control.thrust]\nfront_port = "full"',
        ROV + "[[mission]]\nname = 'no kind'",
        ROV + '[[mission]]\nkind = "waypoints"',
        ROV + '[mission]\nkind = "hold"',
        ROV + '[[fault]]\nkind = "thruster_lost"\nat_s = 1',
        ROV + '[[fault]]\nkind = "thruster_gone"\nat_s = 1',
        ROV + "[[sensor]]\nrate_hz = 1",
        ROV + "sensor = 3",
        ROV + "[end]\nwhen = 3",
        ROV + '[output]\nformat = "xls"',
        ROV + "[world]\ndept_m = 3",
        ROV + "[tether]\nlength = 3",
        '[[vehicle]]\nname = "a"',
        '[[vehicle]]\nuse = "lauv"\n[vehicle.start]\ndepth = 3',
        '[vehicle]\nuse = "lauv"\n[vehicle.change.body]\nmas_kg = 3',
    ],
)
def test_both_refuse(text):
    raw = tomllib.loads(text)
    assert list(SCHEMA.iter_errors(raw))
    with pytest.raises(PelagosError):
        scenario_from(raw)


@pytest.mark.parametrize(
    "text",
    [
        ROV + 'world = "harbour"',
        ROV + '[world]\nuse = "harbour"\ncurrent_kn = 1',
        ROV + '[start]\ndepth_ft = { value = 9, source = "log" }',
        ROV + '[control]\nkind = "direct"\n[control.thrust]\nfront_port_V = 1.0',
        ROV + "[tether]\nlength_m = 30",
        ROV + 'tether = true\nsensor = true\n[navigation]\nuse = "truth"',
        '[vehicle]\nuse = "bluerov2_heavy"\n[vehicle.change.body]\nmass_kg = 13.6',
        '[[vehicle]]\nuse = "lauv"\nname = "a"\n[[vehicle]]\nuse = "lauv"\nname = "b"\n[vehicle.start]\neast_m = 9',
    ],
)
def test_both_accept(text):
    raw = tomllib.loads(text)
    assert [error.message[:300] for error in SCHEMA.iter_errors(raw)] == []
    try:
        scenario_from(raw)
    except PelagosError as problem:
        assert "front_port" in str(problem)  # a unit of another drive: beyond a schema
